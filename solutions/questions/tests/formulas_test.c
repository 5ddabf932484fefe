/* formulas_test.c: the instructors' tables: whatever is drawn has sense, and the sealed files
 * accept the right answers and no others, for the day's student. That each seal is there is what
 * `make test-questions` and `make check-questions` compare. */
#include "common/tests/suite.h"
#include "grading/src/answers/answers.h"
#include "grading/src/lab/labs.h"
#include "solutions/questions/formulas.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LABS = 9 };

static struct question_set sets[LABS + 1];
static char student[32];
static unsigned day;

/* QUESTIONS_SEED repeats another day. */
static void set_up(void) {
    const char *given = getenv("QUESTIONS_SEED");
    char why[400];
    day = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)(time(NULL) / 86400);
    snprintf(student, sizeof student, "day-%u", day);
    for (int lab = 1; lab <= LABS; lab++)
        ck_assert_msg(questions_read(&sets[lab], ".", lab, why, sizeof why) == QUESTIONS_OK, "%s",
                      why);
}

static void tear_down(void) {
    for (int lab = 1; lab <= LABS; lab++)
        questions_free(&sets[lab]);
}

/* ---- The tables ---- */

/* The name that a code host gives to a heading: "## Where it lies" is #where-it-lies. */
static bool is_heading(const char *text, const char *name) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = line + strspn(line, "#");
        if (at == line || *at != ' ')
            continue;
        const char *n = name;
        for (at++; *at && *at != '\n'; at++) {
            if (!isalnum((unsigned char)*at) && *at != ' ' && *at != '-')
                continue;
            if (*n != (*at == ' ' ? '-' : (char)tolower((unsigned char)*at)))
                break;
            n++;
        }
        if (*n == '\0' && (*at == '\n' || *at == '\0'))
            return true;
    }
    return false;
}

static bool real_section(const char *section) {
    char path[128], anchor[64];
    static char text[1 << 17];
    const char *hash = strchr(section, '#');
    ck_assert_ptr_nonnull(hash);
    snprintf(path, sizeof path, "handouts/%.*s", (int)(hash - section), section);
    snprintf(anchor, sizeof anchor, "<a id=\"%s\"></a>", hash + 1);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s", path);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return strstr(text, anchor) != NULL || is_heading(text, hash + 1);
}

TEST(tables) {
    for (int lab = 1; lab <= LABS; lab++) {
        size_t count;
        const struct formula_question *all = formulas_of(lab, &count);
        ck_assert_uint_ge(count, 5);
        for (size_t q = 0; q < count; q++) {
            ck_assert_msg(real_section(all[q].section), "%s", all[q].section);
            for (size_t b = 0; b < all[q].blank_count; b++) {
                const struct formula_blank *blank = &all[q].blanks[b];
                ck_assert(blank->hint && *blank->hint && blank->ask && *blank->ask);
                ck_assert((blank->kind == BLANK_FORMULAS) == (blank->variables != NULL));
                ck_assert((blank->kind == BLANK_LINE) == (blank->lines != NULL));
                ck_assert((blank->kind == BLANK_WORD) == (blank->words != NULL));
                ck_assert((blank->value != NULL) + (blank->lines != NULL) +
                              (blank->kind != BLANK_FORMULAS && blank->written) ==
                          1);
                ck_assert((blank->kind != BLANK_FORMULAS) || blank->written);
            }
        }
    }
}

static void check_value(const struct formula_question *q, const struct formula_blank *b,
                        const struct drawn *d) {
    static const char *const negative[] = {"c_element", "big_small"};
    if (!b->value || b->kind == BLANK_FORMULAS)
        return;
    const struct blank_value v = b->value(d, NULL);
    bool may = false;
    for (size_t i = 0; i < COUNT(negative); i++)
        may = may || strcmp(b->name, negative[i]) == 0;
    ck_assert(v.count >= 1 && v.count <= BLANK_VALUES);
    for (int i = 0; i < v.count; i++) {
        char text[40];
        ck_assert_msg(isfinite(v.v[i]) && fabs(v.v[i]) < 9e15, "%s", b->name);
        ck_assert(b->kind == BLANK_REAL || v.v[i] == floor(v.v[i]));
        ck_assert_msg(may || v.v[i] >= 0, "%s is %g", b->name, v.v[i]);
        ck_assert_msg(b->kind != BLANK_REAL || v.v[i] > 0, "%s is %g", b->name, v.v[i]);
        /* No hint says the answer. */
        snprintf(text, sizeof text, "%.0f", v.v[i]);
        ck_assert_msg(strlen(text) < 3 || !strstr(b->hint, text), "%s: %s", q->key, b->hint);
    }
}

