/*
 * watch.h: ./grader --watch LAB: grades again whenever the file is saved.
 *
 * Looks at the file's place, not at an open file, so that editors which write a new file and move
 * it there are seen as well. Each grading is a process of its own, started with the same command
 * line: what goes wrong in one cannot reach the next. A file saved during a grading is graded after
 * it. The screen is cleared when it is a terminal, and only then.
 */
#pragma once

#include "grading/src/lab/labs.h"
#include "grading/src/run/options.h"

/* Is this a process that such a watch has started? It grades, and does not watch. */
bool watch_is_running(void);

/* Watches until a signal ends it (interrupt_watch has been called): returns 0 for Ctrl-C, else 2
 * with a line on standard error. */
int watch_run(const struct options *o, const struct paths *paths, const struct lab_spec *lab,
              char *const *argv);
