/*
 * suspect_terms.c: sums with a run of terms missing, or counted again.
 *
 * In a wrong product the difference of each element from the right one is compared with the sums of
 * all runs a <= p < b of its terms. One run that explains every element, missing or counted twice,
 * is the mistake in this shape; how it moves with k tells which one it is.
 *
 *     p:  0                        a            b      k
 *         +------------------------+============+------+
 *                                   missing, or counted
 *                                   w times more
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 48, MOST_AGAIN = 31 };

struct run {
    int a, b, times; /* -1: missing; 1 and more: so often too many */
    /* Terms that are zero in every element may be missing or not: the run may begin from `least` to
     * a, and end from b to `most`. A single row of A with a zero has such a term. */
    int least, most;
};

static bool begins_at(const struct run *r, int p) {
    return r->least <= p && p <= r->a;
}
static bool ends_at(const struct run *r, int p) {
    return r->b <= p && p <= r->most;
}

/* One element's running sums of terms, and by how much it is wrong. */
struct element {
    double *sum; /* k + 1 */
    double off;
};

/* Elements that were computed: not those nobody wrote, nor cleared ones, nor those into which
 * something got that is no number. */
static int sample(const struct trial *t, struct element *e, size_t *first_wrong) {
    const size_t total = trial_elements(t), n = (size_t)t->shape.n, k = (size_t)t->shape.k;
    int count = 0;
    *first_wrong = total;
    for (size_t i = 0; i < total && count < SAMPLES; i++) {
        const size_t at = total <= SAMPLES ? i : (size_t)((uint64_t)(i + 1) * 2654435761u % total);
        if (trial_untouched(t, at) || !isfinite(t->got[at]) || (t->got[at] == 0 && k > 1))
            continue;
        struct element *x = &e[count++];
        x->sum = xmalloc((k + 1) * sizeof *x->sum);
        x->sum[0] = 0;
        for (size_t p = 0; p < k; p++)
            x->sum[p + 1] = x->sum[p] + (double)t->a[at / n * k + p] * (double)t->b[p * n + at % n];
        x->off = (double)t->got[at] - t->want[at];
        if (x->off != 0 && *first_wrong == total)
            *first_wrong = at;
    }
    return count;
}

static bool run_explains(const struct run *r, const struct element *e, int count) {
    for (int i = 0; i < count; i++)
        if (e[i].off != r->times * (e[i].sum[r->b] - e[i].sum[r->a]))
            return false;
    return true;
}

/* Is the term p zero in every element? */
static bool is_nothing(int p, const struct element *e, int count) {
    for (int i = 0; i < count; i++)
        if (e[i].sum[p + 1] != e[i].sum[p])
            return false;
    return true;
}

static void widen(struct run *r, int k, const struct element *e, int count) {
    for (r->least = r->a; r->least > 0 && is_nothing(r->least - 1, e, count);)
        r->least--;
    for (r->most = r->b; r->most < k && is_nothing(r->most, e, count);)
        r->most++;
}

static bool find_run(const struct trial *t, struct run *found, double *constant, size_t *wrong) {
    struct element e[SAMPLES];
    const int count = sample(t, e, wrong), k = t->shape.k;
    bool ok = false, same = count > 0;
    for (int i = 1; i < count; i++)
        same = same && e[i].off == e[0].off;
    *constant = same ? e[0].off : 0;
    /* A few elements are explained by accident. */
    const bool enough = count >= 8 && *wrong < trial_elements(t);
    for (int length = 1; enough && length <= k && !ok; length++) {
        for (int a = 0; a + length <= k && !ok; a++) {
            for (int times = -1; times <= 1 && !ok; times += 2) {
                *found = (struct run){.a = a, .b = a + length, .times = times};
                ok = run_explains(found, e, count);
            }
        }
    }
    for (int times = 2; enough && times <= MOST_AGAIN && !ok; times++) {
        *found = (struct run){.a = k - 1, .b = k, .times = times};
        ok = run_explains(found, e, count);
    }
    if (ok)
        widen(found, k, e, count);
    for (int i = 0; i < count; i++)
        free(e[i].sum);
    return ok;
}

