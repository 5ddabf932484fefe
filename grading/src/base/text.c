/* text.c: growing text and its cleaning (see text.h). */
#include "grading/src/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void) {
    fputs("grader: out of memory: nothing was graded\n", stderr);
    exit(2);
}

void *xmalloc(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *xcalloc(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *xstrdup(const char *s) {
    char *copy = strdup(s);
    if (!copy)
        out_of_memory();
    return copy;
}

char *xvasprintf(const char *format, va_list args) {
    char *s = NULL;
    if (vasprintf(&s, format, args) < 0)
        out_of_memory();
    return s;
}

char *xasprintf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *s = xvasprintf(format, args);
    va_end(args);
    return s;
}

void *xrealloc(void *old, size_t bytes) {
    void *p = realloc(old, bytes);
    if (!p)
        out_of_memory();
    return p;
}

void text_free(struct text *t) {
    free(t->data);
    *t = (struct text){0};
}

void text_clear(struct text *t) {
    t->length = 0;
    if (t->data)
        t->data[0] = '\0';
}

const char *text_get(const struct text *t) {
    return t->data ? t->data : "";
}

void text_add_bytes(struct text *t, const char *s, size_t n) {
    if (t->length + n + 1 > t->room) {
        size_t room = t->room ? t->room : 128;
        while (room < t->length + n + 1)
            room *= 2;
        char *grown = realloc(t->data, room);
        if (!grown)
            out_of_memory();
        t->data = grown;
        t->room = room;
    }
    if (n > 0)
        memcpy(t->data + t->length, s, n);
    t->length += n;
    t->data[t->length] = '\0';
}

void text_add(struct text *t, const char *s) {
    text_add_bytes(t, s, strlen(s));
}

void text_addf(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *s = NULL;
    const int n = vasprintf(&s, format, args);
    va_end(args);
    if (n < 0)
        out_of_memory();
    text_add_bytes(t, s, (size_t)n);
    free(s);
}

void text_replace(struct text *t, const char *from, const char *to) {
    const size_t skip = strlen(from);
    if (skip == 0 || !t->data || !strstr(t->data, from))
        return;
    struct text changed = {0};
    const char *at = t->data;
    for (const char *hit; (hit = strstr(at, from)) != NULL; at = hit + skip) {
        text_add_bytes(&changed, at, (size_t)(hit - at));
        text_add(&changed, to);
    }
    text_add(&changed, at);
    text_free(t);
    *t = changed;
}

/* Length of the well-formed, printable UTF-8 character at s, or 0. C1 controls, overlong forms and
 * surrogates are refused, and so are the bidirectional marks that can reorder a line on screen. */
static size_t utf8_printable(const unsigned char *s, size_t n) {
    size_t length;
    uint32_t code;
    if (s[0] < 0x80)
        return s[0] >= 0x20 && s[0] != 0x7f;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        length = 2;
        code = s[0] & 0x1fu;
    } else if ((s[0] & 0xf0) == 0xe0) {
        length = 3;
        code = s[0] & 0x0fu;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        length = 4;
        code = s[0] & 0x07u;
    } else {
        return 0;
    }
    if (length > n)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    const bool control = code < 0xa0 || (code >= 0x200e && code <= 0x200f) ||
                         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return code < least[length] || code > 0x10ffff || surrogate || control ? 0 : length;
}

void text_add_clean_line(struct text *t, const char *line, size_t n, size_t columns) {
    size_t column = 0;
    for (size_t i = 0; i < n;) {
        if (column + 3 >= columns && n - i > 3) {
            text_add(t, "...");
            break;
        }
        const size_t length = utf8_printable((const unsigned char *)line + i, n - i);
        if (length > 0)
            text_add_bytes(t, line + i, length);
        else if (line[i] == '\t')
            text_add(t, " ");
        else
            text_add(t, "?");
        i += length > 0 ? length : 1;
        column++;
    }
}

void text_set_line(struct text *t, const char *format, ...) {
    va_list args;
    char line[512];
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_clear(t);
    text_add_clean_line(t, line, strlen(line), sizeof line);
}

/* Signs that begin a formula, also as wide as a Chinese character: some spreadsheets take both. */
static bool begins_formula(const char *s) {
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                       "\xef\xbc\xa0"};
    s += strspn(s, " \t\r\n");
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strncmp(s, wide[i], 3) == 0)
            return true;
    return *s && strchr("=+-@", *s);
}

void text_add_cell(struct text *t, const char *s) {
    text_add(t, begins_formula(s) ? "\"'" : "\"");
    for (; *s; s++) {
        text_add(t, *s == '"' ? "\"" : "");
        text_add_bytes(t, s, 1);
    }
    text_add(t, "\"");
}

void text_add_clean(struct text *t, const char *bytes, size_t n, const char *indent,
                    struct clean_bounds bounds) {
    size_t lines = 0, at = 0;
    while (at < n && lines < bounds.lines) {
        const char *end = memchr(bytes + at, '\n', n - at);
        size_t length = end ? (size_t)(end - (bytes + at)) : n - at;
        const size_t next = at + length + 1;
        if (length > 0 && bytes[at + length - 1] == '\r')
            length--;
        text_add(t, indent);
        text_add_clean_line(t, bytes + at, length, bounds.columns);
        text_add(t, "\n");
        lines++;
        at = next;
    }
    if (at >= n)
        return;
    size_t left = 0;
    for (size_t i = at; i < n; i++)
        left += bytes[i] == '\n';
    left += bytes[n - 1] != '\n';
    text_addf(t, "%s(%zu more line%s)\n", indent, left, left == 1 ? "" : "s");
}

void text_wrap(struct text *t, size_t columns, size_t indent) {
    struct text wrapped = {0};
    for (const char *line = text_get(t); *line;) {
        size_t left = strcspn(line, "\n"), margin = strspn(line, " ");
        bool first = true;
        while (left > 0) {
            const size_t before = first ? 0 : margin + indent;
            size_t part = left;
            if (before + left > columns) {
                part = columns > before ? columns - before : 1;
                size_t blank = part;
                while (blank > 0 && line[blank] != ' ')
                    blank--;
                if (blank > (first ? margin : 0))
                    part = blank;
                else /* a word that is longer than a line stays whole */
                    while (part < left && line[part] != ' ')
                        part++;
            }
            for (size_t i = 0; i < before; i++)
                text_add(&wrapped, " ");
            text_add_bytes(&wrapped, line, part);
            line += part;
            left -= part;
            if (left > 0)
                text_add(&wrapped, "\n");
            while (left > 0 && *line == ' ') {
                line++;
                left--;
            }
            first = false;
        }
        if (*line == '\n') {
            text_add(&wrapped, "\n");
            line++;
        }
    }
    text_free(t);
    *t = wrapped;
}

void text_mask_addresses(struct text *t) {
    struct text masked = {0};
    for (const char *at = text_get(t); *at;) {
        const size_t digits = at[0] == '0' && at[1] == 'x' ? strspn(at + 2, "0123456789abcdef") : 0;
        if (digits >= 7) {
            text_add(&masked, "0x...");
            at += 2 + digits;
        } else {
            text_add_bytes(&masked, at++, 1);
        }
    }
    text_free(t);
    *t = masked;
}
