/*
 * diagnose_faults.c: rules for what ended badly, or what a checker of the virtual GPU found (see
 * diagnose.h).
 */
#include "grading/src/diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Looking things up ---- */

bool inquiry_counts(const struct inquiry *q, const struct case_result *c) {
    return c->spec->entry == q->entry && inquiry_verdict(q, c) != VERDICT_PASS &&
           (q->special || !case_is_special(c->spec)) && !c->spec->hidden &&
           inquiry_verdict(q, c) != VERDICT_NOT_GRADED;
}

const struct finding_body *inquiry_finding(const struct inquiry *q, enum vgpu_found kind,
                                           const struct case_result **from) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f =
            inquiry_counts(q, c) ? observation_find(&c->seen, kind, false) : NULL;
        if (!f)
            continue;
        if (from)
            *from = c;
        return f;
    }
    return NULL;
}

void diagnosis_place(struct diagnosis *d, const struct finding_body *f) {
    for (int i = 0; i < 2 && !d->file; i++) {
        if (f->site[i].line > 0 && f->site[i].file[0] &&
            strncmp(f->site[i].file, "grading/", 8) != 0) {
            d->file = xstrdup(f->site[i].file);
            d->line = f->site[i].line;
        }
    }
}

void diagnosis_place_fact(struct diagnosis *d, const struct vgpu_fact *f) {
    if (f->file[0] && f->line > 0 && !d->file) {
        d->file = xstrdup(f->file);
        d->line = f->line;
    }
}

void diagnosis_say_thread(struct text *t, const struct vgpu_fact *f) {
    text_addf(t, "thread (%u,%u,%u) of block (%u,%u,%u)", f->thread[0], f->thread[1], f->thread[2],
              f->block[0], f->block[1], f->block[2]);
}

void diagnosis_quote(struct text *t, const char *words) {
    struct text line = {0};
    text_add_clean_line(&line, words, strcspn(words, "\n"), 300);
    text_mask_addresses(&line);
    text_add(t, text_get(&line));
    text_free(&line);
}

/* ---- The end of the process ---- */

bool rule_no_function(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_MISSING)
        return false;
    d->class = "missing-function";
    text_addf(&d->sentence,
              "The file lacks %s: define it with the name and the parameters of common/lab.h.",
              entry_name(q->entry));
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

bool rule_ended(struct inquiry *q, struct diagnosis *d) {
    const enum verdict v = q->verdict;
    if (v != VERDICT_EXIT && v != VERDICT_FLOOD && v != VERDICT_MEDDLED)
        return false;
    if (v == VERDICT_EXIT) {
        d->class = "exit";
        text_addf(&d->sentence,
                  "%s ends the whole program. A function must return to its caller: no exit().",
                  entry_name(q->entry));
    } else if (v == VERDICT_FLOOD) {
        text_add(&d->sentence, "The program prints without end: take the printf out of the loop.");
    } else {
        text_add(&d->sentence, "The program used a file descriptor that does not belong to it.");
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

/* Do several threads store one and the same value into an element of global memory? */
static bool same_work(const struct inquiry *q) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f = observation_find(&c->seen, VGPU_FOUND_RACE, true);
        if (c->spec->entry == q->entry && f && !f->error && f->hazard == VGPU_WAW &&
            f->fact.memory == VGPU_MEMORY_ALLOCATION)
            return true;
    }
    return false;
}

/* So many right shapes show that the function ends. */
enum { ENOUGH = 4 };

static int shapes_right(const struct inquiry *q) {
    int right = 0;
    for (int i = 0; i < q->trials.count; i++)
        right += q->trials.trial[i]->verdict == VERDICT_PASS;
    return right;
}

