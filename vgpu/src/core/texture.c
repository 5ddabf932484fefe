/* texture.c: see texture.h. */
#include "vgpu/src/core/texture.h"

#include "vgpu/src/core/halfs.h"

#include <float.h>
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

/* Hardware cuts normalised coordinates to so many bits after the point: 0.2f lies before the
 * border of two of five texels. Subnormal ones are 0. */
enum { COORDINATE_BITS = 21 };

static double in_texels(const vg_texture *t, int dim, float x) {
    const double at = fabsf(x) < FLT_MIN ? 0 : (double)x;
    if (!t->normalised)
        return at;
    return floor(at * (1 << COORDINATE_BITS)) / (1 << COORDINATE_BITS) * (double)t->extent[dim];
}

static tap_1d tap_along(const vg_texture *t, int dim, float x) {
    const int64_t n = (int64_t)t->extent[dim];
    /* Only normalised coordinates wrap and mirror: others are clamped. */
    const enum vg_address_mode asked = t->address[dim],
                               mode = t->normalised || asked == VG_ADDRESS_BORDER
                                          ? asked
                                          : VG_ADDRESS_CLAMP;
    const double most = 1 << 30, at = in_texels(t, dim, x);
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

/* That part of a weight, halves rounded up. */
static uint32_t part_of(uint32_t weight, uint32_t fraction) {
    return (weight * fraction + ONE / 2) >> FRACTION_BITS;
}

/* In an image or a volume the weights are shares of 256, too. Hardware divides 256 along z, then
 * each part along x, then each of these along y. Along x what is rounded is the right part, and
 * the left one is the rest; along y the lower part on the right (of larger y), the upper on the
 * left. Taps that have no share are left out. */
static void weigh(vg_taps *taps, const tap_1d along[VG_TEXTURE_DIMS], int dims) {
    const tap_1d *x = &along[0], *y = &along[1];
    int left = 0;
    for (int i = 0; i < taps->count; i++) {
        const int right = i % x->count, lower = i / x->count % y->count,
                  far = i / x->count / y->count;
        uint32_t w = dims == 3 ? along[2].weight[far] : ONE;
        const uint32_t of_right = part_of(w, x->weight[1]);
        w = right ? of_right : w - of_right;
        const uint32_t rounded = part_of(w, y->weight[right]);
        w = right == lower ? rounded : w - rounded;
        if (w == 0)
            continue;
        taps->at[left] = taps->at[i];
        taps->weight[left++] = w;
    }
    taps->count = left;
}

vg_taps vg_texture_taps(const vg_texture *t, const float *x, uint32_t layer) {
    const uint64_t skip = t->layers == 0 ? 0 : layer < t->layers ? layer : t->layers - 1;
    const uint64_t step[VG_TEXTURE_DIMS] = {vg_texel_bytes(t), t->pitch, t->slice};
    vg_taps taps = {.count = 1, .at = {t->addr + skip * t->slice}, .weight = {1}};
    /* A line is an image of one row to hardware, fetched at its upper edge: what lies above counts
     * half, if it is the border's colour. */
    const bool line = t->dims == 1 && t->linear && t->address[1] == VG_ADDRESS_BORDER;
    tap_1d along[VG_TEXTURE_DIMS];
    for (int d = 0; d < t->dims + line; d++) {
        const tap_1d tap = tap_along(t, d, d < t->dims ? x[d] : 0);
        along[d] = tap;
        for (int k = tap.count - 1; k >= 0; k--) /* the first last: it takes the place of its own */
            for (int i = 0; i < taps.count; i++) {
                const int to = k * taps.count + i;
                const bool inside = taps.at[i] != 0 && tap.element[k] >= 0;
                taps.weight[to] = taps.weight[i] * tap.weight[k];
                taps.at[to] = inside ? taps.at[i] + (uint64_t)tap.element[k] * step[d] : 0;
            }
        taps.count *= tap.count;
    }
    if (t->linear && t->dims + line > 1)
        weigh(&taps, along, t->dims + line);
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

static uint32_t raw_of(const vg_texture *t, const uint8_t *texel, int channel) {
    uint32_t raw = 0;
    memcpy(&raw, texel + channel * t->bits / 8, (size_t)t->bits / 8);
    return raw;
}

static int32_t signed_of(const vg_texture *t, uint32_t raw) {
    const int spare = 32 - t->bits;
    return (int32_t)(raw << spare) >> spare;
}

/* A channel of an element, as bits: of a float, or of an integer of 32 bits. */
static uint32_t channel_of(const vg_texture *t, const uint8_t *texel, int channel) {
    const uint32_t raw = raw_of(t, texel, channel);
    if (t->kind == VG_TEXEL_FLOAT)
        return t->bits == 16 ? bits_of(f16_value(raw)) : raw;
    if (!t->normalised_values)
        return t->kind == VG_TEXEL_SIGNED ? (uint32_t)signed_of(t, raw) : raw;
    const double most = ldexp(1, t->bits - (t->kind == VG_TEXEL_SIGNED)) - 1;
    const double share = t->kind == VG_TEXEL_SIGNED ? signed_of(t, raw) / most : raw / most;
    return bits_of((float)(share < -1 ? -1 : share));
}

/* Where elements are shares of their largest value, so is the border's colour. */
static float border_of(const vg_texture *t, int channel) {
    const float least = t->kind == VG_TEXEL_SIGNED ? -1 : 0, colour = t->border[channel];
    return !t->normalised_values ? colour : colour < least ? least : colour > 1 ? 1 : colour;
}

/* The value of a tap's channel; outside, the border's; 0 for channels that there are not. */
static uint32_t tap_value(const vg_texture *t, const uint8_t *texel, int channel) {
    if (channel >= t->channels)
        return 0;
    if (texel != NULL)
        return channel_of(t, texel, channel);
    return reads_floats(t) ? bits_of(border_of(t, channel)) : (uint32_t)(int64_t)t->border[channel];
}

/* Shares of the largest value are added up as whole numbers of 16 bits. */
static double units_of(const vg_texture *t) {
    return t->kind == VG_TEXEL_SIGNED ? 32767 : 65535;
}

static bool has_shares(const vg_texture *t, int channel) {
    return t->normalised_values && t->kind != VG_TEXEL_FLOAT && channel < t->channels;
}

static double addend_of(const vg_texture *t, const uint8_t *texel, int channel) {
    if (!has_shares(t, channel))
        return (double)float_of(tap_value(t, texel, channel));
    if (texel == NULL)
        return border_of(t, channel) * units_of(t);
    const double most = ldexp(1, t->bits - (t->kind == VG_TEXEL_SIGNED)) - 1;
    const uint32_t raw = raw_of(t, texel, channel);
    return (t->kind == VG_TEXEL_SIGNED ? (double)signed_of(t, raw) : (double)raw) *
           (units_of(t) / most);
}

/* A weighted sum as hardware gives it: shares become those of 65,535, or with a sign of 32,767;
 * halves stay halves; floats are rounded to the nearest, from halfway up. */
static float filtered(const vg_texture *t, int channel, double sum) {
    const uint64_t half = UINT64_C(1) << 28; /* of a float's last bit, in a double */
    uint64_t bits;
    if (has_shares(t, channel)) {
        const double share = floor(sum + 0.5) / units_of(t);
        return (float)(share < -1 ? -1 : share);
    }
    if (t->bits == 16)
        return f16_value(f16_bits((float)sum));
    if (!(fabs(sum) >= FLT_MIN && fabs(sum) < FLT_MAX))
        return (float)sum;
    memcpy(&bits, &sum, sizeof bits);
    bits = (bits + half) & ~(2 * half - 1);
    memcpy(&sum, &bits, sizeof sum);
    return (float)sum;
}

void vg_texture_value(const vg_texture *t, const vg_taps *taps, const uint8_t *const *texel,
                      uint32_t value[VG_TEXEL_CHANNELS]) {
    for (int c = 0; c < VG_TEXEL_CHANNELS; c++) {
        value[c] = tap_value(t, texel[0], c);
        if (taps->count == 1)
            continue;
        double sum = 0, all = 0;
        for (int i = 0; i < taps->count; i++) {
            sum += addend_of(t, texel[i], c) * taps->weight[i];
            all += taps->weight[i];
        }
        value[c] = bits_of(filtered(t, c, sum / all));
    }
}
