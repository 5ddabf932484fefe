/*
 * generator.c: cuRAND's host calls. XORWOW fills an array with 4096 generators side by side, 2^67
 * numbers apart: each item, be it an integer, a float, a double or a pair of normal numbers, is the
 * next one's in turn. Numbers are made on the host, and go to device memory by a copy on the
 * generator's stream, which the checkers see like any other.
 */
#include "vgpu/include/curand.h"

#include "vgpu/src/core/random.h"
#include "vgpu/src/runtime/graph.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 4096 };

typedef struct lane {
    uint32_t d, v[5];
} lane;

struct curandGenerator_st {
    bool on_host;
    bool seeded; /* lanes are what seed and position say */
    cudaStream_t stream;
    uint64_t seed, position; /* items made so far */
    lane lanes[LANES];
};

/* ---- the numbers ---- */

/* Lane i has made the items i, i + 4096 … before the position, of one number each. */
static void seed_lanes(struct curandGenerator_st *g) {
    const uint32_t t0 = 1099087573u * ((uint32_t)g->seed ^ 0xaad26b49u);
    const uint32_t t1 = 2591861531u * ((uint32_t)(g->seed >> 32) ^ 0xf7dcefddu);
    lane l = {6615241u + t1 + t0,
              {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}};
    for (uint64_t i = 0; i < LANES; i++) {
        const uint64_t made = g->position / LANES + (g->position % LANES > i);
        g->lanes[i] = l;
        g->lanes[i].d += 362437u * (uint32_t)made;
        vg_xorwow_skip(g->lanes[i].v, 0, made);
        vg_xorwow_skip(l.v, 1, 0);
    }
    g->seeded = true;
}

static uint32_t next(lane *l) {
    const uint32_t t = l->v[0] ^ l->v[0] >> 2;
    for (int i = 0; i < 4; i++)
        l->v[i] = l->v[i + 1];
    l->v[4] = l->v[4] ^ l->v[4] << 4 ^ t ^ t << 1;
    l->d += 362437u;
    return l->v[4] + l->d;
}

static float next_float(lane *l) {
    return (float)next(l) * 0x1p-32f + 0x1p-33f;
}

/* 53 random bits, in units of 2^-53. */
static double next_double(lane *l) {
    const uint64_t low = next(l), high = next(l);
    return (double)(low ^ high << 21);
}

/* What a call asks for. */
enum kind { INTEGERS, UNIFORM, NORMAL, LOG_NORMAL };
typedef struct wish {
    const char *call;
    enum kind kind;
    bool twice; /* doubles */
    double mean, stddev;
} wish;

static void put_pair(const wish *w, lane *l, uint8_t *out) {
    const double tau = 6.283185307179586;
    double size, turn, two[2];
    if (w->twice) {
        size = next_double(l) * 0x1p-53 + 0x1p-54;
        turn = next_double(l) * 0x1p-52 + 0x1p-53;
        turn *= tau / 2;
    } else {
        size = (double)next_float(l);
        turn = (double)next_float(l) * tau;
    }
    const double radius = sqrt(-2 * log(size));
    two[0] = radius * sin(turn);
    two[1] = radius * cos(turn);
    for (int i = 0; i < 2; i++) {
        const double normal = w->mean + w->stddev * two[i],
                     value = w->kind == NORMAL ? normal : exp(normal);
        if (w->twice)
            ((double *)(void *)out)[i] = value;
        else
            ((float *)(void *)out)[i] = (float)value;
    }
}

/* Makes `num` numbers of a wish, one behind the other. */
static void make(struct curandGenerator_st *g, const wish *w, uint8_t *out, size_t num) {
    const size_t bytes = w->twice ? 8 : 4, step = w->kind >= NORMAL ? 2 : 1;
    for (size_t i = 0; i < num; i += step, out += step * bytes) {
        lane *l = &g->lanes[g->position++ % LANES];
        if (w->kind >= NORMAL)
            put_pair(w, l, out);
        else if (w->kind == INTEGERS)
            *(uint32_t *)(void *)out = next(l);
        else if (w->twice)
            *(double *)(void *)out = next_double(l) * 0x1p-53 + 0x1p-54;
        else
            *(float *)(void *)out = next_float(l);
    }
}

/* ---- calls ---- */

