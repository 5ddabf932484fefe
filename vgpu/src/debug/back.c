/*
 * back.c: see back.h. Long, since who waits, who looks and who runs are one program in several
 * processes, each of which does its part with the same few fields.
 */
#include "vgpu/src/debug/back.h"

#include "vgpu/src/debug/wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { COPIES = 8, CHANGES = 256, MOST_TIMES = 64, WHY = 3072, APART = 200 /* ms */ };

/* Where a thread would be held. */
typedef struct place {
    dbg_moment when;
    uint64_t block;
    uint32_t warp;
    int lane;
    char why[WHY];
    enum dbg_reason reason;
    int number; /* of a break */
} place;

typedef struct change {
    uint64_t before; /* op */
    uint64_t at, block;
    uint32_t warp, size;
    int lane;
    uint8_t bytes[8];
} change;

/* What all processes of the program see. */
typedef struct common {
    /* The person's, at the moment of going back. */
    dbg_break list[DBG_BREAKS];
    int last_number;
    unsigned catches;
    dbg_editor editor;
    char display[DBG_DISPLAYS][DBG_COMMAND]; /* empty: none */
    /* What is looked for: before `now`, how the thread in focus goes. */
    enum dbg_going how;
    dbg_moment now;
    uint64_t block;
    uint32_t warp;
    int lane, depth;
    uint64_t times, launches;
    /* The last `times` places before now, in a ring; `found` of all there were. */
    uint64_t found;
    place ring[MOST_TIMES];
    bool interrupted;
    place target;
    bool uncounted; /* there were too many hits to count them back */
    bool again;     /* the program that ends goes back further */
    change change[CHANGES];
    int changes;
    pid_t copy[COPIES]; /* 0: none */
} common;

/* What this process is doing. */
enum role { RUNS, LOOKS, RETURNS };

/* A copy, as the process knows it that made it. */
typedef struct copy {
    pid_t pid; /* 0: none */
    int line;  /* to it */
    uint64_t op;
} copy;

struct dbg_back {
    common *common;
    dbg_hits *hits;
    enum role role;
    int threads; /* before main: of libraries that fork takes care of, as OpenBLAS does */
    bool in_launch;
    bool from_copy; /* this process comes from a copy, and its parent knows the others */
    copy copy[COPIES];
    int copies;
    uint64_t apart; /* ops; 0: not known yet */
    struct timespec begun;
    uint64_t next_copy;
    int next_change;
    dbg_moment at;       /* now */
    bool renewed;        /* watches, for the block: */
    uint64_t seen_block; /* while it looks */
    int out[2];          /* where standard output and errors went before */
};

/* Whom a signal is passed on to; 0: nobody. */
static volatile pid_t below;

bool dbg_back_interrupt(void) {
    const pid_t to = below;
    return to > 0 && kill(to, SIGINT) == 0;
}

/* How many threads does the program have? 1 where nobody says. */
static int threads(void) {
    DIR *all = opendir("/proc/self/task");
    int n = 0;
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;)
        n += e->d_name[0] != '.';
    if (all != NULL)
        closedir(all);
    return n > 0 ? n : 1;
}

dbg_back *dbg_back_create(void) {
    dbg_back *b = calloc(1, sizeof *b);
    void *room =
        mmap(NULL, sizeof(common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dbg_hits *hits = dbg_hits_create();
    if (b == NULL || room == MAP_FAILED || hits == NULL) {
        free(b);
        return NULL;
    }
    b->common = room;
    b->hits = hits;
    b->threads = threads();
    return b;
}

/* Behind all ops of the launch. */
static const dbg_moment the_end = {UINT64_MAX, DBG_AT_LINE};

/* ---- processes ---- */

pid_t dbg_new_process(void) {
    const pid_t me = getpid();
    (void)fflush(NULL); /* what is in a buffer would be written by both */
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != me)
        _exit(125);
    below = 0;
    return 0;
}

static int wait_for(pid_t pid) {
    int status = 0;
    below = pid;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    below = 0;
    return status;
}

bool dbg_hear_from(pid_t pid, int line, void *to, size_t size) {
    below = pid;
    const bool ok = dbg_receive_all(line, to, size);
    below = 0;
    (void)wait_for(pid);
    return ok;
}

/* Ends as another process has. */
static _Noreturn void end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

void dbg_be_quiet(void) {
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int fd = 1; null >= 0 && fd <= 2; fd++)
        (void)dup2(null, fd);
    if (null >= 0)
        close(null);
}

