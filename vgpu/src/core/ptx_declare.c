/*
 * ptx_declare.c: types, scopes and variables of PTX; see ptx_parser.h.
 */
#include "vgpu/src/core/ptx_parser.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_NESTING = 32, MAX_VAR_BYTES = 1 << 30, MAX_REGS = 1 << 20 };

_Noreturn void ptx_fail(parser *ps, const char *format, ...) {
    int n = snprintf(ps->err, ps->errlen, "PTX line %d: ", ps->tok.line);
    va_list args;
    va_start(args, format);
    if (n > 0 && (size_t)n < ps->errlen)
        vsnprintf(ps->err + n, ps->errlen - (size_t)n, format, args);
    va_end(args);
    longjmp(ps->escape, 1);
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

ptx_var *ptx_lookup(const parser *ps, const char *name, size_t len) {
    for (scope *s = ps->scope; s != NULL; s = s->outer) {
        ptx_var *v = find_in(s->bucket, name, len);
        if (v != NULL)
            return v;
    }
    return find_in(ps->module->globals, name, len);
}

void ptx_declare(parser *ps, ptx_var *v) {
    ptx_var **bucket = ps->scope != NULL ? ps->scope->bucket : ps->module->globals;
    unsigned h = hash(v->name, strlen(v->name));
    v->next = bucket[h];
    bucket[h] = v;
}

void ptx_push_scope(parser *ps) {
    if (++ps->depth > MAX_NESTING)
        ptx_fail(ps, "blocks nested more than %d deep", MAX_NESTING);
    scope *s = vg_arena_alloc(&ps->module->arena, sizeof *s);
    s->outer = ps->scope;
    ps->scope = s;
}

void ptx_pop_scope(parser *ps) {
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

void ptx_skip_braces(parser *ps) {
    expect(ps, '{');
    for (int depth = 1; depth > 0; advance(ps)) {
        if (ps->tok.kind == TK_END)
            ptx_fail(ps, "the text ends inside braces");
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
            ptx_fail(ps,
                     "a whole number as the initial value of '%s', which has a floating-point type",
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
        ptx_fail(ps, "a floating-point number as the initial value of '%s', which has another type",
                 v->name);
    }
}

/* One scalar of an initialiser: number, name, generic(name), name+4. */
static void parse_init_scalar(parser *ps, ptx_var *v, uint64_t offset) {
    uint32_t size = ptx_type_size(v->type);
    if (offset + size > v->size)
        ptx_fail(ps, "more initial values than '%s' has elements", v->name);
    bool negative = accept(ps, '-');
    if (ps->tok.kind == TK_INT || ps->tok.kind == TK_FLOAT || ps->tok.kind == TK_DOUBLE) {
        store_bits(v->init + offset, initial_bits(ps, v, negative), size);
        advance(ps);
        return;
    }
    if (negative)
        ptx_fail(ps, "expected a number after '-'");
    const char *name = expect_name(ps);
    if (strcmp(name, "generic") == 0 && accept(ps, '(')) {
        name = expect_name(ps);
        expect(ps, ')');
    }
    if (size != 8)
        ptx_fail(ps, "the address of '%s' needs 8 bytes", name);
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
        ptx_fail(ps, "initial values nested more than %d deep", MAX_NESTING);
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
        ptx_fail(ps, "'%s' can't have initial values", v->name);
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
        ptx_fail(ps, "more than %d registers", MAX_REGS);
    for (uint64_t i = 0; i < count; i++) {
        char name[96];
        snprintf(name, sizeof name, "%.64s%u", model->name, (unsigned)i);
        ptx_var *v = vg_arena_alloc(&ps->module->arena, sizeof *v);
        *v = *model;
        v->name = vg_arena_strndup(&ps->module->arena, name, strlen(name));
        v->index = ps->func->num_regs++;
        ptx_declare(ps, v);
    }
}

static uint64_t parse_dimensions(parser *ps, uint64_t size) {
    while (accept(ps, '[')) {
        if (accept(ps, ']'))
            return 0; /* extern __shared__ x[]: the launch gives the size */
        uint64_t n = expect_int(ps);
        if (n != 0 && size > (uint64_t)MAX_VAR_BYTES * 64 / n)
            ptx_fail(ps, "an array of an impossible size");
        size *= n;
        expect(ps, ']');
    }
    return size;
}

enum { MAX_ALIGN = 1 << 16 };

/* The part of a declaration after its space: [.attribute(…)] [.align N] [.ptr …] [.v2] .type */
void ptx_parse_var_type(parser *ps, ptx_var *model) {
    uint32_t vector = 1;
    while (ps->tok.kind == TK_DOT) {
        if (accept_dot(ps, "align")) {
            uint64_t align = expect_int(ps);
            if (align == 0 || align > MAX_ALIGN || (align & (align - 1)) != 0) {
                ptx_fail(ps, "alignment %llu is not a power of two up to %d",
                         (unsigned long long)align, MAX_ALIGN);
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
                    ptx_fail(ps, "the text ends inside a directive");
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
                    ptx_fail(ps, "unknown type '.%.*s'", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
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
        ptx_fail(ps, "a declaration without a type");
    model->size = (uint64_t)ptx_type_size(model->type) * vector;
    if (model->align == 0)
        model->align = (uint32_t)model->size;
}

ptx_var *ptx_parse_one_var(parser *ps, const ptx_var *model) {
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
    ptx_declare(ps, v);
}

enum ptx_space ptx_space_named(const parser *ps) {
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

void ptx_parse_variables(parser *ps, bool is_extern, bool is_static) {
    ptx_var model = {.space = ptx_space_named(ps), .is_extern = is_extern, .is_static = is_static};
    advance(ps);
    ptx_parse_var_type(ps, &model);
    do {
        if (model.space == PS_REG) {
            if (ps->func == NULL)
                ptx_fail(ps, "a register outside a function");
            ptx_var *v = vg_arena_alloc(&ps->module->arena, sizeof *v);
            *v = model;
            v->name = expect_name(ps);
            if (accept(ps, '<')) {
                declare_register_range(ps, v);
            } else {
                v->index = ps->func->num_regs++;
                ptx_declare(ps, v);
            }
            continue;
        }
        ptx_var *v = ptx_parse_one_var(ps, &model);
        if (accept(ps, '='))
            parse_initialiser(ps, v);
        keep_var(ps, v);
    } while (accept(ps, ','));
    expect(ps, ';');
}
