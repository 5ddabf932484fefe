/*
 * explore_largest.c: `labN largest [--memory MB]`.
 *
 * In theory three n x n float matrices fit while 12 n^2 is at most the device's memory. In practice
 * some of it is taken; the largest n for which three allocations succeed is searched by bisection.
 * Then the student's code computes a whole n x n matrix C: with a short k, since a whole product
 * would take minutes at such sizes, but with every element of C, whose index no longer fits in an
 * int: a kernel that computes indices in int goes wrong here and nowhere else.
 *
 * The virtual GPU's memory is this machine's. There the search stops at a part of what is free, and
 * the product is of a size that the simulator finishes in seconds: this command never takes the
 * memory that others need.
 */
#include "common/explore.h"
#include "common/explore_options.h"
#include "common/host_memory.h"
#include "common/timing.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

enum {
    /* On the virtual GPU: a share of the free memory, and no more than so many MB, if not told. */
    SIMULATED_SHARE = 8,
    SIMULATED_MB = 1024,
    SIMULATED_N = 1024,     /* largest C that is computed there, with k = 1 ... */
    SIMULATED_SQUARE = 256, /* ... and with k = n */
    CUBLAS_MB = 512,        /* what the library may want for itself */
    PLACES = 8,             /* elements of C that are looked at */
    PROBE = 1024,           /* a product of this size tells how fast the device is */
    SECONDS = 10            /* a product may take so long */
};

static void print_help(const struct explore *e) {
    printf(
        "Usage: lab%d largest [--memory MB]\n"
        "\n"
        "Finds the largest n for which three n x n float matrices fit in the device's memory, in\n"
        "theory and by trying, and computes a whole C of that size with a short k.\n"
        "\n"
        "  --memory MB  try up to this much (default: all of a GPU's; on the virtual GPU, whose\n"
        "               memory is this machine's, 1/%d of what is free, at most %d)\n",
        e->build->lab, SIMULATED_SHARE, SIMULATED_MB);
}

/* The largest n, a multiple of unit, with 12 n^2 <= bytes. */
static int largest_in(uint64_t bytes, int unit) {
    uint64_t n = (uint64_t)sqrt((double)bytes / 12);
    while (n > 0 && 12 * n * n > bytes)
        n--;
    while (12 * (n + 1) * (n + 1) <= bytes)
        n++;
    n -= n % (uint64_t)unit;
    return n > INT_MAX ? INT_MAX : (int)n;
}

static double gigabytes(double bytes) {
    return 1e-9 * bytes;
}

/* The largest n that can be allocated, from 0 to high. */
static enum run_status search(int high, int unit, int *largest, int *tries) {
    enum run_status status = RUN_CORRECT;
    int fits = 0, too_large = high / unit + 1; /* in units */
    int next = high / unit;                    /* the best may be possible: try it first */
    *tries = 0;
    while (too_large - fits > 1 && status == RUN_CORRECT) {
        ++*tries;
        if (device_fits(next * unit, &status))
            fits = next;
        else
            too_large = next;
        next = fits + (too_large - fits) / 2;
    }
    *largest = fits * unit;
    return status;
}

/* A k for which an n x n C takes a few seconds, at a rate measured with a small product. */
static enum run_status choose_k(const struct explore *e, int n, int *k) {
    *k = e->unit == 1 ? 1 : n;
    if (e->simulated)
        return RUN_CORRECT;
    int row = 0, wrong = 0;
    double seconds = 0;
    int probe = n < PROBE ? n : PROBE;
    enum run_status status = device_fill(probe, probe, 1, &row, &row, &wrong, &seconds);
    if (status == RUN_CORRECT) /* the first call loaded the code: the second one counts */
        status = device_fill(probe, probe, 1, &row, &row, &wrong, &seconds);
    if (status != RUN_CORRECT || e->unit > 1)
        return status;
    double whole = seconds * pow((double)n / probe, 3);
    double part = SECONDS / (whole > 0 ? whole : 1) * n;
    *k = part >= n ? n : part < 1 ? 1 : (int)part;
    return status;
}

