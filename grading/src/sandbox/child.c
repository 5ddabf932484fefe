/* child.c: starting, watching and ending one child process (see child.h). What happens between fork
 * and exec is in sandbox_keeper.c. */
#include "grading/src/sandbox/child.h"

#include "grading/src/base/clock.h"
#include "grading/src/base/progress.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/text.h"
#include "grading/src/sandbox/sandbox_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void capture_add(struct capture *c, const char *bytes, size_t n) {
    const size_t room = CAPTURE_HALF - c->head_bytes;
    const size_t first = n < room ? n : room;
    memcpy(c->head + c->head_bytes, bytes, first);
    c->head_bytes += first;
    for (size_t i = first; i < n;) {
        const size_t at = c->tail_bytes % CAPTURE_HALF;
        const size_t part = n - i < CAPTURE_HALF - at ? n - i : CAPTURE_HALF - at;
        memcpy(c->tail + at, bytes + i, part);
        c->tail_bytes += part;
        i += part;
    }
}

char *capture_text(const struct capture *c) {
    struct text t = {0};
    text_add_bytes(&t, c->head, c->head_bytes);
    size_t from = 0;
    if (c->tail_bytes > CAPTURE_HALF) {
        from = c->tail_bytes - CAPTURE_HALF;
        text_addf(&t, "\n... %zu bytes left out ...\n", from);
    }
    for (size_t i = from; i < c->tail_bytes; i++)
        text_add_bytes(&t, &c->tail[i % CAPTURE_HALF], 1);
    return t.data ? t.data : xstrdup("");
}

static void close_all(int *fds, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

/* The descriptors both sides need, by pairs of which the first is ours; -1 where there is none. */
struct ends {
    int in; /* /dev/null */
    int out[2], error[2], report[2], status[2];
    int channel[2];
    int lifeline[2]; /* here the second is ours */
};

static void close_ends(struct ends *e) {
    close_all(&e->in, 1);
    int *const pairs[] = {e->out, e->error, e->report, e->status, e->channel, e->lifeline};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        close_all(pairs[i], 2);
}

static bool open_ends(struct ends *e, bool channel) {
    *e = (struct ends){-1, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    e->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return e->in >= 0 && pipe2(e->out, O_CLOEXEC) == 0 && pipe2(e->error, O_CLOEXEC) == 0 &&
           pipe2(e->report, O_CLOEXEC) == 0 && pipe2(e->status, O_CLOEXEC) == 0 &&
           pipe2(e->lifeline, O_CLOEXEC) == 0 &&
           (!channel || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, e->channel) == 0);
}

static int take(int *fd) {
    const int taken = *fd;
    *fd = -1;
    return taken;
}

/* Why the child did not start, in words. */
static void explain(const struct keeper_report *r, const struct child_options *o, char *why,
                    size_t room) {
    static const char *const steps[] = {
        [STEP_MAP] = "the user namespace", [STEP_MOUNT] = "the mount namespace",
        [STEP_PROC] = "its /proc",         [STEP_ACCOUNT] = "the account of its own",
        [STEP_LANDLOCK] = "Landlock",      [STEP_SECCOMP] = "the system-call filter",
    };
    const size_t step = (size_t)r->step;
    if (r->step == STEP_EXEC)
        snprintf(why, room, "cannot run %s: %s", o->argv[0], strerror(r->error));
    else if (r->step == STEP_FOLDER)
        snprintf(why, room, "cannot work in %s: %s", o->folder, strerror(r->error));
    else if (step < sizeof steps / sizeof *steps && steps[step])
        snprintf(why, room, "a wall around %s fell: %s: %s", o->argv[0], steps[step],
                 strerror(r->error));
    else
        snprintf(why, room, "cannot start a process: %s", strerror(r->error));
}

/* The folder of a program that is named by its path. */
static char *folder_of(const char *program) {
    char *folder = xstrdup(program);
    char *slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = '\0';
        return folder;
    }
    free(folder);
    return NULL;
}

/* Hands everything to a keeper, and waits until the child has become its program. */
static bool start_keeper(struct child *c, const struct child_options *o, struct ends *e, char *why,
                         size_t room, bool *missing) {
    char *program = o->profile == SANDBOX_COMPILE ? NULL : folder_of(o->argv[0]);
    const struct keeper_job job = {.sandbox = o->sandbox,
                                   .profile = o->profile,
                                   .own = {.writable = o->writable, .program = program},
                                   .limits = limits_prepare(o->sandbox, o->limits),
                                   .argv = o->argv,
                                   .environment = o->environment,
                                   .folder = o->folder,
                                   .channel_number = o->channel_number,
                                   .passed_ids = o->passed_ids,
                                   .in = e->in,
                                   .out = e->out[1],
                                   .err = e->error[1],
                                   .channel = e->channel[1],
                                   .report = e->report[1],
                                   .status = e->status[1],
                                   .lifeline = e->lifeline[0]};
    c->keeper = keeper_start(&job);
    free(program);
    if (c->keeper < 0) {
        snprintf(why, room, "cannot start a process: %s", strerror(errno));
        return false;
    }
    int *const theirs[] = {&e->in,        &e->out[1],    &e->error[1],   &e->channel[1],
                           &e->report[1], &e->status[1], &e->lifeline[0]};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        close_all(theirs[i], 1);
    struct keeper_report report = {0};
    ssize_t got;
    while ((got = read(e->report[0], &report, sizeof report)) < 0 && errno == EINTR)
        ;
    if (got == 0)
        return true;
    *missing = report.step == STEP_EXEC && (report.error == ENOENT || report.error == ENOTDIR);
    explain(&report, o, why, room);
    close_all(&e->lifeline[1], 1);
    while (waitpid(c->keeper, NULL, 0) < 0 && errno == EINTR)
        ;
    c->keeper = -1;
    return false;
}

