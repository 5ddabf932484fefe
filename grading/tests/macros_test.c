/* macros_test.c: macros and operators that mean something else than they look like are told from
 * those that do not. The line that is told is the one with the mark @. */
#include "common/tests/suite.h"
#include "grading/src/base/text.h"
#include "grading/src/diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *source, *class, *says; /* class: NULL: nothing may be said */
} texts[] = {
    {"#define MIN(a, b) (a) < (b) ? (a) : (b)\n"
     "int f(int p, int k) {\n    @return p + MIN(8, k);\n}\n",
     "macro-falls-apart", "the macro MIN falls apart"},
    {"#define MIN(a, b) (a) < (b) ? (a) : (b)\n"
     "int f(int p, int k) {\n    return MIN(p + 8, k);\n}\n",
     NULL, NULL},
    {"#define MIN(a, b) ((a) < (b) ? (a) : (b))\nint f(int p, int k) { return p + MIN(8, k); }\n",
     NULL, NULL},
    {"#define PITCH TILE + 1\nint f(int y) {\n    @return y * PITCH;\n}\n", "macro-falls-apart",
     "TILE + 1, without brackets"},
    {"#define PITCH TILE + 1\n__shared__ float a[8][PITCH];\nint f(int y) { return y + PITCH; }\n",
     NULL, NULL},
    {"#define REST n - 1\nint f(int n) {\n    @return 8 - REST;\n}\n", "macro-falls-apart", NULL},
    {"#define AREA T * T\nint f(int n) {\n    @return n / AREA;\n}\n", "macro-falls-apart", NULL},
    {"#define AREA T * T\nint f(int n) { return AREA / 2 + n * AREA; }\n", NULL, NULL},
    {"#define AT(i, j) ((i) * n + (j))\nint f(int i, int n) { return 2 * AT(i + 1, i); }\n", NULL,
     NULL},
    {"#define AT(i, j) (i * n + j)\nint f(int i, int n) {\n    @return AT(i + 1, i);\n}\n",
     "macro-falls-apart", "an argument of the macro AT"},
    {"#define AT(i, j) (i * n + j)\nint f(int i, int n) { return AT(i, i + 1); }\n", NULL, NULL},
    {"#define ROW blockIdx.y * 8 + \\\n    threadIdx.y\nint f(int m) { return ROW < m; }\n", NULL,
     NULL},
    {"#define ROW blockIdx.y * 8 + \\\n    threadIdx.y\nint f(int k) {\n    @return ROW * k;\n}\n",
     "macro-falls-apart", "in line 1"},
    {"#define CUT(x) static_cast<int>(x)\nint f(float x) { return CUT(x) + 1; }\n", NULL, NULL},
    {"#define FULL\n#define ONE 1 // a + b\nint f(int x) { return x * ONE; }\n", NULL, NULL},
    {"int f(int phase) {\n    @return phase & 1 == 0;\n}\n", "binds-tighter", "phase & (1 == ...)"},
    {"int f(int phase) { return (phase & 1) == 0; }\n", NULL, NULL},
    {"void f() {\n    @const double speed = 9 / 10;\n}\n", "zero-fraction", "Write 9.0 / 10"},
    {"double f(int n) {\n    @return (1 / 2) * n;\n}\n", "zero-fraction", "1 / 2 divides"},
    {"double f(int n) { return n * 9 / 10 + 32 / 4 + 1.0 / 2 + 1 / 2.0 + (n) / 2 + 0 / 4; }\n",
     NULL, NULL},
    {"int f(int a, int b) { return a == 1 & b == 2; }\n", NULL, NULL},
    {"template <int N> int g(); int f(int a) { return g<8>() & a; }\n", NULL, NULL},
};

TEST_EACH(texts_are_read, sizeof texts / sizeof *texts) {
    char source[512];
    const char *mark = strchr(texts[_i].source, '@'), *class = NULL;
    int line = mark ? 1 : 0;
    struct text t = {0};
    snprintf(source, sizeof source, "%.*s%s", mark ? (int)(mark - texts[_i].source) : 0,
             texts[_i].source, mark ? mark + 1 : texts[_i].source);
    for (const char *p = texts[_i].source; mark && p < mark; p++)
        line += *p == '\n';
    const int found = diagnose_macros(source, &t, &class);
    ck_assert_msg(found == line, "%d: line %d, '%s'", _i, found, text_get(&t));
    if (line > 0)
        ck_assert_str_eq(class, texts[_i].class);
    if (texts[_i].says)
        ck_assert_msg(strstr(text_get(&t), texts[_i].says) != NULL, "%s", text_get(&t));
    text_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/macros"});
}
