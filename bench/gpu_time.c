/*
 * gpu_time.c: one shape: every contender is checked, and then all are timed in turns.
 *
 *     round 1                                round 2
 *     lab4  cublas  ...  lab2                cublas  lab2  ...  lab4               ...
 *     wTTTTT                                 wTTTTT
 *
 * In its turn a contender makes a burst of launches: one that is not timed (w), so that it finds
 * the caches as it leaves them, and five that are (T), each between two events of its own. Whatever
 * drifts during the run, a clock that falls as the chip grows warm, so touches all of them alike.
 * Slow products go one at a time.
 *
 * The order of a round is drawn anew. At its limit of power the chip slows down what follows the
 * contender that takes most, and nobody should always come next.
 *
 * The device must not wait for the host between two events. So a kernel that only waits
 * (kernel_hold) goes ahead of a burst of short launches, and the whole burst is queued while it
 * runs.
 *
 * Emptying the caches (--cold) takes writing a buffer of four times the L2's size before each
 * launch.
 */
#include "bench/cpu.h"
#include "bench/gpu.h"

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/matrix.h"
#include "common/reference.h"
#include "common/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BURST = 5, FEWEST = 3 };

static const double slow_seconds = 10e-3; /* from here on a burst is one launch */
static const double short_seconds = 1e-3; /* below, a burst is queued behind kernel_hold */

/* One contender's part in a shape. */
struct lane {
    const struct contender *contender;
    int tag;
    struct result result;
    double *samples;
    int done, wanted;
    double once; /* roughly, seconds of one launch */
};

struct events {
    cudaEvent_t begin[BURST], end[BURST];
};

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "bench-gpu: out of memory\n");
        exit(STATUS_NOTHING);
    }
    return memory;
}

/* ---- One burst ---- */

void contender_finish(const struct gpu_bench *b, const struct contender *c, struct shape s) {
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaGetLastError();
    if (status == cudaSuccess)
        return;
    fflush(stdout);
    fprintf(stderr, "bench-gpu: %s at %d x %d x %d failed: %s (%d)\n", c->name, s.m, s.n, s.k,
            cudaGetErrorString(status), (int)status);
    if (b->options.csv && b->results.count)
        fprintf(stderr, "bench-gpu: the shapes before are in %s\n", b->options.csv);
    exit(STATUS_FAILED);
}

static void multiply(const struct gpu_bench *b, const struct lane *lane, const struct product *p) {
    contender_run(b, lane->contender, p->shape, p->A, p->B, p->C);
}

/* Launches `count` times and keeps the durations. */
static void burst(struct gpu_bench *b, struct lane *lane, const struct product *p, struct events *e,
                  int count) {
    clocks_tag(b->clocks, lane->tag);
    if (lane->once < short_seconds)
        kernel_hold(b->hold);
    if (!b->options.cold && lane->once < slow_seconds)
        multiply(b, lane, p);
    for (int i = 0; i < count; ++i) {
        if (b->options.cold)
            CUDA_CHECK(cudaMemsetAsync(b->flush, lane->done + i, b->flush_bytes, 0));
        CUDA_CHECK(cudaEventRecord(e->begin[i], 0));
        multiply(b, lane, p);
        CUDA_CHECK(cudaEventRecord(e->end[i], 0));
    }
    contender_finish(b, lane->contender, p->shape);
    clocks_tag(b->clocks, -1);
    for (int i = 0; i < count; ++i) {
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, e->begin[i], e->end[i]));
        lane->samples[lane->done++] = 1e-3 * (double)milliseconds;
    }
}

/* ---- A shape ---- */

/* The first launch: is the product right, and how long does it take? */
static void first_launches(struct gpu_bench *b, struct lane *lane, const struct product *p,
                           struct events *e) {
    const struct contender *c = lane->contender;
    float milliseconds = 0;
    product_poison(p);
    multiply(b, lane, p);
    contender_finish(b, c, p->shape);
    product_check(p, p->shape.m, contender_bound(c, p->shape.k), &lane->result);
    if (lane->result.verdict == VERDICT_WRONG)
        return; /* a wrong product has no speed */

    CUDA_CHECK(cudaEventRecord(e->begin[0], 0));
    multiply(b, lane, p);
    CUDA_CHECK(cudaEventRecord(e->end[0], 0));
    contender_finish(b, c, p->shape);
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, e->begin[0], e->end[0]));
    lane->once = 1e-3 * (double)milliseconds;
    double fitting = b->options.cap / fmax(lane->once, 1e-9);
    lane->wanted = fitting >= b->options.launches ? b->options.launches
                   : fitting < FEWEST             ? FEWEST
                                                  : (int)fitting;
    if (lane->wanted > b->options.launches)
        lane->wanted = b->options.launches;
    lane->samples = allocate((size_t)lane->wanted, sizeof *lane->samples);
}

