/* batch_anonymous.c: a batch that tells nobody's name (see batch_anonymous.h). */
#include "grading/src/batch/batch_anonymous.h"

#include "grading/src/batch/batch_roster.h"
#include "grading/src/batch/spelling.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEAST_WORD   2   /* letters of a word that is replaced */
#define LEAST_NUMBER 3   /* digits of a number */
#define MOST_WORD    300 /* bytes of a word whose parts are looked at */

/* ---- Words ---- */

static bool in_word(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* A word as it is compared: somebody's name stays one in capitals. */
static char *folded_word(const char *s, size_t n) {
    char *word = xasprintf("%.*s", (int)n, s), *folded = spelling_folded(word);
    free(word);
    return folded;
}

void anonymous_add_words(struct anonymous *a, const char *s, const char *lab) {
    for (size_t n; *s; s += n) {
        for (n = 0; in_word(s[n]);)
            n++;
        const bool number = strspn(s, "0123456789") >= n;
        char *word = n >= (number ? LEAST_NUMBER : LEAST_WORD) ? folded_word(s, n) : NULL;
        n += n == 0;
        if (!word || strcmp(word, lab) == 0) {
            free(word);
            continue;
        }
        if ((a->words & (a->words - 1)) == 0)
            a->word = xrealloc(a->word, (a->words ? 2 * a->words : 1) * sizeof *a->word);
        a->word[a->words++] = word;
    }
}

static int by_word(const void *x, const void *y) {
    return strcmp(*(char *const *)x, *(char *const *)y);
}

void anonymous_sort_words(struct anonymous *a) {
    if (a->words > 1)
        qsort(a->word, a->words, sizeof *a->word, by_word);
}

static bool is_listed(const struct anonymous *a, const char *word) {
    return a->words > 0 && bsearch(&word, a->word, a->words, sizeof *a->word, by_word);
}

/* Is it somebody's, or is a part of it with four letters or more: "lovelaceKernel", "u2017b"? */
static bool is_somebodys(const struct anonymous *a, const char *s, size_t n) {
    char *word = folded_word(s, n);
    bool is = is_listed(a, word);
    n = strlen(word) < MOST_WORD ? strlen(word) : MOST_WORD;
    for (size_t from = 0; from + 4 <= n && !is; from++) {
        for (size_t to = n; to >= from + 4 && !is; to--) {
            char *part = xasprintf("%.*s", (int)(to - from), word + from);
            is = is_listed(a, part);
            free(part);
        }
    }
    free(word);
    return is;
}

void anonymous_text(struct text *into, const struct anonymous *a, const char *s) {
    for (size_t n; *s; s += n) {
        for (n = 0; in_word(s[n]);)
            n++;
        const bool word = n >= LEAST_WORD && is_somebodys(a, s, n);
        n += n == 0;
        text_add_bytes(into, word ? "[name]" : s, word ? 6 : n);
    }
}

/* ---- Results ---- */

/* Members whose values are the grader's own words. */
static bool is_ours(const char *key) {
    static const char *const keys[] = {"schema",   "lab",     "status",  "seed",   "backend",
                                       "device",   "class",   "section", "name",   "input",
                                       "title",    "verdict", "kind",    "case",   "value",
                                       "severity", "hazard",  "rule",    "meaning"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Members that quote the student's text, or tell which file it was. */
static bool is_theirs(const char *key) {
    return strcmp(key, "messages") == 0 || strcmp(key, "printed") == 0 ||
           strcmp(key, "submission_hash") == 0;
}

static void clean(const struct anonymous *a, json_t *o, const char *key) {
    const char *name;
    json_t *member;
    size_t i;
    if (json_is_string(o) && !is_ours(key)) {
        struct text t = {0};
        if (is_theirs(key))
            text_add(&t, strcmp(key, "submission_hash") == 0 ? "0000000000000000" : "[left out]");
        else
            anonymous_text(&t, a, json_string_value(o));
        json_string_set(o, text_get(&t));
        text_free(&t);
    } else if (json_is_object(o)) {
        json_object_foreach(o, name, member) clean(a, member, name);
    } else if (json_is_array(o)) {
        json_array_foreach(o, i, member) clean(a, member, key);
    }
}

bool anonymous_result(const struct anonymous *a, const char *path) {
    json_t *o = json_load_file(path, 0, NULL);
    if (o)
        clean(a, o, "");
    const bool ok = o && json_dump_file(o, path, JSON_INDENT(2)) == 0;
    json_decref(o);
    if (!ok)
        unlink(path);
    return ok;
}

/* ---- Pseudonyms ---- */

/* Runs the program on identities, each of which ends in a zero byte; what it printed. */
static bool ask(struct text *said, const struct batch *b, const struct text *identities) {
    char *program = xasprintf("%s/bin/pseudonym", b->paths->build);
    int ends[2], status = -1;
    const int file = memfd_create("identities", MFD_CLOEXEC);
    const bool ready =
        file >= 0 &&
        write(file, text_get(identities), identities->length) == (ssize_t)identities->length &&
        lseek(file, 0, SEEK_SET) == 0 && pipe2(ends, O_CLOEXEC) == 0;
    const pid_t pid = ready ? fork() : -1;
    if (pid == 0) {
        const char *const argv[] = {"pseudonym", b->options->anonymous, NULL};
        if (dup2(file, 0) == 0 && dup2(ends[1], 1) == 1)
            execv(program, (char *const *)argv);
        _exit(127);
    }
    free(program);
    if (file >= 0)
        close(file);
    if (!ready)
        return false;
    close(ends[1]);
    char part[16384];
    for (ssize_t n; pid > 0 && ((n = read(ends[0], part, sizeof part)) > 0 || errno == EINTR);)
        text_add_bytes(said, part, n > 0 ? (size_t)n : 0);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        text_clear(said);
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void identity(struct text *t, const char *first, const char *second) {
    text_addf(t, "%s\n%s", first, second);
    text_add_bytes(t, "", 1);
}

/* Who a row is: as the roster has it, where it does, or else as the platform's name has it. */
static void identity_of(struct text *t, const struct batch *b, size_t row) {
    const struct roster *r = b->roster ? &b->roster->roster : NULL;
    for (size_t s = 0; r && s < r->students; s++) {
        if (b->roster->row[s] != row)
            continue;
        char *name = roster_name(r, s);
        identity(t, name, roster_id(r, s));
        free(name);
        return;
    }
    identity(t, b->list.of[row].student, b->list.of[row].id);
}

/* The next line that the program printed, behind a letter that says of what it is. */
static char *next_name(const char **at, const char *kind) {
    const size_t n = strcspn(*at, "\n");
    char *name = xasprintf("%s-%.*s", kind, (int)n, *at);
    *at += n + ((*at)[n] == '\n');
    return name;
}

static void replace(char **s, char *by) {
    free(*s);
    *s = by;
}

/* Whys and notes name files: what is left says no more than what it is. */
static const char *plain_why(const struct entry_in *e) {
    switch (e->state) {
    case HANDED_IN_NONE: return "nothing handed in";
    case HANDED_IN_OTHER: return "something else than a program";
    case HANDED_IN_SEVERAL: return "several files, and nothing says which one is meant";
    case HANDED_IN_UNKNOWN: return "not recognised";
    case HANDED_IN_ARCHIVE: return "an archive that was not opened";
    default: return NULL;
    }
}

void batch_anonymous_note(struct entry_in *e) {
    const char *why = plain_why(e);
    replace(&e->why, why ? xstrdup(why) : NULL);
    replace(&e->note, NULL);
}

static void collect_words(struct anonymous *a, const struct batch *b) {
    const struct roster *r = b->roster ? &b->roster->roster : NULL;
    for (size_t i = 0; i < b->list.count; i++) {
        anonymous_add_words(a, b->list.of[i].student, b->lab->name);
        anonymous_add_words(a, b->list.of[i].id, b->lab->name);
        if (b->list.of[i].platform != PLATFORM_NONE) /* as the platform writes it */
            anonymous_add_words(a, b->list.of[i].name, b->lab->name);
    }
    for (size_t s = 0; r && s < r->students; s++) {
        char *name = roster_name(r, s);
        anonymous_add_words(a, name, b->lab->name);
        free(name);
        for (size_t i = 0; i < r->ids; i++)
            anonymous_add_words(a, table_cell(&r->table, r->student[s], r->id[i]), b->lab->name);
    }
    anonymous_sort_words(a);
}

static void rename_all(struct batch *b, const char *names) {
    struct anonymous *a = b->anonymous;
    a->key = next_name(&names, "key");
    for (size_t i = 0; i < b->list.count; i++) {
        struct entry_in *e = &b->list.of[i];
        replace(&e->name, next_name(&names, "s"));
        replace(&e->student, xstrdup(e->name));
        replace(&e->id, xstrdup(""));
        replace(&e->owner, xstrdup(""));
        batch_anonymous_note(e);
    }
    for (size_t i = 0; i < b->list.entry_count; i++)
        replace(&b->list.entries[i].name, next_name(&names, "e"));
    for (size_t s = 0; s < a->missing_count; s++)
        a->missing[s] = next_name(&names, "s");
}

bool batch_anonymous(struct batch *b, struct text *why) {
    const struct roster *r = b->roster ? &b->roster->roster : NULL;
    struct text identities = {0}, said = {0};
    struct anonymous *a = b->anonymous = xcalloc(1, sizeof *a);
    collect_words(a, b);
    identity(&identities, "which key is it?", "");
    for (size_t i = 0; i < b->list.count; i++)
        identity_of(&identities, b, i);
    for (size_t i = 0; i < b->list.entry_count; i++)
        identity(&identities, "an entry", b->list.entries[i].name);
    a->missing_count = r ? r->students : 0;
    a->missing = xcalloc(a->missing_count + 1, sizeof *a->missing);
    for (size_t s = 0; s < a->missing_count; s++) {
        char *name = roster_name(r, s);
        identity(&identities, name, roster_id(r, s));
        free(name);
    }
    const bool ok = ask(&said, b, &identities);
    if (ok) {
        rename_all(b, text_get(&said));
        batch_sort(&b->list, b->roster ? b->roster->row : NULL, a->missing_count);
    } else if (said.length > 0) {
        text_addf(why, "%.*s", (int)strcspn(text_get(&said), "\n"), text_get(&said));
    } else {
        text_add(why, "--anonymous needs nettle: run tools/setup class, and make grader-tools");
    }
    text_free(&identities);
    text_free(&said);
    return ok;
}

void batch_anonymous_free(struct anonymous *a) {
    for (size_t i = 0; i < a->words; i++)
        free(a->word[i]);
    for (size_t i = 0; i < a->missing_count; i++)
        free(a->missing[i]);
    free(a->word);
    free(a->missing);
    free(a->key);
    *a = (struct anonymous){0};
}
