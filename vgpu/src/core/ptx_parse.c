/*
 * ptx_parse.c: the grammar of PTX, module level and bodies. Instructions are taken apart, not
 * understood; see ptx.h, and ptx_parser.h for what it stands on.
 */
#include "vgpu/src/core/ptx_parser.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- operands and instructions ---- */

static ptx_operand parse_operand(parser *ps, int depth);

static void parse_elements(parser *ps, ptx_operand *o, char close, int depth) {
    if (depth > 4)
        ptx_fail(ps, "operands nested too deep");
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
        ptx_fail(ps, "an empty address");
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
    ptx_var *v = ptx_lookup(ps, t.text, t.len);
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
            ptx_fail(ps, minus ? "expected a number after '-'" : "expected a predicate after '!'");
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
            ptx_fail(ps, "expected an operand, found '%.*s'",
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
    in->statement = ps->position.line != 0 ? ps->statement : 0;
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
        ptx_fail(ps, "expected a predicate after '@'");
    in->guard = ptx_lookup(ps, ps->tok.text, ps->tok.len);
    if (in->guard == NULL || in->guard->type != PT_PRED) {
        ptx_fail(ps, "'%.*s' is not a predicate", (int)(ps->tok.len < 40 ? ps->tok.len : 40),
                 ps->tok.text);
    }
    advance(ps);
}

/* Operands up to the ';'. The name of the instruction, or of a label, is already in `name`. */
static void parse_rest_of_instruction(parser *ps, ptx_instr *in) {
    while (ps->tok.kind == TK_DOT) {
        if (in->num_mods == PTX_MAX_MODS)
            ptx_fail(ps, "'%s' has more than %d modifiers", in->op, PTX_MAX_MODS);
        in->mod[in->num_mods++] = take_text(ps);
    }
    while (!is_punct(ps, ';')) {
        if (in->num_operands == PTX_MAX_OPERANDS)
            ptx_fail(ps, "'%s' has more than %d operands", in->op, PTX_MAX_OPERANDS);
        in->operand[in->num_operands++] = parse_operand(ps, 0);
        if (!accept(ps, ','))
            break;
    }
    expect(ps, ';');
}

static void skip_to_semicolon(parser *ps) {
    while (!is_punct(ps, ';')) {
        if (ps->tok.kind == TK_END)
            ptx_fail(ps, "the text ends inside a directive");
        advance(ps);
    }
    advance(ps);
}

/* .pragma "vgpu_blank NAME" of vgpucc; others mean nothing here. */
static void parse_pragma(parser *ps) {
    static const char blank[] = "vgpu_blank ";
    const size_t n = sizeof blank - 1;
    if (ps->tok.kind == TK_STRING && ps->tok.len > n && memcmp(ps->tok.text, blank, n) == 0) {
        ptx_var *v = ptx_lookup(ps, ps->tok.text + n, ps->tok.len - n);
        if (v != NULL)
            v->is_blank = true;
    }
    skip_to_semicolon(ps);
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
    if (ps->statement == 0 && l.column != 0)
        ps->statement = 1; /* newer compilers leave the head out where nothing is done there */
    ps->statement += l.line != ps->position.line || l.column != ps->position.column ||
                     l.file != ps->position.file;
    ps->position = l;
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
        ptx_fail(ps, "a malformed .file");
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
        ptx_skip_braces(ps); /* debug data, in DWARF's form */
}

static void parse_body(parser *ps) {
    expect(ps, '{');
    int open = 1;
    ptx_push_scope(ps);
    while (open > 0) {
        if (accept(ps, '{')) {
            ptx_push_scope(ps);
            open++;
        } else if (accept(ps, '}')) {
            ptx_pop_scope(ps);
            open--;
        } else if (accept_dot(ps, "loc")) {
            parse_loc(ps);
        } else if (accept_dot(ps, "pragma")) {
            skip_to_semicolon(ps);
        } else if (accept_dot(ps, "section")) {
            parse_section(ps);
        } else if (ptx_space_named(ps) != PS_GENERIC) {
            ptx_parse_variables(ps, false, true);
        } else if (ps->tok.kind == TK_NAME || is_punct(ps, '@')) {
            parse_labelled_or_instruction(ps);
        } else if (!accept(ps, ';')) {
            ptx_fail(ps, "expected an instruction, found '%.*s'",
                     (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
        }
    }
}

/* ---- functions ---- */

static void parse_params(parser *ps, ptx_var ***list, int *count, uint32_t *bytes) {
    uint32_t offset = 0;
    while (!is_punct(ps, ')')) {
        ptx_var model = {.space = ptx_space_named(ps)};
        if (model.space != PS_PARAM)
            ptx_fail(ps, "parameters other than .param are not supported");
        advance(ps);
        ptx_parse_var_type(ps, &model);
        ptx_var *v = ptx_parse_one_var(ps, &model);
        if (v->size == 0 || v->size > 32768)
            ptx_fail(ps, "parameter '%s' has an impossible size", v->name);
        offset = (offset + v->align - 1) & ~(v->align - 1);
        v->offset = offset;
        v->index = *count;
        offset += (uint32_t)v->size;
        *list = vg_arena_grow(&ps->module->arena, *list, (size_t)*count, sizeof v);
        (*list)[(*count)++] = v;
        ptx_declare(ps, v);
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

static void parse_function(parser *ps, bool is_entry, bool is_extern, bool is_static) {
    ptx_module *m = ps->module;
    ptx_func *f = vg_arena_alloc(&m->arena, sizeof *f);
    f->is_entry = is_entry;
    f->is_extern = is_extern;
    f->is_static = is_static;
    ps->func = f;
    ps->last_instr = NULL;
    ps->loc_line = 0;
    ps->loc = 0;
    ps->statement = 0;
    ps->position = (location){0};
    ptx_push_scope(ps);
    if (accept_dot(ps, "attribute")) {
        while (!accept(ps, ')')) {
            if (ps->tok.kind == TK_END)
                ptx_fail(ps, "the text ends inside a directive");
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
    ptx_pop_scope(ps);
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
        ptx_fail(ps, "a malformed .version");
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
    bool is_extern = false, is_static = true;
    while (ps->tok.kind == TK_DOT &&
           (is_word(ps, TK_DOT, "visible") || is_word(ps, TK_DOT, "weak") ||
            is_word(ps, TK_DOT, "common") || is_word(ps, TK_DOT, "extern"))) {
        is_extern |= is_word(ps, TK_DOT, "extern");
        is_static = false;
        advance(ps);
    }
    if (accept_dot(ps, "version")) {
        parse_version(ps);
    } else if (accept_dot(ps, "target")) {
        parse_target(ps);
    } else if (accept_dot(ps, "address_size")) {
        if (expect_int(ps) != 64)
            ptx_fail(ps, "only 64-bit PTX is supported");
    } else if (accept_dot(ps, "file")) {
        parse_file(ps);
    } else if (accept_dot(ps, "section")) {
        parse_section(ps);
    } else if (accept_dot(ps, "loc")) {
        parse_loc(ps);
    } else if (accept_dot(ps, "pragma")) {
        parse_pragma(ps);
    } else if (accept_dot(ps, "alias")) {
        skip_to_semicolon(ps);
    } else if (accept_dot(ps, "entry")) {
        parse_function(ps, true, is_extern, is_static);
    } else if (accept_dot(ps, "func")) {
        parse_function(ps, false, is_extern, is_static);
    } else if (ptx_space_named(ps) != PS_GENERIC) {
        ptx_parse_variables(ps, is_extern, is_static);
    } else if (!accept(ps, ';')) {
        ptx_fail(ps, "expected a declaration, found '%.*s'",
                 (int)(ps->tok.len < 40 ? ps->tok.len : 40), ps->tok.text);
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
    ptx_settle_lines(&ps);
    if (module->version == 0)
        ptx_fail(&ps, "no .version: this is not PTX");
    return true;
}

void ptx_free(ptx_module *module) {
    vg_arena_free(&module->arena);
    memset(module, 0, sizeof *module);
}
