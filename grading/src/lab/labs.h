/*
 * labs.h: the labs there are, and the words cases are made of.
 *
 * A lab is a list of cases; a case is one or more calls of one function, made in a process of their
 * own, that all have to be right. All of it is data: labs/labN-WORDS/lab.cfg says what the lab is
 * (here), and what is graded (rubric.h). The folder's name gives number and name.
 */
#pragma once

#include "common/compare.h"
#include "common/lab_product.h"
#include "common/matrix.h"
#include "grading/src/lab/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* How m, n and k are drawn. All but the first are random within their class. */
enum shape_class {
    SHAPE_ONE,        /* 1 x 1 x 1 */
    SHAPE_TILE,       /* exactly one tile each way */
    SHAPE_TILES,      /* square, 2 to 4 tiles a side */
    SHAPE_MORE_TILES, /* square, 8 or 9 tiles a side: sizes no longer fit in a byte */
    SHAPE_TILE_MINUS, /* one element short of one or two tiles, each side on its own */
    SHAPE_TILE_PLUS,  /* one element more than one or two tiles, each side on its own */
    SHAPE_SQUARE,     /* square, not a multiple of the tile */
    SHAPE_RAGGED,     /* all different, none a multiple of 16, several tiles each */
    SHAPE_ROW,        /* m = 1 */
    SHAPE_COLUMN,     /* n = 1 */
    SHAPE_OUTER,      /* k = 1 */
    SHAPE_PRIME,      /* three different primes */
    SHAPE_THIN,       /* long in one direction, a few elements in the others */
    SHAPE_LARGER,     /* like ragged, 8 to 10 tiles: no size fits in a byte, no index in two */
    SHAPE_BLOCKS,     /* whole blocks: m and n differ, 2 to 4 of the lab's blocks; k 4 to 8 tiles */
    /* 10 or 11 of the lab's blocks down, 20 across, up to a quarter of one more; k 8 to 16 */
    SHAPE_MANY_BLOCKS,
    SHAPE_LONG_M, /* m from 33,000 to 65,000: beyond any limit that a file may have; n, k 2 to 7 */
    SHAPE_LONG_N, /* the same of n */
    SHAPE_LONG_K, /* the same of k */
    SHAPE_TALL,   /* more rows than one grid covers: 65,599 blocks and a bit; n = 2, k = 3 */
    SHAPE_WITHIN, /* sizes between two that the case names */
    SHAPE_FIXED,  /* the size that the case names */
    SHAPE_CLASS_COUNT
};

/* What A and B hold. */
enum input_kind {
    INPUT_SMALL, /* integers -r..r, r <= 8: float32 is exact, and readable by a human */
    INPUT_WIDE,  /* A wide integers, B -1..1: exact in float32, wrong in half precision and TF32 */
    INPUT_REAL,  /* reals in [-1, 1), judged by the bound */
    INPUT_POSITIVE, /* reals in [0, 1), by the bound: rounding that always goes one way adds up */
};

/* What C holds before the call. */
enum poison_kind {
    POISON_NAN,      /* shows elements never written, and sums that start from C */
    POISON_INTEGERS, /* numbers that look innocent; a sum that starts from C is told exactly */
};

/* What the benchmark compares a lab's kernel as. */
enum lab_kernel { KERNEL_OTHER, KERNEL_NAIVE, KERNEL_TILED };

/* What of a lab a term's course may have otherwise (docs/course.md). */
#define LAB_VARIATIONS(X)                                                                          \
    /* the side of the tile, and of the block of threads */                                        \
    X(TILE, "tile")                                                                                \
    /* a block's threads along x and y */                                                          \
    X(THREADS, "threads")                                                                          \
    /* how A and B lie in memory: plain or transposed */                                           \
    X(A_LAYOUT, "a_layout")                                                                        \
    X(B_LAYOUT, "b_layout")                                                                        \
    /* A, B and C are parts of larger matrices: so many floats lie behind each row */              \
    X(PADDING, "padding")                                                                          \
    /* C = alpha * A * B + beta * C */                                                             \
    X(ALPHA, "alpha")                                                                              \
    X(BETA, "beta")                                                                                \
    /* what stands for products and their sum */                                                   \
    X(RING, "ring")
#define X(capitals, name) VARY_##capitals,
enum lab_variation { LAB_VARIATIONS(X) VARY_COUNT };
#undef X

