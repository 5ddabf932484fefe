/*
 * vgpucc_blank.h: __constant__ variables that the source gives no value, so that the runtime can
 * tell a read of one that nobody has filled.
 *
 *     __constant__ float a[4];              .const .align 4 .b8 a[16];
 *     __constant__ float b[4] = {0};        .const .align 4 .b8 b[16];      the same, in PTX
 *
 * Which of the two it was stands in the source alone. What it gives no value is named in a line of
 * its own, which other readers of PTX pass over:
 *
 *     .pragma "vgpu_blank a";
 *
 * A variable whose declaration is not found (one that a macro makes), or that has a value in any
 * declaration of its name, or in the struct it is made of, is not named: nothing is told of it.
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>

/* In LLVM's text, before any pass: static ones of zeros stay variables. The host can fill them
 * nowhere, and so the optimiser would have zeros in the place of their reads. False when the file
 * cannot be read or written. */
bool blanks_keep(const char *llvm_text);
/* Adds the lines to a file of PTX made of `input`; options: with its -I. False: as above. */
bool blanks_name(const char *ptx, const args *options, const char *input);
