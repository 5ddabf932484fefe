/*
 * diagnose_outside.c: which mistake makes a program leave its matrices, told from the shapes for
 * which it does; and what cuBLAS was given (see diagnose.h).
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

/* ---- What cuBLAS was given ---- */

/* What cuBLAS was told, from its refusal or fault: rows and columns of one of its operands. */
static bool cublas_operand(const struct trial *t, char *which, int *rows, int *cols) {
    const struct vgpu_fact *stride = NULL, *matrix = NULL;
    for (int i = 0; i < t->facts.count; i++) {
        const struct vgpu_fact *f = &t->facts.at[i].fact;
        if (f->says == VGPU_BLAS_STRIDE && !stride)
            stride = f;
        if ((f->says == VGPU_BLAS_MATRIX_SHORT || f->says == VGPU_BLAS_MATRIX_AT) && !matrix)
            matrix = f;
    }
    const struct vgpu_fact *f = stride ? stride : matrix;
    if (!f)
        return false;
    *which = f->other[0];
    *rows = (int)f->number[0];
    *cols = (int)f->number[1];
    return true;
}

/* Row-major C = A B is asked for as B A, n x k times k x m. Were these the sizes? */
static const char *cublas_class(char which, int rows, int cols, struct shape s) {
    const int right[3][2] = {{s.n, s.k}, {s.k, s.m}, {s.n, s.m}};
    const int swapped[3][2] = {{s.m, s.k}, {s.k, s.n}, {s.m, s.n}};
    const int i = which - 'A';
    if (i < 0 || i > 2)
        return NULL;
    if (rows == right[i][0] && cols == right[i][1])
        return "stride-wrong";
    return rows == swapped[i][0] && cols == swapped[i][1] ? "m-n-swapped" : "m-n-k-swapped";
}

bool rule_cublas_sizes(struct inquiry *q, struct diagnosis *d) {
    const char *class = NULL;
    char which = 0;
    int rows = 0, cols = 0;
    const struct trial *shown = NULL;
    for (int i = 0; i < q->trials.count && q->g->lab->cublas; i++) {
        const struct trial *t = q->trials.trial[i];
        const struct shape s = t->shape;
        char w;
        int r, c;
        if (s.m == s.n || s.n == s.k || s.m == s.k || !cublas_operand(t, &w, &r, &c))
            continue;
        const char *told = cublas_class(w, r, c, s);
        if (!told || (class && strcmp(class, told) != 0))
            return false;
        class = told;
        which = w, rows = r, cols = c, shown = t;
    }
    if (!class)
        return false;
    d->class = class;
    if (strcmp(class, "stride-wrong") == 0)
        text_add(&d->sentence,
                 "The sizes given to cuBLAS are right, but a leading dimension is not: it is the "
                 "number of elements from one row of a row-major matrix to the next, k for A, n "
                 "for B and for C.");
    else
        text_add(&d->sentence,
                 "The sizes given to cuBLAS are mixed up. It computes column-major matrices; the "
                 "row-major C = A B is its B times A, with the sizes n, m, k in this order.");
    text_addf(&d->evidence,
              "with m = %d, n = %d, k = %d cuBLAS was given a matrix %c of %d x %d, column-major",
              shown->shape.m, shown->shape.n, shown->shape.k, which, rows, cols);
    return true;
}

/* ---- Outside of memory ---- */

/* One access outside, as it was told. */
struct access {
    const struct fact_body *said; /* by the virtual GPU; NULL: the grader saw it */
    bool known, write, just_past;
    long bytes;  /* of the allocation; -1: unknown */
    char matrix; /* 'A', 'B', 'C'; 0: unknown */
    const struct trial *trial;
};

static bool is_numbered(const struct vgpu_fact *f) {
    return f->memory == VGPU_MEMORY_ALLOCATION || f->memory == VGPU_MEMORY_PINNED ||
           f->memory == VGPU_MEMORY_MANAGED;
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
    bool tiled;                          /* kernels read shared memory */
    bool same_grid, grids;               /* the grid is the same for different shapes */
    bool odd_block;                      /* shapes without edges have some for its blocks */
    const struct trial *crowded;         /* more threads than elements, in every fault seen */
    bool row_k; /* every fault without edges is at the first element past B */
    bool store; /* any of the faults is a store */
};

