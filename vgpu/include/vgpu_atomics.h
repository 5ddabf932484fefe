/*
 * vgpu_atomics.h: atomics, and loads and stores with cache hints, a part of vgpu_device.h.
 */
#ifndef VGPU_ATOMICS_H
#define VGPU_ATOMICS_H

#include "vgpu_device.h"

/* ---- atomics ---- */

/* Each for the device and, as name_system, for host and device together, who may both be at it: the
 * PTX names that scope, and the runtime hides nothing that such a kernel writes (late.h). */
/* clang-format off */
#define VGPU_ATOMIC_AS(name, type, as, builtin)                                                    \
    VGPU_INTRINSIC type name(type *address, type value) {                                          \
        return (type)__nvvm_atom_##builtin((as *)address, (as)value);                              \
    }                                                                                              \
    VGPU_INTRINSIC type name##_system(type *address, type value) {                                 \
        return (type)__nvvm_atom_sys_##builtin((as *)address, (as)value);                          \
    }
#define VGPU_ATOMIC(name, type, builtin) VGPU_ATOMIC_AS(name, type, type, builtin)
#define VGPU_ATOMIC_CAS(type, as, builtin)                                                         \
    VGPU_INTRINSIC type atomicCAS(type *address, type expected, type value) {                      \
        return (type)__nvvm_atom_##builtin((as *)address, (as)expected, (as)value);                \
    }                                                                                              \
    VGPU_INTRINSIC type atomicCAS_system(type *address, type expected, type value) {               \
        return (type)__nvvm_atom_sys_##builtin((as *)address, (as)expected, (as)value);            \
    }

VGPU_ATOMIC(atomicAdd, int, add_gen_i)
VGPU_ATOMIC_AS(atomicAdd, unsigned int, int, add_gen_i)
VGPU_ATOMIC_AS(atomicAdd, unsigned long long, long long, add_gen_ll)
VGPU_ATOMIC(atomicAdd, float, add_gen_f)
VGPU_ATOMIC(atomicAdd, double, add_gen_d)
VGPU_ATOMIC(atomicExch, int, xchg_gen_i)
VGPU_ATOMIC_AS(atomicExch, unsigned int, int, xchg_gen_i)
VGPU_ATOMIC_AS(atomicExch, unsigned long long, long long, xchg_gen_ll)
VGPU_ATOMIC(atomicMin, int, min_gen_i)
VGPU_ATOMIC(atomicMin, unsigned int, min_gen_ui)
VGPU_ATOMIC(atomicMin, long long, min_gen_ll)
VGPU_ATOMIC(atomicMin, unsigned long long, min_gen_ull)
VGPU_ATOMIC(atomicMax, int, max_gen_i)
VGPU_ATOMIC(atomicMax, unsigned int, max_gen_ui)
VGPU_ATOMIC(atomicMax, long long, max_gen_ll)
VGPU_ATOMIC(atomicMax, unsigned long long, max_gen_ull)
VGPU_ATOMIC(atomicAnd, int, and_gen_i)
VGPU_ATOMIC_AS(atomicAnd, unsigned int, int, and_gen_i)
VGPU_ATOMIC_AS(atomicAnd, unsigned long long, long long, and_gen_ll)
VGPU_ATOMIC(atomicOr, int, or_gen_i)
VGPU_ATOMIC_AS(atomicOr, unsigned int, int, or_gen_i)
VGPU_ATOMIC_AS(atomicOr, unsigned long long, long long, or_gen_ll)
VGPU_ATOMIC(atomicXor, int, xor_gen_i)
VGPU_ATOMIC_AS(atomicXor, unsigned int, int, xor_gen_i)
VGPU_ATOMIC_AS(atomicXor, unsigned long long, long long, xor_gen_ll)
VGPU_ATOMIC(atomicInc, unsigned int, inc_gen_ui)
VGPU_ATOMIC(atomicDec, unsigned int, dec_gen_ui)
VGPU_ATOMIC_CAS(int, int, cas_gen_i)
VGPU_ATOMIC_CAS(unsigned int, int, cas_gen_i)
VGPU_ATOMIC_CAS(unsigned long long, long long, cas_gen_ll)
#undef VGPU_ATOMIC
#undef VGPU_ATOMIC_CAS
#undef VGPU_ATOMIC_AS
/* clang-format on */

