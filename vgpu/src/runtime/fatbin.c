/*
 * fatbin.c: reads the containers of device code that compilers embed; see fatbin.h.
 */
#include "vgpu/src/runtime/fatbin.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WRAPPER_MAGIC = 0x466243b1, CONTAINER_MAGIC = (int)0xBA55ED50 };
enum { KIND_PTX = 1 };

/* Entries compressed with LZ4 (toolkits to 12.x) or with zstd (later ones). */
static const uint64_t FLAG_LZ4 = 0x2000;
static const uint64_t FLAG_ZSTD = 0x8000;

typedef struct wrapper_header {
    int32_t magic, version;
    const void *data;
    const void *unused;
} wrapper_header;

typedef struct container_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t body_bytes;
} container_header;

typedef struct entry_header {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t body_bytes; /* padded */
    uint32_t compressed_bytes;
    uint32_t options_at;
    uint16_t minor, major;
    uint32_t arch; /* 70 for sm_70 */
    uint32_t name_at, name_bytes;
    uint64_t flags;
    uint64_t unused;
    uint64_t plain_bytes;
} entry_header;

/* The PTX of the highest target in the container. */
static bool from_container(const uint8_t *data, const char **text, size_t *len, char *why,
                           size_t why_len) {
    container_header head;
    memcpy(&head, data, sizeof head);
    const uint8_t *at = data + head.header_bytes;
    const uint8_t *end = at + head.body_bytes;
    bool compressed = false;
    uint32_t best = 0;
    *text = NULL;
    while ((size_t)(end - at) >= sizeof(entry_header)) {
        entry_header e;
        memcpy(&e, at, sizeof e);
        if (e.header_bytes < sizeof e || e.body_bytes > (uint64_t)(end - at) ||
            e.header_bytes > (uint64_t)(end - at) - e.body_bytes)
            break;
        const uint8_t *body = at + e.header_bytes;
        at = body + e.body_bytes;
        if (e.kind != KIND_PTX || e.arch < best)
            continue;
        if ((e.flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0) {
            compressed = true;
            continue;
        }
        best = e.arch;
        *text = (const char *)body;
        *len = strnlen(*text, e.body_bytes);
    }
    if (*text)
        return true;
    snprintf(why, why_len, "%s",
             compressed
                 ? "the program's PTX is compressed: compile with nvcc -Xfatbin -compress=false, "
                   "or with vgpucc"
                 : "the program holds machine code only, no PTX: compile with nvcc "
                   "-gencode arch=compute_70,code=compute_70, or with vgpucc");
    return false;
}

bool vg_fatbin_ptx(const void *wrapper, const char **text, size_t *len, char *why, size_t why_len) {
    wrapper_header w;
    uint32_t magic = 0;
    memcpy(&w, wrapper, sizeof w);
    if (w.magic != WRAPPER_MAGIC || !w.data) {
        snprintf(why, why_len, "unknown kind of device code in the program (magic 0x%" PRIx32 ")",
                 (uint32_t)w.magic);
        return false;
    }
    memcpy(&magic, w.data, sizeof magic);
    if (magic == (uint32_t)CONTAINER_MAGIC)
        return from_container(w.data, text, len, why, why_len);
    /* An ELF file begins with 0x7F; a text has no business beginning with a control character. */
    *text = w.data;
    if ((unsigned char)**text < '\t' || (unsigned char)**text >= 0x7F) {
        snprintf(why, why_len,
                 "the program holds machine code only, no PTX: compile it with vgpucc");
        return false;
    }
    *len = strlen(*text);
    return true;
}
