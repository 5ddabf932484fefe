/* runner.c: see runner.h. */
#include "common/runner.h"

#include "common/compare.h"
#include "common/explore.h"
#include "common/host_memory.h"
#include "common/lab.h"
#include "common/matrix.h"
#include "common/reference.h"
#include "common/runner_options.h"
#include "common/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma weak matmul_cpu

/* The virtual GPU is some thousand times slower than a GPU, so it starts with less work. */
enum { SIZE_CPU = 1024, SIZE_GPU = 1024, SIZE_VGPU = 256 };

/* Everything one run holds. */
struct run {
    const struct run_build *build;
    struct run_options options;
    struct matrix A, B, C;
    struct matrix A_lies, B_lies; /* as they lie in memory, where that is otherwise */
    struct matrix C_lies;
    struct matrix before; /* C before each call, where that counts */
    double *want;         /* the float64 product */
    double *magnitude;    /* |A||B|; NULL when the inputs make float32 exact */
    uint64_t inputs;      /* a checksum of A and B, from before the lab's code ran */
    bool reference_made;
    double reference_seconds;
    bool simulated; /* durations are the virtual GPU's */
};

static void print_help(const struct run_build *build, int size) {
    printf("Usage: lab%d [options] [size | m k n]\n"
           "       lab%d COMMAND ...\n"
           "\n"
           "Multiplies A (m x k) and B (k x n) with the functions of lab %d, and says whether the\n"
           "product is right and how long it took. One number sets all three sizes; the default\n"
           "is %d.\n"
           "\n"
           "  --reals     inputs are reals in [-1, 1), not small integers\n"
           "  --counts    inputs are 0, 1, 2 in A and 0, 1 in B\n"
           "  --seed N    other inputs (default 1; the same N gives the same inputs everywhere)\n"
           "  --help      this text\n"
           "\n",
           build->lab, build->lab, build->lab, size);
    explore_print_commands(build);
    printf(
        "\nExit status: 0 correct, 1 wrong, 2 bad command line, 3 no device or not enough memory,\n"
        "70 a checked CUDA call failed.\n");
}

/* ---- Memory and inputs ---- */

/* The bytes that a run takes on the host, or false when they don't fit in 64 bits. */
static bool bytes_needed(const struct run *r, bool bounded, uint64_t *total) {
    const struct run_options *o = &r->options;
    size_t a, b, c, want;
    if (!matrix_bytes(o->m, o->k, sizeof(float), &a) ||
        !matrix_bytes(o->k, o->n, sizeof(float), &b) ||
        !matrix_bytes(o->m, o->n, sizeof(float), &c) ||
        !matrix_bytes(o->m, o->n, sizeof(double), &want))
        return false;
    /* The virtual GPU's device memory is the host's too. */
    uint64_t copies = r->simulated ? 2 : 1;
    uint64_t part[] = {a, b, c};
    *total = lab_product_takes_c(&r->build->product) ? c : 0;
    for (uint64_t i = 0; i < 3 * copies; ++i)
        if (__builtin_add_overflow(*total, part[i % 3], total))
            return false;
    for (int i = 0; i < (bounded ? 2 : 1); ++i)
        if (__builtin_add_overflow(*total, want, total))
            return false;
    return true;
}

static bool no_memory(const struct run *r, uint64_t needed, uint64_t available) {
    const struct run_options *o = &r->options;
    fprintf(stderr, "not enough memory for m = %d, k = %d, n = %d: ", o->m, o->k, o->n);
    if (needed == UINT64_MAX)
        fprintf(stderr, "the matrices have more bytes than an address can count\n");
    else
        fprintf(stderr, "%.1f GB needed, %.1f GB available\n", 1e-9 * (double)needed,
                1e-9 * (double)available);
    return false;
}

