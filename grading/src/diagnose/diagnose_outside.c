/*
 * diagnose_outside.c: which mistake makes a program leave its matrices, told from the shapes for
 * which it does (see diagnose.h).
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

/* ---- Outside of memory ---- */

/* One access outside, as it was told. */
struct access {
    const struct fact_body *said; /* by the virtual GPU; NULL: the grader saw it */
    bool known, write, just_past;
    bool own;    /* memory that the submission allocated */
    long bytes;  /* of the allocation; -1: unknown */
    char matrix; /* 'A', 'B', 'C'; 0: unknown */
    const struct trial *trial;
};

static bool is_numbered(const struct vgpu_fact *f) {
    return f->memory == VGPU_MEMORY_ALLOCATION || f->memory == VGPU_MEMORY_PINNED ||
           f->memory == VGPU_MEMORY_MANAGED;
}

/* Is it none of the worker's allocations, by its number and its size? (In later calls the numbers
 * go on.) */
static bool is_own(const struct trial *t, const struct vgpu_fact *f) {
    bool own = f->serial > MATRIX_COUNT;
    for (int i = 0; i < MATRIX_COUNT; i++)
        own = own && f->room != t->bytes[i];
    return own;
}

static struct access access_of(const struct inquiry *q, const struct trial *t) {
    struct access a = {.bytes = -1, .trial = t};
    for (int i = 0; i < t->facts.count && !a.said; i++) {
        const struct vgpu_fact *f = &t->facts.at[i].fact;
        if ((f->says == VGPU_ILLEGAL_ACCESS || f->says == VGPU_HOST_POINTER) &&
            f->space == VGPU_SPACE_GLOBAL)
            a.said = &t->facts.at[i];
    }
    if (a.said) {
        const struct vgpu_fact *f = &a.said->fact;
        a.known = true;
        a.write = f->access == VGPU_WRITES;
        a.just_past = f->place == VGPU_AT_PAST && f->distance == 0;
        if (!is_numbered(f))
            return a;
        a.bytes = (long)f->room;
        /* The worker makes A, B and C, in this order, before the submission makes anything. */
        if (q->entry == ENTRY_DEVICE && strcmp(t->name, "probe") != 0)
            a.matrix = f->serial >= 1 && f->serial <= 3 ? "ABC"[f->serial - 1] : 0;
        a.own = q->entry == ENTRY_DEVICE && is_own(t, f);
        return a;
    }
    if (t->touched.how == TOUCHED_OUTSIDE) {
        a.known = true;
        a.matrix = matrix_letter(t->touched.matrix)[0];
        a.write = t->touched.matrix == MATRIX_C || t->touched.written;
    }
    return a;
}

static bool fault(const struct trial *t) {
    return !t->got && (t->verdict == VERDICT_MEMORY || t->verdict == VERDICT_CUDA_ERROR);
}

struct outside {
    struct access shown;                 /* of the first case that ends so, else of a probe */
    int clean, clean_right, clean_fault; /* shapes without edges: all, and how they ended */
    int whole, whole_fault;              /* ... of any tile up to 128 x 128 */
    bool tiled;                          /* kernels read shared memory */
    bool same_grid, grids;               /* the grid is the same for different shapes */
    bool odd_block;                      /* shapes without edges have some for its blocks */
    const struct trial *crowded;         /* more threads than elements, in every fault seen */
    const struct trial
        *lopsided;     /* the grid is too wide for C and too low, or the other way round */
    bool store;        /* any of the faults is a store */
    bool several;      /* a thread has more than one element of C in this lab */
    bool lines;        /* only products of one row or one column fault, and others are right */
    bool k_alone;      /* shapes where only k has an edge fault, and never those without edges */
    bool phase_behind; /* the first thread, which has a column of A in each phase, goes on */
};

/* Has this shape no edges? */
static bool without_edges(const struct inquiry *q, const struct shape *s) {
    const int side = q->g->lab->block;
    return s->m % side == 0 && s->n % side == 0 && s->k % 32 == 0;
}

