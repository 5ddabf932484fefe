/*
 * vgpucc_gone.h: pointers to local variables that are gone.
 *
 *     int *p;
 *     if (n > 1) {
 *         int pair[2] = {n, n + 1};
 *         p = pair;
 *     }
 *     *out = p[1];                      pair is gone
 *
 * clang's optimiser takes what is read there for any value at all, and often leaves the read out:
 * nothing that runs could tell. So between front end and optimiser, in LLVM's text, a pointer is
 * changed where its variable goes: where p still leads into pair, it becomes an address at which no
 * memory is, and who follows it is told (vgpu/src/core/gone.h). The same is done with what a
 * function returns.
 *
 * Looked at are pointers that are stored by name, into a variable or a member of one: those that
 * went through another function, a copy of a struct or memory stay as they are. Nothing is changed
 * where the pointer goes together with what it leads to. Lines that are not understood stay, too.
 */
#pragma once

#include <stdbool.h>

/* Rewrites a file of LLVM's text, as the front end leaves it: no pass may have run. False when it
 * cannot be read or written. */
bool gone_mark(const char *llvm_text);
