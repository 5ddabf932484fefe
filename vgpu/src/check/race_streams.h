/*
 * race_streams.h: what kernels and copies did to arrays, as race_streams.c keeps it.
 */
#pragma once

#include "vgpu/src/check/race_marks.h"

enum { CLASSES = RACE_ATOMIC + 1 };

/* What one line, or one copy, did to one allocation. */
typedef struct past {
    struct past *next;
    vg_moment at;
    enum race_class class;
    bool fences;
    bool linked; /* it may wait for the kernel at hand, which has fences, too, or be waited for */
    bool is_kernel;
    bool watches;  /* the host may rightly write there meanwhile: see race_host.c */
    bool told;     /* that the host wrote too early */
    char who[160]; /* "kernel w", "cudaMemcpyAsync" */
    vg_site site;
    uint32_t element; /* bytes */
    uint64_t begin;   /* of the allocation */
    uint32_t serial;
    uint64_t low, high; /* the bytes lie between these, counted from begin */
    uint64_t *bits;     /* by byte of the allocation; NULL: all from low to high */
    size_t size;        /* of bits */
} past;

struct race_streams {
    vg_ordering order;
    bool on;             /* there is an order to ask for */
    bool alone;          /* one stream: of interest is what kernels read of the host's */
    bool launching;      /* marks are set */
    const vg_heap *heap; /* of the launch at hand */
    uint64_t workspace;
    past *list; /* the last first */
    size_t bytes;
    mark *marks[(MAX_SITES + 1) * CLASSES];
};

/* For the gate: does this line's mark hold all that it reads here? */
bool race_host_knows(void *self, const vg_access *a, const vg_region *r, vg_permit *permit);