/* All wrong trials of one submission, explained. */
struct story {
    const struct trial *trial[TRIALS_MOST];
    struct run run[TRIALS_MOST];
    size_t at[TRIALS_MOST];
    int count, right; /* right: trials that came out right */
    const struct trials *all;
    const struct trial *empty; /* one whose sums have no term at all, and the longest of these */
    int longest_empty;
};

static bool every(const struct story *s, bool (*holds)(const struct run *r, int k, int tile),
                  int tile) {
    for (int i = 0; i < s->count; i++)
        if (!holds(&s->run[i], s->trial[i]->shape.k, tile))
            return false;
    return s->count > 0;
}

static bool last_term(const struct run *r, int k, int tile) {
    (void)tile;
    return r->times == -1 && ends_at(r, k) && begins_at(r, k - 1);
}
static bool first_term(const struct run *r, int k, int tile) {
    (void)k, (void)tile;
    return r->times == -1 && begins_at(r, 0) && ends_at(r, 1);
}
static bool partial_tile(const struct run *r, int k, int tile) {
    return r->times == -1 && ends_at(r, k) && begins_at(r, k / tile * tile);
}
static bool last_tile(const struct run *r, int k, int tile) {
    return r->times == -1 && ends_at(r, k) && begins_at(r, (k - 1) / tile * tile);
}
static bool after_first(const struct run *r, int k, int tile) {
    return r->times == -1 && ends_at(r, k) && begins_at(r, tile);
}
static bool before_last(const struct run *r, int k, int tile) {
    return r->times == -1 && begins_at(r, 0) && ends_at(r, (k - 1) / tile * tile);
}
static bool all_but_last(const struct run *r, int k, int tile) {
    (void)tile;
    return r->times == -1 && begins_at(r, 0) && ends_at(r, k - 1);
}
static bool first_tile(const struct run *r, int k, int tile) {
    return r->times == -1 && begins_at(r, 0) && ends_at(r, tile < k ? tile : k);
}
/* All terms of the first tile but its last one. */
static bool first_tile_but_one(const struct run *r, int k, int tile) {
    return r->times == -1 && begins_at(r, 0) && ends_at(r, (tile < k ? tile : k) - 1);
}
/* Whole tiles from the first one on are counted again, and the last one is not. */
static bool again_before_last(const struct run *r, int k, int tile) {
    return r->times == 1 && begins_at(r, 0) && ends_at(r, (k - 1) / tile * tile);
}
static bool again(const struct run *r, int k, int tile) {
    (void)k, (void)tile;
    return r->times >= 1;
}
static bool missing_tail(const struct run *r, int k, int tile) {
    (void)tile;
    return r->times == -1 && ends_at(r, k);
}

/* The same, and some sum has more tiles than two: with a shorter one nobody can tell whether the
 * loop ends after one tile or leaves the last one out. */
static bool after_first_of_two(const struct run *r, int k, int tile) {
    return after_first(r, k, tile) && k < 2 * tile;
}

static const int tiles[] = {16, 32, 8,  4,   64,  10,  12,   20,   24,   25,
                            2,  48, 96, 128, 256, 512, 1000, 1024, 2048, 4096};
enum { TILES = sizeof tiles / sizeof *tiles };

/* A tile that explains every trial; 0: none. */
static int tile_for(const struct story *s, bool (*holds)(const struct run *r, int k, int tile)) {
    for (int i = 0; i < TILES; i++)
        if (every(s, holds, tiles[i]))
            return tiles[i];
    return 0;
}

/* The largest one: where only long sums are wrong, smaller ones that divide it would do, too. */
static int largest_tile_for(const struct story *s,
                            bool (*holds)(const struct run *r, int k, int tile)) {
    int largest = 0;
    for (int i = 0; i < TILES; i++)
        if (tiles[i] > largest && every(s, holds, tiles[i]))
            largest = tiles[i];
    return largest;
}

static void say_run(struct text *t, const struct story *s, int i) {
    const struct run *r = &s->run[i];
    if (r->b == r->a + 1)
        text_addf(t, "with k = %d, term p = %d ", s->trial[i]->shape.k, r->a);
    else
        text_addf(t, "with k = %d, terms p = %d to %d ", s->trial[i]->shape.k, r->a, r->b - 1);
    if (r->times == -1)
        text_add(t, r->b == r->a + 1 ? "is missing" : "are missing");
    else
        text_addf(t, "%s counted %d times", r->b == r->a + 1 ? "is" : "are", r->times + 1);
}

