/* ops_mbarrier.c: mbarrier instructions, and cp.async.mbarrier.arrive; see ops_mbarrier.h. */
#include "vgpu/src/core/ops_mbarrier.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

#include <string.h>

#define MAX_COUNT  ((UINT64_C(1) << 20) - 1)
#define MAGIC      (UINT64_C(11) << 60)
#define MAGIC_MASK (UINT64_C(15) << 60)
#define TOUCHED    (UINT64_C(1) << 56)
#define PHASE      (UINT64_C(1) << 40)
#define PHASE_MASK (UINT64_C(0xFFFF) << 40)

/* Failed tests of a block with no arrival in between, after which nobody is taken to come any more:
 * by then every other warp has had thousands of turns. */
enum { HOPELESS = 1 << 22, PATIENCE = 1 << 12 };

static uint64_t pending_of(uint64_t word) {
    return word & MAX_COUNT;
}
static uint64_t expected_of(uint64_t word) {
    return word >> 20 & MAX_COUNT;
}
static bool parity_of(uint64_t word) {
    return (word & PHASE) != 0;
}
static uint64_t shared_offset(const op *o, uint64_t at) {
    return o->space == PS_GENERIC ? at & ~VG_WINDOW_MASK : at;
}

/* ---- what observers learn ---- */

/* One phase of one mbarrier. */
static uint64_t key_of(uint64_t offset, bool parity) {
    return offset << 1 | (parity ? 1 : 0);
}

static void tell_signal(warp *w, uint64_t key, uint32_t lanes, bool first) {
    const launch *l = w->worker->launch;
    vg_tell_noted(w->worker, false);
    for (int n = 0; n < l->num_observers; n++)
        if (l->observers[n]->signal != NULL)
            l->observers[n]->signal(l->observers[n]->self, w, key, lanes, first);
}

static void tell_acquire(warp *w, uint64_t key, uint32_t lanes) {
    const launch *l = w->worker->launch;
    vg_tell_noted(w->worker, false);
    for (int n = 0; n < l->num_observers; n++)
        if (l->observers[n]->acquire != NULL)
            l->observers[n]->acquire(l->observers[n]->self, w, key, lanes);
}

/* ---- the word ---- */

/* The 8 bytes at the lane's address; NULL with the fault recorded. */
static uint8_t *word_at(warp *w, const op *o, int lane, uint64_t at) {
    range r;
    const bool shared = o->space == PS_SHARED || (at & VG_WINDOW_MASK) == VG_SHARED_WINDOW;
    if (!vg_resolve(w, o, lane, at, &r) || at + 8 > r.end || at % 8 != 0) {
        vg_bad_access(w, o, lane, at, 8);
        return NULL;
    }
    if (!shared) {
        vg_stop(w, o, lane, VG_LAUNCH_FAILURE, VG_NOTE(MBARRIER_NOT_SHARED, .is.address = at));
        return NULL;
    }
    return (uint8_t *)(uintptr_t)(at + (uint64_t)r.delta);
}

/* The same, for a word that must be an mbarrier: its value, or 0 with the fault recorded. */
static uint64_t mbarrier_at(warp *w, const op *o, int lane, uint64_t at, uint8_t **bytes) {
    uint64_t word;
    *bytes = word_at(w, o, lane, at);
    if (*bytes == NULL)
        return 0;
    memcpy(&word, *bytes, sizeof word);
    if ((word & MAGIC_MASK) != MAGIC) {
        vg_stop(w, o, lane, VG_LAUNCH_FAILURE, VG_NOTE(MBARRIER_NONE, .is.address = at));
        return 0;
    }
    return word;
}

/* `word` after `count` arrivals, which also leave for good if `drop`; 0 with the fault recorded. */
static uint64_t after_arrivals(warp *w, const op *o, int lane, uint64_t at, uint64_t word,
                               uint64_t count, bool drop, bool more) {
    const uint64_t pending = pending_of(word);
    uint64_t expected = expected_of(word);
    if (count + (more ? 1 : 0) > pending || (drop && count > expected)) {
        vg_stop(w, o, lane, VG_LAUNCH_FAILURE,
                VG_NOTE(MBARRIER_ARRIVALS, .is.address = at, .is.limit = expected));
        return 0;
    }
    expected -= drop ? count : 0;
    const uint64_t rest = word & ~(MAX_COUNT | MAX_COUNT << 20);
    if (count < pending)
        return (rest | TOUCHED) | expected << 20 | (pending - count);
    const uint64_t phase = (rest + PHASE) & PHASE_MASK;
    return MAGIC | phase | expected << 20 | expected;
}

