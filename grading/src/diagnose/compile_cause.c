/*
 * compile_cause.c: see compile_cause.h.
 *
 * Each rule looks at the statement around the error, and at how the names in it are declared
 * elsewhere in the file. The first that holds counts; the surest come first.
 */
#include "grading/src/diagnose/compile_cause.h"

#include "grading/src/diagnose/declarations.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct view {
    const struct compile_error *e;
    struct tokens t;
    int at;         /* the token at the error, or the first one behind it */
    int begin, end; /* the statement around it */
    struct text *to;
};

#define SAY(v, i) (int)(v)->t.of[i].length, (v)->t.of[i].text

/* ---- The rules ---- */

/* C[i][j] where C is a pointer. */
static bool two_indices(struct view *v) {
    const struct tokens *t = &v->t;
    bool constant;
    for (int i = v->begin; i < v->end; i++) {
        const int close = token_is(t, i + 1, "[") ? token_closing(t, i + 1) : t->count;
        if (!token_is_name(t, i) || !token_is(t, close + 1, "[") ||
            !declared_pointer(t, &t->of[i], &constant))
            continue;
        text_addf(v->to,
                  "%.*s points to numbers that lie one after another, so %.*s[...] is one number "
                  "and takes no second index. Element (i, j) of a matrix whose rows have w "
                  "elements is %.*s[i * w + j].",
                  SAY(v, i), SAY(v, i), SAY(v, i));
        return true;
    }
    return false;
}

/* The first token of each argument of the call whose ( is token `open`, and how many there are. */
enum { ARGUMENTS = 16 };
static int arguments(const struct tokens *t, int open, int first[ARGUMENTS + 1]) {
    const int close = token_closing(t, open);
    int n = 0, depth = 0;
    if (close == open + 1 || close >= t->count)
        return 0;
    first[n++] = open + 1;
    for (int i = open + 1; i < close && n < ARGUMENTS; i++) {
        depth += token_is(t, i, "(") + token_is(t, i, "[") + token_is(t, i, "{");
        depth -= token_is(t, i, ")") + token_is(t, i, "]") + token_is(t, i, "}");
        if (depth == 0 && token_is(t, i, ","))
            first[n++] = i + 1;
    }
    first[n] = close + 1;
    return n;
}

/* cublasSgemm(handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) */
static bool cublas_arguments(struct view *v) {
    enum { GEMM_ARGUMENTS = 14, ALPHA = 6, BETA = 11 };
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "cublasSgemm") && !token_is(t, i, "cublasSgemm_v2"))
            continue;
        int first[ARGUMENTS + 1];
        const int n = arguments(t, i + 1, first);
        if (n != GEMM_ARGUMENTS && n > 0) {
            text_addf(v->to,
                      "cublasSgemm takes %d arguments, and this call has %d%s: the handle, what to "
                      "do with each operand, three sizes, alpha, two matrices each with its "
                      "leading dimension, beta, the result with its leading dimension.",
                      GEMM_ARGUMENTS, n, n == ARGUMENTS ? " or more" : "");
            return true;
        }
        const int values[] = {ALPHA, BETA};
        for (int k = 0; k < 2 && n == GEMM_ARGUMENTS; k++) {
            const int a = first[values[k]];
            const bool one = first[values[k] + 1] == a + 2;
            if (one && (t->of[a].kind == TOKEN_NUMBER || declared_number(t, &t->of[a]))) {
                text_addf(v->to,
                          "cuBLAS wants the address of %s, not its value: declare const float "
                          "%s = %s, and pass &%s.",
                          k ? "beta" : "alpha", k ? "beta" : "alpha", k ? "0.0f" : "1.0f",
                          k ? "beta" : "alpha");
                return true;
            }
        }
    }
    return false;
}

