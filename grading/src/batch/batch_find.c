/* batch_find.c: finds the submissions in a folder as learning platforms give it, and says of every
 * entry of that folder what became of it (see batch.h). */
#include "grading/src/batch/batch.h"

#include "grading/src/batch/batch_choose.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SAKAI_SUBFOLDER "Submission attachment(s)"

const struct fate_words fate_words[FATE_COUNT] = {
#define X(name, words, row) {words, row},
    BATCH_FATES(X)
#undef X
};

/* ---- One student, several names ---- */

void entry_add_note(struct entry_in *e, char *note) {
    char *all = e->note ? xasprintf("%s; %s", e->note, note) : xstrdup(note);
    free(e->note);
    free(note);
    e->note = all;
}

void entry_note_name(struct entry_in *e, const char *lab) {
    if (!e->path)
        return;
    struct name_parts parts;
    const char *name = strrchr(e->path, '/') + 1;
    struct name_counts counts = {0};
    counts.of[e->platform] = 1;
    name_take_apart(&parts, name, &counts);
    const char *file = *parts.file ? parts.file : name;
    if (name_kind_of(e->path) == NAME_SOURCE_AS_TEXT)
        entry_add_note(e, xasprintf("%s is taken as a .cu file", name));
    e->other_lab = name_is_other_lab(file, lab);
    if (e->other_lab)
        entry_add_note(e, xasprintf("%s: another lab's file, by its name", file));
    name_parts_free(&parts);
}

/* An entry of the folder while names are being sorted out. */
struct found {
    struct entry_in e;
    struct name_parts parts;
    size_t at; /* which of list->entries */
    bool told; /* e.student and e.id are from a receipt */
};

struct findings {
    struct found *of;
    size_t count;
};

static bool same_student(const struct found *a, const struct found *b) {
    return a->parts.platform != PLATFORM_NONE && a->parts.platform == b->parts.platform &&
           strcmp(a->parts.owner, b->parts.owner) == 0;
}

/* Students in order, each one's latest attempt first. */
static int by_student(const void *x, const void *y) {
    const struct found *a = x, *b = y;
    int order = (int)a->parts.platform - (int)b->parts.platform;
    order = order ? order : strcmp(a->parts.owner, b->parts.owner);
    order = order ? order : name_compare_attempts(b->parts.attempt, a->parts.attempt);
    return order ? order : strcmp(a->e.name, b->e.name);
}

void batch_entry_free(struct entry_in *e) {
    free(e->name);
    free(e->student);
    free(e->id);
    free(e->owner);
    free(e->path);
    free(e->attempt);
    free(e->time);
    free(e->why);
    free(e->note);
    free(e->result);
    *e = (struct entry_in){0};
}

/* Attempts that are times exclude each other; numbers only tell which file is the newer. */
static bool is_time(const char *attempt) {
    return strchr(attempt, '-') != NULL;
}

char *entry_handed_in(const struct entry_in *e) {
    int part[6], used = 0;
    if (e->time)
        return xstrdup(e->time);
    if (!e->attempt ||
        sscanf(e->attempt, "%4d-%2d-%2d-%2d-%2d-%2d%n", &part[0], &part[1], &part[2], &part[3],
               &part[4], &part[5], &used) != 6 ||
        e->attempt[used])
        return xstrdup("");
    return xasprintf("%04d-%02d-%02d %02d:%02d:%02d", part[0], part[1], part[2], part[3], part[4],
                     part[5]);
}

/* Whether an earlier file of this name is one that the student replaced (Canvas numbers its files),
 * or one that lies beside it (Moodle, and one attempt of Blackboard). */
static bool replaced(const struct choice *best, const struct found *f, bool named) {
    return named && best->path && best->rank < RANK_SOURCE && *f->parts.attempt &&
           !is_time(f->parts.attempt);
}

static bool is_named(const struct found *f, const char *lab, const char **file) {
    *file = *f->parts.file ? f->parts.file : strrchr(f->e.path, '/') + 1;
    return name_is_lab(*file, lab);
}

