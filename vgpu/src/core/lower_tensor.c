/*
 * lower_tensor.c: matrix instructions. mma.sync and wmma.mma become one op that knows the places of
 * all registers; wmma's loads and stores become ordinary accesses, one for each register or element
 * of the fragment, as the hardware does them.
 */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_tensor.h"

/* Types stand in the order D, A, B, C for mma;
 * wmma.mma names only D and C when A and B are halves. */
static bool read_types(const ptx_instr *in, tensor_call *c) {
    enum ptx_type t[4];
    int n = 0;
    while (n < 4 && (t[n] = in->type[n]) != PT_NONE)
        n++;
    if (n == 4) {
        c->type[TENSOR_D] = t[0];
        c->type[TENSOR_A] = t[1];
        c->type[TENSOR_B] = t[2];
        c->type[TENSOR_C] = t[3];
    } else if (n == 2) {
        c->type[TENSOR_D] = t[0];
        c->type[TENSOR_A] = c->type[TENSOR_B] = PT_F16;
        c->type[TENSOR_C] = t[1];
    }
    return n == 4 || n == 2;
}

static bool is_byte(enum ptx_type t) {
    return t == PT_S8 || t == PT_U8;
}

/* The combinations that there are. */
static bool is_known(const tensor_call *c) {
    static const struct {
        enum ptx_type type;
        bool is_wmma;
        int m, n, k;
    } shapes[] = {
        {PT_F16, false, 16, 8, 8},   {PT_F16, false, 16, 8, 16},  {PT_BF16, false, 16, 8, 8},
        {PT_BF16, false, 16, 8, 16}, {PT_TF32, false, 16, 8, 4},  {PT_TF32, false, 16, 8, 8},
        {PT_F64, false, 8, 8, 4},    {PT_F64, false, 16, 8, 4},   {PT_F64, false, 16, 8, 8},
        {PT_F64, false, 16, 8, 16},  {PT_S8, false, 8, 8, 16},    {PT_S8, false, 16, 8, 16},
        {PT_S8, false, 16, 8, 32},   {PT_F16, true, 16, 16, 16},  {PT_F16, true, 32, 8, 16},
        {PT_F16, true, 8, 32, 16},   {PT_BF16, true, 16, 16, 16}, {PT_BF16, true, 32, 8, 16},
        {PT_BF16, true, 8, 32, 16},  {PT_TF32, true, 16, 16, 8},
    };
    const enum ptx_type a = c->type[TENSOR_A], b = c->type[TENSOR_B], d = c->type[TENSOR_D],
                        acc = c->type[TENSOR_C];
    const enum ptx_type family = is_byte(a) ? PT_S8 : a;
    const bool same =
        is_byte(a)    ? is_byte(b) && d == PT_S32 && acc == PT_S32
        : a == PT_F64 ? b == a && d == a && acc == a
        : a == PT_F16 ? b == a && (d == PT_F16 || d == PT_F32) && (acc == PT_F16 || acc == PT_F32)
                      : b == a && d == PT_F32 && acc == PT_F32;
    for (size_t i = 0; same && i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].type == family && shapes[i].is_wmma == c->is_wmma && shapes[i].m == c->m &&
            shapes[i].n == c->n && shapes[i].k == c->k)
            return true;
    return false;
}

/* Registers of an operand, all of whose elements are there once. */
static int registers_needed(const tensor_call *c, enum tensor_operand which) {
    /* Rows * columns / 32 / elements of a register: the same for both. */
    return vg_wmma_regs(c, which);
}

/* f16 fragments of wmma are twice or four times as long as they need to be. */
static int registers_given(const tensor_call *c, enum tensor_operand which) {
    const bool repeated =
        c->is_wmma && c->type[which] == PT_F16 && (which == TENSOR_A || which == TENSOR_B);
    return repeated ? MMA_MAX_REGS : registers_needed(c, which);
}

static enum ptx_type register_type(enum ptx_type element) {
    return element == PT_F64 ? PT_F64 : PT_B32;
}