/* Do the tensor cores add up, wherever something was counted? They do it for so many columns at a
 * time. */
static bool by_tensor_cores(const struct story *s) {
    bool any = false;
    for (int i = 0; i < s->all->count; i++) {
        const struct trial *t = s->all->trial[i];
        if (t->counted && trial_wrong(t) && t->work.of[WORK_MMA] == 0)
            return false;
        any = any || (t->counted && t->work.of[WORK_MMA] > 0);
    }
    return any;
}

/* Do threads load more than a float at a time wherever sums are wrong, and are rows whole float4s
 * there? So nothing is left over of a row. */
static bool by_quads(const struct story *s) {
    for (int i = 0; i < s->count; i++) {
        const struct trial *t = s->trial[i];
        const uint64_t *of = t->work.of;
        if (!t->counted || t->shape.k % 4 != 0 ||
            of[WORK_GLOBAL_LOAD_BYTES] <= 128 * of[WORK_GLOBAL_LOAD_REQUESTS])
            return false;
    }
    return s->count > 0;
}

/* Were the wrong products made by more kernels than one each? */
static bool in_several_launches(const struct story *s) {
    for (int i = 0; i < s->count; i++)
        if (!s->trial[i]->counted || s->trial[i]->work.of[WORK_LAUNCHES] < 2)
            return false;
    return s->count > 0;
}

/* And were products right, of sums as long as a tile, where one kernel made each? Then its loop
 * over the tiles is right. */
static bool right_in_one_launch(const struct story *s) {
    int right = 0;
    for (int i = 0; i < s->all->count; i++) {
        const struct trial *t = s->all->trial[i];
        right += t->verdict == VERDICT_PASS && t->counted && t->work.of[WORK_LAUNCHES] == 1 &&
                 t->shape.k > 16;
    }
    return right >= 2;
}

/* A single term. NULL: none of these. */
static const char *judge_term(const struct story *s, struct text *t) {
    if (every(s, last_term, 0) && s->right == 0) {
        text_add(t,
                 "The last term of every sum is missing: the loop over p must run from 0 to k - 1, "
                 "p < k.");
        return "last-term-dropped";
    }
    if (every(s, all_but_last, 0)) {
        text_add(t, "Only the last term of every sum remains: each product overwrites the one "
                    "before. Add it, sum += ..., not sum = ..., and set the sum to zero before the "
                    "loop over p, not in it.");
        return "sum-overwritten";
    }
    if (every(s, first_term, 0)) {
        text_add(t, "The first term of every sum is missing: the loop over p must begin at 0.");
        return "first-term-dropped";
    }
    return NULL;
}

/* The last slab or tile is missing exactly where k is a multiple of its length, which may differ
 * from kernel to kernel: the longest; 0: not so. */
static int missing_where_whole(const struct story *s) {
    int longest = 0, others = 0;
    for (int j = 0; j < TILES; j++) /* a slab that is empty, and no other */
        if (s->empty && tiles[j] == s->longest_empty)
            longest = tiles[j];
    if (s->empty && longest == 0)
        return 0;
    for (int i = 0; i < s->count; i++) {
        const int k = s->trial[i]->shape.k;
        int own = 0;
        for (int j = 0; j < TILES; j++)
            if (tiles[j] > own && k % tiles[j] == 0 && last_tile(&s->run[i], k, tiles[j]))
                own = tiles[j];
        if (own == 0)
            return 0;
        longest = own > longest ? own : longest;
    }
    for (int i = 0; i < s->all->count; i++) {
        const struct trial *t = s->all->trial[i];
        if (t->verdict != VERDICT_PASS)
            continue;
        if (t->shape.k % longest == 0)
            return 0;
        others += t->shape.k > longest;
    }
    return others >= 2 ? longest : 0;
}

/* The tile whose last, partial one is missing: the shortest without which longer sums would be
 * right, too, that are right, and which is longer than sums that have no term at all; 0: none
 * explains the wrong ones. */
