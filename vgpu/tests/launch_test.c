/*
 * launch_test.c: kernels started through each of the compilers' launch calls, the limits that are
 * checked before, faults and how they stay, symbols, occupancy.
 */
#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/tests/kernels_ptx.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

static const dim3 ONE = {1, 1, 1};

static float *device_floats(int n) {
    void *p = NULL;
    ck_assert_int_eq(cudaMalloc(&p, (size_t)n * sizeof(float)), cudaSuccess);
    ck_assert_int_eq(cudaMemset(p, 0, (size_t)n * sizeof(float)), cudaSuccess);
    return p;
}

static void expect_all(const float *d, int n, float value) {
    float h[512];
    ck_assert_int_le(n, 512);
    ck_assert_int_eq(cudaMemcpy(h, d, (size_t)n * sizeof(float), cudaMemcpyDeviceToHost),
                     cudaSuccess);
    for (int i = 0; i < n; i++)
        ck_assert_float_eq(h[i], value);
}

static cudaError_t launch_fill(float *d, int n, float value, dim3 grid, dim3 block, size_t shared) {
    void *args[] = {&d, &n, &value};
    return cudaLaunchKernel(&fill_stub, grid, block, args, shared, NULL);
}

/* ---- launch calls ---- */

TEST(by_launch_kernel) {
    register_kernels();
    float *d = device_floats(300);
    ck_assert_int_eq(launch_fill(d, 300, 2.5f, (dim3){3, 1, 1}, (dim3){128, 1, 1}, 0), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    expect_all(d, 300, 2.5f);
}

TEST(by_push_and_pop) { /* what clang and nvcc since 9.2 make of <<<…>>> */
    float *d = NULL;
    int n = 100;
    float value = 3.0f;
    dim3 grid;
    dim3 block;
    size_t shared = 0;
    cudaStream_t stream = NULL;
    void *args[] = {&d, &n, &value};
    register_kernels();
    d = device_floats(100);
    ck_assert_uint_eq(__cudaPushCallConfiguration(ONE, (dim3){128, 1, 1}, 16, NULL), 0);
    ck_assert_int_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    ck_assert_uint_eq(block.x, 128);
    ck_assert_uint_eq(shared, 16);
    ck_assert_int_eq(cudaLaunchKernel(&fill_stub, grid, block, args, shared, stream), cudaSuccess);
    expect_all(d, 100, 3.0f);
    ck_assert_int_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
                     cudaErrorMissingConfiguration);
}

TEST(by_kernel_handle) { /* nvcc 13 */
    float *d = NULL;
    int n = 100;
    float value = 4.0f;
    void *args[] = {&d, &n, &value};
    cudaKernel_t kernel = NULL;
    void **module = register_kernels();
    d = device_floats(100);
    ck_assert_int_eq(__cudaInitModule(module), 1);
    ck_assert_int_eq(__cudaGetKernel(&kernel, &fill_stub), cudaSuccess);
    ck_assert_int_eq(__cudaLaunchKernel(kernel, ONE, (dim3){128, 1, 1}, args, 0, NULL),
                     cudaSuccess);
    expect_all(d, 100, 4.0f);
}

