"""tables.py: writes the instruction tests, NAME.ptx and NAME.expected (make.py calls it).

The expectations are computed in tables_*.py, from the definitions in the PTX manual, with the exact
arithmetic of exact.py; the executor has no part in them.
"""
from tables_convert import (
    cvt_bf16, cvt_float_float, cvt_float_int, cvt_int, cvt_int_float, cvt_pack)
from tables_float import (
    float_arithmetic, float_minmax, float_modifiers, float_special, half_arithmetic, half_other)
from tables_int import (
    choose, compare, int_24, int_arithmetic, int_bits, int_carry, int_division,
    int_division_by_zero, int_pairs, shuffle, sregs, vabsdiff)


def write_all():
    for family in (
            int_arithmetic, int_division, int_division_by_zero, int_24, int_bits, int_pairs,
            vabsdiff, int_carry, sregs, compare, choose, float_arithmetic, float_modifiers,
            float_minmax, float_special, cvt_int, cvt_float_int, cvt_int_float, cvt_float_float,
            cvt_bf16, cvt_pack, shuffle, half_arithmetic, half_other):
        family()
