/*
 * observe.h: the one small interface behind which checkers and counters stand.
 *
 * While at least one observer is registered, kernels run as their observed programs: every access
 * to memory, every barrier and every block of code tells the observers. Without observers the plain
 * programs run, which know nothing of this: what is switched off costs nothing.
 *
 * Threads. One launch runs at a time. launch_begin and launch_end come from the launching thread;
 * block_begin, access, barrier, warp_sync and block_end come from worker threads, several at once,
 * each block wholly on one worker. worker->id (0 <= id < workers) tells them apart, so that an
 * observer can keep what it counts for each worker and add up in launch_end. Memory events come
 * while no kernel runs.
 *
 * An observer may read everything it is handed and change nothing of it. To end a kernel it calls
 * vg_stop, as the executor itself does; to note something and go on it keeps it for itself.
 *
 * Permits. Most accesses of a correct kernel are of a few kinds that an observer would do nothing
 * about, or nothing yet. Once a glance has shown it one of them, it may permit that the next ones
 * of that instruction are not told, or are told later, many together. Permits hold in a block; who
 * learns that they should hold no longer calls vg_end_permits. They count where one observer alone
 * is told of accesses. One to note accesses to shared memory holds again in later blocks, and after
 * vg_end_permits, as soon as any such access has been permitted there: what an observer asks before
 * it permits one must be of the instruction, or of the block. A store may be noted only if it is a
 * st.b32 of neighbours; its values are kept.
 */
#pragma once

#include "vgpu/src/core/program.h"

/* An asynchronous copy writes its destination at some time from BEGIN to END; it is one request.
 * What op.access says of it is VG_WRITE. VG_FETCH is what op.access says of a fetch from a texture:
 * its accesses are reads, which hardware and counters keep apart from loads. */
enum vg_access_kind { VG_READ, VG_WRITE, VG_ATOMIC, VG_ASYNC_BEGIN, VG_ASYNC_END, VG_FETCH };

/* How the lanes' addresses lie, when all 32 lanes are active. */
enum vg_pattern {
    VG_PATTERN_ANY,       /* or not all lanes are active            */
    VG_PATTERN_ONE,       /* all at one address                     */
    VG_PATTERN_NEIGHBOURS /* lane i at at[0] + i * size             */
};

/* The same of lanes 0 to 15 and of 16 to 31, each for itself, as in blocks 16 wide. */
enum vg_halves { VG_HALVES_ANY, VG_HALVES_ONE, VG_HALVES_NEIGHBOURS };

/* One memory instruction of one warp, before it is carried out; its addresses may be invalid. A
 * generic instruction whose lanes mean different spaces is told as one access for each space. */
typedef struct vg_access {
    warp *warp;
    const op *op; /* source line: op->file, op->line                                  */
    enum vg_access_kind kind;
    enum ptx_space space; /* never PS_GENERIC */
    uint32_t mask;        /* active lanes                                                     */
    uint32_t size;        /* bytes a lane, all elements of a vector access together           */
    enum vg_pattern pattern;
    enum vg_halves halves;
    /* 32 addresses in that space (device addresses; offsets in the segment of shared and local
     * memory); inactive lanes repeat the first active one's. */
    const uint64_t *at;
} vg_access;

/* Any callback may be NULL. */
typedef struct vg_observer {
    const char *name;
    void *self; /* handed to every callback */
    /* A launch is about to start on `workers` workers. False: out of memory, the launch fails. */
    bool (*launch_begin)(void *self, const launch *l, int workers);
    void (*block_begin)(void *self, host_thread *wk);
    void (*access)(void *self, const vg_access *a);
    /* An access whose halves have a shape (a->halves), before its addresses are gathered: of a->at
     * only the first and the last of each half are there. True: this observer need not see more of
     * it, and *permit says of which accesses of a->op that will be true (at first: of none).
     * Otherwise, and of accesses in other shapes, it is told by `access`. */
    bool (*glance)(void *self, const vg_access *a, vg_permit *permit);
    /* wk->noted, which permits allowed to be told later (vg_each_noted in train.h walks them): they
     * came in that order, and nothing else since the last of what was told. before_barrier:
     * `barrier` or `block_end` is told next. */
    void (*noted)(void *self, host_thread *wk, bool before_barrier);
    /* bar.arrive: these lanes count as arrived at barrier `id` and go on. */
    void (*arrive)(void *self, warp *w, int id, uint32_t lanes);
    /* All threads that barrier `id` waits for have arrived;
     * their splits still tell where (split.at). */
    void (*barrier)(void *self, block *b, int id);
    /* These lanes have arrived at an mbarrier: what they did is known to whoever acquires the same
     * key, a phase of an mbarrier. first: nobody has signalled the key since that barrier's last
     * phase but one. */
    void (*signal)(void *self, warp *w, uint64_t key, uint32_t lanes, bool first);
    /* These lanes have found the phase complete. */
    void (*acquire)(void *self, warp *w, uint64_t key, uint32_t lanes);
    /* A fence: what these lanes did before it is seen no later than what they do after it. o->ptx
     * has its width. */
    void (*fenced)(void *self, warp *w, const op *o, uint32_t lanes);
    /* These lanes are about to divide integers by zero; o has the division's line. */
    void (*divided)(void *self, warp *w, const op *o, uint32_t lanes);
    /* These lanes do something together, with a mask that does not fit: VGPU_LANE_UNNAMED, it does
     * not name them; in a shuffle, they take from a lane that it names and that is not there
     * (VGPU_LANE_GONE), or that it does not name (VGPU_LANE_BESIDE). */
    void (*odd_lanes)(void *self, warp *w, const op *o, uint32_t lanes, enum vgpu_says what);
    /* __syncwarp: these lanes of the warp have met. */
    void (*warp_sync)(void *self, warp *w, uint32_t lanes);
    void (*block_end)(void *self, host_thread *wk);
    /* fault is NULL when the grid ran to its end. workers[i].entered counts code blocks;
     * see vg_entered. */
    void (*launch_end)(void *self, const launch *l, const host_thread *workers, int num_workers,
                       const vg_fault *fault);

    /* The host's side: device memory made, freed, written (cudaMemcpy to it, cudaMemset)
     * and read. */
    void (*allocated)(void *self, const vg_alloc *a);
    void (*freed)(void *self, const vg_alloc *a);
    void (*host_wrote)(void *self, uint64_t addr, uint64_t size);
    void (*host_read)(void *self, uint64_t addr, uint64_t size);
} vg_observer;

/* Tells observers, in an observed program, of these lanes' part in an access by op o; lanes that
 * have none repeat the first that has. `at` has an address for each of the lanes. */
void vg_tell_lanes(warp *w, const op *o, enum vg_access_kind kind, enum ptx_space space,
                   uint32_t lanes, uint32_t size, const uint64_t *at);

/* From now on this worker tells all again. */
static inline void vg_end_permits(host_thread *wk) {
    wk->permit_round++;
}

enum { VG_MAX_OBSERVERS = 10 };

/* Registers an observer for all launches to come; it must outlive the executor. False: too many. */
bool vg_exec_observe(vg_exec *exec, const vg_observer *observer);
const vg_observer *const *vg_exec_observers(const vg_exec *exec, int *count);

/* worker.entered holds VG_ENTERED counts for each code block: times a warp entered it, lanes summed
 * over those times, and times its last branch split the warp. */
enum { VG_ENTERED_TIMES, VG_ENTERED_LANES, VG_ENTERED_SPLITS, VG_ENTERED };
