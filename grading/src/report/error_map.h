/*
 * error_map.h: where a wrong product is wrong, drawn with characters: C reduced to at most 32 rows
 * of 64 characters, with the borders of thread blocks.
 */
#pragma once

#include "grading/src/lab/labs.h"
#include "grading/src/lab/work.h"
#include "grading/src/run/judge.h"

#include <stdio.h>

/* Elements of C that a block of the launch covers along an axis (0: x, columns; 1: y, rows): as
 * many as it has threads there, or, where the lab's threads compute several each, the lab's own
 * tile if the grid has just so many. 0: that cannot be known, or one block covers all of it.
 * Nothing is guessed from the grid: that is where the mistake may be. */
uint64_t error_map_block(const struct work *w, const struct lab_spec *lab, int axis, int size);

/* Prints the map of a wrong answer; nothing for other verdicts, nor when all of C is wrong in one
 * way, nor for fewer than 8 elements. `work` tells the launch's blocks; NULL: no borders. Lines
 * have at most `columns`. */
void error_map_print(FILE *out, bool colour, int columns, const struct evidence *e,
                     const struct lab_spec *lab, const struct work *work);
