/*
 * answers_run.h: ./grader LAB --answers, ./grader LAB --questions and ./grader LAB --book.
 *
 * Who the student is comes from --student, which an instructor gives, or else from the line
 * `student = ...` of answers.txt. If both are there and differ, --student counts, and the report
 * says so: whoever hands in a neighbour's file is asked the own questions. --seed is the course's
 * (0 when not given): another one, other numbers.
 * All formats but html work as for a grading: an answer is one point.
 */
#pragma once

#include "grading/src/run/context.h"

/* Judges the lab's own answers.txt, or the file of --submission. Writes the reports, and notes the
 * own file's result in the standing (not with another student's numbers); returns the exit status:
 * 0 all right, 1 not all, 2 not judged. Needs g's options, paths and lab. */
int answers_run(struct grade_context *g);

/* Prints the questions. The same statuses: 0, or 2 when the lab has none. */
int questions_run(struct grade_context *g);

/* Prints the book's answers to those questions of the handout that were tried (book.h), and notes
 * the tries of the lab's own answers.txt. The same statuses: 0, or 2 when the kit has no book. */
int book_run(struct grade_context *g);
