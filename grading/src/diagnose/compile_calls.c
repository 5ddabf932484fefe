/*
 * compile_calls.c: rules about calls and launches: how many arguments, and of which types (see
 * compile_rules.h).
 */
#include "grading/src/diagnose/compile_rules.h"

#include <string.h>

int compile_arguments(const struct tokens *t, int open, int first[ARGUMENTS + 1]) {
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

/* Does argument `a` consist of this one token? */
static bool is_single(const int first[ARGUMENTS + 1], int a) {
    return first[a + 1] == first[a] + 2;
}

/* Is this call on the line that the compiler names, and where it points if it tells that? */
static bool is_meant(const struct view *v, int call) {
    return v->t.of[call].line == v->e->line &&
           (!compile_points(v) || call == v->at || token_in_call(&v->t, v->at) ||
            token_is(&v->t, v->at + 1, "("));
}

/* ---- Functions of CUDA and of cuBLAS ---- */

static const struct {
    const char *name;
    int arguments;
    const char *are;
} api[] = {
    {"cudaMalloc", 2, "the address of a pointer, and how many bytes"},
    {"cudaMemcpy", 4,
     "where to, where from, how many bytes, and the direction (cudaMemcpyHostToDevice or "
     "cudaMemcpyDeviceToHost)"},
    {"cudaMemset", 3, "where, the value of each byte, and how many bytes"},
    {"cudaFree", 1, "the pointer that cudaMalloc has set"},
    {"cudaDeviceSynchronize", 0, ""},
    {"cudaGetLastError", 0, ""},
    {"CUDA_CHECK_LAUNCH", 0, ""},
    {"CUDA_CHECK", 1, "the call that is checked"},
    {"CUBLAS_CHECK", 1, "the call that is checked"},
    {"cublasCreate", 1, "the address of a handle"},
    {"cublasDestroy", 1, "the handle"},
};

bool compile_api_arguments(struct view *v) {
    const struct tokens *t = &v->t;
    int first[ARGUMENTS + 1];
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; k < sizeof api / sizeof *api; k++) {
            if (!token_is(t, i, api[k].name) || !token_is(t, i + 1, "(") || !is_meant(v, i))
                continue;
            const int given = compile_arguments(t, i + 1, first);
            if (given == api[k].arguments || token_closing(t, i + 1) >= t->count)
                continue;
            text_addf(v->to, "%s takes %d argument%s%s%s. This call has %d.", api[k].name,
                      api[k].arguments, api[k].arguments == 1 ? "" : "s",
                      api[k].arguments > 0 ? ": " : "", api[k].are, given);
            return true;
        }
    }
    return false;
}

/* cudaMalloc((void *)&dA, bytes) */
bool compile_void_pointer(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "cudaMalloc") || !token_is(t, i + 1, "(") || !token_is(t, i + 2, "("))
            continue;
        const int close = token_closing(t, i + 2);
        int stars = 0;
        for (int k = i + 3; k < close && k < v->end; k++)
            stars += token_is(t, k, "*");
        if (stars == 2 && token_is(t, close + 1, "&"))
            continue;
        const int name = token_is(t, close + 1, "&") ? close + 2 : close + 1;
        if (!token_is_name(t, name))
            continue;
        text_addf(v->to,
                  "The first argument of cudaMalloc is the address of your pointer, as a void ** "
                  "with two stars: cudaMalloc((void **)&%.*s, ...), or without any cast "
                  "cudaMalloc(&%.*s, ...).",
                  SAY(v, name), SAY(v, name));
        return true;
    }
    return false;
}

/* cudaMemcpy(dA, ...) where dA is a const float *. */
bool compile_const_target(struct view *v) {
    static const char *const writers[] = {"cudaMemcpy", "cudaMemset", "cudaFree", "memcpy",
                                          "memset"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; k < sizeof writers / sizeof *writers; k++) {
            bool constant;
            if (!token_is(t, i, writers[k]) || !token_is(t, i + 1, "(") || !is_meant(v, i) ||
                !token_is_name(t, i + 2) || !(token_is(t, i + 3, ",") || token_is(t, i + 3, ")")) ||
                !declared_pointer(t, &t->of[i + 2], &constant) || !constant)
                continue;
            text_addf(v->to,
                      "%s changes what %.*s points to, and %.*s is declared const float *. A "
                      "pointer to memory that your program fills is a float *, without const; A "
                      "and B belong to the caller and stay as they are.",
                      writers[k], SAY(v, i + 2), SAY(v, i + 2));
            return true;
        }
    }
    return false;
}