static void set_quiet(dbg_back *b) {
    for (int fd = 1; fd <= 2; fd++)
        b->out[fd - 1] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    dbg_be_quiet();
}

static void set_loud(const dbg_back *b) {
    (void)fflush(NULL);
    for (int fd = 1; fd <= 2; fd++) {
        if (b->out[fd - 1] >= 0) {
            (void)dup2(b->out[fd - 1], fd);
            close(b->out[fd - 1]);
        }
    }
}

/* ---- what goes along ---- */

static void hand_over(const vg_debug *d, common *to) {
    memcpy(to->list, d->list, sizeof to->list);
    to->last_number = d->last_number;
    to->catches = d->catches;
    to->editor = d->editor;
    for (int i = 0; i < DBG_DISPLAYS; i++)
        snprintf(to->display[i], sizeof to->display[i], "%s",
                 d->display[i] != NULL ? d->display[i] : "");
}

static void take_over(vg_debug *d, const common *from) {
    memcpy(d->list, from->list, sizeof d->list);
    d->last_number = from->last_number;
    d->catches = from->catches;
    d->editor = from->editor;
    for (int i = 0; i < DBG_DISPLAYS; i++) {
        free(d->display[i]);
        d->display[i] = from->display[i][0] != '\0' ? strdup(from->display[i]) : NULL;
    }
}

/* The next op before which something is to be done. */
static void set_alarm(vg_debug *d) {
    const dbg_back *b = d->back;
    const common *c = b->common;
    uint64_t next = b->next_copy;
    if (b->role != RUNS && b->next_change < c->changes &&
        (next == 0 || c->change[b->next_change].before < next))
        next = c->change[b->next_change].before;
    vg_inspect_alarm(d->in, next);
}

static void make_changes(dbg_back *b, const warp *w) {
    const common *c = b->common;
    for (; b->next_change < c->changes && c->change[b->next_change].before == b->at.op;
         b->next_change++) {
        const change *one = &c->change[b->next_change];
        uint8_t *to = one->block == w->block->linear ? vg_generic_at(&w->block->warps[one->warp],
                                                                     one->lane, one->at, one->size)
                                                     : NULL;
        if (to != NULL)
            memcpy(to, one->bytes, one->size);
    }
}

void dbg_back_changed(vg_debug *d, uint64_t at, const uint8_t *bytes, uint32_t size) {
    dbg_back *b = d->back;
    common *c = b->common;
    if (!b->in_launch || c->changes == CHANGES)
        return;
    change *one = &c->change[c->changes++];
    *one = (change){.before = b->at.op + (b->at.phase >= DBG_BEHIND_ACCESS),
                    .at = at,
                    .block = d->block,
                    .warp = d->warp_index,
                    .lane = d->lane,
                    .size = size};
    memcpy(one->bytes, bytes, size);
}

/* ---- a copy ---- */

/* In a child of a copy: goes on with the launch. */
static void become(vg_debug *d, enum role role) {
    dbg_back *b = d->back;
    const common *c = b->common;
    b->role = role;
    b->from_copy = true;
    b->copies = 0;
    b->next_copy = 0;
    (void)fclose(d->out); /* its place in the file is shared with the process that made the copy */
    d->out = tmpfile();
    if (d->out == NULL)
        _exit(125);
    take_over(d, c);
    set_quiet(b);
    b->renewed = false;
    b->next_change = 0;
    while (b->next_change < c->changes && c->change[b->next_change].before < b->at.op)
        b->next_change++;
    set_alarm(d);
    if (role == RETURNS)
        return;
    d->going = c->how;
    d->going_depth = c->depth;
    d->going_line = d->going_file = 0;
    d->going_deeper = false;
    d->going_times = 0;
    d->block = c->block;
    d->warp_index = c->warp;
    d->lane = c->lane;
}

/* Waits for orders; returns in children that carry them out. */
static void serve(vg_debug *d, int line) {
    for (char order; dbg_receive_all(line, &order, 1);) {
        const pid_t pid = dbg_new_process();
        if (pid == 0) {
            close(line);
            dbg_not_forked();
            become(d, order == 'l' ? LOOKS : RETURNS);
            return;
        }
        const int status = pid > 0 ? wait_for(pid) : 125 << 8;
        if (!dbg_send_all(line, &status, sizeof status))
            break;
    }
    _exit(0);
}

