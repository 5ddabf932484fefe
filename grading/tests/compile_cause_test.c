/* compile_cause_test.c: everyday compile errors get their sentence, and other errors none.
 *
 * A program stands here with a mark, @, where the compiler points. */
#include "common/tests/suite.h"
#include "grading/src/diagnose/compile_cause.h"
#include "grading/src/diagnose/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_HEAD "__global__ void multiply(int m, int n, const float *A, float *C) {\n"
#define HOST_HEAD   "void matmul_device(int m, int n, const float *A, float *C) {\n"

static const struct {
    const char *source;
    const char *says; /* a part of the sentence; NULL: nothing may be said */
    const char *name;
} mistakes[] = {
    {KERNEL_HEAD "    C[m]@[n] = 1;\n}\n", "C points to numbers", "two-indices"},
    {"void f(float * __restrict__ C) { C[1]@[2] = 0; }\n", "C points to numbers", NULL},
    {"void f(float C[4][4]) { C[1][2] = @x; }\n", "x is used here", NULL},
    {"void f(float (*C)[4]) { C[1][2] = g@; }\n", NULL, NULL},
    {"void f(float **C) { C[1][2] = g@; }\n", NULL, NULL},
    {"__shared__ float As[16][16];\nvoid f(int i) { As[i][i] = g(@); }\n", NULL, NULL},
    /* cuBLAS */
    {"void f() { @cublasSgemm(h, a, b, m, n, k, 1.0f, A, k, B, n, 0.0f, C, n); }\n",
     "address of alpha", "cublas-arguments"},
    {"void f() { float beta = 0; @cublasSgemm(h, a, b, m, n, k, &one, A, k, B, n, beta, C, n); }\n",
     "address of beta", NULL},
    {"void f() { CHECK(@cublasSgemm(h, a, m, n, k, &one, A, k, B, n, &zero, C, n)); }\n",
     "takes 14 arguments, and this call has 13", NULL},
    {"void f() { @cublasSgemm(h, a, b, m, n, k, &one, A, k, B, n, &zero, C, n); }\n", NULL, NULL},
    {"void f() { float *dA; @cudaMalloc(dA, 4); }\n", "cudaMalloc(&dA", "malloc-value"},
    {"void f() { float *dA; @cudaMalloc(&dA, 4); }\n", NULL, NULL},
    /* Kernels and launches */
    {"void multiply(int m) {\n}\n" HOST_HEAD "    multiply<<<1, 2>>>@(m);\n}\n",
     "write __global__ in front of it (line 1)", "launches-no-kernel"},
    {KERNEL_HEAD "}\n" HOST_HEAD "    @mulitply<<<1, 2>>>(m, n, A, C);\n}\n",
     "no kernel named mulitply", NULL},
    {KERNEL_HEAD "}\n" HOST_HEAD "    multiply@(m, n, A, C);\n}\n", "three angle brackets", NULL},
    {KERNEL_HEAD "}\n" HOST_HEAD "    multiply@<<grid, block>>(m, n, A, C);\n}\n",
     "three angle brackets", NULL},
    {KERNEL_HEAD "}\n" HOST_HEAD "    multiply<<<1, 2>>>(m, A, C@);\n}\n",
     "has 4 parameters (line 1), and this launch passes 3", "launch-arguments"},
    {KERNEL_HEAD "}\n" HOST_HEAD "    multiply<<<1, 2>>>(m, n, @(char *)A, C);\n}\n", NULL, NULL},
    {"template <int T> __global__ void k(int m) {}\n" HOST_HEAD "    k<16><<<1, 2>>>(@m);\n}\n",
     NULL, NULL},
    {"__global__ float @multiply(int m) {\n}\n", "its type is void", NULL},
    {"float twice(float x) {\n    return 2 * x;\n}\n" KERNEL_HEAD "    C[0] = @twice(A[0]);\n}\n",
     "write __device__ in front of it (line 1)", NULL},
    {"__device__ float twice(float x) {\n}\n" KERNEL_HEAD "    C[0] = @twice(A[0]);\n}\n", NULL,
     NULL},
    {KERNEL_HEAD "    A[m] @= 1;\n}\n", "A is an input", NULL},
    {KERNEL_HEAD "    C[m] @= A[m];\n}\n", NULL, NULL},
    {KERNEL_HEAD "    __shared__ float As[@n][n];\n}\n", "n is a variable", "shared-size"},
    {"const int n = 4;\n__global__ void k() {\n    __shared__ float As[@n][n];\n}\n", NULL, NULL},
    {"template <int n> __global__ void k() {\n    __shared__ float As[@n][n];\n}\n", NULL, NULL},
    /* Names */
    {KERNEL_HEAD "    int row = @threadidx.x;\n}\n", "written threadIdx", NULL},
    {KERNEL_HEAD "    int griddim = 4, x = griddim +@;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    @_syncthreads();\n}\n", "written __syncthreads", NULL},
    {KERNEL_HEAD "    int row = 16 * m + @threadIdx;\n}\n", "threadIdx.x, threadIdx.y", NULL},
    {KERNEL_HEAD "    @sum += A[m];\n}\n", "sum is used here, and declared nowhere", NULL},
    {KERNEL_HEAD "    if (m) {\n        float sum = 0;\n    }\n    C[m] = @sum;\n}\n",
     "sum is declared in line 3, inside of a block or loop that ends in line 4", NULL},
    {KERNEL_HEAD "    for (int p = 0; p < n; p++)\n        C[p] = 0;\n    C[@p] = 1;\n}\n",
     "p is declared in line 2, inside of a block or loop that ends in line 3", NULL},
    {KERNEL_HEAD "    int x, y;\n    C[@y] = z;\n}\n", NULL, NULL},
    {"#define TILE 16 +\n" KERNEL_HEAD "    C[@TILE] = 1;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    float sum = 0;\n    C[m] = @sum.x;\n}\n", NULL, NULL},
    /* Signs */
    {KERNEL_HEAD "    float sum = 0@\n    C[m] = sum;\n}\n", "at the end of line 2", NULL},
    {KERNEL_HEAD "    C[m] = 0@\n}\n", "at the end of line 2", NULL},
    {KERNEL_HEAD "    if (m)@\n}\n", NULL, NULL},
    {KERNEL_HEAD "    C[m] = 1 +@\n        2;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    if ((m < n) @{\n    }\n}\n", "line 2 has more ( than )", NULL},
    {KERNEL_HEAD "    for (int p = 0; p < n; p++@{\n    }\n}\n", "line 2 has more ( than )", NULL},
    {KERNEL_HEAD "    C[m @= 1;\n}\n", "more [ than ]", NULL},
    {KERNEL_HEAD "    for (int p = 0, p @< n, p++)\n        C[p] = 0;\n}\n",
     "separated by semicolons", NULL},
    {KERNEL_HEAD "    if (m) {\n        C[m] = 0;\n}\n" HOST_HEAD "}\n@", "A { is never closed",
     NULL},
    {KERNEL_HEAD "}\n}@\n", "The } in line 3 closes nothing", NULL},
    {"#if X\n" KERNEL_HEAD "#else\n" KERNEL_HEAD "#endif\n    C[m] = g@(1);\n}\n", NULL, NULL},
    {"#include \"lab.h\"\n#include @\"matmul.h\"\n", "matmul.h is not there", NULL},
    /* What stands in comments and texts is no program. */
    {KERNEL_HEAD "    // C[m][n] {\n    g(\"C[1][2] {\"@, '\\'', '{');\n}\n", NULL, NULL},
    {KERNEL_HEAD "    /* { C[m][n] */ g(@1);\n}\n", NULL, NULL},
};

