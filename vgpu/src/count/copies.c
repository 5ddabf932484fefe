/* copies.c: see copies.h. */
#include "vgpu/src/count/copies.h"

#include <stdlib.h>
#include <string.h>

void vg_copies_reset(copies *c) {
    vg_copies_block(c);
    c->any = c->failed = false;
}

void vg_copies_block(copies *c) {
    if (!c->any)
        return;
    memset(c->on_way, 0, sizeof c->on_way);
    memset(c->word, 0, c->words * sizeof *c->word);
}

/* The word at an offset of shared memory; NULL: no copy went there. */
static copied_word *word_at(const copies *c, uint64_t at) {
    return at / 4 < c->words ? &c->word[at / 4] : NULL;
}

static bool room_for(copies *c, uint64_t at) {
    if (word_at(c, at) != NULL)
        return true;
    const size_t words = 2 * (size_t)(at / 4) + 1024;
    copied_word *more = realloc(c->word, words * sizeof *more);
    if (more == NULL) {
        c->failed = true;
        return false;
    }
    memset(more + c->words, 0, (words - c->words) * sizeof *more);
    c->word = more;
    c->words = words;
    return true;
}

static uint64_t *way_of(copies *c, const warp *w) {
    return &c->on_way[w - w->block->warps];
}

static uint64_t bytes_of(const vg_access *a) {
    return (uint64_t)__builtin_popcount(a->mask) * a->size;
}

void vg_copies_begin(copies *c, const vg_access *a) {
    uint64_t *way = way_of(c, a->warp);
    c->any = true;
    *way += bytes_of(a);
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint64_t at = a->at[__builtin_ctz(m)];
        for (uint32_t part = 0; part < a->size && room_for(c, at + part); part += 4)
            *word_at(c, at + part) = (copied_word){.hidden_from = c->loaded + VG_HIDING * *way};
    }
}

void vg_copies_end(copies *c, const vg_access *a) {
    uint64_t *way = way_of(c, a->warp);
    *way -= bytes_of(a) < *way ? bytes_of(a) : *way;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint64_t at = a->at[__builtin_ctz(m)];
        for (uint32_t part = 0; part < a->size; part += 4) {
            copied_word *word = word_at(c, at + part);
            if (word != NULL)
                word->hid = c->loaded >= word->hidden_from;
        }
    }
}

void vg_copies_store(copies *c, const vg_access *a) {
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint64_t at = a->at[__builtin_ctz(m)];
        for (uint32_t part = 0; part < a->size; part += 4) {
            copied_word *word = word_at(c, at + part);
            if (word != NULL)
                word->hid = false;
        }
    }
}

uint64_t vg_copies_load(copies *c, const vg_access *a, uint64_t bytes) {
    const copied_word *word = c->any ? word_at(c, a->at[__builtin_ctz(a->mask)]) : NULL;
    c->loaded += bytes;
    return word != NULL && word->hid ? bytes : 0;
}

void vg_copies_free(copies *c) {
    free(c->word);
}
