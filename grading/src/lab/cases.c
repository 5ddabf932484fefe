/* cases.c: draws shapes and matrices (see cases.h). */
#include "grading/src/lab/cases.h"

#include "common/matrix.h"
#include "grading/src/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams of a call's seed. */
enum stream {
    STREAM_SHAPE = 1,
    STREAM_A,
    STREAM_B,
    STREAM_C,
    STREAM_CLOCK,
    STREAM_TOUCH_A,
    STREAM_TOUCH_B
};

/* More blocks than a grid may have below each other: where rows go on in its third dimension, a
 * mistake may show only from the 33rd block there on. */
enum { TALL_BLOCKS = LAB_MOST_BLOCKS_DOWN + 64 };

/* A long side: beyond the limits that files have, and of few enough blocks for any direction of a
 * grid. */
enum { LEAST_LONG = 33000, MOST_LONG = 65000 };

/* Among how many blocks a file may divide a sum, and what all widths of slabs are multiples of. */
enum { MOST_PARTS = 16, SLAB = 8 };

static int draw(struct generator *g, int low, int high) {
    return low + (int)(generator_next(g) % (uint64_t)(high - low + 1));
}

static int draw_long(struct generator *g) {
    return draw(g, LEAST_LONG, MOST_LONG);
}

static bool is_prime(int x) {
    if (x < 2)
        return false;
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0)
            return false;
    return true;
}

static bool all_different(struct shape s) {
    return s.m != s.n && s.n != s.k && s.m != s.k;
}

static bool within(int x, int low, int high) {
    return x >= low && x <= high;
}

static bool one_short(int x, int tile) {
    return x == tile - 1 || x == 2 * tile - 1;
}

static bool one_over(int x, int tile) {
    return x == tile + 1 || x == 2 * tile + 1;
}

static bool uneven(int x, int low, int high) {
    return within(x, low, high) && x % 16 != 0;
}

/* The long side of a thin shape, and its two short ones. */
static bool is_thin(struct shape s, int tile) {
    const int side[3] = {s.m, s.n, s.k};
    int lengthy = 0, thin = 0;
    for (int i = 0; i < 3; i++) {
        lengthy += uneven(side[i], 5 * tile + 1, 10 * tile);
        thin += within(side[i], 2, 7);
    }
    return lengthy == 1 && thin == 2;
}

static bool is_long(int lengthy, int one, int other) {
    return uneven(lengthy, LEAST_LONG, MOST_LONG) && within(one, 2, 7) && within(other, 2, 7);
}

/* Parts of a divided sum are no whole slabs, whatever their number and however they are rounded:
 * with whole slabs, a part that begins within one or ends behind one shows nothing. */
static bool divides_unevenly(int k) {
    for (int parts = 2; parts <= MOST_PARTS; parts++)
        if (k / parts % SLAB == 0 || ((k - 1) / parts + 1) % SLAB == 0)
            return false;
    return true;
}

