/*
 * suspect_fragments_test.c: programs that fill mma's registers in a wrong order, or take a wrong
 * lane for theirs, are told apart; right ones and other mistakes are left alone.
 *
 * The programs are written as a warp's lanes work: each fills its registers, the instruction
 * fetches what it needs from all of them, each stores. Where the instruction looks is written down
 * here once more, from PTX's description of mma.m16n8k8, element by element.
 */
#include "common/tests/suite.h"
#include "grading/tests/made_trial.h"

#include <stdlib.h>
#include <string.h>

/* ---- The instruction ---- */

struct registers {
    float a[32][4], b[32][2], c[32][4];
};

static float a_at(const struct registers *r, int row, int col) {
    return r->a[row % 8 * 4 + col % 4][(row >= 8) + 2 * (col >= 4)];
}
static float b_at(const struct registers *r, int row, int col) {
    return r->b[col * 4 + row % 4][row >= 4];
}
static float *c_at(struct registers *r, int row, int col) {
    return &r->c[row % 8 * 4 + col / 2][col % 2 + 2 * (row >= 8)];
}
static void mma(struct registers *r) {
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++)
            for (int p = 0; p < 8; p++)
                *c_at(r, row, col) += a_at(r, row, p) * b_at(r, p, col);
}

/* ---- Programs ---- */

/* Where lane (group, member) finds its element e, in a tile. */
typedef void place(int group, int member, int e, int *row, int *col);

struct program {
    const char *name;
    place *a, *b, *c;
    bool by_eights;    /* group = lane % 8 */
    const char *topic; /* NULL and no `says`: nothing is wrong, or nothing that fragments tell */
    const char *says;
};

#define PLACE(name, r, c)                                                                          \
    static void name(int g, int m, int e, int *row, int *col) {                                    \
        (void)g, (void)m, (void)e;                                                                 \
        *row = (r);                                                                                \
        *col = (c);                                                                                \
    }
PLACE(a, g + e % 2 * 8, m + e / 2 * 4)
PLACE(a_rows_last, g + e / 2 * 8, m + e % 2 * 4)
PLACE(a_pairs, g + e % 2 * 8, 2 * m + e / 2)
PLACE(a_top_only, g, m + e / 2 * 4)
PLACE(a_below_first, g + (1 - e % 2) * 8, m + e / 2 * 4)
PLACE(b, m + e * 4, g)
PLACE(b_pairs, 2 * m + e, g)
PLACE(b_turned, g, m + e * 4)
PLACE(b_late, m + (1 - e) * 4, g)
PLACE(c, g + e / 2 * 8, 2 * m + e % 2)
PLACE(c_rows_last, g + e % 2 * 8, 2 * m + e / 2)
PLACE(c_apart, g + e / 2 * 8, m + e % 2 * 4)
PLACE(c_one_row, g, 2 * m + e % 2)

static const struct program programs[] = {
    {"right", a, b, c, false, NULL, NULL},
    {"right, with other terms in pairs", a_pairs, b_pairs, c, false, NULL, NULL},
    {"A: rows last", a_rows_last, b, c, false, "@fragment-A", "four elements of A"},
    {"A: pairs", a_pairs, b, c, false, "@fragment-A", "columns 2 * member"},
    {"A: upper rows alone", a_top_only, b, c, false, "@fragment-A", "rows group + 8 are missing"},
    {"A: lower rows first", a_below_first, b, c, false, NULL, "Or, which gives the same product"},
    {"B: pairs", a, b_pairs, c, false, "@fragment-B", "rows 2 * member"},
    {"B: transposed", a, b_turned, c, false, "@fragment-B", "B transposed"},
    {"B: later rows first", a, b_late, c, false, NULL, "two elements of B"},
    {"C: rows last", a, b, c_rows_last, false, "@fragment-C", "four elements of C"},
    {"C: columns apart", a, b, c_apart, false, "@fragment-C", "columns member and member + 4"},
    {"lanes by eights", a, b, c, true, NULL, "group = lane % 8"},
    {"A and C", a_rows_last, b, c_apart, false, NULL, " And mma takes"},
    {"C: half of it", a, b, c_one_row, false, NULL, NULL},
};

static void compute(const struct program *p, struct trial *t) {
    const int n = t->shape.n, k = t->shape.k;
    int row, col;
    for (int i = 0; i < t->shape.m; i += 16)
        for (int j = 0; j < n; j += 8) {
            struct registers r = {.c = {{0}}};
            for (int q = 0; q < k; q += 8) {
                for (int lane = 0; lane < 32; lane++) {
                    const int g = p->by_eights ? lane % 8 : lane / 4;
                    const int m = p->by_eights ? lane / 8 : lane % 4;
                    for (int e = 0; e < 4; e++) {
                        p->a(g, m, e, &row, &col);
                        r.a[lane][e] = t->a[(i + row) * k + q + col];
                        p->b(g, m, e % 2, &row, &col);
                        r.b[lane][e % 2] = t->b[(q + row) * n + j + col];
                    }
                }
                mma(&r);
            }
            for (int lane = 0; lane < 32; lane++)
                for (int e = 0; e < 4; e++) {
                    p->c(p->by_eights ? lane % 8 : lane / 4, p->by_eights ? lane / 8 : lane % 4, e,
                         &row, &col);
                    t->got[(i + row) * n + j + col] = r.c[lane][e];
                }
        }
}

static void run(struct trials *all, const struct program *p, bool tensor_cores) {
    static const struct shape shapes[] = {{32, 64, 96}, {64, 32, 32}, {32, 32, 64}, {96, 64, 32}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct call_plan plan = {.entry = ENTRY_DEVICE,
                                 .shape = shapes[i],
                                 .input = INPUT_SMALL,
                                 .poison = POISON_INTEGERS,
                                 .seed = 20 + i};
        struct trial *t = make_trial(all, "probe", &plan, tensor_cores);
        compute(p, t);
        judge_trial(t);
    }
}

static const struct suspect_context kernel = {.entry = ENTRY_DEVICE};

TEST_EACH(fragments_are_told_apart, sizeof programs / sizeof *programs) {
    const struct program *p = &programs[_i];
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run(&all, p, true);
    const bool found = suspect_fragments(&all, &kernel, &d);
    ck_assert_msg(found == (p->says != NULL), "%s: %s", p->name, text_get(&d.sentence));
    if (found) {
        ck_assert_str_eq(d.class, "fragment-order");
        ck_assert_pstr_eq(d.topic, p->topic);
        ck_assert_msg(strstr(text_get(&d.sentence), p->says) != NULL, "%s: %s", p->name,
                      text_get(&d.sentence));
        ck_assert(suspect_products(&all, &kernel, &d));
        ck_assert_str_eq(d.class, "fragment-order");
    }
    diagnosis_free(&d);
    trials_free(&all);
}

/* Without tensor cores there are no fragments, whatever the product looks like. */
TEST(only_tensor_cores_have_fragments) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run(&all, &programs[2], false);
    ck_assert(!suspect_fragments(&all, &kernel, &d));
    trials_free(&all);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/suspect_fragments"});
}