/* cudaMalloc(dA, bytes) */
static bool malloc_value(struct view *v) {
    const struct tokens *t = &v->t;
    bool constant;
    for (int i = v->begin; i < v->end; i++) {
        if (token_is(t, i, "cudaMalloc") && token_is(t, i + 1, "(") && token_is(t, i + 3, ",") &&
            token_is_name(t, i + 2) && declared_pointer(t, &t->of[i + 2], &constant)) {
            text_addf(v->to,
                      "cudaMalloc stores the address of new memory into a pointer of yours, so it "
                      "needs that pointer's address: cudaMalloc(&%.*s, ...).",
                      SAY(v, i + 2));
            return true;
        }
    }
    return false;
}

/* A launch of what is no kernel. */
static bool launches_no_kernel(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is_name(t, i) || !token_is(t, i + 1, "<<<"))
            continue;
        const int f = declared_function(t, &t->of[i]);
        if (declared_kernel(t, f))
            continue;
        if (f >= 0)
            text_addf(v->to,
                      "%.*s is launched with <<< >>>, but it is an ordinary function: write "
                      "__global__ in front of it (line %d) to make it a kernel.",
                      SAY(v, i), t->of[f].line);
        else
            text_addf(v->to,
                      "This file has no kernel named %.*s. Compare the launch with the "
                      "kernel's name, letter by letter.",
                      SAY(v, i));
        return true;
    }
    return false;
}

/* A kernel that is called like a function, or launched with << >>. */
static bool calls_kernel(struct view *v) {
    const struct tokens *t = &v->t;
    bool body;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is_name(t, i) || (!token_is(t, i + 1, "(") && !token_is(t, i + 1, "<<")) ||
            declares_function(t, i, &body) || !declared_kernel(t, declared_function(t, &t->of[i])))
            continue;
        text_addf(v->to,
                  "%.*s is a kernel. Launch it with three angle brackets on each side: "
                  "%.*s<<<grid, block>>>(...).",
                  SAY(v, i), SAY(v, i));
        return true;
    }
    return false;
}

/* A launch with another number of arguments than the kernel has parameters. */
static bool launch_arguments(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is_name(t, i) || !token_is(t, i + 1, "<<<"))
            continue;
        const int f = declared_function(t, &t->of[i]);
        int open = i + 2, first[ARGUMENTS + 1];
        while (open < v->end && !token_is(t, open, ">>>"))
            open++;
        if (f < 0 || !token_is(t, open + 1, "("))
            continue;
        const int given = arguments(t, open + 1, first), wanted = arguments(t, f + 1, first);
        if (given == wanted)
            continue;
        text_addf(v->to, "%.*s has %d parameters (line %d), and this launch passes %d.", SAY(v, i),
                  wanted, t->of[f].line, given);
        return true;
    }
    return false;
}

/* A kernel with a result. */
static bool kernel_returns(struct view *v) {
    const struct tokens *t = &v->t;
    bool body;
    for (int i = v->begin; i < v->end; i++) {
        if (declares_function(t, i, &body) && declared_kernel(t, i) &&
            !declared_with(t, i, "void")) {
            text_addf(v->to,
                      "A kernel returns nothing, so its type is void: __global__ void %.*s(...). "
                      "It gives back what it stores into memory.",
                      SAY(v, i));
            return true;
        }
    }
    return false;
}

/* A kernel that calls a function of the host. */
static bool calls_host_function(struct view *v) {
    const struct tokens *t = &v->t;
    const int around = declared_around(t, v->at);
    if (around < 0 || (!declared_kernel(t, around) && !declared_with(t, around, "__device__")))
        return false;
    for (int i = v->begin; i < v->end; i++) {
        const int f = token_is(t, i + 1, "(") ? declared_function(t, &t->of[i]) : -1;
        if (f < 0 || f == i || declared_kernel(t, f) || declared_with(t, f, "__device__") ||
            declared_with(t, f, "constexpr"))
            continue;
        text_addf(v->to,
                  "%.*s runs on the device and calls %.*s, which is a function of the host: write "
                  "__device__ in front of it (line %d).",
                  SAY(v, around), SAY(v, i), t->of[f].line);
        return true;
    }
    return false;
}