TEST_EACH(each_mistake, sizeof mistakes / sizeof *mistakes) {
    const char *mark = strchr(mistakes[_i].source, '@');
    ck_assert_ptr_nonnull(mark);
    char *source = strdup(mistakes[_i].source);
    const size_t place = (size_t)(mark - mistakes[_i].source);
    memmove(source + place, source + place + 1, strlen(source + place + 1) + 1);
    struct compile_error e = {.source = source, .line = 1, .column = 1};
    for (size_t i = 0; i < place; i++) {
        e.column = source[i] == '\n' ? 1 : e.column + 1;
        e.line += source[i] == '\n';
    }
    struct text t = {0};
    const char *known = compile_cause(&e, &t);
    ck_assert_msg((known != NULL) == (mistakes[_i].says != NULL), "%d: '%s' for:\n%s", _i,
                  text_get(&t), source);
    if (known)
        ck_assert_msg(strstr(text_get(&t), mistakes[_i].says) != NULL, "%d: '%s'", _i,
                      text_get(&t));
    if (mistakes[_i].name)
        ck_assert_str_eq(known, mistakes[_i].name);
    text_free(&t);
    free(source);
}

/* nvcc tells the line only, and points to the one behind a missing semicolon. */
TEST(without_a_column) {
    static const struct {
        const char *source, *says;
        int line;
    } of[] = {{KERNEL_HEAD "    C[m][n] = 1;\n}\n", "C points to numbers", 2},
              {KERNEL_HEAD "    float sum = 0\n    C[m] = sum;\n}\n", "at the end of line 2", 3},
              {KERNEL_HEAD "    int row = threadidx.x;\n}\n", "written threadIdx", 2}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct compile_error e = {of[i].source, of[i].line, 0};
        struct text t = {0};
        ck_assert_ptr_nonnull(compile_cause(&e, &t));
        ck_assert_msg(strstr(text_get(&t), of[i].says) != NULL, "%s", text_get(&t));
        text_free(&t);
    }
}

