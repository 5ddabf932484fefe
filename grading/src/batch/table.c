/* table.c: tables as spreadsheets export them (see table.h). */
#include "grading/src/batch/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- Encodings ---- */

static void add_code(struct text *t, uint32_t c) {
    char b[4];
    size_t n;
    if (c < 0x80) {
        b[0] = (char)c;
        n = 1;
    } else if (c < 0x800) {
        b[0] = (char)(0xc0 | c >> 6);
        n = 2;
    } else if (c < 0x10000) {
        b[0] = (char)(0xe0 | c >> 12);
        n = 3;
    } else {
        b[0] = (char)(0xf0 | c >> 18);
        n = 4;
    }
    for (size_t i = 1; i < n; i++)
        b[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
    text_add_bytes(t, b, n);
}

/* The character at s, and its bytes; 0 bytes: it is no UTF-8. */
static uint32_t code_at(const unsigned char *s, size_t n, size_t *length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *length = s[0] < 0x80                   ? 1
              : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
              : (s[0] & 0xf0) == 0xe0       ? 3
              : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                            : 0;
    if (*length == 0 || *length > n) {
        *length = 0;
        return 0;
    }
    uint32_t c = *length == 1 ? s[0] : s[0] & (0x7fu >> *length);
    for (size_t i = 1; i < *length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            *length = 0;
            return 0;
        }
        c = c << 6 | (s[i] & 0x3fu);
    }
    if (c < least[*length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        *length = 0;
    return c;
}

static bool is_utf8(const char *bytes, size_t n) {
    for (size_t i = 0, length; i < n; i += length) {
        code_at((const unsigned char *)bytes + i, n - i, &length);
        if (length == 0)
            return false;
    }
    return true;
}

static uint32_t unit_at(const unsigned char *s, bool big) {
    return big ? (uint32_t)s[0] << 8 | s[1] : (uint32_t)s[1] << 8 | s[0];
}

/* False: it is no UTF-16. */
static bool from_utf16(struct text *t, const char *bytes, size_t n, bool big) {
    const unsigned char *s = (const unsigned char *)bytes;
    if (n % 2 != 0)
        return false;
    for (size_t i = 0; i < n; i += 2) {
        uint32_t c = unit_at(s + i, big);
        if (c >= 0xd800 && c < 0xdc00 && i + 2 < n) {
            const uint32_t low = unit_at(s + i + 2, big);
            if (low < 0xdc00 || low > 0xdfff)
                return false;
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            i += 2;
        } else if (c >= 0xd800 && c < 0xe000) {
            return false;
        }
        add_code(t, c);
    }
    return true;
}

/* What Windows' Latin-1 has in place of the control characters from 0x80 on. */
static const uint16_t windows[32] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                     0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                     0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                     0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};

static uint32_t from_latin1(unsigned char byte) {
    return byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80] : byte;
}

static char to_latin1(uint32_t code) {
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        if (windows[i] == code)
            return (char)(0x80 + i);
    return code < 0x100 ? (char)code : '?';
}

static bool decode(struct table *t, struct text *into, const char *bytes, size_t n) {
    if (n >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0)) {
        t->encoding = *bytes == '\xff' ? TABLE_UTF16_LE : TABLE_UTF16_BE;
        return from_utf16(into, bytes + 2, n - 2, t->encoding == TABLE_UTF16_BE);
    }
    t->encoding = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? TABLE_UTF8_MARKED : TABLE_UTF8;
    const size_t mark = t->encoding == TABLE_UTF8_MARKED ? 3 : 0;
    if (is_utf8(bytes + mark, n - mark)) {
        text_add_bytes(into, bytes + mark, n - mark);
        return true;
    }
    if (mark > 0)
        return false;
    t->encoding = TABLE_LATIN1;
    for (size_t i = 0; i < n; i++)
        add_code(into, from_latin1((unsigned char)bytes[i]));
    return true;
}

