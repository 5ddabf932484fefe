/*
 * answer_key.c: the instructors' answer key. Not for students: it is part of solutions/.
 *
 *     answer-key LAB [STUDENT [SEED]]    prints a complete answers.txt for this student
 *     answer-key --seal LAB              prints new hashes for the answers that are kept as hashes
 *
 * Numbers are computed by the questions' own functions; formulas and sealed answers come from
 * solutions/LAB-FOLDER/answers.key. Exit status 0, or 2 with one line.
 */
#include "grading/src/answers.h"
#include "grading/src/labs.h"
#include "grading/src/sealed.h"
#include "grading/src/submission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(const char *why) {
    fprintf(stderr, "answer-key: %s\n", why);
    return 2;
}

static bool read_key(struct answers *key, const struct lab_spec *lab) {
    struct submission file;
    char why[512];
    char *path = xasprintf("solutions/%s/answers.key", lab->folder);
    const bool good = submission_read(&file, path, path, why, sizeof why) == SUBMISSION_OK;
    if (good)
        answers_parse(key, file.bytes, file.length);
    else
        failed(why);
    submission_free(&file);
    free(path);
    return good;
}

static const char *find(const struct answers *key, const char *name) {
    for (size_t i = 0; i < key->count; i++)
        if (strcmp(key->all[i].name, name) == 0)
            return key->all[i].value;
    return NULL;
}

/* The first of "21 | 22 | 23". */
static void print_written(const struct blank *b, const struct drawn *d, const char *value) {
    const size_t length = strcspn(value, "|");
    if (b->kind == BLANK_SEALED && b->from_first_line)
        printf("%d\n", atoi(value) + (int)d->n[0]);
    else
        printf("%.*s\n", (int)length, value);
}

static void print_computed(const struct blank *b, const struct drawn *d) {
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

static int print_key(const struct lab_spec *lab, const char *student, uint64_t seed,
                     const struct answers *key) {
    size_t count;
    const struct question *all = questions_of(lab->number, &count);
    printf("student = %s\n", student);
    for (size_t i = 0; i < count; i++) {
        const struct drawn d = question_draw(&all[i], lab->number, student, seed);
        for (size_t j = 0; j < all[i].blank_count; j++) {
            const struct blank *b = &all[i].blanks[j];
            const char *written = find(key, b->name);
            printf("%s = ", b->name);
            if (b->kind != BLANK_FORMULAS && b->kind != BLANK_SEALED)
                print_computed(b, &d);
            else if (written)
                print_written(b, &d, written);
            else
                return failed("answers.key lacks a name");
        }
    }
    return 0;
}

/* A new hash for each of the right answers. */
static int seal(const struct lab_spec *lab, const struct answers *key) {
    size_t count;
    const struct question *all = questions_of(lab->number, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < all[i].blank_count; j++) {
            const struct blank *b = &all[i].blanks[j];
            const char *at = find(key, b->name);
            char name[SEALED_KEY], hash[SEALED_HASH], one_of[ANSWER_VALUE];
            while (b->kind == BLANK_SEALED && at && *at) {
                const size_t length = strcspn(at, "|");
                snprintf(one_of, sizeof one_of, "%.*s", (int)length, at);
                sealed_key(name, &all[i], b);
                if (!sealed_make(name, one_of, hash))
                    return failed("this system's crypt has no yescrypt");
                printf("%s %s\n", name, hash);
                at += length + (at[length] == '|');
            }
        }
    return 0;
}

int main(int argc, char **argv) {
    const bool sealing = argc > 1 && strcmp(argv[1], "--seal") == 0;
    const char *name = argc > 1 + sealing ? argv[1 + sealing] : "";
    const struct lab_spec *lab = lab_find(name);
    struct answers key;
    if (!lab || argc > 4)
        return failed("usage: answer-key LAB [STUDENT [SEED]], or answer-key --seal LAB");
    if (!read_key(&key, lab))
        return 2;
    const int status = sealing ? seal(lab, &key)
                               : print_key(lab, argc > 2 ? argv[2] : "",
                                           argc > 3 ? strtoull(argv[3], NULL, 10) : 0, &key);
    answers_free(&key);
    return status;
}
