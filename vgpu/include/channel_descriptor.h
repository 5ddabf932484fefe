/*
 * channel_descriptor.h: cudaCreateChannelDesc<T>(), the format of a texture's elements of type T.
 */
#ifndef VGPU_CHANNEL_DESCRIPTOR_H
#define VGPU_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus

/* Types that textures cannot have: no channels. */
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define VGPU_CHANNELS(T, x, y, z, w, kind)                                                         \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                          \
        return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);                     \
    }
/* A scalar, and vectors of it. */
#define VGPU_CHANNEL_TYPES(T, vector, bits, kind)                                                  \
    VGPU_CHANNELS(T, bits, 0, 0, 0, kind)                                                          \
    VGPU_CHANNELS(vector##1, bits, 0, 0, 0, kind)                                                  \
    VGPU_CHANNELS(vector##2, bits, bits, 0, 0, kind)                                               \
    VGPU_CHANNELS(vector##4, bits, bits, bits, bits, kind)

VGPU_CHANNEL_TYPES(signed char, char, 8, Signed)
VGPU_CHANNEL_TYPES(unsigned char, uchar, 8, Unsigned)
VGPU_CHANNEL_TYPES(short, short, 16, Signed)
VGPU_CHANNEL_TYPES(unsigned short, ushort, 16, Unsigned)
VGPU_CHANNEL_TYPES(int, int, 32, Signed)
VGPU_CHANNEL_TYPES(unsigned int, uint, 32, Unsigned)
VGPU_CHANNEL_TYPES(float, float, 32, Float)
VGPU_CHANNELS(char, 8, 0, 0, 0, Signed)

#undef VGPU_CHANNEL_TYPES
#undef VGPU_CHANNELS

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
    return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif

#endif
