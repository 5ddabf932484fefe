/*
 * messages.h: what a compiler printed, as facts: where in the submission its messages point.
 *
 * clang, gcc and nvcc begin each message with a line of one form,
 *
 *     FILE:LINE:COLUMN: error: ... [-Wflag]        clang, gcc
 *     FILE(LINE): warning #549-D: ...              nvcc
 *
 * which editors read as well, and which is the only one that all three have. Such a line counts
 * from its first letter, with the file's whole name; what a message says in words is for people.
 * clang's other form, a binary one, would need a library or a reader of ours, and this one beside
 * it for nvcc. No point depends on what is read here: a file that makes a compiler quote such a
 * line misplaces an error in its own report.
 */
#pragma once

#include "grading/src/base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum said { SAID_NOTE, SAID_WARNING, SAID_ERROR };

/* The first line of a message. */
struct message_head {
    enum said severity;
    size_t file; /* the length of the file's name, with which the line begins; 0: none is named */
    int line, column; /* from 1; 0: not told */
    const char *flag; /* "uninitialized" of [-Wuninitialized], "549-D" of #549-D; NULL: none */
    size_t flag_length;
};

/* Is this line, of n bytes, the first one of a message? */
bool message_head(struct message_head *h, const char *line, size_t n);

/* A place in the submission; line 0: none is known. */
struct message_place {
    int line, column;
};

/* Of the first error in the file of this name. */
struct message_place messages_error(const char *messages, const char *name);

/* Of what a compiler was at in this file when it broke down, where it says so. */
struct message_place messages_breakdown(const char *messages, const char *name);

/* The first warning of one of these flags (a list that ends with NULL) in the file of this name:
 * its place, and its line, of *n bytes; NULL: there is none. */
const char *messages_warning(const char *messages, const char *name, const char *const *flags,
                             struct message_place *place, size_t *n);

/* Leaves out the lines that a compiler quotes from files other than this one: a system header's
 * source helps nobody, and `#include "/etc/passwd"` shall show nothing of it. */
void messages_drop_quotes(struct text *messages, const char *name);
