/*
 * devmem.c: the virtual GPU's memory, see devmem.h for the picture and the contract.
 *
 * Two sorted arrays hold everything: the live allocations, and those freed lately (so that a use
 * after free is called by its name). Addresses are handed out by next-fit: a cursor walks up the
 * reserved range and starts over at its bottom only when the top is reached, so an address comes
 * back as late as possible. Every allocation starts on a page of its own and is followed by a gap
 * that belongs to nobody: an index that runs past one matrix doesn't land in the next.
 *
 * This module refuses to know of kernels, error codes or messages' prefixes.
 */
#include "vgpu/src/memory/devmem.h"
#include "vgpu/src/memory/host_region.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    JUNK = 0xFF,       /* NaN in every floating-point type, -1 in every integer */
    MAX_FREED = 65536, /* how many freed allocations are remembered                          */
    PAGE_ALIGN = 4096
};

static const uint64_t MIN_CAPACITY = (uint64_t)64 << 20;
static const uint64_t MIN_GAP = (uint64_t)64 << 10;
static const uint64_t MAX_GAP = (uint64_t)1 << 30;

/* A growing array of allocations, sorted by address. */
typedef struct table {
    vg_alloc *at;
    size_t count, room;
} table;

struct vg_mem {
    uint64_t base;     /* first visible address            */
    uint64_t range;    /* bytes reserved, visible = backing */
    uint64_t capacity; /* bytes that may be alive at once   */
    uint64_t used;
    uint64_t cursor; /* where the next search starts      */
    uint8_t *bytes;  /* backing                           */
    uint32_t serial;
    table live, freed;
};

static uint64_t round_up(uint64_t n, uint64_t align) {
    return (n + align - 1) & ~(align - 1);
}

/* ---- sorted tables ---- */

