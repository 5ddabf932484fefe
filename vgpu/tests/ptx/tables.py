#!/usr/bin/env python3
"""tables.py: writes the instruction tests, NAME.ptx and NAME.expected, into FOLDER (make.py calls it).

One kernel an instruction: thread i reads the i-th value of each source buffer, executes the
instruction, and stores the i-th result. The expectations are computed here, from the definitions in
the PTX manual, with the exact arithmetic of exact.py; the executor has no part in them.
"""
import itertools
import os
import struct
from fractions import Fraction

import exact
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


# ---- integers ----

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


def ints(f, op, t, fn, cases=None, d=None, srcs=None):
    """op.t with as many operands as the cases have; fn works on the numbers."""
    cases = cases or pairs(t)
    srcs = srcs or [t] * len(cases[0])
    letters = ", ".join("{%s}" % c for c in "abce"[:len(srcs)])
    f.kernel(op, [d or t], srcs, "%s {d0}, %s;" % (op, letters), cases,
             [(fn(*(num(s, v) for s, v in zip(srcs, c))),) for c in cases])


def int_arithmetic():
    f = File("int_arithmetic", "add, sub, mul, mad, abs, neg, min, max and sad on the edges of their ranges.")
    for t in ("u16", "s16", "u32", "s32", "u64", "s64"):
        n = bits_of(t)
        ints(f, "add." + t, t, lambda x, y: x + y)
        ints(f, "sub." + t, t, lambda x, y: x - y)
        ints(f, "mul.lo." + t, t, lambda x, y: x * y)
        ints(f, "mul.hi." + t, t, lambda x, y, n=n: x * y >> n)
        ints(f, "mad.lo." + t, t, lambda x, y, z: x * y + z, triples(t))
        if n > 16:
            ints(f, "mad.hi." + t, t, lambda x, y, z, n=n: (x * y >> n) + z, triples(t))
        if n < 64:
            d = t[0] + str(2 * n)
            ints(f, "mul.wide." + t, t, lambda x, y: x * y, d=d)
            cases = [(x, y, edges(d)[i % 8]) for i, (x, y) in enumerate(pairs(t))]
            ints(f, "mad.wide." + t, t, lambda x, y, z: x * y + z, cases, d=d, srcs=[t, t, d])
        ints(f, "min." + t, t, min)
        ints(f, "max." + t, t, max)
        if t[0] == "s":
            ints(f, "abs." + t, t, abs, [(x,) for x in edges(t)])
            ints(f, "neg." + t, t, lambda x: -x, [(x,) for x in edges(t)])
    for t in ("u32", "s32"):
        ints(f, "sad." + t, t, lambda x, y, z: abs(x - y) + z, triples(t))
    clamp = lambda v: max(-(1 << 31), min(v, mask(31)))
    ints(f, "add.sat.s32", "s32", lambda x, y: clamp(x + y))
    ints(f, "sub.sat.s32", "s32", lambda x, y: clamp(x - y))
    f.write()


def trunc_div(x, y):
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def int_division():
    f = File("int_division", "div and rem: truncation, the smallest number by -1; division by zero is in int_division_by_zero.ptx.")
    for t in ("u16", "s16", "u32", "s32", "u64", "s64"):
        cases = [(x, y) for x, y in pairs(t) if y != 0] + [(100, y) for y in (3, -3 if t[0] == "s" else 9, 10)]
        ints(f, "div." + t, t, trunc_div, cases)
        ints(f, "rem." + t, t, lambda x, y: x - y * trunc_div(x, y), cases)
    f.write()


def int_division_by_zero():
    f = File("int_division_by_zero", "what the manual leaves to the machine: all ones.")
    for t in ("u16", "s16", "u32", "s32", "u64", "s64"):
        cases = [(x, 0) for x in edges(t)]
        ints(f, "div." + t, t, lambda x, y: -1, cases)
        ints(f, "rem." + t, t, lambda x, y: -1, cases)
    f.write()


def int_24():
    f = File("int_24", "mul24, mad24 and dp4a.")
    for t in ("u32", "s32"):
        low = (lambda v: signed(v, 24)) if t == "s32" else (lambda v: v & mask(24))
        cases = [(x, y, z) for (x, y), z in zip([(x, y) for x in (0, 1, -1, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000003, 0x123456)
                                                for y in (1, -1, 0x800000, 0xABCDEF)], range(5, 500, 7))]
        two = [(x, y) for x, y, _ in cases]
        ints(f, "mul24.lo." + t, t, lambda x, y: low(x) * low(y), two)
        ints(f, "mul24.hi." + t, t, lambda x, y: low(x) * low(y) >> 16, two)
        ints(f, "mad24.lo." + t, t, lambda x, y, z: low(x) * low(y) + z, cases)
        ints(f, "mad24.hi." + t, t, lambda x, y, z: (low(x) * low(y) >> 16) + z, cases)

    def dot(at, bt):
        part = lambda t, v, i: signed(v >> 8 * i, 8) if t == "s32" else v >> 8 * i & 255
        return lambda x, y, z: sum(part(at, x, i) * part(bt, y, i) for i in range(4)) + z
    cases = [(0x01020304, 0x05060708, 10), (0xFFFFFFFF, 0xFFFFFFFF, 0), (0x80808080, 0x7F7F7F7F, -1),
             (0x80808080, 0x80808080, 0x7FFFFFFF), (0xFF000000, 0x02000000, 5), (0, 0xFFFFFFFF, -7)]
    for at in ("u32", "s32"):
        for bt in ("u32", "s32"):
            d = "s32" if "s32" in (at, bt) else "u32"
            f.kernel("dp4a.%s.%s" % (at, bt), [d], ["b32", "b32", d], "dp4a.%s.%s {d0}, {a}, {b}, {c};" % (at, bt), cases,
                     [(dot(at, bt)(*c),) for c in cases])
    f.write()


def lop3(x, y, z, table):
    r = 0
    for i in range(32):
        r |= (table >> ((x >> i & 1) << 2 | (y >> i & 1) << 1 | z >> i & 1) & 1) << i
    return r


def bfe(t, a, pos, length):
    n, pos, length = bits_of(t), pos & 255, length & 255
    top = 0 if t[0] == "u" or length == 0 else a >> min(pos + length - 1, n - 1) & 1
    r = 0
    for i in range(n):
        r |= (a >> pos + i & 1 if i < length and pos + i < n else top) << i
    return r


def bfi(n, a, b, pos, length):
    pos, length = pos & 255, length & 255
    for i in range(n - pos if pos < n else 0):
        if i < length:
            b = b & ~(1 << pos + i) | (a >> i & 1) << pos + i
    return b


def prmt(a, b, sel):
    pool = b << 32 | a
    r = 0
    for i in range(4):
        s = sel >> 4 * i & 15
        byte = pool >> 8 * (s & 7) & 255
        r |= ((255 if byte & 128 else 0) if s & 8 else byte) << 8 * i
    return r


PRMT_MODES = {  # bytes of d, the highest first, for selector 0 to 3: the manual's table
    "f4e": ("3210", "4321", "5432", "6543"), "b4e": ("5670", "6701", "7012", "0123"),
    "rc8": ("0000", "1111", "2222", "3333"), "ecl": ("3210", "3211", "3222", "3333"),
    "ecr": ("0000", "1110", "2210", "3210"), "rc16": ("1010", "3232", "1010", "3232")}


def find_top(t, v, shift):
    n = bits_of(t)
    v = v & mask(n)
    if t[0] == "s" and v >> (n - 1):
        v = ~v & mask(n)
    if v == 0:
        return mask(32)
    return n - v.bit_length() if shift else v.bit_length() - 1


