/*
 * ops_warp.c: what lanes do together: shuffles, votes, matches, warp barriers. Atomics, which lanes
 * do one after the other, are ops_atom.c's.
 */
#include "vgpu/src/core/ops_warp.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

#include <string.h>

/*
 * The member masks of a .sync operation (row `row`): true if all lanes they name are here. If not,
 * the split waits for them (vg_warp_meet), and the handler returns NULL. One instruction may serve
 * several groups of lanes, each with a mask of its own (tiles of a warp).
 */
static bool together(warp *w, const op *o, uint32_t row, const op **next) {
    const uint32_t *masks = row32(w, row);
    uint32_t members = 0, named = 0;
    for (int i = 0; i < VG_LANES; i++) {
        members |= masks[i] & (uint32_t)w->lanes[i];
        named |= masks[i] & 1u << i;
    }
    if ((w->mask & ~named) != 0)
        vg_tell_odd_lanes(w, o, w->mask & ~named, VGPU_LANE_UNNAMED);
    members &= w->alive;
    if ((members & ~w->mask) == 0)
        return true;
    w->split[w->current].want = members;
    *next = vg_wait(w, o, SPLIT_MEET, o);
    return false;
}

/* Takes the first group out of *left: lanes with one and the same member mask. */
static uint32_t next_group(const uint32_t *masks, uint32_t *left) {
    const uint32_t mask = masks[__builtin_ctz(*left)];
    uint32_t group = 0;
    for (uint32_t m = *left; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        group |= masks[i] == mask ? 1u << i : 0;
    }
    *left &= ~group;
    return group;
}

/* a: member mask; aux is VG_MEET_ANYWHERE: see vg_warp_meet */
static const op *warp_sync(warp *w, const op *o) {
    const op *next = o + 1;
    if (!together(w, o, o->a, &next))
        return next;
    vg_tell_warp_sync(w, w->mask);
    return o + 1;
}

/* shfl: a value, b lane or offset, c clamp and segment mask, extra row in slot: member mask;
 * e: predicate */
static const op *shfl(warp *w, const op *o) {
    const op *next = o + 1;
    if (!together(w, o, o->slot, &next))
        return next;
    const uint32_t *a = row32(w, o->a), *b = row32(w, o->b), *c = row32(w, o->c);
    const uint32_t *masks = row32(w, o->slot);
    uint32_t result[VG_LANES], in_range = 0, gone = 0, beside = 0;
    for (int i = 0; i < VG_LANES; i++) {
        const uint32_t segment = c[i] >> 8 & 31, clamp = c[i] & 31, n = b[i] & 31;
        const uint32_t lane = (uint32_t)i, top = (lane & segment) | (clamp & ~segment),
                       low = lane & segment;
        uint32_t j;
        bool ok;
        switch (o->aux) {
        case SHFL_UP:
            j = lane - n;
            ok = (int32_t)j >= (int32_t)top;
            break;
        case SHFL_DOWN:
            j = lane + n;
            ok = j <= top;
            break;
        case SHFL_BFLY:
            j = lane ^ n;
            ok = j <= top;
            break;
        default: j = low | (n & ~segment); ok = j <= top;
        }
        j = (ok ? j : lane) & 31;
        result[i] = w->mask >> j & 1 ? a[j] : UINT32_MAX; /* undefined: it takes no part */
        in_range |= ok ? 1u << i : 0;
        gone |= (masks[i] & ~w->alive) >> j & 1 ? 1u << i : 0;
        beside |= ok && o->aux == SHFL_IDX && j != lane && !(masks[i] >> j & 1) ? 1u << i : 0;
    }
    if ((gone & w->mask) != 0)
        vg_tell_odd_lanes(w, o, gone & w->mask, VGPU_LANE_GONE);
    if ((beside & w->mask) != 0)
        vg_tell_odd_lanes(w, o, beside & w->mask, VGPU_LANE_BESIDE);
    uint32_t *d = row32(w, o->d);
    VG_EACH_LANE(w, d, result[i]);
    if (o->e != 0)
        put_predicate(w, o->e, in_range);
    return o + 1;
}

/* vote: a predicate (aux bit 4: negated), slot: member mask row */
static const op *vote(warp *w, const op *o) {
    const op *next = o + 1;
    if (!together(w, o, o->slot, &next))
        return next;
    const uint32_t votes = *pred(w, o->a) ^ ((o->aux & 16) != 0 ? VG_ALL_LANES : 0);
    uint32_t yes = 0, ballot[VG_LANES];
    for (uint32_t left = w->mask; left != 0;) {
        const uint32_t group = next_group(row32(w, o->slot), &left), p = votes & group;
        const bool all = p == group, any = p != 0;
        const uint32_t how = o->aux & 15;
        yes |= (how == VOTE_ALL ? all : how == VOTE_ANY ? any : all || !any) ? group : 0;
        for (uint32_t m = group; m != 0; m &= m - 1)
            ballot[__builtin_ctz(m)] = p;
    }
    if ((o->aux & 15) != VOTE_BALLOT) {
        put_predicate(w, o->d, yes);
        return o + 1;
    }
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
        row32(w, o->d)[__builtin_ctz(m)] = ballot[__builtin_ctz(m)];
    return o + 1;
}

static uint32_t equal_lanes(const uint64_t *v, uint32_t among, uint64_t value) {
    uint32_t same = 0;
    for (uint32_t m = among; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        same |= v[i] == value ? 1u << i : 0;
    }
    return same;
}

