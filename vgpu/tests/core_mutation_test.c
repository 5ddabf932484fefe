/*
 * core_mutation_test.c: PTX that went wrong on its way. The texts of tests/ptx are cut into
 * kernels, in each a few words are lost, doubled, exchanged or replaced, and the result is parsed,
 * prepared and run. Nothing is expected of it but that the process lives;
 * under sanitizers that says much.
 *
 * Always the same mutations. VGPU_TEST_COUNT=N tries N of them, VGPU_TEST_SEED=N begins elsewhere.
 */
#include "vgpu/tests/fuzz/run_ptx.h"

#include <check.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_COUNT = 20000, MAX_TEXTS = 4000, MAX_WORDS = 4000, MAX_TEXT = 1 << 15 };

typedef struct words {
    const char *at[MAX_WORDS];
    size_t len[MAX_WORDS];
    int count;
} words;

static char *texts[MAX_TEXTS];
static int num_texts;
static uint64_t state;

static uint32_t roll(uint32_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % (below > 0 ? below : 1);
}

static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

static char *read_text(const char *path) {
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "can't read %s", path);
    char *text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    const size_t n = fread(text, 1, (1 << 20) - 1, f);
    ck_assert_uint_gt(n, 0);
    fclose(f);
    return text;
}

static void keep(const char *head, size_t head_len, const char *kernel, size_t len) {
    if (num_texts == MAX_TEXTS || head_len + len >= MAX_TEXT)
        return;
    char *t = malloc(head_len + len + 1);
    ck_assert_ptr_nonnull(t);
    memcpy(t, head, head_len);
    memcpy(t + head_len, kernel, len);
    t[head_len + len] = '\0';
    texts[num_texts++] = t;
}

/* Every kernel of the file by itself, behind what stands before the first one. */
static void cut(const char *text) {
    static const char mark[] = "\n.visible .entry";
    const char *head = strstr(text, ".version"), *first = strstr(text, mark);
    for (const char *k = first; k != NULL;) {
        const char *next = strstr(k + 1, mark);
        keep(head, (size_t)(first - head), k, next != NULL ? (size_t)(next - k) : strlen(k));
        k = next;
    }
}

static void load_texts(void) {
    const char *folder = getenv("VGPU_PTX_DIR");
    char pattern[1000];
    glob_t g;
    snprintf(pattern, sizeof pattern, "%s/*.ptx", folder != NULL ? folder : VGPU_PTX_TESTS);
    ck_assert_msg(glob(pattern, 0, NULL, &g) == 0,
                  "no PTX in %s: run from the repository's root, or set VGPU_PTX_DIR", pattern);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        char *text = read_text(g.gl_pathv[i]);
        cut(text);
        free(text);
    }
    globfree(&g);
    ck_assert_int_gt(num_texts, 100);
}

/* Words, numbers and single marks; blanks stay with what is before them. */
static void split(const char *text, words *w) {
    w->count = 0;
    for (const char *p = text; *p != '\0' && w->count < MAX_WORDS;) {
        const char *start = p;
        const size_t n = strcspn(p, " \n\t,;{}()[]<>=|@!.+");
        p += n > 0 ? n : 1;
        p += strspn(p, " \n\t");
        w->at[w->count] = start;
        w->len[w->count++] = (size_t)(p - start);
    }
}

static const char *strange(void) {
    static const char *const some[] = {"0",
                                       "-1",
                                       "4294967295",
                                       "18446744073709551615",
                                       "0x80000000",
                                       "0f7FC00000",
                                       "0d7FF8000000000000",
                                       ";",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       "_",
                                       "!",
                                       "@",
                                       "|",
                                       "%tid.x ",
                                       ".u64 ",
                                       ".s8 ",
                                       ".v4 ",
                                       ".f16 ",
                                       ".pred ",
                                       ".param ",
                                       ".shared ",
                                       ".local ",
                                       "bra ",
                                       "call ",
                                       "ret;",
                                       "exit;",
                                       "%nothing ",
                                       "1e999",
                                       "\"",
                                       "/*",
                                       "\n"};
    return some[roll(sizeof some / sizeof *some)];
}

