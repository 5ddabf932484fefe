/*
 * check.h: the checkers as the runtime sees them: one call to put them on an executor, and the list
 * of what they found.
 *
 *     VGPU_CHECK   all (the default) | none | a list of race, mem, init, sync, with commas
 *
 * Contract: findings are warnings to the program, whatever their severity: they change no result,
 * no error code and no exit status. What stops a kernel (an illegal address, a deadlock) does so
 * without checkers, too.
 */
#pragma once

#include "vgpu/src/check/findings.h"
#include "vgpu/src/core/core.h"

enum {
    VG_CHECK_RACE = 1,
    VG_CHECK_MEM = 2,
    VG_CHECK_INIT = 4,
    VG_CHECK_SYNC = 8,
    VG_CHECK_ALL = 15
};

/* The checkers that a setting names; NULL and "" mean all. False: it names something else, which is
 * in bad (len bytes), and *which is all of them. */
bool vg_check_parse(const char *setting, unsigned *which, char *bad, size_t len);

typedef struct vg_check vg_check;

/* Registers the checkers that `which` names with exec, for its device memory mem. Both must outlive
 * the last launch. With which == 0 nothing is registered, and the list of findings stays short.
 * NULL: out of memory. */
vg_check *vg_check_install(vg_exec *exec, const vg_mem *mem, unsigned which, vg_say_finding *say,
                           void *say_arg);
void vg_check_destroy(vg_check *check);

/* What was found so far, in order; see findings.h. */
const vg_findings *vg_check_findings(const vg_check *check);

/* An error is about to be made: the access is not carried out yet that makes it, which is the
 * finding's site number `now`. The finding is as it will be told at the launch's end, but for how
 * often. */
typedef void vg_notice_fn(void *self, const vg_finding *f, int now);
/* From now on says so of races and of reads of what nobody has written, once a launch for each pair
 * of instructions and array: in a block, and between it and blocks that have ended. What a lock or
 * a fence may order is told at the launch's end alone. For executors with one worker; NULL: no
 * more. */
void vg_check_notice(vg_check *check, vg_notice_fn *fn, void *self);

/* ---- between streams ---- */

/* When a piece of work was done: the lane of its stream (0: the default stream), and its number,
 * which grows from piece to piece. */
typedef struct vg_moment {
    uint32_t lane;
    uint64_t number;
    bool branch; /* the lane is a branch of a graph */
} vg_moment;

/* The work at hand, and what came before it. */
typedef struct vg_ordering {
    vg_moment now;
    bool (*seen)(const void *arg, vg_moment m);      /* the work at hand comes after m */
    bool (*host_seen)(const void *arg, vg_moment m); /* so does all work to come */
    const void *arg;
    bool alone; /* there is one stream only, and the host to look at */
} vg_ordering;

/* From now on, launches and vg_check_touch are this work. NULL: there is nothing to look for. */
void vg_check_order(vg_check *check, const vg_ordering *order);
/* A call on a stream reads or writes rows of `width` bytes, in one allocation. */
typedef struct vg_touch {
    uint64_t addr;
    size_t width, height, depth, pitch, slice;
    int64_t grows; /* each row is so many bytes longer than the one before */
    bool writes;
    const char *call;   /* its name */
    const char *action; /* "freed"; NULL: read or written */
    const void *caller; /* where it returns to; NULL: unknown */
} vg_touch;
void vg_check_touch(vg_check *check, const vg_touch *touch);

/* ---- between a kernel and the host ---- */

/* What a kernel reads of memory that the host shares, while the host has not waited for it. */
typedef struct vg_reader {
    uint64_t addr, bytes; /* some between these */
    uint32_t element;     /* bytes */
    char kernel[160], line[300];
} vg_reader;
/* The next one; *place is NULL before the first. False: there is none. */
bool vg_check_next_reader(const vg_check *check, const void **place, vg_reader *reader);
/* The host writes at addr: which kernel reads this byte. False: none, or that has been said. */
bool vg_check_host_writes(vg_check *check, uint64_t addr, vg_reader *reader);

/* ---- for the runtime, outside launches ---- */

/* cudaMemcpy, cudaMemset and the like have written bytes. */
void vg_check_wrote(vg_check *check, uint64_t addr, uint64_t size);
/* cudaMemset has put this into each of the bytes, and vg_check_wrote was told before. */
void vg_check_set(vg_check *check, uint64_t addr, uint64_t size, uint8_t value);
/* They copy: what was never written counts as never written in the copy, too. */
void vg_check_copied(vg_check *check, uint64_t to, uint64_t from, uint64_t size);
/* Somebody outside kernels reads rows of `width` bytes, `pitch` apart; of a triangle, each is
 * `grows` bytes longer than the one before. */
typedef struct vg_read {
    uint64_t addr, width, rows, pitch;
    int64_t grows;
    uint32_t element; /* bytes */
} vg_read;
/* What of it nobody has written: elements, and the first one's address. */
typedef struct vg_unwritten {
    uint64_t count, first;
} vg_unwritten;
/* True when some of it was never written, and that has not been said of this allocation yet. */
bool vg_check_unwritten(vg_check *check, const vg_read *read, vg_unwritten *found);
/* That is a finding; saying so is the caller's. */
void vg_check_read(vg_check *check, const struct vgpu_fact *fact, bool error, const char *words);
/* An API call was misused, which is a finding as well; saying so is the caller's. */
void vg_check_misuse(vg_check *check, const struct vgpu_fact *fact, const char *words);
/* A kernel was stopped, and that has been said. */
void vg_check_fault(vg_check *check, const vg_fault *fault);
/* The API function that made an allocation, the one that frees such, and where the program called
 * the first (NULL: unknown). */
typedef struct vg_maker {
    const char *call, *freed_by;
    const void *caller;
} vg_maker;
void vg_check_allocated(vg_check *check, uint64_t addr, vg_maker by);
/* The program ends: says what of mem was never freed, of the allocations from number `first` on. */
void vg_check_leaks(vg_check *check, uint32_t first);
