/*
 * explore_pascal.c: `labN pascal [N]`.
 *
 *     1 0 0 0         1  0  0  0        P holds Pascal's triangle, Q the same with alternating
 *     1 1 0 0    *   -1  1  0  0        signs: Q[i][j] = (-1)^(i+j) P[i][j]. P Q is the identity.
 *     1 2 1 0         1 -2  1  0
 *     1 3 3 1        -1  3 -3  1        Element (i, j) of the product is a sum of terms
 *                                       (-1)^(p+j) C(i, p) C(p, j), which grow much larger
 *                                       than the 1 or 0 that is left of them.
 *
 * So the product shows how many digits an arithmetic keeps. The student's code computes with float;
 * int and double are tried here, on the host.
 *
 * Compiled without fused multiply-adds (-ffp-contract=off): what is said about "multiply, then add"
 * must be that.
 */
#include "common/compare.h"
#include "common/explore.h"
#include "common/explore_options.h"
#include "common/matrix.h"
#include "common/reference.h"
#include "common/runner_options.h"
#include "common/ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows up to 100: all numbers fit in a float's range, and in 128 bits. */
enum { PASCAL_MAX = 100, SHOWN = 8 };

static const uint64_t int_limit = UINT64_C(1) << 31;
static const uint64_t double_limit = UINT64_C(1) << 53;

static void print_help(const struct explore *e) {
    printf(
        "Usage: lab%d pascal [N]\n"
        "\n"
        "Multiplies the N x N Pascal triangle by its signed twin, using %s (default %d, at\n"
        "most %d), and says up to which N the product is the identity in float, int and double,\n"
        "and why.\n",
        e->build->lab, e->function, SHOWN, PASCAL_MAX);
}

static double pascal(int i, int j) {
    return (double)ways_pascal(i, j);
}

/* Q[i][j]; not -1 times 0, which would be printed as -0. */
static double twin(int i, int j) {
    return (i + j) % 2 == 0 || j > i ? pascal(i, j) : -pascal(i, j);
}

static double identity(int i, int j) {
    return i == j ? 1 : 0;
}

/* ---- Other arithmetics, on the host ---- */

enum arithmetic { FLOAT_TWO_STEPS, FLOAT_FUSED, INT_32, DOUBLE_TWO_STEPS, DOUBLE_FUSED };

/* P modulo 2^32, as 32-bit integers hold it. */
static uint32_t wrapped(int i, int j) {
    return (uint32_t)ways_pascal(i, j);
}

/* Element (i, j) of P Q, its terms added in the order of p. */
static double element(enum arithmetic with, int i, int j) {
    float f = 0;
    double d = 0;
    uint32_t u = 0; /* unsigned: in C, signed integers may not overflow */
    for (int p = j; p <= i; ++p) {
        double a = pascal(i, p), b = twin(p, j);
        switch (with) {
        case FLOAT_TWO_STEPS: {
            float term = (float)a * (float)b;
            f += term;
            break;
        }
        case FLOAT_FUSED: f = fmaf((float)a, (float)b, f); break;
        case INT_32:
            u += wrapped(i, p) * ((p + j) % 2 == 0 ? wrapped(p, j) : -wrapped(p, j));
            break;
        case DOUBLE_TWO_STEPS: {
            double term = a * b;
            d += term;
            break;
        }
        case DOUBLE_FUSED: d = fma(a, b, d); break;
        }
    }
    return with == INT_32 ? (double)(int32_t)u : with <= FLOAT_FUSED ? (double)f : d;
}

/* The largest N whose product is the identity, up to PASCAL_MAX. The product for N is a part of the
 * one for N + 1, so only the new row needs a look (what is right of the diagonal is 0). */
static int largest_exact(enum arithmetic with) {
    for (int i = 0; i < PASCAL_MAX; ++i)
        for (int j = 0; j <= i; ++j)
            if (element(with, i, j) != identity(i, j))
                return i;
    return PASCAL_MAX;
}