TEST(by_arguments_one_by_one) { /* clang for an SDK before 9.2 */
    char c = 5;
    double x = 0.25;
    double result = 0;
    void *d = NULL;
    register_kernels();
    ck_assert_int_eq(cudaMalloc(&d, sizeof result), cudaSuccess);
    ck_assert_int_eq(cudaConfigureCall(ONE, ONE, 0, NULL), cudaSuccess);
    ck_assert_int_eq(cudaSetupArgument(&c, 1, 0), cudaSuccess);
    ck_assert_int_eq(cudaSetupArgument(&x, 8, 8), cudaSuccess);
    ck_assert_int_eq(cudaSetupArgument(&d, 8, 16), cudaSuccess);
    ck_assert_int_eq(cudaLaunch(&mix_stub), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_double_eq(result, 5.25);
    ck_assert_int_eq(cudaLaunch(&mix_stub), cudaErrorMissingConfiguration);
    ck_assert_int_eq(cudaSetupArgument(&c, 1, 0), cudaErrorMissingConfiguration);
}

TEST(by_config) {
    float *d = NULL;
    int n = 10;
    float value = 6.0f;
    void *args[] = {&d, &n, &value};
    cudaLaunchConfig_t config = {.gridDim = ONE, .blockDim = {32, 1, 1}};
    register_kernels();
    d = device_floats(10);
    ck_assert_int_eq(cudaLaunchKernelExC(&config, &fill_stub, args), cudaSuccess);
    expect_all(d, 10, 6.0f);
    ck_assert_int_eq(cudaLaunchKernelExC(NULL, &fill_stub, args), cudaErrorInvalidValue);
}

TEST(configurations_nest) {
    dim3 grid;
    dim3 block;
    size_t shared = 0;
    void *stream = NULL;
    ck_assert_uint_eq(__cudaPushCallConfiguration(ONE, (dim3){1, 1, 1}, 0, NULL), 0);
    ck_assert_uint_eq(__cudaPushCallConfiguration(ONE, (dim3){2, 1, 1}, 0, NULL), 0);
    ck_assert_int_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    ck_assert_uint_eq(block.x, 2);
    ck_assert_int_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    ck_assert_uint_eq(block.x, 1);
}

TEST(unknown_kernels) {
    FILE *err = capture_stderr();
    int host = 0;
    register_kernels();
    ck_assert_int_eq(cudaLaunchKernel(&host, ONE, ONE, NULL, 0, NULL),
                     cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaLaunchKernel(NULL, ONE, ONE, NULL, 0, NULL),
                     cudaErrorInvalidDeviceFunction);
    ck_assert_int_eq(cudaLaunchKernel(&missing_stub, ONE, ONE, NULL, 0, NULL),
                     cudaErrorInvalidDeviceFunction);
    ck_assert_int_eq(cudaLaunchKernel(&wild_stub, ONE, ONE, NULL, 0, (cudaStream_t)&host),
                     cudaErrorInvalidResourceHandle);
    ck_assert_ptr_nonnull(strstr(captured(err), "kernel 'missing' is registered"));
}

TEST(unregistered_code_is_gone) {
    void **h = register_kernels();
    float *d = device_floats(4);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, (dim3){4, 1, 1}, 0), cudaSuccess);
    __cudaUnregisterFatBinary(h);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, (dim3){4, 1, 1}, 0),
                     cudaErrorInvalidResourceHandle);
    register_kernels();
    ck_assert_int_eq(launch_fill(d, 4, 9.0f, ONE, (dim3){4, 1, 1}, 0), cudaSuccess);
    expect_all(d, 4, 9.0f);
}

/* ---- limits ---- */

TEST(beyond_the_limits_nothing_runs) {
    static const struct {
        dim3 grid, block;
        size_t shared;
    } wrong[] = {
        {{1, 1, 1}, {1025, 1, 1}, 0},     {{1, 1, 1}, {2048, 1, 1}, 0},
        {{0, 1, 1}, {1, 1, 1}, 0},        {{1, 1, 1}, {0, 1, 1}, 0},
        {{1, 65536, 1}, {1, 1, 1}, 0},    {{1, 1, 65536}, {1, 1, 1}, 0},
        {{1, 1, 1}, {1, 1, 65}, 0},       {{1, 1, 1}, {32, 32, 2}, 0},
        {{1, 1, 1}, {1, 1, 1}, 300000},   {{1, 1, 1}, {1, 1, 1}, 49153},
        {{1, 1, 1}, {1, 1, 1}, SIZE_MAX},
    };
    FILE *err = capture_stderr();
    struct vgpu_stats stats;
    register_kernels();
    float *d = device_floats(4);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(launch_fill(d, 4, 1.0f, wrong[i].grid, wrong[i].block, wrong[i].shared),
                         cudaErrorInvalidValue);
        ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidValue);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    }
    expect_all(d, 4, 0.0f);
    vgpu_get_stats(&stats);
    ck_assert_uint_eq(stats.launches, 0);
    ck_assert_uint_eq(stats.failed_launches, sizeof wrong / sizeof *wrong);
    ck_assert_ptr_nonnull(strstr(captured(err),
                                 "vgpu: launch of fill refused (NVIDIA H200): blockDim.x is "
                                 "1025, the limit is 1024\n"));
}

