/*
 * parts.h: what the files of the debugger share: when it stops (session.c), where it is to stop
 * (breaks.c, mistakes.c), what is looked at (look.c, info.c), names and memory of the thread in
 * focus (focus.c), commands (commands.c), and an editor's questions (asked.c, told.c).
 */
#pragma once

#include "vgpu/src/debug/asked.h"
#include "vgpu/src/debug/debug.h"
#include "vgpu/src/debug/expr.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DBG_BREAKS = 64,
    DBG_DISPLAYS = 16,
    DBG_EXAMINED = 1000, /* numbers of one x */
    DBG_SPOTS = 64,
    DBG_COMMAND = 512,
    DBG_PARTS = 16,
    DBG_KNOWN = 12,
    DBG_TOLD = 256, /* mistakes */
    DBG_NOTICED = 4 /* of one access */
};

/* Mistakes that hold the thread that is about to make them. */
enum dbg_catch { DBG_CATCH_RACE = 1, DBG_CATCH_UNSET = 2, DBG_CATCH_WRONG = 4, DBG_CATCH_ALL = 7 };

/* The store that leaves a product's first wrong element (foresee.c). */
typedef struct dbg_wrong_store {
    uint64_t launch; /* 0: none */
    uint64_t op;     /* 0: no kernel stores the element */
    uint64_t at;     /* device address */
    uint64_t element, columns;
    bool one_row;
    float got;
    double want;
} dbg_wrong_store;

typedef struct dbg_foresight dbg_foresight;

/* A place in the launch's program where a line begins: a break's. */
typedef struct dbg_spot {
    int file, line;
    const program_func *func;
} dbg_spot;

/* What an expression's value depends on; what is cheaper to know comes first. */
enum dbg_about { DBG_OF_BLOCK, DBG_OF_THREAD, DBG_OF_BOTH, DBG_OF_MEMORY };

typedef struct dbg_break {
    int number; /* 0: free */
    bool enabled, once;
    char where
        [DBG_COMMAND]; /* as the person said it: FILE:LINE, LINE or FUNCTION; a watch's place */
    const char *path;  /* of line, as names have it; NULL: a function, or a watch */
    int line;
    char condition[DBG_COMMAND];
    char part[DBG_COMMAND]; /* the condition cut at its outermost &&, each part ended by a zero */
    int num_parts;
    /* What each is about, in this launch, and for which lanes of each warp those hold that are
     * about the thread alone. */
    enum dbg_about about[DBG_PARTS];
    uint32_t lanes[VG_MAX_WARPS];
    uint64_t hits;
    dbg_count count;          /* which of them hold */
    char log[DBG_COMMAND];    /* what is said in place of holding; "": it holds */
    int told;                 /* the line that the editor knows */
    dbg_spot spot[DBG_SPOTS]; /* in this launch */
    int num_spots;
    /* A watch: these bytes, of this block (shared) and thread (local). */
    bool watches;
    dbg_type type;
    uint64_t at, block;
    uint32_t warp;
    int lane;
    uint8_t old[8];
} dbg_break;

enum dbg_going { DBG_FREE, DBG_STEP, DBG_NEXT, DBG_FINISH, DBG_UNTIL };

/* What the names of a condition mean at an op, which all lanes that come there share. */
typedef struct dbg_known {
    const op *op;
    int count;
    char name[DBG_KNOWN][48];
    dbg_symbol symbol[DBG_KNOWN];
} dbg_known;

struct vg_debug {
    int socket;
    vg_inspect *in;
    vg_watcher watcher;
    vg_observer observer;
    const vg_names **module;
    int num_modules;
    const vg_names *names; /* of the launch; NULL: none runs, or it has none */
    const launch *launch;
    uint64_t launches;
    vg_dim3 grid_side, block_side; /* the last launch's */
    uint64_t blocks_done;
    bool fault_told;

    /* Mistakes: which kinds hold, those told since the program began, those of the access at hand
     * and which of their sites it is. */
    unsigned catches; /* bits: enum dbg_catch */
    vg_finding *told[DBG_TOLD];
    int num_told;
    const vg_finding *noticed[DBG_NOTICED];
    int noticed_site[DBG_NOTICED], num_noticed;

    dbg_wrong_store wrong;
    dbg_foresight *foresight; /* of the child that computes the product first; else NULL */
    int foresight_line;

    dbg_break list[DBG_BREAKS];
    int last_number;
    char *display[DBG_DISPLAYS];

