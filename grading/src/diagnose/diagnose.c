/* diagnose.c: gathers what is known of a failure, and the table of rules (see diagnose.h). */
#include "grading/src/diagnose/diagnose.h"

#include "grading/src/base/scratch.h"
#include "grading/src/build/line.h"
#include "grading/src/diagnose/compile_cause.h"
#include "grading/src/diagnose/numbered.h"
#include "grading/src/diagnose/structured.h"
#include "grading/src/run/cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger cases tell nothing that smaller ones do not, unless they are the only wrong ones. */
#define LARGE_CASE 4000000
#define LONG_SIDE  8192

/* ---- What is known ---- */

static struct diagnosis *new_diagnosis(struct grade_context *g) {
    g->diagnoses = xrealloc(g->diagnoses, (g->diagnosis_count + 1) * sizeof(struct diagnosis *));
    struct diagnosis *d = xcalloc(1, sizeof *d);
    g->diagnoses[g->diagnosis_count++] = d;
    return d;
}

void diagnoses_free(struct grade_context *g) {
    for (size_t i = 0; i < g->diagnosis_count; i++) {
        diagnosis_free(g->diagnoses[i]);
        free(g->diagnoses[i]);
    }
    free(g->diagnoses);
    g->diagnoses = NULL;
    g->diagnosis_count = 0;
}

enum verdict inquiry_verdict(const struct inquiry *q, const struct case_result *c) {
    return q->session.backend == &q->g->backend ? c->verdict : c->observed;
}

const struct evidence *inquiry_evidence(const struct inquiry *q, const struct case_result *c) {
    return q->session.backend == &q->g->backend ? &c->evidence : &c->observed_evidence;
}

static bool some_trial_fails(const struct inquiry *q) {
    for (int i = 0; i < q->trials.count; i++)
        if (q->trials.trial[i]->verdict != VERDICT_PASS)
            return true;
    return false;
}

/* The deciding call of a case as a trial. */
static void add_case(struct inquiry *q, const struct case_result *c) {
    const struct evidence *e = inquiry_evidence(q, c);
    const enum verdict v = inquiry_verdict(q, c);
    const struct shape s = e->plan.shape;
    if (v == VERDICT_MISSING || v == VERDICT_NOT_GRADED || v == VERDICT_NOT_RUN || e->call > 1)
        return;
    const bool large = (int64_t)s.m * s.n * s.k > LARGE_CASE;
    if ((s.m > LONG_SIDE || s.n > LONG_SIDE || s.k > LONG_SIDE) && some_trial_fails(q))
        return;
    struct call_plan plan = e->plan;
    if (v == VERDICT_PASS)
        plan = c->plan.call[0];
    if (large && v == VERDICT_PASS && q->trials.count > 0)
        plan.input = INPUT_SMALL; /* only its shape and verdict matter */
    struct call_data data;
    call_data_make(&data, &plan, session_guards(q->session, q->entry));
    const struct work *work = c->seen.calls > 0 ? &c->seen.work[0] : NULL;
    struct trial *t = trials_add(&q->trials, c->spec->name, &data, v, e->got, work);
    if (t) {
        text_add(&t->summary, text_get(&e->summary));
        facts_copy(&t->facts, &e->facts);
        t->touched = e->touched;
        t->code_at = e->code_at;
        t->bounded = q->entry == ENTRY_DEVICE && q->session.backend->kind == BACKEND_VGPU;
    }
    call_data_free(&data);
}

/* Shapes for probes. The first ones have no edges: all orders of three different sizes, one size
 * unlike the others; then one edge at a time; then small ones; then one long side at a time. */
static const struct shape probe_shapes[] = {
    {32, 64, 96}, {32, 96, 64}, {64, 32, 96}, {64, 96, 32}, {96, 32, 64},
    {96, 64, 32}, {32, 32, 32}, {32, 64, 64}, {64, 32, 64}, {64, 64, 32},
    {64, 64, 64}, {32, 32, 41}, {41, 32, 32}, {32, 41, 32}, {1, 1, 1},
    {1, 1, 2},    {2, 3, 5},    {3, 4, 301},  {4, 301, 3},  {301, 3, 4},
};

static double madds_of(struct shape s) {
    return (double)s.m * (double)s.n * (double)s.k;
}

/* The least of the wrong products; NULL where a probe is wrong, too. */
static const struct trial *wrong_in_cases_alone(const struct inquiry *q, int cases) {
    const struct trial *least = NULL;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        if (t->verdict == VERDICT_PASS)
            continue;
        if (i >= cases)
            return NULL;
        if (trial_wrong(t) && (!least || madds_of(t->shape) < madds_of(least->shape)))
            least = t;
    }
    return least;
}

