/*
 * record.c: what a film holds, taken down while the block runs; see film.h.
 */
#include "vgpu/src/core/names.h"
#include "vgpu/src/count/banks.h"
#include "vgpu/src/film/film_parts.h"

#include <stdlib.h>
#include <string.h>

enum { CONTENTS_MAX = 1 << 17 }; /* bytes of a memory that goes into the film whole */

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

#define ADD(f, list, type) ((type *)film_add(f, &(f)->list, sizeof(type)))

/* ---- memories ---- */

/* The leaf that an array of numbers consists of, or NULL. */
static const vg_leaf *only_leaf(const vg_named_var *v) {
    return v != NULL && v->num_leaves == 1 ? &v->leaves[0] : NULL;
}

static const vg_named_var *named_var_of(const vg_names *names, const char *symbol) {
    for (int i = 0; i < names->num_funcs; i++)
        for (int k = 0; k < names->funcs[i].num_vars; k++)
            if (strcmp(names->funcs[i].vars[k].symbol, symbol) == 0 ||
                (i == 0 && strcmp(names->funcs[i].vars[k].name, symbol) == 0))
                return &names->funcs[i].vars[k];
    return NULL;
}

static void set_shape(film_memory *m, const vg_leaf *l) {
    m->encoding = l->encoding;
    m->element = l->size;
    if (l->dims == 0)
        return;
    m->columns = l->side[l->dims - 1];
    m->pitch = l->dims > 1 ? l->stride[l->dims - 2] : m->columns * l->size;
    m->rows = 1;
    for (int i = 0; i + 1 < l->dims; i++)
        m->rows *= l->side[i];
}

static void add_shared(vg_film *f, const launch *l) {
    for (int i = 0; i < l->program->num_shared; i++) {
        const placed_var *v = &l->program->shared[i];
        film_memory *m = ADD(f, memories, film_memory);
        if (m == NULL)
            return;
        vg_pretty_variable(v->var->name, m->name, sizeof m->name);
        m->shared = true;
        m->begin = v->offset;
        m->size = v->var->size == 0 ? l->params->dynamic_shared : v->size;
        m->encoding = VG_FLOAT;
        m->element = 4;
        const vg_leaf *leaf = only_leaf(named_var_of(f->names, v->var->name));
        if (leaf != NULL && v->var->size != 0)
            set_shape(m, leaf);
    }
}

/* What a pointer points to, by the name of its type. */
static void set_pointee(film_memory *m, const char *type) {
    static const struct {
        const char *name;
        enum vg_encoding encoding;
        uint32_t size;
    } known[] = {{"double", VG_FLOAT, 8},
                 {"float", VG_FLOAT, 4},
                 {"__half", VG_HALF, 2},
                 {"__nv_bfloat16", VG_BFLOAT16, 2},
                 {"unsigned int", VG_UNSIGNED, 4},
                 {"unsigned char", VG_UNSIGNED, 1},
                 {"int", VG_SIGNED, 4},
                 {"char", VG_CHAR, 1}};
    while (strncmp(type, "const ", 6) == 0)
        type += 6;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].name);
        if (strncmp(type, known[i].name, n) == 0 && (type[n] == ' ' || type[n] == '\0')) {
            m->encoding = known[i].encoding;
            m->element = known[i].size;
            return;
        }
    }
}

/* A product's matrices: A is m x k, B k x n, C m x n. One that another memory has is not given
 * twice, so that in equal sizes the order of allocation decides. */
