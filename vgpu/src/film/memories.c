/*
 * memories.c: the memories of a film: shared arrays, what the kernel's arguments point to, and what
 * else it accesses; what they are made of; and which of them an access means.
 */
#include "vgpu/src/core/names.h"
#include "vgpu/src/film/film_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    CONTENTS_MAX = 1 << 17, /* bytes of a memory that goes into the film whole */
    MOST_PARTS = 48         /* of a struct */
};

#define ADD(f) ((film_memory *)film_add(f, &(f)->memories, sizeof(film_memory)))

/* The variable that an allocation is; NULL: none (what cudaMalloc made has no symbol). */
static const vg_named_var *named_var_of(const vg_names *names, const char *symbol) {
    for (int i = 0; symbol != NULL && i < names->num_funcs; i++)
        for (int k = 0; k < names->funcs[i].num_vars; k++)
            if (strcmp(names->funcs[i].vars[k].symbol, symbol) == 0 ||
                (i == 0 && strcmp(names->funcs[i].vars[k].name, symbol) == 0))
                return &names->funcs[i].vars[k];
    return NULL;
}

/* ---- what a memory's elements are ---- */

/* Pairs of brackets that a path begins with: the sides of an array of structs. */
static int brackets(const char *path) {
    int n = 0;
    while (strncmp(path + 2 * n, "[]", 2) == 0)
        n++;
    return n;
}

static void set_shape(film_memory *m, const vg_leaf *l, int dims, uint32_t unit) {
    if (dims == 0)
        return;
    const uint32_t across = m->record != 0 ? m->record / m->element : 1;
    m->columns = l->side[dims - 1] * across;
    m->pitch = dims > 1 ? l->stride[dims - 2] : l->side[dims - 1] * unit;
    m->rows = 1;
    for (int i = 0; i + 1 < dims; i++)
        m->rows *= l->side[i];
    m->num_sides = dims > 2 ? dims - 1 : 0;
    for (int i = 0; i < m->num_sides; i++)
        m->sides[i] = l->side[i];
}

/* ".v[].x" with its brackets filled; false: too long. */
static bool fill_path(const char *path, const uint32_t *index, char *to, size_t room) {
    size_t n = 0;
    for (; *path != '\0' && n + 12 < room; path++) {
        if (strncmp(path, "[]", 2) == 0) {
            n += (size_t)snprintf(to + n, room - n, "[%u]", *index++);
            path++;
        } else {
            to[n++] = *path;
        }
    }
    to[n] = '\0';
    return *path == '\0';
}

/* The numbers of a leaf, behind the first `dims` of its sides. */
static bool add_parts(film_memory *m, const vg_leaf *l, int dims) {
    uint32_t index[VG_LEAF_DIMS] = {0};
    for (;;) {
        film_part *p = &m->parts[m->num_parts];
        if (m->num_parts == MOST_PARTS ||
            !fill_path(l->path + (size_t)2 * (size_t)dims, index, p->path, sizeof p->path))
            return false;
        p->encoding = l->encoding;
        p->size = l->size;
        p->offset = l->offset;
        for (int d = dims; d < l->dims; d++)
            p->offset += index[d - dims] * l->stride[d];
        m->num_parts++;
        int d = l->dims - 1;
        while (d >= dims && ++index[d - dims] == l->side[d])
            index[d-- - dims] = 0;
        if (d < dims)
            return true;
    }
}