static bool only_k_uneven(const struct inquiry *q, const struct shape *s) {
    const struct shape even = {s->m, s->n, 32};
    return s->k % 32 != 0 && without_edges(q, &even);
}

/* Were there more threads than C has elements, edges of blocks included? */
static bool crowded(const struct trial *t) {
    const uint64_t *grid = &t->work.of[WORK_GRID_X], *block = &t->work.of[WORK_BLOCK_X];
    const uint64_t m = (uint64_t)t->shape.m, n = (uint64_t)t->shape.n;
    uint64_t most = 0;
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        const uint64_t x = block[exchanged], y = block[1 - exchanged];
        const uint64_t covered = (n + x - 1) / x * x * ((m + y - 1) / y * y);
        most = covered > most ? covered : most;
    }
    return grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2] > most;
}

/* Blocks with two sides: do they cover more than C along one and less along the other? */
static bool lopsided(const struct trial *t) {
    const uint64_t *grid = &t->work.of[WORK_GRID_X], *block = &t->work.of[WORK_BLOCK_X];
    const uint64_t x = grid[0] * block[0], y = grid[1] * block[1];
    const uint64_t n = (uint64_t)t->shape.n, m = (uint64_t)t->shape.m;
    return block[0] > 1 && block[1] > 1 &&
           ((x >= n + block[0] && y < m) || (x < n && y >= m + block[1]));
}

/* Was it the first thread of all? Whatever the mapping, that one has an element of C. */
static bool by_first_thread(const struct access *a) {
    static const uint32_t zeros[3];
    return a->said && a->said->fact.has_thread &&
           memcmp(a->said->fact.thread, zeros, sizeof zeros) == 0 &&
           memcmp(a->said->fact.block, zeros, sizeof zeros) == 0;
}

/* Does the first thread read behind a single row of A, and before where a next row would end? Its
 * element of a tile exists in each phase that the sum needs: so this is another phase. */
static bool behind_last_phase(const struct access *a) {
    return a->matrix == 'A' && !a->write && by_first_thread(a) && a->trial->shape.m == 1 &&
           a->said->fact.place == VGPU_AT_PAST && a->said->fact.distance > 0 &&
           (uint64_t)a->said->fact.distance < sizeof(float) * (uint64_t)a->trial->shape.k;
}

static void gather(const struct inquiry *q, struct outside *o) {
    const struct trial *first_counted = NULL;
    bool all_crowded = true, line = false, more = false, right = false;
    *o = (struct outside){.same_grid = true, .several = q->g->lab->block > q->g->lab->tile};
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        const struct access a = fault(t) ? access_of(q, t) : (struct access){0};
        if (a.known && (!o->shown.known || (a.matrix && !o->shown.matrix)))
            o->shown = a;
        o->store = o->store || (a.known && a.write);
        o->k_alone = o->k_alone || (fault(t) && only_k_uneven(q, &t->shape));
        o->phase_behind = o->phase_behind || behind_last_phase(&a);
        const bool is_line = t->shape.m == 1 || t->shape.n == 1;
        line = line || (fault(t) && is_line);
        more = more || (fault(t) && !is_line);
        right = right || (t->verdict == VERDICT_PASS && !is_line);
        o->tiled = o->tiled || t->work.of[WORK_SHARED_LOAD_REQUESTS] > 0;
        if (without_edges(q, &t->shape)) {
            o->clean_right += t->verdict == VERDICT_PASS;
            o->clean_fault += fault(t);
            o->clean++;
        }
        if (t->shape.m % 128 == 0 && t->shape.n % 128 == 0) {
            o->whole_fault += fault(t);
            o->whole++;
        }
        if (!t->counted || t->work.of[WORK_GRID_X] == 0)
            continue;
        o->odd_block = o->odd_block || 32 % t->work.of[WORK_BLOCK_X] != 0 ||
                       32 % t->work.of[WORK_BLOCK_Y] != 0;
        all_crowded = all_crowded && crowded(t);
        if (fault(t) && lopsided(t))
            o->lopsided = o->lopsided ? o->lopsided : t;
        o->crowded = o->crowded ? o->crowded : t;
        if (first_counted &&
            (t->shape.m != first_counted->shape.m || t->shape.n != first_counted->shape.n)) {
            o->grids = true;
            o->same_grid = o->same_grid &&
                           memcmp(&t->work.of[WORK_GRID_X], &first_counted->work.of[WORK_GRID_X],
                                  3 * sizeof(uint64_t)) == 0;
        }
        first_counted = first_counted ? first_counted : t;
    }
    if (!all_crowded)
        o->crowded = NULL;
    o->lines = line && !more && right;
}

