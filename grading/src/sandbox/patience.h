/*
 * patience.h: when is a child's time up, and is that its own doing or the machine's?
 *
 * A limit by the clock says nothing on a busy machine. So a limit is held against what the child
 * did with its time: what it computed (processor time, of all its threads and processes), and how
 * long it could have computed and chose to wait (none of it ready to run). Both are the same on a
 * busy machine as on an idle one, but take longer. What is left of the clock is the machine's: then
 * the child was ready to run and did not get to. When that has gone on for too long, nobody can say
 * what the child would have done, and nothing is judged.
 *
 *   the clock   |-- computes --|-- ready, not running --|-- waits --|- kernel's work -|
 *   counts as     user           the machine's            idle        system
 *
 * Only arithmetic: child.c measures, run.c and build.c act.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What a child and all it started have done with their time so far, in milliseconds. */
struct usage {
    int64_t user, system; /* processor time */
    int64_t idle;         /* nothing of it was ready to run */
};

/* Limits in milliseconds. The kernel's work takes longer on a busy machine (memory is hard to come
 * by): so it has a more generous limit, together with the rest. */
struct patience {
    int64_t user, processor; /* processor: user and system */
    int64_t idle;
    int64_t clock; /* after which the machine is given up */
};

enum patience_end {
    PATIENCE_LASTS,
    PATIENCE_COMPUTED, /* it has computed for too long */
    PATIENCE_WAITED,   /* it has waited for too long */
    PATIENCE_STARVED,  /* the machine gave it too little to tell */
};

/* All limits of a worker's call, from the one that people know. A busy machine may take this many
 * times as long. */
#define PATIENCE_CLOCK     20
#define PATIENCE_PROCESSOR 3
struct patience patience_of(int64_t limit);

/* `used` and `clock` are counted from where the limits begin. */
enum patience_end patience_end(const struct patience *p, const struct usage *used, int64_t clock);

/* One look at a child and all it started. A look tells what is so at its moment: a grader that did
 * not get to look for long knows nothing of the time between. */
#define PATIENCE_LOOK 200 /* milliseconds between two */
struct look {
    int64_t elapsed; /* since the one before, in milliseconds */
    bool busy;       /* something of it is ready to run */
    bool apart;      /* it has processes of its own that nobody needs to wait for */
    bool kept;       /* since the one before it was our turn to read or to write */
};

/* How much of the time since the look before counts as idle. */
int64_t patience_idle(const struct look *l);

/* Was it our turn? A child that has printed more than we read waits for us. One that has something
 * for us on its channel, or awaits something there, waits for us only when we come late; else it
 * waits of its own accord, however often it sends a word. `away` is how long we did not look, in
 * milliseconds; we mean to look every 20. */
#define PATIENCE_LATE 60
bool patience_our_turn(int64_t away, bool channel, bool printed);

/* What was used since `before`. */
struct usage usage_since(const struct usage *now, const struct usage *before);
