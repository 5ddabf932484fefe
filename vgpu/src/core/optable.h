/*
 * optable.h: the instructions the executor knows, by key.
 *
 * A key is what lower.c makes of an opcode and those modifiers that change what is computed, in a
 * fixed order: "add.f32", "mad.lo.s32", "setp.lt.f32", "ld.b32". Each ops_*.c lists its handlers;
 * vector code is compiled once for each instruction set worth having, and the best one the
 * processor offers is taken at load time.
 */
#pragma once

#include "vgpu/src/core/program.h"

typedef struct op_entry {
    const char *key;
    op_fn fn;
    uint64_t (*lane)(const op *o, uint64_t a, uint64_t b, uint64_t c); /* for one lane at a time */
} op_entry;

/* The entry of `key`, or NULL. */
const op_entry *vg_find_op(const char *key);

/* Lists end with a NULL key. Vector files: one list for each instruction set. */
extern const op_entry vg_ops_lane[], vg_ops_int_lane[], vg_ops_float_lane[], vg_ops_convert[],
    vg_ops_rare[], vg_ops_half_lane[], vg_ops_control[], vg_ops_warp[], vg_ops_async[],
    vg_ops_call[], vg_ops_mbarrier[], vg_ops_texture[], vg_ops_atom[];
/* These, and NULL behind the last. */
extern const op_entry *const vg_op_lists[];
extern const op_entry vg_ops_int_base[], vg_ops_float_base[], vg_ops_move_base[], vg_ops_mem_base[],
    vg_ops_half_base[], vg_ops_tensor_base[], vg_ops_train_base[];
#if defined(__x86_64__)
extern const op_entry vg_ops_int_avx2[], vg_ops_float_avx2[], vg_ops_move_avx2[], vg_ops_mem_avx2[],
    vg_ops_half_avx2[], vg_ops_tensor_avx2[], vg_ops_train_avx2[];
extern const op_entry vg_ops_int_avx512[], vg_ops_float_avx512[], vg_ops_move_avx512[],
    vg_ops_mem_avx512[], vg_ops_half_avx512[], vg_ops_tensor_avx512[], vg_ops_train_avx512[];
#endif

/* A vector file is compiled with VG_ISA = base, avx2 or avx512, which names its list. */
#ifndef VG_ISA
#define VG_ISA base
#endif
#define VG_PASTE(a, b)    a##b
#define VG_PASTE2(a, b)   VG_PASTE(a, b)
#define VG_ISA_NAME(name) VG_PASTE2(name##_, VG_ISA)

/* Vectorise the next loop: its iterations are lanes, which never depend on each other. Where a
 * build doesn't vectorise (sanitizers, -O0), that is no reason to complain. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define VG_LANE_LOOP _Pragma("clang loop vectorize(assume_safety) interleave(disable)")
#elif defined(__GNUC__)
#define VG_LANE_LOOP _Pragma("GCC ivdep")
#else
#define VG_LANE_LOOP
#endif

/* d[i] = EXPR for every active lane i. */
#define VG_EACH_LANE(w, d, EXPR)                                                                   \
    do {                                                                                           \
        if ((w)->mask == VG_ALL_LANES) {                                                           \
            VG_LANE_LOOP                                                                           \
            for (int i = 0; i < VG_LANES; i++)                                                     \
                (d)[i] = (EXPR);                                                                   \
        } else {                                                                                   \
            const int32_t *on = (w)->lanes;                                                        \
            VG_LANE_LOOP                                                                           \
            for (int i = 0; i < VG_LANES; i++)                                                     \
                (d)[i] = on[i] ? (EXPR) : (d)[i];                                                  \
        }                                                                                          \
    } while (0)
