/* error_map.c: see error_map.h.
 *
 *                 column 0
 *                 |                16
 *       row  0    ........ ........ .
 *                 ........ ........ .
 *
 *           16    xxxxxxxx xxxxxxxx x        a character: 2 x 2 elements; gaps: blocks
 */
#include "grading/src/report/error_map.h"

#include "grading/src/run/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 32, MOST_COLS = 64, LEAST_ELEMENTS = 8, MARGIN = 10, WIDE = 100 };

/* What a character stands for: the worst of its elements. */
enum state { RIGHT, UNWRITTEN, WRONG, NOT_A_NUMBER, STATES };
static const struct {
    char sign;
    const char *meaning, *code;
} states[STATES] = {
    [RIGHT] = {'.', "right", "\033[32m"},
    [UNWRITTEN] = {'-', "never written", "\033[33m"},
    [WRONG] = {'x', "wrong", "\033[31m"},
    [NOT_A_NUMBER] = {'N', "NaN or infinite", "\033[35m"},
};

struct map {
    int rows, cols;             /* characters */
    int row_step, col_step;     /* elements a character */
    int block_rows, block_cols; /* elements a block; 0: unknown, or no larger than a character */
    unsigned char cell[MOST_ROWS][MOST_COLS];
    size_t count[STATES]; /* elements */
};

static enum state state_of(const struct trial *t, enum entry_point entry, size_t at) {
    if (trial_right(t, at))
        return RIGHT;
    if (element_unwritten(entry, t->before[at], t->got[at]))
        return UNWRITTEN;
    return isfinite(t->got[at]) ? WRONG : NOT_A_NUMBER;
}

/* The smallest power of two that brings `size` down to `most` characters. */
static int step_for(int size, int most) {
    int step = 1;
    while ((size + step - 1) / step > most)
        step *= 2;
    return step;
}

/* A map says something when parts of C differ: not when nearly all of it is simply wrong. */
static bool worth_drawing(const struct map *m) {
    const size_t total =
        m->count[RIGHT] + m->count[UNWRITTEN] + m->count[WRONG] + m->count[NOT_A_NUMBER];
    bool differ = false;
    for (int row = 0; row < m->rows; row++)
        for (int col = 0; col < m->cols; col++)
            differ = differ || m->cell[row][col] != m->cell[0][0];
    return differ && m->count[WRONG] < total - total / 20;
}

uint64_t error_map_block(const struct work *w, const struct lab_spec *lab, int axis, int size) {
    const uint64_t grid = w->of[WORK_GRID_X + axis], most = (uint64_t)lab->block,
                   whole = (uint64_t)size;
    uint64_t side = w->of[WORK_BLOCK_X + axis];
    if (most > (uint64_t)lab->tile)
        side = grid == (whole + most - 1) / most ? most : 0;
    else if (w->of[WORK_BLOCK_X + 1] <= 1) /* a line of threads is no rectangle of C */
        side = 0;
    return grid > 0 && side < whole ? side : 0;
}

/* The same in a map: a border lies between two characters. */
static int block_side(const struct work *w, const struct lab_spec *lab, int axis, int size,
                      int step) {
    const uint64_t side = w ? error_map_block(w, lab, axis, size) : 0;
    return side > (uint64_t)step && side % (uint64_t)step == 0 ? (int)side : 0;
}

static void fill(struct map *m, int columns, const struct trial *t, enum entry_point entry,
                 const struct lab_spec *lab, const struct work *w) {
    const struct shape s = t->shape;
    const int room = (columns - MARGIN) * 2 / 3; /* the rest for gaps */
    const int most = columns >= WIDE ? MOST_COLS : room;
    *m = (struct map){.row_step = step_for(s.m, MOST_ROWS), .col_step = step_for(s.n, most)};
    m->rows = (s.m + m->row_step - 1) / m->row_step;
    m->cols = (s.n + m->col_step - 1) / m->col_step;
    m->block_cols = block_side(w, lab, 0, s.n, m->col_step);
    m->block_rows = block_side(w, lab, 1, s.m, m->row_step);
    for (int row = 0; row < s.m; row++) {
        for (int col = 0; col < s.n; col++) {
            const enum state x = state_of(t, entry, (size_t)row * (size_t)s.n + (size_t)col);
            unsigned char *cell = &m->cell[row / m->row_step][col / m->col_step];
            *cell = *cell > x ? *cell : (unsigned char)x;
            m->count[x]++;
        }
    }
}

static bool border(int at, int step, int block) {
    return block > 0 && at > 0 && at * step % block == 0;
}

static void print_row(FILE *out, bool colour, const struct map *m, int row) {
    if (row == 0 || border(row, m->row_step, m->block_rows))
        fprintf(out, "  %6d  ", row * m->row_step);
    else
        fprintf(out, "  %6s  ", "");
    int last = -1;
    for (int col = 0; col < m->cols; col++) {
        const int x = m->cell[row][col];
        if (border(col, m->col_step, m->block_cols))
            fputc(' ', out);
        if (colour && x != last)
            fputs(states[x].code, out);
        last = x;
        fputc(states[x].sign, out);
    }
    fputs(colour ? "\033[0m\n" : "\n", out);
}

static void print_legend(FILE *out, int columns, const struct map *m) {
    struct text t = {0};
    const char *glue = "    ";
    for (int x = 0; x < STATES; x++) {
        if (m->count[x] > 0) {
            text_addf(&t, "%s%c %s", glue, states[x].sign, states[x].meaning);
            glue = ", ";
        }
    }
    if (m->row_step * m->col_step > 1)
        text_addf(&t, "; a character: %d x %d elements, the worst one shown", m->row_step,
                  m->col_step);
    if (m->block_rows > 0 || m->block_cols > 0)
        text_add(&t, "; gaps: blocks");
    if (m->block_cols > 0)
        text_addf(&t, " %d wide", m->block_cols);
    if (m->block_rows > 0)
        text_addf(&t, "%s %d high", m->block_cols > 0 ? " and" : "", m->block_rows);
    text_add(&t, "\n");
    if (columns < WIDE)
        text_wrap(&t, (size_t)columns, 2);
    fputs(text_get(&t), out);
    text_free(&t);
}

static void draw(FILE *out, bool colour, int columns, const struct map *m, struct shape s) {
    fprintf(out, "\n  C with m = %d, n = %d, k = %d:\n", s.m, s.n, s.k);
    for (int row = 0; row < m->rows; row++) {
        if (border(row, m->row_step, m->block_rows))
            fputc('\n', out);
        print_row(out, colour, m, row);
    }
    print_legend(out, columns, m);
}

void error_map_print(FILE *out, bool colour, int columns, const struct evidence *e,
                     const struct lab_spec *lab, const struct work *work) {
    const struct shape s = e->plan.shape;
    if (e->verdict != VERDICT_WRONG || !e->got || (size_t)s.m * (size_t)s.n < LEAST_ELEMENTS)
        return;
    struct trials one = {.count = 0};
    struct call_data data;
    struct map m;
    call_data_make(&data, &e->plan, (struct guard_bands){0});
    fill(&m, columns, trials_add(&one, "", &data, VERDICT_WRONG, e->got, NULL), e->plan.entry, lab,
         work);
    if (worth_drawing(&m))
        draw(out, colour, columns, &m, s);
    trials_free(&one);
    call_data_free(&data);
}