    /* How it goes on: by the thread in focus. */
    enum dbg_going going;
    int going_depth, going_line, going_file;
    bool going_deeper;    /* it was in a function that the line called */
    uint64_t going_times; /* steps, or stops at breaks, that are still to pass */

    /* The thread in focus, while it is held; warp NULL: none. */
    warp *warp;
    int lane;
    uint64_t block; /* linear */
    uint32_t warp_index;
    vg_stop_at at;
    vg_frame frame[VG_MAX_FRAMES];
    int depth; /* of calls: so many frames there are */
    int num_frames, selected;
    bool hidden;      /* a variable of the launch's names is called as blockIdx or its kin */
    bool varies;      /* a name was asked for that lanes of a block need not agree on */
    dbg_known *known; /* while a condition is asked; else NULL */
    dbg_known kept;   /* the last op's: a loop comes to it again and again */
    int kept_of;      /* number of its break */
    int list_file, list_line; /* the next line that list shows; 0: around the frame */

    struct dbg_back *back;

    bool started; /* "run" was said */
    bool resume;  /* a command lets it go on */
    bool failed;  /* a command was wrong */
    FILE *out;    /* what the command says */
    dbg_editor editor;
};

/* ---- session.c ---- */

/* Says where the thread in focus is, its line, and what is displayed. */
void dbg_say_place(vg_debug *d, const char *why);
void dbg_go(vg_debug *d, enum dbg_going how, uint64_t times);
/* What of the block, which runs, is looked at: as little as there is to be held in it. */
void dbg_tune(vg_debug *d, block *b);
/* Says why and where, and reads commands until one lets the program go on. */
void dbg_hold(vg_debug *d, const char *why);
/* The same, for a hit of a break that has been counted; one that is there once is gone then. */
void dbg_hold_at_break(vg_debug *d, int number);
/* Not a child that the program has forked? */
bool dbg_is_owner(const vg_debug *d);
/* This child is the program from now on. */
void dbg_not_forked(void);
/* Has the person interrupted? Once. */
bool dbg_take_interrupt(void);

/* ---- focus.c ---- */

/* Turns to a lane of a warp of the running block. False: that thread has ended. */
bool dbg_focus(vg_debug *d, warp *w, int lane);
void dbg_no_focus(vg_debug *d);
/* Names and memory as the selected frame of the thread in focus sees them. */
dbg_env dbg_here(vg_debug *d);
/* "block (0,0,0), thread (5,3,0)" */
void dbg_who(const vg_debug *d, char *buf, size_t len);
vg_dim3 dbg_thread(const vg_debug *d);
/* Where a variable lies for the thread in focus. False: nowhere. */
bool dbg_place_of(const vg_debug *d, const vg_named_var *var, uint64_t *at);
/* Is the variable alive in the selected frame? */
bool dbg_is_alive(const vg_debug *d, const vg_named_var *var);

/* ---- breaks.c ---- */

/* Where breaks, or one, are in a kernel's code. */
void dbg_find_spots(vg_debug *d, const launch *l);
void dbg_find_spots_of(vg_debug *d, const launch *l, dbg_break *b);
/* The break that these lanes have come to; *lane is the first that its condition holds for. */
dbg_break *dbg_break_at(vg_debug *d, const vg_stop_at *at, int *lane);
/* Warps of a block (bits) in which a break can hold, as far as conditions' parts about block and
 * thread tell. */
uint32_t dbg_breaks_in(const vg_debug *d, const block *b);
/* Can a watch hold? */
bool dbg_watches(const vg_debug *d);
/* The watch that an access, or another line of a thread, has changed. */
dbg_break *dbg_watch_hit(vg_debug *d, const vg_access *a, int *lane);
dbg_break *dbg_watch_changed(vg_debug *d, const vg_stop_at *at);
void dbg_end_watches(vg_debug *d, bool of_launch, uint64_t block);
/* What is watched is from now on what it is now: of the warp's block; all: in global memory
 * too. */
void dbg_renew_watches(vg_debug *d, warp *w, bool all);
/* Gives a break its condition; "": none. */
void dbg_set_condition(dbg_break *b, const char *text);

/* ---- breaks_typed.c ---- */

/* All breaks and displays as commands. */
void dbg_write_kept(const vg_debug *d, FILE *to);
/* Adds a break: at FILE:LINE or a function, all else as in `like`; NULL where: a watch, whole.
 * NULL, and said: there is no such place, or no more room. */
