/*
 * random.h: how the states of linear random generators move on by any number of steps: what
 * curand_init in device code asks the executor for, and cuRAND's host calls.
 *
 * A step is a matrix; so are 2^k steps. Each power is computed once, when it is first needed.
 */
#pragma once

#include <stdint.h>

/* XORWOW's five words move on by 2^67 * sequences + steps. */
void vg_xorwow_skip(uint32_t v[5], uint64_t sequences, uint64_t steps);
/* MRG32k3a's two times three words move on by n * 2^doublings; doublings: 0, 76 or 127. */
void vg_mrg32k3a_skip(uint32_t s1[3], uint32_t s2[3], uint64_t n, uint32_t doublings);
