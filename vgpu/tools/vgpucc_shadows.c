/* vgpucc_shadows.c: see vgpucc_shadows.h. */
#include "vgpu/tools/vgpucc_shadows.h"

#include "vgpu/src/runtime/shadow_section.h"
#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_text.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An object in memory. All offsets are checked where they are used: it may be damaged. */
typedef struct object {
    char *bytes;
    size_t size;
    Elf64_Shdr *sections;
    size_t num_sections;
    const Elf64_Shdr *names;   /* of sections */
    const Elf64_Shdr *symbols; /* NULL: there are none */
} object;

static bool inside(const object *o, uint64_t offset, uint64_t size) {
    return offset <= o->size && size <= o->size - offset;
}

/* The text at `at` in a table of texts; "" if there is none. */
static const char *text_at(const object *o, const Elf64_Shdr *table, uint64_t at) {
    if (!inside(o, table->sh_offset, table->sh_size) || at >= table->sh_size ||
        o->bytes[table->sh_offset + table->sh_size - 1] != '\0')
        return "";
    return o->bytes + table->sh_offset + at;
}

static bool look_into(object *o) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(void *)o->bytes;
    const uint16_t one = 1;
    const unsigned char order = *(const unsigned char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    if (o->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != order ||
        head->e_type != ET_REL || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shoff % _Alignof(Elf64_Shdr) != 0 ||
        !inside(o, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)) ||
        head->e_shstrndx >= head->e_shnum)
        return false;
    o->sections = (Elf64_Shdr *)(void *)(o->bytes + head->e_shoff);
    o->num_sections = head->e_shnum;
    o->names = &o->sections[head->e_shstrndx];
    for (size_t i = 0; i < o->num_sections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type == SHT_SYMTAB && s->sh_link < o->num_sections &&
            s->sh_offset % _Alignof(Elf64_Sym) == 0 && inside(o, s->sh_offset, s->sh_size))
            o->symbols = s;
    }
    return o->symbols != NULL;
}

static const Elf64_Sym *symbol(const object *o, uint64_t index) {
    return index < o->symbols->sh_size / sizeof(Elf64_Sym)
               ? (const Elf64_Sym *)(void *)(o->bytes + o->symbols->sh_offset) + index
               : NULL;
}

/* Does code at this place of a section register variables? clang has two functions for it, of which
 * one may have been inlined into the other. */
static bool registers(const object *o, size_t section, uint64_t at) {
    const Elf64_Shdr *texts = &o->sections[o->symbols->sh_link];
    const Elf64_Sym *s;
    for (uint64_t i = 0; (s = symbol(o, i)) != NULL; i++) {
        if (s->st_shndx != section || at < s->st_value || at - s->st_value >= s->st_size)
            continue;
        const char *name = text_at(o, texts, s->st_name);
        return strcmp(name, "__cuda_module_ctor") == 0 ||
               strncmp(name, "__cuda_register_globals", strlen("__cuda_register_globals")) == 0;
    }
    return false;
}

/* The section of a shadow that is referred to, if it is one; else NULL. */
static Elf64_Shdr *shadow_of(const object *o, const Elf64_Rela *reference) {
    const Elf64_Sym *s = symbol(o, ELF64_R_SYM(reference->r_info));
    if (s == NULL || s->st_shndx >= o->num_sections)
        return NULL;
    Elf64_Shdr *section = &o->sections[s->st_shndx];
    const char *name = text_at(o, o->names, section->sh_name);
    return section->sh_type == SHT_NOBITS && strncmp(name, ".bss.", strlen(".bss.")) == 0 ? section
                                                                                          : NULL;
}

/* Renames the shadows' sections to the text at `name`. How many there are. */
static size_t rename_shadows(const object *o, uint32_t name) {
    size_t count = 0;
    for (size_t i = 0; i < o->num_sections; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_info >= o->num_sections ||
            s->sh_offset % _Alignof(Elf64_Rela) != 0 || !inside(o, s->sh_offset, s->sh_size))
            continue;
        const Elf64_Rela *references = (const Elf64_Rela *)(void *)(o->bytes + s->sh_offset);
        for (size_t r = 0; r < s->sh_size / sizeof *references; r++) {
            Elf64_Shdr *shadow = shadow_of(o, &references[r]);
            if (shadow == NULL || !registers(o, s->sh_info, references[r].r_offset))
                continue;
            shadow->sh_name = name;
            shadow->sh_addralign = VG_SHADOW_PAGE;
            count++;
        }
    }
    return count;
}

/* The table of names gets one more, and moves to the end of the file for that. */
static bool write_object(const object *o, Elf64_Shdr *names, const char *path) {
    static const char added[] = VG_SHADOW_SECTION;
    const uint64_t from = names->sh_offset, length = names->sh_size;
    names->sh_offset = o->size;
    names->sh_size = length + sizeof added;
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool ok = fwrite(o->bytes, 1, o->size, file) == o->size &&
              fwrite(o->bytes + from, 1, length, file) == length &&
              fwrite(added, 1, sizeof added, file) == sizeof added;
    return fclose(file) == 0 && ok;
}

bool shadows_apart(const char *path) {
    object o = {0};
    bool ok = true;
    o.bytes = read_file(path, &o.size);
    if (o.bytes == NULL) {
        complain("%s: cannot be read: %s", path, strerror(errno));
        return false;
    }
    if (look_into(&o) && inside(&o, o.names->sh_offset, o.names->sh_size) &&
        rename_shadows(&o, (uint32_t)o.names->sh_size) > 0) {
        ok = write_object(&o, (Elf64_Shdr *)o.names, path);
        if (!ok)
            complain("%s: cannot be written: %s", path, strerror(errno));
    }
    free(o.bytes);
    return ok;
}
