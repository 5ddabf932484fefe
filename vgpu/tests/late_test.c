/*
 * late_test.c: what asynchronous work writes is there for those who have waited, and for nobody
 * else.
 */
#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/tests/vgpu_test.h"

#include <stdbool.h>
#include <string.h>

enum { COUNT = 64, BYTES = COUNT * 4 };

/* Pinned memory of ones, device memory of twos, one stream of each sort. */
static float *pinned, *device;
static cudaStream_t blocking, apart;

static void set_up(void) {
    float twos[COUNT];
    setenv("VGPU_QUIET", "1", 1);
    setenv("VGPU_CHECK", "all", 1);
    ck_assert_int_eq(cudaMallocHost((void **)&pinned, BYTES), cudaSuccess);
    ck_assert_int_eq(cudaMalloc((void **)&device, BYTES), cudaSuccess);
    ck_assert_int_eq(cudaStreamCreate(&blocking), cudaSuccess);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking), cudaSuccess);
    for (int i = 0; i < COUNT; i++) {
        pinned[i] = 1.0f;
        twos[i] = 2.0f;
    }
    ck_assert_int_eq(cudaMemcpy(device, twos, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
}

static void fetch(cudaStream_t stream) {
    ck_assert_int_eq(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream),
                     cudaSuccess);
}

static bool there(void) {
    return pinned[0] == 2.0f && pinned[COUNT - 1] == 2.0f;
}

static bool hidden(void) {
    return pinned[0] != pinned[0] && pinned[COUNT - 1] != pinned[COUNT - 1]; /* NaN */
}

TEST(the_host_waits_for_a_stream) {
    fetch(apart);
    ck_assert(hidden());
    ck_assert_int_eq(cudaStreamSynchronize(blocking), cudaSuccess);
    ck_assert(hidden());
    ck_assert_int_eq(cudaStreamSynchronize(NULL), cudaSuccess);
    ck_assert(hidden()); /* the default stream does not wait for this one */
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    ck_assert(there());
}

TEST(the_default_stream_waits_for_those_that_block) {
    fetch(blocking);
    ck_assert(hidden());
    ck_assert_int_eq(cudaStreamSynchronize(NULL), cudaSuccess);
    ck_assert(there());
    pinned[0] = 1.0f;
    fetch(NULL);
    ck_assert(hidden());
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(there());
}

TEST(the_host_waits_for_an_event) {
    cudaEvent_t before, behind;
    ck_assert_int_eq(cudaEventCreate(&before), cudaSuccess);
    ck_assert_int_eq(cudaEventCreate(&behind), cudaSuccess);
    ck_assert_int_eq(cudaEventRecord(before, apart), cudaSuccess);
    fetch(apart);
    ck_assert_int_eq(cudaEventRecord(behind, apart), cudaSuccess);
    ck_assert_int_eq(cudaEventSynchronize(before), cudaSuccess);
    ck_assert(hidden());
    ck_assert_int_eq(cudaEventSynchronize(behind), cudaSuccess);
    ck_assert(there());
}

TEST(streams_see_what_they_wait_for) {
    cudaEvent_t copied;
    float *other, seen[COUNT];
    ck_assert_int_eq(cudaMalloc((void **)&other, BYTES), cudaSuccess);
    ck_assert_int_eq(cudaEventCreate(&copied), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyAsync(other, pinned, BYTES, cudaMemcpyHostToDevice, apart),
                     cudaSuccess);
    ck_assert_int_eq(cudaEventRecord(copied, apart), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyAsync(seen, other, BYTES, cudaMemcpyDeviceToHost, blocking),
                     cudaSuccess);
    ck_assert(seen[0] != seen[0]);
    ck_assert_int_eq(cudaStreamWaitEvent(blocking, copied, 0), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyAsync(seen, other, BYTES, cudaMemcpyDeviceToHost, blocking),
                     cudaSuccess);
    ck_assert(seen[0] == 1.0f);
}

TEST(bytes_outlive_their_stream) {
    fetch(apart);
    ck_assert_int_eq(cudaStreamDestroy(apart), cudaSuccess);
    ck_assert(hidden());
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(there());
}

TEST(the_last_write_stays) {
    fetch(apart);
    ck_assert_int_eq(cudaMemsetAsync(pinned, 0, BYTES, apart), cudaSuccess);
    fetch(apart);
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    ck_assert(there());
    fetch(apart);
    ck_assert_int_eq(cudaMemsetAsync(pinned, 0, 4, apart), cudaSuccess);
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    ck_assert(pinned[0] == 0.0f && pinned[1] == 2.0f);
}

