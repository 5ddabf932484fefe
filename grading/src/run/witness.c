/* witness.c: see witness.h. */
#include "grading/src/run/witness.h"

#include "grading/src/base/scratch.h"
#include "grading/src/run/context.h"
#include "grading/src/run/operands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Counted again. The others say what is left behind, or what was tried and refused: no journal
 * tells. */
static const enum work_item recounted[] = {
    WORK_LAUNCHES,
    WORK_COPIES,
    WORK_COPIED_BYTES,
    WORK_TO_HOST_BYTES,
    WORK_BLAS_CALLS,
    WORK_GEMM_CALLS,
    WORK_GEMM_MADDS,
    WORK_GEMM_ROUNDED,
#define COUNTER(capitals, name, unit, meaning) WORK_##capitals,
    VGPU_COUNTER_LIST(COUNTER)
#undef COUNTER
        WORK_GRID_X,
    WORK_GRID_Y,
    WORK_GRID_Z,
    WORK_BLOCK_X,
    WORK_BLOCK_Y,
    WORK_BLOCK_Z,
};

/* ---- What the calls leave ---- */

void journals_begin(struct journals *j, struct call_reply *greeting) {
    *j = (struct journals){.early = greeting->journal, .early_bytes = greeting->journal_bytes};
    greeting->journal = NULL;
}

void journals_add(struct journals *j, const struct call_data *data, struct call_reply *reply) {
    if (j->calls == CASE_MAX_CALLS || !reply->bytes)
        return;
    const struct region *r = data->region;
    const size_t before = (size_t)(r[MATRIX_A].bytes + r[MATRIX_B].bytes),
                 c = (size_t)r[MATRIX_C].bytes;
    j->call[j->calls].journal = reply->journal;
    j->call[j->calls].journal_bytes = reply->journal_bytes;
    reply->journal = NULL;
    if (data->plan.entry != ENTRY_DEVICE) {
        j->call[j->calls].c = xmalloc(c + 1);
        j->call[j->calls].c_bytes = c;
        memcpy(j->call[j->calls].c, reply->bytes + before, c);
    }
    j->calls++;
}

void journals_free(struct journals *j) {
    free(j->early);
    for (int i = 0; i < j->calls; i++) {
        free(j->call[i].journal);
        free(j->call[i].c);
    }
    *j = (struct journals){0};
}

bool witness_wanted(const struct grade_context *g, const struct case_spec *spec) {
    for (size_t i = 0; i < g->rubric.check_count && g->options.cases == 0; i++)
        if (g->rubric.checks[i].kind == CHECK_COUNTS && check_looks_at(&g->rubric.checks[i], spec))
            return spec->entry != ENTRY_CPU;
    return false;
}

/* ---- The program ---- */

/* Puts a copy beside the worker's program, where its walls let it be seen. NULL: it cannot be had.
 * The caller frees it. */
static char *program_beside(const struct grade_context *g, const char *worker, char *why,
                            size_t room) {
    const char *slash = strrchr(worker, '/');
    const int folder = slash ? (int)(slash - worker) : 0;
    char *path = xasprintf("%.*s/witness", folder, worker);
    if (access(path, X_OK) == 0)
        return path;
    char *own = xasprintf("%s/bin/witness", g->paths.build),
         *unfinished = xasprintf("%s.new", path);
    if (scratch_copy(own, unfinished, 0755) && rename(unfinished, path) == 0) {
        char *beside = xasprintf("%.*s", folder, worker);
        sandbox_take(g->sandbox, beside);
        free(beside);
    } else {
        const int error = errno;
        struct text full = {0};
        unlink(unfinished);
        if ((error == ENOSPC || error == EDQUOT) && !scratch_has_room(g->scratch, &full))
            snprintf(why, room, "%s", text_get(&full));
        else
            snprintf(why, room, "the grader's own program %.120s cannot be copied: %s", own,
                     strerror(error));
        text_free(&full);
        free(path);
        path = NULL;
    }
    free(own);
    free(unfinished);
    return path;
}

/* ---- Hearing it ---- */

