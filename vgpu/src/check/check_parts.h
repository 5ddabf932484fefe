/* check_parts.h: the checkers to each other: who makes them, and words they share. */
#pragma once

#include "vgpu/src/check/check.h"
#include "vgpu/src/check/findings.h"
#include "vgpu/src/check/gate.h"
#include "vgpu/src/check/regions.h"
#include "vgpu/src/core/observe.h"

/* Each checker: made once, registered with the executor, outlives it. NULL: out of memory. */
typedef struct race_checker race_checker;
race_checker *race_checker_create(vg_findings *findings, vg_regions *regions, vg_gate *gate);
const vg_observer *race_checker_observer(const race_checker *c);
void race_checker_notice(race_checker *c, vg_notice_fn *fn, void *self);
void race_checker_order(race_checker *c, const vg_ordering *order);
bool race_host_next(const race_checker *c, const void **place, vg_reader *reader);
bool race_host_writes(race_checker *c, uint64_t addr, vg_reader *reader);
void race_checker_touch(race_checker *c, const vg_mem *mem, const vg_touch *touch);
void race_checker_destroy(race_checker *c);

typedef struct init_checker init_checker;
init_checker *init_checker_create(vg_findings *findings, vg_regions *regions, const vg_mem *mem,
                                  vg_gate *gate);
const vg_observer *init_checker_observer(const init_checker *c);
void init_checker_notice(init_checker *c, vg_notice_fn *fn, void *self);
void init_checker_copied(init_checker *c, uint64_t to, uint64_t from, uint64_t size);
void init_checker_set(init_checker *c, uint64_t addr, uint64_t size, uint8_t value);
bool init_checker_missing(init_checker *c, const vg_read *read, vg_unwritten *found);
void init_checker_destroy(init_checker *c);

typedef struct sync_checker sync_checker;
sync_checker *sync_checker_create(vg_findings *findings);
const vg_observer *sync_checker_observer(const sync_checker *c);
void sync_checker_destroy(sync_checker *c);

typedef struct odd_checker odd_checker;
odd_checker *odd_checker_create(vg_findings *findings);
const vg_observer *odd_checker_observer(const odd_checker *c);
void odd_checker_destroy(odd_checker *c);

/* Knows who made the allocations; observes no kernel. */
typedef struct mem_checker mem_checker;
mem_checker *mem_checker_create(vg_findings *findings, const vg_mem *mem);
void mem_checker_allocated(mem_checker *c, uint64_t addr, vg_maker by);
void mem_checker_leaks(mem_checker *c, uint32_t first);
void mem_checker_destroy(mem_checker *c);

/* ---- doubts.c ---- */

/* The words of a read that is legal and hardly meant, of a finding that has all but these: of a
 * constant that nobody has filled, or of what cudaMemset set by bytes. */
void vg_describe_doubt(const vg_region *r, bool bytes_set, vg_finding *out);

/* What blocks up to this one did is told when a launch ends: the one with the fault, or all. Those
 * behind it may have run or not. */
static inline uint64_t vg_last_told(const launch *l, const vg_fault *fault) {
    if (fault == NULL)
        return UINT64_MAX;
    return ((uint64_t)fault->block.z * l->grid.y + fault->block.y) * l->grid.x + fault->block.x;
}

/* ---- words.c ---- */

/* Fills file, line, block and thread of a site. Where the compiler gave the instruction no line of
 * its own, the nearest before it in the kernel is taken. */
void vg_site_fill(vg_site *site, const launch *l, const op *o, uint64_t block, uint32_t thread,
                  const char *action);
/* "lab3.cu:24" or "an unknown line" */
const char *vg_site_line(const vg_site *site, char *buf, size_t len);
/* "thread (3,0,0) of block (1,2,0)" */
const char *vg_site_thread(const vg_site *site, char *buf, size_t len);
/* What lies at a global address: "allocation #2 (4096 bytes, argument 3 of the kernel)". */
void vg_name_global(const launch *l, const vg_region *r, vg_finding *f);
/* What lies at an offset of the shared segment, "shared array 'As'", and where it begins. */
void vg_name_shared(const launch *l, uint64_t offset, uint64_t *begin, vg_finding *f);
