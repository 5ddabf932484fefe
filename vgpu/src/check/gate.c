/* gate.c: takes accesses apart for the checkers; see gate.h. */
#include "vgpu/src/check/gate.h"
#include "vgpu/src/check/race.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHECKERS = 4 };

typedef struct gate_worker {
    vg_region **last; /* by op: the region it touched last */
    const op *ops;
    bool wants_all;
    uint32_t content; /* checkers, a bit each, who need no more of what on_access gets next */
    char apart[64];   /* no cache line shared with the next worker */
} gate_worker;

struct vg_gate {
    vg_observer observer;
    vg_regions *regions;
    const race_runs *vector;
    struct {
        vg_pass_fn fn;
        vg_glance_fn glance;
        void *self;
    } checker[MAX_CHECKERS];
    int num_checkers;
    vg_known_fn known; /* of memory that the host shares; or NULL */
    void *known_self;
    uint32_t of_constants; /* checkers, a bit each, who want reads of these, too */
    bool any_blank;        /* some constant has zeros for want of a value, in this launch */
    gate_worker *workers;
    int num_workers;
    const uint8_t *class_of; /* of this launch's ops; NULL: the checkers want all accesses */
};

static void pass(const vg_gate *gate, const vg_passed *p, uint32_t content) {
    for (int i = 0; i < gate->num_checkers; i++)
        if ((content >> i & 1) == 0)
            gate->checker[i].fn(gate->checker[i].self, p);
}

static vg_region *region_of(const vg_gate *gate, vg_region **last, uint64_t from, uint64_t to) {
    if (!vg_region_holds(*last, from, to)) {
        vg_region *r = vg_regions_find(gate->regions, from);
        if (!vg_region_holds(r, from, to))
            return NULL;
        *last = r;
    }
    return *last;
}

/* Lanes in several allocations, or some in none, which will be a fault. */
static void pass_each_lane(const vg_gate *gate, vg_region **last, const vg_access *a,
                           uint32_t content) {
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const vg_passed p = {
            a, {.mask = 1u << lane}, region_of(gate, last, a->at[lane], a->at[lane] + a->size)};
        if (p.region != NULL)
            pass(gate, &p, content);
    }
}

/* Of all addresses, the first and the last byte of those that are accessed. */
static bool lies_within(const vg_gate *gate, const vg_access *a, const vg_region *r) {
    const uint64_t reach = r->end - r->begin - a->size, last = VG_LANES - 1, half = VG_LANES / 2;
    if (a->halves == VG_HALVES_ANY)
        return gate->vector->within(a->at, r->begin, reach);
    return a->at[0] - r->begin <= reach && a->at[half - 1] - r->begin <= reach &&
           a->at[half] - r->begin <= reach && a->at[last] - r->begin <= reach;
}

/* What no checker would do anything about: a read of what only is read, and all written. */
static bool is_spared(const vg_gate *gate, const vg_access *a, vg_permit *permit) {
    if (gate->class_of == NULL || a->space != PS_GLOBAL)
        return false;
    const gate_worker *gw = &gate->workers[a->warp->worker->id];
    const size_t index = (size_t)(a->op - gw->ops);
    const vg_region *r = gw->last[index];
    if (gate->class_of[index] != RACE_READ || r == NULL || !r->only_read || !r->all_written ||
        r->set_to != 0 || gw->wants_all || a->size > r->end - r->begin || !lies_within(gate, a, r))
        return false;
    if (r->host_shares)
        return gate->known != NULL && gate->known(gate->known_self, a, r, permit);
    permit->begin = r->begin;
    permit->end = r->end;
    return true;
}

/* What the executor knows of the pattern already. False: nothing. */
static bool known_shape(const vg_access *a, vg_shape *shape) {
    const uint64_t half = a->at[VG_LANES / 2], end = a->at[VG_LANES - 1];
    const uint64_t first_end = a->at[VG_LANES / 2 - 1];
    const uint32_t both = 0x7FFF7FFF; /* lanes 15 and 16 are no neighbours */
    *shape = (vg_shape){.low = a->at[0] < half ? a->at[0] : half,
                        .high = end > first_end ? end : first_end};
    if (a->pattern == VG_PATTERN_ONE)
        shape->same = VG_ALL_LANES >> 1;
    else if (a->pattern == VG_PATTERN_NEIGHBOURS)
        shape->next = VG_ALL_LANES >> 1;
    else if (a->halves == VG_HALVES_ONE)
        shape->same = both;
    else if (a->halves == VG_HALVES_NEIGHBOURS)
        shape->next = both;
    else
        return false;
    return true;
}

