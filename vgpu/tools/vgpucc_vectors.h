/*
 * vgpucc_vectors.h: keeps a float4 in one piece.
 *
 * nvcc turns each copy of a float4 into one access of 16 bytes, aligned to 16. To clang it is a
 * struct: its optimiser takes the copy apart into four floats, joins these with others, and the
 * back end puts together again what then still lies side by side. Beside a branch for the edge,
 * whose loads are floats, nothing does; and of &tile[row][column], an element of an array of
 * floats, clang knows no more than an alignment of 4, whatever it is cast to. So code that loads
 * four floats in one instruction on a GPU would load four times here.
 *
 * Between front end and optimiser, in LLVM's text, the copies are therefore made into loads and
 * stores of vectors. A copy of one of CUDA's vector types is known by its members, which may alias
 * everything (vector_types.h says so of these structs, and of no other).
 *
 * Not changed: copies of 3 elements, of more than 16 bytes, volatile ones, and those of structs
 * that merely look like a float4. Lines that are not understood stay as they are.
 */
#pragma once

#include <stdbool.h>

/* Rewrites a file of LLVM's text, as the front end leaves it: no pass may have run. False when it
 * cannot be read or written. */
bool vectors_keep(const char *llvm_text);
