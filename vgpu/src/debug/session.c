/*
 * session.c: when the program is held: at a break, at the end of a step, at a fault, when a watched
 * place changes, when the person interrupts. A step is the thread's in focus: others run as the
 * executor has them run, and their breaks count only while nobody steps.
 */
#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/foresee.h"
#include "vgpu/src/debug/parts.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t interrupted;

static void on_access(void *self, const vg_access *a);

static void on_interrupt(int signal) {
    (void)signal;
    if (!dbg_back_interrupt())
        interrupted = 1;
}

bool dbg_take_interrupt(void) {
    const bool was = interrupted != 0;
    interrupted = 0;
    return was;
}

/* ---- being held ---- */

void dbg_say_place(vg_debug *d, const char *why) {
    char who[160];
    dbg_who(d, who, sizeof who);
    if (why[0] != '\0')
        fprintf(d->out, "%s\n", why);
    const vg_frame *f = d->num_frames > 0 ? &d->frame[d->selected] : NULL;
    const int file = d->selected == 0 || f == NULL ? d->at.file : f->file;
    const int line = d->selected == 0 || f == NULL ? d->at.line : f->line;
    const vg_source *s = dbg_source(d, file);
    const int lanes = __builtin_popcount(d->at.mask);
    fprintf(d->out, "%s", who);
    if (lanes > 1)
        fprintf(d->out, " and %d other%s of its warp", lanes - 1, lanes > 2 ? "s" : "");
    if (f != NULL && f->func != NULL && s != NULL)
        fprintf(d->out, ": %s at %s:%d", f->func->name, dbg_base(s->path), line);
    fputc('\n', d->out);
    if (s != NULL)
        dbg_write_line(d, s, line);
}

void dbg_hold(vg_debug *d, const char *why) {
    const enum dbg_reason reason = d->editor.why;
    const int number = d->editor.number;
    d->editor.why = DBG_BY_STEP; /* of the next hold */
    d->editor.number = 0;
    if (dbg_back_notes(d, why, reason, number))
        return;
    d->going = DBG_FREE;
    d->going_times = 0;
    interrupted = 0;
    if (d->editor.on) {
        dbg_tell_held(d, why, reason, number);
    } else {
        dbg_say_place(d, why);
        dbg_show_displays(d);
    }
    dbg_listen(d);
    if (d->warp != NULL)
        dbg_tune(d, d->warp->block);
}

/* Warps of the block in which somebody may be held. */
static uint32_t warps_of_interest(vg_debug *d, const block *b) {
    const bool wrong = d->wrong.launch == d->launches && (d->catches & DBG_CATCH_WRONG) != 0;
    uint32_t warps = 0;
    if (dbg_back_needs(d, b, &warps))
        return warps;
    if (d->foresight != NULL || wrong || dbg_watches(d) || d->editor.entry)
        return ~UINT32_C(0);
    if (d->going != DBG_FREE) /* others' breaks do not count meanwhile */
        return b->linear == d->block ? 1u << d->warp_index : 0;
    return dbg_breaks_in(d, b);
}

void dbg_tune(vg_debug *d, block *b) {
    const uint32_t warps = warps_of_interest(d, b);
    const bool wrong = d->wrong.launch == d->launches;
    const bool accesses = d->foresight != NULL || dbg_watches(d) || wrong || dbg_back_is_away(d);
    d->watcher.access = accesses ? on_access : NULL;
    vg_inspect_quiet(d->in, b, ~warps);
}

void dbg_go(vg_debug *d, enum dbg_going how, uint64_t times) {
    d->going = how;
    d->going_times = times;
    d->going_depth = d->depth - d->selected;
    d->going_file = d->at.file;
    d->going_line = d->at.line;
    d->going_deeper = false;
    d->resume = true;
}

/* A child that the program forks is not held. */
static bool forked;

static void on_fork(void) {
    forked = true;
}

void dbg_not_forked(void) {
    forked = false;
}

bool dbg_is_owner(const vg_debug *d) {
    (void)d;
    return !forked;
}

/* ---- steps ---- */

static bool is_focus(const vg_debug *d, const vg_stop_at *at) {
    return at->warp->block->linear == d->block && at->warp->index == d->warp_index &&
           (at->mask >> d->lane & 1) != 0;
}

