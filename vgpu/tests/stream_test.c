/*
 * stream_test.c: streams, events, and questions to the device.
 */
#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/tests/vgpu_test.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

TEST(streams_live_and_die) {
    cudaStream_t s = NULL;
    setenv("VGPU_QUIET", "1", 1);
    ck_assert_int_eq(cudaStreamCreate(&s), cudaSuccess);
    ck_assert_int_eq(cudaStreamQuery(s), cudaSuccess);
    ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
    ck_assert_int_eq(cudaStreamDestroy(s), cudaSuccess);
    ck_assert_int_eq(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaStreamCreate(NULL), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&s, 77), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    ck_assert_int_eq(cudaStreamQuery(NULL), cudaSuccess);
}

TEST(priorities_are_clamped) {
    cudaStream_t s = NULL;
    int priority = 7;
    ck_assert_int_eq(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100), cudaSuccess);
    ck_assert_int_eq(cudaStreamGetPriority(s, &priority), cudaSuccess);
    ck_assert_int_eq(priority, -5);
}

static void note(void *arg) {
    *(int *)arg = 1;
    cudaDeviceSynchronize(); /* not allowed, but must not hang */
}

TEST(host_functions_run) {
    int called = 0;
    ck_assert_int_eq(cudaLaunchHostFunc(NULL, note, &called), cudaSuccess);
    ck_assert_int_eq(called, 1);
    ck_assert_int_eq(cudaLaunchHostFunc(NULL, NULL, NULL), cudaErrorInvalidValue);
}

TEST(events_measure) {
    cudaEvent_t a = NULL;
    cudaEvent_t b = NULL;
    float ms = -1.0f;
    struct timespec nap = {0, 20000000};
    ck_assert_int_eq(cudaEventCreate(&a), cudaSuccess);
    ck_assert_int_eq(cudaEventCreate(&b), cudaSuccess);
    ck_assert_int_eq(cudaEventRecord(a, NULL), cudaSuccess);
    nanosleep(&nap, NULL);
    ck_assert_int_eq(cudaEventRecord(b, NULL), cudaSuccess);
    ck_assert_int_eq(cudaEventSynchronize(b), cudaSuccess);
    ck_assert_int_eq(cudaEventElapsedTime(&ms, a, b), cudaSuccess);
    ck_assert_float_ge(ms, 19.0f);
    ck_assert_float_lt(ms, 10000.0f);
    ck_assert_int_eq(cudaEventDestroy(a), cudaSuccess);
    ck_assert_int_eq(cudaEventDestroy(a), cudaErrorInvalidResourceHandle);
}

TEST(events_measure_across_a_second) {
    cudaEvent_t a = NULL;
    cudaEvent_t b = NULL;
    float ms = -1.0f;
    struct timespec now;
    struct timespec nap = {0, 20000000};
    ck_assert_int_eq(cudaEventCreate(&a), cudaSuccess);
    ck_assert_int_eq(cudaEventCreate(&b), cudaSuccess);
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec until = {now.tv_sec, 990000000}; /* 10 ms before the next */
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    ck_assert_int_eq(cudaEventRecord(a, NULL), cudaSuccess);
    nanosleep(&nap, NULL);
    ck_assert_int_eq(cudaEventRecord(b, NULL), cudaSuccess);
    ck_assert_int_eq(cudaEventElapsedTime(&ms, a, b), cudaSuccess);
    ck_assert_float_ge(ms, 19.0f);
    ck_assert_float_lt(ms, 10000.0f);
}

TEST(events_misused) {
    cudaEvent_t a = NULL;
    cudaEvent_t untimed = NULL;
    float ms = 0;
    ck_assert_int_eq(cudaEventCreate(&a), cudaSuccess);
    ck_assert_int_eq(cudaEventQuery(a), cudaSuccess); /* never recorded: complete */
    ck_assert_int_eq(cudaEventElapsedTime(&ms, a, a), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaEventRecord(a, NULL), cudaSuccess);
    ck_assert_int_eq(cudaEventElapsedTime(NULL, a, a), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaEventElapsedTime(&ms, NULL, a), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    ck_assert_int_eq(cudaEventRecord(untimed, NULL), cudaSuccess);
    ck_assert_int_eq(cudaEventElapsedTime(&ms, untimed, a), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaEventCreateWithFlags(&untimed, 99), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaEventCreate(NULL), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaEventRecord(NULL, NULL), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaStreamWaitEvent(NULL, NULL, 0), cudaErrorInvalidResourceHandle);
}

TEST(one_device) {
    int n = -1;
    struct cudaDeviceProp prop;
    ck_assert_int_eq(cudaGetDeviceCount(&n), cudaSuccess);
    ck_assert_int_eq(n, 1);
    ck_assert_int_eq(cudaSetDevice(0), cudaSuccess);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaSetDevice(1), cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaSetDevice(-1), cudaErrorInvalidDevice);
    const int line = __LINE__ - 1; /* of the second call */
    char expected[512];
    snprintf(expected, sizeof expected,
             "vgpu: cudaSetDevice: there is no device 1: the virtual GPU is one device, number 0\n"
             "vgpu:   in vgpu/tests/stream_test.c:%d\n"
             "vgpu: cudaSetDevice: there is no device -1: the virtual GPU is one device, number 0\n"
             "vgpu:   in vgpu/tests/stream_test.c:%d\n",
             line - 1, line);
    ck_assert_str_eq(captured(err), expected);
    ck_assert_int_eq(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1),
                     cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 1),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
    ck_assert_str_eq(prop.name, "NVIDIA H200");
    ck_assert_int_eq(prop.major, 9);
    ck_assert_int_eq(prop.maxThreadsPerBlock, 1024);
    ck_assert_uint_eq(prop.sharedMemPerBlock, 49152);
    ck_assert_int_eq(prop.maxGridSize[1], 65535);
    ck_assert_int_eq(cudaGetDeviceProperties(&prop, 3), cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
}

