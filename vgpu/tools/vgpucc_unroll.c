/* vgpucc_unroll.c: see vgpucc_unroll.h. */
#include "vgpu/tools/vgpucc_unroll.h"

#include "vgpu/tools/vgpucc_text.h"

#include <stdlib.h>
#include <string.h>

/*     .local .align 4 .b8     __local_depot0[288];      inside each function that has variables */
size_t unroll_depots(const char *ptx) {
    static const char name[] = "__local_depot";
    size_t length = 0, bytes = 0;
    char *text = read_file(ptx, &length);
    for (const char *at = text; at && (at = strstr(at, name)) != NULL; at += sizeof name - 1) {
        const char *end = at + sizeof name - 1 + strspn(at + sizeof name - 1, "0123456789");
        if (*end == '[')
            bytes += strtoul(end + 1, NULL, 10);
    }
    free(text);
    return bytes;
}
