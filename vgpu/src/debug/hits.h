/*
 * hits.h: which moments of the launches have counted as hits of which break. A break's count goes
 * back with the kernel: hits that come after the moment gone back to have not happened, and happen
 * again.
 *
 * Contract: moments are noted in their order. All processes of the program see one list. Of more
 * than DBG_MOST_HITS in the launches that are kept the rest are not noted, and counts no longer go
 * back.
 */
#pragma once

#include "vgpu/src/debug/parts.h"

enum { DBG_MOST_HITS = 1 << 22 };

/* Where a thread can be held at an op, in order. */
enum dbg_phase { DBG_AT_LINE, DBG_BEFORE_ACCESS, DBG_BEHIND_ACCESS, DBG_BEHIND_OP };

/* A moment of a launch: the op about to be run or just run, counted by the inspector. */
typedef struct dbg_moment {
    uint64_t launch, op;
    enum dbg_phase phase;
} dbg_moment;

bool dbg_is_before(dbg_moment a, dbg_moment b);

typedef struct dbg_hits dbg_hits;

/* NULL: out of memory. */
dbg_hits *dbg_hits_create(void);
/* Nobody goes back to before this launch any more. */
void dbg_hits_forget(dbg_hits *h, uint64_t launch);
/* b's count, this hit included, is what it is now. */
void dbg_hits_note(dbg_hits *h, dbg_moment when, const dbg_break *b);
/* What the count was with the hit of that moment; 0: none was noted. */
uint64_t dbg_hits_number(const dbg_hits *h, dbg_moment when, int number);
/* The list's counts become those of that moment. A break that holds there without having been
 * counted (`number`; 0: none) is hit by that. False: there were too many to know. */
bool dbg_hits_go_back(dbg_hits *h, dbg_moment to, dbg_break list[DBG_BREAKS], int number);
