/*
 * run_ptx.h: does with a PTX text whatever can be done with one: parses it, loads it, prepares
 * every kernel, plain and observed, and runs it on small buffers with a small budget. For fuzzers:
 * nothing the text says may make the executor read or write astray, hang, or end the process.
 */
#pragma once

#include <stddef.h>

/* What became of a text, for tests that want to know they test something. */
typedef struct ptx_outcome {
    unsigned long parsed, prepared, ran, faulted;
} ptx_outcome;

/* Adds to *outcome. Kernels' printf goes to standard output. */
void run_ptx(const char *text, size_t len, ptx_outcome *outcome);
