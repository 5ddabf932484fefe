/* tensor_place.c: where a warp's lanes keep the elements of matrices; see ops_tensor.h. */
#include "vgpu/src/core/ops_tensor.h"

static tensor_place place(int row, int col) {
    return (tensor_place){(uint8_t)row, (uint8_t)col};
}

int vg_tensor_packed(enum ptx_type type) {
    return type == PT_F64 ? 1 : 4 / (int)ptx_type_size(type);
}

tensor_place vg_mma_place(const tensor_call *c, enum tensor_operand which, int lane, int r, int e) {
    const int g = lane / 4, t = lane % 4, p = vg_tensor_packed(c->type[which]);
    if (which == TENSOR_A) {
        const int half = c->m == 16 ? r & 1 : 0, part = c->m == 16 ? r >> 1 : r;
        return place(g + 8 * half, p * t + e + 4 * p * part);
    }
    if (which == TENSOR_B)
        return place(p * t + e + 4 * p * r, g);
    return p == 2 ? place(g + 8 * r, 2 * t + e) : place(g + 8 * (r >> 1), 2 * t + (r & 1));
}

tensor_place vg_wmma_place(const tensor_call *c, enum tensor_operand which, int lane, int r,
                           int e) {
    const int g = lane / 4, t = lane % 4, p = vg_tensor_packed(c->type[which]);
    const int inner = p * t + e, step = 4 * p; /* along k */
    r %= vg_wmma_regs(c, which);
    if (which == TENSOR_A) {
        if (c->m == 8)
            return place(g, inner + step * (r & 1));
        return place(g + 8 * (r & 1) + 16 * (r >> 2), inner + step * (r >> 1 & 1));
    }
    if (which == TENSOR_B) {
        if (c->n == 32)
            return place(inner + step * (r >> 1 & 1), g + 8 * (r & 1) + 16 * (r >> 2));
        return place(inner + step * (r & 1), g + 8 * (r >> 1));
    }
    const int i = r * p + e, pair = i >> 1; /* element of the fragment */
    if (c->n == 32)
        return place(2 * t + (i & 1), g + 8 * pair);
    return c->m == 32 ? place(g + 8 * pair, 2 * t + (i & 1))
                      : place(g + 8 * (pair & 1), 2 * t + (i & 1) + 8 * (pair >> 1));
}

int vg_wmma_regs(const tensor_call *c, enum tensor_operand which) {
    const int rows = which == TENSOR_B ? c->k : c->m, cols = which == TENSOR_A ? c->k : c->n;
    return rows * cols / VG_LANES / vg_tensor_packed(c->type[which]);
}
