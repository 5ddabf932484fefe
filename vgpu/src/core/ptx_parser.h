/*
 * ptx_parser.h: what the parts of the parser share: its state, its tokens, and what is declared.
 *
 *     ptx_parse.c     the grammar: module level, functions, instructions
 *     ptx_declare.c   types, scopes and variables
 *     ptx_lines.c     positions that need more than the last .loc
 *
 * Errors leave through one longjmp (code 1: not PTX; code 2: no memory), so that the grammar reads
 * as a grammar. For these files alone; all others take ptx.h.
 */
#pragma once

#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/ptx_lex.h"

#include <string.h>

typedef struct scope {
    ptx_var *bucket[PTX_SCOPE_BUCKETS];
    struct scope *outer;
} scope;

/* A position, and the one of the call that it was inlined at: nvcc's. */
typedef struct location {
    int file, line, column;
    int caller; /* counted from 1; 0: none */
} location;

typedef struct parser {
    ptx_module *module;
    ptx_lexer lexer;
    ptx_token tok; /* the one token of look-ahead */
    jmp_buf escape;
    char *err;
    size_t errlen;
    ptx_func *func; /* being parsed, or NULL at module level */
    ptx_instr *last_instr;
    scope *scope; /* innermost; NULL at module level */
    int depth;
    int loc_file, loc_line, statement;
    location position; /* of the last .loc */
    location *locs;
    int num_locs, loc; /* loc: the one in force, counted from 1 */
    ptx_func *last_func;
} parser;

/* Says what is wrong, and where, and leaves. */
__attribute__((format(printf, 2, 3))) _Noreturn void ptx_fail(parser *ps, const char *format, ...);

/* ---- tokens ---- */

static inline void advance(parser *ps) {
    ps->tok = ptx_next(&ps->lexer);
    if (ps->tok.kind == TK_BAD)
        ptx_fail(ps, "can't read '%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
}

static inline bool is_punct(const parser *ps, char c) {
    return ps->tok.kind == TK_PUNCT && ps->tok.punct == c;
}

static inline bool is_word(const parser *ps, enum ptx_token_kind kind, const char *word) {
    return ps->tok.kind == kind && ps->tok.len == strlen(word) &&
           memcmp(ps->tok.text, word, ps->tok.len) == 0;
}

static inline bool accept(parser *ps, char c) {
    if (!is_punct(ps, c))
        return false;
    advance(ps);
    return true;
}

static inline bool accept_dot(parser *ps, const char *word) {
    if (!is_word(ps, TK_DOT, word))
        return false;
    advance(ps);
    return true;
}

static inline void expect(parser *ps, char c) {
    if (!accept(ps, c)) {
        ptx_fail(ps, "expected '%c', found '%.*s'", c, (int)(ps->tok.len < 40 ? ps->tok.len : 40),
                 ps->tok.text);
    }
}

static inline const char *take_text(parser *ps) {
    const char *s = vg_arena_strndup(&ps->module->arena, ps->tok.text, ps->tok.len);
    advance(ps);
    return s;
}

static inline const char *expect_name(parser *ps) {
    if (ps->tok.kind != TK_NAME) {
        ptx_fail(ps, "expected a name, found '%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
                 ps->tok.text);
    }
    return take_text(ps);
}

static inline uint64_t expect_int(parser *ps) {
    if (ps->tok.kind != TK_INT) {
        ptx_fail(ps, "expected a whole number, found '%.*s'",
                 (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
    }
    uint64_t bits = ps->tok.bits;
    advance(ps);
    return bits;
}

/* ---- positions ---- */

/* All files are named: gives each instruction the line that is told of it. */
void ptx_settle_lines(parser *ps);

/* ---- declarations ---- */

/* The variable of this name that is in sight; NULL: there is none. */
ptx_var *ptx_lookup(const parser *ps, const char *name, size_t len);
void ptx_declare(parser *ps, ptx_var *v);
void ptx_push_scope(parser *ps);
void ptx_pop_scope(parser *ps);

/* The space that the current token names; PS_GENERIC: none. */
enum ptx_space ptx_space_named(const parser *ps);
/* .space .type name[dims] = init, name…; with the space's directive as the current token. */
void ptx_parse_variables(parser *ps, bool is_extern, bool is_static);
/* The parts of one: what is between its space and its name; its name and dimensions. */
void ptx_parse_var_type(parser *ps, ptx_var *model);
ptx_var *ptx_parse_one_var(parser *ps, const ptx_var *model);
/* { … }, whatever is in it. */
void ptx_skip_braces(parser *ps);
