/* compare_run.c: see compare_run.h. */
#include "grading/src/app/compare_run.h"

#include "grading/src/app/grade.h"
#include "grading/src/app/prepare.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/terminal.h"
#include "grading/src/report/compare.h"
#include "grading/src/run/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No case of a rubric can have this name. */
#define CASE_NAME "side by side"

/* In the rubric's place of its first case: the product that is compared. */
static void put_case(struct rubric *r) {
    struct case_spec *one = &r->cases[0];
    free(one->name);
    *one = (struct case_spec){
        .name = xstrdup(CASE_NAME),
        .entry = r->lab.entries & 1u << ENTRY_DEVICE ? ENTRY_DEVICE : ENTRY_CPU,
        .shape = SHAPE_FIXED,
        .input = INPUT_WIDE,
        .calls = 1,
        .size = {COMPARE_SIDE_COUNTED, COMPARE_SIDE_COUNTED, COMPARE_SIDE_COUNTED}};
}

/* What a run that is over tells of its lab. */
static void take(struct compare_row *row, const struct grade_context *g) {
    if (g->not_graded.length > 0) {
        row->state = COMPARE_UNKNOWN;
        row->why = xstrdup(text_get(&g->not_graded));
        return;
    }
    if (g->refusal != REFUSED_NOT || g->result_count == 0) {
        row->state = COMPARE_REFUSED;
        row->why = xasprintf("%s %s tells why it is not built", g->paths.command, g->lab->name);
        return;
    }
    const struct case_result *c = &g->results[0];
    row->state = COMPARE_RAN;
    row->verdict = c->verdict;
    row->unwritten = c->verdict == VERDICT_WRONG && c->evidence.comparison.total > 0 &&
                     c->evidence.untouched_total == c->evidence.comparison.total;
    if (c->verdict != VERDICT_PASS && !row->unwritten)
        row->why = xstrdup(text_get(&c->evidence.summary));
    if (c->verdict == VERDICT_PASS && c->seen.calls > 0 && c->spec->entry == ENTRY_DEVICE)
        compare_count(row, &c->seen.work[0], c->plan.call[0].shape);
    if (g->time.own > 0) {
        row->nanoseconds = g->time.own;
        row->side_timed = times_side(g->lab, COMPARE_SIDE_TIMED);
        row->device =
            xstrdup(c->spec->entry == ENTRY_CPU ? "one core of this CPU" : g->backend.device);
    }
}

/* Is there a file of this lab? Absent ones are no mistake here. */
static bool has_file(struct compare_row *row, const struct grade_context *g) {
    char *name = lab_program(g->lab), *path = paths_lab_file(&g->paths, g->lab, name);
    row->file = paths_lab_file_shown(&g->paths, g->lab, name);
    const bool there = access(path, F_OK) == 0;
    free(path);
    free(name);
    return there;
}

static void find_labs(struct grade_context *g, const char *folder) {
    paths_find(&g->paths);
    if (!folder)
        return;
    free(g->paths.labs);
    free(g->paths.labs_shown);
    g->paths.labs = xstrdup(folder);
    g->paths.labs_shown = xstrdup(folder);
}

static void look_at(struct compare_row *row, const struct options *options, struct compare *c,
                    char **gpu) {
    struct grade_context g = {.options = *options, .lab = row->lab};
    struct reporters none = {0};
    char why[1024];
    g.options.formats = 0;
    g.options.only[g.options.cases++] = CASE_NAME;
    find_labs(&g, options->compare_folder);
    row->state = has_file(row, &g) ? COMPARE_UNKNOWN : COMPARE_NO_FILE;
    if (row->state == COMPARE_UNKNOWN && row->lab->fault) {
        row->why = xstrdup(row->lab->fault);
    } else if (row->state == COMPARE_UNKNOWN) {
        bool ready = prepare_rubric(&g, why, sizeof why);
        if (ready)
            put_case(&g.rubric);
        ready = ready && prepare_run(&g, why, sizeof why);
        if (ready) {
            grade_run(&g, &none);
            take(row, &g);
        } else {
            row->why = xstrdup(why);
        }
        if (g.backend.kind == BACKEND_GPU && g.backend.device && !*gpu)
            *gpu = xstrdup(g.backend.device);
        c->seed = g.seed;
    }
    grade_free(&g);
}

static bool write_all(const struct options *options, const struct compare *c, char *why,
                      size_t room) {
    static const struct format_request text_only = {.name = "text"};
    const int count = options->formats ? options->formats : 1;
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        const struct format_request *f = options->formats ? &options->format[i] : &text_only;
        struct text t = {0};
        if (strcmp(f->name, "json") == 0)
            compare_json(&t, c);
        else if (strcmp(f->name, "html") == 0)
            compare_page(&t, c);
        else
            compare_text(&t, c, f->path ? TEXT_COLUMNS : terminal_columns(stdout, TEXT_COLUMNS));
        ok = report_put(f->path, text_get(&t), why, room);
        text_free(&t);
    }
    return ok;
}

/* Not known is the machine's fault; wrong, or not built, the labs'. Who has not begun one yet has
 * nothing wrong. */
static int status_of(const struct compare *c) {
    int status = 0;
    for (size_t i = 0; i < c->rows; i++) {
        const struct compare_row *row = &c->row[i];
        if (row->state == COMPARE_UNKNOWN)
            return GRADE_NONE;
        if (row->state != COMPARE_NO_FILE && !compare_is_right(row) && !row->unwritten)
            status = GRADE_PARTIAL;
    }
    return status;
}

int compare_run(const struct options *options, const struct labs *labs) {
    struct compare c = {.row = xcalloc(labs->count, sizeof *c.row)};
    struct options own = *options;
    struct paths paths;
    struct text reason = {0};
    char why[1024] = "", *gpu = NULL;
    if (!own.seed_given) {
        own.seed = prepare_fresh_seed();
        own.seed_given = true;
    }
    c.seed = own.seed;
    paths_find(&paths);
    bool ok = compare_read_printed(&c, paths.root, &reason);
    paths_free(&paths);
    if (!ok)
        snprintf(why, sizeof why, "%s", text_get(&reason));
    for (size_t i = 0; ok && i < labs->count && !interrupt_noted(); i++) {
        struct compare_row *row = &c.row[c.rows++];
        row->lab = &labs->lab[i];
        look_at(row, &own, &c, &gpu);
    }
    c.gpu = gpu;
    if (ok && interrupt_noted()) {
        ok = false;
        snprintf(why, sizeof why, "interrupted: nothing was compared");
    }
    ok = ok && write_all(&own, &c, why, sizeof why);
    const int status = ok ? status_of(&c) : GRADE_NONE;
    if (!ok)
        fprintf(stderr, "grader: %s\n", why);
    free(gpu);
    compare_free(&c);
    text_free(&reason);
    return status;
}