bool rule_time_limit(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_TIMEOUT)
        return false;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_ENDLESS, NULL);
    d->class = "time-limit";
    if (f) {
        diagnosis_place(d, f);
        text_addf(&d->sentence,
                  "A block is still in the loop at line %d after more work than any right kernel "
                  "needs here. Does the loop's variable move towards its bound in every round?",
                  d->line);
        if (same_work(q))
            text_add(&d->sentence,
                     " Also, many threads store the same value in one element: does each compute "
                     "only its own element, found from blockIdx, blockDim and threadIdx?");
    } else if (shapes_right(q) >= ENOUGH) {
        const struct shape s = q->evidence->plan.shape;
        text_addf(&d->sentence,
                  "%s computes other shapes rightly, but with m = %d, n = %d, k = %d it takes more "
                  "time than it has. Either a loop goes on there that should have ended, or each "
                  "element costs far more work than it need.",
                  entry_name(q->entry), s.m, s.n, s.k);
    } else {
        text_addf(&d->sentence,
                  "%s never returns: does every loop end? Does anything wait for something that "
                  "never comes?",
                  entry_name(q->entry));
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

/* ---- The inputs ---- */

bool rule_inputs_written(struct inquiry *q, struct diagnosis *d) {
    const struct evidence *e = NULL;
    /* Where it crashes first, a store that went astray got as far as A or B elsewhere. */
    if (q->verdict == VERDICT_CRASH)
        return false;
    for (size_t i = 0; i < q->g->result_count && !e; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct evidence *of = inquiry_evidence(q, c);
        if (inquiry_counts(q, c) && of->touched.how == TOUCHED_INSIDE && of->touched.written)
            e = of;
    }
    if (!e)
        return false;
    d->class = "writes-inputs";
    text_addf(&d->sentence, "%s changes ", entry_name(q->entry));
    evidence_say_element(&d->sentence, e);
    text_add(&d->sentence,
             q->g->lab->cublas
                 ? ". cuBLAS writes to the last of the three matrices of the call, which must be "
                   "C: cublasSgemm(..., B, n, A, k, &beta, C, n)."
                 : ". A and B belong to the caller and must come back unchanged: work on a copy.");
    if (q->g->lab->cublas)
        d->topic = "@arguments";
    const struct finding_body *race = inquiry_finding(q, VGPU_FOUND_RACE, NULL);
    if (race && race->fact.memory == VGPU_MEMORY_ALLOCATION)
        diagnosis_place(d, race);
    text_add(&d->evidence, "A and B were compared, byte by byte, before and after the call");
    return true;
}

/* ---- Not initialised ---- */

static void say_left_open(struct text *t, const struct finding_body *f) {
    const unsigned long long left = f->fact.limit, group = f->fact.count;
    text_addf(t,
              "%s is read while its copy is still on its way. The last wait lets %llu %s of copies "
              "be under way, and this copy belongs to ",
              f->object, left, left == 1 ? "group" : "groups");
    if (left == 1)
        text_add(t, "that one");
    else if (group == 1)
        text_add(t, "the newest of them");
    else
        text_addf(t, "number %llu of them, counted from the newest", group);
    if (f->fact.says == VGPU_COPY_GROUP_MISSING)
        text_add(t, ": a wait counts groups, and since the one before none was committed. Commit "
                    "one in each phase, an empty one where nothing is left to copy.");
    else if (group == 1)
        text_add(t, ". Let it leave none; or, if that group holds later slabs as well, end a group "
                    "after each slab.");
    else
        text_addf(t, ". Let it leave at most %llu.", group - 1);
}

bool diagnose_copy(const struct observation *seen, struct diagnosis *d) {
    const struct finding_body *f = observation_find(seen, VGPU_FOUND_UNINITIALIZED, false);
    struct text *t = &d->sentence;
    if (!f || f->fact.says < VGPU_COPY_UNDER_WAY || f->fact.says > VGPU_COPY_INTO_USE)
        return false;
    d->class = f->fact.says == VGPU_COPY_INTO_USE ? "copy-into-use" : "not-synchronised";
    diagnosis_place(d, f);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    switch (f->fact.says) {
    case VGPU_COPY_INTO_USE:
        text_addf(t,
                  "A copy in the background begins to overwrite a part of %s while line %d still "
                  "reads it: there is no __syncthreads() between the two. Start the copy only "
                  "after the barrier that all threads reach when they have finished with that "
                  "buffer; or, if you meant another buffer, read from that one.",
                  f->object, d->line);
        break;
    case VGPU_COPY_LEFT_OPEN:
    case VGPU_COPY_GROUP_MISSING: say_left_open(t, f); break;
    case VGPU_COPY_IN_NO_GROUP:
        text_addf(t,
                  "%s is read while its copy is still on its way. The thread waits, but a wait is "
                  "for groups, and this copy is in none: commit it (__pipeline_commit, "
                  "cp.async.commit_group) after it begins and before the wait.",
                  f->object);
        break;
    default: /* VGPU_COPY_UNDER_WAY */
        text_addf(t,
                  "%s is read while its copy is still on its way: wait for the copies in the "
                  "background (__pipeline_wait_prior, cp.async.wait_group; each group that you "
                  "count needs its commit), and then let all threads wait for each other "
                  "(__syncthreads). If your kernel does all that, an index in line %d leaves its "
                  "buffer and reads from the next one.",
                  f->object, d->line);
    }
    return true;
}

/* The virtual GPU saw a background copy's destination read before anybody waited for the copy. */
bool rule_copy_under_way(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    return inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, &from) && diagnose_copy(&from->seen, d);
}

