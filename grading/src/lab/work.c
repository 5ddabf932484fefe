/* work.c: the names of counts, and what is computed from them (see work.h). */
#include "grading/src/lab/work.h"

#include "grading/src/lab/cases.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
} counts[WORK_COUNT] = {
#define ITEM(capitals, name, meaning)          [WORK_##capitals] = {#name, meaning},
#define COUNTER(capitals, name, unit, meaning) ITEM(capitals, name, meaning)
    WORK_DONE_LIST(ITEM) VGPU_COUNTER_LIST(COUNTER) WORK_LEFT_LIST(ITEM)
#undef COUNTER
#undef ITEM
};

static double count(const struct work *w, enum work_item item) {
    return (double)w->of[item];
}

static double ratio(double a, double b) {
    return b == 0 ? NAN : a / b;
}

static double madds(const struct shape *s) {
    return (double)s->m * (double)s->n * (double)s->k;
}

static double load_sectors_per_request(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_GLOBAL_LOAD_SECTORS), count(w, WORK_GLOBAL_LOAD_REQUESTS));
}

static double store_sectors_per_request(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_GLOBAL_STORE_SECTORS), count(w, WORK_GLOBAL_STORE_REQUESTS));
}

static double store_bytes_per_request(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_GLOBAL_STORE_BYTES), count(w, WORK_GLOBAL_STORE_REQUESTS));
}

/* A warp's load of one float each asks for 128 bytes. In these terms a wide load, of a float4 each,
 * is as good as four narrow ones. */
static double load_sectors_per_128_bytes(const struct work *w, const struct shape *s) {
    (void)s;
    return 128.0 * ratio(count(w, WORK_GLOBAL_LOAD_SECTORS), count(w, WORK_GLOBAL_LOAD_BYTES));
}

static double store_sectors_per_128_bytes(const struct work *w, const struct shape *s) {
    (void)s;
    return 128.0 * ratio(count(w, WORK_GLOBAL_STORE_SECTORS), count(w, WORK_GLOBAL_STORE_BYTES));
}

/* A coalesced kernel without tiles, lab 2's: each warp computes 32 neighbours of one row and reads,
 * for every p, one sector of A, which all its lanes share, and four of B. */
static double naive_sectors(const struct shape *s) {
    return (double)s->m * ceil(s->n / 32.0) * (double)s->k * (1.0 + 4.0);
}

static double load_bytes_per_request(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_GLOBAL_LOAD_BYTES), count(w, WORK_GLOBAL_LOAD_REQUESTS));
}

static double scattered_loads(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_SCATTERED_LOAD_BYTES), count(w, WORK_GLOBAL_LOAD_BYTES));
}

static double load_reuse(const struct work *w, const struct shape *s) {
    return ratio(naive_sectors(s),
                 count(w, WORK_GLOBAL_LOAD_SECTORS) + count(w, WORK_GLOBAL_ATOMIC_SECTORS));
}

static double stores_per_element(const struct work *w, const struct shape *s) {
    return (count(w, WORK_GLOBAL_STORE_BYTES) + count(w, WORK_GLOBAL_ATOMIC_BYTES)) /
           (4.0 * s->m * s->n);
}

static double elements_per_thread(const struct work *w, const struct shape *s) {
    /* Threads that do nothing, in this launch or in one beside it, share no work: so warps count by
     * what they load. */
    const double loads = count(w, WORK_GLOBAL_LOAD_REQUESTS) + count(w, WORK_SHARED_LOAD_REQUESTS);
    return ratio((double)s->m * s->n, 32 * ratio(loads, count(w, WORK_LOADS_EACH)));
}

/* Where several launches, or atomics, make up C, an element may be stored for each part of its
 * sum. */
static double stores_without_parts(const struct work *w, const struct shape *s) {
    const bool parts = count(w, WORK_LAUNCHES) > 1 || count(w, WORK_GLOBAL_ATOMIC_BYTES) > 0;
    return parts ? 0 : stores_per_element(w, s);
}

/* Whatever parts of k the threads have, each stores the elements of its tile once. */
static double stores_per_thread(const struct work *w, const struct shape *s) {
    return stores_per_element(w, s) * elements_per_thread(w, s);
}

