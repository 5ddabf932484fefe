/* core_simt_program.c: see core_simt_program.h. Generation, then PTX, then evaluation:
 * three walks over one tree, which have to agree line by line and so stand in one file. */
#include "vgpu/tests/core_simt_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FUNCS = 3,
    MAX_DEPTH = 4,
    WARP = 32,
    LOCAL_WORDS = 8,
    MAX_EVENTS = 200,
    MAX_STEPS = 20000,
    MAX_LOCALS = 250,
    MAX_VISIBLE = 8
};

enum expr_kind { E_VAR, E_CONST, E_ADD, E_SUB, E_MUL, E_XOR, E_AND, E_MIN, E_SHR, E_HIGH, E_KINDS };

typedef struct expr {
    enum expr_kind kind;
    uint32_t k; /* variable's number, or constant */
    struct expr *l, *r;
} expr;

enum compare { C_EQ, C_NE, C_LT, C_GE, C_SLT, C_SGE, C_KINDS };

typedef struct cond {
    enum compare cmp;
    expr *l, *r;
} cond;

enum stmt_kind {
    S_ASSIGN,
    S_TRACE,
    S_IF,
    S_FOR, /* `count` times, or (expr & 3) + count % 2 times where it is 0 */
    S_BREAK_IF,
    S_CONTINUE_IF,
    S_EXIT_IF,
    S_RETURN_IF, /* functions: with expr as the result */
    S_CALL,      /* var = func(var, expr) */
    S_STORE,     /* a word of the thread's local array */
    S_LOAD,
    S_EXCHANGE, /* var = the expr of another thread of the block */
    S_BALLOT,   /* var = which lanes of the warp meet the condition */
    S_COUNT     /* var = how many threads of the block do */
};

typedef struct stmt {
    enum stmt_kind kind;
    int id, var, count, func, form; /* form: one of several ways to write it in PTX */
    expr *e;
    cond c;
    struct stmt *body, *other, *next;
} stmt;

typedef struct func {
    stmt *body;
    expr *result;
    int barriers; /* that it executes on every path */
} func;

struct simt_program {
    uint64_t random;
    int num_ids, num_temps, max_temps, num_locals;
    func kernel, func[MAX_FUNCS];
    int num_funcs;
    void **owned;
    int num_owned;
    char *text;
    size_t len, size;
};

static void *own(simt_program *p, size_t size) {
    void *m = calloc(1, size);
    void **bigger = realloc(p->owned, (size_t)(p->num_owned + 1) * sizeof *bigger);
    if (m == NULL || bigger == NULL)
        abort();
    p->owned = bigger;
    p->owned[p->num_owned++] = m;
    return m;
}

static uint32_t roll(simt_program *p, uint32_t below) { /* xorshift64* */
    p->random ^= p->random >> 12;
    p->random ^= p->random << 25;
    p->random ^= p->random >> 27;
    return (uint32_t)((p->random * 0x2545F4914F6CDD1Dull) >> 33) % below;
}

/* ---- generation ---- */

typedef struct place {
    int depth, loops; /* loops around that may be left */
    int first_callee; /* functions from here on may be called: no recursion */
    bool uniform;     /* all threads alive come here together */
    bool in_function, may_return;
    uint32_t local[MAX_VISIBLE]; /* variables of the blocks around */
    uint32_t num_local;
} place;

/* A variable to read or write: one of the function's, or of a block around, which lives shorter. */
static uint32_t some_variable(simt_program *p, const place *at) {
    return at->num_local > 0 && roll(p, 2) == 0 ? at->local[roll(p, at->num_local)]
                                                : roll(p, SIMT_VARS);
}

static expr *make_expr(simt_program *p, const place *at, int depth) {
    expr *e = own(p, sizeof *e);
    if (depth == 0 || roll(p, 3) == 0) {
        e->kind = roll(p, 3) == 0 ? E_CONST : E_VAR;
        e->k = e->kind == E_VAR  ? some_variable(p, at)
               : roll(p, 4) == 0 ? roll(p, 0x7FFFFFFF) * 2u
                                 : roll(p, 9);
        return e;
    }
    e->kind = (enum expr_kind)(E_ADD + roll(p, E_KINDS - E_ADD));
    e->l = make_expr(p, at, depth - 1);
    e->r = make_expr(p, at, depth - 1);
    return e;
}

