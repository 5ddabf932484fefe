/*
 * compile_signs.c: rules about what is typed wrong: signs, brackets, directives (see
 * compile_rules.h).
 */
#include "grading/src/diagnose/compile_rules.h"

#include <ctype.h>
#include <string.h>

/* ---- Directives and comments ---- */

/* The line of the error; NULL: the file has none of that number. */
static const char *error_line(const struct view *v) {
    const char *line = v->e->source;
    for (int n = 1; n < v->e->line && line; n++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return line;
}

/* A quotation mark as word processors and web pages have them, in UTF-8: U+2018 to U+201F. */
static bool is_curly(const char *at) {
    const unsigned char *u = (const unsigned char *)at;
    return u[0] == 0xe2 && u[1] == 0x80 && u[2] >= 0x98 && u[2] <= 0x9f;
}

/* What the compiler reads of a line. Texts are none of that, but for their marks: *left_open, one
 * has no end. A comment that began in an earlier line is not seen as one. */
static bool reads_curly(const char *line, bool *left_open) {
    bool curly = false;
    *left_open = false;
    for (const char *at = line; *at && *at != '\n'; at++) {
        if (strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0)
            break;
        curly = curly || is_curly(at);
        if (*at != '"' && *at != '\'')
            continue;
        const char quote = *at;
        /* Between digits it parts them: 1'000'000. */
        if (quote == '\'' && at > line && isdigit((unsigned char)at[-1]))
            continue;
        for (at++; *at && *at != quote && *at != '\n'; at++)
            at += *at == '\\' && at[1] && at[1] != '\n';
        if (*at != quote) {
            *left_open = true;
            break;
        }
    }
    return curly;
}

/* #include “lab.h” */
bool compile_curly_quotes(struct view *v) {
    const char *line = error_line(v);
    bool open;
    if (!line || !reads_curly(line, &open))
        return false;
    text_addf(v->to,
              "Line %d has curly quotation marks, which come from a word processor or a web page. "
              "C knows only the straight ones: type \" or ' instead.",
              v->e->line);
    return true;
}

/* #include "lab.h */
bool compile_quote_missing(struct view *v) {
    const char *line = error_line(v);
    bool open = false;
    if (!line || reads_curly(line, &open) || !open)
        return false;
    text_addf(v->to,
              "In line %d a quotation mark is missing: a text begins there and does not end.",
              v->e->line);
    return true;
}

/* Behind "#include" in the line of the error; NULL: that line is something else. */
static const char *behind_include(const struct view *v) {
    const char *line = error_line(v);
    if (!line)
        return NULL;
    line += strspn(line, " \t");
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, " \t");
    return strncmp(line, "include", 7) == 0 ? line + 7 + strspn(line + 7, " \t") : NULL;
}

/* #include of a file that was not handed in. */
bool compile_include_missing(struct view *v) {
    const char *line = behind_include(v);
    if (!line || (*line != '"' && *line != '<'))
        return false;
    line++;
    text_add_clean_line(v->to, line, strcspn(line, "\">\n"), 80);
    text_add(v->to, " is not there: you hand in this one file only. It may include lab.h, "
                    "cuda_check.h and the headers of C, C++ and CUDA.");
    return true;
}

/* #include lab.h */
bool compile_include_bare(struct view *v) {
    const char *line = behind_include(v);
    if (!line || !(isalpha((unsigned char)*line) || *line == '_'))
        return false;
    text_add(v->to, "The name of an included file goes in quotes or angle brackets: #include "
                    "\"lab.h\" for the kit's, #include <stdio.h> for those of C and CUDA.");
    return true;
}

