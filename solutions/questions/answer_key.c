/*
 * answer_key.c: the instructors' answer key.
 *
 *     answer-key LAB [STUDENT [SEED]]    prints a complete answers.txt for this student
 *
 * The same formulas, and the edition that grading/questions/LAB.json was made with. Exit status 0,
 * or 2 with one line.
 */
#include "grading/src/lab/labs.h"
#include "solutions/questions/formulas.h"

#include <stdio.h>
#include <stdlib.h>

static int failed(const char *why) {
    fprintf(stderr, "answer-key: %s\n", why);
    return 2;
}

static void print_value(const struct formula_blank *b, const struct drawn *d) {
    const struct blank_value v = b->value(d, NULL);
    if (b->kind == BLANK_WORD) {
        printf("%s\n", b->words[(int)v.v[0]]);
        return;
    }
    if (b->kind == BLANK_LETTERS) {
        for (int i = 0; i < 8; i++)
            if ((int)v.v[0] >> i & 1)
                printf("%c ", 'a' + i);
        printf("%s\n", (int)v.v[0] ? "" : "none");
        return;
    }
    for (int i = 0; i < v.count; i++)
        printf(b->kind == BLANK_REAL ? "%s%.6g" : "%s%.0f", i ? ", " : "", v.v[i]);
    printf("\n");
}

static void print_blank(const struct formula_blank *b, const struct drawn *d) {
    printf("%s = ", b->name);
    if (b->written)
        printf("%s\n", b->written);
    else if (b->lines)
        printf("%d\n", (int)d->n[0] + b->lines[0]);
    else
        print_value(b, d);
}

static void print_key(const struct lab_spec *lab, const char *student, uint64_t seed,
                      uint64_t edition) {
    size_t count, variants;
    const struct formula_question *all = formulas_of(lab->number, &count);
    printf("student = %s\n", student);
    for (size_t i = 0; i < count; i++) {
        struct drawn *drawn = formulas_draw(&all[i], lab->number, edition, &variants);
        const size_t v = question_pick(all[i].key, lab->number, variants, student, seed);
        for (size_t b = 0; b < all[i].blank_count; b++)
            print_blank(&all[i].blanks[b], &drawn[v]);
        free(drawn);
    }
}

int main(int argc, char **argv) {
    struct labs labs = labs_open(".");
    const struct lab_spec *lab = labs_find(&labs, argc > 1 ? argv[1] : "");
    struct question_set set;
    char why[512];
    if (!lab || argc > 4) {
        labs_free(&labs);
        return failed("usage: answer-key LAB [STUDENT [SEED]]");
    }
    if (questions_read(&set, ".", lab->number, why, sizeof why) != QUESTIONS_OK) {
        labs_free(&labs);
        return failed(why);
    }
    print_key(lab, argc > 2 ? argv[2] : "", argc > 3 ? strtoull(argv[3], NULL, 10) : 0,
              set.edition);
    questions_free(&set);
    labs_free(&labs);
    return 0;
}