static cond make_cond(simt_program *p, const place *at) {
    cond c = {
        .cmp = (enum compare)roll(p, C_KINDS), .l = make_expr(p, at, 2), .r = make_expr(p, at, 1)};
    if (roll(p, 2) == 0) { /* a bit of a variable: true in about half of the lanes */
        expr *bit = own(p, sizeof *bit), *mask = own(p, sizeof *mask), *zero = own(p, sizeof *zero);
        *mask = (expr){.kind = E_CONST, .k = 1u << roll(p, 6)};
        *bit = (expr){.kind = E_AND, .l = c.l, .r = mask};
        zero->kind = E_CONST;
        c = (cond){.cmp = roll(p, 2) == 0 ? C_EQ : C_NE, .l = bit, .r = zero};
    }
    return c;
}

static stmt *make_block(simt_program *p, place at, int barriers);

static stmt *new_stmt(simt_program *p, const place *at, enum stmt_kind kind) {
    stmt *s = own(p, sizeof *s);
    s->kind = kind;
    s->id = p->num_ids++;
    s->var = (int)some_variable(p, at);
    s->form = (int)roll(p, 8);
    s->e = make_expr(p, at, 2);
    s->c = make_cond(p, at);
    return s;
}

static stmt *make_if(simt_program *p, place at, int barriers) {
    stmt *s = new_stmt(p, &at, S_IF);
    at.depth++;
    at.uniform = false;
    s->body = make_block(p, at, barriers);
    if (barriers > 0 || roll(p, 2) == 0)
        s->other = make_block(p, at, barriers);
    return s;
}

static stmt *make_for(simt_program *p, place at, int rounds, int barriers) {
    stmt *s = new_stmt(p, &at, S_FOR);
    s->count = rounds;
    at.depth++;
    at.uniform = at.uniform && rounds > 0;
    at.loops = rounds > 0 ? 0 : 1; /* loops with barriers or votes are left at their end alone */
    at.may_return = at.may_return && rounds == 0;
    s->body = make_block(p, at, barriers);
    return s;
}

/* A statement that executes exactly `barriers` barriers, or up to that many: *used tells. */
static stmt *make_with_barriers(simt_program *p, place at, int barriers, int *used) {
    const uint32_t kind = roll(p, 6);
    *used = 1 + (int)roll(p, (uint32_t)barriers);
    if (kind == 0 && at.depth < MAX_DEPTH)
        return make_if(p, at, *used);
    if (kind == 1 && at.depth < MAX_DEPTH && barriers >= 2) {
        *used = 2;
        return make_for(p, at, 2, 1);
    }
    for (int f = at.first_callee; kind == 2 && f < p->num_funcs; f++) {
        if (p->func[f].barriers > 0 && p->func[f].barriers <= barriers) {
            stmt *s = new_stmt(p, &at, S_CALL);
            s->func = f;
            *used = p->func[f].barriers;
            return s;
        }
    }
    *used = 1;
    return new_stmt(p, &at, S_EXCHANGE);
}

static stmt *make_plain(simt_program *p, place at) {
    const uint32_t kind = roll(p, 20);
    if (kind < 5 && at.depth < MAX_DEPTH)
        return make_if(p, at, 0);
    if (kind < 7 && at.depth < MAX_DEPTH)
        return make_for(p, at, at.uniform && roll(p, 2) == 0 ? 2 : 0, 0);
    if (kind == 7 && at.loops > 0)
        return new_stmt(p, &at, roll(p, 2) == 0 ? S_BREAK_IF : S_CONTINUE_IF);
    if (kind == 8 && roll(p, 3) == 0)
        return new_stmt(p, &at, S_EXIT_IF);
    if (kind == 9 && at.may_return)
        return new_stmt(p, &at, S_RETURN_IF);
    if (kind == 10 && at.uniform && !at.in_function)
        return new_stmt(p, &at, roll(p, 2) == 0 ? S_BALLOT : S_COUNT);
    if (kind == 11 || kind == 12)
        return new_stmt(p, &at, kind == 11 ? S_STORE : S_LOAD);
    if (kind == 13) {
        for (int f = at.first_callee; f < p->num_funcs; f++) {
            if (p->func[f].barriers == 0 && roll(p, 2) == 0) {
                stmt *s = new_stmt(p, &at, S_CALL);
                s->func = f;
                return s;
            }
        }
    }
    return new_stmt(p, &at, kind < 17 ? S_ASSIGN : S_TRACE);
}

