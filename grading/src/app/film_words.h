/*
 * film_words.h: the words behind --film: case=NAME, size=MxNxK, block=X,Y[,Z], warp=N.
 *
 * What no lab and no GPU can have is refused here, before anything is built: a size whose matrices
 * a film has no room for, a block beyond any grid, a warp beyond any block. What this launch does
 * not have the virtual GPU refuses, which alone knows it.
 */
#pragma once

#include "grading/src/run/options.h"

#include <stdbool.h>
#include <stddef.h>

/* Elements of A, B and C together: three of 1024 x 1024, and a little more. */
enum { FILM_MOST_ELEMENTS = 1 << 22 };

/* False, and why says what is wrong with the word and what is possible. */
bool film_word(struct film_choice *f, const char *word, char *why, size_t room);