TEST(attributes_agree_with_properties) {
    int v = -1;
    ck_assert_int_eq(cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    ck_assert_int_eq(v, 132);
    ck_assert_int_eq(cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
                     cudaSuccess);
    ck_assert_int_eq(v, 232448);
    ck_assert_int_eq(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)9999, 0),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 4), cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
}

TEST(another_device_by_name) {
    struct cudaDeviceProp prop;
    setenv("VGPU_DEVICE", "GT 330M", 1);
    ck_assert_int_eq(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
    ck_assert_str_eq(prop.name, "GeForce GT 330M");
    ck_assert_int_eq(prop.maxThreadsPerBlock, 512);
    ck_assert_int_eq(prop.maxGridSize[2], 1);
}

TEST(an_unknown_device_is_none) {
    int n = -1;
    void *p = NULL;
    setenv("VGPU_DEVICE", "voodoo2", 1);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaGetDeviceCount(&n), cudaErrorNoDevice);
    ck_assert_int_eq(n, 0);
    ck_assert_int_eq(cudaMalloc(&p, 4), cudaErrorNoDevice);
    ck_assert_ptr_nonnull(strstr(captured(err),
                                 "VGPU_DEVICE=voodoo2: there is no such device; choose one "
                                 "of h200, a100, "));
}

TEST(a_bad_number_in_the_environment_is_said) {
    int n = 0;
    setenv("VGPU_WORKERS", "many", 1);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaGetDeviceCount(&n), cudaSuccess);
    ck_assert_str_eq(captured(err),
                     "vgpu: VGPU_WORKERS=many: expected a whole number from 0 to 1024; "
                     "using 0\n");
}

TEST(versions_follow_the_toolkit_asked_for) {
    int v = 0;
    setenv("VGPU_CUDART", "12", 1);
    ck_assert_int_eq(cudaRuntimeGetVersion(&v), cudaSuccess);
    ck_assert_int_eq(v / 1000, 12);
    ck_assert_int_eq(cudaDriverGetVersion(NULL), cudaErrorInvalidValue);
}

TEST(limits_are_kept) {
    size_t v = 0;
    ck_assert_int_eq(cudaDeviceGetLimit(&v, cudaLimitStackSize), cudaSuccess);
    ck_assert_uint_eq(v, 1024);
    ck_assert_int_eq(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
    ck_assert_int_eq(cudaDeviceGetLimit(&v, cudaLimitStackSize), cudaSuccess);
    ck_assert_uint_eq(v, 4096);
    ck_assert_int_eq(cudaDeviceSetLimit((enum cudaLimit)77, 1), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaDeviceGetLimit(&v, cudaLimitDevRuntimeSyncDepth),
                     cudaErrorUnsupportedLimit);
}

TEST(names_and_texts) {
    ck_assert_str_eq(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    ck_assert_str_eq(cudaGetErrorString(cudaErrorIllegalAddress),
                     "an illegal memory access was encountered");
    ck_assert_str_eq(cudaGetErrorString(cudaSuccess), "no error");
    ck_assert_int_eq(cudaErrorInvalidConfiguration, 9);
    ck_assert_int_eq(cudaErrorLaunchFailure, 719);
    ck_assert_str_eq(cudaGetErrorString((cudaError_t)4242), "unrecognized error code");
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)4242), "unrecognized error code");
}

static void *look(void *arg) {
    *(cudaError_t *)arg = cudaGetLastError();
    return NULL;
}

TEST(last_errors_are_per_thread) {
    pthread_t thread;
    cudaError_t other = cudaErrorUnknown;
    ck_assert_int_eq(cudaSetDevice(5), cudaErrorInvalidDevice);
    ck_assert_int_eq(pthread_create(&thread, NULL, look, &other), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(other, cudaSuccess);
    ck_assert_int_eq(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaSetDevice(0), cudaSuccess); /* success clears nothing */
    ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidDevice);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "streams, events, devices, errors"});
}
