/* declarations.c: see declarations.h. */
#include "grading/src/diagnose/declarations.h"

#include <ctype.h>
#include <string.h>

/* Past what may stand in front of a type: template <...>, __launch_bounds__(...). */
static int skip_prefix(const struct tokens *t, int k) {
    if (token_is(t, k, "__launch_bounds__"))
        return token_closing(t, k + 1);
    if (!token_is(t, k, "template"))
        return k;
    int depth = 0;
    for (k++; k < t->count; k++) {
        depth += token_is(t, k, "<") - token_is(t, k, ">");
        if (depth == 0)
            break;
    }
    return k;
}

bool declares_function(const struct tokens *t, int i, bool *has_body) {
    if (!token_is_name(t, i) || !token_is(t, i + 1, "("))
        return false;
    const int first = token_statement(t, i), close = token_closing(t, i + 1);
    *has_body = token_is(t, close + 1, "{");
    if (first == i || (!*has_body && !token_is(t, close + 1, ";")))
        return false;
    for (int k = first; k < i; k++) { /* only words and stars in front: no call, no = */
        const int skipped = skip_prefix(t, k);
        if (skipped != k)
            k = skipped;
        else if (!token_is_name(t, k) && !token_is(t, k, "*") && !token_is(t, k, "&") &&
                 !token_is(t, k, "<") && !token_is(t, k, ">") && !token_is(t, k, "::") &&
                 t->of[k].kind != TOKEN_TEXT)
            return false;
    }
    return !token_is(t, first, "return") && !token_is(t, first, "else");
}

int declared_function(const struct tokens *t, const struct token *name) {
    bool body;
    for (int i = 0; i < t->count; i++)
        if (tokens_equal(&t->of[i], name) && declares_function(t, i, &body))
            return i;
    return -1;
}

bool declared_with(const struct tokens *t, int i, const char *word) {
    for (int k = token_statement(t, i); k < i; k++)
        if (token_is(t, k, word))
            return true;
    return false;
}

bool declared_kernel(const struct tokens *t, int i) {
    return i >= 0 && declared_with(t, i, "__global__");
}

int declared_around(const struct tokens *t, int i) {
    bool body;
    for (int k = 0; k < i; k++) {
        if (!declares_function(t, k, &body) || !body)
            continue;
        const int open = token_closing(t, k + 1) + 1;
        if (open < i && i < token_closing(t, open))
            return k;
    }
    return -1;
}

static bool is_number_type(const struct tokens *t, int i) {
    return token_is(t, i, "float") || token_is(t, i, "double") || token_is(t, i, "int");
}

bool declared_pointer(const struct tokens *t, const struct token *name, bool *constant) {
    bool pointer = false;
    *constant = false;
    for (int i = 1; i < t->count; i++) {
        if (!tokens_equal(&t->of[i], name))
            continue;
        int k = i - 1;
        while (token_is(t, k, "__restrict__") || token_is(t, k, "restrict") ||
               token_is(t, k, "const"))
            k--;
        if (token_is(t, k, "*") && is_number_type(t, k - 1)) {
            pointer = true;
            *constant = *constant || token_is(t, k - 2, "const");
        }
        const bool array = is_number_type(t, i - 1) && token_is(t, i + 1, "[");
        const bool double_pointer = token_is(t, k, "*") && token_is(t, k - 1, "*");
        const bool to_rows = token_is(t, k, "*") && token_is(t, k - 1, "(") &&
                             token_is(t, i + 1, ")") && token_is(t, i + 2, "[");
        if (array || double_pointer || to_rows)
            return false;
    }
    return pointer;
}

bool declared_changeable(const struct tokens *t, const struct token *name) {
    for (int i = 2; i < t->count; i++)
        if (tokens_equal(&t->of[i], name) && token_is(t, i - 1, "*") && is_number_type(t, i - 2) &&
            !token_is(t, i - 3, "const"))
            return true;
    return false;
}

bool declared_number(const struct tokens *t, const struct token *name) {
    for (int i = 1; i < t->count; i++)
        if (tokens_equal(&t->of[i], name) &&
            (token_is(t, i - 1, "float") || token_is(t, i - 1, "double")))
            return !token_is(t, i + 1, "[");
    return false;
}

bool declares_name(const struct tokens *t, int i) {
    static const char *const no_types[] = {"return", "else", "case", "goto", "delete", "typename"};
    if (!token_is_name(t, i) || i == 0)
        return false;
    int k = i - 1;
    while (token_is(t, k, "*") || token_is(t, k, "&") || token_is(t, k, "const") ||
           token_is(t, k, "__restrict__"))
        k--;
    for (size_t w = 0; w < sizeof no_types / sizeof *no_types; w++)
        if (token_is(t, k, no_types[w]))
            return false;
    if (token_is(t, k - 1, ".") || token_is(t, k - 1, "->")) /* a.b * c */
        return false;
    return token_is_name(t, k) || token_is(t, k, ">");
}

bool declared_variable(const struct tokens *t, int i) {
    for (int k = 0; k < t->count && token_is_name(t, i); k++)
        if (tokens_equal(&t->of[k], &t->of[i]) && declares_name(t, k) && !token_is(t, k + 1, "("))
            return true;
    return false;
}

bool declared_keyword(const struct tokens *t, int i) {
    static const char *const words[] = {
        "return", "if",    "else",   "for",      "while", "do",    "break",    "continue",
        "switch", "case",  "goto",   "void",     "int",   "float", "double",   "char",
        "long",   "short", "const",  "unsigned", "bool",  "auto",  "sizeof",   "static",
        "struct", "class", "public", "private",  "new",   "using", "template", "namespace"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (token_is(t, i, words[w]))
            return true;
    return false;
}

bool declared_macro(const char *source, const struct token *name) {
    for (const char *at = strchr(source, '#'); at; at = strchr(at + 1, '#')) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        if (strncmp(word, "define", 6) != 0)
            continue;
        word += 6 + strspn(word + 6, " \t");
        if (strncmp(word, name->text, name->length) == 0 &&
            !isalnum((unsigned char)word[name->length]) && word[name->length] != '_')
            return true;
    }
    return false;
}

bool declared_anywhere(const struct tokens *t, int i) {
    for (int k = 0; k < t->count; k++)
        if (tokens_equal(&t->of[k], &t->of[i]) && declares_name(t, k))
            return true;
    return false;
}