def int_bits():
    f = File("int_bits", "logic, shifts by the width and more, counting, finding, reversing, extracting, inserting and permuting.")
    for n in (16, 32, 64):
        b, u, m = "b%d" % n, "u%d" % n, mask(n)
        cases = pairs(u)
        for op, fn in (("and", lambda x, y: x & y), ("or", lambda x, y: x | y), ("xor", lambda x, y: x ^ y)):
            f.kernel("%s.%s" % (op, b), [b], [b, b], "%s.%s {d0}, {a}, {b};" % (op, b), cases, [(fn(*c),) for c in cases])
        one = [(x,) for x in edges(u)]
        f.kernel("not." + b, [b], [b], "not.%s {d0}, {a};" % b, one, [(~x,) for x, in one])
        if n > 16:
            f.kernel("cnot." + b, [b], [b], "cnot.%s {d0}, {a};" % b, one, [(int(x == 0),) for x, in one])
        shifts = [(x, k) for x in (1, m, 1 << (n - 1), 0xA5A5A5A5A5A5A5A5 & m) for k in (0, 1, n - 1, n, n + 1, 64, 255, 0xFFFFFFFF)]
        for op, t, fn in (("shl", b, lambda x, k: x << k if k < n else 0), ("shr", u, lambda x, k: x >> k if k < n else 0),
                          ("shr", "s%d" % n, lambda x, k: signed(x, n) >> min(k, n - 1))):
            f.kernel("%s.%s" % (op, t), [b], [b, "u32"], "%s.%s {d0}, {a}, {b};" % (op, t), shifts, [(fn(*c),) for c in shifts])
    for n in (32, 64):
        b, m = "b%d" % n, mask(n)
        some = [(x & m,) for x in (0, 1, m, 1 << (n - 1), 0x00F0, 0x123456789ABCDEF0, m - 1, 0x5555555555555555, 2, 3)]
        f.kernel("popc." + b, ["u32"], [b], "popc.%s {d0}, {a};" % b, some, [(bin(x).count("1"),) for x, in some])
        f.kernel("clz." + b, ["u32"], [b], "clz.%s {d0}, {a};" % b, some, [(n - x.bit_length(),) for x, in some])
        f.kernel("brev." + b, [b], [b], "brev.%s {d0}, {a};" % b, some, [(int(bin(x)[2:].zfill(n)[::-1], 2),) for x, in some])
        for t in ("u%d" % n, "s%d" % n):
            for how in ("", "shiftamt."):
                f.kernel("bfind.%s%s" % (how, t), ["b32"], [t], "bfind.%s%s {d0}, {a};" % (how, t), some,
                         [(find_top(t, x, how != ""),) for x, in some])
            fields = [(x & m, p, k) for x in (0x8421A5A5FEDC1234, 0x7FFFFFFF00000080)
                      for p, k in ((0, 0), (0, 8), (4, 4), (n - 1, 1), (n - 4, 8), (0, n), (n, 4), (200, 3), (5, 255), (256 if n == 32 else 255, 8), (31, 2), (7, 1))]
            f.kernel("bfe." + t, [t], [t, "u32", "u32"], "bfe.%s {d0}, {a}, {b}, {c};" % t, fields, [(bfe(t, *c),) for c in fields])
        inserts = [(x & m, y & m, p, k) for x, y in ((m, 0), (0x123456789ABCDEF0, 0xFFFFFFFFFFFFFFFF))
                   for p, k in ((0, 0), (0, 8), (4, 4), (n - 1, 1), (n - 4, 8), (0, n), (n, 4), (200, 3), (5, 255), (256 if n == 32 else 255, 8))]
        f.kernel("bfi." + b, [b], [b, b, "u32", "u32"], "bfi.%s {d0}, {a}, {b}, {c}, {e};" % b, inserts, [(bfi(n, *c),) for c in inserts])
    three = [(0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA), (0, 0, 0), (mask(32),) * 3, (0x12345678, 0x9ABCDEF0, 0x0FEDCBA9)]
    for table in (0x00, 0xFF, 0xE8, 0x96, 0xCA, 0x01, 0x80, 0x6A):
        f.kernel("lop3.%02x" % table, ["b32"], ["b32"] * 3, "lop3.b32 {d0}, {a}, {b}, {c}, 0x%02X;" % table, three,
                 [(lop3(*c, table),) for c in three])
    counts = [(0x89ABCDEF, 0x01234567, k) for k in (0, 1, 4, 31, 32, 33, 63, 64, 0xFFFFFFFF)]
    for d in "lr":
        for mode in ("clamp", "wrap"):
            def shf(a, b, k):
                k = k & 31 if mode == "wrap" else min(k, 32)
                return (b << 32 | a) >> k if d == "r" else (b << 32 | a) << k >> 32
            f.kernel("shf.%s.%s" % (d, mode), ["b32"], ["b32", "b32", "u32"], "shf.%s.%s.b32 {d0}, {a}, {b}, {c};" % (d, mode),
                     counts, [(shf(*c),) for c in counts])
    picks = [(0x83828180, 0x07068504, s) for s in (0x3210, 0x7654, 0x0123, 0xFEDC, 0xBA98, 0x0000, 0x4C40, 0xFFFF3210)]
    f.kernel("prmt.b32", ["b32"], ["b32"] * 3, "prmt.b32 {d0}, {a}, {b}, {c};", picks, [(prmt(*c),) for c in picks])
    for mode, table in PRMT_MODES.items():
        picks = [(0x83828180, 0x07068504, s) for s in (0, 1, 2, 3, 6)]
        f.kernel("prmt." + mode, ["b32"], ["b32"] * 3, "prmt.b32.%s {d0}, {a}, {b}, {c};" % mode, picks,
                 [(prmt(a, b, int(table[s & 3], 16)),) for a, b, s in picks])
    f.write()


def halves_of(v):
    return [v & mask(16), v >> 16]


def int_pairs():
    f = File("int_pairs", "two 16-bit integers in one register, and results that are not below zero; since sm_90.")
    edge = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0xFFFE, 0x1234, 0x8001, 0x4000, 0xC000]
    cases = [(edge[(3 * row + 1) % 10] << 16 | edge[row], edge[(7 * row + column) % 10] << 16 | edge[column])
             for row in range(10) for column in range(10)]
    kinds = {"add": lambda x, y: x + y, "min": min, "max": max}
    for form in ("add.u16x2", "add.s16x2", "min.u16x2", "min.s16x2", "max.u16x2", "max.s16x2", "min.relu.s16x2", "max.relu.s16x2", "min.relu.s32", "max.relu.s32"):
        op, t = form.split(".")[0], form.split(".")[-1].replace("x2", "")
        least = 0 if "relu" in form else -mask(32)
        one = lambda x, y: max(least, kinds[op](num(t, x), num(t, y))) & mask(bits_of(t))
        if t == "s32":
            results = [(one(x, y),) for x, y in cases]
        else:
            results = [(sum(one(*part) << 16 * i for i, part in enumerate(zip(halves_of(x), halves_of(y)))),) for x, y in cases]
        f.kernel(form, ["b32"], ["b32", "b32"], form + " {d0}, {a}, {b};", cases, results)
    f.write(version="8.0", target="sm_90")


def vabsdiff():
    f = File("vabsdiff", "differences of two halves or four bytes in one register, and their sum.")
    edge, rest = [0, mask(32), 0x01FF7F80, 0x10203040, 0x80000001, 0x00FF00FF, 0xDEADBEEF], [0, 7, mask(32), 1 << 31, 3, 5, 1000]
    cases = [(x, edge[6 - i], rest[i]) for x in edge for i in range(7)]
    for n in (2, 4):
        size = 32 // n
        parts = lambda x, y: [abs((x >> size * i & mask(size)) - (y >> size * i & mask(size))) for i in range(n)]
        for add in ("", ".add"):
            form = "vabsdiff%d.u32.u32.u32%s" % (n, add)
            f.kernel("vabsdiff%d%s" % (n, add), ["b32"], ["b32"] * 3, form + " {d0}, {a}, {b}, {c};", cases,
                     [(sum(parts(x, y)) + z if add else sum(p << size * i for i, p in enumerate(parts(x, y))),) for x, y, z in cases])
    f.write(version="8.0")