/* One round: a burst of each, in an order that `order` draws. The last one's product is checked
 * again: what is timed must be right, too. Returns whether there is more to do. */
static bool round_of(struct gpu_bench *b, struct lane *lanes, int count, const struct product *p,
                     struct events *e, struct generator *order) {
    bool more = false;
    for (int i = 0; i < count; ++i) {
        int other = i + (int)(generator_next(order) % (uint64_t)(count - i));
        struct lane swap = lanes[i];
        lanes[i] = lanes[other];
        lanes[other] = swap;
        struct lane *lane = &lanes[i];
        int left = lane->wanted - lane->done;
        int now = lane->once < slow_seconds ? BURST : 1;
        if (left <= 0)
            continue;
        if (now >= left)
            product_poison(p);
        burst(b, lane, p, e, now < left ? now : left);
        if (now >= left)
            product_check(p, p->shape.m, contender_bound(lane->contender, p->shape.k),
                          &lane->result);
        more = more || lane->done < lane->wanted;
    }
    return more;
}

static void finish_lane(struct gpu_bench *b, struct lane *lane) {
    struct result *r = &lane->result;
    if (r->verdict == VERDICT_RIGHT) {
        r->time = stats_spread(lane->samples, lane->done);
        r->launches = lane->done;
        r->clock_mhz = clocks_median(b->clocks, lane->tag);
        if (lane->contender->rounds_inputs)
            r->verdict = VERDICT_NOT_FP32;
        if (lane->done < b->options.launches)
            snprintf(r->note, sizeof r->note, "fewer launches: cap of %g s", b->options.cap);
        else if (lane->contender->own_bound)
            snprintf(r->note, sizeof r->note, "by its own bound");
    }
    results_add(&b->results, r);
    free(lane->samples);
}

/* ---- On the CPU, and between CPU and GPU ---- */

static void judge_cpu(const void *context, const float *C, struct result *r) {
    const struct product *p = context;
    size_t bytes = (size_t)r->shape.m * r->shape.n * sizeof(float);
    CUDA_CHECK(cudaMemcpy(p->C, C, bytes, cudaMemcpyHostToDevice));
    product_check(p, r->timed_rows, compare_gamma(r->shape.k), r);
}

