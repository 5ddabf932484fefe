/*
 * suspect_splits_test.c: products of tensor cores that split their factors in a wrong way, leave
 * products of the parts out, or let long sums drift, are told apart; right ones are left alone.
 *
 * The programs work on bits, as those of students do; multiply cuts its factors off as an mma does.
 */
#include "common/tests/suite.h"
#include "grading/tests/made_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint32_t to_tf32(float x) {
    return (bits_of(x) + 0x1000u) & ~0x1FFFu;
}
static double multiply(uint32_t a, uint32_t b) {
    return (double)float_of(a & ~0x1FFFu) * (double)float_of(b & ~0x1FFFu);
}

typedef void split(float x, uint32_t *big, uint32_t *small);

static void right(float x, uint32_t *big, uint32_t *small) {
    *big = to_tf32(x);
    *small = bits_of(x - float_of(*big));
}
static void not_rounded(float x, uint32_t *big, uint32_t *small) {
    *big = bits_of(x);
    *small = bits_of(x - float_of(*big));
}
static void zero(float x, uint32_t *big, uint32_t *small) {
    *big = to_tf32(x);
    *small = 0;
}
static void whole(float x, uint32_t *big, uint32_t *small) {
    *big = to_tf32(x);
    *small = bits_of(x);
}
static void backwards(float x, uint32_t *big, uint32_t *small) {
    *big = to_tf32(x);
    *small = bits_of(float_of(*big) - x);
}
static void by_number(float x, uint32_t *big, uint32_t *small) {
    *big = to_tf32(x);
    *small = bits_of(x - (float)*big);
}
static void of_bits(float x, uint32_t *big, uint32_t *small) {
    *big = to_tf32(x);
    *small = bits_of(x) - *big;
}
static void a_bit_more(float x, uint32_t *big, uint32_t *small) { /* rounded */
    *big = (bits_of(x) + 0x800u) & ~0xFFFu;
    *small = bits_of(x - float_of(*big));
}
static void three_bits_more(float x, uint32_t *big, uint32_t *small) {
    *big = bits_of(x) & ~0x3FFu;
    *small = bits_of(x - float_of(*big));
}

static const struct program {
    const char *name;
    split *split, *split_b; /* NULL: B is split likewise */
    int bb, bs, sb;
    double drift; /* of its size each term loses so much */
    const char *class, *says;
} programs[] = {
    {"right", right, NULL, 1, 1, 1, 0, NULL, NULL},
    {"big alone", right, NULL, 1, 0, 0, 0, "products-missing", "one product of factors rounded"},
    {"small is zero", zero, NULL, 1, 1, 1, 0, "products-missing", "small is always zero"},
    {"without small A", right, NULL, 1, 1, 0, 0, "products-missing", "small of A times big of B"},
    {"without small B", right, NULL, 1, 0, 1, 0, "products-missing", "big of A times small of B"},
    {"not rounded", not_rounded, NULL, 1, 1, 1, 0, "split-wrong", "cut off after TF32's 11 bits"},
    {"small is x", whole, NULL, 1, 1, 1, 0, "split-wrong", "each product comes three times"},
    {"big - x", backwards, NULL, 1, 1, 1, 0, "split-wrong", "wrong sign"},
    {"(float)big", by_number, NULL, 1, 1, 1, 0, "split-wrong", "whole number"},
    {"bits - bits", of_bits, NULL, 1, 1, 1, 0, "split-wrong", "minus the bits of big"},
    {"B's bits - bits", right, of_bits, 1, 1, 1, 0, "split-wrong", "this is about B. small is the"},
    {"three bits too many", three_bits_more, NULL, 1, 1, 1, 0, "split-wrong",
     "more bits than TF32 has"},
    {"a bit too many", a_bit_more, NULL, 1, 1, 1, 0, "split-wrong", "more bits than TF32 has"},
    {"big twice", right, NULL, 2, 1, 0, 0, "products-doubled", "added twice"},
    {"drifts", right, NULL, 1, 1, 1, 1e-4, "sums-drift", "Sums of 2048 terms"},
    {"big A, small B twice", right, NULL, 1, 2, 1, 0, "products-doubled",
     "small of B is added twice"},
    {"small A twice for both", right, NULL, 1, 0, 2, 0, "products-doubled",
     "times small of B is missing"},
    {"both smalls twice", right, NULL, 1, 2, 2, 0, "products-doubled", "Both products"},
    {"A not rounded", not_rounded, right, 1, 1, 1, 0, "split-wrong",
     "this is about A. The factors"},
    {"B's small is x", right, whole, 1, 1, 1, 0, "split-wrong", "this is about B. small is not"},
    {"A's big - x", backwards, right, 1, 1, 1, 0, "split-wrong", "this is about A. small has"},
};

static void compute(const struct program *p, struct trial *t) {
    const int n = t->shape.n, k = t->shape.k;
    for (int at = 0; at < t->shape.m * n; at++) {
        double sum = 0;
        for (int q = 0; q < k; q++) {
            uint32_t a, as, b, bs;
            p->split(t->a[at / n * k + q], &a, &as);
            (p->split_b ? p->split_b : p->split)(t->b[q * n + at % n], &b, &bs);
            sum += p->bb * multiply(a, b) + p->bs * multiply(a, bs) + p->sb * multiply(as, b);
        }
        t->got[at] = (float)(k > 256 ? sum * (1 - p->drift) : sum);
    }
}

static void run(struct trials *all, const struct program *p, bool tensor_cores) {
    static const struct {
        struct shape s;
        enum input_kind input;
    } calls[] = {{{9, 10, 11}, INPUT_SMALL}, {{20, 30, 1}, INPUT_REAL},
                 {{33, 35, 40}, INPUT_REAL}, {{20, 30, 100}, INPUT_REAL},
                 {{5, 6, 250}, INPUT_REAL},  {{9, 10, 2048}, INPUT_POSITIVE}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call_plan plan = {.entry = ENTRY_DEVICE,
                                 .shape = calls[i].s,
                                 .input = calls[i].input,
                                 .poison = POISON_INTEGERS,
                                 .bound = BOUND_3XTF32,
                                 .seed = 40 + i};
        struct trial *t = make_trial(all, "case", &plan, tensor_cores);
        compute(p, t);
        judge_trial(t);
    }
}

static const struct suspect_context kernel = {.entry = ENTRY_DEVICE};

TEST_EACH(splits_are_told_apart, sizeof programs / sizeof *programs) {
    const struct program *p = &programs[_i];
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run(&all, p, true);
    const bool found = suspect_splits(&all, &kernel, &d);
    ck_assert_msg(found == (p->class != NULL), "%s: %s", p->name, text_get(&d.sentence));
    if (found) {
        ck_assert_msg(strcmp(d.class, p->class) == 0, "%s: %s", p->name, d.class);
        ck_assert_msg(strstr(text_get(&d.sentence), p->says) != NULL, "%s: %s", p->name,
                      text_get(&d.sentence));
        diagnosis_free(&d);
        d = (struct diagnosis){0};
        ck_assert(suspect_products(&all, &kernel, &d));
        ck_assert_str_eq(d.class, p->class);
    }
    diagnosis_free(&d);
    trials_free(&all);
}

/* What floats lose is another matter. */
TEST(only_tensor_cores_split) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run(&all, &programs[1], false);
    ck_assert(!suspect_splits(&all, &kernel, &d));
    trials_free(&all);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/suspect_splits", .seconds = 120});
}
