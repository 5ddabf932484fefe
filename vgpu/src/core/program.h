/*
 * program.h: a kernel ready to run, and the machine state it runs on.
 *
 * A kernel is an array of `op`s. Each op is a function and the places of its operands; running is
 *
 *     while ((op = op->fn(warp, op)) != NULL) {}
 *
 * Registers of a warp are rows of 32 lanes in one block of memory, the register file; an operand is
 * the byte offset of its row:
 *
 *     regs                32 predicates' worth of bits in one uint32_t each
 *      | p0 p1 p2 … |  constants  | parameters | %tid, %ctaid … |  32-bit rows  |  64-bit rows  |
 *                      lane 0 … lane 31: 128 bytes a 32-bit row, 256 bytes a 64-bit row
 *
 * Immediates, kernel parameters and special registers are rows too, filled before the block starts,
 * so that no handler asks what kind of operand it has. 8- and 16-bit registers take a 32-bit row.
 *
 * Divergence. A warp's lanes belong to `split`s. A split that meets a branch its lanes disagree on
 * becomes a parent that waits at the branch's immediate post-dominator; children run the two sides
 * and arrive there. Lanes at a barrier wait in their split, so threads are counted, not warps.
 */
#pragma once

#include "vgpu/src/core/core.h"
#include "vgpu/src/core/ptx.h"

#include <stdatomic.h>

enum {
    VG_LANES = 32,
    VG_ROW32 = 128, /* bytes */
    VG_ROW64 = 256,
    VG_MAX_WARPS = 32,
    VG_MAX_SPLITS = 128,
    VG_MAX_BARRIERS = 17,
    VG_GRID_BARRIER = 16 /* the last one is the grid's; the block's are below */
};
#define VG_ALL_LANES 0xFFFFFFFFu

/* Where the dynamic shared array starts in the shared segment: behind every static one. */
#define VG_DYNAMIC_SHARED_OFFSET (1u << 22)
/* op.aux of a warp-wide op that computes nothing: its lanes may wait at different ones
 * (vg_warp_meet). */
#define VG_MEET_ANYWHERE 0xFFFFFFFFu
/* op.e of a branch from which no way leads to the function's end. */
#define VG_NO_WAY_OUT 1u
/* op.slot of a memory op until the kernel is complete. */
#define VG_NEEDS_SLOT 0xFFFFFFFFu

/* Frames of recursive functions lie in local memory from here on, behind all variables. */
#define VG_STACK_OFFSET (1u << 24)
#define VG_STACK_MAX    (1 << 20) /* bytes of a frame's local arrays */

/* Function pointers hold addresses in a window where no memory is. */
#define VG_CODE_WINDOW 0x4000000000000000ull

/* Generic addresses of shared, local and parameter bytes lie in windows no allocation can reach. */
#define VG_SHARED_WINDOW 0x5000000000000000ull
#define VG_LOCAL_WINDOW  0x6000000000000000ull
#define VG_PARAM_WINDOW  0x7000000000000000ull
#define VG_WINDOW_MASK   0xF000000000000000ull

typedef struct warp warp;
typedef struct op op;
typedef const op *(*op_fn)(warp *w, const op *o);

struct op {
    op_fn fn;
    uint32_t d, a, b, c; /* byte offsets of rows or predicates; what each means is fn's business */
    uint32_t e;          /* a fourth source, or a second destination                             */
    uint32_t slot;       /* memory ops: index of the worker's range cache                        */
    uint8_t space;       /* memory ops: enum ptx_space                                           */
    uint8_t access;      /* memory ops: enum vg_access_kind                                      */
    uint8_t bytes;       /* memory ops: bytes a lane                                             */
    union {
        int64_t imm;       /* address offset, shift count, lane function's parameter … */
        const void *extra; /* operands that don't fit (arena)                          */
        const op *target;  /* branches: where taken lanes go                           */
        uint64_t (*lane)(const op *o, uint64_t a, uint64_t b, uint64_t c);
    };
    const op *join; /* branches: where the lanes meet again, or NULL            */
    uint32_t aux;   /* small facts about the operation: types, flags            */
    int ptx_line;
    int file, line;               /* source position, line 0 when unknown                     */
    const ptx_instr *ptx;         /* the instruction, for messages                           */
    op_fn plain;                  /* observed programs: what fn does besides telling observers */
    const struct vg_train *train; /* the first op of a train: it; see train.h        */
};

