/*
 * ops_texture.c: fetches from textures; see texture.h. A fetch is a read of up to 8 elements:
 * observers are told of each as an access of its own.
 */
#include "vgpu/src/core/ops_texture.h"

#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/optable.h"

#include <stdio.h>
#include <string.h>

static void name_call(char *name, size_t size, bool by_number, bool layered, int dims) {
    snprintf(name, size, "tex%dD%s", dims, by_number ? "fetch" : layered ? "Layered" : "");
}

/* The texture that a lane's handle means. NULL: a fault, recorded. */
static const vg_texture *texture_of(warp *w, const op *o, int lane) {
    const texture_call *c = o->extra;
    const uint64_t handle = row64(w, c->handle)[lane];
    const vg_textures *all = w->worker->launch->params->textures;
    const vg_texture *t = all != NULL ? vg_textures_find(all, handle) : NULL;
    char call[32];
    name_call(call, sizeof call, c->by_number, c->layered, c->dims);
    if (t == NULL) {
        vg_stop(w, o, lane, VG_ILLEGAL_ADDRESS,
                VG_NOTE(TEXTURE_NONE, .call = call, .is.address = handle));
        return NULL;
    }
    if (t->by_number == c->by_number && t->dims == c->dims && c->layered == (t->layers > 0))
        return t;
    char right[32];
    name_call(right, sizeof right, t->by_number, t->layers > 0, t->dims);
    vg_stop(w, o, lane, VG_ILLEGAL_ADDRESS,
            VG_NOTE(TEXTURE_SHAPE, .call = call, .name = t->label, .other = right));
    return NULL;
}

static vg_taps taps_of(const warp *w, const texture_call *c, const vg_texture *t, int lane) {
    float x[VG_TEXTURE_DIMS] = {0};
    if (c->by_number)
        return vg_texture_tap_at(t, (int32_t)row32(w, c->x[0])[lane]);
    for (int i = 0; i < c->dims; i++)
        memcpy(&x[i], &row32(w, c->x[i])[lane], sizeof x[i]);
    return vg_texture_taps(t, x, c->layered ? row32(w, c->layer)[lane] : 0);
}

/* The elements that the lanes read, one of each lane at a time; lanes whose textures have elements
 * of other sizes are told apart. */
static void tell_taps(warp *w, const op *o, const vg_texture *const *t, const vg_taps *taps) {
    for (int k = 0; k < VG_TEXTURE_TAPS; k++) {
        for (uint32_t size = 1; size <= 16; size *= 2) {
            uint64_t at[VG_LANES] = {0};
            uint32_t lanes = 0;
            for (uint32_t m = w->mask; m != 0; m &= m - 1) {
                const int i = __builtin_ctz(m);
                if (k >= taps[i].count || taps[i].at[k] == 0 || vg_texel_bytes(t[i]) != size)
                    continue;
                at[i] = taps[i].at[k];
                lanes |= 1u << i;
            }
            vg_tell_lanes(w, o, VG_READ, PS_GLOBAL, lanes, size, at);
        }
    }
}

static const op *fetch_lane(warp *w, const op *o, int lane, const vg_texture *t,
                            const vg_taps *taps, range *r) {
    const texture_call *c = o->extra;
    const uint32_t size = vg_texel_bytes(t);
    const uint8_t *texel[VG_TEXTURE_TAPS] = {NULL};
    for (int k = 0; k < taps->count; k++) {
        const uint64_t at = taps->at[k];
        const bool known = at >= r->begin && at + size <= r->end;
        if (at == 0)
            continue;
        if (!known && (!vg_resolve(w, o, lane, at, r) || at + size > r->end))
            return vg_bad_access(w, o, lane, at, size);
        texel[k] = (const uint8_t *)(uintptr_t)(at + (uint64_t)r->delta);
    }
    uint32_t value[VG_TEXEL_CHANNELS];
    vg_texture_value(t, taps, texel, value);
    for (int i = 0; i < VG_TEXEL_CHANNELS; i++)
        if (c->d[i] != 0)
            row32(w, c->d[i])[lane] = value[i];
    return o;
}

static const op *fetch(warp *w, const op *o) {
    const vg_texture *t[VG_LANES];
    vg_taps taps[VG_LANES];
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        t[i] = texture_of(w, o, i);
        if (t[i] == NULL)
            return NULL;
        taps[i] = taps_of(w, o->extra, t[i], i);
    }
    if (o->plain != NULL)
        tell_taps(w, o, t, taps);
    if (w->worker->faulted)
        return NULL;
    range r = {.end = 0};
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        if (fetch_lane(w, o, i, t[i], &taps[i], &r) == NULL)
            return NULL;
    }
    return o + 1;
}

const op_entry vg_ops_texture[] = {
    {"tex", fetch, NULL},
    {NULL, NULL, NULL},
};
