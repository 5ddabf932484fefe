/*
 * asked.h: the debugger's other front end: an editor, by its adapter (vgpu-debug --dap). It wants
 * facts where a person wants sentences: it asks questions while the program is held, and is told
 * why it is held. Both are JSON; what is asked, lines of fields (asked.c). All else, when the
 * program is held and where, is the same for both.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum dbg_reason {
    DBG_BY_STEP,
    DBG_BY_BREAK,
    DBG_BY_FUNCTION,
    DBG_BY_WATCH,
    DBG_BY_PAUSE,
    DBG_BY_ENTRY,
    DBG_BY_FAULT,
    DBG_BY_RACE,
    DBG_BY_UNWRITTEN,
    DBG_REASONS
};

/* What holds without a breakpoint; an editor can switch each off. */
enum dbg_filter {
    DBG_FAULTS = 1,
    DBG_RACES = 2,
    DBG_UNWRITTEN = 4,
    DBG_ALL_FILTERS = DBG_FAULTS | DBG_RACES | DBG_UNWRITTEN
};

typedef struct dbg_editor {
    bool on;             /* it has asked: facts from now on */
    bool entry;          /* the first line of the next kernel holds */
    uint32_t ignored;    /* filters that are switched off */
    enum dbg_reason why; /* of the next hold; DBG_BY_STEP: nobody said */
    int number;          /* of the break that holds */
    uint64_t logged_at;  /* when lines of logpoints were last shown, in ms */
} dbg_editor;

/* When hits of a break count: "5": the fifth alone; also with == > >= < <= and % (each so many). */
typedef struct dbg_count {
    char sign[3]; /* "": each */
    uint64_t number;
} dbg_count;

/* False: no such condition. "" is none. */
bool dbg_count_read(const char *text, dbg_count *to);
bool dbg_count_holds(const dbg_count *c, uint64_t hits);