static void make_copy(vg_debug *d) {
    dbg_back *b = d->back;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return;
    (void)fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    const pid_t pid = dbg_new_process();
    if (pid == 0) {
        dbg_not_forked();
        close(pair[0]);
        for (int i = 0; i < b->copies; i++)
            close(b->copy[i].line);
        serve(d, pair[1]);
        return;
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return;
    }
    b->copy[b->copies] = (copy){pid, pair[0], b->at.op};
    b->common->copy[b->copies++] = pid;
}

static void drop_copy(dbg_back *b, int i) {
    kill(b->copy[i].pid, SIGKILL);
    close(b->copy[i].line);
    (void)wait_for(b->copy[i].pid);
    b->copies--;
    memmove(&b->copy[i], &b->copy[i + 1], (size_t)(b->copies - i) * sizeof b->copy[0]);
    for (int k = 0; k < COPIES; k++)
        b->common->copy[k] = k < b->copies ? b->copy[k].pid : 0;
}

/* All are in use: those that remain lie twice as far apart. */
static void thin_out(dbg_back *b) {
    for (int i = b->copies - 1; i > 0; i -= 2)
        drop_copy(b, i);
    b->apart *= 2;
}

/* ---- a launch ---- */

void dbg_back_begin(vg_debug *d) {
    dbg_back *b = d->back;
    dbg_back_end(d); /* of a launch that ended without a word */
    b->at = (dbg_moment){0, DBG_AT_LINE};
    b->common->changes = b->next_change = 0;
    dbg_hits_begin(b->hits);
    b->next_copy = 0;
    vg_inspect_alarm(d->in, 0);
    if (d->names == NULL || !dbg_is_owner(d) || threads() > b->threads)
        return;
    b->in_launch = true;
    b->from_copy = false;
    b->role = RUNS;
    b->apart = 0;
    make_copy(d);
    if (b->role != RUNS || b->copies == 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &b->begun);
    b->next_copy = 1 << 16;
    set_alarm(d);
}

void dbg_back_end(vg_debug *d) {
    dbg_back *b = d->back;
    if (!b->in_launch || !dbg_is_owner(d))
        return;
    while (b->copies > 0)
        drop_copy(b, b->copies - 1);
    /* The other copies are not this process's children, and their pages are of no more use. */
    for (int i = 0; b->from_copy && i < COPIES; i++)
        if (b->common->copy[i] > 0 && b->common->copy[i] != getppid())
            kill(b->common->copy[i], SIGKILL);
    memset(b->common->copy, 0, sizeof b->common->copy);
    b->in_launch = b->from_copy = false;
    vg_inspect_alarm(d->in, 0);
}

static uint64_t milliseconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t ms = (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
    return ms > 0 ? (uint64_t)ms : 0;
}

/* How many ops take APART: told by the first so many, held times left out. */
static void plan_copy(vg_debug *d) {
    dbg_back *b = d->back;
    const uint64_t ms = milliseconds_since(&b->begun);
    if (b->apart == 0 && ms < APART / 4 && b->at.op < UINT64_C(1) << 40) {
        b->next_copy = 2 * b->at.op;
    } else {
        if (b->apart == 0)
            b->apart = ms > 0 ? b->at.op * APART / ms : b->at.op;
        b->apart = b->apart < 1 << 16 ? 1 << 16 : b->apart;
        if (b->copies == COPIES)
            thin_out(b);
        make_copy(d);
        if (b->role != RUNS)
            return;
        b->next_copy = b->at.op + b->apart;
    }
    set_alarm(d);
}

void dbg_back_alarm(vg_debug *d, const warp *w) {
    dbg_back *b = d->back;
    b->at = (dbg_moment){vg_inspect_ops(d->in), DBG_AT_LINE};
    if (b->next_copy == b->at.op && b->role == RUNS) {
        plan_copy(d); /* the copy's children go on from here */
        if (b->role != RUNS)
            dbg_tune(d, w->block);
    }
    if (b->role != RUNS) {
        make_changes(b, w);
        set_alarm(d);
    }
}

/* ---- looking, and running up to a place ---- */

