"""meaning.py: what an instruction leaves in its destinations, told from its text, for the tests that
forms_tests.py writes. The arithmetic is that of exact.py; the executor has no part in it.

`result(text, values)` takes the text of frame.File.kernel and the values of its sources, as bits, and
gives a tuple of bits. `atomic` does the same for a cell of memory. What a rule says here of NaNs and of
subnormal numbers is what the H200 taught (README.md): make.py holds it against the GPU's. Of approximate
functions there are only results that leave them no room, in KNOWN.
"""
import operator
import re
from fractions import Fraction

import exact
import forms
from exact import BF16, F16, F32, F64, mask, signed

FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
SIGNED = {"u": lambda v, n: v & mask(n), "b": lambda v, n: v & mask(n), "s": signed}
LOGIC = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
# Zeros, infinities, NaNs, and what is exact: argument and result. Those of doubles use upper halves alone.
KNOWN = {
    "ex2": {"f16": {0: 0x3C00, 0x8000: 0x3C00, 0x3C00: 0x4000, 0xBC00: 0x3800, 0x4200: 0x4800, 0x7C00: 0x7C00,
                    0xFC00: 0, 0x7E00: 0x7FFF, 0x7BFF: 0x7C00, 0xFBFF: 0},
            "bf16": {0: 0x3F80, 0x8000: 0x3F80, 0x3F80: 0x4000, 0xBF80: 0x3F00, 0x4040: 0x4100, 0x7F80: 0x7F80,
                     0xFF80: 0, 0x7FC0: 0x7FFF, 0x7F7F: 0x7F80, 0xFF7F: 0}},
    "tanh": {"f16": {0: 0, 0x8000: 0x8000, 1: 1, 0x8001: 0x8001, 0x7C00: 0x3C00, 0xFC00: 0xBC00, 0x7E00: 0x7FFF,
                     0x7BFF: 0x3C00, 0xFBFF: 0xBC00},
             "bf16": {0: 0, 0x8000: 0x8000, 0x7F80: 0x3F80, 0xFF80: 0xBF80, 0x7FC0: 0x7FFF, 0x7F7F: 0x3F80,
                      0xFF7F: 0xBF80}},
    "rcp": {"f64": {
        0: 0x7FF0 << 48, 1 << 63: 0xFFF0 << 48, 0x3FF0 << 48: 0x3FF0 << 48, 0xC000 << 48: 0xBFE0 << 48,
        0x3FF00000FFFFFFFF: 0x3FF0 << 48, 0x7FF0 << 48: 0, 0xFFF0 << 48: 1 << 63, 0x7FF8 << 48: 0x7FFFFFFF << 32,
        0xFFF8000000000123: 0x7FFFFFFF << 32, 0x7FF0000000000001: 0, 0x000FFFFFFFFFFFFF: 0x7FF0 << 48,
        0x8000000000000001: 0xFFF0 << 48, 0x7FD0 << 48: 0x0010 << 48, 0x7FE0 << 48: 0, 0x0010 << 48: 0x7FD0 << 48,
        0x0020 << 48: 0x7FC0 << 48}},
    "rsqrt": {"f64": {
        0: 0x7FF0 << 48, 1 << 63: 0xFFF0 << 48, 0x3FF0 << 48: 0x3FF0 << 48, 0x4010 << 48: 0x3FE0 << 48,
        0x3FD00000FFFFFFFF: 0x4000 << 48, 0x7FF0 << 48: 0, 0xFFF0 << 48: 0x7FFFFFFF << 32,
        0xBFF0 << 48: 0x7FFFFFFF << 32, 0x7FF8 << 48: 0x7FFFFFFF << 32, 0xFFF8000000000123: 0x7FFFFFFF << 32,
        0x000FFFFFFFFFFFFF: 0x7FF0 << 48, 0x8000000000000001: 0xFFF0 << 48, 0x0010 << 48: 0x5FE0 << 48,
        0x7FD0 << 48: 0x2000 << 48}},
}


class Form:
    """A form's opcode, its modifiers, its first and its last type, its rounding."""

    def __init__(self, form):
        self.op, *rest = form.split(".")
        types = [word for word in rest if forms.TYPE.match(word)]
        self.words = set(rest)
        self.to, self.of = (types[0], types[-1]) if types else (None, None)
        self.ftz = "ftz" in rest
        mode = next((w for w in rest if re.match("r[nzmp]i?$", w)), "rn")
        self.mode = mode[:2] + (".ftz" if self.ftz else "")
        self.integral = mode.endswith("i")

    def of_halves(self):
        """The same of one half of a pair."""
        half = Form.__new__(Form)
        half.__dict__ = dict(self.__dict__, to=self.to.replace("x2", ""), of=self.of.replace("x2", ""))
        if half.to == "u32":
            half.to = "u16"
        return half


def number(t, v):
    return SIGNED[t[0]](v, int(t[1:]))