/* Computes C, looks at its corners and where indices leave 31 and 32 bits. */
static enum run_status compute(const struct explore *e, int n) {
    int k, wrong = 0, count = 0;
    double seconds = 0;
    enum run_status status = choose_k(e, n, &k);
    if (status != RUN_CORRECT)
        return status;
    int row[PLACES] = {0, 0, n - 1, n - 1, n / 2};
    int col[PLACES] = {0, n - 1, 0, n - 1, n / 2};
    count = 5;
    for (int bits = 31; bits <= 33; ++bits)
        if (((uint64_t)1 << bits) < (uint64_t)n * (uint64_t)n) {
            row[count] = (int)(((uint64_t)1 << bits) / (uint64_t)n);
            col[count++] = (int)(((uint64_t)1 << bits) % (uint64_t)n);
        }
    status = device_fill(n, k, count, row, col, &wrong, &seconds);
    if (status != RUN_CORRECT)
        return status;
    char text[TIMING_TEXT];
    printf("\n%s with m = n = %d and k = %d: ", e->function, n, k);
    if (wrong > 0) {
        printf("%d of the %d elements looked at are wrong\n", wrong, count);
        printf("C has %" PRIu64 " elements; the largest int is 2147483647. Compute indices in "
               "size_t.\n",
               (uint64_t)n * (uint64_t)n);
        return RUN_WRONG;
    }
    printf("right in all %d places looked at, %s\n", count, timing_text(seconds, text));
    if (k < n && !e->simulated)
        printf("(at this rate the whole product, k = %d, takes %s)\n", n,
               timing_text(seconds * n / k, text));
    return RUN_CORRECT;
}

/* How far the search may go. */
static uint64_t limit_of(const struct explore *e, uint64_t total, uint64_t budget_mb) {
    uint64_t most = total;
    if (budget_mb > 0)
        most = budget_mb << 20;
    else if (e->simulated)
        most = (uint64_t)SIMULATED_MB << 20;
    if (e->simulated && most > host_memory_available() / SIMULATED_SHARE)
        most = host_memory_available() / SIMULATED_SHARE;
    return most < total ? most : total;
}

/* The size of C that is computed, where n can be allocated. */
static int size_to_compute(const struct explore *e, int n) {
    if (e->simulated && n > SIMULATED_N)
        printf("\nThe virtual GPU computes with a smaller n: large products take too long.\n");
    if (e->simulated) {
        int most = e->unit > 1 ? SIMULATED_SQUARE : SIMULATED_N; /* of square tiles: no short k */
        return n < most ? n : most;
    }
    uint64_t bytes = 12 * (uint64_t)n * (uint64_t)n, cublas = (uint64_t)CUBLAS_MB << 20;
    if (!e->build->cublas || bytes < 2 * cublas)
        return n;
    printf("  cuBLAS needs memory of its own: %d MB are left to it\n", CUBLAS_MB);
    return largest_in(bytes - cublas, 1);
}

static enum run_status run(struct explore *e, uint64_t budget_mb) {
    uint64_t total = 0, free_bytes = 0;
    enum run_status status = device_memory(&total, &free_bytes);
    if (status != RUN_CORRECT)
        return status;
    uint64_t most = limit_of(e, total, budget_mb);
    int theory = largest_in(total, e->unit), largest, tries;
    printf("The largest matrices on %s\n\n", e->device);
    printf("  memory of the device                 %15" PRIu64 " bytes\n", total);
    printf("  free now                             %15" PRIu64 " bytes\n", free_bytes);
    printf("  three n x n floats take 12 n^2 bytes, so in theory n = %d\n", theory);
    if (most < total)
        printf("  tried only up to %.2f GB%s\n", gigabytes((double)most),
               e->simulated ? ": the virtual GPU's memory is this machine's (--memory MB)" : "");
    status = search(largest_in(most, e->unit), e->unit, &largest, &tries);
    if (status != RUN_CORRECT)
        return status;
    if (largest == 0) {
        fprintf(stderr, "even three matrices of %d x %d cannot be allocated\n", e->unit, e->unit);
        return RUN_MACHINE;
    }
    printf("  allocated in practice                n = %d (%.2f GB, %d tr%s)\n", largest,
           gigabytes(12.0 * largest * largest), tries, tries == 1 ? "y" : "ies");
    if (most == total && largest < theory)
        printf("  the rest, %.2f GB, belongs to the driver and other programs, or is in pieces\n",
               gigabytes((double)total - 12.0 * largest * largest));
    largest = size_to_compute(e, largest);
    fflush(stdout);
    return compute(e, largest);
}

enum run_status explore_largest(struct explore *e, int argc, char **argv) {
    uint64_t budget = 0;
    const struct explore_option options[] = {
        {.name = "--memory", .number = &budget, .low = 1, .high = 1 << 24},
    };
    bool help;
    int operands;
    char error[EXPLORE_ERROR];
    if (!explore_parse(argc, argv, options, 1, &help, NULL, 0, &operands, error))
        return explore_refuse(e, "largest", error);
    if (help) {
        print_help(e);
        return RUN_CORRECT;
    }
    if (e->on_cpu)
        return explore_refuse(
            e, "largest", "this lab computes on the CPU: use one whose kernels run on a device");
    enum run_status status = explore_need_device(e);
    return status == RUN_CORRECT ? run(e, budget) : status;
}