/* The largest N for which every term C(i, p) C(p, j) is at most `limit`. */
static int largest_terms(uint64_t limit) {
    for (int i = 0; i < PASCAL_MAX; ++i)
        for (int p = 0; p <= i; ++p) {
            ways_count most = limit / ways_pascal(i, p); /* for C(p, j) */
            if (ways_pascal(p, p / 2) > most)
                return i;
        }
    return PASCAL_MAX;
}

/* The largest N whose own elements are at most `limit`. */
static int largest_elements(uint64_t limit) {
    int i = 0;
    while (i < PASCAL_MAX && ways_pascal(i, i / 2) <= limit)
        ++i;
    return i;
}

/* ---- The student's product ---- */

struct pascal {
    float *P, *Q, *C;
    double *want, *magnitude;
};

static bool allocate(struct pascal *m, int n) {
    size_t count = (size_t)n * (size_t)n;
    m->P = malloc(count * sizeof *m->P);
    m->Q = malloc(count * sizeof *m->Q);
    m->C = malloc(count * sizeof *m->C);
    m->want = malloc(count * sizeof *m->want);
    m->magnitude = malloc(count * sizeof *m->magnitude);
    return m->P && m->Q && m->C && m->want && m->magnitude;
}

static void release(struct pascal *m) {
    free(m->P);
    free(m->Q);
    free(m->C);
    free(m->want);
    free(m->magnitude);
}

static enum run_status multiply(const struct explore *e, struct pascal *m, int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            m->P[i * n + j] = (float)pascal(i, j);
            m->Q[i * n + j] = (float)twin(i, j);
        }
    return explore_product(e, n, m->P, m->Q, m->C, NULL);
}

/* How many elements of C are not the identity's, and the first of them. */
static int differences(const struct pascal *m, int n, int *first) {
    int count = 0;
    for (int at = 0; at < n * n; ++at)
        if ((double)m->C[at] != identity(at / n, at % n) && count++ == 0)
            *first = at;
    return count;
}

/* Up to `certain`, C must be the identity; beyond, a float product of what P and Q hold. */
static enum run_status judge(const struct explore *e, struct pascal *m, int n, int certain) {
    int first = 0;
    int wrong = differences(m, n, &first);
    if (wrong == 0) {
        printf("%s: the product is the identity\n", e->function);
        return RUN_CORRECT;
    }
    printf("%s: the product is not the identity in %d of %d elements; the first is\n"
           "  row %d, column %d: %.9g instead of %g\n",
           e->function, wrong, n * n, first / n, first % n, matrix_shown(m->C[first]),
           identity(first / n, first % n));
    if (n <= certain) {
        printf("With N = %d no number on the way is above 2^24, so this is a mistake.\n", n);
        return RUN_WRONG;
    }
    if (reference_product(n, n, n, m->P, m->Q, m->want, REFERENCE_OWN, 1) != 0 ||
        reference_magnitude(n, n, n, m->P, m->Q, m->magnitude, REFERENCE_OWN, 1) != 0)
        return explore_no_memory();
    struct comparison c = compare_bound(n, n, n, m->C, m->want, m->magnitude);
    if (c.wrong > 0) {
        printf("It is off by more than float explains, in %zu elements: this is a mistake.\n",
               c.wrong);
        return RUN_WRONG;
    }
    printf("It is within what float may lose, %.2g of it: no mistake, but too few digits.\n",
           c.worst);
    return RUN_CORRECT;
}

/* The largest N exact with the student's code. -1 when a product failed. */
static int largest_on_device(const struct explore *e, struct pascal *m, int *first) {
    for (int n = 1; n <= PASCAL_MAX; ++n) {
        if (multiply(e, m, n) != RUN_CORRECT)
            return -1;
        if (differences(m, n, first) > 0)
            return n - 1;
    }
    return PASCAL_MAX;
}