def clip(form, f, b):
    """What .sat and .relu make of a result."""
    if "sat" in form.words:
        return exact.saturate(f, b)
    if "relu" in form.words and not exact.is_nan(f, b) and exact.sign(f, b):
        return 0
    return b


# ---- floats ----

FLOAT = {"add": exact.add, "sub": exact.sub, "mul": exact.mul, "fma": exact.fma, "mad": exact.fma, "div": exact.div,
         "rcp": exact.rcp, "sqrt": exact.sqrt}


def with_sign(f, b, of):
    return b & mask(f[0] - 1) | exact.zero(f, of)


def smaller(form, f, a, b):
    """min and max. With .xorsign.abs of the absolute values, and then with the product's sign."""
    sense = 1 if form.op == "min" else -1
    if "xorsign" not in form.words:
        return exact.minimum(f, a, b, "NaN" in form.words, sense)
    found = exact.minimum(f, with_sign(f, a, 0), with_sign(f, b, 0), "NaN" in form.words, sense)
    return found if exact.is_nan(f, found) else with_sign(f, found, exact.sign(f, a) ^ exact.sign(f, b))


def float_result(form, f, values):
    if form.ftz:
        values = [exact.flush(f, v) for v in values]
    if form.op in FLOAT:
        return clip(form, f, FLOAT[form.op](f, *values, form.mode))
    if form.op in ("min", "max"):
        return smaller(form, f, *values)
    if form.op == "copysign":
        return with_sign(f, values[1], exact.sign(f, values[0]))
    if exact.is_nan(f, values[0]):
        return exact.nan(f, *values)
    return with_sign(f, values[0], 0) if form.op == "abs" else exact.negate(f, values[0])


# ---- conversions ----

def to_tf32(form, b):
    """tf32 has 10 bits behind the point, and keeps the rest of the register zero."""
    if exact.is_nan(F32, b):
        return (b if "rna" in form.words else exact.CANONICAL[F32]) & ~mask(13)
    if not exact.is_inf(F32, b):
        if "rna" in form.words:
            b += 0x1000
        elif form.mode == "rn":
            b += 0xFFF + (b >> 13 & 1)
    return clip(form, F32, b & ~mask(13))


def nan_from(form, source, target, b):
    """To and from doubles a NaN keeps its sign and what fits of its payload, and becomes quiet."""
    if source == target or F64 not in (source, target):
        return b | 1 << target[1] - 1 if target == F64 else exact.CANONICAL[target]
    if form.ftz and source == F32:
        b = exact.CANONICAL[F32]
    payload = exact.split(source, b)[2] << target[1] >> source[1]
    return exact.infinity(target, exact.sign(source, b)) | payload | 1 << target[1] - 1


def float_conversion(form, source, target, b):
    moved = form.words <= {form.to, form.of, "rn", "rz", "rm", "rp"}
    if moved and (form.to, form.of) in (("f32", "f32"), ("f64", "f64"), ("f32", "bf16")):
        return b << target[0] - source[0]  # NaNs as they are
    if exact.is_nan(source, b):
        return clip(form, target, nan_from(form, source, target, b))
    mode = form.mode[:2]
    if form.ftz and target != F16:  # .ftz does nothing for halves
        b = exact.flush(source, b) if source == F32 else b
        mode = form.mode if not form.integral else mode
    return clip(form, target, exact.convert(target, source, b, mode, form.integral))


def conversion(form, v):
    source, target = FORMATS.get(form.of), FORMATS.get(form.to)
    if form.to == "tf32":
        return to_tf32(form, v)
    if source and target:
        return float_conversion(form, source, target, v)
    if source is None:
        return clip(form, target, exact.rounded(target, Fraction(number(form.of, v)), form.mode))
    n = int(form.to[1:])
    whole = exact.float_to_int(n, form.to[0] == "s", source, exact.flush(F32, v) if form.ftz else v, form.mode[:2])
    return whole & mask(n) if form.to[0] == "u" else whole


# ---- comparing and choosing ----

def compared(form, a, b):
    cmp = next(w for w in form.words if re.match("(eq|ne|lt|le|gt|ge)u?$|num$|nan$", w))
    if form.of not in FORMATS:
        return exact.compare_int(cmp, number(form.of, a), number(form.of, b))
    f = FORMATS[form.of]
    if form.ftz:
        a, b = exact.flush(f, a), exact.flush(f, b)
    return exact.compare(f, cmp, a, b)


def predicates(form, a, b, c=None):
    """p and q of setp; the third operand is negated, as forms.py writes it."""
    if form.of.endswith("x2"):
        half = form.of_halves()
        return tuple(int(compared(half, a >> n & mask(16), b >> n & mask(16))) for n in (0, 16))
    found = (compared(form, a, b), not compared(form, a, b))
    join = next((LOGIC[w] for w in form.words if w in LOGIC), None)
    return tuple(int(join(p, not c) if join else p) for p in found)