/* ---- Barriers and races ---- */

/* What one thread stores for all, above the barrier's line, and others read there before it can
 * have been written: it may well decide who comes to the barrier. NULL: nothing. */
static const struct finding_body *read_too_early(const struct observation *seen,
                                                 const struct finding_body *barrier) {
    for (int i = 0; i < seen->findings; i++) {
        const struct finding_body *race = &seen->finding[i];
        if (race->kind != VGPU_FOUND_RACE || !race->error || race->hazard != VGPU_RAW ||
            race->fact.memory != VGPU_MEMORY_SHARED || race->site[0].line <= 0 ||
            race->site[1].line <= race->site[0].line || race->site[1].line >= barrier->site[0].line)
            continue;
        for (int k = 0; k < seen->findings; k++) {
            const struct finding_body *unset = &seen->finding[k];
            if (unset->kind == VGPU_FOUND_UNINITIALIZED && unset->error &&
                unset->site[0].line == race->site[1].line &&
                strcmp(unset->object, race->object) == 0)
                return race;
        }
    }
    return NULL;
}

bool rule_barrier(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *in = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_BARRIER, &in);
    if (!f)
        return false;
    const struct finding_body *early = read_too_early(&in->seen, f);
    if (early) {
        d->class = "first-barrier-missing";
        diagnosis_place(d, early);
        text_addf(&d->sentence,
                  "A barrier is missing: line %d stores into shared memory what line %d reads in "
                  "all threads, and some read it before it is there. With what they find they take "
                  "another way, and do not all come to the barrier in line %d. Put __syncthreads() "
                  "between the store and the reads.",
                  early->site[0].line, early->site[1].line, f->site[0].line);
        text_add_clean_line(&d->evidence, early->message, strcspn(early->message, "\n"), 300);
        return true;
    }
    d->class = "barrier-divergent";
    diagnosis_place(d, f);
    if (f->fact.says == VGPU_WARP_DEADLOCK) {
        d->class = "warp-divergent";
        text_addf(&d->sentence,
                  "All 32 lanes of a warp must execute the instruction in line %d together, but "
                  "some never reach it: it is in an if or a loop that they skip, or they have "
                  "already returned. Let every lane execute it, with zeros where it has nothing to "
                  "compute; only the store needs a guard.",
                  d->line);
    } else if (f->fact.says == VGPU_MBARRIER_DEADLOCK)
        text_addf(&d->sentence,
                  "Threads wait in line %d for a phase of a barrier in shared memory that never "
                  "ends, or that they wait for a second time. Count the arrivals that it expects, "
                  "the threads that arrive in each phase, and, with mbarrier, the parity that you "
                  "wait for: it changes each time the same barrier is used.",
                  d->line);
    else
        text_addf(
            &d->sentence,
            "Not all threads of a block reach the same __syncthreads() (line %d): it is in an if "
            "or a loop that some threads skip, or some have already returned. Every thread must "
            "reach it.",
            d->line);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* The first race of this hazard on a shared array. */