/* Is some element of a wrong product as it was before? */
static bool leaves_out(const struct trial *t) {
    for (size_t at = 0; trial_wrong(t) && at < trial_elements(t); at++)
        if (trial_untouched(t, at))
            return true;
    return false;
}

/* Where the guard of the store is missing, threads beyond an edge of C store into its next row,
 * too. But then nobody races where there are no edges, and every element is written by its own
 * thread. */
bool diagnose_race_within(const struct inquiry *q) {
    struct outside o;
    gather(q, &o);
    bool within = !o.shown.known;
    for (size_t i = 0; i < q->g->result_count && !within && !o.odd_block; i++) {
        const struct case_result *c = &q->g->results[i];
        within = without_edges(q, &c->plan.call[0].shape) && inquiry_counts(q, c) &&
                 observation_find(&c->seen, VGPU_FOUND_RACE, false) != NULL;
    }
    for (int i = 0; i < q->trials.count && !within; i++)
        within = leaves_out(q->trials.trial[i]);
    return within;
}

static void say_access(struct text *t, const struct access *a) {
    if (!a->said)
        return;
    const struct vgpu_fact *f = &a->said->fact;
    const char *name = a->matrix ? (char[2]){a->matrix, '\0'} : a->own ? "it" : "a matrix";
    text_addf(t, " Line %d %s outside %s with m = %d, n = %d, k = %d", f->line,
              a->write ? "writes" : "reads", name, a->trial->shape.m, a->trial->shape.n,
              a->trial->shape.k);
    if (f->has_thread) {
        text_add(t, ", in ");
        diagnosis_say_thread(t, f);
    }
    text_add(t, ".");
}

/* Was it a thread of the first block? */
static bool by_first_block(const struct access *a) {
    static const uint32_t zeros[3];
    return a->said && a->said->fact.has_thread &&
           memcmp(a->said->fact.block, zeros, sizeof zeros) == 0;
}

/* A product of 1 x 1 x 1 is right: whatever lacks a guard altogether is outside there. */
static bool holds_in_first_tile(const struct inquiry *q) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct shape s = c->plan.call[0].shape;
        if (c->spec->entry == ENTRY_DEVICE && c->verdict == VERDICT_PASS && s.m == 1 && s.n == 1 &&
            s.k == 1)
            return true;
    }
    return false;
}

/* The side of a tile if just those products fail that have a whole tile of that side in C and a k
 * that is no multiple of `step`, and others of either kind are right; 0: not so. */
static int fails_in_whole_tiles(const struct inquiry *q, int step) {
    enum { LEAST = 3 };
    for (int side = 128; side >= 16; side /= 2) {
        int fail = 0, few = 0, even = 0, odd = 0;
        for (int i = 0; i < q->trials.count; i++) {
            const struct trial *t = q->trials.trial[i];
            const bool whole = t->shape.m >= side && t->shape.n >= side,
                       uneven = t->shape.k % step != 0, fails = t->verdict != VERDICT_PASS;
            odd += fails != (whole && uneven);
            fail += fails;
            few += !fails && !whole && uneven;
            even += !fails && whole;
        }
        if (odd == 0 && fail >= LEAST && few >= LEAST && even >= LEAST)
            return side;
    }
    return 0;
}

