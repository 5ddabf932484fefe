/*
 * fixture.h: runs a kernel of a PTX text with the counters on, for the suites of this folder.
 *
 *     bench b; bench_open(&b, text, len, workers);
 *     uint64_t p = bench_memory(&b, bytes);
 *     vg_counts c = bench_run(&b, "kernel", grid, block, dynamic_shared, args);
 *     bench_close(&b);
 */
#pragma once

#include "vgpu/src/count/count.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
    vg_mem *mem;
    vg_module *module;
    vg_exec *exec;
    vg_count *count;
} bench;

static inline void bench_open(bench *b, const char *text, size_t len, int workers) {
    vg_fault fault;
    b->mem = vg_mem_create(UINT64_C(1) << 32);
    ck_assert_ptr_nonnull(b->mem);
    b->module = vg_module_load(text, len, b->mem, &fault);
    ck_assert_msg(b->module != NULL, "%s", fault.text);
    b->exec = vg_exec_create(workers);
    b->count = vg_count_create();
    ck_assert_ptr_nonnull(b->exec);
    ck_assert_ptr_nonnull(b->count);
    ck_assert(vg_exec_observe(b->exec, vg_count_observer(b->count)));
}

static inline void bench_close(bench *b) {
    vg_exec_destroy(b->exec);
    vg_count_destroy(b->count);
    vg_module_unload(b->module, b->mem);
    vg_mem_destroy(b->mem);
}

static inline uint64_t bench_memory(bench *b, uint64_t bytes) {
    const uint64_t p = vg_mem_alloc(b->mem, bytes, 256, VG_MEM_DEVICE, NULL);
    ck_assert_uint_ne(p, 0);
    memset(vg_mem_at(b->mem, p, bytes), 0, bytes);
    return p;
}

/* args: one pointer for each parameter. The launch may fault when `status` says so. */
static inline vg_counts bench_try(bench *b, const char *name, vg_dim3 grid, vg_dim3 block,
                                  uint32_t dynamic_shared, void *const *args,
                                  enum vg_status status) {
    vg_fault fault = {0};
    vg_kernel *kernel = vg_module_kernel(b->module, name);
    ck_assert_msg(kernel != NULL, "no kernel %s", name);
    ck_assert_msg(vg_kernel_prepare(kernel, true, &fault), "%s", fault.text);
    const vg_launch_params p = {.grid = grid,
                                .block = block,
                                .dynamic_shared = dynamic_shared,
                                .args = args,
                                .mem = b->mem,
                                .sm_count = 132};
    ck_assert_msg(vg_launch(b->exec, kernel, &p, &fault) == status, "%s", fault.text);
    const vg_log *log = vg_count_lock(b->count);
    ck_assert_ptr_nonnull(log);
    const vg_counts c = log->last;
    vg_count_unlock(b->count);
    return c;
}

static inline vg_counts bench_run(bench *b, const char *name, vg_dim3 grid, vg_dim3 block,
                                  uint32_t dynamic_shared, void *const *args) {
    return bench_try(b, name, grid, block, dynamic_shared, args, VG_OK);
}

/* The whole file, NUL-terminated; to be freed. */
static inline char *read_text(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    char *text = NULL;
    size_t n = 0, room = 0;
    do {
        room = room == 0 ? 65536 : 2 * room;
        char *more = realloc(text, room + 1);
        ck_assert(more != NULL);
        text = more;
        n += fread(text + n, 1, room - n, f);
    } while (n == room);
    fclose(f);
    text[n] = '\0';
    *len = n;
    return text;
}

/* ck_assert_counter(c, VGC_FMA, 42): the message names the counter. */
#define ck_assert_counter(c, which, expected)                                                      \
    ck_assert_msg((c).v[which] == (uint64_t)(expected), "%s:%d: %s is %llu, expected %llu",        \
                  __FILE__, __LINE__, vg_counter_name(which), (unsigned long long)(c).v[which],    \
                  (unsigned long long)(expected))
