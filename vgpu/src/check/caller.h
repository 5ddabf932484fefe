/* caller.h: the source line a return address belongs to. */
#ifndef VGPU_CALLER_H
#define VGPU_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/* File (as the compiler was given it; relative to the working folder when it lies there) and line of
 * the call that returns to `address`. False when the program has no line table for it. */
bool vg_caller_line(const void *address, char *file, size_t len, int *line);

#endif
