/*
 * compile_names.c: rules about names that the compiler does not know, or knows twice (see
 * compile_rules.h).
 */
#include "grading/src/diagnose/compile_rules.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- The words of CUDA, of the kit, and of C ---- */

static const char *const words[] = {"threadIdx",
                                    "blockIdx",
                                    "blockDim",
                                    "gridDim",
                                    "__syncthreads",
                                    "__shared__",
                                    "__global__",
                                    "__device__",
                                    "cudaMalloc",
                                    "cudaMemcpy",
                                    "cudaFree",
                                    "cudaMemset",
                                    "cudaDeviceSynchronize",
                                    "cudaGetLastError",
                                    "dim3",
                                    "cublasSgemm",
                                    "cublasCreate",
                                    "cublasDestroy",
                                    "cublasHandle_t",
                                    "cudaMemcpyHostToDevice",
                                    "cudaMemcpyDeviceToHost",
                                    "CUDA_CHECK",
                                    "CUDA_CHECK_LAUNCH",
                                    "CUBLAS_CHECK",
                                    "CUBLAS_OP_N",
                                    "CUBLAS_OP_T",
                                    "float",
                                    "double",
                                    "size_t",
                                    "const",
                                    "unsigned",
                                    "return",
                                    "while"};

enum { WORDS = sizeof words / sizeof *words, WORD_MOST = 31 };

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many letters must be changed, put in, left out, or exchanged with the next one, to make one
 * of the other. Small and capital letters are the same. Beyond WORD_MOST letters: many. */
static size_t distance(const char *a, size_t n, const char *b, size_t m) {
    size_t rows[3][WORD_MOST + 1]; /* this letter of a, the one before, the one before that */
    if (n > WORD_MOST || m > WORD_MOST)
        return WORD_MOST;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = before[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            best = before[j] + 1 < best ? before[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            const bool exchanged = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                                   same_letter(a[i - 2], b[j - 1]);
            row[j] = exchanged && earlier[j - 2] + 1 < best ? earlier[j - 2] + 1 : best;
        }
    }
    return rows[n % 3][m];
}

/* The letters of a name without underscores around it. */
static struct token core(const char *at, size_t n) {
    for (; n > 0 && *at == '_'; n--)
        at++;
    while (n > 0 && at[n - 1] == '_')
        n--;
    return (struct token){.text = at, .length = n};
}

/* Do only small and capital letters differ, or underscores around them? */
static bool same_letters(const struct token *name, const char *word) {
    const struct token a = core(name->text, name->length), b = core(word, strlen(word));
    return a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
}

/* The word that this name is nearly; NULL: it is one, or like none. `letters`: of a long word two
 * letters may be wrong, of a shorter one one. */
static const char *nearly(const struct tokens *t, int i, bool letters) {
    const struct token *name = &t->of[i];
    const char *found = NULL;
    size_t nearest = WORD_MOST;
    for (size_t k = 0; k < WORDS; k++) {
        const size_t n = strlen(words[k]), allowed = n > 11 ? 2 : n > 4 ? 1 : 0;
        if (token_is(t, i, words[k]))
            return NULL;
        if (same_letters(name, words[k]))
            return words[k];
        const size_t away = letters ? distance(name->text, name->length, words[k], n) : WORD_MOST;
        if (away < nearest && away <= allowed) {
            nearest = away;
            found = words[k];
        }
    }
    return found;
}

/* Functions and types that differ from a word above by design. */
static bool is_other_word(const struct tokens *t, int i) {
    static const char *const others[] = {
        "cublasDgemm",  "cublasHgemm",  "cublasCgemm",  "cublasZgemm", "cublasSgemv", "cublasSgeam",
        "cudaMemcpy2D", "cudaMemcpy3D", "cudaMemset2D", "cublasSsymm", "cublasStrmm"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (token_is(t, i, others[k]))
            return true;
    return false;
}

bool compile_misspelt(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is_name(t, i) || declared_anywhere(t, i) || is_other_word(t, i) ||
            declared_macro(v->e->source, &t->of[i]) || declared_function(t, &t->of[i]) >= 0)
            continue;
        /* A letter that is wrong, and not only its size, counts where the compiler points. */
        const char *word = nearly(t, i, compile_points(v) && i == v->at);
        if (!word)
            continue;
        text_addf(v->to,
                  "The compiler does not know %.*s: the name is %s. Capital letters, small letters "
                  "and underscores all count.",
                  SAY(v, i), word);
        return true;
    }
    return false;
}

