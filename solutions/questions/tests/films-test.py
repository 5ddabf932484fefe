#!/usr/bin/env python3
"""films-test.py FILMS ANSWER-KEY: the questions about films ask for what the films show.

FILMS is the folder that make films fills. The answers are formulas; here each is read in the films,
for every variant, as a student would: by lines, phases and cells. One line a failure.
"""
import os
import struct
import subprocess
import sys

KIT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(KIT, 'vgpu/tests/film'))
sys.dont_write_bytecode = True
import film  # noqa: E402 pylint: disable=wrong-import-position

READ, WRITE, BEGINS, ARRIVES = 0, 1, 3, 4
folder, key = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
films = {}


class Seen:
    """A film, and what is asked of it."""

    def __init__(self, name):
        self.film = film.load(os.path.join(folder, f'{name}.html'))
        self.memories = self.film.data['memories']
        self.phase, now = [], 1
        for step in self.film.steps:
            now += step[0] < 0
            self.phase.append(now)

    def begin_of(self, phase):
        return self.phase.index(phase)

    def accesses(self, memory, kinds, thread=None):
        """(step, place of the lane in bytes, lane, access), in order; of a thread, or of all."""
        for a in self.film.data['accesses']:
            if self.memories[a[2]]['name'] != memory or a[1] not in kinds:
                continue
            warp = self.film.steps[a[0]][0]
            for lane in range(film.LANES):
                if a[4] >> lane & 1 and thread in (None, warp * film.LANES + lane):
                    yield a[0], film.place_of(a[5], lane), lane, a

    def reads_of(self, memory, warp):
        """What the warp reads there: (units, the places of its lanes), in order."""
        for a in self.film.data['accesses']:
            if self.memories[a[2]]['name'] == memory and a[1] == READ:
                if self.film.steps[a[0]][0] == warp:
                    yield a[6], [film.place_of(a[5], i) for i in range(film.LANES) if a[4] >> i & 1]

    def elements(self, memory, kind, thread):
        """Indices of what the thread accesses, in order."""
        return [place // 4 for _, place, _, _ in self.accesses(memory, (kind,), thread)]

    def steps_of(self, memory, kind, place):
        return [s for s, p, _, _ in self.accesses(memory, (kind,)) if p == place]

    def variable(self, thread, name, step, index=0):
        """A whole number of the thread's, as it is when the step begins."""
        warp, lane = divmod(thread, film.LANES)
        own = max(i for i in range(step + 1) if self.film.steps[i][0] == warp)
        at = self.film.variables(own)[name]['at'] + 4 * index
        raw = self.film.local_bytes(warp, lane, at, 4, step)
        return int.from_bytes(raw, 'little', signed=True)

    def writer(self, memory, place, before):
        """Thread and step of the last write before the step."""
        found = None
        for step, p, lane, _ in self.accesses(memory, (WRITE,)):
            if p == place and step < before:
                found = self.film.steps[step][0] * film.LANES + lane, step
        return found

    def copied(self, place, before):
        """Index of the number that was copied to this cell of part."""
        thread, step = self.writer('part', place, before)
        number, = [p for s, p, _, _ in self.accesses('numbers', (READ,), thread) if s == step]
        return number // 4


def seen(name):
    if name not in films:
        films[name] = Seen(name)
    return films[name]


def both(names, look):
    return [look(seen(name)) for name in names]


def round_of(f, memory, kind, thread, number):
    """The step in which the thread does this for the number-th time, its place and lane."""
    return list(f.accesses(memory, (kind,), thread))[number - 1]


# ---- lab 2 ----

def film_numbers(thread, number):
    return both(('neighbours', 'chunks'),
                lambda f: round_of(f, 'numbers', WRITE, thread, number)[1] // 4)


def film_sectors(thread, number):
    return both(('neighbours', 'chunks'),
                lambda f: round_of(f, 'numbers', READ, thread, number)[3][6])


def again_sectors(warp, _number, _each):
    return both(('neighbours', 'chunks'),
                lambda f: sum(units for units, _ in f.reads_of('numbers', warp)))


def again_reads(warp, number, _each):
    return both(('neighbours', 'chunks'),
                lambda f: sum(number // 8 in [place // 32 for place in places]
                              for _, places in f.reads_of('numbers', warp)))


# ---- lab 3 ----

def ahead_p(cell, _thread):
    f = seen('one-barrier')
    read = next(s for s in f.steps_of('part', READ, 4 * cell) if f.film.steps[s][0] == 1)
    writer, written = f.writer('part', 4 * cell, read)
    return [f.variable(writer, 'p', written), f.variable(film.LANES, 'p', read)]


def ahead_phase(cell, _thread):
    return both(('ranks', 'one-barrier'),
                lambda f: f.phase[f.steps_of('part', WRITE, 4 * cell)[1]])


def ahead_ranks(_cell, thread):
    def look(f):
        _, _, lane, access = round_of(f, 'rank', WRITE, thread, 1)
        return film.words_of(access[8])[lane]
    return both(('ranks', 'one-barrier'), look)


def film_smaller(thread, _cell):
    f = seen('ranks')
    return [f.variable(thread, 'smaller', f.begin_of(phase)) for phase in (3, 5)]


def film_meets(_thread, cell):
    def look(f):
        step = next(s for s in f.steps_of('part', READ, 4 * cell) if f.film.steps[s][0] == 1)
        return f.copied(4 * cell, step)
    return both(('one-barrier', 'ranks'), look)


# ---- lab 4 ----

def film_ranks(thread, _cell):
    def look(f):
        step, place, lane, access = round_of(f, 'rank', WRITE, thread, 1)
        assert place == 4 * (64 + thread) and f.film.data['index'] == [1, 0, 0], step
        return film.words_of(access[8])[lane]
    return both(('ranks-any', 'early-return'), look)


def film_unwritten(_thread, cell):
    right, early = seen('ranks-any'), seen('early-return')
    written = {place for _, place, _, _ in early.accesses('part', (WRITE,))}
    return [right.writer('part', 4 * cell, len(right.film.steps))[0], 64 - len(written)]


def behind_cells(count, _rank):
    """Of the film; what another count leaves is reckoned."""
    written = {}
    for _, place, lane, access in seen('ranks-any').accesses('part', (WRITE,)):
        written[place] = struct.pack('<I', film.words_of(access[8])[lane])
    infinite = [raw for raw in written.values() if struct.unpack('<f', raw)[0] == float('inf')]
    return [len(infinite), -count % 64]


# ---- lab 6 ----

def once_sectors(number, _count, _each):
    return both(('ranks-four', 'side-by-side'),
                lambda f: [units for units, _ in f.reads_of('numbers', 0)][number])


def once_reads(_number, _count, _each):
    """A thread's, and how many numbers it has to compare with each that it reads."""
    def look(f):
        reads = list(f.accesses('part', (READ,), 0))
        numbers = f.film.variables(reads[0][0])['number']['leaves'][0][4]
        return [len(reads), numbers * len(reads)]
    one, other = both(('ranks-four', 'side-by-side'), look)
    assert one == other
    return one


def film_holds(thread, which):
    return both(('ranks-four', 'side-by-side'),
                lambda f: f.elements('numbers', READ, thread)[which])


def film_smaller_of_four(thread, which):
    return both(('ranks-four', 'side-by-side'),
                lambda f: f.variable(thread, 'smaller', f.begin_of(5), which))


# ---- lab 7 ----

def turned(f, x, y, number):
    return round_of(f, 'tile', READ, 32 * y + x, number)[1]


def film_cell(x, y, number):
    def look(f):
        pitch = next(m['pitch'] for m in f.memories if m['name'] == 'tile')
        place = turned(f, x, y, number)
        return place // pitch, place % pitch // 4
    one, other = both(('turn', 'unpadded'), look)
    assert one == other
    return list(one)


def film_banks(x, y, number):
    return both(('turn', 'unpadded'), lambda f: turned(f, x, y, number) // 4 % 32)


def passes(warp, number, _padding, _row):
    return both(('turn', 'unpadded'),
                lambda f: [units for units, _ in f.reads_of('tile', warp)][number - 1])


# ---- lab 8 ----

def phases(f, place):
    return [f.phase[f.steps_of('part', kind, place)[0]] for kind in (BEGINS, ARRIVES, READ)]


def film_ahead(buffer, cell=0):
    return phases(seen('ahead'), 4 * (64 * buffer + cell))


def film_value(buffer, cell=0):
    for _, place, lane, access in seen('ahead').accesses('part', (ARRIVES,)):
        if place == 4 * (64 * buffer + cell):
            return [int(struct.unpack('<f', struct.pack('<I', film.words_of(access[8])[lane]))[0])]
    return []


def film_early(_buffer, cell=0):
    return phases(seen('too-early'), 4 * cell)


# ---- lab 9 ----

def held(f, lane, register):
    """The element of B that stands in the lane's register: its place, and its value."""
    _, shape, _, _, rows, *_ = f.film.data['matrices'][0]
    b = f.film.data['shapes'][shape]['b']
    raw = struct.pack('<I', film.words_of(rows[register])[lane])
    return b['places'][register * film.LANES + lane], int(struct.unpack('<f', raw)[0])


def film_element(lane, register=0):
    one, other = both(('one-mma', 'wrong-layout'), lambda f: held(f, lane, register)[0])
    assert one == other
    return one


def film_values(lane, register=0):
    return both(('one-mma', 'wrong-layout'), lambda f: held(f, lane, register)[1])


def film_place(lane, register=0):
    """Where B has the value that the register has in the other film."""
    f = seen('wrong-layout')
    value = held(f, lane, register)[1]
    return list(divmod(value, 16))


RECKONED = None  # of a question about a film, what no film shows

QUESTIONS = {
    'lab2.again': {'again_sectors': again_sectors, 'again_reads': again_reads,
                   'again_other': RECKONED},
    'lab2.film': {'film_numbers': film_numbers, 'film_sectors': film_sectors},
    'lab3.ahead': {'ahead_p': ahead_p, 'ahead_phase': ahead_phase, 'ahead_ranks': ahead_ranks},
    'lab3.film': {'film_smaller': film_smaller, 'film_meets': film_meets},
    'lab4.behind': {'behind_cells': behind_cells, 'behind_rank': RECKONED,
                    'behind_smallest': RECKONED, 'behind_sum': RECKONED},
    'lab4.film': {'film_ranks': film_ranks, 'film_unwritten': film_unwritten},
    'lab6.once': {'once_sectors': once_sectors, 'once_reads': once_reads, 'once_other': RECKONED},
    'lab6.film': {'film_holds': film_holds, 'film_smaller': film_smaller_of_four},
    'lab7.passes': {'passes': passes, 'passes_other': RECKONED, 'passes_wide': RECKONED},
    'lab7.film': {'film_cell': film_cell, 'film_banks': film_banks},
    'lab8.film': {'film_ahead': film_ahead, 'film_value': film_value, 'film_early': film_early},
    'lab9.film': {'film_element': film_element, 'film_values': film_values,
                  'film_place': film_place},
}


def main():
    compared = failed = 0
    for question, blanks in QUESTIONS.items():
        lab = question.split('.')[0]
        told = subprocess.run([key, '--drawn', question, lab], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        asked = set()
        for line in told.splitlines():
            left, right = line.split('= ')
            name, *drawn = left.split()
            asked.add(name)
            if blanks[name] is RECKONED:
                continue
            answer = [int(n) for n in right.split(', ')]
            shown = blanks[name](*[int(n) for n in drawn])
            compared += 1
            if shown != answer:
                failed += 1
                print(f'FAILED: {question}: {left}: the films show {shown}, '
                      f'the key says {answer}')
        for name in sorted(set(blanks) - asked):
            failed += 1
            print(f'FAILED: {question}: nothing asks for {name}')
    print(f'questions about films: {compared} answers, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
