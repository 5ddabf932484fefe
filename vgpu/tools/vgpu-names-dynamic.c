/*
 * vgpu-names-dynamic.c: extern __shared__ float pool[]: the compiler writes no debugging
 * information for these arrays, and the PTX knows their bytes only. Of which numbers one is, is
 * read in the source. One of another type, or in a namespace, remains unknown.
 */
#include "vgpu/tools/vgpu-names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *type, *encoding;
    int bytes;
} known[] = {{"float", "float", 4},
             {"double", "float", 8},
             {"int", "signed", 4},
             {"unsigned", "unsigned", 4},
             {"unsigned int", "unsigned", 4},
             {"char", "char", 1},
             {"unsigned char", "unsigned", 1},
             {"short", "signed", 2},
             {"long long", "signed", 8},
             {"unsigned long long", "unsigned", 8},
             {"__half", "half", 2},
             {"half", "half", 2}};

/* The next word or sign; its length. 0: the text ends. */
static size_t next_token(const char **at) {
    size_t n = 0;
    while (isspace((unsigned char)**at))
        ++*at;
    while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_')
        n++;
    return n > 0 ? n : **at != '\0';
}

static bool is_token(const char *at, size_t n, const char *text) {
    return strlen(text) == n && strncmp(at, text, n) == 0;
}

/* Behind "__shared__": words of the type, and the name; "__align__(16)" is neither. False: this is
 * another array. */
static bool read_type(const char *at, const char *name, char *type, size_t room) {
    type[0] = '\0';
    for (size_t n; (n = next_token(&at)) > 0; at += n) {
        const char *behind = at + n;
        if (is_token(at, n, "__align__") || is_token(at, n, "alignas")) {
            n = strcspn(at, ")");
            n += at[n] != '\0';
        } else if (is_token(at, n, name)) {
            return next_token(&behind) == 1 && *behind == '[';
        } else if (!isalpha((unsigned char)*at) && *at != '_') {
            return false;
        } else if (!is_token(at, n, "volatile")) {
            const size_t len = strlen(type);
            snprintf(type + len, room - len, "%s%.*s", len > 0 ? " " : "", (int)n, at);
        }
    }
    return false;
}

static bool find_type(const char *source, const char *name, char *type, size_t room) {
    bool outside = false; /* "extern" was before */
    for (size_t n; (n = next_token(&source)) > 0; source += n) {
        if (is_token(source, n, "__shared__") && outside && read_type(source + n, name, type, room))
            return true;
        outside = is_token(source, n, "extern");
    }
    return false;
}

void names_dynamic(const char *ptx, const char *source, FILE *to) {
    for (const char *line = ptx; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        char name[128], type[64];
        if (sscanf(line, " .extern .shared .align %*d .b8 %127[A-Za-z0-9_]", name) == 1 &&
            find_type(source, name, type, sizeof type)) {
            for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (strcmp(known[i].type, type) == 0)
                    fprintf(to, "var\t-1\t%s\t%s []\t%s\t0\t0\t0\t0\nleaf\t[]\t%s\t%d\t0\t0\t%d\n",
                            name, type, name, known[i].encoding, known[i].bytes, known[i].bytes);
        }
        line = end + (*end == '\n');
    }
}