/* Whose it is, as a receipt tells, or else as the name of the latest has it. */
static struct entry_in whose(const struct found *f, size_t n) {
    size_t by = 0;
    for (size_t i = n; i-- > 0;)
        by = f[i].told ? i : by;
    return (struct entry_in){.name = xstrdup(f[0].e.name),
                             .student = xstrdup(f[by].e.student),
                             .id = xstrdup(f[by].e.id),
                             .told = f[by].told,
                             .why = f[0].e.why ? xstrdup(f[0].e.why) : NULL};
}

/* Says that a student has handed in more than once, and which time counts. */
static void tell_attempts(struct entry_in *e, const struct found *f, size_t n,
                          const enum fate *fate, const struct found *counts) {
    int times = 1;
    for (size_t i = 0; i < n; i++)
        times +=
            fate[i] == FATE_EARLIER && (i == 0 || !is_time(f[i].parts.attempt) ||
                                        strcmp(f[i].parts.attempt, f[i - 1].parts.attempt) != 0);
    if (times > 1)
        entry_add_note(e, xasprintf("handed in %d times: the last one counts (%s)", times,
                                    counts->parts.attempt));
    if (is_time(counts->parts.attempt) && strcmp(counts->parts.attempt, f[0].parts.attempt) != 0)
        entry_add_note(e, xasprintf("the attempt of %s holds no .cu file: the one of %s counts",
                                    f[0].parts.attempt, counts->parts.attempt));
}

/* Of the `n` findings of one student, the latest attempt first, one entry with the file that is
 * meant; fate[i] says what became of each. */
static struct entry_in one_of(struct found *f, size_t n, const char *lab, enum fate *fate) {
    struct choice best = {0};
    const struct found *latest = NULL; /* the first that holds something */
    struct text others = {0};
    int other_count = 0;
    bool some = false; /* there is something, and no program */
    for (size_t i = 0; i < n; i++) {
        const struct found *one = &f[i];
        const char *file;
        fate[i] = one->parts.receipt ? FATE_RECEIPT : FATE_BESIDE;
        if (latest && is_time(latest->parts.attempt) &&
            strcmp(one->parts.attempt, latest->parts.attempt) != 0) {
            fate[i] = one->parts.receipt ? FATE_RECEIPT : FATE_EARLIER;
            continue;
        }
        if (one->e.state == HANDED_IN_NONE || one->e.state == HANDED_IN_OTHER) {
            some = some || one->e.state == HANDED_IN_OTHER;
            if (*one->parts.file)
                others_add(&others, &other_count, one->parts.file, "");
            continue;
        }
        latest = latest ? latest : one;
        if (one->e.state == HANDED_IN_SEVERAL) {
            best.all += 2;
            continue;
        }
        const bool named = is_named(one, lab, &file);
        const int rank =
            one->e.state == HANDED_IN_ARCHIVE ? RANK_ARCHIVE : choice_rank(file, lab, 1);
        if (replaced(&best, one, named))
            fate[i] = FATE_EARLIER;
        else
            choice_offer(&best, one->e.path, rank);
    }
    struct entry_in e = whose(f, n);
    if (best.all == 0 && (other_count > 0 || !e.why))
        others_tell(&e, &others, other_count);
    choice_settle(&e, &best);
    if (e.state == HANDED_IN_NONE && some)
        e.state = HANDED_IN_OTHER;
    for (size_t i = 0; i < n; i++) {
        const bool counts = e.path && f[i].e.path && strcmp(e.path, f[i].e.path) == 0;
        if (counts) {
            fate[i] = FATE_GRADED;
            free(e.attempt);
            e.attempt = xstrdup(f[i].parts.attempt);
            tell_attempts(&e, f, n, fate, &f[i]);
        } else if (!e.path && fate[i] == FATE_BESIDE) {
            fate[i] = FATE_UNGRADED;
        }
    }
    text_free(&others);
    return e;
}

