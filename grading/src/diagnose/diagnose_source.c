/*
 * diagnose_source.c: causes that a look at the source makes sure of, once a product is wrong.
 *
 * What is looked for can hardly stand in a right program, and the product came out as it would from
 * such a mistake.
 */
#include "grading/src/diagnose/declarations.h"
#include "grading/src/diagnose/diagnose.h"

/* Does token i say where a thread stands in its block: threadIdx, or a variable set from it? */
static bool from_thread(const struct tokens *t, int body, int end, int i) {
    if (token_is(t, i, "threadIdx"))
        return true;
    for (int k = body; k < end && token_is_name(t, i); k++)
        if (tokens_equal(&t->of[k], &t->of[i]) && token_is(t, k + 1, "=") &&
            token_is(t, k + 2, "threadIdx"))
            return true;
    return false;
}

/* Behind NAME [..] or NAME [..][..] at i; i when there is none. *by_thread: an index names a place
 * in the block. */
static int behind_indices(const struct tokens *t, int body, int end, int i, bool *by_thread) {
    int at = i + 1;
    *by_thread = false;
    while (token_is(t, at, "[")) {
        const int close = token_closing(t, at);
        for (int k = at + 1; k < close && k < end; k++)
            *by_thread = *by_thread || from_thread(t, body, end, k);
        at = close + 1;
    }
    return at == i + 1 ? i : at;
}

/* An array of a thread's own, declared at token d, that each thread sets at its place in the block:
 * one element of it, while the others are meant to be set by others. */
static bool is_unshared_tile(const struct tokens *t, int d, int body, int end) {
    static const char *const elsewhere[] = {"__shared__", "extern", "static", "const",
                                            "__constant__"};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (declared_with(t, d, elsewhere[i]))
            return false;
    bool by_thread;
    if (!(token_is(t, d - 1, "float") || token_is(t, d - 1, "double")) || !token_is(t, d + 1, "["))
        return false;
    for (int i = d + 1; i < end; i++) {
        const int behind =
            tokens_equal(&t->of[i], &t->of[d]) ? behind_indices(t, body, end, i, &by_thread) : i;
        if (behind > i && by_thread && token_is(t, behind, "="))
            return true;
    }
    return false;
}

/* A tile that is declared in a kernel with barriers, and not shared; -1: there is none. */
static int find_unshared_tile(const struct tokens *t) {
    bool body;
    for (int f = 0; f < t->count; f++) {
        if (!declares_function(t, f, &body) || !body ||
            !(declared_kernel(t, f) || declared_with(t, f, "__device__")))
            continue;
        const int open = token_closing(t, f + 1) + 1, end = token_closing(t, open);
        bool waits = false;
        for (int i = open; i < end; i++)
            waits = waits || token_is(t, i, "__syncthreads");
        for (int i = open; i < end && waits; i++)
            if (is_unshared_tile(t, i, open, end))
                return i;
    }
    return -1;
}

bool rule_not_shared(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_WRONG || q->entry == ENTRY_CPU)
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    const int at = find_unshared_tile(&t);
    if (at >= 0) {
        const struct token *name = &t.of[at];
        d->class = "not-shared";
        d->file = xstrdup(q->g->submission.name);
        d->line = name->line;
        text_addf(&d->sentence,
                  "%.*s is declared without __shared__: each thread has an array of its own, and "
                  "sets one element of it. Write __shared__ in front, and the threads of a block "
                  "fill one array together.",
                  (int)name->length, name->text);
        text_addf(&d->evidence, "line %d declares it, and threads store at their own place",
                  name->line);
    }
    tokens_free(&t);
    return at >= 0;
}
