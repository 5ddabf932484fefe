/* tokens.c: see tokens.h. */
#include "grading/src/diagnose/tokens.h"

#include "grading/src/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    const char *line_begin;
    int line;
    bool fresh;  /* only blanks so far in this line */
    bool uneven; /* see struct tokens */
};

static void step(struct reader *r) {
    if (*r->at++ == '\n') {
        r->line++;
        r->line_begin = r->at;
        r->fresh = true;
    }
}

static bool part_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_comment(struct reader *r) {
    const bool block = r->at[1] == '*';
    step(r);
    step(r);
    while (*r->at && (block ? strncmp(r->at, "*/", 2) != 0 : *r->at != '\n'))
        step(r);
    if (block && *r->at) {
        step(r);
        step(r);
    }
}

/* A directive goes on after a backslash at a line's end. */
static void skip_directive(struct reader *r) {
    const char *word = r->at + 1 + strspn(r->at + 1, " \t");
    r->uneven = r->uneven || strncmp(word, "if", 2) == 0;
    while (*r->at && *r->at != '\n') {
        r->uneven = r->uneven || *r->at == '{' || *r->at == '}';
        if (r->at[0] == '\\' && r->at[1] == '\n')
            step(r);
        step(r);
    }
}

/* Past what is no token. */
static void skip(struct reader *r) {
    for (;;)
        if (*r->at == '/' && (r->at[1] == '/' || r->at[1] == '*'))
            skip_comment(r);
        else if (*r->at == '#' && r->fresh)
            skip_directive(r);
        else if (*r->at && isspace((unsigned char)*r->at))
            step(r);
        else
            return;
}

static size_t mark_length(const char *at) {
    static const char *const longer[] = {"<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--",
                                         "<<",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=",
                                         "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "::"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (strncmp(at, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return 1;
}

/* The token that begins here. */
static struct token next(struct reader *r) {
    struct token t = {.text = r->at,
                      .line = r->line,
                      .column = (int)(r->at - r->line_begin) + 1,
                      .kind = TOKEN_MARK};
    r->fresh = false;
    const char first = *r->at;
    if (isdigit((unsigned char)first) || (first == '.' && isdigit((unsigned char)r->at[1]))) {
        t.kind = TOKEN_NUMBER;
        while (part_of_name(*r->at) || *r->at == '.' ||
               ((*r->at == '+' || *r->at == '-') && (r->at[-1] == 'e' || r->at[-1] == 'E')))
            r->at++;
    } else if (part_of_name(first)) {
        t.kind = TOKEN_NAME;
        while (part_of_name(*r->at))
            r->at++;
    } else if (first == '"' || first == '\'') {
        t.kind = TOKEN_TEXT;
        for (r->at++; *r->at && *r->at != first && *r->at != '\n'; r->at++)
            if (*r->at == '\\' && r->at[1] && r->at[1] != '\n')
                r->at++;
        r->at += *r->at == first;
    } else {
        r->at += mark_length(r->at);
    }
    t.length = (size_t)(r->at - t.text);
    return t;
}

struct tokens tokens_read(const char *source) {
    struct reader r = {.at = source, .line_begin = source, .line = 1, .fresh = true};
    struct tokens t = {0};
    int room = 0, depth = 0;
    for (skip(&r); *r.at; skip(&r)) {
        if (t.count == room) {
            room = room ? 2 * room : 256;
            t.of = xrealloc(t.of, (size_t)room * sizeof *t.of);
        }
        t.of[t.count] = next(&r);
        t.of[t.count++].depth = depth;
        const int i = t.count - 1;
        if (token_is(&t, i, "{") || token_is(&t, i, "}"))
            depth = 0;
        else if (token_is(&t, i, "(") || (token_is(&t, i, ")") && depth > 0))
            depth += token_is(&t, i, "(") ? 1 : -1;
    }
    t.uneven = r.uneven;
    return t;
}

void tokens_free(struct tokens *t) {
    free(t->of);
    *t = (struct tokens){0};
}

bool token_is(const struct tokens *t, int i, const char *word) {
    return i >= 0 && i < t->count && t->of[i].kind != TOKEN_TEXT &&
           strlen(word) == t->of[i].length && memcmp(t->of[i].text, word, t->of[i].length) == 0;
}

bool token_is_name(const struct tokens *t, int i) {
    return i >= 0 && i < t->count && t->of[i].kind == TOKEN_NAME;
}

bool tokens_equal(const struct token *a, const struct token *b) {
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

int token_closing(const struct tokens *t, int i) {
    static const char *const pairs[][2] = {{"(", ")"}, {"[", "]"}, {"{", "}"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (!token_is(t, i, pairs[k][0]))
            continue;
        for (int depth = 0; i < t->count; i++) {
            depth += token_is(t, i, pairs[k][0]) - token_is(t, i, pairs[k][1]);
            if (depth == 0)
                return i;
        }
    }
    return t->count;
}

static bool ends_statement(const struct tokens *t, int i) {
    return (token_is(t, i, ";") && t->of[i].depth == 0) || token_is(t, i, "{") ||
           token_is(t, i, "}");
}

int token_statement(const struct tokens *t, int i) {
    while (i > 0 && !ends_statement(t, i - 1))
        i--;
    return i;
}

int token_statement_end(const struct tokens *t, int i) {
    while (i < t->count && !ends_statement(t, i))
        i++;
    return i;
}

bool token_in_call(const struct tokens *t, int i) {
    int depth = 0;
    for (int k = i - 1; k >= 0 && !ends_statement(t, k); k--) {
        depth += token_is(t, k, ")") - token_is(t, k, "(");
        if (depth < 0)
            return token_is_name(t, k - 1) && !token_is(t, k - 1, "for");
    }
    return false;
}

int token_body_end(const struct tokens *t, int i) {
    while ((token_is(t, i, "for") || token_is(t, i, "while") || token_is(t, i, "if")) &&
           token_is(t, i + 1, "("))
        i = token_closing(t, i + 1) + 1;
    return token_is(t, i, "{") ? token_closing(t, i) : token_statement_end(t, i);
}
