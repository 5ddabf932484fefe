/* ops_async.c: cp.async; see ops_async.h. */
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_mbarrier.h"
#include "vgpu/src/core/optable.h"

#include <stdlib.h>
#include <string.h>

/* What one instruction started. */
typedef struct async_copy {
    const op *op;
    uint32_t lanes;    /* still in flight */
    uint32_t serial;   /* counts the warp's copies */
    uint32_t released; /* barriers that the block had let go when it started */
    uint32_t group[VG_LANES];
    uint64_t at[VG_LANES]; /* offsets in shared memory */
    uint8_t *to[VG_LANES];
    uint8_t bytes[VG_LANES][VG_ASYNC_BYTES];
} async_copy;

/* cp.async.mbarrier.arrive: when the lane's copies before `serial` have landed it arrives at the
 * mbarrier. */
typedef struct async_promise {
    const op *op;
    uint64_t at;
    uint32_t serial, lanes;
} async_promise;

struct async_queue {
    async_copy *copies; /* in the order in which they were started */
    int count, room;
    uint32_t started; /* serial number of the next copy */
    async_promise *promises;
    int num_promises, room_for_promises;
    uint32_t committed[VG_LANES]; /* groups, by lane */
    /* At each lane's last wait: groups that it left under way, plus 1 (0: there was none), the
     * lane's groups, and the next copy's serial number. */
    uint32_t left[VG_LANES], groups[VG_LANES], begun[VG_LANES];
    uint32_t none_since; /* lanes that have committed none between their last two waits */
    bool promises_made;  /* waits may be for mbarriers */
};

void vg_async_free(async_queue *queue) {
    if (queue != NULL) {
        free(queue->copies);
        free(queue->promises);
        free(queue);
    }
}

void vg_async_reset(warp *w) {
    async_queue *queue = w->async;
    if (queue != NULL) {
        w->block->copying -= queue->count > 0;
        queue->count = queue->num_promises = 0;
        queue->started = 0;
        memset(queue->committed, 0, sizeof queue->committed);
        memset(queue->left, 0, sizeof queue->left);
        queue->promises_made = false;
    }
}

/* What the last wait of a copy's lane left, if lane `own` of the warp that asks waited likewise. */
static vg_async_wait wait_of(const async_queue *q, int lane, const async_copy *c, const warp *asks,
                             uint32_t own) {
    const async_queue *mine = asks->async;
    vg_async_wait w = {.alike = false};
    if (mine == NULL || q->promises_made || q->left[lane] == 0 ||
        mine->left[own] != q->left[lane] || mine->groups[own] != q->groups[lane] ||
        c->serial >= q->begun[lane])
        return w;
    w.alike = true;
    w.group = q->groups[lane] - c->group[lane];
    w.left = q->left[lane] - 1;
    w.none_since = q->none_since >> lane & 1;
    return w;
}

enum vg_async_state vg_async_state(const warp *w, uint32_t own, uint64_t at, vg_async_wait *wait) {
    const block *b = w->block;
    for (int i = 0; i < b->num_warps; i++) {
        const async_queue *queue = b->warps[i].async;
        for (int k = 0; queue != NULL && k < queue->count; k++) {
            const async_copy *c = &queue->copies[k];
            for (uint32_t m = c->lanes; m != 0; m &= m - 1) {
                const int lane = __builtin_ctz(m);
                if (at < c->at[lane] || at >= c->at[lane] + c->op->bytes)
                    continue;
                *wait = wait_of(queue, lane, c, w, own);
                return c->released == b->released ? VG_ASYNC_SINCE_BARRIER
                                                  : VG_ASYNC_BEFORE_BARRIER;
            }
        }
    }
    return VG_ASYNC_NONE;
}

static async_queue *queue_of(warp *w) {
    if (w->async == NULL)
        w->async = calloc(1, sizeof *w->async);
    return w->async;
}

static async_copy *new_copy(warp *w) {
    async_queue *q = queue_of(w);
    if (q == NULL)
        return NULL;
    if (q->count == q->room) {
        const int room = q->room == 0 ? 16 : 2 * q->room;
        async_copy *copies = realloc(q->copies, (size_t)room * sizeof *copies);
        if (copies == NULL)
            return NULL;
        q->copies = copies;
        q->room = room;
    }
    w->block->copying += q->count == 0;
    q->copies[q->count].serial = q->started++;
    return &q->copies[q->count++];
}

