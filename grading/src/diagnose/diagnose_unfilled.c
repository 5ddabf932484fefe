/*
 * diagnose_unfilled.c: elements of an array in shared memory that are read, and that nobody wrote
 * (see diagnose.h).
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

/* Do blocks pass barriers without all of their threads wherever the product is wrong, and nowhere
 * in a right one that has no edges? */
static bool threads_leave(const struct inquiry *q) {
    bool leave = false;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        const bool seen = t->counted && t->work.of[WORK_SHORT_BARRIERS] > 0;
        const bool right = t->verdict == VERDICT_PASS && trial_clean(t);
        if (t->counted && ((seen && right) || (!seen && trial_wrong(t))))
            return false;
        leave = leave || seen;
    }
    return leave;
}

/* An array that was never filled completely, in whatever shape: by how many threads? */
static void say_not_filled(const struct inquiry *q, const struct finding_body *f,
                           struct diagnosis *d) {
    const struct trial *counted = NULL;
    for (int i = 0; i < q->trials.count && !counted; i++)
        if (q->trials.trial[i]->counted && q->trials.trial[i]->work.of[WORK_BLOCK_X] > 0)
            counted = q->trials.trial[i];
    const uint64_t x = counted ? counted->work.of[WORK_BLOCK_X] : 0,
                   y = counted ? counted->work.of[WORK_BLOCK_Y] : 0,
                   floats = f->fact.room / sizeof(float);
    d->class = "uninitialised-shared";
    text_addf(&d->sentence,
              "Elements of %s are read that no thread has written: every element of a tile must be "
              "stored before it is used.",
              f->object);
    if (y > 1 && q->g->lab->block > q->g->lab->tile)
        text_addf(&d->sentence,
                  " The block has %llu x %llu threads, so threadIdx.x ends at %llu: a kernel that "
                  "numbers its threads by threadIdx.x alone wants them all in one row.",
                  (unsigned long long)x, (unsigned long long)y, (unsigned long long)(x - 1));
    else if (q->g->lab->block > q->g->lab->tile)
        text_addf(&d->sentence,
                  " The index with which line %d reads and the index with which the tile is filled "
                  "must name the same elements, and all threads together must fill each of them.",
                  d->line);
    else if (x > 0 && x * y < floats)
        text_addf(&d->sentence,
                  " It has %llu elements, and the block %llu threads: each thread must store "
                  "several elements, or the two numbers must agree.",
                  (unsigned long long)floats, (unsigned long long)x * (unsigned long long)y);
    else if (x > 0)
        text_add(&d->sentence, " There are enough threads: some of them leave the loop early, or "
                               "store where others store, or store nothing.");
}

/* Two threads that fill the same element of this array: the finding, or NULL. */
static const struct finding_body *filled_twice(const struct inquiry *q,
                                               const struct finding_body *array) {
    const struct finding_body *race = inquiry_finding(q, VGPU_FOUND_RACE, NULL);
    return race && race->hazard == VGPU_WAW && race->fact.says == VGPU_RACE &&
                   strcmp(race->object, array->object) == 0 &&
                   race->site[0].line == race->site[1].line
               ? race
               : NULL;
}

/* Has a product come out right whose k no tile divides? Then what lies beyond the edge is full. */
static bool partial_right(const struct inquiry *q) {
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        if (t->verdict == VERDICT_PASS && t->shape.k % 2 == 1 && t->shape.m > 1 && t->shape.n > 1)
            return true;
    }
    return false;
}

/* Is wrong only what has less than one tile of terms? Later tiles keep old numbers beyond the edge,
 * and the zeros of the other tile hide them there. */
static bool only_first_tile(const struct inquiry *q) {
    bool any = false;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        if (!trial_wrong(t))
            continue;
        if (t->shape.k >= q->g->lab->tile)
            return false;
        any = true;
    }
    return any;
}

bool rule_uninitialised_shared(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *in = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, &in);
    if (!f || !q->suspects.stale_shared)
        return false;
    bool clean_right = false, clean_wrong = false;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        clean_right = clean_right || (trial_clean(t) && t->verdict == VERDICT_PASS);
        clean_wrong = clean_wrong || (trial_clean(t) && t->verdict != VERDICT_PASS);
    }
    const bool leave = threads_leave(q);
    const struct finding_body *passed =
        leave ? observation_find(&in->seen, VGPU_FOUND_BARRIER, true) : NULL;
    const struct finding_body *twice = filled_twice(q, f);
    diagnosis_place(d, passed ? passed : twice ? twice : f);
    if (leave) {
        d->class = "barrier-divergent";
        text_addf(
            &d->sentence,
            "Threads beyond the edge of C return before the barriers, so what they should load "
            "into %s is missing. Every thread must load, and must reach every __syncthreads(); "
            "only the store at the end is for those inside.",
            f->object);
    } else if (twice) {
        d->class = "uninitialised-shared";
        d->topic = "@loads";
        text_addf(&d->sentence,
                  "Several threads store in the same elements of %s, in line %d, and in others, "
                  "which are read, none does: the index with which the tile is filled is wrong. "
                  "All threads together must store each element once.",
                  f->object, twice->site[0].line);
    } else if (clean_right && !clean_wrong && (!partial_right(q) || only_first_tile(q))) {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "The last, partial tile is not filled: elements of %s beyond the edge are read, "
                  "and no thread has written them. Store a zero there.",
                  f->object);
    } else {
        say_not_filled(q, f, d);
    }
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}
