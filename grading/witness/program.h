/*
 * program.h: the device code in a linked program's file, read as data: nothing of it is loaded or
 * run.
 *
 *   ELF file ── section .nv_fatbin ──┬── PTX text, NUL at its end       (clang through vgpucc)
 *                                    └── container of PTX entries       (nvcc;
 * vgpu/src/runtime/fatbin.h)
 *
 * The file is a stranger's: every number in it is looked at before it is used. What cannot be read
 * is left out; a file that is no program has no texts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A program has one for each file of CUDA code that it was linked from: here, one. */
#define PROGRAM_MOST_TEXTS 32

struct ptx_text {
    const char *text; /* not ended by a NUL */
    size_t length;
    uint64_t hash;  /* vj_hash of it */
    char *unpacked; /* owned: where `text` is, when it had to be unpacked */
};

struct program_texts {
    struct ptx_text of[PROGRAM_MOST_TEXTS];
    size_t count;
};

/* Finds the texts in a file's bytes, which must outlive *t. */
void program_texts_find(struct program_texts *t, const unsigned char *bytes, size_t n);
void program_texts_free(struct program_texts *t);

/* The text of this name (journal_format.h), or NULL. */
const struct ptx_text *program_text(const struct program_texts *t, uint64_t hash, uint64_t length);
