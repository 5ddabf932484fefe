"""truth.py VGPUCC FILE.cu M N K [INCLUDE...]: a film's values against printf's.

The file is compiled with a printf in front of its statements, as it is graded, without a film and
without a debugger; then filmed. A file without a main is a product: main.cuh calls it. Every value
that was printed must be in the film: the k-th time that a thread comes to a line, its variables are
the same, to the last bit, each number of structs and arrays too. Only what kind of NaN a NaN is may
differ: C does not say it, and an optimiser that adds to one beforehand makes another than the GPU's
addition.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

import film

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = {("signed", 4): "%d", ("signed", 8): "%lld", ("unsigned", 4): "%u",
           ("unsigned", 8): "%llu", ("float", 4): "%x", ("bool", 1): "%d"}


class Refused(Exception):
    """The compiler's words."""


def is_statement(text):
    """A statement of its own on a line: no declaration, no part of another one."""
    text = re.sub(r"//.*", "", text).strip()
    return (re.match(r"[a-zA-Z_]\w*(\s*(\[.*\]|\.\w+)*\s*[-+*/]?=[^=]|\(.*\);$)", text) is not None
            and text.endswith(";") and not text.startswith("return")
            and text.count("(") == text.count(")"))


def expand(leaf):
    """A leaf's numbers by their paths, those of an array one by one: [path, offset]."""
    path, _, _, offset, *sides = leaf
    out = [(path, offset)]
    for k in range(0, len(sides), 2):
        out = [(p.replace("[]", f"[{i}]", 1), o + i * sides[k + 1])
               for p, o in out for i in range(min(sides[k], 8))]
    return out


def printed(numbers):
    """C for the arguments, and the format."""
    names, formats = [], []
    for n in numbers:
        encoding, size, name = n["encoding"], n["bytes"], n["name"]
        formats.append(FORMATS[encoding, size])
        names.append(f"__float_as_uint({name})" if encoding == "float" else
                     f"({'unsigned ' if encoding == 'unsigned' else ''}long long)({name})"
                     if size == 8 else name)
    return names, formats


def scalars(film_, step):
    """The numbers that the variables are made of."""
    out = []
    for v in film_.variables(step).values():
        for leaf in v["leaves"] if v["space"] == "local" else []:
            if tuple(leaf[1:3]) in FORMATS:
                out += [{"variable": v["name"], "name": v["name"] + path, "encoding": leaf[1],
                         "bytes": leaf[2], "at": v["at"] + offset} for path, offset in expand(leaf)]
    return out[:24]


def marked(lines, chosen):
    """The source, printing at the chosen lines what is chosen there."""
    out = list(lines)
    for line, variables in chosen.items():
        names, formats = printed(variables)
        at = ["threadIdx.x", "threadIdx.y", "threadIdx.z"]
        code = (f'{{ if (blockIdx.x + blockIdx.y + blockIdx.z == 0) printf("@{line} %d %d %d '
                f'{" ".join(formats)}\\n", {", ".join(at + names)}); ')
        comment = re.search(r"//.*", out[line - 1])
        body = out[line - 1][:comment.start()] if comment else out[line - 1]
        out[line - 1] = code + body + " }"
    return ["#include <cstdio>", "#line 1", *out]


def is_nan(bits):
    return bits & 0x7FFFFFFF > 0x7F800000


def run(vgpucc, source, folder, sizes, includes, **environment):
    program = os.path.join(folder, "prog")
    command = [vgpucc, "-g", "-w", *[f"-I{i}" for i in includes], source, "-o", program]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode != 0:
        raise Refused(built.stderr)
    done = subprocess.run([program, *sizes], capture_output=True, text=True, check=False,
                          env={**os.environ, "VGPU_QUIET": "1", "VGPU_WORKERS": "1", **environment})
    return done.stdout


def main():
    vgpucc, path, sizes, includes = sys.argv[1], sys.argv[2], sys.argv[3:6], sys.argv[6:]
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    with tempfile.TemporaryDirectory() as folder:
        def write(text):
            name = os.path.join(folder, "prog.cu")
            with open(name, "w", encoding="utf-8") as to:
                own = any(re.match(r"int main\(", line) for line in text)
                to.write("\n".join(text) + ("\n" if own else f'\n#include "{HERE}/main.cuh"\n'))
            return name

        recording = os.path.join(folder, "film.json")
        run(vgpucc, write(lines), folder, sizes, includes, VGPU_FILM=recording,
            VGPU_FILM_BLOCK="0,0,0")
        f = film.load(recording)
        # Which lines can be printed at, and what.
        chosen = {}
        for i, s in enumerate(f.steps):
            if s[0] >= 0 and s[2] not in chosen and is_statement(lines[s[2] - 1]):
                chosen[s[2]] = scalars(f, i)
        if len(chosen) == 0:
            sys.exit(f"{path}: no line to print at")
        # A line that cannot be printed at, in a macro or where the names are others, is left out.
        while True:
            try:
                output = run(vgpucc, write(marked(lines, chosen)), folder, sizes, includes)
                break
            except Refused as refused:
                wrong = {int(n) for n in re.findall(r"prog\.cu:(\d+):\d+: error", str(refused))}
                if not wrong & set(chosen):
                    sys.exit(f"{path}: does not compile: {refused}")
                chosen = {line: v for line, v in chosen.items() if line not in wrong}
    told = {}
    for text in output.split("\n"):
        if text.startswith("@"):
            line, x, y, z, *values = text[1:].split()
            thread = (int(z) * f.block[1] + int(y)) * f.block[0] + int(x)
            told.setdefault((int(line), thread), []).append(values)
    compared = wrong = 0
    seen, last = {}, {}
    for i, s in enumerate(f.steps):
        if s[0] < 0:
            continue
        before, last[s[0]] = last.get(s[0]), i
        if s[2] not in chosen or before is not None and f.depth(before) > f.depth(i):
            continue  # the line goes on behind a call
        variables = f.variables(i)
        for lane in range(film.LANES):
            if not s[3] >> lane & 1:
                continue
            thread = s[0] * film.LANES + lane
            k = seen[s[2], thread] = seen.get((s[2], thread), -1) + 1
            values = told.get((s[2], thread), [])
            if k >= len(values):
                print(f"{path}:{s[2]}: thread {thread} is here for the {k + 1}th time: not printed")
                wrong += 1
                continue
            for v, text in zip(chosen[s[2]], values[k]):
                if v["variable"] not in variables:
                    continue
                have = f.number(i, s[0], lane, v["encoding"], v["bytes"], v["at"])
                if v["encoding"] == "float":
                    have, want = struct.unpack("<I", struct.pack("<f", have))[0], int(text, 16)
                    if is_nan(have) and is_nan(want):
                        have = want
                else:
                    want = int(text)
                compared += 1
                if have != want:
                    wrong += 1
                    if wrong < 10:
                        print(f"{path}:{s[2]}: step {i + 1}, thread {thread}: {v['name']} is "
                              f"{have} in the film, {want} in the print")
    if compared < 100:
        print(f"{path}: only {compared} values compared")
        wrong += 1
    print(f"{os.path.basename(path)}: {compared} values at {len(chosen)} lines, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
