/* fuzz_answers.c: answers.txt from the file to the verdict, under libFuzzer. Sealed blanks are left
 * out: their slow hash would be all that is tested. */
#include "grading/src/answers.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    struct answers a;
    answers_parse(&a, (const char *)data, bytes);
    for (int lab = 1; lab <= 5; lab++) {
        size_t count;
        const struct question *all = questions_of(lab, &count);
        for (size_t i = 0; i < count; i++) {
            const struct drawn d = question_draw(&all[i], lab, a.student, 0);
            for (size_t b = 0; b < all[i].blank_count && a.count > 0; b++) {
                struct answer_result r;
                if (all[i].blanks[b].kind == BLANK_SEALED)
                    continue;
                answer_judge(&r, &all[i], &all[i].blanks[b], &d, a.all[b % a.count].value);
                if (r.verdict == ANSWER_WRONG && !r.hint[0])
                    abort();
            }
        }
    }
    answers_check_names(&a, 3, "lab3");
    answers_free(&a);
    return 0;
}
