/*
 * vgpu-names.h: from the debugging information that clang writes into PTX to the names that the
 * inspector reads (vgpu/src/inspect/names.h has their format).
 *
 *     .section .debug_info { .b8 3  .b64 __local_depot0 … }     text, labels in place of addresses
 *        -> names_elf: the same sections as an ELF object, a number in place of each label
 *        -> libdw: the tree of functions, blocks, variables and types
 *        -> names_write: one line for each
 *
 * Nothing here runs with the program: a program knows its names without libdw.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Labels and symbols of the PTX, by number: the address of number n is (n + 1) << SYMBOL_SHIFT. */
enum { SYMBOL_SHIFT = 32 };

typedef struct symbol_list {
    char **name;
    size_t count;
} symbol_list;

/* The debugging sections of a PTX text as an ELF image; NULL when there are none, or memory ran
 * out. The image and the symbols' names are the caller's to free. */
uint8_t *names_elf(const char *ptx, size_t *size, symbol_list *symbols);
void names_free_symbols(symbol_list *symbols);

/* Arrays whose size each launch chooses, of the types that the source gives them. */
void names_dynamic(const char *ptx, const char *source, FILE *to);

/* Writes the names. False, with a sentence on stderr, when libdw cannot read the image. */
bool names_write(uint8_t *elf, size_t size, const symbol_list *symbols, FILE *to);
