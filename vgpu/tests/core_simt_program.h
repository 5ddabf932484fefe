/*
 * core_simt_program.h: random programs with divergent control flow, in two forms that must agree:
 * as PTX for the executor, and evaluated a thread at a time by plain recursion.
 *
 * A program works on a few 32-bit variables of each thread. It branches and loops on conditions
 * that differ from lane to lane, breaks, continues, calls functions that return early, lets threads
 * end, writes what it computes to a trace of its own, and now and then exchanges values with the
 * block or the warp. Whatever order the lanes run in, each thread's trace is determined.
 *
 * Barriers stand where a kernel may have them: every thread still alive executes the same number on
 * every path between two places where lanes meet.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIMT_VARS = 6,                           /* variables a function has                          */
    SIMT_TRACE = 120,                        /* words of a thread's trace; the rest is not kept   */
    SIMT_WORDS = SIMT_TRACE + SIMT_VARS + 1, /* a thread's output: trace, its length, variables */
    SIMT_MAX_THREADS = 256
};

typedef struct simt_program simt_program;

/* The program that this number stands for, always the same one.
 * Ends the process when memory is out. */
simt_program *simt_generate(uint64_t seed);
void simt_free(simt_program *p);

/* PTX text of it: kernel `k` with parameters in, out: addresses of SIMT_VARS and SIMT_WORDS words a
 * thread; out begins as zeros. Owned by the program. */
const char *simt_ptx(simt_program *p);

/* The right output of one block of `threads` threads; in and out as the kernel gets them. False
 * when a thread takes too many steps to be worth it: then out means nothing. */
bool simt_evaluate(simt_program *p, int threads, const uint32_t *in, uint32_t *out);
