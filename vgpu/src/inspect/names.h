/*
 * names.h: what the source calls the things of a watched kernel: functions, the blocks that bound a
 * variable's life, variables, their types, and the numbers they are made of. Read from the text
 * that vgpu-names writes and a program carries (watched.h). One thing a line, parted by tabs:
 *
 *     names   1                                          the format's number
 *     source  FILE  BYTES  PATH                          FILE as .loc counts; the text follows
 *     func    SYMBOL  NAME  LINE  PATH                   as in the PTX; what follows is its own
 *     scope   OUTER  BEGIN  END                          from 0; labels in the PTX; -1: none
 *     var     SCOPE NAME TYPE SYMBOL OFFSET BYTES LINE PARAMETER
 *                                                        at SYMBOL + OFFSET: a function's depot in
 *                                                        local memory, a shared or global array;
 *                                                        ".": a parameter that is in neither
 *     leaf    PATH  ENCODING  BYTES  OFFSET  (SIDE STRIDE)...
 *                                                        of the var or type before; PATH as in
 *                                                        ".v[][].x"; pointer:TYPE, signed:ENUM;
 *                                                        BYTES of a bit field: BYTES:FIRST:BITS,
 *                                                        FIRST counted from OFFSET
 *     type    NAME  BYTES                                a struct or an array that a pointer
 *                                                        points to
 *     value   ENUM  NAME  NUMBER                         ENUM may be empty, or end with "::"
 *     const   NAME  ENCODING  BYTES  BITS                lies nowhere: constexpr, a template's N
 *     points  BYTES                                      of a var that is a pointer: what it points
 *                                                        to; the leaves that follow are of that
 *
 * Variables before the first func are the module's. Names stand with what is around them, as in
 * "lab::tile<3>::side". Contract: reads any text without harm; a line that it does not understand
 * ends the reading with false.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vg_encoding {
    VG_SIGNED,
    VG_UNSIGNED,
    VG_FLOAT,
    VG_HALF,
    VG_BFLOAT16,
    VG_BOOL,
    VG_CHAR,
    VG_POINTER,
    VG_ENCODINGS
};
const char *vg_encoding_name(enum vg_encoding encoding);

enum { VG_LEAF_DIMS = 6 };

/* A number, or an array of them. */
typedef struct vg_leaf {
    const char *path; /* behind the variable's name; empty when it is a number itself */
    const char *type; /* of a pointer or an enumeration; NULL: unknown, or none */
    enum vg_encoding encoding;
    uint32_t size, offset; /* bytes */
    uint8_t shift, bits;   /* of a bit field; bits 0: all of its bytes */
    int dims;
    uint32_t side[VG_LEAF_DIMS], stride[VG_LEAF_DIMS];
} vg_leaf;

typedef struct vg_named_var {
    int scope; /* of its function; -1: all of it */
    const char *name, *type;
    const char *symbol; /* where it lies: in the PTX */
    uint64_t offset, size;
    int line;
    bool parameter;
    vg_leaf *leaves;
    int num_leaves;
    uint64_t points; /* bytes of what it points to; 0: no pointer, or to nothing known */
    vg_leaf *targets;
    int num_targets;
} vg_named_var;

/* An enumeration's. */
typedef struct vg_named_value {
    const char *type, *name;
    int64_t number;
} vg_named_value;

/* A number that lies nowhere. */
typedef struct vg_named_const {
    const char *name, *type; /* type: an enumeration; or NULL */
    enum vg_encoding encoding;
    uint32_t size;
    uint64_t bits;
} vg_named_const;

typedef struct vg_named_scope {
    int outer; /* -1: the function */
    const char *begin, *end;
} vg_named_scope;

typedef struct vg_named_func {
    const char *symbol, *name, *path;
    int line;
    vg_named_scope *scopes;
    int num_scopes;
    vg_named_var *vars;
    int num_vars;
    vg_named_const *consts;
    int num_consts;
} vg_named_func;

typedef struct vg_source {
    int file;
    const char *path, *text; /* not terminated */
    size_t len;
} vg_source;

typedef struct vg_names {
    char *text; /* owned; all else points into it */
    vg_source *sources;
    int num_sources;
    vg_named_func *funcs; /* the first holds the module's variables, and has no symbol */
    int num_funcs;
    vg_named_var *types; /* structs that pointers point to: name, size, leaves */
    int num_types;
    vg_named_value *values;
    int num_values;
    vg_named_var *leaves_of; /* while it is read: whose leaves come */
} vg_names;

/* NULL: not such a text, or out of memory. */
vg_names *vg_names_read(const char *text, size_t len);
void vg_names_free(vg_names *names);

/* The program's own source of this number; NULL: a header of the compiler's, or unknown. */
const vg_source *vg_names_source(const vg_names *names, int file);

/* How well a name fits what a person says within a function ("": anywhere); 0: not. In
 * lab::kernel<3> "calls" means lab::calls before any other, "kernel" each instance of it, and
 * "inner::calls" one of a namespace lab::inner or of another that ends so. */
int vg_name_fits(const char *name, const char *said, const char *within);
/* The struct or array of this name that a pointer points to; NULL: unknown. */
const vg_named_var *vg_names_type(const vg_names *names, const char *said, const char *within);
/* The value of this name; NULL: none. */
const vg_named_value *vg_names_value(const vg_names *names, const char *said, const char *within);
/* The constant of this name, of the function (NULL: none) or the module; NULL: none. */
const vg_named_const *vg_names_const(const vg_names *names, const vg_named_func *f,
                                     const char *said);
/* NULL when there is none. */
const vg_named_func *vg_names_func(const vg_names *names, const char *symbol);