/* ---- instructions ---- */

/* a: the address, b: row of the count */
static const op *mbarrier_init(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t at = row64(w, o->a)[i] + (uint64_t)o->imm, count = row32(w, o->b)[i];
        uint8_t *bytes = word_at(w, o, i, at);
        if (bytes == NULL)
            return NULL;
        if (count == 0 || count > MAX_COUNT) {
            return vg_stop(w, o, i, VG_LAUNCH_FAILURE,
                           VG_NOTE(MBARRIER_COUNT, .is.address = at, .is.count = count,
                                   .is.limit = MAX_COUNT));
        }
        const uint64_t word = MAGIC | count << 20 | count;
        memcpy(bytes, &word, sizeof word);
    }
    return o + 1;
}

static const op *mbarrier_inval(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        uint8_t *bytes;
        if (mbarrier_at(w, o, i, row64(w, o->a)[i] + (uint64_t)o->imm, &bytes) == 0)
            return NULL;
        memset(bytes, 0xFF, 8);
    }
    return o + 1;
}

/* Lanes that signal one phase, told together. */
typedef struct signals {
    uint64_t key;
    uint32_t lanes;
    bool first;
} signals;

static void flush(warp *w, signals *s) {
    if (s->lanes != 0)
        tell_signal(w, s->key, s->lanes, s->first);
    s->lanes = 0;
}

static void add_signal(warp *w, signals *s, uint64_t key, int lane, bool first) {
    if (s->lanes != 0 && (s->key != key || first))
        flush(w, s);
    if (s->lanes == 0) {
        s->key = key;
        s->first = first;
    }
    s->lanes |= 1u << lane;
}

/* One lane's arrivals. The word before them, 0 with the fault recorded. */
static uint64_t arrive_lane(warp *w, const op *o, int lane, uint64_t at, uint64_t count,
                            uint32_t how, signals *s) {
    uint8_t *bytes;
    const uint64_t before = mbarrier_at(w, o, lane, at, &bytes);
    const bool drop = (how & 1) != 0, more = (how & 2) != 0;
    const uint64_t after =
        before != 0 ? after_arrivals(w, o, lane, at, before, count, drop, more) : 0;
    if (after == 0)
        return 0;
    memcpy(bytes, &after, sizeof after);
    add_signal(w, s, key_of(shared_offset(o, at), parity_of(before)), lane,
               (before & TOUCHED) == 0);
    w->block->idle_tests = 0;
    return before;
}

/* a: the address, b: row of the count or 0, d: row of the state or 0, aux: 1 drop, 2 noComplete,
 * which says that more will arrive in this phase */
static const op *mbarrier_arrive(warp *w, const op *o) {
    signals s = {.lanes = 0};
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t at = row64(w, o->a)[i] + (uint64_t)o->imm,
                       count = o->b != 0 ? row32(w, o->b)[i] : 1;
        const uint64_t before = arrive_lane(w, o, i, at, count, o->aux, &s);
        if (before == 0)
            return NULL;
        if (o->d != 0)
            row64(w, o->d)[i] = before;
    }
    flush(w, &s);
    return o + 1;
}

bool vg_mbarrier_landed(warp *w, const op *o, uint64_t at, uint32_t lanes) {
    op shared = *o; /* for its position */
    shared.space = PS_SHARED;
    signals s = {.lanes = 0};
    for (uint32_t m = lanes; m != 0; m &= m - 1)
        if (arrive_lane(w, &shared, __builtin_ctz(m), at, 1, 0, &s) == 0)
            return false;
    flush(w, &s);
    return true;
}

