/* trace_test.c: what a trace says of a tiled kernel with one mistake: a block of 2 x 2 threads,
 * tiles of 2 x 2, matrices of 4 x 4; and that a recording is read as it was written, or not at
 * all. */
#include "common/tests/suite.h"
#include "grading/src/report/recording.h"
#include "grading/src/report/recording_nan.h"
#include "grading/src/report/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AS, BS, A, B, C, MEMORIES };
enum { SIDE = 4, TILE = 2, LANES = TILE * TILE, ROOM = 200 };

enum mistake {
    NONE,
    A_BY_COLUMN,     /* As[p][y] for As[y][p] */
    B_UPSIDE_DOWN,   /* the tile of B is copied from the row above or below */
    ONE_PHASE,       /* the last phase is missing */
    FIRST_TILES,     /* every phase copies the first tiles */
    ALTERED,         /* one is added to what is copied */
    C_TRANSPOSED,    /* C[col][row] is written */
    NOTHING_WRITTEN, /* C is not */
    TWO_ELEMENTS,    /* each thread writes two */
    TWO_ELEMENTS_A_BY_COLUMN,
    COPIED_LATER, /* asynchronous copies, and no mistake */
};

struct made {
    struct recording r;
    struct recorded_step step[ROOM];
    struct recorded_access access[ROOM];
    struct recorded_memory memory[MEMORIES];
    uint32_t words[2][SIDE * SIDE];
};

