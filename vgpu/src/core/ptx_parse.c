/*
 * ptx_parse.c: the grammar of PTX, module level and bodies. Instructions are taken apart, not
 * understood; see ptx.h.
 *
 * Errors leave through one longjmp (code 1: not PTX; code 2: no memory), so that the grammar below
 * reads as a grammar. It is one grammar, hence one file: its rules call each other.
 */
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/ptx_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 32, MAX_VAR_BYTES = 1 << 30, MAX_REGS = 1 << 20 };

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
    int loc_file, loc_line;
    location *locs;
    int num_locs, loc; /* loc: the one in force, counted from 1 */
    ptx_func *last_func;
} parser;

static _Noreturn void fail(parser *ps, const char *format, ...) {
    int n = snprintf(ps->err, ps->errlen, "PTX line %d: ", ps->tok.line);
    va_list args;
    va_start(args, format);
    if (n > 0 && (size_t)n < ps->errlen)
        vsnprintf(ps->err + n, ps->errlen - (size_t)n, format, args);
    va_end(args);
    longjmp(ps->escape, 1);
}

/* ---- tokens ---- */

static void advance(parser *ps) {
    ps->tok = ptx_next(&ps->lexer);
    if (ps->tok.kind == TK_BAD)
        fail(ps, "can't read '%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
}

static bool is_punct(const parser *ps, char c) {
    return ps->tok.kind == TK_PUNCT && ps->tok.punct == c;
}

static bool is_word(const parser *ps, enum ptx_token_kind kind, const char *word) {
    return ps->tok.kind == kind && ps->tok.len == strlen(word) &&
           memcmp(ps->tok.text, word, ps->tok.len) == 0;
}

static bool accept(parser *ps, char c) {
    if (!is_punct(ps, c))
        return false;
    advance(ps);
    return true;
}

static bool accept_dot(parser *ps, const char *word) {
    if (!is_word(ps, TK_DOT, word))
        return false;
    advance(ps);
    return true;
}

static void expect(parser *ps, char c) {
    if (!accept(ps, c)) {
        fail(ps, "expected '%c', found '%.*s'", c, (int)(ps->tok.len < 40 ? ps->tok.len : 40),
             ps->tok.text);
    }
}

static const char *take_text(parser *ps) {
    const char *s = vg_arena_strndup(&ps->module->arena, ps->tok.text, ps->tok.len);
    advance(ps);
    return s;
}

static const char *expect_name(parser *ps) {
    if (ps->tok.kind != TK_NAME) {
        fail(ps, "expected a name, found '%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
             ps->tok.text);
    }
    return take_text(ps);
}

static uint64_t expect_int(parser *ps) {
    if (ps->tok.kind != TK_INT) {
        fail(ps, "expected a whole number, found '%.*s'",
             (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
    }
    uint64_t bits = ps->tok.bits;
    advance(ps);
    return bits;
}

/* ---- types ---- */

static const struct {
    const char *name;
    uint8_t size;
} type_table[] = {
    [PT_NONE] = {"", 0},       [PT_B8] = {"b8", 1},     [PT_B16] = {"b16", 2},
    [PT_B32] = {"b32", 4},     [PT_B64] = {"b64", 8},   [PT_B128] = {"b128", 16},
    [PT_U8] = {"u8", 1},       [PT_U16] = {"u16", 2},   [PT_U32] = {"u32", 4},
    [PT_U64] = {"u64", 8},     [PT_S8] = {"s8", 1},     [PT_S16] = {"s16", 2},
    [PT_S32] = {"s32", 4},     [PT_S64] = {"s64", 8},   [PT_F16] = {"f16", 2},
    [PT_F16X2] = {"f16x2", 4}, [PT_BF16] = {"bf16", 2}, [PT_BF16X2] = {"bf16x2", 4},
    [PT_TF32] = {"tf32", 4},   [PT_F32] = {"f32", 4},   [PT_U16X2] = {"u16x2", 4},
    [PT_S16X2] = {"s16x2", 4}, [PT_F64] = {"f64", 8},   [PT_PRED] = {"pred", 4},
};

uint32_t ptx_type_size(enum ptx_type type) {
    return type_table[type].size;
}

static enum ptx_type type_of(const char *name, size_t len) {
    for (size_t t = 1; t < sizeof type_table / sizeof *type_table; t++)
        if (strlen(type_table[t].name) == len && memcmp(type_table[t].name, name, len) == 0)
            return (enum ptx_type)t;
    return PT_NONE;
}

const char *ptx_type_name(enum ptx_type type) {
    return type_table[type].name;
}

/* ---- scopes ---- */

static unsigned hash(const char *s, size_t len) {
    unsigned h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h % PTX_SCOPE_BUCKETS;
}

static ptx_var *find_in(ptx_var *const *bucket, const char *name, size_t len) {
    for (ptx_var *v = bucket[hash(name, len)]; v != NULL; v = v->next)
        if (strlen(v->name) == len && memcmp(v->name, name, len) == 0)
            return v;
    return NULL;
}

static ptx_var *lookup(const parser *ps, const char *name, size_t len) {
    for (scope *s = ps->scope; s != NULL; s = s->outer) {
        ptx_var *v = find_in(s->bucket, name, len);
        if (v != NULL)
            return v;
    }
    return find_in(ps->module->globals, name, len);
}

static void declare(parser *ps, ptx_var *v) {
    ptx_var **bucket = ps->scope != NULL ? ps->scope->bucket : ps->module->globals;
    unsigned h = hash(v->name, strlen(v->name));
    v->next = bucket[h];
    bucket[h] = v;
}

static void push_scope(parser *ps) {
    if (++ps->depth > MAX_NESTING)
        fail(ps, "blocks nested more than %d deep", MAX_NESTING);
    scope *s = vg_arena_alloc(&ps->module->arena, sizeof *s);
    s->outer = ps->scope;
    ps->scope = s;
}

static void pop_scope(parser *ps) {
    ps->scope = ps->scope->outer;
    ps->depth--;
}

ptx_var *ptx_find_global(const ptx_module *module, const char *name) {
    return find_in(module->globals, name, strlen(name));
}

const ptx_table *ptx_find_table(const ptx_func *func, const char *name) {
    const ptx_table *t = name != NULL ? func->tables : NULL;
    while (t != NULL && strcmp(t->name, name) != 0)
        t = t->next;
    return t;
}

ptx_func *ptx_find_func(const ptx_module *module, const char *name) {
    ptx_func *found = NULL; /* a definition beats a forward declaration */
    for (ptx_func *f = module->funcs; f != NULL; f = f->next)
        if (strcmp(f->name, name) == 0 && (found == NULL || found->first == NULL))
            found = f;
    return found;
}

/* ---- variables ---- */

static void skip_braces(parser *ps) {
    expect(ps, '{');
    for (int depth = 1; depth > 0; advance(ps)) {
        if (ps->tok.kind == TK_END)
            fail(ps, "the text ends inside braces");
        depth += is_punct(ps, '{') ? 1 : is_punct(ps, '}') ? -1 : 0;
    }
}

static void store_bits(uint8_t *at, uint64_t bits, uint32_t size) {
    for (uint32_t i = 0; i < size && i < 8; i++)
        at[i] = (uint8_t)(bits >> (8 * i)); /* PTX is little-endian, as every GPU is */
}

/* The number at hand as an initial value of this type. A float literal is 64 bits wide, or 32 when
 * written 0f…, and takes the variable's width. */
static uint64_t initial_bits(parser *ps, const ptx_var *v, bool negative) {
    const enum ptx_token_kind kind = ps->tok.kind;
    const uint64_t bits = ps->tok.bits;
    if (kind == TK_INT) {
        if (v->type == PT_F32 || v->type == PT_F64 || v->type == PT_F16 || v->type == PT_BF16) {
            fail(ps, "a whole number as the initial value of '%s', which has a floating-point type",
                 v->name);
        }
        return negative ? 0 - bits : bits;
    }
    double d;
    float f;
    if (kind == TK_FLOAT) {
        memcpy(&f, &bits, sizeof f); /* the low half: PTX and its hosts are little-endian */
        d = (double)f;
    } else {
        memcpy(&d, &bits, sizeof d);
    }
    d = negative ? -d : d;
    f = (float)d;
    uint64_t out = 0;
    switch (v->type) {
    case PT_F64:
    case PT_B64: memcpy(&out, &d, sizeof d); return out;
    case PT_F32:
    case PT_B32:
        memcpy(&out, &f, sizeof f);
        return kind == TK_FLOAT && !negative ? bits : out; /* a NaN keeps its bits */
    default:
        fail(ps, "a floating-point number as the initial value of '%s', which has another type",
             v->name);
    }
}

/* One scalar of an initialiser: number, name, generic(name), name+4. */
static void parse_init_scalar(parser *ps, ptx_var *v, uint64_t offset) {
    uint32_t size = ptx_type_size(v->type);
    if (offset + size > v->size)
        fail(ps, "more initial values than '%s' has elements", v->name);
    bool negative = accept(ps, '-');
    if (ps->tok.kind == TK_INT || ps->tok.kind == TK_FLOAT || ps->tok.kind == TK_DOUBLE) {
        store_bits(v->init + offset, initial_bits(ps, v, negative), size);
        advance(ps);
        return;
    }
    if (negative)
        fail(ps, "expected a number after '-'");
    const char *name = expect_name(ps);
    if (strcmp(name, "generic") == 0 && accept(ps, '(')) {
        name = expect_name(ps);
        expect(ps, ')');
    }
    if (size != 8)
        fail(ps, "the address of '%s' needs 8 bytes", name);
    ptx_reloc *r = vg_arena_alloc(&ps->module->arena, sizeof *r);
    r->offset = offset;
    r->symbol = name;
    if (accept(ps, '+'))
        r->addend = (int64_t)expect_int(ps);
    r->next = v->relocs;
    v->relocs = r;
}

static uint64_t parse_init_list(parser *ps, ptx_var *v, uint64_t offset, int depth) {
    if (depth > MAX_NESTING)
        fail(ps, "initial values nested more than %d deep", MAX_NESTING);
    expect(ps, '{');
    while (!is_punct(ps, '}')) {
        if (is_punct(ps, '{')) {
            offset = parse_init_list(ps, v, offset, depth + 1);
        } else {
            parse_init_scalar(ps, v, offset);
            offset += ptx_type_size(v->type);
        }
        if (!accept(ps, ','))
            break;
    }
    expect(ps, '}');
    return offset;
}

static void parse_initialiser(parser *ps, ptx_var *v) {
    if (v->size == 0 || v->size > MAX_VAR_BYTES)
        fail(ps, "'%s' can't have initial values", v->name);
    v->init = vg_arena_alloc(&ps->module->arena, v->size);
    if (is_punct(ps, '{'))
        parse_init_list(ps, v, 0, 0);
    else
        parse_init_scalar(ps, v, 0);
}

static void declare_register_range(parser *ps, const ptx_var *model) {
    uint64_t count = expect_int(ps);
    expect(ps, '>');
    if (count > MAX_REGS || (uint64_t)ps->func->num_regs + count > MAX_REGS)
        fail(ps, "more than %d registers", MAX_REGS);
    for (uint64_t i = 0; i < count; i++) {
        char name[96];
        snprintf(name, sizeof name, "%.64s%u", model->name, (unsigned)i);
        ptx_var *v = vg_arena_alloc(&ps->module->arena, sizeof *v);
        *v = *model;
        v->name = vg_arena_strndup(&ps->module->arena, name, strlen(name));
        v->index = ps->func->num_regs++;
        declare(ps, v);
    }
}

static uint64_t parse_dimensions(parser *ps, uint64_t size) {
    while (accept(ps, '[')) {
        if (accept(ps, ']'))
            return 0; /* extern __shared__ x[]: the launch gives the size */
        uint64_t n = expect_int(ps);
        if (n != 0 && size > (uint64_t)MAX_VAR_BYTES * 64 / n)
            fail(ps, "an array too large to be true");
        size *= n;
        expect(ps, ']');
    }
    return size;
}

enum { MAX_ALIGN = 1 << 16 };

/* The part of a declaration after its space: [.attribute(…)] [.align N] [.ptr …] [.v2] .type */
static void parse_var_type(parser *ps, ptx_var *model) {
    uint32_t vector = 1;
    while (ps->tok.kind == TK_DOT) {
        if (accept_dot(ps, "align")) {
            uint64_t align = expect_int(ps);
            if (align == 0 || align > MAX_ALIGN || (align & (align - 1)) != 0) {
                fail(ps, "alignment %llu is no power of two up to %d", (unsigned long long)align,
                     MAX_ALIGN);
            }
            model->align = (uint32_t)align;
        } else if (accept_dot(ps, "ptr")) {
            if (!is_word(ps, TK_DOT, "align") && ps->tok.kind == TK_DOT)
                advance(ps); /* the space pointed to */
            if (accept_dot(ps, "align"))
                expect_int(ps);                   /* the pointee's alignment, not ours */
        } else if (accept_dot(ps, "attribute")) { /* .managed, .unified: the host's business */
            expect(ps, '(');
            while (!accept(ps, ')')) {
                if (ps->tok.kind == TK_END)
                    fail(ps, "the text ends inside a directive");
                advance(ps);
            }
        } else if (accept_dot(ps, "v2")) {
            vector = 2;
        } else if (accept_dot(ps, "v4")) {
            vector = 4;
        } else {
            enum ptx_type type = type_of(ps->tok.text, ps->tok.len);
            if (type == PT_NONE) {
                if (model->type == PT_NONE) {
                    fail(ps, "unknown type '.%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
                         ps->tok.text);
                }
                advance(ps);
                continue;
            }
            model->type = type;
            advance(ps);
        }
    }
    if (model->type == PT_NONE)
        fail(ps, "a declaration without a type");
    model->size = (uint64_t)ptx_type_size(model->type) * vector;
    if (model->align == 0)
        model->align = (uint32_t)model->size;
}

static ptx_var *parse_one_var(parser *ps, const ptx_var *model) {
    ptx_var *v = vg_arena_alloc(&ps->module->arena, sizeof *v);
    *v = *model;
    v->name = expect_name(ps);
    v->size = parse_dimensions(ps, model->size);
    return v;
}

static void keep_var(parser *ps, ptx_var *v) {
    ptx_module *m = ps->module;
    if (ps->func != NULL) {
        ps->func->vars =
            vg_arena_grow(&m->arena, ps->func->vars, (size_t)ps->func->num_vars, sizeof(ptx_var *));
        ps->func->vars[ps->func->num_vars++] = v;
    } else {
        m->vars = vg_arena_grow(&m->arena, m->vars, (size_t)m->num_vars, sizeof(ptx_var *));
        m->vars[m->num_vars++] = v;
    }
    declare(ps, v);
}

static enum ptx_space space_named(const parser *ps) {
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{"reg", PS_REG},       {"global", PS_GLOBAL}, {"const", PS_CONST},
                  {"shared", PS_SHARED}, {"local", PS_LOCAL},   {"param", PS_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is_word(ps, TK_DOT, spaces[i].name))
            return spaces[i].space;
    return PS_GENERIC;
}

/* .space .type name[dims] = init, name…; with the space's directive as the current token. */
static void parse_variables(parser *ps, bool is_extern) {
    ptx_var model = {.space = space_named(ps), .is_extern = is_extern};
    advance(ps);
    parse_var_type(ps, &model);
    do {
        if (model.space == PS_REG) {
            if (ps->func == NULL)
                fail(ps, "a register outside a function");
            ptx_var *v = vg_arena_alloc(&ps->module->arena, sizeof *v);
            *v = model;
            v->name = expect_name(ps);
            if (accept(ps, '<')) {
                declare_register_range(ps, v);
            } else {
                v->index = ps->func->num_regs++;
                declare(ps, v);
            }
            continue;
        }
        ptx_var *v = parse_one_var(ps, &model);
        if (accept(ps, '='))
            parse_initialiser(ps, v);
        keep_var(ps, v);
    } while (accept(ps, ','));
    expect(ps, ';');
}

/* ---- operands and instructions ---- */

static ptx_operand parse_operand(parser *ps, int depth);

static void parse_elements(parser *ps, ptx_operand *o, char close, int depth) {
    if (depth > 4)
        fail(ps, "operands nested too deep");
    while (!is_punct(ps, close)) {
        ptx_operand e = parse_operand(ps, depth + 1);
        o->elem = vg_arena_grow(&ps->module->arena, o->elem, (size_t)o->num_elem, sizeof e);
        o->elem[o->num_elem++] = e;
        if (!accept(ps, ','))
            break;
    }
    expect(ps, close);
}

/* [base], [base+4], [base+-4] and, for tensor copies, [base, {…}]. */
static void parse_address(parser *ps, ptx_operand *o, int depth) {
    o->kind = PO_ADDR;
    parse_elements(ps, o, ']', depth);
    if (o->num_elem == 0)
        fail(ps, "an empty address");
    o->bits = o->elem[0].bits;
    if (o->elem[0].kind == PO_INT)
        o->bits = 0; /* an absolute address: kept in elem[0] alone */
}

static ptx_operand parse_name_operand(parser *ps) {
    ptx_operand o = {.kind = PO_NAME};
    ptx_token t = ps->tok;
    if (t.len == 1 && t.text[0] == '_') {
        advance(ps);
        o.kind = PO_SINK;
        return o;
    }
    ptx_var *v = lookup(ps, t.text, t.len);
    o.name = take_text(ps);
    if (v != NULL) {
        o.kind = v->space == PS_REG ? PO_REG : PO_SYMBOL;
        o.var = v;
    } else if (o.name[0] == '%' && ps->tok.kind == TK_DOT) { /* %tid.x */
        char full[64];
        snprintf(full, sizeof full, "%.30s.%.*s", o.name,
                 (int)(ps->tok.len < 30 ? ps->tok.len : 30), ps->tok.text);
        o.name = vg_arena_strndup(&ps->module->arena, full, strlen(full));
        advance(ps);
    }
    return o;
}

static void parse_offset(parser *ps, ptx_operand *o) {
    while (is_punct(ps, '+') || is_punct(ps, '-')) {
        bool minus = is_punct(ps, '-');
        advance(ps);
        if (accept(ps, '-'))
            minus = !minus;
        uint64_t v = expect_int(ps);
        o->bits += minus ? 0 - v : v;
    }
}

static ptx_operand parse_operand(parser *ps, int depth) {
    ptx_operand o = {.kind = PO_NONE};
    bool negated = false;
    if (is_punct(ps, '!') || is_punct(ps, '-')) {
        const bool minus = is_punct(ps, '-');
        negated = true;
        advance(ps);
        if (minus == (ps->tok.kind == TK_NAME) || is_punct(ps, '[') || is_punct(ps, '{') ||
            is_punct(ps, '('))
            fail(ps, minus ? "expected a number after '-'" : "expected a predicate after '!'");
    }
    switch (ps->tok.kind) {
    case TK_INT:
        o.kind = PO_INT;
        o.bits = negated ? 0 - ps->tok.bits : ps->tok.bits;
        negated = false;
        advance(ps);
        break;
    case TK_FLOAT:
        o.kind = PO_FLOAT;
        o.bits = ps->tok.bits ^ (negated ? 0x80000000u : 0);
        negated = false;
        advance(ps);
        break;
    case TK_DOUBLE:
        o.kind = PO_DOUBLE;
        o.bits = ps->tok.bits ^ (negated ? 1ull << 63 : 0);
        negated = false;
        advance(ps);
        break;
    case TK_NAME:
        o = parse_name_operand(ps);
        parse_offset(ps, &o);
        if (is_punct(ps, '|')) { /* p|q: two destinations */
            advance(ps);
            ptx_operand pair = {.kind = PO_PAIR, .num_elem = 2};
            pair.elem = vg_arena_alloc(&ps->module->arena, 2 * sizeof o);
            pair.elem[0] = o;
            pair.elem[1] = parse_operand(ps, depth + 1);
            return pair;
        }
        break;
    default:
        if (accept(ps, '[')) {
            parse_address(ps, &o, depth);
        } else if (accept(ps, '{')) {
            o.kind = PO_VECTOR;
            parse_elements(ps, &o, '}', depth);
        } else if (accept(ps, '(')) {
            o.kind = PO_LIST;
            parse_elements(ps, &o, ')', depth);
        } else {
            fail(ps, "expected an operand, found '%.*s'",
                 (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
        }
    }
    o.negated = negated;
    return o;
}

static ptx_instr *append_instr(parser *ps) {
    ptx_instr *in = vg_arena_alloc(&ps->module->arena, sizeof *in);
    in->ptx_line = ps->tok.line;
    in->file = ps->loc_file;
    in->line = ps->loc_line;
    in->loc = ps->loc;
    if (ps->last_instr != NULL)
        ps->last_instr->next = in;
    else
        ps->func->first = in;
    ps->last_instr = in;
    ps->func->num_instrs++;
    in->code = ptx_opcode_of(PTX_UNKNOWN); /* a label, until it has an opcode */
    return in;
}

static void parse_guard(parser *ps, ptx_instr *in) {
    in->guard_negated = accept(ps, '!');
    if (ps->tok.kind != TK_NAME)
        fail(ps, "expected a predicate after '@'");
    in->guard = lookup(ps, ps->tok.text, ps->tok.len);
    if (in->guard == NULL || in->guard->type != PT_PRED) {
        fail(ps, "'%.*s' is no predicate", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
             ps->tok.text);
    }
    advance(ps);
}

/* Operands up to the ';'. The name of the instruction, or of a label, is already in `name`. */
static void parse_rest_of_instruction(parser *ps, ptx_instr *in) {
    while (ps->tok.kind == TK_DOT) {
        if (in->num_mods == PTX_MAX_MODS)
            fail(ps, "'%s' has more than %d modifiers", in->op, PTX_MAX_MODS);
        in->mod[in->num_mods++] = take_text(ps);
    }
    while (!is_punct(ps, ';')) {
        if (in->num_operands == PTX_MAX_OPERANDS)
            fail(ps, "'%s' has more than %d operands", in->op, PTX_MAX_OPERANDS);
        in->operand[in->num_operands++] = parse_operand(ps, 0);
        if (!accept(ps, ','))
            break;
    }
    expect(ps, ';');
}

static void skip_to_semicolon(parser *ps) {
    while (!is_punct(ps, ';')) {
        if (ps->tok.kind == TK_END)
            fail(ps, "the text ends inside a directive");
        advance(ps);
    }
    advance(ps);
}

/* L0, L1, …; of NAME: .branchtargets */
static void parse_table(parser *ps, const char *name) {
    ptx_table *t = vg_arena_alloc(&ps->module->arena, sizeof *t);
    t->name = name;
    do {
        t->label =
            vg_arena_grow(&ps->module->arena, t->label, (size_t)t->count, sizeof(const char *));
        t->label[t->count++] = expect_name(ps);
    } while (accept(ps, ','));
    expect(ps, ';');
    t->next = ps->func->tables;
    ps->func->tables = t;
}

static void parse_labelled_or_instruction(parser *ps) {
    ptx_instr guard = {0};
    if (accept(ps, '@'))
        parse_guard(ps, &guard);
    ptx_token start = ps->tok;
    const char *name = expect_name(ps);
    if (accept(ps, ':')) {
        if (is_word(ps, TK_DOT, "callprototype") || is_word(ps, TK_DOT, "calltargets")) {
            skip_to_semicolon(ps); /* the arguments tell what is needed to know */
            return;
        }
        if (accept_dot(ps, "branchtargets")) {
            parse_table(ps, name);
            return;
        }
        append_instr(ps)->label = name;
        return;
    }
    ptx_instr *in = append_instr(ps);
    in->ptx_line = start.line;
    in->guard = guard.guard;
    in->guard_negated = guard.guard_negated;
    in->op = name;
    parse_rest_of_instruction(ps, in);
    ptx_decode(in);
}

/* The last .loc that named this position, counted from 1; a new one if none did lately. */
static int location_of(parser *ps, location l) {
    for (int i = ps->num_locs; i > 0 && i > ps->num_locs - 1000; i--) {
        const location *known = &ps->locs[i - 1];
        if (known->file == l.file && known->line == l.line && known->column == l.column)
            return i;
    }
    ps->locs = vg_arena_grow(&ps->module->arena, ps->locs, (size_t)ps->num_locs, sizeof l);
    ps->locs[ps->num_locs++] = l;
    return ps->num_locs;
}

static location parse_position(parser *ps) {
    location l = {.file = (int)expect_int(ps)};
    l.line = (int)expect_int(ps);
    l.column = (int)expect_int(ps);
    return l;
}

/* .loc file line column[, function_name …, inlined_at file line column] */
static void parse_loc(parser *ps) {
    location l = parse_position(ps);
    while (accept(ps, ',')) {
        const char *what = expect_name(ps);
        if (strcmp(what, "inlined_at") == 0) {
            l.caller = location_of(ps, parse_position(ps));
        } else if (ps->tok.kind == TK_NAME) { /* function_name label[+offset] */
            advance(ps);
            if (accept(ps, '+'))
                expect_int(ps);
        }
    }
    if (l.line != 0) { /* 0: merged by the optimiser; the line before stays the best guess */
        ps->loc_file = l.file;
        ps->loc_line = l.line;
        ps->loc = 0;
        if (l.caller != 0) {
            ps->locs = vg_arena_grow(&ps->module->arena, ps->locs, (size_t)ps->num_locs, sizeof l);
            ps->locs[ps->num_locs++] = l;
            ps->loc = ps->num_locs;
        }
    }
    if (ps->func != NULL && ps->func->line == 0) {
        ps->func->file = ps->loc_file;
        ps->func->line = ps->loc_line;
    }
}

static void parse_file(parser *ps) {
    uint64_t number = expect_int(ps);
    if (number > 100000 || ps->tok.kind != TK_STRING)
        fail(ps, "a malformed .file");
    ptx_module *m = ps->module;
    if ((int)number >= m->num_files) {
        char **files = vg_arena_alloc(&m->arena, (number + 1) * sizeof *files);
        if (m->num_files > 0)
            memcpy(files, m->files, (size_t)m->num_files * sizeof *files);
        m->files = files;
        m->num_files = (int)number + 1;
    }
    m->files[number] = (char *)take_text(ps);
    while (accept(ps, ','))
        expect_int(ps); /* time stamp, size */
}

static void parse_section(parser *ps) {
    if (ps->tok.kind == TK_DOT || ps->tok.kind == TK_NAME)
        advance(ps);
    if (is_punct(ps, '{'))
        skip_braces(ps); /* debug data, in DWARF's form */
}

static void parse_body(parser *ps) {
    expect(ps, '{');
    int open = 1;
    push_scope(ps);
    while (open > 0) {
        if (accept(ps, '{')) {
            push_scope(ps);
            open++;
        } else if (accept(ps, '}')) {
            pop_scope(ps);
            open--;
        } else if (accept_dot(ps, "loc")) {
            parse_loc(ps);
        } else if (accept_dot(ps, "pragma")) {
            skip_to_semicolon(ps);
        } else if (accept_dot(ps, "section")) {
            parse_section(ps);
        } else if (space_named(ps) != PS_GENERIC) {
            parse_variables(ps, false);
        } else if (ps->tok.kind == TK_NAME || is_punct(ps, '@')) {
            parse_labelled_or_instruction(ps);
        } else if (!accept(ps, ';')) {
            fail(ps, "expected an instruction, found '%.*s'",
                 (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
        }
    }
}

/* ---- functions ---- */

static void parse_params(parser *ps, ptx_var ***list, int *count, uint32_t *bytes) {
    uint32_t offset = 0;
    while (!is_punct(ps, ')')) {
        ptx_var model = {.space = space_named(ps)};
        if (model.space != PS_PARAM)
            fail(ps, "parameters other than .param are not supported");
        advance(ps);
        parse_var_type(ps, &model);
        ptx_var *v = parse_one_var(ps, &model);
        if (v->size == 0 || v->size > 32768)
            fail(ps, "parameter '%s' has an impossible size", v->name);
        offset = (offset + v->align - 1) & ~(v->align - 1);
        v->offset = offset;
        v->index = *count;
        offset += (uint32_t)v->size;
        *list = vg_arena_grow(&ps->module->arena, *list, (size_t)*count, sizeof v);
        (*list)[(*count)++] = v;
        declare(ps, v);
        if (!accept(ps, ','))
            break;
    }
    expect(ps, ')');
    if (bytes != NULL)
        *bytes = offset;
}

/* .maxntid 256, 1, 1 and its kind, between the parameters and the body. */
static void parse_performance_directives(parser *ps, ptx_func *f) {
    while (ps->tok.kind == TK_DOT) {
        bool threads = is_word(ps, TK_DOT, "maxntid") || is_word(ps, TK_DOT, "reqntid");
        advance(ps);
        uint64_t product = 1;
        while (ps->tok.kind == TK_INT) {
            product *= expect_int(ps);
            if (!accept(ps, ','))
                break;
        }
        if (threads)
            f->max_threads = product > 1024 ? 1024 : (int)product;
    }
}

static void parse_function(parser *ps, bool is_entry, bool is_extern) {
    ptx_module *m = ps->module;
    ptx_func *f = vg_arena_alloc(&m->arena, sizeof *f);
    f->is_entry = is_entry;
    f->is_extern = is_extern;
    ps->func = f;
    ps->last_instr = NULL;
    ps->loc_line = 0;
    ps->loc = 0;
    push_scope(ps);
    if (accept_dot(ps, "attribute")) {
        while (!accept(ps, ')')) {
            if (ps->tok.kind == TK_END)
                fail(ps, "the text ends inside a directive");
            advance(ps);
        }
    }
    if (accept(ps, '('))
        parse_params(ps, &f->rets, &f->num_rets, NULL);
    f->name = expect_name(ps);
    if (accept(ps, '('))
        parse_params(ps, &f->params, &f->num_params, &f->param_bytes);
    parse_performance_directives(ps, f);
    if (!accept(ps, ';')) {
        parse_body(ps);
        if (f->first == NULL) {
            /* So that a body without instructions is not a declaration. */
            append_instr(ps)->label = "empty";
        }
    }
    pop_scope(ps);
    ps->func = NULL;
    if (ps->last_func != NULL)
        ps->last_func->next = f;
    else
        m->funcs = f;
    ps->last_func = f;
}

static void parse_version(parser *ps) {
    double version = 0;
    if (ps->tok.kind == TK_DOUBLE)
        memcpy(&version, &ps->tok.bits, sizeof version);
    else if (ps->tok.kind == TK_INT)
        version = (double)ps->tok.bits;
    if (!(version >= 1 && version < 100))
        fail(ps, "a malformed .version");
    ps->module->version = (int)(version * 10 + 0.5);
    advance(ps);
}

static void parse_target(parser *ps) {
    const char *name = expect_name(ps);
    if (strncmp(name, "sm_", 3) == 0)
        ps->module->target = atoi(name + 3);
    while (accept(ps, ','))
        expect_name(ps);
}

static void parse_top_level(parser *ps) {
    bool is_extern = false;
    while (ps->tok.kind == TK_DOT &&
           (is_word(ps, TK_DOT, "visible") || is_word(ps, TK_DOT, "weak") ||
            is_word(ps, TK_DOT, "common") || is_word(ps, TK_DOT, "extern"))) {
        is_extern |= is_word(ps, TK_DOT, "extern");
        advance(ps);
    }
    if (accept_dot(ps, "version")) {
        parse_version(ps);
    } else if (accept_dot(ps, "target")) {
        parse_target(ps);
    } else if (accept_dot(ps, "address_size")) {
        if (expect_int(ps) != 64)
            fail(ps, "only 64-bit PTX is supported");
    } else if (accept_dot(ps, "file")) {
        parse_file(ps);
    } else if (accept_dot(ps, "section")) {
        parse_section(ps);
    } else if (accept_dot(ps, "loc")) {
        parse_loc(ps);
    } else if (accept_dot(ps, "pragma") || accept_dot(ps, "alias")) {
        skip_to_semicolon(ps);
    } else if (accept_dot(ps, "entry")) {
        parse_function(ps, true, is_extern);
    } else if (accept_dot(ps, "func")) {
        parse_function(ps, false, is_extern);
    } else if (space_named(ps) != PS_GENERIC) {
        parse_variables(ps, is_extern);
    } else if (!accept(ps, ';')) {
        fail(ps, "expected a declaration, found '%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
             ps->tok.text);
    }
}

/* A header of the compiler's or the system's: what goes wrong in there is the caller's doing. */
static bool is_foreign(const ptx_module *m, int file) {
    const char *name =
        file >= 0 && file < m->num_files && m->files[file] != NULL ? m->files[file] : "";
    return strstr(name, "/include/") != NULL &&
           (strncmp(name, "/usr/", 5) == 0 || strncmp(name, "/opt/", 5) == 0 ||
            strstr(name, "cuda") != NULL);
}

/* Positions in such headers become those of the calls they were inlined at.
 * Files are named last. */
static void find_callers(parser *ps) {
    for (ptx_func *f = ps->module->funcs; f != NULL; f = f->next) {
        for (ptx_instr *in = f->first; in != NULL; in = in->next) {
            int loc = in->loc;
            for (int depth = 0; loc != 0 && depth < 64 && is_foreign(ps->module, in->file);
                 depth++) {
                loc = ps->locs[loc - 1].caller;
                in->file = loc != 0 ? ps->locs[loc - 1].file : in->file;
                in->line = loc != 0 ? ps->locs[loc - 1].line : in->line;
            }
        }
    }
}

bool ptx_parse(ptx_module *module, const char *text, size_t len, char *err, size_t errlen,
               bool *oom) {
    memset(module, 0, sizeof *module);
    parser ps = {.module = module, .err = err, .errlen = errlen};
    ps.lexer = (ptx_lexer){.p = text, .end = text + len, .line = 1};
    module->arena.escape = &ps.escape;
    *oom = false;
    int code = setjmp(ps.escape);
    if (code != 0) {
        *oom = code == 2;
        if (*oom)
            snprintf(err, errlen, "out of memory while reading PTX");
        ptx_free(module);
        return false;
    }
    advance(&ps);
    while (ps.tok.kind != TK_END)
        parse_top_level(&ps);
    find_callers(&ps);
    if (module->version == 0)
        fail(&ps, "no .version: this is not PTX");
    return true;
}

void ptx_free(ptx_module *module) {
    vg_arena_free(&module->arena);
    memset(module, 0, sizeof *module);
}