static void set_matrix(vg_film *f, film_memory *m) {
    const int64_t *s = f->choice.rows_cols;
    const int64_t side[3][2] = {{s[0], s[2]}, {s[2], s[1]}, {s[0], s[1]}};
    bool taken[3] = {false, false, false};
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *o = FILM_AT(f->memories, film_memory, i);
        for (int k = 0; k < 3; k++) {
            if (o != m && !o->shared && !taken[k] && o->rows == side[k][0] &&
                o->columns == side[k][1]) {
                taken[k] = true;
                break;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        const int64_t bytes = side[k][0] * side[k][1] * m->element;
        if (!taken[k] && bytes > 0 && (uint64_t)bytes == m->size) {
            m->rows = (uint32_t)side[k][0];
            m->columns = (uint32_t)side[k][1];
            m->pitch = m->columns * m->element;
            return;
        }
    }
}

static int add_allocation(vg_film *f, const vg_alloc *a, const char *name, const char *type) {
    film_memory *m = ADD(f, memories, film_memory);
    if (m == NULL)
        return -1;
    if (name != NULL)
        snprintf(m->name, sizeof m->name, "%s", name);
    else
        snprintf(m->name, sizeof m->name, "allocation #%u", a->serial);
    m->begin = a->addr;
    m->size = a->size;
    m->serial = a->serial;
    m->encoding = VG_FLOAT;
    m->element = 4;
    if (type != NULL)
        set_pointee(m, type);
    set_matrix(f, m);
    m->before = a->size <= CONTENTS_MAX ? malloc(a->size + 1) : NULL;
    if (m->before != NULL)
        memcpy(m->before, a->host, a->size);
    return f->memories.count - 1;
}

static int memory_of_serial(const vg_film *f, uint32_t serial) {
    for (int i = 0; i < f->memories.count; i++)
        if (FILM_AT(f->memories, film_memory, i)->serial == serial && serial != 0)
            return i;
    return -1;
}

/* The kernel's pointers name what they point to. */
static void add_arguments(vg_film *f, const launch *l) {
    const vg_named_func *names = vg_names_func(f->names, l->kernel->func->name);
    const ptx_func *func = l->kernel->func;
    int next = 0; /* parameters in order: DWARF's are those of the PTX */
    for (int i = 0; names != NULL && i < names->num_vars; i++) {
        const vg_named_var *v = &names->vars[i];
        if (!v->parameter || next == func->num_params)
            continue;
        const ptx_var *p = func->params[next++];
        if (v->num_leaves != 1 || v->leaves[0].encoding != VG_POINTER || p->size != 8)
            continue;
        uint64_t address;
        memcpy(&address, l->param_block + p->offset, sizeof address);
        const vg_alloc *a = vg_mem_find(l->params->mem, address);
        if (a != NULL && memory_of_serial(f, a->serial) < 0)
            add_allocation(f, a, v->name, v->type);
    }
}

/* The memory that an address lies in, or most likely meant. */
static int memory_at(vg_film *f, const vg_access *a, uint64_t at) {
    if (a->space == PS_SHARED) {
        int found = -1;
        for (int i = 0; i < f->memories.count; i++) {
            const film_memory *m = FILM_AT(f->memories, film_memory, i);
            if (m->shared && (found < 0 || m->begin <= at))
                found = i;
        }
        return found;
    }
    const vg_mem *mem = a->warp->worker->launch->params->mem;
    const vg_alloc *alloc = vg_mem_find(mem, at);
    uint32_t serial = alloc != NULL ? alloc->serial : 0;
    if (alloc == NULL) {
        struct vgpu_fact fact = {0};
        vg_mem_locate(mem, at, &fact);
        serial = fact.serial;
    }
    const int known = memory_of_serial(f, serial);
    /* The compiler keeps patterns and tables in variables that no source names. */
    if (known < 0 && alloc != NULL && alloc->kind == VG_MEM_MODULE &&
        named_var_of(f->names, alloc->name) == NULL)
        return -1;
    return known >= 0 || alloc == NULL ? known : add_allocation(f, alloc, alloc->name, NULL);
}

/* ---- variables ---- */

static int shared_memory_at(const vg_film *f, uint64_t at) {
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *m = FILM_AT(f->memories, film_memory, i);
        if (m->shared && at >= m->begin && at < m->begin + m->size)
            return i;
    }
    return -1;
}

static void list_words(vg_film *f, const vg_place *place, uint64_t size) {
    for (uint64_t w = place->at / 4; w <= (place->at + size - 1) / 4; w++) {
        bool known = false;
        for (int i = 0; i < f->num_words; i++)
            known = known || f->words[i] == w;
        if (!known && f->num_words < VG_FILM_WORDS && w <= UINT16_MAX)
            f->words[f->num_words++] = (uint16_t)w;
    }
}

