/* fake.c: see fake.h. */
#include "vgpu/tests/check/fake.h"
#include "vgpu/src/core/optable.h"

#include <stdlib.h>
#include <string.h>

static void hear(void *arg, const struct vgpu_fact *fact, const char *text) {
    (void)fact;
    fake *f = arg;
    const size_t n = strlen(text);
    char *more = realloc(f->said, f->said_len + n + 2);
    if (more == NULL)
        abort();
    f->said = more;
    memcpy(f->said + f->said_len, text, n);
    memcpy(f->said + f->said_len + n, "\n", 2);
    f->said_len += n + 1;
}

static const op *no_op(warp *w, const op *o) {
    (void)w;
    return o;
}

void fake_begin(fake *f, unsigned which, uint32_t threads, uint32_t blocks, bool partial) {
    static char *files[] = {NULL, (char *)(uintptr_t) "fake.cu"};
    memset(f, 0, sizeof *f);
    f->exec = vg_exec_create(1);
    f->mem = vg_mem_create(UINT64_C(1) << 20);
    f->check = vg_check_install(f->exec, f->mem, which, hear, f);
    f->module.ptx.files = files;
    f->module.ptx.num_files = 2;
    f->kernel.module = &f->module;
    f->kernel.func = &f->func;
    f->kernel.info.pretty = "fake";
    for (int i = 0; i < FAKE_OPS; i++)
        f->ops[i] = (op){.fn = no_op, .plain = no_op, .line = 100 + i, .file = 1, .bytes = 4};
    if (partial)
        f->ops[FAKE_OPS - 1] = (op){.fn = vg_find_op("bar.sync")->fn, .b = 1};
    f->shared_var = (ptx_var){.name = "tile", .size = FAKE_SHARED};
    f->shared_place = (placed_var){&f->shared_var, 0, FAKE_SHARED};
    f->program = (program){.ready = true,
                           .ops = f->ops,
                           .num_ops = FAKE_OPS,
                           .shared = &f->shared_place,
                           .num_shared = 1,
                           .shared_span = FAKE_SHARED};
    f->params = (vg_launch_params){.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .mem = f->mem};
    f->launch = (launch){.kernel = &f->kernel,
                         .program = &f->program,
                         .params = &f->params,
                         .grid = f->params.grid,
                         .block = f->params.block,
                         .num_blocks = blocks};
    f->launch.observers = vg_exec_observers(f->exec, &f->launch.num_observers);
}

void fake_declare(fake *f, int op, enum vg_access_kind kind, uint32_t size) {
    f->ops[op].access = (uint8_t)kind;
    f->ops[op].bytes = (uint8_t)size;
}

void fake_store_words(fake *f, int op) {
    f->ops[op].plain = vg_find_op("st.b32")->fn;
    f->ops[op].b = 0;
    fake_declare(f, op, VG_WRITE, 4);
}

#define TELL(f, callback, ...)                                                                     \
    do {                                                                                           \
        for (int n_ = 0; n_ < (f)->launch.num_observers; n_++) {                                   \
            const vg_observer *o_ = (f)->launch.observers[n_];                                     \
            if (o_->callback != NULL)                                                              \
                o_->callback(o_->self, __VA_ARGS__);                                               \
        }                                                                                          \
    } while (0)

void fake_launch(fake *f) {
    for (int n = 0; n < f->launch.num_observers; n++) {
        const vg_observer *o = f->launch.observers[n];
        if (o->launch_begin != NULL && !o->launch_begin(o->self, &f->launch, FAKE_WORKERS))
            abort();
    }
}

