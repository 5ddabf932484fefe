/*
 * profile.c: the table of devices, see profile.h. Figures are the makers' data sheets' and, for the
 * H200, what the device itself answers under CUDA 13.
 */
#include "vgpu/src/core/profile.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define GRID_LARGE  {2147483647u, 65535u, 65535u}
#define GRID_2D     {65535u, 65535u, 1u}
#define BLOCK_1024  {1024u, 1024u, 64u}
#define BLOCK_512   {512u, 512u, 64u}

static const vg_profile profiles[] = {
    {.key = "h200", .name = "NVIDIA H200", .major = 9, .minor = 0, .sm_count = 132,
     .clock_khz = 1980000, .memory_clock_khz = 3201000, .memory_bus_bits = 6016,
     .bandwidth_gbs = 4800, .memory_bytes = UINT64_C(150109880320), .l2_bytes = 62914560,
     .max_threads_block = 1024, .max_block = BLOCK_1024, .max_grid = GRID_LARGE,
     .max_threads_sm = 2048, .max_blocks_sm = 32,
     .shared_block = 49152, .shared_block_optin = 232448, .shared_sm = 233472,
     .shared_reserved = 1024, .regs_block = 65536, .regs_sm = 65536, .double_ratio = 2},
    {.key = "a100", .name = "NVIDIA A100-SXM4-40GB", .major = 8, .minor = 0, .sm_count = 108,
     .clock_khz = 1410000, .memory_clock_khz = 1215000, .memory_bus_bits = 5120,
     .bandwidth_gbs = 1555, .memory_bytes = UINT64_C(42505273344), .l2_bytes = 41943040,
     .max_threads_block = 1024, .max_block = BLOCK_1024, .max_grid = GRID_LARGE,
     .max_threads_sm = 2048, .max_blocks_sm = 32,
     .shared_block = 49152, .shared_block_optin = 166912, .shared_sm = 167936,
     .shared_reserved = 1024, .regs_block = 65536, .regs_sm = 65536, .double_ratio = 2},
    {.key = "t4", .name = "Tesla T4", .major = 7, .minor = 5, .sm_count = 40,
     .clock_khz = 1590000, .memory_clock_khz = 5001000, .memory_bus_bits = 256,
     .bandwidth_gbs = 320, .memory_bytes = UINT64_C(15835660288), .l2_bytes = 4194304,
     .max_threads_block = 1024, .max_block = BLOCK_1024, .max_grid = GRID_LARGE,
     .max_threads_sm = 1024, .max_blocks_sm = 16,
     .shared_block = 49152, .shared_block_optin = 65536, .shared_sm = 65536,
     .shared_reserved = 0, .regs_block = 65536, .regs_sm = 65536, .double_ratio = 32},
    {.key = "rtx3090", .name = "NVIDIA GeForce RTX 3090", .major = 8, .minor = 6, .sm_count = 82,
     .clock_khz = 1695000, .memory_clock_khz = 9751000, .memory_bus_bits = 384,
     .bandwidth_gbs = 936, .memory_bytes = UINT64_C(25447170048), .l2_bytes = 6291456,
     .max_threads_block = 1024, .max_block = BLOCK_1024, .max_grid = GRID_LARGE,
     .max_threads_sm = 1536, .max_blocks_sm = 16,
     .shared_block = 49152, .shared_block_optin = 101376, .shared_sm = 102400,
     .shared_reserved = 1024, .regs_block = 65536, .regs_sm = 65536, .double_ratio = 32},
    {.key = "c2075", .name = "Tesla C2075", .major = 2, .minor = 0, .sm_count = 14,
     .clock_khz = 1147000, .memory_clock_khz = 1566000, .memory_bus_bits = 384,
     .bandwidth_gbs = 144, .memory_bytes = UINT64_C(5636554752), .l2_bytes = 786432,
     .max_threads_block = 1024, .max_block = BLOCK_1024, .max_grid = {65535u, 65535u, 65535u},
     .max_threads_sm = 1536, .max_blocks_sm = 8,
     .shared_block = 49152, .shared_block_optin = 49152, .shared_sm = 49152,
     .shared_reserved = 0, .regs_block = 32768, .regs_sm = 32768, .double_ratio = 2},
    {.key = "c1060", .name = "Tesla C1060", .major = 1, .minor = 3, .sm_count = 30,
     .clock_khz = 1296000, .memory_clock_khz = 800000, .memory_bus_bits = 512,
     .bandwidth_gbs = 102, .memory_bytes = UINT64_C(4294770688), .l2_bytes = 0,
     .max_threads_block = 512, .max_block = BLOCK_512, .max_grid = GRID_2D,
     .max_threads_sm = 1024, .max_blocks_sm = 8,
     .shared_block = 16384, .shared_block_optin = 16384, .shared_sm = 16384,
     .shared_reserved = 0, .regs_block = 16384, .regs_sm = 16384, .double_ratio = 8},
    {.key = "gt330m", .name = "GeForce GT 330M", .major = 1, .minor = 2, .sm_count = 6,
     .clock_khz = 1265000, .memory_clock_khz = 790000, .memory_bus_bits = 128,
     .bandwidth_gbs = 25, .memory_bytes = UINT64_C(536543232), .l2_bytes = 0,
     .max_threads_block = 512, .max_block = BLOCK_512, .max_grid = GRID_2D,
     .max_threads_sm = 1024, .max_blocks_sm = 8,
     .shared_block = 16384, .shared_block_optin = 16384, .shared_sm = 16384,
     .shared_reserved = 0, .regs_block = 16384, .regs_sm = 16384, .double_ratio = 0},
    {.key = "9600mgt", .name = "GeForce 9600M GT", .major = 1, .minor = 1, .sm_count = 4,
     .clock_khz = 1250000, .memory_clock_khz = 800000, .memory_bus_bits = 128,
     .bandwidth_gbs = 26, .memory_bytes = UINT64_C(536674304), .l2_bytes = 0,
     .max_threads_block = 512, .max_block = BLOCK_512, .max_grid = GRID_2D,
     .max_threads_sm = 768, .max_blocks_sm = 8,
     .shared_block = 16384, .shared_block_optin = 16384, .shared_sm = 16384,
     .shared_reserved = 0, .regs_block = 8192, .regs_sm = 8192, .double_ratio = 0},
};
/* clang-format on */

