/*
 * fatbin.h: finds the PTX text in what a compiler put into the program.
 *
 *   __cudaRegisterFatBinary(wrapper)       wrapper: magic 0x466243b1, version, data, filename
 *        wrapper.data  --->  clang through vgpucc: PTX text, NUL at its end
 *                      --->  nvcc: a container, magic 0xBA55ED50, of entries for several targets:
 *
 *        +--------+--------+-------------+--------+-------------+ …
 *        | header | entry  | machine code| entry  | PTX text    |
 *        +--------+--------+-------------+--------+-------------+
 *
 * Compressed entries are unpacked (fatbin_unpack.h), or refused with a text that says how to
 * compile without.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False with why filled. The text is the program's own and stays where it is, unless it had to be
 * unpacked: then *unpacked is not NULL, and the caller frees that. len leaves out the NUL. */
bool vg_fatbin_ptx(const void *wrapper, const char **text, size_t *len, char **unpacked, char *why,
                   size_t why_len);
/* Is it a container, as nvcc makes them? */
bool vg_fatbin_is_container(const void *wrapper);

/* The same for a container that lies in a file's bytes, of which `room` are left;
 * whatever those are. */
bool vg_fatbin_container_ptx(const void *data, uint64_t room, const char **text, size_t *len,
                             char **unpacked, char *why, size_t why_len);
/* How long a container is that begins here; 0: none does, or it does not fit. */
uint64_t vg_fatbin_container_bytes(const void *data, uint64_t room);