/* #define blockDim 32 */
bool compile_macro_hides(struct view *v) {
    for (size_t k = 0; k < WORDS; k++) {
        const struct token name = {.text = words[k], .length = strlen(words[k])};
        bool used = false;
        for (int i = v->begin; i < v->end; i++)
            used = used || token_is(&v->t, i, words[k]);
        const bool own = words[k][0] == '_' || islower((unsigned char)words[k][0]);
        if (!used || !own || !declared_macro(v->e->source, &name))
            continue;
        text_addf(v->to,
                  "%s is a name in CUDA, and a #define in this file gives it another meaning. "
                  "Choose another name there, such as BLOCK_SIZE.",
                  words[k]);
        return true;
    }
    return false;
}

/* Does the source include this file? */
static bool includes(const char *source, const char *file) {
    for (const char *at = strstr(source, file); at; at = strstr(at + 1, file)) {
        const char *line = at;
        while (line > source && line[-1] != '\n')
            line--;
        line += strspn(line, " \t");
        if (*line == '#')
            return true;
    }
    return false;
}

static bool begins(const struct token *name, const char *with) {
    const size_t n = strlen(with);
    return name->length >= n && memcmp(name->text, with, n) == 0;
}

/* A name of a header that is not included. */
bool compile_header_missing(struct view *v) {
    static const struct {
        const char *begins, *file, *line;
    } known[] = {
        {"CUBLAS_CHECK", "cuda_check.h", "\"cuda_check.h\""},
        {"CUDA_CHECK", "cuda_check.h", "\"cuda_check.h\""},
        {"cublas", "cublas_v2.h", "<cublas_v2.h>"},
        {"CUBLAS_", "cublas_v2.h", "<cublas_v2.h>"},
    };
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is_name(t, i) || t->of[i].line != v->e->line ||
            (compile_points(v) && i != v->at) || declared_macro(v->e->source, &t->of[i]) ||
            declared_function(t, &t->of[i]) >= 0 || declared_anywhere(t, i))
            continue;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (!begins(&t->of[i], known[k].begins))
                continue;
            if (includes(v->e->source, known[k].file))
                break;
            const bool old = k >= 2 && includes(v->e->source, "cublas.h");
            text_addf(v->to,
                      "%.*s is declared in a file that is not included: write #include %s at the "
                      "top%s.",
                      SAY(v, i), known[k].line,
                      old ? ", instead of cublas.h, the old interface without handles" : "");
            return true;
        }
    }
    return false;
}

/* A macro for checks that the kit does not have. */
bool compile_check_unknown(struct view *v) {
    const struct tokens *t = &v->t;
    const int i = v->at;
    if (!token_is_name(t, i) || !compile_points(v) || !token_is(t, i + 1, "(") ||
        !(begins(&t->of[i], "CUDA_") || begins(&t->of[i], "CUBLAS_") ||
          begins(&t->of[i], "CHECK")) ||
        token_is(t, i, "CUDA_CHECK") || token_is(t, i, "CUDA_CHECK_LAUNCH") ||
        token_is(t, i, "CUBLAS_CHECK") || declared_macro(v->e->source, &t->of[i]) ||
        declared_function(t, &t->of[i]) >= 0)
        return false;
    text_addf(v->to,
              "%.*s is declared nowhere. cuda_check.h has CUDA_CHECK( ... ) for a call, "
              "CUDA_CHECK_LAUNCH() for the launch before it, and CUBLAS_CHECK( ... ) for cuBLAS.",
              SAY(v, i));
    return true;
}

