/* shapes.c: see shapes.h. */
#include "bench/shapes.h"

#include "common/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SQUARE(n)                                                                                  \
    { n, n, n }
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const struct shape square[] = {
    SQUARE(256),  SQUARE(384),  SQUARE(512),  SQUARE(768),  SQUARE(1024), SQUARE(1536),
    SQUARE(2048), SQUARE(3072), SQUARE(4096), SQUARE(6144), SQUARE(8192), SQUARE(16384),
};

static const struct shape ragged[] = {
    {999, 1003, 1001},  SQUARE(1000), {2047, 2049, 2053},
    {3001, 1999, 2503}, SQUARE(4097), SQUARE(8191),
};

static const struct shape thin[] = {
    {8192, 8192, 16},   /* hardly more than writing C */
    {8192, 8192, 128},  /**/
    {64, 8192, 8192},   /* few rows of blocks, */
    {8192, 64, 8192},   /* few columns of blocks, */
    {128, 128, 65536},  /* one block, and a long sum */
    {1, 8192, 8192},    /* a row times a matrix */
    {8192, 1, 8192},    /* a matrix times a column */
    {1000003, 17, 129}, /* tall, and nothing divides */
};

static const struct shape hundreds[] = {
    SQUARE(100), SQUARE(200), SQUARE(300), SQUARE(400), SQUARE(500),
    SQUARE(600), SQUARE(700), SQUARE(800), SQUARE(900), SQUARE(1000),
};

static const struct shape thousands[] = {
    SQUARE(1000), SQUARE(2000), SQUARE(3000), SQUARE(4000),
    SQUARE(5000), SQUARE(6000), SQUARE(7000), SQUARE(8000),
};

/* The second one's durations were printed with 7500 blocks of 32 x 32, which is a C of 3200 x 2400;
 * the sum's length was not printed. */
static const struct shape printed[] = {SQUARE(1024), {3200, 2400, 3200}};

static const struct shape cpu[] = {
    SQUARE(256), SQUARE(512), SQUARE(1024), {999, 1003, 1001}, SQUARE(2048)};

const struct shape_set shape_sets[] = {
    {"square", square, COUNT(square), false, false},
    {"ragged", ragged, COUNT(ragged), false, false},
    {"thin", thin, COUNT(thin), false, false},
    {"hundreds", hundreds, COUNT(hundreds), true, false},
    {"thousands", thousands, COUNT(thousands), true, false},
    {"printed", printed, COUNT(printed), false, true},
};
const int shape_set_count = COUNT(shape_sets);

const struct shape_set shape_set_cpu = {"cpu", cpu, COUNT(cpu), false, true};

const struct shape_set *shape_set_find(const char *name, size_t len) {
    for (int i = 0; i < shape_set_count; ++i)
        if (strlen(shape_sets[i].name) == len && strncmp(shape_sets[i].name, name, len) == 0)
            return &shape_sets[i];
    return NULL;
}

static int draw_size(struct generator *g) {
    const double u = (double)(generator_next(g) >> 11) * 0x1p-53; /* in [0, 1) */
    const double ratio = (double)SHAPE_DRAWN_HIGH / SHAPE_DRAWN_LOW;
    return (int)lround(SHAPE_DRAWN_LOW * pow(ratio, u));
}

void shapes_draw(struct shape *shapes, int count, uint64_t seed) {
    struct generator g = generator_start(seed, 0);
    for (int i = 0; i < count; ++i) {
        shapes[i].m = draw_size(&g);
        shapes[i].n = draw_size(&g);
        shapes[i].k = draw_size(&g);
    }
}

int shape_largest(struct shape s) {
    int largest = s.m > s.n ? s.m : s.n;
    return largest > s.k ? largest : s.k;
}

double shape_flops(struct shape s) {
    return 2.0 * s.m * s.n * s.k;
}

char *shape_text(struct shape s, char text[SHAPE_TEXT]) {
    if (s.m == s.n && s.n == s.k)
        snprintf(text, SHAPE_TEXT, "%d", s.m);
    else
        snprintf(text, SHAPE_TEXT, "%d x %d x %d", s.m, s.n, s.k);
    return text;
}
