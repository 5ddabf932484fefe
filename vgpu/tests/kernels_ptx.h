/*
 * kernels_ptx.h: a few kernels as PTX text, and their registration as a compiled program does it,
 * for suites that must not depend on a compiler.
 *
 *   fill(p, n, value)  p[i] = value for i < n, one thread an element
 *   mix(c, d, p)       a char and a double before a pointer: *p = c + d, and offsets that need
 *                      padding
 *   wild()             stores to address 8
 *   tile()             40,000 bytes of static shared memory
 *   narrow()           .maxntid 64
 *   hops()             1,000 rounds of a loop, each over 20 instructions that are never run
 *   factor, table      a __device__ int of value 7, a __constant__ float[4]
 */
#pragma once

#include "vgpu/include/cuda_runtime_api.h"

static const char kernels_ptx[] =
    "//\n"
    ".version 6.4\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .global .align 4 .u32 factor = 7;\n"
    ".visible .const .align 4 .b8 table[16];\n"
    ".visible .entry fill(.param .u64 fill_0, .param .u32 fill_1, .param .f32 fill_2)\n"
    "{\n"
    "  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<2>; .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [fill_0];\n"
    "  ld.param.u32 %r1, [fill_1];\n"
    "  ld.param.f32 %f1, [fill_2];\n"
    "  mov.u32 %r2, %ctaid.x;\n"
    "  mov.u32 %r3, %ntid.x;\n"
    "  mov.u32 %r4, %tid.x;\n"
    "  mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.s32 %p1, %r5, %r1;\n"
    "  @%p1 bra DONE;\n"
    "  mul.wide.s32 %rd2, %r5, 4;\n"
    "  add.s64 %rd3, %rd1, %rd2;\n"
    "  st.global.f32 [%rd3], %f1;\n"
    "DONE:\n"
    "  ret;\n"
    "}\n"
    ".visible .entry mix(.param .u8 mix_0, .param .f64 mix_1, .param .u64 mix_2)\n"
    "{\n"
    "  .reg .b16 %rs<2>; .reg .f64 %fd<4>; .reg .b64 %rd<2>;\n"
    "  ld.param.u8 %rs1, [mix_0];\n"
    "  ld.param.f64 %fd1, [mix_1];\n"
    "  ld.param.u64 %rd1, [mix_2];\n"
    "  cvt.rn.f64.u16 %fd2, %rs1;\n"
    "  add.f64 %fd3, %fd1, %fd2;\n"
    "  st.global.f64 [%rd1], %fd3;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry hops()\n"
    "{\n"
    "  .reg .pred %p<3>; .reg .b32 %r<3>;\n"
    "  mov.u32 %r1, 0;\n"
    "  mov.u32 %r2, %tid.x;\n"
    "ROUND:\n"
    "  setp.lt.u32 %p1, %r2, 1024;\n"
    "  @%p1 bra OVER;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "  add.s32 %r2, %r2, %r1;\n"
    "OVER:\n"
    "  add.s32 %r1, %r1, 1;\n"
    "  setp.lt.u32 %p2, %r1, 1000;\n"
    "  @%p2 bra ROUND;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry wild()\n"
    "{\n"
    "  .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
    "  mov.u64 %rd1, 8;\n"
    "  mov.u32 %r1, 1;\n"
    "  st.global.u32 [%rd1], %r1;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry tile()\n"
    "{\n"
    "  .shared .align 4 .b8 buffer[40000];\n"
    "  .reg .b32 %r<2>;\n"
    "  mov.u32 %r1, 1;\n"
    "  st.shared.u32 [buffer], %r1;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry narrow()\n"
    ".maxntid 64, 1, 1\n"
    "{\n"
    "  ret;\n"
    "}\n";

/* Stand-ins for host stubs and shadow variables: only their addresses matter. */
static char fill_stub, mix_stub, wild_stub, tile_stub, narrow_stub, hops_stub, missing_stub;
static char factor_shadow[4], table_shadow[16];

static const struct {
    int magic, version;
    const void *data;
    void *unused;
} kernels_wrapper = {0x466243b1, 1, kernels_ptx, 0};

/* What a compiled file does before main. Returns the handle for __cudaUnregisterFatBinary. */
static inline void **register_kernels(void) {
    void **h = __cudaRegisterFatBinary((void *)&kernels_wrapper);
    __cudaRegisterFunction(h, &fill_stub, (char *)"fill", "fill", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &mix_stub, (char *)"mix", "mix", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &wild_stub, (char *)"wild", "wild", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &tile_stub, (char *)"tile", "tile", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &narrow_stub, (char *)"narrow", "narrow", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &hops_stub, (char *)"hops", "hops", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(h, &missing_stub, (char *)"missing", "missing", -1, 0, 0, 0, 0, 0);
    __cudaRegisterVar(h, factor_shadow, (char *)"factor", "factor", 0, 4, 0, 0);
    __cudaRegisterVar(h, table_shadow, (char *)"table", "table", 0, 16, 1, 0);
    __cudaRegisterFatBinaryEnd(h);
    return h;
}
