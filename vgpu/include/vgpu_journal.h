/*
 * vgpu_journal.h: a record of all that happens to device memory, so that another process can repeat
 * it.
 *
 * Switched on by VGPU_JOURNAL=1 before the process starts: what was there before the first call is
 * then in it, too. Otherwise these functions do nothing, and nothing is recorded. The format:
 * journal_format.h.
 *
 * For graders: a program that shares its process with what it watches cannot know that its counts
 * are true. Whoever repeats the journal with the program's kernels, elsewhere, does.
 */
#ifndef VGPU_JOURNAL_API_H
#define VGPU_JOURNAL_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is one being written? */
bool vgpu_journal_on(void);
/* While true, copies are not recorded: for whoever fills matrices, and tells of them by
 * vgpu_journal_region. */
void vgpu_journal_hold(bool hold);
/* Matrix 0, 1 or 2 (A, B, C) lies at `at`, on the device or on the host. */
void vgpu_journal_region(unsigned matrix, const void *at, uint64_t bytes, bool host);
/* From here on it is the program that works. */
void vgpu_journal_call(void);
/* What was recorded since the last vgpu_journal_next. NULL when none is written. Valid until the
 * next call of the virtual GPU's. */
const void *vgpu_journal_read(size_t *bytes);
/* Begins anew: with what happens from now on. */
void vgpu_journal_next(void);

#ifdef __cplusplus
}
#endif

#endif
