/* copies.c: copies of the process (back.h): the list of them, their life, and when one is made. */
#include "vgpu/src/debug/back_parts.h"
#include "vgpu/src/debug/wire.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- the list ---- */

int dbg_first_copy_of(const dbg_back *b, uint64_t launch) {
    int i = 0;
    while (i < b->copies && b->copy[i].launch < launch)
        i++;
    return i;
}

/* Those of the launch at hand are told to all, since what comes from one knows no later ones. */
static void tell_copies(const dbg_back *b) {
    common *c = b->common;
    if (b->from_copy)
        return;
    const int first = b->copies > 0 ? dbg_first_copy_of(b, b->copy[b->copies - 1].launch) : 0;
    for (int i = 0; i < COPIES; i++)
        c->copy[i] = first + i < b->copies ? b->copy[first + i].pid : 0;
}

static void end_copy(const copy *c, bool wait) {
    kill(c->pid, SIGKILL);
    close(c->line);
    if (wait)
        (void)dbg_reap(c->pid);
}

void dbg_drop_copy(dbg_back *b, int i) {
    end_copy(&b->copy[i], b->copy[i].mine);
    b->copies--;
    memmove(&b->copy[i], &b->copy[i + 1], (size_t)(b->copies - i) * sizeof b->copy[0]);
    tell_copies(b);
}

void dbg_drop_mine(dbg_back *b) {
    for (int i = b->copies - 1; i >= 0; i--)
        if (b->copy[i].mine)
            dbg_drop_copy(b, i);
}

/* ---- a copy ---- */

static void serve(vg_debug *d, int line);

/* A copy of this copy, which looks for those that come from this one while this one waits for them.
 * True: this is one that looks for them. */
static bool make_twin(vg_debug *d, int line, copy *to) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    const pid_t pid = dbg_new_process();
    if (pid == 0) {
        close(line);
        close(pair[0]);
        serve(d, pair[1]);
        return true;
    }
    close(pair[1]);
    if (pid < 0)
        close(pair[0]);
    else
        *to = (copy){pid, pair[0], d->launches, d->back->at.op, false};
    return false;
}

/* Waits for orders; returns in children that carry them out. */
static void serve(vg_debug *d, int line) {
    dbg_back *b = d->back;
    for (char order; dbg_receive_all(line, &order, 1);) {
        const bool looks = order == DBG_LOOK;
        (void)dbg_take_interrupt(); /* of before */
        copy twin = {.pid = 0};
        if (!looks && b->at.op == 0 && make_twin(d, line, &twin))
            return;
        const pid_t pid = dbg_new_process();
        if (pid == 0) {
            close(line);
            dbg_not_forked();
            if (twin.pid > 0)
                b->copy[b->copies++] = twin;
            dbg_become(d, looks ? LOOKS : RETURNS);
            return;
        }
        const int status = pid > 0 ? dbg_wait_for(pid) : 125 << 8;
        if (twin.pid > 0)
            end_copy(&twin, true);
        if (!dbg_send_all(line, &status, sizeof status))
            break;
    }
    _exit(0);
}

static void make_copy(vg_debug *d) {
    dbg_back *b = d->back;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return;
    dbg_files_note(&b->files); /* before this process goes on in them */
    const pid_t pid = dbg_new_process();
    if (pid == 0) {
        close(pair[0]);
        for (int i = 0; i < b->copies; i++)
            b->copy[i].mine = false;
        serve(d, pair[1]);
        return;
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return;
    }
    b->copy[b->copies++] = (copy){pid, pair[0], d->launches, b->at.op, true};
    tell_copies(b);
}

/* All are in use: those of the launch that remain lie twice as far apart. */
static void thin_out(dbg_back *b) {
    const int first = dbg_first_copy_of(b, b->at.launch);
    for (int i = b->copies - 1; i > first; i -= 2)
        dbg_drop_copy(b, i);
    b->apart *= 2;
}

bool dbg_order(const copy *to, enum dbg_order what, int *status) {
    const char letter = (char)what;
    return dbg_send_all(to->line, &letter, 1) &&
           dbg_hear_while(to->pid, to->line, status, sizeof *status);
}

/* ---- a launch ---- */

