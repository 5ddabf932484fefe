/*
 * cuda_pipeline_primitives.h: copies from global to shared memory that a thread starts and waits
 * for later. Until the wait the destination holds junk here, so that a wait forgotten shows.
 */
#ifndef VGPU_CUDA_PIPELINE_PRIMITIVES_H
#define VGPU_CUDA_PIPELINE_PRIMITIVES_H
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

/* size_and_align is 4, 8 or 16; the last zfill bytes are zeros instead of the source's. */
VGPU_INTRINSIC void __pipeline_memcpy_async(void *dst_shared, const void *src_global,
                                            size_t size_and_align, size_t zfill = 0) {
    const unsigned int dst = (unsigned int)__cvta_generic_to_shared(dst_shared);
    const unsigned int bytes = (unsigned int)(size_and_align - zfill);
    if (size_and_align == 16)
        asm volatile(VGPU_ON_ANY "cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(dst), "l"(src_global), "r"(bytes)
                     : "memory");
    else if (size_and_align == 8)
        asm volatile(VGPU_ON_ANY "cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(dst), "l"(src_global), "r"(bytes)
                     : "memory");
    else if (size_and_align == 4)
        asm volatile(VGPU_ON_ANY "cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(dst), "l"(src_global), "r"(bytes)
                     : "memory");
    else
        __trap();
}
VGPU_INTRINSIC void __pipeline_commit(void) {
    asm volatile(VGPU_ON_ANY "cp.async.commit_group;" ::: "memory");
}
/* All but the `prior` latest groups have arrived. */
VGPU_INTRINSIC void __pipeline_wait_prior(size_t prior) {
    switch (prior) {
    case 0: asm volatile(VGPU_ON_ANY "cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile(VGPU_ON_ANY "cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile(VGPU_ON_ANY "cp.async.wait_group 2;" ::: "memory"); break;
    case 3: asm volatile(VGPU_ON_ANY "cp.async.wait_group 3;" ::: "memory"); break;
    case 4: asm volatile(VGPU_ON_ANY "cp.async.wait_group 4;" ::: "memory"); break;
    case 5: asm volatile(VGPU_ON_ANY "cp.async.wait_group 5;" ::: "memory"); break;
    case 6: asm volatile(VGPU_ON_ANY "cp.async.wait_group 6;" ::: "memory"); break;
    case 7: asm volatile(VGPU_ON_ANY "cp.async.wait_group 7;" ::: "memory"); break;
    default: /* hardware counts to 7, too */
        asm volatile(VGPU_ON_ANY "cp.async.wait_group 8;" ::: "memory");
    }
}

#endif

#endif
