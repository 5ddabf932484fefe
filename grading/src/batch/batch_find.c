/* batch_find.c: finds the submissions in a folder as learning platforms give it (see batch.h). */
#include "grading/src/batch/batch.h"

#include "grading/src/batch/batch_names.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_DEPTH 6

/* ---- Which file is meant ---- */

/* The best file so far. Less is better; what comes after MOST_DEPTH is called otherwise. */
enum { OTHER_NAME = MOST_DEPTH + 2 };
struct choice {
    char *path;
    int rank, equals, all; /* `equals` files have this rank */
};

static void offer(struct choice *c, const char *path, int rank) {
    c->all++;
    if (c->path && rank > c->rank)
        return;
    if (c->path && rank == c->rank) {
        c->equals++;
        return;
    }
    free(c->path);
    *c = (struct choice){.path = xstrdup(path), .rank = rank, .equals = 1, .all = c->all};
}

/* Settles an entry; takes the choice's path. */
static void settle(struct entry_in *e, struct choice *c) {
    e->state = c->all == 0 ? HANDED_IN_NONE : c->equals == 1 ? HANDED_IN : HANDED_IN_SEVERAL;
    free(e->path);
    e->path = NULL;
    if (e->state == HANDED_IN)
        e->path = c->path;
    else
        free(c->path);
    *c = (struct choice){0};
}

/* `.../labs/LAB-.../LAB.cu`: a copy of the kit keeps its files where they belong. */
static bool in_its_place(const FTSENT *f, const char *lab) {
    const size_t n = strlen(lab);
    const FTSENT *folder = f->fts_parent;
    return f->fts_level >= 3 && strncmp(folder->fts_name, lab, n) == 0 &&
           folder->fts_name[n] == '-' && strcmp(folder->fts_parent->fts_name, "labs") == 0;
}

static int rank_of(const FTSENT *f, const char *lab) {
    if (!name_is_lab(f->fts_name, lab))
        return OTHER_NAME;
    return in_its_place(f, lab) ? 1 : f->fts_level;
}

/* The file to grade in a student's folder. */
static void look_into(struct entry_in *e, const char *folder, const struct lab_spec *lab) {
    char *const roots[] = {xstrdup(folder), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    struct choice best = {0};
    for (FTSENT *f; tree && (f = fts_read(tree));) {
        if (f->fts_info == FTS_D && f->fts_level > 0 &&
            (f->fts_level > MOST_DEPTH || f->fts_name[0] == '.' ||
             strcmp(f->fts_name, "__MACOSX") == 0))
            fts_set(tree, f, FTS_SKIP);
        struct stat s;
        if (f->fts_info == FTS_D || f->fts_info == FTS_DP || f->fts_name[0] == '.' ||
            !name_is_source(f->fts_name) || lstat(f->fts_path, &s) != 0 || !S_ISREG(s.st_mode))
            continue;
        offer(&best, f->fts_path, rank_of(f, lab->name));
    }
    if (tree)
        fts_close(tree);
    free(roots[0]);
    settle(e, &best);
}

/* ---- One student, several names ---- */

/* An entry while its platform's names are being sorted out. */
struct found {
    struct entry_in e;
    struct name_parts parts;
};

struct findings {
    struct found *of;
    size_t count;
};

static bool same_student(const struct found *a, const struct found *b) {
    return a->parts.platform && b->parts.platform &&
           strcmp(a->parts.student, b->parts.student) == 0 && strcmp(a->parts.id, b->parts.id) == 0;
}

/* Students in order, each one's latest attempt first. */
static int by_student(const void *x, const void *y) {
    const struct found *a = x, *b = y;
    int order = strcmp(a->parts.student, b->parts.student);
    order = order ? order : strcmp(a->parts.id, b->parts.id);
    order = order ? order : (int)a->parts.platform - (int)b->parts.platform;
    order = order ? order : name_compare_attempts(b->parts.attempt, a->parts.attempt);
    return order ? order : strcmp(a->e.name, b->e.name);
}

static void free_entry(struct entry_in *e) {
    free(e->name);
    free(e->student);
    free(e->id);
    free(e->path);
    free(e->result);
    *e = (struct entry_in){0};
}

/* Whether an earlier file of this name is one that the student replaced (Canvas numbers its files),
 * or one that lies beside it (Moodle, and one attempt of Blackboard). */
static bool replaced(const struct choice *best, const struct found *f, bool named) {
    const bool dated = strchr(f->parts.attempt, '-') != NULL;
    return named && best->path && best->rank < OTHER_NAME && *f->parts.attempt && !dated;
}

/* Of the `n` findings of one student, the latest attempt first, one entry with the file that is
 * meant. Attempts of Blackboard exclude each other: the latest that holds a file counts. */
static struct entry_in one_of(struct found *f, size_t n, const char *lab) {
    struct choice best = {0};
    const char *attempt = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct found *one = &f[i];
        if (one->e.state == HANDED_IN_NONE)
            continue;
        if (attempt && strchr(attempt, '-') && strcmp(one->parts.attempt, attempt) != 0)
            break;
        attempt = one->parts.attempt;
        if (one->e.state == HANDED_IN_SEVERAL) {
            best.all += 2;
            continue;
        }
        const char *file = *one->parts.file ? one->parts.file : strrchr(one->e.path, '/') + 1;
        const bool named = name_is_lab(file, lab);
        if (!replaced(&best, one, named))
            offer(&best, one->e.path, named ? 1 : OTHER_NAME);
    }
    struct entry_in e = f[0].e;
    f[0].e = (struct entry_in){0};
    settle(&e, &best);
    return e;
}

