/*
 * symbols.h: which functions a compiled submission defines, uses, and has run before main.
 *
 * Read from the object file's symbol table, before linking, so that a missing function, a main, or
 * a function with other parameters is told in the lab's words and not in the linker's; and so that
 * flags.c can tell a human of the unusual.
 */
#pragma once

#include "grading/src/lab/protocol.h"

#include <stdbool.h>
#include <stddef.h>

struct symbols {
    bool readable;    /* false: not an ELF object this code understands; the rest says nothing */
    bool main;        /* defines main */
    unsigned entries; /* bit set of enum entry_point: defined, with C linkage */
    unsigned mangled; /* defined with these names, but as C++ functions: other parameters, or
                         lab.h was not included */
};

struct symbols symbols_read(const char *object_path);

/* The bytes of an object file, at most `most` of them; the caller frees them. NULL when there are
 * none. */
unsigned char *symbols_load(const char *object_path, size_t most, size_t *n);

/* One name of an object. Valid during the call only. */
struct symbol_seen {
    const char *name;
    bool defined;  /* else the object uses it and others have to define it */
    bool global;   /* weak ones included */
    bool resolver; /* an IFUNC: code that runs while the program is loaded */
};
typedef void symbol_visitor(const struct symbol_seen *seen, void *data);

/* Calls `visit` with every name of an object, however damaged. */
void symbols_each(const unsigned char *bytes, size_t n, symbol_visitor *visit, void *data);

/* Calls `visit` with every function that runs before main or after exit by being listed in a
 * section such as .init_array; the name is "" where none can be found. */
typedef void starter_visitor(const char *section, const char *function, void *data);
void symbols_each_starter(const unsigned char *bytes, size_t n, starter_visitor *visit, void *data);

/* Bytes of initialised data, the code for the device left out. */
uint64_t symbols_data_bytes(const unsigned char *bytes, size_t n);

/* Bytes of all variables that exist as long as the program: what is in the file, and arrays that
 * begin as zeros and are only made room for. At most 2^62. */
uint64_t symbols_static_bytes(const unsigned char *bytes, size_t n);

/* The same as symbols_read from memory; refuses nothing it is given, however damaged. */
struct symbols symbols_parse(const unsigned char *bytes, size_t n);