static const struct finding_body *shared_race(const struct observation *seen,
                                              enum vgpu_hazard hazard) {
    for (int i = 0; i < seen->findings; i++) {
        const struct finding_body *f = &seen->finding[i];
        if (f->error && f->kind == VGPU_FOUND_RACE && f->hazard == hazard &&
            f->fact.memory == VGPU_MEMORY_SHARED && f->fact.name[0])
            return f;
    }
    return NULL;
}

/* Are there barriers enough, one for each phase, for an array that holds two tiles or more? Then it
 * is the buffers that are mixed up, unless it holds a tile of A and one of B. The terms of a phase
 * are known of square blocks alone whose threads compute an element each. */
static bool buffers_mixed_up(const struct case_result *in, const struct finding_body *f) {
    const uint64_t *w = in->seen.work[0].of, *grid = &w[WORK_GRID_X], *block = &w[WORK_BLOCK_X];
    const uint64_t side = block[0], threads = side * side;
    const uint64_t blocks = grid[0] * grid[1] * grid[2], warps = blocks * ((threads + 31) / 32);
    const struct shape s = in->plan.call[0].shape;
    if (blocks * threads < (uint64_t)s.m * (uint64_t)s.n || in->seen.calls < 1 ||
        w[WORK_LAUNCHES] != 1 || side == 0 || block[1] != side || block[2] != 1 ||
        f->fact.room < 2 * threads * sizeof(float))
        return false;
    const uint64_t phases = ((uint64_t)s.k + side - 1) / side;
    return phases > 1 && w[WORK_BARRIERS] >= phases * warps;
}

/* Did the reader of this race read places of the same array that nobody had stored into yet? */
static bool reads_unwritten(const struct observation *seen, const struct finding_body *war) {
    for (int i = 0; i < seen->findings; i++) {
        const struct finding_body *f = &seen->finding[i];
        if (f->kind == VGPU_FOUND_UNINITIALIZED && f->fact.says == VGPU_NEVER_WRITTEN &&
            strcmp(f->object, war->object) == 0 && f->site[0].line == war->site[0].line)
            return true;
    }
    return false;
}

/* Two lines store to one element, and nobody reads it too early or too late: two tiles lie over
 * each other in an array, or an index of one gets into the other. */
static bool diagnose_shared_overlap(const struct observation *seen, struct diagnosis *d) {
    const struct finding_body *f = shared_race(seen, VGPU_WAW);
    if (!f || f->site[0].line == f->site[1].line)
        return false;
    diagnosis_place(d, f);
    if (f->fact.copied) {
        const int copy = f->site[f->fact.copied - 1].line, store = f->site[2 - f->fact.copied].line;
        d->class = "not-synchronised";
        text_addf(&d->sentence,
                  "A copy in the background that line %d starts may still write into %s when line "
                  "%d stores there. First each thread waits for all of its own copies, those of "
                  "zeros too, and then __syncthreads() makes that true for all threads: in this "
                  "order, before the memory is used for something else.",
                  copy, f->object, store);
        text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
        return true;
    }
    d->class = "shared-overlap";
    text_addf(&d->sentence,
              "Lines %d and %d store into the same element of %s, one over the other, with no "
              "barrier in between: the two tiles overlap there, or an index of one gets into the "
              "other. Where does each begin, and how many elements does it have?",
              f->site[0].line, f->site[1].line, f->object);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* Do two threads store into the same elements of this array, both in this line? No tile is filled
 * like that: each of them adds to what the other one added to, say. */
static bool stored_twice(const struct observation *seen, const struct finding_body *raw) {
    for (int i = 0; i < seen->findings; i++) {
        const struct finding_body *f = &seen->finding[i];
        if (f->kind == VGPU_FOUND_RACE && f->hazard == VGPU_WAW &&
            f->site[0].line == f->site[1].line && f->site[0].line == raw->site[0].line &&
            strcmp(f->object, raw->object) == 0)
            return true;
    }
    return false;
}

/* Is there a race of this kind, with this line that comes second, in a product of one phase, too?
 * There is no next one then that a thread could be in already. The line that comes first may be
 * another one: a kernel may have two of them, for rows that begin here or there. */
static bool within_phase(const struct grade_context *g, const struct finding_body *race) {
    enum { ONE_PHASE = 4 };
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        const struct finding_body *f = shared_race(&c->seen, (enum vgpu_hazard)race->hazard);
        if (f && c->plan.calls == 1 && c->plan.call[0].shape.k < ONE_PHASE &&
            f->site[1].line == race->site[1].line && strcmp(f->object, race->object) == 0)
            return true;
    }
    return false;
}