static _Noreturn void end_look(dbg_back *b, bool was_interrupted) {
    b->common->interrupted = was_interrupted;
    _exit(0);
}

/* The moment that was gone back to: from now on this is the program. */
static void arrive(vg_debug *d, warp *w) {
    dbg_back *b = d->back;
    const common *c = b->common;
    const place *p = &c->target;
    set_loud(b);
    b->role = RUNS;
    b->next_change = c->changes;
    set_alarm(d);
    if (!dbg_focus(d, p->warp == w->index ? w : &w->block->warps[p->warp], p->lane))
        return;
    dbg_renew_watches(d, w, true);
    if (c->uncounted)
        fprintf(d->out, "Hits have not gone back: there were more than %d.\n", DBG_MOST_HITS);
    d->editor.why = p->reason;
    d->editor.number = p->number;
    if (p->reason == DBG_BY_BREAK || p->reason == DBG_BY_FUNCTION)
        dbg_hold_at_break(d, p->number);
    else
        dbg_hold(d, p->why);
}

bool dbg_back_passes(vg_debug *d, enum dbg_phase phase, warp *w) {
    dbg_back *b = d->back;
    const common *c = b->common;
    b->at = (dbg_moment){vg_inspect_ops(d->in), phase};
    if (b->role == RUNS)
        return false;
    if (b->role == LOOKS) {
        if (dbg_take_interrupt())
            end_look(b, true);
        if (!dbg_is_before(b->at, c->now))
            end_look(b, false);
        if (!b->renewed || b->seen_block != w->block->linear)
            dbg_renew_watches(d, w, !b->renewed);
        b->renewed = true;
        b->seen_block = w->block->linear;
        return false;
    }
    if (b->at.op == c->target.when.op && phase == c->target.when.phase)
        arrive(d, w);
    return true;
}

bool dbg_back_notes(vg_debug *d, const char *why, enum dbg_reason reason, int number) {
    const dbg_back *b = d->back;
    common *c = b->common;
    if (b->role != LOOKS)
        return false;
    if (!dbg_is_before(b->at, c->now))
        return true;
    place *p = &c->ring[c->found++ % c->times];
    p->when = b->at;
    p->block = d->block;
    p->warp = d->warp_index;
    p->lane = d->lane;
    snprintf(p->why, sizeof p->why, "%s", why);
    p->reason = reason;
    p->number = number;
    d->going_line = d->at.line; /* the line that goes on behind a call is not another */
    d->going_file = d->at.file;
    d->going_deeper = false;
    return true;
}

void dbg_back_hit(vg_debug *d, dbg_break *b) {
    if (d->back->role == LOOKS)
        return;
    b->hits++;
    dbg_hits_note(d->back->hits, d->back->at, b);
}

uint64_t dbg_back_hit_number(const vg_debug *d, const dbg_break *b) {
    return dbg_hits_number(d->back->hits, d->back->at, b->number);
}

bool dbg_back_looks(const vg_debug *d) {
    return d->back->role == LOOKS;
}

bool dbg_back_follows(const vg_debug *d) {
    return d->back->role == LOOKS && d->going != DBG_FREE;
}

bool dbg_back_needs(const vg_debug *d, const block *b, uint32_t *warps) {
    const common *c = d->back->common;
    const bool looks = d->back->role == LOOKS;
    if (d->back->role == RUNS || (looks && d->going == DBG_FREE))
        return false;
    const uint64_t in = looks ? c->block : c->target.block;
    *warps = b->linear == in ? 1u << (looks ? c->warp : c->target.warp) : 0;
    return true;
}

bool dbg_back_is_away(const vg_debug *d) {
    return d->back->role != RUNS;
}

void dbg_back_ended(vg_debug *d) {
    dbg_back *b = d->back;
    const place *p = &b->common->target;
    if (b->role == LOOKS)
        end_look(b, false);
    b->at = the_end;
    if (b->role != RETURNS)
        return;
    set_loud(b);
    b->role = RUNS;
    fprintf(d->out, "%s\n",
            p->when.op == the_end.op
                ? p->why
                : "The kernel ran otherwise this time, and has ended: what it computes depends on "
                  "more than its memory.");
    dbg_flush(d);
}

/* ---- going back ---- */

