"""tables_convert.py: conversions between all types.
"""
from fractions import Fraction

import exact
from exact import F16, BF16, F32, F64, mask, signed
from frame import FORMATS, File, bits_of, num
from tables_float import F32_MATH, F64_MATH, MODES, f32


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
