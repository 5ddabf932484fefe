/*
 * copied.h: loads whose value is only stored again. Copying a struct reads its padding, which
 * nobody has written; that is no mistake. What is missing at the source is then missing at the
 * copy.
 *
 *     struct { char c; float f; }     |c . . .|f f f f|      ld.u32 %a, [%p];  ld.u32 %b, [%p+4];
 *                                                            st.u32 [%q], %a;  st.u32 [%q+4], %b;
 *
 * Loads at neighbouring places from one register are taken for one struct. Of a copy of which
 * nothing at all has been written nobody can say that it is padding: that stays the caller's. Only
 * integers are looked at, which compilers copy structs as; a float that is copied has a name.
 */
#pragma once

#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/program.h"

typedef struct vg_copies vg_copies;

/* NULL stands for a program whose reads miss nothing, where one is asked below. */
vg_copies *vg_copies_create(const program *p); /* NULL: out of memory */
void vg_copies_destroy(vg_copies *c);
/* Another block begins: nothing is on its way. */
void vg_copies_clear(vg_copies *c);

/* Bytes of the struct that the load copies a part of: in all, and before its address. False: it is
 * no such load. */
bool vg_copies_span(const vg_copies *c, const op *load, uint32_t *before, uint32_t *span);

/* The load has found that a lane's bytes are missing (a bit each; 0: none are). */
void vg_copies_note(vg_copies *c, const vg_access *load, uint32_t lane, uint32_t missing);
/* An access begins: of a load's lanes nothing is known to be missing. */
void vg_copies_forget(vg_copies *c, const vg_access *load);
/* The bytes of what a lane stores that are missing. */
uint32_t vg_copies_missing(const vg_copies *c, const vg_access *store, uint32_t lane);
/* It is a store with lanes whose bytes are missing. */
bool vg_copies_any(const vg_copies *c, const vg_access *store);