/* Where all of a tile of C exists, nobody asks whether its slabs stick out along k. */
static bool say_whole_tiles(const struct inquiry *q, struct text *t) {
    for (int step = 64; step >= 4; step /= 2) {
        const int side = fails_in_whole_tiles(q, step);
        if (side == 0)
            continue;
        text_addf(t,
                  "Products of fewer than %d rows or columns are right, and so are those whose k "
                  "is a multiple of %d: where a tile of C has all its elements, your kernel loads "
                  "without a guard. The last tiles along k may stick out even so: leave the guard "
                  "out only where they do not, too.",
                  side, step);
        return true;
    }
    return false;
}

/* Four floats at once. */
static bool is_quad(const struct access *a) {
    return a->said && a->said->fact.size == sizeof(float[4]);
}

static const char *guards(const struct inquiry *q, const struct outside *o, struct text *t) {
    if (diagnose_guard(q->g->submission.bytes, o->shown.just_past, t))
        return o->tiled && !o->shown.write ? "missing-load-guard" : "missing-store-guard";
    if (o->shown.write && o->whole > 0 && o->whole_fault == o->whole) {
        text_add(t, "C is left even where it is made of whole tiles, so no guard is missing: an "
                    "index is too large. Is a row or a column counted twice, in the pointer and "
                    "again in what is added to it?");
        if (is_quad(&o->shown))
            text_add(t, " Or is float4 counted in floats? The index of a pointer to float4 is the "
                        "column divided by 4.");
        return "out-of-bounds";
    }
    if (o->shown.write) {
        if (o->tiled && holds_in_first_tile(q) && !by_first_block(&o->shown))
            text_add(t, "The guard of the store to C holds in the first tile, since a product of "
                        "1 x 1 x 1 is right, but not in later ones. Is a place within the tile "
                        "compared with m or n, the sizes of the whole matrix? ");
        else
            text_add(t, "The store to C lacks its guard: threads beyond the edge write too. ");
        text_add(t, "Store only where both row < m and col < n");
        text_add(t, o->several ? ", the row and the column of the very element that is stored: a "
                                 "thread's elements may lie in several rows."
                               : ".");
        if (is_quad(&o->shown))
            text_add(t, " And a pointer to float4 counts float4s: its index is the column divided "
                        "by 4.");
        return "missing-store-guard";
    }
    if (o->tiled && o->lines) {
        text_addf(t,
                  "What computes a single row, or a single column, reads beyond %s. Where a loop "
                  "takes several rows of B, or several elements, at a time, the last of them must "
                  "be below k, and below the end of its part of k, too: look at the condition with "
                  "the largest index that the body uses.",
                  o->shown.matrix ? (char[2]){o->shown.matrix, '\0'} : "a matrix");
        return "missing-load-guard";
    }
    if (o->tiled) {
        const char *of = o->shown.matrix ? (char[2]){o->shown.matrix, '\0'} : "a tile";
        if (say_whole_tiles(q, t))
            return "missing-load-guard";
        if (o->phase_behind && !o->several) {
            text_add(t, "A phase too many is run where the tile is no divisor of k: even the first "
                        "thread, whose column of A exists in each phase of the sum, reads outside. "
                        "There are (k + TILE - 1) / TILE phases. Does the loop's condition see "
                        "that none is left? An unsigned number that counts down never falls below "
                        "zero: it begins anew at its largest value.");
            return "phases-too-many";
        }
        if (holds_in_first_tile(q))
            text_addf(t,
                      "The guard of the load of %s holds in the first tile, since a product of "
                      "1 x 1 x 1 is right, but not in later ones. Is a place within the tile "
                      "compared with a size of the whole matrix, or a row or column with the wrong "
                      "size? ",
                      of);
        else
            text_addf(t,
                      "The load of %s lacks a guard, or half of it: at the edge, threads read "
                      "beyond the matrix. ",
                      of);
        text_add(t, "Load only where both indices are inside (A: row < m and column < k; B: row < "
                    "k and column < n); elsewhere store a zero in the tile.");
        return "missing-load-guard";
    }
    if (o->k_alone) {
        text_add(t, "Threads inside C read too far, if k is not a multiple of what they take "
                    "together: a load at p + something needs a guard of its own, below k. Where "
                    "there is nothing to load, take a zero, and let every lane go on.");
        return "missing-load-guard";
    }
    if (by_first_thread(&o->shown)) {
        text_add(t, "A thread inside C reads too far: an index, such as p, goes beyond the matrix "
                    "if a size is not a multiple of the step. p goes from 0 to k - 1.");
        return "out-of-bounds";
    }
    text_add(t, "Threads beyond the edge of C work too: the guard is missing or lets too many "
                "through. Go on only where both row < m and col < n.");
    return "missing-store-guard";
}