static int partial_of_wrong(const struct story *s) {
    int shortest = 0;
    for (int j = 0; j < TILES; j++) {
        bool fits = tiles[j] > s->longest_empty && every(s, partial_tile, tiles[j]);
        for (int i = 0; fits && i < s->all->count; i++) {
            const struct trial *t = s->all->trial[i];
            fits =
                t->verdict != VERDICT_PASS || t->shape.k <= tiles[j] || t->shape.k % tiles[j] == 0;
        }
        if (fits && (shortest == 0 || tiles[j] < shortest))
            shortest = tiles[j];
    }
    return shortest > 0 ? shortest : tile_for(s, partial_tile);
}

/* Do several calls of cuBLAS make up each wrong product? */
static bool several_products(const struct story *s) {
    for (int i = 0; i < s->all->count; i++) {
        const struct trial *t = s->all->trial[i];
        if (trial_wrong(t) && (!t->counted || t->work.of[WORK_GEMM_CALLS] < 2))
            return false;
    }
    return true;
}

/* So many calls of cuBLAS make up each product. */
static bool by_calls(const struct story *s, int calls) {
    for (int i = 0; i < s->count; i++)
        if (!s->trial[i]->counted || s->trial[i]->work.of[WORK_GEMM_CALLS] != (uint64_t)calls)
            return false;
    return s->count > 0;
}

/* Whole tiles of terms, or the rest of one, are missing. NULL: none of these. */
static const char *judge_tile(const struct story *s, struct text *t) {
    int tile;
    if ((tile = missing_where_whole(s)) > 0) {
        text_addf(
            t,
            "The last %d terms of every sum are missing where k is a multiple of %d, and "
            "other sums are right. k %% %d is 0 there: a slab, or a loop, of so many terms is "
            "empty. It must have %d terms then: with the number of slabs rounded up, "
            "k - (slabs - 1) * %d are left for it, which is never 0. Or a loop that takes %d terms "
            "at a time stops before the last whole group, and what follows it begins behind that: "
            "p + %d <= k lets the group in, p + %d < k does not.",
            tile, tile, tile, tile, tile, tile, tile, tile);
        return "whole-slab-empty";
    }
    if ((tile = tile_for(s, after_first)) > 0 && !every(s, after_first_of_two, tile)) {
        text_addf(
            t,
            "Only the first tile of %d terms gets into C: the loop over the phases is missing "
            "or ends after one, or what later phases compute is never added to the result.",
            tile);
        return "last-tile-dropped";
    }
    if (tile_for(s, last_tile) == 4 && by_quads(s)) {
        text_add(t, "The last four terms of every sum are missing, one float4: the condition of a "
                    "wide load refuses the last float4 of a row. That one begins at width - 4, so "
                    "col < width lets it in, or col + 4 <= width; col + 4 < width does not.");
        return "last-quad-dropped";
    }
    if ((tile = tile_for(s, partial_tile)) > 0 && by_calls(s, tile)) {
        text_addf(
            t,
            "The last terms of every sum are missing where k is no multiple of %d: k is "
            "divided among %d calls of cuBLAS, k / %d terms each, rounded down. The last call "
            "has what is left: k minus the terms of the calls before.",
            tile, tile, tile);
        return "last-tile-dropped";
    }
    if ((tile = tile_for(s, partial_tile)) == 4 || tile == 2) {
        text_addf(t,
                  "The last terms of every sum are missing where k is no multiple of %d: terms are "
                  "taken %d at a time, and a group that sticks out of the row counts as outside of "
                  "it. Those of its elements that exist must be read one by one. (If %d is the "
                  "length of a phase, there is one too few: k / %d, rounded up.)",
                  tile, tile, tile, tile);
        return "last-tile-dropped";
    }
    if ((tile = partial_of_wrong(s)) > 0 || (tile = tile_for(s, last_tile)) > 0) {
        text_addf(
            t,
            "The last tile of terms is left out: with tiles of %d, there is one phase too few. "
            "There must be k / %d of them, rounded up, and the loop over them begins at 0.",
            tile, tile);
        return "last-tile-dropped";
    }
    if ((tile = largest_tile_for(s, before_last)) > 0 && several_products(s)) {
        text_add(
            t, "Only the last of the pieces of k remains: each call of cuBLAS overwrites what the "
               "one before stored. beta is 0 for the first piece alone, and 1 for the others, "
               "which add to it.");
        return "sum-reset";
    }
    if (tile > 0) {
        text_addf(t,
                  "Only the last tile of %d terms remains: the sum is set to zero again in every "
                  "phase, or each phase overwrites what the one before stored. Set it to zero "
                  "once, before the loop over the phases, and add.",
                  tile);
        return "sum-reset";
    }
    if ((tile = tile_for(s, first_tile_but_one)) > 0) {
        text_addf(t,
                  "Of the first %d terms only the last one remains: in the first tile each product "
                  "overwrites the one before. Set the sum to zero before the loops, and add each "
                  "product, sum += ..., the first one, too.",
                  tile);
        return "sum-overwritten";
    }
    if ((tile = tile_for(s, first_tile)) > 0) {
        text_addf(t,
                  "The first tile of %d terms is missing from every sum: the loop over the phases "
                  "begins with the second tile. It must begin at phase 0, p = 0.",
                  tile);
        return "first-tile-dropped";
    }
    return NULL;
}

