/*
 * suspect_gaps.c: elements that are never stored, here and there (see suspect.h): some of those
 * behind the last four whole columns, the last whole group of columns or rows, the rows of a warp
 * that the block does not have, and what a thread would have stored after the first of its elements
 * that is outside C.
 *
 * Knows products of which each element is right or blank; suspect_coverage.c makes sure of that.
 */
#include "grading/src/diagnose/suspect.h"

enum state { UNKNOWN, STORED, BLANK, MIXED };

static enum state both(enum state a, enum state b) {
    return a == UNKNOWN ? b : b == UNKNOWN || a == b ? a : MIXED;
}

/* A zero that should be one tells nothing, unless C was something else before. */
static enum state element(const struct trial *t, size_t at) {
    const bool untouched = trial_untouched(t, at);
    if (untouched || (t->got[at] == 0 && t->want[at] != 0))
        return BLANK;
    return t->want[at] == 0 ? UNKNOWN : STORED;
}

static enum state row_state(const struct trial *t, int row) {
    enum state s = UNKNOWN;
    for (int col = 0; col < t->shape.n; col++)
        s = both(s, element(t, (size_t)row * (size_t)t->shape.n + (size_t)col));
    return s;
}

static enum state column_state(const struct trial *t, int col) {
    enum state s = UNKNOWN;
    for (int row = 0; row < t->shape.m; row++)
        s = both(s, element(t, (size_t)row * (size_t)t->shape.n + (size_t)col));
    return s;
}

/* ---- What is left of a row behind groups of four ---- */

/* Only columns behind the last whole group are blank, the same ones for one rest. blank[r][i]: with
 * r columns left, column i of them. */
static bool in_rest(const struct trial *t, enum state blank[4][4]) {
    const int rest = t->shape.n % 4, whole = t->shape.n - rest;
    for (int col = 0; col < t->shape.n; col++) {
        const enum state s = column_state(t, col);
        if (s == MIXED || (col < whole && s == BLANK))
            return false;
        if (col >= whole) {
            blank[rest][col - whole] = both(blank[rest][col - whole], s);
            if (blank[rest][col - whole] == MIXED)
                return false;
        }
    }
    return true;
}

static const char *judge_rest(const struct trial *const *wrong, int count, struct text *t) {
    enum state blank[4][4] = {{UNKNOWN}};
    for (int i = 0; i < count; i++)
        if (!in_rest(wrong[i], blank))
            return NULL;
    int rest = 0;
    for (int r = 1; r < 4 && rest == 0; r++) {
        bool stored = false, missing = false;
        for (int i = 0; i < r; i++) {
            stored = stored || blank[r][i] == STORED;
            missing = missing || blank[r][i] == BLANK;
        }
        rest = stored && missing ? r : 0;
    }
    if (rest == 0) /* nothing is missing, or all of it */
        return NULL;
    text_addf(
        t, "Where %d columns are left behind the last four of a row, not all are stored: ", rest);
    for (int i = 0; i < rest; i++)
        text_addf(t, "%s%s is %s", i > 0 ? ", " : "",
                  i == 0   ? "the first"
                  : i == 1 ? "the second"
                           : "the third",
                  blank[rest][i] == BLANK ? "missing" : "there");
    text_add(t, ". Each one that exists must be stored: go through all four, and ask for each "
                "whether its column is below n. In a switch, what is set before a break belongs "
                "to that case alone.");
    return "rest-of-quad-dropped";
}

/* ---- The last whole group ---- */

/* Blank are just the last `group` columns (or rows), of which there are whole groups. */
static bool lacks_last(const struct trial *t, bool rows, int group) {
    const int size = rows ? t->shape.m : t->shape.n;
    for (int i = 0; i < size; i++) {
        const enum state s = rows ? row_state(t, i) : column_state(t, i);
        if (s == MIXED || (s != UNKNOWN && (s == BLANK) != (i >= size - group)))
            return false;
    }
    return size % group == 0;
}

static const char *judge_last_whole(const struct trial *const *wrong, int count, struct text *t) {
    static const int groups[] = {4, 8, 2, 16, 3};
    enum { LEAST = 3 };
    for (int k = 0; k < 10 && count >= LEAST; k++) {
        const bool rows = k % 2 == 1;
        const int group = groups[k / 2];
        bool all = true;
        for (int i = 0; i < count && all; i++)
            all = lacks_last(wrong[i], rows, group);
        if (!all)
            continue;
        const char *what = rows ? "rows" : "columns", *size = rows ? "m" : "n",
                   *at = rows ? "i" : "j";
        text_addf(t,
                  "The last %d %s are never stored where %s is a multiple of %d: a loop that takes "
                  "%d at a time stops before the last whole group, and what follows it begins "
                  "behind that. %s + %d <= %s lets the group in, %s + %d < %s does not.",
                  group, what, size, group, group, at, group, size, at, group, size);
        return rows ? "rows-skipped" : "columns-skipped";
    }
    return NULL;
}

/* ---- Rows that are dealt out ---- */

