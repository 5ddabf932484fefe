/* cooperative_groups/reduce.h: one value from those of a group's threads, given to each of them. */
#ifndef VGPU_COOPERATIVE_GROUPS_REDUCE_H
#define VGPU_COOPERATIVE_GROUPS_REDUCE_H
#define _COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

template <class T> struct plus {
    VGPU_CG_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    VGPU_CG_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    VGPU_CG_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    VGPU_CG_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    VGPU_CG_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    VGPU_CG_MEMBER T operator()(T a, T b) const { return a ^ b; }
};

/* Halves of a tile are combined until one value is left. */
template <unsigned int Size, class Outer, class T, class Operation>
VGPU_CG T reduce(const thread_block_tile<Size, Outer> &tile, T value, Operation op) {
    if constexpr (Size > 32) {
        return tile.vgpu_combined(reduce(thread_block_tile<32>(), value, op), op);
    } else {
        for (unsigned int step = Size / 2; step > 0; step /= 2)
            value = op(value, tile.shfl_xor(value, step));
        return value;
    }
}
/* Any number of threads: one after the other. */
template <class T, class Operation>
VGPU_CG T reduce(const coalesced_group &group, T value, Operation op) {
    T result = group.shfl(value, 0);
    for (unsigned int i = 1; i < group.size(); ++i)
        result = op(result, group.shfl(value, i));
    return result;
}

} // namespace cooperative_groups

#endif

#endif