static int depth_at(const vg_debug *d, const vg_stop_at *at) {
    vg_stop_at own = *at;
    own.mask = 1u << d->lane;
    return vg_inspect_frames(d->in, &own, NULL, 0);
}

/* Does the step of the thread in focus end here? */
static bool ends_step(vg_debug *d, const vg_stop_at *at) {
    if (d->going == DBG_FREE || !is_focus(d, at))
        return false;
    const int depth = d->going == DBG_STEP ? 0 : depth_at(d, at);
    bool there = d->going == DBG_STEP;
    if (d->going == DBG_NEXT) {
        /* The line goes on behind a call, and is not the next. */
        const bool same = depth == d->going_depth && at->line == d->going_line &&
                          at->file == d->going_file && d->going_deeper;
        there = depth <= d->going_depth && !same;
        d->going_deeper = depth > d->going_depth;
    }
    if (d->going == DBG_FINISH)
        there = depth < d->going_depth;
    else if (d->going == DBG_UNTIL)
        there = depth < d->going_depth ||
                (depth == d->going_depth && at->line > d->going_line && at->file == d->going_file);
    if (there && d->going_times > 1) {
        d->going_times--;
        d->going_line = at->line; /* the next one is counted from here */
        d->going_file = at->file;
        d->going_depth = depth < d->going_depth && depth > 0 ? depth : d->going_depth;
        there = false;
    }
    return there;
}

/* "continue 3": is this one of those that are passed? */
static bool is_passed(vg_debug *d) {
    if (d->going != DBG_FREE || d->going_times <= 1)
        return false;
    d->going_times--;
    return true;
}

/* False: this change does not count. */
static bool stop_at_watch(vg_debug *d, dbg_break *b, warp *w, int lane) {
    if (!dbg_watch_stops(d, b, w, lane))
        return false;
    if (is_passed(d)) { /* the next change is one from this */
        const uint32_t bytes = dbg_size_of(&b->type);
        const void *now = vg_generic_at(w, lane, b->at, bytes);
        if (now != NULL)
            memcpy(b->old, now, bytes);
        return false;
    }
    if (!dbg_focus(d, w, lane))
        return false;
    const dbg_env env = dbg_here(d);
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    if (to == NULL)
        return false;
    uint8_t now[8] = {0};
    const uint32_t size = dbg_size_of(&b->type);
    (void)env.memory.read(env.memory.self, b->at, now, size);
    const dbg_value before = dbg_from_bytes(&b->type, b->old),
                    after = dbg_from_bytes(&b->type, now);
    fprintf(to, "Watchpoint %d: %s was ", b->number, b->where);
    dbg_write(&env.memory, &before, 0, to);
    fputs(", is ", to);
    dbg_write(&env.memory, &after, 0, to);
    (void)fclose(to);
    memcpy(b->old, now, sizeof now);
    d->editor.why = DBG_BY_WATCH;
    d->editor.number = b->number;
    dbg_hold(d, text);
    free(text);
    return true;
}

/* ---- the inspector's calls ---- */

void dbg_hold_at_break(vg_debug *d, int number) {
    char why[64] = "";
    for (int i = 0; i < DBG_BREAKS; i++) {
        dbg_break *b = &d->list[i];
        if (b->number != number || number == 0)
            continue;
        snprintf(why, sizeof why, "%s %d, hit %" PRIu64 ".",
                 b->once ? "Temporary breakpoint" : "Breakpoint", number, b->hits);
        if (b->once && !dbg_back_looks(d)) {
            *b = (dbg_break){0};
            dbg_tell_kept(d);
        }
    }
    dbg_hold(d, why);
}

