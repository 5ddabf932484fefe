/* exam.c: draws an exam's questions and writes its sheets and keys (see exam.h). */
#include "solutions/exam/exam.h"

#include <stdio.h>
#include <stdlib.h>

size_t exam_bank_count(void) {
    return exam_basics_count + exam_challenges_count;
}

const struct exam_question *exam_bank(size_t i) {
    return i < exam_basics_count ? &exam_basics[i] : &exam_challenges[i - exam_basics_count];
}

/* To write on; Markdown would take bare ones for emphasis. */
static void add_line(struct text *t, int length) {
    for (int i = 0; i < length; i++)
        text_add(t, "\\_");
}

/* Fisher and Yates. */
static void shuffle(size_t *list, size_t count, struct generator *g) {
    for (size_t i = count; i > 1; i--) {
        const size_t other = generator_next(g) % i, kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

static int by_number(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

size_t exam_choose(size_t *chosen, const struct exam_choice *choice) {
    struct generator g = generator_start(choice->seed, 1);
    size_t count = 0;
    for (size_t i = 0; i < exam_bank_count(); i++)
        if (choice->labs >> exam_bank(i)->lab & 1u)
            chosen[count++] = i;
    if (choice->questions > 0 && choice->questions < count) {
        shuffle(chosen, count, &g);
        count = choice->questions;
        qsort(chosen, count, sizeof *chosen, by_number);
    }
    return count;
}

static void write_blank(struct text *t, const struct formula_blank *b, const struct drawn *d,
                        char letter, bool key) {
    text_addf(t, "%c) %s", letter, b->ask);
    if (b->kind == BLANK_WORD) {
        text_add(t, " (");
        for (size_t i = 0; b->words[i]; i++)
            text_addf(t, "%s%s", i ? ", " : "", b->words[i]);
        text_add(t, ")");
    }
    text_add(t, ": ");
    if (key) {
        text_add(t, "**");
        formulas_answer(t, b, d);
        text_add(t, "**");
    } else {
        add_line(t, 16);
    }
    text_add(t, "\n\n");
}

static bool write_question(struct text *t, const struct exam_question *q, size_t number,
                           const struct exam_choice *choice, size_t variant, bool key) {
    size_t variants;
    struct drawn *all = formulas_draw(&q->asked, q->lab, choice->seed, &variants);
    const bool there = variant < variants;
    if (there) {
        const struct drawn *d = &all[variant];
        text_addf(t, "## %zu. %s (%d %s)\n\n", number, q->asked.title, q->points,
                  q->points == 1 ? "point" : "points");
        q->asked.text(t, d);
        text_add(t, "\n");
        for (size_t b = 0; b < q->asked.blank_count; b++)
            write_blank(t, &q->asked.blanks[b], d, (char)('a' + b), key);
        if (key) {
            text_add(t, "*Working.* ");
            q->working(t, d);
            text_addf(t, " (%s)\n\n", q->asked.section);
        }
    }
    free(all);
    return there;
}

bool exam_write(struct text *t, const struct exam_choice *choice, size_t variant, bool key) {
    size_t *chosen = xcalloc(exam_bank_count(), sizeof *chosen);
    const size_t count = exam_choose(chosen, choice);
    struct generator g = generator_start(choice->seed, 2 + variant);
    int points = 0;
    bool ok = true;
    shuffle(chosen, count, &g); /* neighbours do not even have the same question */
    for (size_t i = 0; i < count; i++)
        points += exam_bank(chosen[i])->points;
    text_addf(t, "# %s, variant %c%s\n\n", choice->title, (char)('A' + variant),
              key ? ": the key" : "");
    if (!key) {
        text_add(t, "Name: ");
        add_line(t, 30);
        text_add(t, " Points: ");
        add_line(t, 6);
        text_addf(
            t,
            " of %d\n\nWithout a computer. A float has 4 bytes, matrices lie in memory row by "
            "row, and x runs along rows. What is a number may stay a product, such as "
            "3 · 128.\n\n",
            points);
    } else {
        text_addf(t, "%d points, one for each answer. Seed %llu.\n\n", points,
                  (unsigned long long)choice->seed);
    }
    for (size_t i = 0; i < count && ok; i++)
        ok = write_question(t, exam_bank(chosen[i]), i + 1, choice, variant, key);
    free(chosen);
    return ok;
}
