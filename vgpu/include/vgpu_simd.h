/*
 * vgpu_simd.h: functions of words that hold two or four small integers: no carry crosses from one
 * into the next. A part of vgpu_device.h.
 */
#ifndef VGPU_SIMD_H
#define VGPU_SIMD_H

#include "vgpu_device.h"

/* ---- halfwords and bytes ---- */

/* The nearest value that the type holds. */
template <class Part> VGPU_BOTH int __vgpu_saturated(int value) {
    const bool is_signed = (Part)-1 < (Part)0;
    const int top = (1 << (8 * (int)sizeof(Part) - (is_signed ? 1 : 0))) - 1;
    const int bottom = is_signed ? -top - 1 : 0;
    return value > top ? top : value < bottom ? bottom : value;
}
VGPU_BOTH int __vgpu_distance(int x, int y) { return x > y ? x - y : y - x; }
template <class Part> VGPU_BOTH Part __vgpu_more(Part x, Part y) { return x > y ? x : y; }
template <class Part> VGPU_BOTH Part __vgpu_less(Part x, Part y) { return x < y ? x : y; }
/* Sums wrap around. */
template <class Part> VGPU_BOTH Part __vgpu_sum(Part x, Part y) {
    return (Part)((unsigned int)x + (unsigned int)y);
}

/* A function of one, two or three words. x, y and z are their parts, of type Part; the part of the
 * result is expr. */
#define VGPU_PARTS(which, part, expr)                                                              \
    typedef part Part;                                                                             \
    const int bits = 8 * (int)sizeof(Part);                                                        \
    unsigned int r = 0;                                                                            \
    for (int i = 0; i < 32; i += bits) {                                                           \
        which r |= ((unsigned int)(expr) & (0xffffffffu >> (32 - bits))) << i;                     \
    }                                                                                              \
    return r;
#define VGPU_X const Part x = (Part)(a >> i);
#define VGPU_Y const Part y = (Part)(b >> i);
#define VGPU_Z const Part z = (Part)(c >> i);
#define VGPU_SIMD_1(name, part, expr)                                                              \
    VGPU_INTRINSIC unsigned int name(unsigned int a) { VGPU_PARTS(VGPU_X, part, expr) }
#define VGPU_SIMD_2(how, name, part, expr)                                                         \
    how unsigned int name(unsigned int a, unsigned int b) { VGPU_PARTS(VGPU_X VGPU_Y, part, expr) }
#define VGPU_SIMD_3(name, part, expr)                                                              \
    VGPU_BOTH unsigned int name(unsigned int a, unsigned int b, unsigned int c) {                  \
        VGPU_PARTS(VGPU_X VGPU_Y VGPU_Z, part, expr)                                               \
    }