static void say_within_phase(struct diagnosis *d, const struct finding_body *f) {
    if (f->fact.copied == 2) {
        d->class = "not-synchronised";
        text_addf(&d->sentence,
                  "A copy in the background that line %d starts may still write into %s when line "
                  "%d uses that place for something else. Before you use the memory again, wait "
                  "for all groups of copies, the last ones too, and then put __syncthreads(): a "
                  "copy of zeros is a copy as well.",
                  f->site[1].line, f->object, f->site[0].line);
        return;
    }
    d->class = "shared-overlap";
    text_addf(&d->sentence,
              "Line %d reads an element of %s that another thread overwrites in line %d, in the "
              "same phase. If each thread has places of its own there, those of two threads "
              "overlap: where does each begin, and how long is it? If the threads share it, a "
              "__syncthreads() is missing between the two lines.",
              f->site[0].line, f->object, f->site[1].line);
}

/* Do two lanes of a warp meet in one line that reads and stores, such as s[i] += s[i + half]? Where
 * a barrier of a tile is missing, lanes of a warp meet too, but in two lines. */
static bool within_warp(const struct finding_body *f) {
    return f->fact.one_warp && f->site[0].line == f->site[1].line;
}

bool diagnose_shared_race(const struct grade_context *g, const struct case_result *in,
                          struct diagnosis *d) {
    const struct finding_body *raw = shared_race(&in->seen, VGPU_RAW),
                              *war = shared_race(&in->seen, VGPU_WAR);
    const struct finding_body *f = raw ? raw : war;
    if (!f)
        return diagnose_shared_overlap(&in->seen, d);
    const bool unwritten = !raw && reads_unwritten(&in->seen, war);
    diagnosis_place(d, f);
    const int a = f->site[0].line, b = f->site[1].line;
    if (within_warp(f) && !stored_twice(&in->seen, f)) {
        d->class = "warp-out-of-step";
        text_addf(&d->sentence,
                  "Lanes of one warp hand numbers to each other in %s, in line %d, and nothing "
                  "makes one wait for the other: the threads of a warp do not run in step. Put "
                  "__syncwarp() between two rounds, or leave the __syncthreads() there.",
                  f->object, a);
    } else if (source_shared_arrays(g->submission.bytes) > 1 && buffers_mixed_up(in, f)) {
        d->class = "phase-wrong";
        text_addf(
            &d->sentence,
            "The buffers do not take turns, or the barrier stands in the wrong place: line %d "
            "%s a buffer of %s that line %d %s at the same time, and there is a barrier in "
            "each phase. In each phase one buffer is read and the other is filled; then they "
            "swap places. One barrier is enough between the use of the old buffer and the "
            "copy that fills it again, if the copy into the new one has ended there, too: "
            "at the beginning of each phase.",
            a, raw ? "fills" : "reads", f->object, b, raw ? "reads" : "fills");
    } else if (unwritten && war->fact.read_first) {
        d->class = "phase-wrong";
        text_addf(&d->sentence,
                  "The buffers do not take turns: line %d stores into the very elements of %s that "
                  "line %d reads in the same phase, and in the next one line %d reads others, into "
                  "which nobody has stored. In each phase one buffer is read and the other is "
                  "filled; then they swap places.",
                  b, f->object, a, a);
    } else if (unwritten) { /* so it came too early, not too late */
        d->class = "first-barrier-missing";
        text_addf(&d->sentence,
                  "A barrier is missing between loading a tile and using it: line %d reads %s when "
                  "other threads have not stored into it yet, in line %d. Put __syncthreads() "
                  "between loading and using; a thread that waits for its own copies knows nothing "
                  "of the others'.",
                  a, f->object, b);
    } else if (f->fact.next_round && !f->fact.copied && !stored_twice(&in->seen, f)) {
        d->class = "round-barrier-missing";
        text_addf(&d->sentence,
                  "A barrier is missing in the loop around line %d: in each round a thread reads "
                  "elements of %s that others stored in the round before, or still read. Put "
                  "__syncthreads() into the loop, once in each round, where all threads of the "
                  "block reach it, and not in an if.",
                  a, f->object);
    } else if (!raw && within_phase(g, war)) {
        say_within_phase(d, f);
    } else if (raw && stored_twice(&in->seen, raw)) {
        d->class = "shared-overlap";
        text_addf(&d->sentence,
                  "Two threads use the same elements of %s at the same time: line %d reads them, "
                  "and line %d stores into them, in both. Each thread must have elements of its "
                  "own there: does its index leave out something, such as the place of the "
                  "thread's warp, go along a row where it should go down, or take rows for shorter "
                  "than they are?",
                  f->object, b, a);
    } else if (raw) {
        d->class = "first-barrier-missing";
        text_addf(
            &d->sentence,
            "A barrier is missing between loading a tile and using it: line %d stores into %s, "
            "and line %d reads it while other threads are still loading. Put "
            "__syncthreads() between them.",
            a, f->object, b);
        if (war)
            text_add(&d->sentence, " The one at the end of the loop is missing too.");
    } else {
        d->class = "second-barrier-missing";
        text_addf(
            &d->sentence,
            "A barrier is missing after the use of a tile: line %d still reads %s when a faster "
            "thread, already further on, overwrites it in line %d. Put __syncthreads() between the "
            "two: at the end of the loop over the phases, after the last use of the tiles.",
            a, f->object, b);
        if (in->seen.work[0].of[WORK_ASYNC_COPIES] > 0) /* into buffers that take turns */
            text_addf(&d->sentence,
                      " If there is one, and %s holds several buffers, they do not take turns: the "
                      "one that is filled must be another than the one that is read, and the two "
                      "swap in each phase.",
                      f->object);
    }
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    const char *more = f->message + strcspn(f->message, "\n");
    for (int i = 0; i < 2 && *more == '\n'; i++) {
        text_add(&d->evidence, "; ");
        const char *line = more + 1 + strspn(more + 1, " ");
        text_add_clean_line(&d->evidence, line, strcspn(line, "\n"), 200);
        more = line + strcspn(line, "\n");
    }
    return true;
}