/* One of the kit's checks without its parentheses. */
bool compile_check_bare(struct view *v) {
    static const char *const checks[] = {"CUDA_CHECK", "CUDA_CHECK_LAUNCH", "CUBLAS_CHECK"};
    const struct tokens *t = &v->t;
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        if (!token_is(t, v->at, checks[k]) || !compile_points(v) || token_is(t, v->at + 1, "("))
            continue;
        text_addf(v->to, "%s needs parentheses, even with nothing in them: %s(%s);", checks[k],
                  checks[k], k == 1 ? "" : " ... ");
        return true;
    }
    return false;
}

static bool is_operator(const struct tokens *t, int i) {
    static const char *const marks[] = {"+", "-", "*", "/", "%", "<", ">", "[", "]"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (token_is(t, i, marks[k]))
            return true;
    return false;
}

/* threadIdx without its .x */
bool compile_index_without_member(struct view *v) {
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            const bool computed = is_operator(t, i - 1) || is_operator(t, i + 1) ||
                                  (token_is(t, i - 1, "=") && token_is(t, i + 1, ";"));
            if (!token_is(t, i, words[k]) || token_is(t, i + 1, ".") || !computed)
                continue;
            text_addf(v->to, "%s is three numbers, not one: write %s.x, %s.y or %s.z.", words[k],
                      words[k], words[k], words[k]);
            return true;
        }
    }
    return false;
}

/* threadIdx.X, or threadIdx.x() */
bool compile_no_such_member(struct view *v) {
    static const char *const indices[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
            if (!token_is(t, i, indices[k]) || !token_is(t, i + 1, "."))
                continue;
            const bool known =
                token_is(t, i + 2, "x") || token_is(t, i + 2, "y") || token_is(t, i + 2, "z");
            if (known && !token_is(t, i + 3, "("))
                continue;
            text_addf(v->to,
                      "%s has the members x, y and z, in small letters. Each is a number: write "
                      "%s.x, without brackets after it.",
                      indices[k], indices[k]);
            return true;
        }
    }
    return false;
}

/* ---- Names of the file itself ---- */

/* Where what is declared at token d is known no more: at the end of its block, or of its loop. */
static int scope_end(const struct tokens *t, int d) {
    const int first = token_statement(t, d);
    if (token_is(t, first, "for") && token_is(t, first + 1, "(")) {
        const int body = token_closing(t, first + 1) + 1;
        if (d < body)
            return token_is(t, body, "{") ? token_closing(t, body) : token_statement_end(t, body);
    }
    int depth = 0;
    for (int i = d; i < t->count; i++) {
        depth += token_is(t, i, "{") - token_is(t, i, "}");
        if (depth < 0)
            return i;
    }
    return t->count;
}

/* A function that is defined further down. */
bool compile_used_before(struct view *v) {
    const struct tokens *t = &v->t;
    bool body;
    if (!token_is_name(t, v->at) || !token_is(t, v->at + 1, "(") || t->of[v->at].line != v->e->line)
        return false;
    for (int i = v->at + 1; i < t->count; i++) {
        if (!tokens_equal(&t->of[i], &t->of[v->at]) || !declares_function(t, i, &body) || !body ||
            declared_around(t, i) >= 0)
            continue;
        const int around = declared_around(t, v->at);
        if (around < 0 || declared_function(t, &t->of[v->at]) < v->at)
            return false;
        text_addf(v->to,
                  "%.*s is defined in line %d, and used before it: the compiler reads from top to "
                  "bottom. Move the function up, before %.*s.",
                  SAY(v, v->at), t->of[i].line, SAY(v, around));
        return true;
    }
    return false;
}

