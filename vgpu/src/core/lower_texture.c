/* lower_texture.c: fetches from texture objects. */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_texture.h"

/* tex.1d.v4.f32.f32 {r, g, b, a}, [handle, {x}]; also 2d and 3d, whose coordinates are two and,
 * with one that means nothing, four; a1d and a2d have a layer before their coordinates, and a2d one
 * that means nothing. Textures here have one level: which one is asked for
 * (tex.level, tex.grad and their last operands) is the same. */
void lower_tex(lowerer *lw, const ptx_instr *in) {
    texture_call *c = vg_arena_alloc(lw->arena, sizeof *c);
    c->layered = lower_has(in, "a1d") || lower_has(in, "a2d");
    c->dims = lower_has(in, "1d") || lower_has(in, "a1d")   ? 1
              : lower_has(in, "2d") || lower_has(in, "a2d") ? 2
              : lower_has(in, "3d")                         ? 3
                                                            : 0;
    c->by_number = in->type[1] == PT_S32;
    if (c->dims == 0 || !lower_has(in, "v4") || ptx_type_size(in->type[0]) != 4 ||
        (in->type[1] != PT_F32 && !(c->by_number && c->dims == 1 && !c->layered)) ||
        in->num_operands < 2)
        lower_unsupported(lw);
    const ptx_operand *to = &in->operand[0], *from = &in->operand[1];
    if (to->kind != PO_VECTOR || to->num_elem != VG_TEXEL_CHANNELS || from->kind != PO_ADDR ||
        from->num_elem != 2 || from->elem[0].kind != PO_REG)
        lower_unsupported(lw);
    const ptx_operand *x = &from->elem[1];
    const int given = x->kind == PO_VECTOR ? x->num_elem : 1, needed = c->dims + c->layered;
    if (given != (needed == 3 ? 4 : needed))
        lower_fail(lw, VG_INVALID_PTX, "%d coordinates of a texture of %d dimensions", given,
                   c->dims);
    c->handle = lower_src(lw, &from->elem[0], PT_B64);
    for (int i = 0; i < c->dims; i++)
        c->x[i] = lower_src(lw, x->kind == PO_VECTOR ? &x->elem[i + c->layered] : x, in->type[1]);
    if (c->layered)
        c->layer = lower_src(lw, &x->elem[0], PT_B32);
    for (int i = 0; i < VG_TEXEL_CHANNELS; i++)
        c->d[i] = lower_dst_or_none(lw, &to->elem[i], in->type[0]);
    op *o = lower_emit(lw, "tex");
    o->extra = c;
    o->space = PS_GLOBAL;
    lower_tells_itself(lw, o, VG_FETCH, 4);
}