static uint32_t bits_of(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void begin(struct made *m) {
    static const char *const names[MEMORIES] = {"As", "Bs", "A", "B", "C"};
    memset(m, 0, sizeof *m);
    m->r = (struct recording){.block = {TILE, TILE, 1},
                              .grid = {2, 2, 1},
                              .step = m->step,
                              .access = m->access,
                              .memory = m->memory,
                              .memories = MEMORIES};
    for (int i = 0; i < MEMORIES; i++) {
        const int side = i < A ? TILE : SIDE;
        m->memory[i] = (struct recorded_memory){.name = names[i],
                                                .shared = i < A,
                                                .bytes = 4L * side * side,
                                                .element = 4,
                                                .rows = side,
                                                .columns = side,
                                                .count = (long)side * side};
    }
    for (int e = 0; e < SIDE * SIDE; e++) {
        m->words[0][e] = bits_of((float)(1 + e));
        m->words[1][e] = bits_of((float)(101 + e));
    }
    m->memory[A].before = m->words[0];
    m->memory[B].before = m->words[1];
}

static int line(struct made *m, int number) {
    m->step[m->r.steps] = (struct recorded_step){number == 0 ? -1 : 0, number, UINT32_MAX};
    return m->r.steps++;
}

/* All lanes access element[lane]; values: what is written, or NULL. */
static void touch(struct made *m, int step, enum recorded_kind kind, int memory,
                  const int element[LANES], const uint32_t *values) {
    struct recorded_access *a = &m->access[m->r.accesses++];
    *a = (struct recorded_access){.step = step,
                                  .memory = memory,
                                  .kind = kind,
                                  .bytes = 4,
                                  .mask = (1u << LANES) - 1,
                                  .words = values ? 1 : 0};
    for (int i = 0; i < LANES; i++) {
        a->at[i] = 4L * element[i];
        if (values)
            a->value[0][i] = values[i];
    }
}

static void copy(struct made *m, int number, int to, int from, const int element[LANES],
                 enum mistake mistake) {
    const int step = line(m, number), cells[LANES] = {0, 1, 2, 3};
    uint32_t values[LANES];
    for (int i = 0; i < LANES; i++) {
        values[i] = m->words[from - A][element[i]];
        if (mistake == ALTERED)
            values[i] = bits_of((float)(1 + element[i] + 1));
    }
    touch(m, step, RECORDED_READ, from, element, NULL);
    if (mistake == COPIED_LATER) {
        touch(m, step, RECORDED_COPY_BEGINS, to, cells, NULL);
        touch(m, line(m, number + 1), RECORDED_COPY_ENDS, to, cells, values);
    } else {
        touch(m, step, RECORDED_WRITE, to, cells, values);
    }
}

static void make(struct made *m, enum mistake mistake) {
    begin(m);
    for (int phase = 0; phase < (mistake == ONE_PHASE ? 1 : SIDE / TILE); phase++) {
        int of_a[LANES], of_b[LANES], from_a[LANES], from_b[LANES];
        const int tile = mistake == FIRST_TILES ? 0 : phase;
        for (int i = 0; i < LANES; i++) {
            const int x = i % TILE, y = i / TILE, row = mistake == B_UPSIDE_DOWN ? 1 - y : y;
            of_a[i] = y * SIDE + tile * TILE + x;
            of_b[i] = (tile * TILE + row) * SIDE + x;
        }
        copy(m, 10, AS, A, of_a, mistake);
        copy(m, 12, BS, B, of_b, mistake == ALTERED ? NONE : mistake);
        line(m, 0);
        for (int p = 0; p < TILE; p++) {
            const int step = line(m, 20);
            for (int i = 0; i < LANES; i++) {
                const int x = i % TILE, y = i / TILE;
                from_a[i] = mistake == A_BY_COLUMN || mistake == TWO_ELEMENTS_A_BY_COLUMN
                                ? p * TILE + y
                                : y * TILE + p;
                from_b[i] = p * TILE + x;
            }
            touch(m, step, RECORDED_READ, AS, from_a, NULL);
            touch(m, step, RECORDED_READ, BS, from_b, NULL);
        }
        line(m, 0);
    }
    const uint32_t sums[LANES] = {1, 2, 3, 4};
    int to[LANES];
    for (int half = 0;
         half < (mistake == TWO_ELEMENTS || mistake == TWO_ELEMENTS_A_BY_COLUMN ? 2 : 1); half++) {
        for (int i = 0; i < LANES; i++) {
            const int x = i % TILE, y = i / TILE;
            to[i] = (mistake == C_TRANSPOSED ? x * SIDE + y : y * SIDE + x) + half * TILE;
        }
        if (mistake != NOTHING_WRITTEN)
            touch(m, line(m, 30), RECORDED_WRITE, C, to, sums);
    }
}

/* Traces the wrong element C[0][1]. */
static struct trace traced(struct made *m, enum mistake mistake) {
    static struct wrong_cell wrong = {.element = 1, .want = 5, .got = 2, .written = true};
    const struct traced_product p = {
        .m = SIDE, .n = SIDE, .k = SIDE, .a = A, .b = B, .wrong = &wrong, .count = 1, .total = 1};
    struct trace t;
    make(m, mistake);
    trace_product(&t, &m->r, &p);
    return t;
}

static const struct {
    enum mistake mistake;
    int line;
    const char *text;
    int memory; /* the cell that it is about; -1: none */
    int64_t element;
} said[] = {
    {A_BY_COLUMN, 20, "reads As[1][0], which holds A[1][0]: not in row 0 of A", AS, 2},
    {B_UPSIDE_DOWN, 20,
     "reads As[0][0], which holds A[0][0], together with Bs[0][1], which holds B[1][1]: no product "
     "needs these two",
     AS, 0},
    {ONE_PHASE, 0, "never reads A[0][p] for p = 2 and 3", -1, 0},
    {FIRST_TILES, 0, "never reads A[0][p] for p = 2 and 3", -1, 0},
    {ALTERED, 10, "gets from thread (0,0) not A[0][0], which is 1, but 2, in As[0][0]", -1, 0},
    {C_TRANSPOSED, 30, "has read what C[1][0] needs, and writes C[0][1]", -1, 0},
};

TEST_EACH(each_mistake_is_told, sizeof said / sizeof *said) {
    static struct made m;
    const struct trace t = traced(&m, said[_i].mistake);
    ck_assert_int_eq(t.c, C);
    ck_assert_int_eq(t.line, 30);
    ck_assert_int_ge(t.notes, 1);
    ck_assert_str_eq(t.note[0].text, said[_i].text);
    ck_assert_int_eq(t.note[0].line, said[_i].line);
    ck_assert_int_eq(t.note[0].memory, said[_i].memory);
    if (said[_i].memory >= 0)
        ck_assert_int_eq(t.note[0].element, said[_i].element);
    ck_assert(!t.complete);
}

TEST(what_is_read_twice_is_told_as_well) {
    static struct made m;
    const struct trace t = traced(&m, FIRST_TILES);
    ck_assert_int_eq(t.notes, 4);
    ck_assert_str_eq(t.note[1].text, "reads more than once A[0][p] for p = 0 and 1");
    ck_assert_str_eq(t.note[2].text, "never reads B[p][1] for p = 2 and 3");
}

TEST(reads_that_are_right_are_called_so) {
    static struct made m;
    for (int i = 0; i < 2; i++) {
        const struct trace t = traced(&m, i == 0 ? NONE : COPIED_LATER);
        ck_assert_int_eq(t.notes, 0);
        ck_assert(t.complete);
        ck_assert_int_eq(t.thread, 1);
    }
}

TEST(nothing_is_claimed_without_a_writer) {
    static struct made m;
    const struct trace t = traced(&m, NOTHING_WRITTEN);
    ck_assert_int_eq(t.step, -1);
    ck_assert_int_eq(t.c, -1);
    ck_assert_int_eq(t.notes, 0);
}

TEST(threads_with_several_elements_may_read_more) {
    static struct made m;
    const struct trace t = traced(&m, TWO_ELEMENTS);
    ck_assert_int_eq(t.elements, 2);
    ck_assert_int_eq(t.notes, 0); /* B's second column is missing, and C[0][1] is the wrong one */
    ck_assert(t.complete);
}

TEST(threads_with_several_elements_may_not_read_everything) {
    static struct made m;
    const struct trace t = traced(&m, TWO_ELEMENTS_A_BY_COLUMN);
    ck_assert_str_eq(t.note[0].text,
                     "reads As[1][0], which holds A[1][0], and writes nothing in row 1 of C");
}

TEST(what_lanes_exchange_is_left_alone) {
    static struct made m;
    struct wrong_cell wrong = {.element = 1};
    const struct traced_product p = {.m = SIDE,
                                     .n = SIDE,
                                     .k = SIDE,
                                     .a = A,
                                     .b = B,
                                     .exchanged = true,
                                     .wrong = &wrong,
                                     .count = 1,
                                     .total = 1};
    struct trace t;
    make(&m, A_BY_COLUMN);
    trace_product(&t, &m.r, &p);
    ck_assert_int_eq(t.line, 30);
    ck_assert_int_eq(t.notes, 0);
    ck_assert(!t.complete);
}

/* ---- the recording ---- */

#define ROW_FORMS "[0, 0, 0, 4, 15, %s, 1, 0]"
#define FILM                                                                                       \
    "{\"block\": [4, 1, 1], \"grid\": [1, 1, 1], \"index\": [0, 0, 0], \"steps\": [[0, 1, 7, 15, " \
    "0, 0], [-1, 0, 0, 0, 0, 0]], \"memories\": [{\"name\": \"A\", \"shared\": false, "            \
    "\"bytes\": 4, \"element\": 4, \"rows\": 1, \"columns\": 1, \"before\": %s}], \"accesses\": "  \
    "[%s]}"

static bool reads(struct recording *r, const char *before, const char *access) {
    char *text = NULL;
    ck_assert_int_gt(asprintf(&text, FILM, before, access), 0);
    json_t *film = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(film);
    const bool ok = recording_read(r, film);
    if (!ok)
        ck_assert_ptr_null(r->step);
    json_decref(film);
    free(text);
    return ok;
}

static const struct {
    const char *row;
    int64_t first, second, third;
} rows[] = {
    {"7", 7, 7, 7},
    {"[8, 4]", 8, 12, 16},
    {"[0, 4, 100, 2]", 0, 4, 100},
    {"[[5, 6, -7, 8, 0,0,0,0, 0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0]]", 5, 6, -7},
};

TEST_EACH(places_are_read, sizeof rows / sizeof *rows) {
    char access[300];
    struct recording r;
    snprintf(access, sizeof access, ROW_FORMS, rows[_i].row);
    ck_assert(reads(&r, "null", access));
    ck_assert_int_eq(r.access[0].at[0], rows[_i].first);
    ck_assert_int_eq(r.access[0].at[1], rows[_i].second);
    ck_assert_int_eq(r.access[0].at[2], rows[_i].third);
    ck_assert_int_eq(r.step[0].line, 7);
    ck_assert_int_eq(r.step[1].warp, -1);
    recording_free(&r);
}

TEST(words_are_read) {
    struct recording r;
    char many[172 + 1]; /* base64 of 128 bytes */
    memset(many, 'A', sizeof many);
    memcpy(many, "AQAAAAIAAAAD", 12); /* 1, 2, 3 */
    many[171] = '=';
    many[172] = '\0';
    char access[400];
    snprintf(access, sizeof access, "[0, 1, 0, 8, 3, 0, 1, 0, [10, -3], \"%s\"]", many);
    ck_assert(reads(&r, "\"AACAPw==\"", access));
    ck_assert_uint_eq(r.access[0].value[0][1], 7);
    ck_assert_uint_eq(r.access[0].value[1][0], 1);
    ck_assert_uint_eq(r.access[0].value[1][2], 3);
    ck_assert_int_eq(r.access[0].words, 2);
    ck_assert_uint_eq(r.memory[0].before[0], bits_of(1));
    recording_free(&r);
}

#define NAN_FILM                                                                                   \
    "{\"block\": [32, 1, 1], \"grid\": [1, 1, 1], \"index\": [0, 0, 0], \"steps\":"                \
    " [[0, 0, 7, 3, 0, 0], [0, 0, 8, 3, 0, 0], [0, 0, 9, 2, 0, 0], [0, 0, 10, 3, 0, 0]],"          \
    " \"accesses\": [], \"pauses\": [], \"memories\": [], \"variables\": ["                        \
    "{\"name\": \"sum\", \"space\": \"local\", \"at\": 8, \"leaves\":"                             \
    " [[\"\", \"float\", 4, 0]]}, {\"name\": \"part\", \"space\": \"local\", \"at\": 16,"          \
    " \"leaves\": [[\".x[]\", \"float\", 4, 4, 3, 4]]}, {\"name\": \"i\", \"space\":"              \
    " \"local\", \"at\": 12, \"leaves\": [[\"\", \"signed\", 4, 0]]}, {\"name\": \"tile\","        \
    " \"space\": \"local\", \"at\": 40, \"leaves\": [[\"[].v[]\", \"float\", 4,4,2,16,3,4]]},"     \
    " {\"name\": \"odd\", \"space\": \"local\", \"at\": 80, \"leaves\": [[\"[]\", \"float\",4,0,"  \
    " 0, 4], [\"[]\", \"float\", 4, 0, 9, -4]]}], \"locals\": [%s]}"

static const struct {
    const char *locals, *name; /* NULL: there is no NaN */
    int step;
    bool had_value;
} nans[] = {
    {"", NULL, 0, false},
    {"[1, 0, 2, 4294967295]", NULL, 0, false},               /* not set */
    {"[1, 0, 3, 2147483647]", NULL, 0, false},               /* a whole number */
    {"[1, 0, 2, 2139095040]", NULL, 0, false},               /* infinity */
    {"[1, 1, 2, 2147483647]", NULL, 0, false},               /* another warp */
    {"[0, 0, 2, 2147483647]", NULL, 0, false},               /* no step made it */
    {"[1, 0, 2, 2147483647]", "sum", 0, false},              /* nobody had set it */
    {"[1, 0, 2, 0], [2, 0, 2, 2143289344]", "sum", 1, true}, /* it was 0 */
    {"[3, 0, 2, 2147483647]", "sum", 1, false},              /* not lane 0's own line */
    {"[1, 0, 6, 2147483647]", "part.x[1]", 0, false},        /* word 6: byte 24 of 16 + 4 */
    {"[1, 0, 17, 2147483647]", "tile[1].v[2]", 0, false},    /* word 17: byte 68 of 40 + 4 */
    {"[1, 0, 20, 2147483647]", NULL, 0, false},              /* odd has no sides */
    {"[1, 0, 2, \"x\"], [2, 0, 2, -1]", NULL, 0, false},     /* no rows */
    {"[1, 0, 70000, 2147483647], [2, 0, -2, 0]", NULL, 0, false},
};

TEST_EACH(the_first_nan_is_found, sizeof nans / sizeof *nans) {
    char *text;
    struct recording r;
    struct recorded_nan nan;
    ck_assert_int_gt(asprintf(&text, NAN_FILM, nans[_i].locals), 0);
    json_t *film = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(film);
    ck_assert(recording_read(&r, film));
    ck_assert(recording_nan(&r, 0, 3, &nan) == (nans[_i].name != NULL));
    if (nans[_i].name) {
        ck_assert_str_eq(nan.name, nans[_i].name);
        ck_assert_int_eq(nan.step, nans[_i].step);
        ck_assert(nan.had_value == nans[_i].had_value);
    }
    recording_free(&r);
    json_decref(film);
    free(text);
}

static const char *const unreadable[] = {
    "[2, 0, 0, 4, 15, 0, 1, 0]",                /* no such step */
    "[1, 0, 0, 4, 15, 0, 1, 0]",                /* a barrier accesses nothing */
    "[0, 5, 0, 4, 15, 0, 1, 0]",                /* no such kind */
    "[0, 0, 1, 4, 15, 0, 1, 0]",                /* no such memory */
    "[0, 0, 0, 32, 15, 0, 1, 0]",               /* wider than any access */
    "[0, 0, 0, 4, -1, 0, 1, 0]",                /* no mask */
    "[0, 0, 0, 4, 15, [0, 1, 2, 0], 1, 0]",     /* rows of no lane */
    "[0, 0, 0, 4, 15, [[1, 2]], 1, 0]",         /* too few */
    "[0, 0, 0, 4, 15, \"x\", 1, 0]",            /* no place */
    "[0, 1, 0, 4, 15, 0, 1, 0, \"AAAA\"]",      /* too short a row */
    "[0, 1, 0, 4, 15, 0, 1, 0, 1, 2, 3, 4, 5]", /* five rows */
    "{}",
};

TEST_EACH(what_does_not_fit_is_not_read, sizeof unreadable / sizeof *unreadable) {
    struct recording r;
    ck_assert(!reads(&r, "null", unreadable[_i]));
}

TEST(contents_of_another_size_are_not_read) {
    struct recording r;
    ck_assert(!reads(&r, "\"AACAPwAAgD8=\"", "[0, 0, 0, 4, 15, 0, 1, 0]"));
    ck_assert(!reads(&r, "\"AA!APw==\"", "[0, 0, 0, 4, 15, 0, 1, 0]"));
}

int main(void) {
    return run_tests((struct suite){.name = "grading/trace"});
}
