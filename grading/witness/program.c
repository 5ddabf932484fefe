/* program.c: finds PTX in a program's file (see program.h). */
#include "grading/witness/program.h"

#include "vgpu/src/runtime/fatbin.h"
#include "vgpu/src/runtime/journal_format.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct file {
    const unsigned char *bytes;
    size_t n;
};

static bool get(const struct file *f, uint64_t at, void *into, size_t size) {
    if (at > f->n || size > f->n - at)
        return false;
    memcpy(into, f->bytes + at, size);
    return true;
}

static void add(struct program_texts *t, const char *text, size_t length, char *unpacked) {
    if (t->count == PROGRAM_MOST_TEXTS) {
        free(unpacked);
        return;
    }
    t->of[t->count++] = (struct ptx_text){text, length, vj_hash(text, length), unpacked};
}

/* A container or a text that begins at `at`. Returns how many bytes it takes. */
static size_t take_one(struct program_texts *t, const unsigned char *at, size_t room) {
    const uint64_t container = vg_fatbin_container_bytes(at, room);
    if (container > 0) {
        const char *text = NULL;
        char *unpacked = NULL, why[256];
        size_t length = 0;
        if (vg_fatbin_container_ptx(at, room, &text, &length, &unpacked, why, sizeof why))
            add(t, text, length, unpacked);
        return (size_t)container;
    }
    const unsigned char *end = memchr(at, '\0', room);
    if (*at < '\t' || *at >= 0x7F || !end)
        return 1;
    add(t, (const char *)at, (size_t)(end - at), NULL);
    return (size_t)(end - at) + 1;
}

static void take_section(struct program_texts *t, const unsigned char *at, size_t n) {
    for (size_t i = 0; i < n && t->count < PROGRAM_MOST_TEXTS;)
        i += at[i] == 0 ? 1 : take_one(t, at + i, n - i);
}

static bool section_at(const struct file *f, const Elf64_Ehdr *h, uint64_t i, Elf64_Shdr *section) {
    return h->e_shentsize == sizeof *section && i < f->n / sizeof *section && h->e_shoff <= f->n &&
           get(f, h->e_shoff + i * sizeof *section, section, sizeof *section);
}

static bool is_named(const struct file *f, const Elf64_Shdr *names, uint32_t at, const char *name) {
    char seen[32];
    const size_t n = strlen(name) + 1;
    return names->sh_offset <= f->n && at <= f->n && n <= sizeof seen &&
           get(f, names->sh_offset + at, seen, n) && memcmp(seen, name, n) == 0;
}

void program_texts_find(struct program_texts *t, const unsigned char *bytes, size_t n) {
    const struct file f = {bytes, n};
    const int native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    Elf64_Ehdr h;
    Elf64_Shdr names, section;
    *t = (struct program_texts){.count = 0};
    if (!get(&f, 0, &h, sizeof h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
        h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != native ||
        !section_at(&f, &h, h.e_shstrndx, &names))
        return;
    for (uint64_t i = 0; i < h.e_shnum && section_at(&f, &h, i, &section); i++) {
        if (section.sh_type != SHT_PROGBITS ||
            !is_named(&f, &names, section.sh_name, ".nv_fatbin") || section.sh_offset > n ||
            section.sh_size > n - section.sh_offset)
            continue;
        take_section(t, bytes + section.sh_offset, (size_t)section.sh_size);
    }
}

void program_texts_free(struct program_texts *t) {
    for (size_t i = 0; i < t->count; i++)
        free(t->of[i].unpacked);
    *t = (struct program_texts){.count = 0};
}

const struct ptx_text *program_text(const struct program_texts *t, uint64_t hash, uint64_t length) {
    for (size_t i = 0; i < t->count; i++)
        if (t->of[i].hash == hash && t->of[i].length == length)
            return &t->of[i];
    return NULL;
}
