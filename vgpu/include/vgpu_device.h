/*
 * vgpu_device.h: what device code finds without including anything: threadIdx and its relatives,
 * barriers, fences, atomics, warp functions, bit and conversion intrinsics, printf and assert.
 *
 * Everything here is inlined and carries no debug lines of its own (nodebug), so that whatever goes
 * wrong inside, say in an atomicAdd, is reported at the line of the program that called it.
 */
#ifndef VGPU_DEVICE_H
#define VGPU_DEVICE_H

#include "vector_functions.h"
#include "vgpu_math.h"

/* Device functions that the host has under the same name and meaning (min, max). */
#define VGPU_BOTH static __inline__ __host__ __device__ __attribute__((always_inline, nodebug))

/* ---- built-in variables ---- */

/* threadIdx.x is a read of a special register; there is no variable behind it. */
#define VGPU_REGISTER(field, builtin)                                                              \
    __declspec(property(get = vgpu_get_##field)) unsigned int field;                               \
    static __inline__ __device__                                                                   \
        __attribute__((always_inline, nodebug)) unsigned int vgpu_get_##field(void) {              \
        return builtin();                                                                          \
    }

#define VGPU_BUILTIN_VARIABLE(name, sreg)                                                          \
    struct vgpu_##name##_t {                                                                       \
        VGPU_REGISTER(x, __nvvm_read_ptx_sreg_##sreg##_x)                                          \
        VGPU_REGISTER(y, __nvvm_read_ptx_sreg_##sreg##_y)                                          \
        VGPU_REGISTER(z, __nvvm_read_ptx_sreg_##sreg##_z)                                          \
        __device__ __attribute__((always_inline, nodebug)) operator dim3() const {                 \
            return dim3(x, y, z);                                                                  \
        }                                                                                          \
        __device__ __attribute__((always_inline, nodebug)) operator uint3() const {                \
            return make_uint3(x, y, z);                                                            \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        __device__ vgpu_##name##_t();                                                              \
        __device__ vgpu_##name##_t(const vgpu_##name##_t &);                                       \
        __device__ void operator=(const vgpu_##name##_t &) const;                                  \
        __device__ vgpu_##name##_t *operator&() const;                                             \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) vgpu_##name##_t name;

VGPU_BUILTIN_VARIABLE(threadIdx, tid)
VGPU_BUILTIN_VARIABLE(blockIdx, ctaid)
VGPU_BUILTIN_VARIABLE(blockDim, ntid)
VGPU_BUILTIN_VARIABLE(gridDim, nctaid)

#undef VGPU_BUILTIN_VARIABLE
#undef VGPU_REGISTER

static const __device__ int warpSize = 32;

/* ---- barriers and fences ---- */

/* Clang 14 thinks that a barrier leaves alone what only this module can name, and would use a
 * __shared__ variable's value from before it. Empty assembly that may touch all memory tells it
 * better; it makes no instruction. */
#define VGPU_MEMORY_CHANGES asm volatile("" ::: "memory")

VGPU_INTRINSIC void vgpu_syncthreads(void) {
    VGPU_MEMORY_CHANGES;
    __nvvm_bar_sync(0);
    VGPU_MEMORY_CHANGES;
}
#if __has_builtin(__syncthreads) /* some compilers know it by themselves */
#define __syncthreads vgpu_syncthreads
#else
VGPU_INTRINSIC void __syncthreads(void) { vgpu_syncthreads(); }
#endif
#define VGPU_BARRIER_VOTE(name, builtin)                                                           \
    VGPU_INTRINSIC int name(int predicate) {                                                       \
        VGPU_MEMORY_CHANGES;                                                                       \
        int result = builtin(predicate);                                                           \
        VGPU_MEMORY_CHANGES;                                                                       \
        return result;                                                                             \
    }
VGPU_BARRIER_VOTE(__syncthreads_count, __nvvm_bar0_popc)
VGPU_BARRIER_VOTE(__syncthreads_and, __nvvm_bar0_and)
VGPU_BARRIER_VOTE(__syncthreads_or, __nvvm_bar0_or)
#undef VGPU_BARRIER_VOTE
VGPU_INTRINSIC void __syncwarp(unsigned int mask = 0xffffffffu) {
    VGPU_MEMORY_CHANGES;
    __nvvm_bar_warp_sync(mask);
    VGPU_MEMORY_CHANGES;
}
VGPU_INTRINSIC void __threadfence_block(void) { __nvvm_membar_cta(); }
VGPU_INTRINSIC void __threadfence(void) { __nvvm_membar_gl(); }
VGPU_INTRINSIC void __threadfence_system(void) { __nvvm_membar_sys(); }

/* ---- time and traps ---- */

VGPU_INTRINSIC long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }
VGPU_INTRINSIC clock_t clock(void) { return (clock_t)__nvvm_read_ptx_sreg_clock(); }
VGPU_INTRINSIC void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
VGPU_INTRINSIC void __trap(void) { asm volatile("trap;"); }
VGPU_INTRINSIC void __brkpt(void) { asm volatile("brkpt;"); }

/* ---- reinterpreting ---- */

VGPU_INTRINSIC int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
VGPU_INTRINSIC float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
VGPU_INTRINSIC unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
VGPU_INTRINSIC float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
VGPU_INTRINSIC long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
VGPU_INTRINSIC double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
VGPU_INTRINSIC int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
VGPU_INTRINSIC int __double2loint(double x) { return (int)__double_as_longlong(x); }
VGPU_INTRINSIC double __hiloint2double(int hi, int lo) {
    return __longlong_as_double(((long long)hi << 32) | (unsigned int)lo);
}

/* ---- atomics ---- */

/* clang-format off */
#define VGPU_ATOMIC(name, type, builtin)                                                           \
    VGPU_INTRINSIC type name(type *address, type value) { return builtin(address, value); }
#define VGPU_ATOMIC_AS(name, type, as, builtin)                                                    \
    VGPU_INTRINSIC type name(type *address, type value) {                                          \
        return (type)builtin((as *)address, (as)value);                                            \
    }

VGPU_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i)
VGPU_ATOMIC_AS(atomicAdd, unsigned int, int, __nvvm_atom_add_gen_i)
VGPU_ATOMIC_AS(atomicAdd, unsigned long long, long long, __nvvm_atom_add_gen_ll)
VGPU_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f)
VGPU_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d)
VGPU_ATOMIC(atomicSub, int, __nvvm_atom_sub_gen_i)
VGPU_ATOMIC_AS(atomicSub, unsigned int, int, __nvvm_atom_sub_gen_i)
VGPU_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i)
VGPU_ATOMIC_AS(atomicExch, unsigned int, int, __nvvm_atom_xchg_gen_i)
VGPU_ATOMIC_AS(atomicExch, unsigned long long, long long, __nvvm_atom_xchg_gen_ll)
VGPU_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i)
VGPU_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui)
VGPU_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll)
VGPU_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull)
VGPU_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i)
VGPU_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui)
VGPU_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll)
VGPU_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull)
VGPU_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i)
VGPU_ATOMIC_AS(atomicAnd, unsigned int, int, __nvvm_atom_and_gen_i)
VGPU_ATOMIC_AS(atomicAnd, unsigned long long, long long, __nvvm_atom_and_gen_ll)
VGPU_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i)
VGPU_ATOMIC_AS(atomicOr, unsigned int, int, __nvvm_atom_or_gen_i)
VGPU_ATOMIC_AS(atomicOr, unsigned long long, long long, __nvvm_atom_or_gen_ll)
VGPU_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i)
VGPU_ATOMIC_AS(atomicXor, unsigned int, int, __nvvm_atom_xor_gen_i)
VGPU_ATOMIC_AS(atomicXor, unsigned long long, long long, __nvvm_atom_xor_gen_ll)
VGPU_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui)
VGPU_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui)
#undef VGPU_ATOMIC
#undef VGPU_ATOMIC_AS
/* clang-format on */

