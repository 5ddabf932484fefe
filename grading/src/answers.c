/* answers.c: see answers.h. */
#include "grading/src/answers.h"

#include "grading/src/sealed.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TRIALS = 60 };

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

static bool asked(int lab, const char *name) {
    size_t count;
    const struct question *all = questions_of(lab, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < all[i].blank_count; b++)
            if (strcmp(all[i].blanks[b].name, name) == 0)
                return true;
    return strcmp(name, "student") == 0;
}

void answers_check_names(struct answers *a, int lab, const char *lab_name) {
    for (size_t i = 0; i < a->count; i++)
        if (!asked(lab, a->all[i].name))
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

/* Splits at commas that are in no parentheses. Returns how many parts; at most VALUES + 1. */
static int split(const char *given, struct part parts[VALUES + 1]) {
    int count = 0, depth = 0;
    const char *begin = given;
    for (const char *c = given;; c++) {
        depth += *c == '(';
        depth -= *c == ')';
        if (*c && (*c != ',' || depth > 0))
            continue;
        if (count <= VALUES)
            parts[count] = trim((struct part){begin, (size_t)(c - begin)});
        count = count <= VALUES ? count + 1 : count;
        if (!*c)
            return count;
        begin = c + 1;
    }
}

/* Takes the parts of an answer that should have `want` of them. One value may hold commas between
 * thousands. */
static bool take_parts(struct answer_result *r, int want, struct part parts[VALUES + 1]) {
    char hint[120];
    if (want == 1) {
        parts[0] = (struct part){r->given, strlen(r->given)};
        return true;
    }
    const int count = split(r->given, parts);
    if (count == want)
        return true;
    snprintf(hint, sizeof hint, "Expected %d values with commas between, found %d.", want, count);
    verdict(r, ANSWER_UNREADABLE, hint);
    return false;
}

static bool close_to(double got, double want, bool real) {
    return real ? fabs(got - want) <= 0.02 * fabs(want) : got == want;
}

static bool equal(const double *got, const struct blank_value *want, bool real) {
    for (int i = 0; i < want->count; i++)
        if (!close_to(got[i], want->v[i], real))
            return false;
    return true;
}

/* The hint for a wrong answer: that of the slip which gives it, or the blank's own. */
static void wrong(struct answer_result *r, const double *got, const struct drawn *d,
                  const struct variables *v) {
    const bool real = r->blank->kind == BLANK_REAL;
    for (int i = 0; i < SLIPS && r->blank->slips[i].value; i++) {
        const struct blank_value slip = r->blank->slips[i].value(d, v);
        if (equal(got, &slip, real)) {
            verdict(r, ANSWER_WRONG, r->blank->slips[i].hint);
            return;
        }
    }
    verdict(r, ANSWER_WRONG, r->blank->hint);
}

static void judge_numbers(struct answer_result *r, const struct drawn *d) {
    const bool real = r->blank->kind == BLANK_REAL;
    const struct blank_value want = r->blank->value(d, NULL);
    struct part parts[VALUES + 1] = {{NULL, 0}};
    double got[VALUES] = {0};
    char why[EXPRESSION_ERROR], hint[EXPRESSION_ERROR + 80];
    if (!take_parts(r, want.count, parts))
        return;
    for (int i = 0; i < want.count; i++)
        if (!expression_value(parts[i].at, parts[i].length, NULL, 0, !real, &got[i], why)) {
            snprintf(hint, sizeof hint, "Not a number or a calculation: %s. (No units.)", why);
            verdict(r, ANSWER_UNREADABLE, hint);
            return;
        }
    if (equal(got, &want, real))
        verdict(r, ANSWER_RIGHT, "");
    else
        wrong(r, got, d, NULL);
}

/* Evaluates all parts of a formula in one trial. */
static bool evaluate(struct answer_result *r, const struct part *parts, int count,
                     const struct variables *v, double *got) {
    struct binding names[32];
    char why[EXPRESSION_ERROR], hint[2 * EXPRESSION_ERROR + 80];
    const size_t bound = variables_bind(r->blank->variables, v, names);
    for (int i = 0; i < count; i++)
        if (!expression_value(parts[i].at, parts[i].length, names, bound, true, &got[i], why)) {
            snprintf(hint, sizeof hint, "Not a formula: %s. Use: %s (or CUDA's names for them).",
                     why, r->blank->variables);
            verdict(r, ANSWER_UNREADABLE, hint);
            return false;
        }
    return true;
}

/* Two formulas are equal if they give the same in many random trials. A slip is recognised by the
 * same trials. */
static void judge_formulas(struct answer_result *r, const struct drawn *d) {
    struct generator g = generator_start(20, 26);
    struct part parts[VALUES + 1] = {{NULL, 0}};
    bool right = true, slipped[SLIPS] = {false};
    for (int s = 0; s < SLIPS; s++)
        slipped[s] = r->blank->slips[s].value != NULL;
    for (int trial = 0; trial < TRIALS; trial++) {
        const struct variables v = variables_draw(&g);
        const struct blank_value want = r->blank->value(d, &v);
        double got[VALUES] = {0};
        if ((trial == 0 && !take_parts(r, want.count, parts)) ||
            !evaluate(r, parts, want.count, &v, got))
            return;
        right = right && equal(got, &want, false);
        for (int s = 0; s < SLIPS && slipped[s]; s++) {
            const struct blank_value slip = r->blank->slips[s].value(d, &v);
            slipped[s] = equal(got, &slip, false);
        }
    }
    if (right) {
        verdict(r, ANSWER_RIGHT, "");
        return;
    }
    verdict(r, ANSWER_WRONG, r->blank->hint);
    for (int s = SLIPS - 1; s >= 0; s--)
        if (slipped[s])
            verdict(r, ANSWER_WRONG, r->blank->slips[s].hint);
}

static void judge_word(struct answer_result *r, const struct drawn *d) {
    const struct blank_value want = r->blank->value(d, NULL);
    struct text list = {0};
    int found = -1;
    for (int i = 0; r->blank->words[i]; i++) {
        found = strcasecmp(r->given, r->blank->words[i]) == 0 ? i : found;
        text_addf(&list, "%s %s", i ? "," : "", r->blank->words[i]);
    }
    char hint[160];
    snprintf(hint, sizeof hint, "Write one of:%s.", text_get(&list));
    text_free(&list);
    if (found < 0)
        verdict(r, ANSWER_UNREADABLE, hint);
    else if (found == (int)want.v[0])
        verdict(r, ANSWER_RIGHT, "");
    else
        verdict(r, ANSWER_WRONG, r->blank->hint);
}

static void judge_letters(struct answer_result *r, const struct drawn *d) {
    const struct blank_value want = r->blank->value(d, NULL);
    int set = 0;
    if (strcasecmp(r->given, "none") != 0)
        for (const char *c = r->given; *c; c++) {
            const int letter = tolower((unsigned char)*c) - 'a';
            if (*c == ' ' || *c == ',' || *c == '\t')
                continue;
            if (letter < 0 || letter > 7 || isalpha((unsigned char)c[1])) {
                verdict(r, ANSWER_UNREADABLE, "Write letters with blanks between, as in: a c");
                return;
            }
            set |= 1 << letter;
        }
    const double got[VALUES] = {set};
    if (set == (int)want.v[0])
        verdict(r, ANSWER_RIGHT, "");
    else
        wrong(r, got, d, NULL);
}

void sealed_key(char key[SEALED_KEY], const struct question *q, const struct blank *b) {
    snprintf(key, SEALED_KEY, "%s/%s", q->key, b->name);
}

static void judge_sealed(struct answer_result *r, const struct drawn *d) {
    char answer[ANSWER_VALUE], key[SEALED_KEY], why[EXPRESSION_ERROR];
    snprintf(answer, sizeof answer, "%s", r->given);
    if (r->blank->from_first_line) {
        double line;
        if (!expression_value(r->given, strlen(r->given), NULL, 0, true, &line, why)) {
            verdict(r, ANSWER_UNREADABLE, "Write the number of the line.");
            return;
        }
        if (line < (double)d->n[0] || line > (double)d->n[0] + 99) {
            verdict(r, ANSWER_WRONG,
                    "There is no such line. (Without a student's name, or with "
                    "another one, the lines have other numbers.)");
            return;
        }
        snprintf(answer, sizeof answer, "%d", (int)line - (int)d->n[0]);
    }
    sealed_key(key, r->question, r->blank);
    switch (sealed_check(key, answer, r->blank->sealed)) {
    case SEALED_RIGHT:
        verdict(r, ANSWER_RIGHT, "");
        break;
    case SEALED_WRONG:
        verdict(r, ANSWER_WRONG, r->blank->hint);
        break;
    case SEALED_CANNOT:
    default:
        verdict(r, ANSWER_NOT_JUDGED,
                "This machine's libcrypt does not know yescrypt: install libxcrypt.");
        break;
    }
}

void answer_judge(struct answer_result *r, const struct question *q, const struct blank *b,
                  const struct drawn *d, const char *given) {
    *r = (struct answer_result){.question = q, .blank = b, .given = given ? given : ""};
    if (!*r->given) {
        verdict(r, ANSWER_NONE, "");
        return;
    }
    switch (b->kind) {
    case BLANK_NUMBERS:
    case BLANK_REAL:
        judge_numbers(r, d);
        break;
    case BLANK_FORMULAS:
        judge_formulas(r, d);
        break;
    case BLANK_WORD:
        judge_word(r, d);
        break;
    case BLANK_LETTERS:
        judge_letters(r, d);
        break;
    case BLANK_SEALED:
        judge_sealed(r, d);
        break;
    }
}

struct answer_result *answers_judge(const struct answers *a, int lab, const char *student,
                                    uint64_t seed, size_t *count) {
    size_t questions, total = 0;
    const struct question *all = questions_of(lab, &questions);
    for (size_t i = 0; i < questions; i++)
        total += all[i].blank_count;
    struct answer_result *results = xcalloc(total + 1, sizeof *results);
    *count = 0;
    for (size_t i = 0; i < questions; i++) {
        const struct drawn d = question_draw(&all[i], lab, student, seed);
        for (size_t b = 0; b < all[i].blank_count; b++) {
            const struct given_answer *g = find(a, all[i].blanks[b].name);
            answer_judge(&results[(*count)++], &all[i], &all[i].blanks[b], &d, g ? g->value : "");
        }
    }
    return results;
}
