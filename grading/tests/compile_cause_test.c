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
    {"#include <cublas_v2.h>\n"
     "void f() { @cublasSgemm(h, a, b, m, n, k, &one, A, k, B, n, &zero, C, n); }\n",
     NULL, NULL},
    {"void f() { float *dA; @cudaMalloc(dA, 4); }\n", "cudaMalloc(&dA", "malloc-value"},
    {"void f() { float *dA; @cudaMalloc(&dA, 4); }\n", NULL, NULL},
    /* Kernels and launches */
    {"void multiply(int m) {\n}\n" HOST_HEAD "    multiply<<<1, 2>>>@(m);\n}\n",
     "write __global__ before it (line 1)", "launches-no-kernel"},
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
    {"static int @min(int a, int b) { return a < b ? a : b; }\n", "CUDA brings a function min",
     "brought-along"},
    {"float @max(float a, float b) {\n    return a > b ? a : b;\n}\n", "or give yours another name",
     NULL},
    {"static int @smaller(int a, int b) { return a < b ? a : b; }\n", NULL, NULL},
    {"void f(int a) {\n    int b = @min(a, q);\n}\n", NULL, NULL},
    {"__global__ float @multiply(int m) {\n}\n", "its type is void", NULL},
    {"float twice(float x) {\n    return 2 * x;\n}\n" KERNEL_HEAD "    C[0] = @twice(A[0]);\n}\n",
     "write __device__ before it (line 1)", NULL},
    {"__device__ float twice(float x) {\n}\n" KERNEL_HEAD "    C[0] = @twice(A[0]);\n}\n", NULL,
     NULL},
    {KERNEL_HEAD "    A[m] @= 1;\n}\n", "A is an input", NULL},
    {KERNEL_HEAD "    C[m] @= A[m];\n}\n", NULL, NULL},
    {KERNEL_HEAD "    __shared__ float As[@n][n];\n}\n", "n is a variable", "shared-size"},
    {"const int n = 4;\n__global__ void k() {\n    __shared__ float As[@n][n];\n}\n", NULL, NULL},
    {"template <int n> __global__ void k() {\n    __shared__ float As[@n][n];\n}\n", NULL, NULL},
    /* Calls of the file's own functions, and of CUDA's */
    {"static int less(int a, int b) {\n}\n" HOST_HEAD "    int c = @less(m);\n}\n",
     "less has 2 parameters (line 1), and this call passes 1", "call-arguments"},
    {"int less(int a, int b = 1) {\n}\n" HOST_HEAD "    int c = @less(m);\n}\n", NULL, NULL},
    {"int less(int a) {\n}\nint less(int a, int b) {\n}\n" HOST_HEAD "    @less();\n}\n", NULL,
     NULL},
    {KERNEL_HEAD "}\n" HOST_HEAD "    multiply<<<1, 2>>>(@A, C, m, n);\n}\n",
     "Argument 1 of multiply is a pointer, and the function takes a number", "argument-order"},
    {HOST_HEAD
     "}\nvoid g(int m, int n, float *A, float *C) {\n    @matmul_device(A, C, m, n);\n}\n",
     "Argument 1 of matmul_device", NULL},
    {"void f() { CHECK(@cudaMemcpy(d, A, 4)); }\n", "takes 4 arguments", "api-arguments"},
    {"void f() { CHECK(@cudaFree()); }\n", "This call has 0", NULL},
    {"void f() { CHECK(@cudaMemcpy(d, A, 4, x)); }\n", NULL, NULL},
    {"void f() { CHECK(@cudaMalloc((void *)&dA, 4)); }\n", "two stars", "malloc-value"},
    {"void f() { CHECK(@cudaMalloc((void **)dA, 4)); }\n", "address of your pointer", NULL},
    {"void f() { CHECK(@cudaMalloc((void **)&dA, x)); }\n", NULL, NULL},
    {"void f() { const float *dA; CHECK(@cudaMemcpy(dA, A, 4, x)); }\n", "without const",
     "const-target"},
    {"void f() { float *dA; CHECK(@cudaMemcpy(dA, A, 4, x)); }\n", NULL, NULL},
    {"void f() { @CUDA_CHECK(cublasCreate(&h)); }\n", "CUBLAS_CHECK", "checks-wrong-kind"},
    {"void f() { CHECK(@cublasCreate(h)); }\n", "cublasCreate(&h)", "handle-address"},
    {"void f() { CHECK(@cublasDestroy(&h)); }\n", "cublasDestroy(h)", NULL},
    {"#include <cublas_v2.h>\nvoid f() { CHECK(@cublasDestroy(h)); }\n", NULL, NULL},
    {KERNEL_HEAD "}\n" HOST_HEAD "    @CUDA_CHECK(multiply<<<1, 2>>>(m, n, A, C));\n}\n",
     "a launch returns none", "launch-checked"},
    {KERNEL_HEAD "}\n" HOST_HEAD "    @CUDA_CHECK(multiply<<<1, 2>>>(m, n, A, C));\n}\n",
     "CUDA_CHECK_LAUNCH()", NULL},
    {"template <bool W>\n__global__ void __launch_bounds__(128, 2)\n"
     "    wide(int m) {\n}\n" HOST_HEAD
     "    bool quads = m % 4 == 0;\n    @wide<quads><<<1, 2>>>(m);\n}\n",
     "if (quads) wide<true>", "template-argument"},
    {"template <int T> __global__ void k(int m) {\n}\n" HOST_HEAD "    @k<n><<<1, 2>>>(m);\n}\n",
     "if (n == 16) k<16>", "template-argument"},
    {"template <int T> __global__ void k(int m) {\n}\n" HOST_HEAD
     "    constexpr int n8 = 8;\n    @k<n8><<<1, 2>>>(m);\n}\n",
     NULL, NULL},
    {"template <bool W>\n__global__ void __launch_bounds__(128, 2)\n"
     "    wide(int m) {\n}\n" HOST_HEAD "    @wide<4, 5><<<1, 2>>>(m);\n}\n",
     NULL, NULL},
    {"template <bool QUADS> __device__ float load(const float *p) {\n}\n" KERNEL_HEAD
     "    float b = @load(A);\n}\n",
     "load<true>", "template-argument"},
    {"template <int BYTES, class T> __device__ void copy(T *p) {\n}\n"
     "template <int BYTES> __global__ void k(float *A) {\n    @copy(A);\n}\n",
     "copy<BYTES>", "template-argument"},
    {"template <class S> __global__ void k(int m) {\n}\n" HOST_HEAD "    @k<<<1, 2>>>(m);\n}\n",
     "k<float>", "template-argument"},
    {"template <class T, int W = 4> __device__ void copy(T *p) {\n}\n" KERNEL_HEAD
     "    @copy(A, m);\n}\n",
     "copy has 1 parameter", NULL},
    {"__device__ void split(float x, float &big) {\n}\n" KERNEL_HEAD
     "    float b;\n    @split(A[0], &b);\n}\n",
     "Leave out the & here", "argument-kind"},
    {"__device__ void split(float x, float *big) {\n}\n" KERNEL_HEAD
     "    float b;\n    @split(A[0], &b, 1);\n}\n",
     "has 2 parameters", NULL},
    {"__device__ void add(float **sum) {\n}\n" KERNEL_HEAD
     "    float sum[8][8];\n    @add(sum);\n}\n",
     "sum is an array of arrays", "argument-kind"},
    {KERNEL_HEAD "    float4 quad = q;\n    C[0] = quad@[1];\n}\n", "quad is a float4",
     "vector-index"},
    {KERNEL_HEAD "    float4 quad[2] = q;\n    C[0] = quad@[1];\n}\n", NULL, NULL},
    {"void f() { double one; @cublasSgemm(h, a, b, m, n, k, &one, A, k, B, n, &z, C, n); }\n",
     "one is declared double", "cublas-arguments"},
    {"void f() { @cublasSgemm(h, 'N', 'N', m, n, k, &one, A, k, B, n, &z, C, n); }\n",
     "CUBLAS_OP_N (as it is)", NULL},
    {"void f() { cublasSgemm(h, a, b, m, n, k, @&1.0f, A, k, B, n, &z, C, n); }\n",
     "has no address", NULL},
    {"void f() { @cublasSgemm(h, a, b, m, n, k, &one, *A, k, B, n, &z, C, n); }\n",
     "*A is one number", NULL},
    {"void f(const float *A) { @cublasSgemm(h, a, b, m, n, k, &o, C, k, B, n, &z, A, n); }\n",
     "A is declared const", NULL},
    {"void f() { @cublasDgemm(h, a, b, m, n, k, &one, A, k, B, n, &z, C, n); }\n", "cublasSgemm",
     NULL},
    {KERNEL_HEAD "}\n" HOST_HEAD "    multiply<<<grid@>>>(m, n, A, C);\n}\n", "takes two sizes",
     "launch-sizes"},
    {HOST_HEAD "    dim3 block[32@, 8];\n}\n", "go in parentheses", "dim3-brackets"},
    {KERNEL_HEAD "    __shared__ float @sum = 0.0f;\n}\n", "cannot be given a value",
     "shared-value"},
    {HOST_HEAD "    float *T @= malloc(4);\n}\n", "(float *)malloc", "malloc-cast"},
    {KERNEL_HEAD "    float sum = 0;\n    C = @sum;\n}\n", "C[row * n + col] =", NULL},
    {"__global__ void f(const float *C) {\n    C[1] @= 0;\n}\n" HOST_HEAD "}\n",
     "remove the const there", "stores-into-const"},
    /* Names */
    {KERNEL_HEAD "    int row = @threadidx.x;\n}\n", "the name is threadIdx", NULL},
    {KERNEL_HEAD "    int griddim = 4, x = griddim +@;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    @_syncthreads();\n}\n", "the name is __syncthreads", NULL},
    {KERNEL_HEAD "    int row = 16 * m + @threadIdx;\n}\n", "threadIdx.x, threadIdx.y", NULL},
    {KERNEL_HEAD "    @sum += A[m];\n}\n", "sum is used here, and declared nowhere", NULL},
    {HOST_HEAD "    @clear(C, m, n);\n}\n", "no function clear, which is called here. If",
     "not-declared"},
    {"void clear_all(float *C) {\n}\n" HOST_HEAD "    @clearall(C);\n}\n",
     "Did you mean clear_all, from line 1?", "not-declared"},
    {"#define clear(C) (*(C) = 0)\n" HOST_HEAD "    @clear(C);\n}\n", NULL, NULL},
    {HOST_HEAD "    timer.@start(m);\n}\n", NULL, NULL},
    {HOST_HEAD "    clear@(C, m, n);\n}\n", NULL, NULL},
    {KERNEL_HEAD "    if (m) {\n        float sum = 0;\n    }\n    C[m] = @sum;\n}\n",
     "sum is declared in line 3, inside a block or loop that ends in line 4", NULL},
    {KERNEL_HEAD "    for (int p = 0; p < n; p++)\n        C[p] = 0;\n    C[@p] = 1;\n}\n",
     "p is declared in line 2, inside a block or loop that ends in line 3", NULL},
    {KERNEL_HEAD "    int x, y;\n    C[@y] = z;\n}\n", NULL, NULL},
    {"#define TILE 16 +\n" KERNEL_HEAD "    C[@TILE] = 1;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    float sum = 0;\n    C[m] = @sum.x;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    int row = blockIdx.y * @blockdim.y;\n}\n", "the name is blockDim", NULL},
    {KERNEL_HEAD "    int row = @threadId.x;\n}\n", "the name is threadIdx", NULL},
    {"@_global_ void f(int m) {\n}\n", "the name is __global__", "misspelt"},
    {"#include <cublas_v2.h>\n" HOST_HEAD "    @cublasHandle h;\n}\n", "the name is cublasHandle_t",
     NULL},
    {"#define blockDim 32\n" KERNEL_HEAD "    int row = blockDim@.y;\n}\n", "another meaning",
     "macro-hides"},
    {KERNEL_HEAD "    int row = threadIdx.@X;\n}\n", "members x, y and z", "no-such-member"},
    {KERNEL_HEAD "    int row = threadIdx.x@();\n}\n", "without brackets", NULL},
    {"#include \"lab.h\"\n" HOST_HEAD "    @cublasHandle_t h;\n}\n", "#include <cublas_v2.h>",
     "header-missing"},
    {"#include <cublas_v2.h>\n" HOST_HEAD "    @cublasHandle_t h = 3;\n}\n", NULL, NULL},
    {HOST_HEAD "    @CUDA_CHECK_LAUNCH();\n}\n", "\"cuda_check.h\"", NULL},
    {"#define CUDA_CHECK(x) g(x)\n" HOST_HEAD "    @CUDA_CHECK(f());\n}\n", NULL, NULL},
    {"#include \"cuda_check.h\"\n" HOST_HEAD "    @CUDA_CHECK_KERNEL();\n}\n", "declared nowhere",
     "check-unknown"},
    {"#include \"cuda_check.h\"\n" HOST_HEAD "    @CUDA_CHECK_LAUNCH;\n}\n", "CUDA_CHECK_LAUNCH();",
     "check-bare"},
    {"#include \"cuda_check.h\"\n" HOST_HEAD "    @CUDA_CHECK;\n}\n", "CUDA_CHECK( ... );", NULL},
    {KERNEL_HEAD "    int row = @threadIdx;\n}\n", "three numbers", "index-without-member"},
    {KERNEL_HEAD "    f(threadIdx, @x);\n}\n", "x is used here", NULL},
    {KERNEL_HEAD "    @flaot sum = 0;\n}\n", "the name is float", "misspelt"},
    {KERNEL_HEAD "    @Float sum = 0;\n}\n", "the name is float", NULL},
    {KERNEL_HEAD "    int row = @blokcIdx.x;\n}\n", "the name is blockIdx", NULL},
    {"typedef float flaot;\n" KERNEL_HEAD "    flaot sum = @x;\n}\n", "x is used here", NULL},
    {HOST_HEAD "    int c = @less(m);\n}\nint less(int a) {\n}\n", "less is defined in line 4",
     "used-before"},
    {HOST_HEAD "    int @n = 4;\n}\n", "n is already a parameter of matmul_device",
     "declared-twice"},
    {HOST_HEAD "    if (m) {\n        int @n = n;\n    }\n}\n", NULL, NULL},
    {HOST_HEAD "    int x = 1;\n    int @x = 2;\n}\n", "the first is in line 2", NULL},
    {HOST_HEAD
     "    for (int i = 0; i < n; i++)\n        ;\n    for (int @i = 0, i < n;;)\n        ;\n}\n",
     NULL, NULL},
    {"@matmul_cpu(int m, float *C) {\n}\n", "void matmul_cpu(...)", "function-type"},
    {KERNEL_HEAD "    @return 0;\n}\n", "it returns no value", "returns-value"},
    {"float f(int m) {\n    @return x;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    float sum = 0;\n    C[m] = @summ;\n}\n", "Did you mean sum, from line 2?",
     NULL},
    {KERNEL_HEAD "    g(m, @WHAT, n);\n}\n", "WHAT is used here", NULL},
    {KERNEL_HEAD "    @std::less(m);\n}\n", NULL, NULL},
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
    {"#include @\xe2\x80\x9clab.h\xe2\x80\x9d\n", "Line 1 has curly", "curly-quotes"},
    {KERNEL_HEAD "    C[m] = @x; // \xe2\x80\x9cx\xe2\x80\x9d\n}\n", "x is used", "not-declared"},
    {KERNEL_HEAD "    f(@\"\xe2\x80\x9c\", x);\n}\n", NULL, NULL},
    {"#include @\"lab.h\n", "a quotation mark is missing", "quote-missing"},
    {"#include @<lab.h>\n", "lab.h is not there", "include-missing"},
    {KERNEL_HEAD "    printf(@\"%d, m);\n}\n", "a quotation mark is missing", "quote-missing"},
    {KERNEL_HEAD "    C[m] = @x; // it's one\n}\n", "x is used here", NULL},
    {KERNEL_HEAD "    C[m] = @x + 1'000;\n}\n", "x is used here", NULL},
    {KERNEL_HEAD "    g('\\'', '\"', @x);\n}\n", "x is used here", NULL},
    {KERNEL_HEAD "    As[m, n@] = 0;\n}\n", "tile[y][x]", "comma-index"},
    {KERNEL_HEAD "    As[m][f(m, n@)] = x;\n}\n", NULL, NULL},
    {HOST_HEAD "    auto f = [m, n]@(int a) { return a; };\n}\n", NULL, NULL},
    {HOST_HEAD "    dim3 block[@16, 16];\n}\n", "go in parentheses", "dim3-brackets"},
    {KERNEL_HEAD "    C[m @n] = 0;\n}\n", "There is no operator between m and n", "two-operands"},
    {KERNEL_HEAD "    unsigned @long x y;\n}\n", NULL, NULL},
    {KERNEL_HEAD "    if (m >= n) @|| (n >= m)\n        return;\n}\n", "one pair of parentheses",
     "condition-split"},
    {KERNEL_HEAD "    if (m =@> n)\n        return;\n}\n", "write >=", "no-operator"},
    {KERNEL_HEAD "    C[m] = 1;\n    @else\n        C[m] = 2;\n}\n", "belongs to no if",
     "else-alone"},
    {HOST_HEAD "    const float alpha = 1@,0f;\n}\n", "1.0f", "decimal-comma"},
    {HOST_HEAD "    const float alpha = 1@f;\n}\n", "1.0f", NULL},
    {HOST_HEAD "    size_t b = m * sizeof @float;\n}\n", "sizeof(float)", "sizeof-type"},
    {HOST_HEAD "    int less(int a) @{\n    }\n}\n", "inside matmul_device", "nested-function"},
    {"#define TILE 16;\n" KERNEL_HEAD "    C[@TILE] = 1;\n}\n", "the semicolon included",
     "macro-text"},
    {"#define TILE = 16 // side\n" KERNEL_HEAD "    C[@TILE] = 1;\n}\n", "the = sign included",
     NULL},
    {HOST_HEAD "    @/* the product\n}\n", "begins in line 2", "open-comment"},
    {HOST_HEAD "    /* a\n */ g(\"/*\"); // /* b\n    g('\"'@, /* c */ +);\n}\n", NULL, NULL},
    {"#include @lab.h\n", "quotes or angle brackets", "include-bare"},
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
              {KERNEL_HEAD "    int row = threadidx.x;\n}\n", "the name is threadIdx", 2}};
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
    return run_tests((struct suite){.name = "compile cause", .seconds = -1});
}
