/* random.c: see random.h. */
#include "vgpu/src/core/random.h"

#include <pthread.h>
#include <string.h>

/* ---- XORWOW: a step is linear in the 160 bits of its state ---- */

enum { WORDS = 5, BITS = 32 * WORDS, SEQUENCE = 67, XORWOW_POWERS = SEQUENCE + 64 };

/* What becomes of each bit of the state in 2^k steps. */
typedef struct xorwow_power {
    uint32_t image[BITS][WORDS];
} xorwow_power;

static xorwow_power xorwow_powers[XORWOW_POWERS];
static pthread_once_t xorwow_once = PTHREAD_ONCE_INIT;

static void xorwow_step(uint32_t v[WORDS]) {
    const uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, (WORDS - 1) * sizeof *v);
    v[WORDS - 1] = v[WORDS - 2] ^ v[WORDS - 2] << 4 ^ t ^ t << 1;
}

static void xorwow_apply(const xorwow_power *p, uint32_t v[WORDS]) {
    uint32_t sum[WORDS] = {0};
    for (int bit = 0; bit < BITS; bit++) {
        const uint32_t on = 0 - (v[bit / 32] >> bit % 32 & 1);
        for (int w = 0; w < WORDS; w++)
            sum[w] ^= p->image[bit][w] & on;
    }
    memcpy(v, sum, sizeof sum);
}

static void xorwow_fill(void) {
    for (int bit = 0; bit < BITS; bit++) {
        uint32_t *image = xorwow_powers[0].image[bit];
        image[bit / 32] = 1u << bit % 32;
        xorwow_step(image);
    }
    for (int k = 1; k < XORWOW_POWERS; k++) {
        xorwow_powers[k] = xorwow_powers[k - 1];
        for (int bit = 0; bit < BITS; bit++)
            xorwow_apply(&xorwow_powers[k - 1], xorwow_powers[k].image[bit]);
    }
}

void vg_xorwow_skip(uint32_t v[5], uint64_t sequences, uint64_t steps) {
    pthread_once(&xorwow_once, xorwow_fill);
    for (int k = 0; k < 64; k++) {
        if ((steps >> k & 1) != 0)
            xorwow_apply(&xorwow_powers[k], v);
        if ((sequences >> k & 1) != 0)
            xorwow_apply(&xorwow_powers[SEQUENCE + k], v);
    }
}

/* ---- MRG32k3a: a step is a matrix of 3 by 3, modulo a prime ---- */

enum { ORDER = 3, MRG_POWERS = 127 + 64 };

typedef struct mrg_power {
    uint64_t at[ORDER][ORDER];
} mrg_power;

static const uint64_t mrg_prime[2] = {4294967087u, 4294944443u};
static mrg_power mrg_powers[2][MRG_POWERS];
static pthread_once_t mrg_once = PTHREAD_ONCE_INIT;

static mrg_power mrg_square(const mrg_power *a, uint64_t prime) {
    mrg_power c = {{{0}}};
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++)
            for (int k = 0; k < ORDER; k++)
                c.at[i][j] = (c.at[i][j] + a->at[i][k] * a->at[k][j] % prime) % prime;
    return c;
}

static void mrg_fill(void) {
    mrg_powers[0][0] = (mrg_power){{{0, 1, 0}, {0, 0, 1}, {mrg_prime[0] - 810728, 1403580, 0}}};
    mrg_powers[1][0] = (mrg_power){{{0, 1, 0}, {0, 0, 1}, {mrg_prime[1] - 1370589, 0, 527612}}};
    for (int r = 0; r < 2; r++)
        for (int k = 1; k < MRG_POWERS; k++)
            mrg_powers[r][k] = mrg_square(&mrg_powers[r][k - 1], mrg_prime[r]);
}

static void mrg_apply(const mrg_power *p, uint64_t prime, uint32_t s[ORDER]) {
    uint32_t next[ORDER];
    for (int i = 0; i < ORDER; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < ORDER; k++)
            sum += p->at[i][k] * s[k] % prime;
        next[i] = (uint32_t)(sum % prime);
    }
    memcpy(s, next, sizeof next);
}

void vg_mrg32k3a_skip(uint32_t s1[3], uint32_t s2[3], uint64_t n, uint32_t doublings) {
    pthread_once(&mrg_once, mrg_fill);
    for (uint32_t k = 0; k < 64 && doublings + k < MRG_POWERS; k++) {
        if ((n >> k & 1) == 0)
            continue;
        mrg_apply(&mrg_powers[0][doublings + k], mrg_prime[0], s1);
        mrg_apply(&mrg_powers[1][doublings + k], mrg_prime[1], s2);
    }
}
