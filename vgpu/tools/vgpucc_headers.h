/*
 * vgpucc_headers.h: the headers in front of every .cu file, read once and kept as clang's
 * precompiled headers.
 *
 * They save time and change nothing else. They are taken only where clang would read the same
 * headers in the same way: by the same clang, with the same options, from files that are as they
 * were, and with no macro or folder of the program's that could reach into them. Everything else is
 * compiled without.
 *
 * FILE.pch has a key beside it, FILE.pch.key, which says what it was made of:
 *
 *     vgpucc headers 1
 *     option OPTION          one for each option that the headers depend on
 *     sum NUMBER             of FILE.pch
 *     file TIME SIZE PATH    clang, and every header that was read
 *     name NAME              what a header includes, or asks for by __has_include
 *     ours NAME              the same, where the kit's own folder of headers has it
 *     word WORD              every identifier in the headers
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"
#include "vgpu/tools/vgpucc_options.h"

#include <stdbool.h>

/* What every .cu file has in front. */
#define HEADERS_PRELUDE "vgpu_prelude.h"

/* A run of clang, as far as the headers depend on it. */
typedef struct headers_use {
    enum pass pass;
    const args *options; /* clang++ first; no input, no output, nothing of `own` */
    const args *own;     /* the program's: -I, -D, -U, -W... */
    const char *include; /* the kit's folder of headers */
} headers_use;

/* The file in `folder` that can take the place of -include vgpu_prelude.h; NULL: there is none. */
const char *headers_find(const headers_use *use, const char *folder);

/* Makes FILE and its key, unless they are there and still good. False with a message. */
bool headers_make(const headers_use *use, const char *file, bool verbose);