VGPU_INTRINSIC float atomicExch(float *address, float value) {
    return __int_as_float(__nvvm_atom_xchg_gen_i((int *)address, __float_as_int(value)));
}
VGPU_INTRINSIC float atomicExch_system(float *address, float value) {
    return __int_as_float(__nvvm_atom_sys_xchg_gen_i((int *)address, __float_as_int(value)));
}
VGPU_INTRINSIC int atomicSub(int *address, int value) {
    return __nvvm_atom_sub_gen_i(address, value);
}
VGPU_INTRINSIC unsigned int atomicSub(unsigned int *address, unsigned int value) {
    return (unsigned int)__nvvm_atom_sub_gen_i((int *)address, (int)value);
}
VGPU_INTRINSIC int atomicSub_system(int *address, int value) {
    return atomicAdd_system(address, (int)(0u - (unsigned int)value));
}
VGPU_INTRINSIC unsigned int atomicSub_system(unsigned int *address, unsigned int value) {
    return atomicAdd_system(address, 0u - value);
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

/* A block's scope is part of the device's. */
#define VGPU_SCOPES(name)                                                                          \
    template <class T, class Value> VGPU_INTRINSIC T name##_block(T *address, Value value) {       \
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
template <class T, class Value, class Other>
VGPU_INTRINSIC T atomicCAS_block(T *address, Value expected, Other value) {
    return atomicCAS(address, (T)expected, (T)value);
}
/* ---- loads and stores with cache hints: the hint changes nothing that can be seen here ---- */

#define VGPU_LOAD(name)                                                                            \
    template <class T> VGPU_INTRINSIC T name(const T *address) { return *address; }
VGPU_LOAD(__ldca)
VGPU_LOAD(__ldcg)
VGPU_LOAD(__ldcs)
VGPU_LOAD(__ldlu)
VGPU_LOAD(__ldcv)
#undef VGPU_LOAD
/* __ldg reads what nobody writes while the kernel runs: the PTX says so (ld.global.nc), and the
 * checkers look. */
template <class T> VGPU_INTRINSIC T __ldg(const T *address) { return *address; }
#define VGPU_LDG(type, builtin)                                                                    \
    VGPU_INTRINSIC type __ldg(const type *address) { return __nvvm_ldg_##builtin(address); }
#define VGPU_LDG_2(type, of, builtin)                                                              \
    VGPU_INTRINSIC type __ldg(const type *address) {                                               \
        typedef of vgpu_pair __attribute__((ext_vector_type(2)));                                  \
        const vgpu_pair v = __nvvm_ldg_##builtin((const vgpu_pair *)address);                      \
        return make_##type(v.x, v.y);                                                              \
    }
#define VGPU_LDG_4(type, of, builtin)                                                              \
    VGPU_INTRINSIC type __ldg(const type *address) {                                               \
        typedef of vgpu_four __attribute__((ext_vector_type(4)));                                  \
        const vgpu_four v = __nvvm_ldg_##builtin((const vgpu_four *)address);                      \
        return make_##type(v.x, v.y, v.z, v.w);                                                    \
    }
VGPU_LDG(char, c)
VGPU_LDG(short, s)
VGPU_LDG(int, i)
VGPU_LDG(long, l)
VGPU_LDG(long long, ll)
VGPU_LDG(unsigned char, uc)
VGPU_LDG(unsigned short, us)
VGPU_LDG(unsigned int, ui)
VGPU_LDG(unsigned long, ul)
VGPU_LDG(unsigned long long, ull)
VGPU_LDG(float, f)
VGPU_LDG(double, d)
VGPU_LDG_2(char2, char, c2)
VGPU_LDG_4(char4, char, c4)
VGPU_LDG_2(short2, short, s2)
VGPU_LDG_4(short4, short, s4)
VGPU_LDG_2(int2, int, i2)
VGPU_LDG_4(int4, int, i4)
VGPU_LDG_2(longlong2, long long, ll2)
VGPU_LDG_2(uchar2, unsigned char, uc2)
VGPU_LDG_4(uchar4, unsigned char, uc4)
VGPU_LDG_2(ushort2, unsigned short, us2)
VGPU_LDG_4(ushort4, unsigned short, us4)
VGPU_LDG_2(uint2, unsigned int, ui2)
VGPU_LDG_4(uint4, unsigned int, ui4)
VGPU_LDG_2(ulonglong2, unsigned long long, ull2)
VGPU_LDG_2(float2, float, f2)
VGPU_LDG_4(float4, float, f4)
VGPU_LDG_2(double2, double, d2)
#undef VGPU_LDG
#undef VGPU_LDG_2
#undef VGPU_LDG_4
#define VGPU_STORE(name)                                                                           \
    template <class T> VGPU_INTRINSIC void name(T *address, T value) { *address = value; }
VGPU_STORE(__stwb)
VGPU_STORE(__stcg)
VGPU_STORE(__stcs)
VGPU_STORE(__stwt)
#undef VGPU_STORE

#endif
