/*
 * error_map.h: where a wrong product is wrong, drawn with characters: C reduced to at most 32 rows
 * of 64 characters, with the borders of thread blocks.
 */
#pragma once

#include "grading/src/lab/work.h"
#include "grading/src/run/judge.h"

#include <stdio.h>

/* Prints the map of a wrong answer; nothing for other verdicts, nor when all of C is wrong in one
 * way, nor for fewer than 8 elements. `work` tells the launch's blocks; NULL: no borders. Lines
 * have at most `columns`. */
void error_map_print(FILE *out, bool colour, int columns, const struct evidence *e,
                     const struct work *work);
