/*
 * memory_test.c: allocating and freeing through the CUDA calls, and the error codes of doing it
 * wrong: those that an H200 gives under CUDA 13.
 */
#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/tests/vgpu_test.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static void *device_memory(size_t size) {
    void *p = NULL;
    ck_assert_int_eq(cudaMalloc(&p, size), cudaSuccess);
    ck_assert_ptr_nonnull(p);
    return p;
}

TEST(nothing_costs_nothing) {
    void *p = &p;
    ck_assert_int_eq(cudaMalloc(&p, 0), cudaSuccess);
    ck_assert_ptr_null(p);
    ck_assert_int_eq(cudaFree(NULL), cudaSuccess);
    ck_assert_int_eq(cudaFreeHost(NULL), cudaSuccess);
    ck_assert_int_eq(cudaMalloc(NULL, 16), cudaErrorInvalidValue);
}

TEST(too_much_is_out_of_memory) {
    void *p = &p;
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaMalloc(&p, (size_t)1 << 50), cudaErrorMemoryAllocation);
    ck_assert_ptr_null(p);
    ck_assert_int_eq(cudaMalloc(&p, SIZE_MAX), cudaErrorMemoryAllocation);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorMemoryAllocation);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_ptr_nonnull(strstr(captured(err), "bytes of device memory left"));
}

TEST(meminfo_counts) {
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    ck_assert_int_eq(cudaMemGetInfo(&before, &total), cudaSuccess);
    ck_assert_uint_eq(total, UINT64_C(150109880320));
    void *p = device_memory(1000000);
    ck_assert_int_eq(cudaMemGetInfo(&after, &total), cudaSuccess);
    ck_assert_uint_eq(before - after, 1000000);
    ck_assert_int_eq(cudaFree(p), cudaSuccess);
    ck_assert_int_eq(cudaMemGetInfo(&after, &total), cudaSuccess);
    ck_assert_uint_eq(before, after);
}

TEST(bad_frees) {
    int host = 0;
    char *p = device_memory(1024);
    void *pinned = NULL;
    void *managed = NULL;
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaFree(p + 4), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFreeHost(p), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFree(p), cudaSuccess);
    ck_assert_int_eq(cudaFree(p), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFree(&host), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMallocHost(&pinned, 100), cudaSuccess);
    ck_assert_int_eq(cudaFree(pinned), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFreeHost(pinned), cudaSuccess);
    ck_assert_int_eq(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal), cudaSuccess);
    ck_assert_int_eq(cudaFreeHost(managed), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFree(managed), cudaSuccess);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(strstr(said, "vgpu: cudaFree: double free: "));
    ck_assert_ptr_nonnull(
        strstr(said, " is 4 bytes into allocation #1 (1024 bytes): free the address"));
    ck_assert_ptr_nonnull(strstr(said, "a host address, not device memory"));
    ck_assert_ptr_nonnull(strstr(said, "pinned host allocation #2 (100 bytes): use cudaFreeHost"));
    ck_assert_ptr_nonnull(strstr(said, "managed allocation #3 (100 bytes): use cudaFree"));
}

TEST(quiet_says_nothing) {
    setenv("VGPU_QUIET", "1", 1);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaFree((void *)64), cudaErrorInvalidValue);
    ck_assert_str_eq(captured(err), "");
}

TEST(pitch_is_a_multiple_of_512) {
    size_t pitch = 0;
    void *p = NULL;
    struct cudaPitchedPtr box;
    ck_assert_int_eq(cudaMallocPitch(&p, &pitch, 100, 10), cudaSuccess);
    ck_assert_uint_eq(pitch, 512);
    ck_assert_int_eq(cudaMemset2D(p, pitch, 0, pitch, 10), cudaSuccess);
    ck_assert_int_eq(cudaMallocPitch(&p, &pitch, 1000, 10), cudaSuccess);
    ck_assert_uint_eq(pitch, 1024);
    ck_assert_int_eq(cudaMallocPitch(&p, &pitch, SIZE_MAX - 3, 10), cudaErrorMemoryAllocation);
    ck_assert_int_eq(cudaMallocPitch(&p, &pitch, 1000, SIZE_MAX / 2), cudaErrorMemoryAllocation);
    ck_assert_int_eq(cudaMalloc3D(&box, make_cudaExtent(100, 3, 2)), cudaSuccess);
    ck_assert_uint_eq(box.pitch, 512);
    ck_assert_uint_eq(box.ysize, 3);
}

