/*
 * memcpy_test.c: copies in all directions and shapes, and the codes of wrong ones: those that an
 * H200 gives under CUDA 13.
 */
#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

enum { N = 1024 };

static unsigned char host[4 * N];
static unsigned char back[4 * N];

static char *device_memory(size_t size) {
    void *p = NULL;
    ck_assert_int_eq(cudaMalloc(&p, size), cudaSuccess);
    return p;
}

static void fill(void) {
    for (int i = 0; i < 4 * N; i++)
        host[i] = (unsigned char)(i * 7 + 1);
    memset(back, 0, sizeof back);
}

TEST(there_and_back) {
    char *d = device_memory(N);
    char *e = device_memory(N);
    fill();
    ck_assert_int_eq(cudaMemcpy(d, host, N, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(e, d, N, cudaMemcpyDeviceToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyAsync(back, e, N, cudaMemcpyDeviceToHost, NULL), cudaSuccess);
    ck_assert_mem_eq(host, back, N);
    ck_assert_int_eq(cudaMemcpy(back, host, N, cudaMemcpyHostToHost), cudaSuccess);
}

TEST(default_finds_the_direction) {
    char *d = device_memory(N);
    fill();
    ck_assert_int_eq(cudaMemcpy(d, host, N, cudaMemcpyDefault), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(back, d, N, cudaMemcpyDefault), cudaSuccess);
    ck_assert_mem_eq(host, back, N);
    ck_assert_int_eq(cudaMemcpy(back + N, back, N, cudaMemcpyDefault), cudaSuccess);
    ck_assert_mem_eq(host, back + N, N);
    ck_assert_int_eq(cudaMemcpy(d, d, 16, cudaMemcpyHostToHost), cudaSuccess); /* as on hardware */
}

TEST(pinned_memory_counts_as_both) {
    char *d = device_memory(N);
    void *pinned = NULL;
    fill();
    ck_assert_int_eq(cudaMallocHost(&pinned, N), cudaSuccess);
    memcpy(pinned, host, N);
    ck_assert_int_eq(cudaMemcpy(d, pinned, N, cudaMemcpyHostToDevice), cudaSuccess);
    memset(pinned, 0, N);
    ck_assert_int_eq(cudaMemcpy(pinned, d, N, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_mem_eq(pinned, host, N);
}

TEST(wrong_directions) {
    char *d = device_memory(N);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaMemcpy(back, d, N, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(d, host, N, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(back, host, N, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    /* Device to device works under the other names, too; it is said, once for each copy. */
    ck_assert_int_eq(cudaMemcpy(d, d + 512, 512, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(d, d + 512, 512, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(back, d, N, (enum cudaMemcpyKind)7),
                     cudaErrorInvalidMemcpyDirection);
    ck_assert_int_eq(cudaPeekAtLastError(), cudaErrorInvalidMemcpyDirection);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(strstr(said, "cudaMemcpyHostToDevice, but the destination, "));
    ck_assert_ptr_nonnull(strstr(said, "cudaMemcpyDeviceToHost, but the source, "));
    ck_assert_ptr_nonnull(strstr(said, "cudaMemcpyHostToDevice, but the source, "));
    ck_assert_ptr_nonnull(strstr(said, "is a device address"));
}

TEST(overruns_name_the_allocation) {
    char *d = device_memory(N);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaMemcpy(d, host, N + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(back, d + 24, N, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemset(d, 0, N + 8), cudaErrorInvalidValue);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(strstr(said,
                                 "vgpu: cudaMemcpy: the destination must have 1025 bytes, but "
                                 "allocation #1 (1024 bytes) has only 1024: 1 too few\n"));
    ck_assert_ptr_nonnull(
        strstr(said, "vgpu: cudaMemcpy: the source must have 1024 bytes, but allocation "
                     "#1 (1024 bytes) has only 1000 from its byte 24 on: 24 too few\n"));
    ck_assert_ptr_nonnull(strstr(said, "vgpu: cudaMemset: the destination must have 1032 bytes"));
}

TEST(bad_pointers) {
    char *d = device_memory(N);
    FILE *err = capture_stderr();
    cudaFree(d);
    ck_assert_int_eq(cudaMemcpy(d, host, N, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(NULL, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy(back, NULL, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemset(host, 0, 16), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemset(NULL, 0, 16), cudaErrorInvalidValue);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(strstr(said, "is inside allocation #1 (1024 bytes), freed"));
    ck_assert_ptr_nonnull(strstr(said, "cudaMemset: the destination is a null pointer"));
}

TEST(nothing_to_copy_is_no_mistake) {
    ck_assert_int_eq(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(NULL, host, 0, (enum cudaMemcpyKind)9), cudaSuccess);
    ck_assert_int_eq(cudaMemset(NULL, 0, 0), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy2D(NULL, 32, host, 64, 32, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST(rectangles) {
    char *d = device_memory(8 * 48);
    fill();
    /* 8 rows of 32 bytes: from rows of 64 to rows of 48, and back into rows of 32. */
    ck_assert_int_eq(cudaMemset(d, 0xEE, 8 * 48), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy2D(d, 48, host, 64, 32, 8, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy2DAsync(back, 32, d, 48, 32, 8, cudaMemcpyDeviceToHost, NULL),
                     cudaSuccess);
    for (int row = 0; row < 8; row++)
        ck_assert_mem_eq(back + row * 32, host + row * 64, 32);
    ck_assert_int_eq(cudaMemcpy(back, d, 48, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_uint_eq(back[40], 0xEE); /* what lies between rows is left alone */
}

TEST(rectangle_limits) {
    char *d = device_memory(1024);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaMemcpy2D(d, 16, host, 64, 32, 8, cudaMemcpyHostToDevice),
                     cudaErrorInvalidPitchValue);
    ck_assert_int_eq(cudaMemcpy2D(d, 32, host, 16, 32, 8, cudaMemcpyHostToDevice),
                     cudaErrorInvalidPitchValue);
    ck_assert_int_eq(cudaMemcpy2D(d, 32, host, 16, 32, 1, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy2D(d, 256, host, 64, 32, 8, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpy2D(d, SIZE_MAX / 2, host, 64, 32, 8, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    /* The last row needs its own bytes only, not a whole pitch. */
    ck_assert_int_eq(cudaMemcpy2D(d, 142, host, 64, 30, 8, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemset2D(d, 64, 1, 32, 8), cudaSuccess);
    ck_assert_int_eq(cudaMemset2D(d, 16, 1, 32, 8), cudaErrorInvalidValue);
    ck_assert_ptr_nonnull(strstr(captured(err),
                                 "pitch of the destination is 16 bytes, less than a row "
                                 "of 32 bytes"));
}

TEST(boxes) {
    struct cudaPitchedPtr box;
    struct cudaMemcpy3DParms p = {0};
    fill();
    ck_assert_int_eq(cudaMalloc3D(&box, make_cudaExtent(20, 3, 2)), cudaSuccess);
    p.srcPtr = make_cudaPitchedPtr(host, 24, 24, 5);
    p.srcPos = make_cudaPos(4, 1, 0);
    p.dstPtr = box;
    p.extent = make_cudaExtent(20, 3, 2);
    p.kind = cudaMemcpyHostToDevice;
    ck_assert_int_eq(cudaMemcpy3D(&p), cudaSuccess);
    p.srcPtr = box;
    p.srcPos = make_cudaPos(0, 0, 0);
    p.dstPtr = make_cudaPitchedPtr(back, 20, 20, 3);
    p.kind = cudaMemcpyDeviceToHost;
    ck_assert_int_eq(cudaMemcpy3D(&p), cudaSuccess);
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            ck_assert_mem_eq(back + (z * 3 + y) * 20, host + (z * 5 + y + 1) * 24 + 4, 20);
}

TEST(copies_are_counted) {
    struct vgpu_stats stats;
    char *d = device_memory(N);
    vgpu_reset_stats();
    cudaMemcpy(d, host, N, cudaMemcpyHostToDevice);
    cudaMemcpy(back, d, 100, cudaMemcpyDeviceToHost);
    vgpu_get_stats(&stats);
    ck_assert_uint_eq(stats.copies, 2);
    ck_assert_uint_eq(stats.copied_bytes, N + 100);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "copies"});
}
