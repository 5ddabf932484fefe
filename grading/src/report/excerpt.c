/* excerpt.c: see excerpt.h. */
#include "grading/src/report/excerpt.h"

#include "grading/src/report/exhibit.h"

#include <string.h>

enum { TAB = 4, MARGIN = 13 };

bool excerpt_of(struct excerpt *x, const struct submission *s, const char *file, int line) {
    *x = (struct excerpt){.marked = line};
    if (!s->bytes || !s->name || !file || line < 1 || !view_same_file(file, s->name))
        return false;
    const char *at = s->bytes, *end = at + s->length;
    bool found = false;
    for (int i = 1; at < end && i <= line + EXCERPT_AROUND; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t n = stop ? (size_t)(stop - at) : (size_t)(end - at);
        if (i >= line - EXCERPT_AROUND) {
            x->first = x->count == 0 ? i : x->first;
            x->line[x->count] = at;
            x->length[x->count++] = n;
            found = found || i == line;
        }
        at += n + (stop != NULL);
    }
    return found;
}

void excerpt_wide(struct text *t, const char *line, size_t n) {
    const size_t from = t->length;
    for (size_t i = 0; i < n; i++)
        if (line[i] == '\t')
            text_add_bytes(t, "        ", TAB - (t->length - from) % TAB);
        else if (line[i] != '\r' || i + 1 < n)
            text_add_bytes(t, line + i, 1);
}

void excerpt_add(struct text *t, const struct excerpt *x, size_t columns) {
    for (int i = 0; i < x->count; i++) {
        struct text wide = {0};
        excerpt_wide(&wide, x->line[i], x->length[i]);
        text_addf(t, "    %c %4d |", x->first + i == x->marked ? '>' : ' ', x->first + i);
        text_add(t, wide.length > 0 ? " " : "");
        text_add_clean_line(t, text_get(&wide), wide.length, columns - MARGIN);
        text_add(t, "\n");
        text_free(&wide);
    }
}
