/*
 * curand_kernel.h: random numbers in kernels: cuRAND's generators XORWOW, Philox and MRG32k3a, with
 * NVIDIA's names, seeds, sequences and bits.
 *
 *   curand_init(seed, sequence, offset, &state)   sequences are 2^67 numbers apart (Philox: 2^66,
 *                                                 MRG32k3a: 2^76)
 *   curand, curand4                  32 random bits; four times 32 (Philox)
 *   curand_uniform, _double          above 0, at most 1
 *   curand_normal, _log_normal       with 2, 4 and _double where NVIDIA has them
 *
 * Integers and uniform numbers are NVIDIA's to the bit. Normal ones come from logarithm, sine and
 * cosine, which the virtual GPU computes more exactly than a GPU: they differ in the last bits.
 */
#ifndef VGPU_CURAND_KERNEL_H
#define VGPU_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"

#if defined(__CUDA__) && defined(__clang__)

#define CURAND_2POW32_INV        (2.3283064e-10f)
#define CURAND_2POW32_INV_2PI    (2.3283064e-10f * 6.2831855f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV        (1.1102230246251565e-16)
#define CURAND_2POW53_INV_2PI    (CURAND_2POW53_INV * 6.2831853071795860)
#define CURAND_2PI               (6.2831855f)

/* What is left of a pair: the next call of the same kind returns it, one of the other kind throws
 * it away. */
enum vgpu_random_kind { VGPU_NO_SPARE, VGPU_SPARE_NORMAL, VGPU_SPARE_LOG_NORMAL };
struct vgpu_random_spare {
    enum vgpu_random_kind has_float, has_double;
    float of_float;
    double of_double;
};

/* Whatever goes wrong in these is told at the program's line that calls them. */
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

/* ---- XORWOW: Marsaglia's xorshift of five words, and a Weyl sequence ---- */

struct curandStateXORWOW {
    unsigned int d, v[5];
    struct vgpu_random_spare spare;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;

/* The executor's: v moves on by 2^67 * sequences + numbers. */
extern "C" __device__ __attribute__((nothrow)) void
__vgpu_xorwow_skip(unsigned int *v, unsigned long long sequences, unsigned long long numbers);

static __device__ inline void skipahead(unsigned long long numbers, curandStateXORWOW_t *state) {
    unsigned int v[5];
    for (int i = 0; i < 5; i++)
        v[i] = state->v[i];
    __vgpu_xorwow_skip(v, 0, numbers);
    for (int i = 0; i < 5; i++)
        state->v[i] = v[i];
    state->d += 362437u * (unsigned int)numbers;
}

static __device__ inline void skipahead_sequence(unsigned long long sequences,
                                                 curandStateXORWOW_t *state) {
    unsigned int v[5];
    for (int i = 0; i < 5; i++)
        v[i] = state->v[i];
    __vgpu_xorwow_skip(v, sequences, 0);
    for (int i = 0; i < 5; i++)
        state->v[i] = v[i];
}

static __device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                          unsigned long long offset, curandStateXORWOW_t *state) {
    const unsigned int t0 = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    const unsigned int t1 = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    unsigned int v[5] = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1,
                         5783321u + t0};
    __vgpu_xorwow_skip(v, sequence, offset);
    for (int i = 0; i < 5; i++)
        state->v[i] = v[i];
    state->d = 6615241u + t1 + t0 + 362437u * (unsigned int)offset;
    state->spare = vgpu_random_spare();
}

static __device__ inline unsigned int curand(curandStateXORWOW_t *state) {
    const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
    state->d += 362437u;
    return state->v[4] + state->d;
}

/* ---- Philox 4x32-10: ten rounds over a counter of 128 bits ---- */

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE; /* numbers of `output` that were given out */
    struct vgpu_random_spare spare;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

static __device__ inline uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
    for (int round = 0; round < 10; round++) {
        const unsigned int high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        const unsigned int high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}

