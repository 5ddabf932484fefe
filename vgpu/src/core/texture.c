/* texture.c: see texture.h. */
#include "vgpu/src/core/texture.h"

#include "vgpu/src/core/halfs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- handles ---- */

uint64_t vg_textures_add(vg_textures *all, const vg_texture *t) {
    vg_texture **at = realloc(all->at, (all->count + 1) * sizeof(vg_texture *));
    if (at == NULL)
        return 0;
    all->at = at;
    at[all->count] = malloc(sizeof *t);
    if (at[all->count] == NULL)
        return 0;
    *at[all->count] = *t;
    return ++all->count;
}

static vg_texture **slot_of(const vg_textures *all, uint64_t handle) {
    return handle >= 1 && handle <= all->count ? &all->at[handle - 1] : NULL;
}

const vg_texture *vg_textures_find(const vg_textures *all, uint64_t handle) {
    vg_texture **slot = slot_of(all, handle);
    return slot != NULL ? *slot : NULL;
}

bool vg_textures_remove(vg_textures *all, uint64_t handle) {
    vg_texture **slot = slot_of(all, handle);
    if (slot == NULL || *slot == NULL)
        return false;
    free(*slot);
    *slot = NULL;
    return true;
}

void vg_textures_clear(vg_textures *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->at[i]);
        all->at[i] = NULL;
    }
}

/* ---- where to read ---- */

uint32_t vg_texel_bytes(const vg_texture *t) {
    return (uint32_t)(t->channels * t->bits / 8);
}

enum { FRACTION_BITS = 8, ONE = 1 << FRACTION_BITS };

/* Along one dimension: the elements and their weights. */
typedef struct tap_1d {
    int64_t element[2]; /* -1: outside, the border's colour */
    uint32_t weight[2];
    int count;
} tap_1d;

static int64_t modulo(int64_t i, int64_t n) {
    return i % n < 0 ? i % n + n : i % n;
}

/* The element that stands for element i of a row of n. */
static int64_t address_of(enum vg_address_mode mode, int64_t i, int64_t n) {
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case VG_ADDRESS_WRAP: return modulo(i, n);
    case VG_ADDRESS_MIRROR: {
        const int64_t m = modulo(i, 2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    case VG_ADDRESS_BORDER: return -1;
    default: return i < 0 ? 0 : n - 1;
    }
}

static tap_1d tap_along(const vg_texture *t, int dim, float x) {
    const int64_t n = (int64_t)t->extent[dim];
    /* Only normalised coordinates wrap and mirror: others are clamped. */
    const enum vg_address_mode asked = t->address[dim],
                               mode = t->normalised || asked == VG_ADDRESS_BORDER
                                          ? asked
                                          : VG_ADDRESS_CLAMP;
    const double most = 1 << 30, at = t->normalised ? (double)x * (double)n : (double)x;
    const double bounded = !(at > -most) ? -most : at > most ? most : at; /* a NaN is very small */
    tap_1d tap = {.count = 1, .weight = {ONE, 0}};
    if (!t->linear) {
        tap.element[0] = address_of(mode, (int64_t)floor(bounded), n);
        return tap;
    }
    const int64_t fixed = (int64_t)floor(bounded * ONE + 0.5) - ONE / 2;
    const int64_t lower = fixed >> FRACTION_BITS;
    tap.weight[1] = (uint32_t)(fixed & (ONE - 1));
    tap.weight[0] = ONE - tap.weight[1];
    tap.element[0] = address_of(mode, lower, n);
    tap.element[1] = address_of(mode, lower + 1, n);
    tap.count = tap.weight[1] != 0 ? 2 : 1;
    return tap;
}

vg_taps vg_texture_taps(const vg_texture *t, const float *x) {
    const uint64_t step[VG_TEXTURE_DIMS] = {vg_texel_bytes(t), t->pitch, t->slice};
    vg_taps taps = {.count = 1, .at = {t->addr}, .weight = {1}};
    for (int d = 0; d < t->dims; d++) {
        const tap_1d tap = tap_along(t, d, x[d]);
        for (int k = tap.count - 1; k >= 0; k--) /* the first last: it takes the place of its own */
            for (int i = 0; i < taps.count; i++) {
                const int to = k * taps.count + i;
                const bool inside = taps.at[i] != 0 && tap.element[k] >= 0;
                taps.weight[to] = taps.weight[i] * tap.weight[k];
                taps.at[to] = inside ? taps.at[i] + (uint64_t)tap.element[k] * step[d] : 0;
            }
        taps.count *= tap.count;
    }
    return taps;
}

vg_taps vg_texture_tap_at(const vg_texture *t, int64_t number) {
    const bool inside = number >= 0 && (uint64_t)number < t->extent[0];
    return (vg_taps){
        .count = 1,
        .at = {inside ? t->addr + (uint64_t)number * vg_texel_bytes(t) : 0},
        .weight = {ONE},
    };
}

/* ---- what is there ---- */

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool reads_floats(const vg_texture *t) {
    return t->kind == VG_TEXEL_FLOAT || t->normalised_values;
}

/* A channel of an element, as bits: of a float, or of an integer of 32 bits. */
static uint32_t channel_of(const vg_texture *t, const uint8_t *texel, int channel) {
    uint32_t raw = 0;
    memcpy(&raw, texel + channel * t->bits / 8, (size_t)t->bits / 8);
    if (t->kind == VG_TEXEL_FLOAT)
        return t->bits == 16 ? bits_of(f16_value(raw)) : raw;
    const int spare = 32 - t->bits;
    const int32_t value = (int32_t)(raw << spare) >> spare;
    if (!t->normalised_values)
        return t->kind == VG_TEXEL_SIGNED ? (uint32_t)value : raw;
    const double most = ldexp(1, t->bits - (t->kind == VG_TEXEL_SIGNED)) - 1;
    const double share = t->kind == VG_TEXEL_SIGNED ? value / most : raw / most;
    return bits_of((float)(share < -1 ? -1 : share));
}

/* The value of a tap's channel; outside, the border's; 0, 0, 0, 1 for channels that there are
 * not. */
static uint32_t tap_value(const vg_texture *t, const uint8_t *texel, int channel) {
    if (channel >= t->channels)
        return channel < VG_TEXEL_CHANNELS - 1 ? 0 : reads_floats(t) ? bits_of(1) : 1;
    if (texel != NULL)
        return channel_of(t, texel, channel);
    return reads_floats(t) ? bits_of(t->border[channel]) : (uint32_t)(int64_t)t->border[channel];
}

void vg_texture_value(const vg_texture *t, const vg_taps *taps, const uint8_t *const *texel,
                      uint32_t value[VG_TEXEL_CHANNELS]) {
    for (int c = 0; c < VG_TEXEL_CHANNELS; c++) {
        value[c] = tap_value(t, texel[0], c);
        if (taps->count == 1)
            continue;
        double sum = 0, all = 0;
        for (int i = 0; i < taps->count; i++) {
            sum += (double)float_of(tap_value(t, texel[i], c)) * taps->weight[i];
            all += taps->weight[i];
        }
        value[c] = bits_of((float)(sum / all));
    }
}