/* A comment that never ends. Texts and // comments may hold the sign, too. */
bool compile_open_comment(struct view *v) {
    int line = 1;
    for (const char *at = v->e->source; *at; at++) {
        line += *at == '\n';
        if (*at == '"' || *at == '\'') {
            const char quote = *at;
            for (at++; *at && *at != quote && *at != '\n'; at++)
                at += *at == '\\' && at[1] && at[1] != '\n';
            line += *at == '\n';
        } else if (strncmp(at, "//", 2) == 0) {
            at += strcspn(at, "\n") - 1;
        } else if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            if (!end) {
                text_addf(v->to,
                          "The comment that begins in line %d with /* never ends: the compiler "
                          "takes everything after it as part of the comment. Close it with */.",
                          line);
                return true;
            }
            for (; at < end + 1; at++)
                line += *at == '\n';
        }
        if (!*at)
            break;
    }
    return false;
}

/* What the macro named by this token stands for; NULL: it is none. *length: without comment and
 * blanks at its end. */
static const char *macro_text(const char *source, const struct token *name, size_t *length) {
    for (const char *at = strchr(source, '#'); at; at = strchr(at + 1, '#')) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        if (strncmp(word, "define", 6) != 0)
            continue;
        word += 6 + strspn(word + 6, " \t");
        if (strncmp(word, name->text, name->length) != 0 ||
            (word[name->length] != ' ' && word[name->length] != '\t'))
            continue;
        word += name->length + strspn(word + name->length, " \t");
        *length = strcspn(word, "\n");
        for (size_t i = 0; i + 1 < *length; i++)
            if (word[i] == '/' && (word[i + 1] == '/' || word[i + 1] == '*'))
                *length = i;
        while (*length > 0 && isspace((unsigned char)word[*length - 1]))
            --*length;
        return word;
    }
    return NULL;
}

/* #define TILE 32; or #define TILE = 32 */
bool compile_macro_text(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        size_t n = 0;
        const char *text = token_is_name(t, i) ? macro_text(v->e->source, &t->of[i], &n) : NULL;
        if (!text || n == 0 || (*text != '=' && text[n - 1] != ';'))
            continue;
        text_addf(v->to,
                  "%.*s stands for everything in its #define, %s included, and all of that goes "
                  "into this line. Write #define %.*s and its value, with no = and no semicolon.",
                  SAY(v, i), *text == '=' ? "the = sign" : "the semicolon", SAY(v, i));
        return true;
    }
    return false;
}

/* ---- Signs ---- */

/* A statement that ends with its line, and without a semicolon. */
bool compile_semicolon_missing(struct view *v) {
    const struct tokens *t = &v->t;
    int last = -1; /* the last token that begins in front of the error */
    for (int i = 0; i < t->count; i++)
        if (t->of[i].line < v->e->line ||
            (t->of[i].line == v->e->line && v->e->column > 0 && t->of[i].column < v->e->column))
            last = i;
    if (last < 0 || last + 1 >= t->count)
        return false;
    const struct token *end = &t->of[last], *next = &t->of[last + 1];
    /* clang points behind that token, nvcc to the next one. */
    const bool behind = end->line == v->e->line && v->e->column == end->column + (int)end->length;
    const bool before = v->e->column == 0 && next->line == v->e->line;
    const bool ends = end->kind == TOKEN_NAME || end->kind == TOKEN_NUMBER ||
                      token_is(t, last, ")") || token_is(t, last, "]");
    const bool begins = next->kind == TOKEN_NAME || token_is(t, last + 1, "}");
    const int first = token_statement(t, last);
    if ((!behind && !before) || next->line == end->line || !ends || !begins ||
        token_is(t, first, "if") || token_is(t, first, "for") || token_is(t, first, "while") ||
        token_is(t, first, "else"))
        return false;
    text_addf(v->to, "A semicolon is missing at the end of line %d.", end->line);
    return true;
}

/* ( without ) in one statement. */
bool compile_brackets(struct view *v) {
    const struct tokens *t = &v->t;
    int round = 0, square = 0;
    for (int i = v->begin; i < v->end; i++) {
        round += token_is(t, i, "(") - token_is(t, i, ")");
        square += token_is(t, i, "[") - token_is(t, i, "]");
    }
    if (round == 0 && square == 0)
        return false;
    const char *more = round > 0 ? "(" : round < 0 ? ")" : square > 0 ? "[" : "]";
    const char *less = round > 0 ? ")" : round < 0 ? "(" : square > 0 ? "]" : "[";
    text_addf(v->to, "The statement in line %d has more %s than %s.", t->of[v->begin].line, more,
              less);
    return true;
}