bool shape_in_class(const struct lab_spec *lab, enum shape_class class, struct shape s) {
    const int t = lab->tile;
    const bool square = s.m == s.n && s.n == s.k;
    switch (class) {
    case SHAPE_ONE: return square && s.m == 1;
    case SHAPE_TILE: return square && s.m == t;
    case SHAPE_TILES: return square && s.m % t == 0 && within(s.m / t, 2, 4);
    case SHAPE_MORE_TILES: return square && s.m % t == 0 && within(s.m / t, 8, 9);
    case SHAPE_TILE_MINUS: return one_short(s.m, t) && one_short(s.n, t) && one_short(s.k, t);
    case SHAPE_TILE_PLUS: return one_over(s.m, t) && one_over(s.n, t) && one_over(s.k, t);
    case SHAPE_SQUARE: return square && uneven(s.m, t + 1, 4 * t);
    case SHAPE_RAGGED:
        return all_different(s) && uneven(s.m, t + 1, 4 * t) && uneven(s.n, t + 1, 4 * t) &&
               uneven(s.k, t + 1, 4 * t);
    case SHAPE_ROW:
        return s.m == 1 && s.n != s.k && uneven(s.n, t + 1, 4 * t) && uneven(s.k, t + 1, 4 * t);
    case SHAPE_COLUMN:
        return s.n == 1 && s.m != s.k && uneven(s.m, t + 1, 4 * t) && uneven(s.k, t + 1, 4 * t);
    case SHAPE_OUTER:
        return s.k == 1 && s.m != s.n && uneven(s.m, t + 1, 4 * t) && uneven(s.n, t + 1, 4 * t);
    case SHAPE_PRIME:
        return all_different(s) && is_prime(s.m) && is_prime(s.n) && is_prime(s.k) &&
               within(s.m, t + 1, 4 * t) && within(s.n, t + 1, 4 * t) && within(s.k, t + 1, 4 * t);
    case SHAPE_THIN: return is_thin(s, t);
    case SHAPE_LARGER:
        return all_different(s) && uneven(s.m, 8 * t + 1, 10 * t) &&
               uneven(s.n, 8 * t + 1, 10 * t) && uneven(s.k, 8 * t + 1, 10 * t);
    case SHAPE_BLOCKS:
        return s.m != s.n && s.m % lab->block == 0 && within(s.m / lab->block, 2, 4) &&
               s.n % lab->block == 0 && within(s.n / lab->block, 2, 4) && s.k % t == 0 &&
               within(s.k / t, 4, 8);
    case SHAPE_MANY_BLOCKS:
        return within(s.m / lab->block, 10, 11) && within(s.m % lab->block, 1, lab->block / 4) &&
               s.n / lab->block == 20 && within(s.n % lab->block, 1, lab->block / 4) &&
               within(s.k, 8, 16);
    case SHAPE_LONG_M: return is_long(s.m, s.n, s.k);
    case SHAPE_LONG_N: return is_long(s.n, s.m, s.k);
    case SHAPE_LONG_K: return is_long(s.k, s.m, s.n) && divides_unevenly(s.k);
    case SHAPE_TALL:
        if (lab->tall_across)
            s = (struct shape){s.n, s.m, s.k};
        return within(s.m, TALL_BLOCKS * lab->block_rows + 1,
                      (TALL_BLOCKS + 1) * lab->block_rows) &&
               s.n == 2 && s.k == 3;
    case SHAPE_WITHIN: /* whoever asks has no case */
    case SHAPE_FIXED: return true;
    case SHAPE_CLASS_COUNT: break;
    }
    return false;
}

bool shape_allowed(const struct lab_spec *lab, struct shape s) {
    if (s.m < 1 || s.n < 1 || s.k < 1)
        return false;
    return !lab->square_tiles || (s.m == s.n && s.n == s.k && s.m % lab->tile == 0);
}

