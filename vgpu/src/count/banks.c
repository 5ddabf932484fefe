/* banks.c: see banks.h. Exact and unhurried: count.c asks again only when the shape is new. */
#include "vgpu/src/count/banks.h"

#include <stdbool.h>

enum { LANES = 32, BANKS = 32, MAX_WORDS = 256 };

/* A set of words, in the order they came. */
typedef struct word_set {
    uint64_t word[MAX_WORDS];
    uint32_t count;
} word_set;

static bool put(word_set *set, uint64_t word) {
    for (uint32_t i = 0; i < set->count; i++)
        if (set->word[i] == word)
            return false;
    set->word[set->count++] = word;
    return true;
}

static uint32_t words_of(uint32_t size) {
    return size <= 4 ? 1 : size / 4;
}

/* Passes for the lanes of `mask`: the most different words that any bank must give. */
static uint32_t passes(const uint64_t *at, uint32_t mask, uint32_t words) {
    word_set seen = {.count = 0};
    uint32_t load[BANKS] = {0}, most = 0;
    for (; mask != 0; mask &= mask - 1) {
        const uint64_t first = at[__builtin_ctz(mask)] / 4;
        for (uint32_t k = 0; k < words; k++) {
            if (put(&seen, first + k)) {
                const uint32_t n = ++load[(first + k) % BANKS];
                most = n > most ? n : most;
            }
        }
    }
    return most;
}

/* Different words of all lanes together. */
static uint32_t all_words(const uint64_t *at, uint32_t mask, uint32_t words) {
    word_set seen = {.count = 0};
    for (; mask != 0; mask &= mask - 1)
        for (uint32_t k = 0; k < words; k++)
            put(&seen, at[__builtin_ctz(mask)] / 4 + k);
    return seen.count;
}

static bool all_at_one(const uint64_t *at, uint32_t mask) {
    uint64_t apart = 0;
    const uint64_t start = mask != 0 ? at[__builtin_ctz(mask)] : 0;
    for (; mask != 0; mask &= mask - 1)
        apart |= at[__builtin_ctz(mask)] ^ start;
    return apart == 0;
}

vg_bank_cost vg_bank_cost_of(const uint64_t *at, uint32_t mask, uint32_t size) {
    const uint32_t words = words_of(size);
    const uint32_t lanes = LANES / words; /* in a group */
    const uint32_t group = lanes == LANES ? UINT32_MAX : (1u << lanes) - 1;
    vg_bank_cost cost = {.words = all_words(at, mask, words)};
    if (all_at_one(at, mask)) {
        cost.wavefronts = mask != 0;
        return cost;
    }
    for (uint32_t first = 0; first < LANES; first += lanes) {
        const uint32_t active = mask & group << first;
        if (active != 0) {
            const uint32_t n = passes(at, active, words);
            cost.wavefronts += n;
            cost.conflicts += n - 1;
        }
    }
    return cost;
}

uint32_t vg_local_sectors(const uint64_t *at, uint32_t mask, uint32_t size) {
    word_set sectors = {.count = 0};
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(mask);
        for (uint32_t k = 0; k < words_of(size); k++)
            put(&sectors, (at[lane] / 4 + k) * 4 + lane / 8);
    }
    return sectors.count;
}

uint32_t vg_distinct_words(const uint64_t *at, uint32_t mask) {
    word_set words = {.count = 0};
    for (; mask != 0; mask &= mask - 1)
        put(&words, at[__builtin_ctz(mask)] / 4);
    return words.count;
}
