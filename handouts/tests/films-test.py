#!/usr/bin/env python3
"""films-test.py FILMS: the films of the handouts (make films) show what the texts say of them.

One line a failure. UPDATE=1 writes examples/steps.txt anew; else it is compared.

  - each film of examples/films.tsv is there, and shows the mistakes that the list names, no others;
    a slow one is slower than the right one above it
  - each is led to, and the handout of each lab with a kernel leads to a right film and another
  - the steps that texts lead to are those of examples/steps.txt, each with its sentence; and where
    words name the step, it is that one
"""
import glob
import os
import re
import sys

KIT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(KIT, 'vgpu/tests/film'))
sys.dont_write_bytecode = True
import film  # noqa: E402 pylint: disable=wrong-import-position

LINK = re.compile(r'\[([^\]]*)\]\((?:\.\./)?examples/([a-z-]+)\.cu(?:#step=([0-9]+))?\)')
STEPS = 'handouts/examples/steps.txt'
failures = []


def listed():
    with open('handouts/examples/films.tsv', encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    for row in rows:
        if len(row) != 4:
            failures.append(f'films.tsv: {row[0]}: {len(row)} columns, not 4')
    return [row for row in rows if len(row) == 4]


def is_slower(slow, right):
    """Twice as many sectors of global memory in all, or passes over the banks?"""
    def units(one, shared):
        memories = one.data['memories']
        return sum(a[6] for a in one.data['accesses'] if memories[a[2]]['shared'] == shared)
    return any(units(slow, shared) >= 2 * units(right, shared) > 0 for shared in (False, True))


def has_kernel(lab):
    """Do students write a kernel in this lab?"""
    path, = glob.glob(f'labs/{lab}-*/lab.cfg')
    with open(path, encoding='utf-8') as file:
        return 'name = "own-kernel"' in file.read()


def check_films(films, rows):
    right = None
    for name, _, shows, _ in rows:
        found = [m['kind'] for m in films[name].data['mistakes']]
        wanted = [] if shows in ('-', 'cost', 'product') else shows.split()
        if found != wanted:
            failures.append(f'{name}: shows {found or "no mistake"}, the list says {shows}')
        if shows == 'cost' and (right is None or not is_slower(films[name], films[right])):
            failures.append(f'{name}: is no slower than {right}')
        right = name if shows == '-' else right


def check_links(films, rows):
    """Returns the lines of steps.txt."""
    shows = {row[0]: row[2] for row in rows}
    seen, steps = set(), set()
    for path in sorted(glob.glob('handouts/*.md') + glob.glob('handouts/instructors/*.md')):
        lab = os.path.basename(path)[:-len('.md')]
        with open(path, encoding='utf-8') as file:
            links = LINK.findall(re.sub(r'\n> ', ' ', file.read()))
        here = {name for _, name, _ in links if name in films}
        seen |= here
        if re.fullmatch('lab[0-9]+', lab) and has_kernel(lab):
            if not any(shows[name] == '-' for name in here):
                failures.append(f'{path}: leads to no film of a right kernel')
            if not any(shows[name] != '-' for name in here):
                failures.append(f'{path}: leads to no film of a mistake')
        for words, name, step in links:
            if not step:
                continue
            named = re.search(r'\bstep ([0-9]+)', words)
            if named and named.group(1) != step:
                failures.append(f'{path}: "{words}" leads to step {step} of {name}')
            if name not in films or not 1 <= int(step) <= len(films[name].steps):
                failures.append(f'{path}: there is no film {name} with a step {step}')
            else:
                said = films[name].say(int(step) - 1)
                steps.add((name, int(step), f'{name} {step}: {said}'))
    failures.extend(f'no text leads to the film {name}' for name in shows if name not in seen)
    return [text for _, _, text in sorted(steps)]


def main():
    folder = os.path.abspath(sys.argv[1])
    os.chdir(KIT)
    rows = listed()
    films = {}
    for row in rows:
        path = os.path.join(folder, f'{row[0]}.html')
        if os.path.exists(path):
            films[row[0]] = film.load(path)
        else:
            failures.append(f'there is no film {path}')
    rows = [row for row in rows if row[0] in films]
    check_films(films, rows)
    steps = '\n'.join(check_links(films, rows)) + '\n'
    if os.environ.get('UPDATE'):
        with open(STEPS, 'w', encoding='utf-8') as file:
            file.write(steps)
    with open(STEPS, encoding='utf-8') as file:
        were = file.read()
    for line in sorted(set(steps.splitlines()) ^ set(were.splitlines())):
        where = 'only in the films' if line in steps else 'only in steps.txt'
        failures.append(f'{where}: {line}')
    for failure in failures:
        print(f'FAILED: {failure}')
    print(f'films: {len(films)} films, {len(steps.splitlines())} steps, {len(failures)} failed')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
