/*
 * address.h: where a link of the report's page leads.
 */
#pragma once

#include "grading/src/run/context.h"

/* Appends a path as a link writes it. */
void address_add(struct text *t, const char *path);

/* Appends the address of a section of the handouts ("lab3.md#barriers") on this machine: its page
 * in the students' archive, else the one that make site built, else the Markdown. Nothing where a
 * kit has none of them, as an autograder's, and for a file that is not the reader's own: whoever
 * gets that page has another machine. */
void address_section(struct text *t, const struct grade_context *g, const char *section);
