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
        text_add(&d->sentence, "The program touched a file descriptor that is not its own.");
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

bool rule_crash(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_CRASH)
        return false;
    if (q->evidence->touched.how == TOUCHED_FREED) {
        d->class = "frees-inputs";
        text_addf(&d->sentence,
                  "%s frees %s, which it was only lent: A, B and C belong to the caller.",
                  entry_name(q->entry), matrix_letter(q->evidence->touched.matrix));
    } else {
        d->class = "crash";
        text_addf(&d->sentence,
                  "%s crashes. Look for pointers that were never set, indices without bounds, "
                  "division by zero; print where you are, or run it in a debugger.",
                  entry_name(q->entry));
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

bool rule_time_limit(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_TIMEOUT)
        return false;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_ENDLESS, NULL);
    d->class = "time-limit";
    if (f) {
        diagnosis_place(d, f);
        text_addf(&d->sentence,
                  "A block is still in the loop at line %d after more work than any right kernel "
                  "has here. Does the loop's variable move towards its bound in every round?",
                  d->line);
        if (same_work(q))
            text_add(&d->sentence,
                     " And many threads store the same value into one element: does each compute "
                     "its own element only, found from blockIdx, blockDim and threadIdx?");
    } else {
        text_addf(&d->sentence,
                  "%s never returns: does every loop end, does anything wait for what never "
                  "comes?",
                  entry_name(q->entry));
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

/* ---- The inputs ---- */

bool rule_inputs_written(struct inquiry *q, struct diagnosis *d) {
    const struct evidence *e = NULL;
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
             ". A and B are the caller's and must come back as they were: work on a copy.");
    const struct finding_body *race = inquiry_finding(q, VGPU_FOUND_RACE, NULL);
    if (race && race->fact.memory == VGPU_MEMORY_ALLOCATION)
        diagnosis_place(d, race);
    text_add(&d->evidence, "A and B were compared, byte by byte, before and after the call");
    return true;
}

/* ---- Not initialised ---- */

bool rule_uninitialised_sum(struct inquiry *q, struct diagnosis *d) {
    const struct build *b = q->session.build;
    if (b->unset.line == 0 || q->verdict != VERDICT_WRONG)
        return false;
    d->file = xstrdup(q->g->submission.name);
    d->line = b->unset.line;
    d->class = "uninitialised-sum";
    text_add(&d->sentence,
             "A variable is added to before it has a value: it begins with whatever its register "
             "held. Begin with float sum = 0.0f.");
    text_addf(&d->evidence, "the compiler's warning: %s", b->unset_words);
    return true;
}

/* Is what was read without being written as large as C, and as neither A nor B? */
static bool reads_output(const struct inquiry *q) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f =
            inquiry_counts(q, c) ? observation_find(&c->seen, VGPU_FOUND_UNINITIALIZED, false)
                                 : NULL;
        const struct shape s = c->plan.call[0].shape;
        if (f && f->fact.memory == VGPU_MEMORY_ALLOCATION &&
            f->fact.room == 4 * (uint64_t)s.m * (uint64_t)s.n && s.n != s.k && s.m != s.k)
            return true;
    }
    return false;
}

/* Do blocks pass barriers without all of their threads, and in shapes with edges alone? */
static bool threads_leave(const struct inquiry *q) {
    bool leave = false;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        const bool seen = t->counted && t->work.of[WORK_SHORT_BARRIERS] > 0;
        if (seen && trial_clean(t) && t->verdict == VERDICT_PASS)
            return false;
        leave = leave || (seen && !trial_clean(t));
    }
    return leave;
}

bool rule_inputs_not_copied(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, NULL);
    if (!f || q->entry != ENTRY_HOST || f->fact.memory != VGPU_MEMORY_ALLOCATION ||
        q->verdict != VERDICT_WRONG)
        return false;
    for (size_t i = 0; i < q->g->result_count; i++) /* else the kernel itself is to blame */
        if (q->g->results[i].spec->entry == ENTRY_DEVICE &&
            q->g->results[i].verdict != VERDICT_PASS)
            return false;
    diagnosis_place(d, f);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    if (reads_output(q)) {
        d->class = "A-B-swapped";
        text_add(
            &d->sentence,
            "The kernel reads the buffer that was allocated for C: its pointers are handed over "
            "in another order than it takes them.");
        return true;
    }
    d->class = "inputs-not-copied";
    text_addf(&d->sentence,
              "The kernel reads device memory that nothing was copied into (%s): copy A and B "
              "with cudaMemcpyHostToDevice, both, whole, and before the launch.",
              f->object);
    return true;
}

/* Does a call copy to the host, and launch a kernel, but in the wrong order? */
static bool copies_first(const struct work *w) {
    return w->of[WORK_LAUNCHES] > 0 && w->of[WORK_TO_HOST_BYTES] > 0 &&
           w->of[WORK_TO_HOST_AFTER] == 0;
}

