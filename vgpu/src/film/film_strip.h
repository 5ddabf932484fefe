/*
 * film_strip.h: pictures of a film's moments, for paper and for readers without scripts: the
 * block's threads, what the step's accesses cost, and the cells of its memories, as SVG.
 *
 * Whoever makes a page fills in a vg_strip: the virtual GPU from what it has recorded, the grader
 * from a recording that it has read (docs/film-format.md) and does not trust. So every number is
 * held against what it indexes, and names become text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { VG_STRIP_LANES = 32, VG_STRIP_THREADS = 1024 };

/* What a lane does after a step. */
enum vg_strip_why { VG_STRIP_WAITS, VG_STRIP_ENDS, VG_STRIP_STOPPED, VG_STRIP_OTHER };
/* As in the format: read, write, atomic, a copy begins, a copy has come. */
enum vg_strip_kind {
    VG_STRIP_READ,
    VG_STRIP_WRITE,
    VG_STRIP_ATOMIC,
    VG_STRIP_BEGINS,
    VG_STRIP_COMES
};

typedef struct vg_strip_step {
    int warp; /* -1: a barrier lets the block continue */
    uint32_t mask;
} vg_strip_step;

typedef struct vg_strip_pause {
    int step, warp;
    uint32_t mask;
    enum vg_strip_why why;
} vg_strip_pause;

typedef struct vg_strip_access {
    int step, memory;
    enum vg_strip_kind kind;
    uint32_t mask, size; /* bytes of each lane */
    uint32_t units, conflicts;
    const int64_t *at; /* VG_STRIP_LANES places, from the memory's begin */
} vg_strip_access;

typedef struct vg_strip_memory {
    const char *name;
    bool shared;
    int64_t bytes, element, rows, columns; /* columns 0: no matrix */
} vg_strip_memory;

typedef struct vg_strip {
    int64_t block[3]; /* at most VG_STRIP_THREADS threads */
    const vg_strip_step *steps;
    const vg_strip_pause *pauses; /* in the order of their steps, as accesses are */
    const vg_strip_access *accesses;
    const vg_strip_memory *memories;
    int num_steps, num_pauses, num_accesses, num_memories;
} vg_strip;

/* The pictures of `count` steps, each as HTML to be freed; steps may not go back. An entry is NULL
 * where there is none. False: out of memory, and nothing is owned. */
bool vg_strip_draw(const vg_strip *s, const int *step, int count, char **html);
