/*
 * vgpucc_shadows.h: gives the host's copies of device variables pages of their own.
 *
 * For `__device__ int total;` clang's host pass makes a variable of the same name, its shadow. Its
 * address stands for the device's variable in cudaMemcpyToSymbol. Host code that reads or writes
 * `total` reads or writes the shadow, and no kernel ever sees it. The runtime can close a page to
 * the host and so catch that (vgpu/src/runtime/shadow.h), if nothing else is on that page.
 *
 * So each shadow's section of an object is renamed to VG_SHADOW_SECTION, and begins a page. The
 * object says which sections these are: the code that registers shadows refers to them. That code
 * has a few variables of its own; they come along, are never registered, and so stay open.
 *
 * What it refuses: an object that is no 64-bit ELF file of this machine's byte order. It stays
 * as it is, and the runtime then only compares shadows with what they were.
 */
#pragma once

#include <stdbool.h>

/* False: the object could not be read or written, and a complaint has said so. */
bool shadows_apart(const char *object);
