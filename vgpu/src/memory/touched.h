/*
 * touched.h: which pages of the program's memory anybody has touched since they were mapped, by
 * what the system keeps of each (/proc/self/pagemap). No call tells what the host writes into
 * managed memory; a page that nobody has touched, nobody has written.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of each page of [from, from + bytes), from the start of one on: whether it has been read or
 * written. A new array, which the caller frees; NULL: the system does not tell. */
bool *vg_touched(const void *from, size_t bytes, size_t *page_bytes, size_t *pages);
