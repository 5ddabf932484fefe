/* timing_test.c: the worker's timing of calls (worker/timing.c),
 * by a device whose clock the test sets. */
#include "common/tests/suite.h"
#include "grading/worker/worker.h"

#include <stdlib.h>
#include <time.h>

static struct {
    float now;       /* milliseconds */
    float call;      /* how long one takes */
    float first;     /* ... and the first one */
    int slow[2];     /* the calls from .. to .. take four times as long */
    int calls;       /* made */
    int events;      /* that live */
    int fails_after; /* so many records; -1: never */
} device;

static float recorded[2];

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = (cudaEvent_t)(void *)&recorded[device.events++];
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    (void)event;
    device.events--;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)stream;
    *(float *)(void *)event = device.now;
    return device.fails_after-- == 0 ? cudaErrorUnknown : cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    (void)event;
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    *ms = *(float *)(void *)end - *(float *)(void *)start;
    return cudaSuccess;
}

static void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    ck_assert(m == 2 && n == 3 && k == 4 && A && B && C);
    const bool slow = device.calls >= device.slow[0] && device.calls < device.slow[1];
    device.now += (slow ? 4 : 1) * (device.calls == 0 ? device.first : device.call);
    device.calls++;
}

static uint64_t timed(float first, float call, int fails_after) {
    device.now = 1000;
    device.first = first, device.call = call;
    device.calls = 0, device.events = 0, device.fails_after = fails_after;
    float a, b, c, *const matrix[MATRIX_COUNT] = {&a, &b, &c};
    const struct call_body body = {.m = 2, .n = 3, .k = 4};
    const uint64_t taken = worker_time_calls(multiply, &body, matrix);
    ck_assert_int_eq(device.events, 0);
    return taken;
}

TEST(a_cold_start_does_not_count) {
    ck_assert_uint_eq(timed(8.0f, 0.25f, -1), 250000);
    ck_assert_int_gt(device.calls, 6);
}

TEST(many_short_calls_are_timed_together) {
    ck_assert_uint_eq(timed(0.25f, 0.25f, -1), 250000);
    ck_assert_int_eq(device.calls, 1 + 3 * 20);
}

TEST(the_fastest_round_counts) {
    for (int round = 0; round < 3; round++) {
        device.slow[0] = 1 + 20 * round, device.slow[1] = 1 + 20 * (round + 1);
        ck_assert_uint_eq(timed(0.25f, 0.25f, -1), 250000);
    }
}

TEST(long_calls_are_made_seldom) {
    ck_assert_uint_eq(timed(64, 32, -1), 32000000);
    ck_assert_int_le(device.calls, 1 + 3 * 3);
    ck_assert_uint_eq(timed(512, 512, -1), 512000000);
    ck_assert_int_eq(device.calls, 1);
}

TEST(a_failure_is_no_duration) {
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(timed(0.25f, 0.25f, i), 0);
}

static void sleeps(int m, int n, int k, const float *A, const float *B, float *C) {
    ck_assert(m == 2 && n == 3 && k == 4 && A && B && C);
    device.calls++;
    const struct timespec time = {.tv_nsec = device.calls == 1 ? 40000000 : 5000000};
    nanosleep(&time, NULL);
}

TEST(the_fastest_call_on_the_cpu_counts) {
    float a, b, c, *const matrix[MATRIX_COUNT] = {&a, &b, &c};
    const struct call_body body = {.m = 2, .n = 3, .k = 4};
    device.calls = 0;
    const uint64_t taken = worker_time_on_cpu(sleeps, &body, matrix);
    ck_assert_uint_ge(taken, 5000000); /* however busy the machine is */
    ck_assert_int_ge(device.calls, 1);
    ck_assert_int_le(device.calls, 3);
}

int main(void) {
    return run_tests((struct suite){.name = "timing of calls"});
}