VGPU_INTRINSIC float atomicExch(float *address, float value) {
    return __int_as_float(__nvvm_atom_xchg_gen_i((int *)address, __float_as_int(value)));
}
VGPU_INTRINSIC int atomicCAS(int *address, int expected, int value) {
    return __nvvm_atom_cas_gen_i(address, expected, value);
}
VGPU_INTRINSIC unsigned int atomicCAS(unsigned int *address, unsigned int expected,
                                      unsigned int value) {
    return (unsigned int)__nvvm_atom_cas_gen_i((int *)address, (int)expected, (int)value);
}
VGPU_INTRINSIC unsigned long long atomicCAS(unsigned long long *address,
                                            unsigned long long expected, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)address, (long long)expected,
                                                      (long long)value);
}

VGPU_INTRINSIC unsigned short atomicCAS(unsigned short *address, unsigned short expected,
                                        unsigned short value) {
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(old)
                 : "l"(address), "h"(expected), "h"(value)
                 : "memory");
    return old;
}
/* Vectors: each element is updated atomically, the vector as a whole is not, as on hardware. */
VGPU_INTRINSIC float2 atomicAdd(float2 *address, float2 value) {
    return make_float2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
VGPU_INTRINSIC float4 atomicAdd(float4 *address, float4 value) {
    return make_float4(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                       atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w));
}

