#!/usr/bin/env python3
"""debugger-test.py VGPUCC ANSWER-KEY: the questions about the debugger ask for what it shows.

The answers are formulas; here each is found with the debugger, for every variant, as a student
would. One line a failure.
"""
import os
import re
import subprocess
import sys
import tempfile

KIT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
vgpucc, key = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LINE = 21


def held(said):
    """(block, thread, line) of each time that the program was held."""
    return [tuple(map(int, m)) for m in re.findall(
        r'^block \((\d+),0,0\), thread \((\d+),0,0\).*:(\d+)$', said, re.M)]


def commands_of(name, block, thread, wanted):
    if name == 'debug_first':
        return [f'break {LINE} if part[mine - 1] + part[mine] == {wanted}', 'run']
    place = [f'break {LINE} if threadIdx.x == {thread} && blockIdx.x == {block}', 'run']
    return place + (['print part[mine - 1]', 'print part[mine]'] if name == 'debug_values' else
                    ['watch part[mine - 1]', 'reverse-continue'])


def shown_by(name, said):
    if name == 'debug_values':
        return [int(n) for n in re.findall(r'^part\[.*\] = (\d+)$', said, re.M)]
    block, thread, line = held(said)[-1]
    return [thread, line] if name == 'debug_stored' else [block, thread]


def main():
    told = subprocess.run([key, '--drawn', 'lab3.debugger', 'lab3'], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()
    asked = []
    for line in told:
        left, right = line.split('= ')
        name, *drawn = left.split()
        asked.append((name, [int(n) for n in drawn], [int(n) for n in right.split(', ')]))
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, 'three-mistakes')
        subprocess.run([vgpucc, '-g', '-I', os.path.join(KIT, 'common'), '-o', program,
                        os.path.join(KIT, 'handouts/examples/three-mistakes.cu')], check=True)
        typed = ['catch none']
        for name, drawn, _ in asked:
            typed += ['delete', f'list {LINE}', *commands_of(name, *drawn)]
        said = subprocess.run([os.path.join(os.path.dirname(vgpucc), 'vgpu-debug'), '--echo',
                               program], input='\n'.join(typed) + '\n', check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    parts = said.split(f'(vgpu) list {LINE}\n')[1:]
    failed = int(len(parts) != len(asked) or not asked)
    for (name, drawn, answer), part in zip(asked, parts):
        try:
            shown = shown_by(name, part)
        except IndexError:
            shown = part
        if shown != answer:
            failed += 1
            print(f'FAILED: {name} {drawn}: the debugger shows {shown}, the key says {answer}')
    print(f'questions about the debugger: {len(asked)} answers, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
