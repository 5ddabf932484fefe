/*
 * vgpu_atomics.h: atomics, and loads and stores with cache hints, a part of vgpu_device.h.
 */
#ifndef VGPU_ATOMICS_H
#define VGPU_ATOMICS_H

#include "vgpu_device.h"

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

#endif