/* One draw that nearly always lies in the class; case_draw keeps drawing until it does. */
static struct shape draw_once(const struct lab_spec *lab, enum shape_class class,
                              struct generator *g) {
    const int t = lab->tile, b = lab->block;
    const int low = t + 1, high = 4 * t;
    struct shape s = {draw(g, low, high), draw(g, low, high), draw(g, low, high)};
    int side;
    switch (class) {
    case SHAPE_ONE: return (struct shape){1, 1, 1};
    case SHAPE_TILE: return (struct shape){t, t, t};
    case SHAPE_TILES: side = t * draw(g, 2, 4); return (struct shape){side, side, side};
    case SHAPE_MORE_TILES: side = t * draw(g, 8, 9); return (struct shape){side, side, side};
    case SHAPE_TILE_MINUS:
        return (struct shape){t * draw(g, 1, 2) - 1, t * draw(g, 1, 2) - 1, t * draw(g, 1, 2) - 1};
    case SHAPE_TILE_PLUS:
        return (struct shape){t * draw(g, 1, 2) + 1, t * draw(g, 1, 2) + 1, t * draw(g, 1, 2) + 1};
    case SHAPE_SQUARE: return (struct shape){s.m, s.m, s.m};
    case SHAPE_ROW: s.m = 1; return s;
    case SHAPE_COLUMN: s.n = 1; return s;
    case SHAPE_OUTER: s.k = 1; return s;
    case SHAPE_THIN: {
        int sides[3] = {draw(g, 2, 7), draw(g, 2, 7), draw(g, 2, 7)};
        sides[draw(g, 0, 2)] = draw(g, 5 * t + 1, 10 * t);
        return (struct shape){sides[0], sides[1], sides[2]};
    }
    case SHAPE_LONG_M: return (struct shape){draw_long(g), draw(g, 2, 7), draw(g, 2, 7)};
    case SHAPE_LONG_N: return (struct shape){draw(g, 2, 7), draw_long(g), draw(g, 2, 7)};
    case SHAPE_LONG_K: return (struct shape){draw(g, 2, 7), draw(g, 2, 7), draw_long(g)};
    case SHAPE_LARGER:
        return (struct shape){draw(g, 8 * t + 1, 10 * t), draw(g, 8 * t + 1, 10 * t),
                              draw(g, 8 * t + 1, 10 * t)};
    case SHAPE_BLOCKS:
        return (struct shape){b * draw(g, 2, 4), b * draw(g, 2, 4), t * draw(g, 4, 8)};
    case SHAPE_MANY_BLOCKS:
        return (struct shape){b * draw(g, 10, 11) + draw(g, 1, b / 4), b * 20 + draw(g, 1, b / 4),
                              draw(g, 8, 16)};
    case SHAPE_TALL:
        side = TALL_BLOCKS * lab->block_rows + draw(g, 1, lab->block_rows);
        return lab->tall_across ? (struct shape){2, side, 3} : (struct shape){side, 2, 3};
    case SHAPE_RAGGED:
    case SHAPE_PRIME:
    case SHAPE_WITHIN:
    case SHAPE_FIXED:
    case SHAPE_CLASS_COUNT: break;
    }
    return s;
}

static struct shape draw_shape(const struct lab_spec *lab, const struct case_spec *spec,
                               struct generator *g) {
    struct shape s;
    if (spec->shape == SHAPE_WITHIN) {
        const int m = draw(g, spec->size[0], spec->up_to[0]);
        const int n = draw(g, spec->size[1], spec->up_to[1]);
        return (struct shape){m, n, draw(g, spec->size[2], spec->up_to[2])};
    }
    do
        s = draw_once(lab, spec->shape, g);
    while (!shape_in_class(lab, spec->shape, s));
    return s;
}

/* The third call's shape. Each of its matrices is larger than the first call's: buffers kept from
 * an earlier call must not do. What is no such draw is the first shape and a tile more each way,
 * except where a size is 1. */
static struct shape draw_larger(const struct lab_spec *lab, const struct case_spec *spec,
                                struct shape first, struct generator *g) {
    const struct shape s = draw_shape(lab, spec, g);
    if ((int64_t)s.m * s.k > (int64_t)first.m * first.k &&
        (int64_t)s.k * s.n > (int64_t)first.k * first.n &&
        (int64_t)s.m * s.n > (int64_t)first.m * first.n)
        return s;
    return (struct shape){first.m + (first.m > 1 ? lab->tile : 0),
                          first.n + (first.n > 1 ? lab->tile : 0),
                          first.k + (first.k > 1 ? lab->tile : 0)};
}

/* FNV-1a: gives every case of every lab a stream of its own. */
static uint64_t name_hash(const char *lab, const char *name) {
    uint64_t h = 0xcbf29ce484222325u;
    const char *const part[] = {lab, "/", name};
    for (int i = 0; i < 3; i++)
        for (const char *c = part[i]; *c; c++)
            h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    return h;
}