/* Block- and system-wide scope: one device, so the same thing. */
#define VGPU_SCOPES(name)                                                                          \
    template <class T, class V> VGPU_INTRINSIC T name##_block(T *address, V value) {               \
        return name(address, (T)value);                                                            \
    }                                                                                              \
    template <class T, class V> VGPU_INTRINSIC T name##_system(T *address, V value) {              \
        return name(address, (T)value);                                                            \
    }
VGPU_SCOPES(atomicAdd)
VGPU_SCOPES(atomicSub)
VGPU_SCOPES(atomicExch)
VGPU_SCOPES(atomicMin)
VGPU_SCOPES(atomicMax)
VGPU_SCOPES(atomicAnd)
VGPU_SCOPES(atomicOr)
VGPU_SCOPES(atomicXor)
VGPU_SCOPES(atomicInc)
VGPU_SCOPES(atomicDec)
#undef VGPU_SCOPES
template <class T, class V, class W>
VGPU_INTRINSIC T atomicCAS_block(T *address, V expected, W value) {
    return atomicCAS(address, (T)expected, (T)value);
}
template <class T, class V, class W>
VGPU_INTRINSIC T atomicCAS_system(T *address, V expected, W value) {
    return atomicCAS(address, (T)expected, (T)value);
}

/* ---- loads and stores with cache hints: the hint changes nothing that can be seen here ---- */

#define VGPU_LOAD(name)                                                                            \
    template <class T> VGPU_INTRINSIC T name(const T *address) { return *address; }
VGPU_LOAD(__ldg)
VGPU_LOAD(__ldca)
VGPU_LOAD(__ldcg)
VGPU_LOAD(__ldcs)
VGPU_LOAD(__ldlu)
VGPU_LOAD(__ldcv)
#undef VGPU_LOAD
#define VGPU_STORE(name)                                                                           \
    template <class T> VGPU_INTRINSIC void name(T *address, T value) { *address = value; }
VGPU_STORE(__stwb)
VGPU_STORE(__stcg)
VGPU_STORE(__stcs)
VGPU_STORE(__stwt)
#undef VGPU_STORE

/* ---- votes ---- */

