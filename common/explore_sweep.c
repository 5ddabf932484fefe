/*
 * explore_sweep.c: `labN sweep`: times of square products over n, each checked.
 *
 * Two programs are compared through files: `lab2 sweep --csv naive.csv`, then
 * `lab4 sweep --against naive.csv`.
 *
 * A product is checked without computing it a second time: for a random vector v, C v must equal
 * A (B v). Inputs are small integers and the sums are made in double, so both sides are exact, and
 * a wrong C gets through only if its mistakes happen to cancel against random numbers.
 */
#include "common/explore.h"
#include "common/explore_options.h"
#include "common/explore_plot.h"
#include "common/host_memory.h"
#include "common/matrix.h"
#include "common/timing.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 50000, REPEAT_MAX = 100, RANGE = 2, VECTOR_RANGE = 1000 };
/* Repeating a product stops when its runs took so long together. */
static const double ENOUGH_SECONDS = 5;

struct sweep {
    struct explore *e;
    uint64_t from, to, step, repeat, seed;
    bool large, no_plot;
    const char *csv, *svg, *against;
    struct series mine, other;
};

static void print_help(const struct explore *e) {
    printf(
        "Usage: lab%d sweep [options]\n"
        "\n"
        "Times %s over n x n products, checks each, and plots the times. The median of\n"
        "several runs counts.\n"
        "\n"
        "  --from N --to N --step N   sizes (default %s)\n"
        "  --large         1000, 2000 ... 8000\n"
        "  --repeat R      runs of each size (default %d)\n"
        "  --csv FILE      write the times\n"
        "  --against FILE  compare with times that another program wrote with --csv\n"
        "  --svg FILE      a plot by gnuplot, where it is installed\n"
        "  --no-plot       only the table\n"
        "\n"
        "Naive against tiled:  lab2 sweep --csv naive.csv  and  lab4 sweep --against naive.csv\n",
        e->build->lab, e->function, e->simulated ? "32, 64 ... 256" : "100, 200 ... 1000",
        e->simulated ? 1 : 5);
}

/* ---- One size ---- */

struct product {
    int n;
    float *A, *B, *C;
    double *v, *Bv, *left, *right;
};

static bool allocate(struct product *p, int n) {
    size_t side = (size_t)n, count = side * side;
    *p = (struct product){.n = n};
    uint64_t needed = 2 * 3 * (uint64_t)count * sizeof(float); /* a device may be in host memory */
    if (needed > host_memory_available())
        return false;
    p->A = malloc(count * sizeof *p->A);
    p->B = malloc(count * sizeof *p->B);
    p->C = malloc(count * sizeof *p->C);
    p->v = malloc(4 * side * sizeof *p->v);
    if (!p->A || !p->B || !p->C || !p->v)
        return false;
    p->Bv = p->v + side;
    p->left = p->Bv + side;
    p->right = p->left + side;
    return true;
}

static void release(struct product *p) {
    free(p->A);
    free(p->B);
    free(p->C);
    free(p->v);
}

static void times_vector(int n, const float *M, const double *v, double *result) {
    for (size_t i = 0; i < (size_t)n; ++i) {
        double sum = 0;
        for (size_t j = 0; j < (size_t)n; ++j)
            sum += (double)M[i * (size_t)n + j] * v[j];
        result[i] = sum;
    }
}

