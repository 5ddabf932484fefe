/*
 * texture.h: textures: memory that kernels read by coordinates.
 *
 * A texture says where its elements are and how a coordinate becomes a value. The steps are those
 * of the programming guide: a coordinate is scaled if it is normalised; for linear
 * filtering it becomes a number with 8 bits behind the point, the rest of which weighs the two
 * elements (of each dimension) between which it lies; an element outside is another one, or the
 * border's colour, as the address mode says.
 *
 * Contract: textures are made and destroyed by the runtime while no kernel runs; nothing here
 * knows who may read what: vg_texture_taps names addresses, the executor looks them up.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are those of CUDA's enumerations of the same words. */
enum vg_texel_kind { VG_TEXEL_SIGNED, VG_TEXEL_UNSIGNED, VG_TEXEL_FLOAT };
enum vg_address_mode { VG_ADDRESS_WRAP, VG_ADDRESS_CLAMP, VG_ADDRESS_MIRROR, VG_ADDRESS_BORDER };

enum { VG_TEXTURE_DIMS = 3, VG_TEXTURE_TAPS = 8, VG_TEXEL_CHANNELS = 4 };

typedef struct vg_texture {
    uint64_t addr;                    /* of its first element, in device memory */
    int dims;                         /* 1 to 3, of a layer */
    uint32_t layers;                  /* 0: it has none */
    bool by_number;                   /* linear memory: elements have numbers, not coordinates */
    uint64_t extent[VG_TEXTURE_DIMS]; /* elements; 1 where it has no such dimension */
    uint64_t pitch, slice;            /* bytes from row to row, and to the next slice or layer */
    int channels, bits;               /* of an element: 1, 2 or 4, of 8, 16 or 32 bits each */
    enum vg_texel_kind kind;
    enum vg_address_mode address[VG_TEXTURE_DIMS];
    bool linear;            /* filter: between elements; else: the nearest */
    bool normalised;        /* coordinates from 0 to 1 stand for the whole extent */
    bool normalised_values; /* integers become floats from 0 (or -1) to 1 */
    float border[VG_TEXEL_CHANNELS];
    char label[48]; /* what it is made of, in words, for messages */
} vg_texture;

/* All textures that are alive, by their handles: numbers from 1. */
typedef struct vg_textures {
    vg_texture **at; /* at[handle - 1]; NULL: destroyed */
    size_t count;
} vg_textures;

/* What one fetch reads: up to 8 elements, each with its weight; an address of 0 is the border's
 * colour. */
typedef struct vg_taps {
    int count;
    uint64_t at[VG_TEXTURE_TAPS];
    uint32_t weight[VG_TEXTURE_TAPS]; /* of several, shares of 256 */
} vg_taps;

/* The new texture's handle, 0: no memory. The texture is copied. */
uint64_t vg_textures_add(vg_textures *all, const vg_texture *t);
/* NULL: there is none of this handle. */
const vg_texture *vg_textures_find(const vg_textures *all, uint64_t handle);
/* False: there is none. Handles are never given out again. */
bool vg_textures_remove(vg_textures *all, uint64_t handle);
void vg_textures_clear(vg_textures *all);

uint32_t vg_texel_bytes(const vg_texture *t);
/* The elements that a fetch at these coordinates (as many as dimensions) reads. A layer that is not
 * there is the last one. */
vg_taps vg_texture_taps(const vg_texture *t, const float *x, uint32_t layer);
/* The same for an element's number (tex1Dfetch). */
vg_taps vg_texture_tap_at(const vg_texture *t, int64_t number);
/* The four values of a fetch, as bits; texel[i] are the bytes of taps->at[i], unless that is 0. */
void vg_texture_value(const vg_texture *t, const vg_taps *taps, const uint8_t *const *texel,
                      uint32_t value[VG_TEXEL_CHANNELS]);