/* The sums of this product are zeros that somebody stored. */
static bool is_empty(const struct trial *t) {
    bool any = false;
    for (size_t at = 0; at < trial_elements(t); at++) {
        if (!t->got || trial_untouched(t, at) || t->got[at] != 0)
            return false;
        any = any || t->want[at] != 0;
    }
    return any;
}

static void note_empty(struct story *s, const struct trial *t) {
    if (t->shape.k <= s->longest_empty || !is_empty(t))
        return;
    s->empty = t;
    s->longest_empty = t->shape.k;
}

/* Sums without a term: told where k is a whole slab, and where tensor cores make all the short
 * ones. */
static const char *judge_empty(const struct story *s, struct text *t) {
    bool none_right = by_tensor_cores(s);
    for (int i = 0; i < s->all->count; i++) {
        const struct trial *other = s->all->trial[i];
        if (other->shape.k <= s->longest_empty && other->verdict == VERDICT_PASS)
            none_right = false;
    }
    if (!none_right)
        return judge_tile(s, t);
    text_addf(t,
              "Sums of %d terms and fewer are zero although the tensor cores multiply: they never "
              "get into the totals that are stored. Add them after every so many columns, and "
              "once more after the last slab, whatever k is.",
              s->longest_empty);
    return "flush-missing";
}

static const char *say_parts_lose(struct text *t) {
    text_add(t,
             "The sums end too early, wherever several kernels make them: the last terms belong to "
             "no part, or the last part is not added. Each part begins where the one before it "
             "ends, whatever a division leaves over, and the last one ends at k; whoever adds them "
             "adds all, part < parts.");
    return "last-tile-dropped";
}

/* Did one call of cuBLAS make one of the wrong products? */
static bool in_one_product(const struct story *s) {
    for (int i = 0; i < s->count; i++)
        if (s->trial[i]->counted && s->trial[i]->work.of[WORK_GEMM_CALLS] == 1)
            return true;
    return false;
}

static bool missing_more_than_one(const struct run *r, int k, int tile) {
    return missing_tail(r, k, tile) && !last_term(r, k, tile);
}

