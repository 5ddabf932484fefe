/*
 * breaks.c: where breakpoints and watched places are, and when they are hit. A breakpoint is kept
 * as the person said it (breaks_typed.c); where it is in a kernel's code is found at each launch,
 * since only then there is code.
 */
#include "vgpu/src/debug/parts.h"

#include <string.h>

/* ---- places in the code ---- */

static const op *end_of(const program *p, int func) {
    return p->ops + (func + 1 < p->num_funcs ? p->funcs[func + 1].first_op : p->num_ops);
}

static bool add_spot(dbg_break *b, const program_func *f, const op *o) {
    if (b->num_spots == DBG_SPOTS)
        return false;
    b->spot[b->num_spots++] = (dbg_spot){o->file, o->line, f};
    return true;
}

/* A line: of each function that has one from there on, and that begins before it, the next. */
static const op *spot_of_line(const vg_debug *d, const launch *l, int func, const dbg_break *b) {
    const op *best = NULL;
    const op *end = end_of(l->program, func);
    int first = 0;
    for (const op *o = l->program->ops + l->program->funcs[func].first_op; o < end; o++) {
        if (!vg_inspect_is_line(d->in, l, o))
            continue;
        const vg_source *s = dbg_source(d, o->file);
        if (s == NULL || strcmp(s->path, b->path) != 0)
            continue;
        first = first == 0 || o->line < first ? o->line : first;
        if (o->line >= b->line && (best == NULL || o->line < best->line))
            best = o;
    }
    const vg_named_func *named = vg_names_func(d->names, l->program->funcs[func].func->name);
    if (named != NULL && named->line < first)
        first = named->line;
    return best != NULL && first <= b->line ? best : NULL;
}

static const op *spot_of_function(const vg_debug *d, const launch *l, int func,
                                  const dbg_break *b) {
    const vg_named_func *named = vg_names_func(d->names, l->program->funcs[func].func->name);
    if (named == NULL || vg_name_fits(named->name, b->where, "") == 0)
        return NULL;
    for (const op *o = l->program->ops + l->program->funcs[func].first_op;
         o < end_of(l->program, func); o++)
        if (vg_inspect_is_line(d->in, l, o))
            return o;
    return NULL;
}

/* ---- what conditions are about ---- */

/* What built-in names mean to a thread of a block. */
typedef struct bystander {
    const vg_names *names;
    const launch *launch;
    vg_dim3 block, thread;
    bool of_block, of_thread, of_memory; /* names that were asked for */
} bystander;

/* A variable may have the name of a built-in one. */
static bool is_variable(const vg_names *names, const char *name) {
    for (int f = 0; f < names->num_funcs; f++)
        for (int v = 0; v < names->funcs[f].num_vars; v++)
            if (vg_name_fits(names->funcs[f].vars[v].name, name, "") != 0)
                return true;
    return false;
}

static bool find_builtin(void *self, const char *name, dbg_symbol *to) {
    bystander *b = self;
    const struct {
        const char *name;
        const vg_dim3 *value;
        bool *asked;
    } all[] = {{"blockIdx", &b->block, &b->of_block},
               {"threadIdx", &b->thread, &b->of_thread},
               {"blockDim", &b->launch->block, NULL},
               {"gridDim", &b->launch->grid, NULL}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const vg_dim3 *v = all[i].value;
        if (strcmp(all[i].name, name) != 0 || is_variable(b->names, name))
            continue;
        if (all[i].asked != NULL)
            *all[i].asked = true;
        *to = (dbg_symbol){.xyz = {v->x, v->y, v->z}};
        return true;
    }
    b->of_memory = true;
    return false;
}

static bool reads_nothing(void *self, uint64_t at, void *to, size_t size) {
    (void)at, (void)to, (void)size;
    ((bystander *)self)->of_memory = true;
    return false;
}

