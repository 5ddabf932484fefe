"""exact.py: arithmetic of the PTX instruction set in whole numbers and fractions, with no floating
point of the host's in it. tables.py makes the expectations of the instruction tests from it.

A float travels as its bits. A format is (width, fraction bits, exponent bits); every result is the
exact rational number rounded once, in one of the modes rn, rz, rm, rp. With ".ftz" behind it (rn.ftz) a
result is flushed that would be subnormal if exponents had no bounds, as hardware does it.
"""
from fractions import Fraction
from math import isqrt

F16, BF16, F32, F64 = (16, 10, 5), (16, 7, 8), (32, 23, 8), (64, 52, 11)
# The NaN of every result in these formats; doubles keep an operand's NaN and make 0xfff8… themselves.
CANONICAL = {F16: 0x7FFF, BF16: 0x7FFF, F32: 0x7FFFFFFF, F64: 0xFFF8000000000000}


def mask(bits):
    return (1 << bits) - 1


def signed(v, bits):
    v &= mask(bits)
    return v - (1 << bits) if v >> (bits - 1) else v


def split(f, b):
    width, frac, exp = f
    return b >> (width - 1) & 1, b >> frac & mask(exp), b & mask(frac)


def is_nan(f, b):
    _, e, m = split(f, b)
    return e == mask(f[2]) and m != 0


def is_inf(f, b):
    _, e, m = split(f, b)
    return e == mask(f[2]) and m == 0


def is_zero(f, b):
    return b & mask(f[0] - 1) == 0


def is_subnormal(f, b):
    _, e, m = split(f, b)
    return e == 0 and m != 0


def sign(f, b):
    return b >> (f[0] - 1) & 1


def infinity(f, s):
    return s << (f[0] - 1) | mask(f[2]) << f[1]


def zero(f, s):
    return s << (f[0] - 1)


def largest(f, s):
    return infinity(f, s) - 1


def nan(f, *operands):
    """The NaN an operation gives; the operands in the order in which hardware looks for one."""
    if f == F64:
        return next((b | 1 << 51 for b in operands if is_nan(f, b)), CANONICAL[f])
    return CANONICAL[f]


def quiet(f):
    return mask(f[2] + 1) << f[1] - 1


def value(f, b):
    """The rational number of a finite float."""
    s, e, m = split(f, b)
    bias = mask(f[2] - 1)
    if e == 0:
        v = Fraction(m, 1) * Fraction(2) ** (1 - bias - f[1])
    else:
        v = Fraction(m + (1 << f[1])) * Fraction(2) ** (e - bias - f[1])
    return -v if s else v


def to_int(v, mode):
    """A fraction to a whole number."""
    low = v.numerator // v.denominator
    rest = v - low
    if rest == 0:
        return low
    if mode == "rm":
        return low
    if mode == "rp":
        return low + 1
    if mode == "rz":
        return low if v > 0 else low + 1
    if rest == Fraction(1, 2):
        return low + (low & 1)
    return low + (rest > Fraction(1, 2))


def rounded(f, v, mode="rn", zero_sign=0):
    """Bits of the fraction v in format f."""
    width, frac, exp = f
    mode, ftz = mode[:2], mode.endswith(".ftz")
    if v == 0:
        return zero(f, zero_sign)
    s = 1 if v < 0 else 0
    bias = mask(exp - 1)
    a = abs(v)
    e = a.numerator.bit_length() - a.denominator.bit_length()
    if a < Fraction(2) ** e:
        e -= 1
    e = max(e, 1 - bias - ftz)  # subnormals share the lowest exponent
    unit = Fraction(2) ** (e - frac)
    n = to_int(v / unit, mode)
    m = abs(n)
    if m == 0:
        return zero(f, s)
    if m >> (frac + 1):
        m >>= 1
        e += 1
    if e < 1 - bias:
        return zero(f, s)
    if e > bias:
        toward_zero = mode == "rz" or (mode == "rm" and s == 0) or (mode == "rp" and s == 1)
        return largest(f, s) if toward_zero else infinity(f, s)
    biased = e + bias if m >> frac else 0
    return s << (width - 1) | biased << frac | m & mask(frac)


def flush(f, b):
    return zero(f, sign(f, b)) if is_subnormal(f, b) else b


def exact_zero_sign(mode):
    return 1 if mode[:2] == "rm" else 0


def add(f, a, b, mode="rn"):
    if is_nan(f, a) or is_nan(f, b) or (is_inf(f, a) and is_inf(f, b) and a != b):
        return nan(f, b, a)
    if is_inf(f, a) or is_inf(f, b):
        return a if is_inf(f, a) else b
    if is_zero(f, a) and is_zero(f, b):
        return a if a == b else zero(f, exact_zero_sign(mode))
    return rounded(f, value(f, a) + value(f, b), mode, exact_zero_sign(mode))