/* Decides between integers and reals, allocates, and fills A and B. */
static bool make_inputs(struct run *r) {
    struct run_options *o = &r->options;
    int range = exact_small_range(lab_product_terms(&r->build->product, o->k));
    bool too_long = o->inputs == RUN_INTEGERS && range == 0;
    if (too_long)
        o->inputs = RUN_REALS;
    /* 0, 1, 2 times 0, 1: a sum of at most 2 k. */
    bool bounded =
        o->inputs == RUN_REALS ||
        (o->inputs == RUN_COUNTS && lab_product_terms(&r->build->product, o->k) > 1 << 23);

    uint64_t needed;
    uint64_t available = host_memory_available();
    if (!bytes_needed(r, bounded, &needed))
        return no_memory(r, UINT64_MAX, available);
    if (needed > available)
        return no_memory(r, needed, available);
    size_t count = (size_t)o->m * o->n;
    r->want = malloc(count * sizeof *r->want);
    r->magnitude = bounded ? malloc(count * sizeof *r->magnitude) : NULL;
    if (matrix_alloc(&r->A, o->m, o->k) != 0 || matrix_alloc(&r->B, o->k, o->n) != 0 ||
        matrix_alloc(&r->C, o->m, o->n) != 0 ||
        (lab_product_takes_c(&r->build->product) && matrix_alloc(&r->before, o->m, o->n) != 0) ||
        !r->want || (bounded && !r->magnitude))
        return no_memory(r, needed, available);
    if (too_long)
        printf("Sums of %d integers may exceed the range where float32 is exact: using reals.\n",
               o->k);

    struct generator a = generator_start(o->seed, 0);
    struct generator b = generator_start(o->seed, 1);
    struct generator c = generator_start(o->seed, 2);
    if (o->inputs == RUN_REALS) {
        fill_uniform(r->A.data, matrix_count(&r->A), &a);
        fill_uniform(r->B.data, matrix_count(&r->B), &b);
    } else if (o->inputs == RUN_COUNTS) {
        fill_integers(r->A.data, matrix_count(&r->A), 0, 2, &a);
        fill_integers(r->B.data, matrix_count(&r->B), 0, 1, &b);
    } else if (r->build->product.kind == PRODUCT_MIN_PLUS) {
        fill_integers(r->A.data, matrix_count(&r->A), 1, 99, &a);
        fill_integers(r->B.data, matrix_count(&r->B), 1, 99, &b);
    } else {
        fill_integers(r->A.data, matrix_count(&r->A), -range, range, &a);
        fill_integers(r->B.data, matrix_count(&r->B), -range, range, &b);
    }
    if (r->before.data && o->inputs == RUN_REALS)
        fill_uniform(r->before.data, matrix_count(&r->before), &c);
    else if (r->before.data)
        fill_integers(r->before.data, matrix_count(&r->before), -9, 9, &c);
    return true;
}

/* C as the functions get it: NaN, or the numbers that count. */
static void put_before(struct run *r) {
    if (r->before.data)
        memcpy(r->C.data, r->before.data, matrix_count(&r->C) * sizeof *r->C.data);
    else
        fill_value(r->C.data, matrix_count(&r->C), NAN);
    if (r->C_lies.data) {
        fill_value(r->C_lies.data, matrix_count(&r->C_lies), NAN);
        matrix_spread(r->C_lies.data, r->C.data, r->C.rows, r->C.cols, r->build->layout.padding);
    }
}

/* C, from where the functions left it. */
static void take_c(struct run *r) {
    if (r->C_lies.data)
        matrix_gather(r->C.data, r->C_lies.data, r->C.rows, r->C.cols, r->build->layout.padding);
}

/* Where the functions are to leave it. */
static float *c_of(struct run *r) {
    return r->C_lies.data ? r->C_lies.data : r->C.data;
}

/* M, or what the functions find of it in memory. */
static const struct matrix *given(const struct matrix *M, const struct matrix *lies) {
    return lies->data ? lies : M;
}

/* Lays a matrix out as the lab has it. */
static bool lay_out(const struct matrix *M, bool transposed, int padding, struct matrix *lies) {
    if (padding > 0) {
        if (matrix_alloc(lies, M->rows, M->cols + padding) != 0)
            return false;
        fill_value(lies->data, matrix_count(lies), NAN);
        matrix_spread(lies->data, M->data, M->rows, M->cols, padding);
        return true;
    }
    if (!transposed)
        return true;
    if (matrix_alloc(lies, M->cols, M->rows) != 0)
        return false;
    matrix_transpose(lies->data, M->data, M->rows, M->cols);
    return true;
}

/* Tells whether A or B was written: FNV-1a over their 32-bit words. */
static uint64_t checksum(const struct run *r) {
    const struct matrix *inputs[] = {given(&r->A, &r->A_lies), given(&r->B, &r->B_lies)};
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 2; ++i)
        for (size_t e = 0; e < matrix_count(inputs[i]); ++e) {
            uint32_t word;
            memcpy(&word, &inputs[i]->data[e], sizeof word);
            sum = (sum ^ word) * UINT64_C(0x100000001b3);
        }
    return sum;
}

static bool make_reference(struct run *r) {
    const struct run_options *o = &r->options;
    double begin = timing_now();
    int error = lab_product_reference(&r->build->product, o->m, o->n, o->k, r->A.data, r->B.data,
                                      r->before.data, r->want, REFERENCE_AUTO, 0);
    r->reference_seconds = timing_now() - begin;
    if (error == 0 && r->magnitude)
        error = lab_product_magnitude(&r->build->product, o->m, o->n, o->k, r->A.data, r->B.data,
                                      r->before.data, r->magnitude, REFERENCE_AUTO, 0);
    if (error != 0)
        fprintf(stderr, "the CPU reference failed: %s\n", strerror(error));
    r->reference_made = error == 0;
    return r->reference_made;
}

