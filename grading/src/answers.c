/* answers.c: see answers.h. */
#include "grading/src/answers.h"

#include "grading/src/canonical.h"
#include "grading/src/seal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Reading ---------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void problem(struct answers *a, int line,
                                                          const char *format, ...) {
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (a->problem_count++ < 20)
        text_addf(&a->problems, "line %d: %s\n", line, what);
}

struct part {
    const char *at;
    size_t length;
};

static struct part trim(struct part p) {
    while (p.length > 0 && (*p.at == ' ' || *p.at == '\t')) {
        p.at++;
        p.length--;
    }
    while (p.length > 0 && (p.at[p.length - 1] == ' ' || p.at[p.length - 1] == '\t'))
        p.length--;
    return p;
}

static bool is_name(struct part p) {
    for (size_t i = 0; i < p.length; i++)
        if (!isalnum((unsigned char)p.at[i]) && p.at[i] != '_')
            return false;
    return p.length > 0 && p.length < ANSWER_NAME;
}

static const struct given_answer *find(const struct answers *a, const char *name) {
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->all[i].name, name) == 0)
            return &a->all[i];
    return NULL;
}

static void take_line(struct answers *a, struct part line, int number) {
    const char *comment = memchr(line.at, '#', line.length);
    if (comment)
        line.length = (size_t)(comment - line.at);
    line = trim(line);
    if (line.length == 0)
        return;
    for (size_t i = 0; i < line.length; i++)
        if (((unsigned char)line.at[i] < ' ' && line.at[i] != '\t') || line.at[i] == 127) {
            problem(a, number, "holds the byte 0x%02x, which is no text",
                    (unsigned)(unsigned char)line.at[i]);
            return;
        }
    const char *equals = memchr(line.at, '=', line.length);
    if (!equals) {
        problem(a, number, "no '=': expected \"name = value\"");
        return;
    }
    const struct part name = trim((struct part){line.at, (size_t)(equals - line.at)});
    const struct part value =
        trim((struct part){equals + 1, line.length - (size_t)(equals + 1 - line.at)});
    if (!is_name(name)) {
        problem(a, number, "what stands before '=' is no name");
        return;
    }
    struct given_answer g = {.line = number};
    snprintf(g.name, sizeof g.name, "%.*s", (int)name.length, name.at);
    const struct given_answer *before = find(a, g.name);
    if (before) {
        problem(a, number, "'%s' comes a second time; line %d counts", g.name, before->line);
    } else if (value.length >= sizeof g.value) {
        problem(a, number, "the value of '%s' is too long", g.name);
    } else if (a->count == ANSWERS_MAX) {
        problem(a, number, "more than %d lines with answers", ANSWERS_MAX);
    } else {
        snprintf(g.value, sizeof g.value, "%.*s", (int)value.length, value.at);
        a->all[a->count++] = g;
    }
}

void answers_parse(struct answers *a, const char *text, size_t bytes) {
    *a = (struct answers){.all = xcalloc(ANSWERS_MAX, sizeof *a->all)};
    int number = 0;
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct part line = {at, (size_t)((stop ? stop : end) - at)};
        if (line.length > 0 && line.at[line.length - 1] == '\r')
            line.length--;
        take_line(a, line, ++number);
        at = stop ? stop + 1 : end;
    }
    const struct given_answer *student = find(a, "student");
    if (student && strlen(student->value) >= STUDENT)
        problem(a, student->line, "a student's name has at most %d characters", STUDENT - 1);
    else if (student)
        snprintf(a->student, sizeof a->student, "%.*s", STUDENT - 1, student->value);
}

void answers_free(struct answers *a) {
    free(a->all);
    text_free(&a->problems);
    *a = (struct answers){0};
}

static bool asked(const struct question_set *s, const char *name) {
    for (size_t i = 0; i < s->count; i++)
        for (size_t b = 0; b < s->all[i].blank_count; b++)
            if (strcmp(s->all[i].blanks[b].name, name) == 0)
                return true;
    return strcmp(name, "student") == 0;
}

