/*
 * report_junit.c: JUnit XML as GitLab, Jenkins, CodeGrade and others read it: one suite, a test
 * case for each entry, names unique, no <properties>. What is not graded is skipped; a run without
 * a grade has an <error>, which readers tell from a failure.
 */
#include "grading/src/report/report_entries.h"

#include <string.h>

/* XML 1.0 has no U+FFFE and U+FFFF; control characters were replaced before. */
static void escaped(FILE *out, const char *s) {
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        switch (c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&apos;", out); break;
        default:
            if (c == 0xef && (unsigned char)s[1] == 0xbf && (unsigned char)s[2] >= 0xbe) {
                fputc('?', out);
                s += 2;
            } else if (c >= 0x20 || c == '\n' || c == '\t') {
                fputc(c, out);
            }
        }
    }
}

static void open_case(FILE *out, const struct grade_context *g, const char *name) {
    fprintf(out, "    <testcase classname=\"%s\" name=\"", g->lab->name);
    escaped(out, name);
    fprintf(out, "\" time=\"0\">\n");
}

static void message(FILE *out, const char *element, const char *word, const struct text *says) {
    fprintf(out, "      <%s message=\"", element);
    escaped(out, word);
    fputs("\">", out);
    escaped(out, word);
    fputs("\n", out);
    if (says)
        escaped(out, text_get(says));
    fprintf(out, "</%s>\n", element);
}

static void write_case(FILE *out, const struct grade_context *g, const struct entry *e) {
    open_case(out, g, e->name);
    if (e->state == ENTRY_FAIL)
        message(out, "failure", e->verdict, &e->says);
    else if (e->state != ENTRY_PASS)
        message(out, "skipped", e->verdict, &e->says);
    fputs("      <system-out>", out);
    escaped(out, e->title);
    fprintf(out, ", %s%g of %g points</system-out>\n    </testcase>\n", entry_bonus(e), e->points,
            e->possible);
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < e.count; i++) {
        failures += e.entry[i].state == ENTRY_FAIL;
        skipped += e.entry[i].state == ENTRY_NOT_GRADED || e.entry[i].state == ENTRY_NOT_RUN;
    }
    fprintf(r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites time=\"%.3f\">\n",
            g->seconds);
    fprintf(r->out,
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" "
            "skipped=\"%zu\" time=\"%.3f\">\n",
            g->lab->name, e.count + !e.graded, failures, !e.graded, skipped, g->seconds);
    if (!e.graded) {
        open_case(r->out, g, "grade");
        message(r->out, "error", text_get(&e.why), &e.says);
        fputs("    </testcase>\n", r->out);
    }
    for (size_t i = 0; i < e.count; i++)
        write_case(r->out, g, &e.entry[i]);
    fputs("    <system-out>", r->out);
    escaped(r->out, text_get(&e.head));
    fputs("\n", r->out);
    escaped(r->out, text_get(&e.says));
    fputs("</system-out>\n  </testsuite>\n</testsuites>\n", r->out);
    entries_free(&e);
}

void report_junit_setup(struct reporter *r) {
    r->write = write_result;
}