TEST(rows_are_hidden_alone) {
    ck_assert_int_eq(
        cudaMemcpy2DAsync(pinned, 32, device, 16, 16, 2, cudaMemcpyDeviceToHost, apart),
        cudaSuccess);
    ck_assert(pinned[0] != pinned[0] && pinned[4] == 1.0f && pinned[8] != pinned[8] &&
              pinned[12] == 1.0f);
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    ck_assert(pinned[0] == 2.0f && pinned[4] == 1.0f && pinned[8] == 2.0f && pinned[12] == 1.0f);
}

static struct cudaMemcpy3DParms as_box(void) {
    return (struct cudaMemcpy3DParms){.srcPtr = {device, BYTES, BYTES, 1},
                                      .dstPtr = {pinned, BYTES, BYTES, 1},
                                      .extent = {BYTES, 1, 1},
                                      .kind = cudaMemcpyDeviceToHost};
}

/* Each call whose copy goes on by itself, and the one that waits for it. */
TEST(all_copies_are_alike) {
    const struct cudaMemcpy3DParms box = as_box();
    ck_assert_int_eq(cudaMemcpy3DAsync(&box, apart), cudaSuccess);
    ck_assert(hidden());
    ck_assert_int_eq(cudaMemcpy3D(&box), cudaSuccess);
    ck_assert(there());
    pinned[0] = 1.0f;
    ck_assert_int_eq(cudaMemcpyPeerAsync(pinned, 0, device, 0, BYTES, apart), cudaSuccess);
    ck_assert(hidden());
    ck_assert_int_eq(cudaMemcpyPeer(pinned, 0, device, 0, BYTES), cudaSuccess);
    ck_assert(there());
}

static void look(void *arg) {
    *(bool *)arg = there();
}

TEST(host_functions_see_what_was_before_them) {
    bool seen = false;
    fetch(apart);
    ck_assert_int_eq(cudaLaunchHostFunc(apart, look, &seen), cudaSuccess);
    ck_assert(seen);
}

TEST(ordinary_memory_is_waited_for) {
    float here[COUNT];
    ck_assert_int_eq(cudaMemcpyAsync(here, device, BYTES, cudaMemcpyDeviceToHost, apart),
                     cudaSuccess);
    ck_assert(here[0] == 2.0f);
}

TEST(memory_can_go_before_the_wait) {
    float *more;
    ck_assert_int_eq(cudaMallocAsync((void **)&more, BYTES, apart), cudaSuccess);
    ck_assert_int_eq(cudaMemsetAsync(more, 0, BYTES, apart), cudaSuccess);
    ck_assert_int_eq(cudaFreeAsync(more, apart), cudaSuccess);
    fetch(apart);
    ck_assert_int_eq(cudaFreeHost(pinned), cudaSuccess);
    ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
}

/* Findings of misused memory so far. */
static int misuses(void) {
    struct vgpu_finding f;
    int count = 0;
    for (int i = 0; vgpu_get_finding(i, &f); i++)
        count += strstr(f.message, "was changed before") != NULL;
    return count;
}

TEST(a_source_must_not_change) {
    ck_assert_int_eq(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, apart),
                     cudaSuccess);
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    pinned[3] = 5.0f; /* now it may */
    ck_assert_int_eq(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, apart),
                     cudaSuccess);
    fetch(apart); /* in place, behind it on the same stream */
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    ck_assert_int_eq(misuses(), 0);
    ck_assert_int_eq(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, apart),
                     cudaSuccess);
    pinned[3] = 7.0f;
    ck_assert_int_eq(cudaStreamSynchronize(apart), cudaSuccess);
    ck_assert_int_eq(misuses(), 1);
}

TEST(many_pieces_of_work_are_forgiven) {
    for (int i = 0; i < 500; i++)
        ck_assert_int_eq(cudaMemsetAsync(&pinned[i % COUNT], i, 4, apart), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(*(unsigned char *)&pinned[499 % COUNT], 499 % 256);
}

TEST(all_is_seen_at_once_when_asked_for) {
    vgpu_wait_always(1);
    fetch(apart);
    ck_assert(there());
    vgpu_wait_always(0);
    fetch(apart);
    ck_assert(hidden());
    vgpu_wait_always(1);
    ck_assert(there());
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "asynchronous work", .set_up = set_up});
}