/* Every variant, of this edition and of others. */
TEST(variants) {
    for (int lab = 1; lab <= LABS; lab++) {
        size_t count, variants;
        const struct formula_question *all = formulas_of(lab, &count);
        for (size_t q = 0; q < count; q++)
            for (uint64_t edition = 0; edition < 8; edition++) {
                struct drawn *drawn = formulas_draw(&all[q], lab, edition, &variants);
                ck_assert_msg(!all[q].draw || variants >= 20, "%s has %zu variants", all[q].key,
                              variants);
                for (size_t v = 0; v < variants; v++)
                    for (size_t b = 0; b < all[q].blank_count; b++)
                        check_value(&all[q], &all[q].blanks[b], &drawn[v]);
                free(drawn);
            }
    }
}

/* What the handouts work out by hand, and the key to their questions. */
TEST(worked_examples) {
    static const struct {
        int lab;
        const char *key, *blank;
        int64_t drawn[8];
        double values[3];
    } rows[] = {
        {3, "lab3.sm", "percent_b", {2048, 48, 16, 32}, {100}},
        {6, "lab6.outer", "bytes_per_madd", {8, 8}, {1}},
        {6, "lab6.outer", "bytes_per_madd", {4, 4}, {2}},
        {6, "lab6.outer", "registers_least", {8, 8}, {80}},
        {6, "lab6.block", "copies", {8, 8, 8}, {4, 4}},
        {6, "lab6.block", "serves", {8, 8, 8}, {128}},
        {6, "lab6.stamp", "stamp_place", {37}, {2, 5}},
        {6, "lab6.stamp", "stamp_last", {37}, {114, 117}},
        {6, "lab6.stamp", "stamp_copy", {37}, {36, 5}},
        {6, "lab6.registers", "register_blocks", {128, 256, 2}, {2}},
        {6, "lab6.registers", "registers_most", {128, 256, 2}, {128}},
        {6, "lab6.edges", "blocks", {140, 50, 90}, {2}},
        {6, "lab6.edges", "slabs", {140, 50, 90}, {7}},
        {6, "lab6.edges", "slab_zeros", {140, 50, 90}, {1000}},
        {6, "lab6.edges", "never_stored", {140, 50, 90}, {15304}},
        {7, "lab7.warp", "warp_numbers", {8, 8, 8}, {96}},
        {7, "lab7.warp", "wide_loads", {8, 8, 8}, {4}},
        {7, "lab7.boxes", "warp_place", {5, 13}, {64, 32}},
        {7, "lab7.boxes", "box_place", {5, 13}, {76, 36}},
        {7, "lab7.boxes", "box_last", {5, 13}, {111, 55}},
        {7, "lab7.padding", "padding_turns", {128, 128}, {2}},
        {7, "lab7.padding", "padding_turns", {132, 128}, {1}},
        {7, "lab7.padding", "padding_turns", {136, 128}, {2}},
        {7, "lab7.padding", "padding_least", {128, 128}, {4}},
        {7, "lab7.stores", "store_requests", {8, 8, 8}, {16}},
        {7, "lab7.stores", "store_sectors", {8, 8, 8}, {16}},
        {8, "lab8.buffers", "buffer", {7, 4}, {3}},
        {8, "lab8.buffers", "starts", {7, 4}, {10, 2}},
        {8, "lab8.buffers", "under_way", {7, 4}, {2}},
        {8, "lab8.times", "one_buffer", {6, 4, 10}, {100}},
        {8, "lab8.times", "two_buffers", {6, 4, 10}, {64}},
        {8, "lab8.times", "three_buffers", {6, 4, 10}, {46}},
        {8, "lab8.shared", "block_bytes", {128, 256, 16, 3}, {74496}},
        {8, "lab8.shapes", "shape_tiles", {1024, 1024, 132}, {32, 128, 512}},
        {8, "lab8.shapes", "shape_waves", {1024, 1024, 132}, {1, 1, 4}},
        {8, "lab8.shapes", "shape", {1024, 1024, 132}, {1}},
        {8, "lab8.shapes", "shape", {2048, 2048, 132}, {0}},
        {8, "lab8.shapes", "shape", {512, 512, 132}, {2}},
        {8, "lab8.shapes", "shape", {512, 512, 16}, {1}},
        {8, "lab8.slices", "slabs", {4, 64, 128, 50}, {4, 2}},
        {8, "lab8.slices", "slabs", {4, 64, 128, 100}, {7, 4}},
        {8, "lab8.slices", "slice_floats", {4, 64, 128, 50}, {24576}},
        {9, "lab9.lanes", "lane_C", {9, 5}, {6}},
        {9, "lab9.lanes", "lane_C", {11, 2}, {13}},
        {9, "lab9.lanes", "lane_A", {0, 0, 11, 5}, {13}},
        {9, "lab9.lanes", "lane_B", {0, 0, 0, 0, 5, 3}, {13}},
        {9, "lab9.lanes", "lane_rows", {0, 0, 0, 0, 0, 0, 22}, {5, 13}},
        {9, "lab9.split", "big_small", {4097}, {4096, 1}},
        {9, "lab9.split", "plain_product", {4097, 1}, {4096}},
        {9, "lab9.error", "small_small", {0}, {4}},
        {9, "lab9.error", "smaller", {256}, {1}},
        {9, "lab9.error", "smaller", {4096}, {0}},
        {9, "lab9.mma", "mma_count", {64, 64, 8}, {96}},
        {9, "lab9.mma", "mma_madds", {64, 64, 8}, {98304, 32768}},
        {9, "lab9.mma", "sum_registers", {64, 64, 8}, {128}},
        {9, "lab9.flush", "flushes", {4096, 256, 64, 64}, {16}},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        size_t count, found = 0;
        struct drawn d = {{0}};
        memcpy(d.n, rows[r].drawn, sizeof rows[r].drawn);
        const struct formula_question *all = formulas_of(rows[r].lab, &count);
        for (size_t q = 0; q < count; q++)
            for (size_t b = 0; b < all[q].blank_count; b++) {
                if (strcmp(all[q].key, rows[r].key) != 0 ||
                    strcmp(all[q].blanks[b].name, rows[r].blank) != 0)
                    continue;
                const struct blank_value v = all[q].blanks[b].value(&d, NULL);
                for (int i = 0; i < v.count; i++)
                    ck_assert_msg(v.v[i] == rows[r].values[i], "row %zu, %s: %g, not %g", r,
                                  rows[r].blank, v.v[i], rows[r].values[i]);
                found++;
            }
        ck_assert_msg(found == 1, "%s, %s", rows[r].key, rows[r].blank);
    }
}

