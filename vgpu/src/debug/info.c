/* info.c: what runs: kernels, blocks, warps, lanes, threads; and turning to another of them. */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/parts.h"

#include <inttypes.h>
#include <string.h>

/* ---- where lanes are ---- */

const char *dbg_what_it_does(const warp *w, int lane) {
    if ((w->alive >> lane & 1) == 0)
        return "has ended";
    switch (vg_inspect_state(w, lane)) {
    case SPLIT_BARRIER: return "waits at a barrier";
    case SPLIT_MEET: return "waits for its warp";
    case SPLIT_PARENT: return "waits for the other side of a branch";
    default: return "runs";
    }
}

/* Lanes of a warp that are at one place, and do the same. */
static uint32_t together(const vg_debug *d, warp *w, int lane, uint32_t of, vg_stop_at *at) {
    uint32_t mask = 0;
    const bool lives = vg_inspect_where(d->in, w, lane, at);
    for (uint32_t m = of; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        vg_stop_at other;
        const bool here = vg_inspect_where(d->in, w, i, &other);
        if (here == lives && (!lives || (other.line == at->line && other.file == at->file)) &&
            strcmp(dbg_what_it_does(w, i), dbg_what_it_does(w, lane)) == 0)
            mask |= 1u << i;
    }
    return mask;
}

static uint32_t lanes_of(const warp *w) {
    const uint32_t left = w->block->num_threads - w->index * VG_LANES;
    return left >= VG_LANES ? VG_ALL_LANES : (1u << left) - 1;
}

static void write_lanes(uint32_t mask, FILE *to) {
    const char *parting = "";
    for (int i = 0; i < VG_LANES; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        int end = i;
        while (end < VG_LANES - 1 && (mask >> (end + 1) & 1) != 0)
            end++;
        fprintf(to, end > i ? "%s%d-%d" : "%s%d", parting, i, end);
        parting = ",";
        i = end;
    }
}

static void write_warp(vg_debug *d, warp *w) {
    for (uint32_t left = lanes_of(w); left != 0;) {
        vg_stop_at at;
        const int lane = __builtin_ctz(left);
        const uint32_t mask = together(d, w, lane, left, &at);
        const bool mine = w == d->warp && (mask >> d->lane & 1) != 0;
        fprintf(d->out, "%c warp %u, lane%s ", mine ? '*' : ' ', w->index,
                (mask & (mask - 1)) != 0 ? "s" : "");
        write_lanes(mask, d->out);
        const vg_source *s = at.line != 0 ? dbg_source(d, at.file) : NULL;
        if ((w->alive >> lane & 1) != 0 && s != NULL)
            fprintf(d->out, ": %s:%d, %s\n", dbg_base(s->path), at.line, dbg_what_it_does(w, lane));
        else
            fprintf(d->out, ": %s\n",
                    (w->alive >> lane & 1) != 0 ? "has not begun" : dbg_what_it_does(w, lane));
        left &= ~mask;
    }
}

void dbg_say_waiting(vg_debug *d) {
    block *b = d->warp->block;
    for (int i = 0; i < b->num_warps; i++)
        write_warp(d, &b->warps[i]);
}

/* ---- info ---- */

static void info_kernels(vg_debug *d) {
    const launch *l = d->launch;
    fprintf(d->out, "* launch %" PRIu64 ": %s, grid (%u,%u,%u), blocks of (%u,%u,%u)\n",
            d->launches, l->kernel->info.pretty, l->grid.x, l->grid.y, l->grid.z, l->block.x,
            l->block.y, l->block.z);
    dbg_back_tell(d);
}

static void info_blocks(vg_debug *d) {
    const vg_dim3 i = d->warp->block->index;
    fprintf(d->out, "* block (%u,%u,%u) runs; %" PRIu64 " of %" PRIu64 " have ended\n", i.x, i.y,
            i.z, d->blocks_done, d->launch->num_blocks);
}

static void info_warps(vg_debug *d) {
    dbg_say_waiting(d);
}

static void info_lanes(vg_debug *d) {
    write_warp(d, d->warp);
}

/* Every thread of the warp in focus. */
static void info_threads(vg_debug *d) {
    warp *w = d->warp;
    for (uint32_t m = lanes_of(w); m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const vg_dim3 t = vg_thread_of(w, lane);
        vg_stop_at at;
        fprintf(d->out, "%c thread (%u,%u,%u), lane %d", lane == d->lane ? '*' : ' ', t.x, t.y, t.z,
                lane);
        if (vg_inspect_where(d->in, w, lane, &at) && at.line != 0)
            fprintf(d->out, ": line %d", at.line);
        fprintf(d->out, ", %s\n", dbg_what_it_does(w, lane));
    }
}

static void write_var(vg_debug *d, const vg_named_var *v) {
    const dbg_env env = dbg_here(d);
    dbg_value value;
    char why[DBG_ERROR];
    uint64_t at = 0;
    fprintf(d->out, "%s = ", v->name);
    if (dbg_place_of(d, v, &at) && dbg_of_var(&env.memory, v, at, &value, why))
        dbg_write(&env.memory, &value, 0, d->out);
    else
        fputs("?", d->out);
    fputc('\n', d->out);
}

bool dbg_is_shared(const vg_debug *d, const vg_named_var *v) {
    uint64_t at = 0;
    return dbg_place_of(d, v, &at) && (at & VG_WINDOW_MASK) == VG_SHARED_WINDOW;
}

static int write_vars(vg_debug *d, const vg_named_func *f, bool shared) {
    int count = 0;
    for (int i = 0; f != NULL && i < f->num_vars; i++) {
        const vg_named_var *v = &f->vars[i];
        if (dbg_is_shared(d, v) == shared && (f->symbol == NULL || shared || dbg_is_alive(d, v))) {
            write_var(d, v);
            count++;
        }
    }
    return count;
}

