/*
 * step.h: who runs a warp's ops one by one instead of the executor, to look on between them.
 *
 * Contract: an executor with a stepper runs observed programs and should have one worker. The
 * stepper changes nothing but what the ops change: `run` is the loop
 *
 *     while (o != NULL)
 *         o = o->fn(w, o);
 *
 * with whatever it wants to see before and after each op. Without a stepper the executor pays one
 * comparison each time that a split of a warp gets its turn.
 */
#pragma once

#include "vgpu/src/core/program.h"

typedef struct vg_stepper {
    void *self;
    /* The warp's running split is at op `o`: runs it until it waits, parts or ends. */
    void (*run)(void *self, warp *w, const op *o);
} vg_stepper;

/* For all launches to come; NULL: the executor runs by itself again. */
void vg_exec_step_by(vg_exec *exec, const vg_stepper *stepper);
