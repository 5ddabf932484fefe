/*
 * section.h: the section "Questions" of a lab's handout, which is the order of the lab's questions
 * and the home of those that are answered in one's own words. For instructors.
 *
 *     ## Questions
 *
 *     <!-- question lab3.banks -->       one whose answers are checked, by its key; what stands
 *     ...                                up to the end is not read: make texts writes it
 *     <!-- end -->
 *
 *     > **Q3.2** What if there is        another one, up to the next empty line
 *     > no barrier?
 *
 * A question's number is its place: one that stands under another number is refused.
 */
#pragma once

#include "grading/src/base/text.h"

#include <stddef.h>

enum { SECTION_MOST = 40 };

struct section {
    struct section_entry {
        char *key;   /* of one that is checked, or */
        char *words; /* what is asked; of Markdown the words are left */
    } entry[SECTION_MOST];
    size_t count;
};

/* Reads handouts/labN.md below this folder; a text without the section has no questions. The caller
 * frees. False: `why` says in one line what is wrong with the section. */
bool section_read(struct section *s, int lab, char *why, size_t room);
void section_free(struct section *s);

/* All of a file; NULL: it cannot be read. The caller frees. */
char *section_file(const char *path);

/* Appends a line without Markdown's marks: [word](target) is word, **x** and `x` are x. */
void section_plain(struct text *t, const char *line, size_t length);
