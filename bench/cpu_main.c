/*
 * cpu_main.c: bench-cpu, lab 1 beside what everybody starts with and what experts reach.
 *
 *     naive triple loop     one core
 *     lab 1's solution      one core, as each compiler at hand builds it; and a student's file
 *     BLAS                  on one core, and on all
 *
 * Every product is checked against a float64 one. Exit status: see options.c.
 */
#include "bench/cpu.h"
#include "bench/options.h"

#include "common/compare.h"
#include "common/matrix.h"
#include "common/reference.h"
#include "common/timing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_WRONG = 1, STATUS_NOTHING = 2 };

struct cpu_bench {
    struct bench_options options;
    struct machine machine;
    struct contender contender[CONTENDERS + 3];
    int contenders;
    struct results results;
};

/* The matrices of one shape, and what C should be. */
struct job {
    struct matrix A, B, C;
    double *want, *magnitude;
};

static void close_job(struct job *job) {
    matrix_free(&job->A);
    matrix_free(&job->B);
    matrix_free(&job->C);
    free(job->want);
    free(job->magnitude);
}

static int open_job(struct job *job, struct shape s, uint64_t seed) {
    size_t bytes;
    *job = (struct job){0};
    int error = matrix_bytes(s.m, s.n, sizeof(double), &bytes) ? 0 : EOVERFLOW;
    if (!error)
        error = matrix_alloc(&job->A, s.m, s.k);
    if (!error)
        error = matrix_alloc(&job->B, s.k, s.n);
    if (!error)
        error = matrix_alloc(&job->C, s.m, s.n);
    if (error)
        return error;
    job->want = malloc(bytes);
    job->magnitude = malloc(bytes);
    if (!job->want || !job->magnitude)
        return ENOMEM;
    struct generator g = generator_start(seed, 0);
    fill_uniform(job->A.data, matrix_count(&job->A), &g);
    g = generator_start(seed, 1);
    fill_uniform(job->B.data, matrix_count(&job->B), &g);
    error =
        reference_product(s.m, s.n, s.k, job->A.data, job->B.data, job->want, REFERENCE_AUTO, 0);
    return error ? error
                 : reference_magnitude(s.m, s.n, s.k, job->A.data, job->B.data, job->magnitude,
                                       REFERENCE_AUTO, 0);
}

static void judge(const void *context, const float *C, struct result *r) {
    const struct job *job = context;
    struct comparison seen =
        compare_bound(r->timed_rows, r->shape.n, r->shape.k, C, job->want, job->magnitude);
    r->checked_rows = r->timed_rows;
    r->wrong = seen.wrong;
    r->worst = seen.worst;
    r->verdict = seen.wrong ? VERDICT_WRONG : VERDICT_RIGHT;
}

static double speed_of(const struct result *r, int count, const char *name) {
    for (int i = 0; i < count; ++i)
        if (strcmp(r[i].contender, name) == 0)
            return result_gflops(&r[i]);
    return (double)NAN;
}

static void print_shape(const struct result *r, int count) {
    char text[SHAPE_TEXT];
    char time[TIMING_TEXT];
    double naive = speed_of(r, count, "cpu-naive");
    double one = speed_of(r, count, "blas-1");
    for (int i = 0; i < count; ++i) {
        double speed = result_gflops(&r[i]);
        printf("%-18s %-14s %11s %6.1f%% %8d %9.2f", i == 0 ? shape_text(r[i].shape, text) : "",
               r[i].contender, timing_text(r[i].time.median, time),
               100 * stats_relative(&r[i].time), r[i].launches, speed);
        if (isfinite(one))
            printf(" %10.1f %9.0f%%", speed / naive, 100 * speed / one);
        else
            printf(" %10.1f %10s", speed / naive, "-");
        printf("  %s%s%s\n", verdict_name(r[i].verdict), *r[i].note ? "; " : "", r[i].note);
    }
    fflush(stdout);
}