/* A stretch of valid addresses and where its bytes are: host = address + delta. */
typedef struct range {
    uint64_t begin, end;
    intptr_t delta;
    bool per_lane;   /* local memory: holds for the asking lane only ... */
    intptr_t stride; /* ... and so much further on for each lane behind it */
} range;

/* A shared or local variable as the kernel lays it out. */
typedef struct placed_var {
    const ptx_var *var;
    uint32_t offset, size; /* bytes in the block's (thread's) segment */
} placed_var;

enum init_kind {
    INIT_BITS,  /* payload: the value of every lane          */
    INIT_PARAM, /* payload: byte offset in the parameter block */
    INIT_SREG   /* payload: enum sreg                        */
};

enum sreg {
    SR_TID_X,
    SR_TID_Y,
    SR_TID_Z,
    SR_NTID_X,
    SR_NTID_Y,
    SR_NTID_Z,
    SR_CTAID_X,
    SR_CTAID_Y,
    SR_CTAID_Z,
    SR_NCTAID_X,
    SR_NCTAID_Y,
    SR_NCTAID_Z,
    SR_LANEID,
    SR_WARPID,
    SR_NWARPID,
    SR_SMID,
    SR_NSMID,
    SR_GRIDID,
    SR_LANEMASK_EQ,
    SR_LANEMASK_LT,
    SR_LANEMASK_LE,
    SR_LANEMASK_GT,
    SR_LANEMASK_GE,
    SR_DYNAMIC_SMEM,
    SR_TOTAL_SMEM,
    SR_WORKSPACE_HIGH,
    SR_WORKSPACE_LOW, /* %envreg1, %envreg2: see vg_launch_params */
    SR_COUNT
};

typedef struct row_init {
    uint32_t row;
    uint8_t width;       /* bytes a lane in the row: 4 or 8 */
    uint8_t source_size; /* INIT_PARAM: bytes read from the parameter block */
    bool sign;           /* INIT_PARAM: extend the sign */
    enum init_kind kind;
    uint64_t payload;
} row_init;

/* A run of ops that is entered at the top and left at the bottom,
 * for counting (observed programs). */
typedef struct code_block {
    int first, end; /* ops [first, end); the first is the `enter` op */
} code_block;

/* A function of a program: its ops go on to the next one's first, or to the end. */
typedef struct program_func {
    const ptx_func *func;
    int first_op;
    uint32_t return_row; /* 64-bit row: where each lane goes on in the caller; 0: the kernel */
    /* Recursive: its variables lie there, on the thread's stack (ops_call.h); else NULL. */
    const struct call_frame *frame;
} program_func;

/* The rows that decide whether a loop goes on: see loops.h. */
typedef struct loop_row {
    uint32_t row;
    uint8_t width; /* bytes a lane; 1: a predicate */
} loop_row;
typedef struct loop_rows {
    int count;
    loop_row *row;
} loop_rows;

/* The ops of a kernel, and what a launch must set up for them. */
typedef struct program {
    bool ready;
    op *ops;
    int num_ops, num_slots;
    int num_train_bases;
    code_block *blocks;
    int num_blocks;
    program_func *funcs; /* by first_op */
    int num_funcs;
    loop_rows **loops; /* op.c of a branch in one: its place here, from 1; 0: not known */
    int num_loops;
    uint32_t file_bytes; /* of a warp's register file */
    row_init *inits;
    int num_inits;
    placed_var *shared; /* extern arrays have size 0 and begin at VG_DYNAMIC_SHARED_OFFSET */
    int num_shared;
    uint32_t shared_span; /* bytes of the segment without the dynamic array, gaps included */
    placed_var *local;
    int num_local;
    uint32_t local_span; /* bytes a thread */
    /* Bytes of stack for each byte of cudaLimitStackSize; 0: nothing recurses. */
    uint32_t stack_share;
    uint32_t largest_frame;
    bool prints;         /* calls printf */
    bool uses_heap;      /* calls malloc or free */
    bool mingles;        /* global atomics, or stores of less than a word */
    bool tells_host;     /* does something that names the whole system */
    bool uses_workspace; /* asks for the words where the blocks of a grid meet */
} program;