def sregs():
    """What sregs.ptx prints, from the sizes of its launches."""
    f = File("sregs", "")
    grid, block = (2, 3, 2), (3, 2, 4)
    places = lambda size: [(x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0])]
    f.expect(0, "u32", [v for at in places(grid) for thread in places(block) for v in thread + block + at + grid])
    lanes = [i % 32 for i in range(45)]
    f.expect(0, "u32", lanes)
    f.expect(1, "b32", [v for i in lanes for v in (1 << i, mask(i), mask(i + 1), ~mask(i + 1), ~mask(i))])
    f.expect(0, "u32", [5, 3, 2, 7, 5, 3, 32, 48])
    f.expect(1, "u64", [5])
    f.expect(0, "u32", range(66))
    f.expect(0, "u16", [2000 * i for i in range(40)])
    f.expect(0, "u32", [1])
    f.write_expected()


def int_carry():
    f = File("int_carry", "carry chains: add.cc, addc, sub.cc, subc, mad.cc, madc, and the sums of two halves they exist for.")
    for t in ("u32", "s32", "u64"):
        n = bits_of(t)
        quads = [(x, y, z, w) for x, y in ((0, 0), (mask(n), 1), (1 << n - 1, 1 << n - 1), (5, 7))
                 for z, w in ((0, 0), (mask(n), mask(n)), (1, 2), (mask(n), 0))]
        full = lambda a, b: (b & mask(n)) << n | a & mask(n)
        halves = lambda v: (v & mask(n), v >> n & mask(n), v >> 2 * n & 1)
        f.kernel("add_cc." + t, [t] * 3, [t] * 4,
                 "add.cc.{0} {{d0}}, {{a}}, {{b}};\naddc.cc.{0} {{d1}}, {{c}}, {{e}};\naddc.{0} {{d2}}, 0, 0;".format(t), quads,
                 [halves(full(x, z) + full(y, w)) for x, y, z, w in quads])
        f.kernel("sub_cc." + t, [t] * 3, [t] * 4,
                 "sub.cc.{0} {{d0}}, {{a}}, {{b}};\nsubc.cc.{0} {{d1}}, {{c}}, {{e}};\nsubc.{0} {{d2}}, 0, 0;".format(t), quads,
                 [(lambda v: (v & mask(n), v >> n & mask(n), -1 if v < 0 else 0))(full(x, z) - full(y, w)) for x, y, z, w in quads])
        products = [(x, y, z, w) for x, y in pairs(t)[::3] for z, w in ((mask(n), mask(n)), (0, 0), (mask(n) - 4, 6))]
        value = (lambda v: signed(v, n)) if t[0] == "s" else (lambda v: v & mask(n))
        f.kernel("mad_cc." + t, [t] * 2, [t] * 4,
                 "mad.lo.cc.{0} {{d0}}, {{a}}, {{b}}, {{c}};\nmadc.hi.{0} {{d1}}, {{a}}, {{b}}, {{e}};".format(t), products,
                 [(lambda v: (v & mask(n), v >> n & mask(n)))(value(x) * value(y) + full(z, w)) for x, y, z, w in products])
        # carries out of the high product, and a carry kept across an instruction that has none
        f.kernel("madc_cc." + t, [t] * 3, [t] * 4,
                 "mad.hi.cc.{0} {{d0}}, {{a}}, {{b}}, {{c}};\nmul.lo.{0} {{d1}}, {{a}}, {{b}};\nmadc.lo.cc.{0} {{d1}}, {{a}}, {{b}}, {{e}};\naddc.{0} {{d2}}, 0, 0;".format(t),
                 products, [madc(n, value, *c) for c in products])
    f.write()


def madc(n, value, x, y, z, w):
    p = value(x) * value(y)
    first = (p >> n & mask(n)) + (z & mask(n))
    second = (p & mask(n)) + (w & mask(n)) + (first >> n)
    return first, second, second >> n


# ---- comparing and choosing ----

F32_EDGES = [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x00000001, 0x807FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800001, 0x7F7FFFFF]
F64_EDGES = [0, 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 1, 0x800FFFFFFFFFFFFF, 0x7FF0000000000000,
             0xFFF0000000000000, 0x7FF8000000000000, 0x3FF0000000000001, 0x7FEFFFFFFFFFFFFF]
UNSIGNED_NAMES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def comparisons():
    """(type, comparison, function on bits, cases)"""
    for t in ("s16", "u16", "s32", "u32", "s64", "u64", "b16", "b32", "b64"):
        names = ["eq", "ne"] + ([] if t[0] == "b" else ["lt", "le", "gt", "ge"]) + (list(UNSIGNED_NAMES) if t[0] == "u" else [])
        e = edges(t.replace("b", "u"))
        for cmp in names:
            yield t, cmp, (lambda x, y, c=UNSIGNED_NAMES.get(cmp, cmp), t=t: exact.compare_int(c, num(t, x), num(t, y))), some_pairs(e, 3)
    for t, e in (("f32", F32_EDGES), ("f64", F64_EDGES)):
        for cmp in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            yield t, cmp, (lambda x, y, c=cmp, t=t: exact.compare(FORMATS[t], c, x, y)), some_pairs(e, 3)


def compare():
    f = File("compare", "setp with every comparison of every type, p|q, and a third predicate joined in by and, or, xor.")
    for t, cmp, fn, cases in comparisons():
        f.kernel("setp.%s.%s" % (cmp, t), ["pred"], [t, t], "setp.%s.%s {d0}, {a}, {b};" % (cmp, t), cases, [(int(fn(*c)),) for c in cases])
    subset = [(x, y) for x in F32_EDGES[::2] for y in F32_EDGES[::3]]
    for t, cmp, cases in (("f32", "lt", subset), ("f32", "geu", subset), ("s32", "le", pairs("s32")[::5]), ("u64", "ne", pairs("u64")[::5])):
        fn = [c for c in comparisons() if c[0] == t and c[1] == cmp][0][2]
        f.kernel("setp2.%s.%s" % (cmp, t), ["pred", "pred"], [t, t], "setp.%s.%s {d0}|{d1}, {a}, {b};" % (cmp, t), cases,
                 [(int(fn(*c)), int(not fn(*c))) for c in cases])
        for op, join in (("and", lambda p, q: p and q), ("or", lambda p, q: p or q), ("xor", lambda p, q: p != q)):
            three = [c + (k,) for c in cases for k in (0, 1)]
            for neg in ("", "!"):
                f.kernel("setp.%s.%s.%s%s" % (cmp, op, t, "n" if neg else ""), ["pred", "pred"], [t, t, "pred"],
                         "setp.%s.%s.%s {d0}|{d1}, {a}, {b}, %s{c};" % (cmp, op, t, neg), three,
                         [(int(join(fn(x, y), bool(k) != bool(neg))), int(join(not fn(x, y), bool(k) != bool(neg)))) for x, y, k in three])
    flushed = [(x, y) for x in (0, 1, 0x80000001, 0x007FFFFF, 0x00800000, 0x7FC00000) for y in (0, 0x80000000, 2, 0x00800000)]
    for cmp in ("eq", "lt", "gtu"):
        f.kernel("setp.%s.ftz.f32" % cmp, ["pred"], ["f32", "f32"], "setp.%s.ftz.f32 {d0}, {a}, {b};" % cmp, flushed,
                 [(int(exact.compare(F32, cmp, exact.flush(F32, x), exact.flush(F32, y))),) for x, y in flushed])
    f.write()