bool rule_shared_race(struct inquiry *q, struct diagnosis *d) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (inquiry_counts(q, c) && diagnose_shared_race(q->g, c, d))
            return true;
    }
    return false;
}

/* Do A, B and C lie in one allocation of a host function's, and is it they that meet there? */
static bool is_one_for_all(const struct case_result *c, const struct finding_body *f) {
    const struct shape s = c->plan.call[0].shape;
    const uint64_t m = (uint64_t)s.m, n = (uint64_t)s.n, k = (uint64_t)s.k;
    return c->plan.call[0].entry == ENTRY_HOST && f->hazard != VGPU_WAW &&
           f->fact.memory == VGPU_MEMORY_ALLOCATION && f->fact.room >= 4 * (m * k + k * n + m * n);
}

/* Is this the caller's C? A race has a store, and A and B lie where nobody may store. */
static bool is_output(const struct case_result *c, const struct vgpu_fact *f) {
    const struct shape s = c->plan.call[0].shape;
    return f->memory == VGPU_MEMORY_ALLOCATION && f->room == 4 * (uint64_t)s.m * (uint64_t)s.n;
}

void diagnose_race(const struct case_result *in, const struct finding_body *f,
                   struct diagnosis *d) {
    d->class = "race";
    diagnosis_place(d, f);
    if (is_output(in, &f->fact)) {
        d->topic = "@store";
        text_addf(&d->sentence,
                  f->hazard == VGPU_WAW
                      ? "Two threads store to the same element of C (line %d)"
                      : "Two threads use the same element of C at the same time, and one of them "
                        "stores to it (line %d)",
                  d->line);
        text_add(&d->sentence,
                 ", but each element belongs to one thread alone: both threads compute the same "
                 "row and column for the index of C. Work it out for the two threads below.");
    } else if (is_one_for_all(in, f)) {
        d->class = "buffer-wrong";
        text_addf(&d->sentence,
                  "A, B and C share %s, and they overlap: the kernel stores elements of C where it "
                  "still reads A or B (line %d). A has m * k elements and B k * n: if they lie one "
                  "after the other, C begins behind both, at m * k + k * n.",
                  f->object, d->line);
    } else if (f->hazard == VGPU_WAW && f->fact.memory != VGPU_MEMORY_SHARED) {
        text_addf(&d->sentence,
                  "Two threads store to the same element of %s (line %d), one over the other: the "
                  "places that they take for their own overlap. Where does that of each thread, "
                  "and of each block, begin, how long is it, and how far apart do its rows lie?",
                  f->object, d->line);
    } else {
        text_addf(&d->sentence,
                  "Two threads use %s at the same time and one of them writes (line %d): give "
                  "each thread elements of its own, or use atomic operations.",
                  f->object, d->line);
    }
}

