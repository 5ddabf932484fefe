/* hits.c: see hits.h. */
#include "vgpu/src/debug/hits.h"

#include <string.h>
#include <sys/mman.h>

typedef struct hit {
    uint64_t launch, op;
    uint64_t count;
    int number;
    enum dbg_phase phase;
} hit;

struct dbg_hits {
    uint64_t noted;
    bool full;
    uint64_t full_in; /* that launch */
    hit hit[DBG_MOST_HITS];
};

bool dbg_is_before(dbg_moment a, dbg_moment b) {
    return a.launch != b.launch ? a.launch < b.launch
           : a.op != b.op       ? a.op < b.op
                                : a.phase < b.phase;
}

/* Pages that nobody writes cost nothing. */
dbg_hits *dbg_hits_create(void) {
    void *room = mmap(NULL, sizeof(dbg_hits), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED ? room : NULL;
}

void dbg_hits_note(dbg_hits *h, dbg_moment when, const dbg_break *b) {
    if (!h->full && h->noted == DBG_MOST_HITS) {
        h->full = true;
        h->full_in = when.launch;
    }
    if (!h->full)
        h->hit[h->noted++] = (hit){when.launch, when.op, b->hits, b->number, when.phase};
}

static dbg_moment when(const dbg_hits *h, uint64_t i) {
    return (dbg_moment){h->hit[i].launch, h->hit[i].op, h->hit[i].phase};
}

/* The first hit that is not before the moment. */
static uint64_t first_from(const dbg_hits *h, dbg_moment moment) {
    uint64_t low = 0, high = h->noted;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (dbg_is_before(when(h, middle), moment))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* They are moved rarely, and many at once. */
void dbg_hits_forget(dbg_hits *h, uint64_t launch) {
    const uint64_t old = first_from(h, (dbg_moment){launch, 0, DBG_AT_LINE});
    if (h->full && h->full_in < launch)
        h->full = false;
    if (old == 0 || 2 * old < h->noted)
        return;
    h->noted -= old;
    memmove(h->hit, h->hit + old, h->noted * sizeof h->hit[0]);
}

uint64_t dbg_hits_number(const dbg_hits *h, dbg_moment moment, int number) {
    for (uint64_t i = first_from(h, moment); i < h->noted && !dbg_is_before(moment, when(h, i));
         i++)
        if (h->hit[i].number == number)
            return h->hit[i].count;
    return 0;
}

static dbg_break *of_number(dbg_break list[DBG_BREAKS], int number) {
    for (int i = 0; i < DBG_BREAKS; i++)
        if (list[i].number == number && number != 0)
            return &list[i];
    return NULL;
}

bool dbg_hits_go_back(dbg_hits *h, dbg_moment to, dbg_break list[DBG_BREAKS], int number) {
    if (h->full)
        return false;
    while (h->noted > 0 && dbg_is_before(to, when(h, h->noted - 1))) {
        dbg_break *b = of_number(list, h->hit[--h->noted].number);
        if (b != NULL && b->hits > 0)
            b->hits--;
    }
    dbg_break *b = of_number(list, number);
    if (b != NULL && dbg_hits_number(h, to, number) == 0) {
        b->hits++;
        dbg_hits_note(h, to, b);
    }
    return true;
}
