/*
 * text.h: a growing piece of text, and the cleaning of text that strangers wrote.
 *
 * Out of memory ends the program (status 2): the grader holds kilobytes of text, so this means the
 * machine has none left, and going on would print half a verdict.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *data; /* NUL-terminated; NULL while empty */
    size_t length, room;
};

void text_free(struct text *t);
void text_clear(struct text *t);
void text_add(struct text *t, const char *s);
void text_add_bytes(struct text *t, const char *s, size_t n);
__attribute__((format(printf, 2, 3))) void text_addf(struct text *t, const char *format, ...);
/* The text as a string, "" while empty. */
const char *text_get(const struct text *t);

/* malloc and strdup that never return NULL. */
void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t bytes);
char *xstrdup(const char *s);
__attribute__((format(printf, 1, 2))) char *xasprintf(const char *format, ...);
__attribute__((format(printf, 1, 0))) char *xvasprintf(const char *format, va_list args);

/* Bounds for text_add_clean. */
struct clean_bounds {
    size_t lines;   /* at most so many lines */
    size_t columns; /* longer lines are cut and end in "..." */
};

/*
 * Appends what a compiler or a submission printed: control characters and escape sequences can
 * neither move a terminal's cursor nor fake a line of the report. Tabs become spaces, other control
 * characters and bytes that are not UTF-8 become '?', each line starts with `indent`, and text
 * beyond the bounds is replaced by one line that says how much was left out. Always ends in '\n'
 * unless nothing was added.
 */
void text_add_clean(struct text *t, const char *bytes, size_t n, const char *indent,
                    struct clean_bounds bounds);

/* Appends cleaned text as part of one line: line ends become '?' as well. At most `columns`. */
void text_add_clean_line(struct text *t, const char *bytes, size_t n, size_t columns);

/* Becomes this one line, cleaned as above, and nothing else; 511 bytes at most. */
__attribute__((format(printf, 2, 3))) void text_set_line(struct text *t, const char *format, ...);

/* Appends clean text as a cell of a CSV file (RFC 4180), in quotes. A cell that a spreadsheet would
 * take for a formula begins with an apostrophe, which spreadsheets read as "this is text". */
void text_add_cell(struct text *t, const char *s);

/* Breaks lines longer than `columns` at blanks; what follows a break is indented by `indent` more
 * than its line. A word that is longer than a line stays whole. Bytes count as columns. */
void text_wrap(struct text *t, size_t columns, size_t indent);

/* Replaces addresses (0x and at least seven digits) by "0x...": they differ from run to run. */
void text_mask_addresses(struct text *t);

/* Replaces every occurrence of `from` (not empty) by `to`. */
void text_replace(struct text *t, const char *from, const char *to);
