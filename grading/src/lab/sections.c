/* sections.c: see sections.h. */
#include "grading/src/lab/sections.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of a heading ("## The idea"), in its own place: the one it is given, <a id="NAME">, or
 * the one that code hosts make of its words. */
static char *name_heading(char *line) {
    static const char given[] = "<a id=\"";
    char *name = strstr(line, given);
    if (name) {
        name += strlen(given);
        name[strcspn(name, "\"")] = '\0';
        return name;
    }
    name = line + strspn(line, "# ");
    size_t length = 0;
    for (const char *c = name; *c && *c != '\n'; c++)
        if (isalnum((unsigned char)*c) || strchr("-_", *c))
            name[length++] = (char)tolower((unsigned char)*c);
        else if (*c == ' ')
            name[length++] = '-';
    name[length] = '\0';
    return name;
}

/* Adds the names of a handout's headings, "#idea, #banks". Returns whether `wanted` is one. */
static bool list_headings(struct text *t, FILE *f, const char *wanted) {
    char *line = NULL;
    size_t room = 0;
    bool found = false, in_code = false;
    while (getline(&line, &room, f) > 0) {
        in_code ^= strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0;
        if (in_code || strncmp(line, "##", 2) != 0)
            continue;
        const char *name = name_heading(line);
        found = found || strcmp(name, wanted) == 0;
        text_addf(t, "%s#%s", t->length ? ", " : "", name);
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
        found = list_headings(&there, f, section + name + 1);
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
