/*
 * terminal.h: whether what a tool prints may move and have colours. One rule for the virtual GPU's
 * tools and the grader.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Do escape sequences on `out` do what they say? Not in a file or pipe, nor where TERM is dumb. */
static inline bool terminal_obeys(FILE *out) {
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && term && *term && strcmp(term, "dumb") != 0;
}

/* Colours only where they are shown, and never against the reader's wish. */
static inline bool terminal_wants_colour(FILE *out) {
    const char *no = getenv("NO_COLOR");
    return !(no && *no) && terminal_obeys(out);
}
