/*
 * json_out.h: writes JSON to a stream, indented, with the commas in the right places. Written here
 * so that students' programs, which the library is linked into, need no other library.
 *
 * Text that is no UTF-8 is made so: each wrong byte becomes U+FFFD. Numbers are finite: NaN and
 * infinities become null. Errors of the stream stay in it (ferror).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the UTF-8 sequence at s, 0 when it is none. Overlong forms, surrogates and what lies
 * beyond U+10FFFF are none. */
int vg_utf8_length(const unsigned char *s);

typedef struct vg_json {
    FILE *to;
    int depth;
    bool first;        /* nothing yet in the innermost object or array     */
    bool compact_next; /* the one opened next stands on one line           */
    int compact_depth; /* depth of the one that does, 0: none              */
} vg_json;

void vg_json_begin(vg_json *j, FILE *to);
/* A final newline. */
void vg_json_end(vg_json *j);

/* name: the member's, or NULL inside an array and for the outermost value. */
void vg_json_object(vg_json *j, const char *name);
void vg_json_object_end(vg_json *j);
void vg_json_array(vg_json *j, const char *name);
void vg_json_array_end(vg_json *j);
/* Until the array or object that is opened next ends, everything stays on its line. */
void vg_json_inline(vg_json *j);

void vg_json_text(vg_json *j, const char *name, const char *value); /* NULL becomes null */
void vg_json_count(vg_json *j, const char *name, uint64_t value);
void vg_json_real(vg_json *j, const char *name, double value);
/* A value that the caller writes to j->to next, in JSON. */
void vg_json_raw(vg_json *j, const char *name);
void vg_json_bool(vg_json *j, const char *name, bool value);