void diagnose_probe(struct inquiry *q) {
    const enum verdict v = q->verdict;
    if (q->probed)
        return;
    q->probed = true;
    prober_begin(&q->prober, q->g, q->session, q->entry);
    /* What crashes or never ends would only do so again. */
    if (v != VERDICT_WRONG && v != VERDICT_MEMORY && v != VERDICT_CUDA_ERROR) {
        prober_end(&q->prober);
        return;
    }
    const int cases = q->trials.count;
    for (size_t i = 0; i < sizeof probe_shapes / sizeof *probe_shapes; i++)
        probe(&q->prober, &q->trials, probe_shapes[i], PROBE_SMALL);
    /* Without edges for blocks larger than a tile. */
    const int block = q->g->lab->block;
    for (int i = 0; i < 3 && block > q->g->lab->tile; i++)
        probe(&q->prober, &q->trials, (struct shape){block << (i == 1), block << (i == 2), 64},
              PROBE_SMALL);
    if (q->g->lab->square_tiles)
        probe(&q->prober, &q->trials, (struct shape){96, 96, 96}, PROBE_SMALL);
    /* Only longer, or larger, products are wrong: what a case had in C and in its matrices may hide
     * why, so one of them with small numbers. */
    const double most = 2e7;
    const struct trial *t = wrong_in_cases_alone(q, cases);
    if (t == NULL)
        return;
    struct shape s = t->shape;
    s.m = s.m == 2 ? 3 : s.m; /* four elements say little of their sums */
    s.n = s.n == 2 ? 3 : s.n;
    if (madds_of(s) <= most)
        probe(&q->prober, &q->trials, s, PROBE_SMALL);
}

int diagnosis_place_code(const struct inquiry *q, struct diagnosis *d, uint32_t code_at) {
    const struct grade_context *g = q->g;
    const char *name = g->submission.name;
    const int line =
        build_line(q->session.build, q->session.backend, &g->paths, g->sandbox, name, code_at);
    if (line > 0 && !d->file) {
        d->file = xstrdup(name);
        d->line = line;
    }
    return line;
}

/* ---- Rules that need more than the trials ---- */

/* The same calls gave right products in another process. */
bool rule_elsewhere(struct inquiry *q, struct diagnosis *d) {
    if (!q->evidence->elsewhere || q->verdict == VERDICT_MEMORY)
        return false;
    d->class = "depends-on-process";
    text_add(&d->sentence,
             "The same calls are right in one process, and wrong in another with a different "
             "process id, environment and time of day. The product may depend only on its "
             "arguments: not on getpid, getenv or the time, nor on memory that was never set.");
    return true;
}

/* The case fails in a later call, after a right one. */
bool rule_later_call(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *c = q->first;
    const struct evidence *e = q->evidence;
    if (e->call < 2 || q->verdict != VERDICT_WRONG || !e->got ||
        observation_find(&c->seen, VGPU_FOUND_RACE,
                         false)) /* then luck decides which call is right */
        return false;
    const float *got = e->got;
    const struct shape s = e->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    int same_as = 0;
    for (int call = 0; call < e->call - 1 && !same_as; call++) {
        const struct shape before = c->plan.call[call].shape;
        if (before.m != s.m || before.n != s.n || before.k != s.k)
            continue;
        struct call_data data;
        struct trials one = {.count = 0};
        call_data_make(&data, &c->plan.call[call], session_guards(q->session, q->entry));
        const struct trial *t = trials_add(&one, "", &data, VERDICT_PASS, NULL, NULL);
        size_t equal = 0;
        for (size_t i = 0; i < total; i++)
            equal += trial_shown_got(t, i) == got[i];
        same_as = equal == total ? call + 1 : 0;
        trials_free(&one);
        call_data_free(&data);
    }
    if (same_as) {
        d->class = "cached";
        text_addf(&d->sentence,
                  "Call %d in a row gives the product of call %d again, although A and B now hold "
                  "other numbers: your program keeps an earlier answer and returns it.",
                  e->call, same_as);
        text_addf(&d->evidence, "all %zu elements of call %d are those of call %d", total, e->call,
                  same_as);
    } else {
        d->class = "drifts";
        text_addf(&d->sentence,
                  "The first call gives the right product, but call %d does not: something stays "
                  "from call to call and changes the result.",
                  e->call);
        text_addf(&d->evidence, "calls 1 to %d of the case are right", e->call - 1);
    }
    return true;
}

