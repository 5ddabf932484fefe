/*
 * record.c: what a film holds, taken down while the block runs; see film.h.
 */
#include "vgpu/src/count/banks.h"
#include "vgpu/src/film/film_parts.h"

#include <stdlib.h>
#include <string.h>

void *film_add(vg_film *f, film_list *list, size_t size) {
    if (list->count == list->room) {
        const int room = list->room == 0 ? 64 : 2 * list->room;
        void *more = realloc(list->at, (size_t)room * size);
        if (more == NULL) {
            f->out_of_memory = true;
            return NULL;
        }
        list->at = more;
        list->room = room;
    }
    void *element = (char *)list->at + (size_t)list->count++ * size;
    memset(element, 0, size);
    return element;
}

enum {
    SMALL_VARIABLE = 256, /* bytes */
    FIRST_GIVEN = 61440   /* word of the thread's own memory from which given parameters stand */
};

#define ADD(f, list, type) ((type *)film_add(f, &(f)->list, sizeof(type)))

/* ---- variables ---- */

/* Records the words of a variable, all of them or none. False: there is no room for them. */
static bool list_words(vg_film *f, const vg_place *place, uint64_t size) {
    const uint64_t first = place->at / 4, last = (place->at + size - 1) / 4;
    const int before = f->num_words;
    for (uint64_t w = first; w <= last; w++) {
        bool known = false;
        for (int i = 0; i < before; i++)
            known = known || f->words[i] == w;
        if (known)
            continue;
        if (f->num_words == VG_FILM_WORDS || w > UINT16_MAX) {
            f->num_words = before;
            return false;
        }
        f->words[f->num_words++] = (uint16_t)w;
    }
    return true;
}

/* A struct that the kernel only reads stays where the launch put it. The film has it in a place of
 * the thread's memory that is free. */
static bool place_given(vg_film *f, const launch *l, film_var *var) {
    const uint32_t words = (uint32_t)((var->named->size + 3) / 4);
    uint32_t bytes = 0;
    if (var->func != vg_names_func(f->names, l->kernel->func->name))
        return false;
    var->given = film_parameter(l, var->func, var->named, &bytes);
    if (var->given == NULL || var->named->size > bytes)
        return false;
    var->too_large = FIRST_GIVEN + f->given_words + words > UINT16_MAX;
    var->place = (vg_place){PS_LOCAL, 4 * ((uint64_t)FIRST_GIVEN + f->given_words)};
    f->given_words += var->too_large ? 0 : words;
    return true;
}

static void list_vars(vg_film *f, const launch *l) {
    const program *p = l->program;
    for (int i = 0; i < p->num_funcs; i++) {
        const vg_named_func *func = vg_names_func(f->names, p->funcs[i].func->name);
        f->recursive = f->recursive || (func != NULL && p->funcs[i].frame != NULL);
        for (int k = 0; func != NULL && p->funcs[i].frame == NULL && k < func->num_vars; k++) {
            const vg_named_var *v = &func->vars[k];
            film_var new = {func, v, vg_inspect_place(l, NULL, v), NULL, -1, false};
            if (v->size == 0 || (new.place.space == PS_GENERIC && !place_given(f, l, &new)))
                continue;
            film_var *var = ADD(f, vars, film_var);
            if (var == NULL)
                return;
            if (new.place.space == PS_SHARED)
                new.memory = film_shared_at(f, new.place.at);
            *var = new;
        }
    }
}

/* Numbers and small arrays first: a large array must not keep the others out. */
static void list_all_words(vg_film *f) {
    for (int large = 0; large <= 1; large++) {
        for (int i = 0; i < f->vars.count; i++) {
            film_var *v = FILM_AT(f->vars, film_var, i);
            if (v->place.space == PS_LOCAL && v->given == NULL &&
                (v->named->size > SMALL_VARIABLE) == large)
                v->too_large = !list_words(f, &v->place, v->named->size);
        }
    }
}