/* A[...] = ..., where A is const. */
static bool stores_into_const(struct view *v) {
    const struct tokens *t = &v->t;
    bool constant;
    for (int i = v->begin; i < v->end; i++) {
        const int close = token_is(t, i + 1, "[") ? token_closing(t, i + 1) : t->count;
        if (!token_is_name(t, i) ||
            (!token_is(t, close + 1, "=") && !token_is(t, close + 1, "+=")) ||
            !declared_pointer(t, &t->of[i], &constant) || !constant)
            continue;
        text_addf(v->to,
                  "%.*s is an input: it is declared const, so nothing may be stored into it. The "
                  "product goes into C.",
                  SAY(v, i));
        return true;
    }
    return false;
}

/* __shared__ float As[n][n], with an n that is known only when the kernel runs. */
static bool shared_size(struct view *v) {
    const struct tokens *t = &v->t;
    if (!token_is(t, v->begin, "__shared__"))
        return false;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "[") || !token_is_name(t, i + 1) || !token_is(t, i + 2, "]"))
            continue;
        for (int k = 1; k < i; k++) {
            if (!tokens_equal(&t->of[k], &t->of[i + 1]) || !token_is(t, k - 1, "int") ||
                declared_with(t, k, "const") || declared_with(t, k, "constexpr") ||
                declared_with(t, k, "template"))
                continue;
            text_addf(v->to,
                      "The compiler must know how large an array in shared memory is, and %.*s is "
                      "a variable. Use a constant, such as #define TILE 32.",
                      SAY(v, i + 1));
            return true;
        }
    }
    return false;
}

/* threadidx for threadIdx: the same letters, small and capital ones exchanged, or an underscore
 * forgotten. */
static bool nearly(const struct tokens *t, int i, const char *word) {
    const char *bare = word + strspn(word, "_");
    const char *typed = t->of[i].text;
    size_t n = t->of[i].length;
    while (n > 0 && *typed == '_') {
        typed++;
        n--;
    }
    return !token_is(t, i, word) && n == strlen(bare) && strncasecmp(typed, bare, n) == 0;
}

static bool misspelt(struct view *v) {
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
                                        "dim3",
                                        "cublasSgemm",
                                        "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost",
                                        "CUDA_CHECK",
                                        "CUDA_CHECK_LAUNCH",
                                        "CUBLAS_CHECK",
                                        "CUBLAS_OP_N",
                                        "CUBLAS_OP_T"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; token_is_name(t, i) && k < sizeof words / sizeof *words; k++) {
            if (!nearly(t, i, words[k]) || declared_anywhere(t, i))
                continue;
            text_addf(v->to,
                      "%.*s is not known to the compiler: it is written %s. Capital and small "
                      "letters differ, and so does each underscore.",
                      SAY(v, i), words[k]);
            return true;
        }
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
static bool index_without_member(struct view *v) {
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            const bool computed = is_operator(t, i - 1) || is_operator(t, i + 1);
            if (!token_is(t, i, words[k]) || token_is(t, i + 1, ".") || !computed)
                continue;
            text_addf(v->to, "%s is three numbers, not one: write %s.x, %s.y or %s.z.", words[k],
                      words[k], words[k], words[k]);
            return true;
        }
    }
    return false;
}

/* Commas where a for loop has semicolons. */
static bool for_with_commas(struct view *v) {
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

/* More { than }, or the other way. */
static bool braces(struct view *v) {
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
        text_addf(v->to, "The } in line %d closes nothing: there is no open { in front of it.",
                  t->of[below].line);
        return true;
    }
    if (depth == 1)
        text_add(v->to, "A { is never closed");
    else
        text_addf(v->to, "%d { are never closed", depth);
    text_addf(v->to, ": look for a missing } in front of line %d.", v->e->line);
    return true;
}

