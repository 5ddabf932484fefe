/*
 * train.h: stretches of a kernel that a warp runs in one go. Between two barriers or branches most
 * kernels load words and compute with them, and many of the loads share a register as their base:
 *
 *     ld.shared.f32 %f8, [%rd6]        base 0: %rd6, from +0 to +60
 *     ld.shared.f32 %f9, [%rd7]        base 1: %rd7, from +0 to +960
 *     fma.rn.f32    %f10, %f8, %f9, %f56
 *     ld.shared.f32 %f11, [%rd6+4]     ...
 *
 * A train is such a stretch, found once (train.c). How the lanes of a base lie, whether all that
 * the train loads from it is valid, and whether observers permit it, is asked once for all its
 * loads (ops_train.c). The first operation of the stretch has the train's function; all others
 * keep their own, and so does the first, in the train.
 *
 * Contract: a train does what its operations do one by one, in their order, and leaves the same in
 * registers and for observers. Where a full warp's lanes do not lie as a train wants it, or an
 * observer wants to be told, it ends in front of that load, and the operations run one by one. It
 * stores nothing to memory, and no operation of it can wait, part or fault.
 */
#pragma once

#include "vgpu/src/core/observe.h"

enum train_what {
    TRAIN_LOOK, /* at base `base`, which the train has computed */
    TRAIN_LOAD,
    TRAIN_FMA_F32,
    TRAIN_ADD_F32,
    TRAIN_MUL_F32,
    TRAIN_ADD_U32,
    TRAIN_ADD_U64,
    TRAIN_MUL_WIDE_S32,
    TRAIN_OTHER /* anything else that only computes */
};

enum { TRAIN_BASES = 16, TRAIN_STEPS = 256 };

typedef struct train_step {
    uint8_t what; /* enum train_what */
    uint8_t base; /* of a load       */
    uint32_t d, a, b, c;
    int32_t offset; /* of a load: op.imm */
    const op *op;
    op_fn fn; /* its own, also where op.fn is the train's */
} train_step;

/* A register as it is at some place of the train, from which words are loaded. */
typedef struct train_base {
    uint32_t row;
    bool ready;        /* holds its addresses when the train begins; otherwise there is a look   */
    bool shared;       /* what is loaded is shared memory: always ready */
    int32_t low, high; /* the loads' offsets lie from low to high */
    uint32_t slot;     /* in host_thread.train_permits and train_last */
    const op *op;      /* the first of its loads                                                 */
} train_base;

typedef struct vg_train {
    op_fn alone; /* what the first operation does by itself */
    uint32_t num_steps, num_bases, num_shared;
    train_step *steps;
    train_base *bases; /* those of shared memory come first */
} vg_train;

/* Finds the trains of a program whose ops are complete. is_entry: ops that are jumped to. */
void vg_couple(program *p, vg_arena *arena, bool observed, const bool *is_entry);

/* ---- what a permitted train has read: host_thread.noted ---- */

/* vg_noted.halves of an entry that stands for a train. Its op is the train's first; at[0] counts
 * the steps that were taken. An entry for each base of shared memory follows; those whose reads
 * need not be told later have VG_HALVES_ANY. */
enum { VG_NOTED_TRAIN = 3 };

static inline __attribute__((always_inline)) uint32_t
vg_each_of_train(const vg_noted *entry, void (*tell)(void *self, const vg_noted *read),
                 void *self) {
    const vg_train *t = entry->op->train;
    for (uint32_t k = 0; k < entry->at[0]; k++) {
        const train_step *s = &t->steps[k];
        if (s->what != TRAIN_LOAD || s->base >= t->num_shared)
            continue;
        vg_noted read = entry[1 + s->base];
        if (read.halves == VG_HALVES_ANY)
            continue;
        read.op = s->op;
        read.at[0] += (uint32_t)s->offset;
        read.at[1] += (uint32_t)s->offset;
        tell(self, &read);
    }
    return 1 + t->num_shared;
}

/* Each read that is noted, in the order in which they came; with `tell` put in its place, since a
 * block has thousands. */
static inline __attribute__((always_inline)) void
vg_each_noted(const host_thread *wk, void (*tell)(void *self, const vg_noted *read), void *self) {
    for (uint32_t i = 0; i < wk->num_noted;) {
        const vg_noted *read = &wk->noted[i];
        if (read->halves == VG_NOTED_TRAIN) {
            i += vg_each_of_train(read, tell, self);
        } else {
            tell(self, read);
            i++;
        }
    }
}
