/*
 * book.h: what the book answers to the questions that ask for one's own words, Q3.6 and the like,
 * for those who learn alone.
 *
 * An answer is shown after an honest try. What is a try? A line of answers.txt,
 *
 *     Q3.6 = 31 blocks a side, for the division leaves the rest away
 *
 * with anything after the "=": most of these questions ask for a sentence, and nobody but the
 * student can say whether it was honest. A try is kept with the lab's standing (standing.h), so an
 * answer that is open once stays open.
 *
 * The answers lie in grading/questions/book.json, written so that nobody reads one by chance
 * (seal.h). That is all: whoever wants them all can have them. The students' archive goes without
 * the file (lms/pack), for a course may give points for these questions; then nothing is shown.
 */
#pragma once

#include "grading/src/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct book {
    struct json_t *root; /* owns every text */
};

enum book_state { BOOK_OK, BOOK_NONE, BOOK_BAD };

#define BOOK_SCHEMA "matmul-lab-book/1"

/* Reads the kit's book. BOOK_BAD: `why` says in one line what is wrong with it. */
enum book_state book_read(struct book *b, const char *root, char *why, size_t room);
void book_free(struct book *b);

/* The questions in the book's order: the i-th one's name; NULL behind the last. */
const char *book_question(const struct book *b, size_t i);

/* Appends the answer to a question. False: there is none, or it cannot be read. */
bool book_answer(struct text *t, const struct book *b, const char *question);

/* Is this the name of a handout's question, "Q3.8" or "QM.1", in the book or not? */
bool book_is_question(const char *name, size_t length);
/* Of this lab's handout? */
bool book_is_of_lab(const char *name, int lab);
