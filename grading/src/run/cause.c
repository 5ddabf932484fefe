/* cause.c: see cause.h. */
#include "grading/src/run/cause.h"

#include "grading/src/base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is `lab` the lab of `from`, "lab3", or for "lab3+" one after it? */
static bool from_on(const char *from, const char *lab) {
    const size_t n = strcspn(from, "+"), words = strcspn(from, "0123456789");
    if (from[n] == '\0')
        return strcmp(from, lab) == 0;
    return strncmp(from, lab, words) == 0 && isdigit((unsigned char)lab[words]) &&
           strtol(lab + words, NULL, 10) >= strtol(from + words, NULL, 10);
}

/* Does `what` say `word`, for all labs or for this one? */
static bool says(const char *what, const char *word, const char *lab) {
    const size_t n = strlen(word);
    if (strncmp(what, word, n) != 0)
        return false;
    return what[n] == '\0' || (what[n] == ':' && from_on(what + n + 1, lab));
}

/* One row of the class. Of several sections that hold, the last counts. */
static void add(struct cause *c, const char *what, const char *text, const char *lab) {
    if (says(what, "section", lab)) {
        free(c->section);
        c->section = xstrdup(text);
    } else if (says(what, "hint", lab)) {
        c->hints = xrealloc(c->hints, (size_t)(c->hint_count + 1) * sizeof *c->hints);
        c->hints[c->hint_count++] = xstrdup(text);
    }
}

struct cause cause_of(const char *root, const char *class, const char *lab) {
    struct cause c = {0};
    char *path = xasprintf("%s/handouts/causes.tsv", root), *line = NULL;
    FILE *f = fopen(path, "re");
    size_t room = 0;
    free(path);
    while (f && getline(&line, &room, f) > 0) {
        char *rest = line;
        rest[strcspn(rest, "\r\n")] = '\0';
        const char *name = strsep(&rest, "\t"), *what = strsep(&rest, "\t");
        if (what && rest && strcmp(name, class) == 0)
            add(&c, what, rest, lab);
    }
    free(line);
    if (f)
        fclose(f);
    if (c.section && c.section[0] == '@') {
        struct cause topic = cause_of(root, c.section, lab);
        free(c.section);
        c.section = topic.section;
        topic.section = NULL;
        cause_free(&topic);
    }
    return c;
}

void cause_free(struct cause *c) {
    for (int i = 0; i < c->hint_count; i++)
        free(c->hints[i]);
    free(c->hints);
    free(c->section);
    *c = (struct cause){0};
}
