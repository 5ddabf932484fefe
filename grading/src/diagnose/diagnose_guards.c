/*
 * diagnose_guards.c: guards of the source that are there, and let threads through.
 *
 * Who asks knows that a thread left its matrix. What is looked for here is why a condition did not
 * stop it; a guard that is not there at all is told from the shapes (diagnose_outside.c).
 */
#include "grading/src/diagnose/declarations.h"
#include "grading/src/diagnose/diagnose.h"

/* Is the name at token i set from threadIdx, at once or by way of other names? */
static bool follows_thread(const struct tokens *t, int i, int ways) {
    for (int k = i - 1; k > 0 && ways > 0; k--) {
        if (!tokens_equal(&t->of[k], &t->of[i]) || !token_is(t, k + 1, "="))
            continue;
        for (int j = k + 2; j < i && !token_is(t, j, ";"); j++)
            if (token_is(t, j, "threadIdx") ||
                (token_is_name(t, j) && !token_is(t, j - 1, ".") && follows_thread(t, j, ways - 1)))
                return true;
        return false;
    }
    return false;
}

static bool is_one_of(const struct tokens *t, int i, const char *const *words, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (token_is(t, i, words[k]))
            return true;
    return false;
}

/* In a kernel, row <= m or row > m as a condition, where row is a thread's own; the token of the
 * sign, or -1. The last row is m - 1. `any`: in place of m may be any name that is no thread's. */
static int find_loose_guard(const struct tokens *t, bool any) {
    static const char *const sizes[] = {"m", "n", "k"}, *const before[] = {"(", "&&", "||"},
                             *const behind[] = {")", "&&", "||", "?"};
    for (int i = 2; i < t->count; i++) {
        const int around = token_is(t, i, "<=") || token_is(t, i, ">") ? declared_around(t, i) : -1;
        if (around >= 0 && (declared_kernel(t, around) || declared_with(t, around, "__device__")) &&
            token_is_name(t, i - 1) && is_one_of(t, i - 2, before, 3) &&
            (is_one_of(t, i + 1, sizes, 3) ||
             (any && token_is_name(t, i + 1) && !follows_thread(t, i + 1, 3))) &&
            is_one_of(t, i + 2, behind, 4) && follows_thread(t, i - 1, 3))
            return i;
    }
    return -1;
}

/* A guard that is there, and lets one too many through. */
static bool say_loose_guard(const struct tokens *t, bool any, struct text *to) {
    const int i = find_loose_guard(t, any);
    if (i < 0)
        return false;
    const struct token *what = &t->of[i - 1], *size = &t->of[i + 1];
    const bool goes_on = token_is(t, i, "<=");
    text_addf(to,
              "The guard in line %d %s: %.*s goes from 0 to %.*s - 1, and %.*s itself is "
              "outside. Write %.*s %s %.*s.",
              t->of[i].line, goes_on ? "lets one too many through" : "stops one too late",
              (int)what->length, what->text, (int)size->length, size->text, (int)size->length,
              size->text, (int)what->length, what->text, goes_on ? "<" : ">=", (int)size->length,
              size->text);
    return true;
}

/* "unsigned left = width - col;": a difference of two names, in a type without negative numbers.
 * The token of the name, or -1. */
static int unsigned_difference(const struct tokens *t, int i) {
    static const char *const types[] = {"unsigned", "size_t", "uint32_t", "uint64_t"};
    if (!is_one_of(t, i, types, 4))
        return -1;
    int name = i + 1;
    while (token_is(t, name, "int") || token_is(t, name, "long") || token_is(t, name, "const"))
        name++;
    if (!token_is_name(t, name) || !token_is(t, name + 1, "="))
        return -1;
    for (int k = name + 3; !token_is(t, k, ";") && k < t->count; k++)
        if (token_is(t, k, "-") && (token_is_name(t, k - 1) || token_is(t, k - 1, ")")) &&
            (token_is_name(t, k + 1) || token_is(t, k + 1, "(")))
            return name;
    return -1;
}

/* Is the name at token i compared with something smaller, behind its declaration: left > 0? */
static bool asked_for_more(const struct tokens *t, int i) {
    const int around = declared_around(t, i);
    for (int k = i + 1; k < t->count && declared_around(t, k) == around; k++)
        if (tokens_equal(&t->of[k], &t->of[i]) &&
            (token_is(t, k + 1, ">") || token_is(t, k + 1, ">=") || token_is(t, k - 1, "<") ||
             token_is(t, k - 1, "<=")))
            return true;
    return false;
}

static bool say_unsigned_guard(const struct tokens *t, struct text *to) {
    for (int i = 0; i < t->count; i++) {
        const int name = unsigned_difference(t, i), around = name < 0 ? -1 : declared_around(t, i);
        if (around < 0 || !asked_for_more(t, name) ||
            !(declared_kernel(t, around) || declared_with(t, around, "__device__")))
            continue;
        text_addf(to,
                  "%.*s in line %d is the difference of two numbers in an unsigned type: where it "
                  "should be negative, it is huge, and the condition that asks for it holds. Make "
                  "it an int, or compare the two numbers.",
                  (int)t->of[name].length, t->of[name].text, t->of[name].line);
        return true;
    }
    return false;
}

bool diagnose_guard(const char *source, bool just_past, struct text *to) {
    struct tokens t = tokens_read(source);
    const bool said = say_loose_guard(&t, just_past, to) || say_unsigned_guard(&t, to);
    tokens_free(&t);
    return said;
}
