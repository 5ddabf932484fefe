/* fuzz_questions.c: a file of questions that somebody else wrote, read, printed and asked, under
 * libFuzzer. */
#include "grading/src/answers/answers.h"
#include "grading/src/answers/canonical.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    static const char *const answers[] = {"12", "1, 2", "row, x", "a c", "B A C", "threads", "-0"};
    struct question_set set;
    struct text t = {0};
    char why[400], spelling[CANONICAL], hint[CANONICAL_WHY];
    if (questions_parse(&set, (const char *)data, bytes, 3, why, sizeof why) == QUESTIONS_OK) {
        questions_print(&t, &set, "lab3", NULL, "answers.txt", "./grader", "s1", 0);
        if (t.length == 0 || strlen(text_get(&t)) != t.length)
            abort();
        for (size_t i = 0; i < set.count; i++) {
            const struct question *q = &set.all[i];
            const struct variant *v = question_variant(&set, q, "s1", 0);
            for (size_t b = 0; b < q->blank_count; b++)
                for (size_t n = 0; n < sizeof answers / sizeof *answers; n++)
                    canonical_answer(q, &q->blanks[b], v, &v->blanks[b], answers[n], spelling,
                                     hint);
        }
    } else if (!why[0] || strchr(why, '\n')) {
        abort();
    }
    questions_free(&set);
    text_free(&t);
    return 0;
}
