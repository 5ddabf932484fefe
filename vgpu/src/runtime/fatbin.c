/*
 * fatbin.c: reads the containers of device code that compilers embed; see fatbin.h.
 */
#include "vgpu/src/runtime/fatbin.h"
#include "vgpu/src/runtime/fatbin_unpack.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WRAPPER_MAGIC = 0x466243b1, CONTAINER_MAGIC = (int)0xBA55ED50 };
enum { KIND_PTX = 1 };

/* Entries compressed: compressed_bytes of the body become plain_bytes. */
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

/* The PTX entry of the highest target, packed ones taken or not; NULL: there is none.
 * The container is whole. */
static const uint8_t *best_entry(const uint8_t *data, bool packed) {
    container_header head;
    memcpy(&head, data, sizeof head);
    const uint8_t *at = data + head.header_bytes;
    const uint8_t *end = at + head.body_bytes;
    const uint8_t *found = NULL;
    uint32_t best = 0;
    while ((size_t)(end - at) >= sizeof(entry_header)) {
        entry_header e;
        memcpy(&e, at, sizeof e);
        if (e.header_bytes < sizeof e || e.body_bytes > (uint64_t)(end - at) ||
            e.header_bytes > (uint64_t)(end - at) - e.body_bytes)
            break;
        if (e.kind == KIND_PTX && e.arch >= best &&
            (packed || (e.flags & (FLAG_LZ4 | FLAG_ZSTD)) == 0)) {
            best = e.arch;
            found = at;
        }
        at += e.header_bytes + e.body_bytes;
    }
    return found;
}

static bool from_container(const uint8_t *data, const char **text, size_t *len, char **unpacked,
                           char *why, size_t why_len) {
    const uint8_t *at = best_entry(data, true);
    entry_header e;
    if (!at) {
        snprintf(why, why_len,
                 "the program holds machine code only, no PTX: compile with nvcc "
                 "-gencode arch=compute_80,code=compute_80, or with vgpucc");
        return false;
    }
    memcpy(&e, at, sizeof e);
    if ((e.flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0 && e.compressed_bytes <= e.body_bytes)
        *unpacked =
            vg_fatbin_unpack((e.flags & FLAG_ZSTD) != 0 ? PACKED_ZSTD : PACKED_LZ4,
                             at + e.header_bytes, e.compressed_bytes, e.plain_bytes, why, why_len);
    if (*unpacked) {
        *text = *unpacked;
        *len = strnlen(*unpacked, e.plain_bytes);
        return true;
    }
    at = best_entry(data, false); /* a lower target's, rather than none */
    if (!at)
        return false;
    memcpy(&e, at, sizeof e);
    *text = (const char *)at + e.header_bytes;
    *len = strnlen(*text, e.body_bytes);
    return true;
}

uint64_t vg_fatbin_container_bytes(const void *data, uint64_t room) {
    container_header head;
    if (room < sizeof head)
        return 0;
    memcpy(&head, data, sizeof head);
    if (head.magic != (uint32_t)CONTAINER_MAGIC || head.header_bytes < sizeof head ||
        head.header_bytes > room || head.body_bytes > room - head.header_bytes)
        return 0;
    return head.header_bytes + head.body_bytes;
}

bool vg_fatbin_container_ptx(const void *data, uint64_t room, const char **text, size_t *len,
                             char **unpacked, char *why, size_t why_len) {
    *unpacked = NULL;
    if (vg_fatbin_container_bytes(data, room) > 0)
        return from_container(data, text, len, unpacked, why, why_len);
    snprintf(why, why_len, "a container of device code that is incomplete");
    return false;
}

bool vg_fatbin_is_container(const void *wrapper) {
    wrapper_header w;
    uint32_t magic = 0;
    memcpy(&w, wrapper, sizeof w);
    if (w.magic == WRAPPER_MAGIC && w.data)
        memcpy(&magic, w.data, sizeof magic);
    return magic == (uint32_t)CONTAINER_MAGIC;
}

bool vg_fatbin_ptx(const void *wrapper, const char **text, size_t *len, char **unpacked, char *why,
                   size_t why_len) {
    wrapper_header w;
    *unpacked = NULL;
    memcpy(&w, wrapper, sizeof w);
    if (w.magic != WRAPPER_MAGIC || !w.data) {
        snprintf(why, why_len, "unknown kind of device code in the program (magic 0x%" PRIx32 ")",
                 (uint32_t)w.magic);
        return false;
    }
    if (vg_fatbin_is_container(wrapper))
        return from_container(w.data, text, len, unpacked, why, why_len);
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