TEST(earlier_toolkits_call_it_configuration) {
    setenv("VGPU_CUDART", "12", 1);
    setenv("VGPU_QUIET", "1", 1);
    register_kernels();
    float *d = device_floats(4);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, (dim3){2048, 1, 1}, 0),
                     cudaErrorInvalidConfiguration);
}

TEST(more_shared_memory_on_request) {
    const enum cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    setenv("VGPU_QUIET", "1", 1);
    register_kernels();
    float *d = device_floats(4);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, ONE, 49152), cudaSuccess);
    ck_assert_int_eq(cudaFuncSetAttribute(&fill_stub, most, 65536), cudaSuccess);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, ONE, 65536), cudaSuccess);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, ONE, 65537), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFuncSetAttribute(&fill_stub, most, 232448), cudaSuccess);
    ck_assert_int_eq(cudaFuncSetAttribute(&fill_stub, most, 232449), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFuncSetAttribute(&fill_stub, most, -1), cudaErrorInvalidValue);
    /* Static memory counts, too. */
    ck_assert_int_eq(cudaLaunchKernel(&tile_stub, ONE, ONE, NULL, 9152, NULL), cudaSuccess);
    ck_assert_int_eq(cudaLaunchKernel(&tile_stub, ONE, ONE, NULL, 9153, NULL),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFuncSetAttribute(&tile_stub, most, 232448 - 40000), cudaSuccess);
    ck_assert_int_eq(cudaFuncSetAttribute(&tile_stub, most, 232449 - 40000), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFuncSetAttribute(&tile_stub, (enum cudaFuncAttribute)77, 1),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaFuncSetAttribute(d, most, 1), cudaErrorInvalidResourceHandle);
}

TEST(a_small_device_refuses_more) {
    setenv("VGPU_DEVICE", "gt330m", 1);
    FILE *err = capture_stderr();
    register_kernels();
    ck_assert_int_eq(cudaLaunchKernel(&tile_stub, ONE, ONE, NULL, 0, NULL), cudaErrorInvalidValue);
    ck_assert_ptr_nonnull(
        strstr(captured(err), "40000 bytes of shared memory a block, the limit is 16384"));
}

TEST(launch_bounds_are_a_promise) {
    FILE *err = capture_stderr();
    register_kernels();
    ck_assert_int_eq(cudaLaunchKernel(&narrow_stub, ONE, (dim3){64, 1, 1}, NULL, 0, NULL),
                     cudaSuccess);
    ck_assert_int_eq(cudaLaunchKernel(&narrow_stub, ONE, (dim3){65, 1, 1}, NULL, 0, NULL),
                     cudaErrorInvalidValue);
    ck_assert_ptr_nonnull(strstr(captured(err), "__launch_bounds__ promises at most 64"));
}

/* ---- faults ---- */

TEST(a_fault_stays) {
    FILE *err = capture_stderr();
    void *p = NULL;
    int n = 0;
    register_kernels();
    float *d = device_floats(4);
    /* The launch itself succeeds; the next call that can fail reports it, and every later one. */
    ck_assert_int_eq(cudaLaunchKernel(&wild_stub, ONE, ONE, NULL, 0, NULL), cudaSuccess);
    ck_assert_int_eq(cudaPeekAtLastError(), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_int_eq(cudaMalloc(&p, 64), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaFree(d), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaFree(NULL), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, ONE, 0), cudaErrorIllegalAddress);
    ck_assert_int_eq(cudaGetDeviceCount(&n), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(d, d, 0, cudaMemcpyDefault), cudaSuccess);
    ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
    ck_assert_int_eq(cudaMalloc(&p, 64), cudaErrorDevicesUnavailable);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(strstr(said, "vgpu: "));
    ck_assert_ptr_nonnull(strstr(said, "8 bytes past a null pointer"));
    ck_assert_ptr_null(
        strstr(strstr(said, "past a null pointer") + 1, "past a null pointer")); /* once */
}

