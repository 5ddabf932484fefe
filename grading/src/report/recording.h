/*
 * recording.h: a film's recording (docs/film-format.md) as the grader reads it: which lanes of
 * which warp were at which line, what they accessed, and where they waited.
 *
 * A recording comes from a process that runs a stranger's code: numbers are held against the sizes
 * that they index, and what does not fit makes the whole recording unreadable.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { RECORDING_LANES = 32 };

enum recorded_kind {
    RECORDED_READ,
    RECORDED_WRITE,
    RECORDED_ATOMIC,
    RECORDED_COPY_BEGINS, /* an asynchronous copy */
    RECORDED_COPY_ENDS,
};

struct recorded_step {
    int warp, line; /* warp -1: a barrier went */
    uint32_t mask;
};

/* Lanes that stop for a while after a step. */
struct recorded_pause {
    int step, warp;
    uint32_t mask;
    const char *why; /* the recording's */
};

struct recorded_access {
    int step, memory;
    enum recorded_kind kind;
    uint32_t bytes, mask;        /* of each lane; which lanes */
    uint32_t units, conflicts;   /* sectors or passes; passes of conflicts */
    int64_t at[RECORDING_LANES]; /* bytes from the memory's begin */
    int words;                   /* rows of `value`: what is there afterwards */
    uint32_t value[4][RECORDING_LANES];
};

struct recorded_memory {
    const char *name; /* the recording's */
    bool shared;
    int64_t bytes, element, rows, columns;
    int64_t count;    /* elements */
    uint32_t *before; /* owned; its 4-byte words when the launch began; NULL: not told */
};

struct recording {
    const json_t *film;
    int64_t block[3], grid[3], index[3]; /* threads of a block, blocks, which block this is */
    struct recorded_step *step;
    struct recorded_access *access;
    struct recorded_pause *pause;
    struct recorded_memory *memory;
    int steps, accesses, memories, pauses;
};

/* film must outlive it. False: it is none that can be read; nothing is owned then. */
bool recording_read(struct recording *r, const json_t *film);
void recording_free(struct recording *r);
/* A row of 32 lanes' words. False: it is none. */
bool recording_words(const json_t *row, uint32_t words[RECORDING_LANES]);
