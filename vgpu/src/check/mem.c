/*
 * mem.c: device memory that a program never frees, with the line that allocated it.
 *
 * What a kernel does outside its allocations is a fault of the executor, and a bad cudaFree or
 * cudaMemcpy is said by the runtime when it happens; both are in the list of findings, too. This
 * module remembers only who allocated what.
 */
#include "vgpu/src/check/caller.h"
#include "vgpu/src/check/check_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct origin {
    uint64_t addr;
    uint32_t serial;
    vg_maker by;
} origin;

struct mem_checker {
    vg_findings *findings;
    const vg_mem *mem;
    origin *at; /* in order of allocation */
    size_t count, room;
};

mem_checker *mem_checker_create(vg_findings *findings, const vg_mem *mem) {
    mem_checker *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->findings = findings;
        c->mem = mem;
    }
    return c;
}

void mem_checker_destroy(mem_checker *c) {
    if (c != NULL) {
        free(c->at);
        free(c);
    }
}

static bool is_live(const mem_checker *c, const origin *o) {
    const vg_alloc *a = vg_mem_find(c->mem, o->addr);
    return a != NULL && a->addr == o->addr && a->serial == o->serial;
}

/* Forgets what has been freed, so that a program that allocates for ever needs no more here. */
static void forget_freed(mem_checker *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        if (is_live(c, &c->at[i]))
            c->at[kept++] = c->at[i];
    c->count = kept;
}

void mem_checker_allocated(mem_checker *c, uint64_t addr, vg_maker by) {
    const vg_alloc *a = vg_mem_find(c->mem, addr);
    if (a == NULL)
        return;
    if (c->count == c->room)
        forget_freed(c);
    if (c->count * 2 >= c->room) {
        const size_t room = c->room == 0 ? 64 : 2 * c->room;
        origin *at = realloc(c->at, room * sizeof *at);
        if (at == NULL)
            return; /* the leak will be said without its line */
        c->at = at;
        c->room = room;
    }
    c->at[c->count++] = (origin){addr, a->serial, by};
}

static const origin *origin_of(const mem_checker *c, const vg_alloc *a) {
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].addr == a->addr && c->at[i].serial == a->serial)
            return &c->at[i];
    return NULL;
}

/* For one whose maker there was no room to note. */
static vg_maker maker_for(enum vg_mem_kind kind) {
    return kind == VG_MEM_MANAGED  ? (vg_maker){"cudaMallocManaged", "cudaFree", NULL}
           : kind == VG_MEM_PINNED ? (vg_maker){"cudaMallocHost", "cudaFreeHost", NULL}
                                   : (vg_maker){"cudaMalloc", "cudaFree", NULL};
}

/* Allocations of one line (or, without lines, of one kind) that were never freed. */
typedef struct leak {
    const char *call;
    char file[256];
    int line;
    const char *freed_by;
    uint32_t serial; /* of the first */
    uint64_t count, bytes;
} leak;

/* The line of a caller; the last one asked for is remembered, since leaks come in loops. */
static bool line_of(const void *caller, char *file, size_t len, int *line, const void **last) {
    if (caller != *last)
        *last = vg_caller_line(caller, file, len, line) ? caller : NULL;
    return *last != NULL;
}

static leak leak_of(const mem_checker *c, const vg_alloc *a, leak *before, const void **last) {
    const origin *o = origin_of(c, a);
    const vg_maker by = o != NULL ? o->by : maker_for(a->kind);
    leak l = {.call = by.call,
              .serial = a->serial,
              .count = 1,
              .bytes = a->size,
              .freed_by = by.freed_by};
    if (o != NULL && line_of(by.caller, before->file, sizeof before->file, &before->line, last)) {
        memcpy(l.file, before->file, sizeof l.file);
        l.line = before->line;
    }
    return l;
}

static void add_finding(const mem_checker *c, const leak *l) {
    vg_finding f = {.kind = VGPU_FOUND_LEAK,
                    .fact.says = VGPU_LEAK,
                    .severity = VG_WARNING,
                    .count = l->count,
                    .num_sites = l->line != 0};
    char where[300] = "";
    if (l->line != 0) {
        f.site[0].line = l->line;
        f.site[0].action = "allocated";
        memcpy(f.site[0].file, l->file, sizeof f.site[0].file);
        snprintf(where, sizeof where, " at %.256s:%d", l->file, l->line);
    }
    if (l->count == 1) {
        snprintf(f.object, sizeof f.object, "allocation #%" PRIu32 " (%" PRIu64 " bytes)",
                 l->serial, l->bytes);
    } else {
        snprintf(f.object, sizeof f.object, "%" PRIu64 " allocations (%" PRIu64 " bytes)", l->count,
                 l->bytes);
    }
    snprintf(f.message, sizeof f.message,
             "warning: leak: %s, made by %s%s, never freed: every %s needs its %s", f.object,
             l->call, where, l->call, l->freed_by);
    vg_findings_add(c->findings, &f);
}

void mem_checker_leaks(mem_checker *c, uint32_t first) {
    enum { MOST = 64 }; /* lines told; a program has few */
    leak leaks[MOST];
    size_t count = 0, kinds = 0;
    leak before = {0};
    const void *last = NULL;
    const vg_alloc *live = vg_mem_live(c->mem, &count);
    for (size_t i = 0; i < count; i++) {
        if (live[i].kind == VG_MEM_MODULE || live[i].adopted || live[i].serial < first)
            continue;
        const leak l = leak_of(c, &live[i], &before, &last);
        size_t k = 0;
        while (k < kinds && (leaks[k].line != l.line || strcmp(leaks[k].call, l.call) != 0 ||
                             strcmp(leaks[k].file, l.file) != 0))
            k++;
        if (k < kinds) {
            leaks[k].count++;
            leaks[k].bytes += l.bytes;
            leaks[k].serial = l.serial < leaks[k].serial ? l.serial : leaks[k].serial;
        } else if (kinds < MOST) {
            leaks[kinds++] = l;
        }
    }
    for (size_t k = 0; k < kinds; k++)
        add_finding(c, &leaks[k]);
}