/* Rows of the registers {r0, r1, …} (or of the one register) of operand `which`. */
static void read_registers(lowerer *lw, tensor_call *c, enum tensor_operand which,
                           const ptx_operand *o, bool is_dst) {
    const int given = o->kind == PO_VECTOR ? o->num_elem : 1, expected = registers_given(c, which);
    if (given != expected)
        lower_fail(lw, VG_INVALID_PTX, "a matrix in %d registers, expected %d", given, expected);
    c->regs[which] = given;
    for (int r = 0; r < given; r++) {
        const ptx_operand *e = o->kind == PO_VECTOR ? &o->elem[r] : o;
        enum ptx_type type = register_type(c->type[which]);
        type = e->kind == PO_REG && ptx_type_size(e->var->type) == ptx_type_size(type)
                   ? e->var->type
                   : type;
        c->row[which][r] = is_dst ? lower_dst(lw, e, type) : lower_src(lw, e, type);
    }
}

static tensor_call *new_call(lowerer *lw, const ptx_instr *in, bool is_wmma) {
    tensor_call *c = vg_arena_alloc(lw->arena, sizeof *c);
    c->is_wmma = is_wmma;
    c->saturate = lower_has(in, "satfinite");
    return c;
}

/* Tables of the places, and how far they go. */
static void find_places(lowerer *lw, tensor_call *c) {
    for (int which = 0; which < TENSOR_OPERANDS; which++) {
        const enum tensor_operand x = (enum tensor_operand)which;
        const int packed = vg_tensor_packed(c->type[x]), regs = registers_needed(c, x);
        tensor_place *table =
            vg_arena_alloc(lw->arena, (size_t)(regs * VG_LANES * packed) * sizeof *table);
        c->filled[x] = regs;
        c->place[x] = table;
        for (int i = 0; i < regs * VG_LANES * packed; i++) {
            const int r = i / packed / VG_LANES, lane = i / packed % VG_LANES, e = i % packed;
            table[i] =
                c->is_wmma ? vg_wmma_place(c, x, lane, r, e) : vg_mma_place(c, x, lane, r, e);
        }
    }
}

static void emit_mma(lowerer *lw, const ptx_instr *in, tensor_call *c) {
    lower_need_operands(lw, in, 4);
    find_places(lw, c);
    read_registers(lw, c, TENSOR_A, &in->operand[1], false);
    read_registers(lw, c, TENSOR_B, &in->operand[2], false);
    read_registers(lw, c, TENSOR_C, &in->operand[3], false);
    read_registers(lw, c, TENSOR_D, &in->operand[0], true);
    lower_emit(lw, "mma")->extra = c;
}

void lower_mma(lowerer *lw, const ptx_instr *in) {
    tensor_call *c = new_call(lw, in, false);
    if (!lower_has(in, "sync") || lower_has(in, "sp") || lower_has(in, "sp::ordered_metadata") ||
        !ptx_matrix_shape(in, &c->m, &c->n, &c->k) || !read_types(in, c) || !is_known(c) ||
        !lower_has(in, "row") || !lower_has(in, "col"))
        lower_unsupported(lw);
    emit_mma(lw, in, c);
}

/* ---- wmma.load, wmma.store ---- */

/* The row of `key d, a, b`. */
static uint32_t emit_two(lowerer *lw, const char *key, uint32_t lane_bytes, uint32_t a,
                         uint32_t b) {
    const uint32_t d = lower_new_row(lw, lane_bytes);
    op *o = lower_emit(lw, key);
    o->d = d;
    o->a = a;
    o->b = b;
    return d;
}

static uint32_t emit_wide(lowerer *lw, uint32_t row32bits) {
    const uint32_t d = lower_new_row(lw, 8);
    op *o = lower_emit(lw, "cvt.u64.u32");
    o->d = d;
    o->a = row32bits;
    return d;
}

/* A fragment in memory: which elements are where. */
typedef struct fragment {
    tensor_call *call;
    enum tensor_operand which;
    bool by_columns; /* .col */
    uint32_t size;   /* bytes of an element */
    uint32_t origin; /* row: address of the lane's first element        */
    uint32_t stride; /* row: bytes from a line of the matrix to the next */
    int64_t offset;
} fragment;

/* Address of lane 0's first element as (line, place in line), lines being rows or columns. */
static void line_of(const fragment *f, int lane, int r, int e, int *line, int *place) {
    const tensor_place at = vg_wmma_place(f->call, f->which, lane, r, e);
    *line = f->by_columns ? at.col : at.row;
    *place = f->by_columns ? at.row : at.col;
}

/* origin = base + (lines of the lane) * stride + (places of the lane) * size: lanes count g = lane
 * / 4 along one direction and lane % 4 along the other. */
