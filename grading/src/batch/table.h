/*
 * table.h: a table as spreadsheets and learning platforms export it, read and written back.
 *
 * Commas, semicolons or tabs; quoted cells (RFC 4180); UTF-8, with a mark at its beginning or
 * without, UTF-16 of either order, or, where it is none of these, Windows' Latin-1 (1252); lines
 * that end with LF, CR LF or, where there is no LF at all, CR. Written back it has the same
 * separator, encoding, line ends and quotes: a cell that nobody changed is the same bytes again. In
 * memory all cells are UTF-8. Refuses what is larger than the bounds below, a quote that does not
 * end, and what is no text.
 */
#pragma once

#include "grading/src/base/text.h"

#define TABLE_MOST_BYTES ((size_t)16 << 20)
#define TABLE_MOST_CELLS 2000000

enum table_encoding { TABLE_UTF8, TABLE_UTF8_MARKED, TABLE_LATIN1, TABLE_UTF16_LE, TABLE_UTF16_BE };

struct table_cell {
    char *text;
    bool quoted; /* in the file; written back like that */
};

struct table_row {
    struct table_cell *cell;
    size_t count;
    size_t line; /* of the file, from 1 */
};

struct table {
    enum table_encoding encoding;
    char separator;
    bool crlf, cr; /* how lines end; neither: LF */
    bool ends;     /* the last line has an end */
    struct table_row *row;
    size_t count;
};

/* False: `why` is a sentence without the file's name. Free the table in both cases. */
bool table_read(struct table *t, const char *bytes, size_t n, struct text *why);
void table_free(struct table *t);

/* The cell, "" beyond a row's end. */
const char *table_cell(const struct table *t, size_t row, size_t column);
/* Sets it; a row that is too short grows. */
void table_set(struct table *t, size_t row, size_t column, const char *text);
/* Puts an empty column in front of this one, in all rows that reach so far. */
void table_insert_column(struct table *t, size_t column);

void table_write(struct text *into, const struct table *t);