VGPU_INTRINSIC int __all_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_all_sync(mask, predicate);
}
VGPU_INTRINSIC int __any_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_any_sync(mask, predicate);
}
VGPU_INTRINSIC int __uni_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_uni_sync(mask, predicate);
}
VGPU_INTRINSIC unsigned int __ballot_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}
VGPU_INTRINSIC unsigned int __activemask(void) {
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
VGPU_INTRINSIC unsigned int __lanemask_lt(void) { return __nvvm_read_ptx_sreg_lanemask_lt(); }

/* ---- shuffles ---- */

/* The third operand of shfl: the segment's mask above, the clamp below. */
#define VGPU_SHUFFLE(name, mode, clamp)                                                            \
    VGPU_INTRINSIC int name(unsigned int mask, int value, int lane, int width = 32) {              \
        return __nvvm_shfl_sync_##mode##_i32(mask, value, lane, ((32 - width) << 8) | (clamp));    \
    }                                                                                              \
    VGPU_INTRINSIC unsigned int name(unsigned int mask, unsigned int value, int lane,              \
                                     int width = 32) {                                             \
        return (unsigned int)name(mask, (int)value, lane, width);                                  \
    }                                                                                              \
    VGPU_INTRINSIC float name(unsigned int mask, float value, int lane, int width = 32) {          \
        return __int_as_float(name(mask, __float_as_int(value), lane, width));                     \
    }                                                                                              \
    VGPU_INTRINSIC long long name(unsigned int mask, long long value, int lane, int width = 32) {  \
        unsigned int lo = (unsigned int)name(mask, (int)value, lane, width);                       \
        int hi = name(mask, (int)(value >> 32), lane, width);                                      \
        return (long long)(((unsigned long long)(unsigned int)hi << 32) | lo);                     \
    }                                                                                              \
    VGPU_INTRINSIC unsigned long long name(unsigned int mask, unsigned long long value, int lane,  \
                                           int width = 32) {                                       \
        return (unsigned long long)name(mask, (long long)value, lane, width);                      \
    }                                                                                              \
    VGPU_INTRINSIC long name(unsigned int mask, long value, int lane, int width = 32) {            \
        return (long)name(mask, (long long)value, lane, width);                                    \
    }                                                                                              \
    VGPU_INTRINSIC unsigned long name(unsigned int mask, unsigned long value, int lane,            \
                                      int width = 32) {                                            \
        return (unsigned long)name(mask, (long long)value, lane, width);                           \
    }                                                                                              \
    VGPU_INTRINSIC double name(unsigned int mask, double value, int lane, int width = 32) {        \
        return __longlong_as_double(name(mask, __double_as_longlong(value), lane, width));         \
    }
VGPU_SHUFFLE(__shfl_sync, idx, 0x1f)
VGPU_SHUFFLE(__shfl_up_sync, up, 0)
VGPU_SHUFFLE(__shfl_down_sync, down, 0x1f)
VGPU_SHUFFLE(__shfl_xor_sync, bfly, 0x1f)
#undef VGPU_SHUFFLE

template <class T> VGPU_INTRINSIC unsigned int __match_any_sync(unsigned int mask, T value) {
    if (sizeof(T) == 8)
        return (unsigned int)__nvvm_match_any_sync_i64(mask, (long long)value);
    return __nvvm_match_any_sync_i32(mask, (unsigned int)value);
}
VGPU_INTRINSIC unsigned int __match_any_sync(unsigned int mask, float value) {
    return __nvvm_match_any_sync_i32(mask, __float_as_uint(value));
}
VGPU_INTRINSIC unsigned int __match_any_sync(unsigned int mask, double value) {
    return (unsigned int)__nvvm_match_any_sync_i64(mask, __double_as_longlong(value));
}
template <class T>
VGPU_INTRINSIC unsigned int __match_all_sync(unsigned int mask, T value, int *same) {
    unsigned int peers = __match_any_sync(mask, value);
    *same = peers == mask;
    return *same ? mask : 0;
}

/* One combined value for the lanes of the mask. */
#define VGPU_REDUCE(name, type, op)                                                                \
    VGPU_INTRINSIC type name(unsigned int mask, type value) {                                      \
        type result;                                                                               \
        asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));      \
        return result;                                                                             \
    }
VGPU_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
VGPU_REDUCE(__reduce_add_sync, int, "add.s32")
VGPU_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
VGPU_REDUCE(__reduce_min_sync, int, "min.s32")
VGPU_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
VGPU_REDUCE(__reduce_max_sync, int, "max.s32")
VGPU_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
VGPU_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
VGPU_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef VGPU_REDUCE

