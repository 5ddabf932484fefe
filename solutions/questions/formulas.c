/* formulas.c: draws variants, and computes what is right in them; see formulas.h. */
#include "solutions/questions/formulas.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct formula_question *formulas_of(int lab, size_t *count) {
    const struct formula_table *t = formula_tables;
    while (t->all && t->lab != lab)
        t++;
    *count = t->all ? *t->count : 0;
    return t->all;
}

/* ---- Drawing ---- */

int64_t pick(struct generator *g, int64_t low, int64_t high) {
    return low + (int64_t)(generator_next(g) % (uint64_t)(high - low + 1));
}

int64_t pick_from(struct generator *g, const int *list, size_t count) {
    return list[generator_next(g) % count];
}

void draw_lines(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 11, 89);
}

struct drawn *formulas_draw(const struct formula_question *q, int lab, uint64_t edition,
                            size_t *count) {
    enum { PATIENCE = 1000 }; /* some questions have fewer variants than there is room for */
    struct drawn *all = xcalloc(QUESTION_VARIANTS, sizeof *all);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (const char *c = q->key; *c; c++)
        sum = (sum ^ (uint64_t)(unsigned char)*c) * UINT64_C(0x100000001b3);
    struct generator g =
        generator_start(sum ^ edition * UINT64_C(0x9e3779b97f4a7c15), (uint64_t)lab);
    *count = 0;
    for (int tries = 0; tries < PATIENCE && *count < (q->draw ? QUESTION_VARIANTS : 1); tries++) {
        struct drawn d = {{0}};
        bool is_new = true;
        if (q->draw)
            q->draw(&d, &g);
        for (size_t i = 0; i < *count; i++)
            is_new = is_new && memcmp(&all[i], &d, sizeof d) != 0;
        if (is_new)
            all[(*count)++] = d;
    }
    return all;
}

/* ---- Variables ---- */

static struct variables variables_draw(struct generator *g) {
    static const int tiles[] = {2, 4, 8, 16, 32};
    static const int primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    struct variables v = {0};
    v.T = (double)pick_from(g, tiles, COUNT(tiles));
    const int64_t phases = pick(g, 2, 9), T = (int64_t)v.T;
    v.width = (double)(T * phases);
    v.p = (double)pick(g, 0, phases - 1);
    v.bx = (double)pick(g, 0, phases - 1);
    v.by = (double)pick(g, 0, phases - 1);
    v.x = (double)pick(g, 0, T - 1);
    v.y = (double)pick(g, 0, T - 1);
    v.row = v.by * v.T + v.y;
    v.col = v.bx * v.T + v.x;
    const int64_t a = pick(g, 0, (int64_t)COUNT(primes) - 3);
    v.m = (double)primes[a + pick(g, 0, 1) * 2]; /* three different primes, in any order of size */
    v.k = (double)primes[a + 1];
    v.n = v.m == (double)primes[a] ? (double)primes[a + 2] : (double)primes[a];
    const int64_t thread = pick(g, 0, 255), warp = thread / 32;
    v.thread = (double)thread;
    v.warp = (double)warp;
    v.lane = (double)(thread % 32);
    v.r = (double)pick(g, 0, 15);
    v.c = (double)pick(g, 0, 7);
    v.stages = (double)pick(g, 2, 5);
    v.s = (double)pick(g, 0, 60);
    return v;
}

void formulas_points(struct variables points[POINTS]) {
    struct generator g = generator_start(20, 26);
    for (int i = 0; i < POINTS; i++)
        points[i] = variables_draw(&g);
    points[0].s = 0; /* where s - 1 is negative */
}

double formulas_variable(const struct variables *v, const char *name) {
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"T", v->T},   {"p", v->p},   {"width", v->width},   {"x", v->x},       {"y", v->y},
        {"bx", v->bx}, {"by", v->by}, {"row", v->row},       {"col", v->col},   {"m", v->m},
        {"n", v->n},   {"k", v->k},   {"thread", v->thread}, {"warp", v->warp}, {"lane", v->lane},
        {"r", v->r},   {"c", v->c},   {"stages", v->stages}, {"s", v->s},
    };
    for (size_t i = 0; i < COUNT(all); i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].value;
    return NAN;
}

/* ---- Answers ---- */

/* Adds a spelling; one that is there already counts as what it was first. */
static void add(struct plain *p, const char *spelling, int holds) {
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->spelling[i], spelling) == 0)
            return;
    if (p->count < BLANK_SEALS) {
        snprintf(p->spelling[p->count], CANONICAL, "%s", spelling);
        p->holds[p->count++] = holds;
    }
}

