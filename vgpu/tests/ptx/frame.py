"""frame.py: the frame of the tables of instruction tests: a file of kernels, one kernel an instruction.

Thread i reads the i-th value of each source buffer, executes the instruction, and stores the i-th
result. And the values at the edges of each type, which the tables share.
"""
import itertools
import os

import meaning
from exact import F16, BF16, F32, F64, mask, signed


FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
FOLDER = None  # where tests go; make.py says it


def bits_of(t):
    return 32 if t == "pred" else int(t.lstrip("usbf").lstrip("x")) if t != "bf16" else 16


def buffer_type(t):
    """As ptxrun names it: floats by their bits, predicates as 0 and 1."""
    if t == "pred":
        return "u32"
    return "b%d" % bits_of(t) if t[0] in "fb" else t


def show(t, v):
    bt = buffer_type(t)
    v &= mask(bits_of(t))
    if bt[0] == "b":
        return "0x%0*x" % (bits_of(t) // 4, v)
    return str(signed(v, bits_of(t)) if bt[0] == "s" else v)


def wide(t):
    return {8: "b16", 16: "b16", 32: "b32", 64: "b64"}[bits_of(t)]


class File:
    def __init__(self, name, about):
        self.name, self.about = name, about
        self.runs, self.kernels, self.expected = [], [], []

    def kernel(self, name, dst, src, body, cases, results=None):
        """dst, src: types; body: text with {d0} {d1} … {a} {b} {c} {e}; results: a tuple a case. Without them
        they are those of meaning.py."""
        name = name.replace(".", "_").replace("::", "_").replace(" ", "_")
        n = len(cases)
        columns = [[c[k] for c in cases] for k in range(len(src))]
        args = ["%s[%d]=%s" % (buffer_type(t), n, ",".join(show(t, v) for v in col))
                for t, col in zip(src, columns)]
        args += ["%s[%d]" % (buffer_type(t), n) for t in dst]
        self.runs.append("// run: --kernel %s --block %d %s" % (name, n, " ".join(args)))
        self.kernels.append(self.text(name, dst, src, body))
        if results is None:
            results = [meaning.result(body, [v & mask(bits_of(t)) for t, v in zip(src, c)]) for c in cases]
        outs = [[r[k] for r in results] for k in range(len(dst))]
        for i, (t, column) in enumerate(zip(src, columns)):
            self.expect(i, t, column, column)
        for i, (t, column) in enumerate(zip(dst, outs)):
            self.expect(len(src) + i, t, column)

    def expect(self, i, t, values, given=None):
        """What ptxrun prints of an argument; what was given are zeros, if nothing is said."""
        texts = [show(t, v) for v in values]
        head = "arg %d: %s[%d]" % (i, buffer_type(t), len(texts))
        if texts == [show(t, v) for v in given or [0] * len(texts)]:
            self.expected.append(head + ", as given")
            return
        self.expected.append(head)
        rows = [" ".join(texts[k:k + 8]) for k in range(0, len(texts), 8)]
        for row, equal in itertools.groupby(rows):
            times = len(list(equal))
            self.expected.append(row if times == 1 else "%s (%d times)" % (row, times))

    @staticmethod
    def text(name, dst, src, body):
        count = len(src) + len(dst)
        lines = [".visible .entry %s(%s)" % (name, ", ".join(".param .u64 p%d" % i for i in range(count))), "{",
                 "    .reg .b32 %i, %w; .reg .b64 %at, %base;"]
        names = {}
        for letter, t in zip("abce", src):
            names[letter] = "%" + letter
            lines.append("    .reg .%s %%%s;" % ("pred" if t == "pred" else wide(t), letter))
        for k, t in enumerate(dst):
            names["d%d" % k] = "%%d%d" % k
            lines.append("    .reg .%s %%d%d;" % ("pred" if t == "pred" else wide(t), k))
        lines.append("    mov.u32 %i, %tid.x;")
        for k, (letter, t) in enumerate(zip("abce", src)):
            lines += File.address(k, t)
            if t == "pred":
                lines += ["    ld.global.u32 %w, [%at];", "    setp.ne.u32 %%%s, %%w, 0;" % letter]
            else:
                lines.append("    ld.global.%s %%%s, [%%at];" % (buffer_type(t), letter))
        lines += ["    " + part.strip().format(**names) for part in body.split("\n")]
        for k, t in enumerate(dst):
            lines += File.address(len(src) + k, t)
            if t == "pred":
                lines += ["    selp.u32 %%w, 1, 0, %%d%d;" % k, "    st.global.u32 [%at], %w;"]
            else:
                lines.append("    st.global.%s [%%at], %%d%d;" % (buffer_type(t), k))
        return "\n".join(lines + ["    ret;", "}"])

    @staticmethod
    def address(k, t):
        return ["    ld.param.u64 %%base, [p%d];" % k,
                "    mad.wide.u32 %%at, %%i, %d, %%base;" % (bits_of(t) // 8)]

    def write(self, version="7.8", target="sm_80", gpu=True):
        text = ["// %s.ptx: %s" % (self.name, self.about), "// Written by tables.py."] + ([] if gpu else ["// gpu: no"]) + self.runs
        text += [".version " + version, ".target " + target, ".address_size 64", ""] + self.kernels
        self.write_lines("ptx", text)
        self.write_expected()

    def write_expected(self):
        self.write_lines("expected", self.expected)

    def write_lines(self, kind, lines):
        with open(os.path.join(FOLDER, "%s.%s" % (self.name, kind)), "w") as f:
            f.write("\n".join(lines) + "\n")


# ---- values ----

def edges(t):
    n = bits_of(t)
    if t[0] == "s":
        return [0, 1, -1, 7, -7, 1 << (n // 2), -(1 << (n - 1)), mask(n - 1)]
    return [0, 1, mask(n), 7, mask(n) - 6, 1 << (n // 2), 1 << (n - 1), mask(n - 1)]


def num(t, v):
    return signed(v, bits_of(t)) if t[0] == "s" else v & mask(bits_of(t))


def pairs(t):
    return [(x, y) for x in edges(t) for y in edges(t)]


def some_pairs(e, step):
    """Every step-th pair, a step coprime to the length meeting every value on both sides, and all equal ones."""
    every = [(x, y) for x in e for y in e]
    return every[::step] + [(x, x) for x in e]


def triples(t):
    e = edges(t)
    return [(x, y, e[(3 * i + 5 * j + 1) % len(e)]) for i, x in enumerate(e) for j, y in enumerate(e)]


F32_EDGES = [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x00000001, 0x807FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800001, 0x7F7FFFFF]
F64_EDGES = [0, 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 1, 0x800FFFFFFFFFFFFF, 0x7FF0000000000000,
             0xFFF0000000000000, 0x7FF8000000000000, 0x3FF0000000000001, 0x7FEFFFFFFFFFFFFF]
