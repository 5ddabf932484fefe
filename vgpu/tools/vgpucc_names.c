/*
 * vgpucc_names.c: letters of names; see vgpucc_names.h.
 */
#include "vgpu/tools/vgpucc_names.h"

#include "vgpu/tools/vgpucc_text.h"

#include <stdlib.h>
#include <string.h>

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that "\C3" or "u$C3" stands for (`at` is behind the mark); -1: none beyond ASCII. */
static int high_byte(const char *at) {
    const int first = hex(at[0]), value = first < 8 ? -1 : hex(at[1]);
    return value < 0 ? -1 : 16 * first + value;
}

/* LLVM writes such a name in quotation marks, its bytes in hexadecimal: @"_Z7gr\C3\B6\C3\9Fef". */
bool names_encode(const char *llvm_text) {
    size_t length = 0, used = 0;
    bool any = false;
    char *text = read_file(llvm_text, &length);
    char *out = text ? malloc(2 * length + 1) : NULL; /* each \C3 becomes u$C3 */
    for (size_t i = 0; out && i < length; i++) {
        out[used++] = text[i];
        if ((text[i] != '@' && text[i] != '$') || text[i + 1] != '"')
            continue;
        const char *name = text + i + 2, *end = strchr(name, '"');
        const char *escaped = end ? memchr(name, '\\', (size_t)(end - name)) : NULL;
        if (!escaped || high_byte(escaped + 1) < 0)
            continue;
        any = true;
        for (const char *c = name; c < end; c++) {
            if (*c == '\\' && high_byte(c + 1) >= 0) {
                out[used++] = 'u'; /* not the dollar first: such names get parentheses */
                out[used++] = '$';
            } else {
                out[used++] = *c;
            }
        }
        i += (size_t)(end - name) + 2;
    }
    const bool done = any && write_file(llvm_text, out, used);
    free(out);
    free(text);
    return done;
}

bool names_decode(const char *ptx) {
    size_t length = 0, used = 0;
    char *text = read_file(ptx, &length);
    for (size_t i = 0; text && i < length; i++) {
        const int byte = text[i] == 'u' && text[i + 1] == '$' ? high_byte(text + i + 2) : -1;
        text[used++] = byte < 0 ? text[i] : (char)byte;
        i += byte < 0 ? 0 : 3;
    }
    const bool done = text && write_file(ptx, text, used);
    free(text);
    return done;
}