static uint32_t common(uint32_t a, uint32_t b) {
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void set_unknown(film_memory *m) {
    m->known = FILM_UNKNOWN;
    m->element = 4;
    m->record = 0;
}

/* Numbers that the leaves are, or structs of `bytes` that they are parts of. Bit fields are left
 * out: the page knows whole bytes only. */
static void set_type(film_memory *m, const vg_leaf *leaves, int count, uint64_t bytes, bool array) {
    const vg_leaf *first = leaves;
    while (first < leaves + count && first->bits != 0)
        first++;
    if (first == leaves + count) {
        m->known = FILM_USED;
        return;
    }
    int dims = first->dims;
    for (int i = 0; i < count; i++)
        dims = brackets(leaves[i].path) < dims ? brackets(leaves[i].path) : dims;
    const uint32_t unit = dims > 0 ? first->stride[dims - 1] : (uint32_t)bytes;
    m->encoding = first->encoding;
    m->element = first->size;
    if (count > 1 || first->dims > dims) {
        m->parts = calloc(MOST_PARTS + 1, sizeof *m->parts);
        m->element = unit;
        bool fits = m->parts != NULL;
        for (int i = 0; fits && i < count; i++)
            fits = leaves[i].bits != 0 || add_parts(m, &leaves[i], dims);
        for (int i = 0; fits && i < m->num_parts; i++)
            m->element = common(common(m->element, m->parts[i].size), m->parts[i].offset);
        if (!fits || unit == 0) {
            set_unknown(m);
            return;
        }
        m->record = unit;
    }
    if (array)
        set_shape(m, first, dims, unit);
}

const film_part *film_part_at(const film_memory *m, int64_t at) {
    const uint32_t within = (uint32_t)(at % m->record);
    for (int i = 0; i < m->num_parts; i++)
        if (within >= m->parts[i].offset && within < m->parts[i].offset + m->parts[i].size)
            return &m->parts[i];
    return NULL;
}

void film_note_use(film_memory *m, const vg_access *a) {
    const enum ptx_type type = a->op != NULL && a->op->ptx != NULL ? a->op->ptx->type[0] : PT_NONE;
    const uint32_t size = type != PT_NONE ? ptx_type_size(type) : 0;
    const bool real = type == PT_F32 || type == PT_F64;
    /* The compiler writes real constants as whole numbers. */
    if (m->known != FILM_USED || size == 0 || size > 8 || (!real && a->kind == VG_WRITE))
        return;
    const enum vg_encoding encoding = real ? VG_FLOAT : VG_SIGNED;
    if (m->declared && !real && size != m->element) /* the compiler copies in larger pieces */
        return;
    if (m->element != 0 && (m->element != size || m->encoding != encoding)) {
        set_unknown(m);
        return;
    }
    m->encoding = encoding;
    m->element = size;
}

void film_forget_memory(film_memory *m) {
    free(m->before);
    free(m->parts);
}

/* A launch's shared memory is declared as one array, and may be cut into several, of other types:
 * what the kernel does with it may tell. */
static void set_declared(film_memory *m, const vg_named_var *named) {
    m->known = FILM_USED;
    if (named == NULL || named->num_leaves != 1 || named->leaves[0].bits != 0)
        return;
    m->declared = true;
    m->encoding = named->leaves[0].encoding;
    m->element = named->leaves[0].size;
}

/* ---- which there are ---- */

static void add_shared(vg_film *f, const launch *l) {
    for (int i = 0; i < l->program->num_shared; i++) {
        const placed_var *v = &l->program->shared[i];
        const vg_named_var *named = named_var_of(f->names, v->var->name);
        film_memory *m = ADD(f);
        if (m == NULL)
            return;
        vg_pretty_variable(v->var->name, m->name, sizeof m->name);
        m->shared = true;
        m->begin = v->offset;
        m->size = v->var->size == 0 ? l->params->dynamic_shared : v->size;
        if (named != NULL && v->var->size != 0)
            set_type(m, named->leaves, named->num_leaves, named->size, true);
        else
            set_declared(m, named);
    }
}

/* A product's matrices: A is m x k, B k x n, C m x n. One that another memory has is not given
 * twice, so that in equal sizes the order of allocation decides. */
static void set_matrix(vg_film *f, film_memory *m) {
    const int64_t *s = f->choice.rows_cols;
    for (int i = 1; i < m->num_parts; i++)
        if (m->parts[i].encoding != m->parts[0].encoding || m->parts[i].size != m->element)
            return;
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
            m->num_sides = 0;
            m->record = 0; /* float4 and the like: by rows and columns, too */
            return;
        }
    }
}

void film_settle_type(vg_film *f, film_memory *m) {
    if (m->element == 0)
        set_unknown(m);
    else if (m->declared && m->known == FILM_USED)
        m->known = FILM_TYPED;
    if (!m->shared && m->rows == 0) /* its elements' size may be known only now */
        set_matrix(f, m);
}

