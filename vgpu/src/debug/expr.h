/*
 * expr.h: C expressions over what a kernel has: `sum + As[threadIdx.y][k] * 2.0f`.
 *
 *     names      what `find` knows: locals, parameters, arrays, threadIdx and its kin; those of
 *                enumerations' numbers, constants; lab::calls, spot::count, tile<3>::SIDE
 *     numbers    10, 0x1F, 1.5f, 'a', true, false
 *     operators  all of C's but assignment, ++, --, sizeof and the comma
 *     casts      (float)i, (int *)p, (spot *)p: to numbers' types and pointers, to structs too
 *
 * Types are C's: an int wraps, a float is rounded to 4 bytes after each operation.
 *
 * Contract: any text is read without harm; what is wrong with it is told in a sentence. A condition
 * changes nothing: only dbg_assign writes.
 */
#pragma once

#include "vgpu/src/debug/value.h"

/* What a name means. */
typedef struct dbg_symbol {
    const vg_named_var *var; /* lies at; NULL: a struct of whole numbers x, y, z: */
    uint64_t at;
    uint32_t xyz[3];
    bool scalar; /* only x, and no struct: warpSize */
} dbg_symbol;

typedef struct dbg_env {
    dbg_memory memory;
    void *self;
    bool (*find)(void *self, const char *name, dbg_symbol *to);
} dbg_env;

/* False, with a sentence. */
bool dbg_eval(const dbg_env *env, const char *text, dbg_value *to, char error[DBG_ERROR]);
/* `As[1][2] = 3`: to is what is there now. */
bool dbg_assign(const dbg_env *env, const char *text, dbg_value *to, char error[DBG_ERROR]);