/* Variables of the block's own, set at its beginning. */
static stmt **declare_locals(simt_program *p, place *at, stmt **tail) {
    for (int n = (int)roll(p, 3);
         n > 0 && at->num_local < MAX_VISIBLE && p->num_locals < MAX_LOCALS; n--) {
        stmt *s = new_stmt(p, at, S_ASSIGN);
        s->var = SIMT_VARS + p->num_locals++;
        s->form = 1;
        at->local[at->num_local++] = (uint32_t)s->var;
        *tail = s;
        tail = &s->next;
    }
    return tail;
}

static stmt *make_block(simt_program *p, place at, int barriers) {
    stmt *first = NULL, **tail = declare_locals(p, &at, &first);
    for (int left = 1 + (int)roll(p, 4); left > 0 || barriers > 0; left--) {
        int used = 0;
        *tail = barriers > 0 && (left <= 1 || roll(p, 2) == 0)
                    ? make_with_barriers(p, at, barriers, &used)
                    : make_plain(p, at);
        barriers -= used;
        tail = &(*tail)->next;
    }
    return first;
}

simt_program *simt_generate(uint64_t seed) {
    simt_program *p = calloc(1, sizeof *p);
    if (p == NULL)
        abort();
    p->random = (seed + 1) * 0x9E3779B97F4A7C15ull;
    p->num_funcs = MAX_FUNCS;
    for (int f = MAX_FUNCS - 1; f >= 0; f--) { /* the last one first: it calls nobody */
        p->func[f].barriers = (int)roll(p, 2);
        const place at = {.depth = 1,
                          .first_callee = f + 1,
                          .in_function = true,
                          .may_return = p->func[f].barriers == 0};
        p->func[f].body = make_block(p, at, p->func[f].barriers);
        p->func[f].result = make_expr(p, &at, 2);
    }
    const place top = {.uniform = true};
    for (stmt **tail = &p->kernel.body; roll(p, 4) != 0 || *tail == NULL;) {
        stmt *block = make_block(p, top, (int)roll(p, 4));
        *tail = block;
        while (*tail != NULL)
            tail = &(*tail)->next;
        if (p->num_ids > 150)
            break;
    }
    return p;
}

void simt_free(simt_program *p) {
    for (int i = 0; i < p->num_owned; i++)
        free(p->owned[i]);
    free(p->owned);
    free(p->text);
    free(p);
}

/* ---- as PTX ---- */

__attribute__((format(printf, 2, 3))) static void put(simt_program *p, const char *format, ...) {
    for (;;) {
        va_list args;
        va_start(args, format);
        const int n =
            p->text != NULL ? vsnprintf(p->text + p->len, p->size - p->len, format, args) : -1;
        va_end(args);
        if (n >= 0 && p->len + (size_t)n < p->size) {
            p->len += (size_t)n;
            return;
        }
        p->size = p->size == 0 ? 1 << 16 : 2 * p->size;
        char *more = realloc(p->text, p->size);
        if (more == NULL)
            abort();
        p->text = more;
    }
}

/* Every value gets a register of its own, as compilers write PTX. Returns its number. */
static int emit_expr(simt_program *p, const expr *e) {
    static const char *const ops[E_KINDS] = {
        [E_ADD] = "add.u32", [E_SUB] = "sub.u32", [E_MUL] = "mul.lo.u32",
        [E_XOR] = "xor.b32", [E_AND] = "and.b32", [E_MIN] = "min.u32"};
    if (e->kind == E_VAR || e->kind == E_CONST) {
        const int t = p->num_temps++;
        put(p, e->kind == E_VAR ? "    mov.u32 %%t%d, %%v%u;\n" : "    mov.u32 %%t%d, %u;\n", t,
            e->k);
        return t;
    }
    const int l = emit_expr(p, e->l), r = emit_expr(p, e->r), t = p->num_temps++;
    if (e->kind == E_SHR) {
        const int n = p->num_temps++;
        put(p, "    and.b32 %%t%d, %%t%d, 7;\n    shr.u32 %%t%d, %%t%d, %%t%d;\n", n, r, t, l, n);
    } else if (e->kind == E_HIGH) { /* the middle of a 64-bit product */
        put(p,
            "    mul.wide.u32 %%w%d, %%t%d, %%t%d;\n    shr.u64 %%w%d, %%w%d, 16;\n"
            "    cvt.u32.u64 %%t%d, %%w%d;\n",
            t, l, r, l, t, t, l);
    } else {
        put(p, "    %s %%t%d, %%t%d, %%t%d;\n", ops[e->kind], t, l, r);
    }
    return t;
}