/* The CPU's contenders multiply copies of the same A and B; the device judges a copy of their C. */
static void time_cpu(struct gpu_bench *b, const struct product *p, const char *set) {
    struct shape s = p->shape;
    size_t bytes_A = (size_t)s.m * s.k * sizeof(float);
    size_t bytes_B = (size_t)s.k * s.n * sizeof(float);
    size_t bytes_C = (size_t)s.m * s.n * sizeof(float);
    float *A = allocate(1, bytes_A);
    float *B = allocate(1, bytes_B);
    float *C = allocate(1, bytes_C);
    CUDA_CHECK(cudaMemcpy(A, p->A, bytes_A, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(B, p->B, bytes_B, cudaMemcpyDeviceToHost));

    struct cpu_lane lanes[CONTENDERS + 3];
    int count = 0;
    for (int i = 0; i < b->contenders; ++i)
        if (b->contender[i].kind == CONTENDER_CPU)
            lanes[count++] =
                (struct cpu_lane){.contender = &b->contender[i],
                                  .result = result_start(set, b->contender[i].name, s)};
    cpu_time(lanes, count, A, B, C, b->options.launches, b->options.cap, judge_cpu, p);
    for (int i = 0; i < count; ++i)
        results_add(&b->results, &lanes[i].result);

    struct result r = result_start(set, "transfers", s);
    double *samples = allocate((size_t)b->options.launches, sizeof *samples);
    for (int i = 0; i < b->options.launches; ++i) {
        double begin = timing_now();
        CUDA_CHECK(cudaMemcpy(p->A, A, bytes_A, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(p->B, B, bytes_B, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(C, p->C, bytes_C, cudaMemcpyDeviceToHost));
        samples[i] = timing_now() - begin;
    }
    r.time = stats_spread(samples, b->options.launches);
    r.launches = b->options.launches;
    snprintf(r.note, sizeof r.note, "A and B in and C out; pageable memory");
    results_add(&b->results, &r);
    free(samples);
    free(A);
    free(B);
    free(C);
}

/* ---- All ---- */

/* A set that asks for the ratio of naive and tiled needs these and cuBLAS only. */
static bool takes_part(const struct contender *c, const struct shape_set *set) {
    if (c->kind == CONTENDER_CPU)
        return false;
    return !set->ratio || c->kind == CONTENDER_CUBLAS || c->ratio;
}

static void not_run(struct gpu_bench *b, const struct shape_set *set, struct shape s) {
    for (int i = 0; i < b->contenders; ++i) {
        if (!takes_part(&b->contender[i], set))
            continue;
        struct result r = result_start(set->name, b->contender[i].name, s);
        r.verdict = VERDICT_NOT_RUN;
        snprintf(r.note, sizeof r.note, "not enough device memory");
        results_add(&b->results, &r);
    }
}

static void time_lanes(struct gpu_bench *b, const struct shape_set *set, const struct product *p) {
    struct lane lanes[CONTENDERS + 3];
    struct events e;
    int count = 0;
    for (int i = 0; i < BURST; ++i) {
        CUDA_CHECK(cudaEventCreate(&e.begin[i]));
        CUDA_CHECK(cudaEventCreate(&e.end[i]));
    }
    clocks_next_shape(b->clocks);
    for (int i = 0; i < b->contenders; ++i) {
        const struct contender *c = &b->contender[i];
        if (!takes_part(c, set) || !contender_takes(c, p->shape))
            continue;
        lanes[count] = (struct lane){
            .contender = c, .tag = i, .result = result_start(set->name, c->name, p->shape)};
        lanes[count].result.cold = b->options.cold;
        first_launches(b, &lanes[count], p, &e);
        count++;
    }
    struct generator order = generator_start(b->options.seed, 3);
    while (round_of(b, lanes, count, p, &e, &order)) {
    }
    for (int i = 0; i < b->contenders; ++i)
        for (int j = 0; j < count; ++j)
            if (lanes[j].tag == i)
                finish_lane(b, &lanes[j]);
    for (int i = 0; i < BURST; ++i) {
        CUDA_CHECK(cudaEventDestroy(e.begin[i]));
        CUDA_CHECK(cudaEventDestroy(e.end[i]));
    }
}

void time_shape(struct gpu_bench *b, const struct shape_set *set, struct shape s) {
    struct product p;
    int first = b->results.count;
    if (product_open(&p, s, b->options.seed, b->cublas, b->double_gflops)) {
        time_lanes(b, set, &p);
        if (set->cpu && !b->options.no_cpu)
            time_cpu(b, &p, set->name);
        product_close(&p);
    } else {
        not_run(b, set, s);
    }
    results_relate(&b->results, first, b->machine.peak_gflops);
    clocks_describe(b->clocks, &b->machine);
}

/* ---- Trying ---- */

/* Integers of up to 16 bits in A, and -1, 0 and 1 in B: exact in float32, wrong with inputs of 11
 * bits. */
bool try_exact(const struct gpu_bench *b, const struct contender *c) {
    enum { ANY = 96 };
    const int N = c->multiple != 0 ? c->multiple : ANY;
    const size_t count = (size_t)N * N;
    const struct shape s = {N, N, N};
    float *A = allocate(3 * count, sizeof *A);
    double *want = allocate(count, sizeof *want);
    float *device;
    struct generator g = generator_start(b->options.seed, 2);
    int range = exact_wide_range(N);
    fill_integers(A, count, -range, range, &g);
    fill_integers(A + count, count, -1, 1, &g);
    int error = reference_product(N, N, N, A, A + count, want, REFERENCE_OWN, 1);

    CUDA_CHECK(cudaMalloc((void **)&device, 3 * count * sizeof *A));
    CUDA_CHECK(cudaMemcpy(device, A, 2 * count * sizeof *A, cudaMemcpyHostToDevice));
    contender_run(b, c, s, device, device + count, device + 2 * count);
    contender_finish(b, c, s);
    CUDA_CHECK(cudaMemcpy(A, device + 2 * count, count * sizeof *A, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device));
    bool equal = !error && compare_exact(N, N, A, want).wrong == 0;
    free(A);
    free(want);
    return equal;
}

bool try_contender(struct gpu_bench *b, const struct contender *c) {
    static const struct shape shapes[] = {{32, 32, 32},  {256, 256, 256}, {1, 1, 1},
                                          {33, 65, 129}, {1, 300, 40},    {300, 1, 40}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        struct product p;
        struct shape s = shapes[i];
        struct result r = result_start("try", c->name, s);
        if (!contender_takes(c, s) ||
            !product_open(&p, s, b->options.seed, b->cublas, b->double_gflops))
            continue;
        product_poison(&p);
        contender_run(b, c, s, p.A, p.B, p.C);
        contender_finish(b, c, s);
        product_check(&p, s.m, contender_bound(c, s.k), &r);
        product_close(&p);
        if (r.verdict == VERDICT_WRONG) {
            fprintf(stderr, "bench-gpu: %s is wrong at %d x %d x %d, in %llu elements\n", c->name,
                    s.m, s.n, s.k, (unsigned long long)r.wrong);
            return false;
        }
    }
    return true;
}
