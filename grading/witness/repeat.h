/*
 * repeat.h: does again, on the virtual GPU of this process, what a journal says another process did
 * with its own. Counters and checkers run meanwhile, and nothing of the other process does.
 *
 * Contract: the journal is a stranger's. Whatever it says, this ends after a bounded amount of
 * work, touches no memory but the virtual GPU's, and tells one of three things:
 *
 *   REPEAT_DONE       all of it was done; whether the product is right is for others to say
 *   REPEAT_DISAGREES  it says what cannot have happened, or what no program of these kernels does:
 *                     no honest process writes such a journal
 *   REPEAT_CANNOT     this machine does not let it be repeated
 *
 * Limits are counted, never timed, so that the same journal gives the same answer anywhere.
 */
#pragma once

#include "grading/witness/left.h"
#include "grading/witness/program.h"

enum repeat_end { REPEAT_DONE, REPEAT_DISAGREES, REPEAT_CANNOT };

enum { REPEAT_MATRICES = 3 };

/* What a call is made on. Bytes of A, B and C as the caller knows them: never the journal's. */
struct repeat_matrix {
    const unsigned char *before;
    uint64_t bytes;
};

/* Where the journal says that they lie. */
struct repeat_place {
    bool known, host;
    uint64_t addr;
};

/* What one call may cost at most. */
struct repeat_limits {
    uint64_t instructions; /* of warps: what the process itself told, and some */
    uint64_t moved;        /* bytes of copies, sets and allocations */
    uint64_t alive;        /* bytes of allocations at a time */
    uint64_t madds;        /* of cuBLAS */
};

struct vg_observer;

struct repeat {
    const struct program_texts *texts;
    struct repeat_limits limits;
    struct repeat_matrix matrix[REPEAT_MATRICES];
    struct repeat_place place[REPEAT_MATRICES];
    unsigned char *host_c; /* C in the host's memory: as it was, and what copies brought */
    struct left left;      /* what left the device for the host */
    struct left sent;      /* what the host gave it before */
    uint64_t moved, madds;
    struct module *modules;
    struct backing *backings; /* of host memory */
    void *blas;
    bool in_call, called, device_wrote;
    _Atomic uint64_t run;        /* what the executor paid for this call, block after block */
    struct vg_observer *stopper; /* ends a launch when they become too many */
    char why[256];               /* not REPEAT_DONE: a sentence's end, for people */
};

/* `texts` must live as long. */
void repeat_begin(struct repeat *r, const struct program_texts *texts);
void repeat_end(struct repeat *r);

/* Repeats what happened before the first call. */
enum repeat_end repeat_early(struct repeat *r, const void *journal, size_t bytes);
/* Repeats a call on the matrices in r->matrix, within r->limits. Counters hold the call's
 * afterwards. */
enum repeat_end repeat_call(struct repeat *r, const void *journal, size_t bytes);

/* A matrix as it is now: on the device, or (C) what reached the host's; NULL: nowhere. */
const unsigned char *repeat_matrix_now(struct repeat *r, int matrix);