/* The parameters that the launch holds, once for each warp. */
static void take_given(vg_film *f, int warp, int step) {
    for (int i = 0; i < f->vars.count; i++) {
        const film_var *v = FILM_AT(f->vars, film_var, i);
        for (uint64_t at = 0; v->given != NULL && !v->too_large && at < v->named->size; at += 4) {
            const uint64_t left = v->named->size - at;
            uint32_t word = 0;
            memcpy(&word, v->given + at, left < sizeof word ? (size_t)left : sizeof word);
            film_delta *d = ADD(f, deltas, film_delta);
            if (d == NULL)
                return;
            *d = (film_delta){.step = step, .warp = warp, .word = (int)((v->place.at + at) / 4)};
            for (int lane = 0; lane < VG_LANES; lane++)
                d->value[lane] = word;
        }
    }
}

static void take_words(vg_film *f, const warp *w, int step) {
    uint32_t *shadow = f->shadow + (size_t)w->index * (size_t)f->num_words * VG_LANES;
    uint32_t now[VG_LANES];
    for (int i = 0; i < f->num_words; i++, shadow += VG_LANES) {
        for (int lane = 0; lane < VG_LANES; lane++)
            memcpy(&now[lane], vg_inspect_local(w, lane) + 4u * f->words[i], sizeof now[0]);
        if (memcmp(now, shadow, sizeof now) == 0)
            continue;
        memcpy(shadow, now, sizeof now);
        film_delta *d = ADD(f, deltas, film_delta);
        if (d == NULL)
            return;
        *d = (film_delta){.step = step, .warp = (int)w->index, .word = f->words[i]};
        memcpy(d->value, now, sizeof now);
    }
}

/* ---- frames ---- */

static bool same_vars(const film_frame *f, const int *vars, int count) {
    return f->num_vars == count &&
           (count == 0 || memcmp(f->vars, vars, (size_t)count * sizeof *vars) == 0);
}

static int find_frame(vg_film *f, const vg_frame *frame, int up, int upline) {
    int vars[256], count = 0;
    for (int i = 0; frame->func != NULL && i < f->vars.count && count < 256; i++) {
        const film_var *v = FILM_AT(f->vars, film_var, i);
        if (v->func == frame->func && vg_inspect_is_alive(f->in, frame, v->named))
            vars[count++] = i;
    }
    const int func = frame->func != NULL ? (int)(frame->func - f->names->funcs) : -1;
    for (int i = 0; i < f->frames.count; i++) {
        const film_frame *o = FILM_AT(f->frames, film_frame, i);
        if (o->func == func && o->up == up && o->upline == upline && same_vars(o, vars, count))
            return i;
    }
    film_frame *new = ADD(f, frames, film_frame);
    if (new == NULL)
        return 0;
    *new = (film_frame){.func = func, .up = up, .upline = upline, .num_vars = count};
    new->vars = malloc((size_t)(count + 1) * sizeof *vars);
    if (new->vars == NULL)
        new->num_vars = 0;
    else
        memcpy(new->vars, vars, (size_t)count * sizeof *vars);
    return f->frames.count - 1;
}

static int frame_at(vg_film *f, const vg_stop_at *at) {
    const launch *l = at->warp->worker->launch;
    int *known = &f->frame_of_op[at->op - l->program->ops];
    if (*known >= 0)
        return *known;
    vg_frame frames[VG_MAX_FRAMES];
    const int all = vg_inspect_frames(f->in, at, frames, VG_MAX_FRAMES);
    const int n = all < VG_MAX_FRAMES ? all : VG_MAX_FRAMES;
    int up = -1;
    for (int i = n - 1; i >= 0; i--)
        up = find_frame(f, &frames[i], up, i + 1 < n ? frames[i + 1].line : -1);
    if (n == 1) /* the kernel's own: the same whoever comes here */
        *known = up;
    return up;
}

/* ---- what happens ---- */

static bool is_wanted(const vg_film *f, const warp *w) {
    return f->choice.warp < 0 || f->choice.warp == (int)w->index;
}

static film_step *add_step(vg_film *f) {
    if (f->steps.count >= VG_FILM_STEPS) {
        f->left_out++;
        return NULL;
    }
    film_step *s = ADD(f, steps, film_step);
    if (s != NULL) {
        s->phase = f->phase;
        s->first_access = f->accesses.count;
        s->previous = s->next = -1;
    }
    return s;
}