/* In labs of square tiles a size is whole tiles, of whatever side the tile is today. */
static int fit(const struct lab_spec *lab, int size) {
    return lab->square_tiles ? (size + lab->tile - 1) / lab->tile * lab->tile : size;
}

/* The matrices that begin at no multiple of 16 in call i: whoever looks at the addresses of some of
 * them only is right in one of these calls at most. In the first call all begin at one, for those
 * who look once and keep what they have seen. */
static unsigned unaligned_in(const struct case_spec *spec, int i) {
    static const unsigned turns[] = {0, 1u << MATRIX_A | 1u << MATRIX_B | 1u << MATRIX_C,
                                     1u << MATRIX_A, 1u << MATRIX_B, 1u << MATRIX_C};
    return spec->unaligned ? turns[(size_t)i % (sizeof turns / sizeof *turns)] : 0;
}

/* By how many bytes: whoever asks for a multiple of 8 is right in the second call. */
static unsigned apart_in(int i) {
    return i <= 1 ? sizeof(float) : 2 * sizeof(float);
}

/* The call with nearly the contents of the one before: whoever keeps a product, and looks at a few
 * elements or at the shape to see whether it is asked for again, gives back the old one. */
enum { NEARLY_THE_SAME = 5 };

void case_draw(const struct lab_spec *lab, const struct case_spec *spec, uint64_t seed,
               struct case_plan *plan) {
    struct generator g = generator_start(seed ^ name_hash(lab->name, spec->name), STREAM_SHAPE);
    *plan = (struct case_plan){.spec = spec, .calls = spec->calls};
    for (int i = 0; i < plan->calls; i++) {
        struct shape s;
        if (spec->shape == SHAPE_FIXED)
            s = (struct shape){fit(lab, spec->size[0]), fit(lab, spec->size[1]),
                               fit(lab, spec->size[2])};
        else if (i == NEARLY_THE_SAME)
            s = plan->call[i - 1].shape;
        else if (i % 2 == 1)
            s = plan->call[0].shape;
        else if (i == 2)
            s = draw_larger(lab, spec, plan->call[0].shape, &g);
        else
            s = draw_shape(lab, spec, &g);
        plan->call[i] = (struct call_plan){
            .entry = spec->entry,
            .shape = s,
            .input = spec->input,
            .poison = spec->poison,
            .layout = lab->layout,
            .product = lab->product,
            .bound = lab->bound,
            .seed = generator_next(&g),
            .touched = i == NEARLY_THE_SAME,
            .unaligned = unaligned_in(spec, i),
            .apart = apart_in(i),
            .flags =
                ((i == 1 || i == NEARLY_THE_SAME) && !spec->unaligned ? CALL_KEEP_BUFFERS : 0) |
                (spec->unchecked ? CALL_PLAIN : 0)};
        if (i == NEARLY_THE_SAME)
            plan->call[i].seed = plan->call[i - 1].seed;
    }
}

int64_t call_other_time(const struct call_plan *p) {
    struct generator g = generator_start(p->seed, STREAM_CLOCK);
    const uint64_t day = 24 * 60 * 60;
    return (int64_t)(day + generator_next(&g) % (365 * day));
}

/* ---- Contents ---- */

unsigned char guard_byte(uint64_t offset) {
    return (unsigned char)(0xa5u ^ (offset * 29u));
}

/* C before the call. NaNs with a payload of their own, or integers so large that no product of
 * small integers reaches them and so small that adding one stays exact. */
static void fill_poison(float *c, size_t count, enum poison_kind kind) {
    for (size_t i = 0; i < count; i++) {
        if (kind == POISON_INTEGERS) {
            c[i] = (float)(1048576 + (int)(i * 7919u % 4093u));
        } else {
            /* Signalling: any arithmetic on it changes its bits, a mere copy does not. So an
             * element never written and one that was added to can be told apart. */
            const uint32_t bits = 0x7fa0d00du;
            memcpy(&c[i], &bits, sizeof bits);
        }
    }
}

