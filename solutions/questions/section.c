/* section.c: see section.h. */
#include "solutions/questions/section.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD  "## Questions\n"
#define BEGIN "<!-- question "
#define CLOSE " -->"
#define END   "<!-- end -->"

char *section_file(const char *path) {
    FILE *f = fopen(path, "re");
    struct text t = {0};
    char bytes[4096];
    for (size_t n; f && (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        text_add_bytes(&t, bytes, n);
    char *all = f ? xstrdup(text_get(&t)) : NULL;
    if (f)
        fclose(f);
    text_free(&t);
    return all;
}

void section_plain(struct text *t, const char *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char *close = line[i] == '[' ? memchr(line + i, ']', length - i) : NULL;
        const size_t after = close ? (size_t)(close - line) + 1 : 0;
        const char *end = close && after < length && line[after] == '('
                              ? memchr(line + after, ')', length - after)
                              : NULL;
        if (end) {
            text_add_bytes(t, line + i + 1, (size_t)(close - line) - i - 1);
            i = (size_t)(end - line);
        } else if (line[i] != '`' && !(line[i] == '*' && i + 1 < length && line[i + 1] == '*') &&
                   !(line[i] == '*' && i > 0 && line[i - 1] == '*')) {
            text_add_bytes(t, line + i, 1);
        }
    }
}

struct reader {
    struct section *s;
    int lab;
    const char *at; /* where the next line begins */
    char *why;
    size_t room;
};

/* The next line and its length, NULL behind the section. */
static const char *next_line(struct reader *r, size_t *length) {
    const char *line = r->at;
    *length = strcspn(line, "\n");
    if (*line == '\0' || strncmp(line, "## ", 3) == 0)
        return NULL;
    r->at += *length + (line[*length] == '\n');
    return line;
}

static bool refuse(struct reader *r, const char *what) {
    snprintf(r->why, r->room, "handouts/lab%d.md: question %zu: %s", r->lab, r->s->count + 1, what);
    return false;
}

static bool is(const char *line, size_t length, const char *text) {
    return length == strlen(text) && strncmp(line, text, length) == 0;
}

/* A block of one that is checked, whose first line this is. */
static bool take_key(struct reader *r, const char *line, size_t length) {
    const size_t before = strlen(BEGIN), behind = strlen(CLOSE);
    if (length <= before + behind || strncmp(line + length - behind, CLOSE, behind) != 0)
        return refuse(r, "expected " BEGIN "KEY" CLOSE);
    r->s->entry[r->s->count].key =
        xasprintf("%.*s", (int)(length - before - behind), line + before);
    do
        line = next_line(r, &length);
    while (line && !is(line, length, END));
    return line ? true : refuse(r, "its block has no " END);
}

/* "> **Q3.2** What ...", whose first line this is. */
static bool take_words(struct reader *r, const char *line, size_t length) {
    struct text t = {0};
    char *number = xasprintf("> **Q%d.%zu** ", r->lab, r->s->count + 1);
    const size_t skip = strlen(number);
    const bool due = length > skip && strncmp(line, number, skip) == 0;
    free(number);
    if (!due)
        return refuse(r, "another number stands there");
    section_plain(&t, line + skip, length - skip);
    while ((line = next_line(r, &length)) && length > 0) {
        const size_t mark = strncmp(line, "> ", 2) == 0 ? 2 : 0;
        text_add(&t, " ");
        section_plain(&t, line + mark, length - mark);
    }
    r->s->entry[r->s->count].words = xstrdup(text_get(&t));
    text_free(&t);
    return true;
}

static bool read_section(struct reader *r) {
    const char *line;
    size_t length;
    while ((line = next_line(r, &length))) {
        const bool checked = strncmp(line, BEGIN, strlen(BEGIN)) == 0;
        if (!checked && *line != '>')
            continue;
        if (r->s->count == SECTION_MOST)
            return refuse(r, "one too many");
        if (!(checked ? take_key : take_words)(r, line, length))
            return false;
        r->s->count++;
    }
    return true;
}

bool section_read(struct section *s, int lab, char *why, size_t room) {
    char *path = xasprintf("handouts/lab%d.md", lab), *text = section_file(path);
    const char *head = text ? strstr(text, "\n" HEAD) : NULL;
    struct reader r = {.s = s, .lab = lab, .why = why, .room = room};
    bool good = false;
    *s = (struct section){0};
    if (!text)
        snprintf(why, room, "cannot read %s: %s", path, strerror(errno));
    else {
        r.at = head ? head + strlen("\n" HEAD) : "";
        good = read_section(&r);
    }
    free(text);
    free(path);
    return good;
}

void section_free(struct section *s) {
    for (size_t i = 0; i < SECTION_MOST; i++) {
        free(s->entry[i].key);
        free(s->entry[i].words);
    }
    *s = (struct section){0};
}
