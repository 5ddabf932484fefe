/*
 * suspect_fragments.c: products of tensor cores whose fragments lie in wrong registers or lanes.
 *
 * For mma.m16n8k8 on TF32 numbers each lane = 4 * group + member holds
 *
 *     of A  (group, member), (group + 8, member), (group, member + 4), (group + 8, member + 4)
 *     of B  (member, group), (member + 4, group)
 *     of C  (group, 2 * member), (group, 2 * member + 1), and the same in row group + 8
 *
 * A program that fills its registers in another way computes another product, and which one
 * follows from this alone: what the instruction takes for one element is another. All orders of a
 * lane's registers are tried, layouts that beginners think of, and another way to number lanes.
 * Where two slips give the same product, both are named. It looks at whole tiles of C and of k; or,
 * where these are right, at products whose rows begin anywhere, for which many programs have code
 * of its own. It knows no other instruction.
 */
#include "grading/src/diagnose/suspect.h"

#include <string.h>

enum { LANES = 32, SAMPLES = 40, ORDERS = 24, ALIKE = 2 };
enum operand { OF_A, OF_B, OF_C, OPERANDS };

struct place {
    int row, col;
};

/* Those of all products that are looked at. */
enum which { WHOLE_TILES, ROWS_ANYWHERE };
struct products {
    const struct trials *all;
    enum which which;
};

/* What each lane holds in each of its registers. */
struct fragment {
    struct place at[LANES][4];
};

/* A way to hold one operand; and how a sentence tells it. */
struct slip {
    enum operand of;
    int order[4];       /* register e holds what belongs into register order[e] */
    const char *layout; /* or a layout of its own; NULL: an order */
    struct place (*holds)(int group, int member, int e);
};

static struct place right_a(int group, int member, int e) {
    return (struct place){group + e % 2 * 8, member + e / 2 * 4};
}
static struct place right_b(int group, int member, int e) {
    return (struct place){member + e * 4, group};
}
static struct place right_c(int group, int member, int e) {
    return (struct place){group + e / 2 * 8, 2 * member + e % 2};
}

static const struct {
    const char *name;
    int registers, rows, cols;
    struct place (*holds)(int group, int member, int e);
    const char *element[4], *topic;
} operands[OPERANDS] = {
    {"A",
     4,
     16,
     8,
     right_a,
     {"(group, member)", "(group + 8, member)", "(group, member + 4)", "(group + 8, member + 4)"},
     "@fragment-A"},
    {"B", 2, 8, 8, right_b, {"(member, group)", "(member + 4, group)"}, "@fragment-B"},
    {"C",
     4,
     16,
     8,
     right_c,
     {"(group, 2 * member)", "(group, 2 * member + 1)", "(group + 8, 2 * member)",
      "(group + 8, 2 * member + 1)"},
     "@fragment-C"},
};

/* ---- Layouts that beginners think of ---- */

static struct place a_cols_beside(int group, int member, int e) {
    return (struct place){group + e % 2 * 8, 2 * member + e / 2};
}
static struct place a_rows_beside(int group, int member, int e) {
    return (struct place){2 * group + e % 2, member + e / 2 * 4};
}
static struct place a_all_beside(int group, int member, int e) {
    return (struct place){2 * group + e % 2, 2 * member + e / 2};
}
static struct place a_one_row(int group, int member, int e) {
    return (struct place){group, member + e / 2 * 4};
}
static struct place a_one_col(int group, int member, int e) {
    return (struct place){group + e % 2 * 8, member};
}
static struct place b_rows_beside(int group, int member, int e) {
    return (struct place){2 * member + e, group};
}
static struct place b_transposed(int group, int member, int e) {
    return (struct place){group, member + e * 4};
}
static struct place b_one_row(int group, int member, int e) {
    (void)e;
    return (struct place){member, group};
}
static struct place c_cols_apart(int group, int member, int e) {
    return (struct place){group + e / 2 * 8, member + e % 2 * 4};
}
static struct place c_rows_beside(int group, int member, int e) {
    return (struct place){2 * group + e / 2, 2 * member + e % 2};
}
static struct place c_as_a(int group, int member, int e) {
    return (struct place){group + e % 2 * 8, member + e / 2 * 4};
}