def choose():
    f = File("choose", "set, selp, slct and testp.")
    subset = [(x, y) for x in F32_EDGES[::2] for y in F32_EDGES[::3]]
    for d, yes in (("u32", mask(32)), ("s32", mask(32)), ("f32", 0x3F800000)):
        for t, cmp, cases in (("f32", "le", subset), ("f32", "nan", subset), ("s32", "gt", pairs("s32")[::5]), ("f64", "neu", [(x, y) for x in F64_EDGES[::2] for y in F64_EDGES[::3]])):
            fn = [c for c in comparisons() if c[0] == t and c[1] == cmp][0][2]
            f.kernel("set.%s.%s.%s" % (cmp, d, t), [d], [t, t], "set.%s.%s.%s {d0}, {a}, {b};" % (cmp, d, t), cases, [(yes if fn(*c) else 0,) for c in cases])
    fn = [c for c in comparisons() if c[0] == "s32" and c[1] == "lt"][0][2]
    three = [c + (k,) for c in pairs("s32")[::5] for k in (0, 1)]
    f.kernel("set.lt.and.u32.s32", ["u32"], ["s32", "s32", "pred"], "set.lt.and.u32.s32 {d0}, {a}, {b}, {c};", three,
             [(mask(32) if fn(x, y) and k else 0,) for x, y, k in three])
    for t in ("b16", "b32", "b64", "f32", "f64", "s32", "u16"):
        m = mask(bits_of(t))
        cases = [(0x0123456789ABCDEF & m, 0xFEDCBA9876543210 & m, k) for k in (0, 1)]
        f.kernel("selp." + t, [t], [t, t, "pred"], "selp.%s {d0}, {a}, {b}, {c};" % t, cases, [(x if k else y,) for x, y, k in cases])
    for t in ("b32", "u64", "f32", "f64", "s32"):
        m = mask(bits_of(t))
        for ct, values in (("s32", (0, 1, -1, 1 << 31)), ("f32", F32_EDGES + [0xFFC00000])):
            cases = [(0x0123456789ABCDEF & m, 0xFEDCBA9876543210 & m, k) for k in values]
            keep = (lambda k: signed(k, 32) >= 0) if ct == "s32" else (lambda k: exact.compare(F32, "ge", k, 0))
            f.kernel("slct.%s.%s" % (t, ct), [t], [t, t, ct], "slct.%s.%s {d0}, {a}, {b}, {c};" % (t, ct), cases, [(x if keep(k) else y,) for x, y, k in cases])
    cases = [(1, 2, k) for k in (0x80000001, 0x80000000, 0xBF800000)]
    f.kernel("slct.ftz.b32.f32", ["b32"], ["b32", "b32", "f32"], "slct.ftz.b32.f32 {d0}, {a}, {b}, {c};", cases, [(x if k != 0xBF800000 else y,) for x, y, k in cases])
    for t, e in (("f32", F32_EDGES), ("f64", F64_EDGES)):
        fm = FORMATS[t]
        finite = lambda b: not exact.is_nan(fm, b) and not exact.is_inf(fm, b)
        kinds = {"finite": finite, "infinite": lambda b: exact.is_inf(fm, b), "number": lambda b: not exact.is_nan(fm, b),
                 "notanumber": lambda b: exact.is_nan(fm, b), "subnormal": lambda b: exact.is_subnormal(fm, b),
                 "normal": lambda b: finite(b) and not exact.is_subnormal(fm, b)}  # zeros are normal, says the manual
        for kind, fn in kinds.items():
            f.kernel("testp.%s.%s" % (kind, t), ["pred"], [t], "testp.%s.%s {d0}, {a};" % (kind, t), [(x,) for x in e], [(int(fn(x)),) for x in e])
    f.write()


# ---- floats ----

F32_MATH = [0x00000000, 0x80000000, 0x3F800000, 0xC0400000, 0x3F800001, 0x3EAAAAAB, 0x00000001, 0x807FFFFF, 0x00800000,
            0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, 0x4B7FFFFF, 0x33800000, 0x20000000]
F64_MATH = [0, 1 << 63, 0x3FF0000000000000, 0xC008000000000000, 0x3FF0000000000001, 0x3FD5555555555555, 1, 0x800FFFFFFFFFFFFF,
            0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x433FFFFFFFFFFFFF, 0x3C90000000000000, 0x2000000000000000]
MODES = ("rn", "rz", "rm", "rp")


def floats(f, op, t, fn, cases):
    letters = ", ".join("{%s}" % c for c in "abc"[:len(cases[0])])
    f.kernel(op, [t], [t] * len(cases[0]), "%s {d0}, %s;" % (op, letters), cases, [(fn(*c),) for c in cases])


def float_arithmetic():
    for t, e in (("f32", F32_MATH), ("f64", F64_MATH)):
        f = File("float_arithmetic_" + t, "add, sub, mul, fma, div, rcp and sqrt in every rounding mode, on zeros, subnormals, infinities and NaNs.")
        fm = FORMATS[t]
        two = some_pairs(e, 7) + [(e[0], fm_infinity) for fm_infinity in (exact.infinity(fm, 0), exact.infinity(fm, 1))]
        three = [(x, y, e[(5 * i + 3) % len(e)]) for i, (x, y) in enumerate(two)]
        # products that cancel all but their last bits: only a fused operation gets them right
        one = exact.rounded(fm, Fraction(1))
        three += [(one + 1, one - 1, exact.negate(fm, one)), (one + 3, one + 5, exact.negate(fm, one + 8)), (e[5], exact.rounded(fm, Fraction(3)), exact.negate(fm, one))]
        for mode in MODES:
            floats(f, "add.%s.%s" % (mode, t), t, lambda x, y: exact.add(fm, x, y, mode), two)
            floats(f, "sub.%s.%s" % (mode, t), t, lambda x, y: exact.sub(fm, x, y, mode), two)
            floats(f, "mul.%s.%s" % (mode, t), t, lambda x, y: exact.mul(fm, x, y, mode), two)
            floats(f, "div.%s.%s" % (mode, t), t, lambda x, y: exact.div(fm, x, y, mode), two)
            floats(f, "fma.%s.%s" % (mode, t), t, lambda x, y, z: exact.fma(fm, x, y, z, mode), three)
            floats(f, "mad.%s.%s" % (mode, t), t, lambda x, y, z: exact.fma(fm, x, y, z, mode), three[::7])
            floats(f, "rcp.%s.%s" % (mode, t), t, lambda x: exact.rcp(fm, x, mode), [(x,) for x in e])
            floats(f, "sqrt.%s.%s" % (mode, t), t, lambda x: exact.sqrt(fm, x, mode), [(x,) for x in e + [exact.rounded(fm, Fraction(2)), exact.rounded(fm, Fraction(49, 4))]])
        floats(f, "add." + t, t, lambda x, y: exact.add(fm, x, y), two[::2])
        floats(f, "mul." + t, t, lambda x, y: exact.mul(fm, x, y), two[::2])
        f.write()


def float_modifiers():
    f = File("float_modifiers", "ftz, sat and both together.")
    e = F32_MATH + [0x3F000000, 0x3F7FFFFF, 0xBF800000, 0x40000000]
    two = some_pairs(e, 7)
    three = [(x, y, e[(5 * i + 3) % len(e)]) for i, (x, y) in enumerate(two)]
    ftz = lambda fn: lambda *v: exact.flush(F32, fn(*(exact.flush(F32, x) for x in v)))
    sat = lambda fn: lambda *v: exact.saturate(F32, fn(*v))
    plain = {"add": lambda x, y: exact.add(F32, x, y), "sub": lambda x, y: exact.sub(F32, x, y), "mul": lambda x, y: exact.mul(F32, x, y),
             "fma": lambda x, y, z: exact.fma(F32, x, y, z), "mad": lambda x, y, z: exact.fma(F32, x, y, z)}
    for op, fn in plain.items():
        cases = three if op in ("fma", "mad") else two
        floats(f, op + ".rn.ftz.f32", "f32", ftz(fn), cases)
        floats(f, op + ".rn.sat.f32", "f32", sat(fn), cases)
        floats(f, op + ".rn.ftz.sat.f32", "f32", sat(ftz(fn)), cases)
        for mode in ("rz", "rp"):
            directed = {"add": exact.add, "sub": exact.sub, "mul": exact.mul, "fma": exact.fma, "mad": exact.fma}[op]
            floats(f, "%s.%s.ftz.f32" % (op, mode), "f32", ftz(lambda *v: directed(F32, *v, mode)), cases[::5])
            floats(f, "%s.%s.sat.f32" % (op, mode), "f32", sat(lambda *v: directed(F32, *v, mode)), cases[::5])
    floats(f, "div.rn.ftz.f32", "f32", ftz(lambda x, y: exact.div(F32, x, y)), two)
    floats(f, "rcp.rn.ftz.f32", "f32", ftz(lambda x: exact.rcp(F32, x)), [(x,) for x in e])
    floats(f, "sqrt.rn.ftz.f32", "f32", ftz(lambda x: exact.sqrt(F32, x)), [(x,) for x in e])
    f.write()