static double shared_store_conflicts_per_request(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_SHARED_STORE_CONFLICTS), count(w, WORK_SHARED_STORE_REQUESTS));
}

static double shared_conflicts_per_request(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_SHARED_LOAD_CONFLICTS) + count(w, WORK_SHARED_STORE_CONFLICTS),
                 count(w, WORK_SHARED_LOAD_REQUESTS) + count(w, WORK_SHARED_STORE_REQUESTS));
}

/* What further stores, that collide with nothing, make no smaller. */
static double shared_store_conflicts_per_copy(const struct work *w, const struct shape *s) {
    (void)s;
    return 128.0 * ratio(count(w, WORK_SHARED_STORE_CONFLICTS), count(w, WORK_GLOBAL_LOAD_BYTES));
}

static double shared_requests_per_madd(const struct work *w, const struct shape *s) {
    return 32.0 * count(w, WORK_SHARED_LOAD_REQUESTS) / madds(s);
}

static double shared_bytes_per_madd(const struct work *w, const struct shape *s) {
    return (count(w, WORK_SHARED_LOAD_BYTES) + count(w, WORK_SHARED_ATOMIC_BYTES)) / madds(s);
}

/* Multiply-adds that threads execute, also on elements outside C: a small C is mostly edge. */
static double executed(const struct work *w) {
    return count(w, WORK_FLOPS) / 2;
}

static double shared_bytes_per_fma(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_SHARED_LOAD_BYTES) + count(w, WORK_SHARED_ATOMIC_BYTES),
                 executed(w));
}

static double shared_words_per_fma(const struct work *w, const struct shape *s) {
    (void)s;
    return 32 * ratio(count(w, WORK_SHARED_LOAD_WORDS), executed(w));
}

/* The narrower a warp's tile, the more different words its lanes read for as many products. */
static double shared_words_apart(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(4 * count(w, WORK_SHARED_LOAD_WORDS), count(w, WORK_SHARED_LOAD_BYTES));
}

/* What extra reads of the same words make no smaller. */
static double shared_words_per_madd(const struct work *w, const struct shape *s) {
    return 32 * count(w, WORK_SHARED_LOAD_WORDS) / madds(s);
}

static double shared_store_bytes_per_madd(const struct work *w, const struct shape *s) {
    return (count(w, WORK_SHARED_STORE_BYTES) + count(w, WORK_SHARED_ATOMIC_BYTES)) / madds(s);
}

/* Both sides' bytes; copies in the background are both a load and a store. */
static double shared_filled(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_SHARED_STORE_BYTES), count(w, WORK_GLOBAL_LOAD_BYTES));
}

static double local_bytes_per_madd(const struct work *w, const struct shape *s) {
    return (count(w, WORK_LOCAL_LOAD_BYTES) + count(w, WORK_LOCAL_STORE_BYTES)) / madds(s);
}

static double pinned_bytes_per_madd(const struct work *w, const struct shape *s) {
    return count(w, WORK_LOCAL_PINNED_BYTES) / madds(s);
}

static double const_bytes_per_madd(const struct work *w, const struct shape *s) {
    return count(w, WORK_CONST_MOVING_BYTES) / madds(s);
}

static double global_bytes_per_madd(const struct work *w, const struct shape *s) {
    return 32.0 * count(w, WORK_GLOBAL_LOAD_SECTORS) / madds(s);
}

static double global_loads_per_madd(const struct work *w, const struct shape *s) {
    return count(w, WORK_GLOBAL_LOAD_BYTES) / (4.0 * madds(s));
}

static double device_flops(const struct work *w, const struct shape *s) {
    return count(w, WORK_FLOPS) / (2.0 * madds(s));
}

static double tensor_flops(const struct work *w, const struct shape *s) {
    return count(w, WORK_FLOPS_MMA) / (2.0 * madds(s));
}

/* What float instructions do beside them. A product that they compute has 1 or more; splitting
 * factors and adding up totals takes little. */
