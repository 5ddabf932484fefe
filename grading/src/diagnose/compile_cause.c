/*
 * compile_cause.c: see compile_cause.h.
 *
 * Each rule looks at the statement around the error, and at how the names in it are declared
 * elsewhere in the file. The first that holds counts; the surest come first.
 */
#include "grading/src/diagnose/compile_rules.h"

bool compile_points(const struct view *v) {
    return v->at < v->t.count && v->e->column > 0 && v->t.of[v->at].line == v->e->line &&
           v->t.of[v->at].column == v->e->column;
}

/* ---- Matrices, kernels and launches ---- */

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
                  "%.*s points to numbers in one long row, so %.*s[...] is one number and takes no "
                  "second index. Element (i, j) of a matrix whose rows have w elements is %.*s[i * "
                  "w + j].",
                  SAY(v, i), SAY(v, i), SAY(v, i));
        return true;
    }
    return false;
}

/* cublasSgemm(handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) */
static bool cublas_arguments(struct view *v) {
    enum { GEMM_ARGUMENTS = 14, ALPHA = 6, BETA = 11 };
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "cublasSgemm") && !token_is(t, i, "cublasSgemm_v2"))
            continue;
        int first[ARGUMENTS + 1];
        const int n = compile_arguments(t, i + 1, first);
        if (n != GEMM_ARGUMENTS && n > 0) {
            text_addf(v->to,
                      "cublasSgemm takes %d arguments, and this call has %d%s: the handle, an "
                      "operation for each operand, three sizes, alpha, two matrices each with its "
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
                      "__global__ before it (line %d) to make it a kernel.",
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
        const int given = compile_arguments(t, open + 1, first),
                  wanted = compile_arguments(t, f + 1, first);
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
                      "Its results are what it stores in memory.",
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
                  "__device__ before it (line %d).",
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
        if (declared_changeable(t, &t->of[i]))
            text_addf(v->to,
                      "%.*s is declared const in this function, so nothing may be stored in it: "
                      "remove the const there.",
                      SAY(v, i));
        else
            text_addf(v->to,
                      "%.*s is an input: it is declared const, so nothing may be stored in it. The "
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

/* The name is that of the mistake in handouts/causes.tsv, which has a section for some. */
static const struct {
    const char *name;
    compile_rule *holds;
} rules[] = {
    {"curly-quotes", compile_curly_quotes},
    {"quote-missing", compile_quote_missing},
    {"include-bare", compile_include_bare},
    {"include-missing", compile_include_missing},
    {"open-comment", compile_open_comment},
    {"macro-text", compile_macro_text},
    {"macro-hides", compile_macro_hides},
    {"semicolon-missing", compile_semicolon_missing},
    {"condition-split", compile_condition_split},
    {"no-operator", compile_no_operator},
    {"else-alone", compile_else_alone},
    {"nested-function", compile_nested_function},
    {"brackets", compile_brackets},
    {"braces", compile_braces},
    {"for-with-commas", compile_for_with_commas},
    {"decimal-comma", compile_decimal_comma},
    {"sizeof-type", compile_sizeof_type},
    {"dim3-brackets", compile_dim3_brackets},
    {"comma-index", compile_comma_index},
    {"two-operands", compile_two_operands},
    {"two-indices", two_indices},
    {"cublas-arguments", cublas_arguments},
    {"cublas-arguments", compile_cublas_types},
    {"handle-address", compile_handle_address},
    {"checks-wrong-kind", compile_checks_wrong_kind},
    {"launch-checked", compile_checked_launch},
    {"api-arguments", compile_api_arguments},
    {"template-argument", compile_template_argument},
    {"template-argument", compile_template_missing},
    {"malloc-value", malloc_value},
    {"malloc-value", compile_void_pointer},
    {"launches-no-kernel", launches_no_kernel},
    {"calls-kernel", calls_kernel},
    {"launch-sizes", compile_launch_sizes},
    {"launch-arguments", launch_arguments},
    {"kernel-returns", kernel_returns},
    {"function-type", compile_function_type},
    {"brought-along", compile_brought_along},
    {"returns-value", compile_returns_value},
    {"stores-into-const", stores_into_const},
    {"const-target", compile_const_target},
    {"shared-size", shared_size},
    {"shared-value", compile_shared_value},
    {"used-before", compile_used_before},
    {"call-arguments", compile_call_arguments},
    {"argument-order", compile_argument_order},
    {"argument-kind", compile_argument_kind},
    {"vector-index", compile_vector_index},
    {"malloc-cast", compile_malloc_cast},
    {"stores-into-pointer", compile_stores_into_pointer},
    {"declared-twice", compile_declared_twice},
    {"header-missing", compile_header_missing},
    {"misspelt", compile_misspelt},
    {"check-unknown", compile_check_unknown},
    {"check-bare", compile_check_bare},
    {"index-without-member", compile_index_without_member},
    {"no-such-member", compile_no_such_member},
    {"not-declared", compile_not_declared},
    {"calls-host-function", calls_host_function},
    {"not-declared", compile_no_such_function},
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