/* ---- What is sealed ---- */

/* A value as a student writes it. */
static void write_value(char *text, size_t room, const struct formula_blank *b,
                        const struct blank_value *v) {
    size_t at = 0;
    text[0] = '\0';
    if (b->kind == BLANK_WORD)
        snprintf(text, room, "%s", b->words[(int)v->v[0]]);
    else if (b->kind == BLANK_LETTERS && (int)v->v[0] == 0)
        snprintf(text, room, "none");
    else if (b->kind == BLANK_LETTERS)
        for (int i = 0; i < 8; i++)
            at +=
                (int)v->v[0] >> i & 1 ? (size_t)snprintf(text + at, room - at, "%c ", 'a' + i) : 0;
    else
        for (int i = 0; i < v->count; i++)
            at +=
                (size_t)snprintf(text + at, room - at, b->kind == BLANK_REAL ? "%s%.8f" : "%s%.0f",
                                 i ? ", " : "", v->v[i]);
}

static void judge(int lab, size_t q, size_t b, const char *answer, enum answer_verdict expected,
                  const char *hint) {
    struct answer_result r;
    answer_judge(&r, &sets[lab], q, b, student, 0, answer);
    ck_assert_msg(r.verdict == expected, "lab%d, %s = %s for %s: %s, %s", lab, r.blank->name,
                  answer, student, answer_verdict_name(r.verdict), r.hint);
    ck_assert_msg(!hint || strcmp(r.hint, hint) == 0, "lab%d, %s = %s for %s: '%s', not '%s'", lab,
                  r.blank->name, answer, student, r.hint, hint);
}

