/*
 * vgpucc_unroll.h: a thread's arrays in registers, where a compiler can keep them there.
 *
 * An array is in registers if each of its indices is known when the code is compiled, so if the
 * loops over it are unrolled. clang unrolls a loop of constant length when it is short, nvcc many
 * longer ones; what clang leaves lies in local memory, in the function's "depot", and all that the
 * virtual GPU counts of it would blame the program for the compiler. So a program with a depot goes
 * through the back end again, with longer loops unrolled, and that is kept if the depots shrank.
 *
 * What still lies there then is an array with an index that no compiler knows, or one that the
 * program itself keeps from registers.
 */
#pragma once

#include <stddef.h>

/* Bytes of local memory that the functions of a file of PTX have for their variables; 0 where it
 * cannot be read. */
size_t unroll_depots(const char *ptx);
