/* labs.c: the tables of labs and cases (see labs.h for what the columns mean). */
#include "grading/src/labs.h"

#include <string.h>

/* clang-format off */

/* Lab 1: host code; a tile of 32 only gives the shapes their scale. */
static const struct case_spec cases_lab1[] = {
    /* name        function   shape             A and B      C before         calls points */
    {"one",        ENTRY_CPU, SHAPE_ONE,        INPUT_SMALL, POISON_NAN,      1,     5},
    {"square",     ENTRY_CPU, SHAPE_SQUARE,     INPUT_SMALL, POISON_NAN,      1,    10},
    {"ragged",     ENTRY_CPU, SHAPE_RAGGED,     INPUT_WIDE,  POISON_NAN,      1,    15},
    {"row",        ENTRY_CPU, SHAPE_ROW,        INPUT_SMALL, POISON_NAN,      1,    10},
    {"column",     ENTRY_CPU, SHAPE_COLUMN,     INPUT_SMALL, POISON_NAN,      1,    10},
    {"outer",      ENTRY_CPU, SHAPE_OUTER,      INPUT_SMALL, POISON_NAN,      1,    10},
    {"prime",      ENTRY_CPU, SHAPE_PRIME,      INPUT_REAL,  POISON_NAN,      1,    10},
    {"larger",     ENTRY_CPU, SHAPE_LARGER,     INPUT_REAL,  POISON_NAN,      1,    10},
    {"old-values", ENTRY_CPU, SHAPE_RAGGED,     INPUT_SMALL, POISON_INTEGERS, 1,    10},
    {"repeat",     ENTRY_CPU, SHAPE_RAGGED,     INPUT_WIDE,  POISON_INTEGERS, 4,    10},
};

/* Lab 2: the kernel and its launch first, then the host function around them. */
static const struct case_spec cases_lab2[] = {
    {"one",         ENTRY_DEVICE, SHAPE_ONE,        INPUT_SMALL, POISON_NAN,      1,  5},
    {"block-minus", ENTRY_DEVICE, SHAPE_TILE_MINUS, INPUT_SMALL, POISON_NAN,      1,  5},
    {"block-plus",  ENTRY_DEVICE, SHAPE_TILE_PLUS,  INPUT_SMALL, POISON_NAN,      1,  5},
    {"ragged",      ENTRY_DEVICE, SHAPE_RAGGED,     INPUT_WIDE,  POISON_NAN,      1, 10},
    {"row",         ENTRY_DEVICE, SHAPE_ROW,        INPUT_SMALL, POISON_NAN,      1,  5},
    {"column",      ENTRY_DEVICE, SHAPE_COLUMN,     INPUT_SMALL, POISON_NAN,      1,  5},
    {"outer",       ENTRY_DEVICE, SHAPE_OUTER,      INPUT_SMALL, POISON_NAN,      1,  5},
    {"thin",        ENTRY_DEVICE, SHAPE_THIN,       INPUT_SMALL, POISON_NAN,      1,  5},
    {"prime",       ENTRY_DEVICE, SHAPE_PRIME,      INPUT_REAL,  POISON_NAN,      1,  5},
    {"larger",      ENTRY_DEVICE, SHAPE_LARGER,     INPUT_REAL,  POISON_NAN,      1,  5},
    {"old-values",  ENTRY_DEVICE, SHAPE_RAGGED,     INPUT_SMALL, POISON_INTEGERS, 1,  5},
    {"repeat",      ENTRY_DEVICE, SHAPE_RAGGED,     INPUT_WIDE,  POISON_INTEGERS, 4,  5},
    {"host-one",    ENTRY_HOST,   SHAPE_ONE,        INPUT_SMALL, POISON_NAN,      1,  5},
    {"host-ragged", ENTRY_HOST,   SHAPE_RAGGED,     INPUT_WIDE,  POISON_NAN,      1, 10},
    {"host-prime",  ENTRY_HOST,   SHAPE_PRIME,      INPUT_REAL,  POISON_NAN,      1, 10},
    {"host-repeat", ENTRY_HOST,   SHAPE_RAGGED,     INPUT_WIDE,  POISON_INTEGERS, 4, 10},
};