void fake_block(fake *f, int id, uint32_t block_index) {
    host_thread *wk = &f->workers[id];
    const uint32_t threads = f->params.block.x;
    const uint64_t round = wk->permit_round;
    memset(wk, 0, sizeof *wk);
    wk->permit_round = round + 1;
    wk->noted_round = round;
    wk->permits = f->permits[id];
    wk->noted = f->list[id];
    wk->stored = f->stored[id];
    wk->launch = &f->launch;
    wk->id = id;
    wk->block.linear = block_index;
    wk->block.index = (vg_dim3){block_index, 0, 0};
    wk->block.num_threads = threads;
    wk->block.num_warps = (int)((threads + 31) / 32);
    wk->block.warps = f->warps[id];
    for (int i = 0; i < wk->block.num_warps; i++) {
        warp *w = &f->warps[id][i];
        const uint32_t left = threads - 32 * (uint32_t)i;
        memset(w, 0, sizeof *w);
        w->block = &wk->block;
        w->worker = wk;
        w->index = (uint32_t)i;
        w->alive = left >= 32 ? VG_ALL_LANES : (1u << left) - 1;
        w->num_splits = 1;
    }
    TELL(f, block_begin, wk);
}

/* The halves lie in what a permit allows; where reads are to be noted, it must be theirs. */
static bool is_permitted(const fake *f, int id, const vg_access *a) {
    const vg_permit *p = &f->permits[id][a->op - f->ops];
    const uint64_t half = VG_LANES / 2;
    const uint64_t length = a->halves == VG_HALVES_ONE ? a->size : half * a->size;
    if (a->kind == VG_WRITE && (!p->noted || a->halves != VG_HALVES_NEIGHBOURS))
        return false;
    return vg_permit_holds(&f->workers[id], p, a->op) && a->at[0] >= p->begin &&
           a->at[0] + length <= p->end && a->at[half] >= p->begin && a->at[half] + length <= p->end;
}

static void note_permitted(fake *f, int id, const vg_access *a) {
    host_thread *wk = &f->workers[id];
    if (!f->permits[id][a->op - f->ops].noted)
        return;
    if (wk->num_noted == FAKE_NOTED)
        vg_tell_noted(wk, false);
    wk->noted[wk->num_noted++] = (vg_noted){.op = a->op,
                                            .at = {(uint32_t)a->at[0], (uint32_t)a->at[16]},
                                            .warp = (uint8_t)a->warp->index,
                                            .halves = (uint8_t)a->halves};
    if (a->kind == VG_WRITE) {
        memcpy(wk->stored[wk->num_stored++], row32(a->warp, 0), VG_ROW32);
        wk->noted[wk->num_noted - 1].values = (uint16_t)wk->num_stored;
        wk->storing_warps |= 1u << a->warp->index;
        f->noted_stores++;
        return;
    }
    wk->reading_warps |= 1u << a->warp->index;
    f->noted++;
}

/* A glance sees the first and the last address of each half, and no other. */
static void tell_access(fake *f, int id, const vg_access *a) {
    uint64_t ends[VG_LANES];
    vg_access seen = *a;
    memset(ends, 0xEE, sizeof ends);
    for (int i = 0; i < VG_LANES; i += i % 16 == 0 ? 15 : 1)
        ends[i] = a->at[i];
    seen.at = ends;
    for (int n = 0; n < f->launch.num_observers; n++) {
        const vg_observer *obs = f->launch.observers[n];
        vg_permit permit = {.round = f->workers[id].permit_round, .op = a->op};
        if (f->workers[id].storing_warps != 0 || a->kind != VG_READ)
            vg_tell_noted(&f->workers[id], false);
        if (a->halves != VG_HALVES_ANY && obs->glance != NULL &&
            obs->glance(obs->self, &seen, &permit)) {
            f->permits[id][a->op - f->ops] = permit;
            if (permit.noted && permit.end != 0)
                f->workers[id].noted_round = permit.round;
            continue;
        }
        vg_tell_noted(&f->workers[id], false);
        if (obs->access != NULL)
            obs->access(obs->self, a);
    }
}