/* What comes of repeating all calls of a case once. */
struct hearing {
    struct grade_context *g;
    const struct case_result *c;
    const struct worker_setup *setup;
    struct guard_bands guard;
    const struct journals *j;
    bool fresh;                      /* on matrices that the process never saw */
    bool twofold;                    /* with floats from shared memory doubled (operands.h) */
    bool backwards;                  /* with the last block of each grid first */
    uint64_t c_bits[CASE_MAX_CALLS]; /* a hash of the C that each call gave */
    struct testimony t;
    struct observation seen;
};

/* Bytes that a call may bring to the host and still not be said to compute there: the rubrics'
 * limit. */
#define FEW_BYTES 64

static bool ends(struct testimony *t, enum testimony_end end, const char *why) {
    t->end = end;
    snprintf(t->why, sizeof t->why, "%s", why);
    return false;
}

static void set_operands(struct work *w, struct operands o) {
    w->of[WORK_SHARED_THOUSANDTHS] = o.mean;
    w->of[WORK_SHARED_ALIKE] = o.alike;
}

/* What a call left of C, its guard bands included, as a number (FNV-1a). */
static uint64_t bits_of_c(const struct call_data *data, const unsigned char *bytes) {
    const struct region *r = data->region;
    const uint64_t before = r[MATRIX_A].bytes + r[MATRIX_B].bytes;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint64_t i = 0; i < r[MATRIX_C].bytes; i++)
        hash = (hash ^ bytes[before + i]) * UINT64_C(1099511628211);
    return hash;
}

/* What the witness answered to one call. False when that is the end of it. */
static bool take_answer(struct hearing *h, int call, const struct call_data *data,
                        const struct call_reply *reply) {
    struct testimony *t = &h->t;
    if (reply->end == CALL_STARVED)
        return ends(t, TESTIMONY_STARVED, reply->reason);
    /* Six times what a worker has, and more memory than it: no honest call gets here. */
    if (reply->end == CALL_TIMED_OUT)
        return ends(t, TESTIMONY_DISAGREES, "it takes far longer than the process can have taken");
    if (reply->end == CALL_DIED && reply->reason[0])
        return ends(t, TESTIMONY_DISAGREES, "it takes more memory than the process can have had");
    if (reply->end != CALL_ANSWERED || !reply->heard || !reply->counted) {
        char why[sizeof t->why];
        snprintf(why, sizeof why, "the program that repeats it did not answer%s%.128s",
                 reply->reason[0] ? ": " : "", reply->reason);
        return ends(t, TESTIMONY_CANNOT, why);
    }
    t->work[call].of[WORK_HOST_ELEMENTS] = reply->work.of[WORK_HOST_ELEMENTS];
    if (reply->witness.status != WITNESS_REPEATED)
        return ends(
            t, reply->witness.status == WITNESS_CANNOT ? TESTIMONY_CANNOT : TESTIMONY_DISAGREES,
            reply->witness.why);
    h->c_bits[call] = bits_of_c(data, reply->bytes);
    if (h->twofold) {
        set_operands(&t->work[call], operands_doubled(data, reply->bytes));
        return true;
    }
    struct evidence e;
    judge_call(&e, data, reply, BACKEND_VGPU);
    const bool right = e.verdict == VERDICT_PASS;
    evidence_free(&e);
    if (!right)
        return ends(t, TESTIMONY_DISAGREES,
                    "repeated with the kernels of this file, it gives another product");
    t->work[call] = h->c->seen.work[call];
    for (size_t i = 0; i < sizeof recounted / sizeof *recounted; i++)
        t->work[call].of[recounted[i]] = reply->work.of[recounted[i]];
    t->work[call].of[WORK_HOST_ELEMENTS] = reply->work.of[WORK_HOST_ELEMENTS];
    observation_add(&h->seen, reply);
    return true;
}

/* No more warp instructions than the process told of, and some. */
static uint64_t most_instructions(const struct work *told) {
    const uint64_t n = told->of[WORK_WARP_INSTRUCTIONS];
    return n > UINT64_MAX / 4 ? UINT64_MAX : 2 * n + 1000000;
}