/* ---- bits and integers ---- */

VGPU_INTRINSIC int __popc(unsigned int x) { return __builtin_popcount(x); }
VGPU_INTRINSIC int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
VGPU_INTRINSIC int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
VGPU_INTRINSIC int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
VGPU_INTRINSIC int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz((unsigned int)x) + 1; }
VGPU_INTRINSIC int __ffsll(long long x) {
    return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1;
}
VGPU_INTRINSIC unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
VGPU_INTRINSIC unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}
VGPU_INTRINSIC unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    return (unsigned int)__nvvm_prmt((int)x, (int)y, (int)selector);
}
VGPU_INTRINSIC unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (shift & 31)) >> 32);
}
VGPU_INTRINSIC unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (shift < 32 ? shift : 32)) >>
                          32);
}
VGPU_INTRINSIC unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (shift & 31));
}
VGPU_INTRINSIC unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (shift < 32 ? shift : 32));
}
VGPU_INTRINSIC int __mul24(int x, int y) {
    return ((int)((unsigned)x << 8) >> 8) * ((int)((unsigned)y << 8) >> 8);
}
VGPU_INTRINSIC unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
VGPU_INTRINSIC int mul24(int x, int y) { return __mul24(x, y); }
VGPU_INTRINSIC unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
VGPU_INTRINSIC int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
VGPU_INTRINSIC unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x * y) >> 32);
}
VGPU_INTRINSIC long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
VGPU_INTRINSIC unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return __nvvm_mulhi_ull(x, y);
}
VGPU_INTRINSIC int mulhi(int x, int y) { return __mulhi(x, y); }
VGPU_INTRINSIC unsigned int umulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
VGPU_INTRINSIC long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
VGPU_INTRINSIC unsigned long long umul64hi(unsigned long long x, unsigned long long y) {
    return __umul64hi(x, y);
}
VGPU_INTRINSIC int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
VGPU_INTRINSIC int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
VGPU_INTRINSIC unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
VGPU_INTRINSIC unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
VGPU_INTRINSIC unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
/* Sums of products of bytes, and of halves by bytes, added to c. */
#define VGPU_DOT(name, type, op)                                                                   \
    VGPU_INTRINSIC type name(type a, type b, type c) {                                             \
        type r;                                                                                    \
        asm(op " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                             \
        return r;                                                                                  \
    }
VGPU_DOT(__dp4a, int, "dp4a.s32.s32")
VGPU_DOT(__dp4a, unsigned int, "dp4a.u32.u32")
#undef VGPU_DOT
VGPU_INTRINSIC int __dp2a_lo(int a, int b, int c) {
    return c + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8);
}
VGPU_INTRINSIC int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
VGPU_INTRINSIC unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return c + (a & 0xffffu) * (b & 0xffu) + (a >> 16) * (b >> 8 & 0xffu);
}
VGPU_INTRINSIC unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
    return __dp2a_lo(a, b >> 16, c);
}
/* Position of the n-th bit that is set, from `base` upwards (n > 0) or downwards;
 * all ones: none. */
VGPU_INTRINSIC unsigned int __fns(unsigned int mask, unsigned int base, int n) {
    const int step = n < 0 ? -1 : 1;
    int left = n < 0 ? -n : n == 0 ? 1 : n;
    for (int i = (int)base; i >= 0 && i < 32; i += step) {
        if ((mask >> i & 1) != 0 && --left == 0)
            return (unsigned int)i;
        if (n == 0)
            break;
    }
    return 0xffffffffu;
}
VGPU_INTRINSIC unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}

/* ---- min and max, on the device and on the host ---- */

#define VGPU_MINMAX(result, a, b)                                                                  \
    VGPU_BOTH result min(a x, b y) { return (result)x < (result)y ? (result)x : (result)y; }       \
    VGPU_BOTH result max(a x, b y) { return (result)x > (result)y ? (result)x : (result)y; }
