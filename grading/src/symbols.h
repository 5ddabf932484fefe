/*
 * symbols.h: which functions a compiled submission defines.
 *
 * Read from the object file's symbol table, before linking, so that a missing function, a main, or
 * a function with other parameters is told in the lab's words and not in the linker's.
 */
#ifndef GRADING_SYMBOLS_H
#define GRADING_SYMBOLS_H

#include "grading/src/protocol.h"

#include <stdbool.h>

struct symbols {
    bool readable;    /* false: not an ELF object this code understands; the rest says nothing */
    bool main;        /* defines main */
    unsigned entries; /* bit set of enum entry_point: defined, with C linkage */
    unsigned mangled; /* defined with these names, but as C++ functions: other parameters, or
                         lab.h was not included */
};

struct symbols symbols_read(const char *object_path);

/* The same from memory; refuses nothing it is given, however damaged. */
struct symbols symbols_parse(const unsigned char *bytes, size_t n);

#endif