/* name2 has halfwords, name4 bytes. */
#define VGPU_WORD(name, expr)                                                                      \
    VGPU_SIMD_1(name##2, short, expr)                                                              \
    VGPU_SIMD_1(name##4, signed char, expr)
VGPU_WORD(__vabs, x < 0 ? -x : x)
VGPU_WORD(__vneg, -x)
VGPU_WORD(__vabsss, __vgpu_saturated<Part>(x < 0 ? -x : x))
VGPU_WORD(__vnegss, __vgpu_saturated<Part>(-x))
#undef VGPU_WORD

#define VGPU_SIGNED(name, expr)                                                                    \
    VGPU_SIMD_2(VGPU_INTRINSIC, name##2, short, expr)                                              \
    VGPU_SIMD_2(VGPU_INTRINSIC, name##4, signed char, expr)
#define VGPU_UNSIGNED(name, expr)                                                                  \
    VGPU_SIMD_2(VGPU_INTRINSIC, name##2, unsigned short, expr)                                     \
    VGPU_SIMD_2(VGPU_INTRINSIC, name##4, unsigned char, expr)
#define VGPU_EITHER(name, expr)                                                                    \
    VGPU_SIGNED(name##s, expr)                                                                     \
    VGPU_UNSIGNED(name##u, expr)
VGPU_UNSIGNED(__vadd, x + y)
VGPU_UNSIGNED(__vsub, x - y)
VGPU_SIGNED(__vaddss, __vgpu_saturated<Part>(x + y))
VGPU_SIGNED(__vsubss, __vgpu_saturated<Part>(x - y))
VGPU_UNSIGNED(__vaddus, __vgpu_saturated<Part>(x + y))
VGPU_UNSIGNED(__vsubus, __vgpu_saturated<Part>(x - y))
/* Half of the sum: ties go away from zero; __vhaddu rounds down. */
VGPU_SIGNED(__vavgs, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
VGPU_UNSIGNED(__vavgu, (x + y + 1) >> 1)
VGPU_UNSIGNED(__vhaddu, (x + y) >> 1)
VGPU_EITHER(__vabsdiff, __vgpu_distance(x, y))
VGPU_EITHER(__vmax, __vgpu_more(x, y))
VGPU_EITHER(__vmin, __vgpu_less(x, y))

/* Comparisons: __vcmp gives all bits of a part or none, __vset 1 or 0. */
#define VGPU_COMPARE(sort, name, op)                                                               \
    sort(__vcmp##name, x op y ? ~0 : 0) sort(__vset##name, x op y ? 1 : 0)
VGPU_COMPARE(VGPU_UNSIGNED, eq, ==)
VGPU_COMPARE(VGPU_UNSIGNED, ne, !=)
VGPU_COMPARE(VGPU_EITHER, ge, >=)
VGPU_COMPARE(VGPU_EITHER, gt, >)
VGPU_COMPARE(VGPU_EITHER, le, <=)
VGPU_COMPARE(VGPU_EITHER, lt, <)
#undef VGPU_COMPARE
#undef VGPU_EITHER
#undef VGPU_UNSIGNED
#undef VGPU_SIGNED

/* The sum of the distances of all parts: one number. */
#define VGPU_DISTANCES(name, part)                                                                 \
    VGPU_INTRINSIC unsigned int name(unsigned int a, unsigned int b) {                             \
        unsigned int r = 0;                                                                        \
        for (int i = 0; i < 32; i += 8 * (int)sizeof(part))                                        \
            r += (unsigned int)__vgpu_distance((part)(a >> i), (part)(b >> i));                    \
        return r;                                                                                  \
    }
VGPU_DISTANCES(__vsads2, short)
VGPU_DISTANCES(__vsadu2, unsigned short)
VGPU_DISTANCES(__vsads4, signed char)
VGPU_DISTANCES(__vsadu4, unsigned char)
#undef VGPU_DISTANCES

/* ---- the greatest and the least, of whole words and of halfwords, on the host as well ---- */

/* _relu: at least 0. */
#define VGPU_WHOLE(name, word, expr)                                                               \
    VGPU_BOTH word name(word x, word y, word z) { return expr; }
#define VGPU_OF_THREE(name, expr)                                                                  \
    VGPU_WHOLE(name##_s32, int, expr)                                                              \
    VGPU_WHOLE(name##_u32, unsigned int, expr)                                                     \
    VGPU_WHOLE(name##_s32_relu, int, __vgpu_more(expr, 0))                                         \
    VGPU_SIMD_3(name##_s16x2, short, expr)                                                         \
    VGPU_SIMD_3(name##_u16x2, unsigned short, expr)                                                \
    VGPU_SIMD_3(name##_s16x2_relu, short, __vgpu_more(expr, (Part)0))
VGPU_OF_THREE(__vimax3, __vgpu_more(__vgpu_more(x, y), z))
VGPU_OF_THREE(__vimin3, __vgpu_less(__vgpu_less(x, y), z))
VGPU_OF_THREE(__viaddmax, __vgpu_more(__vgpu_sum(x, y), z))
VGPU_OF_THREE(__viaddmin, __vgpu_less(__vgpu_sum(x, y), z))
#undef VGPU_OF_THREE
#undef VGPU_WHOLE
#define VGPU_OF_TWO(name, choice)                                                                  \
    VGPU_BOTH int name##_s32_relu(int x, int y) { return __vgpu_more(choice(x, y), 0); }           \
    VGPU_SIMD_2(VGPU_BOTH, name##_s16x2_relu, short, __vgpu_more(choice(x, y), (Part)0))
VGPU_OF_TWO(__vimax, __vgpu_more)
VGPU_OF_TWO(__vimin, __vgpu_less)
#undef VGPU_OF_TWO

/* With a flag for each part: x is the result, or may as well be. */
#define VGPU_FLAGGED_WORD(name, word, choice, op)                                                  \
    VGPU_BOTH word name(word x, word y, bool *flag) {                                              \
        *flag = x op y;                                                                            \
        return choice(x, y);                                                                       \
    }
#define VGPU_FLAGGED_HALVES(name, part, choice, op)                                                \
    VGPU_BOTH unsigned int name(unsigned int a, unsigned int b, bool *high, bool *low) {           \
        *high = (part)(a >> 16) op(part)(b >> 16);                                                 \
        *low = (part)a op(part) b;                                                                 \
        VGPU_PARTS(VGPU_X VGPU_Y, part, choice(x, y))                                              \
    }
#define VGPU_FLAGGED(name, choice, op)                                                             \
    VGPU_FLAGGED_WORD(name##_s32, int, choice, op)                                                 \
    VGPU_FLAGGED_WORD(name##_u32, unsigned int, choice, op)                                        \
    VGPU_FLAGGED_HALVES(name##_s16x2, short, choice, op)                                           \
    VGPU_FLAGGED_HALVES(name##_u16x2, unsigned short, choice, op)
VGPU_FLAGGED(__vibmax, __vgpu_more, >=)
VGPU_FLAGGED(__vibmin, __vgpu_less, <=)
#undef VGPU_FLAGGED
#undef VGPU_FLAGGED_HALVES
#undef VGPU_FLAGGED_WORD

#undef VGPU_SIMD_3
#undef VGPU_SIMD_2
#undef VGPU_SIMD_1
#undef VGPU_Z
#undef VGPU_Y
#undef VGPU_X
#undef VGPU_PARTS

/* ---- sums of products of the parts of a and b, added to c ---- */

#define VGPU_DOT(word, bytes, halves, op)                                                          \
    VGPU_INTRINSIC word __dp4a(word a, word b, word c) {                                           \
        word r;                                                                                    \
        asm(op " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                             \
        return r;                                                                                  \
    }                                                                                              \
    VGPU_INTRINSIC word __dp4a(bytes##4 a, bytes##4 b, word c) {                                   \
        return __dp4a(__builtin_bit_cast(word, a), __builtin_bit_cast(word, b), c);                \
    }                                                                                              \
    VGPU_INTRINSIC word __dp2a_lo(halves##2 a, bytes##4 b, word c) {                               \
        return c + (word)a.x * (word)b.x + (word)a.y * (word)b.y;                                  \
    }                                                                                              \
    VGPU_INTRINSIC word __dp2a_hi(halves##2 a, bytes##4 b, word c) {                               \
        return c + (word)a.x * (word)b.z + (word)a.y * (word)b.w;                                  \
    }                                                                                              \
    VGPU_INTRINSIC word __dp2a_lo(word a, word b, word c) {                                        \
        return __dp2a_lo(__builtin_bit_cast(halves##2, a), __builtin_bit_cast(bytes##4, b), c);    \
    }                                                                                              \
    VGPU_INTRINSIC word __dp2a_hi(word a, word b, word c) {                                        \
        return __dp2a_hi(__builtin_bit_cast(halves##2, a), __builtin_bit_cast(bytes##4, b), c);    \
    }
VGPU_DOT(int, char, short, "dp4a.s32.s32")
VGPU_DOT(unsigned int, uchar, ushort, "dp4a.u32.u32")
#undef VGPU_DOT

#endif
