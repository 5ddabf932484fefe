/*
 * exhibit.h: what the HTML page shows beyond the results: the run of one case once more, with the
 * virtual GPU's report and trace, and what each element of a wrong C is.
 *
 * For display only: no point depends on anything in here. All of it comes from a process that runs
 * a stranger's code, so the report is read with bounds and whatever is not as it should be is left
 * out; texts are cleaned and escaped by whoever shows them.
 *
 *     exhibit_gather   runs the cases again               exhibit.c
 *     view_parse       JSON -> struct view                exhibit_view.c
 */
#pragma once

#include "grading/src/run/context.h"
#include "vgpu/include/vgpu_counters.h"

enum { VIEW_LANES = 32 };

/* Counters of a launch or line: VIEW_WARP_INSTRUCTIONS and so on. */
enum view_counter {
#define VIEW_COUNTER(capitals, name, unit, meaning) VIEW_##capitals,
    VGPU_COUNTER_LIST(VIEW_COUNTER)
#undef VIEW_COUNTER
        VIEW_COUNTERS
};

struct view_counts {
    uint64_t of[VIEW_COUNTERS];
};

/* Kernels with the same name, grid and block: one entry. */
struct view_launch {
    char *kernel;
    uint64_t grid[3], block[3], count, shared_bytes;
    double occupancy; /* percent; NaN: not told */
    char *limit;      /* what limits it; NULL: not told */
    bool fault;
    struct view_counts counts;
};

struct view_line {
    int line; /* of the submission, from 1; 0: what belongs to no line, or to other files */
    struct view_counts counts;
};

/* One request of one warp of the first block. */
struct view_access {
    int warp, phase, instruction, line; /* line 0: not in the submission */
    bool shared;
    char kind; /* 'l' load, 's' store, 'a' atomic, 'c' asynchronous copy */
    int bytes; /* a lane */
    uint64_t object, object_bytes;
    uint32_t mask;
    int64_t at[VIEW_LANES];
};

struct view_trace {
    char *kernel;
    uint64_t grid[3], block[3];
    bool more;
    struct view_access *access;
    size_t count;
};

struct view {
    char *device; /* whose peaks these are; NULL: not told, then both are 0 */
    double peak_gflops, bandwidth_gbs;
    struct view_launch *launch;
    size_t launches;
    struct view_line *line; /* sorted */
    size_t lines;
    struct view_counts total;
    struct view_trace trace; /* of the launch with the most accesses; count 0: none */
};

/* Reads a report. `file` is the submission's name, as lines have it. False: it is none. */
bool view_parse(struct view *v, const char *json, size_t length, const char *file);
void view_free(struct view *v);

/* Does a place that the virtual GPU named lie in the submission of this name? */
bool view_same_file(const char *told, const char *name);

/* How an element of C came out. In order: a cell of a map shows the worst of its elements. */
enum element_state {
    ELEMENT_RIGHT,
    ELEMENT_UNWRITTEN,
    ELEMENT_NEAR, /* wrong, by at most 1 % of exhibit.scale */
    ELEMENT_OFF,  /* by at most that scale */
    ELEMENT_FAR,
    ELEMENT_NAN,
    ELEMENT_STATES
};

struct exhibit {
    /* The wrong product that is drawn; NULL: none. */
    const struct case_result *wrong;
    struct shape shape;   /* of C: m, n */
    unsigned char *state; /* enum element_state by element */
    size_t states[ELEMENT_STATES];
    double scale;      /* the mean |expected| */
    uint64_t block[2]; /* columns and rows of C that a block covers; 0: unknown */
    /* The case whose counters are shown; NULL: none ran on the virtual GPU. */
    const struct case_result *counted;
    struct view view;
};

/* Is a format asked for that shows an exhibit? */
bool exhibit_wanted(const struct options *o);

/* Fills g->exhibit. After the cases and checks, before the scratch folder goes. */
void exhibit_gather(struct grade_context *g);
void exhibit_free(struct exhibit *e);
