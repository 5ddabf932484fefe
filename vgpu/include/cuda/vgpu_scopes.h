/*
 * cuda/vgpu_scopes.h: what the headers of this folder share: scopes, orders, sizes with an
 * alignment, and copies that a barrier or a pipeline waits for.
 * The folder has the parts of libcu++ that kernels use:
 *
 *     cuda/barrier    barrier in shared memory, memcpy_async that arrives there
 *     cuda/pipeline   pipelines of one thread and of a block
 *     cuda/atomic     atomic, atomic_ref, atomic_thread_fence
 *     cuda/latch      latch, which goes down once
 *     cuda/semaphore  counting_semaphore, binary_semaphore
 *     cuda/cmath      ceil_div, round_up, round_down
 *     cuda/std/...    the host library's types under their names there; atomic, bit and optional of
 *                     our own
 *
 * There is one device and its blocks see one memory, so that all scopes mean the same.
 */
#ifndef VGPU_CUDA_SCOPES_H
#define VGPU_CUDA_SCOPES_H

#include "../cuda_pipeline_primitives.h"
#include "../cuda_runtime.h"

#include <cstddef>
#include <cstdint>

#if defined(__CUDA__) && defined(__clang__)

#define VGPU_LIBCU    static __inline__ __device__ __attribute__((always_inline, nodebug))
#define VGPU_LIBCU_IN __device__ __attribute__((always_inline, nodebug))

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};

/* A size in bytes; both ends of the copy are promised to be aligned so. */
template <std::size_t Alignment> struct aligned_size_t {
    static constexpr std::size_t align = Alignment;
    std::size_t value;
    __host__ __device__ constexpr explicit aligned_size_t(std::size_t size) : value(size) {}
    __host__ __device__ constexpr operator std::size_t() const { return value; }
};

enum class async_contract_fulfillment { none, async };

/* Starts a copy, of which each of `threads` threads does its share; by cp.async from global to
 * shared memory in pieces of 16, 8 or 4 bytes where both ends allow it, at once otherwise. */
VGPU_LIBCU void vgpu_start_copy(void *to, const void *from, std::size_t bytes, std::size_t thread,
                                std::size_t threads) {
    const std::size_t odd = (std::size_t)to | (std::size_t)from | bytes;
    const bool async = __isShared(to) && __isGlobal(from) && (odd & 3) == 0;
    const std::size_t step = !async ? 1 : (odd & 15) == 0 ? 16 : (odd & 7) == 0 ? 8 : 4;
    for (std::size_t i = step * thread; i < bytes; i += step * threads) {
        char *const part = (char *)to + i;
        if (step == 16)
            __pipeline_memcpy_async(part, (const char *)from + i, 16);
        else if (step == 8)
            __pipeline_memcpy_async(part, (const char *)from + i, 8);
        else if (step == 4)
            __pipeline_memcpy_async(part, (const char *)from + i, 4);
        else
            *part = ((const char *)from)[i];
    }
}

} // namespace cuda

#endif

#endif
