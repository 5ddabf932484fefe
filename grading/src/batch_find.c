/* batch_find.c: finds the submissions in a folder as learning platforms give it (see batch.h). */
#include "grading/src/batch.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_DEPTH 6

static bool ends_in(const char *s, const char *end) {
    const size_t n = strlen(s), m = strlen(end);
    return n > m && strcmp(s + n - m, end) == 0;
}

/* Takes "Name_123_assignsubmission_file_..." apart; else the name without ".cu" is the student's.
 */
static void name_parts(struct entry_in *e) {
    char *mark = strstr(e->name, "_assignsubmission_file");
    e->student = xstrdup(e->name);
    e->id = xstrdup("");
    if (mark) {
        e->student[mark - e->name] = '\0';
        char *number = strrchr(e->student, '_');
        if (number && number[1] && number[1 + strspn(number + 1, "0123456789")] == '\0') {
            free(e->id);
            e->id = xstrdup(number + 1);
            *number = '\0';
        }
    } else if (ends_in(e->student, ".cu")) {
        e->student[strlen(e->student) - 3] = '\0';
    }
}

/* The file to grade in a student's folder. */
static void look_into(struct entry_in *e, const char *folder, const struct lab_spec *lab) {
    char *const roots[] = {xstrdup(folder), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    char *named = NULL, *any = NULL, wanted[32];
    int named_count = 0, any_count = 0;
    snprintf(wanted, sizeof wanted, "%s.cu", lab->name);
    for (FTSENT *f; tree && (f = fts_read(tree));) {
        if (f->fts_info == FTS_D && f->fts_level > 0 &&
            (f->fts_level > MOST_DEPTH || f->fts_name[0] == '.' ||
             strcmp(f->fts_name, "__MACOSX") == 0))
            fts_set(tree, f, FTS_SKIP);
        struct stat s;
        if (f->fts_info == FTS_D || f->fts_info == FTS_DP || f->fts_name[0] == '.' ||
            !ends_in(f->fts_name, ".cu") || lstat(f->fts_path, &s) != 0 || !S_ISREG(s.st_mode))
            continue;
        char **into = strcmp(f->fts_name, wanted) == 0 ? &named : &any;
        if ((into == &named ? named_count++ : any_count++) == 0)
            *into = xstrdup(f->fts_path);
    }
    if (tree)
        fts_close(tree);
    free(roots[0]);
    if (named_count == 1 || (named_count == 0 && any_count == 1)) {
        e->state = HANDED_IN;
        e->path = xstrdup(named_count == 1 ? named : any);
    } else {
        e->state = named_count + any_count == 0 ? HANDED_IN_NONE : HANDED_IN_SEVERAL;
    }
    free(named);
    free(any);
}

/* Gradescope's export says in submission_metadata.yml whose folder "submission_1234" is:
 *
 *     submission_1234:
 *       :submitters:
 *       - :name: Ada Lovelace
 *         :sid: '17'
 */
static void read_metadata(struct class_list *list, const char *folder) {
    char *path = xasprintf("%s/submission_metadata.yml", folder), *line = NULL;
    FILE *f = fopen(path, "re");
    size_t room = 0;
    struct entry_in *e = NULL;
    free(path);
    while (f && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "submission_", 11) == 0) {
            line[strcspn(line, ":")] = '\0';
            e = NULL;
            for (size_t i = 0; i < list->count; i++)
                e = strcmp(list->of[i].name, line) == 0 ? &list->of[i] : e;
            continue;
        }
        char *value = strstr(line, ":name: ");
        char **into = e ? &e->student : NULL;
        if (!value && (value = strstr(line, ":sid: ")))
            into = e ? &e->id : NULL;
        if (!value || !into)
            continue;
        value = strchr(strchr(value, ':') + 1, ':') + 2;
        const size_t n = strlen(value);
        if (n >= 2 && (*value == '\'' || *value == '"') && value[n - 1] == *value) {
            value[n - 1] = '\0';
            value++;
        }
        /* A group's members, one after the other. */
        const bool first = into == &e->id ? **into == '\0' : strcmp(*into, e->name) == 0;
        char *all = first ? xstrdup(value) : xasprintf("%s and %s", *into, value);
        free(*into);
        *into = all;
    }
    free(line);
    if (f)
        fclose(f);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct entry_in *)a)->name, ((const struct entry_in *)b)->name);
}

bool batch_find(struct class_list *list, const char *folder, const struct lab_spec *lab,
                struct text *why) {
    *list = (struct class_list){0};
    DIR *d = opendir(folder);
    if (!d) {
        text_addf(why, "cannot read the folder %s: %s", folder, strerror(errno));
        return false;
    }
    for (struct dirent *f; (f = readdir(d));) {
        char *path = xasprintf("%s/%s", folder, f->d_name);
        struct stat s;
        const bool there =
            f->d_name[0] != '.' && strcmp(f->d_name, "__MACOSX") != 0 && lstat(path, &s) == 0;
        if (there && (S_ISDIR(s.st_mode) || (S_ISREG(s.st_mode) && ends_in(f->d_name, ".cu")))) {
            list->of = xrealloc(list->of, (list->count + 1) * sizeof *list->of);
            struct entry_in *e = &list->of[list->count++];
            *e = (struct entry_in){.name = xstrdup(f->d_name)};
            name_parts(e);
            if (S_ISDIR(s.st_mode)) {
                look_into(e, path, lab);
            } else {
                e->state = HANDED_IN;
                e->path = xstrdup(path);
            }
        }
        free(path);
    }
    closedir(d);
    if (list->count == 0) {
        text_addf(why, "%s holds no folders and no .cu files: unpack what you downloaded first",
                  folder);
        return false;
    }
    qsort(list->of, list->count, sizeof *list->of, by_name);
    read_metadata(list, folder);
    return true;
}

void batch_list_free(struct class_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        struct entry_in *e = &list->of[i];
        free(e->name);
        free(e->student);
        free(e->id);
        free(e->path);
        free(e->result);
    }
    free(list->of);
    *list = (struct class_list){0};
}
