/*
 * vgpu_warp.h: what the lanes of a warp tell each other: votes, shuffles, matches, reductions. A
 * part of vgpu_device.h.
 */
#ifndef VGPU_WARP_H
#define VGPU_WARP_H

#include "vgpu_device.h"

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

/* The value goes by reference: what a lane that nobody asks has for one may be anything, as in
 *
 *     if (lane == 0)
 *         old = atomicAdd(p, n);
 *     old = __shfl_sync(mask, old, 0);
 *
 * and clang would warn of it. */
template <class T> struct vgpu_volatile {};
template <class T> struct vgpu_volatile<volatile T &> { typedef T type; };
template <class T> struct vgpu_volatile<const volatile T &> { typedef T type; };
/* The third operand of shfl: the segment's mask above, the clamp below. */
#define VGPU_SHUFFLE(name, mode, clamp, lane_type)                                                 \
    VGPU_INTRINSIC int name(unsigned int mask, const int &value, lane_type lane, int width = 32) { \
        return __nvvm_shfl_sync_##mode##_i32(mask, value, (int)lane,                               \
                                             ((32 - width) << 8) | (clamp));                       \
    }                                                                                              \
    VGPU_INTRINSIC unsigned int name(unsigned int mask, const unsigned int &value, lane_type lane, \
                                     int width = 32) {                                             \
        return (unsigned int)name(mask, (int)value, lane, width);                                  \
    }                                                                                              \
    VGPU_INTRINSIC float name(unsigned int mask, const float &value, lane_type lane,               \
                              int width = 32) {                                                    \
        return __int_as_float(name(mask, __float_as_int(value), lane, width));                     \
    }                                                                                              \
    VGPU_INTRINSIC long long name(unsigned int mask, const long long &value, lane_type lane,       \
                                  int width = 32) {                                                \
        unsigned int lo = (unsigned int)name(mask, (int)value, lane, width);                       \
        int hi = name(mask, (int)(value >> 32), lane, width);                                      \
        return (long long)(((unsigned long long)(unsigned int)hi << 32) | lo);                     \
    }                                                                                              \
    VGPU_INTRINSIC unsigned long long name(unsigned int mask, const unsigned long long &value,     \
                                           lane_type lane, int width = 32) {                       \
        return (unsigned long long)name(mask, (long long)value, lane, width);                      \
    }                                                                                              \
    VGPU_INTRINSIC long name(unsigned int mask, const long &value, lane_type lane,                 \
                             int width = 32) {                                                     \
        return (long)name(mask, (long long)value, lane, width);                                    \
    }                                                                                              \
    VGPU_INTRINSIC unsigned long name(unsigned int mask, const unsigned long &value,               \
                                      lane_type lane, int width = 32) {                            \
        return (unsigned long)name(mask, (long long)value, lane, width);                           \
    }                                                                                              \
    VGPU_INTRINSIC double name(unsigned int mask, const double &value, lane_type lane,             \
                               int width = 32) {                                                   \
        return __longlong_as_double(name(mask, __double_as_longlong(value), lane, width));         \
    }                                                                                              \
    template <class T>                                                                             \
    VGPU_INTRINSIC typename vgpu_volatile<T>::type name(unsigned int mask, T &&value,              \
                                                        lane_type lane, int width = 32) {          \
        return name(mask, (typename vgpu_volatile<T>::type)value, lane, width);                    \
    }
VGPU_SHUFFLE(__shfl_sync, idx, 0x1f, int)
VGPU_SHUFFLE(__shfl_up_sync, up, 0, unsigned int)
VGPU_SHUFFLE(__shfl_down_sync, down, 0x1f, unsigned int)
VGPU_SHUFFLE(__shfl_xor_sync, bfly, 0x1f, int)
#undef VGPU_SHUFFLE

/* The same without a mask, as before CUDA 9: whoever is active takes part, and nobody can be sure
 * who that is. nvcc has them for devices before sm_70 only. */
#define VGPU_OLD(name)                                                                             \
    __attribute__((deprecated("nvcc has it no more since sm_70: use " #name "_sync(0xffffffff, "   \
                              "...)")))
#define VGPU_OLD_SHUFFLE(name, lane_type)                                                          \
    template <class T>                                                                             \
    VGPU_OLD(name)                                                                                 \
    VGPU_INTRINSIC T name(T value, lane_type lane, int width = 32) {                               \
        return name##_sync(__activemask(), value, lane, width);                                    \
    }
VGPU_OLD_SHUFFLE(__shfl, int)
VGPU_OLD_SHUFFLE(__shfl_up, unsigned int)
VGPU_OLD_SHUFFLE(__shfl_down, unsigned int)
VGPU_OLD_SHUFFLE(__shfl_xor, int)
VGPU_OLD(__any) VGPU_INTRINSIC int __any(int predicate) {
    return __any_sync(__activemask(), predicate);
}
VGPU_OLD(__all) VGPU_INTRINSIC int __all(int predicate) {
    return __all_sync(__activemask(), predicate);
}
VGPU_OLD(__ballot) VGPU_INTRINSIC unsigned int __ballot(int predicate) {
    return __ballot_sync(__activemask(), predicate);
}
#undef VGPU_OLD_SHUFFLE
#undef VGPU_OLD

/* ---- matches ---- */

/* As assembly: clang's builtin for 64 bits has a result of 64 bits, which no instruction has. */
VGPU_INTRINSIC unsigned int __vgpu_match_any(unsigned int mask, unsigned int value) {
    unsigned int peers;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(peers) : "r"(value), "r"(mask));
    return peers;
}
VGPU_INTRINSIC unsigned int __vgpu_match_any(unsigned int mask, unsigned long long value) {
    unsigned int peers;
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(peers) : "l"(value), "r"(mask));
    return peers;
}
template <class T> VGPU_INTRINSIC unsigned int __match_any_sync(unsigned int mask, T value) {
    if (sizeof(T) == 8)
        return __vgpu_match_any(mask, (unsigned long long)value);
    return __vgpu_match_any(mask, (unsigned int)value);
}
VGPU_INTRINSIC unsigned int __match_any_sync(unsigned int mask, float value) {
    return __vgpu_match_any(mask, __float_as_uint(value));
}
VGPU_INTRINSIC unsigned int __match_any_sync(unsigned int mask, double value) {
    return __vgpu_match_any(mask, (unsigned long long)__double_as_longlong(value));
}
template <class T>
VGPU_INTRINSIC unsigned int __match_all_sync(unsigned int mask, T value, int *same) {
    unsigned int peers = __match_any_sync(mask, value);
    *same = peers == mask;
    return *same ? mask : 0;
}

/* ---- reductions ---- */

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

#endif
