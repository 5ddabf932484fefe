/*
 * trace.h: why an element of C is wrong, as far as a recording tells: which thread of the filmed
 * block wrote it, what that thread read for it, and where that came from.
 *
 * A cell of a shared array comes from the element that its writer had read, with the same bits;
 * where that is not certain, nothing is claimed. What is said are facts of this run, not guesses at
 * what the author meant.
 */
#pragma once

#include "grading/src/report/recording.h"

#include <stddef.h>

enum { TRACE_NOTES = 4, TRACE_TEXT = 640 };

struct wrong_cell {
    int64_t element; /* row * n + column */
    double want;
    float got;
    bool written; /* else it still holds what C held before the call */
};

/* A product, as the call was made, and what of it is wrong. */
struct traced_product {
    int m, n, k;
    int a, b;       /* memories of the recording; -1: not known */
    bool exchanged; /* lanes compute with what other lanes read: nothing follows from one's reads */
    bool other;     /* another product than A * B: what must be read is not told */
    struct wrong_cell *wrong; /* owned; the first ones in row-major order */
    size_t count, total;      /* of the list; of all */
};

/* Of the thread: "reads tile_A[1][0], which holds A[1][0]: not in row 0 of A". line 0: of all that
 * it does, not of one line. */
struct trace_note {
    int step, line;
    int memory; /* the cell that it reads in this step; -1: none that the note is about */
    int64_t element;
    char text[TRACE_TEXT];
};

struct trace {
    int c;                         /* the memory that is C; -1: the block writes none */
    const struct wrong_cell *cell; /* the element that is explained; NULL: nothing is */
    int elements;                  /* of C that this thread writes; 0: it was not followed */
    int thread, step, line;        /* who wrote it last, and where; step -1: not this block */
    bool complete; /* the thread reads all of its row and column, each element once */
    int notes;
    struct trace_note note[TRACE_NOTES]; /* what is odd about what it reads */
};

/* Explains the first wrong element that the block writes, or else the first. */
void trace_product(struct trace *t, const struct recording *r, const struct traced_product *p);

/* "C[17][3]" and the like. */
void trace_name(char *buffer, size_t room, const struct recorded_memory *m, int64_t element);
