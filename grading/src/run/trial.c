/* trial.c: see trial.h. */
#include "grading/src/run/trial.h"

#include "common/lab_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *copy(const float *from, size_t count) {
    float *to = xmalloc(count * sizeof *to);
    memcpy(to, from, count * sizeof *to);
    return to;
}

/* What a plain product has there, where C is x. */
static float plainly(const struct trial *t, size_t at, float x) {
    return (float)(((double)x - t->product.beta * (double)t->held[at]) / t->product.alpha);
}

/* C as it was before the call and, unless NULL, as it is now. */
static void take_c(struct trial *t, const float *before, const float *got) {
    const size_t total = trial_elements(t);
    t->before = copy(before, total);
    t->got = got ? copy(got, total) : NULL;
    if (t->product.kind != PRODUCT_SCALED)
        return;
    t->held = copy(before, total);
    t->raw = got ? copy(got, total) : NULL;
    for (size_t i = 0; i < total; i++) {
        t->before[i] = plainly(t, i, before[i]);
        if (got)
            t->got[i] = plainly(t, i, got[i]);
    }
}

/* A right product that came without its elements. */
static void take_right(struct trial *t) {
    const size_t total = trial_elements(t);
    t->got = xmalloc(total * sizeof *t->got);
    for (size_t i = 0; i < total; i++)
        t->got[i] = (float)t->want[i];
    if (!t->held)
        return;
    t->raw = xmalloc(total * sizeof *t->raw);
    for (size_t i = 0; i < total; i++)
        t->raw[i] = (float)trial_shown_want(t, i);
}

struct trial *trials_add(struct trials *all, const char *name, const struct call_data *data,
                         enum verdict verdict, const float *got, const struct work *work) {
    if (all->count == TRIALS_MOST)
        return NULL;
    const struct shape s = data->plan.shape;
    const size_t m = (size_t)s.m, n = (size_t)s.n, k = (size_t)s.k;
    struct trial *t = all->trial[all->count++] = xmalloc(sizeof *t);
    *t = (struct trial){.name = name,
                        .shape = s,
                        .layout = data->plan.layout,
                        .product = data->plan.product,
                        .verdict = verdict,
                        .factor = lab_product_factor(&data->plan.product, data->plan.bound, s.k),
                        .exact = input_is_exact(data->plan.input),
                        .wide = data->plan.input != INPUT_SMALL,
                        .small = data->plan.input == INPUT_SMALL,
                        .a = copy(call_data_rows(data, MATRIX_A), m * k),
                        .b = copy(call_data_rows(data, MATRIX_B), k * n),
                        .want = xmalloc(m * n * sizeof *t->want)};
    for (int i = 0; i < MATRIX_COUNT; i++)
        t->bytes[i] = data->region[i].bytes;
    const struct lab_product ring = {.kind = t->product.kind == PRODUCT_MIN_PLUS ? PRODUCT_MIN_PLUS
                                                                                 : PRODUCT_PLAIN};
    lab_product_reference(&ring, s.m, s.n, s.k, t->a, t->b, NULL, t->want, REFERENCE_OWN, 0);
    take_c(t, call_data_rows(data, MATRIX_C), got);
    if (!got && verdict == VERDICT_PASS)
        take_right(t);
    if (work) {
        t->counted = true;
        t->work = *work;
    }
    return t;
}

struct trial *trials_add_bytes(struct trials *all, const char *name, const struct call_data *data,
                               const unsigned char *c, const struct work *work) {
    const size_t bytes = (size_t)data->plan.shape.m * (size_t)data->plan.shape.n * sizeof(float);
    float *got = xmalloc(bytes); /* aligned, as the bytes may not be */
    call_data_take(data, c, got);
    struct trial *t = trials_add(all, name, data, VERDICT_WRONG, got, work);
    free(got);
    bool right = t && t->got;
    for (size_t at = 0; right && at < trial_elements(t); at++)
        right = trial_right(t, at);
    if (t && right)
        t->verdict = VERDICT_PASS;
    return t;
}

void trials_free(struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        struct trial *t = all->trial[i];
        free(t->a);
        free(t->b);
        free(t->before);
        free(t->got);
        free(t->want);
        free(t->held);
        free(t->raw);
        text_free(&t->summary);
        facts_free(&t->facts);
        free(t);
    }
    *all = (struct trials){0};
}

bool trial_untouched(const struct trial *t, size_t at) {
    return memcmp(&t->before[at], &t->got[at], sizeof *t->got) == 0;
}

double trial_shown_want(const struct trial *t, size_t at) {
    return t->held ? t->product.alpha * t->want[at] + t->product.beta * (double)t->held[at]
                   : t->want[at];
}

float trial_shown_got(const struct trial *t, size_t at) {
    return t->raw ? t->raw[at] : t->got[at];
}

bool trial_right(const struct trial *t, size_t at) {
    const double want = trial_shown_want(t, at);
    if (t->exact)
        return (double)trial_shown_got(t, at) == want;
    if (t->product.kind == PRODUCT_MIN_PLUS)
        return compare_element(t->got[at], want, t->factor * fabs(want));
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k, row = at / n, col = at % n;
    double magnitude = 0;
    for (size_t p = 0; p < k; p++)
        magnitude += fabs((double)t->a[row * k + p] * (double)t->b[p * n + col]);
    if (t->held)
        magnitude =
            abs(t->product.alpha) * magnitude + abs(t->product.beta) * fabs((double)t->held[at]);
    return compare_element(trial_shown_got(t, at), want, t->factor * magnitude);
}
