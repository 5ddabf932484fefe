/* standing.c: keeps and shows how each lab stands (see standing.h). */
#include "grading/src/report/standing.h"

#include "grading/src/answers/answers.h"
#include "grading/src/lab/points.h"
#include "grading/src/report/hints.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STANDING_SCHEMA "matmul-lab-standing/1"
#define ANSWERS_SCHEMA  "matmul-lab-standing-answers/1"
#define TRIES_SCHEMA    "matmul-lab-standing-tries/1"

/* The file of a lab; `what` is "", "-answers" or "-tries". */
static json_t *load(const struct paths *paths, const struct lab_spec *lab, const char *what,
                    const char *schema) {
    char *path = xasprintf("%s/%s%s.json", paths->standing, lab->name, what);
    json_t *o = json_load_file(path, 0, NULL);
    free(path);
    const char *found = json_string_value(json_object_get(o, "schema"));
    if (found && strcmp(found, schema) == 0)
        return o;
    json_decref(o);
    return NULL;
}

json_t *standing_load(const struct paths *paths, const struct lab_spec *lab) {
    return load(paths, lab, "", STANDING_SCHEMA);
}

/* One run as it is kept; the last result has the same members. */
static json_t *run_json(const json_t *last) {
    static const char *const kept[] = {"points", "points_possible", "submission_hash", "backend",
                                       "time"};
    json_t *o = json_object();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(o, kept[i], json_object_get(last, kept[i]));
    return o;
}

/* The earlier runs and the last one. */
static json_t *history_json(const struct grade_context *g, const json_t *last) {
    json_t *before = standing_load(&g->paths, g->lab), *runs = json_object_get(before, "runs");
    /* Written before there was a history: its one result is it. */
    json_t *all = json_is_array(runs) ? json_copy(runs) : json_array();
    if (before && !json_is_array(runs))
        json_array_append_new(all, run_json(before));
    json_array_append_new(all, run_json(last));
    while (json_array_size(all) > STANDING_MOST)
        json_array_remove(all, 0);
    json_decref(before);
    return all;
}

int standing_history(struct standing_run *runs, const struct paths *paths,
                     const struct lab_spec *lab) {
    json_t *o = standing_load(paths, lab), *all = json_object_get(o, "runs");
    int n = 0;
    for (size_t i = 0; i < json_array_size(all) && n < STANDING_MOST; i++) {
        const json_t *run = json_array_get(all, i);
        const char *backend = json_string_value(json_object_get(run, "backend"));
        const double points = json_number_value(json_object_get(run, "points"));
        const double possible = json_number_value(json_object_get(run, "points_possible"));
        if (!(points >= 0 && possible > 0 && possible <= 100000 && points <= 100000))
            continue;
        runs[n] = (struct standing_run){.time = json_integer_value(json_object_get(run, "time")),
                                        .points = points_of(points),
                                        .points_possible = points_of(possible)};
        snprintf(runs[n].backend, sizeof runs[n].backend, "%s", backend ? backend : "?");
        n++;
    }
    json_decref(o);
    return n;
}

/* Makes a folder, those above it included, for its owner alone. Whether it is there is seen when
 * something is put into it. */
static void make_folder(const char *folder) {
    char *path = xstrdup(folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
    free(path);
}

/* What root keeps in somebody else's build folder stays theirs. */
static bool hand_over(int fd, const char *folder) {
    struct stat st;
    char *above = xasprintf("%s/..", folder);
    const bool others = geteuid() == 0 && stat(above, &st) == 0 && st.st_uid != 0;
    free(above);
    return !others ||
           (fchown(fd, st.st_uid, st.st_gid) == 0 && chown(folder, st.st_uid, st.st_gid) == 0);
}

/* Results are for nobody else's eyes: mkostemp makes files that their owner alone may read. */
static void save(const struct paths *paths, const struct lab_spec *lab, const char *what,
                 const json_t *standing) {
    char *folder = paths->standing;
    char *path = xasprintf("%s/%s%s.json", folder, lab->name, what);
    char *temporary = xasprintf("%s.XXXXXX", path);
    make_folder(folder);
    const int fd = mkostemp(temporary, O_CLOEXEC);
    bool ok = fd >= 0 &&
              json_dumpfd(standing, fd,
                          JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15)) == 0 &&
              hand_over(fd, folder);
    ok = (fd < 0 || close(fd) == 0) && ok;
    if (ok)
        ok = rename(temporary, path) == 0;
    if (!ok) {
        fprintf(stderr, "grader: cannot keep this result in %s: %s\n", path, strerror(errno));
        if (fd >= 0)
            unlink(temporary);
    }
    free(temporary);
    free(path);
}

void standing_save(const struct paths *paths, const struct lab_spec *lab, const json_t *standing) {
    save(paths, lab, "", standing);
}

json_t *standing_load_tries(const struct paths *paths, const struct lab_spec *lab) {
    json_t *o = load(paths, lab, "-tries", TRIES_SCHEMA), *tries = json_object_get(o, "tries");
    json_t *found = json_is_object(tries) ? json_incref(tries) : json_object();
    json_decref(o);
    return found;
}

void standing_save_tries(const struct paths *paths, const struct lab_spec *lab, json_t *tries) {
    json_t *o =
        json_pack("{s:s, s:s, s:O}", "schema", TRIES_SCHEMA, "lab", lab->name, "tries", tries);
    save(paths, lab, "-tries", o);
    json_decref(o);
}

