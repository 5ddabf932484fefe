/* symbols.c: a reader of ELF symbol tables, 64-bit and of this machine's byte order. Every offset
 * in the file is checked before it is used: the submission's assembly statements can shape the
 * file. */
#include "grading/src/build/symbols.h"

#include "grading/src/base/text.h"

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
        char mangled[64]; /* "_Z", the name's length, the name: so one sees where it ends */
        const int length = snprintf(mangled, sizeof mangled, "_Z%zu%s", strlen(entry), entry);
        if (strncmp(name, mangled, (size_t)length) == 0)
            s->mangled |= 1u << e;
    }
}

/* What all readers below start from. */
struct table {
    struct object o;
    Elf64_Ehdr header;
    uint64_t sections;
};

static bool table_open(struct table *t, const unsigned char *bytes, size_t n) {
    *t = (struct table){.o = {bytes, n}};
    const int native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    const Elf64_Ehdr *h = &t->header;
    if (!get(&t->o, 0, &t->header, sizeof t->header) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
        h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != native)
        return false;
    /* e_shnum is 0 where a file has too many sections for its field: section 0 then knows. */
    t->sections = h->e_shnum;
    Elf64_Shdr section;
    if (t->sections == 0 && get_section(&t->o, h, 0, &section))
        t->sections = section.sh_size;
    return true;
}

static bool section_at(const struct table *t, uint64_t i, Elf64_Shdr *section) {
    return i < t->sections && get_section(&t->o, &t->header, i, section);
}

/* A string of a string section, or NULL. */
static const char *string_at(const struct table *t, const Elf64_Shdr *strings, uint64_t at) {
    if (strings->sh_offset > t->o.n || strings->sh_size > t->o.n - strings->sh_offset ||
        at >= strings->sh_size)
        return NULL;
    const char *s = (const char *)t->o.bytes + strings->sh_offset + at;
    return memchr(s, '\0', (size_t)(strings->sh_size - at)) ? s : NULL;
}

static const char *section_name(const struct table *t, const Elf64_Shdr *section) {
    Elf64_Shdr strings;
    const char *name = section_at(t, t->header.e_shstrndx, &strings)
                           ? string_at(t, &strings, section->sh_name)
                           : NULL;
    return name ? name : "";
}

static bool symbol_at(const struct table *t, const Elf64_Shdr *symbols, uint64_t i,
                      Elf64_Sym *symbol) {
    return symbols->sh_entsize == sizeof *symbol && i < symbols->sh_size / sizeof *symbol &&
           symbols->sh_offset <= t->o.n &&
           get(&t->o, symbols->sh_offset + i * sizeof *symbol, symbol, sizeof *symbol);
}

/* Calls `visit` for the symbols of one section. False when it cannot be read. */
static bool each_symbol(const struct table *t, const Elf64_Shdr *symbols, symbol_visitor *visit,
                        void *data) {
    Elf64_Shdr strings;
    Elf64_Sym symbol;
    if (symbols->sh_entsize != sizeof symbol || !section_at(t, symbols->sh_link, &strings) ||
        strings.sh_offset > t->o.n || strings.sh_size > t->o.n - strings.sh_offset)
        return false;
    for (uint64_t i = 0; i < symbols->sh_size / sizeof symbol; i++) {
        if (!symbol_at(t, symbols, i, &symbol))
            return false;
        const unsigned bind = ELF64_ST_BIND(symbol.st_info), type = ELF64_ST_TYPE(symbol.st_info);
        const char *name = string_at(t, &strings, symbol.st_name);
        const struct symbol_seen seen = {.name = name,
                                         .defined = symbol.st_shndx != SHN_UNDEF,
                                         .global = bind != STB_LOCAL,
                                         .resolver = type == STT_GNU_IFUNC};
        if (name && *name)
            visit(&seen, data);
    }
    return true;
}

static bool each_of_all(const struct table *t, symbol_visitor *visit, void *data) {
    Elf64_Shdr section;
    bool readable = false;
    for (uint64_t i = 0; section_at(t, i, &section); i++)
        if (section.sh_type == SHT_SYMTAB)
            readable = each_symbol(t, &section, visit, data);
    return readable;
}

void symbols_each(const unsigned char *bytes, size_t n, symbol_visitor *visit, void *data) {
    struct table t;
    if (table_open(&t, bytes, n))
        (void)each_of_all(&t, visit, data);
}

static void note_entry(const struct symbol_seen *seen, void *data) {
    if (seen->defined && seen->global)
        note(data, seen->name);
}

struct symbols symbols_parse(const unsigned char *bytes, size_t n) {
    struct symbols s = {0};
    struct table t;
    if (table_open(&t, bytes, n))
        s.readable = each_of_all(&t, note_entry, &s);
    return s;
}

/* ---- What runs before main ---- */