/* A single finding is a row as it is. */
static struct entry_in only_one(struct found *f, enum fate *fate) {
    struct entry_in e = f->e;
    f->e = (struct entry_in){0};
    e.attempt = xstrdup(f->parts.attempt);
    e.told = f->told;
    *fate = e.state == HANDED_IN_UNKNOWN ? FATE_UNKNOWN
            : f->parts.receipt           ? FATE_RECEIPT
            : e.path                     ? FATE_GRADED
                                         : FATE_UNGRADED;
    if (f->parts.receipt)
        choice_set_why(&e, "nothing handed in but words: there is only a receipt");
    return e;
}

/* Two users of Blackboard whose names end alike ("a_17", "b_17") are called by all of it. */
static void tell_owners_apart(struct class_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        struct entry_in *e = &list->of[i];
        bool alike = false;
        for (size_t j = 0; e->platform == PLATFORM_BLACKBOARD && j < list->count && !alike; j++)
            alike = j != i && list->of[j].platform == PLATFORM_BLACKBOARD &&
                    strcmp(list->of[j].student, e->student) == 0 &&
                    strcmp(list->of[j].id, e->id) == 0;
        if (!alike)
            continue;
        free(e->name);
        e->name = xstrdup(e->owner);
    }
    for (size_t i = 0; i < list->count; i++) {
        struct entry_in *e = &list->of[i];
        if (e->platform != PLATFORM_BLACKBOARD || strcmp(e->name, e->owner) != 0)
            continue;
        free(e->student);
        free(e->id);
        e->student = xstrdup(e->owner);
        e->id = xstrdup(e->owner);
        e->told = false;
    }
}

static void gather(struct class_list *list, struct findings *all, const char *lab) {
    if (all->count > 1)
        qsort(all->of, all->count, sizeof *all->of, by_student);
    list->of = xcalloc(all->count + 1, sizeof *list->of);
    enum fate *fate = xcalloc(all->count + 1, sizeof *fate);
    for (size_t i = 0, n; i < all->count; i += n) {
        for (n = 1; i + n < all->count && same_student(&all->of[i], &all->of[i + n]);)
            n++;
        struct entry_in *e = &list->of[list->count];
        *e = n > 1 ? one_of(&all->of[i], n, lab, fate) : only_one(&all->of[i], fate);
        list->count++;
        e->platform = all->of[i].parts.platform;
        e->owner = xstrdup(all->of[i].parts.owner);
        for (size_t k = 0; k < n; k++) {
            list->entries[all->of[i + k].at].fate = fate[k];
            list->entries[all->of[i + k].at].row = list->count - 1;
        }
        /* The name stays when a student hands in once more. */
        if (e->platform != PLATFORM_NONE) {
            free(e->name);
            e->name = xasprintf("%s%s%s", e->student, *e->id ? "_" : "", e->id);
        }
        entry_note_name(e, lab);
    }
    free(fate);
    for (size_t i = 0; i < all->count; i++) {
        batch_entry_free(&all->of[i].e);
        name_parts_free(&all->of[i].parts);
    }
    free(all->of);
}

/* ---- The folder ---- */

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

static int by_entry(const void *a, const void *b) {
    return strcmp(((const struct dir_entry *)a)->name, ((const struct dir_entry *)b)->name);
}

void batch_sort(struct class_list *list, size_t *rows, size_t count) {
    for (size_t i = 0; i < list->count; i++)
        list->of[i].number = i;
    qsort(list->of, list->count, sizeof *list->of, by_name);
    keep_apart(list);
    size_t *place = xcalloc(list->count + 1, sizeof *place);
    for (size_t i = 0; i < list->count; i++)
        place[list->of[i].number] = i;
    for (size_t i = 0; i < list->entry_count; i++)
        if (fate_words[list->entries[i].fate].row)
            list->entries[i].row = place[list->entries[i].row];
    for (size_t i = 0; i < count && rows; i++)
        if (rows[i] < list->count)
            rows[i] = place[rows[i]];
    if (list->entry_count > 1)
        qsort(list->entries, list->entry_count, sizeof *list->entries, by_entry);
    free(place);
}

