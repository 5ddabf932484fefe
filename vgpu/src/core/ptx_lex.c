/* ptx_lex.c: see ptx_lex.h. */
#include "vgpu/src/core/ptx_lex.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    /* Letters beyond ASCII, in UTF-8: see tools/vgpucc_names.h. */
    const bool high = (unsigned char)c >= 0x80;
    return high || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           c == '%';
}

static bool is_name(char c) {
    return (is_name_start(c) && c != '%') || is_digit(c);
}

static int hex_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void skip_blank(ptx_lexer *lx) {
    while (lx->p < lx->end) {
        char c = *lx->p;
        if (c == '\n') {
            lx->line++;
            lx->p++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lx->p++;
        } else if (c == '/' && lx->end - lx->p > 1 && lx->p[1] == '/') {
            while (lx->p < lx->end && *lx->p != '\n')
                lx->p++;
        } else if (c == '/' && lx->end - lx->p > 1 && lx->p[1] == '*') {
            lx->p += 2;
            while (lx->p < lx->end && !(*lx->p == '*' && lx->end - lx->p > 1 && lx->p[1] == '/')) {
                lx->line += *lx->p == '\n';
                lx->p++;
            }
            lx->p = lx->end - lx->p >= 2 ? lx->p + 2 : lx->end;
        } else {
            return;
        }
    }
}

/* 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX: a float or double by its bits. */
static bool lex_bits(ptx_lexer *lx, ptx_token *t) {
    int digits = (lx->p[1] == 'f' || lx->p[1] == 'F') ? 8 : 16;
    if (lx->end - lx->p < 2 + digits)
        return false;
    uint64_t bits = 0;
    for (int i = 0; i < digits; i++) {
        int v = hex_value(lx->p[2 + i]);
        if (v < 0)
            return false;
        bits = bits << 4 | (uint64_t)v;
    }
    t->kind = digits == 8 ? TK_FLOAT : TK_DOUBLE;
    t->bits = bits;
    lx->p += 2 + digits;
    return true;
}

static void lex_decimal_float(ptx_lexer *lx, ptx_token *t, const char *start) {
    char buf[64];
    size_t n = 0;
    const char *q = start;
    while (q < lx->end && n < sizeof buf - 1 &&
           (is_digit(*q) || *q == '.' || *q == 'e' || *q == 'E' ||
            ((*q == '-' || *q == '+') && (q[-1] == 'e' || q[-1] == 'E'))))
        buf[n++] = *q++;
    buf[n] = '\0';
    char *rest;
    double d = strtod(buf, &rest);
    if (*rest != '\0') {
        t->kind = TK_BAD;
        return;
    }
    memcpy(&t->bits, &d, sizeof d);
    t->kind = TK_DOUBLE;
    lx->p = q;
}

static void lex_number(ptx_lexer *lx, ptx_token *t) {
    const char *start = lx->p;
    char second = lx->end - lx->p > 1 ? lx->p[1] : ' ';
    if (*lx->p == '0' && second != '\0' && strchr("fFdD", second) != NULL && lex_bits(lx, t))
        return;
    unsigned base = 10;
    if (*lx->p == '0' && (second == 'x' || second == 'X')) {
        base = 16;
        lx->p += 2;
    } else if (*lx->p == '0' && (second == 'b' || second == 'B')) {
        base = 2;
        lx->p += 2;
    } else if (*lx->p == '0' && is_digit(second)) {
        base = 8;
    }
    uint64_t value = 0;
    bool overflow = false;
    const char *digits = lx->p;
    while (lx->p < lx->end) {
        int v = hex_value(*lx->p);
        if (v < 0 || (unsigned)v >= base)
            break;
        overflow |= value > (UINT64_MAX - (unsigned)v) / base;
        value = value * base + (unsigned)v;
        lx->p++;
    }
    if (base == 10 && lx->p < lx->end &&
        ((*lx->p == '.' && lx->end - lx->p > 1 && is_digit(lx->p[1])) || *lx->p == 'e' ||
         *lx->p == 'E')) {
        lex_decimal_float(lx, t, start);
        return;
    }
    if (lx->p < lx->end && *lx->p == 'U')
        lx->p++;
    t->kind = lx->p == digits || overflow || (lx->p < lx->end && is_name(*lx->p)) ? TK_BAD : TK_INT;
    t->bits = value;
}

static void lex_string(ptx_lexer *lx, ptx_token *t) {
    lx->p++;
    t->text = lx->p;
    while (lx->p < lx->end && *lx->p != '"' && *lx->p != '\n')
        lx->p += *lx->p == '\\' && lx->end - lx->p > 1 ? 2 : 1;
    t->len = (size_t)(lx->p - t->text);
    if (lx->p >= lx->end || *lx->p != '"') {
        t->kind = TK_BAD;
        return;
    }
    lx->p++;
    t->kind = TK_STRING;
}

/* .param, .b32, .L2::128B, .shared::cta, .16x8: what may follow a dot. */
static void lex_dotted(ptx_lexer *lx, ptx_token *t) {
    const char *q = lx->p + 1;
    while (q < lx->end &&
           (is_name(*q) || (*q == ':' && lx->end - q > 2 && q[1] == ':' && is_name(q[2]))))
        q += *q == ':' ? 2 : 1;
    t->text = lx->p + 1;
    t->len = (size_t)(q - t->text);
    t->kind = t->len > 0 ? TK_DOT : TK_BAD;
    lx->p = q;
}

ptx_token ptx_next(ptx_lexer *lx) {
    skip_blank(lx);
    ptx_token t = {.kind = TK_END, .line = lx->line, .text = lx->p};
    if (lx->p >= lx->end || *lx->p == '\0')
        return t;
    char c = *lx->p;
    if (is_name_start(c)) {
        const char *q = lx->p + 1;
        while (q < lx->end && is_name(*q))
            q++;
        t.kind = TK_NAME;
        t.len = (size_t)(q - lx->p);
        lx->p = q;
    } else if (is_digit(c)) {
        lex_number(lx, &t);
        t.len = (size_t)(lx->p - t.text);
    } else if (c == '.') {
        lex_dotted(lx, &t);
    } else if (c == '"') {
        lex_string(lx, &t);
    } else if (strchr("{}()[]<>,;:=+-!|@*/&~^%?", c) != NULL) {
        t.kind = TK_PUNCT;
        t.punct = c;
        t.len = 1;
        lx->p++;
    } else {
        t.kind = TK_BAD;
        t.len = 1;
    }
    return t;
}