/* cp.async.mbarrier.arrive. a: the address, aux: 1 noinc */
static const op *mbarrier_promise(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t at = row64(w, o->a)[i] + (uint64_t)o->imm;
        uint8_t *bytes;
        const uint64_t word = mbarrier_at(w, o, i, at, &bytes);
        if (word == 0)
            return NULL;
        if (o->aux == 0) { /* what will arrive is waited for besides what was expected */
            if (pending_of(word) == MAX_COUNT) {
                return vg_stop(w, o, i, VG_LAUNCH_FAILURE,
                               VG_NOTE(MBARRIER_PENDING, .is.address = at));
            }
            const uint64_t more = word + 1;
            memcpy(bytes, &more, sizeof more);
        }
        if (!vg_async_promise(w, o, i, shared_offset(o, at)))
            return vg_stop(w, o, i, VG_OUT_OF_MEMORY,
                           VG_NOTE(OUT_OF_HOST_MEMORY, .name = "copies in flight"));
    }
    return o + 1;
}

/* Nobody has arrived anywhere for so long that nobody will. */
static const op *hopeless(warp *w, const op *o, int lane, uint64_t at) {
    uint8_t *bytes;
    const uint64_t word = mbarrier_at(w, o, lane, at, &bytes);
    if (word == 0)
        return NULL;
    return vg_stop(w, o, lane, VG_LAUNCH_TIMEOUT,
                   VG_NOTE(MBARRIER_DEADLOCK, .is.address = at, .is.limit = expected_of(word),
                           .is.count = pending_of(word)));
}

/* Lets others go on, since this split waits for them:
 * other warps, and in the end lanes of its own. */
static const op *give_way(warp *w, const op *next) {
    if (w->block->idle_tests > PATIENCE)
        vg_part_for_good(w);
    vg_wait(w, next, SPLIT_RUN, next);
    w->worker->turn_over = true;
    return NULL;
}

/* a: the address, b: row of the state, or of the parity if aux is 1; d: the predicate */
static const op *mbarrier_test(warp *w, const op *o) {
    uint32_t over = 0, acquired = 0; /* lanes not yet told of, of one phase */
    uint64_t acquired_key = 0;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t at = row64(w, o->a)[i] + (uint64_t)o->imm;
        uint8_t *bytes;
        if (!vg_async_keep_promises(w->block, shared_offset(o, at)))
            return NULL;
        const uint64_t word = mbarrier_at(w, o, i, at, &bytes);
        if (word == 0)
            return NULL;
        const uint64_t state = o->aux == 1 ? 0 : row64(w, o->b)[i];
        const bool parity = o->aux == 1 ? (row32(w, o->b)[i] & 1) != 0 : parity_of(state);
        const bool done =
            o->aux == 1 ? parity_of(word) != parity : ((word ^ state) & PHASE_MASK) != 0;
        if (done) {
            over |= 1u << i;
            const uint64_t key = key_of(shared_offset(o, at), parity);
            if (acquired != 0 && key != acquired_key) {
                tell_acquire(w, acquired_key, acquired);
                acquired = 0;
            }
            acquired_key = key;
            acquired |= 1u << i;
        } else if (++w->block->idle_tests > HOPELESS) {
            return hopeless(w, o, i, at);
        }
    }
    if (acquired != 0)
        tell_acquire(w, acquired_key, acquired);
    put_predicate(w, o->d, over);
    return over == w->mask ? o + 1 : give_way(w, o + 1);
}

/* d: arrivals that were pending, a: row of the state */
static const op *mbarrier_count(warp *w, const op *o) {
    uint32_t *d = row32(w, o->d);
    const uint64_t *a = row64(w, o->a);
    VG_EACH_LANE(w, d, (uint32_t)pending_of(a[i]));
    return o + 1;
}

const op_entry vg_ops_mbarrier[] = {
    {"mbarrier.init", mbarrier_init, NULL},
    {"mbarrier.inval", mbarrier_inval, NULL},
    {"mbarrier.arrive", mbarrier_arrive, NULL},
    {"mbarrier.test", mbarrier_test, NULL},
    {"mbarrier.count", mbarrier_count, NULL},
    {"mbarrier.promise", mbarrier_promise, NULL},
    {NULL, NULL, NULL},
};