def negate(f, b):
    return b ^ 1 << (f[0] - 1)


def sub(f, a, b, mode="rn"):
    return add(f, a, b if is_nan(f, b) else negate(f, b), mode)


def mul(f, a, b, mode="rn"):
    s = sign(f, a) ^ sign(f, b)
    if is_nan(f, a) or is_nan(f, b):
        return nan(f, b, a)
    if is_inf(f, a) or is_inf(f, b):
        return nan(f) if is_zero(f, a) or is_zero(f, b) else infinity(f, s)
    return rounded(f, value(f, a) * value(f, b), mode, s)


def fma(f, a, b, c, mode="rn"):
    s = sign(f, a) ^ sign(f, b)
    if is_nan(f, a) or is_nan(f, b) or is_nan(f, c):
        return nan(f, b, c, a)
    if is_inf(f, a) or is_inf(f, b):
        if is_zero(f, a) or is_zero(f, b) or (is_inf(f, c) and sign(f, c) != s):
            return nan(f)
        return infinity(f, s)
    if is_inf(f, c):
        return c
    product = value(f, a) * value(f, b)
    if product == 0 and is_zero(f, c):
        return zero(f, s) if s == sign(f, c) else zero(f, exact_zero_sign(mode))
    return rounded(f, product + value(f, c), mode, exact_zero_sign(mode))


def div(f, a, b, mode="rn"):
    s = sign(f, a) ^ sign(f, b)
    if is_nan(f, a) or is_nan(f, b):
        return nan(f, a, b)
    if is_inf(f, a):
        return nan(f) if is_inf(f, b) else infinity(f, s)
    if is_inf(f, b):
        return zero(f, s)
    if is_zero(f, b):
        return nan(f) if is_zero(f, a) else infinity(f, s)
    return rounded(f, value(f, a) / value(f, b), mode, s)


def rcp(f, a, mode="rn"):
    return div(f, rounded(f, Fraction(1)), a, mode)


def sqrt(f, a, mode="rn"):
    if is_nan(f, a) or (sign(f, a) and not is_zero(f, a)):
        return nan(f, a)
    if is_inf(f, a) or is_zero(f, a):
        return a
    v = value(f, a)
    # The root to 2^-200 below it, made odd in the last place when it is no exact root: rounds alike.
    scale = 1 << 2400
    n = v.numerator * scale * v.denominator
    root = isqrt(n)
    exact = root * root == n
    r = Fraction(2 * root + (0 if exact else 1), 2 * v.denominator * (1 << 1200))
    return rounded(f, r, mode)


def order(f, b):
    """A number that grows with the float; both zeros alike."""
    return -(b & mask(f[0] - 1)) if sign(f, b) else b


def compare(f, cmp, a, b):
    unordered = is_nan(f, a) or is_nan(f, b)
    if cmp == "num":
        return not unordered
    if cmp == "nan":
        return unordered
    if unordered:
        return len(cmp) == 3  # equ, neu, ltu, leu, gtu, geu
    return compare_int(cmp[:2], order(f, a), order(f, b))


def compare_int(cmp, x, y):
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[cmp]


def minimum(f, a, b, nan_wins=False, sense=1):
    if is_nan(f, a) or is_nan(f, b):
        if nan_wins or (is_nan(f, a) and is_nan(f, b)):
            return nan(f, b, a)
        return b if is_nan(f, a) else a
    # -0 lies below +0 here
    x, y = ((order(f, v), -sign(f, v)) for v in (a, b))
    return (a if x <= y else b) if sense > 0 else (a if x >= y else b)


def saturate(f, b):
    """.sat: clamp to [0, 1], NaN and -0 to +0."""
    if is_nan(f, b) or sign(f, b):
        return zero(f, 0)
    return min(b, rounded(f, Fraction(1)))


def convert(dst, src, b, mode="rn", integral=False):
    if is_nan(src, b):
        return b if dst == src == F64 else quiet(dst) if dst == F64 else nan(dst)
    if is_inf(src, b):
        return infinity(dst, sign(src, b))
    v = value(src, b)
    if integral:
        return rounded(dst, Fraction(to_int(v, mode)), "rn", sign(src, b))
    return rounded(dst, v, mode, sign(src, b))


def float_to_int(bits, is_signed, src, b, mode):
    low, high = (-(1 << bits - 1), mask(bits - 1)) if is_signed else (0, mask(bits))
    if is_nan(src, b):  # 0, but the top bit for 64-bit integers and from doubles
        return 0 if bits < 64 and src != F64 else 1 << (bits - 1)
    if is_inf(src, b):
        return low if sign(src, b) else high
    return min(max(to_int(value(src, b), mode), low), high)
