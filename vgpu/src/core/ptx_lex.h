/* ptx_lex.h: PTX text to tokens. Names keep their dots apart: `ld.param.u32` is the name `ld` and
 * the dotted names `.param` and `.u32`. Comments and white space vanish.
 * The text need not end in NUL. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
    TK_END,
    TK_NAME,   /* fma, %r1, $L__BB0_2, _Z1kv */
    TK_DOT,    /* .param, .shared::cta: text without the leading dot */
    TK_INT,    /* bits */
    TK_FLOAT,  /* 0f…: bits hold 32 of them */
    TK_DOUBLE, /* 0d… or 1.5: bits */
    TK_STRING, /* text without the quotes */
    TK_PUNCT,  /* punct */
    TK_BAD     /* a character that can't start a token, an unfinished string or number */
};

typedef struct ptx_token {
    enum ptx_token_kind kind;
    const char *text;
    size_t len;
    uint64_t bits;
    char punct;
    int line;
} ptx_token;

typedef struct ptx_lexer {
    const char *p, *end;
    int line;
} ptx_lexer;

ptx_token ptx_next(ptx_lexer *lexer);
