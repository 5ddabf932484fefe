/* order.c: clocks of streams; see order.h. */
#include "vgpu/src/runtime/order.h"

#include "vgpu/src/runtime/prints.h"

#include <stdlib.h>

enum { LEGACY, ORDER_LANES = 256 };

typedef struct lane {
    cudaStream_t stream;
    bool live, blocks;
    bool branch;  /* of a graph */
    vg_seen seen; /* its own work, too */
} lane;

struct vg_order {
    lane *lanes;
    uint32_t count;
    uint64_t number; /* of the last work */
    uint32_t now;    /* its lane */
    vg_seen host;
};

/* This thread's work on one stream counts as another's; see vg_order_instead. */
static _Thread_local struct { cudaStream_t stream, lane; } instead;

static bool make_room(vg_seen *s, uint32_t lanes) {
    if (lanes <= s->lanes)
        return true;
    uint64_t *more = realloc(s->at, lanes * sizeof *more);
    if (!more)
        return false;
    while (s->lanes < lanes)
        more[s->lanes++] = 0;
    s->at = more;
    return true;
}

/* `to` sees what `from` does. Memory is out: it sees everything. */
static void join(vg_seen *to, const vg_seen *from, uint64_t everything) {
    if (!make_room(to, from->lanes)) {
        to->all = everything;
        return;
    }
    if (to->all < from->all)
        to->all = from->all;
    for (uint32_t i = 0; i < from->lanes; i++)
        if (to->at[i] < from->at[i])
            to->at[i] = from->at[i];
}

static bool sees(const vg_seen *s, vg_moment m) {
    return m.number <= s->all || (m.lane < s->lanes && m.number <= s->at[m.lane]);
}

void vg_seen_free(vg_seen *seen) {
    free(seen->at);
    *seen = (vg_seen){0};
}

/* ---- lanes ---- */

static struct vg_order *order_of(vg_context *ctx) {
    if (!ctx->order) {
        struct vg_order *o = calloc(1, sizeof *o);
        lane *first = calloc(1, sizeof *first);
        if (!o || !first) {
            free(o);
            free(first);
            return NULL;
        }
        *first = (lane){.live = true, .blocks = true};
        o->lanes = first;
        o->count = 1;
        ctx->order = o;
    }
    return ctx->order;
}

/* What the lane's last stream did has been waited for, so that nothing is lost with it. */
static bool is_settled(const struct vg_order *o, uint32_t i) {
    const vg_seen *own = &o->lanes[i].seen;
    return i >= own->lanes || sees(&o->host, (vg_moment){i, own->at[i], false});
}

/* The stream's lane: its own, one that a destroyed stream has left with nothing to wait for, a new
 * one, any that was left; or one that it shares. A new one blocks or does not. */
static uint32_t lane_for(vg_context *ctx, struct vg_order *o, cudaStream_t stream, bool blocks) {
    uint32_t left = o->count - 1;
    bool settled = false;
    if (!stream || stream == cudaStreamLegacy)
        return LEGACY;
    for (uint32_t i = 1; i < o->count; i++) {
        if (o->lanes[i].live && o->lanes[i].stream == stream)
            return i;
        if (!o->lanes[i].live && !settled) {
            left = i;
            settled = is_settled(o, i);
        }
    }
    lane *more = !settled && o->count < ORDER_LANES
                     ? realloc(o->lanes, (o->count + 1) * sizeof *o->lanes)
                     : NULL;
    if (more) {
        o->lanes = more;
        left = o->count++;
        o->lanes[left] = (lane){0};
    }
    if (left == LEGACY || o->lanes[left].live)
        return left;
    ctx->uses_streams = true;
    lane *l = &o->lanes[left];
    /* What a destroyed stream did on a blocking lane is still the default stream's to wait for. */
    if (l->blocks && !blocks)
        join(&o->lanes[LEGACY].seen, &l->seen, o->number);
    l->stream = stream;
    l->live = true;
    l->blocks = blocks;
    l->branch = false;
    return left;
}

static uint32_t lane_of(vg_context *ctx, struct vg_order *o, cudaStream_t stream) {
    if (instead.lane && stream == instead.stream)
        stream = instead.lane;
    return lane_for(ctx, o, stream, vg_stream_blocks(ctx, stream));
}

/* What work that begins now on this lane sees. */
static void look(struct vg_order *o, uint32_t at) {
    lane *l = &o->lanes[at];
    join(&l->seen, &o->host, o->number);
    if (at == LEGACY) {
        for (uint32_t i = 1; i < o->count; i++)
            if (o->lanes[i].blocks)
                join(&l->seen, &o->lanes[i].seen, o->number);
    } else if (l->blocks) {
        join(&l->seen, &o->lanes[LEGACY].seen, o->number);
    }
}

