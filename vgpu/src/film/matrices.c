/*
 * matrices.c: matrix instructions in a film: which element of A, B, C and D each register of each
 * lane holds, and its value.
 *
 * Of a step that carries out several, the first is kept; beyond MOST of them none.
 */
#include "vgpu/src/count/json_out.h"
#include "vgpu/src/film/film_parts.h"

#include <string.h>

enum { MOST = 400 };

static bool is_same_shape(const tensor_call *a, const tensor_call *b) {
    return a->m == b->m && a->n == b->n && a->k == b->k && a->is_wmma == b->is_wmma &&
           memcmp(a->type, b->type, sizeof a->type) == 0 &&
           memcmp(a->filled, b->filled, sizeof a->filled) == 0;
}

static int shape_of(vg_film *f, const tensor_call *c) {
    for (int i = 0; i < f->shapes.count; i++)
        if (is_same_shape(*FILM_AT(f->shapes, const tensor_call *, i), c))
            return i;
    const tensor_call **new = film_add(f, &f->shapes, sizeof *new);
    if (new == NULL)
        return -1;
    *new = c;
    return f->shapes.count - 1;
}

static void take_registers(film_matrices *m, const warp *w, const tensor_call *c, int begin,
                           int end) {
    for (int which = begin; which < end; which++)
        for (int r = 0; r < c->filled[which]; r++)
            memcpy(m->value[which][r], row32(w, c->row[which][r]), sizeof m->value[which][r]);
}

void film_on_matrices(void *self, const warp *w, const tensor_call *c, bool done) {
    vg_film *f = self;
    const int step = f->last_step[w->index], count = f->matrices.count;
    film_matrices *last = count > 0 ? FILM_AT(f->matrices, film_matrices, count - 1) : NULL;
    if (step < 0 || f->left_out > 0 || (f->choice.warp >= 0 && f->choice.warp != (int)w->index))
        return;
    const bool known = last != NULL && last->step == step;
    if (done) {
        if (known && last->times == 1)
            take_registers(last, w, c, TENSOR_D, TENSOR_OPERANDS);
    } else if (known) {
        last->times++;
    } else if (count < MOST) {
        const int shape = shape_of(f, c);
        film_matrices *m = shape >= 0 ? film_add(f, &f->matrices, sizeof *m) : NULL;
        if (m == NULL)
            return;
        *m = (film_matrices){.step = step, .shape = shape, .times = 1};
        take_registers(m, w, c, TENSOR_A, TENSOR_D);
    } else {
        f->more_matrices = true;
    }
}

int film_matrices_shown(const vg_film *f) {
    return f->more_matrices ? f->matrices.count : 0;
}

static const char *type_name(enum ptx_type type) {
    switch (type) {
    case PT_F16: return "half";
    case PT_BF16: return "bfloat16";
    case PT_TF32: return "tf32";
    case PT_F64: return "double";
    case PT_F32: return "float";
    case PT_S32: return "int";
    case PT_S8: return "signed char";
    case PT_U8: return "unsigned char";
    default: return "";
    }
}

static const char *const letters[TENSOR_OPERANDS] = {"a", "b", "c", "d"};

/* [[row, column], ...]: of each register, lane and element in it. */
static void write_places(vg_json *j, const tensor_call *c, enum tensor_operand which) {
    const int p = vg_tensor_packed(c->type[which]), all = c->filled[which] * VG_LANES * p;
    vg_json_raw(j, "places");
    fputc('[', j->to);
    for (int i = 0; i < all; i++)
        fprintf(j->to, "%s[%d,%d]", i == 0 ? "" : ",", c->place[which][i].row,
                c->place[which][i].col);
    fputc(']', j->to);
}

static void write_shape(vg_json *j, const tensor_call *c) {
    vg_json_inline(j);
    vg_json_object(j, NULL);
    vg_json_count(j, "m", (uint64_t)c->m);
    vg_json_count(j, "n", (uint64_t)c->n);
    vg_json_count(j, "k", (uint64_t)c->k);
    for (int which = 0; which < TENSOR_OPERANDS; which++) {
        vg_json_object(j, letters[which]);
        vg_json_text(j, "type", type_name(c->type[which]));
        vg_json_count(j, "registers", (uint64_t)c->filled[which]);
        write_places(j, c, (enum tensor_operand)which);
        vg_json_object_end(j);
    }
    vg_json_object_end(j);
}

void film_write_matrices(vg_json *j, const vg_film *f) {
    vg_json_array(j, "shapes");
    for (int i = 0; i < f->shapes.count; i++)
        write_shape(j, *FILM_AT(f->shapes, const tensor_call *, i));
    vg_json_array_end(j);
    vg_json_raw(j, "matrices");
    fputc('[', j->to);
    for (int i = 0; i < f->matrices.count; i++) {
        const film_matrices *m = FILM_AT(f->matrices, film_matrices, i);
        const tensor_call *c = *FILM_AT(f->shapes, const tensor_call *, m->shape);
        fprintf(j->to, "%s\n[%d,%d,%d", i == 0 ? "" : ",", m->step, m->shape, m->times);
        for (int which = 0; which < TENSOR_OPERANDS; which++) {
            fputs(",[", j->to);
            for (int r = 0; r < c->filled[which]; r++) {
                fputs(r == 0 ? "" : ",", j->to);
                film_write_words(j->to, m->value[which][r], VG_ALL_LANES);
            }
            fputc(']', j->to);
        }
        fputc(']', j->to);
    }
    fputs("\n]", j->to);
}