/* What nobody goes back to any more: copies that are too many, and what was kept for them. */
static void forget(vg_debug *d) {
    dbg_back *b = d->back;
    common *c = b->common;
    const int most = b->modules == d->num_modules ? dbg_copies_that_fit(EARLIER) : 0;
    while (b->copies > most)
        dbg_drop_copy(b, 0);
    b->modules = d->num_modules;
    const uint64_t oldest = b->copies > 0 ? b->copy[0].launch : d->launches;
    dbg_hits_forget(b->hits, oldest);
    int old = 0;
    while (old < c->changes && c->change[old].launch < oldest)
        old++;
    c->changes -= old;
    memmove(c->change, c->change + old, (size_t)c->changes * sizeof c->change[0]);
}

void dbg_back_begin(vg_debug *d) {
    dbg_back *b = d->back;
    if (b->role == LOOKS) /* in a launch that ended without a word */
        _exit(0);
    dbg_back_end(d);
    b->at = (dbg_moment){d->launches, 0, DBG_AT_LINE};
    b->next_copy = 0;
    vg_inspect_alarm(d->in, 0);
    if (d->names == NULL || !dbg_is_owner(d) || dbg_threads() > b->threads)
        return;
    forget(d);
    b->in_launch = true;
    b->from_copy = false;
    b->role = RUNS;
    b->apart = 0;
    make_copy(d);
    if (b->role != RUNS || dbg_first_copy_of(b, d->launches) == b->copies)
        return;
    clock_gettime(CLOCK_MONOTONIC, &b->begun);
    b->next_copy = 1 << 16;
    dbg_set_alarm(d);
}

void dbg_back_end(vg_debug *d) {
    dbg_back *b = d->back;
    if (!b->in_launch || !dbg_is_owner(d))
        return;
    for (int i = b->copies - 1; i >= 0 && b->copy[i].launch == b->at.launch; i--)
        if (b->copy[i].op > 0)
            dbg_drop_copy(b, i);
    /* Later copies than the one that this process comes from are not known to it. */
    for (int i = 1; b->from_copy && i < COPIES; i++)
        if (b->common->copy[i] > 0 && b->common->copy[i] != getppid())
            kill(b->common->copy[i], SIGKILL);
    memset(b->common->copy, 0, sizeof b->common->copy);
    b->in_launch = b->from_copy = false;
    vg_inspect_alarm(d->in, 0);
}

void dbg_back_tell(const vg_debug *d) {
    const dbg_back *b = d->back;
    const dbg_pages own = dbg_memory_of(getpid());
    uint64_t all = own.part; /* pages that any of the processes has */
    for (int i = 0; i < b->copies; i++)
        all += dbg_memory_of(b->copy[i].pid).part;
    if (b->copies > 0)
        fprintf(d->out,
                "reverse-continue goes back as far as launch %" PRIu64
                ": for that, %d cop%s of the process take%s %.1f MB more than it\n",
                b->copy[0].launch, b->copies, b->copies > 1 ? "ies" : "y", b->copies > 1 ? "" : "s",
                all > own.whole ? (double)(all - own.whole) / 1e6 : 0.0);
}

static uint64_t milliseconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t ms = (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
    return ms > 0 ? (uint64_t)ms : 0;
}

/* The copies of the launch that memory is sure to have room for. */
static int copies_wanted(int earlier) {
    const int fit = dbg_copies_that_fit(EARLIER + COPIES) - earlier;
    return fit < FEWEST ? FEWEST : fit > COPIES ? COPIES : fit;
}

/* How many ops take APART is told by the first so many, held times left out. */
void dbg_plan_copy(vg_debug *d) {
    dbg_back *b = d->back;
    const uint64_t ms = milliseconds_since(&b->begun);
    if (b->apart == 0 && ms < APART / 4 && b->at.op < UINT64_C(1) << 40) {
        b->next_copy = 2 * b->at.op;
    } else {
        if (b->apart == 0)
            b->apart = ms > 0 ? b->at.op * APART / ms : b->at.op;
        b->apart = b->apart < 1 << 16 ? 1 << 16 : b->apart;
        const int first = dbg_first_copy_of(b, b->at.launch), wanted = copies_wanted(first);
        while (b->copies - first >= wanted)
            thin_out(b);
        make_copy(d);
        if (b->role != RUNS)
            return;
        b->next_copy = b->at.op + b->apart;
    }
    dbg_set_alarm(d);
}