/* The counter's lower half, counting on into the upper one, n further. */
static __device__ inline void vgpu_philox_count(curandStatePhilox4_32_10_t *s,
                                                unsigned long long n) {
    const unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + n;
    const unsigned long long high =
        ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + (sum < low ? 1 : 0);
    s->ctr = make_uint4((unsigned int)sum, (unsigned int)(sum >> 32), (unsigned int)high,
                        (unsigned int)(high >> 32));
}

static __device__ inline void skipahead_sequence(unsigned long long sequences,
                                                 curandStatePhilox4_32_10_t *s) {
    const unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + sequences;
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

static __device__ inline void skipahead(unsigned long long numbers, curandStatePhilox4_32_10_t *s) {
    const unsigned int used = s->STATE + (unsigned int)(numbers & 3);
    vgpu_philox_count(s, numbers / 4 + used / 4);
    s->STATE = used % 4;
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

static __device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                          unsigned long long offset,
                                          curandStatePhilox4_32_10_t *s) {
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    s->STATE = 0;
    s->spare = vgpu_random_spare();
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
}

static __device__ inline unsigned int vgpu_philox_at(uint4 v, unsigned int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

static __device__ inline unsigned int curand(curandStatePhilox4_32_10_t *s) {
    const unsigned int value = vgpu_philox_at(s->output, s->STATE++);
    if (s->STATE == 4) {
        vgpu_philox_count(s, 1);
        s->output = curand_Philox4x32_10(s->ctr, s->key);
        s->STATE = 0;
    }
    return value;
}

static __device__ inline uint4 curand4(curandStatePhilox4_32_10_t *s) {
    const uint4 now = s->output;
    vgpu_philox_count(s, 1);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
    const uint4 next = s->output;
    switch (s->STATE) {
    case 1: return make_uint4(now.y, now.z, now.w, next.x);
    case 2: return make_uint4(now.z, now.w, next.x, next.y);
    case 3: return make_uint4(now.w, next.x, next.y, next.z);
    default: return now;
    }
}

/* ---- MRG32k3a: L'Ecuyer's two recurrences of order 3 ---- */

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    struct vgpu_random_spare spare;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define VGPU_MRG_M1 4294967087ull
#define VGPU_MRG_M2 4294944443ull

/* The executor's: both recurrences move on by n * 2^doublings. */
extern "C" __device__ __attribute__((nothrow)) void
__vgpu_mrg32k3a_skip(unsigned int *s, unsigned long long n, unsigned int doublings);

static __device__ inline void vgpu_mrg_skip(unsigned long long n, unsigned int doublings,
                                            curandStateMRG32k3a_t *state) {
    unsigned int s[6];
    for (int i = 0; i < 6; i++)
        s[i] = i < 3 ? state->s1[i] : state->s2[i - 3];
    __vgpu_mrg32k3a_skip(s, n, doublings);
    for (int i = 0; i < 3; i++) {
        state->s1[i] = s[i];
        state->s2[i] = s[i + 3];
    }
}

static __device__ inline void skipahead(unsigned long long numbers, curandStateMRG32k3a_t *state) {
    vgpu_mrg_skip(numbers, 0, state);
}
static __device__ inline void skipahead_subsequence(unsigned long long sequences,
                                                    curandStateMRG32k3a_t *state) {
    vgpu_mrg_skip(sequences, 76, state);
}
static __device__ inline void skipahead_sequence(unsigned long long sequences,
                                                 curandStateMRG32k3a_t *state) {
    vgpu_mrg_skip(sequences, 127, state);
}

static __device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                          unsigned long long offset, curandStateMRG32k3a_t *state) {
    const unsigned long long x = (unsigned int)seed ^ 0x55555555u,
                             y = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu, start = 12345;
    for (int i = 0; i < 3; i++) {
        const unsigned long long first = i == 1 ? y : x, second = i == 1 ? x : y;
        state->s1[i] = (unsigned int)(seed ? first * start % VGPU_MRG_M1 : start);
        state->s2[i] = (unsigned int)(seed ? second * start % VGPU_MRG_M2 : start);
    }
    state->spare = vgpu_random_spare();
    skipahead_subsequence(sequence, state);
    skipahead(offset, state);
}

/* The next number, from 1 to 2^32 - 209. */
static __device__ inline unsigned int vgpu_mrg_next(curandStateMRG32k3a_t *s) {
    const unsigned long long a =
        (1403580 * (unsigned long long)s->s1[1] + 810728 * (VGPU_MRG_M1 - s->s1[0])) % VGPU_MRG_M1;
    const unsigned long long b =
        (527612 * (unsigned long long)s->s2[2] + 1370589 * (VGPU_MRG_M2 - s->s2[0])) % VGPU_MRG_M2;
    s->s1[0] = s->s1[1];
    s->s1[1] = s->s1[2];
    s->s1[2] = (unsigned int)a;
    s->s2[0] = s->s2[1];
    s->s2[1] = s->s2[2];
    s->s2[2] = (unsigned int)b;
    return (unsigned int)(a > b ? a - b : a + VGPU_MRG_M1 - b);
}

#define MRG32K3A_NORM      2.3283065498378288e-10
#define MRG32K3A_BITS_NORM 1.000000048662

static __device__ inline unsigned int curand(curandStateMRG32k3a_t *state) {
    return (unsigned int)((double)vgpu_mrg_next(state) * MRG32K3A_BITS_NORM);
}

/* ---- uniform: above 0, at most 1 ---- */

static __device__ inline float vgpu_uniform(unsigned int x) {
    return x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f);
}
static __device__ inline double vgpu_uniform_double(unsigned int x, unsigned int y) {
    const unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << (53 - 32));
    return z * CURAND_2POW53_INV + (CURAND_2POW53_INV / 2.0);
}