/* A statement that ends with its line, and without a semicolon. */
static bool semicolon_missing(struct view *v) {
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
static bool brackets(struct view *v) {
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

/* #include of a file that was not handed in. */
static bool include_missing(struct view *v) {
    const char *line = v->e->source;
    for (int n = 1; n < v->e->line && line; n++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        return false;
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return false;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '"' && *line != '<')
        return false;
    line++;
    text_add_clean_line(v->to, line, strcspn(line, "\">\n"), 80);
    text_add(v->to, " is not there: this one file is all that is handed in. It may include lab.h, "
                    "cuda_check.h and the headers of C, C++ and CUDA.");
    return true;
}

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

/* A variable that is declared nowhere, or only in a block that ended before. */
static bool not_declared(struct view *v) {
    const struct tokens *t = &v->t;
    const struct token *name = v->at < t->count ? &t->of[v->at] : NULL;
    if (!name || name->kind != TOKEN_NAME || name->line != v->e->line ||
        name->column != v->e->column || token_is(t, v->at + 1, "(") ||
        token_is(t, v->at - 1, ".") || token_is(t, v->at - 1, "->") ||
        token_is(t, v->at - 1, "::") || token_is_name(t, v->at + 1) ||
        declared_macro(v->e->source, name))
        return false;
    const int around = declared_around(t, v->at);
    int known = -1;
    for (int i = 0; i < t->count; i++) {
        if (!tokens_equal(&t->of[i], name))
            continue;
        /* In "int x, y" y is declared, too: then nothing can be said. */
        if (!declares_name(t, i) && token_is(t, i - 1, ",") && !token_is(t, i + 1, ")"))
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
    if (known >= 0)
        text_addf(v->to,
                  "%.*s is declared in line %d, inside of a block or loop that ends in line %d, "
                  "and is not known after it. Declare it in front of that block.",
                  SAY(v, v->at), t->of[known].line, t->of[scope_end(t, known)].line);
    else if (!declared_anywhere(t, v->at))
        text_addf(v->to,
                  "%.*s is used here, and declared nowhere in this file. Put its type in front of "
                  "the first use, or compare how it is spelt.",
                  SAY(v, v->at));
    return known >= 0 || !declared_anywhere(t, v->at);
}

/* The name is that of the mistake in handouts/causes.tsv, which has a section for some. */
static const struct {
    const char *name;
    bool (*holds)(struct view *v);
} rules[] = {
    {"include-missing", include_missing},
    {"semicolon-missing", semicolon_missing},
    {"brackets", brackets},
    {"braces", braces},
    {"for-with-commas", for_with_commas},
    {"two-indices", two_indices},
    {"cublas-arguments", cublas_arguments},
    {"malloc-value", malloc_value},
    {"launches-no-kernel", launches_no_kernel},
    {"calls-kernel", calls_kernel},
    {"launch-arguments", launch_arguments},
    {"kernel-returns", kernel_returns},
    {"stores-into-const", stores_into_const},
    {"shared-size", shared_size},
    {"misspelt", misspelt},
    {"index-without-member", index_without_member},
    {"not-declared", not_declared},
    {"calls-host-function", calls_host_function},
};

const char *compile_cause(const struct compile_error *e, struct text *to) {
    struct view v = {.e = e, .t = tokens_read(e->source), .to = to};
    while (v.at < v.t.count && (v.t.of[v.at].line < e->line ||
                                (v.t.of[v.at].line == e->line && e->column > 0 &&
                                 v.t.of[v.at].column + (int)v.t.of[v.at].length <= e->column)))
        v.at++;
    v.begin = token_statement(&v.t, v.at);
    v.end = token_statement_end(&v.t, v.at);
    const char *known = NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !known; i++)
        known = rules[i].holds(&v) ? rules[i].name : NULL;
    tokens_free(&v.t);
    return known;
}