static bool is_sakai(const char *path) {
    char *below = xasprintf("%s/" SAKAI_SUBFOLDER, path);
    struct stat s;
    const bool is = lstat(below, &s) == 0 && S_ISDIR(s.st_mode);
    free(below);
    return is;
}

static bool is_gradescope(const char *name) {
    const char *number = name + strlen("submission_");
    return strncmp(name, "submission_", strlen("submission_")) == 0 && *number &&
           number[strspn(number, "0123456789")] == '\0';
}

/* Which platforms made names in this folder. */
struct made_by {
    bool platform[PLATFORM_SAKAI + 1], gradescope;
    struct name_counts names;
};

/* Reads the names; false: `why`. */
static bool read_names(struct class_list *list, struct text *why) {
    DIR *d = opendir(list->folder);
    if (!d) {
        if (errno == ENOTDIR)
            text_addf(why, "%s is not a folder: unpack what you downloaded, and name the folder",
                      list->folder);
        else
            text_addf(why, "cannot read the folder %s: %s", list->folder, strerror(errno));
        return false;
    }
    errno = 0;
    for (struct dirent *f; (f = readdir(d)); errno = 0) {
        if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0)
            continue;
        list->seen++;
        list->entries = xrealloc(list->entries, (list->entry_count + 1) * sizeof *list->entries);
        list->entries[list->entry_count++] =
            (struct dir_entry){.name = xstrdup(f->d_name), .fate = FATE_COUNT};
    }
    const int trouble = errno;
    closedir(d);
    if (trouble)
        text_addf(why, "cannot read the folder %s to its end: %s", list->folder, strerror(trouble));
    else if (list->entry_count > 1)
        qsort(list->entries, list->entry_count, sizeof *list->entries, by_entry);
    return trouble == 0;
}

static void free_names(struct class_list *list) {
    for (size_t i = 0; i < list->entry_count; i++)
        free(list->entries[i].name);
    free(list->entries);
    list->entries = NULL;
    list->entry_count = list->seen = 0;
}

static struct made_by who_made(const struct class_list *list) {
    struct made_by made = {0};
    for (size_t i = 0; i < list->entry_count; i++)
        name_count(&made.names, list->entries[i].name);
    for (size_t i = 0; i < list->entry_count; i++) {
        struct name_parts parts;
        const char *name = list->entries[i].name;
        char *path = xasprintf("%s/%s", list->folder, name);
        name_take_apart(&parts, name, &made.names);
        made.platform[parts.platform] = true;
        made.gradescope = made.gradescope || is_gradescope(name);
        if (parts.platform == PLATFORM_NONE && is_sakai(path))
            made.platform[PLATFORM_SAKAI] = true;
        name_parts_free(&parts);
        free(path);
    }
    made.platform[PLATFORM_NONE] = false;
    return made;
}

static bool by_platform(const struct made_by *made) {
    for (size_t i = 0; i < sizeof made->platform / sizeof *made->platform; i++)
        if (made->platform[i])
            return true;
    return made->gradescope;
}

static bool is_ours(const struct batch_search *search, const struct stat *s) {
    struct stat o;
    for (const char *const *path = search->ours; path && *path; path++)
        if (stat(*path, &o) == 0 && o.st_dev == s->st_dev && o.st_ino == s->st_ino)
            return true;
    return false;
}