static int emit_cond(simt_program *p, const cond *c) {
    static const char *const names[C_KINDS] = {"eq.u32", "ne.u32", "lt.u32",
                                               "ge.u32", "lt.s32", "ge.s32"};
    const int l = emit_expr(p, c->l), r = emit_expr(p, c->r), t = p->num_temps++;
    put(p, "    setp.%s %%p%d, %%t%d, %%t%d;\n", names[c->cmp], t, l, r);
    return t;
}

typedef struct context {
    const func *in;     /* NULL: the kernel */
    int break_to, next; /* ids of the loop around */
} context;

static void emit_block(simt_program *p, const stmt *s, context cx);

static void emit_trace(simt_program *p, const stmt *s) {
    const int v = emit_expr(p, s->e), t = p->num_temps++;
    put(p, "    mad.lo.u32 %%t%d, %%t%d, 1000, %d;\n", t, v, s->id);
    put(p, "    setp.lt.u32 %%p%d, %%pos, %d;\n    mad.wide.u32 %%w%d, %%pos, 4, %%out;\n", t,
        SIMT_TRACE, t);
    put(p, "    @%%p%d st.global.u32 [%%w%d], %%t%d;\n    @%%p%d add.u32 %%pos, %%pos, 1;\n", t, t,
        t, t);
}

static void emit_if(simt_program *p, const stmt *s, context cx) {
    const int c = emit_cond(p, &s->c);
    if (s->other == NULL) {
        put(p, "    @!%%p%d bra END%d;\n", c, s->id);
        emit_block(p, s->body, cx);
    } else if (s->form % 2 == 0) {
        put(p, "    @!%%p%d bra ELSE%d;\n", c, s->id);
        emit_block(p, s->body, cx);
        put(p, "    bra END%d;\nELSE%d:\n", s->id, s->id);
        emit_block(p, s->other, cx);
    } else {
        put(p, "    @%%p%d bra THEN%d;\n", c, s->id);
        emit_block(p, s->other, cx);
        put(p, "    bra.uni END%d;\nTHEN%d:\n", s->id, s->id);
        emit_block(p, s->body, cx);
    }
    put(p, "END%d:\n", s->id);
}

/* True if a continue in these statements means the loop they are in. Without one the loop's body
 * has no label before its end, and may be a single block. */
static bool continues(const stmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == S_CONTINUE_IF ||
            (s->kind == S_IF && (continues(s->body) || continues(s->other))))
            return true;
    return false;
}

static void emit_for(simt_program *p, const stmt *s, context cx) {
    put(p, "    mov.u32 %%c%d, 0;\n", s->id);
    if (s->count > 0) {
        put(p, "    mov.u32 %%n%d, %d;\n", s->id, s->count);
    } else {
        const int n = emit_expr(p, s->e);
        put(p, "    and.b32 %%t%d, %%t%d, 3;\n    add.u32 %%n%d, %%t%d, %d;\n", n, n, s->id, n,
            s->form & 1);
    }
    cx.break_to = cx.next = s->id;
    if (s->form % 4 < 2) { /* tested at the top */
        put(p, "TOP%d:\n    setp.ge.u32 %%q%d, %%c%d, %%n%d;\n    @%%q%d bra OUT%d;\n", s->id,
            s->id, s->id, s->id, s->id, s->id);
        emit_block(p, s->body, cx);
        if (continues(s->body))
            put(p, "NEXT%d:\n", s->id);
        put(p, "    add.u32 %%c%d, %%c%d, 1;\n    bra TOP%d;\nOUT%d:\n", s->id, s->id, s->id,
            s->id);
        return;
    }
    put(p, "    setp.eq.u32 %%q%d, %%n%d, 0;\n    @%%q%d bra OUT%d;\nTOP%d:\n", s->id, s->id, s->id,
        s->id, s->id);
    emit_block(p, s->body, cx);
    if (continues(s->body))
        put(p, "NEXT%d:\n", s->id);
    put(p,
        "    add.u32 %%c%d, %%c%d, 1;\n    setp.lt.u32 %%q%d, %%c%d, %%n%d;\n"
        "    @%%q%d bra TOP%d;\nOUT%d:\n",
        s->id, s->id, s->id, s->id, s->id, s->id, s->id, s->id);
}

