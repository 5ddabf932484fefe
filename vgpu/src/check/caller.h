/*
 * caller.h: the source line a return address belongs to, from the program's own line table (DWARF 2
 * to 5). Reads nothing but the file that holds the code; runs no tool.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* File (as the compiler was given it; relative to the working folder when it lies there) and line
 * of the call that returns to `address`. False when the program has no line table for it. */
bool vg_caller_line(const void *address, char *file, size_t len, int *line);

/* The same for an address of a line table on its own, of `size` bytes; strings and line_strings are
 * the sections .debug_str and .debug_line_str, or NULL. Made for tests, and for damaged files: it
 * never reads outside what it is given. */
typedef struct vg_line_table {
    const uint8_t *lines, *strings, *line_strings;
    size_t size, strings_size, line_strings_size;
} vg_line_table;
bool vg_line_find(const vg_line_table *table, uint64_t address, char *file, size_t len, int *line);