/* Any place, also one that is not there, in any text: no rule looks outside. */
TEST(every_place) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *source = strdup(mistakes[i].source); /* on the heap, where sanitizers look */
        for (int line = 0; line < 8; line++) {
            for (int column = 0; column < 80; column++) {
                const struct compile_error e = {source, line, column};
                struct text t = {0};
                ck_assert((compile_cause(&e, &t) != NULL) == (t.length > 0));
                text_free(&t);
            }
        }
        free(source);
    }
}

TEST(words_and_marks) {
    static const char *const words[] = {"a", "<<<", "1.0e-3f", ",",          "b",  ">>>",
                                        "(", ")",   ";",       "\"x;\\\"\"", "+=", "c"};
    struct tokens t =
        tokens_read("#define X \\\n  y\na<<<1.0e-3f,b>>>(); // z\n\"x;\\\"\" /* ; */ += c");
    ck_assert_int_eq(t.count, (int)(sizeof words / sizeof *words));
    for (int i = 0; i < t.count; i++) {
        ck_assert_uint_eq(t.of[i].length, strlen(words[i]));
        ck_assert_mem_eq(t.of[i].text, words[i], strlen(words[i]));
    }
    ck_assert_int_eq(t.of[0].line, 3);
    ck_assert_int_eq(t.of[1].column, 2);
    ck_assert_int_eq(t.of[11].line, 4);
    ck_assert(!token_is(&t, 9, "\"x;\\\"\"")); /* a text is no word */
    ck_assert(!token_is(&t, -1, "a") && !token_is(&t, 99, "a"));
    ck_assert_int_eq(token_closing(&t, 6), 7);
    ck_assert_int_eq(token_closing(&t, 0), t.count);
    ck_assert(!t.uneven);
    tokens_free(&t);
    t = tokens_read("#define X {\n");
    ck_assert(t.uneven);
    tokens_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "compile cause"});
}
