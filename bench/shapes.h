/*
 * shapes.h: the products that are timed, in named sets.
 *
 *   square     n x n x n from 256 to 16384: the curve GFLOP/s against n
 *   ragged     sizes that no tile divides
 *   thin       one or two sizes small: few blocks, or little reuse
 *   hundreds   100, 200 ... 1000   \ the sizes of a published comparison of a kernel with and
 *   thousands  1000, 2000 ... 8000 / without shared memory: the curve naive over tiled
 *   printed    1024, and 3200 x 2400: sizes for which durations were published (common/printed.tsv)
 *   random     drawn by a seed, as many as one wants: shapes that nobody chose
 *
 * A product is m x n x k: A m x k, B k x n, C m x n.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape {
    int m, n, k;
};

struct shape_set {
    const char *name;
    const struct shape *shapes;
    int count;
    bool ratio; /* asks only for naive against tiled, and cuBLAS: the other contenders are left out
                 */
    bool cpu;   /* the CPU's durations are wanted too */
};

extern const struct shape_set shape_sets[];
extern const int shape_set_count;

/* What `make bench-cpu` times: not among the sets above. */
extern const struct shape_set shape_set_cpu;

/* The set of that name (len characters), or NULL. */
const struct shape_set *shape_set_find(const char *name, size_t len);

/* Draws shapes whose m, n and k lie between 16 and 8192, each as likely in one octave as in any
 * other. The same seed draws the same shapes, and more of them begin with the fewer. */
enum { SHAPE_DRAWN_LOW = 16, SHAPE_DRAWN_HIGH = 8192 };
void shapes_draw(struct shape *shapes, int count, uint64_t seed);

/* The largest of a shape's three sizes. */
int shape_largest(struct shape s);

double shape_flops(struct shape s);

/* "1024", or "999 x 1003 x 1001", into text. Returns text. */
enum { SHAPE_TEXT = 40 };
char *shape_text(struct shape s, char text[SHAPE_TEXT]);
