/*
 * left.h: files that a worker left in its folder, while the folder is there. Whoever wrote them:
 * they are a stranger's bytes.
 */
#pragma once

#include "grading/src/run/run.h"

/* A plain file of this name and of `most` bytes at most; NULL: there is none, or it is no such
 * file. The caller frees it. */
char *worker_left(const struct worker *w, const char *name, size_t most, size_t *length);