/* Has this shape no edges? */
static bool without_edges(const struct inquiry *q, const struct shape *s) {
    const int side = q->g->lab->block;
    return s->m % side == 0 && s->n % side == 0 && s->k % 32 == 0;
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

static void gather(const struct inquiry *q, struct outside *o) {
    const struct trial *first_counted = NULL;
    bool all_crowded = true;
    *o = (struct outside){.same_grid = true, .row_k = true};
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        const struct access a = fault(t) ? access_of(q, t) : (struct access){0};
        if (a.known && (!o->shown.known || (a.matrix && !o->shown.matrix)))
            o->shown = a;
        o->store = o->store || (a.known && a.write);
        o->tiled = o->tiled || t->work.of[WORK_SHARED_LOAD_REQUESTS] > 0;
        if (without_edges(q, &t->shape)) {
            o->clean_right += t->verdict == VERDICT_PASS;
            o->clean_fault += fault(t);
            o->clean++;
            o->row_k = o->row_k && fault(t) && t->touched.how == TOUCHED_OUTSIDE &&
                       !t->touched.written && t->touched.matrix == MATRIX_B &&
                       t->touched.index == (int64_t)t->shape.k * t->shape.n;
        }
        if (!t->counted || t->work.of[WORK_GRID_X] == 0)
            continue;
        o->odd_block = o->odd_block || 32 % t->work.of[WORK_BLOCK_X] != 0 ||
                       32 % t->work.of[WORK_BLOCK_Y] != 0;
        all_crowded = all_crowded && crowded(t);
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
}

static void say_access(struct text *t, const struct access *a) {
    if (!a->said)
        return;
    const struct vgpu_fact *f = &a->said->fact;
    const char *name = a->matrix ? (char[2]){a->matrix, '\0'} : "a matrix";
    text_addf(t, " Line %d %s outside of %s with m = %d, n = %d, k = %d", f->line,
              a->write ? "writes" : "reads", name, a->trial->shape.m, a->trial->shape.n,
              a->trial->shape.k);
    if (f->has_thread) {
        text_add(t, ", in ");
        diagnosis_say_thread(t, f);
    }
    text_add(t, ".");
}

/* Was it the first thread of all? Whatever the mapping, that one has an element of C. */
static bool by_first_thread(const struct access *a) {
    static const uint32_t zeros[3];
    return a->said && a->said->fact.has_thread &&
           memcmp(a->said->fact.thread, zeros, sizeof zeros) == 0 &&
           memcmp(a->said->fact.block, zeros, sizeof zeros) == 0;
}

static const char *guards(const struct outside *o, struct text *t) {
    if (o->shown.write) {
        text_add(t, "The store to C lacks its guard: threads beyond the edge write, too. Store "
                    "only where row < m and col < n, both.");
        return "missing-store-guard";
    }
    if (o->tiled) {
        text_addf(
            t,
            "The load of %s lacks a guard, or half of it: at the edge threads read beyond the "
            "matrix. Load only where both indices are inside (A: row < m and column < k; B: row < "
            "k and column < n), else store a zero into the tile.",
            o->shown.matrix ? (char[2]){o->shown.matrix, '\0'} : "a tile");
        return "missing-load-guard";
    }
    if (by_first_thread(&o->shown)) {
        text_add(t, "A thread inside of C reads too far: an index, such as p, goes on beyond the "
                    "matrix where a size is no multiple of a step. p goes from 0 to k - 1.");
        return "out-of-bounds";
    }
    text_add(t, "Threads beyond the edge of C work, too: the guard is missing or lets too many "
                "through. Go on only where row < m and col < n, both.");
    return "missing-store-guard";
}

static bool is_element_count(const struct access *a) {
    const struct shape s = a->trial->shape;
    const long ab[] = {(long)s.m * s.k, (long)s.k * s.n, (long)s.m * s.n};
    return a->bytes == ab[0] || a->bytes == ab[1] || a->bytes == ab[2];
}

bool rule_outside(struct inquiry *q, struct diagnosis *d) {
    struct outside o;
    gather(q, &o);
    if (!o.shown.known)
        return false;
    if (q->entry == ENTRY_HOST && is_element_count(&o.shown)) {
        d->class = "bytes-missing";
        text_add(&d->sentence,
                 "Device memory is too small by a factor of four: cudaMalloc and cudaMemcpy count "
                 "bytes, elements times sizeof(float).");
    } else if (o.grids && o.same_grid) {
        d->class = "index-wrong";
        text_add(
            &d->sentence,
            "The grid has the same size for every matrix: it has to be computed from m and n.");
    } else if (q->g->lab->square_tiles && o.crowded) {
        const uint64_t *grid = &o.crowded->work.of[WORK_GRID_X];
        const uint64_t *block = &o.crowded->work.of[WORK_BLOCK_X];
        d->class = "grid-too-large";
        text_addf(&d->sentence,
                  "There are more threads than elements of C: a grid of %llu x %llu blocks, of "
                  "%llu x %llu threads each, for %d columns and %d rows. n / TILE blocks side by "
                  "side and m / TILE below each other cover C, and the others work outside of it.",
                  (unsigned long long)grid[0], (unsigned long long)grid[1],
                  (unsigned long long)block[0], (unsigned long long)block[1], o.crowded->shape.n,
                  o.crowded->shape.m);
    } else if (q->entry == ENTRY_CPU && o.row_k && o.clean_fault > 0) {
        d->class = "off-by-one";
        text_add(
            &d->sentence,
            "The sum has one term too many: p = k is read, row k of B, which does not exist. p "
            "goes from 0 to k - 1, p < k.");
    } else if (q->entry != ENTRY_CPU && ((o.clean_right > 0 && o.clean_fault == 0) ||
                                         (o.odd_block && o.tiled && !q->g->lab->square_tiles))) {
        d->class = guards(&o, &d->sentence);
    } else if (q->entry != ENTRY_CPU && o.clean_fault == o.clean && o.clean > 0 && !o.store &&
               !o.tiled && o.shown.just_past) {
        d->class = "off-by-one";
        text_add(&d->sentence,
                 "An index goes one too far in every shape: p goes from 0 to k - 1, p < k.");
    } else if (q->entry != ENTRY_CPU && o.clean_right == 0 && o.tiled && !o.store &&
               !q->g->lab->square_tiles && o.clean_fault > 0) {
        d->class = "missing-load-guard";
        text_add(
            &d->sentence,
            "There is a phase too many, and its loads have no guard: a tile beyond the matrix is "
            "read. There are k / tile phases, rounded up once.");
    } else {
        d->class = "out-of-bounds";
        text_add(&d->sentence,
                 "An index leaves its matrix. Which one is too large, and what should have stopped "
                 "it?");
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
