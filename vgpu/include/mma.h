/*
 * mma.h: warp matrix functions, nvcuda::wmma: fragments of matrices that the 32 threads of a warp
 * hold together, and D = A * B + C on them. Fragments are laid out as on an H200.
 *
 *     shapes m x n x k     A and B              accumulators
 *     16x16x16 32x8x16     __half               float, __half
 *     8x32x16              __nv_bfloat16        float
 *     16x16x8              precision::tf32      float
 *     16x16x16             signed/unsigned char int
 *     8x8x4                double               double
 *
 * All threads of a warp must call these together.
 */
#ifndef VGPU_MMA_H
#define VGPU_MMA_H
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define __CUDA_MMA__

#if defined(__CUDA__) && defined(__clang__)

namespace nvcuda {
namespace wmma {

/* The float nearest to x that tf32 holds. Here alone: after "using namespace nvcuda::wmma" a second
 * one would make the name ambiguous. */
VGPU_INTRINSIC float __float_to_tf32(float x) {
    unsigned int bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

/* Elements as programs see them, and how they lie in registers. */
template <class T, int size, int registers> struct vgpu_fragment {
    static const int num_elements = size;
    static const int num_storage_elements = size;
    static const int vgpu_registers = registers;
    typedef T element_type;
    typedef T storage_element_type;
    union {
        T x[size];
        unsigned int vgpu_bits[registers];
    };
};

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment;

VGPU_INTRINSIC bool vgpu_by_columns(layout_t layout) { return layout == mem_col_major; }

/* Lists of registers, for assembly. */
#define VGPU_REGS_2(op, f) op((f).vgpu_bits[0]), op((f).vgpu_bits[1])
#define VGPU_REGS_4(op, f) VGPU_REGS_2(op, f), op((f).vgpu_bits[2]), op((f).vgpu_bits[3])
#define VGPU_REGS_8(op, f)                                                                         \
    VGPU_REGS_4(op, f), op((f).vgpu_bits[4]), op((f).vgpu_bits[5]), op((f).vgpu_bits[6]),          \
        op((f).vgpu_bits[7])
#define VGPU_NAMES_2 "{%0, %1}"
#define VGPU_NAMES_4 "{%0, %1, %2, %3}"
#define VGPU_NAMES_8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define VGPU_AT_2    "[%2], %3;"
#define VGPU_AT_4    "[%4], %5;"
#define VGPU_AT_8    "[%8], %9;"

/* ---- fragments and their loads and stores ---- */

#define VGPU_LOAD_FRAGMENT(operand, layout, shape, type, regs, a, from, ldm)                       \
    asm volatile("wmma.load." operand ".sync.aligned." layout "." shape "." type                   \
                 " " VGPU_NAMES_##regs ", " VGPU_AT_##regs                                         \
                 : VGPU_REGS_##regs("=r", a)                                                       \
                 : "l"(from), "r"(ldm)                                                             \
                 : "memory")
#define VGPU_STORE_FRAGMENT(layout, shape, type, regs, a, to, ldm)                                 \
    asm volatile("wmma.store.d.sync.aligned." layout "." shape "." type " " VGPU_TO_##regs         \
                 ", " VGPU_NAMES_##regs ", %" VGPU_LDM_##regs ";"                                  \
                 :                                                                                 \
                 : VGPU_REGS_##regs("r", a), "l"(to), "r"(ldm)                                     \
                 : "memory")
#define VGPU_TO_4  "[%4]"
#define VGPU_TO_8  "[%8]"
#define VGPU_LDM_4 "5"
#define VGPU_LDM_8 "9"

/* A or B of one layout. T: its type in programs, S: of its elements, P: in PTX. */
#define VGPU_FACTOR(use, operand, m, n, k, T, S, P, Layout, layout, size, regs)                    \
    template <> struct fragment<use, m, n, k, T, Layout> : vgpu_fragment<S, size, regs> {};        \
    VGPU_INTRINSIC void load_matrix_sync(fragment<use, m, n, k, T, Layout> &a, const S *from,      \
                                         unsigned int ldm) {                                       \
        VGPU_LOAD_FRAGMENT(operand, layout, "m" #m "n" #n "k" #k, P, regs, a, from, ldm);          \
    }
#define VGPU_FACTORS(m, n, k, T, S, P, size_a, regs_a, size_b, regs_b)                             \
    VGPU_FACTOR(matrix_a, "a", m, n, k, T, S, P, row_major, "row", size_a, regs_a)                 \
    VGPU_FACTOR(matrix_a, "a", m, n, k, T, S, P, col_major, "col", size_a, regs_a)                 \
    VGPU_FACTOR(matrix_b, "b", m, n, k, T, S, P, row_major, "row", size_b, regs_b)                 \
    VGPU_FACTOR(matrix_b, "b", m, n, k, T, S, P, col_major, "col", size_b, regs_b)

#define VGPU_ACCUMULATOR(m, n, k, T, P, regs)                                                      \
    template <> struct fragment<accumulator, m, n, k, T> : vgpu_fragment<T, 8, regs> {};           \
    VGPU_INTRINSIC void load_matrix_sync(fragment<accumulator, m, n, k, T> &a, const T *from,      \
                                         unsigned int ldm, layout_t layout) {                      \
        if (vgpu_by_columns(layout))                                                               \
            VGPU_LOAD_FRAGMENT("c", "col", "m" #m "n" #n "k" #k, P, regs, a, from, ldm);           \
        else                                                                                       \
            VGPU_LOAD_FRAGMENT("c", "row", "m" #m "n" #n "k" #k, P, regs, a, from, ldm);           \
    }                                                                                              \
    VGPU_INTRINSIC void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &a,       \
                                          unsigned int ldm, layout_t layout) {                     \
        if (vgpu_by_columns(layout))                                                               \
            VGPU_STORE_FRAGMENT("col", "m" #m "n" #n "k" #k, P, regs, a, to, ldm);                 \
        else                                                                                       \
            VGPU_STORE_FRAGMENT("row", "m" #m "n" #n "k" #k, P, regs, a, to, ldm);                 \
    }

VGPU_FACTORS(16, 16, 16, __half, __half, "f16", 16, 8, 16, 8)
VGPU_FACTORS(32, 8, 16, __half, __half, "f16", 16, 8, 16, 8)
VGPU_FACTORS(8, 32, 16, __half, __half, "f16", 16, 8, 16, 8)
VGPU_FACTORS(16, 16, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 8, 4, 8, 4)
VGPU_FACTORS(32, 8, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 16, 8, 4, 2)
VGPU_FACTORS(8, 32, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 4, 2, 16, 8)
VGPU_FACTORS(16, 16, 8, precision::tf32, float, "tf32", 4, 4, 4, 4)
VGPU_ACCUMULATOR(16, 16, 16, float, "f32", 8)
VGPU_ACCUMULATOR(32, 8, 16, float, "f32", 8)
VGPU_ACCUMULATOR(8, 32, 16, float, "f32", 8)
VGPU_ACCUMULATOR(16, 16, 8, float, "f32", 8)
VGPU_ACCUMULATOR(16, 16, 16, __half, "f16", 4)
VGPU_ACCUMULATOR(32, 8, 16, __half, "f16", 4)
VGPU_ACCUMULATOR(8, 32, 16, __half, "f16", 4)

template <class Use, int m, int n, int k, class T, class Layout, class Value>
VGPU_INTRINSIC void fill_fragment(fragment<Use, m, n, k, T, Layout> &a, const Value &value) {
    for (int i = 0; i < a.num_elements; i++)
        a.x[i] = value;
}

/* ---- D = A * B + C ---- */

/* Registers of A and B together with those of C and D are too many for one list of names: each
 * number of registers has its line. */
#define VGPU_MMA_NAMES_8_8_8_8                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "                   \
    "{%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};"
#define VGPU_MMA_NAMES_8_4_4_8                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, "                 \
    "{%16, %17, %18, %19, %20, %21, %22, %23};"
#define VGPU_MMA_NAMES_8_8_2_8                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, "       \
    "{%18, %19, %20, %21, %22, %23, %24, %25};"
#define VGPU_MMA_NAMES_8_2_8_8                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, "       \
    "{%18, %19, %20, %21, %22, %23, %24, %25};"
#define VGPU_MMA_NAMES_4_8_8_4                                                                     \
    "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "                                       \
    "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"
#define VGPU_MMA_NAMES_4_8_8_8                                                                     \
    "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "                                       \
    "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};"
#define VGPU_MMA_NAMES_8_8_8_4                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "                   \
    "{%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};"

#define VGPU_MMA_1(m, n, k, T, LayoutA, la, LayoutB, lb, TD, TC, types, rd, ra, rb, rc)            \
    VGPU_INTRINSIC void mma_sync(fragment<accumulator, m, n, k, TD> &d,                            \
                                 const fragment<matrix_a, m, n, k, T, LayoutA> &a,                 \
                                 const fragment<matrix_b, m, n, k, T, LayoutB> &b,                 \
                                 const fragment<accumulator, m, n, k, TC> &c) {                    \
        asm volatile("wmma.mma.sync.aligned." la "." lb ".m" #m "n" #n "k" #k "." types            \
                     " " VGPU_MMA_NAMES_##rd##_##ra##_##rb##_##rc                                  \
                     : VGPU_REGS_##rd("=r", d)                                                     \
                     : VGPU_REGS_##ra("r", a), VGPU_REGS_##rb("r", b), VGPU_REGS_##rc("r", c));    \
    }
#define VGPU_MMA(m, n, k, T, TD, TC, types, rd, ra, rb, rc)                                        \
    VGPU_MMA_1(m, n, k, T, row_major, "row", row_major, "row", TD, TC, types, rd, ra, rb, rc)      \
    VGPU_MMA_1(m, n, k, T, row_major, "row", col_major, "col", TD, TC, types, rd, ra, rb, rc)      \
    VGPU_MMA_1(m, n, k, T, col_major, "col", row_major, "row", TD, TC, types, rd, ra, rb, rc)      \
    VGPU_MMA_1(m, n, k, T, col_major, "col", col_major, "col", TD, TC, types, rd, ra, rb, rc)
#define VGPU_MMA_HALF(m, n, k)                                                                     \
    VGPU_MMA(m, n, k, __half, float, float, "f32.f32", 8, 8, 8, 8)                                 \
    VGPU_MMA(m, n, k, __half, __half, __half, "f16.f16", 4, 8, 8, 4)                               \
    VGPU_MMA(m, n, k, __half, float, __half, "f32.f16", 8, 8, 8, 4)                                \
    VGPU_MMA(m, n, k, __half, __half, float, "f16.f32", 4, 8, 8, 8)
VGPU_MMA_HALF(16, 16, 16)
VGPU_MMA_HALF(32, 8, 16)
VGPU_MMA_HALF(8, 32, 16)
VGPU_MMA(16, 16, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", 8, 4, 4, 8)
VGPU_MMA(32, 8, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", 8, 8, 2, 8)
VGPU_MMA(8, 32, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", 8, 2, 8, 8)
VGPU_MMA(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", 8, 4, 4, 8)

/* ---- bytes and doubles: fragments are those of mma.sync, which makes the product ---- */

VGPU_INTRINSIC unsigned int vgpu_lane() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* Element x of a lane: along m (n for B), and along k (n for C). */
#define VGPU_BYTE_LINE(lane, x)  ((lane) / 4 + 8 * ((x) / 4))
#define VGPU_BYTE_INNER(lane, x) (4 * ((lane) % 4) + (x) % 4)
#define VGPU_SUM_ROW(lane, x)    ((lane) / 4 + 8 * ((x) / 2 % 2))
#define VGPU_SUM_COL(lane, x)    (2 * ((lane) % 4) + (x) % 2 + 8 * ((x) / 4))

/* at: where element x of lane `lane` is. */
#define VGPU_LANES_FACTOR(use, m, n, k, T, Layout, size, regs, at)                                 \
    template <> struct fragment<use, m, n, k, T, Layout> : vgpu_fragment<T, size, regs> {};        \
    VGPU_INTRINSIC void load_matrix_sync(fragment<use, m, n, k, T, Layout> &a, const T *from,      \
                                         unsigned int ldm) {                                       \
        const unsigned int lane = vgpu_lane();                                                     \
        for (int x = 0; x < size; x++)                                                             \
            a.x[x] = from[at];                                                                     \
    }
#define VGPU_LANES_FACTORS(m, n, k, T, size, regs, line, inner)                                    \
    VGPU_LANES_FACTOR(matrix_a, m, n, k, T, row_major, size, regs, line *ldm + inner)              \
    VGPU_LANES_FACTOR(matrix_a, m, n, k, T, col_major, size, regs, inner *ldm + line)              \
    VGPU_LANES_FACTOR(matrix_b, m, n, k, T, row_major, size, regs, inner *ldm + line)              \
    VGPU_LANES_FACTOR(matrix_b, m, n, k, T, col_major, size, regs, line *ldm + inner)
#define VGPU_LANES_ACCUMULATOR(m, n, k, T, size, regs, row, col)                                   \
    template <> struct fragment<accumulator, m, n, k, T> : vgpu_fragment<T, size, regs> {};        \
    VGPU_INTRINSIC void load_matrix_sync(fragment<accumulator, m, n, k, T> &a, const T *from,      \
                                         unsigned int ldm, layout_t layout) {                      \
        const unsigned int lane = vgpu_lane();                                                     \
        for (int x = 0; x < size; x++)                                                             \
            a.x[x] = from[vgpu_by_columns(layout) ? col * ldm + row : row * ldm + col];            \
    }                                                                                              \
    VGPU_INTRINSIC void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &a,       \
                                          unsigned int ldm, layout_t layout) {                     \
        const unsigned int lane = vgpu_lane();                                                     \
        for (int x = 0; x < size; x++)                                                             \
            to[vgpu_by_columns(layout) ? col * ldm + row : row * ldm + col] = a.x[x];              \
    }
#define VGPU_BYTE_FACTORS(T)                                                                       \
    VGPU_LANES_FACTORS(16, 16, 16, T, 8, 2, VGPU_BYTE_LINE(lane, x), VGPU_BYTE_INNER(lane, x))
VGPU_BYTE_FACTORS(signed char)
VGPU_BYTE_FACTORS(unsigned char)
VGPU_LANES_ACCUMULATOR(16, 16, 16, int, 8, 8, VGPU_SUM_ROW(lane, x), VGPU_SUM_COL(lane, x))
VGPU_LANES_FACTORS(8, 8, 4, double, 1, 2, (lane / 4), (lane % 4))
VGPU_LANES_ACCUMULATOR(8, 8, 4, double, 2, 4, (lane / 4), (2 * (lane % 4) + x))

/* Half of D: eight of its columns. */
#define VGPU_BYTE_HALF(type, d, a, b, c, half)                                                     \
    asm volatile(VGPU_ON_ANY "mma.sync.aligned.m16n8k16.row.col.s32." type "." type ".s32"         \
                             " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"               \
                 : "=r"(d.x[4 * half]), "=r"(d.x[4 * half + 1]), "=r"(d.x[4 * half + 2]),          \
                   "=r"(d.x[4 * half + 3])                                                         \
                 : "r"(a.vgpu_bits[0]), "r"(a.vgpu_bits[1]), "r"(b.vgpu_bits[half]),               \
                   "r"(c.x[4 * half]), "r"(c.x[4 * half + 1]), "r"(c.x[4 * half + 2]),             \
                   "r"(c.x[4 * half + 3]))
#define VGPU_BYTE_MMA(T, type)                                                                     \
    template <class LayoutA, class LayoutB>                                                        \
    VGPU_INTRINSIC void mma_sync(fragment<accumulator, 16, 16, 16, int> &d,                        \
                                 const fragment<matrix_a, 16, 16, 16, T, LayoutA> &a,              \
                                 const fragment<matrix_b, 16, 16, 16, T, LayoutB> &b,              \
                                 const fragment<accumulator, 16, 16, 16, int> &c) {                \
        VGPU_BYTE_HALF(type, d, a, b, c, 0);                                                       \
        VGPU_BYTE_HALF(type, d, a, b, c, 1);                                                       \
    }
VGPU_BYTE_MMA(signed char, "s8")
VGPU_BYTE_MMA(unsigned char, "u8")

template <class LayoutA, class LayoutB>
VGPU_INTRINSIC void mma_sync(fragment<accumulator, 8, 8, 4, double> &d,
                             const fragment<matrix_a, 8, 8, 4, double, LayoutA> &a,
                             const fragment<matrix_b, 8, 8, 4, double, LayoutB> &b,
                             const fragment<accumulator, 8, 8, 4, double> &c) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d.x[0]), "=d"(d.x[1])
                 : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));
}

#undef VGPU_BYTE_MMA
#undef VGPU_BYTE_HALF
#undef VGPU_BYTE_FACTORS
#undef VGPU_LANES_ACCUMULATOR
#undef VGPU_LANES_FACTORS
#undef VGPU_LANES_FACTOR
#undef VGPU_SUM_COL
#undef VGPU_SUM_ROW
#undef VGPU_BYTE_INNER
#undef VGPU_BYTE_LINE
#undef VGPU_MMA_HALF
#undef VGPU_MMA
#undef VGPU_MMA_1
#undef VGPU_ACCUMULATOR
#undef VGPU_FACTORS
#undef VGPU_FACTOR

} // namespace wmma
} // namespace nvcuda

#endif

#endif