static void release(struct run *r) {
    matrix_free(&r->A);
    matrix_free(&r->B);
    matrix_free(&r->C);
    matrix_free(&r->before);
    matrix_free(&r->A_lies);
    matrix_free(&r->B_lies);
    matrix_free(&r->C_lies);
    free(r->want);
    free(r->magnitude);
}

/* ---- What is printed ---- */

static void print_duration(const struct run *r, const char *name, double seconds) {
    char text[TIMING_TEXT];
    const struct run_options *o = &r->options;
    printf("  %-44s %12s %10.2f GFLOP/s\n", name, timing_text(seconds, text),
           timing_gflops(o->m, o->n, o->k, seconds));
}

static void print_launch(const struct run *r, const char *function, const struct run_timing *t) {
    if (t->launches == 0) {
        printf("%s: no launch of the form kernel<<<grid, block>>>(...) was seen%s\n", function,
               r->build->cublas ? " (cuBLAS launches its own)" : "");
        return;
    }
    uint64_t blocks = (uint64_t)t->grid[0] * t->grid[1] * t->grid[2];
    uint64_t threads = (uint64_t)t->block[0] * t->block[1] * t->block[2];
    printf("%s launched %" PRIu64 " block%s of %" PRIu64 " thread%s (grid %u x %u", function,
           blocks, blocks == 1 ? "" : "s", threads, threads == 1 ? "" : "s", t->grid[0],
           t->grid[1]);
    if (t->grid[2] > 1)
        printf(" x %u", t->grid[2]);
    printf(", block %u x %u", t->block[0], t->block[1]);
    if (t->block[2] > 1)
        printf(" x %u", t->block[2]);
    printf(")%s", t->launches > 1 ? "" : "\n");
    if (t->launches > 1)
        printf(", the last of %d launches\n", t->launches);
}

static void print_wrong(const struct comparison *c) {
    printf("result is wrong in %zu of %zu elements", c->wrong, c->total);
    if (c->not_finite > 0)
        printf(", %zu of them nan (as C is until it is written) or infinite", c->not_finite);
    printf("\n  %9s %9s %16s %16s %14s\n", "row", "column", "expected", "got", "may differ by");
    for (int i = 0; i < c->kept; ++i) {
        const struct wrong_element *w = &c->first[i];
        printf("  %9d %9d %16.9g %16.9g %14.3g\n", w->row, w->col, w->want, matrix_shown(w->got),
               w->bound);
    }
    if (c->wrong > (size_t)c->kept)
        printf("  %9s\n", "...");
}

/* Judges C and says so. The reference is computed here, after the lab's code has run: a CBLAS keeps
 * its threads spinning for a while, which would slow the lab down. Durations are shown for a
 * correct result only: a wrong one has no speed. */
static enum run_status judge(struct run *r, const char *function) {
    const struct run_options *o = &r->options;
    if (checksum(r) != r->inputs) {
        printf("%s: the program wrote to A or B, which it must not\n", function);
        return RUN_WRONG;
    }
    if (!r->reference_made && !make_reference(r))
        return RUN_MACHINE;
    struct comparison c =
        r->magnitude ? compare_within(o->m, o->n,
                                      lab_product_factor(&r->build->product, r->build->bound, o->k),
                                      r->C.data, r->want, r->magnitude)
                     : compare_exact(o->m, o->n, r->C.data, r->want);
    printf("%s: ", function);
    if (c.wrong > 0) {
        print_wrong(&c);
        return RUN_WRONG;
    }
    if (r->magnitude)
        printf("result is correct, its largest error %.2g of what float32 may lose\n", c.worst);
    else
        printf("result is correct, all %zu elements exact\n", c.total);
    return RUN_CORRECT;
}

/* ---- The flow ---- */

static enum run_status run_cpu(struct run *r) {
    const struct run_options *o = &r->options;
    if (!matmul_cpu) {
        fprintf(stderr, "matmul_cpu is missing: this lab asks for it (see common/lab.h)\n");
        return RUN_WRONG;
    }
    put_before(r);
    double begin = timing_now();
    matmul_cpu(o->m, o->n, o->k, given(&r->A, &r->A_lies)->data, given(&r->B, &r->B_lies)->data,
               c_of(r));
    double seconds = timing_now() - begin;
    take_c(r);
    matrix_print_corner(stdout, "C", &r->C);
    printf("\n");
    enum run_status status = judge(r, "matmul_cpu");
    if (status == RUN_CORRECT)
        print_duration(r, "matmul_cpu", seconds);
    return status;
}