def chosen(form, a, b, c):
    if form.op == "selp":
        return a if c else b
    if form.of == "s32":
        return a if signed(c, 32) >= 0 else b
    return a if exact.compare(F32, "ge", exact.flush(F32, c) if form.ftz else c, 0) else b


# ---- whole numbers ----

def dot(form, a, b, c):
    """dp2a: two 16-bit numbers of a, two bytes of b's lower or upper half."""
    at, bt = [w for w in form.text.split(".")[1:] if forms.TYPE.match(w)]
    first = 2 if "hi" in form.words else 0
    return c + sum(SIGNED[at[0]](a >> 16 * i, 16) * SIGNED[bt[0]](b >> 8 * (first + i), 8) for i in (0, 1))


def chain(form, a, b, c, carry):
    """An instruction that takes a carry, or makes one: its result, and what is carried out."""
    n = int(form.to[1:])
    carry = int(carry != 0) if form.op.endswith("c") else 0
    if form.op.startswith("mad"):
        product = number(form.to, a) * number(form.to, b)
        a, b = (product >> n if "hi" in form.words else product), c
    if form.op.startswith("sub"):
        total = (a & mask(n)) - (b & mask(n)) - carry
        return total, (-1 if total < 0 else 0) if "cc" in form.words else 0
    total = (a & mask(n)) + (b & mask(n)) + carry
    return total, total >> n if "cc" in form.words else 0


def field(form, a, b):
    """bmsk: b bits from bit a on. szext: a number of b bits, extended."""
    if "wrap" in form.words:
        a, b = a & 31 if form.op == "bmsk" else a, b & 31
    if form.op == "bmsk":
        return (1 << min(b, 32)) - 1 << min(a, 32)
    return SIGNED[form.to[0]](a, min(b, 32)) if b else 0


def nth_set(bits, base, offset):
    """fns: the place of the n-th bit that is set, from `base` on, up or down; all ones where there is none."""
    offset = signed(offset, 32)
    places = range(base, 32) if offset >= 0 else range(base, -1, -1) if base < 32 else ()
    found = [i for i in places if bits >> i & 1]
    if offset == 0:
        return base if found and found[0] == base else mask(32)
    return found[abs(offset) - 1] if abs(offset) <= len(found) else mask(32)


# ---- all of them ----

def pair(form, values):
    """An instruction of pairs is that of each half."""
    half = form.of_halves()
    low, high = (one(half, [v >> n & mask(16) for v in values]) for n in (0, 16))
    return low & mask(16) | (high & mask(16)) << 16


def one(form, values):
    """The result in the only destination."""
    if form.of.endswith("x2"):
        return pair(form, values)
    if "approx" in form.words:
        return KNOWN[form.op][form.to][values[0]]
    if form.op == "mov":
        return values[0]
    if form.op == "cvt":
        return conversion(form, *values)
    if form.op == "set":
        yes = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000}.get(form.to, -1)
        return yes if compared(form, *values) else 0
    if form.op in ("selp", "slct"):
        return chosen(form, *values)
    if form.to in FORMATS:
        return float_result(form, FORMATS[form.to], values)
    if form.op in LOGIC:
        return LOGIC[form.op](*values)
    if form.op == "shr":
        return values[0] >> values[1] if values[1] < int(form.to[1:]) else 0
    if form.op == "fns":
        return nth_set(*values)
    return dot(form, *values) if form.op == "dp2a" else field(form, *values)


def result(text, values):
    lines = [line.strip() for line in text.split("\n")]
    form = Form(lines[1 if len(lines) > 1 else 0].split(" ")[0])
    form.text = lines[0].split(" ")[0]
    if len(lines) > 1:
        return chain(form, *values)
    if form.op == "setp":
        return predicates(form, *values)
    return (one(form, values),)


def atomic(form, cell, values):
    """(what the instruction hands out, what the cell holds then) of atom and of red, which hands nothing out."""
    place, t, v = form, form.split(".")[-1], values[0]
    how = next(w for w in place.split(".") if w in ("add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas"))
    if how == "cas":
        new = values[1] if cell == v else cell
    elif how == "exch":
        new = v
    elif how == "inc":
        new = 0 if cell >= v else cell + 1
    elif how == "dec":
        new = v if cell == 0 or cell > v else cell - 1
    elif how in LOGIC:
        new = LOGIC[how](cell, v)
    elif how in ("min", "max"):
        new = {"min": min, "max": max}[how](number(t, cell), number(t, v))
    elif t == "f64" and ".global" in place and (exact.is_nan(F64, v) or exact.is_nan(F64, cell)):
        new = v if exact.is_nan(F64, v) else cell  # as it is, not made quiet
    elif t.replace("x2", "") in FORMATS:
        flushed = ".ftz" if t == "f32" and ".global" in place else ""
        new = one(Form("add.rn%s.%s" % (flushed, t)), [cell, v])
    else:
        new = cell + v
    return cell, new