/* Wrong, but right as soon as everything that is asynchronous is waited for. */
bool rule_not_waited(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_WRONG || q->entry == ENTRY_CPU ||
        q->session.backend->kind != BACKEND_VGPU || q->first->spec->shape == SHAPE_TALL)
        return false; /* two more calls of a tall shape would cost seconds */
    enum verdict seen[2] = {VERDICT_NOT_GRADED, VERDICT_NOT_GRADED};
    for (int at_once = 0; at_once < 2; at_once++) {
        struct prober p;
        struct trials none = {.count = 0};
        prober_begin(&p, q->g, q->session, q->entry);
        p.flags = at_once ? CALL_AT_ONCE : 0;
        const struct trial *t = probe(&p, &none, q->evidence->plan.shape, PROBE_SMALL);
        seen[at_once] = t ? t->verdict : VERDICT_NOT_GRADED;
        prober_end(&p);
        trials_free(&none);
        if (seen[0] != VERDICT_WRONG)
            return false;
    }
    if (seen[1] != VERDICT_PASS)
        return false;
    d->class = "not-synchronised";
    text_add(
        &d->sentence,
        "Something is used before it is ready. Kernels, and copies with Async in their name, run "
        "while your program goes on: before the host reads what they write, wait for them with "
        "cudaStreamSynchronize(stream) or cudaDeviceSynchronize(). Work on another stream must "
        "wait too (use one stream for all, or cudaStreamWaitEvent).");
    text_add(&d->evidence,
             "the same call gives the right product when every piece of work is waited for");
    return true;
}

#define SUSPECT_RULE(name)                                                                         \
    bool rule_##name(struct inquiry *q, struct diagnosis *d) {                                     \
        diagnose_probe(q);                                                                         \
        return suspect_##name(&q->trials, &q->suspects, d);                                        \
    }
SUSPECT_RULE(special)
/* Sums with terms missing or too many: counting them for growing k shows it best. */
bool rule_products(struct inquiry *q, struct diagnosis *d) {
    static const char *const of_terms[] = {
        "sum-overwritten", "first-term-dropped", "last-term-dropped", "last-tile-dropped",
        "last-tile-twice", "last-quad-dropped",  "sum-reset",         "edge-tile-not-filled"};
    diagnose_probe(q);
    if (!suspect_products(&q->trials, &q->suspects, d))
        return false;
    struct text counts = {0};
    for (size_t i = 0; d->class && i < sizeof of_terms / sizeof *of_terms; i++)
        if (strcmp(d->class, of_terms[i]) == 0 && numbered_counts(&counts, &q->prober))
            text_addf(&d->evidence, "; %s", text_get(&counts));
    text_free(&counts);
    return true;
}
SUSPECT_RULE(slabs)
SUSPECT_RULE(shapes)
SUSPECT_RULE(all_nan)

/* Rules of fault patterns look at probes, too. */
bool rule_outside_probed(struct inquiry *q, struct diagnosis *d) {
    diagnose_probe(q);
    return rule_outside(q, d);
}

/* Sums of whole tiles, of numbers that nobody can tell. */
bool rule_whole_tiles(struct inquiry *q, struct diagnosis *d) {
    if (q->suspects.product.kind == PRODUCT_MIN_PLUS)
        return false;
    diagnose_probe(q);
    const int tile =
        q->verdict == VERDICT_WRONG ? numbered_whole_tiles(&d->evidence, &q->prober) : 0;
    if (tile == 0)
        return false;
    d->class = "edge-tile-not-filled";
    text_addf(
        &d->sentence,
        "Every sum has too many terms if k is not a multiple of %d, as if the last tile were "
        "whole: where it reaches beyond A and B, it holds other numbers. Put a zero wherever the "
        "row or the column does not exist.",
        tile);
    return true;
}

/* An element, and what probes show. */
static void say_example(struct inquiry *q, struct diagnosis *d) {
    const struct trial *t = suspect_best(&q->trials, false);
    if (t)
        suspect_example(&d->sentence, t, suspect_element(t, false), NULL);
    if (q->suspects.product.kind == PRODUCT_MIN_PLUS)
        return;
    struct text seen = {0};
    if (numbered_walk(&seen, &q->prober) || numbered_pair(&seen, &q->prober) ||
        numbered_counts(&seen, &q->prober))
        text_addf(&d->sentence, " Probes with numbered elements show: %s.", text_get(&seen));
    text_free(&seen);
}