static void on_stop(void *self, const vg_stop_at *at) {
    vg_film *f = self;
    if (!is_wanted(f, at->warp))
        return;
    const int frame = frame_at(f, at), index = (int)at->warp->index;
    film_step *s = add_step(f);
    if (s == NULL)
        return;
    s->warp = index;
    s->line = at->line;
    s->file = at->file;
    s->mask = at->mask;
    s->frame = frame;
    s->previous = f->last_step[index];
    const int number = f->steps.count - 1;
    if (s->previous >= 0)
        FILM_AT(f->steps, film_step, s->previous)->next = number;
    f->last_step[index] = number;
    if (s->previous < 0)
        take_given(f, index, number);
    take_words(f, at->warp, number);
}

static const uint8_t *bytes_at(const vg_access *a, int lane) {
    const launch *l = a->warp->worker->launch;
    return a->space == PS_SHARED ? vg_inspect_shared(a->warp->block, a->at[lane])
                                 : vg_mem_at(l->params->mem, a->at[lane], a->size);
}

static void take_values(film_access *to, const vg_access *a) {
    to->has_values = true;
    for (uint32_t m = to->mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint8_t *bytes = bytes_at(a, lane);
        for (uint32_t i = 0; bytes != NULL && 4 * i < a->size && i < 4; i++)
            memcpy(&to->value[i][lane], bytes + (size_t)4 * i,
                   a->size - 4 * i < 4 ? a->size - 4 * i : 4);
    }
}

/* What the lanes of a mask access of one memory. */
static film_access *add_access(vg_film *f, const vg_access *a, int memory, uint32_t mask) {
    film_access *to = ADD(f, accesses, film_access);
    if (to == NULL)
        return NULL;
    film_memory *m = FILM_AT(f->memories, film_memory, memory);
    film_note_use(m, a);
    to->step = f->last_step[a->warp->index];
    to->memory = memory;
    to->kind = a->kind;
    to->mask = mask;
    to->size = a->size;
    for (int i = 0; i < VG_LANES; i++)
        to->at[i] = (int64_t)(a->at[i] - m->begin);
    if (a->space != PS_SHARED)
        to->units = film_sectors(a->at, mask, a->size);
    const bool writes = a->kind == VG_WRITE || a->kind == VG_ATOMIC || a->kind == VG_ASYNC_END;
    if (writes && !a->warp->worker->faulted)
        take_values(to, a);
    film_step *s = FILM_AT(f->steps, film_step, to->step);
    if (s->num_accesses == 0)
        s->first_access = f->accesses.count - 1;
    s->num_accesses++;
    return to;
}

/* An access is one of each memory that its lanes mean; the banks serve all of them together. */
static void on_access(void *self, const vg_access *a) {
    vg_film *f = self;
    int memory[VG_LANES];
    if (!is_wanted(f, a->warp) || f->last_step[a->warp->index] < 0 || f->left_out > 0 ||
        (a->space != PS_GLOBAL && a->space != PS_SHARED))
        return;
    film_memories_of(f, a, memory);
    bool first = true;
    for (uint32_t left = a->mask; left != 0;) {
        const int meant = memory[__builtin_ctz(left)];
        uint32_t mask = 0;
        for (uint32_t m = left; m != 0; m &= m - 1)
            if (memory[__builtin_ctz(m)] == meant)
                mask |= m & -m;
        left &= ~mask;
        film_access *to = meant >= 0 ? add_access(f, a, meant, mask) : NULL;
        if (to != NULL && first && a->space == PS_SHARED) {
            const vg_bank_cost cost = vg_bank_cost_of(a->at, a->mask, a->size);
            to->units = cost.wavefronts;
            to->conflicts = cost.conflicts;
            first = false;
        }
    }
}

static void on_pause(void *self, warp *w, uint32_t mask, enum vg_pause why) {
    vg_film *f = self;
    const int step = f->last_step[w->index];
    film_pause *p = is_wanted(f, w) && step >= 0 && f->left_out == 0 && why != VG_PAUSE_PART
                        ? ADD(f, pauses, film_pause)
                        : NULL;
    if (p != NULL)
        *p = (film_pause){step, (int)w->index, mask, why};
}

static void on_barrier(void *self, block *b, int id) {
    vg_film *f = self;
    if (b->linear != f->choice.block || id == VG_GRID_BARRIER)
        return;
    f->phase++;
    film_step *s = add_step(f);
    if (s != NULL)
        s->warp = -1;
}