/* Does the part hold, as far as the bystander knows? */
static bool may_hold(bystander *who, const char *part) {
    const dbg_env env = {
        .memory = {.self = who, .read = reads_nothing}, .self = who, .find = find_builtin};
    char why[DBG_ERROR];
    dbg_value v;
    return !dbg_eval(&env, part, &v, why) || v.var != NULL || dbg_is_true(&v);
}

static vg_dim3 nth_thread(vg_dim3 side, uint32_t n) {
    return (vg_dim3){n % side.x, n / side.x % side.y, n / side.x / side.y};
}

static void find_lanes(const vg_debug *d, const launch *l, dbg_break *b) {
    bystander who = {.names = d->names, .launch = l};
    const uint32_t threads = l->block.x * l->block.y * l->block.z;
    const char *part = b->part;
    bool of_thread = false;
    memset(b->lanes, -1, sizeof b->lanes);
    for (int i = 0; i < b->num_parts; i++, part += strlen(part) + 1) {
        who.of_block = who.of_thread = who.of_memory = false;
        (void)may_hold(&who, part);
        b->about[i] = who.of_memory    ? DBG_OF_MEMORY
                      : !who.of_thread ? DBG_OF_BLOCK
                      : who.of_block   ? DBG_OF_BOTH
                                       : DBG_OF_THREAD;
        of_thread = of_thread || b->about[i] == DBG_OF_THREAD;
    }
    for (uint32_t n = 0; of_thread && n < threads; n++) {
        who.thread = nth_thread(l->block, n);
        part = b->part;
        for (int i = 0; i < b->num_parts; i++, part += strlen(part) + 1)
            if (b->about[i] == DBG_OF_THREAD && !may_hold(&who, part))
                b->lanes[n / VG_LANES] &= ~(1u << n % VG_LANES);
    }
}

/* False: the condition holds for no thread of the block. */
static bool may_hold_in(const vg_debug *d, const dbg_break *b, const block *in) {
    bystander who = {.names = d->names, .launch = d->launch, .block = in->index};
    const char *part = b->part;
    for (int i = 0; i < b->num_parts; i++, part += strlen(part) + 1)
        if (b->about[i] == DBG_OF_BLOCK && !may_hold(&who, part))
            return false;
    return true;
}

uint32_t dbg_breaks_in(const vg_debug *d, const block *b) {
    uint32_t warps = 0;
    for (int i = 0; i < DBG_BREAKS; i++) {
        const dbg_break *k = &d->list[i];
        if (k->number == 0 || k->watches || !k->enabled || k->num_spots == 0 ||
            !may_hold_in(d, k, b))
            continue;
        for (int w = 0; w < b->num_warps; w++)
            warps |= k->lanes[w] != 0 ? 1u << w : 0;
    }
    return warps;
}

void dbg_find_spots_of(vg_debug *d, const launch *l, dbg_break *b) {
    bool all = true;
    b->num_spots = 0;
    if (b->number == 0 || b->watches || d->names == NULL)
        return;
    for (int f = 0; f < l->program->num_funcs; f++) {
        const op *o = b->path != NULL ? spot_of_line(d, l, f, b) : spot_of_function(d, l, f, b);
        if (o != NULL)
            all = add_spot(b, &l->program->funcs[f], o) && all;
    }
    if (b->num_spots > 0)
        find_lanes(d, l, b);
    if (!all)
        fprintf(d->out, "Breakpoint %d is in more than %d functions, and holds in that many.\n",
                b->number, DBG_SPOTS);
}

void dbg_find_spots(vg_debug *d, const launch *l) {
    d->kept.op = NULL; /* another launch's variables lie elsewhere */
    for (int i = 0; i < DBG_BREAKS; i++) {
        dbg_find_spots_of(d, l, &d->list[i]);
        dbg_tell_placed(d, &d->list[i]);
    }
}

/* ---- hits ---- */

static bool is_at_spot(const launch *l, const dbg_break *b, const vg_stop_at *at) {
    const int index = (int)(at->op - l->program->ops);
    for (int i = 0; i < b->num_spots; i++) {
        const dbg_spot *s = &b->spot[i];
        const int next = (int)(s->func - l->program->funcs) + 1;
        if (s->file == at->file && s->line == at->line && index >= s->func->first_op &&
            (next == l->program->num_funcs || index < l->program->funcs[next].first_op))
            return true;
    }
    return false;
}

