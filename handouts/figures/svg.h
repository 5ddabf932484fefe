/*
 * svg.h: a small pen for the handouts' figures.
 *
 * A figure is a C function that draws between svg_begin and svg_end. Units are the view box's; a
 * phone shows a figure of width 440 at about three quarters, so text below 11 units is too small.
 *
 * Colour never carries meaning alone: each kind of area has a pattern of its own, and a label.
 *
 *     class      pattern                 stands for
 *     "a"        falling lines           matrix A, or what is read through it
 *     "b"        dots                    matrix B
 *     "c"        plain                   matrix C, or the result
 *     "bad"      cross hatch             waste, zeros, outside a matrix, a mistake
 *     "solid"    full                    the words used, where areas are tiny
 *     "none"     empty with an outline   the rest
 *
 * All write errors are found once, by svg_end. Text may hold UTF-8, and & < > as they are.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct svg {
    FILE *out;
    const char *name; /* prefix of the ids within the figure */
};

/* Opens the figure: its size, and its alternative text (title: a few words; desc: what there is to
 * see, for somebody who does not see it). */
void svg_begin(struct svg *s, FILE *out, const char *name, int width, int height, const char *title,
               const char *desc);
/* Closes it; false when anything could not be written. */
bool svg_end(struct svg *s);

/* A filled area of one of the classes above. */
void svg_area(struct svg *s, const char *class, double x, double y, double width, double height);
/* An outline: class "line", "faint", "strong" or "dashed". */
void svg_box(struct svg *s, const char *class, double x, double y, double width, double height);
void svg_line(struct svg *s, const char *class, double x1, double y1, double x2, double y2);
/* A line with a head at its second end. */
void svg_arrow(struct svg *s, const char *class, double x1, double y1, double x2, double y2);
void svg_circle(struct svg *s, const char *class, double x, double y, double radius);

/* anchor: 's'tart, 'm'iddle or 'e'nd at x; y is the baseline. class: "text", "small", "bold",
 * "quiet" or "mono". */
void svg_text(struct svg *s, const char *class, char anchor, double x, double y, const char *format,
              ...) __attribute__((format(printf, 6, 7)));

/* A table of rows x cols cells of the same class, with their outlines. */
void svg_cells(struct svg *s, const char *class, double x, double y, int rows, int cols,
               double width, double height);