static void find_origin(lowerer *lw, fragment *f, uint32_t base) {
    int line_g, place_g, line_t, place_t;
    line_of(f, 4, 0, 0, &line_g, &place_g);
    line_of(f, 1, 0, 0, &line_t, &place_t);
    const uint32_t lane = lower_sreg(lw, SR_LANEID);
    const uint32_t g = emit_two(lw, "shr.u32", 4, lane, lower_const(lw, 2, 4));
    const uint32_t t = emit_two(lw, "and.u32", 4, lane, lower_const(lw, 3, 4));
    const uint32_t along = emit_wide(lw, line_g != 0 ? g : t),
                   across = emit_wide(lw, line_g != 0 ? t : g);
    const int lines = line_g != 0 ? line_g : line_t, places = line_g != 0 ? place_t : place_g;
    const uint32_t down = emit_two(lw, "mul.lo.u64", 8, along, f->stride);
    const uint32_t down_all =
        emit_two(lw, "mul.lo.u64", 8, down, lower_const(lw, (uint64_t)lines, 8));
    const uint32_t over =
        emit_two(lw, "mul.lo.u64", 8, across, lower_const(lw, (uint64_t)places * f->size, 8));
    f->origin = emit_two(lw, "add.u64", 8, base, emit_two(lw, "add.u64", 8, down_all, over));
}

static void emit_access(lowerer *lw, const fragment *f, const ptx_instr *in, bool store,
                        uint32_t at, int64_t offset, uint32_t bytes, uint32_t value) {
    op *o = lower_emit(lw, bytes == 4 ? (store ? "st.b32" : "ld.b32")
                           : store    ? "st.any"
                                      : "ld.any");
    o->a = at;
    o->imm = offset + f->offset;
    o->space = (uint8_t)in->space;
    o->slot = VG_NEEDS_SLOT;
    o->aux = bytes | 1u << 8 | (bytes == 2 ? 128u : 0);
    if (store && bytes == 4)
        o->b = value;
    else
        o->d = value;
    lower_finish_access(lw, o, store ? VG_WRITE : VG_READ, bytes);
}

static uint32_t line_address(lowerer *lw, const fragment *f, int line) {
    return line == 0 ? f->origin
                     : emit_two(lw, "add.u64", 8, f->origin,
                                emit_two(lw, "mul.lo.u64", 8, f->stride,
                                         lower_const(lw, (uint64_t)line, 8)));
}

/* One register: at once where its elements are neighbours in memory, else each by itself. */
static void move_register(lowerer *lw, const fragment *f, const ptx_instr *in, bool store, int r) {
    const int packed = vg_tensor_packed(f->call->type[f->which]);
    const uint32_t row = f->call->row[f->which][r];
    int line, place, line2 = 0, place2 = 0;
    line_of(f, 0, r, 0, &line, &place);
    if (packed == 2)
        line_of(f, 0, r, 1, &line2, &place2);
    const uint32_t at = line_address(lw, f, line);
    if (packed == 1 || line == line2) {
        emit_access(lw, f, in, store, at, (int64_t)place * f->size, 4, row);
        return;
    }
    const uint32_t low = lower_new_row(lw, 4), high = lower_new_row(lw, 4);
    if (store) {
        op *o = lower_emit(lw, "unpack.b32");
        o->d = low;
        o->e = high;
        o->a = row;
    }
    emit_access(lw, f, in, store, at, (int64_t)place * f->size, 2, low);
    emit_access(lw, f, in, store, line_address(lw, f, line2), (int64_t)place2 * f->size, 2, high);
    if (!store) {
        op *o = lower_emit(lw, "pack.b32");
        o->d = row;
        o->a = low;
        o->b = high;
    }
}

static enum tensor_operand fragment_named(lowerer *lw, const ptx_instr *in) {
    return lower_has(in, "a")   ? TENSOR_A
           : lower_has(in, "b") ? TENSOR_B
           : lower_has(in, "c") ? TENSOR_C
           : lower_has(in, "d") ? TENSOR_D
                                : (lower_unsupported(lw), TENSOR_A);
}

