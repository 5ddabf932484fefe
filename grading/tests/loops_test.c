/* loops_test.c: loops that cannot mean what they say are told from those that can; and the line of
 * an address as addr2line prints it. A mistake's line is the one with the mark @. */
#include "common/tests/suite.h"
#include "grading/src/build/line.h"
#include "grading/src/diagnose/diagnose.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "void matmul_cpu(int m, int n, int k, const float *A, float *C) {\n"

static const struct {
    const char *source, *says; /* NULL: nothing may be said */
} loops[] = {
    /* A semicolon */
    {HEAD "    @for (int p = 0; p < k; p++);\n        C[p] = 1;\n}\n", "The semicolon after for"},
    {HEAD "    @for (int p = 0; p < k; p++);\n    {\n        C[0] = 1;\n    }\n}\n", "is repeated"},
    {HEAD "    @if (m < n);\n        C[0] = 1;\n}\n", "depends on the condition"},
    {HEAD "    while (f());\n    C[0] = 1;\n}\n", NULL},
    {HEAD "    do {\n        m--;\n    } while (m > 0);\n        C[0] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0; p < k; C[p++] = 0)\n        ;\n    C[0] = 1;\n}\n", NULL},
    /* Another variable */
    {HEAD "    @for (int p = 0; p < k; m++)\n        C[p] = 1;\n}\n", "counts m"},
    {HEAD "    for (int p = 0; p < k; m++)\n        C[p++] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0, q = k; p < q; q--)\n        C[p] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0; p < k; p += m)\n        C[p] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0; more(p); m++)\n        C[p] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0;; p++)\n        C[p] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0; p < k; p = next(p))\n        C[p] = 1;\n}\n", NULL},
    {HEAD "    for (int p = 0; p < k; m++)\n        g(&p);\n}\n", NULL},
    /* Unsigned */
    {HEAD "    @for (unsigned p = k - 1; p >= 0; p--)\n        C[p] = 1;\n}\n", "is unsigned"},
    {HEAD "    for (int p = k - 1; p >= 0; p--)\n        C[p] = 1;\n}\n", NULL},
    {HEAD "    for (size_t p = k; p-- > 0;)\n        C[p] = 1;\n}\n", NULL},
    /* The same variable */
    {HEAD "    int j;\n    @for (j = 0; j < n; j++)\n        for (j = 0; j < k; j++)\n"
          "            C[j] = 1;\n}\n",
     "counts j, as does the loop around it"},
    {HEAD "    for (int j = 0; j < n; j++)\n        for (int j = 0; j < k; j++)\n"
          "            C[j] = 1;\n}\n",
     NULL},
    {HEAD "    int j;\n    for (j = 0; j < n; j++)\n        C[j] = 1;\n"
          "    for (j = 0; j < k; j++)\n        C[j] = 1;\n}\n",
     NULL},
    {HEAD "    int j;\n    @for (j = 0; j < n; j++)\n        for (int i = 0; i < m; i++) {\n"
          "            for (j = 0; j < k; j++)\n                C[j] = 1;\n        }\n}\n",
     "counts j, as does the loop around it"},
    /* return */
    {HEAD "    @for (int i = 0; i < m; i++) {\n        C[i] = 1;\n        return;\n    }\n}\n",
     "The return in line 4 is inside the loop of line 2"},
    {HEAD "    for (int i = 0; i < m; i++) {\n        if (i == n)\n            return;\n    }\n}\n",
     NULL},
    {HEAD "    for (int i = 0; i < m; i++) {\n        if (i < n)\n            continue;\n"
          "        C[i] = 1;\n        return;\n    }\n}\n",
     NULL},
    {HEAD "    for (int i = 0; i < m; i++) {\n        if (i == n) {\n            C[i] = 1;\n"
          "            return;\n        }\n    }\n}\n",
     NULL},
};

TEST_EACH(each_loop, sizeof loops / sizeof *loops) {
    char *source = strdup(loops[_i].source), *mark = strchr(source, '@');
    int line = 1, found = 0;
    for (const char *at = source; mark && at < mark; at++)
        line += *at == '\n';
    if (mark)
        memmove(mark, mark + 1, strlen(mark));
    struct text t = {0};
    const bool said = diagnose_loop(source, &t, &found);
    ck_assert_msg(said == (loops[_i].says != NULL), "%d: '%s'", _i, text_get(&t));
    if (said) {
        ck_assert_msg(strstr(text_get(&t), loops[_i].says) != NULL, "%s", text_get(&t));
        ck_assert_int_eq(found, line);
    }
    text_free(&t);
    free(source);
}

TEST(lines_of_addresses) {
    ck_assert_int_eq(build_line_read("/tmp/x/lab1.cu:17\n", "lab1.cu"), 17);
    ck_assert_int_eq(build_line_read("././lab1.cu:9 (discriminator 2)\n", "lab1.cu"), 9);
    ck_assert_int_eq(build_line_read("/k/cuda_check.h:3\n./lab1.cu:21\n", "lab1.cu"), 21);
    ck_assert_int_eq(build_line_read("/k/my-lab1.cu:3\n", "lab1.cu"), 0);
    ck_assert_int_eq(build_line_read("??:0\n", "lab1.cu"), 0);
    ck_assert_int_eq(build_line_read("./lab1.cu:?\n", "lab1.cu"), 0);
    ck_assert_int_eq(build_line_read("", "lab1.cu"), 0);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/loops"});
}
