/*
 * vgpu_test.h: what the suites of the virtual GPU share. Check runs each test in a process of its
 * own, so every test starts with a fresh context.
 */
#pragma once

#include "common/tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Sends stderr to a file, so that a test can look at the vgpu: lines. */
static inline FILE *capture_stderr(void) {
    FILE *f = tmpfile();
    ck_assert_ptr_nonnull(f);
    fflush(stderr);
    ck_assert_int_ge(dup2(fileno(f), STDERR_FILENO), 0);
    return f;
}

/* What has been written since; valid until the next call. */
static inline const char *captured(FILE *f) {
    static char text[16384];
    fflush(stderr);
    const ssize_t len = pread(fileno(f), text, sizeof text - 1, 0); /* a stream would keep a copy */
    ck_assert_int_ge(len, 0);
    text[len] = '\0';
    return text;
}

static inline int run_vgpu_tests(struct suite about) {
    setenv("VGPU_CHECK", "race,init,sync", 0); /* tests needn't free what they allocate */
    return run_tests(about);
}
