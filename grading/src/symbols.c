/* symbols.c: a reader of ELF symbol tables, 64-bit and of this machine's byte order. Every offset
 * in the file is checked before it is used: the submission's assembly statements can shape the
 * file. */
#include "grading/src/symbols.h"

#include "grading/src/text.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
    const unsigned char *bytes;
    size_t n;
};

static bool get(const struct object *o, uint64_t at, void *into, size_t size) {
    if (at > o->n || size > o->n - at)
        return false;
    memcpy(into, o->bytes + at, size);
    return true;
}

static bool get_section(const struct object *o, const Elf64_Ehdr *h, uint64_t index,
                        Elf64_Shdr *section) {
    if (h->e_shentsize != sizeof *section || index >= o->n / sizeof *section)
        return false;
    const uint64_t offset = index * sizeof *section;
    return h->e_shoff <= o->n && get(o, h->e_shoff + offset, section, sizeof *section);
}

/* Notes one defined function. */
static void note(struct symbols *s, const char *name) {
    if (strcmp(name, "main") == 0)
        s->main = true;
    for (int e = 0; e < ENTRY_COUNT; e++) {
        const char *entry = entry_name((enum entry_point)e);
        if (strcmp(name, entry) == 0)
            s->entries |= 1u << e;
        char mangled[64]; /* _Z13matmul_device... : the length says where the name ends */
        const int length = snprintf(mangled, sizeof mangled, "_Z%zu%s", strlen(entry), entry);
        if (strncmp(name, mangled, (size_t)length) == 0)
            s->mangled |= 1u << e;
    }
}

static bool read_table(const struct object *o, const Elf64_Ehdr *h, const Elf64_Shdr *table,
                       struct symbols *s) {
    Elf64_Shdr strings;
    if (table->sh_entsize != sizeof(Elf64_Sym) || !get_section(o, h, table->sh_link, &strings) ||
        strings.sh_offset > o->n || strings.sh_size > o->n - strings.sh_offset)
        return false;
    const char *names = (const char *)o->bytes + strings.sh_offset;
    for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        if (table->sh_offset > o->n ||
            !get(o, table->sh_offset + i * sizeof symbol, &symbol, sizeof symbol))
            return false;
        const unsigned bind = ELF64_ST_BIND(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF || (bind != STB_GLOBAL && bind != STB_WEAK) ||
            symbol.st_name >= strings.sh_size)
            continue;
        const size_t room = (size_t)(strings.sh_size - symbol.st_name);
        if (memchr(names + symbol.st_name, '\0', room))
            note(s, names + symbol.st_name);
    }
    return true;
}

struct symbols symbols_parse(const unsigned char *bytes, size_t n) {
    const struct object o = {bytes, n};
    struct symbols s = {0};
    Elf64_Ehdr h;
    const int native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (!get(&o, 0, &h, sizeof h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
        h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != native)
        return s;
    /* e_shnum is 0 where a file has too many sections for its field: section 0 then knows. */
    uint64_t sections = h.e_shnum;
    Elf64_Shdr section;
    if (sections == 0 && get_section(&o, &h, 0, &section))
        sections = section.sh_size;
    for (uint64_t i = 0; i < sections && get_section(&o, &h, i, &section); i++) {
        if (section.sh_type == SHT_SYMTAB)
            s.readable = read_table(&o, &h, &section, &s);
    }
    return s;
}

struct symbols symbols_read(const char *object_path) {
    FILE *file = fopen(object_path, "re");
    if (!file)
        return (struct symbols){0};
    struct text bytes = {0};
    char part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        text_add_bytes(&bytes, part, n);
    fclose(file);
    const struct symbols s = symbols_parse((const unsigned char *)text_get(&bytes), bytes.length);
    text_free(&bytes);
    return s;
}
