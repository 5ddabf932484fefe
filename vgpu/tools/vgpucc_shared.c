/* vgpucc_shared.c: see vgpucc_shared.h. */
#include "vgpu/tools/vgpucc_shared.h"

#include "vgpu/tools/vgpucc_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 48 << 10, GLOBALS = 64, NAME = 256 };

/* An array outside all kernels, which each may use. */
struct global {
    const char *name;
    size_t length;
    unsigned long bytes;
    int used_in; /* the last kernel that uses it, counted from 1 */
};

struct scan {
    struct global global[GLOBALS];
    int globals;
    int kernel; /* counted from 1 */
    char name[NAME];
    int line; /* of the kernel; 0: not known yet */
    unsigned long bytes;
    int arrays;
    bool in_kernel;
};

/* "_Z5tilediPKf" is tiled; a longer path of names stays as it is. */
static void plain_name(char to[NAME], const char *mangled) {
    const size_t length = strcspn(mangled, "( \t\n");
    char *rest = NULL;
    const char *digits = mangled + 2;
    const unsigned long n =
        length > 2 && strncmp(mangled, "_Z", 2) == 0 && *digits >= '1' && *digits <= '9'
            ? strtoul(digits, &rest, 10)
            : 0;
    const bool plain = n > 0 && n < NAME && n <= length - (size_t)(rest - mangled);
    snprintf(to, NAME, "%.*s", (int)(plain ? n : length), plain ? rest : mangled);
}

/* "[.weak ].shared .align 4 .b8 As[4096];": its bytes, its name's place and length. */
static unsigned long declared(const char *line, const char **name, size_t *length) {
    unsigned long align = 1, bits = 8, count = 1;
    const char *p = line + strlen(".shared");
    while (*p == ' ' || *p == '.') {
        p += *p == ' ';
        if (*p != '.')
            break;
        if (sscanf(p, ".align %lu", &align) == 1) {
            p += strlen(".align ") + strspn(p + strlen(".align "), "0123456789");
            continue;
        }
        if (p[1] == 'b' || p[1] == 'f' || p[1] == 'u' || p[1] == 's')
            bits = strtoul(p + 2, NULL, 10);
        p += strcspn(p, " ");
    }
    *name = p;
    *length = strcspn(p, "[; ");
    if (p[*length] == '[')
        count = strtoul(p + *length + 1, NULL, 10);
    const unsigned long bytes = bits / 8 * count;
    return align > 1 ? (bytes + align - 1) / align * align : bytes;
}

static void count_global(struct scan *s, const char *line) {
    for (int i = 0; i < s->globals; i++) {
        struct global *g = &s->global[i];
        const char *at = strstr(line, g->name);
        const size_t n = g->length;
        if (g->used_in == s->kernel || !at ||
            strspn(at + n, "_$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") > 0)
            continue;
        g->used_in = s->kernel;
        s->bytes += g->bytes;
        s->arrays++;
    }
}

static bool verdict(const struct scan *s, const char *input) {
    if (s->bytes <= LIMIT)
        return true;
    fprintf(stderr,
            "%s:%d:1: error: kernel '%s' has too much shared memory: its %d __shared__ array%s %s "
            "%lu bytes, but a block may have %d\n",
            input, s->line, s->name, s->arrays, s->arrays == 1 ? "" : "s",
            s->arrays == 1 ? "has" : "have", s->bytes, LIMIT);
    return false;
}

/* One line of PTX. False: a kernel ends here that has too much. */
static bool look(struct scan *s, char *line, const char *input) {
    const char *p = line + strspn(line, " \t"), *name;
    const char *entry = *p == '.' ? strstr(p, ".entry ") : NULL;
    const char *shared = *p == '.' && strncmp(p, ".extern", 7) != 0 ? strstr(p, ".shared ") : NULL;
    size_t length;
    unsigned file, at;
    if (entry) {
        plain_name(s->name, entry + strlen(".entry "));
        s->kernel++;
        s->in_kernel = true;
        s->bytes = 0;
        s->arrays = s->line = 0;
    } else if (shared) {
        const unsigned long bytes = declared(shared, &name, &length);
        if (s->in_kernel) {
            s->bytes += bytes;
            s->arrays++;
        } else if (s->globals < GLOBALS) {
            line[name - line + (long)length] = '\0';
            s->global[s->globals++] = (struct global){name, length, bytes, 0};
        }
    } else if (s->in_kernel && *p == '}' && p == line) {
        s->in_kernel = false;
        return verdict(s, input);
    } else if (s->in_kernel) {
        if (s->line == 0 && sscanf(p, ".loc %u %u", &file, &at) == 2)
            s->line = (int)at;
        count_global(s, p);
    }
    return true;
}

bool shared_arrays_fit(const char *ptx, const char *input) {
    size_t length;
    char *text = read_file(ptx, &length);
    struct scan *s = calloc(1, sizeof *s);
    bool fit = true;
    for (char *line = text, *next; s && line && *line && fit; line = next) {
        next = line + strcspn(line, "\n");
        if (*next == '\n')
            *next++ = '\0';
        fit = look(s, line, input);
    }
    free(s);
    free(text);
    return fit;
}