/* cublasCreate(handle), cublasDestroy(&handle) */
bool compile_handle_address(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        const bool address = token_is(t, i + 2, "&");
        if (token_is(t, i, "cublasCreate") && token_is_name(t, i + 2) && token_is(t, i + 3, ")"))
            text_addf(v->to,
                      "cublasCreate stores a new handle into your variable, so it needs its "
                      "address: cublasCreate(&%.*s).",
                      SAY(v, i + 2));
        else if (token_is(t, i, "cublasDestroy") && address && token_is_name(t, i + 3))
            text_addf(v->to,
                      "cublasDestroy takes the handle itself, not its address: "
                      "cublasDestroy(%.*s).",
                      SAY(v, i + 3));
        else if (token_is(t, i, "cublasSgemm") && address && token_is_name(t, i + 3))
            text_addf(v->to,
                      "cublasSgemm takes the handle itself, not its address: cublasSgemm(%.*s, "
                      "...).",
                      SAY(v, i + 3));
        else
            continue;
        return true;
    }
    return false;
}

/* CUDA_CHECK(cublasCreate(...)) */
bool compile_checks_wrong_kind(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        const bool cuda = token_is(t, i, "CUDA_CHECK");
        const struct token *call = token_is(t, i + 1, "(") ? &t->of[i + 2] : NULL;
        if (!cuda || !call || i + 2 >= v->end || call->length < 7 ||
            memcmp(call->text, "cublas", 6) != 0)
            continue;
        text_addf(v->to,
                  "%.*s is a function of cuBLAS, whose status type differs from CUDA's: check it "
                  "with CUBLAS_CHECK( ... ).",
                  SAY(v, i + 2));
        return true;
    }
    return false;
}

/* ---- cublasSgemm ---- */

/* Behind "&" the name of a number that is no float: its type; else NULL. */
static const char *scalar_type(const struct tokens *t, int name) {
    static const char *const types[] = {"double", "int", "long", "unsigned"};
    for (int i = 1; i < t->count; i++)
        for (size_t k = 0; tokens_equal(&t->of[i], &t->of[name]) && k < 4; k++)
            if (token_is(t, i - 1, types[k]))
                return types[k];
    return NULL;
}

static bool say_scalar(struct view *v, const int first[ARGUMENTS + 1], int a) {
    const struct tokens *t = &v->t;
    const char *what = a == 6 ? "alpha" : "beta";
    const int i = first[a];
    if (token_is(t, i, "&") && t->of[i + 1].kind == TOKEN_NUMBER) {
        text_addf(v->to,
                  "A plain number has no address: declare const float %s = %.*s, and pass &%s.",
                  what, SAY(v, i + 1), what);
        return true;
    }
    const char *type =
        token_is(t, i, "&") && token_is_name(t, i + 1) ? scalar_type(t, i + 1) : NULL;
    if (type)
        text_addf(v->to,
                  "cublasSgemm reads %s as a float, and %.*s is declared %s: declare it const "
                  "float %.*s.",
                  what, SAY(v, i + 1), type, SAY(v, i + 1));
    return type != NULL;
}

static bool say_operation(struct view *v, int i) {
    if (v->t.of[i].kind != TOKEN_TEXT && v->t.of[i].kind != TOKEN_NUMBER)
        return false;
    text_addf(v->to,
              "CUBLAS_OP_N (as it is) or CUBLAS_OP_T (transposed) says what to do with an operand, "
              "not %.*s.",
              SAY(v, i));
    return true;
}