VGPU_MINMAX(int, int, int)
VGPU_MINMAX(unsigned int, unsigned int, unsigned int)
VGPU_MINMAX(unsigned int, int, unsigned int)
VGPU_MINMAX(unsigned int, unsigned int, int)
VGPU_MINMAX(long, long, long)
VGPU_MINMAX(unsigned long, unsigned long, unsigned long)
VGPU_MINMAX(unsigned long, long, unsigned long)
VGPU_MINMAX(unsigned long, unsigned long, long)
VGPU_MINMAX(long long, long long, long long)
VGPU_MINMAX(unsigned long long, unsigned long long, unsigned long long)
VGPU_MINMAX(unsigned long long, long long, unsigned long long)
VGPU_MINMAX(unsigned long long, unsigned long long, long long)
#undef VGPU_MINMAX
/* A NaN gives way to the other operand. */
#define VGPU_MINMAX(result, a, b, f)                                                               \
    VGPU_BOTH result min(a x, b y) { return __builtin_fmin##f(x, y); }                             \
    VGPU_BOTH result max(a x, b y) { return __builtin_fmax##f(x, y); }
VGPU_MINMAX(float, float, float, f)
VGPU_MINMAX(double, double, double, )
VGPU_MINMAX(double, float, double, )
VGPU_MINMAX(double, double, float, )
#undef VGPU_MINMAX

/* ---- arithmetic with a chosen rounding: n nearest, z towards zero, u up, d down ---- */

#define VGPU_ROUNDED(mode, nvvm)                                                                   \
    VGPU_INTRINSIC float __fadd_##mode(float x, float y) { return __nvvm_add_##nvvm##_f(x, y); }   \
    VGPU_INTRINSIC float __fsub_##mode(float x, float y) { return __nvvm_add_##nvvm##_f(x, -y); }  \
    VGPU_INTRINSIC float __fmul_##mode(float x, float y) { return __nvvm_mul_##nvvm##_f(x, y); }   \
    VGPU_INTRINSIC float __fdiv_##mode(float x, float y) { return __nvvm_div_##nvvm##_f(x, y); }   \
    VGPU_INTRINSIC float __frcp_##mode(float x) { return __nvvm_rcp_##nvvm##_f(x); }               \
    VGPU_INTRINSIC float __fsqrt_##mode(float x) { return __nvvm_sqrt_##nvvm##_f(x); }             \
    VGPU_INTRINSIC float __fmaf_##mode(float x, float y, float z) {                                \
        return __nvvm_fma_##nvvm##_f(x, y, z);                                                     \
    }                                                                                              \
    VGPU_INTRINSIC double __dadd_##mode(double x, double y) {                                      \
        return __nvvm_add_##nvvm##_d(x, y);                                                        \
    }                                                                                              \
    VGPU_INTRINSIC double __dsub_##mode(double x, double y) {                                      \
        return __nvvm_add_##nvvm##_d(x, -y);                                                       \
    }                                                                                              \
    VGPU_INTRINSIC double __dmul_##mode(double x, double y) {                                      \
        return __nvvm_mul_##nvvm##_d(x, y);                                                        \
    }                                                                                              \
    VGPU_INTRINSIC double __ddiv_##mode(double x, double y) {                                      \
        return __nvvm_div_##nvvm##_d(x, y);                                                        \
    }                                                                                              \
    VGPU_INTRINSIC double __drcp_##mode(double x) { return __nvvm_rcp_##nvvm##_d(x); }             \
    VGPU_INTRINSIC double __dsqrt_##mode(double x) { return __nvvm_sqrt_##nvvm##_d(x); }           \
    VGPU_INTRINSIC double __fma_##mode(double x, double y, double z) {                             \
        return __nvvm_fma_##nvvm##_d(x, y, z);                                                     \
    }
VGPU_ROUNDED(rn, rn)
VGPU_ROUNDED(rz, rz)
VGPU_ROUNDED(ru, rp)
VGPU_ROUNDED(rd, rm)
#undef VGPU_ROUNDED
VGPU_INTRINSIC float __frsqrt_rn(float x) { return (float)(1.0 / sqrt((double)x)); }

