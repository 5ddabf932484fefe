/*
 * diagnose_host.c: where the host's part of a program left its matrices, or crashed (see
 * diagnose.h). The line comes from the address at which the process stopped (build/line.h); what
 * the statement there does, from its text.
 */
#include "grading/src/build/line.h"
#include "grading/src/diagnose/declarations.h"
#include "grading/src/diagnose/diagnose.h"

#include <signal.h>
#include <string.h>

/* ---- The statement of a line ---- */

/* The first token of this line; the number of tokens when it has none. */
static int on_line(const struct tokens *t, int line) {
    int i = 0;
    while (i < t->count && t->of[i].line < line)
        i++;
    return i < t->count && t->of[i].line == line ? i : t->count;
}

static bool is_zero(const struct tokens *t, int i) {
    return token_is(t, i, "0") || token_is(t, i, "0.0f") || token_is(t, i, "0.f") ||
           token_is(t, i, "0.0");
}

/* NAME[...] = 0 in this statement? */
static bool clears(const struct tokens *t, int begin, int end) {
    for (int i = begin; i < end; i++)
        if (token_is(t, i, "]") && token_is(t, i + 1, "=") && is_zero(t, i + 2) &&
            token_is(t, i + 3, ";"))
            return true;
    return false;
}

/* Another array's element is set from one of a matrix: the copy of a panel. */
static bool copies(const struct tokens *t, int begin, int end) {
    int equals = -1;
    for (int i = begin; i < end; i++) {
        if (token_is(t, i, "+=") || token_is(t, i, "-="))
            return false;
        if (token_is(t, i, "]") && token_is(t, i + 1, "="))
            equals = i + 1;
    }
    for (int i = begin; i < equals; i++)
        if (token_is(t, i, "C") && token_is(t, i + 1, "["))
            return false;
    for (int i = equals + 1; equals > 0 && i < end; i++)
        if (token_is_name(t, i) && token_is(t, i + 1, "["))
            return true;
    return false;
}

/* A loop around token `at`, or its own, that runs on while something is <= : the line of its
 * condition; 0: none. *i is the <=. */
static int runs_too_far(const struct tokens *t, int at, int *i) {
    for (int f = 0; f <= at && f < t->count; f++) {
        if (!token_is(t, f, "for") || !token_is(t, f + 1, "("))
            continue;
        const int close = token_closing(t, f + 1);
        const int end = token_body_end(t, close + 1);
        if (end < at)
            continue;
        for (int k = f + 2; k < close; k++) {
            if (!token_is(t, k, "<=") || !token_is_name(t, k - 1) || !token_is(t, k + 2, ";"))
                continue; /* p <= k - 4 is right where p goes on by 4 */
            *i = k;
            return t->of[k].line;
        }
    }
    return 0;
}

static void say_too_far(struct text *to, const struct tokens *t, int i) {
    const struct token *name = &t->of[i - 1];
    text_addf(
        to,
        "The loop in line %d runs once too often: with <=, %.*s also becomes one more than the "
        "last index. Indices begin at 0, so write %.*s <, without the =.",
        t->of[i].line, (int)name->length, name->text, (int)name->length, name->text);
}

static bool is_unsigned(const struct tokens *t, int name) {
    static const char *const types[] = {"unsigned", "size_t", "uint32_t", "uint64_t"};
    for (int k = 1; k < name && token_is_name(t, name); k++)
        for (size_t w = 0; w < sizeof types / sizeof *types; w++)
            if (tokens_equal(&t->of[k], &t->of[name]) && token_is(t, k - 1, types[w]))
                return true;
    return false;
}

/* The loop around token `at`, or its own, that goes on while something is below name - number, and
 * the name is unsigned: the token of the name; -1: none. */
static int below_difference(const struct tokens *t, int at) {
    for (int f = 0; f <= at && f < t->count; f++) {
        const bool loop = token_is(t, f, "for") || token_is(t, f, "while");
        const int close = loop ? token_closing(t, f + 1) : 0;
        if (!loop || token_body_end(t, close + 1) < at)
            continue;
        for (int i = f + 2; i + 2 < close; i++)
            if ((token_is(t, i - 1, "<") || token_is(t, i - 1, "<=")) && is_unsigned(t, i) &&
                token_is(t, i + 1, "-") && t->of[i + 2].kind == TOKEN_NUMBER)
                return i;
    }
    return -1;
}