def float_minmax():
    f = File("float_minmax", "min and max with NaNs and signed zeros, abs, neg, copysign.")
    e = F32_EDGES + [0xFFC12345, 0x80000001]
    two = some_pairs(e, 2)
    for op, sense in (("min", 1), ("max", -1)):
        floats(f, op + ".f32", "f32", lambda x, y: exact.minimum(F32, x, y, False, sense), two)
        floats(f, op + ".NaN.f32", "f32", lambda x, y: exact.minimum(F32, x, y, True, sense), two)
        ftz = lambda x: exact.flush(F32, x)
        floats(f, op + ".ftz.f32", "f32", lambda x, y: ftz(exact.minimum(F32, ftz(x), ftz(y), False, sense)), two)
        floats(f, op + ".ftz.NaN.f32", "f32", lambda x, y: ftz(exact.minimum(F32, ftz(x), ftz(y), True, sense)), two)
        floats(f, op + ".f64", "f64", lambda x, y: exact.minimum(F64, x, y, False, sense), some_pairs(F64_EDGES, 2))
    for t, e in (("f32", F32_EDGES), ("f64", F64_EDGES)):
        fm = FORMATS[t]
        numbers = [(x,) for x in e if not exact.is_nan(fm, x)]
        floats(f, "abs." + t, t, lambda x: x & mask(fm[0] - 1), numbers)
        floats(f, "neg." + t, t, lambda x: exact.negate(fm, x), numbers)
        floats(f, "copysign." + t, t, lambda x, y: y & mask(fm[0] - 1) | exact.zero(fm, exact.sign(fm, x)), some_pairs(e, 3))
    floats(f, "abs.ftz.f32", "f32", lambda x: exact.flush(F32, x & mask(31)), [(x,) for x in F32_EDGES if not exact.is_nan(F32, x)])
    floats(f, "neg.ftz.f32", "f32", lambda x: exact.flush(F32, exact.negate(F32, x)), [(x,) for x in F32_EDGES if not exact.is_nan(F32, x)])
    f.write()


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


INF, NINF, NAN = 0x7F800000, 0xFF800000, 0x7FFFFFFF


def float_special():
    f = File("float_special", "the approximate functions, where their results are exact or special, and with ftz.")
    # operation: {argument: result}
    known = {
        "ex2.approx.f32": {f32(0): f32(1), f32(3): f32(8), f32(-2): f32(.25), INF: INF, NINF: 0, NAN: NAN, f32(128): INF, 1: f32(1), f32(-126): 0x00800000},
        "ex2.approx.ftz.f32": {f32(0): f32(1), f32(10): f32(1024), NINF: 0, INF: INF, NAN: NAN, f32(-127): 0, 0x80000001: f32(1)},
        "lg2.approx.f32": {f32(1): 0, f32(8): f32(3), 0: NINF, 1 << 31: NINF, INF: INF, f32(-1): NAN, NAN: NAN},
        "lg2.approx.ftz.f32": {f32(1024): f32(10), 0x00400000: NINF, 0x80400000: NINF, INF: INF, NINF: NAN},
        "rsqrt.approx.f32": {f32(1): f32(1), f32(4): f32(.5), f32(.25): f32(2), 0: INF, 1 << 31: NINF, INF: 0, NINF: NAN, f32(-1): NAN, NAN: NAN},
        "rsqrt.approx.ftz.f32": {f32(16): f32(.25), 0x00000001: INF, 0x80000001: NINF, INF: 0},
        "rcp.approx.f32": {f32(1): f32(1), f32(4): f32(.25), f32(-2): f32(-.5), 0: INF, 1 << 31: NINF, INF: 0, NINF: 1 << 31, NAN: NAN},
        "rcp.approx.ftz.f32": {f32(8): f32(.125), 0x00000001: INF, 0x80000001: NINF, INF: 0, 0x7F000000: 0},
        "sqrt.approx.f32": {f32(4): f32(2), f32(0): 0, 1 << 31: 1 << 31, INF: INF, f32(-1): NAN, NAN: NAN, f32(2.25): f32(1.5)},
        "sqrt.approx.ftz.f32": {f32(9): f32(3), 1: 0, 0x80000001: 1 << 31, INF: INF},
        "sin.approx.f32": {0: 0, 1 << 31: 1 << 31, INF: NAN, NINF: NAN, NAN: NAN},
        "cos.approx.f32": {0: f32(1), 1 << 31: f32(1), INF: NAN, NINF: NAN, NAN: NAN},
        "sin.approx.ftz.f32": {0: 0, 1: 0, 0x80000001: 1 << 31, NAN: NAN},
        "cos.approx.ftz.f32": {1: f32(1), NAN: NAN},
        "tanh.approx.f32": {0: 0, 1 << 31: 1 << 31, INF: f32(1), NINF: f32(-1), NAN: NAN},
    }
    for op, table in known.items():
        f.kernel(op, ["f32"], ["f32"], op + " {d0}, {a};", [(x,) for x in table], [(y,) for y in table.values()])
    for op in ("div.approx.f32", "div.full.f32", "div.approx.ftz.f32", "div.full.ftz.f32"):
        cases = [(f32(x), f32(y)) for x, y in ((1, 2), (-6, 3), (0, 5), (7, .5))] + [(f32(1), 0), (f32(-1), 0), (0, 0), (f32(1), INF), (INF, INF), (INF, f32(2)), (NAN, f32(1))]
        results = [(exact.div(F32, x, y),) for x, y in cases]
        f.kernel(op, ["f32"], ["f32", "f32"], op + " {d0}, {a}, {b};", cases, results)
    d = lambda x: exact.rounded(F64, Fraction(x))
    inf, nan64 = 0x7FF0000000000000, 0x7FF8000000000000
    table = {d(1): d(1), d(4): d(Fraction(1, 2)), 0: inf, 1 << 63: inf | 1 << 63, inf: 0, nan64: nan64}
    f.kernel("rsqrt.approx.f64", ["f64"], ["f64"], "rsqrt.approx.f64 {d0}, {a};", [(x,) for x in table], [(y,) for y in table.values()])
    f.write()


# ---- conversions ----

INTS = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")


def clamp_to(t, v):
    n = bits_of(t)
    low, high = (-(1 << n - 1), mask(n - 1)) if t[0] == "s" else (0, mask(n))
    return max(low, min(v, high))


def in_register(t, v):
    """An 8-bit result sits in a 16-bit register, extended as its type says."""
    return num(t, v) & mask(max(bits_of(t), 16))


def reg(t):
    return "b%d" % max(bits_of(t), 16)


