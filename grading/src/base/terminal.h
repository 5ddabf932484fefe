/*
 * terminal.h: how wide what we print may be; and, from the virtual GPU's tools, whether it may
 * move and have colours.
 */
#pragma once

#include "grading/src/base/text.h"
#include "vgpu/tools/terminal.h"

#include <stdbool.h>
#include <stdio.h>

/* The columns of a line on `out`, `most` where it may be as wide as we like. A terminal tells its
 * own; COLUMNS overrides that, and counts for standard output and error in any case. */
int terminal_columns(FILE *out, int most);

#define TEXT_COLUMNS 100 /* of what we print, where the terminal is not narrower */

/* Breaks lines for a terminal that is narrower than they are; elsewhere they stay whole. What
 * follows a break is indented by `indent` more than its line. */
void text_fit(struct text *t, FILE *out, size_t indent);
