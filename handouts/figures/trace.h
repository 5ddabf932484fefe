/*
 * trace.h: reads trace.txt, what trace.cu printed.
 *
 * A line is: PATTERN LANE WORD, the word (4 bytes) that a lane of the first warp read, counted from
 * the start of the array, which is aligned to 256 bytes. Lines that begin with '#' are comments.
 */
#pragma once

#include <stdbool.h>

enum { TRACE_LANES = 32, TRACE_PATTERNS = 16 };

struct pattern {
    char name[24];
    int lanes; /* filled entries of word[] */
    int word[TRACE_LANES];
};

struct trace {
    int count;
    struct pattern pattern[TRACE_PATTERNS];
};

/* False, with a message on standard error, when the file is missing or malformed. */
bool trace_read(const char *path, struct trace *t);

/* The pattern of that name with its 32 lanes; ends the program when there is none. */
const struct pattern *trace_find(const struct trace *t, const char *name);
