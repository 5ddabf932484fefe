/*
 * debug_run.h: ./grader LAB --debug: after the report, the call that went wrong in a debugger that
 * holds its kernel (docs/debugger.md).
 *
 * The submission runs outside the walls here, as a program that its author started by hand: it
 * is theirs, on their machine (docs/walls.md). So --debug is refused for a class, and nothing that
 * comes of it counts.
 */
#pragma once

#include "grading/src/run/context.h"

/* While the scratch folder is there: builds the program and writes the file of its calls into it;
 * the folder then stays until debug_run. */
void debug_prepare(struct grade_context *g);

/* Starts the debugger, and comes back when the person has left it; removes the scratch folder.
 * Without a program it says why there is none. */
void debug_run(struct grade_context *g);