/* Blank are just the last `lack` of every `period` rows. */
static bool rows_lack(const struct trial *t, int period, int lack, bool *seen) {
    for (int row = 0; row < t->shape.m; row++) {
        const enum state s = row_state(t, row);
        const bool blank = row % period >= period - lack;
        if (s == MIXED || (s == BLANK) != (blank && s != UNKNOWN))
            return false;
        *seen = *seen || (s == BLANK && row >= period);
    }
    return true;
}

/* The warps of a block, where all products tell the same; 0: they do not. */
static int warps_of(const struct trial *const *wrong, int count) {
    int warps = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t *side = &wrong[i]->work.of[WORK_BLOCK_X];
        const int w = (int)(side[0] * side[1] * side[2] / 32);
        if (!wrong[i]->counted || wrong[i]->work.of[WORK_LAUNCHES] != 1)
            continue;
        if (warps != 0 && w != warps)
            return 0;
        warps = w;
    }
    return warps;
}

static const char *judge_rows(const struct trial *const *wrong, int count, struct text *t) {
    enum { MOST = 16 };
    for (int period = 2; period <= MOST; period++)
        for (int lack = 1; lack < period; lack++) {
            bool all = true, seen = false;
            const int warps = warps_of(wrong, count);
            for (int i = 0; i < count && all; i++)
                all = rows_lack(wrong[i], period, lack, &seen);
            if (!all || !seen)
                continue;
            text_addf(t, "Of every %d rows the last%s never stored, and all others are right: ",
                      period, lack == 1 ? " is" : " ones are");
            if (warps == period - lack)
                text_addf(t,
                          "the rows are dealt out to %d warps, and these blocks have %d. Take the "
                          "number of warps from the threads of a block, which not all shapes have "
                          "alike.",
                          period, warps);
            else
                text_addf(t,
                          "a loop over rows takes %d at a time, and forgets some of them, or steps "
                          "further than the part of C that it works on is high.",
                          period);
            return "rows-skipped";
        }
    return NULL;
}

/* ---- Threads that stop at the first element outside ---- */

/* A block's tile along one side of C, and a thread's part of it: elements side by side, or `apart`,
 * as many apart as there are threads along that side. */
struct part {
    int block, each;
    bool apart;
};

/* Which of its thread's elements this is, along one side. */
static int number_in(const struct part *p, int at) {
    const int in = at % p->block;
    return p->apart ? in / (p->block / p->each) : in % p->each;
}

/* The place of the thread's last element along that side. */
static int last_of(const struct part *p, int at) {
    const int threads = p->block / p->each, in = at % p->block;
    return p->apart ? at - in + in % threads + (p->each - 1) * threads
                    : at - in + in / p->each * p->each + p->each - 1;
}

/* Does the product lack just what such threads would still have stored? They go through `outer`
 * along one side (rows, if by_rows), through `inner` along the other. */
static bool given_up(const struct trial *t, bool by_rows, const struct part *outer,
                     const struct part *inner, int *seen) {
    const int m = t->shape.m, n = t->shape.n;
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            const enum state s = element(t, (size_t)row * (size_t)n + (size_t)col);
            const bool lost = number_in(outer, by_rows ? row : col) > 0 &&
                              last_of(inner, by_rows ? col : row) >= (by_rows ? n : m);
            if (s != UNKNOWN && (s == BLANK) != lost)
                return false;
            *seen += s == BLANK;
        }
    return true;
}

static bool all_given_up(const struct trial *const *wrong, int count, bool by_rows,
                         const struct part *outer, const struct part *inner) {
    enum { LEAST = 3 }; /* products, so that this is no accident */
    int seen = 0;
    for (int i = 0; i < count; i++)
        if (!given_up(wrong[i], by_rows, outer, inner, &seen))
            return false;
    return count >= LEAST && seen > 0;
}

static const char *judge_given_up(const struct trial *const *wrong, int count, struct text *t) {
    enum { BLOCKS = 4, PARTS = 4, KINDS = BLOCKS * PARTS };
    static const int blocks[BLOCKS] = {32, 64, 128, 256}, parts[PARTS] = {2, 4, 8, 16};
    for (int k = 0; k < 4 * KINDS * KINDS; k++) {
        const bool by_rows = k % 2 == 0, apart = k / 2 % 2 == 0;
        const int o = k / 4 % KINDS, i = k / 4 / KINDS;
        const struct part outer = {blocks[o / PARTS], parts[o % PARTS], apart},
                          inner = {blocks[i / PARTS], parts[i % PARTS], apart};
        if (!all_given_up(wrong, count, by_rows, &outer, &inner))
            continue;
        text_addf(t,
                  "Where one of a thread's elements is outside C, the thread stores none of those "
                  "that follow, though its next %s are inside: a return, or a break out of both "
                  "loops, ends the storing too early. Ask for each element whether it is inside, "
                  "and go on to the next one if it is not.",
                  by_rows ? "rows" : "columns");
        return "storing-ends-early";
    }
    return NULL;
}

const char *suspect_gaps(const struct trial *const *wrong, int count, struct text *t) {
    const char *class = judge_rest(wrong, count, t);
    class = class ? class : judge_last_whole(wrong, count, t);
    class = class ? class : judge_rows(wrong, count, t);
    return class ? class : judge_given_up(wrong, count, t);
}