static void encode(struct text *into, const struct table *t, const char *text, size_t n) {
    if (t->encoding == TABLE_UTF8_MARKED)
        text_add(into, "\xef\xbb\xbf");
    if (t->encoding == TABLE_UTF8 || t->encoding == TABLE_UTF8_MARKED) {
        text_add_bytes(into, text, n);
        return;
    }
    const bool big = t->encoding == TABLE_UTF16_BE, wide = t->encoding != TABLE_LATIN1;
    if (wide)
        text_add_bytes(into, big ? "\xfe\xff" : "\xff\xfe", 2);
    for (size_t i = 0, length; i < n; i += length) {
        const uint32_t c = code_at((const unsigned char *)text + i, n - i, &length);
        if (length == 0)
            break;
        const uint32_t high = c >= 0x10000 ? 0xd800 + ((c - 0x10000) >> 10) : c;
        const uint32_t low = 0xdc00 + ((c - 0x10000) & 0x3ff);
        for (int k = 0; k < (wide && c >= 0x10000 ? 2 : 1); k++) {
            const uint32_t unit = k == 0 ? high : low;
            const char two[2] = {(char)(big ? unit >> 8 : unit), (char)(big ? unit : unit >> 8)};
            text_add_bytes(into, wide ? two : (const char[]){to_latin1(c)}, wide ? 2 : 1);
        }
    }
}

/* ---- Cells ---- */

/* What parts the cells of the first line that has any: the most frequent outside quotes. */
static char find_separator(const char *s) {
    static const char may[] = {'\t', ';', ','};
    size_t count[sizeof may] = {0}, best = sizeof may - 1;
    bool quoted = false, any = false;
    for (; *s && !(any && !quoted && *s == '\n'); s++) {
        quoted ^= *s == '"';
        any = any || (*s != '\n' && *s != '\r');
        for (size_t i = 0; i < sizeof may && !quoted; i++)
            count[i] += *s == may[i];
    }
    for (size_t i = 0; i < sizeof may; i++)
        best = count[i] > count[best] ? i : best;
    return may[best];
}

static void add_cell(struct table_row *row, struct text *text, bool quoted) {
    row->cell = xrealloc(row->cell, (row->count + 1) * sizeof *row->cell);
    row->cell[row->count++] =
        (struct table_cell){.text = xstrdup(text_get(text)), .quoted = quoted};
    text_clear(text);
}

static struct table_row *new_row(struct table *t, size_t line) {
    if ((t->count & (t->count - 1)) == 0)
        t->row = xrealloc(t->row, (t->count ? 2 * t->count : 1) * sizeof *t->row);
    t->row[t->count] = (struct table_row){.line = line};
    return &t->row[t->count++];
}

/* A quoted cell from behind its quote; where it ends, or NULL. */
static const char *quoted_cell(struct text *into, const char *s, size_t *line) {
    for (; *s; s++) {
        if (*s == '"' && s[1] != '"')
            return s + 1;
        s += *s == '"';
        *line += *s == '\n';
        text_add_bytes(into, s, 1);
    }
    return NULL;
}

/* Cells up to the end of the line; where the next one begins; NULL: a quote does not end. */
static const char *read_row(struct table *t, struct table_row *row, const char *s, size_t *line) {
    struct text cell = {0};
    const char ends[] = {t->separator, '\r', '\n', '\0'};
    for (;;) {
        const bool quoted = *s == '"';
        if (quoted && !(s = quoted_cell(&cell, s + 1, line)))
            break;
        for (size_t n;
             (n = strcspn(s, ends)) > 0 || (*s == '\r' && !t->cr && s[1] != '\n' && s[1]);) {
            n += n == 0; /* an old Mac's line end within a line stays what it is */
            text_add_bytes(&cell, s, n);
            s += n;
        }
        add_cell(row, &cell, quoted);
        if (*s != t->separator)
            break;
        s++;
    }
    text_free(&cell);
    if (!s)
        return NULL;
    t->ends = *s != '\0';
    t->crlf = t->crlf || (*s == '\r' && s[1] == '\n');
    s += *s == '\r';
    s += *s == '\n';
    ++*line;
    return s;
}

