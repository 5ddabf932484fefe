/*
 * labs.h: the labs there are, and the words cases are made of.
 *
 * A lab is a list of cases; a case is one or more calls of one function, made in a process of their
 * own, that all have to be right. The lab's identity is fixed here, since the kit's folders and
 * builds rest on it; its cases, checks and points are data (rubric.h).
 */
#ifndef GRADING_LABS_H
#define GRADING_LABS_H

#include "common/compare.h"
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
    SHAPE_FIXED,      /* the size that the case names */
    SHAPE_CLASS_COUNT
};

/* What A and B hold. */
enum input_kind {
    INPUT_SMALL, /* integers -r..r, r <= 8: float32 is exact, and readable by a human */
    INPUT_WIDE,  /* A wide integers, B -1..1: exact in float32, wrong in half precision and TF32 */
    INPUT_REAL,  /* reals in [-1, 1), judged by the bound */
};

/* What C holds before the call. */
enum poison_kind {
    POISON_NAN,      /* shows elements never written, and sums that start from C */
    POISON_INTEGERS, /* numbers that look innocent; a sum that starts from C is told exactly */
};

struct case_spec {
    char *name; /* unique within its lab; letters, digits and '-' */
    enum entry_point entry;
    enum shape_class shape;
    enum input_kind input;
    enum poison_kind poison;
    int calls; /* 1, or how many in a row in one process (see cases.h) */
    int points;
    int size[3]; /* SHAPE_FIXED: m, n, k */
    bool hidden; /* from a file that students do not have: reports for them show no more than a
                    verdict */
};

struct lab_spec {
    int number;
    const char *name;              /* "lab3" */
    const char *title;             /* "tiled square kernel" */
    const char *folder;            /* below labs/ and solutions/ */
    unsigned entries;              /* bit set of enum entry_point: functions the lab asks for */
    int tile;                      /* the side of a tile, what shapes are measured in */
    bool cublas;                   /* is linked with cuBLAS */
    bool square_tiles;             /* sizes are m = n = k, multiples of the tile, only */
    enum bound_kind bound;         /* that reals are judged by */
    int capability;                /* least compute capability of a GPU, 80 for 8.0; 0: any */
    const struct case_spec *cases; /* from the rubric; none in lab_table */
    size_t case_count;
};

extern const struct lab_spec lab_table[];
extern const size_t lab_count;

/* "lab3" or "3"; NULL when there is none. */
const struct lab_spec *lab_find(const char *name);
const struct case_spec *lab_case(const struct lab_spec *lab, const char *name);

/* "integers", "wide integers" or "reals". */
const char *input_name(enum input_kind kind);

#endif