static void print_findings(const struct explore *e, int device) {
    printf("\nThe product is the identity up to\n");
    printf("  N = %-3d float, %s\n", device, e->function);
    printf("  N = %-3d float, on the CPU, multiply and then add, in order\n",
           largest_exact(FLOAT_TWO_STEPS));
    printf("  N = %-3d float, on the CPU, multiply and add fused into one (a GPU's FFMA)\n",
           largest_exact(FLOAT_FUSED));
    printf("  N = %-3d double, on the CPU, multiply and then add, in order\n",
           largest_exact(DOUBLE_TWO_STEPS));
    printf("  N = %-3d double, on the CPU, multiply and add fused\n", largest_exact(DOUBLE_FUSED));
    printf("  N = any int of 32 bits (tried up to %d)\n", largest_exact(INT_32));
    printf("\n"
           "Why: element (i, j) is a sum of terms C(i, p) C(p, j) with changing signs. They are "
           "far\n"
           "larger than their sum. All terms fit\n");
    printf("  up to N = %-3d in 2^24, where float stops being exact\n",
           largest_terms(WAYS_FLOAT_EXACT));
    printf("  up to N = %-3d in 2^31, int's range\n", largest_terms(int_limit - 1));
    printf("  up to N = %-3d in 2^53, where double stops being exact\n",
           largest_terms(double_limit));
    printf(
        "The triangle's own numbers fit much longer: up to N = %d, %d and %d. Floats and doubles\n"
        "may stay right a little beyond, where a term is even enough to lose no digit. An int\n"
        "that overflows loses multiples of 2^32 only, and the sum of all terms, 0 or 1, is right\n"
        "again in the end: whole numbers modulo 2^32 add and multiply as they should. (C promises\n"
        "that for unsigned integers; an overflowing int is a mistake in a C program.)\n",
        largest_elements(WAYS_FLOAT_EXACT), largest_elements(int_limit - 1),
        largest_elements(double_limit));
}

static void show(const char *title, int n, float *data) {
    struct matrix M = {n, n, data};
    matrix_print_corner(stdout, title, &M);
}

static enum run_status run(struct explore *e, struct pascal *m, int n) {
    printf("Pascal's triangle times its signed twin, N = %d, on %s\n\n", n, e->device);
    enum run_status status = multiply(e, m, n);
    if (status != RUN_CORRECT)
        return status;
    show("P", n, m->P);
    show("Q", n, m->Q);
    show("P Q", n, m->C);
    printf("\n");
    status = judge(e, m, n, largest_terms(WAYS_FLOAT_EXACT));
    if (status != RUN_CORRECT)
        return status;
    int first = 0;
    int device = largest_on_device(e, m, &first);
    if (device < 0)
        return RUN_WRONG;
    if (device < largest_terms(WAYS_FLOAT_EXACT)) {
        printf("%s: but for N = %d it is not, at row %d, column %d: a mistake\n", e->function,
               device + 1, first / (device + 1), first % (device + 1));
        return RUN_WRONG;
    }
    print_findings(e, device);
    return RUN_CORRECT;
}

enum run_status explore_pascal(struct explore *e, int argc, char **argv) {
    bool help;
    int operands;
    const char *size = NULL;
    uint64_t n = SHOWN;
    char error[EXPLORE_ERROR];
    if (!explore_parse(argc, argv, NULL, 0, &help, &size, 1, &operands, error))
        return explore_refuse(e, "pascal", error);
    if (help) {
        print_help(e);
        return RUN_CORRECT;
    }
    if (operands == 1 && !run_parse_number(size, 1, PASCAL_MAX, &n)) {
        snprintf(error, sizeof error, "bad size '%.60s': expected a whole number from 1 to %d",
                 size, PASCAL_MAX);
        return explore_refuse(e, "pascal", error);
    }
    enum run_status status = explore_need_device(e);
    if (status != RUN_CORRECT)
        return status;
    struct pascal m = {0};
    status = allocate(&m, PASCAL_MAX) ? run(e, &m, (int)n) : explore_no_memory();
    release(&m);
    return status;
}