bool child_files(char *why, size_t room) {
    const rlim_t needed = KEEPER_FIRST_NUMBER + 64;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= needed)
        return true;
    files.rlim_cur = needed < files.rlim_max ? needed : files.rlim_max;
    if (files.rlim_cur == needed && setrlimit(RLIMIT_NOFILE, &files) == 0)
        return true;
    snprintf(why, room,
             "only %llu files may be open at a time here, and grading takes %llu (ulimit -n %llu)",
             (unsigned long long)files.rlim_max, (unsigned long long)needed,
             (unsigned long long)needed);
    return false;
}

bool child_start(struct child *c, const struct child_options *o, char *why, size_t room,
                 bool *missing) {
    memset(c, 0, sizeof *c);
    c->keeper = -1;
    c->out = c->error = c->channel = c->status = c->lifeline = -1;
    *missing = false;
    struct ends e;
    bool ok = open_ends(&e, o->channel_number > 0);
    if (!ok)
        snprintf(why, room, "cannot start a process: %s", strerror(errno));
    ok = ok && start_keeper(c, o, &e, why, room, missing);
    if (ok) {
        c->out = take(&e.out[0]);
        c->error = take(&e.error[0]);
        c->status = take(&e.status[0]);
        c->channel = take(&e.channel[0]);
        c->lifeline = take(&e.lifeline[1]);
        const int ours[] = {c->out, c->error, c->status, c->channel};
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            if (ours[i] >= 0)
                fcntl(ours[i], F_SETFL, O_NONBLOCK);
        c->limits = o->limits;
        c->writable = o->writable ? xstrdup(o->writable) : NULL;
        c->family = o->family;
        c->started = c->measured = c->looked = clock_now();
    }
    close_ends(&e);
    return ok;
}

/* What a pipe holds, if nobody has changed that. */
#define PIPE_BYTES 65536

/* Reads what is there into the capture; closes the descriptor at its end. A bounded number of
 * reads, so that a flood cannot keep the grader from its clock. True: so much was there that the
 * writer may have had to wait. */
static bool drain(int *fd, struct capture *into) {
    char bytes[16384];
    size_t sum = 0;
    for (int i = 0; *fd >= 0 && i < 16; i++) {
        const ssize_t n = read(*fd, bytes, sizeof bytes);
        if (n > 0) {
            capture_add(into, bytes, (size_t)n);
            sum += (size_t)n;
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            close(*fd);
            *fd = -1;
        } else {
            break;
        }
    }
    return sum >= PIPE_BYTES;
}

/* The child's end, as the keeper tells it; a keeper that is gone without a word was killed. */
static void notice_end(struct child *c) {
    if (c->ended || c->status < 0)
        return;
    int status;
    const ssize_t n = read(c->status, &status, sizeof status);
    if (n == (ssize_t)sizeof status) {
        c->wait_status = status;
        c->ended = true;
    } else if (n >= 0) {
        c->wait_status = SIGKILL;
        c->ended = true;
    }
}

/* ---- Limits on the child and its descendants together ---- */

/* Adds up a folder's files, at most to `most`: what lies deeper or is more counts as too much. */
static uint64_t folder_bytes(int parent, const char *name, int depth, uint64_t most) {
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return 0;
    DIR *dir = depth < 64 ? fdopendir(fd) : NULL;
    if (!dir) {
        close(fd);
        return most;
    }
    uint64_t sum = 0;
    for (struct dirent *entry; sum < most && (entry = readdir(dir)) != NULL;) {
        struct stat st;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        sum += (uint64_t)st.st_blocks * 512 + 256; /* an empty file takes its entry */
        if (S_ISDIR(st.st_mode))
            sum += folder_bytes(dirfd(dir), entry->d_name, depth + 1, most - sum);
    }
    closedir(dir);
    return sum;
}

static enum child_excess excess_now(const struct child *c, const struct process_use *use) {
    const struct sandbox_limits *l = &c->limits;
    if (l->folder_bytes && c->writable &&
        folder_bytes(AT_FDCWD, c->writable, 0, l->folder_bytes + 1) > l->folder_bytes)
        return EXCESS_FOLDER;
    if (l->total_bytes && use->resident_bytes > l->total_bytes)
        return EXCESS_MEMORY;
    return l->new_processes && use->processes > l->new_processes ? EXCESS_PROCESSES : EXCESS_NONE;
}