void answers_check_names(struct answers *a, const struct question_set *s, const char *lab_name) {
    for (size_t i = 0; i < a->count; i++)
        if (!asked(s, a->all[i].name))
            problem(a, a->all[i].line, "%s asks for no '%s' (./grader %s --questions)", lab_name,
                    a->all[i].name, lab_name);
}

/* --- Judging -----------------------------------------------------------------------------------
 */

const char *answer_verdict_name(enum answer_verdict v) {
    static const char *const names[] = {"right", "wrong", "no answer", "unreadable", "not judged"};
    return names[v];
}

static void verdict(struct answer_result *r, enum answer_verdict v, const char *hint) {
    r->verdict = v;
    snprintf(r->hint, sizeof r->hint, "%s", hint);
}

/* Looks for a seal that the answer's hash opens. None does: wrong, in a way nobody expected. */
static void unseal(struct answer_result *r, const struct sealed_blank *s, const char *hash) {
    char key[SEAL_KEY + 1], hint[SEAL_TEXT + 1];
    int holds;
    verdict(r, ANSWER_WRONG, r->blank->hint);
    for (size_t i = 0; i < s->count; i++) {
        if (!seal_open(s->seals[i], hash, &holds, key))
            continue;
        if (holds == SEAL_RIGHT)
            verdict(r, ANSWER_RIGHT, "");
        else if (holds <= (int)r->blank->hint_count &&
                 seal_open_text(hint, r->blank->hints[holds - 1], key))
            verdict(r, ANSWER_WRONG, hint);
        return;
    }
}

void answer_judge(struct answer_result *r, const struct question_set *set, size_t question,
                  size_t blank, const char *student, uint64_t seed, const char *given) {
    const struct question *q = &set->all[question];
    const struct blank *b = &q->blanks[blank];
    const struct variant *v = question_variant(set, q, student, seed);
    char spelling[CANONICAL], why[CANONICAL_WHY], place[SEAL_PLACE], hash[SEAL_HASH];
    *r = (struct answer_result){.question = q, .blank = b, .given = given ? given : ""};
    if (!*r->given) {
        verdict(r, ANSWER_NONE, "");
        return;
    }
    const enum canonical_state state =
        canonical_answer(q, b, v, &v->blanks[blank], r->given, spelling, why);
    if (state != CANONICAL_OK) {
        verdict(r, state == CANONICAL_NOWHERE ? ANSWER_WRONG : ANSWER_UNREADABLE, why);
        return;
    }
    question_place(place, set->edition, q->key, (size_t)(v - q->variants), b->name);
    if (seal_hash(hash, place, set->cost, spelling))
        unseal(r, &v->blanks[blank], hash);
    else
        verdict(r, ANSWER_NOT_JUDGED,
                "This machine's libcrypt does not know yescrypt: install libxcrypt.");
}

void answers_judge(struct answer_sheet *s, uint64_t seed) {
    const struct question_set *q = &s->questions;
    s->results = xcalloc(questions_blanks(q) + 1, sizeof *s->results);
    s->count = s->right = 0;
    s->judged = true;
    for (size_t i = 0; i < q->count; i++)
        for (size_t b = 0; b < q->all[i].blank_count; b++) {
            const struct given_answer *g = find(&s->answers, q->all[i].blanks[b].name);
            struct answer_result *r = &s->results[s->count++];
            answer_judge(r, q, i, b, s->student, seed, g ? g->value : "");
            s->right += r->verdict == ANSWER_RIGHT;
            s->judged = s->judged && r->verdict != ANSWER_NOT_JUDGED;
        }
}

void answer_sheet_free(struct answer_sheet *s) {
    free(s->results);
    answers_free(&s->answers);
    questions_free(&s->questions);
    *s = (struct answer_sheet){0};
}
