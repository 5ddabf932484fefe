/* sections.c: see sections.h. */
#include "grading/src/lab/sections.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the marks of a handout's headings, "#idea, #banks". Returns whether `wanted` is one. */
static bool list_marks(struct text *t, FILE *f, const char *wanted) {
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (getline(&line, &room, f) > 0) {
        char *mark = line[0] == '#' ? strstr(line, "{#") : NULL;
        char *end = mark ? strchr(mark, '}') : NULL;
        if (!end)
            continue;
        *end = '\0';
        found = found || strcmp(mark + 2, wanted) == 0;
        text_addf(t, "%s#%s", t->length ? ", " : "", mark + 2);
    }
    free(line);
    return found;
}

static int is_text(const struct dirent *entry) {
    const size_t n = strlen(entry->d_name);
    return n > 3 && strcmp(entry->d_name + n - 3, ".md") == 0;
}

static void list_handouts(struct text *t, const char *folder) {
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_text, alphasort);
    for (int i = 0; i < n; i++) {
        text_addf(t, "%s%s", i ? ", " : "", entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static bool exists(const char *folder, const char *section, struct text *why) {
    const size_t name = strcspn(section, "#");
    char *path = xasprintf("%s/%.*s", folder, (int)name, section);
    FILE *f = memchr(section, '/', name) ? NULL : fopen(path, "re");
    struct text there = {0};
    bool found = f && !section[name]; /* the whole text */
    if (!f) {
        list_handouts(&there, folder);
        text_addf(why, "there is no handouts/%.*s; there are %s", (int)name, section,
                  text_get(&there));
    } else if (!found) {
        found = list_marks(&there, f, section + name + 1);
        if (!found)
            text_addf(why, "handouts/%.*s has no section %s; it has %s", (int)name, section,
                      section + name, there.length ? text_get(&there) : "none");
    }
    if (f)
        fclose(f);
    text_free(&there);
    free(path);
    return found;
}

bool sections_exist(const struct rubric *r, const char *root, struct text *why) {
    char *folder = xasprintf("%s/handouts", root);
    bool all = true;
    for (size_t i = 0; access(folder, F_OK) == 0 && i < r->check_count && all; i++) {
        const struct check_spec *c = &r->checks[i];
        struct text reason = {0};
        all = !c->section || exists(folder, c->section, &reason);
        if (!all && c->section_line > 0)
            text_addf(why, "%s:%u: %s", r->path, c->section_line, text_get(&reason));
        else if (!all)
            text_addf(why, "%s:checks[%zu].section: %s", r->path, i, text_get(&reason));
        text_free(&reason);
    }
    free(folder);
    return all;
}
