/* names.h: C++ symbol names as their authors wrote them. */
#pragma once

#include <stddef.h>

/* A kernel's name without return type and parameters: "tiled<32>" for _Z5tiledILi32EEvPKf. Writes
 * to buf and returns it; the mangled name when it can't be read. */
const char *vg_pretty_function(const char *mangled, char *buf, size_t len);
/* A variable's own name: "As" for _ZZ5tiledPKfE2As. */
const char *vg_pretty_variable(const char *mangled, char *buf, size_t len);
