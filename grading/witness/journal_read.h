/*
 * journal_read.h: walks through a journal (vgpu/src/runtime/journal_format.h), record by record.
 *
 * The bytes are a stranger's. What this hands out lies inside of them, has the length that its kind
 * must have, and is aligned; what the numbers in it mean is for repeat.c to doubt.
 */
#pragma once

#include "vgpu/src/runtime/journal_format.h"

#include <stdbool.h>
#include <stddef.h>

struct journal_reader {
    const unsigned char *bytes;
    size_t n, at;
    struct vj_head head;
    const char *wrong; /* what is wrong with it; NULL so far */
};

/* One record: a copy of its fixed part, and what follows it. */
struct journal_record {
    enum vj_kind kind;
    union {
        struct vj_alloc alloc;
        struct vj_module module;
        struct vj_region region;
        struct vj_copy copy;
        struct vj_set set;
        struct vj_bytes bytes;
        struct vj_launch launch;
        struct vj_gemm gemm;
        struct vj_blas blas;
    } u;
    const unsigned char *rest; /* of the body, behind the fixed part */
    size_t rest_bytes;
};

/* False, and r->wrong, when it does not begin as a journal does. */
bool journal_open(struct journal_reader *r, const void *bytes, size_t n);
/* The next record. False at the end, or where it goes wrong: r->wrong then says so. */
bool journal_next(struct journal_reader *r, struct journal_record *out);
