/* trial.c: see trial.h. */
#include "grading/src/run/trial.h"

#include "common/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *copy(const float *from, size_t count) {
    float *to = xmalloc(count * sizeof *to);
    memcpy(to, from, count * sizeof *to);
    return to;
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
                        .verdict = verdict,
                        .factor = compare_factor(data->plan.bound, s.k),
                        .exact = input_is_exact(data->plan.input),
                        .wide = data->plan.input != INPUT_SMALL,
                        .small = data->plan.input == INPUT_SMALL,
                        .a = copy(call_data_rows(data, MATRIX_A), m * k),
                        .b = copy(call_data_rows(data, MATRIX_B), k * n),
                        .before = copy(call_data_matrix(data, MATRIX_C), m * n),
                        .want = xmalloc(m * n * sizeof *t->want)};
    reference_product(s.m, s.n, s.k, t->a, t->b, t->want, REFERENCE_OWN, 0);
    if (got) {
        t->got = copy(got, m * n);
    } else if (verdict == VERDICT_PASS) {
        t->got = xmalloc(m * n * sizeof *t->got);
        for (size_t i = 0; i < m * n; i++)
            t->got[i] = (float)t->want[i];
    }
    if (work) {
        t->counted = true;
        t->work = *work;
    }
    return t;
}

struct trial *trials_add_bytes(struct trials *all, const char *name, const struct call_data *data,
                               const void *c, const struct work *work) {
    const size_t bytes = (size_t)data->plan.shape.m * (size_t)data->plan.shape.n * sizeof(float);
    float *got = xmalloc(bytes); /* aligned, as the bytes may not be */
    memcpy(got, c, bytes);
    struct trial *t = trials_add(all, name, data, VERDICT_WRONG, got, work);
    free(got);
    bool right = true;
    for (size_t at = 0; t && right && at < trial_elements(t); at++)
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
        text_free(&t->summary);
        facts_free(&t->facts);
        free(t);
    }
    *all = (struct trials){0};
}

bool trial_untouched(const struct trial *t, size_t at) {
    return memcmp(&t->before[at], &t->got[at], sizeof *t->got) == 0;
}

bool trial_right(const struct trial *t, size_t at) {
    if (t->exact)
        return (double)t->got[at] == t->want[at];
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k, row = at / n, col = at % n;
    double magnitude = 0;
    for (size_t p = 0; p < k; p++)
        magnitude += fabs((double)t->a[row * k + p] * (double)t->b[p * n + col]);
    return compare_element(t->got[at], t->want[at], t->factor * magnitude);
}
