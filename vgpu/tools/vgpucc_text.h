/*
 * vgpucc_text.h: whole files, for the steps that rewrite what the compiler wrote.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* All of a file, with a NUL behind it; the caller frees it. NULL when it cannot be read. */
char *read_file(const char *path, size_t *length);
/* False when not all of it could be written. */
bool write_file(const char *path, const char *text, size_t length);