/* A variable with the name of a parameter, or of another one in the same block. */
bool compile_declared_twice(struct view *v) {
    const struct tokens *t = &v->t;
    const int at = v->at, f = declared_around(t, at);
    if (!token_is_name(t, at) || !compile_points(v) || f < 0)
        return false;
    const bool listed = token_is(t, at - 1, "*") && token_is(t, at - 2, ",");
    if (!declares_name(t, at) && !listed && !token_is(t, at - 1, ","))
        return false;
    const int close = token_closing(t, f + 1), open = close + 1;
    int depth = 0;
    for (int i = open; i < at; i++)
        depth += token_is(t, i, "{") - token_is(t, i, "}");
    for (int i = f + 2; i < close && depth == 1; i++) {
        if (!tokens_equal(&t->of[i], &t->of[at]) || !declares_name(t, i))
            continue;
        text_addf(v->to,
                  "%.*s is already a parameter of %.*s (line %d): the caller gives it its value. "
                  "Use it, or give the new variable another name.",
                  SAY(v, at), SAY(v, f), t->of[i].line);
        return true;
    }
    for (int i = open + 1; i < at; i++) {
        if (!tokens_equal(&t->of[i], &t->of[at]) || !declares_name(t, i) || scope_end(t, i) < at ||
            scope_end(t, i) != scope_end(t, at))
            continue;
        text_addf(v->to,
                  "%.*s is declared for the second time: the first is in line %d. Remove the type "
                  "here to use that one, or choose another name.",
                  SAY(v, at), t->of[i].line);
        return true;
    }
    return false;
}

/* NAME ( ... ) { without a type in front. */
bool compile_function_type(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->begin + 3 && i < v->end; i++) {
        const int close = token_is(t, i + 1, "(") ? token_closing(t, i + 1) : t->count;
        bool types = token_is_name(t, i) && declared_around(t, i) < 0;
        for (int k = v->begin; k < i; k++)
            types = types && (token_is(t, k, "static") || token_is(t, k, "inline"));
        if (!types || !token_is(t, close + 1, "{") || token_is(t, i, "__launch_bounds__"))
            continue;
        text_addf(v->to,
                  "The type that a function returns comes before its name; void, if it returns "
                  "nothing: void %.*s(...).",
                  SAY(v, i));
        return true;
    }
    return false;
}

static bool comes_with_cuda(const struct tokens *t, int at) {
    return token_is(t, at, "min") || token_is(t, at, "max");
}

/* static int min(int a, int b) { ... } */
bool compile_brought_along(struct view *v) {
    const struct tokens *t = &v->t;
    const int at = v->at;
    if (!compile_points(v) || !comes_with_cuda(t, at) || !declares_name(t, at) ||
        declared_around(t, at) >= 0 || !token_is(t, at + 1, "(") ||
        !token_is(t, token_closing(t, at + 1) + 1, "{"))
        return false;
    text_addf(
        v->to,
        "CUDA brings a function %.*s, for the host and for kernels. Delete yours and call that "
        "one, or give yours another name.",
        SAY(v, at));
    return true;
}

/* return VALUE; in a function of type void. */
bool compile_returns_value(struct view *v) {
    const struct tokens *t = &v->t;
    const int f = declared_around(t, v->at);
    int i = v->at;
    if (i < t->count && !token_is(t, i, "return"))
        i = v->begin;
    if (!token_is(t, i, "return") || t->of[i].line != v->e->line || token_is(t, i + 1, ";") ||
        f < 0 || !token_is(t, f - 1, "void"))
        return false;
    text_addf(v->to,
              "%.*s is of type void, so it returns no value: write return; alone. Its result is "
              "what it stores, here in C.",
              SAY(v, f));
    return true;
}

/* A name that is spelt nearly so: declared in front of it in the same function, or a function.
 * -1: none. */
static int near_name(const struct tokens *t, int at, int around) {
    const struct token *name = &t->of[at];
    for (int i = 0; i < at; i++) {
        const struct token *other = &t->of[i];
        bool body;
        if (!token_is_name(t, i) || name->length < 2 || other->length < 2 ||
            tokens_equal(other, name))
            continue;
        const size_t away = distance(name->text, name->length, other->text, other->length);
        if (away > (name->length > 5   ? 2u
                    : name->length > 2 ? 1u
                                       : 0u) ||
            2 * away >= other->length)
            continue;
        if ((around >= 0 && i > around && declares_name(t, i)) || declares_function(t, i, &body))
            return i;
    }
    return -1;
}