template <class State> static __device__ inline float curand_uniform(State *state) {
    return vgpu_uniform(curand(state));
}
template <class State> static __device__ inline double curand_uniform_double(State *state) {
    const unsigned int x = curand(state), y = curand(state);
    return vgpu_uniform_double(x, y);
}
/* One number, not two: 32 bits of the double are random. */
static __device__ inline double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
    return curand(state) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
static __device__ inline float curand_uniform(curandStateMRG32k3a_t *state) {
    return (float)(vgpu_mrg_next(state) * MRG32K3A_NORM);
}
static __device__ inline double curand_uniform_double(curandStateMRG32k3a_t *state) {
    return vgpu_mrg_next(state) * MRG32K3A_NORM;
}
static __device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return make_float4(vgpu_uniform(x.x), vgpu_uniform(x.y), vgpu_uniform(x.z), vgpu_uniform(x.w));
}
static __device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return make_double2(vgpu_uniform_double(x.x, x.y), vgpu_uniform_double(x.z, x.w));
}

/* ---- normal: two uniform numbers become two normal ones (Box and Muller) ---- */

static __device__ inline float2 vgpu_normal_pair(unsigned int x, unsigned int y) {
    const float u = x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f);
    const float v = y * CURAND_2POW32_INV_2PI + (CURAND_2POW32_INV_2PI / 2.0f);
    const float s = sqrtf(-2.0f * logf(u));
    return make_float2(s * sinf(v), s * cosf(v));
}
static __device__ inline double2 vgpu_normal_pair_double(double u, double v) {
    const double s = sqrt(-2.0 * log(u));
    return make_double2(s * sinpi(v), s * cospi(v));
}
static __device__ inline double2 vgpu_normal_pair_double(uint4 x) {
    const unsigned long long zx = (unsigned long long)x.x ^ ((unsigned long long)x.y << (53 - 32)),
                             zy = (unsigned long long)x.z ^ ((unsigned long long)x.w << (53 - 32));
    return vgpu_normal_pair_double(zx * CURAND_2POW53_INV + (CURAND_2POW53_INV / 2.0),
                                   zy * (CURAND_2POW53_INV * 2.0) + CURAND_2POW53_INV);
}