/* Adds what it did with the time since the last look. */
static void add_usage(struct child *c, const struct process_use *use, int64_t elapsed) {
    const struct look look = {.elapsed = elapsed,
                              .busy = use->busy,
                              .apart = use->processes > 1 && !c->family,
                              .kept = c->kept};
    if (use->user > c->used.user)
        c->used.user = use->user;
    if (use->system > c->used.system)
        c->used.system = use->system;
    c->used.idle += patience_idle(&look);
}

/* Looks at what a child and all it started use, and ends one that has grown too large. */
static void measure(struct child *c) {
    const int64_t now = clock_now(), elapsed = now - c->measured;
    if (c->ended || c->excess || elapsed < PATIENCE_LOOK)
        return;
    c->measured = now;
    const struct process_use use = process_use_below(c->keeper);
    add_usage(c, &use, elapsed);
    c->kept = false;
    c->excess = excess_now(c, &use);
    if (c->excess)
        close_all(&c->lifeline, 1);
}

const char *child_excess_text(const struct child *c, char *into, size_t room) {
    const double gb = 1 << 30, mb = 1 << 20;
    switch (c->excess) {
    case EXCESS_MEMORY:
        snprintf(into, room, "more than %g GB of memory", (double)c->limits.total_bytes / gb);
        return into;
    case EXCESS_FOLDER:
        snprintf(into, room, "more than %g MB of files", (double)c->limits.folder_bytes / mb);
        return into;
    case EXCESS_PROCESSES:
        snprintf(into, room, "more than %llu processes",
                 (unsigned long long)c->limits.new_processes);
        return into;
    case EXCESS_NONE:
    default: return NULL;
    }
}

short child_step(struct child *c, short events, int64_t milliseconds) {
    /* A grandchild may hold our descriptors open after the child has died: look every 20 ms. */
    const int wait = milliseconds < 0 ? 0 : milliseconds < 20 ? (int)milliseconds : 20;
    struct pollfd polled[] = {{.fd = c->out, .events = POLLIN},
                              {.fd = c->error, .events = POLLIN},
                              {.fd = c->channel, .events = events},
                              {.fd = c->ended ? -1 : c->status, .events = POLLIN}};
    const int ready = poll(polled, sizeof polled / sizeof *polled, wait);
    const int64_t away = clock_now() - c->looked;
    const bool channel = ready > 0 && (polled[2].revents & (POLLIN | POLLOUT));
    bool printed = false; /* more than we read */
    if (ready > 0 && polled[0].revents)
        printed |= drain(&c->out, &c->output);
    if (ready > 0 && polled[1].revents)
        printed |= drain(&c->error, &c->errors);
    c->kept |= patience_our_turn(away, channel, printed);
    notice_end(c);
    measure(c);
    progress_tick();
    c->looked = clock_now();
    return ready > 0 ? polled[2].revents : 0;
}

_Static_assert(CHANNEL_NUMBER_LIMIT == KEEPER_FIRST_NUMBER, "channels lie below the rest");

bool child_floods(const struct child *c) {
    return c->output.head_bytes + c->output.tail_bytes > CAPTURE_LIMIT ||
           c->errors.head_bytes + c->errors.tail_bytes > CAPTURE_LIMIT;
}

enum patience_end child_wait(struct child *c, const struct patience *p) {
    const struct usage before = c->used;
    const int64_t start = clock_now();
    enum patience_end end = PATIENCE_LASTS;
    while (!c->ended && !child_floods(c) && !interrupt_noted() && end == PATIENCE_LASTS) {
        child_step(c, 0, PATIENCE_LOOK);
        const struct usage used = usage_since(&c->used, &before);
        end = patience_end(p, &used, clock_now() - start);
    }
    return c->ended ? PATIENCE_LASTS : end;
}

void child_finish(struct child *c) {
    if (c->keeper > 0) {
        close_all(&c->lifeline, 1);
        /* The keeper ends by itself, in the worst case after the second that sandbox_kill_all
         * takes. */
        const int64_t deadline = clock_now() + 3000;
        pid_t gone;
        while ((gone = waitpid(c->keeper, NULL, WNOHANG)) == 0 && clock_now() < deadline) {
            struct pollfd polled = {.fd = c->status, .events = 0}; /* ends with the keeper */
            poll(&polled, 1, 1);
        }
        notice_end(c);
        if (gone == 0)
            kill(c->keeper, SIGKILL);
        if (!c->ended) {
            c->wait_status = SIGKILL;
            c->ended = true;
        }
        sandbox_kill_all();
    }
    (void)drain(&c->out, &c->output);
    (void)drain(&c->error, &c->errors);
    int *const all[] = {&c->out, &c->error, &c->channel, &c->status, &c->lifeline};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        close_all(all[i], 1);
    free(c->writable);
    c->writable = NULL;
    c->keeper = -1;
}
