/* json_out.c: see json_out.h. */
#include "vgpu/src/count/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

int vg_utf8_length(const unsigned char *s) {
    const int n = s[0] < 0x80                    ? 1
                  : s[0] >= 0xC2 && s[0] <= 0xDF ? 2
                  : (s[0] & 0xF0) == 0xE0        ? 3
                  : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    const bool bad = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
                     (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F);
    return bad ? 0 : n;
}

static void quoted(FILE *to, const char *text) {
    static const char escapes[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    fputc('"', to);
    const unsigned char *s = (const unsigned char *)text;
    while (*s != '\0') {
        const int n = vg_utf8_length(s);
        const char *special = strchr(escapes, *s);
        if (n == 0)
            fputs("\\ufffd", to);
        else if (special != NULL)
            fprintf(to, "\\%c", letters[special - escapes]);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(to, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)n, to);
        s += n == 0 ? 1 : n;
    }
    fputc('"', to);
}

static void new_line(const vg_json *j) {
    fputc('\n', j->to);
    for (int i = 0; i < j->depth; i++)
        fputs("  ", j->to);
}

/* What stands before a value: comma, place on the page, name. */
static void lead(vg_json *j, const char *name) {
    if (!j->first)
        fputc(',', j->to);
    if (j->depth > 0 && j->compact_depth == 0)
        new_line(j);
    else if (!j->first)
        fputc(' ', j->to);
    j->first = false;
    if (name != NULL) {
        quoted(j->to, name);
        fputs(": ", j->to);
    }
}

static void open_with(vg_json *j, const char *name, char bracket) {
    lead(j, name);
    fputc(bracket, j->to);
    j->depth++;
    j->first = true;
    if (j->compact_next && j->compact_depth == 0)
        j->compact_depth = j->depth;
    j->compact_next = false;
}

static void close_with(vg_json *j, char bracket) {
    j->depth--;
    if (j->compact_depth == 0 && !j->first)
        new_line(j);
    if (j->compact_depth > j->depth)
        j->compact_depth = 0;
    fputc(bracket, j->to);
    j->first = false;
}

void vg_json_begin(vg_json *j, FILE *to) {
    *j = (vg_json){.to = to, .first = true};
}

void vg_json_end(vg_json *j) {
    fputc('\n', j->to);
}

void vg_json_object(vg_json *j, const char *name) {
    open_with(j, name, '{');
}

void vg_json_object_end(vg_json *j) {
    close_with(j, '}');
}

void vg_json_array(vg_json *j, const char *name) {
    open_with(j, name, '[');
}

void vg_json_array_end(vg_json *j) {
    close_with(j, ']');
}

void vg_json_inline(vg_json *j) {
    j->compact_next = true;
}

void vg_json_text(vg_json *j, const char *name, const char *value) {
    lead(j, name);
    if (value == NULL)
        fputs("null", j->to);
    else
        quoted(j->to, value);
}

void vg_json_count(vg_json *j, const char *name, uint64_t value) {
    lead(j, name);
    fprintf(j->to, "%" PRIu64, value);
}

void vg_json_real(vg_json *j, const char *name, double value) {
    lead(j, name);
    if (!isfinite(value)) {
        fputs("null", j->to);
        return;
    }
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    char *comma = strchr(text, ',');
    if (comma != NULL)
        *comma = '.'; /* whatever the program's locale writes */
    fputs(text, j->to);
}

void vg_json_raw(vg_json *j, const char *name) {
    lead(j, name);
}

void vg_json_bool(vg_json *j, const char *name, bool value) {
    lead(j, name);
    fputs(value ? "true" : "false", j->to);
}