/* The first row in which C v differs from A (B v), or -1. */
static int wrong_row(struct product *p, struct generator *g) {
    for (int i = 0; i < p->n; ++i)
        p->v[i] = (double)(generator_next(g) % (2 * VECTOR_RANGE + 1)) - VECTOR_RANGE;
    times_vector(p->n, p->B, p->v, p->Bv);
    times_vector(p->n, p->A, p->Bv, p->right);
    times_vector(p->n, p->C, p->v, p->left);
    for (int i = 0; i < p->n; ++i)
        if (!(p->left[i] == p->right[i])) /* a NaN too */
            return i;
    return -1;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static enum run_status time_product(const struct sweep *s, struct product *p, struct point *point) {
    double alone[REPEAT_MAX], with_copies[REPEAT_MAX], sum = 0;
    struct run_timing t;
    enum run_status status = RUN_CORRECT;
    int runs = 0;
    if (!s->e->simulated) /* the first run loads the code and wakes the device */
        status = explore_product(s->e, p->n, p->A, p->B, p->C, &t);
    while (status == RUN_CORRECT && runs < (int)s->repeat && sum < ENOUGH_SECONDS) {
        status = explore_product(s->e, p->n, p->A, p->B, p->C, &t);
        alone[runs] = t.seconds_on_device;
        with_copies[runs++] = t.seconds;
        sum += t.seconds;
    }
    if (status == RUN_CORRECT)
        *point = (struct point){p->n, median(alone, runs), median(with_copies, runs)};
    return status;
}

static enum run_status one_size(struct sweep *s, int n) {
    struct product p;
    struct generator g = generator_start(s->seed, (uint64_t)n);
    struct point *point = &s->mine.point[s->mine.count];
    enum run_status status = RUN_CORRECT;
    if (!allocate(&p, n)) {
        fprintf(stderr, "n = %d: ", n);
        status = explore_no_memory();
    }
    if (status == RUN_CORRECT) {
        fill_integers(p.A, (size_t)n * (size_t)n, -RANGE, RANGE, &g);
        fill_integers(p.B, (size_t)n * (size_t)n, -RANGE, RANGE, &g);
        status = time_product(s, &p, point);
    }
    int row = status == RUN_CORRECT ? wrong_row(&p, &g) : -1;
    if (row >= 0) {
        printf("%s: wrong at n = %d, in row %d: run lab%d %d by itself to see more\n",
               s->e->function, n, row, s->e->build->lab, n);
        status = RUN_WRONG;
    }
    release(&p);
    if (status == RUN_CORRECT)
        s->mine.count++;
    return status;
}

/* ---- The table ---- */

static void print_head(const struct sweep *s) {
    printf("%6s %14s %14s %14s", "n", "product", "with copies", "GFLOP/s");
    if (s->against)
        printf(" %14s %8s", "the other", "ratio");
    printf("\n");
}

static void print_point(const struct sweep *s, const struct point *p) {
    char text[TIMING_TEXT];
    printf("%6d %14s", p->n, timing_text(p->seconds, text));
    printf(" %14s", timing_text(p->with_copies, text));
    printf(" %14.2f", timing_gflops(p->n, p->n, p->n, p->seconds));
    int at = s->against ? series_find(&s->other, p->n) : -1;
    if (at >= 0)
        printf(" %14s %8.2f", timing_text(s->other.point[at].seconds, text),
               s->other.point[at].seconds / p->seconds);
    printf("\n");
    fflush(stdout);
}

/* ---- The flow ---- */

static enum run_status run_sizes(struct sweep *s) {
    int unit = s->e->unit, last = 0;
    for (uint64_t want = s->from; want <= s->to; want += s->step) {
        int n = ((int)want + unit - 1) / unit * unit;
        if (n == last)
            continue;
        last = n;
        enum run_status status = one_size(s, n);
        if (status != RUN_CORRECT)
            return status;
        print_point(s, &s->mine.point[s->mine.count - 1]);
    }
    return RUN_CORRECT;
}

static enum run_status write_files(const struct sweep *s) {
    char error[SERIES_ERROR];
    if (s->csv && !series_write(&s->mine, s->csv)) {
        fprintf(stderr, "cannot write %s: %s\n", s->csv, strerror(errno));
        return RUN_MACHINE;
    }
    if (s->svg && !plot_svg(s->svg, &s->mine, s->against ? &s->other : NULL, error)) {
        fprintf(stderr, "cannot write %s: %s\n", s->svg, error);
        return RUN_MACHINE;
    }
    return RUN_CORRECT;
}

static enum run_status run(struct sweep *s) {
    enum run_status status = explore_need_device(s->e);
    if (status != RUN_CORRECT)
        return status;
    snprintf(s->mine.name, sizeof s->mine.name, "lab %d on %s%.60s", s->e->build->lab,
             s->e->simulated ? "the virtual GPU as " : "", s->e->device);
    printf("%s, %s\n\n", s->mine.name, s->e->function);
    print_head(s);
    status = run_sizes(s);
    if (status != RUN_CORRECT)
        return status;
    if (!s->no_plot) {
        printf("\n");
        plot_text(stdout, &s->mine, s->against ? &s->other : NULL);
    }
    if (s->e->simulated)
        printf("\n"
               "These are the simulator's times: neither they nor their ratio say anything about a "
               "GPU.\n");
    return write_files(s);
}

/* What the options leave open, and what they may not be. */
static bool complete(struct sweep *s, char *error) {
    bool sized = s->from || s->to || s->step;
    if (s->large && sized) {
        snprintf(error, EXPLORE_ERROR, "--large stands for sizes: leave out --from, --to, --step");
        return false;
    }
    if (s->large && s->e->simulated) {
        snprintf(error, EXPLORE_ERROR,
                 "--large is for a GPU: the virtual GPU would take hours (--from, --to and --step "
                 "choose sizes)");
        return false;
    }
    if (s->large)
        s->from = 1000, s->to = 8000, s->step = 1000;
    uint64_t unit = s->e->simulated ? 32 : 100;
    s->step = s->step ? s->step : unit;
    s->from = s->from ? s->from : unit;
    s->to = s->to ? s->to : s->from > unit ? s->from : s->e->simulated ? 256 : 1000;
    s->repeat = s->repeat ? s->repeat : s->e->simulated ? 1 : 5;
    if (s->to < s->from) {
        snprintf(error, EXPLORE_ERROR, "--to %" PRIu64 " is below --from %" PRIu64, s->to, s->from);
        return false;
    }
    if ((s->to - s->from) / s->step >= SERIES_MAX) {
        snprintf(error, EXPLORE_ERROR, "more than %d sizes: take a larger --step", SERIES_MAX);
        return false;
    }
    char why[SERIES_ERROR];
    if (s->against && !series_read(&s->other, s->against, why)) {
        snprintf(error, EXPLORE_ERROR, "cannot read %.80s: %.120s", s->against, why);
        return false;
    }
    return true;
}

enum run_status explore_sweep(struct explore *e, int argc, char **argv) {
    static struct sweep empty;
    struct sweep *s = malloc(sizeof *s);
    if (!s)
        return explore_no_memory();
    *s = empty;
    s->e = e;
    s->seed = 1;
    const struct explore_option options[] = {
        {.name = "--from", .number = &s->from, .low = 1, .high = N_MAX},
        {.name = "--to", .number = &s->to, .low = 1, .high = N_MAX},
        {.name = "--step", .number = &s->step, .low = 1, .high = N_MAX},
        {.name = "--repeat", .number = &s->repeat, .low = 1, .high = REPEAT_MAX},
        {.name = "--seed", .number = &s->seed, .low = 0, .high = UINT64_MAX},
        {.name = "--large", .flag = &s->large},
        {.name = "--no-plot", .flag = &s->no_plot},
        {.name = "--csv", .text = &s->csv},
        {.name = "--svg", .text = &s->svg},
        {.name = "--against", .text = &s->against},
    };
    bool help;
    int operands;
    char error[EXPLORE_ERROR];
    enum run_status status;
    if (!explore_parse(argc, argv, options, sizeof options / sizeof *options, &help, NULL, 0,
                       &operands, error))
        status = explore_refuse(e, "sweep", error);
    else if (help)
        status = (print_help(e), RUN_CORRECT);
    else
        status = complete(s, error) ? run(s) : explore_refuse(e, "sweep", error);
    free(s);
    return status;
}
