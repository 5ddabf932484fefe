/*
 * shortage.h: has this machine ended processes because its memory ran out?
 *
 * Whoever is ended so has done nothing wrong that could be judged, and need not even say so: nvcc,
 * when its host compiler is ended, ends as it does for a mistake in the source.
 */
#pragma once

#include <stdint.h>

/* How many processes the kernel has ended so since the machine started; 0 where it does not
 * tell. */
uint64_t shortage_kills(void);