/* Index of the first entry whose address is above addr. */
static size_t upper(const table *t, uint64_t addr) {
    size_t lo = 0;
    size_t hi = t->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->at[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool make_room(table *t) {
    if (t->count < t->room)
        return true;
    size_t room = t->room ? t->room * 2 : 64;
    vg_alloc *at = realloc(t->at, room * sizeof *at);
    if (!at)
        return false;
    t->at = at;
    t->room = room;
    return true;
}

/* The caller has made room. */
static void insert(table *t, const vg_alloc *a) {
    size_t i = upper(t, a->addr);
    memmove(&t->at[i + 1], &t->at[i], (t->count - i) * sizeof *t->at);
    t->at[i] = *a;
    t->count++;
}

static void remove_at(table *t, size_t i) {
    t->count--;
    memmove(&t->at[i], &t->at[i + 1], (t->count - i) * sizeof *t->at);
}

/* The entry that holds addr. An empty allocation holds its own address, so that it can be named. */
static const vg_alloc *holder(const table *t, uint64_t addr) {
    size_t i = upper(t, addr);
    if (i == 0)
        return NULL;
    const vg_alloc *a = &t->at[i - 1];
    return addr - a->addr < (a->size ? a->size : 1) ? a : NULL;
}

/* ---- creation ---- */

#define FAVOURITE_BASE ((void *)(uintptr_t)VG_MEM_USUAL_BASE)

/* Both reservations, or neither. */
static bool reserve(vg_mem *mem, void *at, uint64_t range) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (range > SIZE_MAX / 4) {
        errno = ENOMEM;
        return false;
    }
    /* The same addresses in every run make the same messages in every run; where that place is
     * taken, or the machine has a smaller address space, any other does. */
    void *seen = mmap(at, range, PROT_NONE, flags, -1, 0);
    if (seen == MAP_FAILED)
        return false;
    void *bytes = mmap(NULL, range, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (bytes == MAP_FAILED) {
        int why = errno;
        munmap(seen, range);
        errno = why;
        return false;
    }
    /* Gigabytes of untouched address space have no place in a core file. */
    (void)madvise(seen, range, MADV_DONTDUMP);
    (void)madvise(bytes, range, MADV_DONTDUMP);
    mem->base = (uint64_t)(uintptr_t)seen;
    mem->bytes = bytes;
    mem->range = range;
    return true;
}

/* A gap stands before the first allocation, too: an index of -1 is still a device address. */
static uint64_t first_address(const vg_mem *mem) {
    return mem->base + MIN_GAP;
}

/* No range is smaller. */
static uint64_t least_range(void) {
    return MIN_CAPACITY / 2 * 3 + PAGE_ALIGN;
}

/* What may be alive at once, of so much as was asked for. What is not counted serves for the
 * gaps. */
static uint64_t capacity_in(uint64_t range, uint64_t asked) {
    const uint64_t usable = range / 3 * 2;
    asked = asked < MIN_CAPACITY ? MIN_CAPACITY : asked;
    return asked < usable ? asked : usable;
}

vg_mem *vg_mem_create(uint64_t capacity) {
    vg_mem *mem = calloc(1, sizeof *mem);
    if (!mem)
        return NULL;
    if (capacity < MIN_CAPACITY)
        capacity = MIN_CAPACITY;
    /* Twice what can be alive, so that addresses need not be reused soon; less where an address
     * space limit (ulimit -v, a container) leaves less. */
    uint64_t range = round_up(capacity > UINT64_MAX / 4 ? capacity : 2 * capacity, PAGE_ALIGN);
    while (!reserve(mem, FAVOURITE_BASE, range)) {
        if (range <= least_range()) {
            int why = errno;
            free(mem);
            errno = why;
            return NULL;
        }
        range = round_up(range / 2, PAGE_ALIGN);
        if (range < least_range())
            range = least_range();
    }
    mem->capacity = capacity_in(range, capacity);
    mem->cursor = first_address(mem);
    return mem;
}

vg_mem *vg_mem_create_at(uint64_t base, uint64_t range, uint64_t capacity) {
    if (base % PAGE_ALIGN != 0 || base == 0 || range % PAGE_ALIGN != 0 || range < least_range() ||
        base + range < base) {
        errno = EINVAL;
        return NULL;
    }
    vg_mem *mem = calloc(1, sizeof *mem);
    if (mem && reserve(mem, (void *)(uintptr_t)base, range) && mem->base == base) {
        mem->capacity = capacity_in(range, capacity);
        mem->cursor = first_address(mem);
        return mem;
    }
    if (mem && mem->base != 0) { /* somewhere else */
        errno = EADDRNOTAVAIL;
        munmap((void *)(uintptr_t)mem->base, mem->range);
        munmap(mem->bytes, mem->range);
    }
    free(mem);
    return NULL;
}

/* ---- memory that the host sees, too ---- */

static bool is_host_kind(enum vg_mem_kind kind) {
    return kind == VG_MEM_PINNED || kind == VG_MEM_MANAGED;
}

uint8_t vg_mem_fresh(enum vg_mem_kind kind) {
    return kind == VG_MEM_MANAGED ? 0 : JUNK;
}

static size_t mapped_bytes(uint64_t size) {
    return round_up(size ? size : 1, PAGE_ALIGN);
}

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/*
 * Pages of their own, untouched ones (see touched.h), between two that nobody may touch:
 *
 *     | page | bytes, rounded up to whole pages | page |
 *
 * An index outside ends there. So does free(), which is no call for this memory: it looks at what
 * malloc() keeps right before it.
 */
static uint8_t *host_pages(uint64_t size) {
    const size_t page = page_bytes(), bytes = round_up(mapped_bytes(size), page);
    uint8_t *all =
        mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (mprotect(all + page, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(all, bytes + 2 * page);
        return NULL;
    }
    (void)madvise(all + page, bytes, MADV_NOHUGEPAGE); /* touching one touches no other */
    return all + page;
}

static void free_host_bytes(const vg_alloc *a) {
    const size_t page = page_bytes();
    if (a->paged)
        munmap(a->host - page, round_up(mapped_bytes(a->size), page) + 2 * page);
    else
        free(a->host);
}

/* Frees what an entry owns beside its bytes in the device range. */
static void drop(vg_alloc *a) {
    if (a->live && is_host_kind(a->kind) && !a->adopted)
        free_host_bytes(a);
    free((char *)a->name);
    a->name = NULL;
}

void vg_mem_destroy(vg_mem *mem) {
    if (!mem)
        return;
    for (size_t i = 0; i < mem->live.count; i++)
        drop(&mem->live.at[i]);
    for (size_t i = 0; i < mem->freed.count; i++)
        drop(&mem->freed.at[i]);
    free(mem->live.at);
    free(mem->freed.at);
    munmap((void *)(uintptr_t)mem->base, mem->range);
    munmap(mem->bytes, mem->range);
    free(mem);
}

uint64_t vg_mem_base(const vg_mem *mem) {
    return mem->base;
}

uint64_t vg_mem_range(const vg_mem *mem) {
    return mem->range;
}

uint64_t vg_mem_capacity(const vg_mem *mem) {
    return mem->capacity;
}

uint64_t vg_mem_used(const vg_mem *mem) {
    return mem->used;
}

/* ---- allocating ---- */

/* First address at or above `from` where size bytes and a gap fit between live allocations; 0 if
 * none. */
static uint64_t fit(const vg_mem *mem, uint64_t from, uint64_t size, uint64_t align, uint64_t gap) {
    const uint64_t end = mem->base + mem->range;
    uint64_t at = from;
    size_t i = upper(&mem->live, at);
    if (i > 0) { /* the neighbour below may reach past `from` */
        const vg_alloc *below = &mem->live.at[i - 1];
        uint64_t past = below->addr + below->size + MIN_GAP;
        if (past > at && below->addr >= mem->base)
            at = past;
    }
    for (;; i++) {
        at = round_up(at, align);
        if (at < from || at > end || size > end - at)
            return 0;
        if (i >= mem->live.count || mem->live.at[i].addr >= end)
            return at;
        const vg_alloc *next = &mem->live.at[i];
        if (next->addr >= at && next->addr - at >= size && next->addr - at - size >= gap)
            return at;
        uint64_t past = next->addr + next->size + MIN_GAP;
        if (past > at)
            at = past;
    }
}

/* A place for size bytes, with a generous gap behind it while there is room for one. */
static uint64_t find_place(vg_mem *mem, uint64_t size, uint64_t align) {
    uint64_t gap = size < MIN_GAP ? MIN_GAP : size > MAX_GAP ? MAX_GAP : round_up(size, PAGE_ALIGN);
    uint64_t at = fit(mem, mem->cursor, size, align, gap);
    if (!at)
        at = fit(mem, first_address(mem), size, align, MIN_GAP);
    if (!at)
        return 0;
    uint64_t next = at + round_up(size ? size : 1, PAGE_ALIGN) + gap;
    mem->cursor = next < mem->base + mem->range ? next : first_address(mem);
    return at;
}

/* Forgets freed allocations that overlap [addr, addr + size): the place has a new owner. */
static void forget_freed(vg_mem *mem, uint64_t addr, uint64_t size) {
    table *t = &mem->freed;
    size_t i = upper(t, addr);
    while (i > 0 && t->at[i - 1].addr + t->at[i - 1].size > addr)
        i--;
    while (i < t->count && t->at[i].addr < addr + (size ? size : 1)) {
        if (t->at[i].addr + t->at[i].size <= addr && t->at[i].addr != addr) {
            i++;
            continue;
        }
        drop(&t->at[i]);
        remove_at(t, i);
    }
}

/* Enters a new live allocation. The caller has made room in the table. */
static uint64_t enter(vg_mem *mem, vg_alloc *a) {
    forget_freed(mem, a->addr, a->size);
    a->serial = ++mem->serial;
    a->live = true;
    insert(&mem->live, a);
    if (!is_host_kind(a->kind))
        mem->used += a->size;
    return a->addr;
}

uint64_t vg_mem_alloc(vg_mem *mem, uint64_t size, uint64_t align, enum vg_mem_kind kind,
                      const char *name) {
    vg_alloc a = {.size = size, .kind = kind};
    if (align < PAGE_ALIGN)
        align = PAGE_ALIGN;
    if ((align & (align - 1)) != 0 || size > SIZE_MAX / 4 || !make_room(&mem->live))
        return 0;
    if (is_host_kind(kind)) {
        a.paged = align <= PAGE_ALIGN;
        a.host =
            a.paged ? host_pages(size) : aligned_alloc(align, round_up(size ? size : 1, align));
        if (!a.host)
            return 0;
        a.mapped = kind == VG_MEM_MANAGED && a.paged;
        a.addr = (uint64_t)(uintptr_t)a.host;
    } else {
        if (size > mem->capacity - mem->used)
            return 0;
        a.addr = find_place(mem, size, align);
        if (!a.addr)
            return 0;
        a.host = mem->bytes + (a.addr - mem->base);
    }
    if (name) {
        a.name = strdup(name);
        if (!a.name) {
            if (is_host_kind(kind))
                free_host_bytes(&a);
            return 0;
        }
    }
    if (!a.mapped)
        memset(a.host, vg_mem_fresh(kind), size);
    return enter(mem, &a);
}

static bool adopt(vg_mem *mem, uint64_t addr, void *host, uint64_t size, enum vg_mem_kind kind,
                  const char *name) {
    size_t i = upper(&mem->live, addr);
    if (i > 0 && mem->live.at[i - 1].addr + mem->live.at[i - 1].size > addr)
        return false;
    if (i < mem->live.count && mem->live.at[i].addr - addr < size)
        return false;
    if (!make_room(&mem->live))
        return false;
    vg_alloc a = {.addr = addr, .size = size, .host = host, .kind = kind, .adopted = true};
    if (name && !(a.name = strdup(name)))
        return false;
    enter(mem, &a);
    return true;
}

bool vg_mem_adopt(vg_mem *mem, void *host, uint64_t size) {
    return adopt(mem, (uint64_t)(uintptr_t)host, host, size, VG_MEM_PINNED, NULL);
}

bool vg_mem_bind(vg_mem *mem, void *host, uint64_t size, const char *name) {
    return adopt(mem, (uint64_t)(uintptr_t)host, host, size, VG_MEM_MODULE, name);
}

bool vg_mem_adopt_at(vg_mem *mem, uint64_t addr, void *host, uint64_t size, enum vg_mem_kind kind,
                     const char *name) {
    const uint64_t end = mem->base + mem->range;
    const bool inside = addr < end && size > 0 && addr + size > mem->base;
    return addr != 0 && addr + size >= addr && !inside && adopt(mem, addr, host, size, kind, name);
}

/* ---- freeing ---- */

static enum vg_free_status why_not(const vg_mem *mem, uint64_t addr) {
    if (holder(&mem->live, addr))
        return VG_FREE_INSIDE;
    const vg_alloc *old = holder(&mem->freed, addr);
    return old && old->addr == addr ? VG_FREE_TWICE : VG_FREE_UNKNOWN;
}

/* Remembers a freed allocation; when the history is full, the older half by address makes way. */
static void remember(vg_mem *mem, const vg_alloc *a) {
    table *t = &mem->freed;
    if (t->count >= MAX_FREED) {
        size_t half = t->count / 2;
        for (size_t i = 0; i < half; i++)
            drop(&t->at[i]);
        t->count -= half;
        memmove(t->at, &t->at[half], t->count * sizeof *t->at);
    }
    if (!make_room(t)) { /* no memory for history: the program goes on without */
        free((char *)a->name);
        return;
    }
    insert(t, a);
}

enum vg_free_status vg_mem_free(vg_mem *mem, uint64_t addr, enum vg_mem_kind kind) {
    size_t i = upper(&mem->live, addr);
    if (i == 0 || mem->live.at[i - 1].addr != addr)
        return why_not(mem, addr);
    vg_alloc a = mem->live.at[i - 1];
    if (a.kind != kind)
        return VG_FREE_KIND;
    remove_at(&mem->live, i - 1);
    if (a.adopted) {
        /* the program's own */
    } else if (!is_host_kind(kind)) {
        mem->used -= a.size;
        (void)madvise(a.host, round_up(a.size, PAGE_ALIGN), MADV_DONTNEED);
    } else {
        free_host_bytes(&a);
    }
    a.live = false;
    remember(mem, &a);
    return VG_FREE_OK;
}

void vg_mem_called_from(vg_mem *mem, uint64_t addr, const void *caller) {
    const table *tables[] = {&mem->live, &mem->freed};
    for (int i = 0; i < 2; i++) {
        const size_t at = upper(tables[i], addr);
        if (at == 0 || tables[i]->at[at - 1].addr != addr)
            continue;
        if (i == 0)
            tables[i]->at[at - 1].made_at = caller;
        else
            tables[i]->at[at - 1].freed_at = caller;
        return;
    }
}

bool vg_mem_history(const vg_mem *mem, uint64_t addr, uint32_t serial, const void **made_at,
                    const void **freed_at) {
    /* The access may lie behind its end. */
    const size_t at = upper(&mem->freed, addr);
    for (size_t i = at; i > 0 && i + 4 > at; i--) {
        const vg_alloc *a = &mem->freed.at[i - 1];
        if (a->serial == serial) {
            *made_at = a->made_at;
            *freed_at = a->freed_at;
            return true;
        }
    }
    return false;
}

/* ---- looking up ---- */

uint32_t vg_mem_next_serial(const vg_mem *mem) {
    return mem->serial + 1;
}

const vg_alloc *vg_mem_live(const vg_mem *mem, size_t *count) {
    *count = mem->live.count;
    return mem->live.at;
}

const vg_alloc *vg_mem_find(const vg_mem *mem, uint64_t addr) {
    const vg_alloc *a = holder(&mem->live, addr);
    return a && addr - a->addr < a->size ? a : NULL;
}

void *vg_mem_at(const vg_mem *mem, uint64_t addr, uint64_t size) {
    const vg_alloc *a = holder(&mem->live, addr);
    if (!a || size > a->size - (addr - a->addr))
        return NULL;
    return a->host + (addr - a->addr);
}

bool vg_mem_is_device_address(const vg_mem *mem, uint64_t addr) {
    return addr - mem->base < mem->range;
}

/* ---- describing ---- */

void vg_mem_name(const vg_alloc *a, struct vgpu_fact *f) {
    static const enum vgpu_memory what[] = {
        [VG_MEM_DEVICE] = VGPU_MEMORY_ALLOCATION,
        [VG_MEM_MODULE] = VGPU_MEMORY_VARIABLE,
        [VG_MEM_PINNED] = VGPU_MEMORY_PINNED,
        [VG_MEM_MANAGED] = VGPU_MEMORY_MANAGED,
    };
    f->memory = a->as != VGPU_MEMORY_UNKNOWN ? a->as
                : a->name                    ? VGPU_MEMORY_VARIABLE
                                             : what[a->kind];
    f->serial = a->serial;
    f->room = a->size;
    f->freed = !a->live;
    if (a->name)
        snprintf(f->name, sizeof f->name, "%s", a->name);
}

/* The entry that addr most likely meant to hit: the one just below it, or just above it, whichever
 * is nearer. Freed entries take part: reading past a freed array is first of all a use after free.
 */
static const vg_alloc *nearest(const vg_mem *mem, uint64_t addr, uint64_t *distance, bool *past) {
    const table *tables[] = {&mem->live, &mem->freed};
    const vg_alloc *best = NULL;
    for (int k = 0; k < 2; k++) {
        const table *t = tables[k];
        size_t i = upper(t, addr);
        if (i > 0 && vg_mem_is_device_address(mem, t->at[i - 1].addr)) {
            uint64_t d = addr - (t->at[i - 1].addr + t->at[i - 1].size);
            if (!best || d < *distance) {
                best = &t->at[i - 1];
                *distance = d;
                *past = true;
            }
        }
        if (i < t->count && vg_mem_is_device_address(mem, t->at[i].addr)) {
            uint64_t d = t->at[i].addr - addr;
            if (!best || d < *distance) {
                best = &t->at[i];
                *distance = d;
                *past = false;
            }
        }
    }
    return best;
}

static void locate_outside(const vg_mem *mem, uint64_t addr, struct vgpu_fact *f) {
    bool past = false;
    const vg_alloc *a = nearest(mem, addr, &f->distance, &past);
    f->place = !a ? VGPU_AT_NOTHING : past ? VGPU_AT_PAST : VGPU_AT_BEFORE;
    if (a)
        vg_mem_name(a, f);
}

/* Where nothing of the host's is, and an index that overflowed may lead from the device's memory.
 */
static bool is_beside_device(const vg_mem *mem, uint64_t addr) {
    const uint64_t reach = UINT64_C(1) << 36, base = vg_mem_base(mem);
    return addr >= base - reach && addr < base + vg_mem_range(mem) + reach &&
           vg_host_region(addr) == VGPU_HOST_UNKNOWN;
}

static vg_alloc *beginning_at(vg_mem *mem, uint64_t addr) {
    const size_t i = upper(&mem->live, addr);
    return i > 0 && mem->live.at[i - 1].addr == addr ? &mem->live.at[i - 1] : NULL;
}

bool vg_mem_lend(vg_mem *mem, uint64_t addr, bool read_only) {
    vg_alloc *a = beginning_at(mem, addr);
    if (a != NULL)
        a->read_only = read_only;
    return a != NULL;
}

void vg_mem_leave_blank(vg_mem *mem, uint64_t addr) {
    vg_alloc *a = beginning_at(mem, addr);
    if (a != NULL)
        a->blank = true;
}

void vg_mem_name_as(vg_mem *mem, uint64_t addr, enum vgpu_memory as) {
    vg_alloc *a = beginning_at(mem, addr);
    if (a != NULL)
        a->as = as;
}

bool vg_mem_was_host(const vg_mem *mem, uint64_t addr) {
    const vg_alloc *a = holder(&mem->freed, addr);
    return a != NULL && is_host_kind(a->kind) && vg_mem_find(mem, addr) == NULL;
}

const vg_alloc *vg_mem_beside_host(const vg_mem *mem, uint64_t addr) {
    const table *t = &mem->live;
    const size_t i = upper(t, addr), page = page_bytes();
    const vg_alloc *below = i > 0 ? &t->at[i - 1] : NULL, *above = i < t->count ? &t->at[i] : NULL;
    if (above != NULL && above->paged && above->addr - addr <= page)
        return above;
    if (below != NULL && below->paged && addr - below->addr >= below->size &&
        addr - below->addr < round_up(mapped_bytes(below->size), page) + page)
        return below;
    return NULL;
}

void vg_mem_locate(const vg_mem *mem, uint64_t addr, struct vgpu_fact *f) {
    const vg_alloc *live = vg_mem_find(mem, addr);
    const vg_alloc *freed = holder(&mem->freed, addr);
    const vg_alloc *beside = vg_mem_beside_host(mem, addr);
    f->distance = 0;
    if (!live && beside) {
        vg_mem_name(beside, f);
        f->place = addr < beside->addr ? VGPU_AT_BEFORE : VGPU_AT_PAST;
        f->distance =
            addr < beside->addr ? beside->addr - addr : addr - beside->addr - beside->size;
    } else if (live || freed) {
        vg_mem_name(live ? live : freed, f);
        f->distance = addr - (live ? live : freed)->addr;
        f->place = live && f->distance == 0 ? VGPU_AT_START : VGPU_AT_INSIDE;
    } else if (addr < PAGE_ALIGN) {
        f->place = addr == 0 ? VGPU_AT_NULL : VGPU_AT_NEAR_NULL;
        f->distance = addr;
    } else if (vg_mem_is_device_address(mem, addr) || is_beside_device(mem, addr)) {
        locate_outside(mem, addr, f);
    } else {
        f->place = VGPU_AT_HOST;
    }
}