/* Bytes that a lane reads: row b, when there is one, may ask for fewer than it writes. */
static uint32_t source_bytes(const warp *w, const op *o, int lane) {
    const uint32_t asked = o->b != 0 ? row32(w, o->b)[lane] : o->aux;
    return asked < o->aux ? asked : o->aux;
}

/* Lanes by how much they read, so that each part is told with its size. */
static void tell_sources(warp *w, const op *o, const uint64_t *at) {
    for (uint32_t left = w->mask; left != 0;) {
        const uint32_t size = source_bytes(w, o, __builtin_ctz(left));
        uint32_t lanes = 0;
        for (uint32_t m = left; m != 0; m &= m - 1) {
            const int i = __builtin_ctz(m);
            lanes |= source_bytes(w, o, i) == size ? 1u << i : 0;
        }
        left &= ~lanes;
        if (size != 0)
            vg_tell_lanes(w, o, VG_READ, PS_GLOBAL, lanes, size, at);
    }
}

/* The bytes of an access by one lane, looked up unless they lie where the lane before found its
 * own. */
static uint8_t *bytes_at(warp *w, const op *o, int lane, uint64_t at, uint32_t size, range *r) {
    const bool known = at >= r->begin && at + size <= r->end && at < at + size;
    if (!known && (!vg_resolve(w, o, lane, at, r) || at + size > r->end))
        return NULL;
    return (uint8_t *)(uintptr_t)(at + (uint64_t)r->delta);
}

/* First half of cp.async. a: the source's address, b: row of the bytes to read or 0 for all, d:
 * where the bytes go: 16 a lane, aux: bytes of the copy */
static const op *async_read(warp *w, const op *o) {
    uint64_t at[VG_LANES] = {0};
    uint8_t *data = w->regs + o->d;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        at[i] = row64(w, o->a)[i] + (uint64_t)o->imm;
    }
    tell_sources(w, o, at);
    if (w->worker->faulted)
        return NULL;
    range r = {.end = 0};
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint32_t size = source_bytes(w, o, i);
        const uint8_t *from = size != 0 ? bytes_at(w, o, i, at[i], size, &r) : NULL;
        if (size != 0 && (from == NULL || at[i] % o->aux != 0))
            return vg_bad_access(w, o, i, at[i], o->aux);
        memset(data + VG_ASYNC_BYTES * i, 0, VG_ASYNC_BYTES);
        if (size != 0)
            memcpy(data + VG_ASYNC_BYTES * i, from, size);
    }
    return o + 1;
}

/* Second half. a: the destination's address, b: the bytes, aux: how many */
static const op *async_start(warp *w, const op *o) {
    async_copy *c = new_copy(w);
    if (c == NULL) {
        return vg_stop(w, o, __builtin_ctz(w->mask), VG_OUT_OF_MEMORY,
                       VG_NOTE(OUT_OF_HOST_MEMORY, .name = "copies in flight"));
    }
    c->op = o;
    c->released = w->block->released;
    c->lanes = 0; /* until all is known to be right */
    range r = {.end = 0};
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        c->at[i] = row64(w, o->a)[i] + (uint64_t)o->imm;
    }
    vg_tell_lanes(w, o, VG_ASYNC_BEGIN, PS_SHARED, w->mask, o->aux, c->at);
    if (w->worker->faulted)
        return NULL;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        c->to[i] = bytes_at(w, o, i, c->at[i], o->aux, &r);
        if (c->to[i] == NULL || c->at[i] % o->aux != 0)
            return vg_bad_access(w, o, i, c->at[i], o->aux);
        c->group[i] = w->async->committed[i];
        memcpy(c->bytes[i], w->regs + o->b + (size_t)VG_ASYNC_BYTES * (size_t)i, VG_ASYNC_BYTES);
        memset(c->to[i], 0xFF, o->aux);
    }
    c->lanes = w->mask;
    return o + 1;
}

/* What lands: lanes' copies of groups before first_kept[lane], or copies before a serial number. */
typedef struct landing {
    uint32_t lanes;
    const uint32_t *first_kept; /* NULL: by serial number */
    uint32_t serial;
} landing;

static bool lands(const landing *what, const async_copy *c, int lane) {
    return what->first_kept != NULL ? c->group[lane] < what->first_kept[lane]
                                    : c->serial < what->serial;
}