static void judge_right(int lab, size_t q, size_t b, const struct formula_blank *blank,
                        const struct drawn *d) {
    char text[160];
    if (blank->written) {
        judge(lab, q, b, blank->written, ANSWER_RIGHT, NULL);
    } else if (blank->lines) {
        for (int i = 0; blank->lines[i] >= 0; i++) {
            snprintf(text, sizeof text, "%d", (int)d->n[0] + blank->lines[i]);
            judge(lab, q, b, text, ANSWER_RIGHT, NULL);
        }
    } else {
        const struct blank_value v = blank->value(d, NULL);
        write_value(text, sizeof text, blank, &v);
        judge(lab, q, b, text, ANSWER_RIGHT, NULL);
    }
}

/* Values next to the right one, and the mistakes that have a hint. What is no mistake in this
 * variant, or the same as an earlier one, has its hint tested where it is. */
static void judge_wrong(int lab, size_t q, size_t b, const struct formula_blank *blank,
                        const struct drawn *d) {
    char text[160];
    struct plain *p = xcalloc(1, sizeof *p);
    formulas_plain(p, blank, d);
    for (int s = 0; blank->kind != BLANK_FORMULAS && s < SLIPS && blank->slips[s].value; s++) {
        const struct blank_value v = blank->slips[s].value(d, NULL);
        bool own = false;
        for (size_t i = 0; i < p->count; i++)
            own = own || p->holds[i] == 1 + s;
        write_value(text, sizeof text, blank, &v);
        if (own && blank->kind != BLANK_REAL) /* two mistakes may lie in one step of 4 % */
            judge(lab, q, b, text, ANSWER_WRONG, blank->slips[s].hint);
    }
    if (blank->kind == BLANK_NUMBERS || blank->kind == BLANK_REAL) {
        struct blank_value v = blank->value(d, NULL);
        v.v[v.count - 1] = blank->kind == BLANK_REAL ? v.v[v.count - 1] * 1.0205 : 1234567;
        write_value(text, sizeof text, blank, &v);
        judge(lab, q, b, text, ANSWER_WRONG, blank->kind == BLANK_REAL ? NULL : blank->hint);
    }
    free(p);
}

/* All right answers, and wrong ones in every third blank: a hash each. */
TEST(sealed_answers) {
    unsigned number = 0;
    for (int lab = 1; lab <= LABS; lab++) {
        size_t count, variants;
        const struct formula_question *all = formulas_of(lab, &count);
        ck_assert_uint_eq(count, sets[lab].count);
        for (size_t q = 0; q < count; q++) {
            struct drawn *drawn = formulas_draw(&all[q], lab, sets[lab].edition, &variants);
            ck_assert_uint_eq(variants, sets[lab].all[q].variant_count);
            const struct drawn *d = &drawn[question_pick(all[q].key, lab, variants, student, 0)];
            for (size_t b = 0; b < all[q].blank_count; b++, number++) {
                judge_right(lab, q, b, &all[q].blanks[b], d);
                if ((number + day) % 3 == 0)
                    judge_wrong(lab, q, b, &all[q].blanks[b], d);
            }
            free(drawn);
        }
    }
}

/* The file shows no hint that is kept for who makes the mistake, and no formula. */
TEST(nothing_in_the_clear) {
    static char text[1 << 22];
    for (int lab = 1; lab <= LABS; lab++) {
        char path[64];
        size_t count, hints = 0;
        const struct formula_question *all = formulas_of(lab, &count);
        snprintf(path, sizeof path, "grading/questions/lab%d.json", lab);
        FILE *f = fopen(path, "r");
        ck_assert_ptr_nonnull(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        for (size_t q = 0; q < count; q++)
            for (size_t b = 0; b < all[q].blank_count; b++) {
                const struct formula_blank *blank = &all[q].blanks[b];
                for (int s = 0; s < SLIPS && blank->slips[s].hint; s++, hints++)
                    /* A short one may be part of a question by chance. */
                    ck_assert_msg(strlen(blank->slips[s].hint) < 24 ||
                                      !strstr(text, blank->slips[s].hint),
                                  "%s: %s", path, blank->slips[s].hint);
                if (blank->kind == BLANK_FORMULAS)
                    ck_assert_msg(!strstr(text, blank->written), "%s: %s", path, blank->written);
            }
        ck_assert_uint_gt(hints, 0);
    }
}

int main(void) {
    return run_tests((struct suite){
        .name = "formulas", .seconds = 300, .set_up = set_up, .tear_down = tear_down});
}
