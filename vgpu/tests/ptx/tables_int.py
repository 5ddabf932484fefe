"""tables_int.py: integers and their bits, comparisons and choices, shuffles.
"""
import exact
from exact import F32, mask, signed
from frame import F32_EDGES, F64_EDGES, FORMATS, File, bits_of, edges, num, pairs, some_pairs, triples


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