/* Lab 3: square sizes that are multiples of 32, nothing else. */
static const struct case_spec cases_lab3[] = {
    {"one-tile",   ENTRY_DEVICE, SHAPE_TILE,       INPUT_SMALL, POISON_NAN,      1, 15},
    {"tiles",      ENTRY_DEVICE, SHAPE_TILES,      INPUT_SMALL, POISON_NAN,      1, 20},
    {"wide",       ENTRY_DEVICE, SHAPE_TILES,      INPUT_WIDE,  POISON_NAN,      1, 15},
    {"reals",      ENTRY_DEVICE, SHAPE_TILES,      INPUT_REAL,  POISON_NAN,      1, 15},
    {"old-values", ENTRY_DEVICE, SHAPE_TILES,      INPUT_SMALL, POISON_INTEGERS, 1, 10},
    {"more-tiles", ENTRY_DEVICE, SHAPE_MORE_TILES, INPUT_REAL,  POISON_NAN,      1, 15},
    {"repeat",     ENTRY_DEVICE, SHAPE_TILES,      INPUT_WIDE,  POISON_INTEGERS, 4, 10},
};

/* Labs 4 and 5: any size. */
static const struct case_spec cases_any[] = {
    {"one",        ENTRY_DEVICE, SHAPE_ONE,        INPUT_SMALL, POISON_NAN,      1,  5},
    {"tiles",      ENTRY_DEVICE, SHAPE_TILES,      INPUT_SMALL, POISON_NAN,      1, 10},
    {"tile-minus", ENTRY_DEVICE, SHAPE_TILE_MINUS, INPUT_SMALL, POISON_NAN,      1, 10},
    {"tile-plus",  ENTRY_DEVICE, SHAPE_TILE_PLUS,  INPUT_SMALL, POISON_NAN,      1, 10},
    {"ragged",     ENTRY_DEVICE, SHAPE_RAGGED,     INPUT_WIDE,  POISON_NAN,      1, 15},
    {"row",        ENTRY_DEVICE, SHAPE_ROW,        INPUT_SMALL, POISON_NAN,      1,  5},
    {"column",     ENTRY_DEVICE, SHAPE_COLUMN,     INPUT_SMALL, POISON_NAN,      1,  5},
    {"outer",      ENTRY_DEVICE, SHAPE_OUTER,      INPUT_SMALL, POISON_NAN,      1,  5},
    {"thin",       ENTRY_DEVICE, SHAPE_THIN,       INPUT_WIDE,  POISON_NAN,      1,  5},
    {"prime",      ENTRY_DEVICE, SHAPE_PRIME,      INPUT_REAL,  POISON_NAN,      1, 10},
    {"larger",     ENTRY_DEVICE, SHAPE_LARGER,     INPUT_REAL,  POISON_NAN,      1,  5},
    {"old-values", ENTRY_DEVICE, SHAPE_RAGGED,     INPUT_SMALL, POISON_INTEGERS, 1,  5},
    {"repeat",     ENTRY_DEVICE, SHAPE_RAGGED,     INPUT_WIDE,  POISON_INTEGERS, 4, 10},
};

#define CASES(table)     (table), sizeof (table) / sizeof *(table)
#define ONLY(entry)      (1u << (entry))

const struct lab_spec lab_table[] = {
    {1, "lab1", "CPU baseline", "lab1-cpu-baseline",
     ONLY(ENTRY_CPU), 32, false, false, CASES(cases_lab1)},
    {2, "lab2", "global-memory kernel", "lab2-global-memory",
     ONLY(ENTRY_HOST) | ONLY(ENTRY_DEVICE), 32, false, false, CASES(cases_lab2)},
    {3, "lab3", "tiled kernel, square sizes", "lab3-tiled-square",
     ONLY(ENTRY_DEVICE), 32, false, true, CASES(cases_lab3)},
    {4, "lab4", "tiled kernel, any size", "lab4-tiled-any-size",
     ONLY(ENTRY_DEVICE), 32, false, false, CASES(cases_any)},
    {5, "lab5", "cuBLAS", "lab5-cublas",
     ONLY(ENTRY_DEVICE), 32, true, false, CASES(cases_any)},
};
const size_t lab_count = sizeof lab_table / sizeof *lab_table;

/* clang-format on */

const struct lab_spec *lab_find(const char *name) {
    for (size_t i = 0; i < lab_count; i++) {
        if (strcmp(lab_table[i].name, name) == 0 || strcmp(lab_table[i].name + 3, name) == 0)
            return &lab_table[i];
    }
    return NULL;
}

const struct case_spec *lab_case(const struct lab_spec *lab, const char *name) {
    for (size_t i = 0; i < lab->case_count; i++) {
        if (strcmp(lab->cases[i].name, name) == 0)
            return &lab->cases[i];
    }
    return NULL;
}

int lab_points(const struct lab_spec *lab) {
    int points = 0;
    for (size_t i = 0; i < lab->case_count; i++)
        points += lab->cases[i].points;
    return points;
}

const char *input_name(enum input_kind kind) {
    switch (kind) {
    case INPUT_SMALL:
        return "integers";
    case INPUT_WIDE:
        return "wide integers";
    case INPUT_REAL:
        return "reals";
    }
    return "?";
}
