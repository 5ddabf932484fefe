/* compare_page.c: the comparison as a page that opens from disk, loads nothing and runs nothing
 * (see compare.h). Bars are drawn here, on a logarithmic scale: what is compared differs by factors
 * of a thousand. */
#include "grading/src/report/compare.h"
#include "grading/src/report/html.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 680, LEFT = 64, RIGHT = 90, BAR = 18, GAP = 8, TOP = 8, AXIS = 40 };

/* A value of each row, NaN where there is none. */
typedef double row_value(const struct compare *c, const struct compare_row *row);

static double bytes_of(const struct compare *c, const struct compare_row *row) {
    (void)c;
    return compare_is_right(row) && row->counted && row->bytes > 0 ? row->bytes / row->madds : NAN;
}

static double milliseconds_of(const struct compare *c, const struct compare_row *row) {
    (void)c;
    return row->nanoseconds > 0 ? (double)row->nanoseconds * 1e-6 : NAN;
}

/* Of the sources, the first that prints such a kernel. */
static double printed_of(const struct compare *c, const struct compare_row *row) {
    const enum compare_kernel kernel = compare_kernel(row->lab);
    return kernel != COMPARE_OTHER && c->sources > 0 && c->printed[0].seconds[kernel] > 0
               ? 1e3 * c->printed[0].seconds[kernel]
               : NAN;
}

struct scale {
    double low, high; /* powers of ten */
};

static void widen(struct scale *s, double x) {
    if (!isfinite(x) || x <= 0)
        return;
    s->low = fmin(s->low, floor(log10(x)));
    s->high = fmax(s->high, ceil(log10(x)));
}

static double x_of(const struct scale *s, double value) {
    return LEFT + (log10(value) - s->low) / (s->high - s->low) * (WIDTH - LEFT - RIGHT);
}

/* Three digits, as people write them: 0.0781, 5.02, 40505. */
static const char *brief(char into[32], double x) {
    const int before = x > 0 ? (int)floor(log10(x)) + 1 : 3;
    snprintf(into, 32, "%.*f", before < 3 ? 3 - before : 0, x);
    return into;
}

static void bar(struct text *t, const struct scale *s, double y, double value, const char *colour) {
    if (!isfinite(value) || value <= 0)
        return;
    char number[32];
    const double x = x_of(s, value);
    html_addf(t,
              "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"var(--%s)\" "
              "stroke=\"var(--text)\"/>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
              LEFT, y, fmax(x - LEFT, 1), BAR, colour, fmax(x, LEFT + 1) + 6, y + BAR - 4,
              brief(number, value));
}

