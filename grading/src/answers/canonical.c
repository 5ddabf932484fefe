/* canonical.c: see canonical.h. */
#include "grading/src/answers/canonical.h"

#include "grading/src/answers/expression.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- From values ---- */

void canonical_numbers(char spelling[CANONICAL], const double *values, int count) {
    size_t at = 0;
    spelling[0] = '\0';
    for (int i = 0; i < count && at < CANONICAL; i++) /* + 0.0: there is one zero */
        at += (size_t)snprintf(spelling + at, CANONICAL - at, "%s%.0f", i ? "," : "n",
                               values[i] + 0.0);
}

/* A little wider than the tolerance, so that 36.72 is within 2 % of 36 on every machine. */
static const double margin = 1e-9;

static double step(void) {
    return log((1 + CANONICAL_TOLERANCE) / (1 - CANONICAL_TOLERANCE)) + 2 * margin;
}

double canonical_grid(double value) {
    const double low = log(value) + log(1 - CANONICAL_TOLERANCE) - margin;
    const double grid = fmod(low, step());
    return grid < 0 ? grid + step() : grid;
}

void canonical_real(char spelling[CANONICAL], double grid, double value) {
    if (value > 0)
        snprintf(spelling, CANONICAL, "r%.0f", floor((log(value) - grid) / step()) + 0.0);
    else
        snprintf(spelling, CANONICAL, "r%s", value < 0 ? "negative" : "zero");
}

void canonical_word(char spelling[CANONICAL], const char *word) {
    snprintf(spelling, CANONICAL, "w%s", word);
}

void canonical_letters(char spelling[CANONICAL], unsigned set) {
    snprintf(spelling, CANONICAL, "l%u", set);
}

void canonical_line(char spelling[CANONICAL], int line) {
    snprintf(spelling, CANONICAL, "i%d", line);
}

void canonical_text(char spelling[CANONICAL], const char *text) {
    size_t at = 0;
    spelling[at++] = 't';
    for (; *text && at + 1 < CANONICAL; text++)
        if (isalnum((unsigned char)*text))
            spelling[at++] = (char)tolower((unsigned char)*text);
    spelling[at] = '\0';
}

/* Twice FNV-1a, from two beginnings. Nobody gains by a collision: it would be a wrong formula. */
struct folded folded_start(void) {
    return (struct folded){{UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)}};
}

void folded_add(struct folded *f, const double *values, int count) {
    char number[40];
    for (int i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%.0f;", values[i] + 0.0);
        for (int half = 0; half < 2; half++)
            for (const char *c = number; *c; c++)
                f->half[half] =
                    (f->half[half] ^ (uint64_t)(unsigned char)*c) * UINT64_C(0x100000001b3);
    }
}

void canonical_folded(char spelling[CANONICAL], const struct folded *f) {
    snprintf(spelling, CANONICAL, "f%016" PRIx64 "%016" PRIx64, f->half[0], f->half[1]);
}

/* ---- From what a student wrote ---- */

struct part {
    const char *at;
    size_t length;
};

/* Splits at commas that are in no parentheses. Returns how many parts; at most BLANK_VALUES + 1. */
static int split(const char *given, struct part parts[BLANK_VALUES + 1]) {
    int count = 0, depth = 0;
    const char *begin = given;
    for (const char *c = given;; c++) {
        depth += *c == '(';
        depth -= *c == ')';
        if (*c && (*c != ',' || depth > 0))
            continue;
        if (count <= BLANK_VALUES)
            parts[count++] = (struct part){begin, (size_t)(c - begin)};
        if (!*c)
            return count;
        begin = c + 1;
    }
}

/* The parts of an answer that should have `want` of them. A single value may hold commas between
 * thousands. */
static bool take_parts(const char *given, int want, struct part parts[BLANK_VALUES + 1],
                       char why[CANONICAL_WHY]) {
    if (want == 1) {
        parts[0] = (struct part){given, strlen(given)};
        return true;
    }
    const int count = split(given, parts);
    if (count != want)
        snprintf(why, CANONICAL_WHY, "Expected %d values with commas between, found %d.", want,
                 count);
    return count == want;
}

static bool read_values(const struct blank *b, const char *given, double *values,
                        char why[CANONICAL_WHY]) {
    struct part parts[BLANK_VALUES + 1] = {{NULL, 0}};
    char error[EXPRESSION_ERROR];
    if (!take_parts(given, b->count, parts, why))
        return false;
    for (int i = 0; i < b->count; i++)
        if (!expression_value(parts[i].at, parts[i].length, NULL, 0, b->kind == BLANK_NUMBERS,
                              &values[i], error)) {
            snprintf(why, CANONICAL_WHY, "Not a number or a calculation: %s. (No units.)", error);
            return false;
        }
    return true;
}

/* The names by which a variable may be called, CUDA's among them. */
enum { NAMES = 32 };
static size_t bind(const struct blank *b, const double *point, struct binding names[NAMES]) {
    static const char *const also[][2] = {
        {"T", "TILE"},        {"T", "blockDim.x"},  {"T", "blockDim.y"},
        {"p", "phase"},       {"x", "threadIdx.x"}, {"y", "threadIdx.y"},
        {"bx", "blockIdx.x"}, {"by", "blockIdx.y"}, {"lane", "laneIdx"},
    };
    size_t count = 0;
    for (size_t i = 0; b->variables[i]; i++) {
        names[count++] = (struct binding){b->variables[i], point[i]};
        for (size_t a = 0; a < sizeof also / sizeof *also && count < NAMES; a++)
            if (strcmp(also[a][0], b->variables[i]) == 0)
                names[count++] = (struct binding){also[a][1], point[i]};
    }
    return count;
}

