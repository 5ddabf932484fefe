/*
 * run.h: a worker process and the calls made through it.
 *
 * worker_start starts the program and waits for its greeting; worker_call sends one call and waits
 * for what becomes of it; worker_finish ends the process and everything it started. Nothing here
 * looks at a matrix: what came back is judged elsewhere (judge.h).
 *
 * A worker that has answered anything but CALL_ANSWERED is of no further use: finish it.
 */
#pragma once

#include "grading/src/build/backend.h"
#include "grading/src/lab/cases.h"
#include "grading/src/lab/protocol.h"
#include "grading/src/run/facts.h"
#include "grading/src/sandbox/budget.h"
#include "grading/src/sandbox/child.h"

/* Limits in milliseconds, of what a worker computes or of what it waits without computing
 * (patience.h), never of the clock. They only end what would never end: the same work takes a
 * solution some hundredths of a second. A call's is the rubric's. */
#define RUN_START_LIMIT  10000 /* until the greeting, which needs no device */
#define RUN_REPEAT_TIMES 6     /* a witness has so many times what a call has, and ends by counts */

struct worker_setup {
    const char *program;
    char **environment;
    const char *folder;            /* its working directory is made in here, and removed with it */
    const struct sandbox *sandbox; /* NULL: no walls */
    enum backend_choice backend;
    int call_limit;        /* milliseconds */
    bool unchecked;        /* the virtual GPU neither checks nor counts */
    bool elsewhere;        /* its environment is a student's, not the grader's */
    bool idle;             /* the virtual GPU's kernels and products compute nothing */
    bool twofold;          /* a witness': floats from shared memory come out doubled (operands.h) */
    bool backwards;        /* a witness': the last block of a grid begins first */
    bool journal;          /* it keeps a journal for a witness (witness.h) */
    const char *repeats;   /* it is a witness, for this program; NULL: a worker */
    struct budget *budget; /* what it takes is taken from here; NULL: from nowhere */
};

enum call_end {
    CALL_ANSWERED,    /* a RESULT came back, with data or with a CUDA error */
    CALL_DIED,        /* killed by a signal */
    CALL_EXITED,      /* the process ended itself */
    CALL_TIMED_OUT,   /* no answer within the limit */
    CALL_STARVED,     /* no answer: the machine did not let it come to its limit, or ended it */
    CALL_FLOODED,     /* printed more than CAPTURE_LIMIT */
    CALL_MEDDLED,     /* bytes on the channel that the worker did not send */
    CALL_INTERRUPTED, /* the grader was told to stop */
    CALL_NO_START,    /* the process could not be started at all */
};

struct call_reply {
    enum call_end end;
    int code;              /* the signal's number or the exit status */
    enum call_phase phase; /* how far the call got */
    struct result_body result;
    bool has_fault; /* the worker saw what must not be done to a matrix */
    struct fault_body fault;
    uint32_t code_at;     /* where the program stood when it ended; 0: unknown (protocol.h) */
    unsigned char *bytes; /* the three regions, owned; NULL when there are none */
    bool counted;         /* `work` was told: the virtual GPU ran it */
    struct work work;
    struct finding_body *finding; /* owned; texts end with a NUL */
    int findings;
    unsigned char *journal; /* owned; NULL when none was sent */
    size_t journal_bytes;
    bool heard; /* a witness said what became of it; its text ends with a NUL */
    struct witness_body witness;
    char reason[128]; /* for CALL_MEDDLED, CALL_NO_START and CALL_STARVED; for CALL_DIED what it
                         took too much of, or empty */
    int limit;        /* for CALL_TIMED_OUT: in milliseconds ... */
    bool waited;      /* ... and whether it waited so long; else it computed */
};

struct worker {
    struct child *child;
    char *folder; /* its own, while it runs */
    struct message_parser parser;
    uint32_t entries; /* functions it has, once greeted */
    uint32_t last_call;
    struct facts facts; /* what the virtual GPU has said in it, in all its calls */
    int told;           /* in the last one */
    int call_limit;
    struct budget *budget;
    bool witness;   /* else a submission runs in it */
    uint64_t kills; /* shortage_kills when it began */
};

/* True when the worker has greeted. When not, *reply says what happened instead. */
bool worker_start(struct worker *w, const struct worker_setup *setup, struct call_reply *reply);
void worker_call(struct worker *w, const struct call_data *data, struct call_reply *reply);

/* What a witness needs to make a call again, beside the call's data. */
struct repeat_request {
    const void *early, *journal, *given; /* may be NULL where there are no bytes */
    size_t early_bytes, journal_bytes, given_bytes;
    uint64_t instructions;
};
void worker_repeat(struct worker *w, const struct call_data *data, const struct repeat_request *r,
                   struct call_reply *reply);
void worker_finish(struct worker *w);

/* What the worker printed, once finished; the caller frees it. */
char *worker_output(const struct worker *w);
char *worker_errors(const struct worker *w);

void worker_free(struct worker *w);
void call_reply_free(struct call_reply *reply);
