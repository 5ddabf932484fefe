/* focus.c: the thread that the person looks at: its place, its frames, its names, its memory. */
#include "vgpu/src/debug/parts.h"

#include <string.h>

bool dbg_focus(vg_debug *d, warp *w, int lane) {
    vg_stop_at at;
    if (!vg_inspect_where(d->in, w, lane, &at))
        return false;
    d->warp = w;
    d->lane = lane;
    d->block = w->block->linear;
    d->warp_index = w->index;
    d->at = at;
    /* The frames are this lane's: others of its split may have been called from elsewhere. */
    vg_stop_at own = at;
    own.mask = 1u << lane;
    d->depth = d->names != NULL ? vg_inspect_frames(d->in, &own, d->frame, VG_MAX_FRAMES) : 0;
    d->num_frames = d->depth < VG_MAX_FRAMES ? d->depth : VG_MAX_FRAMES;
    d->selected = 0;
    d->list_line = 0;
    return true;
}

void dbg_no_focus(vg_debug *d) {
    d->warp = NULL;
    d->num_frames = d->depth = 0;
    d->list_line = 0;
}

vg_dim3 dbg_thread(const vg_debug *d) {
    return vg_thread_of(d->warp, d->lane);
}

void dbg_who(const vg_debug *d, char *buf, size_t len) {
    const vg_dim3 b = d->warp->block->index, t = dbg_thread(d);
    snprintf(buf, len, "block (%u,%u,%u), thread (%u,%u,%u), warp %u, lane %d", b.x, b.y, b.z, t.x,
             t.y, t.z, d->warp->index, d->lane);
}

bool dbg_is_alive(const vg_debug *d, const vg_named_var *var) {
    return vg_inspect_is_alive(d->in, &d->frame[d->selected], var);
}

bool dbg_place_of(const vg_debug *d, const vg_named_var *var, uint64_t *at) {
    if (d->launch == NULL)
        return false;
    const vg_frame *frame = d->num_frames > 0 ? &d->frame[d->selected] : NULL;
    const vg_place p = vg_inspect_place(d->launch, frame, var);
    *at = p.space == PS_LOCAL    ? VG_LOCAL_WINDOW | p.at
          : p.space == PS_SHARED ? VG_SHARED_WINDOW | p.at
                                 : p.at;
    return p.space != PS_GENERIC;
}

/* One of the module's. */
static const vg_named_var *find_global(const vg_debug *d, const char *name) {
    const vg_named_func *all = &d->names->funcs[0], *f = d->frame[d->selected].func;
    const vg_named_var *best = NULL;
    int how_well = 0;
    for (int i = 0; i < all->num_vars; i++) {
        const int fits = vg_name_fits(all->vars[i].name, name, f != NULL ? f->name : "");
        if (fits > how_well) {
            how_well = fits;
            best = &all->vars[i];
        }
    }
    return best;
}

/* Of variables of one name that are alive the innermost counts. */
static const vg_named_var *find_var(const vg_debug *d, const vg_named_func *f, const char *name) {
    const vg_named_var *found = NULL;
    for (int i = 0; i < f->num_vars; i++) {
        const vg_named_var *v = &f->vars[i];
        if (strcmp(v->name, name) == 0 && dbg_is_alive(d, v) &&
            (found == NULL || v->scope >= found->scope))
            found = v;
    }
    return found;
}

static bool find_builtin(const vg_debug *d, const char *name, dbg_symbol *to) {
    const vg_dim3 t = dbg_thread(d), b = d->warp->block->index;
    const struct {
        const char *name;
        vg_dim3 value;
        bool scalar;
    } all[] = {{"threadIdx", t, false},
               {"blockIdx", b, false},
               {"blockDim", d->launch->block, false},
               {"gridDim", d->launch->grid, false},
               {"warpSize", {VG_LANES, 0, 0}, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) == 0) {
            *to = (dbg_symbol){.xyz = {all[i].value.x, all[i].value.y, all[i].value.z},
                               .scalar = all[i].scalar};
            return true;
        }
    }
    return false;
}

static bool find_known(const dbg_known *k, const char *name, dbg_symbol *to) {
    for (int i = 0; i < k->count; i++) {
        if (strcmp(k->name[i], name) == 0) {
            *to = k->symbol[i];
            return true;
        }
    }
    return false;
}

static void keep_known(dbg_known *k, const char *name, const dbg_symbol *symbol) {
    if (k->count < DBG_KNOWN && strlen(name) < sizeof k->name[0]) {
        memcpy(k->name[k->count], name, strlen(name) + 1);
        k->symbol[k->count++] = *symbol;
    }
}

static bool find(void *self, const char *name, dbg_symbol *to) {
    vg_debug *d = self;
    if (d->warp == NULL || d->num_frames == 0)
        return false;
    if (d->known != NULL && find_known(d->known, name, to)) {
        d->varies = true;
        return true;
    }
    const vg_named_func *f = d->frame[d->selected].func;
    to->var = f != NULL ? find_var(d, f, name) : NULL;
    if (to->var == NULL)
        to->var = find_global(d, name);
    if (to->var == NULL) {
        d->varies = d->varies || strcmp(name, "threadIdx") == 0;
        return find_builtin(d, name, to);
    }
    d->varies = true;
    if (!dbg_place_of(d, to->var, &to->at))
        return false;
    if (d->known != NULL)
        keep_known(d->known, name, to);
    return true;
}

static bool read_memory(void *self, uint64_t at, void *to, size_t size) {
    const vg_debug *d = self;
    const void *from = d->warp != NULL ? vg_generic_at(d->warp, d->lane, at, size) : NULL;
    if (from != NULL)
        memcpy(to, from, size);
    return from != NULL;
}

static bool write_memory(void *self, uint64_t at, const void *from, size_t size) {
    const vg_debug *d = self;
    void *to = d->warp != NULL ? vg_generic_at(d->warp, d->lane, at, size) : NULL;
    if (to != NULL)
        memcpy(to, from, size);
    return to != NULL;
}

dbg_env dbg_here(vg_debug *d) {
    const vg_named_func *f = d->num_frames > 0 ? d->frame[d->selected].func : NULL;
    return (dbg_env){
        .memory = {d, read_memory, write_memory, d->names, f}, .self = d, .find = find};
}
