/*
 * report_editor.c: what a student has to look at, a line each, in the one form that every editor
 * reads:
 *
 *     labs/lab3-tiled-square/lab3.cu:17: error: races: no two threads in conflict: race in kernel
 *     tiled on element 0 of shared array 'As' (RAW), in the case one-tile (32 x 32 x 32) [races]
 *
 * The compiler's messages keep their places. A failed case, an unmet check and a finding of the
 * virtual GPU have the line that the grader knows of, or line 1, which stands for the whole file.
 * Nothing is printed for a file with full marks. The paths are such that they can be opened from
 * where the grader was called. It tells no points, and is no result for a learning platform.
 */
#include "grading/src/build/messages.h"
#include "grading/src/report/exhibit.h"
#include "grading/src/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A line is one message, however much there is to say. */
#define MOST 1000

struct listing {
    FILE *out;
    const struct grade_context *g;
    struct text path;
};

/* The submission's path, from the current folder; its own file's is told from the kit's. */
static void find_path(struct listing *l) {
    const struct grade_context *g = l->g;
    const char *shown = g->submission.path;
    char *real = g->own_file ? paths_lab_file(&g->paths, g->lab, g->submission.name) : NULL;
    struct stat there, meant;
    if (real && stat(real, &meant) == 0 &&
        (stat(shown, &there) != 0 || there.st_ino != meant.st_ino || there.st_dev != meant.st_dev))
        shown = real;
    text_add_clean_line(&l->path, shown, strlen(shown), 4096);
    free(real);
}

/* FILE:LINE: or FILE:LINE:COLUMN: in front of a message. */
static void tell(const struct listing *l, int line, int column, const char *severity,
                 const struct text *says, const char *code) {
    fprintf(l->out, "%s:%d:", text_get(&l->path), line > 0 ? line : 1);
    if (line > 0 && column > 0)
        fprintf(l->out, "%d:", column);
    struct text clean = {0};
    text_add_clean_line(&clean, text_get(says), says->length, MOST);
    text_mask_addresses(&clean);
    fprintf(l->out, " %s: %s", severity, text_get(&clean));
    if (code)
        fprintf(l->out, " [%s]", code);
    fputc('\n', l->out);
    text_free(&clean);
}

static bool is_ours(const struct listing *l, const char *file) {
    return file && l->g->submission.name && view_same_file(file, l->g->submission.name);
}

/* ---- The compiler's messages ---- */

/* They stand indented by two; what they quote, by more. How many there were. */
static int compiler_messages(const struct listing *l, const struct text *messages) {
    int count = 0;
    for (const char *line = text_get(messages); *line;) {
        const size_t n = strcspn(line, "\n");
        struct message_head h;
        if (n > 2 && strncmp(line, "  ", 2) == 0 && line[2] != ' ' &&
            message_head(&h, line + 2, n - 2)) {
            struct text name = {0};
            text_add_bytes(&name, line + 2, h.file);
            if (is_ours(l, text_get(&name)))
                fprintf(l->out, "%s%.*s\n", text_get(&l->path), (int)(n - 2 - h.file),
                        line + 2 + h.file);
            else
                fprintf(l->out, "%.*s\n", (int)(n - 2), line + 2);
            text_free(&name);
            count++;
        }
        line += n + (line[n] == '\n');
    }
    return count;
}

/* ---- Cases and checks ---- */

static void add_cause(struct text *says, const struct diagnosis *d) {
    if (d && d->sentence.length > 0)
        text_addf(says, "%s%s", says->length > 0 ? ". " : "", text_get(&d->sentence));
}

/* The line that a diagnosis names; 0: none, or one of another file. */
static int line_of(const struct listing *l, const struct diagnosis *d) {
    return d && is_ours(l, d->file) ? d->line : 0;
}

/* The first of the places of an observation's errors that is in the submission. */
static int line_seen(const struct listing *l, const struct observation *o) {
    for (int i = 0; i < o->findings; i++)
        if (o->finding[i].error && is_ours(l, o->finding[i].site[0].file))
            return o->finding[i].site[0].line;
    return 0;
}