static void gather(struct class_list *list, struct findings *all, const char *lab) {
    if (all->count > 1)
        qsort(all->of, all->count, sizeof *all->of, by_student);
    list->of = xcalloc(all->count + 1, sizeof *list->of);
    for (size_t i = 0, n; i < all->count; i += n) {
        for (n = 1; i + n < all->count && same_student(&all->of[i], &all->of[i + n]);)
            n++;
        struct entry_in *e = &list->of[list->count++];
        *e = n > 1 ? one_of(&all->of[i], n, lab) : all->of[i].e;
        if (n == 1)
            all->of[i].e = (struct entry_in){0};
        /* The name stays when a student hands in once more. */
        if (all->of[i].parts.platform) {
            free(e->name);
            e->name = xasprintf("%s%s%s", e->student, *e->id ? "_" : "", e->id);
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        free_entry(&all->of[i].e);
        name_parts_free(&all->of[i].parts);
    }
    free(all->of);
}

/* Gradescope's export says in submission_metadata.yml whose folder "submission_1234" is:
 *
 *     submission_1234:
 *       :submitters:
 *       - :name: Ada Lovelace
 *         :sid: '17'
 */
static void add_member(struct entry_in *e, char **into, char *value) {
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

static struct entry_in *entry_called(struct class_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->of[i].name, name) == 0)
            return &list->of[i];
    return NULL;
}

/* Only lines below `:submitters:` count: the file holds results as well, and in them what students
 * printed. */
static void read_metadata(struct class_list *list, const char *folder) {
    char *path = xasprintf("%s/submission_metadata.yml", folder), *line = NULL;
    FILE *f = fopen(path, "re");
    size_t room = 0;
    struct entry_in *e = NULL;
    bool submitters = false;
    free(path);
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

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct entry_in *)a)->name, ((const struct entry_in *)b)->name);
}

/* What a platform's name became may be the name of something else in the folder. */
static void keep_apart(struct class_list *list) {
    for (size_t i = 1, n = 1; i < list->count; i++) {
        n = strcmp(list->of[i].name, list->of[i - n].name) == 0 ? n + 1 : 1;
        if (n == 1)
            continue;
        char *name = xasprintf("%s~%zu", list->of[i].name, n);
        free(list->of[i].name);
        list->of[i].name = name;
    }
}

bool batch_find(struct class_list *list, const char *folder, const struct lab_spec *lab,
                struct text *why) {
    *list = (struct class_list){0};
    DIR *d = opendir(folder);
    if (!d) {
        text_addf(why, "cannot read the folder %s: %s", folder, strerror(errno));
        return false;
    }
    struct findings all = {0};
    for (struct dirent *f; (f = readdir(d));) {
        char *path = xasprintf("%s/%s", folder, f->d_name);
        struct stat s;
        const bool there =
            f->d_name[0] != '.' && strcmp(f->d_name, "__MACOSX") != 0 && lstat(path, &s) == 0;
        if (there && (S_ISDIR(s.st_mode) || (S_ISREG(s.st_mode) && name_is_source(f->d_name)))) {
            all.of = xrealloc(all.of, (all.count + 1) * sizeof *all.of);
            struct found *one = &all.of[all.count++];
            *one = (struct found){.e = {.name = xstrdup(f->d_name)}};
            name_take_apart(&one->parts, f->d_name);
            one->e.student = xstrdup(one->parts.student);
            one->e.id = xstrdup(one->parts.id);
            if (S_ISDIR(s.st_mode)) {
                look_into(&one->e, path, lab);
            } else {
                one->e.state = HANDED_IN;
                one->e.path = xstrdup(path);
            }
        }
        free(path);
    }
    closedir(d);
    gather(list, &all, lab->name);
    if (list->count == 0) {
        text_addf(why, "%s holds no folders and no .cu files: unpack what you downloaded first",
                  folder);
        return false;
    }
    qsort(list->of, list->count, sizeof *list->of, by_name);
    keep_apart(list);
    read_metadata(list, folder);
    return true;
}

void batch_list_free(struct class_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free_entry(&list->of[i]);
    free(list->of);
    *list = (struct class_list){0};
}
