/* batch_platform.c: what learning platforms put beside the submissions: Blackboard's receipts,
 * Gradescope's list of who handed in what (see batch.h). Both are files that strangers can shape in
 * parts: read for what they must say, and no further. */
#include "grading/src/batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OF_LINE 1000

bool platform_receipt(const char *path, const char *owner, char **student, char **id) {
    char line[MOST_OF_LINE];
    FILE *f = fopen(path, "re");
    const bool read = f && fgets(line, sizeof line, f);
    if (f)
        fclose(f);
    if (!read)
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    const size_t n = strlen(line);
    char *name = strstr(line, ": "), *user = strrchr(line, '(');
    if (n == 0 || line[n - 1] != ')' || !name || !user || user < name + 3)
        return false;
    line[n - 1] = '\0';
    user[user[-1] == ' ' ? -1 : 0] = '\0';
    const char *of = user + 1;
    const size_t of_length = strlen(of), owner_length = strlen(owner);
    if (of_length == 0 || of_length > owner_length ||
        strcmp(owner + owner_length - of_length, of) != 0 ||
        (of_length < owner_length && owner[owner_length - of_length - 1] != '_'))
        return false;
    *student = xstrdup(name + 2);
    *id = xstrdup(of);
    return true;
}

/* A value, without its quotes. In single quotes a quote is written twice. */
static char *unquoted(char *value) {
    const size_t n = strlen(value);
    if (n < 2 || (*value != '\'' && *value != '"') || value[n - 1] != *value)
        return value;
    const char quote = *value;
    value[n - 1] = '\0';
    char *to = value;
    for (const char *from = value + 1; *from; from++) {
        from += quote == '\'' && from[0] == '\'' && from[1] == '\'';
        *to++ = *from;
    }
    *to = '\0';
    return value;
}

/* Adds a group's members, one after the other. */
static void add_member(struct entry_in *e, char **into, char *value) {
    value = unquoted(value);
    const bool first = into == &e->id ? **into == '\0' : strcmp(*into, e->name) == 0;
    char *all = first ? xstrdup(value) : xasprintf("%s and %s", *into, value);
    free(*into);
    *into = all;
}

static struct entry_in *entry_called(struct class_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->of[i].name, name) == 0)
            return &list->of[i];
    return NULL;
}

/*
 *     submission_1234:
 *       :submitters:
 *       - :name: Ada Lovelace
 *         :sid: '17'
 *       :created_at: 2026-11-21 09:30:00.125000000 Z
 *
 * Only lines below `:submitters:`, and the first time, count: the file holds results as well, and
 * in them what students printed.
 */
void platform_metadata(struct class_list *list) {
    char *path = xasprintf("%s/submission_metadata.yml", list->folder), *line = NULL;
    char *other = xasprintf("%s/metadata.yml", list->folder);
    FILE *f = fopen(path, "re");
    f = f ? f : fopen(other, "re");
    size_t room = 0;
    struct entry_in *e = NULL;
    bool submitters = false;
    free(path);
    free(other);
    while (f && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        const size_t indent = strspn(line, " ");
        char *word = line + indent;
        if (indent == 0 && *word != '-') {
            word[strcspn(word, ":")] = '\0';
            e = entry_called(list, word);
            submitters = false;
        } else if (indent <= 2 && *word == ':') {
            submitters = strcmp(word, ":submitters:") == 0;
            if (e && !e->time && strncmp(word, ":created_at: ", 13) == 0)
                e->time = xstrdup(unquoted(word + 13));
        } else if (e && submitters) {
            word += *word == '-' ? 2 : 0;
            if (strncmp(word, ":name: ", 7) == 0)
                add_member(e, &e->student, word + 7);
            else if (strncmp(word, ":sid: ", 6) == 0)
                add_member(e, &e->id, word + 6);
        }
    }
    free(line);
    if (f)
        fclose(f);
}
