/*
 * answers_run.h: ./grader LAB --answers and ./grader LAB --questions.
 *
 * Who the student is comes from --student, which an instructor gives, or else from the line
 * `student = ...` of answers.txt. If both are there and differ, --student counts, and the report
 * says so: whoever hands in a neighbour's file is asked the own questions. --seed is the course's
 * (0 when not given): another one, other numbers.
 */
#ifndef GRADING_ANSWERS_RUN_H
#define GRADING_ANSWERS_RUN_H

#include "grading/src/cli.h"
#include "grading/src/labs.h"

/* Judges the lab's own answers.txt, or the file of --submission. Prints the report; returns the
 * exit status: 0 all right, 1 not all, 2 not judged. `root` is the kit's folder. */
int answers_run(const struct options *o, const struct lab_spec *lab, const char *root);

/* Prints the questions. The same statuses: 0, or 2 when the lab has none. */
int questions_run(const struct options *o, const struct lab_spec *lab, const char *root);

#endif