struct case_spec {
    char *name; /* unique within its lab; letters, digits and '-' */
    enum entry_point entry;
    enum shape_class shape;
    enum input_kind input;
    enum poison_kind poison;
    int calls;      /* 1, or how many in a row in one process (see cases.h) */
    double points;  /* points.h; 0: shown, and counts for nothing */
    bool bonus;     /* on top of the lab's 100 points */
    int size[3];    /* SHAPE_FIXED, and the least of SHAPE_WITHIN: m, n, k */
    int up_to[3];   /* the most of SHAPE_WITHIN */
    bool unaligned; /* matrices on the device begin 4 bytes after a multiple of 16: all of them in
                       the first of several calls, then each of them alone in turn */
    bool unchecked; /* only its product counts: nothing is checked or counted in it */
    bool hidden;    /* from a file that students do not have: reports for them show no more than a
                    verdict */
};

struct config_setting_t; /* of libconfig */
struct settings_reader;
struct text;

/* Rows of C that a block computes where nothing else is known. */
enum { LAB_BLOCK_ROWS = 8 };
/* Blocks that a grid may have below each other: for more rows there are several launches. */
enum { LAB_MOST_BLOCKS_DOWN = 65535 };

struct lab_spec {
    int number;
    char *name;                    /* "lab3" */
    char *folder;                  /* "lab3-tiled-square", below labs/ and solutions/ */
    char *title;                   /* "tiled kernel, square sizes" */
    char *task, *teaches;          /* the same in lists of labs, and what one learns; "" for none */
    unsigned entries;              /* bit set of enum entry_point: functions the lab asks for */
    enum lab_kernel kernel;        /* what the benchmark compares it as */
    int tile;                      /* the side of a tile, what shapes are measured in */
    int block;                     /* the side of the largest tile of C that a block computes */
    int block_rows;                /* rows of C that a block computes, as it is launched */
    bool tall_across;              /* columns, for a file whose blocks lie along y for these */
    unsigned varies;               /* bit set of enum lab_variation: what a course may change */
    bool cublas;                   /* is linked with cuBLAS */
    bool square_tiles;             /* sizes are m = n = k, multiples of the tile, only */
    struct layout layout;          /* how A and B lie in memory */
    struct lab_product product;    /* what its functions compute */
    enum bound_kind bound;         /* that reals are judged by */
    int capability;                /* least compute capability of a GPU, 80 for 8.0; 0: any */
    char *fault;                   /* why the descriptor cannot be used; NULL: it can */
    const struct case_spec *cases; /* from the rubric, which owns them; else none */
    size_t case_count;
};

/* All labs of a kit, by number. */
struct labs {
    struct lab_spec *lab;
    size_t count;
};

/* Finds the labs of the kit in `root`: every folder labs/labN-WORDS with a lab.cfg. One whose
 * descriptor is not right is there, too, and has a fault. Free with labs_free. */
struct labs labs_open(const char *root);
void labs_free(struct labs *labs);

/* The lab that a word means: "lab3", "Lab 3", "3", its file or its folder, also with a path before
 * it. NULL when there is none. */
const struct lab_spec *labs_find(const struct labs *labs, const char *word);

/* The name of the lab's program: "lab3.cu". The caller frees it. */
char *lab_program(const struct lab_spec *lab);

/* "lab1 to lab9, lab12", for messages; or that there are none. */
void labs_range(struct text *t, const struct labs *labs);

/* A lab of its own, which lab_free frees. */
void lab_copy(struct lab_spec *to, const struct lab_spec *from);
void lab_free(struct lab_spec *lab);

/* What a descriptor says about the lab itself; cases and checks are the rubric's. Reads the
 * settings that are there; what is missing stays as it is. */
#define LAB_KEYS                                                                                   \
    "format", "lab", "title", "task", "teaches", "functions", "kernel", "tile", "block", "cublas", \
        "sizes", "bound", "capability", "varies", "a_layout", "b_layout", "padding", "alpha",      \
        "beta", "ring"
bool lab_read(struct settings_reader *in, const struct config_setting_t *root,
              struct lab_spec *lab);

/* "other", "naive" or "tiled". */
const char *lab_kernel_name(enum lab_kernel kernel);

/* "tile", "threads" ... */
const char *lab_variation_name(enum lab_variation variation);

/* "plain" or "transposed". */
const char *layout_name(bool transposed);

/* Padding is whole sectors of 32 bytes, and 0 where there is none. */
enum { LAB_PADDING_UNIT = 8, LAB_MOST_PADDING = 64 };
bool lab_read_padding(struct settings_reader *in, const struct config_setting_t *s, int *padding);

/* "plain" or "min-plus". */
const char *ring_name(bool min_plus);

const struct case_spec *lab_case(const struct lab_spec *lab, const char *name);

/* "integers", "wide integers", "reals" or "positive reals". */
const char *input_name(enum input_kind kind);
/* Does the case ask for something out of the ordinary, beside a right product? Other failing cases
 * tell more of a mistake. */
bool case_is_special(const struct case_spec *c);
/* Are its products exact in float32, and judged by equality? */
bool input_is_exact(enum input_kind kind);
