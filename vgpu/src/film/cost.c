/* cost.c: what an access costs, lane by lane; see film_parts.h. Banks are count/banks.h's. */
#include "vgpu/src/film/film_parts.h"

uint32_t film_sectors(const uint64_t *at, uint32_t mask, uint32_t size) {
    uint64_t seen[VG_LANES * 2];
    uint32_t count = 0;
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint64_t first = at[__builtin_ctz(m)] / 32,
                       last = (at[__builtin_ctz(m)] + size - 1) / 32;
        for (uint64_t sector = first; sector <= last && sector <= first + 1; sector++) {
            uint32_t i = 0;
            while (i < count && seen[i] != sector)
                i++;
            if (i == count)
                seen[count++] = sector;
        }
    }
    return count;
}
