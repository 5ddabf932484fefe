/* expression.c: a recursive-descent evaluator, see expression.h. */
#include "grading/src/answers/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 40, NAME = 31 };

struct evaluator {
    const char *at, *end;
    const struct binding *names;
    size_t name_count;
    bool whole;
    int depth;
    char *why; /* empty while all is well */
};

static bool sum(struct evaluator *e, double *value);

__attribute__((format(printf, 2, 3))) static bool refuse(struct evaluator *e, const char *format,
                                                         ...) {
    va_list args;
    va_start(args, format);
    if (!e->why[0])
        vsnprintf(e->why, EXPRESSION_ERROR, format, args);
    va_end(args);
    return false;
}

/* The next character that is no blank; 0 at the end. */
static char peek(struct evaluator *e) {
    while (e->at < e->end && (*e->at == ' ' || *e->at == '\t'))
        e->at++;
    return e->at < e->end ? *e->at : '\0';
}

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

static bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool unexpected(struct evaluator *e) {
    const char c = peek(e);
    if (!c && e->at == e->end)
        return refuse(e, "it ends too early");
    if (c < ' ' || c > '~')
        return refuse(e, "unexpected byte 0x%02x", (unsigned)(unsigned char)c);
    return refuse(e, "unexpected '%c'", c);
}

/* A comma that sets thousands apart: three digits follow, and no fourth. */
static bool thousands(const struct evaluator *e, int digits) {
    const char *c = e->at;
    return *c == ',' && digits > 0 && e->end - c > 3 && digit(c[1]) && digit(c[2]) && digit(c[3]) &&
           !(e->end - c > 4 && digit(c[4]));
}

static bool number(struct evaluator *e, double *value) {
    double scale = 1;
    int digits = 0;
    bool fraction = false;
    *value = 0;
    for (; e->at < e->end; e->at++) {
        if (digit(*e->at)) {
            *value = *value * 10 + (*e->at - '0');
            scale *= fraction ? 10 : 1;
            if (++digits > 17)
                return refuse(e, "a number has too many digits");
        } else if (*e->at == '.' && !fraction) {
            fraction = true;
        } else if (fraction || !thousands(e, digits)) {
            break;
        }
    }
    if (digits == 0)
        return refuse(e, "a dot without digits");
    if (e->at < e->end && letter(*e->at))
        return refuse(e, "a letter after a number (write * for times)");
    *value /= scale;
    if (e->whole && fraction && *value != floor(*value))
        return refuse(e, "a whole number is expected");
    return true;
}

static bool name(struct evaluator *e, double *value) {
    char word[NAME + 1];
    size_t length = 0;
    while (e->at < e->end && (letter(*e->at) || digit(*e->at) || *e->at == '.')) {
        if (length == NAME)
            return refuse(e, "a name is too long");
        word[length++] = *e->at++;
    }
    word[length] = '\0';
    for (size_t i = 0; i < e->name_count; i++)
        if (strcmp(word, e->names[i].name) == 0) {
            *value = e->names[i].value;
            return true;
        }
    return refuse(e, e->name_count ? "'%s' is none of the names to use" : "'%s' is not a number",
                  word);
}

static bool value_of(struct evaluator *e, double *value) {
    const char c = peek(e);
    if (digit(c) || c == '.')
        return number(e, value);
    if (letter(c))
        return name(e, value);
    if (c != '(')
        return unexpected(e);
    e->at++;
    if (!sum(e, value))
        return false;
    if (peek(e) != ')')
        return refuse(e, "a ')' is missing");
    e->at++;
    return true;
}

static bool sign(struct evaluator *e, double *value) {
    double factor = 1;
    *value = 0;
    while (peek(e) == '-' || peek(e) == '+')
        factor *= *e->at++ == '-' ? -1 : 1;
    if (!value_of(e, value))
        return false;
    *value *= factor;
    return true;
}

static bool divide(struct evaluator *e, char operation, double *value, double by) {
    if (by == 0)
        return refuse(e, "a division by 0");
    if (operation == '%')
        *value = fmod(*value, by);
    else
        *value = e->whole ? trunc(*value / by) : *value / by;
    return true;
}

static bool product(struct evaluator *e, double *value) {
    if (!sign(e, value))
        return false;
    for (char c = peek(e); c == '*' || c == '/' || c == '%'; c = peek(e)) {
        double right;
        e->at++;
        if (!sign(e, &right))
            return false;
        if (c == '*')
            *value *= right;
        else if (!divide(e, c, value, right))
            return false;
    }
    return true;
}

static bool sum(struct evaluator *e, double *value) {
    if (++e->depth > DEPTH)
        return refuse(e, "too many parentheses");
    if (!product(e, value))
        return false;
    for (char c = peek(e); c == '+' || c == '-'; c = peek(e)) {
        double right;
        e->at++;
        if (!product(e, &right))
            return false;
        *value += c == '+' ? right : -right;
    }
    e->depth--;
    return true;
}

bool expression_value(const char *text, size_t length, const struct binding *names,
                      size_t name_count, bool whole, double *value, char why[EXPRESSION_ERROR]) {
    struct evaluator e = {.at = text,
                          .end = text + length,
                          .names = names,
                          .name_count = name_count,
                          .whole = whole,
                          .why = why};
    why[0] = '\0';
    *value = 0;
    if (!sum(&e, value))
        return false;
    peek(&e);
    if (e.at < e.end)
        return unexpected(&e);
    if (!isfinite(*value) || fabs(*value) > 9007199254740992.0)
        return refuse(&e, "the value is too large");
    return true;
}