static const char *judge(const struct story *s, const struct suspect_context *c, struct text *t) {
    int tile;
    if (c->cublas && every(s, missing_more_than_one, 0) && !in_one_product(s)) {
        text_add(t, "The last terms of these sums are in no product: where k is divided among "
                    "several calls of cuBLAS, their pieces do not add up to k. A division rounds "
                    "down: let the last call take what is left.");
        return "last-tile-dropped";
    }
    if (by_tensor_cores(s) && (tile = largest_tile_for(s, partial_tile)) >= 64) {
        text_addf(t,
                  "The terms after the last whole %d are missing: sums of tensor cores are added "
                  "to totals every %d terms, but the rest after the last time is not. Add it after "
                  "the last slab too.",
                  tile, tile);
        return "flush-missing";
    }
    if (every(s, missing_tail, 0) && in_several_launches(s) && right_in_one_launch(s))
        return say_parts_lose(t);
    const char *class = judge_term(s, t);
    class = class ? class : judge_tile(s, t);
    if (class)
        return class;
    if ((tile = largest_tile_for(s, again_before_last)) > 0 && !c->stale_shared) {
        text_addf(t,
                  "Terms already added to the result, %d at a time, are added to it again: the sum "
                  "keeps growing. Set it to zero after you add it.",
                  tile);
        return "sum-added-again";
    }
    if (every(s, again, 0) && c->stale_shared) {
        text_add(
            t, "The last, partial tile is not filled: elements beyond the edge keep what the phase "
               "before left in shared memory. Store a zero there.");
        return "edge-tile-not-filled";
    }
    if (every(s, again, 0)) {
        text_add(
            t, "Some terms are counted more than once, in the last tile: elements beyond the edge "
               "must count as zero, and no term may be summed in two phases.");
        return "last-tile-twice";
    }
    if (every(s, missing_tail, 0) && in_several_launches(s))
        return say_parts_lose(t);
    if (every(s, missing_tail, 0)) {
        text_add(t, "The sums end too early: terms of the last tiles are missing.");
        return "last-tile-dropped";
    }
    text_add(t, "Some terms of the sums are missing or counted twice.");
    return NULL;
}

/* The same amount too much everywhere: elements beyond the edge that are not zero. */
static bool constant_offset(const struct trials *all, struct diagnosis *d) {
    const struct trial *example = NULL;
    int count = 0;
    size_t at = 0;
    for (int tile = 8; tile <= 32; tile *= 2) {
        bool fits = true;
        count = 0;
        for (int i = 0; i < all->count && fits; i++) {
            const struct trial *t = all->trial[i];
            if (!t->exact || !t->got || trial_elements(t) < 2 || t->shape.k > 512)
                continue;
            const int k = t->shape.k, beyond = (tile - k % tile) % tile;
            struct run r;
            double constant;
            size_t wrong;
            find_run(t, &r, &constant, &wrong);
            fits = constant == beyond && (beyond == 0 || trial_wrong(t));
            count += beyond > 0;
            if (beyond > 0 && !example) {
                example = t;
                at = wrong;
            }
        }
        if (!fits || count < 3)
            continue;
        d->class = "edge-tile-not-filled";
        text_addf(&d->sentence,
                  "Elements beyond the edge of the last tile count as one, not as zero: "
                  "each of them adds 1 to every sum. Fill them with zero.");
        suspect_example(&d->sentence, example, at, NULL);
        text_addf(&d->evidence,
                  "with tiles of %d, every sum of %d calls is too large by the number of "
                  "elements beyond k",
                  tile, count);
        return true;
    }
    return false;
}

bool suspect_terms(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    struct story s = {.all = all};
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        double constant;
        if (!t->got && t->verdict == VERDICT_MEMORY)
            return false; /* missing terms leave no matrix */
        s.right += t->verdict == VERDICT_PASS;
        if (!trial_wrong(t) || !t->exact || trial_elements(t) < 8 || t->shape.k < 2)
            continue;
        s.trial[s.count] = t;
        const bool found = find_run(t, &s.run[s.count], &constant, &s.at[s.count]);
        if (!found && s.at[s.count] == trial_elements(t)) {
            note_empty(&s, t);
            continue; /* what was computed is right, or nothing was */
        }
        if (!found)
            return constant_offset(all, d);
        s.count++;
    }
    if (s.count == 0 && s.empty) {
        d->class = judge_empty(&s, &d->sentence);
        if (d->class)
            suspect_example(&d->sentence, s.empty, suspect_element(s.empty, true), NULL);
        return d->class;
    }
    if (s.count == 0)
        return false;
    d->class = judge(&s, c, &d->sentence);
    const struct trial *best = suspect_best(all, false);
    int shown = 0;
    for (int i = 0; i < s.count; i++)
        if (s.trial[i] == best)
            shown = i;
    struct text what = {0};
    say_run(&what, &s, shown);
    suspect_example(&d->sentence, s.trial[shown], s.at[shown], text_get(&what));
    for (int i = 0; i < s.count && i < 4; i++) {
        if (i > 0)
            text_add(&d->evidence, "; ");
        say_run(&d->evidence, &s, i);
    }
    text_addf(&d->evidence, "%s", s.count > 4 ? "; and so on" : "");
    text_free(&what);
    return true;
}
