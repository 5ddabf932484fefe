/* text_test.c: growing text, and the cleaning of what strangers wrote. */
#include "common/tests/suite.h"
#include "grading/src/base/text.h"

#include <string.h>

static void cleaned(const char *raw, size_t n, struct clean_bounds b, const char *expected) {
    struct text t = {0};
    text_add_clean(&t, raw, n, "| ", b);
    ck_assert_str_eq(text_get(&t), expected);
    text_free(&t);
}

static const struct clean_bounds wide = {.lines = 10, .columns = 80};

TEST(plain_text_stays) {
    cleaned("one\ntwo\n", 8, wide, "| one\n| two\n");
    cleaned("no newline", 10, wide, "| no newline\n");
    cleaned("", 0, wide, "");
    cleaned("crlf\r\n", 6, wide, "| crlf\n");
    cleaned("gr\xc3\xb6\xc3\x9f"
            "e",
            7, wide,
            "| gr\xc3\xb6\xc3\x9f"
            "e\n");
}

TEST(control_characters_become_harmless) {
    cleaned("\033[31mred\033[0m", 12, wide, "| ?[31mred?[0m\n");
    cleaned("a\tb\rc\bd\x7f", 8, wide, "| a b?c?d?\n");
    cleaned("nul\0nul", 7, wide, "| nul?nul\n");
    cleaned("\xc2\x9b"
            "31m",
            5, wide, "| ??31m\n"); /* C1 control */
    cleaned("\xe2\x80\xae"
            "evil",
            7, wide, "| ???evil\n");                                /* right-to-left override */
    cleaned("\xc0\xaf \xed\xa0\x80 \xff", 8, wide, "| ?? ??? ?\n"); /* not UTF-8 */
    cleaned("\xe2\x82", 2, wide, "| ??\n");                         /* cut off */
}

TEST(length_is_bounded) {
    cleaned("1\n2\n3\n4\n5\n", 10, (struct clean_bounds){.lines = 2, .columns = 80},
            "| 1\n| 2\n| (3 more lines)\n");
    cleaned("1\n2\n3", 5, (struct clean_bounds){.lines = 2, .columns = 80},
            "| 1\n| 2\n| (1 more line)\n");
    cleaned("abcdefghijklmnop", 16, (struct clean_bounds){.lines = 2, .columns = 10},
            "| abcdefg...\n");
    cleaned("abcdefghij", 10, (struct clean_bounds){.lines = 2, .columns = 10}, "| abcdefghij\n");
}

TEST(replacing) {
    struct text t = {0};
    text_add(&t, "/tmp/x/a.cu:1 and /tmp/x/a.cu:2");
    text_replace(&t, "/tmp/x/", "");
    ck_assert_str_eq(text_get(&t), "a.cu:1 and a.cu:2");
    text_replace(&t, "nothing", "else");
    text_replace(&t, "", "else");
    ck_assert_str_eq(text_get(&t), "a.cu:1 and a.cu:2");
    text_free(&t);
    ck_assert_str_eq(text_get(&t), "");
}

static void wrapped(const char *raw, const char *expected) {
    struct text t = {0};
    text_add(&t, raw);
    text_wrap(&t, 12, 2);
    ck_assert_str_eq(text_get(&t), expected);
    text_free(&t);
}

TEST(wrapping) {
    wrapped("short\n\nlines\n", "short\n\nlines\n");
    wrapped("  one two three four\n", "  one two\n    three\n    four\n");
    wrapped("abcdefghijklmnopqrst", "abcdefghijklmnopqrst");
    wrapped("to abcdefghijklmnopqrst or not\n", "to\n  abcdefghijklmnopqrst\n  or not\n");
    wrapped("twelve chars\n", "twelve chars\n");
    wrapped("", "");
}

TEST(masking) {
    struct text t = {0};
    text_add(&t, "at 0x7f90c4fb9004: 0x10 and 0x");
    text_mask_addresses(&t);
    ck_assert_str_eq(text_get(&t), "at 0x...: 0x10 and 0x");
    text_free(&t);
}

TEST(growing) {
    struct text t = {0};
    for (int i = 0; i < 1000; i++)
        text_addf(&t, "%d,", i);
    ck_assert_uint_eq(t.length, 10 * 2 + 90 * 3 + 900 * 4);
    text_clear(&t);
    ck_assert_str_eq(text_get(&t), "");
    text_free(&t);
}

/* RFC 4180, and no formula for a spreadsheet, whatever stands before it. */
TEST(cells) {
    static const struct {
        const char *text, *cell;
    } rows[] = {
        {"", "\"\""},
        {"Ada \"A\" Lovelace, B", "\"Ada \"\"A\"\" Lovelace, B\""},
        {"=1+1", "\"'=1+1\""},
        {" \t\r\n=1+1", "\"' \t\r\n=1+1\""},
        {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},
        {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"\xef\xbc\x9d"
         "1",
         "\"'\xef\xbc\x9d"
         "1\""},
        {"a=b", "\"a=b\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        text_add_cell(&t, rows[i].text);
        ck_assert_str_eq(text_get(&t), rows[i].cell);
        text_free(&t);
    }
}

TEST(a_line_in_place_of_what_was_there) {
    struct text t = {0};
    text_add(&t, "before");
    text_set_line(&t, "%s:%d", "a\033[2J\nb", 7);
    ck_assert_str_eq(text_get(&t), "a?[2J?b:7");
    text_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/text"});
}