static bool on_glance(void *self, const vg_access *a, vg_permit *permit) {
    const vg_gate *gate = self;
    gate_worker *gw = &gate->workers[a->warp->worker->id];
    if (a->space == PS_GLOBAL)
        return is_spared(gate, a, permit);
    if (a->space == PS_CONST && gate->any_blank)
        return false;
    permit->end = UINT64_MAX;
    uint32_t content = 0;
    for (int i = 0; i < gate->num_checkers && a->space == PS_SHARED; i++)
        if (gate->checker[i].glance != NULL &&
            gate->checker[i].glance(gate->checker[i].self, a, permit))
            content |= 1u << i;
    if (a->space != PS_SHARED)
        return true;
    const bool all = content == (1u << gate->num_checkers) - 1;
    gw->content = all ? 0 : content; /* on_access comes next */
    return all;
}

static void on_access(void *self, const vg_access *a) {
    const vg_gate *gate = self;
    gate_worker *gw = &gate->workers[a->warp->worker->id];
    const bool constant = a->space == PS_CONST;
    const uint32_t content = constant ? ~gate->of_constants : gw->content;
    gw->content = 0;
    if (is_spared(gate, a, &(vg_permit){0}))
        return;
    vg_passed p = {.access = a, .runs = {.mask = a->mask}};
    vg_shape shape;
    if (constant ? !gate->any_blank : a->space != PS_SHARED && a->space != PS_GLOBAL)
        return;
    if (known_shape(a, &shape))
        ;
    else if (a->space == PS_SHARED)
        gate->vector->chains(a->at, a->size, &shape);
    else
        gate->vector->shape(a->at, a->size, &shape);
    p.runs.same = shape.same & a->mask & a->mask >> 1;
    p.runs.next = shape.next & a->mask & a->mask >> 1;
    if (a->space != PS_SHARED) {
        vg_region **last = &gw->last[a->op - gw->ops];
        p.region = region_of(gate, last, shape.low, shape.high + a->size);
        if (p.region == NULL) {
            pass_each_lane(gate, last, a, content);
            return;
        }
    }
    pass(gate, &p, content);
}

static bool on_launch_begin(void *self, const launch *l, int workers) {
    vg_gate *gate = self;
    gate->class_of = NULL;
    if (!vg_regions_follow(gate->regions, l->params->mem))
        return false;
    gate->any_blank = false;
    for (size_t i = 0; i < gate->regions->count; i++) {
        const vg_region *r = gate->regions->at[i];
        gate->any_blank |= r->kind == VG_MEM_MODULE && !r->all_written;
    }
    if (workers > gate->num_workers) {
        gate_worker *more = realloc(gate->workers, (size_t)workers * sizeof *more);
        if (more == NULL)
            return false;
        memset(more + gate->num_workers, 0, (size_t)(workers - gate->num_workers) * sizeof *more);
        gate->workers = more;
        gate->num_workers = workers;
    }
    for (int i = 0; i < gate->num_workers; i++) {
        gate_worker *gw = &gate->workers[i];
        free(gw->last);
        gw->last = calloc((size_t)l->program->num_ops, sizeof(*gw->last));
        gw->ops = l->program->ops;
        gw->wants_all = false;
        if (gw->last == NULL)
            return false;
    }
    return true;
}

vg_gate *vg_gate_create(vg_regions *regions) {
    vg_gate *gate = calloc(1, sizeof *gate);
    if (gate != NULL) {
        gate->regions = regions;
        gate->vector = race_runs_best();
        gate->observer = (vg_observer){.name = "check",
                                       .self = gate,
                                       .launch_begin = on_launch_begin,
                                       .access = on_access,
                                       .glance = on_glance};
    }
    return gate;
}

void vg_gate_destroy(vg_gate *gate) {
    if (gate == NULL)
        return;
    for (int i = 0; i < gate->num_workers; i++)
        free(gate->workers[i].last);
    free(gate->workers);
    free(gate);
}

void vg_gate_add(vg_gate *gate, vg_pass_fn fn, vg_glance_fn glance, void *self) {
    if (gate->num_checkers < MAX_CHECKERS) {
        gate->checker[gate->num_checkers].fn = fn;
        gate->checker[gate->num_checkers].glance = glance;
        gate->checker[gate->num_checkers++].self = self;
    }
}

void vg_gate_ask_known(vg_gate *gate, vg_known_fn known, void *self) {
    gate->known = known;
    gate->known_self = self;
}

void vg_gate_add_constants(vg_gate *gate) {
    gate->of_constants |= 1u << (gate->num_checkers - 1);
}

void vg_gate_spare(vg_gate *gate, const uint8_t *class_of) {
    gate->class_of = class_of;
}

void vg_gate_want_all(vg_gate *gate, int worker) {
    gate->workers[worker].wants_all = true;
}

const vg_observer *vg_gate_observer(const vg_gate *gate) {
    return &gate->observer;
}
