/* written_bits.c: see written_bits.h. */
#include "vgpu/src/check/written_bits.h"

#include "vgpu/src/core/pages.h"

#include <stdlib.h>

void own_bits_set(own_bits *own, size_t words, uint64_t from, uint64_t size) {
    if (own->bits == NULL)
        own->bits = vg_pages_alloc(words, sizeof *own->bits);
    for (uint64_t word = from / 64; own->bits != NULL && word <= (from + size - 1) / 64; word++) {
        if (own->bits[word] != 0)
            continue;
        if (own->count == own->room) {
            const uint32_t room = own->room == 0 ? 256 : 2 * own->room;
            uint32_t *touched = realloc(own->touched, room * sizeof *touched);
            if (touched == NULL)
                return;
            own->touched = touched;
            own->room = room;
        }
        own->touched[own->count++] = (uint32_t)word;
    }
    if (own->bits != NULL)
        set_bits(own->bits, from, size, false);
}

void own_bits_forget(own_bits *own, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < own[i].count; k++)
            own[i].bits[own[i].touched[k]] = 0;
        own[i].count = 0;
    }
}

void own_bits_free(own_bits *own, size_t count) {
    for (size_t i = 0; i < count; i++) {
        vg_pages_free(own[i].bits);
        free(own[i].touched);
    }
    free(own);
}
