/*
 * gone.h: what a pointer to a local variable becomes when the variable goes (vgpucc_gone.h): an
 * address of local memory, as generic addresses name it, where no variable can lie.
 */
#pragma once

#define VG_GONE_LOCAL 0x6000010000000000ull
/* Local memory from this offset on is such an address with an index. */
#define VG_GONE_OFFSET (1ull << 39)
