/*
 * json_out.h: writes JSON to a stream, indented, with the commas in the right places. Written here
 * so that students' programs, which the library is linked into, need no other library.
 *
 * Text that is no UTF-8 is made so: each wrong byte becomes U+FFFD. Numbers are finite: NaN and
 * infinities become null. Errors of the stream stay in it (ferror).
 */
#ifndef VGPU_COUNT_JSON_OUT_H
#define VGPU_COUNT_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_out {
    FILE *to;
    int depth;
    bool first;        /* nothing yet in the innermost object or array     */
    bool compact_next; /* the one opened next stands on one line           */
    int compact_depth; /* depth of the one that does, 0: none              */
} json_out;

void json_begin(json_out *j, FILE *to);
/* A final newline. */
void json_end(json_out *j);

/* name: the member's, or NULL inside an array and for the outermost value. */
void json_object(json_out *j, const char *name);
void json_object_end(json_out *j);
void json_array(json_out *j, const char *name);
void json_array_end(json_out *j);
/* Until the array or object that is opened next ends, everything stays on its line. */
void json_inline(json_out *j);

void json_text(json_out *j, const char *name, const char *value); /* NULL becomes null */
void json_count(json_out *j, const char *name, uint64_t value);
void json_real(json_out *j, const char *name, double value);
void json_bool(json_out *j, const char *name, bool value);

#endif
