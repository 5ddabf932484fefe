/*
 * vgpu_device.h: what device code finds without including anything: threadIdx and its relatives,
 * barriers, fences, printf and assert here, all else in its parts:
 *
 *     vgpu_atomics.h      atomics, loads and stores with cache hints
 *     vgpu_warp.h         votes, shuffles, matches, reductions
 *     vgpu_intrinsics.h   functions of numbers
 *     vgpu_simd.h         functions of words that hold several small integers
 *     vgpu_complex.h      products and quotients of complex numbers
 *
 * Everything here is inlined and carries no debug lines of its own (nodebug), so that whatever goes
 * wrong inside, say in an atomicAdd, is reported at the line of the program that called it.
 */
#ifndef VGPU_DEVICE_H
#define VGPU_DEVICE_H

#include "vector_functions.h"
#include "vgpu_complex.h"
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

/* In front of an instruction that stands for what CUDA does on older architectures, too, in another
 * way: vgpucc_arch.c lets it pass. */
#define VGPU_ON_ANY "/* on any */ "

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
VGPU_INTRINSIC void cudaGridDependencySynchronize(void) {
    asm volatile("griddepcontrol.wait;" : : : "memory");
}
VGPU_INTRINSIC void cudaTriggerProgrammaticLaunchCompletion(void) {
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
}
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

#include "vgpu_atomics.h"
#include "vgpu_intrinsics.h"
#include "vgpu_simd.h"
#include "vgpu_warp.h"

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