/* named: the variable that it is, or a pointer to it; NULL: neither. */
static int add_allocation(vg_film *f, const vg_alloc *a, const char *name,
                          const vg_named_var *named) {
    film_memory *m = ADD(f);
    if (m == NULL)
        return -1;
    if (name != NULL)
        snprintf(m->name, sizeof m->name, "%s", name);
    else
        snprintf(m->name, sizeof m->name, "allocation #%u", a->serial);
    m->begin = a->addr;
    m->size = a->size;
    m->serial = a->serial;
    m->hosts = a->kind == VG_MEM_PINNED;
    if (named == NULL)
        m->known = FILM_USED;
    else if (a->kind == VG_MEM_MODULE && named->points == 0)
        set_type(m, named->leaves, named->num_leaves, named->size, true);
    else
        set_type(m, named->targets, named->num_targets, named->points, false);
    set_matrix(f, m);
    m->before = a->size <= CONTENTS_MAX && !m->hosts ? malloc(a->size + 1) : NULL;
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

/* A second pointer into an allocation, which has the first one's name. */
static void note_another(film_memory *m, const char *name) {
    const size_t used = strlen(m->also), room = sizeof m->also - used;
    if (strlen(name) + 3 <= room)
        snprintf(m->also + used, room, ", %s", name);
}

/* What a pointer at `at` of a parameter points to, by the name of the parameter and a path. target:
 * the parameter, where it is the pointer itself; NULL: a member, whose target's type is not known.
 */
static void add_target(vg_film *f, const launch *l, const uint8_t *at, const vg_named_var *v,
                       const char *path, const vg_named_var *target) {
    char name[sizeof((film_memory *)NULL)->name];
    uint64_t address;
    memcpy(&address, at, sizeof address);
    const vg_alloc *a = vg_mem_find(l->params->mem, address);
    snprintf(name, sizeof name, "%s%s", v->name, path);
    const int known = a != NULL ? memory_of_serial(f, a->serial) : -1;
    if (known >= 0)
        note_another(FILM_AT(f->memories, film_memory, known), name);
    else if (a != NULL)
        add_allocation(f, a, name, target);
}

/* The pointers of a leaf: one, or one for each element of an array of structs or of pointers. */
static void add_leaf_targets(vg_film *f, const launch *l, const uint8_t *param, uint32_t bytes,
                             const vg_named_var *v, const vg_leaf *leaf) {
    uint32_t index[VG_LEAF_DIMS] = {0};
    for (int count = 0; count < MOST_PARTS; count++) {
        uint64_t offset = leaf->offset;
        char path[48];
        for (int d = 0; d < leaf->dims; d++)
            offset += (uint64_t)index[d] * leaf->stride[d];
        if (!fill_path(leaf->path, index, path, sizeof path) || offset + sizeof(uint64_t) > bytes)
            return;
        add_target(f, l, param + offset, v, path, *leaf->path == '\0' ? v : NULL);
        int d = leaf->dims - 1;
        while (d >= 0 && ++index[d] == leaf->side[d])
            index[d--] = 0;
        if (d < 0)
            return;
    }
}

const uint8_t *film_parameter(const launch *l, const vg_named_func *names, const vg_named_var *v,
                              uint32_t *bytes) {
    const ptx_func *func = l->kernel->func;
    int number = 0; /* in order: DWARF's are those of the PTX */
    for (int i = 0; i < names->num_vars && &names->vars[i] != v; i++)
        number += names->vars[i].parameter;
    if (!v->parameter || number >= func->num_params)
        return NULL;
    *bytes = (uint32_t)func->params[number]->size;
    return l->param_block + func->params[number]->offset;
}

/* The kernel's pointers name what they point to, those in structs too: "A", "A.elements". */
static void add_arguments(vg_film *f, const launch *l) {
    const vg_named_func *names = vg_names_func(f->names, l->kernel->func->name);
    for (int i = 0; names != NULL && i < names->num_vars; i++) {
        const vg_named_var *v = &names->vars[i];
        uint32_t bytes = 0;
        const uint8_t *param = film_parameter(l, names, v, &bytes);
        for (int k = 0; param != NULL && k < v->num_leaves; k++)
            if (v->leaves[k].encoding == VG_POINTER && v->leaves[k].size == sizeof(uint64_t))
                add_leaf_targets(f, l, param, bytes, v, &v->leaves[k]);
    }
}

void film_find_memories(vg_film *f, const launch *l) {
    add_shared(f, l);
    add_arguments(f, l);
}

/* ---- which memory an access means ---- */

int film_shared_at(const vg_film *f, uint64_t at) {
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *m = FILM_AT(f->memories, film_memory, i);
        if (m->shared && at >= m->begin && at < m->begin + m->size)
            return i;
    }
    return -1;
}

/* The memory that holds the place; -1: none. */
static int memory_holding(vg_film *f, const vg_access *a, uint64_t at) {
    if (a->space == PS_SHARED)
        return film_shared_at(f, at);
    const vg_alloc *alloc = vg_mem_find(a->warp->worker->launch->params->mem, at);
    if (alloc == NULL)
        return -1;
    const int known = memory_of_serial(f, alloc->serial);
    const vg_named_var *named = known < 0 ? named_var_of(f->names, alloc->name) : NULL;
    /* The compiler keeps patterns and tables in variables that no source names. */
    if (known < 0 && alloc->kind == VG_MEM_MODULE && named == NULL)
        return -1;
    return known >= 0 ? known : add_allocation(f, alloc, alloc->name, named);
}

/* The memory beside which the place lies that no memory holds; -1: none. */
static int memory_meant(const vg_film *f, const vg_access *a, uint64_t at) {
    int found = -1;
    if (a->space == PS_SHARED) {
        for (int i = 0; i < f->memories.count; i++) {
            const film_memory *m = FILM_AT(f->memories, film_memory, i);
            if (m->shared && (found < 0 || m->begin <= at))
                found = i;
        }
        return found;
    }
    struct vgpu_fact fact = {0};
    vg_mem_locate(a->warp->worker->launch->params->mem, at, &fact);
    return memory_of_serial(f, fact.serial);
}

/* Is the place in the same memory as another lane's, which is known? */
static bool is_in(const vg_film *f, int memory, uint64_t at) {
    if (memory < 0)
        return false;
    const film_memory *m = FILM_AT(f->memories, film_memory, memory);
    return at >= m->begin && at - m->begin < m->size;
}

void film_memories_of(vg_film *f, const vg_access *a, int memory[VG_LANES]) {
    int last = -1;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        last = is_in(f, last, a->at[lane]) ? last : memory_holding(f, a, a->at[lane]);
        memory[lane] = last;
    }
    /* A lane that is outside means what its neighbours mean. */
    last = -1;
    for (uint32_t m = a->mask; m != 0 && last < 0; m &= m - 1)
        last = memory[__builtin_ctz(m)];
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (memory[lane] < 0)
            memory[lane] = last >= 0 ? last : memory_meant(f, a, a->at[lane]);
        last = memory[lane];
    }
}