static void on_stop(void *self, const vg_stop_at *at) {
    vg_debug *d = self;
    if (!dbg_is_owner(d) || dbg_back_passes(d, DBG_AT_LINE, at->warp) ||
        (at->number == 0 && dbg_hold_wrong(d, at->warp, NULL)))
        return;
    dbg_break *b = dbg_back_follows(d) ? NULL : dbg_watch_changed(d, at);
    if (b != NULL && stop_at_watch(d, b, at->warp, b->lane))
        return;
    if ((interrupted || d->editor.entry) && dbg_focus(d, at->warp, __builtin_ctz(at->mask))) {
        d->editor.why = interrupted ? DBG_BY_PAUSE : DBG_BY_ENTRY;
        d->editor.entry = false;
        dbg_hold(d, "Interrupted.");
        return;
    }
    const bool steps = d->going != DBG_FREE;
    if (ends_step(d, at) && dbg_focus(d, at->warp, d->lane)) {
        dbg_hold(d, "");
        return;
    }
    int lane = 0;
    if (dbg_back_follows(d))
        return;
    b = !steps || (at->warp->block->linear == d->block && at->warp->index == d->warp_index)
            ? dbg_break_at(d, at, &lane)
            : NULL;
    if (b == NULL)
        return;
    dbg_back_hit(d, b);
    if (!dbg_break_stops(d, b, at->warp, lane))
        return;
    if (!steps && is_passed(d))
        return;
    d->editor.why = b->path == NULL ? DBG_BY_FUNCTION : DBG_BY_BREAK;
    d->editor.number = b->number;
    if (dbg_focus(d, at->warp, lane))
        dbg_hold_at_break(d, b->number);
}

static void on_access(void *self, const vg_access *a) {
    vg_debug *d = self;
    int lane = 0;
    if (d->foresight != NULL)
        dbg_foresee_stored(d, a);
    if (!dbg_is_owner(d) || dbg_back_passes(d, DBG_BEHIND_ACCESS, a->warp) ||
        dbg_hold_wrong(d, a->warp, a))
        return;
    dbg_break *b = dbg_back_follows(d) ? NULL : dbg_watch_hit(d, a, &lane);
    if (b != NULL)
        (void)stop_at_watch(d, b, a->warp, lane);
}

/* The checkers have seen an access that is not carried out yet. */
static void on_about(void *self, const vg_access *a) {
    vg_debug *d = self;
    if (!dbg_is_owner(d) || dbg_back_passes(d, DBG_BEFORE_ACCESS, a->warp))
        d->num_noticed = 0;
    if (d->num_noticed > 0)
        dbg_hold_noticed(d, a);
}

/* The thread in focus has ended: its step ends where another of its block goes on. */
static void look_for_next(vg_debug *d, const warp *w, uint32_t mask) {
    if (d->going == DBG_FREE || w->block->linear != d->block || w->index != d->warp_index ||
        (mask >> d->lane & 1) == 0)
        return;
    fputs("The thread has ended: the program goes on to the next breakpoint.\n", d->out);
    dbg_flush(d);
    d->going = DBG_FREE;
    d->going_times = 0;
    dbg_tune(d, w->block);
}

static void on_pause(void *self, warp *w, uint32_t mask, enum vg_pause why) {
    vg_debug *d = self;
    if (!dbg_is_owner(d))
        return;
    const bool told = d->fault_told;
    d->fault_told = told || why == VG_PAUSE_FAULT;
    if (dbg_back_passes(d, DBG_BEHIND_OP, w))
        return;
    if (why == VG_PAUSE_END)
        look_for_next(d, w, mask);
    if (why != VG_PAUSE_FAULT || told || !dbg_holds_at(d, VGPU_FOUND_FAULT))
        return;
    const vg_fault *f = &w->worker->fault;
    int lane = __builtin_ctz(mask);
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const vg_dim3 t = vg_thread_of(w, __builtin_ctz(m));
        if (t.x == f->thread.x && t.y == f->thread.y && t.z == f->thread.z)
            lane = __builtin_ctz(m);
    }
    if (!dbg_focus(d, w, lane))
        return;
    if (d->editor.on)
        fprintf(d->out, "%s\n", f->text);
    d->editor.why = DBG_BY_FAULT;
    dbg_hold(d, f->text);
}

static void on_alarm(void *self, warp *w) {
    dbg_back_alarm(self, w);
}

static void on_back(void *self, warp *w) {
    vg_debug *d = self;
    if (!dbg_is_owner(d) || dbg_back_passes(d, DBG_BEHIND_OP, w))
        return;
    if (interrupted && dbg_focus(d, w, __builtin_ctz(w->mask))) {
        d->editor.why = DBG_BY_PAUSE;
        dbg_hold(d, "Interrupted.");
    }
}

/* ---- the executor's ---- */