static double float_flops(const struct work *w, const struct shape *s) {
    return (count(w, WORK_FLOPS) - count(w, WORK_FLOPS_MMA)) / (2.0 * madds(s));
}

/* cp.async counts among the loads from global memory, too. */
static double async_share(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_ASYNC_COPIES), count(w, WORK_GLOBAL_LOAD_REQUESTS));
}

static double async_overlap(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_OVERLAPPED_LOAD_BYTES), count(w, WORK_SHARED_LOAD_BYTES));
}

static double async_brought(const struct work *w, const struct shape *s) {
    (void)s;
    return ratio(count(w, WORK_BROUGHT_LOAD_BYTES), count(w, WORK_SHARED_LOAD_BYTES));
}

static double host_share(const struct work *w, const struct shape *s) {
    return count(w, WORK_HOST_ELEMENTS) / ((double)s->m * s->n);
}

static double shared_operands(const struct work *w, const struct shape *s) {
    (void)s;
    return count(w, WORK_SHARED_THOUSANDTHS) / 1000;
}

static double shared_alike(const struct work *w, const struct shape *s) {
    (void)s;
    return count(w, WORK_SHARED_ALIKE) / 1000;
}

static double gemm_work(const struct work *w, const struct shape *s) {
    return count(w, WORK_GEMM_MADDS) / madds(s);
}

static double other_blas_calls(const struct work *w, const struct shape *s) {
    (void)s;
    return count(w, WORK_BLAS_CALLS) - count(w, WORK_GEMM_CALLS);
}

static const struct {
    const char *name, *meaning;
    double (*value)(const struct work *w, const struct shape *s);
} derived[] = {
    {"load_sectors_per_request", "32-byte sectors that a warp's load from global memory touches",
     load_sectors_per_request},
    {"store_sectors_per_request", "32-byte sectors that a warp's store to global memory touches",
     store_sectors_per_request},
    {"store_bytes_per_request", "bytes that a warp's store to global memory writes: 128 of floats",
     store_bytes_per_request},
    {"load_sectors_per_128_bytes",
     "32-byte sectors touched for each 128 bytes that threads load from global memory",
     load_sectors_per_128_bytes},
    {"store_sectors_per_128_bytes",
     "32-byte sectors touched for each 128 bytes that threads store to global memory",
     store_sectors_per_128_bytes},
    {"load_bytes_per_request",
     "bytes that the threads of a warp ask for in one load from global memory",
     load_bytes_per_request},
    {"scattered_loads",
     "share of the bytes from global memory that warps load from over twice the sectors that "
     "neighbours touch",
     scattered_loads},
    {"load_reuse", "times fewer sectors loaded than a coalesced kernel without tiles loads",
     load_reuse},
    {"stores_per_element", "stores to global memory, and atomics, for each element of C",
     stores_per_element},
    {"elements_per_thread", "elements of C for each thread of the warps that work",
     elements_per_thread},
    {"stores_without_parts",
     "stores for each element of C, where one launch without atomics computes it; else 0",
     stores_without_parts},
    {"stores_per_thread",
     "floats that a thread of the warps that work stores to global memory, atomics too",
     stores_per_thread},
    {"shared_conflicts_per_request", "bank conflicts for each request to shared memory",
     shared_conflicts_per_request},
    {"shared_store_conflicts_per_request", "bank conflicts for each store to shared memory",
     shared_store_conflicts_per_request},
    {"shared_store_conflicts_per_copy",
     "bank conflicts of stores to shared memory, for each 128 bytes loaded from global memory",
     shared_store_conflicts_per_copy},
    {"shared_requests_per_madd", "lanes' shared-memory loads for each multiply-add",
     shared_requests_per_madd},
    {"shared_bytes_per_madd",
     "bytes read from shared memory, by atomics too, for each multiply-add", shared_bytes_per_madd},
    {"shared_bytes_per_fma",
     "bytes read from shared memory for each multiply-add that is executed, outside C, too",
     shared_bytes_per_fma},
    {"shared_words_per_fma",
     "different words that warps' loads from shared memory read, for 32 multiply-adds that are "
     "executed",
     shared_words_per_fma},
    {"shared_words_apart",
     "different words that a warp's load from shared memory reads, for each word that a lane asks "
     "for",
     shared_words_apart},
    {"shared_words_per_madd",
     "different words that warps' loads from shared memory read, for 32 multiply-adds",
     shared_words_per_madd},
    {"shared_store_bytes_per_madd",
     "bytes stored to shared memory, by atomics too, for each multiply-add",
     shared_store_bytes_per_madd},
    {"shared_filled",
     "bytes stored to shared memory, for each byte that threads load from global memory",
     shared_filled},
    {"host_share", "share of C on the host that did not come from the device in this call",
     host_share},
    {"shared_operands",
     "operands of a multiplication that came through shared memory, of two: by how much C changes "
     "when what is read there is doubled",
     shared_operands},
    {"shared_alike",
     "share of C's elements for which as many operands came through shared memory as for most",
     shared_alike},
    {"local_bytes_per_madd", "bytes of local memory loaded and stored for each multiply-add",
     local_bytes_per_madd},
    {"pinned_bytes_per_madd",
     "bytes of local memory for each multiply-add that no compiler keeps in registers",
     pinned_bytes_per_madd},
    {"const_bytes_per_madd",
     "bytes loaded from constant memory for each multiply-add, without sizes and factors, which "
     "stay where they are",
     const_bytes_per_madd},
    {"global_bytes_per_madd", "bytes loaded from global memory for each multiply-add",
     global_bytes_per_madd},
    {"global_loads_per_madd",
     "elements that threads load from global memory for each multiply-add, whoever shares the load",
     global_loads_per_madd},
    {"device_flops", "operations of kernels, over the 2 m n k of the product", device_flops},
    {"tensor_flops", "operations of tensor cores, over the 2 m n k of the product", tensor_flops},
    {"float_flops", "operations other than tensor cores', over the 2 m n k of the product",
     float_flops},
    {"async_share",
     "share of the warps' loads from global memory that are copies in the background", async_share},
    {"async_overlap",
     "share of the bytes from shared memory that are loaded while copies are on their way",
     async_overlap},
    {"async_brought", "share of the bytes from shared memory that such copies brought behind work",
     async_brought},
    {"other_blas_calls", "cuBLAS calls that compute something other than a product",
     other_blas_calls},
    {"gemm_work", "multiply-adds of cuBLAS products, over the m n k of the product", gemm_work},
};
static const size_t derived_count = sizeof derived / sizeof *derived;

