/*
 * fatbin_unpack.h: decompresses device code in a container (fatbin.h), with the system's own
 * libraries: LZ4 as toolkits to 12.x wrote it and later ones do when asked for speed, zstd as CUDA
 * 13 does.
 *
 * The libraries are looked for at run time (libzstd.so.1, liblz4.so.1: nearly every Linux has
 * them), so that no program needs them that has nothing to unpack. Where one is missing, the caller
 * is told.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum packing { PACKED_LZ4, PACKED_ZSTD };

/* `plain` bytes and a NUL, which the caller frees; NULL with why filled. */
char *vg_fatbin_unpack(enum packing packing, const void *bytes, size_t len, size_t plain, char *why,
                       size_t why_len);
