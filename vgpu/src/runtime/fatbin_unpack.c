/*
 * fatbin_unpack.c: decompresses device code; see fatbin_unpack.h.
 */
#include "vgpu/src/runtime/fatbin_unpack.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The two functions, as their libraries promise them. */
typedef int (*lz4_decompress)(const char *from, char *to, int len, int room);
typedef size_t (*zstd_decompress)(void *to, size_t room, const void *from, size_t len);

static const struct {
    const char *library, *function, *name;
} unpackers[] = {
    [PACKED_LZ4] = {"liblz4.so.1", "LZ4_decompress_safe", "LZ4"},
    [PACKED_ZSTD] = {"libzstd.so.1", "ZSTD_decompress", "zstd"},
};

static const char advice[] = "compile with vgpucc, or with nvcc --no-compress";

/* True when `to` holds exactly `plain` bytes. */
static bool decompress(enum packing packing, void *function, const void *bytes, size_t len,
                       char *to, size_t plain) {
    if (packing == PACKED_ZSTD) {
        zstd_decompress f;
        *(void **)&f = function;
        return f(to, plain, bytes, len) == plain; /* an error is a huge number */
    }
    lz4_decompress f;
    *(void **)&f = function;
    return f(bytes, to, (int)len, (int)plain) == (int)plain;
}

char *vg_fatbin_unpack(enum packing packing, const void *bytes, size_t len, size_t plain, char *why,
                       size_t why_len) {
    const char *name = unpackers[packing].name;
    char *text = NULL;
    if (len > INT_MAX || plain > INT_MAX) {
        snprintf(why, why_len, "the program's PTX claims %zu bytes: %s", plain, advice);
        return NULL;
    }
    void *library = dlopen(unpackers[packing].library, RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, unpackers[packing].function) : NULL;
    if (!function)
        snprintf(why, why_len, "the program's PTX is compressed with %s, and %s is missing: %s",
                 name, unpackers[packing].library, advice);
    else if (!(text = calloc(plain + 1, 1)))
        snprintf(why, why_len, "out of memory for the program's PTX");
    else if (!decompress(packing, function, bytes, len, text, plain)) {
        snprintf(why, why_len, "the program's PTX is compressed with %s, and damaged: %s", name,
                 advice);
        free(text);
        text = NULL;
    }
    if (library)
        dlclose(library);
    return text;
}