/* Loads that a guard does not mend. */
static void say_displaced(const struct outside *o, struct diagnosis *d) {
    d->class = "loads-displaced";
    text_addf(&d->sentence,
              "A thread reads beyond %s, and a guard alone does not help: with zeros all around A "
              "and B the product is still wrong. So what is read lies in the wrong place. Where "
              "does a block's first tile begin, and how many follow (those of its part of k, if k "
              "is divided: how many slabs it has is not the number of the last one)? By how much "
              "do the pointers (or the indices) move on to the next one, and which of them is not "
              "whole? Or does the kernel get the arguments of another shape?",
              o->shown.matrix ? (char[2]){o->shown.matrix, '\0'} : "its matrix");
}

/* What is read outside goes nowhere. long_sums: those end outside, too. */
static void say_unused(const struct outside *o, bool long_sums, struct diagnosis *d) {
    const struct shape s = o->shown.trial->shape;
    d->class = "reads-ahead-too-far";
    text_add(&d->sentence, "The value read outside is never used: your kernel reads, or copies, "
                           "ahead for a phase that does not exist");
    if (long_sums)
        text_add(&d->sentence, ", behind the last one");
    else
        text_addf(&d->sentence,
                  ". With m = %d, n = %d, k = %d there are few of them, perhaps only one", s.m, s.n,
                  s.k);
    text_addf(&d->sentence,
              ". Ask before each of these reads, the first ones too, whether the number of its "
              "phase (its slab) is less than how many there are%s.",
              long_sums ? ": < and not <=" : "");
}

static bool is_element_count(const struct access *a) {
    const struct shape s = a->trial->shape;
    const long ab[] = {(long)s.m * s.k, (long)s.k * s.n, (long)s.m * s.n};
    return a->bytes == ab[0] || a->bytes == ab[1] || a->bytes == ab[2];
}

/* Right but for very many rows. */
static void say_tall(const struct outside *o, struct diagnosis *d) {
    if (o->shown.said && o->shown.said->fact.place == VGPU_AT_BEFORE) {
        d->class = "index-overflow";
        text_add(
            &d->sentence,
            "With very many rows, and only then, an index points before the start of a matrix: a "
            "row or an index is kept in a type that is too small for it, and becomes negative. Use "
            "int for rows and columns, and size_t for indices.");
        return;
    }
    d->class = "slab-wrong";
    text_add(&d->sentence,
             "With very many rows, and only then, a thread works outside a matrix. If you compute "
             "C in several launches, each is a smaller product: it has the rows that are left, at "
             "most as many as one launch computes; its A begins at A + first * k, and its C at C + "
             "first * n.");
}

/* Do just those products fail that have more rows or columns than a short counts, and blocks from
 * the one on whose first element has such a number? */
static bool ends_like_a_short(const struct inquiry *q, const struct outside *o) {
    enum { MOST = 32767, LEAST = 4 };
    int right = 0;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct shape s = c->plan.call[0].shape;
        const bool large = s.m > MOST || s.n > MOST;
        if (c->verdict == VERDICT_NOT_RUN || c->spec->entry != q->entry)
            continue;
        if (c->verdict != VERDICT_PASS && !large)
            return false;
        right += c->verdict == VERDICT_PASS;
    }
    const struct vgpu_fact *f = o->shown.said ? &o->shown.said->fact : NULL;
    const uint32_t block = f == NULL || !f->has_thread ? 0 : f->block[0] + f->block[1];
    return right >= LEAST && block > 0 && (block & (block - 1)) == 0; /* 32768 is a power of two */
}

