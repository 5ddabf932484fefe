/*
 * vgpu-debug-line.h: a line from a person's terminal, with what libedit brings where it is: the
 * arrow keys, lines typed before, and words that Tab completes. Without it, as the terminal is.
 */
#pragma once

/* How a line so far may go on: the possible last words, one a line; NULL: nobody knows. The text is
 * freed by who asks. */
typedef char *line_words(void *self, const char *line);

/* The caller frees it; without its newline. NULL: there are no more. */
char *line_read(const char *prompt, line_words *words, void *self);