void fake_access(fake *f, int id, int warp_index, int op_index, enum vg_access_kind kind,
                 enum ptx_space space, uint32_t lanes, uint32_t size, const uint64_t *at) {
    uint64_t all[VG_LANES];
    const op *o = &f->ops[op_index];
    warp *w = &f->warps[id][warp_index];
    if (o->access != kind || o->bytes != size)
        abort(); /* not declared so */
    bool one = lanes == VG_ALL_LANES, neighbours = one, halves_one = one, halves_next = one;
    for (int i = 0; i < VG_LANES; i++) {
        all[i] = (lanes >> i & 1) != 0 ? at[i] : at[__builtin_ctz(lanes)];
        one = one && all[i] == all[0];
        neighbours = neighbours && all[i] == all[0] + (uint64_t)i * size;
        const uint64_t start = all[i < VG_LANES / 2 ? 0 : VG_LANES / 2];
        halves_one = halves_one && all[i] == start;
        halves_next = halves_next && all[i] == start + (uint64_t)(i % (VG_LANES / 2)) * size;
    }
    w->mask = lanes;
    const vg_access a = {.warp = w,
                         .op = o,
                         .kind = kind,
                         .space = space,
                         .mask = lanes,
                         .size = size,
                         .at = all,
                         .pattern = one          ? VG_PATTERN_ONE
                                    : neighbours ? VG_PATTERN_NEIGHBOURS
                                                 : VG_PATTERN_ANY,
                         .halves = halves_one    ? VG_HALVES_ONE
                                   : halves_next ? VG_HALVES_NEIGHBOURS
                                                 : VG_HALVES_ANY};
    if (a.halves != VG_HALVES_ANY && is_permitted(f, id, &a))
        note_permitted(f, id, &a);
    else
        tell_access(f, id, &a);
}

void fake_barrier(fake *f, int id, int barrier_id, const uint32_t *lanes, bool all) {
    block *b = &f->workers[id].block;
    barrier *bar = &b->barrier[barrier_id];
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        w->split[0] = (split){.state = SPLIT_FREE};
        const uint32_t here = all ? w->alive : lanes[i] & w->alive;
        if (here != 0) {
            w->split[0] = (split){.state = SPLIT_BARRIER,
                                  .barrier = (uint8_t)barrier_id,
                                  .mask = here,
                                  .at = &f->ops[0]};
            bar->arrived += (uint32_t)__builtin_popcount(here);
        }
    }
    bar->expected = all ? 0 : bar->arrived;
    vg_tell_noted(&f->workers[id], true);
    TELL(f, barrier, b, barrier_id);
    *bar = (barrier){0};
    for (int i = 0; i < b->num_warps; i++)
        b->warps[i].split[0].state = SPLIT_RUN;
}

void fake_arrive(fake *f, int id, int warp_index, int barrier_id, uint32_t lanes) {
    f->workers[id].block.barrier[barrier_id].arrived += (uint32_t)__builtin_popcount(lanes);
    vg_tell_noted(&f->workers[id], false);
    TELL(f, arrive, &f->warps[id][warp_index], barrier_id, lanes);
}

void fake_warp_sync(fake *f, int id, int warp_index, uint32_t lanes) {
    vg_tell_noted(&f->workers[id], false);
    TELL(f, warp_sync, &f->warps[id][warp_index], lanes);
}

void fake_signal(fake *f, int id, int warp_index, uint64_t key, uint32_t lanes, bool first) {
    vg_tell_noted(&f->workers[id], false);
    TELL(f, signal, &f->warps[id][warp_index], key, lanes, first);
}

void fake_acquire(fake *f, int id, int warp_index, uint64_t key, uint32_t lanes) {
    vg_tell_noted(&f->workers[id], false);
    TELL(f, acquire, &f->warps[id][warp_index], key, lanes);
}

void fake_end_block(fake *f, int id) {
    vg_tell_noted(&f->workers[id], true);
    TELL(f, block_end, &f->workers[id]);
}

void fake_end_launch(fake *f) {
    TELL(f, launch_end, &f->launch, f->workers, FAKE_WORKERS, NULL);
}

void fake_end(fake *f) {
    vg_exec_destroy(f->exec);
    vg_check_destroy(f->check);
    vg_mem_destroy(f->mem);
    free(f->said);
}
