/*
 * loops.h: what decides whether a loop goes on.
 *
 *     int tries = 0;                  L:  add.s32      %r2, %r2, 1;
 *     while (*flag == 0)                  ld.volatile  %r1, [%rd1];
 *         tries++;                        setp.eq.s32  %p1, %r1, 0;
 *                                         @%p1 bra     L;
 *
 * The branch looks at %p1, which comes from %r1, which was read at %rd1: those decide, %r2 does
 * not. While the deciding registers hold what they held, the loop goes round for the same reason as
 * before, however far something in it counts.
 *
 * Contract: a register too many may be named, never one too few. What a loop does with memory is
 * not followed: what it reads there, and looks at, is in a register when it is looked at.
 */
#pragma once

#include "vgpu/src/core/lower.h"

/* Finds the loops of a function that has been lowered, and names the deciding rows in the branches
 * of each (op.c, see loop_rows in program.h). Loops that call functions get none. */
void lower_find_loops(lowerer *lw, const lowered_func *lf);