TEST(lent_memory_is_only_read) {
    const float seven = 7;
    float back = 0, value = 1.0f;
    float *d = NULL;
    int n = 10;
    void *args[] = {&d, &n, &value};
    register_kernels();
    d = device_floats(10);
    ck_assert_int_eq(cudaMemcpy(d + 1, &seven, sizeof seven, cudaMemcpyHostToDevice), cudaSuccess);
    vgpu_lend(d, 1);
    FILE *said = capture_stderr();
    ck_assert_int_eq(cudaMemset(d + 1, 0, 8), cudaErrorInvalidValue);
    ck_assert_msg(strstr(captured(said), "4 bytes into allocation #1 (40 bytes), which may only "
                                         "be read"),
                  "%s", captured(said));
    ck_assert_int_eq(cudaMemcpy(&back, d + 1, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_float_eq(back, 7);
    vgpu_lend(d, 0);
    ck_assert_int_eq(cudaLaunchKernel(&fill_stub, ONE, (dim3){32, 1, 1}, args, 0, NULL),
                     cudaSuccess);
    expect_all(d, 10, 1.0f);
    vgpu_lend(d, 1);
    value = 2.0f;
    cudaLaunchKernel(&fill_stub, ONE, (dim3){32, 1, 1}, args, 0, NULL);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_msg(strstr(captured(said), "illegal global write of 4 bytes") &&
                      strstr(captured(said), "the start of allocation #1 (40 bytes), which may "
                                             "only be read"),
                  "%s", captured(said));
}

TEST(an_idle_device_computes_nothing) {
    setenv("VGPU_IDLE", "1", 1);
    register_kernels();
    float *d = device_floats(4);
    const float seven = 7;
    ck_assert_int_eq(cudaMemset(d, 0, 4 * sizeof *d), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(d + 1, &seven, sizeof seven, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, (dim3){4, 1, 1}, 0), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    float back[4];
    ck_assert_int_eq(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_float_eq(back[0], 0);
    ck_assert_float_eq(back[1], 7);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, (dim3){4096, 1, 1}, 0), cudaErrorInvalidValue);
}

/* Passes what p points at through shared memory, and stores what comes out of it at q: a float by
 * each kind of load, a whole number, a double, and two floats in one register. */
static const char passing_ptx[] = "//\n"
                                  ".version 6.4\n"
                                  ".target sm_70\n"
                                  ".address_size 64\n"
                                  ".visible .entry pass(.param .u64 pass_0, .param .u64 pass_1)\n"
                                  "{\n"
                                  "  .shared .align 16 .b8 s[48];\n"
                                  "  .reg .f32 %f<8>; .reg .b32 %r<4>; .reg .f64 %fd<2>;\n"
                                  "  .reg .b64 %rd<8>;\n"
                                  "  ld.param.u64 %rd1, [pass_0];\n"
                                  "  ld.param.u64 %rd2, [pass_1];\n"
                                  "  ld.global.v2.f32 {%f1, %f2}, [%rd1];\n"
                                  "  ld.global.u32 %r1, [%rd1+8];\n"
                                  "  ld.global.f64 %fd1, [%rd1+16];\n"
                                  "  st.shared.v2.f32 [s], {%f1, %f2};\n"
                                  "  st.shared.u32 [s+8], %r1;\n"
                                  "  st.shared.f64 [s+16], %fd1;\n"
                                  "  ld.shared.f32 %f3, [s];\n"
                                  "  ld.shared.v2.f32 {%f4, %f5}, [s];\n"
                                  "  ld.shared.u64 %rd3, [s];\n"
                                  "  mov.u64 %rd4, s;\n"
                                  "  cvta.shared.u64 %rd5, %rd4;\n"
                                  "  ld.f32 %f6, [%rd5];\n"
                                  "  ld.f32 %f7, [%rd1];\n"
                                  "  ld.shared.u32 %r2, [s+8];\n"
                                  "  ld.shared.f64 %fd1, [s+16];\n"
                                  "  st.global.f32 [%rd2], %f3;\n"
                                  "  st.global.v2.f32 [%rd2+8], {%f4, %f5};\n"
                                  "  st.global.u64 [%rd2+16], %rd3;\n"
                                  "  st.global.f32 [%rd2+24], %f6;\n"
                                  "  st.global.f32 [%rd2+28], %f7;\n"
                                  "  st.global.u32 [%rd2+32], %r2;\n"
                                  "  st.global.f64 [%rd2+40], %fd1;\n"
                                  "  ret;\n"
                                  "}\n";

TEST(a_twofold_device_doubles_what_comes_from_shared_memory) {
    static char stub;
    static const struct {
        int magic, version;
        const void *data;
        void *unused;
    } wrapper = {0x466243b1, 1, passing_ptx, 0};
    const struct {
        float x, y;
        uint32_t number, unused;
        double z;
    } in = {1.5f, -3.0f, 5, 0, 0.25};
    struct {
        float plain, unused, pair[2], packed[2], generic, global;
        uint32_t number, unused2;
        double z;
    } out;
    setenv("VGPU_TWOFOLD", "1", 1);
    void **h = __cudaRegisterFatBinary((void *)&wrapper);
    __cudaRegisterFunction(h, &stub, (char *)"pass", "pass", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(h);
    ck_assert(vgpu_counters_enable());
    void *p = device_floats(12), *q = device_floats(12), *args[] = {&p, &q};
    ck_assert_int_eq(cudaMemcpy(p, &in, sizeof in, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaLaunchKernel(&stub, ONE, ONE, args, 0, NULL), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(&out, q, sizeof out, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_float_eq(out.plain, 3.0f);
    ck_assert_float_eq(out.pair[0], 3.0f);
    ck_assert_float_eq(out.pair[1], -6.0f);
    ck_assert_float_eq(out.packed[0], 3.0f);
    ck_assert_float_eq(out.packed[1], -6.0f);
    ck_assert_float_eq(out.generic, 3.0f);
    ck_assert_float_eq(out.global, 1.5f);
    ck_assert_uint_eq(out.number, 5);
    ck_assert_double_eq(out.z, 0.5);
}

TEST(reset_frees_everything) {
    FILE *err = capture_stderr();
    cudaStream_t s = NULL;
    register_kernels();
    float *d = device_floats(4);
    ck_assert_int_eq(cudaStreamCreate(&s), cudaSuccess);
    ck_assert_int_eq(launch_fill(d, 4, 1.0f, ONE, (dim3){4, 1, 1}, 0), cudaSuccess);
    ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
    ck_assert_int_eq(cudaFree(d), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
    d = device_floats(4);
    ck_assert_int_eq(launch_fill(d, 4, 2.0f, ONE, (dim3){4, 1, 1}, 0), cudaSuccess);
    expect_all(d, 4, 2.0f);
    ck_assert_ptr_nonnull(strstr(captured(err), "freed already"));
}

TEST(bad_ptx_is_said_once) {
    static const struct {
        int magic, version;
        const void *data;
        void *unused;
    } broken = {0x466243b1, 1,
                ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k() { frob; }\n",
                0};
    static char stub;
    FILE *err = capture_stderr();
    void **h = __cudaRegisterFatBinary((void *)&broken);
    __cudaRegisterFunction(h, &stub, (char *)"k", "k", -1, 0, 0, 0, 0, 0);
    cudaError_t error = cudaLaunchKernel(&stub, ONE, ONE, NULL, 0, NULL);
    ck_assert(error == cudaErrorInvalidPtx || error == cudaErrorNotSupported);
    ck_assert_ptr_nonnull(strstr(captured(err), "frob"));
    size_t once = strlen(captured(err));
    ck_assert_int_eq(cudaLaunchKernel(&stub, ONE, ONE, NULL, 0, NULL), error);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess); /* nothing ran: nothing sticks */
    ck_assert_uint_eq(strlen(captured(err)), once);
}

/* ---- symbols ---- */

TEST(symbols) {
    int seven = 0;
    float four[4] = {1, 2, 3, 4};
    float back[4] = {0};
    void *at = NULL;
    size_t size = 0;
    FILE *err = capture_stderr();
    register_kernels();
    ck_assert_int_eq(cudaMemcpyFromSymbol(&seven, factor_shadow, 4, 0, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    ck_assert_int_eq(seven, 7);
    ck_assert_int_eq(cudaMemcpyToSymbol(table_shadow, four, 16, 0, cudaMemcpyHostToDevice),
                     cudaSuccess);
    ck_assert_int_eq(cudaMemcpyFromSymbol(back, table_shadow, 8, 8, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    ck_assert_float_eq(back[0], 3.0f);
    ck_assert_int_eq(cudaGetSymbolSize(&size, table_shadow), cudaSuccess);
    ck_assert_uint_eq(size, 16);
    ck_assert_int_eq(cudaGetSymbolAddress(&at, factor_shadow), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(&seven, at, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_int_eq(cudaFree(at), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpyToSymbol(table_shadow, four, 17, 0, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpyToSymbol(table_shadow, four, 8, 12, cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaMemcpyToSymbol(table_shadow, four, 16, 0, cudaMemcpyDeviceToHost),
                     cudaErrorInvalidMemcpyDirection);
    ck_assert_int_eq(cudaMemcpyToSymbol(four, four, 16, 0, cudaMemcpyHostToDevice),
                     cudaErrorInvalidSymbol);
    ck_assert_int_eq(cudaGetSymbolAddress(&at, NULL), cudaErrorInvalidSymbol);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(strstr(said, "is variable 'factor', which is never freed"));
    ck_assert_ptr_nonnull(
        strstr(said, "17 bytes at offset 0 of variable 'table', which has 16 bytes"));
}

/* ---- attributes ---- */

TEST(attributes) {
    struct cudaFuncAttributes a;
    const char *name = NULL;
    register_kernels();
    ck_assert_int_eq(cudaFuncGetAttributes(&a, &tile_stub), cudaSuccess);
    ck_assert_uint_eq(a.sharedSizeBytes, 40000);
    ck_assert_int_eq(a.maxDynamicSharedSizeBytes, 9152);
    ck_assert_int_eq(a.binaryVersion, 90);
    ck_assert_int_eq(cudaFuncGetAttributes(&a, &narrow_stub), cudaSuccess);
    ck_assert_int_eq(a.maxThreadsPerBlock, 64);
    ck_assert_int_eq(cudaFuncGetAttributes(&a, &a), cudaErrorInvalidResourceHandle);
    ck_assert_int_eq(cudaFuncGetName(&name, &fill_stub), cudaSuccess);
    ck_assert_str_eq(name, "fill");
}

TEST(occupancy) {
    int blocks = -1;
    size_t bytes = 0;
    register_kernels();
    ck_assert_int_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill_stub, 256, 0),
                     cudaSuccess);
    ck_assert_int_eq(blocks, 8);
    ck_assert_int_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &tile_stub, 256, 0),
                     cudaSuccess);
    ck_assert_int_eq(blocks, 5);
    ck_assert_int_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &narrow_stub, 128, 0),
                     cudaSuccess);
    ck_assert_int_eq(blocks, 16);
    ck_assert_int_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill_stub, 0, 0),
                     cudaErrorInvalidValue);
    ck_assert_int_eq(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &fill_stub, 8, 256),
                     cudaSuccess);
    ck_assert_uint_eq(bytes, 29184); /* 233472 / 8 */

    /* More dynamic shared memory than a launch may ask for, until an attribute lets it. */
    ck_assert_int_eq(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill_stub, 256, 48 << 10),
        cudaSuccess);
    ck_assert_int_eq(blocks, 4);
    ck_assert_int_eq(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill_stub, 256, 96 << 10),
        cudaSuccess);
    ck_assert_int_eq(blocks, 0);
    ck_assert_int_eq(
        cudaFuncSetAttribute(&fill_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10),
        cudaSuccess);
    ck_assert_int_eq(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill_stub, 256, 96 << 10),
        cudaSuccess);
    ck_assert_int_eq(blocks, 2);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "launches"});
}
