/*
 * diagnose_macros.c: text that means something else to the compiler than to whoever wrote it, once
 * a product is wrong (see diagnose.h).
 *
 *     #define MIN(a, b) (a) < (b) ? (a) : (b)      p0 + MIN(T, k - p0)    p0 + (T) < (k - p0) ? ...
 *     #define PITCH TILE + 1                       y * PITCH + x          y * TILE + 1 + x
 *     #define AT(i, j) i * n + j                   A[AT(row + 1, p)]      row + 1 * n + p
 *     phase & 1 == 0                                                      phase & (1 == 0)
 *
 * Only the text is looked at: which operators stand beside each other, and which bind tighter.
 */
#include "grading/src/base/text.h"
#include "grading/src/diagnose/diagnose.h"
#include "grading/src/diagnose/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 8, TIGHTEST = 11 };

/* How tightly a mark binds as an operator between two operands, from 1; 0: it is none. */
static int binds(const struct tokens *t, int i) {
    static const char *const levels[TIGHTEST][5] = {
        {"?"},        {"||"},     {"&&"},         {"|"},
        {"^"},        {"&"},      {"==", "!="},   {"<", ">", "<=", ">="},
        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    const bool between = i > 0 && (token_is_name(t, i - 1) || t->of[i - 1].kind == TOKEN_NUMBER ||
                                   token_is(t, i - 1, ")") || token_is(t, i - 1, "]"));
    for (int level = 0; level < TIGHTEST && between && i < t->count; level++)
        for (int k = 0; k < 5 && levels[level][k] != NULL; k++)
            if (token_is(t, i, levels[level][k]))
                return level + 1;
    return 0;
}

static bool is_cast(const struct tokens *t, int i) {
    static const char *const casts[] = {"static_cast", "reinterpret_cast", "const_cast"};
    for (size_t k = 0; k < sizeof casts / sizeof *casts; k++)
        if (token_is(t, i, casts[k]))
            return true;
    return false;
}

/* The loosest operator of tokens begin to end - 1 that stands in no brackets; 0: none. */
static int loosest(const struct tokens *t, int begin, int end) {
    int found = 0;
    for (int i = begin; i < end; i++) {
        const bool cast = token_is(t, i, "<") && is_cast(t, i - 1);
        const int level = cast ? 0 : binds(t, i);
        if (cast) /* static_cast<int>(...) */
            while (i < end && !token_is(t, i, ">"))
                i++;
        found = level > 0 && (found == 0 || level < found) ? level : found;
        if (token_is(t, i, "(") || token_is(t, i, "["))
            i = token_closing(t, i);
    }
    return found;
}

struct macro {
    char *text;      /* of what it is replaced by; owned */
    struct tokens t; /* of that */
    struct token name, parameter[PARAMETERS];
    int parameters; /* -1: it takes none */
    int line;
};

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static const char *word(const char *at, struct token *name) {
    at += strspn(at, " \t");
    name->text = at;
    while (in_name(*at))
        at++;
    name->length = (size_t)(at - name->text);
    return at;
}

/* Reads the macro whose #define stands at `at`. False: it is none that can be read. */
static bool read_macro(const char *source, const char *at, struct macro *m) {
    *m = (struct macro){.parameters = -1, .line = 1};
    for (const char *p = source; p < at; p++)
        m->line += *p == '\n';
    at = word(at, &m->name);
    if (*at == '(') {
        m->parameters = 0;
        do {
            if (m->parameters == PARAMETERS)
                return false;
            at = word(at + 1, &m->parameter[m->parameters]);
            at += strspn(at, " \t");
            m->parameters += m->parameter[m->parameters].length > 0;
        } while (*at == ',');
        if (*at != ')')
            return false;
        at++;
    }
    /* The lines that it goes on in become one. */
    struct text body = {0};
    while (*at && *at != '\n') {
        if (at[0] == '/' && at[1] == '/')
            break;
        if (at[0] == '\\' && at[1] == '\n')
            at++;
        text_addf(&body, "%c", *at == '\n' ? ' ' : *at);
        at++;
    }
    m->text = strdup(text_get(&body));
    text_free(&body);
    if (m->text == NULL || m->name.length == 0) {
        free(m->text);
        return false;
    }
    m->t = tokens_read(m->text);
    return true;
}

static void macro_free(struct macro *m) {
    tokens_free(&m->t);
    free(m->text);
}

/* Does what stands to the left, or to the right, take a part of the macro's text for itself? */
static bool falls_apart(const struct tokens *t, int begin, int end, int inside) {
    const int left = binds(t, begin - 1), right = binds(t, end);
    if (inside == 0)
        return false;
    /* a - (b + c), a / (b * c): not the same without the brackets. */
    const bool turns =
        left == inside &&
        (token_is(t, begin - 1, "-") || token_is(t, begin - 1, "/") || token_is(t, begin - 1, "%"));
    return left > inside || turns || right > inside;
}

/* Of a parameter that stands bare beside an operator, in a use whose argument falls apart there. */
static bool argument_falls_apart(const struct macro *m, const struct tokens *t, int open) {
    int begin = open + 1;
    for (int a = 0; a < m->parameters && begin < t->count; a++) {
        int end = begin, depth = 0;
        for (; end < t->count && !(depth == 0 && (token_is(t, end, ",") || token_is(t, end, ")")));
             end++)
            depth += (token_is(t, end, "(") || token_is(t, end, "[")) -
                     (token_is(t, end, ")") || token_is(t, end, "]"));
        const int inside = loosest(t, begin, end);
        for (int i = 0; i < m->t.count; i++)
            if (tokens_equal(&m->t.of[i], &m->parameter[a]) && falls_apart(&m->t, i, i + 1, inside))
                return true;
        begin = end + 1;
    }
    return false;
}

/* The first use of the macro that falls apart: its token; -1: none. */
static int wrong_use(const struct macro *m, const struct tokens *t, bool *argument) {
    const int inside = loosest(&m->t, 0, m->t.count);
    for (int i = 0; i < t->count; i++) {
        if (!tokens_equal(&t->of[i], &m->name))
            continue;
        const bool call = token_is(t, i + 1, "(");
        if (m->parameters >= 0 && !call)
            continue;
        const int end = m->parameters >= 0 ? token_closing(t, i + 1) + 1 : i + 1;
        *argument = m->parameters > 0 && argument_falls_apart(m, t, i + 1);
        if (*argument || falls_apart(t, i, end, inside))
            return i;
    }
    return -1;
}

static int find_macro(const char *source, const struct tokens *t, struct text *to) {
    for (const char *at = strchr(source, '#'); at; at = strchr(at + 1, '#')) {
        const char *define = at + 1 + strspn(at + 1, " \t");
        struct macro m;
        bool argument = false;
        if (strncmp(define, "define", 6) != 0 || !read_macro(source, define + 6, &m))
            continue;
        const int use = wrong_use(&m, t, &argument);
        const int line = use >= 0 ? t->of[use].line : 0;
        if (use >= 0 && argument)
            text_addf(to,
                      "In line %d an argument of the macro %.*s falls apart: the compiler puts it "
                      "in without brackets, beside an operator that binds tighter. In line %d, "
                      "write each parameter in brackets of its own, and the whole in others.",
                      line, (int)m.name.length, m.name.text, m.line);
        else if (use >= 0)
            text_addf(to,
                      "In line %d the macro %.*s falls apart: the compiler puts in its text, "
                      "%.60s, without brackets around it, and the operator beside it takes the "
                      "part that is next to it. Put the whole text in brackets in line %d, and "
                      "each parameter, too.",
                      line, (int)m.name.length, m.name.text, m.text + strspn(m.text, " \t"),
                      m.line);
        macro_free(&m);
        if (use >= 0)
            return line;
    }
    return 0;
}

/* a & b == c, without brackets: the comparison comes first. */
static int find_precedence(const struct tokens *t, struct text *to) {
    enum { OR = 4, AND = 6, EQUAL = 7, LESS = 8 };
    for (int i = 1; i + 2 < t->count; i++) {
        const int mask = binds(t, i), compares = binds(t, i + 2);
        const bool simple = token_is_name(t, i + 1) || t->of[i + 1].kind == TOKEN_NUMBER;
        if (mask < OR || mask > AND || !simple || compares < EQUAL || compares > LESS ||
            token_is(t, i - 1, ")") || token_is(t, i + 2, "<") || token_is(t, i + 2, ">") ||
            binds(t, i - 2) >= EQUAL) /* a == b & c == d compares twice */
            continue;
        const struct token *a = &t->of[i - 1], *op = &t->of[i], *b = &t->of[i + 1],
                           *is = &t->of[i + 2];
        text_addf(to,
                  "In line %d, %.*s binds tighter than %.*s: %.*s %.*s %.*s %.*s ... means %.*s "
                  "%.*s (%.*s %.*s ...). Write the brackets that you mean: (%.*s %.*s %.*s) %.*s "
                  "...",
                  op->line, (int)is->length, is->text, (int)op->length, op->text, (int)a->length,
                  a->text, (int)op->length, op->text, (int)b->length, b->text, (int)is->length,
                  is->text, (int)a->length, a->text, (int)op->length, op->text, (int)b->length,
                  b->text, (int)is->length, is->text, (int)a->length, a->text, (int)op->length,
                  op->text, (int)b->length, b->text, (int)is->length, is->text);
        return op->line;
    }
    return 0;
}

/* The value of a whole number that is typed in digits alone; -1: it is another token. */
static long whole_number(const struct tokens *t, int i) {
    if (i < 0 || i >= t->count || t->of[i].kind != TOKEN_NUMBER)
        return -1;
    long value = 0;
    for (size_t k = 0; k < t->of[i].length; k++) {
        const char c = t->of[i].text[k];
        if (c < '0' || c > '9' || value > 100000)
            return -1;
        value = 10 * value + (c - '0');
    }
    return value;
}

/* 9 / 10 is 0, whatever it is assigned to. In n * 9 / 10 the product comes first. */
static int find_zero_fraction(const struct tokens *t, struct text *to) {
    for (int i = 1; i + 1 < t->count; i++) {
        const long above = token_is(t, i, "/") ? whole_number(t, i - 1) : 0,
                   below = whole_number(t, i + 1);
        if (above <= 0 || below <= above || token_is(t, i - 2, "*") || token_is(t, i - 2, "/") ||
            token_is(t, i - 2, "%") || token_is(t, i - 2, ")"))
            continue;
        text_addf(to,
                  "In line %d, %ld / %ld divides whole numbers: the result is 0, also where a "
                  "float or a double is made of it. Write %ld.0 / %ld.",
                  t->of[i].line, above, below, above, below);
        return t->of[i].line;
    }
    return 0;
}

int diagnose_zero_fraction(const char *source, struct text *to) {
    struct tokens t = tokens_read(source);
    const int line = find_zero_fraction(&t, to);
    tokens_free(&t);
    return line;
}

int diagnose_macros(const char *source, struct text *to, const char **class) {
    struct tokens t = tokens_read(source);
    int line = find_macro(source, &t, to);
    *class = "macro-falls-apart";
    if (line == 0) {
        line = find_precedence(&t, to);
        *class = "binds-tighter";
    }
    if (line == 0) {
        line = find_zero_fraction(&t, to);
        *class = "zero-fraction";
    }
    tokens_free(&t);
    return line;
}

bool rule_macros(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict == VERDICT_PASS || q->verdict == VERDICT_MISSING || q->special)
        return false;
    const int line = diagnose_macros(q->g->submission.bytes, &d->sentence, &d->class);
    if (line == 0) {
        d->class = NULL;
        return false;
    }
    d->file = xstrdup(q->g->submission.name);
    d->line = line;
    text_addf(&d->evidence, "line %d says so, and the product is not right", line);
    return true;
}