static void say_difference(struct text *to, const struct tokens *t, int i) {
    const struct token *name = &t->of[i], *by = &t->of[i + 2], *what = &t->of[i - 2];
    text_addf(to,
              "%.*s is unsigned, and an unsigned number is never below zero: in line %d, %.*s - "
              "%.*s is a huge number where %.*s is less than %.*s. Write %.*s + %.*s %.*s %.*s.",
              (int)name->length, name->text, name->line, (int)name->length, name->text,
              (int)by->length, by->text, (int)name->length, name->text, (int)by->length, by->text,
              (int)what->length, what->text, (int)by->length, by->text, (int)t->of[i - 1].length,
              t->of[i - 1].text, (int)name->length, name->text);
}

/* ---- Outside of a matrix ---- */

static int64_t elements(const struct trial *t, enum matrix_name which) {
    const struct shape s = t->shape;
    return which == MATRIX_A   ? (int64_t)s.m * s.k
           : which == MATRIX_B ? (int64_t)s.k * s.n
                               : (int64_t)s.m * s.n;
}

static void say_element(struct text *to, const struct trial *t, int line) {
    static const char *const sides[] = {"m * k", "k * n", "m * n"};
    static const char *const limits[] = {"m, the column below k", "k, the column below n",
                                         "m, the column below n"};
    const enum matrix_name which = t->touched.matrix;
    const int64_t has = elements(t, which), index = t->touched.index;
    if (line > 0)
        text_addf(to, "Line %d goes", line);
    else
        text_add(to, "Your program goes");
    text_addf(to,
              " outside %s with m = %d, n = %d, k = %d: it uses element %lld, and %s has %lld, %s. "
              "The row in its index must stay below %s.",
              matrix_letter(which), t->shape.m, t->shape.n, t->shape.k, (long long)index,
              matrix_letter(which), (long long)has, sides[which], limits[which]);
}

bool diagnose_host_outside(struct inquiry *q, const struct trial *t, struct diagnosis *d) {
    if (t->touched.how != TOUCHED_OUTSIDE)
        return false;
    const int line = diagnosis_place_code(q, d, t->code_at);
    if (q->entry == ENTRY_HOST && line == 0) {
        d->class = "copy-out-of-bounds";
        text_addf(&d->sentence,
                  "A copy of matmul_host goes beyond %s, the caller's matrix, which has %lld "
                  "bytes with m = %d, n = %d, k = %d. Compare the byte count of each cudaMemcpy: "
                  "elements times sizeof(float), and a float has 4 bytes.",
                  matrix_letter(t->touched.matrix), 4 * (long long)elements(t, t->touched.matrix),
                  t->shape.m, t->shape.n, t->shape.k);
        return true;
    }
    struct tokens k = tokens_read(q->g->submission.bytes);
    const int at = on_line(&k, line);
    const int begin = token_statement(&k, at), end = token_statement_end(&k, at) + 2;
    int far = 0;
    d->class = "out-of-bounds";
    const int unsigned_name = line > 0 && at < k.count ? below_difference(&k, at) : -1;
    if (unsigned_name >= 0) {
        say_difference(&d->sentence, &k, unsigned_name);
        text_add(&d->sentence, " ");
    } else if (line > 0 && at < k.count && runs_too_far(&k, at, &far)) {
        d->class = "off-by-one";
        say_too_far(&d->sentence, &k, far);
        text_add(&d->sentence, " ");
    }
    say_element(&d->sentence, t, line);
    if (line > 0 && at < k.count && clears(&k, begin, end)) {
        d->topic = "@clear";
        text_add(&d->sentence, " This line sets elements to zero: there are m * n of them, and the "
                               "loop must count the variables in its index.");
    } else if (line > 0 && at < k.count && copies(&k, begin, end)) {
        d->topic = "@panel";
        text_add(&d->sentence, " This line copies a part of the matrix: if the sizes do not divide "
                               "evenly, the last part is smaller.");
    } else {
        d->topic = "@loads";
    }
    tokens_free(&k);
    return true;
}