static bool say_matrix(struct view *v, const int first[ARGUMENTS + 1], int a) {
    const struct tokens *t = &v->t;
    const int i = first[a];
    bool constant;
    if (token_is(t, i, "*") && token_is_name(t, i + 1)) {
        text_addf(v->to,
                  "*%.*s is one number, the first of the matrix. cuBLAS takes the pointer: %.*s.",
                  SAY(v, i + 1), SAY(v, i + 1));
        return true;
    }
    if (a != 12 || !is_single(first, a) || !declared_pointer(t, &t->of[i], &constant) || !constant)
        return false;
    text_addf(v->to,
              "The last matrix of cublasSgemm is the one that it writes, and %.*s is declared "
              "const: the result goes into C.",
              SAY(v, i));
    return true;
}

/* cublasSgemm with all its arguments, and one of the wrong type; or another type's function. */
bool compile_cublas_types(struct view *v) {
    enum { GEMM_ARGUMENTS = 14 };
    static const char *const others[] = {"cublasDgemm", "cublasHgemm", "cublasCgemm",
                                         "cublasZgemm"};
    const struct tokens *t = &v->t;
    int first[ARGUMENTS + 1];
    for (int i = v->begin; i < v->end; i++) {
        for (size_t k = 0; k < 4; k++) {
            if (!token_is(t, i, others[k]))
                continue;
            text_addf(v->to,
                      "%s multiplies numbers of another type. Multiply float matrices with "
                      "cublasSgemm: S for single precision.",
                      others[k]);
            return true;
        }
        if (!token_is(t, i, "cublasSgemm") ||
            compile_arguments(t, i + 1, first) != GEMM_ARGUMENTS || !is_meant(v, i))
            continue;
        if (say_operation(v, first[1]) || say_operation(v, first[2]) || say_scalar(v, first, 6) ||
            say_scalar(v, first, 11) || say_matrix(v, first, 7) || say_matrix(v, first, 9) ||
            say_matrix(v, first, 12))
            return true;
    }
    return false;
}

/* ---- Launches ---- */

/* CUDA_CHECK(multiply<<<grid, block>>>(...)) */
bool compile_checked_launch(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        const int close = token_is(t, i, "CUDA_CHECK") ? token_closing(t, i + 1) : 0;
        for (int k = i + 2; k < close && k < v->end; k++) {
            if (!token_is(t, k, "<<<"))
                continue;
            text_add(v->to, "CUDA_CHECK looks at the code that a call returns, and a launch "
                            "returns none. Launch the kernel in a line of its own, and write "
                            "CUDA_CHECK_LAUNCH(); behind it.");
            return true;
        }
    }
    return false;
}

/* Where this name is declared within the function around it, as a variable that the program sets
 * while it runs; -1: it is none. */
static int set_at_run_time(const struct tokens *t, int i) {
    const int around = declared_around(t, i);
    for (int k = around < 0 ? i : around; k < i; k++)
        if (tokens_equal(&t->of[k], &t->of[i]) && declares_name(t, k))
            return declared_with(t, k, "const") || declared_with(t, k, "constexpr") ? -1 : k;
    return -1;
}

/* multiply<wide><<<grid, block>>>(...), where wide is a variable. */
bool compile_template_argument(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        const int f = token_is(t, i + 1, "<") ? declared_function(t, &t->of[i]) : -1;
        if (f < 0 || !declared_with(t, f, "template"))
            continue;
        for (int k = i + 2; k < v->end && !token_is(t, k, ">") && !token_is(t, k, ";"); k++) {
            const int at = token_is_name(t, k) ? set_at_run_time(t, k) : -1;
            if (at < 0)
                continue;
            text_addf(v->to,
                      "%.*s is a variable, whose value is known only while the program runs. What "
                      "stands in the angle brackets of a template must be known when it is "
                      "compiled: write a call for each value, such as ",
                      SAY(v, k));
            if (declared_with(t, at, "bool"))
                text_addf(v->to, "if (%.*s) %.*s<true> ... else %.*s<false> ...", SAY(v, k),
                          SAY(v, i), SAY(v, i));
            else
                text_addf(v->to, "if (%.*s == 16) %.*s<16> ... else %.*s<32> ...", SAY(v, k),
                          SAY(v, i), SAY(v, i));
            return true;
        }
    }
    return false;
}