/* The fast intrinsics are as accurate here as the functions they stand for. */
VGPU_INTRINSIC float __expf(float x) { return expf(x); }
VGPU_INTRINSIC float __exp10f(float x) { return exp10f(x); }
VGPU_INTRINSIC float __logf(float x) { return logf(x); }
VGPU_INTRINSIC float __log2f(float x) { return log2f(x); }
VGPU_INTRINSIC float __log10f(float x) { return log10f(x); }
VGPU_INTRINSIC float __sinf(float x) { return sinf(x); }
VGPU_INTRINSIC float __cosf(float x) { return cosf(x); }
VGPU_INTRINSIC float __tanf(float x) { return tanf(x); }
VGPU_INTRINSIC float __powf(float x, float y) { return powf(x, y); }
VGPU_INTRINSIC float __fdividef(float x, float y) { return x / y; }
VGPU_INTRINSIC void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
VGPU_INTRINSIC float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

/* ---- conversions with a chosen rounding ---- */

#define VGPU_TO_INTEGER(mode, nvvm)                                                                \
    VGPU_INTRINSIC int __float2int_##mode(float x) { return __nvvm_f2i_##nvvm(x); }                \
    VGPU_INTRINSIC unsigned int __float2uint_##mode(float x) { return __nvvm_f2ui_##nvvm(x); }     \
    VGPU_INTRINSIC long long __float2ll_##mode(float x) { return __nvvm_f2ll_##nvvm(x); }          \
    VGPU_INTRINSIC unsigned long long __float2ull_##mode(float x) {                                \
        return __nvvm_f2ull_##nvvm(x);                                                             \
    }                                                                                              \
    VGPU_INTRINSIC int __double2int_##mode(double x) { return __nvvm_d2i_##nvvm(x); }              \
    VGPU_INTRINSIC unsigned int __double2uint_##mode(double x) { return __nvvm_d2ui_##nvvm(x); }   \
    VGPU_INTRINSIC long long __double2ll_##mode(double x) { return __nvvm_d2ll_##nvvm(x); }        \
    VGPU_INTRINSIC unsigned long long __double2ull_##mode(double x) {                              \
        return __nvvm_d2ull_##nvvm(x);                                                             \
    }                                                                                              \
    VGPU_INTRINSIC float __double2float_##mode(double x) { return __nvvm_d2f_##nvvm(x); }          \
    VGPU_INTRINSIC float __int2float_##mode(int x) { return __nvvm_i2f_##nvvm(x); }                \
    VGPU_INTRINSIC float __uint2float_##mode(unsigned int x) { return __nvvm_ui2f_##nvvm(x); }     \
    VGPU_INTRINSIC float __ll2float_##mode(long long x) { return __nvvm_ll2f_##nvvm(x); }          \
    VGPU_INTRINSIC float __ull2float_##mode(unsigned long long x) {                                \
        return __nvvm_ull2f_##nvvm(x);                                                             \
    }                                                                                              \
    VGPU_INTRINSIC double __ll2double_##mode(long long x) { return __nvvm_ll2d_##nvvm(x); }        \
    VGPU_INTRINSIC double __ull2double_##mode(unsigned long long x) {                              \
        return __nvvm_ull2d_##nvvm(x);                                                             \
    }
VGPU_TO_INTEGER(rn, rn)
VGPU_TO_INTEGER(rz, rz)
VGPU_TO_INTEGER(ru, rp)
VGPU_TO_INTEGER(rd, rm)
#undef VGPU_TO_INTEGER
VGPU_INTRINSIC double __int2double_rn(int x) { return (double)x; }
VGPU_INTRINSIC double __uint2double_rn(unsigned int x) { return (double)x; }

/* ---- words of two or four small integers: no carry crosses a part ---- */

#define VGPU_SIMD(name, part, bits, expr)                                                          \
    VGPU_INTRINSIC unsigned int name(unsigned int a, unsigned int b) {                             \
        unsigned int r = 0;                                                                        \
        for (int i = 0; i < 32; i += bits) {                                                       \
            const part x = (part)(a >> i), y = (part)(b >> i);                                     \
            r |= ((unsigned int)(expr) & (0xffffffffu >> (32 - bits))) << i;                       \
        }                                                                                          \
        return r;                                                                                  \
    }
