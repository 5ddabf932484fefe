#!/usr/bin/env python3
"""forms_tests.py: writes the tests of those instruction forms (see forms.py) that tables.py leaves out.

Only arguments are chosen here, the edges of every type; results are those of meaning.py. Register classes,
loads, stores and atomic operations in every space go through one pattern each.
"""
import glob
import os
import re

import exact
import forms
import frame
import meaning
from exact import F16, BF16, F32, F64, mask
from frame import File, bits_of, edges
from tables_convert import near_integers
from tables_float import F32_MATH, F64_MATH

SHIFTS = [0, 1, 4, 31, 32, 33, 63, 64, 255, 0xFFFFFFFF]
HALVES = {"f16": [0, 0x8000, 1, 0x83FF, 0x0400, 0x3C00, 0xBC01, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFC01, 0x3555, 0x4200, 0x3800],
          "bf16": [0, 0x8000, 1, 0x807F, 0x0080, 0x3F80, 0xBF81, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFF81, 0x4049, 0x3F00, 0xC0A0]}


def values(t):
    if t == "pred":
        return [0, 1]
    if t in HALVES:
        return HALVES[t]
    if t.endswith("x2"):
        v = HALVES[t[:-2]]
        return [low | v[(5 * i + 3) % len(v)] << 16 for i, low in enumerate(v)]
    if t == "f32":
        return F32_MATH + [0x3F000000, 0x3F7FFFFF, 0xBF800000, 0x40000000, 0x7F800001]
    if t == "f64":
        return F64_MATH + [0x3FE0000000000000, 0xBFF0000000000000, 0x7FF0000000000001, 0xFFF8000000000123]
    return edges(t.replace("b", "u"))