TEST(pinned_memory_is_host_memory) {
    float *p = NULL;
    void *seen = NULL;
    ck_assert_int_eq(cudaHostAlloc((void **)&p, 4096, cudaHostAllocMapped), cudaSuccess);
    p[1023] = 1.0f;
    ck_assert_int_eq(cudaHostGetDevicePointer(&seen, p, 0), cudaSuccess);
    ck_assert_ptr_eq(seen, p);
    ck_assert_int_eq(cudaFreeHost(p), cudaSuccess);
    ck_assert_int_eq(cudaHostAlloc((void **)&p, 64, 0xff00), cudaErrorInvalidValue);
}

TEST(registered_memory) {
    char *own = aligned_alloc(4096, 8192);
    ck_assert_int_eq(cudaHostRegister(own, 8192, 0), cudaSuccess);
    ck_assert_int_eq(cudaHostRegister(own, 8192, 0), cudaErrorHostMemoryAlreadyRegistered);
    ck_assert_int_eq(cudaHostUnregister(own + 64), cudaErrorInvalidValue);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cudaFreeHost(own), cudaErrorInvalidValue);
    ck_assert_ptr_nonnull(strstr(captured(err), "use cudaHostUnregister"));
    ck_assert_int_eq(cudaHostUnregister(own), cudaSuccess);
    ck_assert_int_eq(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
    ck_assert_int_eq(cudaHostRegister(NULL, 10, 0), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaHostRegister(own, 0, 0), cudaErrorInvalidValue);
    free(own);
}

static enum cudaMemoryType type_of(const void *p) {
    struct cudaPointerAttributes a;
    ck_assert_int_eq(cudaPointerGetAttributes(&a, p), cudaSuccess);
    return a.type;
}

TEST(pointers_know_what_they_are) {
    int host = 0;
    void *d = device_memory(64);
    void *pinned = NULL;
    void *managed = NULL;
    struct cudaPointerAttributes a;
    cudaMallocHost(&pinned, 64);
    cudaMallocManaged(&managed, 64, cudaMemAttachGlobal);
    ck_assert_int_eq(type_of(&host), cudaMemoryTypeUnregistered);
    ck_assert_int_eq(type_of(d), cudaMemoryTypeDevice);
    ck_assert_int_eq(type_of(pinned), cudaMemoryTypeHost);
    ck_assert_int_eq(type_of(managed), cudaMemoryTypeManaged);
    ck_assert_int_eq(cudaPointerGetAttributes(&a, &host), cudaSuccess);
    ck_assert_int_eq(a.device, cudaInvalidDeviceId);
    ck_assert_ptr_eq(a.hostPointer, &host);
    cudaFree(d);
    ck_assert_int_eq(type_of(d), cudaMemoryTypeUnregistered);
    ck_assert_int_eq(cudaPointerGetAttributes(NULL, d), cudaErrorInvalidValue);
}

/* What a child that does `act` to device memory says, and how it ends. */
static int dies_of(void (*act)(volatile float *), const char **said) {
    volatile float *p = device_memory(4096);
    FILE *err = capture_stderr();
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        act(p);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    *said = captured(err);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void read_it(volatile float *p) {
    float x = p[2];
    (void)x;
}

static void write_past_it(volatile float *p) {
    p[1025] = 1.0f;
}

static void use_null(volatile float *p) {
    volatile int *volatile nowhere = (volatile int *)16;
    (void)p;
    *nowhere = 1;
}

TEST(host_use_of_a_device_pointer_is_named) {
    const char *said = NULL;
    ck_assert_int_eq(dies_of(read_it, &said), SIGSEGV);
    ck_assert_ptr_nonnull(strstr(said, "vgpu: host code "));
    ck_assert_ptr_nonnull(strstr(said, " a device pointer: address 0x"));
    ck_assert_ptr_nonnull(strstr(said, " is 8 bytes into allocation #1 (4096 bytes)"));
    ck_assert_ptr_nonnull(strstr(said, "; use cudaMemcpy"));
#ifdef __x86_64__
    ck_assert_ptr_nonnull(strstr(said, "host code read"));
#endif
}

TEST(host_write_past_a_device_pointer_is_named) {
    const char *said = NULL;
    ck_assert_int_eq(dies_of(write_past_it, &said), SIGSEGV);
    ck_assert_ptr_nonnull(strstr(said, " is 4 bytes past the end of allocation #1 (4096 bytes)"));
#ifdef __x86_64__
    ck_assert_ptr_nonnull(strstr(said, "host code wrote"));
#endif
}

static void on_fault(int signal) {
    (void)signal;
    _exit(42);
}

TEST(other_faults_go_to_the_earlier_handler) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, on_fault);
        use_null(device_memory(64));
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 42);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "memory calls"});
}