/* Platforms pack a folder of folders. Where DIR holds nothing else, that one is meant. */
static bool enter_the_only_folder(struct class_list *list, const struct batch_search *search,
                                  struct text *why) {
    const char *only = NULL;
    size_t others = 0;
    struct stat s;
    for (size_t i = 0; i < list->entry_count; i++) {
        char *path = xasprintf("%s/%s", list->folder, list->entries[i].name);
        const bool counts = !name_is_systems(list->entries[i].name) &&
                            !(stat(path, &s) == 0 && is_ours(search, &s));
        free(path);
        others += counts && only;
        only = counts ? list->entries[i].name : only;
    }
    struct made_by outer = who_made(list);
    if (!only || others > 0 || by_platform(&outer))
        return true;
    struct class_list inner = {.folder = xasprintf("%s/%s", list->folder, only)};
    struct text ignored = {0};
    const bool there =
        lstat(inner.folder, &s) == 0 && S_ISDIR(s.st_mode) && read_names(&inner, &ignored);
    const struct made_by made = there ? who_made(&inner) : (struct made_by){0};
    free_names(&inner);
    text_free(&ignored);
    if (!by_platform(&made)) {
        free(inner.folder);
        return true;
    }
    free_names(list);
    free(list->folder);
    list->folder = inner.folder;
    return read_names(list, why);
}

/* Lists and pages that a platform puts beside what students handed in. */
static bool is_platforms(const char *name, const struct made_by *made) {
    if (strcmp(name, "submission_metadata.yml") == 0 || strcmp(name, "metadata.yml") == 0)
        return made->gradescope;
    if (strcmp(name, "index.html") == 0)
        return made->platform[PLATFORM_BRIGHTSPACE];
    return made->platform[PLATFORM_SAKAI] &&
           (strcmp(name, "grades.csv") == 0 || strcmp(name, "grades.xls") == 0 ||
            strcmp(name, "grades.xlsx") == 0);
}

static void not_recognised(struct found *one, const char *what) {
    one->e.state = HANDED_IN_UNKNOWN;
    one->e.why = xasprintf(NOT_RECOGNISED "%s%s", one->e.name, what);
}

static void take_folder(struct found *one, const char *path, const struct lab_spec *lab) {
    if (one->parts.platform != PLATFORM_NONE || !is_sakai(path)) {
        choice_in_folder(&one->e, path, lab);
        return;
    }
    struct name_parts parts;
    char *below = xasprintf("%s/" SAKAI_SUBFOLDER, path);
    choice_in_folder(&one->e, below, lab);
    free(below);
    if (name_take_sakai(&parts, one->e.name)) {
        name_parts_free(&one->parts);
        one->parts = parts;
    }
}

static void take_file(struct found *one, const char *path) {
    const enum name_kind kind = name_kind_of(*one->parts.file ? one->parts.file : one->e.name);
    if (one->parts.receipt) {
        char *student, *id;
        one->e.state = HANDED_IN_NONE;
        one->told = platform_receipt(path, one->parts.owner, &student, &id);
        if (one->told) {
            free(one->parts.student);
            free(one->parts.id);
            one->parts.student = student;
            one->parts.id = id;
        }
    } else if (kind != NAME_OTHER) {
        one->e.state = kind == NAME_ARCHIVE ? HANDED_IN_ARCHIVE : HANDED_IN;
        one->e.path = xstrdup(path);
        choice_set_why(&one->e, kind == NAME_ARCHIVE ? "an archive that was not opened" : NULL);
    } else if (one->parts.platform != PLATFORM_NONE) {
        struct text name = {0};
        text_add_clean_line(&name, one->parts.file, strlen(one->parts.file), 60);
        one->e.state = HANDED_IN_OTHER;
        one->e.why = xasprintf("no .cu file, but %s", text_get(&name));
        text_free(&name);
    } else {
        not_recognised(one, "");
    }
}