struct vg_kernel {
    struct vg_module *module;
    const ptx_func *func;
    vg_kernel_info info;
    struct vg_kernel *next;
    program plain;    /* runs at full speed                                      */
    program observed; /* the same, telling observers of what it does; observe.h */
};

struct vg_module {
    ptx_module ptx;
    const vg_mem *mem;
    vg_kernel *kernels;
};

enum split_state {
    SPLIT_FREE,
    SPLIT_RUN,
    SPLIT_PARENT,  /* waits at pc for its children's lanes         */
    SPLIT_BARRIER, /* waits for the block                          */
    SPLIT_MEET     /* waits for other lanes of the warp (…​.sync ops) */
};

typedef struct split {
    const op *pc;     /* where to go on                                      */
    const op *rpc;    /* where this split ends and its lanes join the parent */
    uint32_t mask;    /* its lanes; those that exited are taken out          */
    uint32_t pending; /* parents: lanes that have not arrived yet            */
    uint32_t want;    /* SPLIT_MEET: the lanes that must come together       */
    int16_t parent;   /* index, or -1                                        */
    uint8_t state;
    uint8_t barrier;        /* SPLIT_BARRIER: which                                */
    const op *at;           /* SPLIT_BARRIER, SPLIT_MEET: the instruction waiting  */
    uint32_t count, voters; /* what the barrier it left last counted (bar.red) */
    uint32_t depth, rdepth; /* calls that its lanes are in, and that rpc is in */
    uint64_t seen;          /* what decides, when it was last looked at in a loop */
} split;

struct block;
struct host_thread;

struct warp {
    _Alignas(64) int32_t lanes[VG_LANES]; /* -1 where the lane is active, 0 where not */
    uint32_t mask;                        /* the same as bits                         */
    uint8_t *regs;
    struct block *block;
    struct host_thread *worker;
    uint32_t index;            /* in the block */
    uint32_t alive;            /* lanes that have not exited */
    uint32_t carry;            /* the condition-code bit of add.cc and its kind, a bit a lane */
    int current;               /* split running */
    int num_splits;            /* slots in use or free below it */
    struct async_queue *async; /* copies in flight; NULL before the first */
    split split[VG_MAX_SPLITS];
};

typedef struct barrier {
    uint32_t arrived;  /* threads                                  */
    uint32_t expected; /* 0: all threads of the block still alive  */
    uint32_t count;    /* bar.red: predicates true                 */
    uint32_t voters;
} barrier;

typedef struct text_buffer {
    char *bytes;
    size_t len, size;
} text_buffer;

typedef struct block {
    vg_dim3 index;
    uint64_t linear;
    int num_warps;
    uint32_t num_threads;
    barrier barrier[VG_MAX_BARRIERS];
    uint8_t *shared; /* static arrays: shared_span bytes, then the dynamic array */
    uint8_t *local;  /* local_span bytes a thread   */
    text_buffer printed;
    bool done;           /* cooperative launches: all threads have ended */
    uint32_t idle_tests; /* of mbarriers, that failed since the last arrival at any */
    uint32_t copying;    /* warps that have copies in flight (ops_async.h) */
    uint32_t released;   /* barriers that were let go, modulo 2^32 */
    warp *warps;
} block;

/* What all workers of one launch share. */
typedef struct launch {
    const vg_kernel *kernel;
    const program *program; /* kernel's plain or observed one */
    const struct vg_observer *const *observers;
    int num_observers;                /* 0 in a plain run */
    uint32_t watchers;                /* those that are told of accesses, a bit each */
    const struct vg_stepper *stepper; /* NULL: warps run by themselves; step.h */
    const vg_launch_params *params;
    vg_dim3 grid, block;
    uint64_t num_blocks;
    const uint8_t *param_block;
    uint64_t stack_bytes; /* of a thread */
    range *shared_ranges; /* by the kernel's shared variables, dynamic array included */
    int num_shared_ranges;
    _Atomic uint64_t next_block;
    _Atomic uint64_t fault_block; /* lowest block that faulted; UINT64_MAX: none */
    bool together;                /* all blocks have: they take turns on one thread */
    uint64_t workers;             /* that have a block at the same time */
    _Atomic uint64_t still;       /* ops since anybody did anything but spin */
    _Atomic uint64_t still_ns;    /* and processor time, of all workers together */
    _Atomic bool starred;         /* params->star is filled */
    struct print_queue *prints;
} launch;