/* Where C before the call counts, it holds numbers like those of A and B, and as exact ones. */
static void fill_before(float *c, size_t count, const struct call_plan *p) {
    struct generator g = generator_start(p->seed, STREAM_C);
    if (input_is_exact(p->input))
        fill_integers(c, count, -PRODUCT_MOST_BEFORE, PRODUCT_MOST_BEFORE, &g);
    else
        fill_uniform(c, count, &g);
    for (size_t i = 0; i < count; i++)
        c[i] = p->input == INPUT_POSITIVE ? fabsf(c[i]) : c[i] == 0 ? 1 : c[i];
}

/* Few small integers may all be zeros, and then whatever a program does gives their product. */
static void break_zeros(float *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (x[i] != 0)
            return;
    x[0] = 1;
}

/* The least of many sums is nearly the least that there can be: so they must not be few, nor B much
 * smaller than A. Small ones are more than 0, so that a search that begins there, or zeros beyond
 * an edge, show. Half precision and TF32 hold small ones, and not wide ones. */
static void fill_for_least(float *x, size_t count, enum input_kind input, struct generator *g) {
    const int most = input == INPUT_SMALL ? 1000 : 1 << 20;
    fill_integers(x, count, input == INPUT_SMALL ? 1 : -most, most, g);
}

/* The first terms of a long sum are most of it. So each further one is small beside the sum so far,
 * and what is cut off there, always in one direction, adds up soonest. */
static void begin_with_much(float *x, size_t count, int k) {
    enum { FIRST = 8, MUCH = 4096 };
    for (size_t i = 0; i < count; i++)
        if (i % (size_t)k < FIRST)
            x[i] *= MUCH;
}

/* Another number for one element, of the same sort and no larger. */
static void touch_one(float *x, size_t count, enum matrix_name which, const struct call_plan *p) {
    struct generator g =
        generator_start(p->seed, which == MATRIX_A ? STREAM_TOUCH_A : STREAM_TOUCH_B);
    const size_t at = (size_t)(generator_next(&g) % count);
    if (p->input == INPUT_POSITIVE)
        x[at] *= 0.5f;
    else
        x[at] += x[at] > 0 ? -1.0f : 1.0f;
}

static void fill_numbers(float *x, size_t count, enum matrix_name which,
                         const struct call_plan *p) {
    struct generator g = generator_start(p->seed, which == MATRIX_A ? STREAM_A : STREAM_B);
    const int terms = lab_product_terms(&p->product, p->shape.k);
    const int small = exact_small_range(terms), wide = exact_wide_range(terms);
    if (!input_is_exact(p->input))
        fill_uniform(x, count, &g);
    else if (p->product.kind == PRODUCT_MIN_PLUS)
        fill_for_least(x, count, p->input, &g);
    else if (p->input == INPUT_SMALL)
        fill_integers(x, count, -small, small, &g);
    else if (which == MATRIX_A)
        fill_integers(x, count, -wide, wide, &g);
    else
        fill_integers(x, count, -1, 1, &g);
    break_zeros(x, count);
    if (p->input != INPUT_POSITIVE)
        return;
    for (size_t i = 0; i < count; i++)
        x[i] = fabsf(x[i]);
    if (which == MATRIX_A && !p->layout.a_transposed && p->layout.padding == 0)
        begin_with_much(x, count, p->shape.k);
}

static void fill_input(float *x, size_t count, enum matrix_name which, const struct call_plan *p) {
    fill_numbers(x, count, which, p);
    if (p->touched)
        touch_one(x, count, which, p);
}

int call_rows(const struct call_plan *plan, enum matrix_name matrix) {
    return matrix == MATRIX_B ? plan->shape.k : plan->shape.m;
}

