/*
 * main.c: writes the sheets of an exam and their keys, as Markdown.
 *
 *     exam FOLDER SEED VARIANTS LABS QUESTIONS TITLE
 *
 * LABS: numbers with blanks between, or "all"; 0 is the text "Memory". QUESTIONS: how many of those
 * there are are drawn; 0: all. FOLDER gets exam-a.md, key-a.md, exam-b.md ... The same words give
 * the same bytes. Status 2, with one line, when something is wrong.
 */
#include "solutions/exam/exam.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(const char *why, const char *what) {
    fprintf(stderr, "exam: %s%s\n", why, what);
    return 2;
}

static bool number(const char *s, uint64_t most, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(s, &end, 10);
    return *s >= '0' && *s <= '9' && !*end && errno == 0 && *value <= most;
}

/* False: a word is no lab of the bank. */
static bool take_labs(const char *words, unsigned *labs) {
    unsigned known = 0;
    *labs = 0;
    for (size_t i = 0; i < exam_bank_count(); i++)
        known |= 1u << exam_bank(i)->lab;
    if (strcmp(words, "all") == 0)
        *labs = known;
    for (const char *at = words; *labs != known && *at;) {
        char *end;
        const long lab = strtol(at, &end, 10);
        if (end == at || lab < 0 || lab > 31 || !(known >> lab & 1u))
            return false;
        *labs |= 1u << lab;
        at = end + strspn(end, " ");
    }
    return *labs != 0;
}

static bool write_file(const char *folder, const char *kind, size_t variant, const struct text *t) {
    char *path = xasprintf("%s/%s-%c.md", folder, kind, (char)('a' + variant));
    FILE *f = fopen(path, "we");
    bool ok = f && fwrite(text_get(t), 1, t->length, f) == t->length;
    ok = f && fclose(f) == 0 && ok;
    if (!ok)
        fprintf(stderr, "exam: cannot write %s: %s\n", path, strerror(errno));
    free(path);
    return ok;
}

int main(int argc, char **argv) {
    struct exam_choice choice = {0};
    uint64_t variants, questions;
    if (argc != 7)
        return failed("usage: exam FOLDER SEED VARIANTS LABS QUESTIONS TITLE", "");
    choice.title = argv[6];
    if (!number(argv[2], UINT64_MAX, &choice.seed))
        return failed("SEED must be a whole number, not ", argv[2]);
    if (!number(argv[3], EXAM_VARIANTS, &variants) || variants == 0)
        return failed("VARIANTS must be 1 to 8, not ", argv[3]);
    if (!take_labs(argv[4], &choice.labs))
        return failed("LABS must be numbers of labs that the bank has questions for (0: Memory), "
                      "not ",
                      argv[4]);
    if (!number(argv[5], 1000, &questions))
        return failed("QUESTIONS must be a whole number, not ", argv[5]);
    choice.questions = (size_t)questions;
    for (size_t v = 0; v < variants; v++)
        for (int key = 0; key < 2; key++) {
            struct text t = {0};
            const bool ok =
                exam_write(&t, &choice, v, key) && write_file(argv[1], key ? "key" : "exam", v, &t);
            text_free(&t);
            if (!ok)
                return 2;
        }
    return 0;
}