static void list_vars(vg_film *f, const launch *l) {
    const program *p = l->program;
    for (int i = 0; i < p->num_funcs; i++) {
        const vg_named_func *func = vg_names_func(f->names, p->funcs[i].func->name);
        for (int k = 0; func != NULL && !p->funcs[i].in_frames && k < func->num_vars; k++) {
            const vg_named_var *v = &func->vars[k];
            const vg_place place = vg_inspect_place(l, v);
            if (place.space == PS_GENERIC || v->size == 0)
                continue;
            film_var *var = ADD(f, vars, film_var);
            if (var == NULL)
                return;
            *var = (film_var){func, v, place, -1};
            if (place.space == PS_SHARED)
                var->memory = shared_memory_at(f, place.at);
            else if (place.space == PS_LOCAL)
                list_words(f, &place, v->size);
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
    const int n = vg_inspect_frames(f->in, at, frames);
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
    take_words(f, at->warp, number);
}

static const uint8_t *bytes_at(const vg_access *a, int lane) {
    const launch *l = a->warp->worker->launch;
    return a->space == PS_SHARED ? vg_inspect_shared(a->warp->block, a->at[lane])
                                 : vg_mem_at(l->params->mem, a->at[lane], a->size);
}

static void take_values(film_access *to, const vg_access *a) {
    to->has_values = true;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint8_t *bytes = bytes_at(a, lane);
        for (uint32_t i = 0; bytes != NULL && 4 * i < a->size && i < 4; i++)
            memcpy(&to->value[i][lane], bytes + (size_t)4 * i,
                   a->size - 4 * i < 4 ? a->size - 4 * i : 4);
    }
}

static void on_access(void *self, const vg_access *a) {
    vg_film *f = self;
    const int step = f->last_step[a->warp->index];
    if (!is_wanted(f, a->warp) || step < 0 || f->left_out > 0 ||
        (a->space != PS_GLOBAL && a->space != PS_SHARED))
        return;
    const int memory = memory_at(f, a, a->at[__builtin_ctz(a->mask)]);
    film_access *to = memory >= 0 ? ADD(f, accesses, film_access) : NULL;
    if (to == NULL)
        return;
    const film_memory *m = FILM_AT(f->memories, film_memory, memory);
    to->step = step;
    to->memory = memory;
    to->kind = a->kind;
    to->mask = a->mask;
    to->size = a->size;
    for (int i = 0; i < VG_LANES; i++)
        to->at[i] = (int64_t)(a->at[i] - m->begin);
    if (a->space == PS_SHARED) {
        const vg_bank_cost cost = vg_bank_cost_of(a->at, a->mask, a->size);
        to->units = cost.wavefronts;
        to->conflicts = cost.conflicts;
    } else {
        to->units = film_sectors(a->at, a->mask, a->size);
    }
    const bool writes = a->kind == VG_WRITE || a->kind == VG_ATOMIC || a->kind == VG_ASYNC_END;
    if (writes && !a->warp->worker->faulted)
        take_values(to, a);
    film_step *s = FILM_AT(f->steps, film_step, step);
    if (s->num_accesses == 0)
        s->first_access = f->accesses.count - 1;
    s->num_accesses++;
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
    add_shared(f, l);
    add_arguments(f, l);
    f->words = calloc(VG_FILM_WORDS, sizeof *f->words);
    if (f->words == NULL)
        return false;
    list_vars(f, l);
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
    f->watcher = (vg_watcher){.self = f, .stop = on_stop, .access = on_access, .pause = on_pause};
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
        free(FILM_AT(f->memories, film_memory, i)->before);
    for (int i = 0; i < f->frames.count; i++)
        free(FILM_AT(f->frames, film_frame, i)->vars);
    for (int i = 0; i < f->texts.count; i++)
        free(*FILM_AT(f->texts, char *, i));
    for (int i = 0; i < f->moments.count; i++) {
        free(FILM_AT(f->moments, vg_film_moment, i)->title);
        free(FILM_AT(f->moments, vg_film_moment, i)->text);
    }
    film_list *lists[] = {&f->steps,  &f->accesses, &f->pauses, &f->deltas, &f->memories,
                          &f->frames, &f->vars,     &f->texts,  &f->moments};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->at);
    free(f->frame_of_op);
    free(f->words);
    free(f->shadow);
    vg_inspect_destroy(f->in);
    free(f);
}