static bool seen(const void *arg, vg_moment m) {
    return vg_order_seen(arg, m);
}

static bool host_seen(const void *arg, vg_moment m) {
    return vg_order_host_seen(arg, m);
}

vg_moment vg_order_begin(vg_context *ctx, cudaStream_t stream) {
    struct vg_order *o = order_of(ctx);
    if (!o)
        return (vg_moment){0};
    o->now = lane_of(ctx, o, stream);
    look(o, o->now);
    vg_seen *s = &o->lanes[o->now].seen;
    o->number++;
    if (make_room(s, o->now + 1))
        s->at[o->now] = o->number;
    const vg_ordering order = {vg_order_now(ctx), seen, host_seen, ctx, !ctx->uses_streams};
    vg_check_order(ctx->check, ctx->uses_streams || ctx->settings.late ? &order : NULL);
    return order.now;
}

vg_moment vg_order_now(const vg_context *ctx) {
    const struct vg_order *o = ctx->order;
    return o ? (vg_moment){o->now, o->number, o->lanes[o->now].branch} : (vg_moment){0};
}

bool vg_order_seen(const vg_context *ctx, vg_moment m) {
    const struct vg_order *o = ctx->order;
    return !o || sees(&o->lanes[o->now].seen, m);
}

bool vg_order_host_seen(const vg_context *ctx, vg_moment m) {
    return !ctx->order || sees(&ctx->order->host, m);
}

bool vg_order_event_seen(const vg_context *ctx, const vg_seen *event) {
    for (uint32_t i = 0; i < event->lanes; i++)
        if (!vg_order_host_seen(ctx, (vg_moment){i, event->at[i], false}))
            return false;
    return vg_order_host_seen(ctx, (vg_moment){LEGACY, event->all, false});
}

/* ---- waiting ---- */

void vg_order_waits(vg_context *ctx, cudaStream_t stream) {
    struct vg_order *o = order_of(ctx);
    if (o) {
        const uint32_t at = lane_of(ctx, o, stream);
        if (at == LEGACY) /* others see it from their next work on */
            look(o, at);
        join(&o->host, &o->lanes[at].seen, o->number);
    }
    vg_prints_seen(ctx);
}

void vg_order_waits_for_event(vg_context *ctx, const vg_seen *event) {
    struct vg_order *o = order_of(ctx);
    if (o)
        join(&o->host, event, o->number);
    vg_prints_seen(ctx);
}

void vg_order_waits_for_all(vg_context *ctx) {
    if (ctx->order)
        ctx->order->host.all = ctx->order->number;
    vg_prints_seen(ctx);
}

void vg_order_record(vg_context *ctx, cudaStream_t stream, vg_seen *event) {
    struct vg_order *o = order_of(ctx);
    vg_seen_free(event);
    if (!o)
        return;
    const uint32_t at = lane_of(ctx, o, stream);
    look(o, at);
    join(event, &o->lanes[at].seen, o->number);
}

void vg_order_joins(vg_context *ctx, cudaStream_t stream, const vg_seen *event) {
    struct vg_order *o = order_of(ctx);
    if (!o)
        return;
    const uint32_t at = lane_of(ctx, o, stream);
    look(o, at); /* the default stream's wait is one for all that block */
    join(&o->lanes[at].seen, event, o->number);
}

/* ---- graphs ---- */

void vg_order_branch(vg_context *ctx, cudaStream_t name, const vg_seen *before) {
    struct vg_order *o = order_of(ctx);
    if (!o)
        return;
    const uint32_t at = lane_for(ctx, o, name, false);
    lane *l = &o->lanes[at];
    l->branch = l->stream == name; /* otherwise it shares a stream's */
    join(&l->seen, before, o->number);
}

void vg_order_instead(cudaStream_t stream, cudaStream_t branch) {
    instead.stream = stream;
    instead.lane = branch;
}

/* ---- the end ---- */

void vg_order_forget(vg_context *ctx, cudaStream_t stream) {
    for (uint32_t i = 1; ctx->order && i < ctx->order->count; i++)
        if (ctx->order->lanes[i].stream == stream)
            ctx->order->lanes[i].live = false;
}

void vg_order_reset(vg_context *ctx) {
    vg_order_waits_for_all(ctx);
    for (uint32_t i = 1; ctx->order && i < ctx->order->count; i++)
        ctx->order->lanes[i].live = false;
}
