/*
 * malloced.c: reads what glibc's malloc keeps of a piece of memory; see malloced.h.
 *
 *         at - 8                   at                             at - 16 + size
 *     ----+------------------------+--------------------- ... ----+------------------+----
 *         | size, and three bits   | the piece                    | (its last word)  | size of the
 *         |                        |                              |                  | next one
 *     ----+------------------------+--------------------- ... ----+------------------+----
 *
 * The bits: the piece before is in use (1), this one has pages of its own (2), it is of another
 * arena (4).
 */
#include "vgpu/src/runtime/malloced.h"

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#if defined(__GLIBC__) && __SIZEOF_POINTER__ == 8

enum { WORD = 8, ALIGNMENT = 16, LEAST = 32, IN_USE = 1, OWN_PAGES = 2, OTHER_ARENA = 4, BITS = 7 };

extern char end[]; /* the program's own variables end here, and its heap begins behind them */

/* Nobody's own memory, which sanitizers would object to. */
__attribute__((no_sanitize("address", "undefined"))) static size_t word_at(uintptr_t at) {
    return *(const volatile size_t *)at;
}

/* With pages of its own, the piece begins 16 bytes after the first, and ends with the last. */
static size_t room_in_pages(uintptr_t at, size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return size % page == 0 && word_at(at - ALIGNMENT) == 0 ? size - ALIGNMENT : SIZE_MAX;
}

size_t vg_malloced_room(const void *pointer) {
    const uintptr_t at = (uintptr_t)pointer, heap_end = (uintptr_t)sbrk(0);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const bool in_heap = at > (uintptr_t)end + LEAST && at < heap_end;
    if (at % ALIGNMENT != 0 || (!in_heap && at % page != ALIGNMENT))
        return SIZE_MAX;
    const size_t head = word_at(at - WORD), size = head & ~(size_t)BITS;
    if (!in_heap)
        return (head & BITS) == OWN_PAGES ? room_in_pages(at, size) : SIZE_MAX;
    if ((head & (OWN_PAGES | OTHER_ARENA)) != 0 || size < LEAST || size % ALIGNMENT != 0 ||
        size > heap_end - at)
        return SIZE_MAX;
    const size_t next = word_at(at + size - WORD), next_size = next & ~(size_t)BITS;
    const bool fits = (next & BITS) == IN_USE && next_size >= ALIGNMENT &&
                      next_size % ALIGNMENT == 0 && next_size <= heap_end - at - size + ALIGNMENT;
    return fits ? size - WORD : SIZE_MAX;
}

#else

size_t vg_malloced_room(const void *pointer) {
    (void)pointer;
    return SIZE_MAX;
}

#endif
