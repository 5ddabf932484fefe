/*
 * cooperative_groups/memcpy_async.h: a group copies from global to shared memory, and waits for it
 * later. Copies of 4-byte words and more go by cp.async, odd ends element by element.
 */
#ifndef VGPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define VGPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

/* `bytes` bytes; the threads of the group share the work. Both ends are aligned for T. */
template <class Group, class T>
VGPU_CG void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    const bool words = (((size_t)to | (size_t)from | bytes) & 3) == 0;
    const bool quads = (((size_t)to | (size_t)from | bytes) & 15) == 0;
    const size_t step = quads ? 16 : words ? 4 : 1;
    for (size_t i = step * group.thread_rank(); i < bytes; i += step * group.size()) {
        if (quads)
            __pipeline_memcpy_async((char *)to + i, (const char *)from + i, 16);
        else if (words)
            __pipeline_memcpy_async((char *)to + i, (const char *)from + i, 4);
        else
            ((char *)to)[i] = ((const char *)from)[i];
    }
    __pipeline_commit();
}

template <class Group> VGPU_CG void wait(const Group &group) {
    __pipeline_wait_prior(0);
    group.sync();
}
/* All but the `prior` latest copies. */
template <unsigned int prior, class Group> VGPU_CG void wait_prior(const Group &group) {
    __pipeline_wait_prior(prior);
    group.sync();
}

} // namespace cooperative_groups

#endif

#endif