/* kernel<<<grid>>>(...) */
bool compile_launch_sizes(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "<<<"))
            continue;
        int commas = 0, depth = 0, k = i + 1;
        for (; k < v->end && !token_is(t, k, ">>>"); k++) {
            depth += token_is(t, k, "(") - token_is(t, k, ")");
            commas += depth == 0 && token_is(t, k, ",");
        }
        if (!token_is(t, k, ">>>") || commas > 0)
            continue;
        text_add(v->to, "<<<grid, block>>> takes two sizes, the number of blocks and the number of "
                        "threads in each. One is missing here.");
        return true;
    }
    return false;
}

/* dim3 block[16, 16]; */
bool compile_dim3_brackets(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is(t, i, "dim3") || !token_is_name(t, i + 1) || !token_is(t, i + 2, "["))
            continue;
        text_addf(v->to,
                  "[ ] makes an array. The sizes of a dim3 go in parentheses: dim3 %.*s(x, y).",
                  SAY(v, i + 1));
        return true;
    }
    return false;
}

/* __shared__ float sum = 0; */
bool compile_shared_value(struct view *v) {
    const struct tokens *t = &v->t;
    bool shared = false;
    for (int i = v->begin; i < v->end; i++) {
        shared = shared || token_is(t, i, "__shared__");
        if (!shared || !token_is(t, i, "="))
            continue;
        text_add(v->to, "A variable in shared memory belongs to the whole block and cannot be "
                        "given a value where it is declared. Declare it without one, store the "
                        "value in a separate line, and wait with __syncthreads(). One thread's sum "
                        "should not be a shared variable.");
        return true;
    }
    return false;
}

/* ---- Pointers ---- */

/* float *T = malloc(...) */
bool compile_malloc_cast(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin + 1; i < v->end; i++) {
        if (!token_is(t, i, "=") || !(token_is(t, i + 1, "malloc") || token_is(t, i + 1, "calloc")))
            continue;
        text_addf(
            v->to,
            "Your file is compiled as C++, where the void * that %.*s returns needs a cast: (float "
            "*)%.*s(...).",
            SAY(v, i + 1), SAY(v, i + 1));
        return true;
    }
    return false;
}

/* C = sum; */
bool compile_stores_into_pointer(struct view *v) {
    const struct tokens *t = &v->t;
    const int i = v->begin;
    bool constant;
    if (!token_is_name(t, i) || !(token_is(t, i + 1, "=") || token_is(t, i + 1, "+=")) ||
        !declared_pointer(t, &t->of[i], &constant) || declared_function(t, &t->of[i]) >= 0 ||
        !(i + 3 == v->end && ((t->of[i + 2].kind == TOKEN_NUMBER && !token_is(t, i + 2, "0")) ||
                              (token_is_name(t, i + 2) && declared_number(t, &t->of[i + 2])))))
        return false;
    text_addf(v->to,
              "%.*s is a pointer to the whole matrix; store a number into one of its elements: "
              "%.*s[row * n + col] = ...",
              SAY(v, i), SAY(v, i));
    return true;
}

/* ---- Functions of the file itself ---- */

/* The ( of the arguments of a call or launch of a function of this file, at token i; and that
 * function in *f. -1: there is none. */
static int own_call(const struct view *v, int i, int *f) {
    const struct tokens *t = &v->t;
    bool body;
    if (!token_is_name(t, i) || t->of[i].line != v->e->line || declares_function(t, i, &body))
        return -1;
    *f = declared_function(t, &t->of[i]);
    int open = i + 1;
    if (token_is(t, open, "<<<"))
        while (open < v->end && !token_is(t, open - 1, ">>>"))
            open++;
    return *f >= 0 && token_is(t, open, "(") && token_closing(t, open) < t->count ? open : -1;
}

/* How many functions of this name there are: of several, anyone may be meant. */
static int namesakes(const struct tokens *t, const struct token *name) {
    int n = 0;
    bool body;
    for (int i = 0; i < t->count; i++)
        n += tokens_equal(&t->of[i], name) && declares_function(t, i, &body) && body;
    return n;
}

