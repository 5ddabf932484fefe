/*
 * compare.h: one product by each of a student's labs, side by side: ./grader --compare.
 *
 * A row is a lab: whether its product is right, what its kernels did on the virtual GPU, how
 * long it took on a GPU or, in plain C, on a core of the CPU; and beside it what the course's
 * sources print for such a kernel (common/printed.tsv). It is no grade: nothing here has points.
 *
 *     compare.c       rows, ratios, the printed figures     compare_text.c   the table
 *     compare_json.c  the same for programs                 compare_page.c   as a page, with bars
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"
#include "grading/src/lab/work.h"
#include "grading/src/run/context.h"

/* The sides of the products that are counted, and timed. The sources time 1024, too. */
enum { COMPARE_SIDE_COUNTED = 256, COMPARE_SIDE_TIMED = 1024 };

enum compare_state {
    COMPARE_NO_FILE, /* this person has none of the lab */
    COMPARE_REFUSED, /* it does not compile, or is refused in another way */
    COMPARE_UNKNOWN, /* the machine's fault: `why` says it */
    COMPARE_RAN,
};

struct compare_row {
    const struct lab_spec *lab;
    char *file; /* as messages show it; owned */
    enum compare_state state;
    enum verdict verdict; /* COMPARE_RAN */
    bool unwritten;       /* nothing of C was written: a lab that nobody has begun */
    char *why;            /* of anything but a right product, one line; owned; or NULL */
    bool counted;         /* the numbers below were counted, in m = n = k = side_counted */
    int side_counted;     /* COMPARE_SIDE_COUNTED, or the next multiple of the lab's tile */
    double madds;         /* multiply-adds, of kernels and of cuBLAS */
    bool library;         /* cuBLAS computed: what it moves is not seen */
    double bytes;         /* moved between global memory and the chip: 32 a transaction */
    double transactions_a_madd;
    uint64_t nanoseconds; /* of a product of side_timed; 0: not measured */
    int side_timed;
    char *device; /* that it was timed on; owned; NULL: not timed */
};

/* What a source prints: durations, in seconds, by kernel. */
struct compare_printed {
    char *size, *device; /* of C; "" where it does not say */
    double seconds[4];   /* by enum compare_kernel; 0: not printed */
};

/* What a lab's product is called there. */
enum compare_kernel { COMPARE_CPU, COMPARE_NAIVE, COMPARE_TILED, COMPARE_CUBLAS, COMPARE_OTHER };
enum { COMPARE_KERNELS = COMPARE_OTHER, COMPARE_MOST_PRINTED = 4 };

struct compare {
    struct compare_row *row; /* owned; by the lab's number */
    size_t rows;
    struct compare_printed printed[COMPARE_MOST_PRINTED];
    size_t sources;
    uint64_t seed;
    const char *gpu; /* the GPU that answers; NULL: none */
};

enum compare_kernel compare_kernel(const struct lab_spec *lab);

/* Reads ROOT/common/printed.tsv. False, with the line, when it is not as it should be. */
bool compare_read_printed(struct compare *c, const char *root, struct text *why);

/* Fills in what was counted in one call of a right product. */
void compare_count(struct compare_row *row, const struct work *work, struct shape shape);

/* How many times faster than the CPU's, lab 1's, a row's product is; NaN without both times. */
double compare_times_cpu(const struct compare *c, const struct compare_row *row);
/* The same in a source; NaN where it prints no such kernel. */
double compare_printed_times_cpu(const struct compare_printed *p, enum compare_kernel kernel);

/* What the table says of a row: "pass", "wrong answer", "not compiled", "no file" ... */
const char *compare_verdict(const struct compare_row *row);
/* Is a product of this row to be looked at beside others? */
bool compare_is_right(const struct compare_row *row);

/* For lines of so many columns. */
void compare_text(struct text *t, const struct compare *c, int columns);
void compare_json(struct text *t, const struct compare *c);
void compare_page(struct text *t, const struct compare *c);

void compare_free(struct compare *c);
