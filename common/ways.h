/*
 * ways.h: exact numbers of ways in a graph, and of Pascal's triangle: what the explorations compare
 * a float product with. Whole numbers of 128 bits; what does not fit is told, never cut.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 ways_count;

/* From here on a float no longer holds every whole number. */
#define WAYS_FLOAT_EXACT (UINT64_C(1) << 24)

/* after = step x before, all n x n and row-major; `after` is a matrix of its own. False when a
 * count does not fit in 128 bits. */
bool ways_step(int n, const uint32_t *step, const ways_count *before, ways_count *after);

ways_count ways_largest(int n, const ways_count *counts);

/* In decimal. Returns text. */
enum { WAYS_TEXT = 40 };
char *ways_text(ways_count value, char text[WAYS_TEXT]);

/* n over k, the number in row n and column k of Pascal's triangle; 0 for k > n.
 * Rows up to 130 fit. */
ways_count ways_pascal(int n, int k);
