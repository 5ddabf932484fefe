/*
 * graph.h: graphs in plain text, and tables of ways, as the exploration `paths` reads them.
 *
 *     # ten places and their roads          a comment reaches to the end of its line
 *     A - B                                 a road: one step from A to B, and one from B to A
 *     A - C - E                             two roads in one line
 *     D -> F                                a road in one direction only
 *     K                                     a place without roads
 *
 * Places are numbered in the order in which their names come up first. A road is written once: a
 * second time is refused, since it is a slip more often than a wish. A file may hold a table
 * instead: how many ways of a given length lead from each place to each.
 *
 *     table 4
 *     A:  9  3  6
 *     B:  3 15  8
 *     C:  6  8  8
 *
 * Names have 1 to 15 letters, digits, '_' or '.', and begin with no digit. Line ends may be Unix's
 * or Windows's. Whatever is not as above is refused with its line's number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRAPH_NAME = 16,           /* bytes of a name, with its NUL */
    GRAPH_VERTICES = 2048,     /* at most */
    GRAPH_COUNT_MAX = 1 << 24, /* largest number in a table: a float holds it */
    GRAPH_LENGTH_MAX = 1000,   /* longest ways a table may count */
    GRAPH_TEXT_MAX = 16 << 20  /* bytes of a file */
};

struct graph {
    int vertices;
    int edges;                /* roads as written; 0 for a table */
    int length;               /* of the ways that `ways` counts: 1, unless a table says otherwise */
    char (*name)[GRAPH_NAME]; /* of each vertex */
    uint32_t *ways;           /* vertices x vertices, row-major: from row to column */
};

struct graph_error {
    int line; /* 0: not a matter of one line */
    char what[200];
};

/* Reads a text (it need not end in NUL). The caller frees *g with graph_free. False: *e says why,
 * *g is empty. */
bool graph_parse(struct graph *g, const char *text, size_t bytes, struct graph_error *e);

/* The same from a file. False also when it can't be read. */
bool graph_read(struct graph *g, const char *path, struct graph_error *e);

void graph_free(struct graph *g);

/* The number of the vertex by that name, or -1. */
int graph_find(const struct graph *g, const char *name);