/* All structured probes of a cube; false: its product is right, or something did not come back. */
static bool probe_cube(struct prober *p, struct trials *all, int side,
                       const struct trial *probes[STRUCTURED_PROBES]) {
    const struct shape cube = {side, side, side};
    const size_t elements = (size_t)side * (size_t)side;
    float *a = xmalloc(elements * sizeof *a), *b = xmalloc(elements * sizeof *b);
    bool complete = true;
    for (int i = 0; i < STRUCTURED_PROBES && complete; i++) {
        if (i == STRUCTURED_ANY) {
            probes[i] = probe(p, all, cube, PROBE_SMALL);
            complete = probes[i] && trial_wrong(probes[i]);
            continue;
        }
        structured_fill((enum structured_probe)i, side, a, b);
        probes[i] = probe_with(p, all, cube, a, b);
        complete = probes[i] && probes[i]->got;
    }
    free(a);
    free(b);
    return complete;
}

/* Where the factors of each sum come from, element by element. */
bool rule_structured(struct inquiry *q, struct diagnosis *d) {
    static const int sides[] = STRUCTURED_SIDES;
    bool said = false;
    if (q->suspects.product.kind == PRODUCT_MIN_PLUS)
        return false;
    for (size_t i = 0; i < sizeof sides / sizeof *sides && q->verdict == VERDICT_WRONG && !said;
         i++) {
        const struct trial *probes[STRUCTURED_PROBES] = {NULL};
        struct trials all = {.count = 0};
        said = probe_cube(&q->prober, &all, sides[i], probes) && structured_judge(probes, d);
        trials_free(&all);
    }
    if (said)
        diagnose_watched(q, d); /* at which line */
    return said;
}

/* No rule holds: what was seen. */
bool rule_unsure(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_WRONG)
        return false;
    int right = 0, wrong = 0;
    for (int i = 0; i < q->trials.count; i++) {
        right += q->trials.trial[i]->verdict == VERDICT_PASS;
        wrong += trial_wrong(q->trials.trial[i]);
    }
    text_addf(&d->sentence,
              "No known mistake explains this product. Of %d shapes tried, %d are right.",
              q->trials.count, right);
    if (!diagnose_watched(q, d))
        say_example(q, d);
    text_addf(&d->evidence, "%d calls, %d right, %d wrong", q->trials.count, right, wrong);
    return true;
}

/* In the order of the list. */
#define RULE(name, holds_when) rule_##name,
static diagnose_rule *const rules[] = {DIAGNOSE_RULES(RULE)};
#undef RULE

/* The section of the handouts about this mistake, where there is one. */
static void add_section(const struct grade_context *g, struct diagnosis *d, const char *mistake) {
    if (!mistake)
        return;
    struct cause cause = cause_of(g->paths.root, mistake, g->lab->name);
    d->section = cause.section;
    cause.section = NULL;
    cause_free(&cause);
}

/* A failing case to be explained. Nothing is told of hidden cases,
 * so nothing is learnt from them. */
static bool counts_as_failure(const struct case_result *c, enum entry_point entry, enum verdict v) {
    return c->spec->entry == entry && !c->spec->hidden && v != VERDICT_PASS &&
           v != VERDICT_NOT_GRADED && v != VERDICT_NOT_RUN;
}

/* All failing cases of one function have one diagnosis: it was checked against all of them. */
static void diagnose_function(struct grade_context *g, struct session s, enum entry_point entry) {
    struct inquiry q = {.g = g, .session = s, .entry = entry};
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (counts_as_failure(c, entry, inquiry_verdict(&q, c)) &&
            (!q.first || (case_is_special(q.first->spec) && !case_is_special(c->spec))))
            q.first = c;
    }
    if (!q.first || interrupt_noted())
        return;
    q.special = case_is_special(q.first->spec);
    q.verdict = inquiry_verdict(&q, q.first);
    q.evidence = inquiry_evidence(&q, q.first);
    for (size_t i = 0; i < g->result_count; i++)
        if (g->results[i].spec->entry == entry && !g->results[i].spec->hidden &&
            (q.special || !case_is_special(g->results[i].spec)))
            add_case(&q, &g->results[i]);
    q.suspects = (struct suspect_context){.entry = entry,
                                          .layout = g->lab->layout,
                                          .product = g->lab->product,
                                          .cublas = g->lab->cublas};
    const struct finding_body *f = inquiry_finding(&q, VGPU_FOUND_UNINITIALIZED, NULL);
    q.suspects.stale = f != NULL;
    q.suspects.stale_shared = f && f->fact.memory == VGPU_MEMORY_SHARED;
    struct diagnosis *d = new_diagnosis(g);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !interrupt_noted(); i++)
        if (rules[i](&q, d))
            break;
    if (d->class && strcmp(d->class, "index-wrong") == 0)
        diagnose_watched(&q, d); /* which index */
    add_section(g, d, d->topic ? d->topic : d->class);
    if (q.probed)
        prober_end(&q.prober);
    trials_free(&q.trials);
    for (size_t i = 0; i < g->result_count && d->sentence.length > 0; i++) {
        struct case_result *c = &g->results[i];
        if (counts_as_failure(c, entry, inquiry_verdict(&q, c)))
            c->diagnosis = d;
    }
}