static void tell_case(const struct listing *l, const struct case_result *c, enum verdict verdict,
                      const struct evidence *e, const char *severity) {
    struct text says = {0};
    text_addf(&says, "case %s: %s", c->spec->name, verdict_text(verdict));
    if (c->spec->hidden) {
        text_add(&says, ", hidden");
        tell(l, 0, 0, severity, &says, NULL);
    } else {
        int line = line_of(l, c->diagnosis);
        if (e->summary.length > 0)
            text_addf(&says, ": %s", text_get(&e->summary));
        add_cause(&says, c->diagnosis);
        if (line == 0)
            line = line_seen(l, &c->seen);
        tell(l, line, 0, severity, &says, c->diagnosis ? c->diagnosis->class : NULL);
    }
    text_free(&says);
}

/* A race has two places: the second one refers to the first. */
static void tell_other_place(const struct listing *l, const struct check_result *c, int line) {
    const struct finding_body *f = c->found;
    if (!f || f->site[1].line <= 0 || f->site[1].line == line || !is_ours(l, f->site[1].file))
        return;
    struct text says = {0};
    text_addf(&says, "%s: the other place, with line %d", c->spec->name, line);
    tell(l, f->site[1].line, 0, "note", &says, NULL);
    text_free(&says);
}

static void tell_check(const struct listing *l, const struct check_result *c) {
    const bool hidden = c->in && c->in->spec->hidden;
    struct text says = {0};
    int line = 0;
    text_addf(&says, "%s: %s: ", c->spec->name, c->spec->title);
    if (hidden) {
        text_add(&says, "not met, seen in a hidden case");
    } else {
        text_add(&says, text_get(&c->summary));
        if (c->found && is_ours(l, c->found->site[0].file))
            line = c->found->site[0].line;
        if (line == 0)
            line = line_of(l, c->diagnosis);
        if (report_cause_is_new(l->g, c->diagnosis))
            add_cause(&says, c->diagnosis);
    }
    tell(l, line, 0, "error", &says, c->spec->name);
    if (!hidden)
        tell_other_place(l, c, line);
    text_free(&says);
}

/* ---- All of it ---- */

/* Where the compiler has said what is wrong, only the likely cause is left to say. */
static void tell_refused(const struct listing *l) {
    const struct grade_context *g = l->g;
    struct text says = {0};
    const bool said = compiler_messages(l, &g->refused_details) > 0;
    const int line = line_of(l, g->diagnosis);
    if (!said)
        text_add(&says, text_get(&g->refused));
    add_cause(&says, g->diagnosis);
    if (says.length > 0)
        tell(l, line > 0 ? line : g->build.error.line, 0, said ? "note" : "error", &says,
             g->diagnosis ? g->diagnosis->class : NULL);
    text_free(&says);
}

static void tell_no_grade(const struct listing *l, bool final) {
    struct text says = {0};
    text_addf(&says, "not graded: %s",
              final ? text_get(&l->g->not_graded) : "the run has not finished");
    tell(l, 0, 0, "warning", &says, NULL);
    text_free(&says);
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct listing l = {.out = r->out, .g = g};
    find_path(&l);
    if (g->refused.length > 0) {
        tell_refused(&l);
    } else {
        compiler_messages(&l, &g->build.details);
        if (g->first_failure)
            tell_case(&l, g->first_failure, g->first_failure->verdict, &g->first_failure->evidence,
                      "error");
        else if (g->first_forgiven)
            tell_case(&l, g->first_forgiven, g->first_forgiven->observed,
                      &g->first_forgiven->observed_evidence, "warning");
        for (size_t i = 0; i < g->check_count; i++)
            if (g->checks[i].verdict == CHECK_NOT_MET && !g->checks[i].premature)
                tell_check(&l, &g->checks[i]);
    }
    if (!r->final || g->not_graded.length > 0)
        tell_no_grade(&l, r->final);
    text_free(&l.path);
}

void report_editor_setup(struct reporter *r) {
    r->write = write_result;
}