/* A device call. On a GPU it runs twice and the second one counts: the first loads the code too. */
static enum run_status run_on_device(struct run *r, struct run_timing *t,
                                     enum run_status call(const struct run_build *, int, int, int,
                                                          const float *, const float *, float *,
                                                          struct run_timing *)) {
    const struct run_options *o = &r->options;
    enum run_status status = RUN_CORRECT;
    for (int i = r->simulated ? 1 : 0; i < 2 && status == RUN_CORRECT; ++i) {
        put_before(r);
        *t = (struct run_timing){0};
        status = call(r->build, o->m, o->n, o->k, given(&r->A, &r->A_lies)->data,
                      given(&r->B, &r->B_lies)->data, c_of(r), t);
        take_c(r);
    }
    return status;
}

static enum run_status run_device(struct run *r) {
    struct run_timing t;
    enum run_status status = run_on_device(r, &t, device_run);
    if (status != RUN_CORRECT)
        return status;
    matrix_print_corner(stdout, "C", &r->C);
    printf("\n");
    print_launch(r, "matmul_device", &t);
    status = judge(r, "matmul_device");
    if (status == RUN_CORRECT) {
        print_duration(r, "matmul_device, without transfers", t.seconds_on_device);
        print_duration(r, "matmul_device, with transfers", t.seconds);
    }
    if (!r->build->host)
        return status;

    enum run_status host = run_on_device(r, &t, host_run);
    if (host == RUN_CORRECT)
        host = judge(r, "matmul_host");
    if (host == RUN_CORRECT)
        print_duration(r, "matmul_host, with allocation and transfers", t.seconds);
    return status == RUN_CORRECT ? host : status;
}

static enum run_status run(struct run *r) {
    char name[256] = "one core of this CPU";
    if (!r->build->on_cpu && !device_describe(name, sizeof name)) {
        fprintf(stderr, "no device to run on: %s\n", name);
        return RUN_MACHINE;
    }
    if (!make_inputs(r))
        return RUN_MACHINE;
    const struct layout l = r->build->layout;
    if (!lay_out(&r->A, l.a_transposed, l.padding, &r->A_lies) ||
        !lay_out(&r->B, l.b_transposed, l.padding, &r->B_lies) ||
        !lay_out(&r->C, false, l.padding, &r->C_lies)) {
        fprintf(stderr, "not enough memory for A, B and C as they lie in this lab\n");
        return RUN_MACHINE;
    }
    printf("Lab %d on %s\n\n", r->build->lab, name);
    matrix_print_corner(stdout, "A", &r->A);
    matrix_print_corner(stdout, "B", &r->B);
    if (r->before.data)
        matrix_print_corner(stdout, "C before", &r->before);
    r->inputs = checksum(r);
    fflush(stdout); /* shown even if the lab's code crashes */

    enum run_status status = r->build->on_cpu ? run_cpu(r) : run_device(r);
    if (status != RUN_CORRECT)
        return status;
    char title[64];
    snprintf(title, sizeof title, "CPU reference, float64, %d thread%s, %s",
             reference_default_threads(), reference_default_threads() == 1 ? "" : "s",
             reference_has_cblas() ? "CBLAS" : "our own");
    print_duration(r, title, r->reference_seconds);
    if (r->simulated)
        printf("The device is the virtual GPU: its durations are the simulator's, not a GPU's.\n");
    return status;
}

int runner_main(const struct run_build *build, int argc, char **argv) {
    if (argc > 1 && explore_is_command(argv[1]) &&
        (build->product.kind != PRODUCT_PLAIN || build->layout.padding > 0)) {
        fprintf(stderr,
                "'%s' needs A * B of whole matrices; this term lab %d computes something else\n",
                argv[1], build->lab);
        return RUN_USAGE;
    }
    if (argc > 1 && explore_is_command(argv[1]))
        return (int)explore_main(build, argc, argv);
    struct run r = {.build = build};
    r.simulated = !build->on_cpu && strcmp(build->backend, "vgpu") == 0;
    int size = build->on_cpu ? SIZE_CPU : r.simulated ? SIZE_VGPU : SIZE_GPU;

    char error[RUN_OPTIONS_ERROR];
    if (!run_options_parse(build, size, argc, argv, &r.options, error)) {
        fprintf(stderr, "%s\n", error);
        return RUN_USAGE;
    }
    if (r.options.help) {
        print_help(build, size);
        return RUN_CORRECT;
    }
    enum run_status status = run(&r);
    release(&r);
    return status;
}