/* Cuts a condition at its outermost &&, so that what is the same for a whole block is asked once.
 * Not where || or ?: stand outside of parentheses: there && is not the last to be done. */
void dbg_set_condition(dbg_break *b, const char *text) {
    int depth = 0;
    bool whole = false;
    snprintf(b->condition, sizeof b->condition, "%s", text);
    snprintf(b->part, sizeof b->part, "%s", text);
    b->num_parts = text[0] != '\0';
    for (const char *at = text; *at != '\0'; at++) {
        depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        whole = whole || *at == '\'' || (depth == 0 && (*at == '?' || strncmp(at, "||", 2) == 0));
    }
    for (char *at = b->part; !whole && *at != '\0'; at++) {
        depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        if (depth == 0 && strncmp(at, "&&", 2) == 0 && b->num_parts < DBG_PARTS) {
            at[0] = '\0';
            at[1] = ' ';
            b->num_parts++;
        }
    }
}

/* Do the condition's parts hold for the lane in focus that are about memory, or those that are not?
 * Which threads those hold for that are about the thread alone is known. *varies: another lane's
 * answer may differ. */
static bool parts_hold(vg_debug *d, const dbg_break *b, bool of_memory, bool *varies) {
    const dbg_env env = dbg_here(d);
    const char *part = b->part;
    for (int i = 0; i < b->num_parts; i++, part += strlen(part) + 1) {
        if (b->about[i] == DBG_OF_THREAD || (b->about[i] == DBG_OF_MEMORY) != of_memory)
            continue;
        char why[DBG_ERROR];
        dbg_value v;
        d->varies = false;
        if (!dbg_eval(&env, part, &v, why)) {
            fprintf(d->out, "Breakpoint %d stops at each thread: \"%s\" cannot be told: %s.\n",
                    b->number, b->condition, why);
            return true;
        }
        *varies = *varies || d->varies;
        if (v.var == NULL && !dbg_is_true(&v)) {
            *varies = d->varies; /* false for all, if this part is */
            return false;
        }
    }
    return true;
}

static bool holds(vg_debug *d, const dbg_break *b, bool *varies) {
    *varies = false;
    return parts_hold(d, b, false, varies) && parts_hold(d, b, true, varies);
}

/* For which of the lanes does the condition hold first? -1: for none. Who is in focus stays. */
static int lane_of_condition(vg_debug *d, dbg_break *b, const vg_stop_at *at) {
    warp *const was_warp = d->warp;
    const int was_lane = d->lane, was_frames = d->num_frames, was_selected = d->selected;
    const vg_frame was = d->frame[0];
    const uint32_t lanes = at->mask & b->lanes[at->warp->index];
    int found = -1;
    bool varies = true;
    if (lanes == 0)
        return -1;
    if (b->num_parts == 0)
        return __builtin_ctz(at->mask);
    if (d->kept.op != at->op || d->kept_of != b->number) {
        d->kept = (dbg_known){.op = at->op};
        d->kept_of = b->number;
    }
    d->warp = at->warp;
    d->frame[0] = vg_inspect_frame(d->in, at);
    d->num_frames = 1;
    d->selected = 0;
    const bool apart = d->frame[0].code->frame != NULL; /* each lane's variables have their place */
    d->known = apart ? NULL : &d->kept;
    for (uint32_t m = lanes; m != 0 && found < 0 && varies; m &= m - 1) {
        vg_stop_at own = *at;
        own.mask &= m;
        if (apart)
            d->frame[0] = vg_inspect_frame(d->in, &own);
        d->lane = __builtin_ctz(m);
        if (holds(d, b, &varies))
            found = d->lane;
    }
    d->known = NULL;
    d->warp = was_warp;
    d->lane = was_lane;
    d->frame[0] = was;
    d->num_frames = was_frames;
    d->selected = was_selected;
    return found;
}