static int find_count(const char *name) {
    for (int i = 0; i < WORK_COUNT; i++)
        if (strcmp(counts[i].name, name) == 0)
            return i;
    return -1;
}

static int find_derived(const char *name) {
    for (size_t i = 0; i < derived_count; i++)
        if (strcmp(derived[i].name, name) == 0)
            return (int)i;
    return -1;
}

const char *quantity_name(int i) {
    if (i < WORK_COUNT)
        return i < 0 ? NULL : counts[i].name;
    return (size_t)(i - WORK_COUNT) < derived_count ? derived[i - WORK_COUNT].name : NULL;
}

bool quantity_known(const char *name) {
    return find_count(name) >= 0 || find_derived(name) >= 0;
}

bool quantity_of_host(const char *name) {
    static const enum work_item of_host[] = {
#define OF_HOST(capitals, name, meaning) WORK_##capitals,
        WORK_DONE_LIST(OF_HOST)
#undef OF_HOST
    };
    const int c = find_count(name);
    for (size_t i = 0; i < sizeof of_host / sizeof *of_host; i++)
        if (c == (int)of_host[i])
            return true;
    return strcmp(name, "gemm_work") == 0 || strcmp(name, "other_blas_calls") == 0;
}

double quantity_value(const char *name, const struct work *w, const struct shape *s) {
    const int c = find_count(name), d = find_derived(name);
    return c >= 0 ? (double)w->of[c] : d >= 0 ? derived[d].value(w, s) : NAN;
}

const char *quantity_meaning(const char *name) {
    const int c = find_count(name), d = find_derived(name);
    return c >= 0 ? counts[c].meaning : d >= 0 ? derived[d].meaning : name;
}
