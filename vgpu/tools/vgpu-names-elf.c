/*
 * vgpu-names-elf.c: the debugging sections of a PTX text as an ELF object; see vgpu-names.h.
 *
 * Two passes over the text: the first counts bytes and notes where labels of the sections lie, the
 * second writes. A value is a number, a label, a section's name, LABEL+NUMBER or LABEL-LABEL;
 * labels of code and symbols of variables, which have no address, get one each.
 */
#include "vgpu/tools/vgpu-names.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SECTIONS = 16, MAX_NAME = 64 };

typedef struct section {
    char name[MAX_NAME]; /* ".debug_info" */
    uint8_t *bytes;
    size_t size, room;
} section;

typedef struct label {
    char *name;
    size_t offset;
} label;

typedef struct reader {
    section section[MAX_SECTIONS];
    int num_sections;
    label *labels;
    size_t num_labels;
    symbol_list *symbols;
    bool writing; /* the second pass */
    bool failed;  /* out of memory */
} reader;

static section *section_named(reader *r, const char *name, size_t len) {
    for (int i = 0; i < r->num_sections; i++)
        if (strlen(r->section[i].name) == len && strncmp(r->section[i].name, name, len) == 0)
            return &r->section[i];
    if (r->num_sections == MAX_SECTIONS || len >= MAX_NAME)
        return NULL;
    section *s = &r->section[r->num_sections++];
    memcpy(s->name, name, len);
    return s;
}

static void put(reader *r, section *s, uint64_t value, int bytes) {
    if (r->writing && s->size + (size_t)bytes <= s->room)
        for (int i = 0; i < bytes; i++)
            s->bytes[s->size + (size_t)i] = (uint8_t)(value >> (8 * i));
    s->size += (size_t)bytes;
}

static void note_label(reader *r, const char *name, size_t len, size_t offset) {
    if (r->writing)
        return;
    label *more = realloc(r->labels, (r->num_labels + 1) * sizeof *more);
    char *copy = strndup(name, len);
    if (more != NULL)
        r->labels = more;
    if (more == NULL || copy == NULL) {
        free(copy);
        r->failed = true;
        return;
    }
    r->labels[r->num_labels++] = (label){copy, offset};
}

/* ---- values ---- */

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

static uint64_t address_of_symbol(reader *r, const char *name, size_t len) {
    symbol_list *all = r->symbols;
    for (size_t i = 0; i < all->count; i++)
        if (strlen(all->name[i]) == len && strncmp(all->name[i], name, len) == 0)
            return (uint64_t)(i + 1) << SYMBOL_SHIFT;
    char **more = realloc(all->name, (all->count + 1) * sizeof *more);
    char *copy = strndup(name, len);
    if (more != NULL)
        all->name = more;
    if (more == NULL || copy == NULL) {
        free(copy);
        r->failed = true;
        return 0;
    }
    all->name[all->count++] = copy;
    return (uint64_t)all->count << SYMBOL_SHIFT;
}

/* One term; *at moves behind it. */
static uint64_t term(reader *r, const char **at) {
    const char *p = *at;
    if (isdigit((unsigned char)*p)) {
        char *end;
        const uint64_t value = strtoull(p, &end, 0);
        *at = end;
        return value;
    }
    while (is_name(**at))
        ++*at;
    const size_t len = (size_t)(*at - p);
    for (size_t i = 0; i < r->num_labels; i++)
        if (strlen(r->labels[i].name) == len && strncmp(r->labels[i].name, p, len) == 0)
            return r->labels[i].offset;
    if (*p == '.') /* a section's name: its begin */
        return 0;
    return r->writing && len > 0 ? address_of_symbol(r, p, len) : 0;
}

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* The values behind .b8, .b32 …, up to the end of the line. */
static void values(reader *r, section *s, const char *p, int bytes) {
    for (;;) {
        p = skip_blanks(p);
        bool minus = *p == '-';
        p += minus ? 1 : 0;
        const char *before = p;
        uint64_t value = term(r, &p);
        if (p == before)
            return;
        value = minus ? 0 - value : value;
        while (*p == '+' || *p == '-') {
            minus = *p++ == '-';
            const uint64_t next = term(r, &p);
            value = minus ? value - next : value + next;
        }
        put(r, s, value, bytes);
        p = skip_blanks(p);
        if (*p != ',')
            return;
        p++;
    }
}

