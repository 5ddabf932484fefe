/*
 * standing.h: the last results of each lab's own file, and the table of all labs.
 *
 * Kept as small JSON files in the folder standing/ of the build folder, or in one of the person's
 * own (paths.h): lab3.json of the program, and lab3-answers.json of answers.txt. Nobody else may
 * read them. Nothing is lost when they go: a lab without one is "not graded yet".
 */
#pragma once

#include "grading/src/run/context.h"

#include <jansson.h>

/* Notes a complete run of a lab's own file. Failing to is no reason to fail a grade: says so in a
 * line on standard error. */
void standing_note(const struct grade_context *g);

/* The same for the lab's own answers.txt, judged: g->answers. */
void standing_note_answers(const struct grade_context *g);

/* One run of a lab's own file, complete and graded. */
struct standing_run {
    int64_t time; /* seconds since 1970 */
    double points, points_possible;
    char backend[8];
};

/* So many runs of a lab are kept. */
#define STANDING_MOST 60

/* The runs of a lab, oldest first, STANDING_MOST at most; returns how many. */
int standing_history(struct standing_run *runs, const struct paths *paths,
                     const struct lab_spec *lab);

/* A lab's standing as it is kept, or NULL when there is none that makes sense;
 * the caller decrefs. */
json_t *standing_load(const struct paths *paths, const struct lab_spec *lab);
/* Keeps it. Failing to is told in a line on standard error. */
void standing_save(const struct paths *paths, const struct lab_spec *lab, const json_t *standing);

/* What was answered first to each of the handout's questions (book.h): an object of texts by the
 * questions' names, empty when there is none yet. The caller decrefs. */
json_t *standing_load_tries(const struct paths *paths, const struct lab_spec *lab);
void standing_save_tries(const struct paths *paths, const struct lab_spec *lab, json_t *tries);

/* Writes the table of all labs. `now` is the time that "ago" is counted from. */
void standing_table(struct text *t, const struct paths *paths, const struct labs *labs,
                    int64_t now);
