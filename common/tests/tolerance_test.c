/*
 * tolerance_test.c: the tolerance, proved on data (compare.h).
 *
 * More than a million random float32 products, in many orders of summation, with fused
 * multiply-adds and without, of easy and of nasty numbers: none may exceed the bound. And products
 * with factors rounded to half precision, TF32 or bfloat16 must be refused, at every k from 8 on
 * that a case can have.
 */
#include "common/compare.h"
#include "common/matrix.h"
#include "common/reference.h"
#include "common/tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers look at how it is done, for which fewer products do. */
#ifdef __SANITIZE_ADDRESS__
enum { PRODUCTS = 60000 };
#else
enum { PRODUCTS = 600000 };
#endif
enum { MOST = 640, SIDE = 16, MOST_K = 8188 };

static int pick(struct generator *g, int count) {
    return (int)(generator_next(g) % (uint64_t)count);
}

/* In [0, 1), all 24 bits of it. */
static float unit(struct generator *g) {
    return (float)(generator_next(g) >> 40) * 0x1p-24f;
}

/* ---- Numbers ---- */

enum numbers { UNIFORM, POSITIVE, MANY_SIZES, CANCELLING, LONG_FRACTIONS, NUMBERS_COUNT };

static void draw(enum numbers kind, int k, float *a, float *b, struct generator *g) {
    for (int p = 0; p < k; p++) {
        const float x = 2 * unit(g) - 1, y = 2 * unit(g) - 1;
        switch (kind) {
        case POSITIVE: a[p] = fabsf(x), b[p] = fabsf(y); break;
        case MANY_SIZES:
            a[p] = ldexpf(x, pick(g, 24) - 12), b[p] = ldexpf(y, pick(g, 24) - 12);
            break;
        case CANCELLING: /* every second product nearly undoes the one before */
            a[p] = p % 2 ? -a[p - 1] : x, b[p] = p % 2 ? b[p - 1] * (1 + 0x1p-20f * y) : y;
            break;
        case LONG_FRACTIONS: /* every rounding goes the same way as far as it can */
            a[p] = 1 + 0x1p-23f * (float)pick(g, 4096), b[p] = 1 - 0x1p-24f * (float)pick(g, 4096);
            break;
        default: a[p] = x, b[p] = y;
        }
    }
}

/* ---- Orders of summation ---- */

static float step(float sum, float x, float y, bool fused) {
    if (fused)
        return fmaf(x, y, sum);
    const volatile float product = x * y; /* rounded before it is added */
    return sum + product;
}

static float pairwise(const float *a, const float *b, int k) {
    if (k == 1)
        return a[0] * b[0];
    const int half = k / 2;
    return pairwise(a, b, half) + pairwise(a + half, b + half, k - half);
}

/* `parts` sums, each of every parts-th product, as the lanes of a vector have them; then a tree. */
static float in_lanes(const float *a, const float *b, int k, int parts, bool fused) {
    float sum[32] = {0};
    for (int p = 0; p < k; p++)
        sum[p % parts] = step(sum[p % parts], a[p], b[p], fused);
    for (int width = 16; width > 0; width /= 2)
        for (int i = 0; i < width; i++)
            sum[i] += sum[i + width];
    return sum[0];
}

/* A sum for each tile of products, added up at its end. */
static float in_tiles(const float *a, const float *b, int k, int tile, bool fused) {
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        float part = 0;
        for (int p = first; p < k && p < first + tile; p++)
            part = step(part, a[p], b[p], fused);
        sum += part;
    }
    return sum;
}

static float shuffled(const float *a, const float *b, int k, bool fused, struct generator *g) {
    int order[MOST];
    float sum = 0;
    for (int p = 0; p < k; p++) {
        const int other = pick(g, p + 1);
        order[p] = p; /* other may be p */
        order[p] = order[other];
        order[other] = p;
    }
    for (int p = 0; p < k; p++)
        sum = step(sum, a[order[p]], b[order[p]], fused);
    return sum;
}

enum { ORDERS = 8 };

static float product(int order, const float *a, const float *b, int k, bool fused,
                     struct generator *g) {
    float sum = 0;
    switch (order) {
    case 0:
        for (int p = 0; p < k; p++)
            sum = step(sum, a[p], b[p], fused);
        return sum;
    case 1:
        for (int p = k - 1; p >= 0; p--)
            sum = step(sum, a[p], b[p], fused);
        return sum;
    case 2: return pairwise(a, b, k);
    case 3: return in_lanes(a, b, k, 1 << (1 + pick(g, 5)), fused);
    case 4: return in_tiles(a, b, k, 1 << pick(g, 7), fused);
    case 5: return shuffled(a, b, k, fused, g);
    case 6: /* split in two places, as blocks that share k do, with an atomic sum */
        return in_tiles(a, b, k, (k + 2) / 3, fused);
    default: /* even products first, then odd ones */
        for (int p = 0; p < k; p += 2)
            sum = step(sum, a[p], b[p], fused);
        for (int p = 1; p < k; p += 2)
            sum = step(sum, a[p], b[p], fused);
        return sum;
    }
}

