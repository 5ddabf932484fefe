/*
 * inspect.h: looking on while a watched kernel runs: where each warp is in the source, and what
 * every thread's variables hold, by their names. Film and debugger stand on it; it knows neither.
 *
 *     names = vg_names_read(…)                     the program's own (watched.h)
 *     in = vg_inspect_create(names, &watcher)
 *     vg_inspect_attach(in, exec)                  an executor of its own, with one worker
 *     vg_launch(exec, watched kernel, …)           watcher->stop is called at every line
 *
 * A stop is a warp, those of its lanes that go together, and a line that they are about to begin: a
 * line is a stop each time the lanes come to it from another one, and each time that a loop within
 * one line begins anew. A line that only jumps (break, continue) is none; one that goes on behind a
 * call is one again. Lines of headers are no stops, and what they do belongs to the line that
 * called them; so does a function's opening, before its parameters are where they are looked for.
 *
 * Deterministic: warps run in the executor's own order, each until it waits. The same launch on the
 * same memory makes the same stops, number by number, so that an earlier one is had by running
 * again up to it.
 *
 * Contract: changes nothing that the kernel computes. All answers hold until the callback returns.
 */
#pragma once

#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_tensor.h"
#include "vgpu/src/core/step.h"
#include "vgpu/src/inspect/names.h"

typedef struct vg_inspect vg_inspect;

typedef struct vg_stop_at {
    warp *warp;
    uint32_t mask; /* lanes that begin the line together */
    const op *op;  /* the first of the line */
    int file, line;
    uint64_t number; /* of stops so far in the block, from 0 */
    bool goes_on;    /* behind a call: the lanes have begun the line before */
} vg_stop_at;

/* What a split of a warp waits for, or how it ended. */
enum vg_pause { VG_PAUSE_BARRIER, VG_PAUSE_WARP, VG_PAUSE_PART, VG_PAUSE_END, VG_PAUSE_FAULT };

/* Any callback may be NULL. */
typedef struct vg_watcher {
    void *self;
    void (*stop)(void *self, const vg_stop_at *at);
    /* An op of the line has been carried out that accessed memory other than the thread's own: one
     * call for each access, those of VG_ASYNC_END included, when what it wrote is there. */
    void (*access)(void *self, const vg_access *a);
    /* A matrix instruction of the line is about to be carried out (done: has been). */
    void (*matrices)(void *self, const warp *w, const tensor_call *c, bool done);
    /* These lanes wait, part or have ended. */
    void (*pause)(void *self, warp *w, uint32_t mask, enum vg_pause why);
    /* The op of number `vg_inspect_alarm` is about to be looked at. */
    void (*alarm)(void *self, warp *w);
    /* The running lanes have jumped back: what goes on for ever comes here again and again. */
    void (*back)(void *self, warp *w);
} vg_watcher;

/* Neither is copied; both must outlive it. NULL: out of memory. */
vg_inspect *vg_inspect_create(const vg_names *names, const vg_watcher *watcher);
void vg_inspect_destroy(vg_inspect *in);

/* Watches the launches of this executor, which must have one worker, from now on: in each, the
 * block with this linear index; those before it run unwatched. False: too many observers. */
bool vg_inspect_attach(vg_inspect *in, vg_exec *exec);
#define VG_EVERY_BLOCK UINT64_MAX
void vg_inspect_block(vg_inspect *in, uint64_t linear);
/* Warps of the block at hand (bits) that nobody wants to know of: no lines, accesses or matrices of
 * theirs are told; ops are counted, and pauses, jumps back and the alarm told. Whose bit goes, its
 * lanes count as having begun the lines that they are in. */
void vg_inspect_quiet(vg_inspect *in, block *b, uint32_t warps);
/* Ops of watched blocks so far in the launch, the one at hand included: the first is 1. */
uint64_t vg_inspect_ops(const vg_inspect *in);
/* Before which op watcher->alarm is called; 0: none. */
void vg_inspect_alarm(vg_inspect *in, uint64_t op);
/* For the launches to come: the names of another module's kernels. */
void vg_inspect_rename(vg_inspect *in, const vg_names *names);

/* May a line begin with this op of the launch's program? */
bool vg_inspect_is_line(const vg_inspect *in, const launch *l, const op *o);

/* Where a lane of a watched block is now, running or waiting, and which lanes are there with it;
 * line 0: it has not begun one. False: it has ended. */
bool vg_inspect_where(const vg_inspect *in, warp *w, int lane, vg_stop_at *at);
/* What the split that holds the lane does: runs, or waits at a barrier or for its warp. */
enum split_state vg_inspect_state(const warp *w, int lane);

/* A function that is being run by a lane. */
typedef struct vg_frame {
    const vg_named_func *func; /* NULL: of a header, or without names */
    const program_func *code;
    const op *op; /* about to be run; in callers: behind the call */
    int file, line;
    /* Where the variables of a function that may call itself begin (ops_call.h). */
    uint32_t stack;
} vg_frame;

#define VG_NO_STACK UINT32_MAX /* it has none yet, or the thread's stack has no room for them */

enum { VG_MAX_FRAMES = 32 };
/* The functions that the first lane of `at` is in: the innermost first, the kernel last, unless it
 * has written over its own stack. Fills frames, `most` at most; the number of all of them. */
int vg_inspect_frames(const vg_inspect *in, const vg_stop_at *at, vg_frame *frames, int most);

/* The innermost of them alone. */
vg_frame vg_inspect_frame(const vg_inspect *in, const vg_stop_at *at);

/* Is the variable alive where the frame is? */
bool vg_inspect_is_alive(const vg_inspect *in, const vg_frame *frame, const vg_named_var *var);

/* Where a variable is: once for a launch, but for those of functions that may call themselves. */
typedef struct vg_place {
    enum ptx_space space; /* PS_LOCAL, PS_SHARED, PS_GLOBAL; PS_GENERIC: nowhere */
    uint64_t at;          /* bytes in the thread's or the block's segment, or a device address */
} vg_place;
vg_place vg_inspect_place(const launch *l, const vg_frame *frame, const vg_named_var *var);

/* The bytes of local memory of a thread of the warp, without its stack, and of the block's shared
 * memory. */
const uint8_t *vg_inspect_local(const warp *w, int lane);
/* Where an offset of shared memory is: the dynamic array stands elsewhere. NULL: outside. */
const uint8_t *vg_inspect_shared(const block *b, uint64_t offset);