static bool on_launch(void *self, const launch *l, int workers) {
    vg_debug *d = self;
    (void)workers;
    d->launch = l;
    d->launches++;
    d->grid_side = l->grid;
    d->block_side = l->block;
    d->blocks_done = 0;
    d->fault_told = false;
    dbg_no_focus(d);
    dbg_find_spots(d, l);
    if (dbg_is_owner(d))
        dbg_flush(d);
    dbg_back_begin(d);
    return true;
}

static void on_block(void *self, host_thread *wk) {
    dbg_tune(self, &wk->block);
}

static void on_block_end(void *self, host_thread *wk) {
    vg_debug *d = self;
    d->blocks_done++;
    dbg_end_watches(d, false, wk->block.linear);
}

static bool focus_on(vg_debug *d, block *b, vg_dim3 t) {
    const uint32_t n = (t.z * d->launch->block.y + t.y) * d->launch->block.x + t.x;
    return n < b->num_threads && dbg_focus(d, &b->warps[n / VG_LANES], (int)(n % VG_LANES));
}

/* A fault that no running thread made: they all wait. */
static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    vg_debug *d = self;
    (void)l;
    if (dbg_is_owner(d)) {
        dbg_back_ended(d);
        dbg_flush(d); /* lines of logpoints that waited for more */
    }
    if (dbg_is_owner(d) && fault != NULL && !d->fault_told && num_workers == 1 &&
        d->names != NULL && dbg_holds_at(d, VGPU_FOUND_FAULT)) {
        block b = workers[0].block;
        if (focus_on(d, &b, fault->thread)) {
            fprintf(d->out, "%s\n", fault->text);
            dbg_say_waiting(d);
            d->editor.why = DBG_BY_FAULT;
            dbg_hold(d, d->editor.on ? fault->text : "");
        }
    }
    d->launch = NULL;
    if (d->going != DBG_FREE) { /* a step that nobody ended */
        d->going = DBG_FREE;
        d->going_times = 0;
    }
    dbg_no_focus(d);
    dbg_end_watches(d, true, 0);
}

/* ---- a debugger ---- */

vg_debug *vg_debug_create(int socket) {
    static const vg_names none = {.num_sources = 0};
    vg_debug *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->socket = socket;
    d->catches = DBG_CATCH_ALL;
    d->watcher = (vg_watcher){.self = d,
                              .stop = on_stop,
                              .access = on_access,
                              .pause = on_pause,
                              .alarm = on_alarm,
                              .back = on_back};
    d->observer = (vg_observer){.name = "debugger",
                                .self = d,
                                .launch_begin = on_launch,
                                .block_begin = on_block,
                                .access = on_about,
                                .block_end = on_block_end,
                                .launch_end = on_launch_end};
    d->in = vg_inspect_create(&none, &d->watcher);
    d->out = tmpfile();
    d->back = dbg_back_create();
    if (d->in == NULL || d->out == NULL || d->back == NULL ||
        pthread_atfork(NULL, NULL, on_fork) != 0) {
        vg_inspect_destroy(d->in);
        free(d);
        return NULL;
    }
    vg_inspect_block(d->in, VG_EVERY_BLOCK);
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    return d;
}

bool vg_debug_know(vg_debug *d, const vg_names *names) {
    const vg_names **more =
        realloc(d->module, (size_t)(d->num_modules + 1) * sizeof(const vg_names *));
    if (more == NULL)
        return false;
    d->module = more;
    d->module[d->num_modules++] = names;
    return true;
}

void vg_debug_hold(vg_debug *d) {
    if (d->num_modules == 0)
        fputs("The program has no names of its kernels: compile it with vgpucc -g, without "
              "--front nvcc, and they can be stopped.\n",
              d->out);
    dbg_listen(d);
}

bool vg_debug_attach(vg_debug *d, vg_exec *exec, vg_check *check) {
    vg_check_notice(check, dbg_notice, d);
    return vg_inspect_attach(d->in, exec) && vg_exec_observe(exec, &d->observer);
}

void vg_debug_launch(vg_debug *d, const vg_names *names, const char *kernel) {
    static const vg_names none = {.num_sources = 0};
    if (names == NULL && dbg_is_owner(d)) {
        fprintf(d->out, "Kernel %s was compiled without -g, and is not stopped.\n", kernel);
        dbg_flush(d);
    }
    d->names = names;
    vg_inspect_rename(d->in, names != NULL ? names : &none);
}