def cvt_int():
    f = File("cvt_int", "cvt between all integer types, cut and saturated; in registers as wide as the type or wider.")
    for s in INTS:
        cases = [(v & mask(bits_of(s)),) for v in [0, 1, 127, 128, 255, -1, -128, -129, 32767, 32768, 65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 63, mask(63)]]
        cases = sorted(set(cases))
        for d in INTS:
            f.kernel("cvt.%s.%s" % (d, s), [reg(d)], [s], "cvt.%s.%s {d0}, {a};" % (d, s), cases, [(in_register(d, num(s, x)),) for x, in cases])
            if all(clamp_to(d, num(s, x)) == num(s, x) for x, in cases):
                continue  # nothing to saturate: ptxas refuses it
            f.kernel("cvt.sat.%s.%s" % (d, s), [reg(d)], [s], "cvt.sat.%s.%s {d0}, {a};" % (d, s), cases, [(in_register(d, clamp_to(d, num(s, x))),) for x, in cases])
    # registers wider than the types
    cases = [(v,) for v in (0x00000080, 0xFFFFFF7F, 0x12348765, 0x0001FFFF, 0xFFFFFFFF)]
    for d, s in (("u8", "u32"), ("s8", "u32"), ("u16", "u32"), ("s16", "s32"), ("u32", "u8"), ("s32", "s8"), ("u32", "u16"), ("s32", "s16"), ("u16", "s8"), ("s16", "u8")):
        f.kernel("cvt.%s.%s.in32" % (d, s), ["b32"], ["b32"], "cvt.%s.%s {d0}, {a};" % (d, s), cases, [(num(d, num(s, x)) & mask(32),) for x, in cases])
    cases = [(v,) for v in (0x0123456789ABCDEF, 0xFFFFFFFF80000000, 0x00000000FFFFFFFF, 0xFFFFFFFFFFFF8000)]
    for d, s in (("u64", "u32"), ("s64", "s32"), ("s64", "s16"), ("u64", "u8"), ("u64", "s8")):
        f.kernel("cvt.%s.%s.in64" % (d, s), ["b64"], ["b64"], "cvt.%s.%s {d0}, {a};" % (d, s), cases, [(num(s, x) & mask(64),) for x, in cases])
    f.write()


def near_integers(fm):
    r = lambda x: exact.rounded(fm, Fraction(x))
    values = [r(Fraction(k, 4)) for k in (0, 1, 2, 3, 5, 6, 7, 10, -1, -2, -3, -6, -10)]
    values += [r(v) for v in (127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, -32768, -32769, (1 << 31) - 1, 1 << 31, -(1 << 31), (1 << 32) - 1, 1 << 32, 1 << 63, -(1 << 63), 1 << 64)]
    values += [r(Fraction(255) - Fraction(1, 4)), 1 << (fm[0] - 1), 1, exact.largest(fm, 0), exact.largest(fm, 1), exact.infinity(fm, 0), exact.infinity(fm, 1), exact.nan(fm)]
    return sorted(set(values))


def cvt_pack():
    f = File("cvt_pack", "cvt.pack: two integers, each cut to fewer bits, side by side below a third.")
    values = [v & mask(32) for v in (0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7FFFFFFF, -1, -2, -3, -8, -9, -128, -129, -32768, -32769, -0x80000000)]
    rest = (0, mask(32), 0x12345678, 0x9ABCDEF1)
    cases = [(x, values[(7 * i + 3) % len(values)], rest[i % 4]) for i, x in enumerate(values)]
    for n in (16, 8, 4, 2):
        for t in ("u%d" % n, "s%d" % n):
            part = lambda x: clamp_to(t, signed(x, 32)) & mask(n)
            if n == 16:
                f.kernel("cvt.pack." + t, ["b32"], ["s32", "s32"], "cvt.pack.sat.%s.s32 {d0}, {a}, {b};" % t, [c[:2] for c in cases],
                         [(part(x) << 16 | part(y),) for x, y, _ in cases])
            else:
                f.kernel("cvt.pack." + t, ["b32"], ["s32", "s32", "b32"], "cvt.pack.sat.%s.s32.b32 {d0}, {a}, {b}, {c};" % t, cases,
                         [(z << 2 * n | part(x) << n | part(y),) for x, y, z in cases])
    f.write()


def cvt_float_int():
    f = File("cvt_float_int", "cvt from floats to integers: every rounding, out of range, NaN.")
    for s in ("f16", "f32", "f64"):
        fm = FORMATS[s]
        cases = [(v,) for v in near_integers(fm)]
        for d in INTS:
            for mode in ("rni", "rzi", "rmi", "rpi"):
                f.kernel("cvt.%s.%s.%s" % (mode, d, s), [reg(d)], [s], "cvt.%s.%s.%s {d0}, {a};" % (mode, d, s), cases,
                         [(in_register(d, exact.float_to_int(bits_of(d), d[0] == "s", fm, x, mode[:2])),) for x, in cases])
    cases = [(1,), (0x80000001,), (0x007FFFFF,), (f32(1.5),), (f32(-.5),)]
    f.kernel("cvt.rpi.ftz.s32.f32", ["s32"], ["f32"], "cvt.rpi.ftz.s32.f32 {d0}, {a};", cases,
             [(exact.float_to_int(32, True, F32, exact.flush(F32, x), "rp"),) for x, in cases])
    f.write()


def cvt_int_float():
    f = File("cvt_int_float", "cvt from integers to floats: every rounding, where it matters.")
    for s in INTS:
        n = bits_of(s)
        values = [0, 1, 7, mask(n - 1), 1 << (n - 1), mask(n), 0x01000001, 0x01000003, 0x7FFFFFC0, 0x7FFFFF40, (1 << 53) + 1, (1 << 53) + 3,
                  0x7FFFFFFFFFFFFDFF, 0x7FFFFFBFFFFFFFFF, 0x8000008000000001, 0xFFFFFFFFFFFFFBFF, 2049, 2051, 65519, 65520, -65520, -65519, -2049]
        cases = sorted({(v & mask(n),) for v in values})
        for d in ("f16", "f32", "f64"):
            fm = FORMATS[d]
            for mode in MODES:
                f.kernel("cvt.%s.%s.%s" % (mode, d, s), [d], [s], "cvt.%s.%s.%s {d0}, {a};" % (mode, d, s), cases, [(exact.rounded(fm, Fraction(num(s, x)), mode),) for x, in cases])
    cases = [(v,) for v in (0, 1, 2, mask(32))]
    for s in ("u32", "s32"):
        f.kernel("cvt.rn.sat.f32." + s, ["f32"], [s], "cvt.rn.sat.f32.%s {d0}, {a};" % s, cases, [(exact.saturate(F32, exact.rounded(F32, Fraction(num(s, x)))),) for x, in cases])
    f.write()