/* Sends an order to a copy, and waits until it is carried out. False: the copy is gone. */
static bool order(const copy *to, char what, int *status) {
    below = to->pid;
    const bool ok =
        dbg_send_all(to->line, &what, 1) && dbg_receive_all(to->line, status, sizeof *status);
    below = 0;
    return ok;
}

/* What looking has found. */
typedef struct sight {
    place target;
    int from; /* a copy before it */
} sight;

/* Nothing was found: what is said of it. */
static const char *why_not_further(const common *c) {
    if (c->how == DBG_FINISH)
        return "The thread is in the kernel itself, which no function has called.";
    if (c->how != DBG_FREE)
        return "The thread has begun here: nothing of it was before.";
    return c->launches > 1
               ? "No breakpoint was hit before in this kernel: this is where it was. Earlier "
                 "kernels are gone: to look at one, set a breakpoint in it, and run."
               : "No breakpoint was hit before: this is where it was.";
}

/* The place to go back to: looked for from the last copy on, then from the one before. Where there
 * are not so many places, the earliest; where there is none, here. */
static void look(const dbg_back *b, const place *here, sight *to) {
    common *c = b->common;
    int from = b->copies - 1, status;
    while (from > 0 && b->copy[from].op >= c->now.op)
        from--;
    *to = (sight){*here, from};
    snprintf(to->target.why, sizeof to->target.why, "%s", why_not_further(c));
    for (c->interrupted = false; from >= 0; from--) {
        c->found = 0;
        if (!order(&b->copy[from], 'l', &status) || c->interrupted)
            break;
        if (c->found > 0)
            *to = (sight){c->ring[c->found >= c->times ? c->found % c->times : 0], from};
        if (c->found >= c->times)
            return;
        c->times -= c->found;
        c->now = (dbg_moment){b->copy[from].op, DBG_AT_LINE};
    }
    if (c->interrupted) {
        *to = (sight){*here, b->copies - 1};
        snprintf(to->target.why, sizeof to->target.why, "Interrupted: this is where it was.");
    }
}

/* This process only waits from now on, and ends as the program does. */
static _Noreturn void coordinate(dbg_back *b, place here) {
    common *c = b->common;
    for (int status = 0;;) {
        sight s;
        look(b, &here, &s);
        c->target = s.target;
        int kept = 0;
        while (kept < c->changes && c->change[kept].before <= c->target.when.op)
            kept++;
        for (int i = b->copies - 1; kept < c->changes && i > s.from; i--)
            drop_copy(b, i); /* what is undone has been done in them */
        c->changes = kept;
        c->uncounted = !dbg_hits_go_back(b->hits, c->target.when, c->list, c->target.number);
        c->again = false; /* not behind the order: the program may be quicker than this line */
        if (!order(&b->copy[s.from], 'r', &status))
            _exit(125);
        if (!c->again) {
            while (b->copies > 0)
                drop_copy(b, b->copies - 1);
            end_as(status);
        }
        here = c->target; /* the program that has ended has said where it was */
    }
}

void dbg_do_back(vg_debug *d, enum dbg_going how, const char *args) {
    dbg_back *b = d->back;
    common *c = b->common;
    const uint64_t times = strtoull(args, NULL, 10);
    if (!b->in_launch || (d->warp == NULL && how != DBG_FREE)) {
        dbg_wrong(d, !d->started ? "the program does not run yet: run starts it"
                     : threads() > b->threads
                         ? "the program has several threads, and only programs of one can be taken "
                           "back"
                         : "no kernel is held: there is nothing to go back through");
        return;
    }
    if (times > MOST_TIMES) {
        dbg_wrong(d, "at most %d at once", MOST_TIMES);
        return;
    }
    hand_over(d, c);
    c->how = how;
    if (d->warp == NULL) /* the kernel has ended */
        b->at = the_end;
    c->now = b->at;
    c->times = times > 0 ? times : 1;
    c->launches = d->launches;
    c->block = d->block;
    c->warp = d->warp_index;
    c->lane = d->lane;
    c->depth = d->num_frames - d->selected;
    place here = {.when = b->at, .block = d->block, .warp = d->warp_index, .lane = d->lane};
    dbg_flush(d);
    if (!dbg_say(d->socket, 'g', "", 0))
        _exit(125);
    if (b->from_copy) {
        c->target = here;
        c->again = true;
        _exit(0);
    }
    coordinate(b, here);
}
