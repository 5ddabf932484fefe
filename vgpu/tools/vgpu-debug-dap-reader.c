/*
 * vgpu-debug-dap-reader.c: messages of the Debug Adapter Protocol out of a stream of bytes:
 *
 *     Content-Length: 119\r\n\r\n{"seq":1, ...
 *
 * Other header lines are let pass.
 */
#include "vgpu/tools/vgpu-debug-dap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool dap_reader_add(dap_reader *r, const char *bytes, size_t len) {
    if (r->len + len > r->room) {
        const size_t room = 2 * (r->len + len);
        char *more = realloc(r->bytes, room);
        if (more == NULL)
            return false;
        r->bytes = more;
        r->room = room;
    }
    if (len > 0)
        memcpy(r->bytes + r->len, bytes, len);
    r->len += len;
    return true;
}

/* Where the header ends, behind its empty line; 0: not yet. */
static size_t end_of_header(const dap_reader *r) {
    for (size_t i = 0; i + 4 <= r->len; i++)
        if (memcmp(r->bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4;
    return 0;
}

/* -1: it has no length, or one that is none. */
static long content_length(const char *header, size_t len) {
    static const char name[] = "Content-Length:";
    for (const char *at = header, *end = header + len; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL)
            break;
        if ((size_t)(newline - at) > sizeof name && strncasecmp(at, name, sizeof name - 1) == 0) {
            long n = 0;
            at += sizeof name - 1;
            while (*at == ' ')
                at++;
            const char *digits = at;
            for (; isdigit((unsigned char)*at) && n <= DAP_MESSAGE_MAX; at++)
                n = 10 * n + (*at - '0');
            return at > digits && *at == '\r' && n <= DAP_MESSAGE_MAX ? n : -1;
        }
        at = newline + 1;
    }
    return -1;
}

enum dap_read dap_reader_next(dap_reader *r, json_t **to) {
    const size_t begin = end_of_header(r);
    *to = NULL;
    if (begin == 0)
        return r->len > DAP_HEADER_MAX ? DAP_BAD_HEADER : DAP_NONE;
    const long len = begin <= DAP_HEADER_MAX ? content_length(r->bytes, begin) : -1;
    if (len < 0)
        return DAP_BAD_HEADER;
    if (r->len - begin < (size_t)len)
        return DAP_NONE;
    json_error_t why;
    *to = json_loadb(r->bytes + begin, (size_t)len, 0, &why);
    r->len -= begin + (size_t)len;
    memmove(r->bytes, r->bytes + begin + (size_t)len, r->len);
    return *to != NULL ? DAP_MESSAGE : DAP_BAD_JSON;
}

void dap_reader_free(dap_reader *r) {
    free(r->bytes);
    *r = (dap_reader){NULL, 0, 0};
}