/* exit, by guard, by jumping to the last one, or in a block of its own */
static void emit_exit(simt_program *p, const stmt *s, context cx) {
    const int c = emit_cond(p, &s->c);
    if (s->form % 3 == 0)
        put(p, "    @%%p%d exit;\n", c);
    else if (s->form % 3 == 1 && cx.in == NULL)
        put(p, "    @%%p%d bra RETURN;\n", c);
    else
        put(p, "    @!%%p%d bra STAY%d;\n    exit;\nSTAY%d:\n", c, s->id, s->id);
}

static void emit_return(simt_program *p, const stmt *s) {
    const int c = emit_cond(p, &s->c), v = emit_expr(p, s->e);
    put(p, "    @%%p%d st.param.b32 [result], %%t%d;\n    @%%p%d st.param.b32 [result+4], %%pos;\n",
        c, v, c);
    if (s->form % 3 == 0)
        put(p, "    @%%p%d ret;\n", c);
    else if (s->form % 3 == 1)
        put(p, "    @%%p%d bra RETURN;\n", c);
    else
        put(p, "    @!%%p%d bra STAY%d;\n    ret;\nSTAY%d:\n", c, s->id, s->id);
}

/* The position in the trace travels through the result's second word. */
static void emit_call(simt_program *p, const stmt *s) {
    const int v = emit_expr(p, s->e);
    put(p,
        "    {\n    .param .b32 a0; .param .b32 a1; .param .b32 a2; .param .b64 a3; .param .align "
        "4 .b8 r0[8];\n");
    put(p,
        "    st.param.b32 [a0], %%v%d;\n    st.param.b32 [a1], %%t%d;\n"
        "    st.param.b32 [a2], %%pos;\n    st.param.b64 [a3], %%out;\n",
        s->var, v);
    put(p,
        "    call (r0), f%d, (a0, a1, a2, a3);\n    ld.param.b32 %%v%d, [r0];\n"
        "    ld.param.b32 %%pos, [r0+4];\n    }\n",
        s->func, s->var);
}

static void emit_together(simt_program *p, const stmt *s) {
    if (s->kind == S_EXCHANGE) {
        const int v = emit_expr(p, s->e), t = p->num_temps++;
        put(p,
            "    mov.u32 %%t%d, %%tid.x;\n    shl.b32 %%t%d, %%t%d, 2;\n    mov.u32 %%addr, tile;\n"
            "    add.u32 %%t%d, %%t%d, %%addr;\n",
            t, t, t, t, t);
        put(p,
            "    st.shared.u32 [%%t%d], %%t%d;\n    bar.sync 0;\n    mov.u32 %%t%d, %%tid.x;\n"
            "    add.u32 %%t%d, %%t%d, %d;\n",
            t, v, v, v, v, s->form * 5 + 1);
        put(p,
            "    mov.u32 %%addr, %%ntid.x;\n    rem.u32 %%t%d, %%t%d, %%addr;\n"
            "    mov.u32 %%addr, tile;\n    mad.lo.u32 %%t%d, %%t%d, 4, %%addr;\n",
            v, v, v, v);
        put(p, "    ld.shared.u32 %%v%d, [%%t%d];\n    bar.sync 0;\n", s->var, v);
        return;
    }
    const int c = emit_cond(p, &s->c);
    put(p,
        s->kind == S_BALLOT ? "    vote.sync.ballot.b32 %%v%d, %%p%d, -1;\n"
                            : "    bar.red.popc.u32 %%v%d, 0, %%p%d;\n",
        s->var, c);
}

static void emit_local(simt_program *p, const stmt *s) {
    const int v = emit_expr(p, s->e), t = p->num_temps++;
    put(p,
        "    and.b32 %%t%d, %%v%d, %d;\n    mov.u64 %%w%d, words;\n"
        "    mad.wide.u32 %%w%d, %%t%d, 4, %%w%d;\n",
        t, s->var, LOCAL_WORDS - 1, t, t, t, t);
    if (s->kind == S_STORE)
        put(p, "    st.local.u32 [%%w%d], %%t%d;\n", t, v);
    else
        put(p, "    ld.local.u32 %%v%d, [%%w%d];\n", s->var, t);
}