VGPU_SIMD(__vadd2, unsigned short, 16, x + y)
VGPU_SIMD(__vsub2, unsigned short, 16, x - y)
VGPU_SIMD(__vadd4, unsigned char, 8, x + y)
VGPU_SIMD(__vsub4, unsigned char, 8, x - y)
VGPU_SIMD(__vmaxs2, short, 16, x > y ? x : y)
VGPU_SIMD(__vmins2, short, 16, x < y ? x : y)
VGPU_SIMD(__vmaxu2, unsigned short, 16, x > y ? x : y)
VGPU_SIMD(__vminu2, unsigned short, 16, x < y ? x : y)
VGPU_SIMD(__vmaxs4, signed char, 8, x > y ? x : y)
VGPU_SIMD(__vmins4, signed char, 8, x < y ? x : y)
VGPU_SIMD(__vmaxu4, unsigned char, 8, x > y ? x : y)
VGPU_SIMD(__vminu4, unsigned char, 8, x < y ? x : y)
VGPU_SIMD(__vabsdiffs4, signed char, 8, x > y ? x - y : y - x)
VGPU_SIMD(__vabsdiffu4, unsigned char, 8, x > y ? x - y : y - x)
VGPU_SIMD(__vabsdiffu2, unsigned short, 16, x > y ? x - y : y - x)
VGPU_SIMD(__vavgu4, unsigned char, 8, (x + y + 1) / 2)
VGPU_SIMD(__vcmpeq4, unsigned char, 8, x == y ? ~0 : 0)
VGPU_SIMD(__vcmpgtu4, unsigned char, 8, x > y ? ~0 : 0)
VGPU_SIMD(__vcmpgts4, signed char, 8, x > y ? ~0 : 0)
VGPU_SIMD(__vcmpeq2, unsigned short, 16, x == y ? ~0 : 0)
#undef VGPU_SIMD

/* ---- address spaces ---- */

VGPU_INTRINSIC unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
VGPU_INTRINSIC unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
VGPU_INTRINSIC unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
VGPU_INTRINSIC unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
VGPU_INTRINSIC size_t __cvta_generic_to_shared(const void *p) {
    return (size_t)(const __attribute__((address_space(3))) void *)p;
}
VGPU_INTRINSIC size_t __cvta_generic_to_local(const void *p) {
    return (size_t)(const __attribute__((address_space(5))) void *)p;
}
VGPU_INTRINSIC void *__cvta_shared_to_generic(size_t p) {
    return (void *)(__attribute__((address_space(3))) void *)p;
}
VGPU_INTRINSIC void *__cvta_global_to_generic(size_t p) {
    return (void *)(__attribute__((address_space(1))) void *)p;
}
VGPU_INTRINSIC size_t __cvta_generic_to_global(const void *p) {
    return (size_t)(const __attribute__((address_space(1))) void *)p;
}

/* ---- the C library on the device ---- */

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, size_t charSize);
VGPU_INTRINSIC void __assert_fail(const char *message, const char *file, unsigned int line,
                                  const char *function) {
    __assertfail(message, file, line, function, sizeof(char));
}
}
VGPU_INTRINSIC void *memcpy(void *to, const void *from, size_t size) {
    return __builtin_memcpy(to, from, size);
}
VGPU_INTRINSIC void *memmove(void *to, const void *from, size_t size) {
    return __builtin_memmove(to, from, size);
}
VGPU_INTRINSIC void *memset(void *to, int byte, size_t size) {
    return __builtin_memset(to, byte, size);
}
namespace std {
VGPU_INTRINSIC void *malloc(size_t size) { return ::malloc(size); }
VGPU_INTRINSIC void free(void *p) { ::free(p); }
} // namespace std

/* new and delete: the compiler's own, over malloc and free. */
#include <new>

#endif
