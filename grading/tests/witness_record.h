/*
 * witness_record.h: records what a program does with device memory, in a process of its own as a
 * worker does, and repeats it as the witness does. For witness_test.c and witness_lies_test.c.
 */
#pragma once

#include "grading/witness/journal_read.h"
#include "grading/witness/repeat.h"

#include <stddef.h>

enum { N = 64, BYTES = N * (int)sizeof(float), ROOM = 4 << 20 };

/* What the child leaves for the parent. */
struct shared {
    size_t early_bytes, call_bytes;
    float on_host[N]; /* the recorder's own C, where it lies on the host */
    int end;          /* of a repetition in a process of its own, and its reason */
    char why[256];
    _Alignas(16) unsigned char early[ROOM];
    _Alignas(16) unsigned char call[ROOM];
};

/* The matrices of a call, as the recording process has them. */
struct matrices {
    float *a, *b, *c;
};

typedef void program(struct matrices *m);

extern struct shared *box;
extern float given[3][N];
extern struct program_texts texts;
extern struct repeat repeat;
extern const void *const factor; /* a variable of the device, as the host knows it */

/* Puts the journal so far where the parent finds it, and begins another. */
void hand_over(unsigned char *to, size_t *bytes);
/* Records what `early` (may be NULL) and `work` do. C lies on the device, or on the host. */
void record_of(program *early, program *work, bool c_on_host);
void record(program *work);

/* Begins a witness that knows the kernels, and matrices of its own: A is 1, 2, ..., B twice that, C
 * -1. */
void begin(void);
enum repeat_end repeat_all(void);
/* The matrix as it is by then. */
const float *now(int matrix);
void expect_done(void);

/* Repeats in a process of its own. How that ended; -1: by a signal. */
int repeat_apart(void);
void expect_no(const char *why);

/* What programs do. */
void launch_fill(float *p, int n, float value);
program fills, hops, copies_in_all_shapes, shares, multiplies, solves;