static void info_locals(vg_debug *d) {
    const vg_frame *f = d->num_frames > 0 ? &d->frame[d->selected] : NULL;
    if (f == NULL || write_vars(d, f->func, false) == 0)
        fputs("There are none here.\n", d->out);
}

static void info_shared(vg_debug *d) {
    int count = d->num_frames > 0 ? write_vars(d, d->frame[d->selected].func, true) : 0;
    count += write_vars(d, &d->names->funcs[0], true);
    if (count == 0)
        fputs("There are no shared arrays here.\n", d->out);
}

static const struct {
    const char *name;
    void (*tell)(vg_debug *d);
    bool any_time;
} subjects[] = {{"breakpoints", dbg_info_breaks, true}, {"kernels", info_kernels, false},
                {"blocks", info_blocks, false},         {"warps", info_warps, false},
                {"lanes", info_lanes, false},           {"threads", info_threads, false},
                {"locals", info_locals, false},         {"shared", info_shared, false}};

const char *dbg_info_name(size_t number) {
    return number < sizeof subjects / sizeof *subjects ? subjects[number].name : NULL;
}

void dbg_do_info(vg_debug *d, const char *args) {
    const size_t n = strlen(args);
    for (size_t i = 0; n > 0 && i < sizeof subjects / sizeof *subjects; i++) {
        if (strncmp(subjects[i].name, args, n) != 0)
            continue;
        if (subjects[i].any_time || dbg_is_held(d))
            subjects[i].tell(d);
        return;
    }
    dbg_wrong(d, "expected info and one of breakpoints, kernels, blocks, warps, lanes, threads, "
                 "locals, shared");
}

/* ---- another thread ---- */

/* "(5,3)", "5,3" or "5 3": what is left out is 0. */
static bool read_dim(const char *text, vg_dim3 *to) {
    uint32_t *side[3] = {&to->x, &to->y, &to->z};
    *to = (vg_dim3){0, 0, 0};
    const char *at = text + strspn(text, "( ");
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        const unsigned long v = strtoul(at, &end, 10);
        if (end == at)
            return i > 0 && at[strspn(at, ") ")] == '\0';
        *side[i] = v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
        at = end + strspn(end, ", ");
    }
    return at[strspn(at, ") ")] == '\0';
}

static void turn_to(vg_debug *d, warp *w, int lane) {
    vg_stop_at at;
    if (!vg_inspect_where(d->in, w, lane, &at)) {
        const vg_dim3 t = vg_thread_of(w, lane);
        dbg_wrong(d, "thread (%u,%u,%u) has ended", t.x, t.y, t.z);
        return;
    }
    if (dbg_focus(d, w, lane))
        dbg_say_place(d, "");
}

void dbg_do_thread(vg_debug *d, const char *args) {
    vg_dim3 t;
    if (!dbg_is_held(d))
        return;
    if (args[0] == '\0') {
        dbg_say_place(d, "");
        return;
    }
    const vg_dim3 side = d->launch->block;
    if (!read_dim(args, &t)) {
        dbg_wrong(d, "expected thread (X,Y,Z), as in thread (5,3)");
    } else if (t.x >= side.x || t.y >= side.y || t.z >= side.z) {
        dbg_wrong(d, "the block has %u x %u x %u threads, counted from 0", side.x, side.y, side.z);
    } else {
        const uint32_t n = (t.z * side.y + t.y) * side.x + t.x;
        turn_to(d, &d->warp->block->warps[n / VG_LANES], (int)(n % VG_LANES));
    }
}

void dbg_do_block(vg_debug *d, const char *args) {
    vg_dim3 b;
    if (!dbg_is_held(d))
        return;
    const vg_dim3 now = d->warp->block->index, side = d->launch->grid;
    if (args[0] == '\0' || (read_dim(args, &b) && b.x == now.x && b.y == now.y && b.z == now.z)) {
        dbg_say_place(d, "");
    } else if (!read_dim(args, &b) || b.x >= side.x || b.y >= side.y || b.z >= side.z) {
        dbg_wrong(d, "expected block (X,Y,Z) of a grid of %u x %u x %u", side.x, side.y, side.z);
    } else {
        const uint64_t n = ((uint64_t)b.z * side.y + b.y) * side.x + b.x;
        dbg_wrong(d, "blocks run one after another here, now (%u,%u,%u); block (%u,%u,%u) has %s%s",
                  now.x, now.y, now.z, b.x, b.y, b.z, n < d->block ? "ended" : "not begun",
                  n < d->block ? "" : ": a breakpoint with a condition on blockIdx leads there");
    }
}

void dbg_do_warp(vg_debug *d, const char *args) {
    if (!dbg_is_held(d))
        return;
    const block *b = d->warp->block;
    const int n = dbg_number(args);
    if (args[0] == '\0')
        dbg_say_place(d, "");
    else if (n < 0 || n >= b->num_warps)
        dbg_wrong(d, "the block has the warps 0 to %d", b->num_warps - 1);
    else
        turn_to(d, &b->warps[n], b->warps[n].alive != 0 ? __builtin_ctz(b->warps[n].alive) : 0);
}

void dbg_do_lane(vg_debug *d, const char *args) {
    if (!dbg_is_held(d))
        return;
    const int lanes = 32 - __builtin_clz(lanes_of(d->warp)), n = dbg_number(args);
    if (args[0] == '\0')
        dbg_say_place(d, "");
    else if (n < 0 || n >= lanes)
        dbg_wrong(d, "the warp has the lanes 0 to %d", lanes - 1);
    else
        turn_to(d, d->warp, n);
}