/* ---- Crashes ---- */

/* malloc( or calloc( whose bytes are told without sizeof; -1: none. */
static int counts_elements(const struct tokens *t) {
    for (int i = 0; i < t->count; i++) {
        if (!(token_is(t, i, "malloc") || token_is(t, i, "calloc")) || !token_is(t, i + 1, "("))
            continue;
        bool bytes = false;
        const int close = token_closing(t, i + 1);
        for (int k = i + 2; k < close && k < t->count; k++)
            bytes = bytes || token_is(t, k, "sizeof") || token_is(t, k, "4") ||
                    (token_is_name(t, k) && !token_is(t, k, "m") && !token_is(t, k, "n") &&
                     !token_is(t, k, "k") && !token_is(t, k, "size_t"));
        if (!bytes)
            return i;
    }
    return -1;
}

/* The first allocation of the heap; -1: none. */
static int allocates(const struct tokens *t) {
    for (int i = 0; i < t->count; i++)
        if (token_is(t, i, "malloc") || token_is(t, i, "calloc") || token_is(t, i, "realloc") ||
            token_is(t, i, "new"))
            return i;
    return -1;
}

static bool ends_itself(const struct tokens *t) {
    for (int i = 0; i < t->count; i++)
        if (token_is(t, i, "abort") || token_is(t, i, "assert") || token_is(t, i, "throw") ||
            token_is(t, i, "terminate") || token_is(t, i, "raise"))
            return true;
    return false;
}

/* An array of a fixed size in a function's own variables: "float panel[256]"; -1: none. */
static int fixed_array(const struct tokens *t) {
    for (int i = 1; i < t->count; i++)
        if (token_is_name(t, i) && token_is(t, i + 1, "[") &&
            (token_is(t, i - 1, "float") || token_is(t, i - 1, "double")) &&
            declared_around(t, i) >= 0 && !declared_with(t, i, "__shared__"))
            return i;
    return -1;
}

/* Some shapes are right, others crash. */
static bool depends_on_shape(const struct inquiry *q) {
    bool right = false;
    for (size_t i = 0; i < q->g->result_count; i++)
        right = right || (q->g->results[i].spec->entry == q->entry &&
                          inquiry_verdict(q, &q->g->results[i]) == VERDICT_PASS);
    return right;
}

static void place(const struct inquiry *q, struct diagnosis *d, const struct token *at) {
    if (d->file)
        return;
    d->file = xstrdup(q->g->submission.name);
    d->line = at->line;
}

static void say_counts_elements(struct inquiry *q, struct diagnosis *d, const struct token *call,
                                const char *end) {
    text_addf(&d->sentence,
              "Line %d allocates as many bytes as elements are needed: %.*s counts bytes, "
              "elements times sizeof(float). A store past the end damages other memory%s%s%s.",
              call->line, (int)call->length, call->text, *end ? ", and " : "",
              *end ? entry_name(q->entry) : "", end);
}

/* What the source says of memory that is too small; false: nothing. */
static bool say_too_small(struct inquiry *q, struct diagnosis *d, const struct tokens *t) {
    const int bytes = counts_elements(t), heap = allocates(t), array = fixed_array(t);
    if (bytes >= 0) {
        place(q, d, &t->of[bytes]);
        say_counts_elements(q, d, &t->of[bytes], " crashes");
    } else if (q->evidence->signal == SIGABRT && heap >= 0 && !ends_itself(t)) {
        place(q, d, &t->of[heap]);
        text_addf(&d->sentence,
                  "The memory of malloc or new is damaged: something was stored past the end of a "
                  "buffer, or before its start. Compare the size that line %d asks for with the "
                  "largest index that is used.",
                  t->of[heap].line);
    } else if (array >= 0 && depends_on_shape(q)) {
        place(q, d, &t->of[array]);
        text_addf(&d->sentence,
                  "%s crashes for some shapes, and is right for others. %.*s in line %d has a "
                  "fixed number of elements: what is the largest index it is used with, for a "
                  "large m, n or k?",
                  entry_name(q->entry), (int)t->of[array].length, t->of[array].text,
                  t->of[array].line);
    }
    return d->sentence.length > 0;
}