/* The sentence for beginners, where the mistake is an everyday one. */
static void explain_error(const struct grade_context *g, struct diagnosis *d) {
    const struct message_place at = g->build.error;
    const struct compile_error e = {g->submission.bytes, at.line, at.column};
    struct text words = {0};
    const char *name = compile_cause(&e, &words);
    if (name) {
        text_clear(&d->sentence);
        text_add(&d->sentence, text_get(&words));
        add_section(g, d, name);
    }
    text_free(&words);
}

/* The file was refused: it does not build, or lacks a function. */
static void diagnose_refusal(struct grade_context *g) {
    struct diagnosis *d = new_diagnosis(g);
    const char *why = text_get(&g->refused), *name = g->submission.name ? g->submission.name : "";
    switch (g->refusal) {
    case REFUSED_MAIN:
        d->class = "missing-function";
        text_addf(
            &d->sentence,
            "The file is to hold only the functions of common/lab.h. The grader has a main of "
            "its own that calls them, and so has the program that make %s builds.",
            g->lab->name);
        break;
    case REFUSED_EMPTY:
    case REFUSED_NO_FUNCTION:
        d->class = "missing-function";
        text_add(&d->sentence,
                 "The grader calls the functions that common/lab.h declares, by their names and "
                 "with their parameters. Include \"lab.h\", and keep the functions' first lines as "
                 "they are in the skeleton.");
        break;
    case REFUSED_NOT_FILE:
        d->class = "does-not-compile";
        text_add(&d->sentence, "Hand in the .cu file itself: not a link to it, not a folder that "
                               "holds it, nor anything else with its name.");
        break;
    case REFUSED_NOT_TEXT:
        d->class = "does-not-compile";
        text_add(&d->sentence,
                 "This is not the text of a program: hand in the .cu file itself, as you edit it.");
        break;
    case REFUSED_NOT_COMPILED:
        d->class = "does-not-compile";
        text_add(&d->sentence,
                 "The compiler does not understand the file. Begin with its first message: later "
                 "ones often follow from it.");
        break;
    case REFUSED_SHARED_SIZE:
        d->class = "shared-too-large";
        text_add(&d->sentence,
                 "This kernel's __shared__ arrays take more than the 48 KiB (49,152 bytes) that a "
                 "block has. That is room for 12,288 floats in all its tiles together: make them "
                 "smaller.");
        break;
    case REFUSED_BREAKS_TOOL:
        d->class = "does-not-compile";
        text_add(&d->sentence,
                 "This file makes the compiler crash, and others do not. Remove what you added "
                 "last, or any unusual #pragma, until it compiles.");
        break;
    default: return;
    }
    text_add(&d->evidence, why);
    d->line = g->build.error.line;
    if (d->line > 0)
        d->file = xstrdup(name);
    if (g->refusal == REFUSED_NOT_COMPILED && d->line > 0)
        explain_error(g, d);
    if (!d->section)
        add_section(g, d, d->class);
    g->diagnosis = d;
}

/* Does this check tell more than the cause that the case has? It tells why, where that has no
 * class; and where a shape takes too long, with no loop to blame, how the work is wasted. */
static bool tells_more(const struct check_result *r, const struct diagnosis *d) {
    if (!r->diagnosis || !r->diagnosis->class)
        return false;
    if (!d->class)
        return r->found;
    return r->spec->kind == CHECK_COUNTS && strcmp(d->class, "time-limit") == 0 && d->line == 0;
}

/* A failure without a cause of its own, of a function in which a check found a mistake while its
 * product was right: that is the cause. */