template <class State> static __device__ inline float2 curand_normal2(State *state) {
    const unsigned int x = curand(state), y = curand(state);
    return vgpu_normal_pair(x, y);
}
static __device__ inline float2 curand_normal2(curandStateMRG32k3a_t *state) {
    const float u = curand_uniform(state), v = curand_uniform(state) * CURAND_2PI;
    const float s = sqrtf(-2.0f * logf(u));
    return make_float2(s * sinf(v), s * cosf(v));
}
template <class State> static __device__ inline double2 curand_normal2_double(State *state) {
    uint4 x;
    x.x = curand(state);
    x.y = curand(state);
    x.z = curand(state);
    x.w = curand(state);
    return vgpu_normal_pair_double(x);
}
static __device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
    return vgpu_normal_pair_double(curand4(state));
}
static __device__ inline double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
    const double u = curand_uniform_double(state), v = curand_uniform_double(state);
    return vgpu_normal_pair_double(u, v * 2.0);
}
static __device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    const float2 a = vgpu_normal_pair(x.x, x.y), b = vgpu_normal_pair(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

/* One of a pair: the spare one, or the first of a new pair, whose second is the next spare one. */
#define VGPU_ONE_OF_PAIR(type, kind, pair)                                                         \
    if (state->spare.has_##type == kind) {                                                         \
        state->spare.has_##type = VGPU_NO_SPARE;                                                   \
        return state->spare.of_##type;                                                             \
    }                                                                                              \
    const type##2 two = pair;                                                                      \
    state->spare.has_##type = kind;                                                                \
    state->spare.of_##type = two.y;                                                                \
    return two.x;

template <class State> static __device__ inline float curand_normal(State *state) {
    VGPU_ONE_OF_PAIR(float, VGPU_SPARE_NORMAL, curand_normal2(state))
}
template <class State> static __device__ inline double curand_normal_double(State *state) {
    VGPU_ONE_OF_PAIR(double, VGPU_SPARE_NORMAL, curand_normal2_double(state))
}

static __device__ inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}
static __device__ inline double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
    const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* ---- log-normal ---- */

template <class State>
static __device__ inline float2 curand_log_normal2(State *state, float mean, float stddev) {
    const float2 n = curand_normal2(state);
    return make_float2(expf(mean + stddev * n.x), expf(mean + stddev * n.y));
}
template <class State>
static __device__ inline double2 curand_log_normal2_double(State *state, double mean,
                                                           double stddev) {
    const double2 n = curand_normal2_double(state);
    return make_double2(exp(mean + stddev * n.x), exp(mean + stddev * n.y));
}
template <class State>
static __device__ inline float curand_log_normal(State *state, float mean, float stddev) {
    VGPU_ONE_OF_PAIR(float, VGPU_SPARE_LOG_NORMAL, curand_log_normal2(state, mean, stddev))
}
template <class State>
static __device__ inline double curand_log_normal_double(State *state, double mean, double stddev) {
    VGPU_ONE_OF_PAIR(double, VGPU_SPARE_LOG_NORMAL, curand_log_normal2_double(state, mean, stddev))
}
#undef VGPU_ONE_OF_PAIR
static __device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                                   float stddev) {
    const float4 n = curand_normal4(state);
    return make_float4(expf(mean + stddev * n.x), expf(mean + stddev * n.y),
                       expf(mean + stddev * n.z), expf(mean + stddev * n.w));
}
static __device__ inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state,
                                                           double mean, double stddev) {
    const double4 n = curand_normal4_double(state);
    return make_double4(exp(mean + stddev * n.x), exp(mean + stddev * n.y),
                        exp(mean + stddev * n.z), exp(mean + stddev * n.w));
}

/* ---- Poisson ---- */

/* Small means (Knuth): how many uniform numbers it takes to bring e^mean down to 1. */
template <class State>
static __device__ inline unsigned int vgpu_poisson_small(State *state, float mean) {
    unsigned int count = 0;
    for (float p = expf(mean) * curand_uniform(state); p > 1.0f; p *= curand_uniform(state))
        count++;
    return count;
}

/* Means between: a number drawn by an approximation of the incomplete gamma function is kept if a
 * second one lies below the probability. The hardware's approximate functions are part of it. */
