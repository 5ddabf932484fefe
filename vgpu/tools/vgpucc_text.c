/*
 * vgpucc_text.c: reads and writes whole files; see vgpucc_text.h.
 */
#include "vgpu/tools/vgpucc_text.h"

#include <stdio.h>
#include <stdlib.h>

char *read_file(const char *path, size_t *length) {
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    while (f) {
        if (*length + 1 >= room) {
            char *more = realloc(text, room = room ? 2 * room : 65536);
            if (!more)
                break;
            text = more;
        }
        const size_t got = fread(text + *length, 1, room - 1 - *length, f);
        *length += got;
        text[*length] = '\0';
        if (got == 0)
            break;
    }
    if (f)
        fclose(f);
    return text;
}

bool write_file(const char *path, const char *text, size_t length) {
    FILE *f = fopen(path, "we");
    if (!f)
        return false;
    const bool all = fwrite(text, 1, length, f) == length;
    return fclose(f) == 0 && all;
}