/* More { than }, or the other way. */
bool compile_braces(struct view *v) {
    const struct tokens *t = &v->t;
    int depth = 0, below = -1;
    for (int i = 0; i < t->count; i++) {
        depth += token_is(t, i, "{") - token_is(t, i, "}");
        if (depth < 0 && below < 0)
            below = i;
    }
    if (t->uneven || (depth == 0 && below < 0))
        return false;
    if (below >= 0) {
        text_addf(v->to, "The } in line %d closes nothing: there is no open { before it.",
                  t->of[below].line);
        return true;
    }
    if (depth == 1)
        text_add(v->to, "A { is never closed");
    else
        text_addf(v->to, "%d { are never closed", depth);
    text_addf(v->to, ": look for a missing } before line %d.", v->e->line);
    return true;
}

/* Commas where a for loop has semicolons. */
bool compile_for_with_commas(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "for") || !token_is(t, i + 1, "("))
            continue;
        const int close = token_closing(t, i + 1);
        int semicolons = 0, commas = 0, colons = 0;
        for (int k = i + 2; k < close && k < t->count; k++) {
            semicolons += token_is(t, k, ";");
            commas += token_is(t, k, ",");
            colons += token_is(t, k, ":");
        }
        if (semicolons >= 2 || colons > 0 || semicolons + commas < 2)
            continue;
        text_add(v->to, "The three parts of a for loop are separated by semicolons, not by commas: "
                        "for (int p = 0; p < k; p++).");
        return true;
    }
    return false;
}

/* if (row >= m) || (col >= n) */
bool compile_condition_split(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        const bool word = token_is(t, i, "if") || token_is(t, i, "while");
        const int close = word && token_is(t, i + 1, "(") ? token_closing(t, i + 1) : t->count;
        if (!token_is(t, close + 1, "||") && !token_is(t, close + 1, "&&"))
            continue;
        text_addf(v->to,
                  "The whole condition goes in one pair of parentheses: %.*s (... %.*s ...). Here "
                  "it ends before the %.*s.",
                  SAY(v, i), SAY(v, close + 1), SAY(v, close + 1));
        return true;
    }
    return false;
}

/* => and =< for >= and <=, =! for != */
bool compile_no_operator(struct view *v) {
    static const char *const pairs[][3] = {
        {"=", ">", ">="}, {"=", "<", "<="}, {"&", "|", "&&"}, {"<", ">", "!="}};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i + 1 < v->end; i++) {
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            if (!token_is(t, i, pairs[k][0]) || !token_is(t, i + 1, pairs[k][1]) ||
                t->of[i + 1].line != t->of[i].line || t->of[i + 1].column != t->of[i].column + 1 ||
                t->of[i].line != v->e->line || token_is(t, i - 1, "operator"))
                continue;
            text_addf(v->to, "%s%s is not an operator in C: write %s.", pairs[k][0], pairs[k][1],
                      pairs[k][2]);
            return true;
        }
    }
    return false;
}

/* Is this the name of a variable, or a number? */
static bool is_operand(const struct tokens *t, int i) {
    if (i < 0 || i >= t->count)
        return false;
    return t->of[i].kind == TOKEN_NUMBER ||
           (token_is_name(t, i) && !declared_keyword(t, i) && declared_variable(t, i));
}

/* Two variables, or numbers, with nothing between them: p n for p * n. */
bool compile_two_operands(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i + 1 < v->end; i++) {
        if (!is_operand(t, i) || !is_operand(t, i + 1) || t->of[i].line != v->e->line ||
            t->of[i + 1].line != v->e->line || (v->e->column > 0 && i + 1 != v->at && i != v->at))
            continue;
        text_addf(v->to,
                  "There is no operator between %.*s and %.*s: should they be multiplied (*), "
                  "added (+), or separated by a comma?",
                  SAY(v, i), SAY(v, i + 1));
        return true;
    }
    return false;
}