/* A grid that fits no matrix, or not this one. False: it fits. */
static bool say_grid(const struct inquiry *q, const struct outside *o, struct diagnosis *d) {
    if (o->grids && o->same_grid) {
        d->class = "index-wrong";
        d->topic = "@launch";
        text_add(&d->sentence,
                 "The grid has the same size for every matrix: compute it from m and n.");
    } else if (q->g->lab->square_tiles && o->lopsided) {
        const uint64_t *w = o->lopsided->work.of;
        d->class = "grid-exchanged";
        text_addf(&d->sentence,
                  "The grid does not match C: %llu x %llu blocks (x, y) of %llu x %llu threads "
                  "cover %llu columns and %llu rows, but C has %d and %d. C needs n / TILE blocks "
                  "side by side, along x, and m / TILE one below another, along y.",
                  (unsigned long long)w[WORK_GRID_X], (unsigned long long)w[WORK_GRID_Y],
                  (unsigned long long)w[WORK_BLOCK_X], (unsigned long long)w[WORK_BLOCK_Y],
                  (unsigned long long)w[WORK_GRID_X] * w[WORK_BLOCK_X],
                  (unsigned long long)w[WORK_GRID_Y] * w[WORK_BLOCK_Y], o->lopsided->shape.n,
                  o->lopsided->shape.m);
    } else if (q->g->lab->square_tiles && o->crowded) {
        const uint64_t *grid = &o->crowded->work.of[WORK_GRID_X];
        const uint64_t *block = &o->crowded->work.of[WORK_BLOCK_X];
        d->class = "grid-too-large";
        text_addf(&d->sentence,
                  "There are more threads than elements of C: a grid of %llu x %llu blocks, of "
                  "%llu x %llu threads each, for %d columns and %d rows. n / TILE blocks side by "
                  "side and m / TILE one below another cover C; the others work outside it.",
                  (unsigned long long)grid[0], (unsigned long long)grid[1],
                  (unsigned long long)block[0], (unsigned long long)block[1], o->crowded->shape.n,
                  o->crowded->shape.m);
    } else {
        return false;
    }
    return true;
}

/* Blocks one below another need the same elements of B, and blocks side by side the same of A. So
 * where the first of them stays inside and the next one does not, its number stands in an index
 * where it does not belong. */
static bool by_wrong_side_of_grid(const struct access *a) {
    if (a->write || !a->said || !a->said->fact.has_thread)
        return false;
    const uint32_t x = a->said->fact.block[0], y = a->said->fact.block[1];
    if (a->trial->work.of[WORK_GRID_X] < 2 || a->trial->work.of[WORK_GRID_Y] < 2)
        return false; /* its blocks are numbered in one row, or unknown */
    return (a->matrix == 'B' && x == 0 && y > 0) || (a->matrix == 'A' && y == 0 && x > 0);
}

