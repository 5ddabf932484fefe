/*
 * numbered.h: probes whose elements are numbers of places, so that C itself tells what was read.
 *
 * A product is linear in A and in B. With B all ones, C[i][j] is a sum of elements of A alone: with
 * A all ones it counts them, with A holding the numbers of its elements it gives the sum of the
 * numbers of those that were read, and with their squares how far those lie apart. Three calls
 * tell, for every element of C at once, how many elements of A it was made of, where they begin and
 * in which steps they follow; two more tell it for B.
 */
#pragma once

#include "grading/src/diagnose/probe.h"

/* Elements that were read: `terms` of them, from number `start` in steps of `step`. */
struct stretch {
    int terms, start, step;
};

/* From the number of terms, the sum of their places and that of their squares; places are counted
 * from the middle of the matrix, elements / 2. False when they are no such stretch. */
bool stretch_decode(double terms, double places, double squares, int elements, struct stretch *s);

/* Appends which elements of A and of B went into a wrong element of C, if they form stretches:
 * "C[1][2] is made of 7 products: A[1][0] and on in steps of 1; B[0][2] and on in steps of 6".
 * False: nothing. */
bool numbered_walk(struct text *to, struct prober *p);

/* Appends with what one element of A is multiplied, and where that goes, if not as it should:
 * "A[1][2] is multiplied by B[3][0] and added to C[1][0]; it belongs to B[2][0]". */
bool numbered_pair(struct text *to, struct prober *p);

/* Appends how many terms the sums have as k grows: "k = 15: 15, k = 16: 16, k = 17: 16". False:
 * nothing, because the counts are right or differ from element to element. */
bool numbered_counts(struct text *to, struct prober *p);

/* When each sum has as many terms as whole tiles of some length have, whatever k is: that length,
 * and the counts are appended. Else 0, and nothing. */
int numbered_whole_tiles(struct text *to, struct prober *p);