dbg_break *dbg_make_break(vg_debug *d, const char *where, const dbg_break *like);
extern const char dbg_no_watch_of_bits[];
void dbg_do_break(vg_debug *d, const char *args, bool once);
void dbg_do_watch(vg_debug *d, const char *args);
void dbg_do_delete(vg_debug *d, const char *args);
void dbg_do_enable(vg_debug *d, const char *args, bool enabled);
void dbg_do_condition(vg_debug *d, const char *args);
void dbg_info_breaks(vg_debug *d);

/* ---- mistakes.c ---- */

/* The checkers' call, of an access that they are told of (vg_check_notice). */
void dbg_notice(void *self, const vg_finding *f, int now);
/* Holds the threads of what was noticed in this access, one after another. */
void dbg_hold_noticed(vg_debug *d, const vg_access *a);
void dbg_do_catch(vg_debug *d, const char *args);
const char *dbg_catch_name(size_t number); /* NULL: there are no more */
void dbg_write_catches(const vg_debug *d, FILE *to);

/* ---- look.c ---- */

void dbg_do_print(vg_debug *d, const char *format, const char *args);
void dbg_do_set(vg_debug *d, const char *args);
/* What was just assigned is assigned again on the way to a later moment. */
void dbg_keep_change(vg_debug *d, const dbg_value *v);
void dbg_do_examine(vg_debug *d, const char *format, const char *args);
void dbg_do_display(vg_debug *d, const char *args);
void dbg_do_undisplay(vg_debug *d, const char *args);
void dbg_show_displays(vg_debug *d);
void dbg_do_list(vg_debug *d, const char *args);
void dbg_do_backtrace(vg_debug *d);
void dbg_do_frame(vg_debug *d, const char *args, int by);
/* A line of source with its number. */
void dbg_write_line(vg_debug *d, const vg_source *s, int line);
const vg_source *dbg_source(const vg_debug *d, int file);
/* The name of a path behind its last slash. */
const char *dbg_base(const char *path);

/* ---- info.c ---- */

void dbg_do_info(vg_debug *d, const char *args);
const char *dbg_info_name(size_t number); /* NULL: there are no more */
void dbg_do_thread(vg_debug *d, const char *args);
void dbg_do_block(vg_debug *d, const char *args);
void dbg_do_warp(vg_debug *d, const char *args);
void dbg_do_lane(vg_debug *d, const char *args);
/* "waits at a barrier" */
const char *dbg_what_it_does(const warp *w, int lane);
bool dbg_is_shared(const vg_debug *d, const vg_named_var *v);
/* Who waits where. */
void dbg_say_waiting(vg_debug *d);

/* Has the person been told of this mistake while the kernel ran? */
bool dbg_was_told(const vg_debug *d, const vg_finding *f);

/* ---- asked.c, told.c: the front end is an editor's adapter ---- */

void dbg_answer(vg_debug *d, char *question);
void dbg_tell_held(vg_debug *d, const char *why, enum dbg_reason reason, int number);
void dbg_tell_placed(vg_debug *d, dbg_break *b);
void dbg_tell_gone(vg_debug *d, const dbg_break *b);
void dbg_tell_found(vg_debug *d, const vg_findings *list, int first);
/* Is the program held when something of this kind is found? */
bool dbg_holds_at(const vg_debug *d, enum vgpu_found kind);
/* Does this hit hold? If not, what the break says instead has been said. */
bool dbg_break_stops(vg_debug *d, const dbg_break *b, warp *w, int lane);
/* The same for a watched place that has changed, its condition included. */
bool dbg_watch_stops(vg_debug *d, dbg_break *b, warp *w, int lane);

/* ---- complete.c ---- */

/* How the line's last word may go on: one a line. */
void dbg_complete(vg_debug *d, const char *line, FILE *to);

/* ---- commands.c ---- */

/* Names of commands, from number 0 on; NULL: there are no more. */
const char *dbg_command_name(size_t number);
/* The command that these letters name, or are the only one to begin; NULL: none. */
const char *dbg_command_called(const char *word, size_t len);
bool dbg_has_command(const char *name);
/* What digits say; more than an int holds: its largest. -1: these are not digits alone. */
int dbg_number(const char *digits);
/* Reads commands until one lets the program go on. */
void dbg_listen(vg_debug *d);
/* False, and said: no kernel is held. */
bool dbg_is_held(vg_debug *d);
/* What was wrong with a command. */
__attribute__((format(printf, 2, 3))) void dbg_wrong(vg_debug *d, const char *form, ...);
void dbg_tell_kept(vg_debug *d);
/* Sends what was written to d->out. */
void dbg_flush(vg_debug *d);
