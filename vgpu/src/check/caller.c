/* caller.c: finds the file that holds an address, and the line table in it; see caller.h. */
#include "vgpu/src/check/caller.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct loaded {
    uintptr_t address; /* looked for */
    uint64_t offset;   /* found: the address as the file has it */
    char path[512];
    bool found;
} loaded;

static int find_object(struct dl_phdr_info *info, size_t size, void *arg) {
    loaded *l = arg;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t start = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && l->address - start < p->p_memsz) {
            const bool program = info->dlpi_name == NULL || *info->dlpi_name == '\0';
            snprintf(l->path, sizeof l->path, "%s", program ? "/proc/self/exe" : info->dlpi_name);
            l->offset = l->address - info->dlpi_addr;
            l->found = true;
            return 1;
        }
    }
    return 0;
}

/* A file's bytes; NULL when it can't be had. */
static const uint8_t *map_file(const char *path, size_t *size) {
    struct stat s;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *p = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &s) == 0 && s.st_size > 0) {
        *size = (size_t)s.st_size;
        p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    return p == MAP_FAILED ? NULL : p;
}

static bool inside(uint64_t offset, uint64_t length, size_t size) {
    return offset <= size && length <= size - offset;
}

/* The line table of an ELF file. False: it has none (or is damaged, or has it compressed). */
static bool find_sections(const uint8_t *file, size_t size, vg_line_table *t) {
    ElfW(Ehdr) head;
    if (size < sizeof head)
        return false;
    memcpy(&head, file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(ElfW(Shdr)) ||
        !inside(head.e_shoff, (uint64_t)head.e_shnum * sizeof(ElfW(Shdr)), size) ||
        head.e_shstrndx >= head.e_shnum)
        return false;
    ElfW(Shdr) names, s;
    memcpy(&names, file + head.e_shoff + head.e_shstrndx * sizeof names, sizeof names);
    if (!inside(names.sh_offset, names.sh_size, size))
        return false;
    const char *text = (const char *)file + names.sh_offset;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        memcpy(&s, file + head.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_name >= names.sh_size ||
            memchr(text + s.sh_name, 0, names.sh_size - s.sh_name) == NULL ||
            s.sh_type == SHT_NOBITS || (s.sh_flags & SHF_COMPRESSED) != 0 ||
            !inside(s.sh_offset, s.sh_size, size))
            continue;
        const char *name = text + s.sh_name;
        if (strcmp(name, ".debug_line") == 0) {
            t->lines = file + s.sh_offset;
            t->size = s.sh_size;
        } else if (strcmp(name, ".debug_str") == 0) {
            t->strings = file + s.sh_offset;
            t->strings_size = s.sh_size;
        } else if (strcmp(name, ".debug_line_str") == 0) {
            t->line_strings = file + s.sh_offset;
            t->line_strings_size = s.sh_size;
        }
    }
    return t->lines != NULL;
}

/* "./lab3.cu" and "<here>/lab3.cu" become "lab3.cu". */
static void shorten(char *file) {
    char here[512];
    size_t skip = 0;
    while (strncmp(file + skip, "./", 2) == 0)
        skip += 2;
    const size_t n = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    if (n > 0 && strncmp(file, here, n) == 0 && file[n] == '/') {
        skip = n + 1;
        while (strncmp(file + skip, "./", 2) == 0)
            skip += 2;
    }
    memmove(file, file + skip, strlen(file + skip) + 1);
}

bool vg_caller_line(const void *address, char *file, size_t len, int *line) {
    /* The call is before the place it returns to. */
    loaded l = {.address = (uintptr_t)address - 1};
    vg_line_table table = {0};
    size_t size = 0;
    if (address == NULL || dl_iterate_phdr(find_object, &l) == 0 || !l.found)
        return false;
    const uint8_t *bytes = map_file(l.path, &size);
    if (bytes == NULL)
        return false;
    const bool found =
        find_sections(bytes, size, &table) && vg_line_find(&table, l.offset, file, len, line);
    munmap((void *)(uintptr_t)bytes, size);
    if (found)
        shorten(file);
    return found;
}
