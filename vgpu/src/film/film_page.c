/* film_page.c: see film_page.h. The template's parts are taken in when this is compiled. */
#include "vgpu/src/film/film_page.h"

#include <string.h>

#define TAKE_IN(name, file)                                                                        \
    __asm__(".section .rodata\n"                                                                   \
            "vg_film_" #name ":\n.incbin \"" VGPU_FILM_FOLDER "/" file                             \
            "\"\n.byte 0\n.previous\n");                                                           \
    extern const char vg_film_##name[] __attribute__((visibility("hidden")))

TAKE_IN(html, "page.html");
TAKE_IN(css, "page.css");
TAKE_IN(script, "page.js");

/* Text as HTML. What is no UTF-8 is the reader's affair: browsers show U+FFFD. */
static void put_text(FILE *to, const char *text) {
    for (const char *p = text; *p != '\0'; p++) {
        switch (*p) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\'': fputs("&#39;", to); break;
        default: fputc(*p, to);
        }
    }
}

static void put_json(FILE *to, const char *json, size_t len) {
    const char *end = json + len;
    for (const char *p = json; p < end;) {
        const char *next = memchr(p, '<', (size_t)(end - p));
        const size_t n = (size_t)((next != NULL ? next : end) - p);
        fwrite(p, 1, n, to);
        p += n;
        if (next != NULL) {
            fputs("\\u003c", to);
            p++;
        }
    }
}

static void put_moments(FILE *to, const vg_page_moment *moments, int count) {
    for (int i = 0; i < count; i++) {
        fputs("<li><strong>", to);
        put_text(to, moments[i].title);
        fputs("</strong><br>", to);
        put_text(to, moments[i].text);
        fputs("</li>\n", to);
    }
}

bool vg_film_page(FILE *to, const char *title, const char *json, size_t len,
                  const vg_page_moment *moments, int count) {
    for (const char *p = vg_film_html; *p != '\0';) {
        const char *mark = strstr(p, "@@");
        if (mark == NULL) {
            fputs(p, to);
            break;
        }
        fwrite(p, 1, (size_t)(mark - p), to);
        const char *end = strstr(mark + 2, "@@");
        const size_t n = end != NULL ? (size_t)(end - mark - 2) : 0;
        if (strncmp(mark + 2, "title", n) == 0)
            put_text(to, title);
        else if (strncmp(mark + 2, "css", n) == 0)
            fputs(vg_film_css, to);
        else if (strncmp(mark + 2, "script", n) == 0)
            fputs(vg_film_script, to);
        else if (strncmp(mark + 2, "film", n) == 0)
            put_json(to, json, len);
        else if (strncmp(mark + 2, "moments", n) == 0)
            put_moments(to, moments, count);
        p = end != NULL ? end + 2 : mark + 2;
    }
    return ferror(to) == 0;
}