/* An index that leaves its matrix, where the grid fits it. */
static void say_index(struct inquiry *q, const struct outside *o, struct diagnosis *d) {
    if (q->entry != ENTRY_CPU && ((o->clean_right > 0 && o->clean_fault == 0) ||
                                  (o->odd_block && o->tiled && !q->g->lab->square_tiles))) {
        const struct shape s = o->shown.trial->shape;
        const bool inside_c = o->clean_fault > 0 && holds_in_first_tile(q);
        if (!o->store && o->tiled && !o->lines && diagnose_room_spoils(q, s))
            say_displaced(o, d);
        else if (!o->store && o->tiled && !o->lines && diagnose_room_unused(q, s, inside_c))
            say_unused(o, inside_c, d);
        else
            d->class = guards(q, o, &d->sentence);
    } else if (q->entry != ENTRY_CPU && o->clean_fault == o->clean && o->clean > 0 && !o->store &&
               !o->tiled && o->shown.just_past) {
        d->class = "off-by-one";
        text_add(&d->sentence,
                 "An index goes one too far in every shape: p goes from 0 to k - 1, p < k.");
    } else if (diagnose_room(q, o->tiled, d) ||
               (q->entry != ENTRY_DEVICE && diagnose_host_outside(q, o->shown.trial, d))) {
        /* they have said it */
    } else if (q->g->lab->square_tiles && by_wrong_side_of_grid(&o->shown)) {
        const bool is_A = o->shown.matrix == 'A';
        d->class = is_A ? "A-misplaced" : "B-misplaced";
        text_addf(
            &d->sentence,
            "The first block stays inside %c, and a block %s it does not. But blocks that lie "
            "%s take the same elements of %c: its %s goes with the phase and the thread's "
            "place in the block, and blockIdx.%c has no part in it. (It may be in a variable, "
            "such as %s.)",
            o->shown.matrix, is_A ? "beside" : "below", is_A ? "side by side" : "one below another",
            o->shown.matrix, is_A ? "column" : "row", is_A ? 'x' : 'y', is_A ? "col" : "row");
    } else {
        d->class = "out-of-bounds";
        text_add(&d->sentence,
                 "An index leaves its matrix. Which one is too large, and what should have stopped "
                 "it?");
    }
}

/* Memory of its own, which holds parts of sums, or a copy. */
static void say_own(const struct outside *o, struct diagnosis *d) {
    d->class = "scratch-too-small";
    text_addf(
        &d->sentence,
        "Memory of your own is too small for what is %s there, or an index too large: it is an "
        "allocation of %ld bytes, room for %ld floats. cudaMalloc counts bytes, that is "
        "elements times sizeof(float). How many elements lie there in this shape, and where "
        "does each block's or part's place begin?",
        o->shown.write ? "stored" : "read", o->shown.bytes, o->shown.bytes / (long)sizeof(float));
}

bool rule_outside(struct inquiry *q, struct diagnosis *d) {
    struct outside o;
    gather(q, &o);
    if (!o.shown.known)
        return false;
    if (q->special && q->first->spec->shape == SHAPE_TALL && q->entry == ENTRY_DEVICE) {
        say_tall(&o, d);
    } else if (q->entry == ENTRY_HOST && is_element_count(&o.shown)) {
        d->class = "bytes-missing";
        text_add(&d->sentence,
                 "Device memory is too small by a factor of four: cudaMalloc and cudaMemcpy count "
                 "bytes, that is elements times sizeof(float).");
    } else if (o.shown.own) {
        say_own(&o, d);
    } else if (q->entry == ENTRY_DEVICE && o.shown.write && by_first_thread(&o.shown) &&
               o.shown.trial->shape.m > LAB_MOST_BLOCKS_DOWN) {
        d->class = "slab-wrong";
        text_add(&d->sentence,
                 "Even the first thread writes outside C, so the launch's pointer is wrong: a slab "
                 "of rows begins at C + first * n in C, and at A + first * k in A.");
    } else if (ends_like_a_short(q, &o)) {
        d->class = "index-overflow";
        text_add(&d->sentence,
                 "Only products with more than 32,767 rows or columns leave their matrices: a row, "
                 "a column or an index is kept in a short, which ends there, and becomes negative. "
                 "Use int for rows and columns, and size_t for indices.");
    } else if (!say_grid(q, &o, d)) {
        say_index(q, &o, d);
    }
    if (o.shown.said)
        diagnosis_place_fact(d, &o.shown.said->fact);
    say_access(&d->sentence, &o.shown);
    text_addf(&d->evidence,
              "shapes without edges: %d right, %d outside; first seen: ", o.clean_right,
              o.clean_fault);
    if (o.shown.said)
        diagnosis_quote(&d->evidence, o.shown.said->words);
    else
        diagnosis_quote(&d->evidence, text_get(&o.shown.trial->summary));
    return true;
}