static bool hear_call(struct hearing *h, struct worker *w, int i) {
    const struct journals *j = h->j;
    struct call_plan plan = h->c->plan.call[i];
    struct call_data data;
    struct call_reply reply;
    if (!j->call[i].journal)
        return ends(&h->t, TESTIMONY_DISAGREES, "it does not tell what it did");
    if (h->fresh)
        plan.seed ^= UINT64_C(0x9e3779b97f4a7c15);
    call_data_make(&data, &plan, h->guard);
    const struct repeat_request request = {.early = i == 0 ? j->early : NULL,
                                           .early_bytes = i == 0 ? j->early_bytes : 0,
                                           .journal = j->call[i].journal,
                                           .journal_bytes = j->call[i].journal_bytes,
                                           .given = j->call[i].c,
                                           .given_bytes = j->call[i].c_bytes,
                                           .instructions = most_instructions(&h->c->seen.work[i])};
    worker_repeat(w, &data, &request, &reply);
    const bool go_on = take_answer(h, i, &data, &reply);
    call_reply_free(&reply);
    call_data_free(&data);
    return go_on;
}

/* Repeats all calls, in a witness of their own. */
static void hear(struct hearing *h) {
    struct worker_setup setup = *h->setup;
    struct worker w;
    struct call_reply reply;
    char why[sizeof h->t.why];
    h->t = (struct testimony){.end = TESTIMONY_REPEATED};
    if (!h->j->early || h->j->calls != h->c->plan.calls || h->c->seen.calls != h->j->calls) {
        ends(&h->t, TESTIMONY_DISAGREES, "it does not tell what it did");
        return;
    }
    char *program = program_beside(h->g, setup.program, why, sizeof why);
    if (!program) {
        ends(&h->t, TESTIMONY_CANNOT, why);
        return;
    }
    setup.repeats = setup.program;
    setup.program = program;
    setup.journal = false;
    setup.twofold = h->twofold;
    setup.backwards = h->backwards;
    if (!worker_start(&w, &setup, &reply)) {
        if (reply.end == CALL_STARVED)
            ends(&h->t, TESTIMONY_STARVED, reply.reason);
        else
            ends(&h->t, TESTIMONY_CANNOT, "the program that repeats it does not start");
    } else {
        for (int i = 0; i < h->j->calls; i++)
            if (!hear_call(h, &w, i))
                break;
    }
    call_reply_free(&reply);
    worker_finish(&w);
    worker_free(&w);
    free(program);
}

static uint64_t bytes_to_host(const struct hearing *h) {
    uint64_t most = 0;
    for (int i = 0; i < h->j->calls; i++) {
        const uint64_t n = h->t.work[i].of[WORK_TO_HOST_BYTES];
        most = n > most ? n : most;
    }
    return most;
}

/* Hears the case on matrices that the process never saw: launches that compute the product do so
 * for any. Only where numbers went to the host in between, and so cannot be repeated for others, on
 * those that it was given. */
static bool hear_both(struct hearing *h) {
    h->fresh = h->c->spec->entry == ENTRY_DEVICE; /* else A and B lie in the journal */
    hear(h);
    if (!h->fresh || h->t.end != TESTIMONY_DISAGREES || interrupt_noted())
        return false;
    observation_free(&h->seen);
    h->fresh = false;
    hear(h);
    if (h->t.end != TESTIMONY_REPEATED)
        return false;
    if (bytes_to_host(h) > FEW_BYTES)
        return true;
    ends(&h->t, TESTIMONY_DISAGREES,
         "repeated with other matrices, it does not compute their product");
    return false;
}

/* Hears it once more, with floats from shared memory doubled. What then ends in another way tells
 * nothing. */
static void hear_twofold(struct hearing *h, struct case_result *c) {
    struct hearing twice = *h;
    twice.twofold = true;
    twice.seen = (struct observation){0};
    hear(&twice);
    for (int i = 0; i < h->j->calls && twice.t.end == TESTIMONY_REPEATED; i++) {
        const uint64_t *of = twice.t.work[i].of;
        const struct operands heard = {of[WORK_SHARED_THOUSANDTHS], of[WORK_SHARED_ALIKE]};
        set_operands(&c->seen.work[i], heard);
        set_operands(&h->t.work[i], heard);
    }
    observation_free(&twice.seen);
}