static void land(warp *w, const landing *what) {
    async_queue *q = w->async;
    int kept = 0;
    for (int k = 0; k < q->count; k++) {
        async_copy *c = &q->copies[k];
        uint32_t here = 0;
        for (uint32_t m = c->lanes & what->lanes; m != 0; m &= m - 1) {
            const int i = __builtin_ctz(m);
            if (lands(what, c, i)) {
                memcpy(c->to[i], c->bytes[i], c->op->aux);
                here |= 1u << i;
            }
        }
        vg_tell_lanes(w, c->op, VG_ASYNC_END, PS_SHARED, here, c->op->aux, c->at);
        c->lanes &= ~here;
        if (c->lanes != 0) {
            if (kept != k)
                q->copies[kept] = *c;
            kept++;
        }
    }
    w->block->copying -= q->count > 0 && kept == 0;
    q->count = kept;
}

static void arrive(warp *w, uint32_t lanes, const uint32_t *first_kept) {
    land(w, &(landing){.lanes = lanes, .first_kept = first_kept});
}

/* ---- copies that arrive at an mbarrier ---- */

bool vg_async_promise(warp *w, const op *o, int lane, uint64_t at) {
    async_queue *q = queue_of(w);
    if (q == NULL)
        return false;
    q->promises_made = true;
    async_promise *last =
        q->promises != NULL && q->num_promises > 0 ? &q->promises[q->num_promises - 1] : NULL;
    if (last != NULL && last->op == o && last->at == at && last->serial == q->started &&
        (last->lanes >> lane & 1) == 0) {
        last->lanes |= 1u << lane;
        return true;
    }
    if (q->promises == NULL || q->num_promises == q->room_for_promises) {
        const int room = q->room_for_promises == 0 ? 16 : 2 * q->room_for_promises;
        async_promise *promises = realloc(q->promises, (size_t)room * sizeof *promises);
        if (promises == NULL)
            return false;
        q->promises = promises;
        q->room_for_promises = room;
    }
    q->promises[q->num_promises++] =
        (async_promise){.op = o, .at = at, .serial = q->started, .lanes = 1u << lane};
    return true;
}

bool vg_async_keep_promises(block *b, uint64_t at) {
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        async_queue *q = w->async;
        for (int k = 0; q != NULL && q->promises != NULL && k < q->num_promises;) {
            if (q->promises[k].at != at) {
                k++;
                continue;
            }
            const async_promise p = q->promises[k];
            memmove(&q->promises[k], &q->promises[k + 1],
                    (size_t)(--q->num_promises - k) * sizeof p);
            land(w, &(landing){.lanes = p.lanes, .serial = p.serial});
            if (w->worker->faulted || !vg_mbarrier_landed(w, p.op, at, p.lanes))
                return false;
        }
    }
    return true;
}

/* ---- waiting ---- */

static const op *async_commit(warp *w, const op *o) {
    async_queue *q = queue_of(w);
    for (uint32_t m = q != NULL ? w->mask : 0; m != 0; m &= m - 1)
        q->committed[__builtin_ctz(m)]++;
    return o + 1;
}

/* aux: groups that may stay in flight; wait_all: UINT32_MAX, what is in no group arrives, too */
static const op *async_wait(warp *w, const op *o) {
    uint32_t first_kept[VG_LANES];
    if (w->async == NULL)
        return o + 1;
    for (int i = 0; i < VG_LANES; i++) {
        const uint32_t groups = w->async->committed[i];
        first_kept[i] = o->aux == UINT32_MAX ? UINT32_MAX : groups > o->aux ? groups - o->aux : 0;
        if (w->mask >> i & 1) {
            const uint32_t bit = 1u << i;
            const bool none = w->async->left[i] != 0 && w->async->groups[i] == groups;
            w->async->none_since = none ? w->async->none_since | bit : w->async->none_since & ~bit;
            w->async->left[i] = o->aux == UINT32_MAX ? 1 : o->aux + 1;
            w->async->groups[i] = groups;
            w->async->begun[i] = w->async->started;
        }
    }
    arrive(w, w->mask, first_kept);
    return w->worker->faulted ? NULL : o + 1;
}

void vg_async_exit(warp *w, uint32_t lanes) {
    uint32_t first_kept[VG_LANES];
    memset(first_kept, 0xFF, sizeof first_kept);
    arrive(w, lanes, first_kept);
}

const op_entry vg_ops_async[] = {
    {"cp.async.read", async_read, NULL},
    {"cp.async.start", async_start, NULL},
    {"cp.async.commit", async_commit, NULL},
    {"cp.async.wait", async_wait, NULL},
    {NULL, NULL, NULL},
};
