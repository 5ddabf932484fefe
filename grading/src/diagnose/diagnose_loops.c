/*
 * diagnose_loops.c: loops that cannot mean what they say, found in the source once a program failed
 * (see diagnose.h).
 *
 *     for (p = 0; p < k; p++);        a semicolon is the whole body
 *     for (p = 0; p < k; j++)         what is counted is not what is compared
 *     for (unsigned i = m; i >= 0;)   an unsigned number is never below zero
 *     for (j ...) for (j = 0; ...)    an inner loop that counts an outer one's variable
 *     for (...) { ...; return; }      the first round is the last
 *
 * None of them stands in a right program, so no product has to agree. What a macro hides is not
 * seen.
 */
#include "grading/src/diagnose/declarations.h"
#include "grading/src/diagnose/diagnose.h"

/* for (A; B; C) BODY, as places of tokens. */
struct loop {
    int head;               /* the word for */
    int first, second;      /* the two semicolons */
    int close;              /* the ) */
    int body, end;          /* the first token of the body, and the first behind it */
    const struct token *of; /* the variable that is set at the beginning; NULL: none is */
    bool declares;          /* and declared there */
};

static bool read_loop(const struct tokens *t, int i, struct loop *l) {
    if (!token_is(t, i, "for") || !token_is(t, i + 1, "("))
        return false;
    *l = (struct loop){.head = i, .first = -1, .second = -1, .close = token_closing(t, i + 1)};
    if (l->close >= t->count)
        return false;
    int depth = 0;
    for (int k = i + 2; k < l->close; k++) {
        depth += token_is(t, k, "(") - token_is(t, k, ")");
        if (depth > 0 || !token_is(t, k, ";"))
            continue;
        if (l->first < 0)
            l->first = k;
        else
            l->second = k;
    }
    l->body = l->close + 1;
    l->end = token_body_end(t, l->body);
    for (int k = i + 3; k < l->first && !l->of; k++) {
        if (!token_is(t, k, "=") || !token_is_name(t, k - 1))
            continue;
        l->of = &t->of[k - 1];
        l->declares = k - 1 > i + 2;
    }
    return l->second > 0;
}

static bool has_name(const struct tokens *t, int from, int end, const struct token *name) {
    for (int i = from; i < end; i++)
        if (token_is_name(t, i) && tokens_equal(&t->of[i], name))
            return true;
    return false;
}

/* Is token i a variable that is changed here? */
static bool is_changed(const struct tokens *t, int i) {
    static const char *const behind[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "++", "--", "|=", "&=", ">>=", "<<="};
    if (token_is(t, i - 1, "++") || token_is(t, i - 1, "--") || token_is(t, i - 1, "&"))
        return true;
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
        if (token_is(t, i + 1, behind[k]))
            return true;
    return false;
}

static bool changes(const struct tokens *t, int from, int end, const struct token *name) {
    for (int i = from; i < end; i++)
        if (token_is_name(t, i) && tokens_equal(&t->of[i], name) && is_changed(t, i))
            return true;
    return false;
}

/* ---- The five ---- */

/* The statement behind it is indented as a body, or is a block. */
static bool is_empty_by_mistake(const struct tokens *t, int head, int close) {
    const int semicolon = close + 1, next = close + 2;
    return token_is(t, semicolon, ";") && t->of[semicolon].line == t->of[close].line &&
           next < t->count && t->of[next].line > t->of[semicolon].line &&
           (token_is(t, next, "{") || t->of[next].column > t->of[head].column);
}

static bool say_empty(const struct tokens *t, int i, struct text *to) {
    const bool word = token_is(t, i, "for") || token_is(t, i, "if") ||
                      (token_is(t, i, "while") && !token_is(t, i - 1, "}"));
    if (!word || !token_is(t, i + 1, "(") || !is_empty_by_mistake(t, i, token_closing(t, i + 1)))
        return false;
    const bool condition = token_is(t, i, "if");
    text_addf(to,
              "The semicolon after %.*s (...) in line %d is all that %s: the statement below it "
              "runs once, %s. Remove the semicolon.",
              (int)t->of[i].length, t->of[i].text, t->of[i].line,
              condition ? "depends on the condition" : "is repeated",
              condition ? "whatever the condition says" : "after the loop");
    return true;
}