/* Of two streams, or of a stream and what frees its memory. */
static void say_streams(const struct finding_body *f, struct diagnosis *d) {
    d->class = "not-synchronised";
    diagnosis_place(d, f);
    text_addf(
        &d->sentence,
        "Work of two streams uses %s at the same time, and nothing makes one wait for the "
        "other: lines %d and %d. A stream that the other must follow records an event "
        "(cudaEventRecord), and the other waits for it (cudaStreamWaitEvent); or let the host "
        "wait, or put all of it into one stream.",
        f->object, f->site[0].line, f->site[1].line);
}

bool rule_race(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_RACE, &from);
    if (!f)
        return false;
    if (f->fact.says == VGPU_STREAM_RACE)
        say_streams(f, d);
    else
        diagnose_race(from, f, d);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* Does the very store that races go past the end of C, in some product? Then it goes past the end
 * of a row, and in most rows the next one's elements lie there. */
static bool stores_past_rows(const struct inquiry *q, int line) {
    for (int i = 0; i < q->trials.count && line > 0; i++) {
        const struct facts *said = &q->trials.trial[i]->facts;
        for (int k = 0; k < said->count; k++) {
            const struct vgpu_fact *f = &said->at[k].fact;
            if (f->says == VGPU_ILLEGAL_ACCESS && f->access == VGPU_WRITES &&
                f->space == VGPU_SPACE_GLOBAL && f->place == VGPU_AT_PAST && f->line == line)
                return true;
        }
    }
    return false;
}

static bool say_past_rows(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *in = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_RACE, &in);
    if (!f || f->hazard != VGPU_WAW || !is_output(in, &f->fact) ||
        !stores_past_rows(q, f->site[0].line))
        return false;
    d->class = "missing-store-guard";
    diagnosis_place(d, f);
    text_addf(&d->sentence,
              "Line %d stores past the end of a row: in the last row that is outside C, in the "
              "others it is an element of the next row, which another thread computes. The guard "
              "must look at the row and the column of the very element that is stored. Does it "
              "look at the thread's first one only, or are there more steps than the row has "
              "columns left?",
              d->line);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

bool rule_race_within(struct inquiry *q, struct diagnosis *d) {
    return diagnose_race_within(q) && (say_past_rows(q, d) || rule_race(q, d));
}
