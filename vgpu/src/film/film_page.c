/* film_page.c: see film_page.h. The template's parts are taken in when this is compiled. */
#include "vgpu/src/film/film_page.h"

#include "vgpu/src/count/json_out.h"

#include <stdint.h>
#include <string.h>

#define TAKE_IN(name, file)                                                                        \
    __asm__(".section .rodata\n"                                                                   \
            "vg_film_" #name ":\n.incbin \"" VGPU_FILM_FOLDER "/" file                             \
            "\"\n.byte 0\n.previous\n");                                                           \
    extern const char vg_film_##name[] __attribute__((visibility("hidden")))

TAKE_IN(html, "page.html");
TAKE_IN(css, "page.css");
TAKE_IN(read, "page_read.js");
TAKE_IN(memory, "page_memory.js");
TAKE_IN(draw, "page_draw.js");
TAKE_IN(variables, "page_variables.js");
TAKE_IN(picture, "page_picture.js");
TAKE_IN(cost, "page_cost.js");
TAKE_IN(matrices, "page_matrices.js");
TAKE_IN(product, "page_product.js");
TAKE_IN(cells, "page_cells.js");
TAKE_IN(mistakes, "page_mistakes.js");
TAKE_IN(time, "page_time.js");

/* What stands between @@ in the template as it is. */
static const struct {
    const char *name, *text;
} parts[] = {
    {"css", vg_film_css},     {"read", vg_film_read},           {"memory", vg_film_memory},
    {"draw", vg_film_draw},   {"variables", vg_film_variables}, {"picture", vg_film_picture},
    {"cost", vg_film_cost},   {"matrices", vg_film_matrices},   {"product", vg_film_product},
    {"cells", vg_film_cells}, {"mistakes", vg_film_mistakes},   {"time", vg_film_time}};

static bool is_word(const char *text, size_t n, const char *word) {
    return strlen(word) == n && strncmp(text, word, n) == 0;
}

void vg_film_base64(FILE *to, const void *from, size_t size) {
    const uint8_t *bytes = from;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputc('"', to);
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t a = bytes[i], b = i + 1 < size ? bytes[i + 1] : 0,
                       c = i + 2 < size ? bytes[i + 2] : 0, all = a << 16 | b << 8 | c;
        fputc(digits[all >> 18], to);
        fputc(digits[all >> 12 & 63], to);
        fputc(i + 1 < size ? digits[all >> 6 & 63] : '=', to);
        fputc(i + 2 < size ? digits[all & 63] : '=', to);
    }
    fputc('"', to);
}

static void put_text(FILE *to, const char *text, size_t length) {
    for (const char *p = text; p < text + length; p++) {
        const int bytes = vg_utf8_length((const unsigned char *)p);
        if (bytes == 0 || ((unsigned char)*p < ' ' && *p != '\n' && *p != '\t')) {
            fputs("\xEF\xBF\xBD", to);
            continue;
        }
        if (bytes > 1) {
            fwrite(p, 1, (size_t)bytes, to);
            p += bytes - 1;
            continue;
        }
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

void vg_film_put_text(FILE *to, const char *text) {
    put_text(to, text, strlen(text));
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

/* Lines of text; those that begin with a tab are the source's. */
static void put_lines(FILE *to, const char *text) {
    for (const char *line = text; *line != '\0';) {
        const bool code = *line == '\t';
        const size_t length = strcspn(line, "\n");
        fputs(code ? "<code>" : "", to);
        put_text(to, line + code, length - code);
        fputs(code ? "</code>" : "", to);
        line += length;
        if (*line == '\n')
            fputc(*line++, to);
    }
}

static void put_moments(FILE *to, const vg_page_moment *moments, int count) {
    for (int i = 0; i < count; i++) {
        fputs("<li><strong>", to);
        vg_film_put_text(to, moments[i].title);
        fputs("</strong><br>", to);
        put_lines(to, moments[i].text);
        if (moments[i].pictures != NULL)
            fputs(moments[i].pictures, to);
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
        if (is_word(mark + 2, n, "title"))
            vg_film_put_text(to, title);
        else if (is_word(mark + 2, n, "film"))
            put_json(to, json, len);
        else if (is_word(mark + 2, n, "moments"))
            put_moments(to, moments, count);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (is_word(mark + 2, n, parts[i].name))
                fputs(parts[i].text, to);
        p = end != NULL ? end + 2 : mark + 2;
    }
    return ferror(to) == 0;
}
