/*
 * texture_indirect_functions.h: fetches from texture objects: tex1Dfetch, tex1D, tex2D, tex3D,
 * tex1DLayered, tex2DLayered. A part of cuda_runtime.h; each is one instruction.
 */
#ifndef VGPU_TEXTURE_INDIRECT_FUNCTIONS_H
#define VGPU_TEXTURE_INDIRECT_FUNCTIONS_H
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

#include "vgpu_device.h"

/* What an instruction fetches, before it is a T: four registers of one of three types. */
template <class Word> struct vgpu_texel { Word x, y, z, w; };

/* name(object, coordinates) for registers of each type. */
#define VGPU_FETCH(name, form, coordinates, parameters, ...)                                       \
    VGPU_FETCH_OF(name, float, "=f", form("f32"), coordinates, parameters, __VA_ARGS__)            \
    VGPU_FETCH_OF(name, int, "=r", form("s32"), coordinates, parameters, __VA_ARGS__)              \
    VGPU_FETCH_OF(name, unsigned int, "=r", form("u32"), coordinates, parameters, __VA_ARGS__)
#define VGPU_FETCH_OF(name, R, out, instruction, coordinates, parameters, ...)                     \
    VGPU_INTRINSIC vgpu_texel<R> name(R, cudaTextureObject_t object, VGPU_LIST parameters) {       \
        vgpu_texel<R> t;                                                                           \
        asm volatile(instruction " {%0, %1, %2, %3}, [%4, {" coordinates "}];"                     \
                     : out(t.x), out(t.y), out(t.z), out(t.w)                                      \
                     : "l"(object), __VA_ARGS__);                                                  \
        return t;                                                                                  \
    }
#define VGPU_LIST(...)         __VA_ARGS__
#define VGPU_FORM_1D(type)     "tex.1d.v4." type ".f32"
#define VGPU_FORM_1D_S32(type) "tex.1d.v4." type ".s32"
#define VGPU_FORM_2D(type)     "tex.2d.v4." type ".f32"
#define VGPU_FORM_3D(type)     "tex.3d.v4." type ".f32"
#define VGPU_FORM_A1D(type)    "tex.a1d.v4." type ".f32"
#define VGPU_FORM_A2D(type)    "tex.a2d.v4." type ".f32"

VGPU_FETCH(vgpu_tex1Dfetch, VGPU_FORM_1D_S32, "%5", (int x), "r"(x))
VGPU_FETCH(vgpu_tex1D, VGPU_FORM_1D, "%5", (float x), "f"(x))
VGPU_FETCH(vgpu_tex2D, VGPU_FORM_2D, "%5, %6", (float x, float y), "f"(x), "f"(y))
VGPU_FETCH(vgpu_tex3D, VGPU_FORM_3D, "%5, %6, %7, %7", (float x, float y, float z), "f"(x), "f"(y),
           "f"(z))
VGPU_FETCH(vgpu_tex1DLayered, VGPU_FORM_A1D, "%6, %5", (float x, int layer), "f"(x), "r"(layer))
VGPU_FETCH(vgpu_tex2DLayered, VGPU_FORM_A2D, "%7, %5, %6, %6", (float x, float y, int layer),
           "f"(x), "f"(y), "r"(layer))

#undef VGPU_FORM_A2D
#undef VGPU_FORM_A1D
#undef VGPU_FORM_3D
#undef VGPU_FORM_2D
#undef VGPU_FORM_1D_S32
#undef VGPU_FORM_1D
#undef VGPU_LIST
#undef VGPU_FETCH_OF
#undef VGPU_FETCH

/* Which types there are, and how each is made of registers. */
template <class T> struct vgpu_texel_as;
#define VGPU_TEXEL_AS(T, R, ...)                                                                   \
    template <> struct vgpu_texel_as<T> {                                                          \
        typedef R word;                                                                            \
        VGPU_INTRINSIC_MEMBER T of(const vgpu_texel<R> &t) { return __VA_ARGS__; }                 \
    };
#define VGPU_INTRINSIC_MEMBER static __device__ __attribute__((always_inline, nodebug))
#define VGPU_TEXEL_TYPES(T, vector, R)                                                             \
    VGPU_TEXEL_AS(T, R, (T)t.x)                                                                    \
    VGPU_TEXEL_AS(vector##1, R, make_##vector##1((T)t.x))                                          \
    VGPU_TEXEL_AS(vector##2, R, make_##vector##2((T)t.x, (T)t.y))                                  \
    VGPU_TEXEL_AS(vector##4, R, make_##vector##4((T)t.x, (T)t.y, (T)t.z, (T)t.w))

VGPU_TEXEL_TYPES(signed char, char, int)
VGPU_TEXEL_TYPES(unsigned char, uchar, unsigned int)
VGPU_TEXEL_TYPES(short, short, int)
VGPU_TEXEL_TYPES(unsigned short, ushort, unsigned int)
VGPU_TEXEL_TYPES(int, int, int)
VGPU_TEXEL_TYPES(unsigned int, uint, unsigned int)
VGPU_TEXEL_TYPES(float, float, float)
VGPU_TEXEL_AS(char, int, (char)t.x)

#undef VGPU_TEXEL_TYPES
#undef VGPU_INTRINSIC_MEMBER
#undef VGPU_TEXEL_AS

/* tex2D<float>(object, x, y), and tex2D(&value, object, x, y). */
#define VGPU_FETCHES(name, parameters, ...)                                                        \
    template <class T> VGPU_INTRINSIC T name(cudaTextureObject_t object, VGPU_LIST parameters) {   \
        typedef typename vgpu_texel_as<T>::word word;                                              \
        return vgpu_texel_as<T>::of(vgpu_##name(word(), object, __VA_ARGS__));                     \
    }                                                                                              \
    template <class T>                                                                             \
    VGPU_INTRINSIC void name(T *value, cudaTextureObject_t object, VGPU_LIST parameters) {         \
        *value = name<T>(object, __VA_ARGS__);                                                     \
    }
#define VGPU_LIST(...) __VA_ARGS__

VGPU_FETCHES(tex1Dfetch, (int x), x)
VGPU_FETCHES(tex1D, (float x), x)
VGPU_FETCHES(tex2D, (float x, float y), x, y)
VGPU_FETCHES(tex3D, (float x, float y, float z), x, y, z)
VGPU_FETCHES(tex1DLayered, (float x, int layer), x, layer)
VGPU_FETCHES(tex2DLayered, (float x, float y, int layer), x, y, layer)

#undef VGPU_LIST
#undef VGPU_FETCHES

#endif

#endif
