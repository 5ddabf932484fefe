/*
 * value.h: a value as a debugger has it: of which C type it is, where it lies, and how it reads.
 *
 * Numbers are kept as C would have them: an int of 4 bytes wraps like one, a float of 4 bytes is
 * rounded like one. An array or a struct is a place whose parts names.h describes; its numbers are
 * read when they are shown. Addresses are the generic ones that device code uses: shared and local
 * memory have windows in them (program.h).
 */
#pragma once

#include "vgpu/src/inspect/names.h"

#include <stdio.h>

/* A number's type, or a pointer's: `stars` levels that end at such a number. */
typedef struct dbg_type {
    enum vg_encoding encoding;
    uint32_t size; /* bytes; 0: void, or a struct that only the program knows */
    int stars;
    char name[128]; /* "const float" */
} dbg_type;

enum { DBG_PATH = 160, DBG_ERROR = 240 };

typedef struct dbg_value {
    dbg_type type; /* of a number or pointer */
    union {
        uint64_t u; /* whole numbers, extended as their type says; pointers */
        double f;
    };
    bool placed; /* lies in memory, at: */
    uint64_t at;
    uint8_t shift, bits; /* of a bit field: where in those bytes; bits 0: it is none */
    /* An array or a struct, or what is in one: the leaves of var whose path begins with path, the
     * first `dims` of their sides chosen. NULL: a number. */
    const vg_named_var *var;
    char path[DBG_PATH];
    int dims;
} dbg_value;

/* Reads and writes memory as the thread in focus sees it. False: there is none. */
typedef struct dbg_memory {
    void *self;
    bool (*read)(void *self, uint64_t at, void *to, size_t size);
    bool (*write)(void *self, uint64_t at, const void *from, size_t size);
    const vg_names *names;     /* structs behind pointers, and names of enumerations; NULL: none */
    const vg_named_func *func; /* the function that names are said in; NULL: none */
} dbg_memory;

/* The type that these words name: "const float *". False: not a type that a debugger knows; *to is
 * then a struct of that name, of no size, with its stars. */
bool dbg_type_read(const char *words, dbg_type *to);
dbg_type dbg_int_type(void);
bool dbg_is_float(const dbg_type *t);
bool dbg_is_signed(const dbg_type *t);
/* Bytes of one: 8 for a pointer. */
uint32_t dbg_size_of(const dbg_type *t);
/* The same, of a struct that pointers point to as well; 0: unknown. */
uint32_t dbg_bytes_of(const dbg_memory *m, const dbg_type *t);
/* What a pointer points to. */
dbg_type dbg_pointee(const dbg_type *t);

dbg_value dbg_int(int64_t i);
/* A number of this type from its bytes, and back. */
dbg_value dbg_from_bytes(const dbg_type *t, const uint8_t *bytes);
void dbg_to_bytes(const dbg_value *v, uint8_t bytes[8]);
/* A constant of the program. */
dbg_value dbg_of_const(const vg_named_const *c);
/* The bytes that a number in memory consists of, with the bits of a bit field's neighbours; how
 * many. The value becomes what a bit field has room for. 0: they cannot be read. */
uint32_t dbg_stored(const dbg_memory *m, dbg_value *v, uint8_t bytes[8]);
/* As C converts. */
dbg_value dbg_convert(const dbg_value *v, const dbg_type *to);
double dbg_as_double(const dbg_value *v);
bool dbg_is_true(const dbg_value *v);

/* The variable itself; a number is read at once. False, with a sentence: unreadable. */
bool dbg_of_var(const dbg_memory *m, const vg_named_var *var, uint64_t at, dbg_value *to,
                char error[DBG_ERROR]);
/* What lies there: a number, or a struct. False, with a sentence: unreadable, or of no known
 * size. */
bool dbg_at(const dbg_memory *m, const dbg_type *t, uint64_t at, dbg_value *to,
            char error[DBG_ERROR]);
/* Of an array or struct: a field, an element. */
bool dbg_field(const dbg_memory *m, const dbg_value *of, const char *name, dbg_value *to,
               char error[DBG_ERROR]);
bool dbg_element(const dbg_memory *m, const dbg_value *of, int64_t index, dbg_value *to,
                 char error[DBG_ERROR]);
bool dbg_is_array(const dbg_value *v);
/* How many elements an array has; 0: it is none, or the launch says (extern __shared__). */
uint32_t dbg_side(const dbg_value *v);

/* The name of the i-th field of a struct. NULL: there are not so many. */
const char *dbg_field_name(const dbg_value *v, int i, char name[DBG_PATH]);

/* Writes the value; format: 0, or one of x d u o t c f. Unreadable parts are written so. */
void dbg_write(const dbg_memory *m, const dbg_value *v, char format, FILE *to);
