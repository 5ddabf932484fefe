#!/usr/bin/env python3
"""matrices.py: writes the tests of matrix instructions, mma_*.ptx, wmma*.ptx and ldmatrix.ptx, with their
expectations, into the folder it is in. Like tables.py, with the same frame (frame.py).

How a sum is rounded is what an H200 does; it was recorded there, and this model, written in whole
numbers, gives the same bits: all products and the addend are cut to 25 bits behind the largest exponent
among them, and their sum is cut to a float (a zero is positive), or rounded to nearest even to a half.
"""
from fractions import Fraction

import exact
from exact import F16, BF16, F32, mask
from frame import File

FORMATS = {"f16": F16, "bf16": BF16, "f32": F32}
KEPT = 25


class Random:
    def __init__(self, seed):
        self.state = seed

    def bits(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & mask(64)
        return self.state >> 64 - n


def value_parts(kind, b):
    """(sign, significand, exponent of its unit, exponent) of a finite float"""
    if kind == "tf32":
        b &= ~mask(13)
    f = FORMATS.get(kind, F32)
    s, e, m = exact.split(f, b)
    bias = mask(f[2] - 1)
    return (s, m | (1 << f[1] if e else 0), max(e, 1) - bias - f[1], max(e, 1) - bias)


def special(kind, b):
    f = FORMATS.get(kind, F32)
    b = b & ~mask(13) if kind == "tf32" else b
    return "nan" if exact.is_nan(f, b) else exact.sign(f, b) if exact.is_inf(f, b) else None


def is_zero(kind, b):
    return value_parts(kind, b)[1] == 0


def nan_of(d):
    return exact.CANONICAL[FORMATS[d]]


def special_sum(kind, terms, c, ckind):
    """'nan', the sign of an infinity, or None"""
    seen = set()
    for a, b in terms:
        x, y = special(kind, a), special(kind, b)
        if x is None and y is None:
            continue
        if "nan" in (x, y) or (x is not None and y is None and is_zero(kind, b)) or (y is not None and x is None and is_zero(kind, a)):
            return "nan"
        seen.add(value_parts(kind, a)[0] ^ value_parts(kind, b)[0])
    x = special(ckind, c)
    if x is not None:
        seen.add(x)
    return "nan" if "nan" in seen or len(seen) == 2 else seen.pop() if seen else None


def dot(kind, terms, c, ckind, d):
    how = special_sum(kind, terms, c, ckind)
    if how is not None:
        return nan_of(d) if how == "nan" else exact.infinity(FORMATS[d], how)
    parts = []
    for a, b in terms:
        (sa, ma, ua, ea), (sb, mb, ub, eb) = value_parts(kind, a), value_parts(kind, b)
        if ma and mb:
            parts.append((sa ^ sb, ma * mb, ua + ub, ea + eb))
    part = value_parts(ckind, c)
    if part[1]:
        parts.append(part)
    if not parts:
        return 0
    unit = max(p[3] for p in parts) - KEPT
    total = 0
    for s, m, u, _ in parts:
        v = m << u - unit if u >= unit else m >> unit - u
        total += -v if s else v
    v = Fraction(total) * Fraction(2) ** unit
    if d == "f16":
        return exact.rounded(F16, v)
    r = exact.infinity(F32, int(v < 0)) if abs(v) >= 2 ** 128 else exact.rounded(F32, v, "rz")
    return 0 if exact.is_zero(F32, r) else r  # what is too small becomes +0


def dot_in_steps(step, kind, terms, c, ckind, d):
    for q in range(0, len(terms), step):
        c = dot(kind, terms[q:q + step], c, ckind, d)
    return c


# ---- mma.sync ----

SHAPES = {  # kind: elements of a register
    "f16": 2, "bf16": 2, "tf32": 1}


def a_place(kind, lane, r, e):
    p, g, t = SHAPES[kind], lane >> 2, lane & 3
    return g + 8 * (r & 1), p * t + e + 4 * p * (r >> 1)


def b_place(kind, lane, r, e):
    p, g, t = SHAPES[kind], lane >> 2, lane & 3
    return p * t + e + 4 * p * r, g


def operand(rng, kind, how):
    """A register's bits."""
    def one():
        f = FORMATS.get(kind, F32)
        s, m = rng.bits(1), rng.bits(f[1]) if kind != "tf32" else rng.bits(10) << 13
        bias = mask(f[2] - 1)
        span = {"near": 3, "wide": 6 if kind == "f16" else 18}.get(how, 2)
        e = bias + rng.bits(8) % (2 * span + 1) - span
        if how == "tiny":
            e = rng.bits(2) % 3
        if how == "any":
            return rng.bits(f[0])
        return s << (f[0] - 1) | e << f[1] | m
    v = one()
    return v | one() << 16 if SHAPES[kind] == 2 else v


def mma(f, kind, k, d, c, how, seed):
    rng = Random(seed)
    na, nb, nc = k * SHAPES[kind] // SHAPES[kind] * 16 // 32 // SHAPES[kind], k * 8 // 32 // SHAPES[kind], 4 if c == "f32" else 2
    nd = 4 if d == "f32" else 2
    a = [[operand(rng, kind, how) for _ in range(na)] for _ in range(32)]
    b = [[operand(rng, kind, how) for _ in range(nb)] for _ in range(32)]
    addend = (lambda: operand(rng, "f16", how)) if c == "f16" else (lambda: operand(rng, "tf32", "near" if how == "tiny" else how))
    zero = seed % 3 == 0 and how != "any"
    cs = [[0 if zero else addend() for _ in range(nc)] for _ in range(32)]
    A, B = [[0] * k for _ in range(16)], [[0] * 8 for _ in range(k)]
    for lane in range(32):
        for regs, M, place in ((a, A, a_place), (b, B, b_place)):
            for r, v in enumerate(regs[lane]):
                for e in range(SHAPES[kind]):
                    i, j = place(kind, lane, r, e)
                    M[i][j] = v >> 16 * e & mask(16) if SHAPES[kind] == 2 else v
    out = []
    for lane in range(32):
        g, t = lane >> 2, lane & 3
        values = []
        for x in range(4):
            i, j = g + 8 * (x >> 1), 2 * t + (x & 1)
            cv = cs[lane][x] if c == "f32" else cs[lane][x >> 1] >> 16 * (x & 1) & mask(16)
            values.append(dot(kind, [(A[i][q], B[q][j]) for q in range(k)], cv, c, d))
        out.append(values if d == "f32" else [values[0] | values[1] << 16, values[2] | values[3] << 16])
    name = "mma_%s_k%d_%s_%s_%s" % (kind, k, d, c, how)
    op = "mma.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s" % (k, d, kind, kind, c)
    warp_kernel(f, name, [a, b, cs], out, "%s {%%d}, {%%0}, {%%1}, {%%2};" % op)


def registers(name, n):
    return ", ".join("%%%s%d" % (name, i) for i in range(n))


def flat(registers):
    """The registers of all lanes, one after the other."""
    return [v for lane in registers for v in lane]


def warp_kernel(f, name, sources, results, body, declare="", prepare=""):
    """A kernel of one warp; sources and results: lists of registers by lane. {%0} … are the sources' registers,
    {%d} the results'."""
    counts = [len(s[0]) for s in sources]
    nd = len(results[0])
    names = "abcdefgh"
    args = ["b32[%d]=%s" % (32 * n, ",".join("0x%x" % v for v in flat(s))) for n, s in zip(counts, sources)] + ["b32[%d]" % (32 * nd)]
    f.runs.append("// run: --kernel %s %s" % (name, " ".join(args)))
    lines = [".visible .entry %s(%s)" % (name, ", ".join(".param .u64 p%d" % i for i in range(len(counts) + 1))), "{",
             "    .reg .b32 %%i; .reg .b64 %%at, %%base; .reg .b32 %s;" % registers("r", nd)]
    if declare:
        lines.append("    " + declare)
    lines.append("    mov.u32 %i, %tid.x;")
    for k, n in enumerate(counts):
        lines.append("    .reg .b32 %s;" % registers("s" + names[k], n))
        lines += ["    ld.param.u64 %%base, [p%d];" % k, "    mad.wide.u32 %%at, %%i, %d, %%base;" % (4 * n)]
        lines += ["    ld.global.b32 %%s%s%d, [%%at+%d];" % (names[k], i, 4 * i) for i in range(n)]
        body = body.replace("{%%%d}" % k, "{%s}" % registers("s" + names[k], n))
    body = body.replace("{%d}", "{%s}" % registers("r", nd))
    lines += ["    " + part for part in (prepare + body).split("\n")]
    lines += ["    ld.param.u64 %%base, [p%d];" % len(counts), "    mad.wide.u32 %%at, %%i, %d, %%base;" % (4 * nd)]
    lines += ["    st.global.b32 [%%at+%d], %%r%d;" % (4 * i, i) for i in range(nd)]
    f.kernels.append("\n".join(lines + ["    ret;", "}"]))
    for i, s in enumerate(sources):
        f.expect(i, "b32", flat(s), flat(s))
    f.expect(len(sources), "b32", flat(results))


def mma_floats():
    for kind, ks in (("f16", (8, 16)), ("bf16", (8, 16)), ("tf32", (4, 8))):
        f = File("mma_" + kind, "mma.sync of %s: near and far exponents, subnormals, infinities and NaNs." % kind)
        for k in ks:
            for n, how in enumerate(("near", "wide", "tiny", "any", "plain")):
                mma(f, kind, k, "f32", "f32", how, 100 * k + n)
                if kind == "f16":
                    mma(f, kind, k, "f16", "f16", how, 1000 + 100 * k + n)
        f.write()


def mma_others():
    f = File("mma_integer", "mma.sync of bytes, signed and not, and of doubles.")
    for m, k, ta, tb in ((8, 16, "s8", "s8"), (8, 16, "u8", "s8"), (16, 16, "s8", "u8"), (16, 32, "u8", "u8"), (16, 32, "s8", "s8")):
        for sat in ("", ".satfinite"):
            rng = Random(m * k + len(sat))
            na, nb, nc = m * k // 128, k * 8 // 128, m * 8 // 32
            big = lambda: rng.bits(32) if rng.bits(1) else (0x7FFFFFF0 if rng.bits(1) else 0x80000010)
            a, b, c = ([[fn() for _ in range(n)] for _ in range(32)] for n, fn in ((na, lambda: rng.bits(32)), (nb, lambda: rng.bits(32)), (nc, big)))
            byte = lambda t, v, i: exact.signed(v >> 8 * i, 8) if t == "s8" else v >> 8 * i & 255
            A, B = [[0] * k for _ in range(m)], [[0] * 8 for _ in range(k)]
            for lane in range(32):
                g, t = lane >> 2, lane & 3
                for r in range(na):
                    for e in range(4):
                        half, part = (r & 1, r >> 1) if m == 16 else (0, r)
                        A[g + 8 * half][4 * t + e + 16 * part] = byte(ta, a[lane][r], e)
                for r in range(nb):
                    for e in range(4):
                        B[4 * t + e + 16 * r][g] = byte(tb, b[lane][r], e)
            out = []
            for lane in range(32):
                g, t = lane >> 2, lane & 3
                row = []
                for x in range(nc):
                    i, j = g + 8 * (x >> 1), 2 * t + (x & 1)
                    s = exact.signed(c[lane][x], 32) + sum(A[i][q] * B[q][j] for q in range(k))
                    row.append((max(-1 << 31, min(s, mask(31))) if sat else s) & mask(32))
                out.append(row)
            warp_kernel(f, "mma_m%dk%d_%s_%s%s" % (m, k, ta, tb, sat.replace(".", "_")), [a, b, c], out,
                        "mma.sync.aligned.m%dn8k%d.row.col%s.s32.%s.%s.s32 {%%d}, {%%0}, {%%1}, {%%2};" % (m, k, sat, ta, tb))
    f.write()


# ---- ldmatrix, movmatrix ----

def ldmatrix():
    f = File("ldmatrix", "ldmatrix of one, two and four matrices, transposed and not, stmatrix back, and movmatrix.")
    words = [[0x10000 * (2 * (4 * lane + i) + 1) + 2 * (4 * lane + i) for i in range(4)] for lane in range(32)]  # half h at byte 2h
    half = lambda matrix, row, col: (matrix * 8 + row) * 8 + col
    store = "mov.u32 %sh, tile;\nmad.lo.u32 %sh, %i, 16, %sh;\nst.shared.v4.b32 [%sh], {%0};\nbar.sync 0;\n"
    for count in (1, 2, 4):
        for trans in (False, True):
            out = [[half(m, 2 * (lane & 3), lane >> 2) | half(m, 2 * (lane & 3) + 1, lane >> 2) << 16 if trans else
                    half(m, lane >> 2, 2 * (lane & 3)) | half(m, lane >> 2, 2 * (lane & 3) + 1) << 16 for m in range(count)] for lane in range(32)]
            warp_kernel(f, "ldmatrix_x%d%s" % (count, "_trans" if trans else ""), [words], out,
                        store + "ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 {%%d}, [%%sh];" % (count, ".trans" if trans else ""),
                        ".shared .align 16 .b8 tile[512]; .reg .b32 %sh;")
    pairs = [[2 * lane | 2 * lane + 1 << 16] for lane in range(32)]
    element = lambda row, col: row * 8 + col
    out = [[element(2 * (lane & 3), lane >> 2) | element(2 * (lane & 3) + 1, lane >> 2) << 16] for lane in range(32)]
    warp_kernel(f, "movmatrix_trans", [pairs], out, "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %sa0;")
    f.write()
    f = File("stmatrix", "stmatrix, and what plain loads then find.")
    for trans in (False, True):
        regs = [[(m * 1000 + 2 * lane) | (m * 1000 + 2 * lane + 1) << 16 for m in range(4)] for lane in range(32)]
        memory = [0] * 256
        for m in range(4):
            for lane in range(32):
                for e in range(2):
                    row, col = lane >> 2, 2 * (lane & 3) + e
                    memory[half(m, col, row) if trans else half(m, row, col)] = m * 1000 + 2 * lane + e
        out = [[memory[8 * lane + 2 * i] | memory[8 * lane + 2 * i + 1] << 16 for i in range(4)] for lane in range(32)]
        warp_kernel(f, "stmatrix_x4%s" % ("_trans" if trans else ""), [regs], out,
                    "mov.u32 %%sh, tile;\nmad.lo.u32 %%sh, %%i, 16, %%sh;\nstmatrix.sync.aligned.m8n8.x4%s.shared.b16 [%%sh], {%%0};\nbar.sync 0;\n"
                    "ld.shared.v4.b32 {%%d}, [%%sh];" % (".trans" if trans else ""), ".shared .align 16 .b8 tile[512]; .reg .b32 %sh;")
    f.write(target="sm_90")


# ---- wmma ----

def wmma_places(m, n, k, which, kind, lane):
    """Elements of a fragment, as an H200 keeps them: (row, column) in order, two to a register of halves."""
    g, t = lane >> 2, lane & 3
    if kind == "tf32" and which != "c":
        return [(g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4)] if which == "a" else [(t, g), (t + 4, g), (t, g + 8), (t + 4, g + 8)]
    pair = lambda lines, steps: [(line, 2 * t + step + e) for line, step in zip(lines, steps) for e in (0, 1)]
    if which == "a":
        if m == 8:
            return pair((g, g), (0, 8))
        return pair((g, g + 8, g, g + 8) + ((g + 16, g + 24, g + 16, g + 24) if m == 32 else ()), (0, 0, 8, 8) * (m // 16))
    if which == "b":
        lines, steps = {8: ((g, g), (0, 8)), 16: ((g, g, g + 8, g + 8), (0, 8, 0, 8)),
                        32: ((g, g + 8, g, g + 8, g + 16, g + 24, g + 16, g + 24), (0, 0, 8, 8) * 2)}[n]
        return [(q, line) for line, q in pair(lines, steps)]
    if n == 32:
        return [(q, line) for line, q in pair((g, g + 8, g + 16, g + 24), (0,) * 4)]
    if m == 32:
        return pair((g, g + 8, g + 16, g + 24), (0,) * 4)
    return pair((g, g + 8, g, g + 8), (0, 0, 8, 8))


def wmma_layouts():
    f = File("wmma_layout", "where wmma.load puts elements, and wmma.store finds them again: all shapes, by rows and by columns.")
    for m, n, k, kinds in ((16, 16, 16, ("f16", "bf16")), (32, 8, 16, ("f16", "bf16")), (8, 32, 16, ("f16", "bf16")), (16, 16, 8, ("tf32",))):
        for kind in kinds:
            for which in "abc":
                for layout in ("row", "col"):
                    types = ("f16", "f32") if which == "c" and kind == "f16" else ("f32",) if which == "c" else (kind,)
                    for t in types:
                        wmma_layout(f, m, n, k, which, layout, t, kind)
    f.write()


def wmma_layout(f, m, n, k, which, layout, t, kind):
    name = "wmma_%s_%dx%dx%d_%s_%s_%s" % (which, m, n, k, layout, t, kind)
    if ("--kernel %s " % name) in " ".join(f.runs):
        return
    rows, cols = {"a": (m, k), "b": (k, n), "c": (m, n)}[which]
    half = t in ("f16", "bf16")
    ld = (cols if layout == "row" else rows) + 8
    words = (rows if layout == "row" else cols) * ld * (2 if half else 4) // 4
    at = lambda r, c: r * ld + c if layout == "row" else c * ld + r
    out = []
    for lane in range(32):
        v = [at(r, c) for r, c in wmma_places(m, n, k, which, kind, lane)]
        regs = [v[2 * i] | v[2 * i + 1] << 16 for i in range(len(v) // 2)] if half else [x << 13 for x in v]
        out.append(regs * (8 // len(regs)) if t == "f16" and which != "c" else regs)
    # element number h of the memory holds h; each lane fills every 32nd word
    fill = ("mov.u32 %w, %i;\nFILL:\nmov.u32 %v, tile;\nmad.lo.u32 %to, %w, 4, %v;\n" +
            ("mad.lo.u32 %v, %w, 0x20002, 0x10000;\n" if half else "shl.b32 %v, %w, 13;\n") +
            "st.shared.b32 [%%to], %%v;\nadd.u32 %%w, %%w, 32;\nsetp.lt.u32 %%p, %%w, %d;\n@%%p bra FILL;\nbar.sync 0;\nmov.u64 %%from, tile;\n" % words)
    body = "wmma.load.%s.sync.aligned.%s.m%dn%dk%d.shared.%s {%%d}, [%%from], %d;" % (which, layout, m, n, k, t, ld)
    warp_kernel(f, name, [], out, body, ".reg .b64 %%from; .reg .b32 %%w, %%v, %%to; .reg .pred %%p; .shared .align 32 .b8 tile[%d];" % (4 * words), fill)
    if which == "c":
        name = name.replace("wmma_c", "wmma_store")
        back = [0] * words
        for lane in range(32):
            for (r, c), i in zip(wmma_places(m, n, k, which, kind, lane), range(100)):
                if half:
                    word, high = divmod(at(r, c), 2)
                    back[word] |= ((100 + 8 * lane + i) & mask(16)) << 16 * high
                else:
                    back[at(r, c)] = 100 + 8 * lane + i
        regs = [[(100 + 8 * lane + 2 * i) | (101 + 8 * lane + 2 * i) << 16 for i in range(4)] if half else [100 + 8 * lane + i for i in range(8)]
                for lane in range(32)]
        f.runs.append("// run: --kernel %s b32[%d]=%s b32[%d]" % (name, 32 * len(regs[0]), ",".join("0x%x" % v for r in regs for v in r), words))
        nr = len(regs[0])
        f.kernels.append("\n".join([".visible .entry %s(.param .u64 p0, .param .u64 p1)" % name, "{",
                                    "    .reg .b32 %%i; .reg .b64 %%at, %%base; .reg .b32 %s;" % registers("s", nr), "    mov.u32 %i, %tid.x;",
                                    "    ld.param.u64 %base, [p0];", "    mad.wide.u32 %%at, %%i, %d, %%base;" % (4 * nr)] +
                                   ["    ld.global.b32 %%s%d, [%%at+%d];" % (i, 4 * i) for i in range(nr)] +
                                   ["    ld.param.u64 %base, [p1];",
                                    "    wmma.store.d.sync.aligned.%s.m%dn%dk%d.global.%s [%%base], {%s}, %d;" % (layout, m, n, k, t, registers("s", nr), ld),
                                    "    ret;", "}"]))
        f.expect(0, "b32", flat(regs), flat(regs))
        f.expect(1, "b32", back)


def wmma_products():
    f = File("wmma_mma", "wmma.mma of all shapes and types.")
    for seed, (m, n, k, kind, d, c) in enumerate(
            [(m, n, 16, kind, d, c) for m, n in ((16, 16), (32, 8), (8, 32)) for kind, d, c in (("f16", "f32", "f32"), ("f16", "f16", "f16"), ("bf16", "f32", "f32"))] +
            [(16, 16, 8, "tf32", "f32", "f32")]):
        rng = Random(seed + 5)
        matrix = lambda kd, rows, cols: [[operand(rng, kd, "near") & (mask(16) if kd in ("f16", "bf16") else mask(32)) for _ in range(cols)] for _ in range(rows)]
        A, B, C = matrix(kind, m, k), matrix(kind, k, n), matrix("f16" if c == "f16" else "tf32", m, n)
        step = 4 if kind == "tf32" else k  # as the H200's instructions have it
        D = [[dot_in_steps(step, kind, [(A[i][q], B[q][j]) for q in range(k)], C[i][j], c, d) for j in range(n)] for i in range(m)]

        def fragment(M, which, t, lane):
            v = [M[r][q] for r, q in wmma_places(m, n, k, which, kind, lane)]
            regs = [v[2 * i] | v[2 * i + 1] << 16 for i in range(len(v) // 2)] if t in ("f16", "bf16") else v
            return regs * (8 // len(regs)) if which != "c" and t == "f16" else regs
        frags = [[fragment(M, which, t, lane) for lane in range(32)] for M, which, t in ((A, "a", kind), (B, "b", kind), (C, "c", c), (D, "c", d))]
        types = "%s.%s" % (d, c) if kind == "f16" else "f32.%s.%s.f32" % (kind, kind)
        warp_kernel(f, "wmma_%dx%dx%d_%s_%s_%s" % (m, n, k, kind, d, c), frags[:3], frags[3],
                    "wmma.mma.sync.aligned.row.col.m%dn%dk%d.%s {%%d}, {%%0}, {%%1}, {%%2};" % (m, n, k, types))
    f.write()


def write_all():
    for family in (mma_floats, mma_others, ldmatrix, wmma_layouts, wmma_products):
        family()