/* A line of a section. True when it ends the section. */
static bool section_line(reader *r, section *s, const char *p) {
    static const struct {
        const char *name;
        int bytes;
    } directives[] = {{".b8", 1}, {".b16", 2}, {".b32", 4}, {".b64", 8}};
    p = skip_blanks(p);
    if (*p == '}')
        return true;
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        const size_t n = strlen(directives[i].name);
        if (strncmp(p, directives[i].name, n) == 0 && (p[n] == ' ' || p[n] == '\t')) {
            values(r, s, p + n, directives[i].bytes);
            return false;
        }
    }
    const char *end = p;
    while (is_name(*end))
        end++;
    if (end > p && *end == ':')
        note_label(r, p, (size_t)(end - p), s->size);
    return false;
}

static void read_text(reader *r, const char *ptx) {
    section *at = NULL;
    for (const char *line = ptx; *line != '\0';) {
        const char *p = skip_blanks(line);
        if (at != NULL) {
            at = section_line(r, at, p) ? NULL : at;
        } else if (strncmp(p, ".section", 8) == 0) {
            p = skip_blanks(p + 8);
            size_t len = 0;
            while (is_name(p[len]))
                len++;
            if (strncmp(p, ".debug_", 7) == 0)
                at = section_named(r, p, len);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

/* ---- the object ---- */

static size_t align8(size_t n) {
    return (n + 7) & ~(size_t)7;
}

/* Header, the sections' bytes, their names, and the table of sections. */
static uint8_t *object(const reader *r, size_t *size) {
    const int count = r->num_sections + 2; /* none, the sections, the names */
    size_t at = sizeof(Elf64_Ehdr), names = 1 + sizeof ".shstrtab";
    for (int i = 0; i < r->num_sections; i++) {
        at = align8(at) + r->section[i].size;
        names += strlen(r->section[i].name) + 1;
    }
    const size_t table = align8(at + names);
    *size = table + (size_t)count * sizeof(Elf64_Shdr);
    uint8_t *image = calloc(1, *size);
    Elf64_Shdr *headers = calloc((size_t)count, sizeof *headers);
    if (image == NULL || headers == NULL) {
        free(image);
        free(headers);
        return NULL;
    }
    Elf64_Ehdr head = {.e_type = ET_EXEC, /* nothing is left to be relocated */
                       .e_machine = EM_CUDA,
                       .e_version = EV_CURRENT,
                       .e_shoff = table,
                       .e_ehsize = sizeof head,
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = (Elf64_Half)count,
                       .e_shstrndx = (Elf64_Half)(count - 1)};
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    memcpy(image, &head, sizeof head);
    const size_t names_at = at;
    size_t name = 1;
    at = sizeof head;
    for (int i = 0; i < r->num_sections; i++) {
        const section *s = &r->section[i];
        at = align8(at);
        headers[i + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)name,
                                      .sh_type = SHT_PROGBITS,
                                      .sh_offset = at,
                                      .sh_size = s->size,
                                      .sh_addralign = 1};
        if (s->size > 0)
            memcpy(image + at, s->bytes, s->size);
        memcpy(image + names_at + name, s->name, strlen(s->name));
        name += strlen(s->name) + 1;
        at += s->size;
    }
    headers[count - 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)name,
                                      .sh_type = SHT_STRTAB,
                                      .sh_offset = names_at,
                                      .sh_size = names,
                                      .sh_addralign = 1};
    memcpy(image + names_at + name, ".shstrtab", sizeof ".shstrtab" - 1);
    memcpy(image + table, headers, (size_t)count * sizeof *headers);
    free(headers);
    return image;
}

void names_free_symbols(symbol_list *symbols) {
    for (size_t i = 0; i < symbols->count; i++)
        free(symbols->name[i]);
    free(symbols->name);
    *symbols = (symbol_list){0};
}

uint8_t *names_elf(const char *ptx, size_t *size, symbol_list *symbols) {
    reader r = {.symbols = symbols};
    read_text(&r, ptx);
    for (int i = 0; i < r.num_sections; i++) {
        section *s = &r.section[i];
        s->room = s->size;
        s->size = 0;
        s->bytes = calloc(1, s->room + 1);
        r.failed = r.failed || s->bytes == NULL;
    }
    r.writing = true;
    if (!r.failed)
        read_text(&r, ptx);
    uint8_t *image = !r.failed && r.num_sections > 0 ? object(&r, size) : NULL;
    for (int i = 0; i < r.num_sections; i++)
        free(r.section[i].bytes);
    for (size_t i = 0; i < r.num_labels; i++)
        free(r.labels[i].name);
    free(r.labels);
    return image;
}