/* The function that begins at `value` of section `index`; "" when no symbol says. */
static const char *function_at(const struct table *t, const Elf64_Shdr *symbols, uint64_t index,
                               uint64_t value) {
    Elf64_Shdr strings;
    Elf64_Sym symbol;
    for (uint64_t i = 0;
         section_at(t, symbols->sh_link, &strings) && symbol_at(t, symbols, i, &symbol); i++) {
        if (symbol.st_shndx != index || symbol.st_value != value ||
            ELF64_ST_TYPE(symbol.st_info) == STT_SECTION)
            continue;
        const char *name = string_at(t, &strings, symbol.st_name);
        if (name && *name && *name != '.' && *name != '$') /* labels of the assembler's own */
            return name;
    }
    return "";
}

/* What one entry of a list of functions points to. */
static const char *target_of(const struct table *t, const Elf64_Shdr *relocations,
                             const Elf64_Rela *r) {
    Elf64_Shdr symbols, strings;
    Elf64_Sym symbol;
    if (!section_at(t, relocations->sh_link, &symbols) ||
        !symbol_at(t, &symbols, ELF64_R_SYM(r->r_info), &symbol) ||
        !section_at(t, symbols.sh_link, &strings))
        return "";
    if (ELF64_ST_TYPE(symbol.st_info) == STT_SECTION)
        return function_at(t, &symbols, symbol.st_shndx, (uint64_t)r->r_addend);
    const char *name = string_at(t, &strings, symbol.st_name);
    return name ? name : "";
}

static bool is_list_of_functions(const Elf64_Shdr *section, const char *name) {
    static const char *const names[] = {".init_array", ".fini_array", ".preinit_array", ".ctors",
                                        ".dtors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return section->sh_type == SHT_INIT_ARRAY || section->sh_type == SHT_FINI_ARRAY ||
           section->sh_type == SHT_PREINIT_ARRAY;
}

void symbols_each_starter(const unsigned char *bytes, size_t n, starter_visitor *visit,
                          void *data) {
    struct table t;
    Elf64_Shdr section, list;
    if (!table_open(&t, bytes, n))
        return;
    for (uint64_t i = 0; section_at(&t, i, &section); i++) {
        const char *name = section_name(&t, &section);
        if (strcmp(name, ".init") == 0 || strcmp(name, ".fini") == 0 ||
            strncmp(name, ".preinit_array", 14) == 0 || section.sh_type == SHT_PREINIT_ARRAY)
            visit(name, "", data); /* code put into that of others, or a list whatever it holds */
        if (section.sh_type != SHT_RELA || section.sh_entsize != sizeof(Elf64_Rela) ||
            !section_at(&t, section.sh_info, &list) ||
            !is_list_of_functions(&list, section_name(&t, &list)) || section.sh_offset > t.o.n)
            continue;
        for (uint64_t r = 0; r < section.sh_size / sizeof(Elf64_Rela); r++) {
            Elf64_Rela rela;
            if (!get(&t.o, section.sh_offset + r * sizeof rela, &rela, sizeof rela))
                break;
            visit(section_name(&t, &list), target_of(&t, &section, &rela), data);
        }
    }
}

uint64_t symbols_data_bytes(const unsigned char *bytes, size_t n) {
    struct table t;
    Elf64_Shdr section;
    uint64_t sum = 0;
    if (!table_open(&t, bytes, n))
        return 0;
    for (uint64_t i = 0; section_at(&t, i, &section); i++) {
        const char *name = section_name(&t, &section);
        if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) &&
            !(section.sh_flags & SHF_EXECINSTR) && !strstr(name, "fatbin") &&
            strncmp(name, "__nv", 4) != 0 && section.sh_size < (uint64_t)1 << 40)
            sum += section.sh_size;
    }
    return sum;
}

uint64_t symbols_static_bytes(const unsigned char *bytes, size_t n) {
    const uint64_t most = (uint64_t)1 << 62;
    struct table t;
    Elf64_Shdr section;
    uint64_t sum = 0;
    if (!table_open(&t, bytes, n))
        return 0;
    for (uint64_t i = 0; section_at(&t, i, &section); i++)
        if ((section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS) &&
            (section.sh_flags & SHF_ALLOC))
            sum = section.sh_size < most - sum ? sum + section.sh_size : most;
    return sum;
}

/* ---- Files ---- */

unsigned char *symbols_load(const char *object_path, size_t most, size_t *n) {
    *n = 0;
    FILE *file = fopen(object_path, "re");
    if (!file)
        return NULL;
    struct text bytes = {0};
    char part[65536];
    for (size_t got; bytes.length < most && (got = fread(part, 1, sizeof part, file)) > 0;)
        text_add_bytes(&bytes, part, got);
    fclose(file);
    *n = bytes.length;
    return (unsigned char *)bytes.data;
}

struct symbols symbols_read(const char *object_path) {
    size_t n;
    unsigned char *bytes = symbols_load(object_path, SIZE_MAX, &n);
    const struct symbols s = bytes ? symbols_parse(bytes, n) : (struct symbols){0};
    free(bytes);
    return s;
}
