/* batch_choose.c: which of a student's files is meant (see batch_choose.h). */
#include "grading/src/batch/batch_choose.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_DEPTH 6

void choice_offer(struct choice *c, const char *path, int rank) {
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

void choice_set_why(struct entry_in *e, const char *why) {
    free(e->why);
    e->why = why ? xstrdup(why) : NULL;
}

void choice_settle(struct entry_in *e, struct choice *c) {
    const bool found = c->all > 0 && c->equals == 1;
    e->state = c->all == 0               ? HANDED_IN_NONE
               : !found                  ? HANDED_IN_SEVERAL
               : c->rank == RANK_ARCHIVE ? HANDED_IN_ARCHIVE
                                         : HANDED_IN;
    free(e->path);
    e->path = NULL;
    if (found) {
        e->path = c->path;
        choice_set_why(e, e->state == HANDED_IN_ARCHIVE ? "an archive that was not opened" : NULL);
    } else {
        free(c->path);
        if (e->state == HANDED_IN_SEVERAL)
            choice_set_why(e, c->rank == RANK_ARCHIVE
                                  ? "several archives, and nothing says which one is meant"
                                  : "several .cu files, and nothing says which one is meant");
    }
    *c = (struct choice){0};
}

int choice_rank(const char *name, const char *lab, int depth) {
    switch (name_kind_of(name)) {
    case NAME_SOURCE: return name_is_lab(name, lab) ? RANK_LAB + depth : RANK_SOURCE;
    case NAME_SOURCE_AS_TEXT:
        return name_is_lab(name, lab) ? RANK_LAB_AS_TEXT + depth : RANK_SOURCE;
    case NAME_ARCHIVE: return RANK_ARCHIVE;
    case NAME_OTHER: break;
    }
    return -1;
}

/* `labs/LAB-.../LAB.cu`: a copy of the kit keeps its files where they belong. */
static bool in_its_place(const char *path, const char *name, const char *lab) {
    const size_t n = strlen(lab);
    const char *folder = name - 1;
    while (folder > path && folder[-1] != '/')
        folder--;
    return name > path && folder > path && strncmp(folder, lab, n) == 0 && folder[n] == '-' &&
           folder - path >= 5 && strncmp(folder - 5, "labs/", 5) == 0 &&
           (folder - path == 5 || folder[-6] == '/');
}

int choice_rank_below(const char *path, const char *lab) {
    int depth = 1;
    const char *name = path;
    for (const char *part = path; *part; part += strcspn(part, "/"), part += *part == '/') {
        const size_t n = strcspn(part, "/");
        char one[256];
        snprintf(one, sizeof one, "%.*s", (int)(n < 255 ? n : 255), part);
        if ((*one == '.' && strcmp(one, ".") != 0) || name_is_systems(one))
            return CHOICE_HIDDEN;
        depth += part != path && n > 0 && strcmp(one, ".") != 0;
        name = n > 0 ? part : name;
    }
    if (depth > MOST_DEPTH + 1)
        return CHOICE_DEEP;
    const int rank = choice_rank(name, lab, depth);
    return rank == RANK_LAB + depth && in_its_place(path, name, lab) ? RANK_LAB + 1 : rank;
}

void others_tell(struct entry_in *e, const struct text *names, int count) {
    struct text why = {0};
    if (count == 0)
        text_add(&why, "nothing handed in: an empty folder");
    else
        text_addf(&why, "no .cu file, but %s", text_get(names));
    if (count > OTHERS_NAMED)
        text_addf(&why, " and %d more", count - OTHERS_NAMED);
    choice_set_why(e, text_get(&why));
    text_free(&why);
}

void others_add(struct text *names, int *count, const char *name, const char *what) {
    if ((*count)++ >= OTHERS_NAMED)
        return;
    text_add(names, names->length ? ", " : "");
    text_add_clean_line(names, name, strlen(name), 60);
    text_add(names, what);
}

void others_add_aside(struct text *names, int *count, const char *path, int rank) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = xasprintf("%.*s", (int)(name - path), path);
    char *deep = xasprintf(" (more than %d folders down)", MOST_DEPTH);
    /* A hidden folder is a tool's, as .git, and not the student's work. */
    const bool theirs = *folder == '\0' || choice_rank_below(folder, "") != CHOICE_HIDDEN;
    if (rank == CHOICE_DEEP)
        others_add(names, count, path, deep);
    else if (theirs && !name_is_systems(name))
        others_add(names, count, name, " (hidden)");
    free(folder);
    free(deep);
}

/* What is the matter with something in a student's folder that is no candidate. */
static char *matter_with(const FTSENT *f) {
    struct stat s;
    if (f->fts_info == FTS_DNR || f->fts_info == FTS_ERR || f->fts_info == FTS_NS)
        return xasprintf(" (cannot be read: %s)", strerror(f->fts_errno));
    if (lstat(f->fts_path, &s) != 0 || S_ISREG(s.st_mode))
        return xstrdup("");
    return xstrdup(S_ISLNK(s.st_mode) ? " (a link)" : " (not an ordinary file)");
}

void choice_in_folder(struct entry_in *e, const char *folder, const struct lab_spec *lab) {
    char *const roots[] = {xstrdup(folder), NULL};
    const size_t root_length = strlen(folder) + 1;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    struct choice best = {0};
    struct text others = {0};
    int other_count = 0;
    for (FTSENT *f; tree && (f = fts_read(tree));) {
        const char *below = f->fts_level > 0 ? f->fts_path + root_length : "";
        const int rank = choice_rank_below(below, lab->name);
        const bool aside = rank == CHOICE_HIDDEN || rank == CHOICE_DEEP;
        struct stat s;
        if (f->fts_info == FTS_DP)
            continue;
        if (f->fts_info == FTS_D) {
            if (!aside || f->fts_level == 0)
                continue;
            fts_set(tree, f, FTS_SKIP);
        }
        if (aside) {
            if (rank == CHOICE_DEEP || f->fts_info != FTS_D)
                others_add_aside(&others, &other_count, below, rank);
        } else if (rank >= 0 && lstat(f->fts_path, &s) == 0 && S_ISREG(s.st_mode)) {
            choice_offer(&best, f->fts_path, rank);
        } else {
            char *what = matter_with(f);
            others_add(&others, &other_count, f->fts_name, what);
            free(what);
        }
    }
    if (tree)
        fts_close(tree);
    free(roots[0]);
    if (best.all == 0)
        others_tell(e, &others, other_count);
    choice_settle(e, &best);
    if (e->state == HANDED_IN_NONE && other_count > 0)
        e->state = HANDED_IN_OTHER;
    text_free(&others);
}
