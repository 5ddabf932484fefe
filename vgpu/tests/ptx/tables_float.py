"""tables_float.py: floats, doubles, and halves.
"""
import struct
from fractions import Fraction

import exact
from exact import F32, F64, mask
from frame import F32_EDGES, F64_EDGES, FORMATS, File, some_pairs


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