void standing_note_answers(const struct grade_context *g) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, g->submission.hash);
    json_t *o =
        json_pack("{s:s, s:s, s:i, s:i, s:s, s:I}", "schema", ANSWERS_SCHEMA, "lab", g->lab->name,
                  "right", (int)g->answers->right, "count", (int)g->answers->count, "file_hash",
                  hash, "time", (json_int_t)time(NULL));
    save(&g->paths, g->lab, "-answers", o);
    json_decref(o);
}

void standing_note(const struct grade_context *g) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, g->submission.hash);
    json_t *before = standing_load(&g->paths, g->lab);
    json_t *o = json_pack("{s:s, s:s, s:o, s:o, s:s, s:s, s:I}", "schema", STANDING_SCHEMA, "lab",
                          g->lab->name, "points", points_json(g->points), "points_possible",
                          points_json(g->points_possible), "submission_hash", hash, "backend",
                          backend_name(g->backend.kind), "time", (json_int_t)time(NULL));
    json_object_set_new(o, "runs", history_json(g, o));
    hints_note(o, before, g);
    standing_save(&g->paths, g->lab, o);
    json_decref(o);
    json_decref(before);
}

/* "just now", "5 minutes ago", ... */
static void add_ago(struct text *t, int64_t seconds) {
    static const struct {
        int64_t seconds;
        const char *unit;
    } units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const int64_t n = seconds / units[i].seconds;
        if (n > 0) {
            text_addf(t, "%lld %s%s ago", (long long)n, units[i].unit, n == 1 ? "" : "s");
            return;
        }
    }
    text_add(t, "just now");
}

/* "; answers 12/27": how the lab's answers.txt stands; nothing where it was never checked. */
static void add_answers(struct text *t, const struct paths *paths, const struct lab_spec *lab) {
    json_t *o = load(paths, lab, "-answers", ANSWERS_SCHEMA);
    const json_int_t right = json_integer_value(json_object_get(o, "right"));
    const json_int_t count = json_integer_value(json_object_get(o, "count"));
    const char *checked = json_string_value(json_object_get(o, "file_hash"));
    if (checked && right >= 0 && right <= count && count < 1000) {
        char *path = paths_lab_file(paths, lab, "answers.txt");
        struct submission s;
        char why[256], hash[20];
        submission_read(&s, SUBMISSION_TYPED, path, path, why, sizeof why);
        snprintf(hash, sizeof hash, "%016" PRIx64, s.hash);
        text_addf(t, "; answers %d/%d%s", (int)right, (int)count,
                  strcmp(hash, checked) == 0 ? "" : " (edited since)");
        submission_free(&s);
        free(path);
    }
    json_decref(o);
}

/* One lab's line. Returns whether it has full marks as it is now. */
static bool add_row(struct text *t, const struct paths *paths, const struct lab_spec *lab,
                    int64_t now) {
    text_addf(t, "  %-6s %-28s ", lab->name, lab->title);
    char *name = lab_program(lab), *path = paths_lab_file(paths, lab, name);
    char *shown = paths_lab_file_shown(paths, lab, name);
    struct submission s;
    char why[256], hash[20];
    const enum submission_state state =
        submission_read(&s, SUBMISSION_TYPED, path, path, why, sizeof why);
    snprintf(hash, sizeof hash, "%016" PRIx64, s.hash);
    json_t *o = standing_load(paths, lab);
    const double points = json_number_value(json_object_get(o, "points"));
    const double possible = json_number_value(json_object_get(o, "points_possible"));
    const char *graded = json_string_value(json_object_get(o, "submission_hash"));
    const bool same = graded && strcmp(graded, hash) == 0;
    if (state == SUBMISSION_NOT_THERE)
        text_addf(t, "no file %s", shown);
    else if (!o)
        text_add(t, "not graded yet");
    else {
        char score[32];
        snprintf(score, sizeof score, "%g/%g", points, possible);
        const char *backend = json_string_value(json_object_get(o, "backend"));
        text_addf(t, "%7s  %s, ", score, backend ? backend : "?");
        add_ago(t, now - (int64_t)json_integer_value(json_object_get(o, "time")));
        if (!same)
            text_add(t, "; edited since");
    }
    add_answers(t, paths, lab);
    text_add(t, "\n");
    json_decref(o);
    submission_free(&s);
    free(shown);
    free(path);
    free(name);
    return same && points >= possible;
}

void standing_table(struct text *t, const struct paths *paths, const struct labs *labs,
                    int64_t now) {
    const struct lab_spec *next = NULL;
    for (size_t i = 0; i < labs->count; i++) {
        const bool done = add_row(t, paths, &labs->lab[i], now);
        if (!done && !next)
            next = &labs->lab[i];
    }
    if (next) {
        char *name = lab_program(next), *shown = paths_lab_file_shown(paths, next, name);
        text_addf(t, "\nNext: edit %s, then %s %s\n", shown, paths->command, next->name);
        free(shown);
        free(name);
    } else {
        text_add(t, "\nAll labs have full marks.\n");
    }
    if (paths->labs_shared)
        text_addf(t,
                  "These labs belong to an installation that you cannot change. To get a copy of "
                  "your own:\n"
                  "  %s/tools/workspace FOLDER\n",
                  paths->root);
}