/* What observers permit: accesses of one instruction that lie in a stretch, by full warps whose
 * halves have a shape, need not be told. See observe.h. */
typedef struct vg_permit {
    uint64_t begin, end; /* end 0: nothing is permitted */
    uint64_t round;      /* it holds while this is the worker's */
    const op *op;        /* a few instructions have no slot of their own */
    bool noted;          /* they are accesses to shared memory, to be told later */
} vg_permit;

/* One of those accesses. */
typedef struct vg_noted {
    const op *op;
    uint32_t at[2]; /* of lanes 0 and 16 */
    uint8_t warp;
    uint8_t halves;  /* enum vg_halves; or this and what follows are a train's: train.h */
    uint16_t values; /* of a store of words: 1 + the number of its row in host_thread.stored */
} vg_noted;

enum { VG_MOST_NOTED = 4096, VG_MOST_STORED = 512 };

typedef struct host_thread {
    launch *launch;
    block block;
    range *cache;       /* by op slot */
    int64_t slice_ops;  /* ops of a slice in general               */
    int64_t slice;      /* ops until the next look at the clock and the stop flag */
    int64_t quantum;    /* ops that this slice began with          */
    uint64_t spent;     /* ops of earlier slices of this block     */
    uint32_t spins;     /* slices in which a warp spun             */
    uint64_t looked_ns; /* its processor time when a spinning warp was looked at; 0 */
    uint64_t round;     /* ops that went round a loop with nothing changed that decides  */
    uint64_t round_ns;  /* its processor time when that began */
    bool turn_over;     /* the running warp has had its slice: the next one's turn */
    bool faulted;
    uint64_t fault_at; /* linear block index */
    vg_fault fault;
    uint8_t *reg_memory, *shared_memory, *local_memory, *stack_memory;
    uint64_t *entered;  /* observed runs, by code block: times entered, and by how many lanes */
    vg_permit *permits; /* observed runs, by op slot */
    vg_permit *train_permits; /* of all loads of a base: see train.h */
    uint64_t *train_last;     /* where a base was last, for a guess where it will be next */
    uint64_t permit_round;    /* counts blocks, and other times at which no permit holds any more */
    uint64_t noted_round;     /* the last in which an access was permitted that is noted */
    vg_noted *noted;          /* observed runs: noted, and not yet told; VG_MOST_NOTED have room */
    uint32_t num_noted, num_stored;
    uint32_t reading_warps, storing_warps; /* whose accesses are noted, a bit each */
    uint32_t (*stored)[VG_LANES];          /* the values of noted stores; VG_MOST_STORED rows */
    int id;
} host_thread;

/* The permit is for this operation, and holds. What is noted may be noted again in the next blocks,
 * as soon as observers have permitted it there to any operation. */
static inline bool vg_permit_holds(const host_thread *wk, const vg_permit *p, const op *o) {
    return p->op == o &&
           (p->round == wk->permit_round || (p->noted && wk->noted_round == wk->permit_round));
}

/* ---- lower.c ---- */

/* Turns kernel->func into kernel->plain or kernel->observed. False with *fault filled when an
 * instruction is unknown. */
bool vg_lower(vg_kernel *kernel, bool observed, vg_fault *fault);

/* ---- simt.c: splits ---- */

