/*
 * judge.h: from what came back to a verdict.
 *
 * The judge runs in the grader, on raw bytes: it computes the reference itself, compares element by
 * element (common/compare.h), and looks at inputs and guard bands for writes that must not be. It
 * reports what it saw; what kind of mistake that is likely to be is for a diagnosis to say.
 */
#pragma once

#include "common/compare.h"
#include "grading/src/base/text.h"
#include "grading/src/build/backend.h"
#include "grading/src/run/run.h"

enum verdict {
    VERDICT_PASS,
    VERDICT_WRONG,      /* C is wrong */
    VERDICT_MEMORY,     /* a write where none is allowed, or an access outside memory */
    VERDICT_CUDA_ERROR, /* a CUDA call or launch failed */
    VERDICT_CRASH,      /* killed by a signal */
    VERDICT_EXIT,       /* the function ended the process */
    VERDICT_TIMEOUT,    /* no end within the limit */
    VERDICT_FLOOD,      /* printed without end */
    VERDICT_MEDDLED,    /* the submission used the grader's channel */
    VERDICT_MISSING,    /* the file lacks the function */
    VERDICT_NOT_RUN,    /* cases before it reached their limits, or used up the submission's time */
    VERDICT_NOT_GRADED, /* not the submission's fault; never counts against it */
    VERDICT_COUNT
};

/* "pass", "wrong answer", ... as the table shows it; and the same for JSON ("wrong_answer"). */
const char *verdict_text(enum verdict v);
const char *verdict_key(enum verdict v);

/* An element of A, B or C, or beside them, that was touched where none may be; or the matrix was
 * freed. HEAP: a byte beside a block of memory that the function asked for, HEAP_FREED: of one that
 * it gave back. */
struct touched {
    enum {
        TOUCHED_NOTHING,
        TOUCHED_INSIDE,
        TOUCHED_OUTSIDE,
        TOUCHED_FREED,
        TOUCHED_HEAP,
        TOUCHED_HEAP_FREED
    } how;
    bool written; /* else it is not known, whether it was read or written */
    enum matrix_name matrix;
    int64_t index;  /* of a block: of its byte */
    uint64_t room;  /* the block's bytes */
    uint32_t asker; /* where in the program it was asked for (build_line); 0: unknown */
};

/* Did nobody write this element of C? It holds what C held before the call; or, behind a function
 * that has C on the device to itself, what fresh memory there holds. */
bool element_unwritten(enum entry_point entry, float before, float got);

/* cudaError_t's numbers, which the parts of the grader that run no CUDA know by these. */
enum {
    ERROR_INVALID_VALUE = 1, /* of a launch, as the next one: its grid is no grid */
    ERROR_INVALID_CONFIGURATION = 9,
    ERROR_ILLEGAL_ADDRESS = 700,
    ERROR_LAUNCH_TIMEOUT = 702,
    ERROR_MISALIGNED_ADDRESS = 716,
    ERROR_NOT_SUPPORTED = 801
};

/* What was seen in the call that decided a case. */
struct evidence {
    bool elsewhere; /* it was right before, in another process, environment and time of day */
    enum verdict verdict;
    struct call_plan plan;        /* the call */
    int call;                     /* which of the case's calls, from 1 */
    struct text summary;          /* one line: what happened */
    struct comparison comparison; /* VERDICT_WRONG only */
    unsigned untouched;           /* bit i: comparison.first[i] was never written (above) */
    size_t untouched_total;       /* so many elements of C were not */
    float *got;                   /* VERDICT_WRONG only: C, m x n, owned */
    struct text printed;          /* standard error, or output when that is empty; raw */
    struct facts facts;           /* what the virtual GPU said; owned */
    enum call_stage stage; /* where a CUDA error came to light, and which; STAGE_OK: none did */
    int error;
    struct touched touched; /* the element that it should not have touched */
    int signal;             /* the process died of it; 0: of none */
    uint32_t code_at;       /* where in the program that was (build_line); 0: unknown */
    bool ended_itself;      /* the process called exit */
    int exit_status;        /* with that */
    bool own_check;         /* a check of the program's own ended it, after a call that failed */
    bool device_fault;      /* the virtual GPU had something to say */
    bool lacking;           /* it says that it uses what the virtual GPU lacks */
    bool at_limit;          /* a limit on time, memory, files, processes or output ended it */
};

/* Judges one call. errors and output are what the process printed (it is finished when the call was
 * not answered with data; else they may be empty). */
void judge_call(struct evidence *e, const struct call_data *data, const struct call_reply *reply,
                enum backend_choice backend);

/* Adds what a finished worker printed, and what the virtual GPU said in it: with that, a fault that
 * it explains, or something it lacks, is told from a plain CUDA error. */
void judge_printed(struct evidence *e, const char *errors, const char *output,
                   const struct facts *facts);

/* Adds what was printed, without the mark of its author: the virtual GPU's lines to `device`, all
 * others to `own`. */
void evidence_split(const struct evidence *e, struct text *device, struct text *own);

void evidence_free(struct evidence *e);

/* "A[7] (row 1, column 2)": the element that was touched. */
void evidence_say_element(struct text *t, const struct evidence *e);

/* "SIGSEGV" for 11; never NULL. */
const char *signal_name(int number);
