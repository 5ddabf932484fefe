/* html_text.c: text into HTML, so that nothing a stranger wrote is ever read as a tag (see
 * html.h). */
#include "grading/src/report/html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void html_escape(struct text *t, const char *bytes, size_t n) {
    struct text clean = {0};
    text_add_clean_line(&clean, bytes, n, 4000);
    for (const char *at = text_get(&clean); *at; at++) {
        switch (*at) {
        case '&': text_add(t, "&amp;"); break;
        case '<': text_add(t, "&lt;"); break;
        case '>': text_add(t, "&gt;"); break;
        case '"': text_add(t, "&quot;"); break;
        case '\'': text_add(t, "&#39;"); break;
        default: text_add_bytes(t, at, 1);
        }
    }
    text_free(&clean);
}

/* The conversion that begins at `at` (after its '%'); returns its length without the letter. */
static size_t conversion_length(const char *at) {
    return strspn(at, "-+ #0123456789.lz");
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* One number, by printf's own conversion. */
static void add_number(struct text *t, const char *spec, char letter, va_list *args) {
    char number[64] = "";
    /* The branches differ in the type that va_arg takes, which clang-tidy 14 does not see. */
    if (letter == 'f' || letter == 'g') /* NOLINTNEXTLINE(bugprone-branch-clone) */
        snprintf(number, sizeof number, spec, va_arg(*args, double));
    else if (strstr(spec, "ll")) /* elsewhere size_t is another type */
        snprintf(number, sizeof number, spec, va_arg(*args, unsigned long long));
    else if (strchr(spec, 'z'))
        snprintf(number, sizeof number, spec, va_arg(*args, size_t));
    else
        snprintf(number, sizeof number, spec, va_arg(*args, int));
    text_add(t, number);
}
#pragma GCC diagnostic pop

void html_addf(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (const char *at = format; *at;) {
        const size_t plain = strcspn(at, "%");
        text_add_bytes(t, at, plain);
        at += plain;
        if (!*at)
            break;
        const size_t n = conversion_length(at + 1);
        const char letter = at[1 + n];
        char spec[16];
        snprintf(spec, sizeof spec, "%.*s", (int)(n + 2), at);
        if (letter == 's') {
            const char *s = va_arg(args, const char *);
            html_escape(t, s ? s : "", s ? strlen(s) : 0);
        } else if (letter == '%') {
            text_add(t, "%");
        } else {
            add_number(t, spec, letter, &args);
        }
        at += 2 + n;
    }
    va_end(args);
}

void html_block(struct text *t, const char *bytes, size_t n, struct clean_bounds bounds) {
    struct text clean = {0};
    text_add_clean(&clean, bytes, n, "", bounds);
    text_mask_addresses(&clean);
    if (clean.length > 0)
        text_add(t, "<pre tabindex=\"0\">");
    for (const char *line = text_get(&clean); *line;) {
        const size_t length = strcspn(line, "\n");
        html_escape(t, line, length);
        text_add(t, "\n");
        line += length + (line[length] == '\n');
    }
    if (clean.length > 0)
        text_add(t, "</pre>\n");
    text_free(&clean);
}

const char *html_brief(char into[16], double x) {
    static const char units[] = " kMGT";
    int unit = 0;
    while (x >= 99999.5 && unit < 4) { /* up to five digits as they are */
        x /= 1000;
        unit++;
    }
    if (unit == 0)
        snprintf(into, 16, "%.0f", x);
    else
        snprintf(into, 16, "%.*f%c", x < 100 ? 1 : 0, x, units[unit]);
    return into;
}
