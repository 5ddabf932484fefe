/*
 * vgpu_complex.h: products and quotients of _Complex numbers in device code, and so of
 * std::complex and cuda::std::complex. The compiler calls these functions by their names; the host
 * has them in libgcc.
 *
 * As Annex G of C has it: where both parts come out as NaN although an operand is infinite, the
 * result is infinite. A quotient is scaled by a power of two, so that no square overflows.
 */
#ifndef VGPU_COMPLEX_H
#define VGPU_COMPLEX_H

#include "vgpu_math.h"

#define VGPU_COMPLEX(T, PRODUCT, QUOTIENT, COPYSIGN, FMAX, FABS, LOGB, SCALBN)                     \
    extern "C" __device__ inline T _Complex PRODUCT(T a, T b, T c, T d) {                          \
        T real = a * c - b * d, imag = a * d + b * c;                                              \
        if (real != real && imag != imag) {                                                        \
            const bool left = __builtin_isinf(a) || __builtin_isinf(b);                            \
            const bool right = __builtin_isinf(c) || __builtin_isinf(d);                           \
            const bool between = __builtin_isinf(a * c) || __builtin_isinf(b * d) ||               \
                                 __builtin_isinf(a * d) || __builtin_isinf(b * c);                 \
            if (left) {                                                                            \
                a = COPYSIGN(__builtin_isinf(a) ? T(1) : T(0), a);                                 \
                b = COPYSIGN(__builtin_isinf(b) ? T(1) : T(0), b);                                 \
            }                                                                                      \
            if (right) {                                                                           \
                c = COPYSIGN(__builtin_isinf(c) ? T(1) : T(0), c);                                 \
                d = COPYSIGN(__builtin_isinf(d) ? T(1) : T(0), d);                                 \
            }                                                                                      \
            if (left || right || between) {                                                        \
                a = a != a ? COPYSIGN(T(0), a) : a;                                                \
                b = b != b ? COPYSIGN(T(0), b) : b;                                                \
                c = c != c ? COPYSIGN(T(0), c) : c;                                                \
                d = d != d ? COPYSIGN(T(0), d) : d;                                                \
                real = T(__builtin_inf()) * (a * c - b * d);                                       \
                imag = T(__builtin_inf()) * (a * d + b * c);                                       \
            }                                                                                      \
        }                                                                                          \
        T _Complex z;                                                                              \
        __real__ z = real;                                                                         \
        __imag__ z = imag;                                                                         \
        return z;                                                                                  \
    }                                                                                              \
    extern "C" __device__ inline T _Complex QUOTIENT(T a, T b, T c, T d) {                         \
        const T size = LOGB(FMAX(FABS(c), FABS(d)));                                               \
        const bool scales = __builtin_isfinite(size);                                              \
        const int by = scales ? (int)size : 0;                                                     \
        if (scales) {                                                                              \
            c = SCALBN(c, -by);                                                                    \
            d = SCALBN(d, -by);                                                                    \
        }                                                                                          \
        const T square = c * c + d * d;                                                            \
        T real = SCALBN((a * c + b * d) / square, -by);                                            \
        T imag = SCALBN((b * c - a * d) / square, -by);                                            \
        if (real != real && imag != imag) {                                                        \
            if (square == 0 && (a == a || b == b)) {                                               \
                real = COPYSIGN(T(__builtin_inf()), c) * a;                                        \
                imag = COPYSIGN(T(__builtin_inf()), c) * b;                                        \
            } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) &&      \
                       __builtin_isfinite(d)) {                                                    \
                a = COPYSIGN(__builtin_isinf(a) ? T(1) : T(0), a);                                 \
                b = COPYSIGN(__builtin_isinf(b) ? T(1) : T(0), b);                                 \
                real = T(__builtin_inf()) * (a * c + b * d);                                       \
                imag = T(__builtin_inf()) * (b * c - a * d);                                       \
            } else if (__builtin_isinf(size) && size > 0 && __builtin_isfinite(a) &&               \
                       __builtin_isfinite(b)) {                                                    \
                c = COPYSIGN(__builtin_isinf(c) ? T(1) : T(0), c);                                 \
                d = COPYSIGN(__builtin_isinf(d) ? T(1) : T(0), d);                                 \
                real = T(0) * (a * c + b * d);                                                     \
                imag = T(0) * (b * c - a * d);                                                     \
            }                                                                                      \
        }                                                                                          \
        T _Complex z;                                                                              \
        __real__ z = real;                                                                         \
        __imag__ z = imag;                                                                         \
        return z;                                                                                  \
    }

VGPU_COMPLEX(float, __mulsc3, __divsc3, copysignf, fmaxf, fabsf, logbf, scalbnf)
VGPU_COMPLEX(double, __muldc3, __divdc3, copysign, fmax, fabs, logb, scalbn)

#undef VGPU_COMPLEX
#endif