static void add_formula(struct plain *p, blank_function *value, const struct drawn *d, int holds) {
    char spelling[CANONICAL];
    struct folded folded = folded_start();
    struct variables points[POINTS];
    formulas_points(points);
    for (int i = 0; i < POINTS; i++) {
        const struct blank_value v = value(d, &points[i]);
        folded_add(&folded, v.v, v.count);
        p->values = v.count;
    }
    canonical_folded(spelling, &folded);
    add(p, spelling, holds);
}

static void add_value(struct plain *p, const struct formula_blank *b, const struct blank_value *v,
                      int holds) {
    char spelling[CANONICAL];
    switch (b->kind) {
    case BLANK_REAL:
        if (holds == SEAL_RIGHT)
            p->grid = canonical_grid(v->v[0]);
        /* A mistake's own 2 % lie in two steps of the right value's scale. */
        for (int side = -1; side <= 1; side += 2) {
            const double edge = holds == SEAL_RIGHT ? 0 : side * CANONICAL_TOLERANCE;
            canonical_real(spelling, p->grid, v->v[0] * (1 + edge));
            add(p, spelling, holds);
        }
        break;
    case BLANK_WORD:
        canonical_word(spelling, b->words[(int)v->v[0]]);
        add(p, spelling, holds);
        break;
    case BLANK_LETTERS:
        canonical_letters(spelling, (unsigned)v->v[0]);
        add(p, spelling, holds);
        break;
    case BLANK_NUMBERS:
    case BLANK_FORMULAS:
    case BLANK_LINE:
    case BLANK_TEXT:
    case BLANK_KINDS:
    default:
        canonical_numbers(spelling, v->v, v->count);
        add(p, spelling, holds);
        p->values = v->count;
        break;
    }
}

static void add_written(struct plain *p, const struct formula_blank *b) {
    char spelling[CANONICAL];
    if (b->kind == BLANK_LETTERS) {
        unsigned set = 0;
        for (const char *c = b->written; *c; c++)
            set |= *c >= 'a' && *c <= 'h' ? 1U << (*c - 'a') : 0;
        canonical_letters(spelling, set);
    } else {
        canonical_text(spelling, b->written);
    }
    add(p, spelling, SEAL_RIGHT);
}

void formulas_plain(struct plain *p, const struct formula_blank *b, const struct drawn *d) {
    char spelling[CANONICAL];
    *p = (struct plain){.values = 1};
    for (int i = 0; b->lines && b->lines[i] >= 0; i++) {
        canonical_line(spelling, (int)d->n[0] + b->lines[i]);
        add(p, spelling, SEAL_RIGHT);
    }
    if (b->kind == BLANK_FORMULAS)
        add_formula(p, b->value, d, SEAL_RIGHT);
    if (b->kind != BLANK_FORMULAS && b->value) {
        const struct blank_value v = b->value(d, NULL);
        add_value(p, b, &v, SEAL_RIGHT);
    } else if (b->kind != BLANK_FORMULAS && b->written) {
        add_written(p, b);
    }
    for (int i = 0; i < SLIPS && b->slips[i].value; i++) {
        if (b->kind == BLANK_FORMULAS) {
            add_formula(p, b->slips[i].value, d, 1 + i);
        } else {
            const struct blank_value v = b->slips[i].value(d, NULL);
            add_value(p, b, &v, 1 + i);
        }
    }
}

/* ---- Answers, written ---- */

static void write_value(struct text *t, const struct formula_blank *b, const struct drawn *d) {
    const struct blank_value v = b->value(d, NULL);
    if (b->kind == BLANK_WORD) {
        text_add(t, b->words[(int)v.v[0]]);
        return;
    }
    if (b->kind == BLANK_LETTERS) {
        const char *blank = "";
        for (int i = 0; i < 8; i++) {
            if (!((int)v.v[0] >> i & 1))
                continue;
            text_addf(t, "%s%c", blank, 'a' + i);
            blank = " ";
        }
        text_add(t, (int)v.v[0] ? "" : "none");
        return;
    }
    for (int i = 0; i < v.count; i++)
        text_addf(t, b->kind == BLANK_REAL ? "%s%.6g" : "%s%.0f", i ? ", " : "", v.v[i]);
}

void formulas_answer(struct text *t, const struct formula_blank *b, const struct drawn *d) {
    if (b->written)
        text_add(t, b->written);
    else if (b->lines)
        text_addf(t, "%d", (int)d->n[0] + b->lines[0]);
    else
        write_value(t, b, d);
}
