/*
 * strip_parts.h: what the files of film_strip.h share: the film brought to a step, and shapes.
 */
#pragma once

#include "vgpu/src/film/film_strip.h"

#include <stdio.h>

enum {
    LANES = VG_STRIP_LANES,
    WARPS = VG_STRIP_THREADS / LANES,
    STRIP_MOST_SIZE = 16 /* bytes of a lane */
};

typedef struct cells {
    uint8_t *is; /* FILLED or COMING, so far; NULL: too many */
    int64_t count, rows, columns;
    bool shared;
} cells;

/* The film, brought to a step. */
typedef struct reel {
    const vg_strip *s;
    cells *memory;
    int step, phase, begin; /* begin: the phase's first step */
    int next_pause;
    int next_access, end_access; /* those of the step: not yet carried out */
    int first_of_phase;          /* the phase's first access */
    struct {
        int last, phase;
        uint32_t mask, waits, ends, stopped;
    } warp[WARPS];
} reel;

/* A rectangle of a path. */
void strip_rectangle(FILE *to, int64_t x, int64_t y, int64_t width, int64_t height);
/* A picture, to whose end its caption is added. */
void strip_begin_svg(FILE *to, int64_t width, int64_t height, int64_t scale);
void strip_end_svg(FILE *to);

/* The pictures of the step's accesses. */
void strip_draw_costs(FILE *to, const reel *r);