/* Bars of one value of every row that has it, and of another below it. */
static void bars(struct text *t, const struct compare *c, const char *what, row_value *value,
                 row_value *other) {
    struct scale s = {HUGE_VAL, -HUGE_VAL};
    int shown = 0, lines = 0;
    for (size_t i = 0; i < c->rows; i++) {
        const double a = value(c, &c->row[i]), b = other ? other(c, &c->row[i]) : NAN;
        widen(&s, a);
        widen(&s, b);
        shown += isfinite(a) || isfinite(b);
        lines += isfinite(a) + isfinite(b);
    }
    if (shown == 0)
        return;
    s.high = s.high > s.low ? s.high : s.low + 1;
    const int height = TOP + lines * BAR + shown * GAP + AXIS;
    html_addf(
        t,
        "<div class=\"scroll\" tabindex=\"0\"><svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
        " role=\"img\" aria-label=\"%s, as bars\">\n",
        WIDTH, height, WIDTH, height, what);
    for (int power = (int)s.low; power <= (int)s.high; power++) {
        const double x = x_of(&s, pow(10, power));
        html_addf(t,
                  "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n<text "
                  "x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                  x, TOP, x, height - AXIS, x, height - AXIS + 16, pow(10, power));
    }
    double y = TOP;
    for (size_t i = 0; i < c->rows; i++) {
        const double a = value(c, &c->row[i]), b = other ? other(c, &c->row[i]) : NAN;
        if (!isfinite(a) && !isfinite(b))
            continue;
        html_addf(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
                  y + BAR - 4, c->row[i].lab->name);
        bar(t, &s, y, a, "used");
        y += isfinite(a) ? BAR : 0;
        bar(t, &s, y, b, "box");
        y += (isfinite(b) ? BAR : 0) + GAP;
    }
    html_addf(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n</svg></div>\n",
              (WIDTH + LEFT - RIGHT) / 2, height - 6, what);
}

static void number_cell(struct text *t, bool there, double x) {
    char number[32];
    if (there && isfinite(x))
        html_addf(t, "<td class=\"n\">%s</td>", brief(number, x));
    else
        text_add(t, "<td class=\"n\">–</td>");
}

static void table_row(struct text *t, const struct compare *c, const struct compare_row *row) {
    const bool seen = row->counted && !(row->library && row->bytes == 0);
    const bool right = compare_is_right(row);
    html_addf(t, "<tr><th scope=\"row\">%s, %s</th><td class=\"%s\">%s</td>", row->lab->name,
              row->lab->title,
              right ? "pass"
              : (row->state == COMPARE_RAN || row->state == COMPARE_REFUSED) && !row->unwritten
                  ? "fail"
                  : "none",
              compare_verdict(row));
    if (row->counted)
        html_addf(t, "<td class=\"n\">%.0f</td>", row->madds);
    else
        number_cell(t, false, 0);
    if (seen)
        html_addf(t, "<td class=\"n\">%.0f</td>", row->bytes);
    else
        number_cell(t, false, 0);
    number_cell(t, seen, row->bytes / row->madds);
    number_cell(t, seen, row->transactions_a_madd);
    number_cell(t, row->nanoseconds > 0, (double)row->nanoseconds * 1e-6);
    number_cell(t, true, compare_times_cpu(c, row));
    const enum compare_kernel kernel = compare_kernel(row->lab);
    for (size_t i = 0; i < c->sources; i++) {
        const double s = kernel == COMPARE_OTHER ? 0 : c->printed[i].seconds[kernel];
        number_cell(t, s > 0, 1e3 * s);
        number_cell(t, true, compare_printed_times_cpu(&c->printed[i], kernel));
    }
    text_add(t, "</tr>\n");
}

static void table(struct text *t, const struct compare *c) {
    text_add(t, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th>lab</th>"
                "<th>verdict</th><th>multiply-adds</th><th>bytes moved</th><th>bytes a "
                "multiply-add</th><th>transactions a multiply-add</th><th>ms</th><th>times the "
                "CPU</th>");
    for (size_t i = 0; i < c->sources; i++)
        html_addf(t, "<th>printed, %s%s%s: ms</th><th>times the CPU</th>", c->printed[i].size,
                  *c->printed[i].device ? ", " : "", c->printed[i].device);
    text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < c->rows; i++)
        table_row(t, c, &c->row[i]);
    text_add(t, "</tbody></table></div>\n");
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].counted && c->row[i].side_counted != COMPARE_SIDE_COUNTED)
            html_addf(t, "<p>%s takes multiples of its tile: counted with %d instead.</p>\n",
                      c->row[i].lab->name, c->row[i].side_counted);
    for (size_t i = 0; i < c->rows; i++)
        if (!compare_is_right(&c->row[i]) && c->row[i].why)
            html_addf(t, "<p>%s: %s</p>\n", c->row[i].lab->name, c->row[i].why);
}

void compare_page(struct text *t, const struct compare *c) {
    html_head(t, "Your labs side by side");
    html_addf(t,
              "<header><h1>Your labs side by side</h1>\n<p class=\"meta\">Seed %llu. Counted on "
              "the virtual GPU, m = n = k = %d. ",
              (unsigned long long)c->seed, COMPARE_SIDE_COUNTED);
    if (c->gpu)
        html_addf(t, "Timed on %s, m = n = k = %d, without copies; lab 1 on one core of this CPU.",
                  c->gpu, COMPARE_SIDE_TIMED);
    else
        html_addf(t,
                  "Lab 1 is timed on one core of this CPU, m = n = k = %d. The others are "
                  "timed on a GPU only: a simulator's times would tell nothing.",
                  COMPARE_SIDE_TIMED);
    text_add(t, "</p></header>\n<main>\n");
    table(t, c);
    text_add(t, "<section id=\"bytes\"><h2>Bytes that a multiply-add costs</h2>\n<p>A transaction "
                "moves 32 bytes between global memory and the chip. A tile in shared memory is "
                "loaded once and used by many threads: fewer bytes, the same arithmetic.</p>\n");
    bars(t, c, "bytes of global memory for each multiply-add", bytes_of, NULL);
    text_add(t, "</section>\n<section id=\"times\"><h2>Times</h2>\n<p>Filled: here. Pale: printed "
                "in the course's sources");
    if (c->sources > 0)
        html_addf(t, ", %s%s%s", c->printed[0].size, *c->printed[0].device ? " on a " : "",
                  c->printed[0].device);
    text_add(t, ".</p>\n");
    bars(t, c, "milliseconds of a product", milliseconds_of, printed_of);
    text_add(t, "</section>\n</main>\n</body>\n</html>\n");
}