static __device__ inline float vgpu_approx_exp(float x) {
    return __nvvm_ex2_approx_ftz_f((float)(x * 1.4426950408889634));
}
static __device__ inline float vgpu_approx_log(float x) {
    return (float)(__nvvm_lg2_approx_ftz_f(x) * 0.6931471805599453);
}

struct vgpu_gamma {
    float a, alpha, beta;
    __device__ inline explicit vgpu_gamma(float mean)
        : a(mean),
          alpha(1.43248035075540910f * __nvvm_rsqrt_approx_ftz_f(mean - 0.12400979329415655f) +
                0.00025361074907033f),
          beta(0.21096734870196546f * __nvvm_rsqrt_approx_ftz_f(mean - 1.97381164089999420f) +
               0.94201734077887530f) {}
    __device__ inline float share_below(float x) const {
        const float t = 1.0f + vgpu_approx_exp(alpha * (a - x) - beta);
        return __frcp_rn(t * t);
    }
    __device__ inline float at_share(float y) const {
        const float t = beta + vgpu_approx_log(__nvvm_rsqrt_approx_ftz_f(y) - 1.0f);
        return -t * __frcp_rn(alpha) + a;
    }
};

/* The logarithm of (n - 1)!: Stirling's series. */
static __device__ inline double vgpu_log_factorial(int n) {
    const double small[] = {0.0,
                            0.0,
                            6.931471805599453094e-1,
                            1.791759469228055001e0,
                            3.178053830347945620e0,
                            4.787491742782045994e0,
                            6.579251212010100995e0,
                            8.525161361065414300e0};
    if (n <= 8)
        return n < 1 ? 0.0 : small[n - 1];
    const double x = n, s = 1.0 / x, t = s * s;
    double sum = -0.1633436431e-2;
    sum = sum * t + 0.83645878922e-3;
    sum = sum * t - 0.5951896861197e-3;
    sum = sum * t + 0.793650576493454e-3;
    sum = sum * t - 0.277777777735865004e-2;
    sum = sum * t + 0.833333333333331018375e-1;
    sum = sum * s + 0.918938533204672;
    const double half = 0.5 * log(x) * (x - 0.5);
    return (half - x) + (half + sum);
}

template <class State>
static __device__ inline unsigned int vgpu_poisson_kept(State *state, float mean) {
    const vgpu_gamma gamma(mean);
    const float log_mean = vgpu_approx_log(mean);
    for (;;) {
        const float x = floorf(gamma.at_share(curand_uniform(state)));
        const float second = curand_uniform(state);
        const float width = (gamma.share_below(x + 1.0f) - gamma.share_below(x)) * 1.3f;
        const float probability =
            vgpu_approx_exp(-mean + x * log_mean - (float)vgpu_log_factorial((int)(1.0f + x)));
        if (second * width < probability && width >= 1e-20)
            return (unsigned int)x;
    }
}

/* Large means: a rounded normal number. */
static __device__ inline unsigned int vgpu_poisson_large(double normal, double mean) {
    return (unsigned int)((sqrt(mean) * normal) + mean + 0.5);
}

template <class State>
static __device__ inline unsigned int curand_poisson(State *state, double mean) {
    if (mean < 64)
        return vgpu_poisson_small(state, (float)mean);
    if (mean > 4000)
        return vgpu_poisson_large(curand_normal_double(state), mean);
    return vgpu_poisson_kept(state, (float)mean);
}
static __device__ inline uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean) {
    uint4 r;
    if (mean > 4000) {
        const double4 n = curand_normal4_double(state);
        return make_uint4(vgpu_poisson_large(n.x, mean), vgpu_poisson_large(n.y, mean),
                          vgpu_poisson_large(n.z, mean), vgpu_poisson_large(n.w, mean));
    }
    r.x = curand_poisson(state, mean);
    r.y = curand_poisson(state, mean);
    r.z = curand_poisson(state, mean);
    r.w = curand_poisson(state, mean);
    return r;
}

#pragma clang attribute pop
#pragma clang attribute pop

#endif

#endif
