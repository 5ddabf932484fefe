/*
 * debug.h: a person stops a kernel and looks at it. Commands come and answers go over a socket
 * (wire.h); the person's terminal is another process's business (vgpu/tools/vgpu-debug.c).
 *
 *     d = vg_debug_create(socket)
 *     vg_debug_know(d, names)            each module's
 *     vg_debug_hold(d)                   before main: until "run"
 *     vg_debug_attach(d, exec, check)    one worker
 *     vg_debug_launch(d, names, kernel)  before each launch; NULL: of code without names
 *     vg_debug_findings(d, list)         behind it: what the checkers found
 *
 * Contract: the watched build runs in place of the graded one, so what is changed by `set var`
 * changes what the program computes. Only the process that created it is held: forked children go
 * on by themselves.
 */
#pragma once

#include "vgpu/include/vgpu.h"
#include "vgpu/src/check/check.h"
#include "vgpu/src/inspect/inspect.h"

typedef struct vg_debug vg_debug;

/* NULL: out of memory. It lives as long as the process. */
vg_debug *vg_debug_create(int socket);
/* The names must live as long as the debugger. False: out of memory. */
bool vg_debug_know(vg_debug *d, const vg_names *names);
void vg_debug_hold(vg_debug *d);
/* After the checkers: of what they find at once, threads are held. */
bool vg_debug_attach(vg_debug *d, vg_exec *exec, vg_check *check);
void vg_debug_launch(vg_debug *d, const vg_names *names, const char *kernel);
/* Those from number `first` on. */
void vg_debug_findings(vg_debug *d, const vg_findings *list, int first);

/* The product is about to be computed by a call that comes next. True: this is a child, which is to
 * make the call at once, and then to say what came of it, with vg_debug_foreseen. */
bool vg_debug_foresee(vg_debug *d, const struct vgpu_product *p);
/* got: C's elements; NULL: a fault ended the call. */
_Noreturn void vg_debug_foreseen(vg_debug *d, const float *got, bool on_device);
/* The host gets so many bytes of device memory. */
void vg_debug_copied(vg_debug *d, const void *host, uint64_t device, uint64_t bytes);
