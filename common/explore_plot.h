/*
 * explore_plot.h: running times over n: as CSV, as a plot of characters, and through gnuplot.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { SERIES_MAX = 200, SERIES_NAME = 96 };

struct point {
    int n;
    double seconds;     /* of the product alone */
    double with_copies; /* ... and of the copies to and from the device */
};

/* One program's times; n grows from point to point. */
struct series {
    char name[SERIES_NAME]; /* "lab 4, NVIDIA H200" */
    struct point point[SERIES_MAX];
    int count;
};

/* Writes the series as CSV: a header line, then a line for each n. False: errno says why. */
bool series_write(const struct series *s, const char *path);

/* Reads what series_write wrote. False: one line in error. */
enum { SERIES_ERROR = 256 };
bool series_read(struct series *s, const char *path, char error[SERIES_ERROR]);

/* The same from text; *line is the line that was refused. */
bool series_parse(struct series *s, const char *text, size_t bytes, char error[SERIES_ERROR]);

/* The index of n's point, or -1. */
int series_find(const struct series *s, int n);

/* Draws times over n with characters, 72 columns wide. `other` may be NULL. */
void plot_text(FILE *out, const struct series *s, const struct series *other);

/* Writes an SVG file through gnuplot: times, and the ratio if there are two. False: one line in
 * error. */
bool plot_svg(const char *path, const struct series *s, const struct series *other,
              char error[SERIES_ERROR]);
