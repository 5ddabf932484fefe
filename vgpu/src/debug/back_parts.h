/*
 * back_parts.h: what the files share that go back (back.h): back.c, which looks, runs up to a
 * moment and decides who is the program; copies.c, which makes copies, ends them, and waits in
 * them.
 */
#pragma once

#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/processes.h"

#include <time.h>

enum {
    COPIES = 8,  /* of a launch */
    EARLIER = 8, /* launches, of each of which one is kept */
    FEWEST = 2,
    CHANGES = 256,
    MOST_TIMES = 64,
    WHY = 3072,
    APART = 200 /* ms */
};

/* Where a thread would be held. */
typedef struct place {
    dbg_moment when;
    uint64_t block;
    uint32_t warp;
    int lane;
    char why[WHY];
    enum dbg_reason reason;
    int number; /* of a break */
} place;

typedef struct change {
    uint64_t launch, before; /* op */
    uint64_t at, block;
    uint32_t warp, size;
    int lane;
    uint8_t bytes[8];
} change;

/* What all processes of the program see. */
typedef struct common {
    /* The person's, at the moment of going back. */
    dbg_break list[DBG_BREAKS];
    int last_number;
    unsigned catches;
    dbg_editor editor;
    char display[DBG_DISPLAYS][DBG_COMMAND]; /* empty: none */
    /* What is looked for: before `now`, how the thread in focus goes. */
    enum dbg_going how;
    dbg_moment now;
    uint64_t block;
    uint32_t warp;
    int lane, depth;
    uint64_t times, launch; /* where the person is */
    /* The last `times` places before now, in a ring; `found` of all there were. */
    uint64_t found;
    place ring[MOST_TIMES];
    bool interrupted;
    place target;
    bool uncounted; /* there were too many hits to count them back */
    /* The program that ends goes back: further, somebody is to look where; or to the target, for
     * which the first copy of that launch is to be asked. */
    enum { ENDS, AGAIN, TO_TARGET } again;
    change change[CHANGES];
    int changes;
    pid_t copy[COPIES]; /* of the launch at hand, the first one first; 0: none */
} common;

/* What this process is doing. */
enum role { RUNS, LOOKS, RETURNS };

/* A copy, as a process knows it: one that this process has made, and may let be the program; or one
 * that others made, and that looks for this process, too. */
typedef struct copy {
    pid_t pid;
    int line; /* to it */
    uint64_t launch, op;
    bool mine;
} copy;

struct dbg_back {
    common *common;
    dbg_hits *hits;
    enum role role;
    int threads; /* before main: of libraries that fork takes care of, as OpenBLAS does */
    bool in_launch;
    bool from_copy; /* this process comes from a copy, and its parent knows the others */
    copy copy[EARLIER + COPIES + 1]; /* in their order; no others are later */
    int copies;
    int modules; /* whose names the copies know */
    dbg_files files;
    uint64_t apart; /* ops; 0: not known yet */
    struct timespec begun;
    uint64_t next_copy;
    int next_change;
    dbg_moment at;       /* now */
    bool renewed;        /* watches, for the block: */
    uint64_t seen_block; /* while it looks */
    int out[2];          /* where standard output and errors went before */
};

/* Behind all ops of a launch. */
static inline dbg_moment end_of(uint64_t launch) {
    return (dbg_moment){launch, UINT64_MAX, DBG_AT_LINE};
}

static inline dbg_moment start_of(const copy *c) {
    return (dbg_moment){c->launch, c->op, DBG_AT_LINE};
}

/* ---- copies.c ---- */

/* The place of the launch's first copy in the list; behind the last: there is none. */
int dbg_first_copy_of(const dbg_back *b, uint64_t launch);
void dbg_drop_copy(dbg_back *b, int i);
/* This process is no more the program: its copies are of no more use. Others' may be. */
void dbg_drop_mine(dbg_back *b);
/* Another copy of the launch; the next one is planned. */
void dbg_plan_copy(vg_debug *d);
/* Sends an order to a copy, and waits until it is carried out: to look, or to be the program.
 * False: the copy is gone. */
enum dbg_order { DBG_LOOK = 'l', DBG_RETURN = 'r' };
bool dbg_order(const copy *to, enum dbg_order what, int *status);

/* ---- back.c ---- */

/* In a child of a copy: goes on with the launch. */
void dbg_become(vg_debug *d, enum role role);
/* The next op before which something is to be done. */
void dbg_set_alarm(vg_debug *d);
