/* fuzz_answers.c: answers.txt from the file to the spelling that is hashed, under libFuzzer. The
 * slow hash itself is left out: it would be all that is tested. Runs in the kit's top folder. */
#include "grading/src/answers/answers.h"
#include "grading/src/answers/canonical.h"

#include <stdio.h>
#include <stdlib.h>

enum { LABS = 10 };
static struct question_set sets[LABS + 1];

static void read_sets(void) {
    char why[400];
    for (int lab = 1; lab <= LABS; lab++)
        if (sets[lab].count == 0 &&
            questions_read(&sets[lab], ".", lab, why, sizeof why) != QUESTIONS_OK) {
            fprintf(stderr, "%s\n", why);
            exit(1);
        }
}

/* Every answer in every blank. */
static void spell(const struct question_set *set, const struct answers *a) {
    for (size_t i = 0; i < set->count; i++) {
        const struct question *q = &set->all[i];
        const struct variant *v = question_variant(set, q, a->student, 0);
        for (size_t b = 0; b < q->blank_count && a->count > 0; b++) {
            char spelling[CANONICAL], why[CANONICAL_WHY];
            const enum canonical_state state = canonical_answer(
                q, &q->blanks[b], v, &v->blanks[b], a->all[b % a->count].value, spelling, why);
            if (state == CANONICAL_OK ? !spelling[0] : !why[0])
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    struct answers a;
    read_sets();
    answers_parse(&a, (const char *)data, bytes);
    for (int lab = 1; lab <= LABS; lab++)
        spell(&sets[lab], &a);
    answers_check_names(&a, &sets[3], "lab3");
    answers_free(&a);
    return 0;
}
