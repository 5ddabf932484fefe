/*
 * malloced.h: how much memory malloc or new gave at an address of the host's, for copies that would
 * go beyond it.
 *
 * The C library has no question for that which any pointer may be asked: malloc_usable_size is for
 * those that malloc returned. So what it keeps in front of each piece is looked at, and counts only
 * where all of it fits: in the main heap, and the piece behind it, too. Memory of another
 * allocator, of another thread's arena, or in the middle of a piece, is not known.
 */
#pragma once

#include <stddef.h>

/* SIZE_MAX: not known. */
size_t vg_malloced_room(const void *at);
