/* exam_test.c: every question of the bank, in many drawings: answers, variants, keys. Answers are
 * computed here a second time, in another way. */
#include "common/tests/suite.h"
#include "solutions/exam/exam.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = 40 };

static const struct exam_question *called(const char *key) {
    for (size_t i = 0; i < exam_bank_count(); i++)
        if (strcmp(exam_bank(i)->asked.key, key) == 0)
            return exam_bank(i);
    ck_abort_msg("no question %s", key);
}

/* The answer to a question's blank, as it is printed. */
static char *answer(const struct exam_question *q, size_t blank, const struct drawn *d) {
    struct text t = {0};
    formulas_answer(&t, &q->asked.blanks[blank], d);
    char *s = xstrdup(text_get(&t));
    text_free(&t);
    return s;
}

static void expect(const struct exam_question *q, size_t blank, const struct drawn *d,
                   char *wanted) {
    char *is = answer(q, blank, d);
    ck_assert_msg(strcmp(is, wanted) == 0, "%s, %zu: %s, not %s", q->asked.key, blank, is, wanted);
    free(is);
    free(wanted);
}

typedef void drawn_check(const struct exam_question *q, const struct drawn *d);

static void in_many(const char *key, drawn_check *check) {
    const struct exam_question *q = called(key);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        size_t count;
        struct drawn *all = formulas_draw(&q->asked, q->lab, seed, &count);
        for (size_t i = 0; i < count; i++)
            check(q, &all[i]);
        free(all);
    }
}

static long greatest_divisor(long a, long b) {
    return b == 0 ? a : greatest_divisor(b, a % b);
}

#define NUMBER(x) xasprintf("%ld", (long)(x))

static void check_guard(const struct exam_question *q, const struct drawn *d) {
    expect(q, 0, d, NUMBER(d->n[0] + d->n[1] + 1));
    expect(q, 1, d, NUMBER(d->n[0] - 1));
    expect(q, 2, d, NUMBER(d->n[1] + 2));
}

/* In rows a multiple of 32 floats long, down a column each thread has a sector of its own. */
static void check_warp(const struct exam_question *q, const struct drawn *d) {
    expect(q, 0, d, NUMBER(32 / d->n[0]));
    expect(q, 1, d, NUMBER(d->n[0] < 8 ? 1 : d->n[0] / 8));
    expect(q, 2, d, NUMBER(d->n[0]));
}

/* Words s apart: as many in a bank as 32 and s have in common. */
static void check_banks(const struct exam_question *q, const struct drawn *d) {
    const long wide = (long)d->n[0], apart = 32 / greatest_divisor(32, wide);
    expect(q, 0, d, NUMBER(32 / apart));
    expect(q, 1, d, NUMBER(apart > 8 ? 1 : 8 / apart));
    expect(q, 2, d, NUMBER(1)); /* the rows are an odd number of words then */
}

static void check_edges(const struct exam_question *q, const struct drawn *d) {
    const long T = (long)d->n[3], m = (long)d->n[0], n = (long)d->n[1], k = (long)d->n[2];
    expect(q, 0, d, NUMBER((k + T - 1) / T));
    expect(q, 1, d, NUMBER(m % T * (n % T)));
    expect(q, 2, d, NUMBER(T * T - m % T * (k % T)));
    expect(q, 3, d, NUMBER(T * T - m % T * (n % T)));
}

/* The element of C = A B, by cuBLAS's rule for its arguments, element by element. */
static void check_columns(const struct exam_question *q, const struct drawn *d) {
    const long m = (long)d->n[0], n = (long)d->n[1], k = (long)d->n[2];
    long M, N, K, ldb, lda, ldc, row, column;
    char *sizes = answer(q, 0, d), *leading = answer(q, 1, d), *seen = answer(q, 2, d);
    ck_assert_int_eq(sscanf(sizes, "%ld, %ld, %ld", &M, &N, &K), 3);
    ck_assert_int_eq(sscanf(leading, "%ld, %ld, %ld", &ldb, &lda, &ldc), 3);
    ck_assert_int_eq(sscanf(seen, "%ld, %ld", &row, &column), 2);
    free(sizes);
    free(leading);
    free(seen);
    /* First factor: M x K with ldb, element (i, p) at p * ldb + i: B's element (p, i). */
    ck_assert(M == n && N == m && K == k);
    for (long i = 0; i < M; i += 7)
        for (long j = 0; j < N; j += 5) {
            ck_assert_int_eq(2 * ldb + i, 2 * n + i); /* B[2][i] */
            ck_assert_int_eq(j * lda + 2, j * k + 2); /* A[j][2] */
            ck_assert_int_eq(j * ldc + i, j * n + i); /* C[j][i] */
        }
    ck_assert_int_eq(column * lda + row, d->n[3] * k + d->n[4]);
}

