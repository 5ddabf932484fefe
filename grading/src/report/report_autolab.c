/*
 * report_autolab.c: what an Autolab autograder prints: feedback, then a line of JSON for the page,
 * then, as the last line, the scores of the problems "cases" and "checks", or of "answers".
 *
 * Autolab turns every `word:` of the last line into `"word":`, also inside strings: none of our
 * strings holds a letter or digit followed by ':'. A last line that it cannot read, or without
 * scores, becomes a zero for every problem; so what is not graded has the score null. While a job
 * runs, Autolab puts what is printed into its page as HTML, unescaped: no line of ours holds a tag.
 */
#include "grading/src/report/board.h"
#include "grading/src/report/report_entries.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

static json_t *safe_string(const char *s) {
    struct text t = {0};
    for (; *s; s++) {
        if (*s == ':' && t.length > 0 && isalnum((unsigned char)t.data[t.length - 1]))
            text_add(&t, " ");
        text_add_bytes(&t, s, 1);
        if (*s == '<')
            text_add(&t, " ");
    }
    json_t *value = json_string(text_get(&t));
    text_free(&t);
    return value;
}

/* HTML knows a tag by what follows '<' at once:
 * with a blank between, it is a sign like any other. */
static void without_tags(FILE *out, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fputc(s[i], out);
        if (s[i] == '<' && i + 1 < n &&
            (isalpha((unsigned char)s[i + 1]) || strchr("/!?", s[i + 1])))
            fputc(' ', out);
    }
}

static void feedback(FILE *out, const struct entries *e) {
    without_tags(out, text_get(&e->head), e->head.length);
    fputs("\n\n", out);
    without_tags(out, text_get(&e->says), e->says.length);
    for (size_t i = 0; i < e->count; i++) {
        const struct entry *one = &e->entry[i];
        fprintf(out, "%-13s %-28s %-14s %s%3g/%g\n", one->name, one->title, one->verdict,
                entry_bonus(one), one->points, one->possible);
        for (const char *line = text_get(&one->says); *line;) {
            const size_t n = strcspn(line, "\n");
            fputs("    ", out);
            without_tags(out, line, n);
            fputc('\n', out);
            line += n + (line[n] == '\n');
        }
    }
    fputc('\n', out);
}

static void presentation(FILE *out, const struct entries *e) {
    json_t *stages = json_array();
    json_t *o = json_pack("{s:s, s:o}", "_presentation", "semantic", "stages", stages);
    for (int kind = 0; kind < 2 && e->kinds[kind]; kind++) {
        json_array_append_new(stages, json_string(e->kinds[kind]));
        json_t *stage = json_object();
        for (size_t i = 0; i < e->count; i++) {
            const struct entry *one = &e->entry[i];
            if (one->check != (kind == 1) || (one->state != ENTRY_PASS && one->state != ENTRY_FAIL))
                continue;
            json_t *test = json_pack("{s:b}", "passed", one->state == ENTRY_PASS);
            if (one->state == ENTRY_FAIL) {
                struct text hint = {0};
                text_addf(&hint, "%s. %s", one->verdict, text_get(&one->says));
                json_object_set_new(test, "hint", safe_string(text_get(&hint)));
                text_free(&hint);
            }
            json_object_set_new(stage, one->name, test);
        }
        json_object_set_new(o, e->kinds[kind], stage);
    }
    entries_write_json(out, o, 0, false);
}

static json_t *score(const struct entries *e, int kind) {
    const double points = e->graded ? entries_scaled(e, kind) : -1;
    return points < 0 ? json_null() : json_real(points);
}

/* The columns of Autolab's scoreboard: points, and of who is on the board what it ranks. */
static json_t *board(const struct reporter *r, const struct grade_context *g,
                     const struct entries *e) {
    struct board b;
    json_t *columns = json_pack("[f]", entries_scaled(e, 2));
    if (!r->final || !board_of(&b, g))
        return columns;
    json_array_append_new(columns, json_real(b.bytes));
    json_array_append_new(columns, json_real(b.conflicts));
    if (b.seconds > 0)
        json_array_append_new(columns, json_real(1e3 * b.seconds));
    return columns;
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    feedback(r->out, &e);
    if (e.graded)
        presentation(r->out, &e);
    json_t *scores = json_object(), *o = json_pack("{s:o}", "scores", scores);
    for (int kind = 0; kind < 2 && e.kinds[kind]; kind++)
        json_object_set_new(scores, e.kinds[kind], score(&e, kind));
    if (e.graded)
        json_object_set_new(o, "scoreboard", board(r, g, &e));
    entries_write_json(r->out, o, 0, false);
    entries_free(&e);
}

void report_autolab_setup(struct reporter *r) {
    r->write = write_result;
}