dbg_break *dbg_break_at(vg_debug *d, const vg_stop_at *at, int *lane) {
    for (int i = 0; i < DBG_BREAKS && !at->goes_on; i++) {
        dbg_break *b = &d->list[i];
        if (b->number == 0 || !b->enabled || b->num_spots == 0 || !is_at_spot(d->launch, b, at))
            continue;
        *lane = lane_of_condition(d, b, at);
        if (*lane >= 0)
            return b;
    }
    return NULL;
}

bool dbg_watches(const vg_debug *d) {
    for (int i = 0; i < DBG_BREAKS; i++)
        if (d->list[i].number != 0 && d->list[i].watches && d->list[i].enabled)
            return true;
    return false;
}

dbg_break *dbg_watch_hit(vg_debug *d, const vg_access *a, int *lane) {
    const bool shared = a->space == PS_SHARED;
    if (a->kind == VG_READ || a->kind == VG_ASYNC_BEGIN)
        return NULL;
    for (int i = 0; i < DBG_BREAKS; i++) {
        dbg_break *b = &d->list[i];
        const uint64_t window = b->at & VG_WINDOW_MASK, size = dbg_size_of(&b->type);
        if (b->number == 0 || !b->watches || !b->enabled || window == VG_LOCAL_WINDOW ||
            (window == VG_SHARED_WINDOW) != shared ||
            (shared && b->block != a->warp->block->linear))
            continue;
        const uint64_t at = shared ? b->at & ~VG_WINDOW_MASK : b->at;
        for (uint32_t m = a->mask; m != 0; m &= m - 1) {
            *lane = __builtin_ctz(m);
            if (a->at[*lane] < at + size && at < a->at[*lane] + a->size) {
                /* Who wrote what was there before has changed nothing. */
                const uint8_t *now = vg_generic_at(a->warp, *lane, b->at, size);
                if (now != NULL && memcmp(now, b->old, size) != 0)
                    return b;
            }
        }
    }
    return NULL;
}

dbg_break *dbg_watch_changed(vg_debug *d, const vg_stop_at *at) {
    for (int i = 0; i < DBG_BREAKS; i++) {
        dbg_break *b = &d->list[i];
        if (b->number == 0 || !b->watches || !b->enabled ||
            (b->at & VG_WINDOW_MASK) != VG_LOCAL_WINDOW || b->block != at->warp->block->linear ||
            b->warp != at->warp->index || (at->mask >> b->lane & 1) == 0)
            continue;
        const uint32_t size = dbg_size_of(&b->type);
        const uint8_t *now = vg_generic_at(at->warp, b->lane, b->at, size);
        if (now != NULL && memcmp(now, b->old, size) != 0)
            return b;
    }
    return NULL;
}

void dbg_renew_watches(vg_debug *d, warp *w, bool all) {
    for (int i = 0; i < DBG_BREAKS; i++) {
        dbg_break *b = &d->list[i];
        const bool global = (b->at & VG_WINDOW_MASK) == 0;
        if (b->number == 0 || !b->watches || (global ? !all : b->block != w->block->linear))
            continue;
        const uint32_t size = dbg_size_of(&b->type);
        const uint8_t *now =
            vg_generic_at(global ? w : &w->block->warps[b->warp], b->lane, b->at, size);
        if (now != NULL)
            memcpy(b->old, now, size);
    }
}

void dbg_end_watches(vg_debug *d, bool of_launch, uint64_t block) {
    for (int i = 0; i < DBG_BREAKS; i++) {
        dbg_break *b = &d->list[i];
        const bool blocks = (b->at & VG_WINDOW_MASK) != 0;
        if (b->number == 0 || !b->watches || !blocks || (!of_launch && b->block != block))
            continue;
        fprintf(d->out, "Watchpoint %d is gone: %s was its block's, which has ended.\n", b->number,
                b->where);
        dbg_tell_gone(d, b);
        *b = (dbg_break){0};
        dbg_flush(d);
    }
}
