/* compare_text.c: the comparison as a table (see compare.h). */
#include "grading/src/report/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a cell's text; columns that one table takes with two sources. */
enum { CELL = 32, WIDE = 97 };

/* "16.8 M", "84.2 M", "131 k": three digits are enough to compare by. */
static const char *brief(char cell[CELL], double x) {
    static const char *const units[] = {"", " k", " M", " G", " T"};
    size_t unit = 0;
    while (x >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        x /= 1000;
        unit++;
    }
    const int digits = x >= 99.95 || unit == 0 ? 0 : x >= 9.995 ? 1 : 2;
    snprintf(cell, CELL, "%.*f%s", digits, x, units[unit]);
    return cell;
}

static const char *duration(char cell[CELL], double seconds) {
    if (!(seconds > 0))
        return "-";
    const double ms = 1e3 * seconds;
    snprintf(cell, CELL, ms >= 1e4 ? "%.2f s" : "%.3g ms", ms >= 1e4 ? seconds : ms);
    if (ms >= 999.5 && ms < 1e4)
        snprintf(cell, CELL, "%.0f ms", ms);
    return cell;
}

static const char *times(char cell[CELL], double ratio) {
    if (!isfinite(ratio))
        return "-";
    snprintf(cell, CELL, ratio >= 9.95 ? "%.0f" : "%.3g", ratio);
    return cell;
}

static const char *small(char cell[CELL], double x) {
    if (!isfinite(x))
        return "-";
    snprintf(cell, CELL, "%.3g", x);
    return cell;
}

/* What the sources print for such a kernel. */
static void add_printed(struct text *t, const struct compare *c, const struct lab_spec *lab) {
    char cell[2][CELL];
    const enum compare_kernel kernel = compare_kernel(lab);
    for (size_t i = 0; i < c->sources; i++) {
        const double s = kernel == COMPARE_OTHER ? 0 : c->printed[i].seconds[kernel];
        text_addf(t, " %8s %4s", duration(cell[0], s),
                  times(cell[1], compare_printed_times_cpu(&c->printed[i], kernel)));
    }
}

static void add_printed_head(struct text *t, const struct compare *c, bool device) {
    for (size_t i = 0; i < c->sources; i++)
        text_addf(t, " %13s",
                  !device                 ? c->printed[i].size
                  : *c->printed[i].device ? c->printed[i].device
                                          : "printed");
}

static void add_row(struct text *t, const struct compare *c, const struct compare_row *row) {
    char cell[6][CELL];
    const bool seen = row->counted && !(row->library && row->bytes == 0);
    text_addf(t, "  %-5s %-12s %8s %7s %6s %8s  %8s %5s", row->lab->name, compare_verdict(row),
              row->counted ? brief(cell[0], row->madds) : "-",
              seen ? brief(cell[1], row->bytes) : "-",
              seen ? small(cell[2], row->bytes / row->madds) : "-",
              seen ? small(cell[3], row->transactions_a_madd) : "-",
              duration(cell[4], (double)row->nanoseconds * 1e-9),
              times(cell[5], compare_times_cpu(c, row)));
}

/* In one table where a line has room for it, else the sources' columns in a second one. */
static void add_tables(struct text *t, const struct compare *c, bool wide) {
    static const char line[] = "  %-5s %-12s %8s %7s %6s %8s  %8s %5s";
    text_addf(t, line, "", "", "multiply", "bytes", "bytes", "transac-", "time", "times");
    if (wide)
        add_printed_head(t, c, false);
    text_add(t, "\n");
    text_addf(t, line, "lab", "verdict", "-adds", "moved", "a m-a", "tions", "", "CPU");
    if (wide)
        add_printed_head(t, c, true);
    text_add(t, "\n");
    for (size_t i = 0; i < c->rows; i++) {
        add_row(t, c, &c->row[i]);
        if (wide)
            add_printed(t, c, c->row[i].lab);
        text_add(t, "\n");
    }
    if (wide || c->sources == 0)
        return;
    text_addf(t, "\n  %-5s", "");
    add_printed_head(t, c, false);
    text_addf(t, "\n  %-5s", "lab");
    add_printed_head(t, c, true);
    text_add(t, "\n");
    for (size_t i = 0; i < c->rows; i++) {
        if (compare_kernel(c->row[i].lab) == COMPARE_OTHER)
            continue;
        text_addf(t, "  %-5s", c->row[i].lab->name);
        add_printed(t, c, c->row[i].lab);
        text_add(t, "\n");
    }
}

/* What is not right, in a line each. */
static void add_reasons(struct text *t, const struct compare *c) {
    bool any = false;
    for (size_t i = 0; i < c->rows; i++) {
        const struct compare_row *row = &c->row[i];
        if (compare_is_right(row) || !row->why)
            continue;
        text_addf(t, "%s  %-6s %s\n", any ? "" : "\n", row->lab->name, row->why);
        any = true;
    }
}

/* Who chose another tile in a lab of square tiles gets the next size that it divides. */
static void add_sides(struct text *t, const struct compare *c) {
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].counted && c->row[i].side_counted != COMPARE_SIDE_COUNTED)
            text_addf(t, "%s takes multiples of its tile: counted with %d instead.\n",
                      c->row[i].lab->name, c->row[i].side_counted);
}

/* Of a paragraph each, which a terminal may break. */
static void add_notes(struct text *t, const struct compare *c, int columns) {
    struct text note = {0};
    text_addf(&note,
              "\nCounted on the virtual GPU, m = n = k = %d: multiply-adds (m-a), bytes between "
              "global memory and chip, transactions of 32 bytes for each m-a. What cuBLAS moves is "
              "not seen.\n",
              COMPARE_SIDE_COUNTED);
    add_sides(&note, c);
    text_addf(&note, "Timed at %d, without copies: lab 1 on one core of this CPU, the others on ",
              COMPARE_SIDE_TIMED);
    if (c->gpu)
        text_addf(&note, "%s.\n", c->gpu);
    else
        text_add(&note, "a GPU only: a simulator's times would tell nothing.\n");
    text_addf(&note, "%s: durations that the course's sources print, and times their CPU.\n",
              columns >= WIDE ? "On the right" : "In the second table");
    text_wrap(&note, (size_t)columns, 0);
    text_add(t, text_get(&note));
    text_free(&note);
}

void compare_text(struct text *t, const struct compare *c, int columns) {
    text_addf(t, "Your labs side by side, seed %llu\n\n", (unsigned long long)c->seed);
    add_tables(t, c, columns >= WIDE);
    add_reasons(t, c);
    add_notes(t, c, columns);
}
