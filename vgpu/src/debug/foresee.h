/*
 * foresee.h: where does a product's first wrong element come from? A child of the process computes
 * the product once, unheld and unheard, and notes of every word of device memory the store that
 * came last; then the program knows behind which store its own run is to hold (vgpu_foresee,
 * vgpu.h).
 *
 * Contract: the child runs as the program will, since nothing has happened between; what it
 * computes is lost. A product that ends with a fault has no wrong element: the fault holds.
 */
#pragma once

#include "vgpu/src/debug/parts.h"

/* Stores of the child: these lanes' words have got their values. */
void dbg_foresee_stored(vg_debug *d, const vg_access *a);

/* The kernel is where the first wrong element gets its value, or (before) begins and will never
 * give it one. a: the access just made; NULL: the first line
 * is about to begin. True: it has been held. */
bool dbg_hold_wrong(vg_debug *d, warp *w, const vg_access *a);