TEST(no_float32_product_exceeds_the_bound) {
    struct generator g = generator_start(20, 1);
    double worst = 0;
    static float a[MOST], b[MOST];
    int k = 1;
    double want = 0, magnitude = 0;
    for (int i = 0; i < PRODUCTS; i++) {
        if (i % (2 * ORDERS) == 0) { /* new numbers for every round of orders */
            k = i % 3 == 0 ? 1 + pick(&g, 8) : 1 + pick(&g, i % 5 == 0 ? MOST : 96);
            draw((enum numbers)pick(&g, NUMBERS_COUNT), k, a, b, &g);
            want = magnitude = 0;
            for (int p = 0; p < k; p++) {
                want += (double)a[p] * (double)b[p];
                magnitude += fabs((double)a[p] * (double)b[p]);
            }
        }
        const float got = product(i % ORDERS, a, b, k, i / ORDERS % 2, &g);
        const double bound = compare_gamma(k) * magnitude;
        ck_assert_msg(compare_element(got, want, bound),
                      "product %d, k = %d, order %d: %.9g, not %.17g", i, k, i % ORDERS,
                      (double)got, want);
        if (bound > 0 && fabs((double)got - want) / bound > worst)
            worst = fabs((double)got - want) / bound;
    }
    printf("%d products: the largest error was %.3f of the bound\n", PRODUCTS, worst);
    ck_assert(worst > 0.3); /* the numbers were nasty enough to mean something */
}

/* ---- Lower precision ---- */

/* To `bits` bits of significand, nearest, ties to even. */
static float rounded(float x, int bits) {
    int exponent;
    const double fraction = frexp((double)x, &exponent);
    return (float)ldexp(nearbyint(ldexp(fraction, bits)), exponent - bits);
}

/* Judges a SIDE x SIDE product whose factors were rounded, everything else exact. */
static bool refused(int k, int bits, bool integers, struct generator *g) {
    enum { N = SIDE };
    const size_t count = (size_t)N * (size_t)k;
    float *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    ck_assert(a && b);
    if (integers) {
        const int range = exact_wide_range(k);
        fill_integers(a, count, -range, range, g);
        fill_integers(b, count, -1, 1, g);
    } else {
        fill_uniform(a, count, g);
        fill_uniform(b, count, g);
    }
    double want[N * N], magnitude[N * N];
    float got[N * N];
    ck_assert_int_eq(reference_product(N, N, k, a, b, want, REFERENCE_OWN, 1), 0);
    ck_assert_int_eq(reference_magnitude(N, N, k, a, b, magnitude, REFERENCE_OWN, 1), 0);
    for (size_t i = 0; i < count; i++) {
        a[i] = rounded(a[i], bits);
        b[i] = rounded(b[i], bits);
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += (double)a[i * k + p] * (double)b[p * N + j];
            got[i * N + j] = (float)sum;
        }
    }
    const struct comparison c =
        integers ? compare_exact(N, N, got, want) : compare_bound(N, N, k, got, want, magnitude);
    free(a);
    free(b);
    return c.wrong > 0;
}

/* Every k to 512, then in steps of a tenth. */
static int next_k(int k) {
    return k < 512 ? k + 1 : k + k / 10;
}

/* Half and TF32 keep 11 bits, bfloat16 8. Each size is asked for in wide integers; reals tell as
 * long as the bound, which grows like k, stays below errors that grow like its root. */
TEST(lower_precision_is_refused) {
    struct generator g = generator_start(21, 1);
    for (int k = 8; k <= MOST_K; k = next_k(k)) {
        ck_assert_msg(refused(k, 11, true, &g), "half and TF32, integers, k = %d", k);
        ck_assert_msg(refused(k, 8, true, &g), "bfloat16, integers, k = %d", k);
        if (k <= 128)
            ck_assert_msg(refused(k, 11, false, &g), "half and TF32, reals, k = %d", k);
        if (k <= 512)
            ck_assert_msg(refused(k, 8, false, &g), "bfloat16, reals, k = %d", k);
    }
}

int main(void) {
    return run_tests((struct suite){.name = "tolerance", .seconds = 300});
}
