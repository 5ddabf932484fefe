#!/usr/bin/env python3
"""forms.py PTXRUN [PTXAS]: writes `lacking`, the candidates below that the virtual GPU does not have.

A form is an opcode with its modifiers. Candidates are written down below as the PTX manual gives them,
alternatives in braces. The virtual GPU has a form when the assembler takes it, so that it is PTX, and the
virtual GPU takes it, so that it is handled: all others are in `lacking`. The coverage test
(vgpu/tests/core_coverage_test.c) wants a test for each that is not (make.py writes the list, `forms`).
Who adds an instruction adds its pattern here, and runs this, or takes the forms off `lacking` by hand.
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
INT = "{u16,s16,u32,s32,u64,s64}"
ROUND = "{,.rn,.rz,.rm,.rp}"
ANY = "{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}"
MEM = "{b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64}"
HALF = "{f16,f16x2,bf16,bf16x2}"
ORDER = "{.eq,.ne,.lt,.le,.gt,.ge}"
FLOAT_ORDER = "{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}"
JOIN = "{,.and,.or,.xor}"

# (forms, operands). In operands d and s stand for a register of the first and of the last type of the form, w
# for one twice as wide, i for a 32-bit one, p and q for predicates, m for an address.
CANDIDATES = [
    ("add.{u16x2,s16x2}", "i, i, i"), ("{min,max}.{u16x2,s16x2}", "i, i, i"), ("{min,max}.relu.{s16x2,s32}", "i, i, i"),
    ("{add,sub}.%s" % INT, "d, d, d"), ("{add,sub}.sat.s32", "d, d, d"), ("{add,sub}{,.cc}.{u32,s32,u64,s64}", "d, d, d"),
    ("{addc,subc}{,.cc}.{u32,s32,u64,s64}", "d, d, d"),
    ("{add,sub,mul}%s{,.ftz}{,.sat}.{f32,f64}" % ROUND, "d, d, d"), ("{fma,mad}%s{,.ftz}{,.sat}.{f32,f64}" % ROUND, "d, d, d, d"),
    ("{add,sub,mul}{,.rn}{,.ftz}{,.sat}.%s" % HALF, "d, d, d"), ("fma.rn{,.ftz}{,.sat,.relu}.%s" % HALF, "d, d, d, d"),
    ("mul{.lo,.hi}.%s" % INT, "d, d, d"), ("mul.wide.{u16,s16,u32,s32}", "w, d, d"), ("mad{.lo,.hi}{,.cc}.%s" % INT, "d, d, d, d"),
    ("mad.hi.sat.s32", "d, d, d, d"), ("mad.wide.{u16,s16,u32,s32}", "w, d, d, w"), ("madc{.lo,.hi}{,.cc}.{u32,s32,u64,s64}", "d, d, d, d"),
    ("mul24{.lo,.hi}.{u32,s32}", "d, d, d"), ("mad24{.lo,.hi}.{u32,s32}", "d, d, d, d"), ("mad24.hi.sat.s32", "d, d, d, d"),
    ("sad.%s" % INT, "d, d, d, d"), ("{div,rem}.%s" % INT, "d, d, d"), ("div{.approx,.full,.rn,.rz,.rm,.rp}{,.ftz}.{f32,f64}", "d, d, d"),
    ("{min,max}.%s" % INT, "d, d, d"), ("{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.{f32,f64}", "d, d, d"), ("{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.%s" % HALF, "d, d, d"),
    ("{abs,neg}.{s16,s32,s64}", "d, d"), ("{abs,neg}{,.ftz}.{f32,f64}", "d, d"), ("{abs,neg}{,.ftz}.%s" % HALF, "d, d"),
    ("copysign.{f32,f64}", "d, d, d"), ("{rcp,sqrt}{.approx,.rn,.rz,.rm,.rp}{,.ftz}.{f32,f64}", "d, d"),
    ("{rsqrt,sin,cos,lg2,ex2,tanh}.approx{,.ftz}.{f32,f64,f16,f16x2,bf16,bf16x2}", "d, d"), ("tanh.approx.{f16,f16x2,bf16,bf16x2}", "d, d"),
    ("ex2.approx.ftz.{bf16,bf16x2}", "d, d"), ("rcp.approx.ftz.f64", "d, d"),
    ("{vabsdiff2,vabsdiff4}.u32.u32.u32{,.add}", "i, i, i, i"),
    ("dp4a.{u32,s32}.{u32,s32}", "i, i, i, i"), ("dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "i, i, i, i"),
    ("{and,or,xor}.{pred,b16,b32,b64}", "d, d, d"), ("not.{pred,b16,b32,b64}", "d, d"), ("cnot.{b16,b32,b64}", "d, d"),
    ("shl.{b16,b32,b64}", "d, d, i"), ("shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", "d, d, i"), ("{popc,clz}.{b32,b64}", "i, d"),
    ("bfind{,.shiftamt}.{u32,s32,u64,s64}", "i, d"), ("brev.{b32,b64}", "d, d"), ("bfe.{u32,s32,u64,s64}", "d, d, i, i"),
    ("bfi.{b32,b64}", "d, d, d, i, i"), ("lop3.b32", "d, d, d, d, 0x96"), ("shf{.l,.r}{.clamp,.wrap}.b32", "d, d, d, i"),
    ("prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "i, i, i, i"), ("fns.b32", "i, i, i, i"), ("bmsk{.clamp,.wrap}.b32", "i, i, i"), ("szext{.clamp,.wrap}.{u32,s32}", "d, d, i"),
    ("setp{.eq,.ne}.{b16,b32,b64}", "p|q, d, d"), ("setp%s.%s" % (ORDER, INT), "p|q, d, d"), ("setp{.lo,.ls,.hi,.hs}.{u16,u32,u64}", "p|q, d, d"),
    ("setp%s{,.ftz}.{f32,f64}" % FLOAT_ORDER, "p|q, d, d"), ("setp{.eq,.lt,.geu,.nan}{,.ftz}.%s" % HALF, "p|q, d, d"),
    ("setp{.le,.geu}{.and,.or,.xor}.{s32,f32}", "p|q, d, d, !p"),
    ("set{.eq,.gt}.{u32,s32,f32}.{b32,s32,u64}", "i, s, s"), ("set{.le,.nan}{,.ftz}.{u32,s32,f32}.{f32,f64}", "i, s, s"), ("set.lt.and.u32.s32", "i, i, i, p"),
    ("set{.lt,.nan}{,.ftz}.{f16,u16,u32,f16x2,bf16x2}.%s" % HALF, "d, s, s"),
    ("selp.%s" % ANY, "d, d, d, p"), ("slct{,.ftz}.%s.{s32,f32}" % ANY, "d, d, d, s"), ("testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}.{f32,f64}", "p, d"),
    ("mov.{pred,b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", "d, d"),
    ("cvt.{u8,u16,u32,u64,s8,s16,s32,s64}.{u8,u16,u32,u64,s8,s16,s32,s64}", "d, s"), ("cvt.sat.{u8,u16,u32,u64,s8,s16,s32,s64}.{u8,u16,u32,u64,s8,s16,s32,s64}", "d, s"),
    ("cvt{.rni,.rzi,.rmi,.rpi}.{u8,u16,u32,u64,s8,s16,s32,s64}.{f16,bf16,f32,f64}", "d, s"), ("cvt{.rni,.rzi,.rmi,.rpi}.ftz{,.sat}.{u8,u32,s32,u64}.f32", "d, s"),
    ("cvt{.rzi}.sat.{u8,s32}.{f32,f64}", "d, s"),
    ("cvt{.rn,.rz,.rm,.rp}.{f16,bf16,f32,f64}.{u8,u16,u32,u64,s8,s16,s32,s64}", "d, s"), ("cvt.rn.sat.{f16,f32,f64}.{u32,s32}", "d, s"),
    ("cvt{,.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.{f16,bf16,f32,f64}.{f16,bf16,f32,f64}", "d, s"), ("cvt{.rn,.rz}{,.relu}.{f16,bf16}.f32", "d, s"),
    ("cvt{.rn,.rz}{,.relu}.{f16x2,bf16x2}.f32", "d, s, s"), ("cvt{.rn,.rz,.rna}{,.relu}{,.satfinite}.tf32.f32", "i, i"),
    ("cvt.pack.sat.{u16,s16}.s32", "i, i, i"), ("cvt.pack.sat.{u8,s8,u4,s4,u2,s2}.s32.b32", "i, i, i, i"),
    ("cvta{,.to}.{global,shared,local,const,param}.u64", "d, d"), ("isspacep.{global,shared,local,const,param,shared::cta}", "p, m"),
    ("ld{,.global,.shared,.local,.const}{,.v2,.v4}.%s" % MEM, "LOAD"), ("ld{.volatile,.relaxed.gpu,.acquire.gpu}{,.global,.shared}.{u8,u32,u64,f32,f64}", "d, [m]"),
    ("ld.global{.nc,.ca,.cg,.cs,.lu,.cv}.{u8,u32,f32,f64}", "d, [m]"), ("ldu{,.global}{,.v2,.v4}.%s" % MEM, "LOAD"),
    ("st{,.global,.shared,.local}{,.v2,.v4}.%s" % MEM, "STORE"), ("st{.volatile,.relaxed.gpu,.release.gpu}{,.global,.shared}.{u8,u32,u64,f32,f64}", "[m], d"),
    ("st.global{.wb,.cg,.cs,.wt}.{u8,u32,f32,f64}", "[m], d"),
    ("atom{,.relaxed.gpu}{,.global,.shared}.add.{u32,s32,u64,f32,f64,f16,f16x2,bf16,bf16x2}", "d, [m], d"), ("atom{,.global,.shared}.add.noftz.{f16,f16x2,bf16,bf16x2}", "d, [m], d"),
    ("atom.global.add{.v2,.v4}.f32", "ATOM"), ("red.global.add{.v2,.v4}.f32", "STORE"),
    ("atom{,.global,.shared}{.min,.max}.{u32,s32,u64,s64}", "d, [m], d"), ("atom{,.global,.shared}{.and,.or,.xor,.exch}.{b32,b64}", "d, [m], d"),
    ("atom{,.global,.shared}{.inc,.dec}.u32", "d, [m], d"), ("atom{,.global,.shared}.cas.{b16,b32,b64}", "d, [m], d, d"),
    ("red{,.relaxed.gpu}{,.global,.shared}.add.{u32,s32,u64,f32,f64}", "[m], d"), ("red{,.global,.shared}.add.noftz.{f16,f16x2,bf16,bf16x2}", "[m], d"),
    ("red{,.global,.shared}{.min,.max}.{u32,s32,u64,s64}", "[m], d"),
    ("red{,.global,.shared}{.and,.or,.xor}.{b32,b64}", "[m], d"), ("red{,.global,.shared}{.inc,.dec}.u32", "[m], d"),
    ("{bar,barrier}.sync", "0"), ("{bar,barrier}.arrive", "1, 64"), ("{bar,barrier}.red.popc.u32", "i, 0, p"), ("{bar,barrier}.red{.and,.or}.pred", "p, 0, q"),
    ("bar.warp.sync", "i"), ("barrier{.sync,.arrive}.aligned", "1, 64"), ("barrier.red.popc.aligned.u32", "i, 0, p"),
    ("shfl.sync{.up,.down,.bfly,.idx}.b32", "i|p, i, i, i, i"), ("vote.sync{.all,.any,.uni}.pred", "p, q, i"), ("vote.sync.ballot.b32", "i, q, i"),
    ("match.any.sync.{b32,b64}", "i, d, i"), ("match.all.sync.{b32,b64}", "i|p, d, i"), ("elect.sync", "i|p, i"), ("activemask.b32", "i"),
    ("redux.sync{.add,.min,.max}.{u32,s32}", "d, d, i"), ("redux.sync{.and,.or,.xor}.b32", "d, d, i"), ("trap", ""), ("brkpt", ""), ("exit", ""), ("ret", ""),
    ("membar{.cta,.gl,.sys}", ""), ("fence{,.acq_rel,.sc}{.cta,.gpu,.sys}", ""), ("prefetch{,.global}{.L1,.L2}", "[m]"), ("prefetchu.L1", "[m]"),
    ("nanosleep.u32", "100"), ("pmevent", "1"), ("griddepcontrol{.wait,.launch_dependents}", ""),
    ("bra{,.uni}", "END"), ("mov.b64", "d, {i, i}"), ("mov.b32", "i, {h, h}"), ("mov.b64", "d, {h, h, h, h}"),
    ("mbarrier.init{.shared,.shared::cta,}.b64", "[m], 1"), ("mbarrier.inval{.shared,}.b64", "[m]"),
    ("mbarrier.{arrive,arrive_drop}{,.noComplete}{.shared,.shared::cta,}.b64", "d, [m], 1"), ("mbarrier.{test_wait,try_wait}{.shared,}.b64", "p, [m], d"),
    ("mbarrier.{test_wait,try_wait}.parity{.shared,}.b64", "p, [m], 1"), ("mbarrier.pending_count.b64", "i, d"),
    ("cp.async.mbarrier.arrive{,.noinc}{.shared,}.b64", "[m]"),
    ("cp.async{.ca,.cg}.shared.global", "[i], [m], 16"), ("cp.async.commit_group", ""), ("cp.async.wait_group", "0"), ("cp.async.wait_all", ""),
    ("ldmatrix.sync.aligned.m8n8{.x1,.x2,.x4}{,.trans}.shared.b16", "LDMATRIX"), ("mma.sync.aligned.m16n8k16.row.col.f32{.f16.f16,.bf16.bf16}.f32", "MMA16"),
    ("mma.sync.aligned.m16n8k8.row.col.f32{.f16.f16,.bf16.bf16,.tf32.tf32}.f32", "MMA8"), ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "MMAH"),
]
# Forms whose operands are too many for the signs above; they are in no list of what is lacking.
SHAPES = "{m16n16k16,m32n8k16,m8n32k16}"
OTHERS = [
    "wmma.load.{a,b}.sync.aligned.{row,col}.%s.shared.{f16,bf16}" % SHAPES, "wmma.load.{a,b}.sync.aligned.{row,col}.m16n16k8.shared.tf32",
    "wmma.load.c.sync.aligned.{row,col}.%s.shared.{f16,f32}" % SHAPES, "wmma.load.c.sync.aligned.{row,col}.m16n16k8.shared.f32",
    "wmma.mma.sync.aligned.row.col.%s.{f16.f16,f32.f32,f32.bf16.bf16.f32}" % SHAPES, "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
    "wmma.store.d.sync.aligned.{row,col}.%s.global.{f16,f32}" % SHAPES, "wmma.store.d.sync.aligned.{row,col}.m16n16k8.global.f32",
    "mma.sync.aligned.m16n8k32.row.col{,.satfinite}.s32.{s8.s8,u8.u8}.s32", "mma.sync.aligned.m16n8k16.row.col{,.satfinite}.s32.s8.u8.s32",
    "mma.sync.aligned.m8n8k16.row.col{,.satfinite}.s32.{s8.s8,u8.s8}.s32", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
    "tex.{1d,2d,3d}.v4.{f32,s32,u32}.f32", "tex.1d.v4.{f32,s32,u32}.s32",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "movmatrix.sync.aligned.m8n8.trans.b16", "stmatrix.sync.aligned.m8n8.x4{,.trans}.shared.b16",
]
REGISTER = {"b8": "h", "u8": "h", "s8": "h", "pred": "p", "b16": "h", "u16": "h", "s16": "h", "f16": "h", "bf16": "h",
            "b64": "l", "u64": "l", "s64": "l", "f32": "f", "f64": "g"}
WIDE = {"u16": "i", "s16": "i", "u32": "l", "s32": "l"}
TYPE = re.compile(r"(?:pred|(?:bf|[busf])\d+(?:x2)?|tf32)$")


def expand(pattern):
    """Every text that the braces allow."""
    parts = re.split(r"\{([^}]*)\}", pattern)
    choices = [p.split(",") if i % 2 else [p] for i, p in enumerate(parts)]
    return ["".join(c) for c in itertools.product(*choices)]


def instruction(form, operands):
    types = [m for m in form.split(".")[1:] if TYPE.match(m)]
    first = REGISTER.get(types[0], "i") if types else "i"
    last = REGISTER.get(types[-1], "i") if types else "i"
    n = 4 if ".v4" in form else 2 if ".v2" in form else 1
    vector = first if n == 1 else "{%s}" % ", ".join([first] * n)
    address = "i" if ".shared" in form or ".local" in form else "m"
    whole = {"LOAD": "%s, [%s]" % (vector, address), "STORE": "[%s], %s" % (address, vector), "ATOM": "%s, [%s], %s" % (vector, address, vector), "END": "END",
             "LDMATRIX": "{%s}, [i]" % ", ".join(["i"] * (4 if ".x4" in form else 2 if ".x2" in form else 1)),
             "MMA16": "{f,f,f,f}, {i,i,i,i}, {i,i}, {f,f,f,f}", "MMA8": "{f,f,f,f}, {i,i%s}, {i%s}, {f,f,f,f}" % ((",i,i", ",i") if "tf32" in form else ("", "")),
             "MMAH": "{i,i}, {i,i,i,i}, {i,i}, {i,i}"}
    names = {"d": first, "s": last, "w": WIDE.get(types[0], "l") if types else "l"}
    text = whole.get(operands) or re.sub(r"\b[dsw]\b", lambda m: names[m.group()], operands)
    if address == "i":
        text = text.replace("[m]", "[i]")
    text = re.sub(r"\b[hilfgpqm]\b", lambda m: "%" + m.group(), text)
    return "%s %s;" % (form, text)


def kernel(name, text):
    return (".visible .entry %s() { .reg .b16 %%h; .reg .b32 %%i; .reg .b64 %%l, %%m; .reg .f32 %%f; .reg .f64 %%g; .reg .pred %%p, %%q; "
            "%s END: ret; }" % (name, text))


HEAD = ".version 8.1\n.target sm_90\n.address_size 64\n"


def assembled(ptxas, texts):
    """Which of the instructions ptxas takes: those it complains of are left out until it complains no more."""
    good = list(range(len(texts)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.ptx")
        while good:
            with open(path, "w") as f:
                f.write(HEAD + "\n".join(kernel("k%d" % i, texts[i]) for i in good) + "\n")
            r = subprocess.run([ptxas, "-arch=sm_90", "-O0", path, "-o", os.path.join(folder, "all.cubin")], capture_output=True, text=True)
            if r.returncode == 0:
                return good
            bad = {int(m) - 4 for m in re.findall(r"line (\d+); error", r.stderr)}
            if not bad:
                sys.exit(r.stderr[-2000:])
            good = [g for k, g in enumerate(good) if k not in bad]
    return good


def handled(ptxrun, texts):
    """Which of them the virtual GPU takes."""
    good = []
    with tempfile.TemporaryDirectory() as folder:
        for i, text in enumerate(texts):
            with open("%s/%d.ptx" % (folder, i), "w") as f:
                # a branch over the instruction: it is read and translated, and not carried out
                f.write("// run: --kernel k --block 1\n" + HEAD + kernel("k", "bra.uni END; " + text))
        subprocess.run([ptxrun, "--tests", folder] + ["%s/%d.ptx" % (folder, i) for i in range(len(texts))], check=True)
        for i in range(len(texts)):
            with open("%s/%d.out" % (folder, i)) as f:
                if "fault" not in f.read():
                    good.append(i)
    return good


def kept():
    """The forms that the virtual GPU has."""
    with open(os.path.join(HERE, "lacking")) as f:
        lacking = {form for line in f if line[0] != "#" for form in line.split()}
    return {form for pattern, _ in CANDIDATES for form in expand(pattern)} - lacking | {form for pattern in OTHERS for form in expand(pattern)}


def keep(lacking):
    lines = ["# Candidates of forms.py that are no PTX, or that the virtual GPU lacks; written by forms.py."]
    for _, group in itertools.groupby(sorted(lacking), lambda form: form.split(".")[0]):
        lines += textwrap.wrap(" ".join(group), 100, break_long_words=False, break_on_hyphens=False)
    with open(os.path.join(HERE, "lacking"), "w") as f:
        f.write("\n".join(lines) + "\n")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ptxas = sys.argv[2] if len(sys.argv) > 2 else "ptxas"
    pairs = sorted({(form, operands) for pattern, operands in CANDIDATES for form in expand(pattern)})
    texts = [instruction(*p) for p in pairs]
    legal = assembled(ptxas, texts)
    mine = handled(sys.argv[1], [texts[i] for i in legal])
    forms = sorted({pairs[legal[k]][0] for k in mine})
    missing = sorted({pairs[i][0] for i in legal} - set(forms))
    keep({form for form, _ in pairs} - set(forms))
    print("%d forms; PTX of the list that the virtual GPU lacks: %d" % (len(forms), len(missing)))
    print("\n".join(missing))


if __name__ == "__main__":
    main()
