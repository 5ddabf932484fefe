/*
 * natives.h: device functions that PTX declares but does not define, done by the host: the math
 * library (names __vgpu_<C99 name>, see vgpu/include), vprintf behind printf, __assertfail behind
 * assert. Arguments and result lie in the thread's local memory, where st.param put them.
 */
#pragma once

#include "vgpu/src/core/program.h"

enum { VG_MAX_NATIVE_ARGS = 6 };

typedef struct native native;

typedef struct native_call {
    const native *fn;
    uint32_t arg[VG_MAX_NATIVE_ARGS]; /* offsets in the thread's local segment */
    uint32_t ret;
} native_call;

/* NULL when the host has no such function. */
const native *vg_native_named(const char *name);
int vg_native_num_args(const native *fn);
/* One lane's call. False: a fault is recorded. */
bool vg_native_run(warp *w, const op *o, int lane, const native_call *call);

/* Appends to what the block has printed; lost, not fatal, when memory is out. */
void vg_print(text_buffer *out, const char *bytes, size_t len);
