/*
 * report_vpl.c: what vpl_execution prints for Moodle's Virtual Programming Lab: comments in a
 * block, then the grade, scaled to VPL_GRADEMIN..VPL_GRADEMAX (0..100 where they are not set).
 *
 * VPL takes the last line that begins with its grade tag, wherever it comes from. Every line of a
 * student's text is preformatted: it begins with '>', so it can be no tag, no title and no end of
 * the block; the tags' sign is broken up as well. Without a grade there is no grade line, and VPL
 * proposes none.
 */
#include "grading/src/report/report_entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double limit(const char *name, double otherwise) {
    const char *value = getenv(name);
    char *end;
    const double x = value ? strtod(value, &end) : 0;
    return value && end != value ? x : otherwise;
}

static void preformatted(FILE *out, const struct text *says) {
    struct text t = {0};
    text_add(&t, text_get(says));
    text_replace(&t, ":=>>", ":= >>");
    text_replace(&t, "--|>", "-- |>");
    text_replace(&t, "<|--", "<| --");
    for (const char *line = text_get(&t); *line;) {
        const int n = (int)strcspn(line, "\n");
        fprintf(out, ">%.*s\n", n, line);
        line += n + (line[n] == '\n');
    }
    text_free(&t);
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    struct text head = {0};
    text_addf(&head, "%s\n", text_get(&e.head));
    fputs("<|--\n", r->out);
    fputs("-Result\n", r->out);
    preformatted(r->out, &head);
    preformatted(r->out, &e.says);
    for (size_t i = 0; i < e.count; i++) {
        const struct entry *one = &e.entry[i];
        fprintf(r->out, "-%s, %s: %s, ", one->name, one->title, one->verdict);
        if (one->state == ENTRY_PASS || one->state == ENTRY_FAIL)
            fprintf(r->out, "%s%g of %g points\n", entry_bonus(one), one->points, one->possible);
        else
            fprintf(r->out, "no points given or taken\n");
        preformatted(r->out, &one->says);
    }
    fputs("--|>\n", r->out);
    if (e.graded) {
        const double low = limit("VPL_GRADEMIN", 0), high = limit("VPL_GRADEMAX", 100);
        /* Moodle knows no more than the highest grade. */
        const double share = fmin(e.points / e.possible, 1);
        fprintf(r->out, "Grade :=>>%.2f\n", low + (high - low) * share);
    }
    text_free(&head);
    entries_free(&e);
}

void report_vpl_setup(struct reporter *r) {
    r->write = write_result;
}