static const struct slip layouts[] = {
    {OF_A, {0}, "columns 2 * member and 2 * member + 1", a_cols_beside},
    {OF_A, {0}, "rows 2 * group and 2 * group + 1", a_rows_beside},
    {OF_A,
     {0},
     "rows 2 * group and 2 * group + 1, columns 2 * member and 2 * member + 1",
     a_all_beside},
    {OF_A, {0}, "row group alone, so that rows group + 8 are missing", a_one_row},
    {OF_A, {0}, "column member alone, so that columns member + 4 are missing", a_one_col},
    {OF_B, {0}, "rows 2 * member and 2 * member + 1", b_rows_beside},
    {OF_B, {0}, "row group, columns member and member + 4: those of B transposed", b_transposed},
    {OF_B, {0}, "row member alone, so that rows member + 4 are missing", b_one_row},
    {OF_C, {0}, "columns member and member + 4", c_cols_apart},
    {OF_C, {0}, "rows 2 * group and 2 * group + 1", c_rows_beside},
    {OF_C, {0}, "the order of A: (group, member), (group + 8, member) and so on", c_as_a},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* ---- All of them in a row ---- */

struct slips {
    struct slip all[2 * ORDERS + 2 + LAYOUTS];
    int count;
};

static void add_orders(struct slips *s, enum operand of) {
    const int n = operands[of].registers;
    for (int code = 0; code < n * n * n * n; code++) {
        struct slip x = {.of = of};
        int left = code, seen = 0, moved = 0;
        for (int e = 0; e < n; e++, left /= n) {
            x.order[e] = left % n;
            seen |= 1 << x.order[e];
            moved += x.order[e] != e;
        }
        if (left == 0 && seen == (1 << n) - 1 && moved > 0)
            s->all[s->count++] = x;
    }
}

static void list_slips(struct slips *s) {
    s->count = 0;
    for (int of = 0; of < OPERANDS; of++)
        add_orders(s, (enum operand)of);
    for (int i = 0; i < LAYOUTS; i++)
        s->all[s->count++] = layouts[i];
}

/* ---- What comes out ---- */

/* Which elements the instruction takes for which: of A and B, where they were read; of C, where the
 * element that belongs at a place is computed. -1: nothing is stored there. */
struct mixture {
    struct place a[16][8], b[8][8], c[16][8];
};

static struct place held(enum operand of, const struct slip *slip, int group, int member, int e) {
    if (!slip)
        return operands[of].holds(group, member, e);
    return slip->layout ? slip->holds(group, member, e)
                        : operands[of].holds(group, member, slip->order[e]);
}

/* by_lanes: the program numbers its lanes as group + 8 * member. */
static void mix(struct mixture *x, const struct slip *slip[OPERANDS], bool by_lanes) {
    memset(x->c, -1, sizeof x->c);
    for (int lane = 0; lane < LANES; lane++) {
        const int group = lane / 4, member = lane % 4;
        const int g = by_lanes ? lane % 8 : group, t = by_lanes ? lane / 8 : member;
        for (int e = 0; e < 4; e++) {
            const struct place a = right_a(group, member, e), c = right_c(group, member, e);
            const struct place to = held(OF_C, slip[OF_C], g, t, e);
            x->a[a.row][a.col] = held(OF_A, slip[OF_A], g, t, e);
            x->c[to.row][to.col] = c;
            if (e < 2) {
                const struct place b = right_b(group, member, e);
                x->b[b.row][b.col] = held(OF_B, slip[OF_B], g, t, e);
            }
        }
    }
}

/* An element of a matrix with rows x cols; zero beyond its edges. */
static double padded(const float *x, int rows, int cols, int row, int col) {
    return row < rows && col < cols ? (double)x[(size_t)row * (size_t)cols + (size_t)col] : 0;
}

/* Element `at` of C, as such a program computes it; false: it stores nothing there. */
static bool computed(const struct trial *t, const struct mixture *x, size_t at, double *sum) {
    const int m = t->shape.m, n = t->shape.n, k = t->shape.k;
    const int row = (int)(at / (size_t)n), col = (int)(at % (size_t)n);
    const struct place c = x->c[row % 16][col % 8];
    *sum = 0;
    if (c.row < 0)
        return false;
    for (int p = 0; p < (k + 7) / 8 * 8; p++) {
        const struct place a = x->a[c.row][p % 8], b = x->b[p % 8][c.col];
        const int first = p / 8 * 8;
        *sum += padded(t->a, m, k, row / 16 * 16 + a.row, first + a.col) *
                padded(t->b, k, n, first + b.row, col / 8 * 8 + b.col);
    }
    return true;
}

/* Did the tensor cores compute it, and has it nothing but whole tiles; or do its rows begin
 * anywhere? */
static bool tells(const struct trial *t, enum which which) {
    const struct shape s = t->shape;
    return t->got && t->exact && t->counted && t->work.of[WORK_MMA] > 0 &&
           (which == WHOLE_TILES ? s.m % 32 == 0 && s.n % 32 == 0 && s.k % 32 == 0
                                 : s.n % 4 != 0 || s.k % 4 != 0);
}

static bool explains(const struct products *of, const struct mixture *x) {
    for (int i = 0; i < of->all->count; i++) {
        const struct trial *t = of->all->trial[i];
        const size_t total = trial_elements(t);
        for (size_t j = 0; tells(t, of->which) && j < SAMPLES; j++) {
            const size_t at = (size_t)((uint64_t)(j + 1) * 2654435761u % total);
            double sum;
            if (computed(t, x, at, &sum) ? sum != (double)t->got[at] : !trial_untouched(t, at))
                return false;
        }
    }
    return true;
}

/* ---- In words ---- */

static void say_order(struct text *t, enum operand of, const int *order) {
    for (int e = 0; e < operands[of].registers; e++)
        text_addf(t, "%s%s", e ? ", " : "", operands[of].element[order[e]]);
}

static void say_slip(struct text *t, const struct slip *s) {
    static const int right[] = {0, 1, 2, 3};
    const bool b = s->of == OF_B;
    text_addf(t, "mma takes a lane's %s elements of %s in the order ", b ? "two" : "four",
              operands[s->of].name);
    say_order(t, s->of, right);
    text_addf(t, ", by row and column%s; ", s->of == OF_C ? ", and gives them so" : "");
    if (s->layout) {
        text_addf(t, "here a lane has %s.", s->layout);
    } else {
        text_add(t, "here the order is ");
        say_order(t, s->of, s->order);
        text_add(t, ".");
    }
}

/* ---- The search ---- */

static bool only_lanes(const struct products *of, struct diagnosis *d) {
    const struct slip *none[OPERANDS] = {NULL};
    struct mixture x;
    mix(&x, none, true);
    if (!explains(of, &x))
        return false;
    text_add(&d->sentence,
             "The lanes are numbered in another way than mma numbers them: lane = 4 * group + "
             "member, so group = lane / 4 and member = lane % 4. What comes out is what group = "
             "lane % 8 and member = lane / 8 give.");
    return true;
}

/* One slip; of those that give the same product, each. */
static bool one_slip(const struct products *of, const struct slips *s, struct diagnosis *d) {
    int found = 0;
    for (int i = 0; i < s->count && found < ALIKE; i++) {
        const struct slip *one[OPERANDS] = {NULL};
        struct mixture x;
        one[s->all[i].of] = &s->all[i];
        mix(&x, one, false);
        if (!explains(of, &x))
            continue;
        d->topic = found++ ? NULL : operands[s->all[i].of].topic;
        text_add(&d->sentence, found > 1 ? " Or, which gives the same product: " : "");
        say_slip(&d->sentence, &s->all[i]);
    }
    return found > 0;
}

/* Two at once, of different operands. */
static bool two_slips(const struct products *of, const struct slips *s, struct diagnosis *d) {
    for (int i = 0; i < s->count; i++) {
        for (int j = i + 1; j < s->count; j++) {
            const struct slip *two[OPERANDS] = {NULL};
            struct mixture x;
            if (s->all[i].of == s->all[j].of)
                continue;
            two[s->all[i].of] = &s->all[i];
            two[s->all[j].of] = &s->all[j];
            mix(&x, two, false);
            if (!explains(of, &x))
                continue;
            say_slip(&d->sentence, &s->all[i]);
            text_add(&d->sentence, " And ");
            say_slip(&d->sentence, &s->all[j]);
            return true;
        }
    }
    return false;
}

/* The first wrong product of these, where there are enough; NULL: none, or too few. */
static const struct trial *first_wrong(const struct products *of, int *count) {
    enum { ENOUGH = 3 };
    const struct trial *shown = NULL;
    *count = 0;
    for (int i = 0; i < of->all->count; i++) {
        const struct trial *t = of->all->trial[i];
        *count += tells(t, of->which);
        if (tells(t, of->which) && trial_wrong(t) && !shown)
            shown = t;
    }
    return *count < ENOUGH ? NULL : shown;
}

bool suspect_fragments(const struct trials *all, const struct suspect_context *c,
                       struct diagnosis *d) {
    struct products of = {all, WHOLE_TILES};
    struct slips s;
    int count;
    (void)c;
    const struct trial *shown = first_wrong(&of, &count);
    if (!shown && count > 0) { /* the whole tiles are right */
        of.which = ROWS_ANYWHERE;
        shown = first_wrong(&of, &count);
    }
    if (!shown)
        return false;
    list_slips(&s);
    if (!only_lanes(&of, d) && !one_slip(&of, &s, d) && !two_slips(&of, &s, d))
        return false;
    d->class = "fragment-order";
    if (of.which == ROWS_ANYWHERE)
        text_add(&d->sentence,
                 " That is so where k or n is no multiple of 4 and the code for rows "
                 "that begin anywhere runs; the other one is right. Compare the two.");
    suspect_example(&d->sentence, shown, suspect_element(shown, false), NULL);
    text_addf(&d->evidence, "%d products%s are exactly what mma.m16n8k8 makes of such registers",
              count, of.which == WHOLE_TILES ? " of whole tiles" : "");
    return true;
}