def cvt_float_float():
    f = File("cvt_float_float", "cvt between floats: widening, narrowing in every rounding, to whole numbers, ftz, sat, bf16.")
    sources = {"f16": [h for h in (0, 0x8000, 1, 0x83FF, 0x0400, 0x3C00, 0xBC01, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x3555)],
               "f32": F32_MATH + [0x477FE000, 0x477FEFFF, 0x477FF000, 0xC77FF000, 0x33000000, 0x33000001, 0x387FFFFF, 0x3F801000, 0x3F803000, 0x3F801001],
               "f64": F64_MATH + [0x47EFFFFFE0000000, 0x47EFFFFFEFFFFFFF, 0x47EFFFFFF0000000, 0xC7F0000000000000, 0x36A0000000000000, 0x3690000000000001,
                                  0x3690000000000000, 0x380FFFFFFFFFFFFF, 0x3FF0000010000000, 0x3FF0000030000000, 0x40EFFE0000000000]}
    for s, values in sources.items():
        cases = [(v,) for v in values]
        for d in ("f16", "f32", "f64"):
            narrowing = FORMATS[d][0] < FORMATS[s][0]
            for mode in MODES if narrowing else ("",):
                op = "cvt.%s%s.%s" % (mode + "." if mode else "", d, s)
                if d != s:
                    # widening to double keeps a NaN's payload; everything else makes the canonical one
                    kept = [c for c in cases if d != "f64" or not exact.is_nan(FORMATS[s], c[0]) or c[0] == exact.quiet(FORMATS[s])]
                    f.kernel(op, [d], [s], op + " {d0}, {a};", kept, [(exact.convert(FORMATS[d], FORMATS[s], x, mode or "rn"),) for x, in kept])
        for mode in ("rni", "rzi", "rmi", "rpi"):
            op = "cvt.%s.%s.%s" % (mode, s, s)
            whole = [(v,) for v in values + near_integers(FORMATS[s])]
            f.kernel(op, [s], [s], op + " {d0}, {a};", whole, [(exact.convert(FORMATS[s], FORMATS[s], x, mode[:2], True),) for x, in whole])
    ftz = lambda x: exact.flush(F32, x)
    cases = [(v,) for v in sources["f32"] + [f32(.5), f32(1.5)]]
    for op, fn in (("cvt.sat.f32.f32", lambda x: exact.saturate(F32, x)), ("cvt.ftz.f32.f32", lambda x: exact.convert(F32, F32, ftz(x))),
                   ("cvt.ftz.sat.f32.f32", lambda x: exact.saturate(F32, ftz(x))),
                   ("cvt.rzi.ftz.f32.f32", lambda x: exact.convert(F32, F32, ftz(x), "rz", True))):
        f.kernel(op, ["f32"], ["f32"], op + " {d0}, {a};", cases, [(fn(x),) for x, in cases])
    cases = [c for c in cases if not exact.is_nan(F32, c[0])]  # which NaN it gives is not said
    f.kernel("cvt.ftz.f64.f32", ["f64"], ["f32"], "cvt.ftz.f64.f32 {d0}, {a};", cases, [(exact.convert(F64, F32, ftz(x)),) for x, in cases])
    f.kernel("cvt.rn.ftz.f16.f32", ["f16"], ["f32"], "cvt.rn.ftz.f16.f32 {d0}, {a};", cases, [(exact.convert(F16, F32, ftz(x)),) for x, in cases])
    doubles = [(v,) for v in sources["f64"]]
    f.kernel("cvt.rn.ftz.f32.f64", ["f32"], ["f64"], "cvt.rn.ftz.f32.f64 {d0}, {a};", doubles, [(ftz(exact.convert(F32, F64, x)),) for x, in doubles])
    f.kernel("cvt.rn.sat.f32.f64", ["f32"], ["f64"], "cvt.rn.sat.f32.f64 {d0}, {a};", doubles, [(exact.saturate(F32, exact.convert(F32, F64, x)),) for x, in doubles])
    relu = lambda fm, b: b if exact.is_nan(fm, b) else 0 if exact.sign(fm, b) else b
    for d in ("f16", "bf16"):
        fm = FORMATS[d]
        for mode in ("rn", "rz"):
            wide_ = [(v,) for v in sources["f32"] + [0x3F808000, 0x3F818000, 0x3F808001, 0x7F7F8000]]
            if d == "bf16":
                f.kernel("cvt.%s.bf16.f32" % mode, ["b16"], ["f32"], "cvt.%s.bf16.f32 {d0}, {a};" % mode, wide_, [(exact.convert(fm, F32, x, mode),) for x, in wide_])
            f.kernel("cvt.%s.relu.%s.f32" % (mode, d), ["b16"], ["f32"], "cvt.%s.relu.%s.f32 {d0}, {a};" % (mode, d), wide_, [(relu(fm, exact.convert(fm, F32, x, mode)),) for x, in wide_])
    f.write()


def cvt_bf16():
    f = File("cvt_bf16", "bf16 back to f32, which is exact, and once around.")
    values = [(v,) for v in (0, 0x8000, 1, 0x807F, 0x0080, 0x3F80, 0xBF81, 0x7F7F, 0x7F80, 0xFF80, 0x4049)]
    f.kernel("cvt.f32.bf16", ["f32"], ["b16"], "cvt.f32.bf16 {d0}, {a};", values, [(exact.convert(F32, BF16, x),) for x, in values])
    f.kernel("bf16.round.trip", ["b16"], ["b16"], ".reg .f32 %t;\ncvt.f32.bf16 %t, {a};\ncvt.rn.bf16.f32 {d0}, %t;", values, values)
    values = [(v,) for v in (0, 0x8000, 1, 0x83FF, 0x0400, 0x3C00, 0xBC01, 0x7BFF, 0x7C00, 0xFC00, 0x3555)]
    f.kernel("f16.round.trip", ["b16"], ["b16"], ".reg .f32 %t;\ncvt.f32.f16 %t, {a};\ncvt.rn.f16.f32 {d0}, %t;", values, values)
    f.write(target="sm_90")


# ---- shuffles ----

def shuffle():
    f = File("shuffle", "shfl.sync in all modes, with segments, clamps and the predicate, and with a lane of its own choosing.")
    for mode in ("up", "down", "bfly", "idx"):
        for b, c in ((0, 31), (1, 31), (5, 31), (31, 31), (1, 0), (3, 0x1807), (3, 0x1800), (9, 0x1C03), (16, 0x100F), (2, 0x1F1F), (7, 0x181F)):
            if mode == "up" and c == 31:
                c = 0
            if (mode, b, c) == ("up", 1, 0) and "shfl_up_1_0" in " ".join(f.runs):
                continue
            body = "shfl.sync.%s.b32 {d0}|{d1}, {a}, %d, 0x%x, 0xffffffff;" % (mode, b, c)
            cases = [(1000 + 7 * i,) for i in range(32)]
            f.kernel("shfl_%s_%d_%x" % (mode, b, c), ["u32", "pred"], ["u32"], body, cases, [shfl(mode, i, b, c) for i in range(32)])
    each = [(100 + i, (i * 5 + 3) % 64) for i in range(32)]
    for mode, c in (("idx", 31), ("up", 0), ("down", 31), ("bfly", 31), ("idx", 0x1807)):
        body = "shfl.sync.%s.b32 {d0}|{d1}, {a}, {b}, 0x%x, -1;" % (mode, c)
        f.kernel("shfl_each_%s_%x" % (mode, c), ["u32", "pred"], ["u32", "u32"], body, each,
                 [(100 + source(mode, i, b, c)[0], source(mode, i, b, c)[1]) for i, (_, b) in enumerate(each)])
    f.write()


def source(mode, lane, b, c):
    segment, clamp, b = c >> 8 & 31, c & 31, b & 31
    top = lane & segment | clamp & ~segment
    j = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": lane & segment | b & ~segment}[mode]
    ok = j >= top if mode == "up" else j <= top
    return (j if ok else lane, int(ok))


def shfl(mode, lane, b, c):
    j, ok = source(mode, lane, b, c)
    return 1000 + 7 * j, ok


# ---- halves ----

HALF_EDGES = {"f16": [0x0000, 0x8000, 0x3C00, 0xC200, 0x3C01, 0x3555, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00,
                      0x7E00, 0xFC01, 0x13FF, 0x0C00, 0x6BFF],
              "bf16": [0x0000, 0x8000, 0x3F80, 0xC040, 0x3F81, 0x3EAB, 0x0001, 0x807F, 0x0080, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80,
                       0x7FC0, 0xFF81, 0x1FFF, 0x2000, 0x5A5A]}


def half_cases(t):
    e, fm = HALF_EDGES[t], FORMATS[t]
    one = exact.rounded(fm, Fraction(1))
    two = some_pairs(e, 5)
    state, more = 12345, []
    for _ in range(96):  # any bits at all: rounding, ties and subnormal results come by themselves
        picks = []
        for _ in range(3):
            state = (state * 1103515245 + 12345) & mask(31)
            picks.append(state >> 8 & mask(16))
        more.append(tuple(picks))
    three = [(x, y, e[(5 * i + 3) % len(e)]) for i, (x, y) in enumerate(two)] + more
    three += [(one + 1, one - 1, exact.negate(fm, one)), (one + 3, one + 5, exact.negate(fm, one + 8)),
              # a product that is a tie, and an addend far below that decides it
              (one + 1, one + (1 << fm[1] - 1), 1), (one + 1, one + (1 << fm[1] - 1), 0x8001)]
    return two + [m[:2] for m in more], three