static void emit_stmt(simt_program *p, const stmt *s, context cx) {
    switch (s->kind) {
    case S_ASSIGN:
        if (s->form == 0) { /* under a guard instead */
            const int c = emit_cond(p, &s->c), v = emit_expr(p, s->e);
            put(p, "    @%%p%d mov.u32 %%v%d, %%t%d;\n", c, s->var, v);
        } else {
            put(p, "    mov.u32 %%v%d, %%t%d;\n", s->var, emit_expr(p, s->e));
        }
        return;
    case S_TRACE: emit_trace(p, s); return;
    case S_IF: emit_if(p, s, cx); return;
    case S_FOR: emit_for(p, s, cx); return;
    case S_BREAK_IF: put(p, "    @%%p%d bra OUT%d;\n", emit_cond(p, &s->c), cx.break_to); return;
    case S_CONTINUE_IF: put(p, "    @%%p%d bra NEXT%d;\n", emit_cond(p, &s->c), cx.next); return;
    case S_EXIT_IF: emit_exit(p, s, cx); return;
    case S_RETURN_IF: emit_return(p, s); return;
    case S_CALL: emit_call(p, s); return;
    case S_STORE:
    case S_LOAD: emit_local(p, s); return;
    default: emit_together(p, s);
    }
}

static void emit_block(simt_program *p, const stmt *s, context cx) {
    for (; s != NULL; s = s->next)
        emit_stmt(p, s, cx);
}

static void emit_declarations(simt_program *p) {
    const int t = p->max_temps, n = p->num_ids;
    put(p,
        "    .reg .b32 %%v<%d>, %%t<%d>, %%c<%d>, %%n<%d>, %%pos, %%addr;\n"
        "    .reg .b64 %%w<%d>, %%out, %%in;\n    .reg .pred %%p<%d>, %%q<%d>;\n"
        "    .local .align 4 .u32 words[%d];\n",
        SIMT_VARS + p->num_locals, t, n, n, t, t, n, LOCAL_WORDS);
    for (int i = 0; i < LOCAL_WORDS; i++)
        put(p, "    st.local.u32 [words+%d], %d;\n", 4 * i, i);
}

static void note_temps(simt_program *p) {
    p->max_temps = p->num_temps > p->max_temps ? p->num_temps : p->max_temps;
}

static void emit_function(simt_program *p, int f) {
    p->num_temps = 0;
    put(p,
        ".func (.param .align 4 .b8 result[8]) f%d(.param .b32 a, .param .b32 b, .param .b32 pos, "
        ".param .b64 out)\n{\n",
        f);
    emit_declarations(p);
    put(p,
        "    ld.param.b32 %%v0, [a];\n    ld.param.b32 %%v1, [b];\n    ld.param.b32 %%pos, [pos];\n"
        "    ld.param.b64 %%out, [out];\n");
    for (int v = 2; v < SIMT_VARS; v++)
        put(p, "    mov.u32 %%v%d, %d;\n", v, v);
    emit_block(p, p->func[f].body, (context){.in = &p->func[f]});
    put(p, "    st.param.b32 [result], %%t%d;\n", emit_expr(p, p->func[f].result));
    put(p, "RETURN:\n    st.param.b32 [result+4], %%pos;\n    ret;\n}\n");
    note_temps(p);
}

