/*
 * report_tap.c: TAP version 13, which readers of version 14 take as well (not the other way round:
 * Perl's prove calls each file of version 14 a failure). What is not graded is skipped; a run
 * without a grade bails out.
 * Student text stands in YAML blocks, indented, where no line of it can be one of the protocol.
 */
#include "grading/src/report/report_entries.h"

#include <string.h>

/* '#' begins a directive, '\' escapes. */
static void description(FILE *out, const char *s) {
    for (; *s; s++) {
        if (*s == '#' || *s == '\\')
            fputc('\\', out);
        fputc(*s == '\n' ? ' ' : *s, out);
    }
}

static void block(FILE *out, const char *key, const char *says) {
    fprintf(out, "  %s: |\n", key);
    while (*says) {
        const int n = (int)strcspn(says, "\n");
        fprintf(out, "    %.*s\n", n, says);
        says += n + (says[n] == '\n');
    }
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    fprintf(r->out, "TAP version 13\n1..%zu\n# ", e.count);
    description(r->out, text_get(&e.head));
    fputc('\n', r->out);
    for (size_t i = 0; i < e.count; i++) {
        const struct entry *one = &e.entry[i];
        if (!e.graded && one->state == ENTRY_NOT_RUN)
            break; /* the rest of the plan is missing, as it should be before a bail-out */
        fprintf(r->out, "%sok %zu - ", one->state == ENTRY_FAIL ? "not " : "", i + 1);
        description(r->out, one->name);
        fputs(", ", r->out);
        description(r->out, one->title);
        if (one->state == ENTRY_NOT_GRADED || one->state == ENTRY_NOT_RUN)
            fputs(" # SKIP not graded", r->out);
        fprintf(r->out, "\n  ---\n  verdict: \"%s\"\n  points: %g\n  points_possible: %g\n%s",
                one->verdict, one->points, one->possible, one->bonus ? "  bonus: true\n" : "");
        if (one->says.length > 0)
            block(r->out, "message", text_get(&one->says));
        fputs("  ...\n", r->out);
    }
    for (const char *line = text_get(&e.says); *line;) {
        const int n = (int)strcspn(line, "\n");
        fprintf(r->out, "# %.*s\n", n, line);
        line += n + (line[n] == '\n');
    }
    if (!e.graded)
        fprintf(r->out, "Bail out! %s\n", text_get(&e.why));
    entries_free(&e);
}

void report_tap_setup(struct reporter *r) {
    r->write = write_result;
}
