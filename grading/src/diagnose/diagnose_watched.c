/*
 * diagnose_watched.c: what a wrong element's thread reads, seen by watching it (trace.h).
 *
 * Names no class. Where no rule knows the mistake, or the rule knows only that an index is wrong,
 * this tells the line at which the thread reads what it should not.
 */
#include "grading/src/diagnose/diagnose.h"

#include "grading/src/report/film_product.h"
#include "grading/src/report/film_record.h"

#include <inttypes.h>
#include <string.h>

/* Watching is slow: multiply-adds of the call, and milliseconds. */
#define MOST_WATCHED  2000000
#define WATCHED_LIMIT (2 * PROBE_LIMIT)

static void say_thread(struct text *to, const struct recording *r, int thread) {
    const int64_t x = thread % r->block[0], y = thread / r->block[0] % r->block[1];
    text_addf(to, "thread (%" PRId64 ",%" PRId64 ") of block (%" PRId64 ",%" PRId64 ")", x, y,
              r->index[0], r->index[1]);
}

/* What the trace tells, and the line that it leads to; 0: nothing. */
static int say_trace(struct text *to, const struct recording *r, const struct trace *t,
                     const struct traced_product *p) {
    if (t->step < 0 || (t->notes == 0 && !t->complete))
        return 0;
    text_add(to, " Watched while it ran: ");
    say_thread(to, r, t->thread);
    text_addf(to, " writes C[%" PRId64 "][%" PRId64 "] in line %d. ", t->cell->element / p->n,
              t->cell->element % p->n, t->line);
    if (t->complete && t->notes == 0) {
        text_addf(to,
                  "It reads every element of its row of A and of its column of B%s: what it does "
                  "with them is wrong.",
                  t->elements == 1 ? ", each once" : "");
        return t->line;
    }
    const struct trace_note *first = &t->note[0];
    if (first->line > 0 && first->step != t->step)
        text_addf(to, "In line %d it %s.", first->line, first->text);
    else
        text_addf(to, "It %s.", first->text);
    return r->step[first->step].line;
}

bool diagnose_watched(struct inquiry *q, struct diagnosis *d) {
    const struct shape s = q->evidence->plan.shape;
    if (q->verdict != VERDICT_WRONG || q->suspects.product.kind != PRODUCT_PLAIN ||
        q->suspects.layout.padding > 0 || q->entry == ENTRY_CPU ||
        q->session.backend->kind != BACKEND_VGPU || q->evidence->call > 1 ||
        (double)s.m * s.n * s.k > MOST_WATCHED || budget_is_spent(&q->g->budget))
        return false;
    struct film_take take;
    struct text why_not = {0}, said = {0};
    struct recording r;
    const struct film_order order = {
        .plan = &q->evidence->plan, .about = "", .limit = WATCHED_LIMIT};
    int line = 0;
    if (film_record(q->g, &order, &take, &why_not)) {
        if (!film_has_mistake(take.film) && recording_read(&r, take.film)) {
            struct trace t;
            trace_product(&t, &r, &take.product);
            line = say_trace(&said, &r, &t, &take.product);
            recording_free(&r);
        }
        film_take_free(&take);
    }
    text_free(&why_not);
    if (line > 0) {
        text_add(&d->sentence, text_get(&said));
        d->line = line;
        if (!d->file)
            d->file = xstrdup(q->g->submission.name);
    }
    text_free(&said);
    return line > 0;
}