static void borrow_causes(struct grade_context *g) {
    for (size_t i = 0; i < g->result_count; i++) {
        struct case_result *c = &g->results[i];
        for (size_t k = 0; k < g->check_count && c->diagnosis; k++) {
            const struct check_result *r = &g->checks[k];
            if (r->in && r->in->spec->entry == c->spec->entry && tells_more(r, c->diagnosis)) {
                c->diagnosis = r->diagnosis;
                break;
            }
        }
    }
}

/* ---- On a GPU ----
 * A GPU says little of what went wrong. Where the virtual GPU, which runs each case as well, fails
 * too, or alone, its evidence and probes on it lead to the cause.
 */

/* Whether the virtual GPU fails in a case of this function that fails on the GPU. */
static bool fails_observed(const struct grade_context *g, enum entry_point entry) {
    if (!g->observer.compiler || !session_observes(g))
        return false;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (counts_as_failure(c, entry, c->verdict) && counts_as_failure(c, entry, c->observed) &&
            c->observed_evidence.call > 0)
            return true;
    }
    return false;
}

/* Gives what was found on the virtual GPU to the cases that fail on the GPU, and to these alone.
 * False when nothing was found. */
static bool hand_over(struct grade_context *g, enum entry_point entry) {
    const struct diagnosis *d = NULL;
    for (size_t i = 0; i < g->result_count && !d; i++)
        if (g->results[i].spec->entry == entry)
            d = g->results[i].diagnosis;
    for (size_t i = 0; i < g->result_count; i++) {
        struct case_result *c = &g->results[i];
        if (c->spec->entry == entry)
            c->diagnosis = counts_as_failure(c, entry, c->verdict) ? d : NULL;
    }
    return d != NULL;
}

/* All cases of this function are right on the GPU, and one is not on the virtual GPU. */
static bool forgiven(const struct grade_context *g, enum entry_point entry) {
    bool any = false;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (counts_as_failure(c, entry, c->verdict))
            return false;
        any |= c->spec->entry == entry && case_forgiven(c);
    }
    return any;
}

static void diagnose_entry(struct grade_context *g, enum entry_point entry) {
    const bool by_luck = forgiven(g, entry);
    if (by_luck || fails_observed(g, entry)) {
        diagnose_function(g, session_observed(g), entry);
        if (by_luck || hand_over(g, entry))
            return;
    }
    diagnose_function(g, session_of(g), entry);
}

/* matmul_host fails as matmul_device does, which has a cause: the same one. */
static bool diagnosed_with_device(struct grade_context *g) {
    const struct case_result *device = NULL, *host = NULL;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (counts_as_failure(c, ENTRY_DEVICE, c->verdict) && !case_is_special(c->spec) && !device)
            device = c;
        if (counts_as_failure(c, ENTRY_HOST, c->verdict) && !host)
            host = c;
    }
    if (!device || !host || !device->diagnosis || !device->diagnosis->class ||
        device->verdict != host->verdict)
        return false;
    for (size_t i = 0; i < g->result_count; i++)
        if (counts_as_failure(&g->results[i], ENTRY_HOST, g->results[i].verdict))
            g->results[i].diagnosis = device->diagnosis;
    return true;
}

void diagnose(struct grade_context *g) {
    if (interrupt_noted() || g->not_graded.length > 0)
        return;
    if (g->refused.length > 0) {
        diagnose_refusal(g);
        return;
    }
    /* matmul_host calls matmul_device. */
    static const enum entry_point order[ENTRY_COUNT] = {ENTRY_CPU, ENTRY_DEVICE, ENTRY_HOST};
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (order[i] != ENTRY_HOST || !diagnosed_with_device(g))
            diagnose_entry(g, order[i]);
    for (size_t i = 0; i < g->check_count; i++) {
        struct check_result *c = &g->checks[i];
        struct diagnosis made = {0};
        if (c->verdict != CHECK_NOT_MET || (c->in && c->in->spec->hidden) ||
            !diagnose_check(g, c, &made))
            continue;
        struct diagnosis *d = new_diagnosis(g);
        *d = made;
        add_section(g, d, d->topic ? d->topic : d->class);
        c->diagnosis = d;
    }
    borrow_causes(g);
    if (g->first_failure)
        g->diagnosis = g->first_failure->diagnosis;
    else if (g->first_forgiven)
        g->diagnosis = g->first_forgiven->diagnosis;
    for (size_t i = 0; i < g->check_count && !g->diagnosis && !g->first_failure; i++)
        g->diagnosis = g->checks[i].diagnosis;
}
