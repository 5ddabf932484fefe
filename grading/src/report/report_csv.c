/*
 * report_csv.c: a table for spreadsheets and gradebooks (RFC 4180): a row for each entry, then the
 * total. Points of what is not graded are empty, never 0; a bonus is no part of the points
 * possible in total. Answers have a last column with whose they are. A cell that a spreadsheet
 * would take for a formula begins with an apostrophe.
 */
#include "grading/src/answers/answers.h"
#include "grading/src/report/report_entries.h"

#include <string.h>

static void cell(FILE *out, const char *s, const char *end) {
    struct text t = {0};
    text_add_cell(&t, s);
    fprintf(out, "%s%s", text_get(&t), end);
    text_free(&t);
}

static void lead(FILE *out, const struct grade_context *g) {
    struct text path = {0};
    text_add_clean_line(&path, g->submission.path ? g->submission.path : "",
                        g->submission.path ? strlen(g->submission.path) : 0, 4096);
    cell(out, g->lab->name, ",");
    cell(out, text_get(&path), ",");
    fprintf(out, "%llu,", (unsigned long long)g->seed);
    text_free(&path);
}

/* The row's end: whether it is a bonus, and whose answers they are. */
static void tail(FILE *out, const struct grade_context *g, bool bonus) {
    fputs(bonus ? "yes" : "no", out);
    if (g->answers) {
        struct text student = {0};
        text_add_clean_line(&student, g->answers->student, strlen(g->answers->student), 200);
        fputs(",", out);
        cell(out, text_get(&student), "");
        text_free(&student);
    }
    fputs("\r\n", out);
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    fputs("lab,submission,seed,entry,kind,hidden,verdict,points,points_possible,message,bonus",
          r->out);
    fputs(g->answers ? ",student\r\n" : "\r\n", r->out);
    for (size_t i = 0; i < e.count; i++) {
        const struct entry *one = &e.entry[i];
        lead(r->out, g);
        cell(r->out, one->name, ",");
        fprintf(r->out, "%s,%s,", one->kind, one->hidden ? "yes" : "no");
        cell(r->out, one->verdict, ",");
        if (one->state == ENTRY_PASS || one->state == ENTRY_FAIL)
            fprintf(r->out, "%g", one->points);
        fprintf(r->out, ",%g,", one->possible);
        cell(r->out, text_get(&one->says), ",");
        tail(r->out, g, one->bonus);
    }
    lead(r->out, g);
    fputs("\"total\",total,no,", r->out);
    cell(r->out, e.graded ? "graded" : "not graded", ",");
    if (e.graded)
        fprintf(r->out, "%g", e.points);
    fprintf(r->out, ",%g,", e.graded ? e.possible : e.all);
    cell(r->out, e.graded ? text_get(&e.says) : text_get(&e.why), ",");
    tail(r->out, g, false);
    entries_free(&e);
}

void report_csv_setup(struct reporter *r) {
    r->write = write_result;
}