static size_t put(char *out, size_t at, const char *s, size_t len) {
    if (at + len < MAX_TEXT) {
        memcpy(out + at, s, len);
        return at + len;
    }
    return at;
}

static int class_of(char c) {
    return c >= '0' && c <= '9'                               ? 0
           : c == '%'                                         ? 1
           : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 2
                                                              : 3;
}

/* A word that could stand where `like` stands, if chance finds one. */
static int similar(const words *w, const char *like) {
    int i = 0;
    for (int attempt = 0; attempt < 20; attempt++) {
        i = (int)roll((uint32_t)w->count);
        if (class_of(*w->at[i]) == class_of(*like))
            break;
    }
    return i;
}

/* Writes `text` with one to three words changed. */
static size_t mutate(const char *text, char *out) {
    static words own, other;
    split(text, &own);
    split(texts[roll((uint32_t)num_texts)], &other);
    int where[3], how[3];
    const int changes = 1 + (int)roll(3);
    for (int i = 0; i < changes; i++) {
        where[i] = (int)roll((uint32_t)own.count);
        how[i] = (int)roll(20);
    }
    size_t n = 0;
    for (int w = 0; w < own.count; w++) {
        int change = -1;
        for (int i = 0; i < changes; i++)
            change = where[i] == w ? how[i] : change;
        const int from = similar(&other, own.at[w]), mine = similar(&own, own.at[w]);
        switch (change >= 7 ? 2 + change % 2 : change) {
        case 0: /* lost */ break;
        case 1: /* doubled */
            n = put(out, n, own.at[w], own.len[w]);
            n = put(out, n, own.at[w], own.len[w]);
            break;
        case 2: /* another of this text */ n = put(out, n, own.at[mine], own.len[mine]); break;
        case 3: /* another text's */ n = put(out, n, other.at[from], other.len[from]); break;
        case 4: {
            const char *s = strange();
            n = put(out, n, s, strlen(s));
            break;
        }
        case 5: /* a letter */
            n = put(out, n, own.at[w], own.len[w]);
            out[n - 1] = (char)roll(256);
            break;
        case 6: /* the rest is lost, seldom */
            if (roll(4) == 0)
                return n;
            break;
        default: n = put(out, n, own.at[w], own.len[w]);
        }
    }
    return n;
}

START_TEST(test_mutations) {
    load_texts();
    state = setting("VGPU_TEST_SEED", 1);
    char *out = malloc(MAX_TEXT);
    ck_assert_ptr_nonnull(out);
    ptx_outcome outcome = {0};
    const uint64_t count = setting("VGPU_TEST_COUNT", DEFAULT_COUNT);
    for (uint64_t i = 0; i < count; i++) {
        const size_t n = mutate(texts[roll((uint32_t)num_texts)], out);
        char *exact = malloc(n + 1); /* so that a sanitizer sees a step over the end */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, out, n);
        run_ptx(exact, n, &outcome);
        free(exact);
    }
    free(out);
    for (int i = 0; i < num_texts; i++)
        free(texts[i]);
    fprintf(stderr,
            "core_mutation: of %llu texts %lu parsed, %lu kernels were prepared, %lu launches "
            "faulted\n",
            (unsigned long long)count, outcome.parsed, outcome.prepared, outcome.faulted);
    /* Else the mutations are too rough to reach the executor. */
    ck_assert_uint_gt(outcome.prepared, count / 20);
}
END_TEST

int main(void) {
    if (freopen("/dev/null", "w", stdout) == NULL) /* what kernels print is of no interest */
        return 2;
    Suite *suite = suite_create("core_mutation");
    TCase *tc = tcase_create("mutations");
    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, test_mutations);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    const int failed = srunner_ntests_failed(runner);
    TestResult **failures = srunner_failures(runner);
    for (int i = 0; i < failed; i++)
        fprintf(stderr, "core_mutation: %s\n", tr_msg(failures[i]));
    free(failures);
    srunner_free(runner);
    return failed != 0;
}
