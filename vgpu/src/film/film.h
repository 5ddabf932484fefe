/*
 * film.h: the recording of one block of a watched kernel, step by step, and its page.
 *
 *     f = vg_film_create(names, choice)
 *     vg_film_observe(f, exec)        an executor of its own, with one worker
 *     vg_launch(exec, …)              the watched kernel, on the memory that the graded one found
 *     vg_film_write(f, story, file)   JSON: docs/film-format.md; film_page.h makes a page of it
 *
 * What is recorded are facts: which lanes of which warp began which line, what they accessed, what
 * their variables held. What the page calls counted comes from the graded build's run (story).
 *
 * Contract: memory is bounded (VG_FILM_STEPS); what is left out is said in the film.
 */
#pragma once

#include "vgpu/src/check/findings.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/count/log.h"
#include "vgpu/src/inspect/inspect.h"

#include <stdio.h>

enum { VG_FILM_STEPS = 20000, VG_FILM_WORDS = 1024 };

/* Which part of a launch is filmed. */
typedef struct vg_film_choice {
    uint64_t block;       /* linear index */
    int warp;             /* -1: all */
    int64_t rows_cols[3]; /* m, n and k of a matrix product, which say how its matrices lie; or 0 */
} vg_film_choice;

/* What else the film tells: of the graded build's run of the same launch. */
typedef struct vg_film_story {
    const char *title;               /* "lab3, two tiles"; NULL: the kernel's name */
    const vg_launch_record *counted; /* NULL: nothing was counted */
    const vg_findings *findings;     /* from number first_finding on; NULL: none */
    int first_finding;
    const vg_fault *fault; /* of the watched run; NULL: it ran to its end */
} vg_film_story;

typedef struct vg_film vg_film;

/* NULL: out of memory. names must outlive it. */
vg_film *vg_film_create(const vg_names *names, const vg_film_choice *choice);
void vg_film_destroy(vg_film *f);
bool vg_film_observe(vg_film *f, vg_exec *exec);

/* A moment worth a picture on paper. */
typedef struct vg_film_moment {
    int step;
    char *title, *text;
    char *pictures; /* HTML, once vg_film_draw has drawn it; else NULL */
} vg_film_moment;

/* Writes the film as JSON; the moments are the film's. False: out of memory, or nothing was
 * recorded. */
bool vg_film_write(vg_film *f, const vg_film_story *story, FILE *to);
/* Draws the moments of a film that has been written. False: out of memory. */
bool vg_film_draw(vg_film *f);
const vg_film_moment *vg_film_moments(const vg_film *f, int *count);
int vg_film_steps(const vg_film *f);
/* Steps that were made and are not in it: beyond VG_FILM_STEPS. */
int vg_film_left_out(const vg_film *f);