bool table_read(struct table *t, const char *bytes, size_t n, struct text *why) {
    *t = (struct table){0};
    if (n > TABLE_MOST_BYTES) {
        text_addf(why, "it has more than %zu MB", TABLE_MOST_BYTES >> 20);
        return false;
    }
    struct text all = {0};
    bool ok = decode(t, &all, bytes, n);
    if (!ok) {
        text_add(why, "it is not text in UTF-8 or UTF-16: export it again, as CSV");
    } else if (memchr(text_get(&all), '\0', all.length) || strncmp(text_get(&all), "PK", 2) == 0) {
        ok = false;
        text_add(why, "it is not a table of text in UTF-8 or marked UTF-16: save it as CSV");
    }
    size_t line = 1, cells = 0;
    t->cr = !strchr(text_get(&all), '\n') && strchr(text_get(&all), '\r');
    t->separator = ok ? find_separator(text_get(&all)) : ',';
    for (const char *s = text_get(&all); ok && s && *s;) {
        struct table_row *row = new_row(t, line);
        s = read_row(t, row, s, &line);
        cells += row->count;
        if (!s)
            text_addf(why, "line %zu: a quote (\") does not end", row->line);
        else if (cells > TABLE_MOST_CELLS)
            text_addf(why, "it has more than %d cells", TABLE_MOST_CELLS);
        ok = why->length == 0;
    }
    text_free(&all);
    return ok;
}

void table_free(struct table *t) {
    for (size_t r = 0; r < t->count; r++) {
        for (size_t c = 0; c < t->row[r].count; c++)
            free(t->row[r].cell[c].text);
        free(t->row[r].cell);
    }
    free(t->row);
    *t = (struct table){0};
}

const char *table_cell(const struct table *t, size_t row, size_t column) {
    return row < t->count && column < t->row[row].count ? t->row[row].cell[column].text : "";
}

void table_set(struct table *t, size_t row, size_t column, const char *text) {
    struct table_row *r = &t->row[row];
    struct text empty = {0};
    while (r->count <= column)
        add_cell(r, &empty, false);
    free(r->cell[column].text);
    r->cell[column].text = xstrdup(text);
    text_free(&empty);
}

void table_insert_column(struct table *t, size_t column) {
    for (size_t i = 0; i < t->count; i++) {
        struct table_row *r = &t->row[i];
        if (column > r->count)
            continue;
        r->cell = xrealloc(r->cell, (r->count + 1) * sizeof *r->cell);
        memmove(r->cell + column + 1, r->cell + column, (r->count - column) * sizeof *r->cell);
        r->cell[column] = (struct table_cell){.text = xstrdup("")};
        r->count++;
    }
}

void table_write(struct text *into, const struct table *t) {
    struct text all = {0};
    const char special[] = {t->separator, '"', '\r', '\n', '\0'};
    for (size_t r = 0; r < t->count; r++) {
        for (size_t c = 0; c < t->row[r].count; c++) {
            const struct table_cell *cell = &t->row[r].cell[c];
            const bool quoted = cell->quoted || cell->text[strcspn(cell->text, special)];
            text_add_bytes(&all, &t->separator, c > 0);
            text_add(&all, quoted ? "\"" : "");
            for (const char *s = cell->text; *s; s++) {
                text_add(&all, quoted && *s == '"' ? "\"" : "");
                text_add_bytes(&all, s, 1);
            }
            text_add(&all, quoted ? "\"" : "");
        }
        if (r + 1 < t->count || t->ends)
            text_add(&all, t->crlf ? "\r\n" : t->cr ? "\r" : "\n");
    }
    encode(into, t, text_get(&all), all.length);
    text_free(&all);
}
