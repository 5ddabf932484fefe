/*
 * race_locals.c: pointers to a thread's local variables that another thread loads. Each thread has
 * local memory of its own, at the same addresses as all others: what the pointer leads to is
 * another variable there, and no fault comes of it.
 *
 * Looked at are stores and loads of eight bytes and more, and only in kernels that make pointers to
 * local variables and store eight bytes anywhere else. Who stored a pointer last is remembered for
 * the launch; what is loaded is looked at in memory, so that a pointer that is there no more is
 * none. Not seen: pointers that go by shuffles, by atomics, or from one launch to the next.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/opcodes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 8192, MOST_PLACES = PLACES / 2, NO_BLOCK = -1 };

/* Where a pointer lies: at a generic address, in shared memory of that block. */
typedef struct local_place {
    uint64_t at, block; /* block: of shared memory, else NO_BLOCK; at is 0: a free place */
    const op *store;
    uint64_t by_block;
    uint32_t by_thread;
} local_place;

typedef struct local_found {
    const op *store, *load;
    uint64_t by_block, block, count;
    uint32_t by_thread, thread;
} local_found;

struct race_locals {
    pthread_mutex_t lock;
    bool wanted; /* this launch */
    uint32_t used;
    local_place place[PLACES];
    local_found found; /* count is 0: none; the lowest block's, else */
};

static bool stores_pointers(const program *p) {
    bool makes = false, stores = false;
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        if (o->ptx == NULL)
            continue;
        makes = makes || (o->ptx->code->id == PTX_CVTA && o->ptx->space == PS_LOCAL);
        stores = stores || (o->access == VG_WRITE && o->bytes >= 8 && o->space != PS_LOCAL);
    }
    return makes && stores;
}

bool race_locals_begin(race_checker *c, const launch *l) {
    const bool wanted = stores_pointers(l->program);
    if (c->locals == NULL && wanted) {
        c->locals = calloc(1, sizeof *c->locals);
        if (c->locals == NULL)
            return false;
        pthread_mutex_init(&c->locals->lock, NULL);
    }
    if (c->locals == NULL)
        return true;
    c->locals->wanted = wanted;
    c->locals->found.count = 0;
    if (c->locals->used > 0)
        memset(c->locals->place, 0, sizeof c->locals->place);
    c->locals->used = 0;
    return true;
}

void race_locals_destroy(race_checker *c) {
    if (c->locals == NULL)
        return;
    pthread_mutex_destroy(&c->locals->lock);
    free(c->locals);
}

bool race_locals_wants(const race_checker *c, const vg_access *a) {
    return c->locals != NULL && c->locals->wanted && a->size >= 8;
}

/* The place for this key: the one that has it, or a free one. */
static local_place *place_of(race_locals *s, uint64_t at, uint64_t block) {
    uint64_t i = (at / 8 ^ block * 0x9E3779B97F4A7C15u) * 0x9E3779B97F4A7C15u >> 32;
    while (s->place[i % PLACES].at != 0 &&
           (s->place[i % PLACES].at != at || s->place[i % PLACES].block != block))
        i++;
    return &s->place[i % PLACES];
}

static bool is_local(uint64_t value) {
    return (value & VG_WINDOW_MASK) == VG_LOCAL_WINDOW;
}

static void remember(race_locals *s, const local_place *now) {
    local_place *place = place_of(s, now->at, now->block);
    if (place->at == 0 && s->used >= MOST_PLACES)
        return;
    s->used += place->at == 0;
    *place = *now;
}

static void compare(race_locals *s, const local_place *now) {
    const local_place *before = place_of(s, now->at, now->block);
    if (before->at == 0 ||
        (before->by_thread == now->by_thread && before->by_block == now->by_block))
        return;
    const uint64_t count = s->found.count + 1;
    if (s->found.count == 0 || now->by_block < s->found.block ||
        (now->by_block == s->found.block && now->by_thread < s->found.thread)) {
        s->found = (local_found){.store = before->store,
                                 .load = now->store,
                                 .by_block = before->by_block,
                                 .block = now->by_block,
                                 .by_thread = before->by_thread,
                                 .thread = now->by_thread};
    }
    s->found.count = count;
}

void race_locals_pass(race_worker *rw, const vg_access *a) {
    race_locals *s = rw->checker->locals;
    const uint64_t window = a->space == PS_SHARED ? VG_SHARED_WINDOW : 0;
    if (a->kind != VG_READ && a->kind != VG_WRITE)
        return;
    pthread_mutex_lock(&s->lock);
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint8_t stored[VG_MAX_ACCESS];
        const uint8_t *bytes = stored;
        if (a->kind == VG_READ)
            bytes = vg_generic_at(a->warp, (int)lane, window | a->at[lane], a->size);
        else if (!race_stored_bytes(rw, a, lane, stored))
            bytes = NULL;
        for (uint32_t k = 0; bytes != NULL && k + 8 <= a->size; k += 8) {
            const local_place now = {.at = (window | a->at[lane]) + k,
                                     .block = window != 0 ? rw->block : (uint64_t)NO_BLOCK,
                                     .store = a->op,
                                     .by_block = rw->block,
                                     .by_thread = a->warp->index * VG_LANES + lane};
            uint64_t value;
            memcpy(&value, bytes + k, sizeof value);
            if (is_local(value))
                (a->kind == VG_READ ? compare : remember)(s, &now);
        }
    }
    pthread_mutex_unlock(&s->lock);
}

void race_locals_publish(race_checker *c, const launch *l, uint64_t last, bool complete) {
    const local_found *found = c->locals != NULL ? &c->locals->found : NULL;
    if (found == NULL || found->count == 0 || found->block > last)
        return;
    char lines[2][300], threads[2][120], times[64] = "";
    vg_finding f = {.kind = VGPU_FOUND_MEMORY,
                    .fact.says = VGPU_OTHERS_LOCAL,
                    .severity = VG_ERROR,
                    .num_sites = 2,
                    .count = complete ? found->count : 0};
    snprintf(f.kernel, sizeof f.kernel, "%s", l->kernel->info.pretty);
    vg_site_fill(&f.site[0], l, found->store, found->by_block, found->by_thread, "stored");
    vg_site_fill(&f.site[1], l, found->load, found->block, found->thread, "loaded");
    for (int i = 0; i < 2; i++) {
        vg_site_line(&f.site[i], lines[i], sizeof lines[i]);
        vg_site_thread(&f.site[i], threads[i], sizeof threads[i]);
    }
    if (f.count > 1)
        snprintf(times, sizeof times, "\n  seen %" PRIu64 " times in this launch", f.count);
    snprintf(f.message, sizeof f.message,
             "pointer to another thread's local variable in kernel %s\n"
             "  %s: stored by %s, whose variable it is\n  %s: loaded by %s\n"
             "  each thread has local memory of its own, and finds another variable at that "
             "address: what threads share belongs in shared or global memory%s",
             f.kernel, lines[0], threads[0], lines[1], threads[1], times);
    vg_findings_add(c->findings, &f);
}