/* Locks, and finds the generator. NULL: unlocked again, there is none. */
static struct curandGenerator_st *enter(curandGenerator_t generator, vg_context **ctx) {
    *ctx = vg_begin();
    struct curandGenerator_st *g = generator ? vg_ptrmap_get(&(*ctx)->generators, generator) : NULL;
    if (!g)
        vg_end_quietly(*ctx);
    return g;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host,
                             const char *call) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    vg_context *ctx = vg_begin();
    curandStatus_t status =
        vg_ready(ctx) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
    if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW) {
        vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = call, .name = "generators other than XORWOW",
                             .other = " here: take CURAND_RNG_PSEUDO_DEFAULT; kernels have Philox "
                                      "and MRG32k3a, too"));
        status = CURAND_STATUS_TYPE_ERROR;
    }
    struct curandGenerator_st *g = status == CURAND_STATUS_SUCCESS ? calloc(1, sizeof *g) : NULL;
    if (g && vg_ptrmap_put(&ctx->generators, g, g)) {
        g->on_host = on_host;
        *generator = g;
    } else if (status == CURAND_STATUS_SUCCESS) {
        free(g);
        status = CURAND_STATUS_ALLOCATION_FAILED;
    }
    vg_end_quietly(ctx);
    return status;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type) {
    return create(generator, rng_type, false, "curandCreateGenerator");
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type) {
    return create(generator, rng_type, true, "curandCreateGeneratorHost");
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    vg_context *ctx = NULL;
    struct curandGenerator_st *g = enter(generator, &ctx);
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    free(vg_ptrmap_take(&ctx->generators, g));
    vg_end_quietly(ctx);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    vg_context *ctx = NULL;
    struct curandGenerator_st *g = enter(generator, &ctx);
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    vg_end_quietly(ctx);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
    vg_context *ctx = NULL;
    struct curandGenerator_st *g = enter(generator, &ctx);
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->seeded = g->seeded && g->seed == seed;
    g->seed = seed;
    vg_end_quietly(ctx);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    vg_context *ctx = NULL;
    struct curandGenerator_st *g = enter(generator, &ctx);
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->position = offset;
    g->seeded = false;
    vg_end_quietly(ctx);
    return CURAND_STATUS_SUCCESS;
}

/* Fills an array as wished. */
static curandStatus_t generate(curandGenerator_t generator, const wish *w, void *to, size_t num) {
    vg_context *ctx = NULL;
    struct curandGenerator_st *g = enter(generator, &ctx);
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    const bool captured = vg_is_captured(ctx, g->stream), on_host = g->on_host;
    const cudaStream_t stream = g->stream;
    size_t bytes = 0;
    const bool too_many = __builtin_mul_overflow(num, w->twice ? 8u : 4u, &bytes);
    curandStatus_t status = CURAND_STATUS_SUCCESS;
    if (captured)
        vg_capture_refuses(ctx, w->call, stream,
                           "the virtual GPU makes no nodes of cuRAND's calls");
    if (captured)
        status = CURAND_STATUS_PREEXISTING_FAILURE;
    else if (too_many)
        status = CURAND_STATUS_ALLOCATION_FAILED;
    else if (w->kind >= NORMAL && num % 2 != 0)
        status = CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    else if (!on_host && num > 0 && !vg_device_bytes(ctx, w->call, VGPU_DESTINATION, to, bytes))
        status = CURAND_STATUS_LAUNCH_FAILURE;
    uint8_t *made = status != CURAND_STATUS_SUCCESS ? NULL : on_host ? to : malloc(bytes + 1);
    if (status == CURAND_STATUS_SUCCESS && !made)
        status = on_host ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_ALLOCATION_FAILED;
    if (made && num > 0) {
        if (!g->seeded)
            seed_lanes(g);
        make(g, w, made, num);
    }
    vg_end_quietly(ctx);
    if (made && !on_host && num > 0) {
        const side from = {VGPU_SOURCE, made, bytes, bytes},
                   to_side = {VGPU_DESTINATION, to, bytes, bytes};
        const request r = {w->call, true, stream, NULL};
        if (vg_copy_call(r, &to_side, &from, (extent){bytes, 1, 1}, cudaMemcpyHostToDevice) !=
            cudaSuccess)
            status = CURAND_STATUS_LAUNCH_FAILURE;
    }
    if (made && !on_host)
        free(made);
    return status;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num) {
    const wish w = {"curandGenerate", INTEGERS, false, 0, 1};
    return generate(generator, &w, outputPtr, num);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num) {
    const wish w = {"curandGenerateUniform", UNIFORM, false, 0, 1};
    return generate(generator, &w, outputPtr, num);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr,
                                           size_t num) {
    const wish w = {"curandGenerateUniformDouble", UNIFORM, true, 0, 1};
    return generate(generator, &w, outputPtr, num);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                    float mean, float stddev) {
    const wish w = {"curandGenerateNormal", NORMAL, false, (double)mean, (double)stddev};
    return generate(generator, &w, outputPtr, n);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n,
                                          double mean, double stddev) {
    const wish w = {"curandGenerateNormalDouble", NORMAL, true, mean, stddev};
    return generate(generator, &w, outputPtr, n);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                       float mean, float stddev) {
    const wish w = {"curandGenerateLogNormal", LOG_NORMAL, false, (double)mean, (double)stddev};
    return generate(generator, &w, outputPtr, n);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr,
                                             size_t n, double mean, double stddev) {
    const wish w = {"curandGenerateLogNormalDouble", LOG_NORMAL, true, mean, stddev};
    return generate(generator, &w, outputPtr, n);
}