/* A parameter of the template in front of function f that no argument of a call can tell, since no
 * parameter of f names it; -1: there is none. What has a default is not asked for. */
static int untold_parameter(const struct tokens *t, int f) {
    int k = token_statement(t, f);
    while (k < f && !token_is(t, k, "template"))
        k++;
    int name = -1;
    bool given = false;
    for (k += 2; k < f; k++) {
        if (!token_is(t, k, ",") && !token_is(t, k, ">")) {
            given = given || token_is(t, k, "=") || token_is(t, k, "...");
            name = token_is_name(t, k) && !given ? k : name;
            continue;
        }
        bool told = given || name < 0;
        for (int i = f + 1; i < token_closing(t, f + 1); i++)
            told = told || tokens_equal(&t->of[i], &t->of[name]);
        if (!told)
            return name;
        if (token_is(t, k, ">"))
            return -1;
        name = -1, given = false;
    }
    return -1;
}

/* load4(row, col), where template <bool QUADS> stands in front of load4. */
bool compile_template_missing(struct view *v) {
    const struct tokens *t = &v->t;
    for (int i = v->begin, f; i < v->end; i++) {
        if (own_call(v, i, &f) < 0 || namesakes(t, &t->of[i]) > 1)
            continue;
        const int told = untold_parameter(t, f), around = declared_around(t, i);
        if (told < 0)
            continue;
        bool same = false; /* the function around the call has a parameter of that name, too */
        for (int k = around < 0 ? 0 : token_statement(t, around); k < around; k++)
            same = same || tokens_equal(&t->of[k], &t->of[told]);
        text_addf(v->to,
                  "%.*s is a template (line %d), and its arguments do not tell %.*s. Say it in "
                  "angle brackets between the name and what follows: %.*s<",
                  SAY(v, i), t->of[f].line, SAY(v, told), SAY(v, i));
        if (same)
            text_addf(v->to, "%.*s>", SAY(v, told));
        else
            text_addf(v->to, "%s>",
                      token_is(t, told - 1, "bool")  ? "true"
                      : token_is(t, told - 1, "int") ? "16"
                                                     : "float");
        return true;
    }
    return false;
}

bool compile_call_arguments(struct view *v) {
    const struct tokens *t = &v->t;
    int first[ARGUMENTS + 1], f;
    for (int i = v->begin; i < v->end; i++) {
        const int open = own_call(v, i, &f);
        if (open < 0 || namesakes(t, &t->of[i]) > 1)
            continue;
        bool defaults = false;
        for (int k = f; k < token_closing(t, f + 1); k++)
            defaults = defaults || token_is(t, k, "=") || token_is(t, k, "...");
        const int given = compile_arguments(t, open, first),
                  wanted = compile_arguments(t, f + 1, first);
        if (given == wanted || defaults)
            continue;
        text_addf(v->to, "%.*s has %d parameter%s (line %d), and this call passes %d.", SAY(v, i),
                  wanted, wanted == 1 ? "" : "s", t->of[f].line, given);
        return true;
    }
    return false;
}

/* Is the parameter that begins at token `i` a pointer? Its end is `end`. */
static bool pointer_parameter(const struct tokens *t, int i, int end) {
    for (; i < end; i++)
        if (token_is(t, i, "*") || token_is(t, i, "["))
            return true;
    return false;
}

/* How many arguments the call at token i has, of the one function of its name, which takes as many:
 * where each begins, and its parameter. 0: it is no such call. */
static int paired_arguments(const struct view *v, int i, int *f, int given[], int taken[]) {
    const int open = own_call(v, i, f);
    if (open < 0 || namesakes(&v->t, &v->t.of[i]) > 1)
        return 0;
    const int n = compile_arguments(&v->t, open, given);
    return n == compile_arguments(&v->t, *f + 1, taken) ? n : 0;
}

