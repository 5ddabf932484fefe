/* cooperative_groups/scan.h: each thread's value combined with those of the threads before it in
 * the group. */
#ifndef VGPU_COOPERATIVE_GROUPS_SCAN_H
#define VGPU_COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

template <class Group, class T, class Operation>
VGPU_CG T inclusive_scan(const Group &group, T value, Operation op) {
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        const T before = group.shfl_up(value, step);
        if (group.thread_rank() >= step)
            value = op(before, value);
    }
    return value;
}
template <class Group, class T> VGPU_CG T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
/* Thread 0 gets T(). */
template <class Group, class T, class Operation>
VGPU_CG T exclusive_scan(const Group &group, T value, Operation op) {
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> VGPU_CG T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif

#endif
