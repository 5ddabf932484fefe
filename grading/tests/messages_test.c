/* messages_test.c: what compilers print, as facts: clang 14 to 19, gcc and nvcc, and what only
 * looks like it. */
#include "common/tests/suite.h"
#include "grading/src/build/messages.h"

#include <stdlib.h>
#include <string.h>

static struct message_head head;

static bool is_head(const char *line) {
    return message_head(&head, line, strlen(line));
}

static void ck_head(const char *line, enum said severity, const char *file, int at, int column) {
    ck_assert_msg(is_head(line), "no head: %s", line);
    ck_assert_int_eq(head.severity, severity);
    ck_assert_int_eq(head.file, strlen(file));
    ck_assert(strncmp(line, file, head.file) == 0);
    ck_assert_int_eq(head.line, at);
    ck_assert_int_eq(head.column, column);
}

static void ck_flag(const char *flag) {
    ck_assert_ptr_nonnull(head.flag);
    ck_assert_int_eq(head.flag_length, strlen(flag));
    ck_assert(strncmp(head.flag, flag, head.flag_length) == 0);
}

TEST(heads_are_read) {
    ck_head("lab3.cu:17:5: error: use of undeclared identifier 'x'", SAID_ERROR, "lab3.cu", 17, 5);
    ck_assert_ptr_null(head.flag);
    ck_head("lab3.cu:1:10: fatal error: 'none.h' file not found", SAID_ERROR, "lab3.cu", 1, 10);
    ck_head("lab3.cu:7:9: warning: variable 'sum' is uninitialized when used here "
            "[-Wuninitialized]",
            SAID_WARNING, "lab3.cu", 7, 9);
    ck_flag("uninitialized");
    ck_head("lab3.cu:7:9: error: x [-Werror,-Wunused-value]", SAID_ERROR, "lab3.cu", 7, 9);
    ck_flag("unused-value");
    ck_head("lab3.cu:7:9: note: expanded from macro 'X'", SAID_NOTE, "lab3.cu", 7, 9);
    ck_head("lab3.cu:7: error: by gcc, without columns", SAID_ERROR, "lab3.cu", 7, 0);
    ck_head("lab3.cu(12): error: identifier \"x\" is undefined", SAID_ERROR, "lab3.cu", 12, 0);
    ck_head("lab3.cu(12): error #20: identifier \"x\" is undefined", SAID_ERROR, "lab3.cu", 12, 0);
    ck_flag("20");
    ck_head("lab3.cu(12): warning #549-D: variable \"sum\" is used before its value is set",
            SAID_WARNING, "lab3.cu", 12, 0);
    ck_flag("549-D");
    ck_head("lab3.cu(1): catastrophic error: cannot open source file \"none.h\"", SAID_ERROR,
            "lab3.cu", 1, 0);
}

TEST(names_may_be_odd) {
    ck_head("lab3 (1).cu:7:5: error: x", SAID_ERROR, "lab3 (1).cu", 7, 5);
    ck_head("lab3 (1).cu(7): error: x", SAID_ERROR, "lab3 (1).cu", 7, 0);
    ck_head("a:7:b.cu:8:5: error: x", SAID_ERROR, "a:7:b.cu", 8, 5);
    ck_head("/usr/include/x.h:8:5: error: lab3.cu:1:2: error: quoted", SAID_ERROR,
            "/usr/include/x.h", 8, 5);
}

TEST(some_name_no_place) {
    ck_head("error: no input", SAID_ERROR, "", 0, 0);
    ck_head("clang-14: error: linker command failed", SAID_ERROR, "", 0, 0);
    ck_head("ld: warning: x", SAID_WARNING, "", 0, 0);
}

TEST(others_are_no_heads) {
    static const char *const lines[] = {
        "",
        " lab3.cu:7:5: error: indented",
        "    float x; // : error: not now",
        "throw bad; // : error: not now",
        "lab3.cu:7:5: errors: many",
        "lab3.cu:7:0: error: x",
        "lab3.cu:7:5:error: x",
        "lab3.cu(7) error: x",
        "lab3.cu:7",
        "lab3.cu:",
        "root:x:0:0:root:/root:/bin/sh",
        "In file included from lab3.cu:7:",
        "2.\tlab3.cu:7:5: current parser token ';'",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(!is_head(lines[i]), "a head: %s", lines[i]);
}

TEST(the_first_error_of_the_file) {
    static const char messages[] = "lab3.cu:2:3: warning: x [-Wx]\n"
                                   "data-lab3.cu:4:5: error: of another file\n"
                                   "lab3.cu:6:7: error: y\n"
                                   "lab3.cu:8:9: error: z\n";
    struct message_place p = messages_error(messages, "lab3.cu");
    ck_assert_int_eq(p.line, 6);
    ck_assert_int_eq(p.column, 7);
    ck_assert_int_eq(messages_error(messages, "lab4.cu").line, 0);
    ck_assert_int_eq(messages_error(messages, "").line, 0);
    ck_assert_int_eq(messages_error("", "lab3.cu").line, 0);
}

TEST(where_a_compiler_broke_down) {
    static const char dump[] = "PLEASE submit a bug report\nStack dump:\n"
                               "0.\tProgram arguments: clang -c lab3.cu:1:1: x\n"
                               "1.\tlab3.cu:31:1: current parser token '}'\n"
                               "2.\tlab3.cu:7:5: parsing function body 'f'\n";
    ck_assert_int_eq(messages_breakdown(dump, "lab3.cu").line, 31);
    ck_assert_int_eq(messages_breakdown(dump, "lab4.cu").line, 0);
    ck_assert_int_eq(messages_breakdown("lab3.cu:5:6: fatal error: in backend\n", "lab3.cu").line,
                     5);
}

TEST(a_warning_by_its_flag) {
    static const char *const flags[] = {"uninitialized", "549-D", NULL};
    static const char clang[] = "other.h:1:2: warning: x [-Wuninitialized]\n"
                                "lab3.cu:3:4: warning: x [-Wsometimes-uninitialized]\n"
                                "lab3.cu:5:6: warning: x [-Wuninitialized]\n    source\n";
    struct message_place p;
    size_t n;
    const char *line = messages_warning(clang, "lab3.cu", flags, &p, &n);
    ck_assert_ptr_nonnull(line);
    ck_assert_int_eq(p.line, 5);
    ck_assert_int_eq(n, strlen("lab3.cu:5:6: warning: x [-Wuninitialized]"));
    ck_assert_ptr_nonnull(
        messages_warning("lab3.cu(8): warning #549-D: x\n", "lab3.cu", flags, &p, &n));
    ck_assert_int_eq(p.line, 8);
    ck_assert_ptr_null(messages_warning("", "lab3.cu", flags, &p, &n));
}

TEST(quotes_of_other_files_are_dropped) {
    struct text t = {0};
    text_add(&t, "In file included from /kit/x.h:2:\n"
                 "/etc/passwd:1:5: error: expected ';'\n"
                 "root:x:0:0:root:/root:/bin/sh\n"
                 "    ^\n"
                 "In file included from lab3.cu:2:\n"
                 "lab3.cu:3:4: note: here\n"
                 "  mine\n"
                 "1 error generated.\n");
    messages_drop_quotes(&t, "lab3.cu");
    ck_assert_str_eq(text_get(&t), "/etc/passwd:1:5: error: expected ';'\n"
                                   "In file included from lab3.cu:2:\n"
                                   "lab3.cu:3:4: note: here\n"
                                   "  mine\n"
                                   "1 error generated.\n");
    text_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/messages"});
}