int call_cols(const struct call_plan *plan, enum matrix_name matrix) {
    return matrix == MATRIX_A ? plan->shape.k : plan->shape.n;
}

size_t call_count(const struct call_plan *plan, enum matrix_name matrix) {
    return layout_count(plan->layout, call_rows(plan, matrix), call_cols(plan, matrix));
}

static float *lies(const struct call_data *data, int matrix) {
    return (float *)(void *)(data->bytes[matrix] + data->region[matrix].offset);
}

/* A region of guard bytes, and the rows of what lies in it otherwise. */
static void make_region(struct call_data *data, enum matrix_name which, struct guard_bands guard) {
    const struct call_plan *plan = &data->plan;
    const uint64_t bytes = call_count(plan, which) * sizeof(float);
    const uint64_t before = guard.before + (plan->unaligned >> which & 1 ? plan->apart : 0);
    const uint64_t after = guard.after + (guard.pad ? (64 - (before + bytes) % 64) % 64 : 0);
    data->region[which] = (struct region){.bytes = before + bytes + after, .offset = before};
    unsigned char *region = xmalloc((size_t)data->region[which].bytes);
    for (uint64_t b = 0; b < data->region[which].bytes; b++)
        region[b] = guard_byte(b);
    data->bytes[which] = region;
    if (layout_transposed(plan->layout, which) || plan->layout.padding > 0)
        data->rows[which] = xmalloc(bytes);
    /* Whoever takes padding for elements of A or B gets no number. */
    if (plan->layout.padding > 0 && which != MATRIX_C)
        fill_value(lies(data, which), bytes / sizeof(float), NAN);
}

void call_data_make(struct call_data *data, const struct call_plan *plan,
                    struct guard_bands guard) {
    *data = (struct call_data){.plan = *plan};
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const enum matrix_name which = (enum matrix_name)i;
        const size_t count = (size_t)call_rows(plan, which) * (size_t)call_cols(plan, which);
        make_region(data, which, guard);
        float *rows = call_data_rows(data, which);
        if (i != MATRIX_C)
            fill_input(rows, count, which, plan);
        else if (lab_product_takes_c(&plan->product))
            fill_before(rows, count, plan);
        else
            fill_poison(rows, count, plan->poison);
    }
    call_data_store(data);
}

void call_data_free(struct call_data *data) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        free(data->bytes[i]);
        free(data->rows[i]);
    }
    *data = (struct call_data){0};
}

const float *call_data_matrix(const struct call_data *data, enum matrix_name matrix) {
    return (const float *)(const void *)(data->bytes[matrix] + data->region[matrix].offset);
}

float *call_data_rows(const struct call_data *data, enum matrix_name matrix) {
    return data->rows[matrix] ? data->rows[matrix] : lies(data, matrix);
}

void call_data_store(struct call_data *data) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        const enum matrix_name which = (enum matrix_name)i;
        const int rows = call_rows(&data->plan, which), cols = call_cols(&data->plan, which);
        if (data->rows[i] && data->plan.layout.padding > 0)
            matrix_spread(lies(data, i), data->rows[i], rows, cols, data->plan.layout.padding);
        else if (data->rows[i])
            matrix_transpose(lies(data, i), data->rows[i], rows, cols);
    }
}

void call_data_take(const struct call_data *data, const unsigned char *region, float *c) {
    const struct call_plan *p = &data->plan;
    const size_t width = (size_t)p->shape.n * sizeof *c,
                 apart = width + (size_t)p->layout.padding * sizeof *c;
    for (size_t i = 0; i < (size_t)p->shape.m; i++) /* the bytes may not be aligned */
        memcpy((unsigned char *)c + i * width, region + data->region[MATRIX_C].offset + i * apart,
               width);
}

bool layout_transposed(struct layout layout, enum matrix_name matrix) {
    return (matrix == MATRIX_A && layout.a_transposed) ||
           (matrix == MATRIX_B && layout.b_transposed);
}
