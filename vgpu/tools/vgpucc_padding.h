/*
 * vgpucc_padding.h: keeps what a function returns from being lost with its padding.
 *
 *     class hit { int t; bool found; … };          %class.hit = type <{ i32, i8, [3 x i8] }>
 *
 * clang copies a class that a function returns member by member, and takes the padding for one. Its
 * bytes have no value; and where LLVM 14 then copies the object as one number, an undefined byte
 * makes the whole of it undefined: the program's own values are gone. Between front end and
 * optimiser, in LLVM's text, such bytes are therefore frozen: they get some value.
 */
#pragma once

#include <stdbool.h>

/* Rewrites a file of LLVM's text, as the front end leaves it: no pass may have run. False when it
 * cannot be read or written. */
bool padding_freeze(const char *llvm_text);