/* An entry's fate where it has no row, else FATE_COUNT and a finding. */
static enum fate take_entry(struct found *one, const struct class_list *list, size_t at,
                            const struct batch_search *search, const struct made_by *made) {
    const char *name = list->entries[at].name;
    char *path = xasprintf("%s/%s", list->folder, name);
    struct stat s = {0};
    const bool there = lstat(path, &s) == 0;
    enum fate fate = FATE_COUNT;
    if (name_is_systems(name)) {
        fate = FATE_SYSTEMS;
    } else if (there && is_ours(search, &s)) {
        fate = FATE_OURS;
    } else if (there && S_ISREG(s.st_mode) && is_platforms(name, made)) {
        fate = FATE_PLATFORMS;
    } else {
        *one = (struct found){.e = {.name = xstrdup(name)}, .at = at};
        name_take_apart(&one->parts, name, &made->names);
        if (there && S_ISLNK(s.st_mode))
            not_recognised(one, ", a link: links are not followed");
        else if (!there || (!S_ISDIR(s.st_mode) && !S_ISREG(s.st_mode)))
            not_recognised(one, ", which is neither a file nor a folder");
        else if (name[0] == '.')
            not_recognised(one, ", which is hidden");
        else if (S_ISDIR(s.st_mode))
            take_folder(one, path, search->lab);
        else
            take_file(one, path);
        if (one->e.state == HANDED_IN_UNKNOWN) {
            name_parts_free(&one->parts);
            one->parts = (struct name_parts){.student = xstrdup(name),
                                             .id = xstrdup(""),
                                             .owner = xstrdup(name),
                                             .attempt = xstrdup(""),
                                             .file = xstrdup(name)};
        }
        one->e.student = xstrdup(one->parts.student);
        one->e.id = xstrdup(one->parts.id);
    }
    free(path);
    return fate;
}

/* Is an archive that no platform named for a student all that there is? */
static bool all_alone_packed(const struct class_list *list) {
    const struct entry_in *e = list->of;
    return e->state == HANDED_IN_ARCHIVE && e->platform == PLATFORM_NONE &&
           name_kind_of(e->name) == NAME_ARCHIVE;
}

bool batch_find(struct class_list *list, const struct batch_search *search, struct text *why) {
    *list = (struct class_list){.folder = xstrdup(search->folder)};
    if (!read_names(list, why) || !enter_the_only_folder(list, search, why))
        return false;
    const struct made_by made = who_made(list);
    struct findings all = {.of = xcalloc(list->entry_count + 1, sizeof *all.of)};
    for (size_t i = 0; i < list->entry_count; i++) {
        list->entries[i].fate = take_entry(&all.of[all.count], list, i, search, &made);
        all.count += list->entries[i].fate == FATE_COUNT;
    }
    gather(list, &all, search->lab->name);
    if (list->count == 0) {
        text_addf(why, "%s holds no folders and no .cu files: unpack what you downloaded first",
                  search->folder);
        return false;
    }
    if (list->count == 1 && list->of->state == HANDED_IN_SEVERAL)
        entry_add_note(list->of,
                       xasprintf("if this is the folder of the class, name it: --batch '%s/%s'",
                                 search->folder, list->of->name));
    if (list->count == 1 && all_alone_packed(list))
        entry_add_note(list->of, xstrdup("if this is the platform's download for the whole class, "
                                         "unpack it, and name the folder it makes"));
    tell_owners_apart(list);
    batch_sort(list, NULL, 0);
    platform_metadata(list);
    return true;
}

bool batch_account(const struct class_list *list, struct text *why) {
    size_t *owned = xcalloc(list->count + 1, sizeof *owned), with = 0, without = 0, rows = 0;
    for (size_t i = 0; i < list->entry_count; i++) {
        const struct dir_entry *d = &list->entries[i];
        const bool known = d->fate < FATE_COUNT;
        if (known && fate_words[d->fate].row && d->row < list->count) {
            owned[d->row]++;
            with++;
        } else {
            without += known && !fate_words[d->fate].row;
        }
    }
    for (size_t i = 0; i < list->count; i++)
        rows += owned[i] > 0;
    free(owned);
    if (with + without == list->seen && rows == list->count)
        return true;
    text_addf(why,
              "a mistake in the grader, not in what was handed in: of %zu entries of %s %zu are "
              "accounted for, and %zu of %zu rows have one; please report it, and do not use "
              "these tables",
              list->seen, list->folder, with + without, rows, list->count);
    return false;
}

void batch_list_free(struct class_list *list) {
    for (size_t i = 0; i < list->count; i++)
        batch_entry_free(&list->of[i]);
    free(list->of);
    free_names(list);
    free(list->folder);
    *list = (struct class_list){0};
}