/* else where no if is open. */
bool compile_else_alone(struct view *v) {
    const struct tokens *t = &v->t;
    if (!token_is(t, v->at, "else") || t->of[v->at].line != v->e->line)
        return false;
    const bool semicolon = token_is(t, v->at - 1, ";");
    text_addf(v->to,
              "The else in line %d belongs to no if. There is one statement between if (...) and "
              "else, or several in { }%s.",
              t->of[v->at].line,
              semicolon ? "; a semicolon right after if (...) is a statement too" : "");
    return true;
}

/* 1,0f for 1.0f */
bool compile_decimal_comma(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin + 1; i + 2 < v->end; i++) {
        if (!token_is(t, i - 1, "=") || t->of[i].kind != TOKEN_NUMBER || !token_is(t, i + 1, ",") ||
            t->of[i + 2].kind != TOKEN_NUMBER)
            continue;
        text_addf(v->to, "Numbers have a point, not a comma: %.*s.%.*s.", SAY(v, i), SAY(v, i + 2));
        return true;
    }
    for (int i = v->begin; i < v->end; i++) { /* 1f */
        const struct token *n = &t->of[i];
        if (n->kind != TOKEN_NUMBER || n->length < 2 || n->text[n->length - 1] != 'f' ||
            (n->text[0] == '0' && tolower((unsigned char)n->text[1]) == 'x') ||
            memchr(n->text, '.', n->length) || memchr(n->text, 'e', n->length))
            continue;
        text_addf(v->to, "%.*s is not a number: a float has a point, %.*s.0f.", SAY(v, i),
                  (int)n->length - 1, n->text);
        return true;
    }
    return false;
}

/* sizeof float */
bool compile_sizeof_type(struct view *v) {
    static const char *const types[] = {"float", "double", "int", "char", "size_t"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; token_is(t, i, "sizeof") && k < sizeof types / sizeof *types; k++) {
            if (!token_is(t, i + 1, types[k]))
                continue;
            text_addf(v->to, "The type after sizeof goes in parentheses: sizeof(%s).", types[k]);
            return true;
        }
    }
    return false;
}

/* A function that is defined in the body of another one. */
bool compile_nested_function(struct view *v) {
    const struct tokens *t = &v->t;
    const int from =
        v->at > 0 && token_is(t, v->at, "{") ? token_statement(t, v->at - 1) : v->begin;
    for (int i = from; i < v->at + 1 && i < t->count; i++) {
        bool body;
        const int around = declared_around(t, i);
        if (around < 0 || !declares_function(t, i, &body) || !body)
            continue;
        text_addf(v->to,
                  "%.*s is defined inside %.*s, which C does not allow. Put the whole function "
                  "before %.*s%s.",
                  SAY(v, i), SAY(v, around), SAY(v, around),
                  t->uneven ? "" : ", or look for a missing } above it");
        return true;
    }
    return false;
}

/* As[y, x] */
bool compile_comma_index(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        const bool indexed = token_is_name(t, i) || token_is(t, i, "]");
        const int close = indexed && token_is(t, i + 1, "[") ? token_closing(t, i + 1) : 0;
        int depth = 0, comma = 0;
        for (int k = i + 2; k < close && k < v->end; k++) {
            depth += token_is(t, k, "(") + token_is(t, k, "[") + token_is(t, k, "{");
            depth -= token_is(t, k, ")") + token_is(t, k, "]") + token_is(t, k, "}");
            if (depth == 0 && token_is(t, k, ","))
                comma = k;
        }
        if (comma == 0)
            continue;
        text_add(v->to, "Each index has brackets of its own: tile[y][x], not tile[y, x]. Of two "
                        "numbers with a comma between them, C takes only the last.");
        return true;
    }
    return false;
}