def cases(types):
    lists = [values(t) for t in types]
    if len(types) == 1:
        extra = near_integers({"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}[types[0]]) if types[0] in ("f16", "bf16", "f32", "f64") else []
        return [(v,) for v in lists[0] + extra]
    first, second = lists[0], lists[1]
    two = [(x, y) for x in first for y in second]
    two = (two[::5] if len(two) > 80 else two) + [(x, second[i % len(second)]) for i, x in enumerate(first)]
    rest = lists[2:]
    return [c + tuple(v[(3 * i + 5 * k + 1) % len(v)] for k, v in enumerate(rest)) for i, c in enumerate(two)]


def operand_types(form, operands):
    """(types of destinations, types of sources, the operand text with places for them), or None: memory."""
    types = [m for m in form.split(".")[1:] if forms.TYPE.match(m)]
    if "[" in operands or operands.isupper() or not operands or "m" in operands or "h" in operands:
        return None
    known = {"d": types[0] if types else "b32", "s": types[-1] if types else "b32", "i": "b32", "p": "pred", "q": "pred",
             "w": types[0][0] + str(2 * bits_of(types[0])) if types and re.match("[us][0-9]+$", types[0]) else "b64"}
    target, _, sources = operands.partition(", ")
    if not all(letter in known for letter in target.split("|")):
        return None
    dst, src, out = [], [], []
    for letter in target.split("|"):
        out.append("{d%d}" % len(dst))
        dst.append(known[letter])
    text = "|".join(out)
    for word in sources.split(", ") if sources else []:
        negated = "!" if word[0] == "!" else ""
        word = word.lstrip("!")
        if word in known:
            text += ", %s{%s}" % (negated, "abce"[len(src)])
            src.append(known[word])
        else:
            text += ", " + word
    return dst, src, text


def in_registers(t):
    """8-bit types sit in 16-bit registers, as numbers of the type's own sign; pairs in 32-bit ones."""
    return t.replace("8", "16") if t in ("u8", "s8", "b8") else "b32" if t in ("f16x2", "bf16x2", "tf32") else t


def arithmetic(wanted):
    """A kernel a form: registers in, registers out."""
    files = {}
    for pattern, operands in forms.CANDIDATES:
        for form in forms.expand(pattern):
            shape = operand_types(form, operands)
            if form not in wanted or shape is None or form.split(".")[0] in ("vote", "match", "shfl", "redux", "bar", "barrier", "nanosleep", "activemask", "pmevent"):
                continue
            dst, src, text = shape
            op = form.split(".")[0]
            if not src or op in ("cvta", "isspacep"):
                continue
            body = "%s %s;" % (form, text)
            if ".cc" in form or op in ("addc", "subc", "madc"):
                # a carry, where e is not 0, goes in, and what comes out is counted
                take = "subc" if op in ("sub", "subc") else "addc"
                body = "%s.cc.u32 %%w, %s;\n%s\n%s.u32 {d1}, 0, 0;" % (take[:3], "{e}, 0xffffffff" if take == "addc" else "0, {e}", body, take)
                src = src + ["u32"] * (4 - len(src))
                dst = dst + ["u32"]
                if not form.endswith(".cc") and ".cc." not in form:
                    body = body[:body.rindex("\n")] + "\nmov.u32 {d1}, 0;"
            f = files.setdefault(op, File("forms_" + op, "forms of %s that no other test has, on the edges of their types." % op))
            if op in meaning.KNOWN and "approx.ftz.f64" in form:
                f.kernel(form, ["b64"], ["b64"], body, [(v,) for v in meaning.KNOWN[op]["f64"]])
                wanted.discard(form)
                continue
            if op in ("bmsk", "szext", "fns"):
                bits = [0xF0F0F0F0, 0x80000001, 0, 0xFFFFFFFF, 0x12345678]
                counts = [0, 1, 4, 8, 31, 32, 33, 64, 0xFFFFFFFF]
                t = [(x, n) for x in (bits if op == "szext" else counts) for n in counts]
                if op == "fns":
                    t = [(x, p, n) for x in bits for p in (0, 4, 17, 31, 32) for n in (0, 1, 2, 5, 33, 0xFFFFFFFF, 0xFFFFFFFD)]
                f.kernel(form, ["b32"], ["b32"] * len(src), body, t)
                wanted.discard(form)
                continue
            if op in ("ex2", "tanh"):
                known = list(meaning.KNOWN[op][src[0].replace("x2", "")])
                t = [(v | (known[(3 * i + 1) % len(known)] << 16 if "x2" in src[0] else 0),) for i, v in enumerate(known)]
                f.kernel(form, [in_registers(d) for d in dst], [in_registers(s) for s in src], body, t)
                wanted.discard(form)
                continue
            t = cases([s if s in HALVES or s.endswith("x2") else in_registers(s) for s in src])
            f.kernel(form, [in_registers(d) for d in dst], [in_registers(s) for s in src], body, t)
            wanted.discard(form)
    for f in files.values():
        f.write(version="8.0", target="sm_90")


NANS = {"f16": [0x7C01, 0xFC01, 0x7D55, 0x7E00, 0xFE00, 0x7FFF, 0xFFFF], "bf16": [0x7F81, 0xFF81, 0x7FAA, 0x7FC0, 0xFFC0, 0x7FFF, 0xFFFF],
        "f32": [0x7F800001, 0xFF800001, 0x7FA55555, 0x7FC00000, 0xFFC00000, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFC12345, 0x7F802000],
        "f64": [0x7FF0000000000001, 0xFFF0000000000001, 0x7FF5555555555555, 0x7FF8000000000000, 0xFFF8000000000000, 0x7FFFFFFFFFFFFFFF,
                0xFFFFFFFFFFFFFFFF, 0xFFFC123456789ABC, 0x7FF0000020000000]}


def nans():
    """Which NaN comes of a NaN: quiet and signalling ones, of both signs, with bits in all places."""
    f = File("forms_nan", "which NaN comes of a NaN, where an instruction has but one operand.")
    one = forms.expand("{abs,neg}{,.ftz}.f32") + forms.expand("{abs,neg}.{f64,f16,bf16}") + forms.expand("{rcp,sqrt}.rn{,.ftz}.f32") + ["rcp.rn.f64", "sqrt.rn.f64"]
    one += forms.expand("cvt{.rni,.rzi}.{f16.f16,f32.f32,f64.f64}") + forms.expand("cvt{,.ftz}.{f32.f16,f32.f32,f64.f32}") + ["cvt.f64.f16"] + forms.expand("cvt{.rn,.rz}{,.ftz}.f32.f64")
    one += forms.expand("cvt{.rn,.rz}.{f16.f32,f16.f64,bf16.f32,bf16.f64,bf16.f16,f16.bf16}") + ["cvt.f32.bf16", "cvt.f64.bf16", "cvt.f64.f64", "cvt.sat.f32.f32"]
    one += forms.expand("cvt{.rn,.rz,.rna}.tf32.f32")
    for form in one:
        types = [m for m in form.split(".")[1:] if forms.TYPE.match(m)]
        f.kernel(form, [in_registers(types[0])], [types[-1]], form + " {d0}, {a};", [(v,) for v in NANS[types[-1]]])
    for t, form in (("f32", "add.rn.f32"), ("f32", "mul.rn.f32"), ("f64", "add.rn.f64"), ("f64", "mul.rn.f64"), ("f64", "min.f64"), ("f32", "max.f32"), ("f64", "div.rn.f64"),
                    ("f64", "max.f64"), ("f64", "sub.rn.f64"), ("f64", "add.rz.f64"), ("f64", "div.rp.f64"), ("f64", "copysign.f64"), ("f32", "copysign.f32")):
        some = NANS[t] + values(t)[2:5]
        f.kernel(form, [t], [t, t], form + " {d0}, {a}, {b};", [(x, y) for x in some for y in some][::3])
    some = [NANS["f64"][k] for k in (0, 1, 4, 7)] + [0x3FF0000000000000]
    for form in ("fma.rn.f64", "fma.rz.f64"):
        f.kernel(form, ["f64"], ["f64"] * 3, form + " {d0}, {a}, {b}, {c};", [(x, y, z) for x in some for y in some for z in some])
    f.write(version="8.0", target="sm_90")


def smallest():
    """Around the smallest normal number, where flushing before or after rounding shows."""
    f = File("forms_smallest", "results around the smallest normal number, flushed or not, in every rounding.")
    near = [(0x3F7FFFFF, 0x00800000), (0x3F7FFFFE, 0x00800000), (0x3F7FFFFF, 0x80800000), (0x3F800001, 0x00800000), (0x3F000000, 0x00FFFFFF),
            (0x3F000000, 0x80FFFFFF), (0x3F000000, 0x01000000), (0x3F000000, 0x00FFFFFE), (0x3F000001, 0x00FFFFFD), (0x3EFFFFFF, 0x01000001)]
    thirds = [0, 0x80000000, 0x00800000, 0x80800000, 0x80800001, 0x01000000, 0x81000001]
    for mode in ("rn", "rz", "rm", "rp"):
        for ftz in (".ftz", ""):
            f.kernel("mul.%s%s" % (mode, ftz), ["f32"], ["f32", "f32"], "mul.%s%s.f32 {d0}, {a}, {b};" % (mode, ftz), near)
            f.kernel("div.%s%s" % (mode, ftz), ["f32"], ["f32", "f32"], "div.%s%s.f32 {d0}, {a}, {b};" % (mode, ftz),
                     [(y, 0x40000000) for _, y in near] + [(y, 0x3F800001) for _, y in near])
            f.kernel("rcp.%s%s" % (mode, ftz), ["f32"], ["f32"], "rcp.%s%s.f32 {d0}, {a};" % (mode, ftz), [(0x7E800000,), (0x7E800001,), (0x7E7FFFFF,), (0xFE800001,), (0x7F000000,)])
            f.kernel("fma.%s%s" % (mode, ftz), ["f32"], ["f32"] * 3, "fma.%s%s.f32 {d0}, {a}, {b}, {c};" % (mode, ftz),
                     [c + (z,) for c in near for z in thirds])
            f.kernel("add.%s%s" % (mode, ftz), ["f32"], ["f32", "f32"], "add.%s%s.f32 {d0}, {a}, {b};" % (mode, ftz),
                     [(0x01000000, 0x80800001), (0x01000000, 0x80FFFFFF), (0x00800000, 0x80800001), (0x80800000, 0x00800001)])
    halves = [(0x3BFF, 0x0400), (0x3BFE, 0x0400), (0x3BFF, 0x8400), (0x3C01, 0x0400), (0x3800, 0x07FF), (0x3800, 0x87FF), (0x3800, 0x0800), (0x3800, 0x07FE)]
    for ftz in (".ftz", ""):
        f.kernel("mul.rn%s.f16" % ftz, ["f16"], ["f16", "f16"], "mul.rn%s.f16 {d0}, {a}, {b};" % ftz, halves)
        f.kernel("fma.rn%s.f16" % ftz, ["f16"], ["f16"] * 3, "fma.rn%s.f16 {d0}, {a}, {b}, {c};" % ftz,
                 [c + (z,) for c in halves for z in (0, 0x8000, 0x0400, 0x8400, 0x8401, 0x0800, 0x8801)])
        f.kernel("cvt.rn%s.f16.f32" % ftz, ["f16"], ["f32"], "cvt.rn%s.f16.f32 {d0}, {a};" % ftz, [(0x387FF000,), (0x387FE000,), (0x38800000,), (0xB87FF000,), (0x33000001,)])
    f.kernel("cvt.rn.ftz.f32.f64", ["f32"], ["f64"], "cvt.rn.ftz.f32.f64 {d0}, {a};", [(0x380FFFFFFFFFFFFF,), (0x380FFFFFE0000000,), (0x380FFFFFF0000000,), (0x3810000000000000,), (0xB80FFFFFFFFFFFFF,)])
    f.kernel("cvt.rz.ftz.f32.f64", ["f32"], ["f64"], "cvt.rz.ftz.f32.f64 {d0}, {a};", [(0x380FFFFFFFFFFFFF,), (0x380FFFFFE0000000,), (0x380FFFFFF0000000,), (0x3810000000000000,), (0xB80FFFFFFFFFFFFF,)])
    f.write(version="8.0", target="sm_90")


SPACES = ("", ".global", ".shared", ".local")
SOURCES = {8: "b16", 16: "b16", 32: "b32", 64: "b64"}


def register(t):
    return {"f32": "f32", "f64": "f64"}.get(t, "b%d" % max(16, bits_of(t)))


def widen(t, reg, to):
    """All of a register, as 64 bits."""
    n = max(16, bits_of(t))
    if t in ("f32", "f64"):
        return "mov.b%d %%v%d, %s;" % (n, n, reg) + (" cvt.u64.u32 %s, %%v32;" % to if n == 32 else " mov.b64 %s, %%v64;" % to)
    return "mov.b64 %s, %s;" % (to, reg) if n == 64 else "cvt.u64.u%d %s, %s;" % (n, to, reg)


def address(space, width):
    """%at of this thread's `width` bytes in the space, in the register the space wants."""
    base = {".shared": "cells", ".local": "mine"}
    if space == ".global":
        return ["mad.wide.u32 %at, %i, {0}, %global;".format(width)], "%at"
    if space in base:
        return ["mov.u32 %%s, %s;" % base[space]] + (["mad.lo.u32 %%s, %%i, %d, %%s;" % width] if space == ".shared" else []), "%s"
    return ["mov.u32 %s, cells;", "mad.lo.u32 %s, %i, {0}, %s;".format(width), "cvt.u64.u32 %at, %s;", "cvta.shared.u64 %at, %at;"], "%at"


def memory_kernel(name, lines, buffers):
    head = ".visible .entry %s(%s)" % (name, ", ".join(".param .u64 p%d" % i for i in range(buffers)))
    regs = ["    .reg .b32 %i, %s, %v32; .reg .b64 %at, %from, %to, %wide, %global, %v64; .reg .b16 %v16;",
            "    .shared .align 16 .b8 cells[2048]; .local .align 16 .b8 mine[64];",
            "    mov.u32 %i, %tid.x; ld.param.u64 %from, [p0]; ld.param.u64 %to, [p1];" + (" ld.param.u64 %global, [p2];" if buffers > 2 else "")]
    return "\n".join([head, "{"] + regs + ["    " + l for l in lines] + ["    ret;", "}"])


def widened(t, cells):
    """What widen() makes of bytes that were loaded as t: numbers of 64 bits."""
    size = bits_of(t) // 8
    values = [int.from_bytes(cells[i:i + size], "little") for i in range(0, len(cells), size)]
    return [exact.signed(v, 8) & mask(16) for v in values] if t == "s8" else values


PATTERN = [0x00, 0x7F, 0x80, 0xFF, 0x01, 0xFE, 0x55, 0xC3, 0x3C, 0x81]


def memory_bytes(n):
    return [(PATTERN[i % 10] + 37 * (i // 10)) & 255 for i in range(n)]


def expect_cells(f, t, data, width, times):
    """Every thread's `width` bytes, as registers, as often as they were loaded; and stored where they shall be."""
    f.expect(0, "b8", data, data)
    f.expect(1, "b64", [v for i in range(0, len(data), width) for v in times * widened(t, bytes(data[i:i + width]))])
    f.expect(2, "b8", data)


def loads_and_stores(wanted):
    """Bytes in, through a space and back, and each register's 64 bits out; threads next to each other."""
    f = File("forms_memory", "loads and stores of every type and vector in every space: what they leave in registers.")
    threads = 8
    for t in forms.expand(forms.MEM):
        for n, v in ((1, ""), (2, ".v2"), (4, ".v4")):
            if n * bits_of(t) > 128:
                continue
            width = n * bits_of(t) // 8
            regs = ["%%r%d" % k for k in range(n)]
            group = regs[0] if n == 1 else "{%s}" % ", ".join(regs)
            lines = [".reg .%s %s;" % (register(t), ", ".join(regs))]
            out = 0

            def show():
                nonlocal out
                for r in regs:
                    lines.append(widen(t, r, "%wide") + " st.global.b64 [%%to+%d], %%wide;" % (8 * out))
                    out += 1
            lines += ["mad.wide.u32 %at, %i, {0}, %from;".format(width), "mad.wide.u32 %to, %i, ROOM, %to;"]
            fetch = "ld.global%s.%s %s, [%%at];" % (v, t, group)
            for space in SPACES:
                lines += ["mad.wide.u32 %at, %i, {0}, %from;".format(width), fetch]
                place, at = address(space, width)
                lines += place + ["st%s%s.%s [%s], %s;" % (space, v, t, at, group)]
                lines += ["mov.%s %s, %s;" % ("b%d" % max(16, bits_of(t)) if t[0] != "f" else t, r, {"f32": "0f00000000", "f64": "0d0000000000000000"}.get(t, "0")) for r in regs]
                lines += ["ld%s%s.%s %s, [%s];" % (space, v, t, group, at)]
                show()
            for how in ("ldu.global", "ldu", "ld.const"):
                lines += ["mad.wide.u32 %at, %i, {0}, %from;".format(width)]
                if how == "ld.const":
                    lines += ["mov.u64 %at, fixed;", "mad.wide.u32 %at, %i, {0}, %at;".format(width)]
                lines += ["%s%s.%s %s, [%%at];" % (how, v, t, group)]
                show()
            name = "memory_%s%s" % (t, v.replace(".", "_"))
            data = memory_bytes(threads * width)
            f.runs.append("// run: --kernel %s --block %d b8[%d]=%s b64[%d] b8[%d]" % (name, threads, len(data), ",".join(map(str, data)), threads * out, threads * width))
            f.kernels.append(memory_kernel(name, lines, 3).replace("ROOM", str(8 * out)))
            expect_cells(f, t, data, width, out // n)
    hints = {"ld": ["ld%s" % h for h in forms.expand("{.volatile,.relaxed.gpu,.acquire.gpu}{,.global,.shared}") + forms.expand(".global{.nc,.ca,.cg,.cs,.lu,.cv}")],
             "st": ["st%s" % h for h in forms.expand("{.volatile,.relaxed.gpu,.release.gpu}{,.global,.shared}") + forms.expand(".global{.wb,.cg,.cs,.wt}")]}
    for t in ("u8", "u32", "u64", "f32", "f64"):
        width = bits_of(t) // 8
        lines = [".reg .%s %%r0;" % register(t), "mad.wide.u32 %to, %i, ROOM, %to;"]
        out = 0
        for k in range(max(len(hints["ld"]), len(hints["st"]))):
            st, ld = hints["st"][k % len(hints["st"])], hints["ld"][k % len(hints["ld"])]
            lines += ["mad.wide.u32 %at, %i, {0}, %from;".format(width), "ld.global.%s %%r0, [%%at];" % t]
            for space in (".shared", ".global"):
                for how, kind in ((st, "st"), (ld, "ld")):
                    matches = space in how or not any(s in how for s in (".shared", ".global"))
                    op = "%s.%s" % (how if matches else kind + space, t)
                    if ".nc" in op:  # of what nobody writes
                        lines += ["mad.wide.u32 %at, %i, {0}, %from; ".format(width) + "%s %%r0, [%%at];" % op]
                        continue
                    generic = space not in op
                    place, at = address("" if generic and space == ".shared" else space, width)
                    lines += place + ["%s [%s], %%r0;" % (op, at) if kind == "st" else "%s %%r0, [%s];" % (op, at)]
                lines.append(widen(t, "%r0", "%wide") + " st.global.b64 [%%to+%d], %%wide;" % (8 * out))
                out += 1
        data = memory_bytes(threads * width)
        name = "hints_" + t
        f.runs.append("// run: --kernel %s --block %d b8[%d]=%s b64[%d] b8[%d]" % (name, threads, len(data), ",".join(map(str, data)), threads * out, threads * width))
        f.kernels.append(memory_kernel(name, lines, 3).replace("ROOM", str(8 * out)))
        expect_cells(f, t, data, width, out)
    f.kernels.insert(0, ".const .align 16 .b8 fixed[256] = {%s};" % ", ".join(map(str, memory_bytes(256))))
    f.write(version="8.0", target="sm_90")


def atomics(wanted):
    """A cell a thread: what it held, what is put in; out come the old value and the cell, for each space."""
    f = File("forms_atomics", "atom and red of every operation and type in every space, on the edges of their types.")
    groups = {}
    for pattern, operands in forms.CANDIDATES:
        for form in forms.expand(pattern):
            if form in wanted and form.split(".")[0] in ("atom", "red"):
                groups.setdefault(re.sub(r"\.(global|shared)\b", "", form), []).append((form, operands))
    for name, members in sorted(groups.items()):
        t = name.split(".")[-1]
        table = cases([t] * (3 if ".cas" in name else 2))
        kind, t = t, in_registers(t)
        reg = register(t)
        args = [t] * (3 if ".cas" in name else 2)
        if ".cas" in name:  # every other one matches
            table = [(x, x if i % 2 else y, z) for i, (x, y, z) in enumerate(table)]
        table = table[:96]
        width = bits_of(t) // 8
        regs = ["%%r%d" % k for k in range(len(args))]
        lines = [".reg .%s %s, %%old;" % (reg, ", ".join(regs)), "mad.wide.u32 %%to, %%i, %d, %%to;" % (16 * len(members))]
        for k in range(len(args)):
            lines += ["mad.wide.u32 %at, %i, {0}, %from; ".format(width) + "ld.global.b%d %s, [%%at+%d];" % (bits_of(t), regs[k], k * width * len(table))]
        for k, (form, _) in enumerate(sorted(members)):
            space = ".global" if ".global" in form else ".shared" if ".shared" in form else ""
            place, at = address(space, width)
            plain = space or ""
            lines += place + ["st%s.b%d [%s], %%r0;" % (plain, bits_of(t), at)]
            lines += ["mov.b%d %%old, %%r1;" % bits_of(t) if reg[0] == "b" else "mov.%s %%old, %%r1;" % reg]
            lines += ["%s %s[%s], %s;" % (form, "%old, " if form.startswith("atom") else "", at, ", ".join(regs[1:]))]
            lines += ["ld%s.b%d %%r9, [%s];" % (plain, bits_of(t), at)]
            lines += [widen(t, "%old", "%wide") + " st.global.b64 [%%to+%d], %%wide;" % (16 * k),
                      widen(t, "%r9", "%wide") + " st.global.b64 [%%to+%d], %%wide;" % (16 * k + 8)]
            wanted.discard(form)
        lines[0] = lines[0].replace("%old;", "%old, %r9;")
        name = name.replace(".", "_")
        flat = [c[k] for k in range(len(args)) for c in table]
        f.runs.append("// run: --kernel %s --block %d %s[%d]=%s b64[%d] b8[%d]" %
                      (name, len(table), frame.buffer_type(t), len(flat), ",".join(frame.show(t, v) for v in flat), 2 * len(members) * len(table), width * len(table)))
        f.kernels.append(memory_kernel(name, lines, 3))
        f.expect(0, t, flat, flat)
        table = [tuple(v & mask(bits_of(t)) for v in c) for c in table]
        given = [[meaning.atomic(form, c[0], c[1:]) for form, _ in sorted(members)] for c in table]
        # red hands nothing out: the register keeps the operand
        f.expect(1, "b64", [v & mask(bits_of(t)) for c, row in zip(table, given) for (form, _), (old, new) in zip(sorted(members), row)
                            for v in (old if form.startswith("atom") else c[1], new)])
        left = [next((new for (form, _), (_, new) in reversed(list(zip(sorted(members), row))) if ".global" in form), 0) for row in given]
        f.expect(2, "b8", [b for v in left for b in (v & mask(bits_of(t))).to_bytes(width, "little")])
    f.write(version="8.0", target="sm_90")


# Other tests have these only beside another one, with which they are fused.
ALONE = {"%s.%s" % (op, t) for op in ("add", "sub", "mul") for t in ("f16", "f16x2", "bf16", "bf16x2")}


def write_all():
    # What the other tests have is theirs.
    wanted = forms.kept()
    for path in sorted(glob.glob(os.path.join(frame.FOLDER, "*.ptx"))):
        name = os.path.basename(path)
        if not name.startswith("forms_") and name != "refused.ptx":
            wanted -= tested(path) - ALONE
    everything = set(wanted)
    atomics(wanted)
    arithmetic(wanted)
    loads_and_stores(wanted)
    nans()
    smallest()
    for path in glob.glob(os.path.join(frame.FOLDER, "forms_*.ptx")):
        everything -= tested(path)
    if everything:
        print("forms_tests.py: without a test: " + " ".join(sorted(everything)))


INSTRUCTION = re.compile(r"\s*(?:[\w$]+:\s*)?(?:@!?%?\w+\s+)?([a-z][a-z0-9_]*(?:\.[a-zA-Z0-9_:]+)*)(?:\s|$)")


def tested(path):
    """The forms in a test."""
    found = set()
    with open(path) as f:
        for line in f:
            for statement in re.split(r"[;{}]", line.split("//")[0]):
                m = INSTRUCTION.match(statement)
                if m:
                    found.add(m.group(1))
    return found

