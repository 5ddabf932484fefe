/*
 * race_merge.c: a block's reads and writes of a granule, merged into the summary of all blocks, 16
 * words at once: words that no block has touched, and reads of words that blocks have only read.
 * That is what nearly every block of a correct kernel does. Everything else is refused, and
 * race_states.c looks at each word.
 *
 * Compiled once for each instruction set (check.mk), as race_runs.c is.
 */
#include "vgpu/src/check/race_summary.h"
#include "vgpu/src/core/optable.h"

enum { TAG_IN_D = TAG_SHIFT - 80, BLOCK_MASK = (1 << BLOCK_BITS) - 1 };

/* Thread and line of an access, as the summary has them; 0 for none. */
static inline uint32_t short_who(uint32_t who, const uint32_t *site) {
    const uint32_t op = who != 0 ? who_op(who) : 0;
    return who != 0 ? who_thread(who) | site[op] << 10 : 0;
}

static bool mergeable(const summary *s, const granule *g) {
    uint32_t refuse = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t w = g->w[k], tag = (uint32_t)s->d[k] >> TAG_IN_D;
        const uint32_t fits = (tag == EMPTY) | ((tag == READ) & (w == 0));
        refuse |= (((w | g->r1[k]) != 0) & (fits ^ 1)) | (w == WHO_LISTED);
    }
    return refuse == 0;
}

/* The rules are race_states.c's merge_unit, as selections. */
static bool merge_words(summary *s, const granule *g, uint32_t block, const uint32_t *site) {
    uint32_t reader[16], writer[16];
    if (!mergeable(s, g))
        return false;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        reader[k] = short_who(g->r1[k], site);
        writer[k] = short_who(g->w[k], site);
    }
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t a = s->a[k], b = s->b[k], c = s->c[k], d = s->d[k];
        const uint32_t known = d >> TAG_IN_D == READ ? ~0u : 0; /* else: left by another launch */
        const uint32_t block1 = a & BLOCK_MASK & known;
        const uint32_t who1 = (a >> 24 | (b & 0x3FF) << 8) & known;
        const uint32_t block2 = (b >> 10 | (c & 3) << 22) & known;
        const uint32_t who2 = (c >> 2 | (d & 15) << 14) & known;
        const uint32_t first = (who1 == 0) | (block < block1);
        const uint32_t second = (block != block1) & ((who2 == 0) | (block < block2));
        const uint32_t owned = writer[k] != 0;
        const uint32_t new1 = first ? block : block1, by1 = first ? reader[k] : who1;
        const uint32_t new2 = owned ? writer[k] : first ? block1 : second ? block : block2;
        const uint32_t by2 = owned ? 0 : first ? who1 : second ? reader[k] : who2;
        const uint32_t tag = owned ? OWNED : READ, touched = (reader[k] | writer[k]) != 0;
        s->a[k] = touched ? new1 | by1 << 24 : a;
        s->b[k] = touched ? by1 >> 8 | new2 << 10 : b;
        s->c[k] = (uint16_t)(touched ? (new2 >> 22) | by2 << 2 : c);
        s->d[k] = (uint8_t)(touched ? by2 >> 14 | tag << TAG_IN_D : d);
    }
    return true;
}

static uint32_t settled_from(const summary *s) {
    uint32_t open = 0, from = 1;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t b = s->b[k], c = s->c[k], d = s->d[k];
        const uint32_t block2 = b >> 10 | (c & 3) << 22;
        open |= (d >> TAG_IN_D != READ) | ((c >> 2 | (d & 15) << 14) == 0);
        from = block2 > from ? block2 : from;
    }
    return open != 0 ? UNSETTLED : from;
}

/* Nobody touched a word, or all were touched in order. */
static bool in_order(const uint32_t who[16], whole_touch *t) {
    const uint32_t first = who[0], other = who[8];
    const uint32_t shift = who[1] != first ? 0 : who[2] != first ? 1 : 2;
    const uint32_t step = who[1u << shift] - first;
    uint32_t any = 0, differ = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        any |= who[k];
        differ |= who[k] ^ ((k < 8 ? first : other) + step * ((k & 7) >> shift));
    }
    *t = (whole_touch){{first, other}, (int16_t)step, (uint16_t)shift};
    return any == 0 || (first != 0 && other != 0 && differ == 0 && (int32_t)step == t->step);
}

static bool in_short(const granule *g, uint32_t block, whole *w) {
    whole_touch read, write;
    if (!in_order(g->r1, &read) || !in_order(g->w, &write) || g->w[0] == WHO_LISTED)
        return false;
    w->block = block;
    w->read = read;
    w->write = write;
    return true;
}

const race_merge VG_ISA_NAME(race_merge) = {merge_words, settled_from, in_short};
