/* cpu.c: see cpu.h. */
#include "bench/cpu.h"

#include "common/matrix.h"
#include "common/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CBLAS
#include <cblas.h>

/* OpenBLAS only; any other CBLAS lacks them. */
void openblas_set_num_threads(int threads);
char *openblas_get_config(void);
#pragma weak openblas_set_num_threads
#pragma weak openblas_get_config

static void blas_multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F, A, k, B, n, 0.0F, C, n);
}

bool cpu_has_blas(void) {
    return true;
}

bool cpu_blas_settable(void) {
    return openblas_set_num_threads != NULL;
}

static void use_threads(int threads) {
    if (threads && openblas_set_num_threads)
        openblas_set_num_threads(threads);
}

const char *cpu_blas_name(void) {
    return openblas_get_config ? openblas_get_config() : "CBLAS";
}
#else
static void blas_multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}

bool cpu_has_blas(void) {
    return false;
}

bool cpu_blas_settable(void) {
    return false;
}

static void use_threads(int threads) {
    (void)threads;
}

const char *cpu_blas_name(void) {
    return "";
}
#endif

struct contender cpu_naive_contender(void) {
    return (struct contender){
        .name = "cpu-naive", .kind = CONTENDER_CPU, .multiply = cpu_naive, .by_rows = true};
}

struct contender cpu_blas_contender(int threads, bool all) {
    struct contender c = {
        .kind = CONTENDER_CPU, .multiply = blas_multiply, .blas_threads = threads};
    snprintf(c.name, sizeof c.name, "%s", all ? "blas-all" : "blas-1");
    return c;
}

void cpu_describe(char *text, size_t size) {
    char line[256];
    FILE *in = fopen("/proc/cpuinfo", "r");
    text[0] = '\0';
    while (in && !text[0] && fgets(line, sizeof line, in)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0)
            continue;
        colon += strspn(colon, ": ");
        colon[strcspn(colon, "\n,\"")] = '\0';
        snprintf(text, size, "%s", colon);
    }
    if (in)
        fclose(in);
}

/* The matrices of one shape. */
struct job {
    const float *A, *B;
    float *C;
};

static double time_once(const struct cpu_lane *lane, const struct job *job, int rows) {
    const struct shape *s = &lane->result.shape;
    use_threads(lane->contender->blas_threads);
    double begin = timing_now();
    lane->contender->multiply(rows, s->n, s->k, job->A, job->B, job->C);
    return timing_now() - begin;
}

/* How many rows to compute each time: some three times must fit in the cap. */
static int choose_rows(const struct cpu_lane *lane, const struct job *job, double cap) {
    enum { PROBE = 4 };
    int m = lane->result.shape.m;
    if (!lane->contender->by_rows || m <= PROBE)
        return m;
    time_once(lane, job, PROBE); /* touches the memory */
    double row = time_once(lane, job, PROBE) / PROBE;
    double rows = cap / 4 / row; /* one is the warm-up */
    if (rows >= m)
        return m;
    return rows < PROBE ? PROBE : (int)rows;
}

static void begin_lane(struct cpu_lane *lane, const struct job *job, int launches, double cap,
                       cpu_judge *judge, const void *context) {
    struct result *r = &lane->result;
    r->timed_rows = choose_rows(lane, job, cap);
    fill_value(job->C, (size_t)r->shape.m * r->shape.n, NAN);
    double once = time_once(lane, job, r->timed_rows);
    judge(context, job->C, r);
    int fitting = once > 0 && cap / once < launches ? (int)(cap / once) : launches;
    lane->wanted = fitting < 1 ? 1 : fitting;
    lane->done = 0;
    lane->samples = malloc((size_t)lane->wanted * sizeof *lane->samples);
    if (!lane->samples) {
        fprintf(stderr, "bench: out of memory\n");
        exit(EXIT_FAILURE);
    }
}

static void end_lane(struct cpu_lane *lane, int launches, double cap) {
    struct result *r = &lane->result;
    r->time = stats_spread(lane->samples, lane->done);
    r->launches = lane->done;
    if (r->timed_rows < r->shape.m)
        snprintf(r->note, sizeof r->note, "scaled up from %d of %d rows", r->timed_rows,
                 r->shape.m);
    else if (lane->done < launches)
        snprintf(r->note, sizeof r->note, "fewer launches: cap of %g s", cap);
    free(lane->samples);
    lane->samples = NULL;
}

void cpu_time(struct cpu_lane *lanes, int count, const float *A, const float *B, float *C,
              int launches, double cap, cpu_judge *judge, const void *context) {
    const struct job job = {A, B, C};
    for (int i = 0; i < count; ++i)
        begin_lane(&lanes[i], &job, launches, cap, judge, context);
    for (int round = 0; round < launches; ++round) {
        for (int i = 0; i < count; ++i) {
            struct cpu_lane *lane = &lanes[i];
            if (lane->done == lane->wanted)
                continue;
            double share = (double)lane->result.timed_rows / lane->result.shape.m;
            lane->samples[lane->done++] = time_once(lane, &job, lane->result.timed_rows) / share;
        }
    }
    for (int i = 0; i < count; ++i)
        end_lane(&lanes[i], launches, cap);
}