static bool read_formulas(const struct blank *b, const char *given, char spelling[CANONICAL],
                          char why[CANONICAL_WHY]) {
    struct part parts[BLANK_VALUES + 1] = {{NULL, 0}};
    struct binding names[NAMES];
    struct folded folded = folded_start();
    char error[EXPRESSION_ERROR];
    if (!take_parts(given, b->count, parts, why))
        return false;
    for (size_t point = 0; point < b->point_count; point++) {
        const size_t bound = bind(b, b->points[point], names);
        double values[BLANK_VALUES];
        for (int i = 0; i < b->count; i++)
            if (!expression_value(parts[i].at, parts[i].length, names, bound, true, &values[i],
                                  error)) {
                size_t at = (size_t)snprintf(why, CANONICAL_WHY, "Not a formula: %s. Use:", error);
                for (int j = 0; b->variables[j] && at < CANONICAL_WHY; j++)
                    at += (size_t)snprintf(why + at, CANONICAL_WHY - at, " %s", b->variables[j]);
                if (at < CANONICAL_WHY)
                    snprintf(why + at, CANONICAL_WHY - at, " (or CUDA's names for them).");
                return false;
            }
        folded_add(&folded, values, b->count);
    }
    canonical_folded(spelling, &folded);
    return true;
}

static bool read_word(const struct blank *b, const char *given, char spelling[CANONICAL],
                      char why[CANONICAL_WHY]) {
    size_t at = (size_t)snprintf(why, CANONICAL_WHY, "Write one of:");
    for (int i = 0; b->words[i]; i++) {
        if (strcasecmp(given, b->words[i]) == 0) {
            canonical_word(spelling, b->words[i]);
            return true;
        }
        if (at < CANONICAL_WHY)
            at +=
                (size_t)snprintf(why + at, CANONICAL_WHY - at, "%s %s", i ? "," : "", b->words[i]);
    }
    if (at < CANONICAL_WHY)
        snprintf(why + at, CANONICAL_WHY - at, ".");
    return false;
}

static bool read_letters(const char *given, char spelling[CANONICAL], char why[CANONICAL_WHY]) {
    unsigned set = 0;
    if (strcasecmp(given, "none") != 0)
        for (const char *c = given; *c; c++) {
            const int letter = tolower((unsigned char)*c) - 'a';
            if (*c == ' ' || *c == ',' || *c == '\t')
                continue;
            if (letter < 0 || letter > 7 || isalpha((unsigned char)c[1])) {
                snprintf(why, CANONICAL_WHY, "Write letters with blanks between, as in: a c");
                return false;
            }
            set |= 1U << letter;
        }
    canonical_letters(spelling, set);
    return true;
}

static enum canonical_state read_line(const struct question *q, const struct variant *v,
                                      const char *given, char spelling[CANONICAL],
                                      char why[CANONICAL_WHY]) {
    char error[EXPRESSION_ERROR];
    double line;
    if (!expression_value(given, strlen(given), NULL, 0, true, &line, error)) {
        snprintf(why, CANONICAL_WHY, "Write the number of the line.");
        return CANONICAL_UNREADABLE;
    }
    if (line < v->first || line >= v->first + q->lines) {
        snprintf(why, CANONICAL_WHY,
                 "There is no such line. (Without a student's name, or with another one, the lines "
                 "have other numbers.)");
        return CANONICAL_NOWHERE;
    }
    canonical_line(spelling, (int)line);
    return CANONICAL_OK;
}

static bool read_numbers(const struct blank *b, const struct sealed_blank *s, const char *given,
                         char spelling[CANONICAL], char why[CANONICAL_WHY]) {
    double values[BLANK_VALUES] = {0};
    if (!read_values(b, given, values, why))
        return false;
    if (b->kind == BLANK_REAL)
        canonical_real(spelling, s->grid, values[0]);
    else
        canonical_numbers(spelling, values, b->count);
    return true;
}

enum canonical_state canonical_answer(const struct question *q, const struct blank *b,
                                      const struct variant *v, const struct sealed_blank *s,
                                      const char *given, char spelling[CANONICAL],
                                      char why[CANONICAL_WHY]) {
    bool readable = true;
    spelling[0] = why[0] = '\0';
    switch (b->kind) {
    case BLANK_NUMBERS:
    case BLANK_REAL: readable = read_numbers(b, s, given, spelling, why); break;
    case BLANK_FORMULAS: readable = read_formulas(b, given, spelling, why); break;
    case BLANK_WORD: readable = read_word(b, given, spelling, why); break;
    case BLANK_LETTERS: readable = read_letters(given, spelling, why); break;
    case BLANK_LINE: return read_line(q, v, given, spelling, why);
    case BLANK_TEXT:
    case BLANK_KINDS:
    default: canonical_text(spelling, given); break;
    }
    return readable ? CANONICAL_OK : CANONICAL_UNREADABLE;
}