static int run_shape(struct cpu_bench *b, struct shape s) {
    struct job job;
    int error = open_job(&job, s, b->options.seed);
    if (error) {
        close_job(&job);
        fprintf(stderr, "bench-cpu: %d x %d x %d: %s\n", s.m, s.n, s.k, strerror(error));
        return error;
    }
    int first = b->results.count;
    struct cpu_lane lanes[CONTENDERS + 3];
    for (int i = 0; i < b->contenders; ++i)
        lanes[i] = (struct cpu_lane){.contender = &b->contender[i],
                                     .result = result_start("cpu", b->contender[i].name, s)};
    cpu_time(lanes, b->contenders, job.A.data, job.B.data, job.C.data, b->options.launches,
             b->options.cap, judge, &job);
    for (int i = 0; i < b->contenders; ++i)
        results_add(&b->results, &lanes[i].result);
    print_shape(b->results.items + first, b->results.count - first);
    close_job(&job);
    return 0;
}

static bool load(struct cpu_bench *b) {
    char error[512];
    b->contender[b->contenders++] = cpu_naive_contender();
    for (int i = 0; i < b->options.contenders; ++i) {
        struct contender *c = &b->contender[b->contenders];
        if (!contender_load(c, b->options.contender[i], "matmul_cpu", error, sizeof error)) {
            fprintf(stderr, "bench-cpu: %s\n", error);
            return false;
        }
        b->contenders++;
    }
    if (cpu_has_blas() && cpu_blas_settable())
        b->contender[b->contenders++] = cpu_blas_contender(1, false);
    if (cpu_has_blas())
        b->contender[b->contenders++] = cpu_blas_contender(reference_default_threads(), true);
    return true;
}

static int write_files(const struct cpu_bench *b) {
    int error = b->options.csv ? results_write_csv(b->options.csv, &b->machine, &b->results) : 0;
    if (error)
        fprintf(stderr, "bench-cpu: cannot write %s: %s\n", b->options.csv, strerror(error));
    int json = b->options.json ? results_write_json(b->options.json, &b->machine, &b->results) : 0;
    if (json)
        fprintf(stderr, "bench-cpu: cannot write %s: %s\n", b->options.json, strerror(json));
    return error ? error : json;
}

static int run(struct cpu_bench *b) {
    struct machine *m = &b->machine;
    cpu_describe(m->cpu, sizeof m->cpu);
    m->cores = reference_default_threads();
    snprintf(m->blas, sizeof m->blas, "%s", cpu_blas_name());
    options_text(&b->options, m->options, sizeof m->options);
    printf("%s, %d cores; %s\n", *m->cpu ? m->cpu : "CPU", m->cores,
           *m->blas ? m->blas : "no BLAS");
    printf("%-18s %-14s %11s %7s %8s %9s %10s %10s  %s\n", "m x n x k", "contender", "median",
           "spread", "launches", "GFLOP/s", "of naive", "of blas-1", "verdict");

    int error = 0;
    if (b->options.shape.m) {
        error = run_shape(b, b->options.shape);
    } else {
        const struct shape_set *set = &shape_set_cpu;
        for (int i = 0; i < set->count && !error; ++i)
            if (!b->options.largest || shape_largest(set->shapes[i]) <= b->options.largest)
                error = run_shape(b, set->shapes[i]);
    }
    if (!error)
        error = write_files(b);
    if (error || b->results.count == 0)
        return STATUS_NOTHING;
    for (int i = 0; i < b->results.count; ++i)
        if (b->results.items[i].verdict == VERDICT_WRONG)
            return STATUS_WRONG;
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    struct cpu_bench b = {0};
    int status;
    if (!options_read(&b.options, argc, argv, &status))
        return status;
    status = load(&b) ? run(&b) : STATUS_NOTHING;
    for (int i = 0; i < b.contenders; ++i)
        contender_close(&b.contender[i]);
    results_free(&b.results);
    return status;
}
