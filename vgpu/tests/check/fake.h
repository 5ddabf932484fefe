/*
 * fake.h: a launch without an executor: a test plays the kernel, access by access, and the checkers
 * behind vg_check_install see what they would see of a real one.
 * It obeys permits, as the executor does.
 *
 * Instructions are numbered; instruction i stands at line 100 + i of "fake.cu".
 */
#pragma once

#include "vgpu/src/check/check.h"
#include "vgpu/src/core/observe.h"

enum { FAKE_OPS = 64, FAKE_WARPS = 3, FAKE_SHARED = 512, FAKE_BLOCKS = 4, FAKE_WORKERS = 4 };
enum { FAKE_NOTED = 8 };

typedef struct fake {
    vg_exec *exec;
    vg_mem *mem;
    vg_check *check;
    vg_module module;
    vg_kernel kernel;
    program program;
    op ops[FAKE_OPS];
    ptx_func func;
    ptx_var shared_var;
    placed_var shared_place;
    vg_launch_params params;
    launch launch;
    host_thread workers[FAKE_WORKERS];
    warp warps[FAKE_WORKERS][FAKE_WARPS];
    vg_permit permits[FAKE_WORKERS][FAKE_OPS];
    vg_noted list[FAKE_WORKERS][FAKE_NOTED];
    uint32_t stored[FAKE_WORKERS][FAKE_NOTED][VG_LANES];
    uint64_t noted, noted_stores; /* reads and stores that permits put off, so far */
    char *said;
    size_t said_len;
} fake;

/* threads a block; partial: the kernel has barriers for some threads, or warp barriers for some
 * lanes. */
void fake_begin(fake *f, unsigned which, uint32_t threads, uint32_t blocks, bool partial);
/* Instruction `op` is one of this kind, of `size` bytes a lane. To be said before the launch. */
void fake_declare(fake *f, int op, enum vg_access_kind kind, uint32_t size);
/* Instruction `op` is a store of words; its value is in row 0 of the warp's registers. */
void fake_store_words(fake *f, int op);
/* Starts a launch; again after fake_end_launch. */
void fake_launch(fake *f);
void fake_block(fake *f, int worker, uint32_t block);
/* One instruction: lanes of a warp at addresses (offsets); values may be NULL. */
void fake_access(fake *f, int worker, int warp, int op, enum vg_access_kind kind,
                 enum ptx_space space, uint32_t lanes, uint32_t size, const uint64_t *at);
/* A barrier of these lanes by warp; all: of all threads. */
void fake_barrier(fake *f, int worker, int id, const uint32_t *lanes, bool all);
void fake_arrive(fake *f, int worker, int warp, int id, uint32_t lanes);
void fake_warp_sync(fake *f, int worker, int warp, uint32_t lanes);
/* Lanes arrive at a phase of an mbarrier (first: as the phase's first), and find it complete. */
void fake_signal(fake *f, int worker, int warp, uint64_t key, uint32_t lanes, bool first);
void fake_acquire(fake *f, int worker, int warp, uint64_t key, uint32_t lanes);
void fake_end_block(fake *f, int worker);
void fake_end_launch(fake *f);
void fake_end(fake *f);