/* match.any / match.all: a value (aux 1: 64 bits wide), slot: member mask; match.all has aux 2 more
 * and e, a predicate */
static const op *match(warp *w, const op *o) {
    const op *next = o + 1;
    if (!together(w, o, o->slot, &next))
        return next;
    uint64_t v[VG_LANES];
    for (int i = 0; i < VG_LANES; i++)
        v[i] = (o->aux & 1) != 0 ? row64(w, o->a)[i] : row32(w, o->a)[i];
    const bool want_all = (o->aux & 2) != 0;
    uint32_t result[VG_LANES], matched = 0;
    for (uint32_t left = w->mask; left != 0;) {
        const uint32_t group = next_group(row32(w, o->slot), &left);
        for (uint32_t m = group; m != 0; m &= m - 1) {
            const int i = __builtin_ctz(m);
            const uint32_t same = equal_lanes(v, group, v[i]);
            matched |= same == group ? 1u << i : 0;
            result[i] = want_all && same != group ? 0 : same;
        }
    }
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
        row32(w, o->d)[__builtin_ctz(m)] = result[__builtin_ctz(m)];
    if (want_all && o->e != 0)
        put_predicate(w, o->e, matched);
    return o + 1;
}

/* elect: d becomes the lane that leads those of a member mask, its lowest, as on an H100; e is true
 * in that lane; slot: member mask */
static const op *elect(warp *w, const op *o) {
    const op *next = o + 1;
    if (!together(w, o, o->slot, &next))
        return next;
    uint32_t leader[VG_LANES], leads = 0;
    for (uint32_t left = w->mask; left != 0;) {
        const uint32_t group = next_group(row32(w, o->slot), &left);
        const uint32_t lowest = (uint32_t)__builtin_ctz(group);
        leads |= 1u << lowest;
        for (uint32_t m = group; m != 0; m &= m - 1)
            leader[__builtin_ctz(m)] = lowest;
    }
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
        row32(w, o->d)[__builtin_ctz(m)] = leader[__builtin_ctz(m)];
    put_predicate(w, o->e, leads);
    return o + 1;
}

static const op *activemask(warp *w, const op *o) {
    uint32_t *d = row32(w, o->d);
    const uint32_t mask = w->mask;
    VG_EACH_LANE(w, d, mask);
    return o + 1;
}

/* redux.sync: a value, slot: member mask, aux: enum ptx_atom of 32-bit integers */
static const op *redux(warp *w, const op *o) {
    const op *next = o + 1;
    if (!together(w, o, o->slot, &next))
        return next;
    uint32_t result[VG_LANES];
    for (uint32_t left = w->mask; left != 0;) {
        const uint32_t group = next_group(row32(w, o->slot), &left), *a = row32(w, o->a);
        uint32_t m = group;
        uint64_t r = a[__builtin_ctz(m)];
        for (m &= m - 1; m != 0; m &= m - 1) {
            r = vg_atom_apply((enum ptx_atom)(o->aux & 15), (enum ptx_type)(o->aux >> 4 & 31), r,
                              a[__builtin_ctz(m)], 0);
        }
        for (m = group; m != 0; m &= m - 1)
            result[__builtin_ctz(m)] = (uint32_t)r;
    }
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
        row32(w, o->d)[__builtin_ctz(m)] = result[__builtin_ctz(m)];
    return o + 1;
}

/* Clocks: instructions this worker has run stand in for cycles. aux 1: 64 bits; 2: nanoseconds. */
static const op *clock_now(warp *w, const op *o) {
    const uint64_t now = vg_clock(w->worker, o->aux == 2);
    if (o->aux == 0) {
        uint32_t *d = row32(w, o->d);
        VG_EACH_LANE(w, d, (uint32_t)now);
    } else {
        uint64_t *d = row64(w, o->d);
        VG_EACH_LANE(w, d, now);
    }
    return o + 1;
}

/* Constants are in global memory here, in variables that only ld.const and generic loads read. */
static bool is_constant(const warp *w, uint64_t address) {
    const ptx_module *ptx = &w->worker->launch->kernel->module->ptx;
    for (int i = 0; i < ptx->num_vars; i++) {
        const ptx_var *v = ptx->vars[i];
        if (v->space == PS_CONST && address >= v->address && address - v->address < v->size)
            return true;
    }
    return false;
}

/* isspacep: aux is the enum ptx_space asked for */
static const op *isspacep(warp *w, const op *o) {
    const uint64_t *a = row64(w, o->a);
    uint32_t bits = 0;
    for (int i = 0; i < VG_LANES; i++) {
        const uint64_t window = a[i] & VG_WINDOW_MASK;
        const bool yes = o->aux == PS_SHARED  ? window == VG_SHARED_WINDOW
                         : o->aux == PS_LOCAL ? window == VG_LOCAL_WINDOW
                         : o->aux == PS_PARAM
                             ? window == VG_PARAM_WINDOW
                             : window == 0 && is_constant(w, a[i]) == (o->aux == PS_CONST);
        bits |= yes ? 1u << i : 0;
    }
    put_predicate(w, o->d, bits);
    return o + 1;
}

/* clang-format off */
const op_entry vg_ops_warp[] = {
    {"bar.warp", warp_sync, NULL},
    {"shfl", shfl, NULL},
    {"vote", vote, NULL},
    {"match", match, NULL},
    {"elect", elect, NULL},
    {"activemask", activemask, NULL},
    {"redux", redux, NULL},
    {"clock", clock_now, NULL},
    {"isspacep", isspacep, NULL},
    {NULL, NULL, NULL},
};
/* clang-format on */
