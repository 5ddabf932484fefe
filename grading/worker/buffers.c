/* buffers.c: memory for the matrices a submission gets (see worker.h).
 *
 *   host:    | inaccessible page | unused | region ........ | inaccessible page |
 *                                         ^ base             ^ base + bytes
 *
 *   or       | inaccessible page | region ........ | unused | inaccessible page |
 *                                ^ base
 *
 * A step past the end of a matrix, or in front of its start, faults at once, at the instruction
 * that makes it. */
#include "grading/worker/worker.h"

#include "vgpu/include/vgpu.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A real GPU has no such thing. */
extern __typeof__(vgpu_lend) vgpu_lend __attribute__((weak));

static size_t page_bytes(void) {
    const long page = sysconf(_SC_PAGESIZE);
    return page > 0 ? (size_t)page : 4096;
}

cudaError_t worker_buffer_make(struct buffer *b, uint64_t bytes, bool device, bool at_start) {
    *b = (struct buffer){.bytes = bytes, .device = device};
    if (device) {
        void *p = NULL;
        const cudaError_t error = cudaMalloc(&p, (size_t)bytes);
        b->base = p;
        return error;
    }
    const size_t page = page_bytes();
    const size_t inside = ((size_t)bytes + page - 1) / page * page;
    b->map_bytes = inside + 2 * page;
    b->map = mmap(NULL, b->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b->map == MAP_FAILED) {
        b->map = NULL;
        return cudaErrorMemoryAllocation;
    }
    unsigned char *first = (unsigned char *)b->map + page;
    if (mprotect(first, inside, PROT_READ | PROT_WRITE) != 0)
        return cudaErrorMemoryAllocation;
    b->base = at_start ? first : first + (inside - (size_t)bytes);
    return cudaSuccess;
}

cudaError_t worker_buffer_protect(const struct buffer *b, bool read_only) {
    if (b->device && vgpu_lend)
        vgpu_lend(b->base, read_only);
    const size_t page = page_bytes();
    const int may = read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    return b->map && mprotect((unsigned char *)b->map + page, b->map_bytes - 2 * page, may) != 0
               ? cudaErrorMemoryAllocation
               : cudaSuccess;
}

cudaError_t worker_buffer_put(const struct buffer *b, const void *from) {
    if (b->device)
        return cudaMemcpy(b->base, from, (size_t)b->bytes, cudaMemcpyHostToDevice);
    memcpy(b->base, from, (size_t)b->bytes);
    return cudaSuccess;
}

cudaError_t worker_buffer_get(const struct buffer *b, void *to) {
    if (b->device)
        return cudaMemcpy(to, b->base, (size_t)b->bytes, cudaMemcpyDeviceToHost);
    memcpy(to, b->base, (size_t)b->bytes);
    return cudaSuccess;
}

void worker_buffer_free(struct buffer *b) {
    if (b->device && b->base)
        (void)cudaFree(b->base);
    if (b->map)
        munmap(b->map, b->map_bytes);
    *b = (struct buffer){0};
}

bool worker_buffer_covers(const struct buffer *b, const void *address) {
    const unsigned char *at = address, *from = b->map;
    return b->map && at >= from && at < from + b->map_bytes;
}

bool worker_buffer_holds(const struct buffer *b, const void *address) {
    const unsigned char *at = address;
    return b->base && at >= b->base && at < b->base + b->bytes;
}
