/*
 * vgpucc_headers_key.h: the key of precompiled headers, for what writes it and what compares it.
 */
#pragma once

#include "vgpu/tools/vgpucc_headers.h"

#include <stdint.h>

/* The key up to the number of its sum: what the run is. */
char *key_head(const headers_use *use);
/* The line for a file as it is now, without its end; NULL when it cannot be looked at. */
char *key_file_line(const char *path);
/* Sums up a file's bytes. False when it cannot be read, or is empty. */
bool key_sum(const char *path, uint64_t *sum);
/* Has the file `pch` a key that says: it is good for this run? */
bool key_agrees(const headers_use *use, const char *pch);