static void emit_kernel(simt_program *p) {
    p->num_temps = 1;
    put(p, ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n");
    emit_declarations(p);
    put(p,
        "    mov.u32 %%t0, %%tid.x;\n    mov.u32 %%addr, tile;\n"
        "    mad.lo.u32 %%t0, %%t0, 4, %%addr;\n    st.shared.u32 [%%t0], 0;\n    bar.sync 0;\n");
    put(p,
        "    mov.u32 %%t0, %%ctaid.x;\n    mov.u32 %%pos, %%ntid.x;\n    mov.u32 %%addr, %%tid.x;\n"
        "    mad.lo.u32 %%t0, %%t0, %%pos, %%addr;\n");
    put(p, "    ld.param.u64 %%in, [in];\n    mad.wide.u32 %%in, %%t0, %d, %%in;\n", 4 * SIMT_VARS);
    put(p, "    ld.param.u64 %%out, [out];\n    mad.wide.u32 %%out, %%t0, %d, %%out;\n",
        4 * SIMT_WORDS);
    for (int v = 0; v < SIMT_VARS; v++)
        put(p, "    ld.global.u32 %%v%d, [%%in+%d];\n", v, 4 * v);
    put(p, "    mov.u32 %%pos, 0;\n");
    emit_block(p, p->kernel.body, (context){0});
    put(p, "    st.global.u32 [%%out+%d], %%pos;\n", 4 * SIMT_TRACE);
    for (int v = 0; v < SIMT_VARS; v++)
        put(p, "    st.global.u32 [%%out+%d], %%v%d;\n", 4 * (SIMT_TRACE + 1 + v), v);
    put(p, "RETURN:\n    ret;\n}\n");
    note_temps(p);
}

const char *simt_ptx(simt_program *p) {
    for (int pass = 0; pass < 2; pass++) { /* the first one counts the registers */
        p->len = 0;
        put(p, ".version 7.0\n.target sm_70\n.address_size 64\n.shared .align 4 .u32 tile[%d];\n",
            SIMT_MAX_THREADS);
        for (int f = MAX_FUNCS - 1; f >= 0; f--)
            emit_function(p, f);
        emit_kernel(p);
    }
    return p->text;
}

/* ---- evaluation ---- */

enum flow { F_NEXT, F_BREAK, F_CONTINUE, F_RETURN, F_EXIT, F_STOP };

/*
 * A thread runs from its beginning up to an exchange, again and again: the exchanges before it are
 * answered from what is known by then, at the first unknown one it stops and says what it brings.
 */
typedef struct thread {
    uint32_t *out, pos;
    const uint32_t *answers; /* of each exchange so far */
    int stride, events, known;
    const stmt *at;   /* stopped here … */
    uint32_t brought; /* … with this value */
    int steps;
} thread;

typedef struct frame {
    uint32_t v[SIMT_VARS + MAX_LOCALS], words[LOCAL_WORDS], result;
} frame;

static uint32_t value(const expr *e, const uint32_t *v) {
    if (e->kind == E_VAR)
        return v[e->k];
    if (e->kind == E_CONST)
        return e->k;
    const uint32_t l = value(e->l, v), r = value(e->r, v);
    switch (e->kind) {
    case E_ADD: return l + r;
    case E_SUB: return l - r;
    case E_MUL: return l * r;
    case E_XOR: return l ^ r;
    case E_AND: return l & r;
    case E_MIN: return l < r ? l : r;
    case E_SHR: return l >> (r & 7);
    default: return (uint32_t)(((uint64_t)l * r) >> 16);
    }
}

static bool holds(const cond *c, const uint32_t *v) {
    const uint32_t l = value(c->l, v), r = value(c->r, v);
    switch (c->cmp) {
    case C_EQ: return l == r;
    case C_NE: return l != r;
    case C_LT: return l < r;
    case C_GE: return l >= r;
    case C_SLT: return (int32_t)l < (int32_t)r;
    default: return (int32_t)l >= (int32_t)r;
    }
}

static enum flow run_block(const simt_program *p, thread *t, frame *f, const stmt *s);

static enum flow run_for(const simt_program *p, thread *t, frame *f, const stmt *s) {
    const uint32_t n =
        s->count > 0 ? (uint32_t)s->count : (value(s->e, f->v) & 3) + (uint32_t)(s->form & 1);
    for (uint32_t i = 0; i < n; i++) {
        const enum flow how = run_block(p, t, f, s->body);
        if (how == F_BREAK)
            break;
        if (how != F_NEXT && how != F_CONTINUE)
            return how;
    }
    return F_NEXT;
}

static enum flow run_call(const simt_program *p, thread *t, frame *f, const stmt *s) {
    frame inner = {.v = {f->v[s->var], value(s->e, f->v), 2, 3, 4, 5},
                   .words = {0, 1, 2, 3, 4, 5, 6, 7}};
    const enum flow how = run_block(p, t, &inner, p->func[s->func].body);
    if (how == F_EXIT || how == F_STOP)
        return how;
    f->v[s->var] = how == F_RETURN ? inner.result : value(p->func[s->func].result, inner.v);
    return F_NEXT;
}

static enum flow run_stmt(const simt_program *p, thread *t, frame *f, const stmt *s) {
    const uint32_t x = value(s->e, f->v);
    const bool yes = holds(&s->c, f->v);
    if (++t->steps > MAX_STEPS)
        return F_EXIT;
    switch (s->kind) {
    case S_ASSIGN: f->v[s->var] = s->form != 0 || yes ? x : f->v[s->var]; return F_NEXT;
    case S_TRACE:
        if (t->pos < SIMT_TRACE)
            t->out[t->pos++] = x * 1000 + (uint32_t)s->id;
        return F_NEXT;
    case S_IF: return run_block(p, t, f, yes ? s->body : s->other);
    case S_FOR: return run_for(p, t, f, s);
    case S_BREAK_IF: return yes ? F_BREAK : F_NEXT;
    case S_CONTINUE_IF: return yes ? F_CONTINUE : F_NEXT;
    case S_EXIT_IF: return yes ? F_EXIT : F_NEXT;
    case S_RETURN_IF: f->result = x; return yes ? F_RETURN : F_NEXT;
    case S_CALL: return run_call(p, t, f, s);
    case S_STORE: f->words[f->v[s->var] % LOCAL_WORDS] = x; return F_NEXT;
    case S_LOAD: f->v[s->var] = f->words[f->v[s->var] % LOCAL_WORDS]; return F_NEXT;
    default:
        if (t->events == t->known) {
            t->at = s;
            t->brought = s->kind == S_EXCHANGE ? x : yes;
            return F_STOP;
        }
        f->v[s->var] = t->answers[(size_t)t->events++ * (size_t)t->stride];
        return F_NEXT;
    }
}

static enum flow run_block(const simt_program *p, thread *t, frame *f, const stmt *s) {
    enum flow how = F_NEXT;
    for (; s != NULL && how == F_NEXT; s = s->next)
        how = run_stmt(p, t, f, s);
    return how;
}

static void run_thread(const simt_program *p, thread *t, const uint32_t *in, int index) {
    frame f = {.words = {0, 1, 2, 3, 4, 5, 6, 7}};
    memcpy(f.v, in + (size_t)index * SIMT_VARS, SIMT_VARS * sizeof *f.v);
    memset(t->out, 0, SIMT_WORDS * sizeof *t->out);
    t->pos = 0;
    t->events = t->steps = 0;
    t->at = NULL;
    if (run_block(p, t, &f, p->kernel.body) == F_NEXT) {
        t->out[SIMT_TRACE] = t->pos;
        memcpy(t->out + SIMT_TRACE + 1, f.v, SIMT_VARS * sizeof *f.v);
    }
}

/* What thread i gets from the exchange where `t` have stopped. */
static uint32_t answer(const thread *t, int threads, int i, const uint32_t *shared) {
    const stmt *s = t[i].at;
    if (s->kind == S_EXCHANGE)
        return shared[(i + s->form * 5 + 1) % threads];
    uint32_t r = 0;
    const int first = s->kind == S_COUNT ? 0 : i - i % WARP,
              end = s->kind == S_COUNT ? threads : first + WARP;
    for (int j = first; j < end && j < threads; j++) {
        const bool yes = t[j].at != NULL && t[j].brought != 0;
        r += !yes ? 0 : s->kind == S_COUNT ? 1 : 1u << (j - first);
    }
    return r;
}

bool simt_evaluate(simt_program *p, int threads, const uint32_t *in, uint32_t *out) {
    thread *t = calloc((size_t)threads, sizeof *t);
    uint32_t *answers = calloc((size_t)threads * MAX_EVENTS, sizeof *answers);
    uint32_t *shared = calloc((size_t)threads, sizeof *shared);
    if (t == NULL || answers == NULL || shared == NULL)
        abort();
    bool waiting = true, fine = true;
    for (int event = 0; waiting && fine; event++) {
        waiting = false;
        for (int i = 0; i < threads; i++) {
            t[i] = (thread){.out = out + (size_t)i * SIMT_WORDS,
                            .answers = answers + i,
                            .stride = threads,
                            .known = event};
            run_thread(p, &t[i], in, i);
            waiting |= t[i].at != NULL;
            fine &= t[i].steps <= MAX_STEPS && event < MAX_EVENTS - 1;
            if (t[i].at != NULL && t[i].at->kind == S_EXCHANGE)
                shared[i] = t[i].brought;
        }
        for (int i = 0; i < threads; i++) {
            answers[(size_t)event * (size_t)threads + (size_t)i] =
                t[i].at != NULL ? answer(t, threads, i, shared) : 0;
        }
    }
    free(t);
    free(answers);
    free(shared);
    return fine;
}
