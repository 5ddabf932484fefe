/* times.c: one large product, timed beside cuBLAS (see times.h). */
#include "grading/src/run/times.h"

#include "grading/src/base/scratch.h"
#include "grading/src/run/session.h"

#include <string.h>

/* A size that every lab may be asked for, and that is more than a launch. */
#define SIDE 1024

/* The duration of a call in nanoseconds; 0 when it does not come back with data. */
static uint64_t duration(struct grade_context *g, const struct build *build, enum entry_point entry,
                         int side) {
    const struct session s = {&g->backend, build};
    const struct worker_setup setup = session_setup(g, s);
    struct call_plan plan = {.entry = entry,
                             .shape = {side, side, side},
                             .input = INPUT_REAL,
                             .bound = g->lab->bound,
                             .flags = CALL_TIMED | CALL_PLAIN,
                             .seed = g->seed};
    struct call_data data;
    call_data_make(&data, &plan, session_guards(s, entry));
    struct worker w;
    struct call_reply reply;
    uint64_t taken = 0;
    if (worker_start(&w, &setup, &reply)) {
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
        if (reply.end == CALL_ANSWERED && reply.bytes)
            taken = reply.result.nanoseconds;
    }
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    call_data_free(&data);
    return taken;
}

int times_side(const struct lab_spec *lab, int side) {
    return lab->square_tiles ? (side + lab->tile - 1) / lab->tile * lab->tile : side;
}

uint64_t times_product(struct grade_context *g, int side) {
    if (g->build.outcome != BUILD_OK)
        return 0;
    side = times_side(g->lab, side);
    if (g->lab->entries & 1u << ENTRY_CPU)
        return duration(g, &g->build, ENTRY_CPU, side);
    return g->backend.kind == BACKEND_GPU && g->lab->entries & 1u << ENTRY_DEVICE
               ? duration(g, &g->build, ENTRY_DEVICE, side)
               : 0;
}

void times_measure(struct grade_context *g) {
    if (g->backend.kind != BACKEND_GPU || g->first_failure ||
        !(g->lab->entries & 1u << ENTRY_DEVICE))
        return;
    g->time.own = duration(g, &g->build, ENTRY_DEVICE, SIDE);
    if (g->time.own == 0 || interrupt_noted())
        return;
    struct build peer;
    build_cublas(&peer, &g->backend, &g->paths, g->scratch, g->sandbox);
    if (peer.outcome == BUILD_OK)
        g->time.cublas = duration(g, &peer, ENTRY_DEVICE, SIDE);
    build_free(&peer);
}

void times_say(struct text *t, const struct grade_context *g) {
    if (g->time.own == 0)
        return;
    text_addf(t, "%d x %d x %d in %.3g ms", SIDE, SIDE, SIDE, (double)g->time.own * 1e-6);
    if (g->time.cublas > 0)
        text_addf(t, "; cuBLAS %.3g ms, so %.3g %% of its speed", (double)g->time.cublas * 1e-6,
                  100.0 * (double)g->time.cublas / (double)g->time.own);
}
