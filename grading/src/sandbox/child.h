/*
 * child.h: one child process with its output captured: the compiler, or the worker.
 *
 * The child starts in its own session with standard input empty, standard output and error going
 * into bounded buffers here, at most one further descriptor (the channel), a working folder and a
 * fixed environment, inside the walls of sandbox.h. It is killed with all its descendants when the
 * grader is done with it, or dead.
 */
#pragma once

#include "grading/src/sandbox/patience.h"
#include "grading/src/sandbox/sandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a child printed: its first and its last bytes. A flood costs no memory. */
#define CAPTURE_HALF 16384
struct capture {
    char head[CAPTURE_HALF];
    char tail[CAPTURE_HALF]; /* a ring */
    size_t head_bytes;
    size_t tail_bytes; /* written to the ring so far, without wrapping */
};

/* A child that prints more than this is stopped: so a flood ends by its size, not by the clock. */
#define CAPTURE_LIMIT ((size_t)8 << 20)

void capture_add(struct capture *c, const char *bytes, size_t n);
/* Everything kept, as one string that the caller frees; says where bytes were dropped. */
char *capture_text(const struct capture *c);

/* Channel numbers lie between 3 and this. */
#define CHANNEL_NUMBER_LIMIT 256

struct child_options {
    const char *const *argv; /* argv[0] is looked up in PATH unless it holds a slash */
    const char *const *environment;
    const char *folder; /* working directory */
    int channel_number; /* the channel's number in the child, or 0 for no channel */
    int passed_ids; /* process ids to pass over: behind our walls it would always be the same one */
    const struct sandbox *sandbox; /* NULL: a program of ours, inside limits only */
    enum sandbox_profile profile;
    const char *writable; /* the one folder it may write to (give it: sandbox_give); or NULL */
    bool family; /* its work is done by processes that it starts and waits for, as a compiler's is.
                    Else time that goes by while it has any counts as waiting: what nobody waits for
                    can hide what it computes. */
    struct sandbox_limits limits;
};

/* Which of the limits that the parent looks after has been passed. */
enum child_excess { EXCESS_NONE, EXCESS_MEMORY, EXCESS_FOLDER, EXCESS_PROCESSES };

struct child {
    pid_t keeper;   /* the process between us and the child */
    int out, error; /* read ends, -1 once closed */
    int channel;    /* our end, -1 when there is none */
    int status;     /* where the keeper tells the child's end */
    int lifeline;   /* closed: the keeper ends everything */
    bool ended;
    int wait_status; /* when ended */
    struct sandbox_limits limits;
    char *writable; /* owned */
    bool family;
    int64_t started, measured, looked; /* clock_now */
    bool kept;                         /* since measured it was kept waiting by us */
    struct usage used;                 /* when last measured; never less than before */
    enum child_excess excess;          /* it was ended for this: `ended`, by SIGKILL */
    struct capture output, errors;
};

/* Makes sure that this process may open as many files as a child takes. False: `why` says how many
 * it may. */
bool child_files(char *why, size_t room);

/* Starts a child, in walls. False, with `why`, when the program cannot be started at all: *missing
 * then says whether it does not exist. */
bool child_start(struct child *c, const struct child_options *options, char *why, size_t room,
                 bool *missing);

/* Waits until something happens, at most `milliseconds`: keeps the captured output flowing, notices
 * the child's end, and watches the channel for `events` (poll's). Returns the channel's events. */
short child_step(struct child *c, short events, int64_t milliseconds);

/* Has it printed more than CAPTURE_LIMIT? */
bool child_floods(const struct child *c);

/* Waits for the end of the child, or of the patience, counted from now. Also returns when the child
 * floods, and when the grader is interrupted. PATIENCE_LASTS: it ended by itself, unless c->ended
 * says otherwise. */
enum patience_end child_wait(struct child *c, const struct patience *p);

/* Kills the child and everything it started, reads what is left of its output, closes all. */
void child_finish(struct child *c);

/* "more than 8 GB of memory" and so on, for a child that was ended for an excess; else NULL. */
const char *child_excess_text(const struct child *c, char *into, size_t room);