static bool say_other_variable(const struct tokens *t, const struct loop *l, struct text *to) {
    const struct token *counted = NULL, *compared = NULL;
    for (int i = l->second + 1; i < l->close; i++)
        if (token_is_name(t, i) && is_changed(t, i) && !counted)
            counted = &t->of[i];
    if (!counted || has_name(t, l->first + 1, l->second, counted))
        return false;
    for (int i = l->first + 1; i < l->second; i++) {
        if (!token_is_name(t, i))
            continue;
        if (token_is(t, i + 1, "(") || changes(t, l->second + 1, l->end, &t->of[i]))
            return false;
        compared = compared ? compared : &t->of[i];
    }
    if (!compared)
        return false;
    text_addf(to,
              "The loop in line %d counts %.*s, but its condition looks at %.*s, which never "
              "changes in it: so the loop does not end where it should. One of the two names is "
              "wrong.",
              t->of[l->head].line, (int)counted->length, counted->text, (int)compared->length,
              compared->text);
    return true;
}

static bool say_unsigned(const struct tokens *t, const struct loop *l, struct text *to) {
    const bool type = token_is(t, l->head + 2, "unsigned") || token_is(t, l->head + 2, "size_t") ||
                      token_is(t, l->head + 2, "uint32_t");
    for (int i = l->first + 1; i < l->second && type && l->of; i++) {
        if (!tokens_equal(&t->of[i], l->of) || !token_is(t, i + 1, ">=") ||
            !token_is(t, i + 2, "0"))
            continue;
        text_addf(to,
                  "%.*s in line %d is unsigned, so it is never below zero: after 0 comes the "
                  "largest number there is, and %.*s >= 0 always holds. Count in an int.",
                  (int)l->of->length, l->of->text, t->of[l->head].line, (int)l->of->length,
                  l->of->text);
        return true;
    }
    return false;
}

static bool say_same_variable(const struct tokens *t, const struct loop *outer, struct text *to) {
    struct loop inner;
    for (int i = outer->body; i < outer->end && outer->of; i++) {
        if (!read_loop(t, i, &inner) || !inner.of || inner.declares ||
            !tokens_equal(inner.of, outer->of) ||
            !changes(t, outer->second + 1, outer->close, outer->of) ||
            !changes(t, inner.second + 1, inner.close, outer->of))
            continue;
        text_addf(to,
                  "The loop in line %d counts %.*s, as does the loop around it in line %d: the "
                  "outer one goes on from where the inner one ends. Give the inner loop a variable "
                  "of its own.",
                  t->of[i].line, (int)outer->of->length, outer->of->text, t->of[outer->head].line);
        return true;
    }
    return false;
}

static bool say_return(const struct tokens *t, const struct loop *l, struct text *to) {
    int depth = 0;
    bool open = false; /* continue leads past it */
    for (int i = l->body + 1; i < l->end && token_is(t, l->body, "{"); i++) {
        depth += token_is(t, i, "{") - token_is(t, i, "}");
        open = open || token_is(t, i, "continue");
        const bool after = token_is(t, i - 1, ";") || token_is(t, i - 1, "}") || i == l->body + 1;
        if (depth != 0 || open || !after || !token_is(t, i, "return") || !token_is(t, i + 1, ";"))
            continue;
        text_addf(to,
                  "The return in line %d is inside the loop of line %d: the loop ends after its "
                  "first round. Put the return after the loop's }, or remove it.",
                  t->of[i].line, t->of[l->head].line);
        return true;
    }
    return false;
}

bool diagnose_loop(const char *source, struct text *to, int *line) {
    struct tokens t = tokens_read(source);
    bool found = false;
    for (int i = 0; i < t.count && !found; i++) {
        struct loop l;
        const bool is_loop = read_loop(&t, i, &l);
        found = say_empty(&t, i, to) ||
                (is_loop && (say_other_variable(&t, &l, to) || say_unsigned(&t, &l, to) ||
                             say_same_variable(&t, &l, to) || say_return(&t, &l, to)));
        *line = t.of[i].line;
    }
    tokens_free(&t);
    return found;
}

bool rule_loop(struct inquiry *q, struct diagnosis *d) {
    int line = 0;
    if (q->verdict == VERDICT_PASS || q->verdict == VERDICT_MISSING || q->special ||
        !diagnose_loop(q->g->submission.bytes, &d->sentence, &line))
        return false;
    d->class = "loop-wrong";
    d->file = xstrdup(q->g->submission.name);
    d->line = line;
    text_addf(&d->evidence, "line %d says so, and the product is not right", line);
    return true;
}