static bool on_begin(void *self, const launch *l, int workers) {
    vg_film *f = self;
    (void)workers;
    f->began = true;
    f->launch = l;
    f->grid = l->grid;
    f->block = l->block;
    const uint64_t n = f->choice.block;
    f->index = (vg_dim3){(uint32_t)(n % l->grid.x), (uint32_t)(n / l->grid.x % l->grid.y),
                         (uint32_t)(n / l->grid.x / l->grid.y)};
    snprintf(f->kernel, sizeof f->kernel, "%s", l->kernel->info.pretty);
    const uint32_t threads = l->block.x * l->block.y * l->block.z;
    f->num_warps = (int)((threads + VG_LANES - 1) / VG_LANES);
    for (int i = 0; i < f->num_warps; i++) {
        const uint32_t left = threads - (uint32_t)i * VG_LANES;
        f->alive[i] = left >= VG_LANES ? VG_ALL_LANES : (1u << left) - 1;
    }
    film_find_memories(f, l);
    f->words = calloc(VG_FILM_WORDS, sizeof *f->words);
    if (f->words == NULL)
        return false;
    list_vars(f, l);
    list_all_words(f);
    f->frame_of_op = malloc((size_t)(l->program->num_ops + 1) * sizeof *f->frame_of_op);
    f->shadow =
        calloc((size_t)f->num_warps * (size_t)f->num_words * VG_LANES + 1, sizeof *f->shadow);
    if (f->frame_of_op == NULL || f->shadow == NULL)
        return false;
    memset(f->frame_of_op, 0xFF, (size_t)(l->program->num_ops + 1) * sizeof *f->frame_of_op);
    /* Local memory is junk at first: what was never written is not told of. */
    memset(f->shadow, 0xFF,
           (size_t)f->num_warps * (size_t)f->num_words * VG_LANES * sizeof *f->shadow);
    return true;
}

static void on_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                   const vg_fault *fault) {
    vg_film *f = self;
    (void)l, (void)workers, (void)num_workers, (void)fault;
    f->launch = NULL;
}

/* ---- a film ---- */

vg_film *vg_film_create(const vg_names *names, const vg_film_choice *choice) {
    vg_film *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->names = names;
    f->choice = *choice;
    f->watcher = (vg_watcher){.self = f,
                              .stop = on_stop,
                              .access = on_access,
                              .pause = on_pause,
                              .matrices = film_on_matrices};
    f->observer = (vg_observer){.name = "film",
                                .self = f,
                                .launch_begin = on_begin,
                                .barrier = on_barrier,
                                .launch_end = on_end};
    memset(f->last_step, 0xFF, sizeof f->last_step);
    f->in = vg_inspect_create(names, &f->watcher);
    if (f->in == NULL) {
        vg_film_destroy(f);
        return NULL;
    }
    vg_inspect_block(f->in, choice->block);
    return f;
}

bool vg_film_observe(vg_film *f, vg_exec *exec) {
    return vg_inspect_attach(f->in, exec) && vg_exec_observe(exec, &f->observer);
}

int vg_film_steps(const vg_film *f) {
    return f->steps.count;
}

int vg_film_left_out(const vg_film *f) {
    return f->left_out;
}

void vg_film_destroy(vg_film *f) {
    if (f == NULL)
        return;
    for (int i = 0; i < f->memories.count; i++)
        film_forget_memory(FILM_AT(f->memories, film_memory, i));
    for (int i = 0; i < f->frames.count; i++)
        free(FILM_AT(f->frames, film_frame, i)->vars);
    for (int i = 0; i < f->texts.count; i++)
        free(*FILM_AT(f->texts, char *, i));
    for (int i = 0; i < f->moments.count; i++) {
        free(FILM_AT(f->moments, vg_film_moment, i)->title);
        free(FILM_AT(f->moments, vg_film_moment, i)->text);
        free(FILM_AT(f->moments, vg_film_moment, i)->pictures);
    }
    film_list *lists[] = {&f->steps,    &f->accesses, &f->pauses, &f->deltas,
                          &f->memories, &f->frames,   &f->vars,   &f->texts,
                          &f->moments,  &f->matrices, &f->shapes};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->at);
    free(f->frame_of_op);
    free(f->words);
    free(f->shadow);
    vg_inspect_destroy(f->in);
    free(f);
}