static void say_crash(struct inquiry *q, struct diagnosis *d) {
    const int line = diagnosis_place_code(q, d, q->evidence->code_at);
    struct tokens t = tokens_read(q->g->submission.bytes);
    d->class = "crash";
    if (q->evidence->signal == SIGFPE && line > 0)
        text_addf(&d->sentence, "Line %d divides by zero, or takes a remainder by zero.", line);
    else if (say_too_small(q, d, &t))
        ;
    else if (line > 0)
        text_addf(&d->sentence,
                  "%s crashes in line %d: an address there does not belong to it. Is every pointer "
                  "in this line set before, and can an index leave its array?",
                  entry_name(q->entry), line);
    else
        text_addf(&d->sentence,
                  "%s crashes. Look for pointers that were never set, indices without bounds, and "
                  "division by zero; print how far it gets, or run it in a debugger.",
                  entry_name(q->entry));
    tokens_free(&t);
}

bool rule_crash(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_CRASH)
        return false;
    if (q->evidence->touched.how == TOUCHED_FREED) {
        d->class = "frees-inputs";
        text_addf(&d->sentence,
                  "%s frees %s, which it was only lent: A, B and C belong to the caller.",
                  entry_name(q->entry), matrix_letter(q->evidence->touched.matrix));
    } else if (q->evidence->at_limit) {
        d->class = "memory-limit";
        text_addf(&d->sentence,
                  "%s takes more than it may, and was ended. What does it ask for, and does a loop "
                  "ask for it again and again? Beside A, B and C a product needs a few copies of "
                  "them at most.",
                  entry_name(q->entry));
    } else {
        say_crash(q, d);
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

/* ---- Memory that the function asked for ---- */

static void say_block(const struct inquiry *q, struct text *to, int asked) {
    const struct touched *t = &q->evidence->touched;
    const struct shape s = q->evidence->plan.shape;
    const bool floats = t->room > 0 && t->room % sizeof(float) == 0;
    if (asked > 0)
        text_addf(to, "the memory that line %d asks for", asked);
    else
        text_add(to, "memory of malloc or new");
    text_addf(to, ". With m = %d, n = %d, k = %d that is %llu byte%s", s.m, s.n, s.k,
              (unsigned long long)t->room, t->room == 1 ? "" : "s");
    if (floats)
        text_addf(to, ", room for %llu float%s", (unsigned long long)t->room / sizeof(float),
                  t->room == sizeof(float) ? "" : "s");
    text_addf(to, ", and byte %lld is used", (long long)t->index);
    if (floats && t->index >= 0)
        text_addf(to, ", of element %lld", (long long)t->index / (long long)sizeof(float));
}

bool rule_own_memory(struct inquiry *q, struct diagnosis *d) {
    const struct touched *t = &q->evidence->touched;
    if (t->how != TOUCHED_HEAP && t->how != TOUCHED_HEAP_FREED)
        return false;
    const int line = diagnosis_place_code(q, d, q->evidence->code_at);
    const int asked = build_line(q->session.build, q->session.backend, &q->g->paths, q->g->sandbox,
                                 q->g->submission.name, t->asker);
    struct tokens k = tokens_read(q->g->submission.bytes);
    const int bytes = counts_elements(&k);
    d->class = "own-memory-overrun";
    if (line > 0)
        text_addf(&d->sentence, "Line %d ", line);
    else
        text_add(&d->sentence, "Your program ");
    if (t->how == TOUCHED_HEAP_FREED) {
        text_add(&d->sentence, "uses memory that was given back before");
        if (asked > 0)
            text_addf(&d->sentence, ", that of line %d", asked);
        text_add(&d->sentence, ". Free memory when nothing uses it any more, and once.");
    } else {
        text_add(&d->sentence,
                 t->index < 0 ? "goes before the start of " : "goes past the end of ");
        say_block(q, &d->sentence, asked);
        text_add(&d->sentence, ". ");
        if (bytes >= 0 && k.of[bytes].line == asked)
            say_counts_elements(q, d, &k.of[bytes], "");
        else
            text_add(&d->sentence, "Which sizes does the largest index there need, and which does "
                                   "the request name?");
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    tokens_free(&k);
    return true;
}
