/*
 * terminal.h: how wide what we print may be.
 */
#ifndef GRADING_TERMINAL_H
#define GRADING_TERMINAL_H

#include <stdio.h>

/* The columns of a line on `out`, `most` where it may be as wide as we like. A terminal tells its
 * own; COLUMNS overrides that, and counts for standard output and error in any case. */
int terminal_columns(FILE *out, int most);

#endif