const vg_profile *vg_profiles(int *count) {
    *count = (int)(sizeof profiles / sizeof *profiles);
    return profiles;
}

/* Equal but for case and separators: "RTX 3090" is "rtx3090". */
static bool same(const char *a, const char *b) {
    for (;;) {
        while (*a && strchr(" -_", *a))
            a++;
        while (*b && strchr(" -_", *b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

const vg_profile *vg_profile_find(const char *name) {
    if (!name || !*name)
        return &profiles[0];
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        if (same(name, profiles[i].key) || same(name, profiles[i].name))
            return &profiles[i];
    return NULL;
}

/* One axis of a grid or block. */
static bool axis_fits(const char *axis, uint32_t value, uint32_t limit, vg_note *why) {
    if (value >= 1 && value <= limit)
        return true;
    why->is.says = value == 0 ? VGPU_LAUNCH_EMPTY : VGPU_LAUNCH_SIDE;
    why->is.size = value;
    why->is.limit = limit;
    why->name = axis;
    return false;
}

bool vg_profile_allows(const vg_profile *p, vg_dim3 grid, vg_dim3 block, uint64_t shared,
                       uint64_t shared_limit, vg_note *why) {
    if (!axis_fits("gridDim.x", grid.x, p->max_grid.x, why) ||
        !axis_fits("gridDim.y", grid.y, p->max_grid.y, why) ||
        !axis_fits("gridDim.z", grid.z, p->max_grid.z, why) ||
        !axis_fits("blockDim.x", block.x, p->max_block.x, why) ||
        !axis_fits("blockDim.y", block.y, p->max_block.y, why) ||
        !axis_fits("blockDim.z", block.z, p->max_block.z, why))
        return false;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (threads > (uint64_t)p->max_threads_block) {
        *why =
            *VG_NOTE(LAUNCH_THREADS, .is.size = threads, .is.limit = (uint64_t)p->max_threads_block,
                     .is.number = {block.x, block.y, block.z});
        return false;
    }
    if (shared > shared_limit) {
        *why = *VG_NOTE(LAUNCH_SHARED, .is.size = shared, .is.limit = shared_limit);
        return false;
    }
    return true;
}

int vg_profile_blocks_per_sm(const vg_profile *p, int threads, uint64_t shared, int regs_thread) {
    if (threads < 1 || threads > p->max_threads_block || shared > (uint64_t)p->shared_block_optin)
        return 0;
    int warps = (threads + 31) / 32;
    int blocks = p->max_threads_sm / 32 / warps;
    if (blocks > p->max_blocks_sm)
        blocks = p->max_blocks_sm;
    /* Shared memory is given out in units of 128 bytes (256 or 512 on the oldest devices). */
    uint64_t unit = p->major >= 3 ? 128 : 512;
    uint64_t each = (shared + (uint64_t)p->shared_reserved + unit - 1) / unit * unit;
    if (each > 0 && (uint64_t)p->shared_sm / each < (uint64_t)blocks)
        blocks = (int)((uint64_t)p->shared_sm / each);
    /* Registers: a warp gets them in units of 256. */
    int regs_warp = (regs_thread * 32 + 255) / 256 * 256;
    if (regs_warp > 0 && p->regs_sm / (regs_warp * warps) < blocks)
        blocks = p->regs_sm / (regs_warp * warps);
    return blocks;
}