void vg_set_mask(warp *w, uint32_t mask);
/* Starts the warp with `alive` lanes at the first op. */
void vg_warp_start(warp *w, const op *first, uint32_t alive);
/* Runs until no split of the warp can go on by itself. */
void vg_warp_run(warp *w);
bool vg_warp_runnable(const warp *w);
/* Lanes `taken` of the running split go to o->target, the others to o + 1. */
const op *vg_diverge(warp *w, const op *o, uint32_t taken);
/* Lanes `taken` go to `there`, the others to `here`; they meet at o->join. */
const op *vg_part(warp *w, const op *o, uint32_t taken, const op *there, const op *here);
/* A whole split jumps, and pays for it when it goes backwards. */
const op *vg_go(warp *w, const op *o, const op *target);
/* The running split has reached its reconvergence point. */
const op *vg_arrive(warp *w);
/* The active lanes are done. */
const op *vg_exit_lanes(warp *w);
/* The running split waits. */
const op *vg_wait(warp *w, const op *o, enum split_state state, const op *resume);
/* Lanes that have reached the end of a branch go on without those that are still in it. */
void vg_part_for_good(warp *w);
/* Lets splits that wait for each other (shfl.sync, bar.warp.sync) go on if they can. */
bool vg_warp_meet(warp *w);

/* ---- module.c ---- */

/* What a pointer to this device function holds; 0 when there is none of that name. */
uint64_t vg_code_address(const ptx_module *module, const char *name);

/* ---- fault.c ---- */

/* What the lane did, and where. */
void vg_fault_fill(vg_fault *f, const warp *w, const op *o, int lane, enum vg_status status,
                   vg_note *note);
/* Records a fault of the lane and stops the block; returns NULL, for `return vg_stop(…)`. */
const op *vg_stop(warp *w, const op *o, int lane, enum vg_status status, vg_note *note);
vg_dim3 vg_thread_of(const warp *w, int lane);
/* A fault of the host's: no memory for `what`. The kernel is known. */
void vg_fault_memory(vg_fault *fault, const char *what);
/* Position of an instruction, for a fault that no thread caused. */
void vg_fault_position(vg_fault *fault, const vg_kernel *kernel, const op *o);
const op *vg_bad_access(warp *w, const op *o, int lane, uint64_t address, uint32_t size);

/* ---- launch.c ---- */

/* Tells observers of the accesses that were noted; of all else only after that. before_barrier: a
 * barrier or the end of the block is told next. */
void vg_tell_noted(host_thread *wk, bool before_barrier);
/* Tells observers that lanes met at a __syncwarp. */
void vg_tell_warp_sync(warp *w, uint32_t lanes);
void vg_tell_arrive(warp *w, uint32_t id, uint32_t lanes);
/* The same of lanes at a fence. */
void vg_tell_fenced(warp *w, const op *o, uint32_t lanes);
/* The same of lanes that divide by zero. */
void vg_tell_divided(warp *w, const op *o, uint32_t lanes);

/* The same of lanes whose mask, in what lanes do together, does not fit. */
void vg_tell_odd_lanes(warp *w, const op *o, uint32_t lanes, enum vgpu_says what);

/* Lets the splits go that wait at the barrier, which starts anew. */
void vg_release_barrier(block *b, uint32_t id);

/* Called when the slice is used up, at a jump back from o to target: true to go on. */
bool vg_new_slice(warp *w, const op *o, const op *target);

/* Does a loop read again and again what op number `op` reads, by a volatile or atomic access, until
 * it is what it should be? */
bool vg_is_polled(const program *p, uint32_t op);

/* ---- memory lookup (ops_mem.c's slow path, in resolve.c) ---- */

/* The range that holds `address` in the op's space, or false. Local memory: per lane. */
bool vg_resolve(warp *w, const op *o, int lane, uint64_t address, range *out);
/* Host pointer to `size` bytes at generic `address` for this lane, or NULL (no fault recorded). */
void *vg_generic_at(warp *w, int lane, uint64_t address, uint64_t size);

/* Most often all: without the processor's instruction, counting bits is a call. */
static inline uint32_t vg_count_lanes(uint32_t lanes) {
    return lanes == VG_ALL_LANES ? VG_LANES : (uint32_t)__builtin_popcount(lanes);
}

static inline uint32_t *row32(const warp *w, uint32_t offset) {
    return (uint32_t *)(void *)(w->regs + offset);
}
static inline uint64_t *row64(const warp *w, uint32_t offset) {
    return (uint64_t *)(void *)(w->regs + offset);
}
static inline uint32_t *pred(const warp *w, uint32_t offset) {
    return (uint32_t *)(void *)(w->regs + offset);
}
