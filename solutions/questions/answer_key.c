/*
 * answer_key.c: the instructors' answer key.
 *
 *     answer-key LAB [STUDENT [SEED]]    prints a complete answers.txt for this student
 *     answer-key --drawn QUESTION LAB    for tests: what is drawn, and what is right, of each
 *                                        variant of lab3.film and the like, a line a blank:
 *                                        NAME, the numbers drawn, = and the answer
 *
 * The same formulas, and the edition that grading/questions/LAB.json was made with, of the kit it
 * was built in. Exit status 0, or 2 with one line.
 */
#include "grading/src/base/text.h"
#include "grading/src/build/paths.h"
#include "grading/src/lab/labs.h"
#include "solutions/questions/formulas.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(const char *why) {
    fprintf(stderr, "answer-key: %s\n", why);
    return 2;
}

static void print_answer(const struct formula_blank *b, const struct drawn *d) {
    struct text answer = {0};
    formulas_answer(&answer, b, d);
    printf("= %s\n", text_get(&answer));
    text_free(&answer);
}

static void print_key(const struct lab_spec *lab, const char *student, uint64_t seed,
                      uint64_t edition) {
    size_t count, variants;
    const struct formula_question *all = formulas_of(lab->number, &count);
    printf("student = %s\n", student);
    for (size_t i = 0; i < count; i++) {
        struct drawn *drawn = formulas_draw(&all[i], lab->number, edition, &variants);
        const size_t v = question_pick(all[i].key, lab->number, variants, student, seed);
        for (size_t b = 0; b < all[i].blank_count; b++) {
            printf("%s ", all[i].blanks[b].name);
            print_answer(&all[i].blanks[b], &drawn[v]);
        }
        free(drawn);
    }
}

static void print_drawn(const struct formula_question *q, const struct drawn *d) {
    int last = DRAWN;
    while (last > 0 && d->n[last - 1] == 0)
        last--;
    for (size_t b = 0; b < q->blank_count; b++) {
        printf("%s ", q->blanks[b].name);
        for (int i = 0; i < last; i++)
            printf("%" PRId64 " ", d->n[i]);
        print_answer(&q->blanks[b], d);
    }
}

/* False: the lab has no such question. */
static bool print_variants(const struct lab_spec *lab, const char *question, uint64_t edition) {
    size_t count, variants;
    const struct formula_question *all = formulas_of(lab->number, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].key, question) != 0)
            continue;
        struct drawn *drawn = formulas_draw(&all[i], lab->number, edition, &variants);
        for (size_t v = 0; v < variants; v++)
            print_drawn(&all[i], &drawn[v]);
        free(drawn);
        return true;
    }
    return false;
}

/* question: NULL: the student's key. */
static int key(const struct lab_spec *lab, const char *root, const char *question,
               const char *student, uint64_t seed) {
    struct question_set set;
    char why[512];
    if (questions_read(&set, root, lab->number, why, sizeof why) != QUESTIONS_OK)
        return failed(why);
    const bool there = question == NULL || print_variants(lab, question, set.edition);
    if (question == NULL)
        print_key(lab, student, seed, set.edition);
    questions_free(&set);
    return there ? 0 : failed("the lab has no such question");
}

int main(int argc, char **argv) {
    struct paths paths;
    const char *question = NULL;
    if (argc == 4 && strcmp(argv[1], "--drawn") == 0) {
        question = argv[2];
        argv += 2;
        argc -= 2;
    }
    paths_find(&paths); /* the kit that this was built in, from wherever it is called */
    struct labs labs = labs_open(paths.root);
    const struct lab_spec *lab = argc > 1 ? labs_find(&labs, argv[1]) : NULL;
    struct text wrong = {0};
    int status = 2;
    if (argc < 2 || argc > 4) {
        status = failed("usage: answer-key LAB [STUDENT [SEED]]");
    } else if (!lab) {
        text_addf(&wrong, "unknown lab '%s': use ", argv[1]);
        labs_range(&wrong, &labs);
        text_addf(&wrong, " (of the kit in %s)", paths.root);
        status = failed(text_get(&wrong));
    } else {
        status = key(lab, paths.root, question, argc > 2 ? argv[2] : "",
                     argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    }
    text_free(&wrong);
    labs_free(&labs);
    paths_free(&paths);
    return status;
}