static void move_fragment(lowerer *lw, const ptx_instr *in, bool store) {
    tensor_call *c = new_call(lw, in, true);
    const enum tensor_operand which = fragment_named(lw, in);
    const enum ptx_type type = in->type[0];
    if (!ptx_matrix_shape(in, &c->m, &c->n, &c->k) || in->num_operands < 2 || in->num_operands > 3)
        lower_unsupported(lw);
    const bool accumulator = which == TENSOR_C || which == TENSOR_D;
    c->type[TENSOR_A] = c->type[TENSOR_B] = accumulator ? (c->k == 8 ? PT_TF32 : PT_F16) : type;
    c->type[TENSOR_C] = c->type[TENSOR_D] = accumulator ? type : PT_F32;
    if (!is_known(c))
        lower_unsupported(lw);
    read_registers(lw, c, which, &in->operand[store ? 1 : 0], !store);
    fragment f = {
        .call = c, .which = which, .by_columns = lower_has(in, "col"), .size = ptx_type_size(type)};
    /* Elements of a line. */
    const int lines = which == TENSOR_A   ? (f.by_columns ? c->m : c->k)
                      : which == TENSOR_B ? (f.by_columns ? c->k : c->n)
                      : f.by_columns      ? c->m
                                          : c->n;
    const uint32_t base = lower_address_row(lw, &in->operand[store ? 0 : 1], &f.offset);
    const uint32_t stride = in->num_operands == 3 ? lower_src(lw, &in->operand[2], PT_U32)
                                                  : lower_const(lw, (uint64_t)lines, 4);
    f.stride = emit_two(lw, "mul.lo.u64", 8, emit_wide(lw, stride), lower_const(lw, f.size, 8));
    find_origin(lw, &f, base);
    const int needed = registers_needed(c, which);
    for (int r = 0; r < needed; r++)
        move_register(lw, &f, in, store, r);
    for (int r = needed; !store && r < c->regs[which]; r++)
        lower_emit_mov(lw, c->row[which][r], c->row[which][r % needed], 4);
}

void lower_wmma_move(lowerer *lw, const ptx_instr *in) {
    move_fragment(lw, in, in->code->memory == MEM_STORE);
}

void lower_wmma(lowerer *lw, const ptx_instr *in) {
    tensor_call *c = new_call(lw, in, true);
    if (!ptx_matrix_shape(in, &c->m, &c->n, &c->k) || !read_types(in, c) || !is_known(c))
        lower_unsupported(lw);
    emit_mma(lw, in, c);
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

void lower_ldmatrix(lowerer *lw, const ptx_instr *in) {
    const bool store = in->code->memory == MEM_STORE;
    const int count = lower_has(in, "x1")   ? 1
                      : lower_has(in, "x2") ? 2
                      : lower_has(in, "x4") ? 4
                                            : 0;
    const enum ptx_space space = in->space;
    lower_need_operands(lw, in, 2);
    if (count == 0 || !lower_has(in, "m8n8") || !lower_has(in, "b16") ||
        (space != PS_SHARED && space != PS_GENERIC))
        lower_unsupported(lw);
    const ptx_operand *v = &in->operand[store ? 1 : 0];
    if ((v->kind == PO_VECTOR ? v->num_elem : 1) != count)
        lower_fail(lw, VG_INVALID_PTX, "%d matrices need as many registers", count);
    int64_t offset;
    const uint32_t at = lower_address_row(lw, &in->operand[store ? 0 : 1], &offset);
    uint32_t row[4] = {0};
    for (int i = 0; i < count; i++) {
        const ptx_operand *e = v->kind == PO_VECTOR ? &v->elem[i] : v;
        row[i] = store ? lower_src(lw, e, PT_B32) : lower_dst(lw, e, PT_B32);
    }
    op *o = lower_emit(lw, in->op);
    o->d = row[0];
    o->b = row[1];
    o->c = row[2];
    o->e = row[3];
    o->a = at;
    o->imm = offset;
    o->space = (uint8_t)space;
    o->slot = VG_NEEDS_SLOT;
    o->aux = (uint32_t)count | (lower_has(in, "trans") ? MATRIX_TRANSPOSED : 0);
    lower_tells_itself(lw, o, store ? VG_WRITE : VG_READ, 16);
}

void lower_movmatrix(lowerer *lw, const ptx_instr *in) {
    if (!lower_has(in, "trans") || !lower_has(in, "m8n8") || !lower_has(in, "b16"))
        lower_unsupported(lw);
    lower_emit_dabc(lw, in, "movmatrix", PT_B32, PT_B32, PT_NONE, PT_NONE);
}
