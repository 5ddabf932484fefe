/* prints.c: see prints.h. */
#include "vgpu/src/runtime/prints.h"

#include "vgpu/src/runtime/context.h"
#include "vgpu/src/runtime/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one launch printed. */
struct vg_print {
    struct vg_print *next;
    vg_moment moment;
    char kernel[160];
    size_t len, size;
    char *text;
};

static void show(const char *text, size_t len) {
    if (len > 0)
        fwrite(text, 1, len, stdout);
}

/* Shows the oldest one. */
static void show_first(vg_context *ctx) {
    struct vg_print *p = ctx->prints.first;
    show(p->text, p->len);
    ctx->prints.bytes -= p->len;
    ctx->prints.first = p->next;
    if (!p->next)
        ctx->prints.last = NULL;
    free(p->text);
    free(p);
}

static void show_all(vg_context *ctx) {
    while (ctx->prints.first)
        show_first(ctx);
}

/* The launch at hand's; NULL: there is no memory. */
static struct vg_print *at_hand(vg_context *ctx) {
    struct vg_print *p = ctx->prints.last;
    if (p && ctx->prints.open)
        return p;
    p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    snprintf(p->kernel, sizeof p->kernel, "%s", ctx->last_kernel);
    p->moment = vg_order_now(ctx);
    *(ctx->prints.last ? &ctx->prints.last->next : &ctx->prints.first) = p;
    ctx->prints.last = p;
    ctx->prints.open = true;
    return p;
}

static bool put_down(vg_context *ctx, const char *text, size_t len) {
    struct vg_print *p = len <= VG_PRINTS_MOST - ctx->prints.bytes ? at_hand(ctx) : NULL;
    if (!p)
        return false;
    if (p->size - p->len < len) {
        const size_t size = p->size + len > 2 * p->size ? p->size + len : 2 * p->size;
        char *more = realloc(p->text, size);
        if (!more)
            return false;
        p->text = more;
        p->size = size;
    }
    memcpy(p->text + p->len, text, len);
    p->len += len;
    ctx->prints.bytes += len;
    return true;
}

void vg_prints_take(void *self, const char *text, size_t len) {
    vg_context *ctx = self;
    if (put_down(ctx, text, len))
        return;
    show_all(ctx);
    ctx->prints.open = false;
    show(text, len);
}

void vg_prints_launched(vg_context *ctx, bool at_once) {
    ctx->prints.open = false;
    if (at_once)
        show_all(ctx);
}

void vg_prints_seen(vg_context *ctx) {
    while (ctx->prints.first && vg_order_host_seen(ctx, ctx->prints.first->moment))
        show_first(ctx);
}

const char *vg_prints_end(vg_context *ctx) {
    static char kernel[sizeof ctx->prints.last->kernel]; /* of a process that ends */
    const char *last = NULL;
    vg_prints_seen(ctx);
    if (ctx->prints.last)
        last = memcpy(kernel, ctx->prints.last->kernel, sizeof kernel);
    show_all(ctx);
    return last;
}
