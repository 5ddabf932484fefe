/* answers.c: reads answers.txt; see answers.h. */
#include "grading/src/answers/answers.h"

#include "grading/src/answers/book.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (book_is_question(p.at, p.length))
        return true;
    for (size_t i = 0; i < p.length; i++)
        if (!isalnum((unsigned char)p.at[i]) && p.at[i] != '_')
            return false;
    return p.length > 0 && p.length < ANSWER_NAME;
}

const struct given_answer *answers_find(const struct answers *a, const char *name) {
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
            problem(a, number, "holds the byte 0x%02x, which is not text",
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
        problem(a, number, "the text before '=' is not a name");
        return;
    }
    struct given_answer g = {.line = number};
    snprintf(g.name, sizeof g.name, "%.*s", (int)name.length, name.at);
    const struct given_answer *before = answers_find(a, g.name);
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
    const struct given_answer *student = answers_find(a, "student");
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
    return strcmp(name, "student") == 0 || questions_in_words(s, name) ||
           (book_is_question(name, strlen(name)) && !book_is_of_lab(name, s->lab));
}

void answers_check_names(struct answers *a, const struct question_set *s, const char *lab_name) {
    for (size_t i = 0; i < a->count; i++)
        if (!asked(s, a->all[i].name))
            problem(a, a->all[i].line, "%s asks for no '%s' (./grader %s --questions)", lab_name,
                    a->all[i].name, lab_name);
}
