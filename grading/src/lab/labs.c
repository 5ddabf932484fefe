/* labs.c: the table of labs (see labs.h for what the columns mean). */
#include "grading/src/lab/labs.h"

#include <string.h>

/* clang-format off */

#define ONLY(entry) (1u << (entry))

const struct lab_spec lab_table[] = {
    {1, "lab1", "CPU baseline", "lab1-cpu-baseline",
     ONLY(ENTRY_CPU), 32, false, false, BOUND_FLOAT32, 0, NULL, 0},
    {2, "lab2", "global-memory kernel", "lab2-global-memory",
     ONLY(ENTRY_HOST) | ONLY(ENTRY_DEVICE), 32, false, false, BOUND_FLOAT32, 0, NULL, 0},
    {3, "lab3", "tiled kernel, square sizes", "lab3-tiled-square",
     ONLY(ENTRY_DEVICE), 32, false, true, BOUND_FLOAT32, 0, NULL, 0},
    {4, "lab4", "tiled kernel, any size", "lab4-tiled-any-size",
     ONLY(ENTRY_DEVICE), 32, false, false, BOUND_FLOAT32, 0, NULL, 0},
    {5, "lab5", "cuBLAS", "lab5-cublas",
     ONLY(ENTRY_DEVICE), 32, true, false, BOUND_FLOAT32, 0, NULL, 0},
    {6, "lab6", "register tile", "lab6-register-tile",
     ONLY(ENTRY_DEVICE), 32, false, false, BOUND_FLOAT32, 0, NULL, 0},
    {7, "lab7", "warp tile, wide loads", "lab7-warp-tile",
     ONLY(ENTRY_DEVICE), 32, false, false, BOUND_FLOAT32, 0, NULL, 0},
    {8, "lab8", "asynchronous copies", "lab8-async-copy",
     ONLY(ENTRY_DEVICE), 32, false, false, BOUND_FLOAT32, 80, NULL, 0},
    {9, "lab9", "tensor cores", "lab9-tensor-cores",
     ONLY(ENTRY_DEVICE), 32, false, false, BOUND_3XTF32, 80, NULL, 0},
};
const size_t lab_count = sizeof lab_table / sizeof *lab_table;

/* clang-format on */

const struct lab_spec *lab_find(const char *name) {
    for (size_t i = 0; i < lab_count; i++)
        if (strcmp(lab_table[i].name, name) == 0 || strcmp(lab_table[i].name + 3, name) == 0)
            return &lab_table[i];
    return NULL;
}

const struct case_spec *lab_case(const struct lab_spec *lab, const char *name) {
    for (size_t i = 0; i < lab->case_count; i++)
        if (strcmp(lab->cases[i].name, name) == 0)
            return &lab->cases[i];
    return NULL;
}

const char *input_name(enum input_kind kind) {
    switch (kind) {
    case INPUT_SMALL: return "integers";
    case INPUT_WIDE: return "wide integers";
    case INPUT_REAL: return "reals";
    }
    return "?";
}
