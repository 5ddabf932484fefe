/* launch_record.c: see launch_record.h. Needs the linker options in labs/module.mk (--wrap). */
#include "common/launch_record.h"

#include <cuda_runtime.h>

/* The one piece of global state: the wrapped functions have no room for a context. Lab code
 * launches from one thread. */
static struct launch_record record;

void launch_record_reset(void) {
    record = (struct launch_record){0};
}

struct launch_record launch_record_read(void) {
    return record;
}

static void note(dim3 grid, dim3 block) {
    ++record.launches;
    record.grid[0] = grid.x;
    record.grid[1] = grid.y;
    record.grid[2] = grid.z;
    record.block[0] = block.x;
    record.block[1] = block.y;
    record.block[2] = block.z;
}

/* --wrap=NAME turns calls of NAME into calls of __wrap_NAME, and __real_NAME into NAME. */
cudaError_t __real_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes, cudaStream_t stream);

cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes, cudaStream_t stream) {
    note(grid, block);
    return __real_cudaLaunchKernel(function, grid, block, arguments, shared_bytes, stream);
}

#if CUDART_VERSION >= 13000
/* nvcc 13 launches through a kernel handle instead (a pointer).
 * Older runtimes lack the function. */
cudaError_t __real___cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared_bytes, cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared_bytes, cudaStream_t stream);

cudaError_t __wrap___cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared_bytes, cudaStream_t stream) {
    note(grid, block);
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
#endif
