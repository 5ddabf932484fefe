/*
 * batch_anonymous.h: a batch that tells nobody's name: for research, and for asking others
 * for help.
 *
 * Names and ids are replaced by pseudonyms before anything is written: keyed hashes, the same for
 * the same student in every batch with that key, which the instructor keeps (grading/class/
 * pseudonym.c). Files are graded as copies with names of our own. Of what a grader says, the
 * compiler's words and what the program printed are left out, for they quote the student's own
 * text; in the rest every word that is part of a name or an id of the class is replaced. It cannot
 * know a name that is on no list.
 */
#pragma once

#include "grading/src/batch/batch.h"

struct anonymous {
    char *key;      /* tells two keys apart, and tells nothing of either */
    char **missing; /* for each student of the roster a pseudonym; NULL: no roster */
    size_t missing_count;
    char **word; /* of all names and ids, folded, sorted */
    size_t words;
};

/* Replaces the identities of the batch's list, and sorts it by the new ones. False: `why`. */
bool batch_anonymous(struct batch *b, struct text *why);
void batch_anonymous_free(struct anonymous *a);

/* Takes the names of files out of what is said of a row. */
void batch_anonymous_note(struct entry_in *e);

/* The words of a name or an id, but for the lab's; sort them when all are there. */
void anonymous_add_words(struct anonymous *a, const char *s, const char *lab);
void anonymous_sort_words(struct anonymous *a);
/* Replaces the class's words in a text, however they are spelt (spelling.h). */
void anonymous_text(struct text *into, const struct anonymous *a, const char *s);
/* Takes identities out of a result file. False: it could not, and the file is gone. */
bool anonymous_result(const struct anonymous *a, const char *path);
