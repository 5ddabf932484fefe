/*
 * progress.h: a line that moves while something takes longer than a second.
 *
 *     [####......] 6/16 ragged
 *
 * Only on standard error when that is a terminal that can go back in a line, and never against
 * NO_PROGRESS. The line is removed before anything else is printed and when the work is done: no
 * file, pipe or transcript ever holds it. One line a process, for there is one terminal: this is
 * state of the process, not of a run.
 */
#pragma once

/* Work of `total` steps begins; the line appears when it has taken `patience` milliseconds. */
#define PROGRESS_PATIENCE 1000
void progress_start(int total, int patience);

/* `done` steps are done, and `name` is what is being done now: a string that lives on. */
void progress_at(int done, const char *name);

/* To be called while waiting: draws the line when its time has come. Cheap. */
void progress_tick(void);

/* Takes the line away; it comes back with the next tick. To be called before printing. */
void progress_hide(void);

/* The work is over. */
void progress_end(void);