/* One more block breaks a limit, the one that is named; so many fit. */
static void check_occupancy(const struct exam_question *q, const struct drawn *d) {
    char *blocks = answer(q, 0, d), *which = answer(q, 1, d);
    const long fit = strtol(blocks, NULL, 10);
    for (long count = fit; count <= fit + 1; count++) {
        const bool threads = count * d->n[0] <= 2048,
                   registers = count * d->n[0] * d->n[1] <= 65536,
                   shared = count * d->n[2] <= 98304;
        ck_assert(count <= 32);
        ck_assert((threads && registers && shared) == (count == fit));
        ck_assert(count == fit || strcmp(which, !threads     ? "threads"
                                                : !registers ? "registers"
                                                             : "shared memory") == 0);
    }
    expect(q, 2, d, xasprintf("%.6g", (double)(fit * d->n[0]) * 100 / 2048));
    free(blocks);
    free(which);
}

/* The loop itself. */
static void check_pipeline(const struct exam_question *q, const struct drawn *d) {
    long last = -1, started = (long)d->n[0] - 1;
    for (long step = 0; step < d->n[2]; step++)
        if (started < d->n[2]) {
            started++;
            last = step;
        }
    expect(q, 2, d, NUMBER(last));
}

static void check_barriers(const struct exam_question *q, const struct drawn *d) {
    struct text t = {0};
    char *letters = answer(q, 0, d);
    q->asked.text(&t, d);
    ck_assert_uint_eq(strlen(letters), 5); /* three */
    for (const char *c = letters; *c; c++) {
        char start[8];
        snprintf(start, sizeof start, "(%c) ", *c);
        const char *line = strstr(text_get(&t), start);
        ck_assert(*c == ' ' || (line && (strncmp(line + 4, "Without the", 11) == 0 ||
                                         strncmp(line + 4, "With blocks", 11) == 0)));
    }
    free(letters);
    text_free(&t);
}

/* Every element of C is somebody's, four in each lane; A's and B's by what a sum over p needs. */
static void check_fragments(const struct exam_question *q, const struct drawn *d) {
    long holder = -1;
    for (long lane = 0; lane < 32; lane++)
        for (long e = 0; e < 4; e++) {
            const long row = lane / 4 + e / 2 * 8, col = lane % 4 * 2 + e % 2;
            holder = row == d->n[1] && col == d->n[2] ? lane : holder;
            if (lane == d->n[0] && e == 3)
                expect(q, 2, d, xasprintf("%ld, %ld", row, col));
        }
    expect(q, 3, d, NUMBER(holder));
    const long group = (long)d->n[0] / 4, member = (long)d->n[0] - group * 4;
    expect(q, 0, d, xasprintf("%ld, %ld", group, member + 4));
    expect(q, 1, d, xasprintf("%ld, %ld", member + 4, group));
}

/* By the bits of a float, as the instruction cvt.rna.tf32 rounds them. */
static void check_split(const struct exam_question *q, const struct drawn *d) {
    float x = (float)d->n[0], big;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000u) & 0xffffe000u;
    memcpy(&big, &bits, sizeof big);
    ck_assert(big != x);
    expect(q, 0, d, NUMBER(big));
    expect(q, 1, d, NUMBER(x > big ? x - big : big - x));
    expect(q, 2, d, NUMBER(big * (float)d->n[1]));
    expect(q, 3, d, NUMBER(d->n[0] * d->n[1]));
}

/* The launch, block by block. */
static void check_parts(const struct exam_question *q, const struct drawn *d) {
    long block = 0, tile = 0, slabs = 0;
    for (; tile < d->n[1]; tile++)
        block++;
    for (long part = 0; part < d->n[3]; part++)
        for (tile = (long)d->n[1]; tile < d->n[0]; tile++, block++) {
            const long from = (long)(d->n[2] * part / d->n[3]),
                       to = (long)(d->n[2] * (part + 1) / d->n[3]);
            slabs += to - from;
            if (block == d->n[4]) {
                expect(q, 1, d, xasprintf("%ld, %ld", tile, part));
                expect(q, 2, d, xasprintf("%ld, %ld", from, to - from));
            }
        }
    expect(q, 0, d, NUMBER(block));
    ck_assert_int_eq(slabs, (d->n[0] - d->n[1]) * d->n[2]); /* each once */
}

static void check_waves(const struct exam_question *q, const struct drawn *d) {
    const long tiles = (long)(d->n[3] * d->n[4]), sms = (long)d->n[0];
    long waves = 0, left = tiles;
    for (; left > 0; left -= sms)
        waves++;
    expect(q, 0, d, xasprintf("%ld, %ld", tiles, waves));
    expect(q, 1, d, NUMBER(-left));
    ck_assert(tiles >= sms && left < 0);
}

/* The tile's elements, box by box, are all computed, each once. */
static void check_warp_tile(const struct exam_question *q, const struct drawn *d) {
    const long rows = (long)d->n[0], columns = (long)d->n[1];
    static int owners[128][64];
    long mine = 0;
    memset(owners, 0, sizeof owners);
    for (long lane = 0; lane < 32; lane++)
        for (long row = lane / 4 * 4; row < rows; row += 32)
            for (long col = lane % 4 * 4; col < columns; col += 16)
                for (long e = 0; e < 16; e++) {
                    owners[row + e / 4][col + e % 4]++;
                    mine += lane == d->n[4];
                }
    for (long e = 0; e < rows * columns; e++)
        ck_assert_int_eq(owners[e / columns][e % columns], 1);
    expect(q, 1, d, NUMBER(rows + columns));
    expect(q, 2, d, NUMBER(mine));
    expect(q, 3, d, NUMBER(mine / 4));
}