/* Hears it once more, with the last block of each grid first: has C the same bits? What then ends
 * in another way tells nothing: blocks may wait for each other. */
static void hear_backwards(struct hearing *h, struct case_result *c) {
    struct hearing again = *h;
    again.backwards = true;
    again.seen = (struct observation){0};
    hear(&again);
    for (int i = 0; i < h->j->calls && again.t.end == TESTIMONY_REPEATED; i++)
        c->seen.work[i].of[WORK_ORDER_DIFFERS] = h->t.work[i].of[WORK_ORDER_DIFFERS] =
            again.c_bits[i] != h->c_bits[i];
    observation_free(&again.seen);
}

static bool same_place(const struct finding_body *a, const struct finding_body *b) {
    return a->kind == b->kind && a->hazard == b->hazard && strcmp(a->kernel, b->kernel) == 0 &&
           a->site[0].line == b->site[0].line && a->site[1].line == b->site[1].line;
}

/* What the checkers found in kernels there, and the process did not tell. */
static void add_findings(struct observation *seen, const struct observation *more) {
    for (int i = 0; i < more->findings; i++) {
        const struct finding_body *f = &more->finding[i];
        bool told = f->kernel[0] == '\0';
        for (int k = 0; k < seen->findings && !told; k++)
            told = same_place(&seen->finding[k], f);
        if (told)
            continue;
        seen->finding =
            xrealloc(seen->finding, ((size_t)seen->findings + 1) * sizeof *seen->finding);
        seen->finding[seen->findings++] = *f;
    }
}

/* For a human to look at. */
static void note(struct grade_context *g, const struct case_result *c, bool host_took_part) {
    const struct testimony *t = &c->testimony;
    /* The report's are those of the build that runs the cases;
     * on a GPU the other one is being watched now. */
    struct flags *flags = &g->build.flags;
    struct text what = {0};
    text_addf(&what, "%s", c->spec->name);
    if (t->why[0]) {
        text_add(&what, ": ");
        text_add_clean_line(&what, t->why, strlen(t->why), 200);
        text_mask_addresses(&what);
    }
    if (t->end == TESTIMONY_DISAGREES)
        flags_note(flags, "tells-otherwise",
                   "what the process tells of its work is not what it did", text_get(&what));
    else if (t->end == TESTIMONY_CANNOT)
        flags_note(flags, "not-repeated", "counts come from the process alone, and may be altered",
                   text_get(&what));
    else if (host_took_part)
        flags_note(flags, "host-took-part",
                   "numbers went to the host and back before the product was done",
                   text_get(&what));
    text_free(&what);
}

void witness_hear(struct grade_context *g, struct case_result *c, const struct worker_setup *setup,
                  struct guard_bands guard, const struct journals *j) {
    struct hearing h = {.g = g, .c = c, .setup = setup, .guard = guard, .j = j};
    for (int i = 0; i < c->seen.calls; i++) /* until it is known better */
        set_operands(&c->seen.work[i], OPERANDS_UNKNOWN);
    const bool host_took_part = hear_both(&h);
    for (int i = 0; i < c->seen.calls; i++)
        c->seen.work[i].of[WORK_HOST_ELEMENTS] = h.t.work[i].of[WORK_HOST_ELEMENTS];
    if (h.t.end == TESTIMONY_REPEATED && operands_wanted(g, c->spec) && !interrupt_noted())
        hear_twofold(&h, c);
    if (h.t.end == TESTIMONY_REPEATED && rubric_limits(&g->rubric, c->spec, "order_differs") &&
        !interrupt_noted())
        hear_backwards(&h, c);
    if (!interrupt_noted()) {
        c->testimony = h.t;
        if (h.t.end == TESTIMONY_REPEATED)
            add_findings(&c->seen, &h.seen);
        note(g, c, host_took_part);
    }
    observation_free(&h.seen);
}