/* A variable that is declared nowhere, or only in a block that ended before. */
bool compile_not_declared(struct view *v) {
    const struct tokens *t = &v->t;
    const struct token *name = v->at < t->count ? &t->of[v->at] : NULL;
    if (!name || name->kind != TOKEN_NAME || name->line != v->e->line ||
        name->column != v->e->column || token_is(t, v->at + 1, "(") ||
        token_is(t, v->at - 1, ".") || token_is(t, v->at - 1, "->") ||
        token_is(t, v->at - 1, "::") || token_is(t, v->at + 1, "::") ||
        token_is_name(t, v->at + 1) || declared_keyword(t, v->at) ||
        declared_macro(v->e->source, name) || declared_function(t, name) >= 0)
        return false;
    const int around = declared_around(t, v->at);
    int known = -1;
    for (int i = 0; i < t->count; i++) {
        if (!tokens_equal(&t->of[i], name))
            continue;
        /* In "int x, y" y is declared, too: then nothing can be said. */
        if (!declares_name(t, i) && token_is(t, i - 1, ",") && !token_in_call(t, i))
            return false;
        if (!declares_name(t, i))
            continue;
        if (i > v->at || declared_around(t, i) != around)
            continue;
        if (scope_end(t, i) > v->at)
            return false;
        known = i;
    }
    if (around < 0)
        return false;
    const int near = near_name(t, v->at, around);
    if (known >= 0)
        text_addf(v->to,
                  "%.*s is declared in line %d, inside a block or loop that ends in line %d, and "
                  "does not exist after it. Declare it before that block.",
                  SAY(v, v->at), t->of[known].line, t->of[scope_end(t, known)].line);
    else if (!declared_anywhere(t, v->at) && near >= 0)
        text_addf(v->to,
                  "%.*s is declared nowhere in this file. Did you mean %.*s, from line %d? Names "
                  "must match letter by letter.",
                  SAY(v, v->at), SAY(v, near), t->of[near].line);
    else if (!declared_anywhere(t, v->at))
        text_addf(v->to,
                  "%.*s is used here, and declared nowhere in this file. Declare it before its "
                  "first use, or check its spelling.",
                  SAY(v, v->at));
    return known >= 0 || !declared_anywhere(t, v->at);
}

/* A call of a function that this file does not have. Whether a header has it, nobody can see here;
 * CUDA's have those that begin as its own do. */
bool compile_no_such_function(struct view *v) {
    const struct tokens *t = &v->t;
    const int at = v->at, around = declared_around(t, at);
    if (around < 0 || begins(&t->of[at], "cu") || begins(&t->of[at], "__") ||
        comes_with_cuda(t, at) || !token_is_name(t, at) || !compile_points(v) ||
        !token_is(t, at + 1, "(") || token_is(t, at - 1, ".") || token_is(t, at - 1, "->") ||
        token_is(t, at - 1, "::") || declared_keyword(t, at) || declares_name(t, at) ||
        declared_anywhere(t, at) || declared_function(t, &t->of[at]) >= 0 ||
        declared_macro(v->e->source, &t->of[at]))
        return false;
    const int near = near_name(t, at, around);
    bool body;
    if (near >= 0 && declares_function(t, near, &body))
        text_addf(v->to,
                  "This file has no function %.*s, which is called here. Did you mean %.*s, from "
                  "line %d? Names must match letter by letter.",
                  SAY(v, at), SAY(v, near), t->of[near].line);
    else
        text_addf(v->to,
                  "This file has no function %.*s, which is called here. If it is to be your own, "
                  "write it above %.*s. If it is a library's, include the header that declares "
                  "it, and compare the name and the arguments with its documentation.",
                  SAY(v, at), SAY(v, around));
    return true;
}
