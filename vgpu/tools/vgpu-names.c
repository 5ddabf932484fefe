/*
 * vgpu-names.c: writes down what a PTX text compiled with -g -O0 says of its functions and
 * variables, in the form that a program carries (vgpu/src/inspect/names.h). vgpucc -g runs it.
 *
 *     vgpu-names FILE.ptx OWN FOLDER OUT
 *
 * The sources that are the program's go into the output as they are now, so that a film of the
 * program can show them wherever and whenever it runs. Those are the program's that OWN lists: the
 * compiler's own list (-MMD -MV) of what it read and does not take for the system's. A #line may
 * name others; of those, files in FOLDER, and in the system's folders, are not the program's.
 *
 * Status: 0 done, 1 the text has no debugging information or libdw cannot read it, 2 usage, memory,
 * a file that cannot be read.
 */
#include "vgpu/tools/vgpu-names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file's text; NULL: none, or no plain file. A #line of a program may name whatever it likes. */
static char *read_whole(const char *path, size_t *len) {
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat is;
    FILE *f = fd >= 0 && fstat(fd, &is) == 0 && S_ISREG(is.st_mode) ? fdopen(fd, "r") : NULL;
    char *text = NULL;
    size_t room = 0, n;
    *len = 0;
    if (f == NULL) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    do {
        if (*len + 1 >= room) {
            char *more = realloc(text, room = room == 0 ? 1 << 16 : 2 * room);
            if (more == NULL) {
                free(text);
                fclose(f);
                return NULL;
            }
            text = more;
        }
        n = fread(text + *len, 1, room - *len - 1, f);
        *len += n;
    } while (n > 0);
    text[*len] = '\0';
    fclose(f);
    return text;
}

static bool same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Does a list have this file, under whatever name? TARGET: a.cu "b c.h" \ and on the next line:
 * a name with an odd character stands in quotes, and nothing in it is written otherwise. */
static bool lists(const char *own, const char *path) {
    const char *at = strstr(own, ": ");
    for (at = at != NULL ? at + 2 : ""; *at != '\0';) {
        const bool quoted = *at == '"';
        const char *name = at + quoted;
        const size_t len = strcspn(name, quoted ? "\"\n" : " \n");
        char *listed = len > 0 && *at != '\\' ? strndup(name, len) : NULL;
        const bool same = listed != NULL && same_file(listed, path);
        free(listed);
        if (same)
            return true;
        at = name + len;
        at += *at != '\0';
    }
    return false;
}

static bool is_foreign(const char *path, const char *folder) {
    return strncmp(path, folder, strlen(folder)) == 0 || strncmp(path, "/usr/", 5) == 0 ||
           strncmp(path, "/opt/", 5) == 0 || strstr(path, "/lib/clang/") != NULL;
}

/* .file 3 "name": the program's own sources, by number. */
static void write_sources(const char *ptx, const char *own, const char *folder, FILE *to) {
    for (const char *line = ptx; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        int number = 0, at = 0;
        if (sscanf(line, " .file %d %n", &number, &at) == 1 && at > 0 && line[at] == '"') {
            const char *name = line + at + 1, *quote = memchr(name, '"', (size_t)(end - name));
            char *path = quote != NULL ? strndup(name, (size_t)(quote - name)) : NULL;
            size_t len = 0;
            const bool mine = path != NULL && (lists(own, path) || !is_foreign(path, folder));
            char *text = mine ? read_whole(path, &len) : NULL;
            if (text != NULL && memchr(text, '\0', len) == NULL) {
                fprintf(to, "source\t%d\t%zu\t%s\n", number, len, path);
                fwrite(text, 1, len, to);
                fputc('\n', to);
                names_dynamic(ptx, text, to);
            }
            free(text);
            free(path);
        }
        line = end + (*end == '\n');
    }
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: vgpu-names FILE.ptx OWN FOLDER OUT\n");
        return 2;
    }
    size_t len = 0, size = 0;
    char *ptx = read_whole(argv[1], &len), *own = ptx != NULL ? read_whole(argv[2], &len) : NULL;
    if (own == NULL) {
        fprintf(stderr, "vgpu-names: %s: %s\n", argv[ptx == NULL ? 1 : 2], strerror(errno));
        free(ptx);
        return 2;
    }
    symbol_list symbols = {0};
    uint8_t *elf = names_elf(ptx, &size, &symbols);
    int status = 1;
    FILE *to = elf != NULL ? fopen(argv[4], "we") : NULL;
    if (elf == NULL) {
        fprintf(stderr, "vgpu-names: %s: no debugging information\n", argv[1]);
    } else if (to == NULL) {
        fprintf(stderr, "vgpu-names: %s: %s\n", argv[4], strerror(errno));
        status = 2;
    } else {
        fputs("names\t1\n", to);
        write_sources(ptx, own, argv[3], to);
        status = names_write(elf, size, &symbols, to) ? 0 : 1;
    }
    if (to != NULL && fclose(to) != 0)
        status = 2;
    names_free_symbols(&symbols);
    free(elf);
    free(own);
    free(ptx);
    return status;
}
