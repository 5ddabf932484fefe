/*
 * back.h: going back: a kernel's run is the same each time, so that an earlier moment is had by
 * running it again up to there, from a copy of the whole process that was made before.
 *
 *     the program ──── a moment of the kernel ──── … ──── "reverse-step"
 *          │ fork            │ fork                            │
 *      copy 0            copy 1                       waits from now on, and
 *      waits             waits                        ends as the one below ends
 *                            ├── looks where the last line before began, and ends
 *                            └── runs up to there, and is the program from now on
 *
 * A copy costs the pages that are written after it was made: a kernel has eight of them at most,
 * ever further apart. When it ends, its first is kept, and the others are ended. So one can go back
 * into the eight kernels before the one at hand, over the host code between: nothing is run to look
 * into one of them but that kernel. Whoever goes on there is the program, and runs the host code
 * again.
 *
 *     launch 1        launch 2        launch 3 ───── "reverse-continue"
 *        │ fork          │ fork          │ fork         │
 *     copy            copy            copies         finds nothing in launch 3,
 *     waits           waits           wait           asks the copy of launch 2, then that of 1
 *
 * Contract: the front end sees one program: whoever waits passes on interrupts downwards and the
 * end, a status or a signal, upwards. All die with the front end. What set var changed is changed
 * again where it was, as long as the person has not gone back before that. What was printed is not
 * printed again up to the moment gone back to; after it, it is. Files that the program has opened
 * are read and written from where it was in them. Breaks have been hit as often as up to that
 * moment (hits.h). Only programs that have started no threads have copies: fork takes no other
 * thread along.
 */
#pragma once

#include "vgpu/src/debug/hits.h"
#include "vgpu/src/debug/parts.h"

typedef struct dbg_back dbg_back;

/* NULL: out of memory. */
dbg_back *dbg_back_create(void);

/* The launch is about to begin, all that it begins with is there. */
void dbg_back_begin(vg_debug *d);
/* It has ended: of its copies the first is kept. */
void dbg_back_end(vg_debug *d);
/* Which launches can be gone back into, and what that takes. */
void dbg_back_tell(const vg_debug *d);
/* The inspector's alarm. */
void dbg_back_alarm(vg_debug *d, const warp *w);

/* Where the executor is: told before anything may hold a thread there. True: a run up to an earlier
 * moment, in which nothing else is to be done. */
bool dbg_back_passes(vg_debug *d, enum dbg_phase phase, warp *w);
/* The thread in focus would be held. True: only somebody who looks where has come here. */
bool dbg_back_notes(vg_debug *d, const char *why, enum dbg_reason reason, int number);
/* Is this only a look, which nobody is to hear of? */
bool dbg_back_looks(const vg_debug *d);
/* Is it one for the thread in focus alone? Others' breakpoints and mistakes are nothing to it. */
bool dbg_back_follows(const vg_debug *d);
/* A run up to an earlier moment, or a look for one thread, needs these warps of the block alone.
 * False: it is neither. */
bool dbg_back_needs(const vg_debug *d, const block *b, uint32_t *warps);
/* Is this a look, or a run up to an earlier moment? */
bool dbg_back_is_away(const vg_debug *d);
/* All ops of the launch are behind. */
void dbg_back_ended(vg_debug *d);

/* A break is hit: counted, where this is no look at what has been. */
void dbg_back_hit(vg_debug *d, dbg_break *b);
/* Which of its hits is the one at hand? 0: nobody counted it, since the break is younger. */
uint64_t dbg_back_hit_number(const vg_debug *d, const dbg_break *b);

/* set var has changed these bytes. */
void dbg_back_changed(vg_debug *d, uint64_t at, const uint8_t *bytes, uint32_t size);

void dbg_do_back(vg_debug *d, enum dbg_going how, const char *args);

/* SIGINT; from its handler. True: somebody else runs, and has got it. */
bool dbg_back_interrupt(void);
