/*
 * batch_board.h: a class's leaderboard: what a product moves and how often banks conflict, as
 * counted, by names that students choose.
 *
 * A line of a program asks for a name: "// board: Grace's ghost". Whoever asks for none is
 * "somebody". A name may hold ASCII letters, digits, blanks, and - _ . ' ; it must have 2 to 24 of
 * them, and not be another student's: not one that two have asked for, and not the name, id or a
 * part of a name of anybody else in the class. Else it is not used, and a note says so.
 */
#pragma once

#include "grading/src/batch/batch.h"

#include <jansson.h>

struct board_row {
    char *name;     /* "" for somebody */
    size_t student; /* row of the class list */
    double bytes, conflicts, seconds;
    bool unfit; /* it asked for a name with other signs, or too long a one */
};

struct class_board {
    struct board_row *of; /* the fewest bytes first */
    size_t count;
    char *counted; /* in which case: "more-tiles, 288 x 288 x 288"; NULL: nobody is on it */
};

/* Takes a student's result; who is not on the board is passed over. */
void class_board_add(struct class_board *board, const struct batch *b, size_t student,
                     const json_t *result);
/* Sorts, and takes names away that may not be had. What is taken goes into `notes`, a line each. */
void class_board_settle(struct class_board *board, const struct batch *b, struct text *notes);
void class_board_free(struct class_board *board);