/* A pointer where the function takes a number, or the other way. */
bool compile_argument_order(struct view *v) {
    const struct tokens *t = &v->t;
    int given[ARGUMENTS + 1] = {0}, taken[ARGUMENTS + 1] = {0}, f;
    for (int i = v->begin; i < v->end; i++) {
        const int n = paired_arguments(v, i, &f, given, taken);
        for (int a = 0; a < n; a++) {
            bool constant;
            if (!is_single(given, a) || !token_is_name(t, given[a]))
                continue;
            const bool pointer = declared_pointer(t, &t->of[given[a]], &constant),
                       wants = pointer_parameter(t, taken[a], taken[a + 1] - 1);
            if (pointer == wants || (!pointer && !token_is(t, given[a], "m") &&
                                     !token_is(t, given[a], "n") && !token_is(t, given[a], "k")))
                continue;
            text_addf(v->to,
                      "Argument %d of %.*s is a %s, and the function takes a %s there (line %d). "
                      "The arguments must be in the order of the parameters.",
                      a + 1, SAY(v, i), pointer ? "pointer" : "number",
                      wants ? "pointer" : "number", t->of[f].line);
            return true;
        }
    }
    return false;
}

/* How many stars, and whether a &, stand in the parameter from token `i` to `end`. */
static int stars_of(const struct tokens *t, int i, int end, bool *reference) {
    int stars = 0;
    *reference = false;
    for (; i < end; i++) {
        stars += token_is(t, i, "*");
        *reference = *reference || token_is(t, i, "&");
    }
    return stars;
}

/* Is the name declared as NAME[...][...] somewhere before token `at`? */
static bool is_matrix_array(const struct tokens *t, int at, const struct token *name) {
    for (int i = 1; i < at; i++)
        if (tokens_equal(&t->of[i], name) && declares_name(t, i) && token_is(t, i + 1, "[") &&
            token_is(t, token_closing(t, i + 1) + 1, "["))
            return true;
    return false;
}

/* split(x, &big) where big is a reference; add(sum) where sum[8][8] meets a float **. */
bool compile_argument_kind(struct view *v) {
    const struct tokens *t = &v->t;
    int given[ARGUMENTS + 1] = {0}, taken[ARGUMENTS + 1] = {0}, f;
    for (int i = v->begin; i < v->end; i++) {
        const int n = paired_arguments(v, i, &f, given, taken);
        for (int a = 0; a < n; a++) {
            bool reference;
            const int stars = stars_of(t, taken[a], taken[a + 1] - 1, &reference);
            if (reference && stars == 0 && token_is(t, given[a], "&")) {
                text_addf(v->to,
                          "Parameter %d of %.*s is a reference (line %d): it takes the variable "
                          "itself, and this call passes its address. Leave out the & here.",
                          a + 1, SAY(v, i), t->of[f].line);
                return true;
            }
            if (stars == 2 && is_single(given, a) && is_matrix_array(t, i, &t->of[given[a]])) {
                text_addf(
                    v->to,
                    "%.*s is an array of arrays, and parameter %d of %.*s, with two stars, "
                    "takes a pointer to pointers (line %d): that is something else. Declare "
                    "the parameter as the array, such as float (&%.*s)[8][8], with its sizes.",
                    SAY(v, given[a]), a + 1, SAY(v, i), t->of[f].line, SAY(v, given[a]));
                return true;
            }
        }
    }
    return false;
}

/* quad[i], where quad is a float4. */
bool compile_vector_index(struct view *v) {
    static const char *const types[] = {"float4", "float2", "float3", "int4", "int2"};
    const struct tokens *t = &v->t;
    for (int i = v->begin; i < v->end; i++) {
        if (!token_is_name(t, i) || !token_is(t, i + 1, "[") || token_is(t, i - 1, "."))
            continue;
        for (int k = 1; k < i; k++)
            for (size_t w = 0; w < sizeof types / sizeof *types; w++) {
                if (!tokens_equal(&t->of[k], &t->of[i]) || !token_is(t, k - 1, types[w]) ||
                    token_is(t, k + 1, "["))
                    continue;
                text_addf(v->to,
                          "%.*s is a %s, which has members and takes no index: %.*s.x, %.*s.y and "
                          "so on, one after the other.",
                          SAY(v, i), types[w], SAY(v, i), SAY(v, i));
                return true;
            }
    }
    return false;
}