/* The even lanes have banks 0 to 15. */
static void check_turned(const struct exam_question *q, const struct drawn *d) {
    for (size_t i = 0; i < 2; i++) {
        const long begin = 4 * (long)(d->n[0] + d->n[1 + i]) % 32;
        expect(q, 2 * i, d, NUMBER(begin == 16 ? 1 : 2));
        expect(q, 2 * i + 1, d, xstrdup(d->n[1 + i] % 4 == 0 ? "yes" : "no"));
    }
}

TEST(answers_by_another_way) {
    in_many("exam-fragments", check_fragments);
    in_many("exam-split", check_split);
    in_many("exam-parts", check_parts);
    in_many("exam-waves", check_waves);
    in_many("exam-warp-tile", check_warp_tile);
    in_many("exam-turned", check_turned);
    in_many("exam-guard", check_guard);
    in_many("exam-warp", check_warp);
    in_many("exam-banks", check_banks);
    in_many("exam-edges", check_edges);
    in_many("exam-columns", check_columns);
    in_many("exam-occupancy", check_occupancy);
    in_many("exam-pipeline", check_pipeline);
    in_many("exam-barriers", check_barriers);
}

/* One point for each answer, as many variants as an exam may have, and numbers that make sense. */
TEST(every_question) {
    for (size_t i = 0; i < exam_bank_count(); i++) {
        const struct exam_question *q = exam_bank(i);
        ck_assert_int_eq(q->points, (int)q->asked.blank_count);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            size_t count;
            struct drawn *all = formulas_draw(&q->asked, q->lab, seed, &count);
            ck_assert_msg(count >= EXAM_VARIANTS, "%s: %zu variants", q->asked.key, count);
            for (size_t v = 0; v < EXAM_VARIANTS; v++)
                for (size_t b = 0; b < q->asked.blank_count; b++) {
                    char *s = answer(q, b, &all[v]);
                    ck_assert_msg(*s && *s != '-' && !strstr(s, ", -") && !strstr(s, "nan"),
                                  "%s, %zu: %s", q->asked.key, b, s);
                    free(s);
                }
            free(all);
        }
    }
}

static char *written(const struct exam_choice *choice, size_t variant, bool key) {
    struct text t = {0};
    ck_assert(exam_write(&t, choice, variant, key));
    char *s = xstrdup(text_get(&t));
    text_free(&t);
    return s;
}

/* The same seed, the same bytes; a sheet is its key without what the key adds. */
TEST(sheets_and_keys) {
    const struct exam_choice choice = {.seed = 2027, .labs = 1u << 2 | 1u << 3, .title = "Midterm"};
    char *a = written(&choice, 0, false), *again = written(&choice, 0, false),
         *b = written(&choice, 1, false), *key = written(&choice, 0, true);
    ck_assert_str_eq(a, again);
    ck_assert_str_ne(a, b);
    ck_assert(strstr(a, "# Midterm, variant A\n") &&
              strstr(key, "# Midterm, variant A: the key\n"));
    ck_assert(!strstr(a, "**") && !strstr(a, "Working") && strstr(key, "*Working.* "));
    ck_assert(strstr(a, "Points: ") && strstr(a, " of 17\n") && strstr(key, "17 points, "));
    const struct exam_choice other = {.seed = 2028, .labs = choice.labs, .title = "Midterm"};
    char *c = written(&other, 0, false);
    ck_assert_str_ne(a, c);
    free(a);
    free(again);
    free(b);
    free(c);
    free(key);
}

TEST(what_is_drawn) {
    size_t chosen[64], first[64];
    ck_assert_uint_le(exam_bank_count(), 64);
    const struct exam_choice all = {.seed = 5, .labs = ~0u};
    ck_assert_uint_eq(exam_choose(chosen, &all), exam_bank_count());
    bool differs = false;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct exam_choice four = {.seed = seed, .labs = ~0u, .questions = 4};
        ck_assert_uint_eq(exam_choose(chosen, &four), 4);
        for (size_t i = 1; i < 4; i++)
            ck_assert_uint_lt(chosen[i - 1], chosen[i]); /* each once */
        differs = differs || (seed > 1 && memcmp(first, chosen, 4 * sizeof *first) != 0);
        if (seed == 1)
            memcpy(first, chosen, sizeof first);
    }
    ck_assert(differs);
    const struct exam_choice lab4 = {.seed = 5, .labs = 1u << 4, .questions = 9};
    ck_assert_uint_eq(exam_choose(chosen, &lab4), 1);
    ck_assert_int_eq(exam_bank(chosen[0])->lab, 4);
}

int main(void) {
    return run_tests((struct suite){.name = "exam", .seconds = 120});
}