def half_arithmetic():
    for t, target in (("f16", "sm_80"), ("bf16", "sm_90")):
        f = File("half_" + t, "%s, alone and in pairs: add, sub, mul, fma, min, max, neg, abs, and what modifiers make of them." % t)
        fm = FORMATS[t]
        two, three = half_cases(t)
        kinds = {"add": (exact.add, two), "sub": (exact.sub, two), "mul": (exact.mul, two), "fma": (exact.fma, three)}
        flush = lambda x: exact.flush(fm, x)
        relu = lambda x: x if exact.is_nan(fm, x) else 0 if exact.sign(fm, x) else x
        forms = []
        for op, (fn, cases) in kinds.items():
            fn = (lambda *v, fn=fn: fn(fm, *v))
            forms.append((op + ".rn", fn, cases))
            if t == "f16":
                forms.append((op + ".rn.ftz", (lambda *v, fn=fn: flush(fn(*map(flush, v)))), cases[::3]))
                forms.append((op + ".rn.sat", (lambda *v, fn=fn: exact.saturate(fm, fn(*v))), cases[::3]))
                forms.append((op + ".rn.ftz.sat", (lambda *v, fn=fn: flush(exact.saturate(fm, fn(*map(flush, v))))), cases[::5]))
        forms.append(("fma.rn.relu", lambda *v: relu(exact.fma(fm, *v)), three))
        for op, sense in (("min", 1), ("max", -1)):
            for nan in (False, True):
                fn = lambda x, y, nan=nan, sense=sense: exact.minimum(fm, x, y, nan, sense)
                forms.append((op + (".NaN" if nan else ""), fn, two))
                if t == "f16":
                    forms.append((op + ".ftz" + (".NaN" if nan else ""), (lambda x, y, fn=fn: flush(fn(flush(x), flush(y)))), two[::3]))
        numbers = [(x,) for x in HALF_EDGES[t] if not exact.is_nan(fm, x)]
        forms.append(("abs", lambda x: x & mask(15), numbers))
        forms.append(("neg", lambda x: exact.negate(fm, x), numbers))
        for op, fn, cases in forms:
            floats(f, "%s.%s" % (op, t), t, fn, cases)
            swapped = cases[1:] + cases[:1]
            joined = [tuple(lo | hi << 16 for lo, hi in zip(a, b)) for a, b in zip(cases, swapped)]
            letters = ", ".join("{%s}" % c for c in "abc"[:len(cases[0])])
            f.kernel("%s.%sx2" % (op, t), ["b32"], ["b32"] * len(cases[0]), "%s.%sx2 {d0}, %s;" % (op, t, letters), joined,
                     [(fn(*a) | fn(*b) << 16,) for a, b in zip(cases, swapped)])
        # products and sums without a rounding of their own are fused; with .rn they are not
        for body, fn in (("mul.{0} %t, {{a}}, {{b}};\nadd.{0} {{d0}}, %t, {{c}};", lambda x, y, z: exact.fma(fm, x, y, z)),
                         ("mul.{0} %t, {{a}}, {{b}};\nadd.{0} {{d0}}, {{c}}, %t;", lambda x, y, z: exact.fma(fm, x, y, z)),
                         ("mul.{0} %t, {{a}}, {{b}};\nsub.{0} {{d0}}, %t, {{c}};", lambda x, y, z: exact.fma(fm, x, y, z if exact.is_nan(fm, z) else exact.negate(fm, z))),
                         ("mul.{0} %t, {{a}}, {{b}};\nsub.{0} {{d0}}, {{c}}, %t;", lambda x, y, z: exact.fma(fm, x if exact.is_nan(fm, x) else exact.negate(fm, x), y, z)),
                         ("mul.rn.{0} %t, {{a}}, {{b}};\nadd.rn.{0} {{d0}}, %t, {{c}};", lambda x, y, z: exact.add(fm, exact.mul(fm, x, y), z))):
            name = "fused%d_%s" % (len([k for k in f.kernels if "entry fused" in k]), t)
            f.kernel(name, [t], [t] * 3, ".reg .b16 %t;\n" + body.format(t), three, [(fn(*c),) for c in three])
            swapped = three[1:] + three[:1]
            joined = [tuple(lo | hi << 16 for lo, hi in zip(a, b)) for a, b in zip(three, swapped)]
            f.kernel(name + "x2", ["b32"], ["b32"] * 3, ".reg .b32 %t;\n" + body.format(t + "x2"), joined,
                     [(fn(*a) | fn(*b) << 16,) for a, b in zip(three, swapped)])
        f.write(target=target)


def half_other():
    for t, target in (("f16", "sm_80"), ("bf16", "sm_90")):
        f = File("half_compare_" + t, "%s: setp and set, alone and in pairs; conversions to pairs." % t)
        fm, cases = FORMATS[t], some_pairs(HALF_EDGES[t], 5)
        swapped = cases[1:] + cases[:1]
        joined = [tuple(lo | hi << 16 for lo, hi in zip(a, b)) for a, b in zip(cases, swapped)]
        one = exact.rounded(fm, Fraction(1))
        for cmp in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            fn = lambda c: int(exact.compare(fm, cmp, *c))
            f.kernel("setp.%s.%s" % (cmp, t), ["pred"], [t, t], "setp.%s.%s {d0}, {a}, {b};" % (cmp, t), cases, [(fn(c),) for c in cases])
            f.kernel("setp.%s.%sx2" % (cmp, t), ["pred", "pred"], ["b32", "b32"], "setp.%s.%sx2 {d0}|{d1}, {a}, {b};" % (cmp, t), joined,
                     [(fn(a), fn(b)) for a, b in zip(cases, swapped)])
            f.kernel("set.%s.%sx2" % (cmp, t), ["b32"], ["b32", "b32"], "set.%s.%sx2.%sx2 {d0}, {a}, {b};" % (cmp, t, t), joined,
                     [(fn(a) * one | fn(b) * one << 16,) for a, b in zip(cases, swapped)])
            f.kernel("mask.%s.%sx2" % (cmp, t), ["b32"], ["b32", "b32"], "set.%s.u32.%sx2 {d0}, {a}, {b};" % (cmp, t), joined,
                     [(fn(a) * mask(16) | fn(b) * mask(16) << 16,) for a, b in zip(cases, swapped)])
        values = F32_MATH + [0x477FE000, 0x477FEFFF, 0x477FF000, 0xC77FF000, 0x33000000, 0x33000001, 0x387FFFFF, 0x3F801000, 0x3F803000,
                             0x3F808000, 0x3F818000, 0x3F808001, 0x7F7F8000]
        two = [(x, values[(7 * i + 3) % len(values)]) for i, x in enumerate(values)]
        for mode in ("rn", "rz"):
            narrow = lambda x: exact.convert(fm, F32, x, mode)
            clip = lambda x: x if exact.is_nan(fm, x) else 0 if exact.sign(fm, x) else x
            f.kernel("cvt.%s.%sx2.f32" % (mode, t), ["b32"], ["f32", "f32"], "cvt.%s.%sx2.f32 {d0}, {a}, {b};" % (mode, t), two,
                     [(narrow(x) << 16 | narrow(y),) for x, y in two])
            f.kernel("cvt.%s.relu.%sx2.f32" % (mode, t), ["b32"], ["f32", "f32"], "cvt.%s.relu.%sx2.f32 {d0}, {a}, {b};" % (mode, t), two,
                     [(clip(narrow(x)) << 16 | clip(narrow(y)),) for x, y in two])
        if t == "f16":
            tf32 = lambda x: x & ~mask(13) if exact.is_nan(F32, x) else x if exact.is_inf(F32, x) else x + 0x1000 & ~mask(13)
            f.kernel("cvt.rna.tf32.f32", ["b32"], ["f32"], "cvt.rna.tf32.f32 {d0}, {a};", [(x,) for x in values], [(tf32(x),) for x in values])
        f.write(target=target)


def write_all():
    for family in (int_arithmetic, int_division, int_division_by_zero, int_24, int_bits, int_pairs, vabsdiff, int_carry, sregs, compare, choose, float_arithmetic, float_modifiers,
                   float_minmax, float_special, cvt_int, cvt_float_int, cvt_int_float, cvt_float_float, cvt_bf16, cvt_pack, shuffle, half_arithmetic, half_other):
        family()