bool rule_copied_too_early(struct inquiry *q, struct diagnosis *d) {
    int early = 0;
    if (q->entry != ENTRY_HOST || q->verdict != VERDICT_WRONG)
        return false;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (!inquiry_counts(q, c) || c->seen.calls == 0)
            continue;
        if (!copies_first(&c->seen.work[0]))
            return false;
        early++;
    }
    if (early == 0)
        return false;
    d->class = "copied-too-early";
    text_addf(&d->sentence,
              "%s copies to the host before its kernel runs, and not after it: C comes back as it "
              "was. Copy A and B to the device, launch the kernel, and copy C back last.",
              entry_name(q->entry));
    text_addf(&d->evidence,
              "in %d failing cases nothing is copied to the host after the last kernel", early);
    return true;
}

/* The virtual GPU saw a background copy's destination read before anybody waited for the copy. */
bool rule_copy_under_way(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, NULL);
    if (!f || f->fact.says != VGPU_COPY_UNDER_WAY)
        return false;
    diagnosis_place(d, f);
    d->class = "not-synchronised";
    text_addf(&d->sentence,
              "%s is read while its copy is still on its way: copies in the background have to be "
              "waited for (__pipeline_wait_prior, cp.async.wait_group; each group that is counted "
              "needs its commit), and then all threads for each other (__syncthreads).",
              f->object);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

bool rule_uninitialised_shared(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, NULL);
    if (!f || !q->suspects.stale_shared)
        return false;
    bool clean_right = false, clean_wrong = false;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        clean_right = clean_right || (trial_clean(t) && t->verdict == VERDICT_PASS);
        clean_wrong = clean_wrong || (trial_clean(t) && t->verdict != VERDICT_PASS);
    }
    diagnosis_place(d, f);
    if (clean_right && !clean_wrong && threads_leave(q)) {
        d->class = "barrier-divergent";
        text_addf(
            &d->sentence,
            "Threads beyond the edge of C return before the barriers, and with them what they "
            "should have loaded into %s. Every thread has to load, and to reach every "
            "__syncthreads(); only the store at the end is for those inside.",
            f->object);
    } else if (clean_right && !clean_wrong) {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "The last, partial tile is not filled: elements of %s beyond the edge are read, "
                  "and no thread has written them. Store a zero there.",
                  f->object);
    } else {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "Elements of %s are read that no thread has written: every element of a tile "
                  "must be stored before it is used. Are there as many threads as elements?",
                  f->object);
    }
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* ---- Barriers and races ---- */

bool rule_barrier(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_BARRIER, NULL);
    if (!f)
        return false;
    d->class = "barrier-divergent";
    diagnosis_place(d, f);
    if (f->fact.says == VGPU_MBARRIER_DEADLOCK)
        text_addf(&d->sentence,
                  "Threads wait in line %d for a phase of a barrier in shared memory that never "
                  "ends, or that they wait for a second time. Count the arrivals that it expects, "
                  "who arrives in each phase, and, with mbarrier, whose parity is waited for: it "
                  "changes each time that the same barrier is used.",
                  d->line);
    else
        text_addf(
            &d->sentence,
            "Not all threads of a block reach the same __syncthreads() (line %d): it stands in an "
            "if or a loop that some threads skip, or some returned before. Every thread must "
            "come by.",
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

bool diagnose_shared_race(const struct observation *seen, struct diagnosis *d) {
    const struct finding_body *raw = shared_race(seen, VGPU_RAW),
                              *war = shared_race(seen, VGPU_WAR);
    const struct finding_body *f = raw ? raw : war;
    if (!f)
        return false;
    diagnosis_place(d, f);
    const int a = f->site[0].line, b = f->site[1].line;
    if (raw) {
        d->class = "first-barrier-missing";
        text_addf(
            &d->sentence,
            "A barrier is missing between loading a tile and using it: line %d stores into %s, "
            "and line %d reads it while other threads are still loading. Put "
            "__syncthreads() between them.",
            a, f->object, b);
        if (war)
            text_add(&d->sentence, " The one at the end of the loop is missing, too.");
    } else {
        d->class = "second-barrier-missing";
        text_addf(
            &d->sentence,
            "The barrier at the end of the loop is missing: line %d still reads %s when a faster "
            "thread, already in the next phase, overwrites it in line %d. Put "
            "__syncthreads() after the tiles were used.",
            a, f->object, b);
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
        if (inquiry_counts(q, c) && diagnose_shared_race(&c->seen, d))
            return true;
    }
    return false;
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
                 ", and each element is one thread's alone: the row or the column that is computed "
                 "for the index of C comes out the same for both. Work it out for the two threads "
                 "below.");
    } else {
        text_addf(&d->sentence,
                  "Two threads use %s at the same time and one of them writes (line %d): give "
                  "each thread elements of its own, or use atomic operations.",
                  f->object, d->line);
    }
}

bool rule_race(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_RACE, &from);
    if (!f)
        return false;
    diagnose_race(from, f, d);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}
