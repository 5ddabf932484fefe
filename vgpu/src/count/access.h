/*
 * access.h: what is counted while a kernel runs, one record for each instruction and worker.
 *
 *     counting.shares[worker].spots[op]     tallies by space, and what the last access looked like
 */
#pragma once

#include "vgpu/src/core/observe.h"
#include "vgpu/src/count/banks.h"
#include "vgpu/src/count/copies.h"

/* The spaces that one instruction may mean, a generic one in turn. */
enum place { IN_GLOBAL, IN_SHARED, IN_LOCAL, IN_CONST, PLACES };

/* What one memory instruction did in one space. */
typedef struct tally {
    uint64_t requests, bytes;
    uint64_t units;      /* global, local: sectors; shared: wavefronts; constant: words */
    uint64_t conflicts;  /* shared */
    uint64_t words;      /* shared: different words, request by request */
    uint64_t pinned;     /* local: of the bytes, those that no compiler keeps in registers */
    uint64_t moving;     /* constant: of the bytes, at another place than the access before */
    uint64_t last;       /* local, constant: that place, and 1 more */
    uint64_t block;      /* local: the block of that access, and 1 more */
    uint64_t low, high;  /* local: where it was, from here to there; high 0: nowhere yet */
    uint64_t scattered;  /* global: of the bytes, by requests of lanes that lie far apart */
    uint64_t overlapped; /* shared: of the bytes, while copies of the block were in flight */
    uint64_t brought;    /* shared: of the bytes, by copies that hid behind work (copies.h) */
    enum vg_access_kind kind;
    bool held; /* local: in an array that another instruction pins */
} tally;

/* How the lanes' addresses lay when an instruction was last carried out, and what that cost. Next
 * time they nearly always lie the same way, only elsewhere. */
typedef struct memo {
    uint64_t apart[VG_LANES]; /* bytes from lane 0 */
    uint32_t mask;            /* 0: nothing known yet */
    enum place place;
    vg_bank_cost cost;  /* in shared memory, wherever it begins: banks repeat */
    uint8_t sectors[8]; /* in global memory, by the word of a sector it begins at; 0: not known */
} memo;

typedef struct spot {
    tally tally[PLACES];
    memo memo;
} spot;

/* One for each worker; only that worker's thread touches it while a kernel runs. */
typedef struct share {
    spot *spots;                  /* by op; NULL: out of memory, nothing is counted */
    const op *ops;                /* the program's: spots[i] is of ops[i]           */
    size_t room;                  /* ops they have room for                         */
    bool used;                    /* in this launch                                 */
    uint64_t short_barriers;      /* of this launch's blocks: some threads had ended */
    uint64_t loads[VG_MAX_WARPS]; /* by warp of this block, from global and shared memory */
    uint64_t warps[64];           /* of blocks before: that loaded 2^i times or more, not 2^(i+1) */
    copies copies;
} share;

typedef struct counting {
    share *shares; /* by worker */
    int num_shares;
} counting;
