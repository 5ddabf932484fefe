/*
 * heap.c: memory of malloc that a function on the CPU asks for, between guard pages (see worker.h).
 *
 *   | inaccessible page | unused | block .... | padding | inaccessible page |
 *                                ^ base       ^ bytes   ^ at most 15 bytes, known values
 *
 * A step past the end of a block faults at once, at the instruction that makes it; a store into the
 * padding is noticed when the block is given back, or when the call ends. A block that was given
 * back stays inaccessible until the call ends.
 *
 * What malloc gives holds NaN, so that a sum that begins with it is seen.
 *
 * Only while a call is guarded, only the first BLOCKS blocks that live at a time, and none of more
 * than MOST_BYTES: more than a function of this course needs, and few enough for a look at each.
 * What is asked for elsewhere, and by other functions (aligned_alloc), comes from the C library.
 *
 * The definitions are weak, as lent.c's are.
 */
#include "grading/worker/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCKS = 256, MOST_BYTES = 16 << 20, ALIGN = 16, PADDING = 0xA5, UNSET = 0xFF };

struct block {
    unsigned char *map; /* NULL: this place is free */
    size_t map_bytes;
    unsigned char *base;
    size_t bytes;
    const void *asker; /* the caller of malloc */
    bool freed;
};

static struct heap {
    struct block block[BLOCKS];
    int blocks; /* of these places are taken: none in most programs, and then nobody waits */
    bool on;
    pthread_mutex_t lock;
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

static struct block *free_place(void) {
    for (int i = 0; i < BLOCKS; i++)
        if (!heap.block[i].map)
            return &heap.block[i];
    return NULL;
}

static struct block *block_at(const void *p) {
    for (int i = 0; i < BLOCKS && p; i++)
        if (heap.block[i].map && heap.block[i].base == p)
            return &heap.block[i];
    return NULL;
}

static bool make(struct block *b, size_t bytes, const void *asker) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), padded = round_up(bytes, ALIGN);
    const size_t inside = round_up(padded > 0 ? padded : 1, page);
    void *map = mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return false;
    unsigned char *first = (unsigned char *)map + page;
    if (mprotect(first, inside, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, inside + 2 * page);
        return false;
    }
    *b = (struct block){.map = map,
                        .map_bytes = inside + 2 * page,
                        .base = first + inside - padded,
                        .bytes = bytes,
                        .asker = asker};
    memset(b->base + bytes, PADDING, padded - bytes);
    __atomic_add_fetch(&heap.blocks, 1, __ATOMIC_RELEASE);
    return true;
}

static void unmap(struct block *b) {
    munmap(b->map, b->map_bytes);
    b->map = NULL;
    __atomic_sub_fetch(&heap.blocks, 1, __ATOMIC_RELEASE);
}

static bool is_empty(void) {
    return __atomic_load_n(&heap.blocks, __ATOMIC_ACQUIRE) == 0;
}

/* NULL: the C library must be asked. */
static void *guarded(size_t bytes, const void *asker) {
    void *p = NULL;
    if (!heap.on || bytes > MOST_BYTES)
        return NULL;
    pthread_mutex_lock(&heap.lock);
    struct block *b = free_place();
    if (b && make(b, bytes, asker))
        p = b->base;
    pthread_mutex_unlock(&heap.lock);
    return p;
}

/* Has the padding behind the block been stored into? The process ends then. */
static void check_padding(const struct block *b) {
    for (size_t i = b->bytes; i < round_up(b->bytes, ALIGN) && !b->freed; i++)
        if (b->base[i] != PADDING)
            worker_heap_overrun(
                &(struct heap_hit){.byte = (int64_t)i, .bytes = b->bytes, .asker = b->asker});
}

void worker_heap_guard(bool on) {
    heap.on = on;
    pthread_mutex_lock(&heap.lock);
    for (int i = 0; i < BLOCKS && !on && !is_empty(); i++) {
        struct block *b = &heap.block[i];
        if (!b->map)
            continue;
        check_padding(b);
        if (b->freed)
            unmap(b);
    }
    pthread_mutex_unlock(&heap.lock);
}

bool worker_heap_takes_back(void *p) {
    if (is_empty())
        return false;
    pthread_mutex_lock(&heap.lock);
    struct block *b = block_at(p);
    if (b && b->freed) /* twice */
        worker_heap_overrun(
            &(struct heap_hit){.bytes = b->bytes, .asker = b->asker, .freed = true});
    if (b && !b->freed) {
        check_padding(b);
        b->freed = true;
        if (heap.on)
            mprotect(b->map, b->map_bytes, PROT_NONE);
        else
            unmap(b);
    }
    pthread_mutex_unlock(&heap.lock);
    return b != NULL;
}

bool worker_heap_knows(const void *p, size_t *bytes) {
    if (is_empty())
        return false;
    pthread_mutex_lock(&heap.lock);
    const struct block *b = block_at(p);
    if (b)
        *bytes = b->bytes;
    pthread_mutex_unlock(&heap.lock);
    return b != NULL;
}

bool worker_heap_covers(const void *address, struct heap_hit *hit) {
    const unsigned char *at = address;
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &heap.block[i];
        if (!b->map || at < b->map || at >= b->map + b->map_bytes)
            continue;
        *hit = (struct heap_hit){
            .byte = at - b->base, .bytes = b->bytes, .asker = b->asker, .freed = b->freed};
        return true;
    }
    return false;
}

void worker_heap_in_use(uint64_t *bytes, uint64_t *mapped) {
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &heap.block[i];
        *bytes += b->map && !b->freed ? b->bytes : 0;
        *mapped += b->map ? b->map_bytes : 0;
    }
}

/* ---- what a program calls ---- */

__attribute__((weak)) void *malloc(size_t bytes) {
    void *p = guarded(bytes, __builtin_return_address(0));
    return p ? memset(p, UNSET, bytes) : worker_next_malloc(bytes);
}

__attribute__((weak)) void *calloc(size_t count, size_t size) {
    size_t bytes;
    void *p = NULL; /* pages of a fresh mapping are zero */
    if (!__builtin_mul_overflow(count, size, &bytes))
        p = guarded(bytes, __builtin_return_address(0));
    return p ? p : worker_next_calloc(count, size);
}
