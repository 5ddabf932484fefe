/* child.c: starting, watching and ending one child process (see child.h). */
#include "grading/src/child.h"

#include "grading/src/scratch.h"
#include "grading/src/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t child_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

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

/* In the child: closes every descriptor above 2 except two. */
static void close_others(int low, int high) {
    for (int fd = 3; fd < high; fd++) {
        if (fd != low)
            close(fd);
    }
    extern int close_range(unsigned first, unsigned last, int flags) __attribute__((weak));
    if (close_range && close_range((unsigned)high + 1, ~0u, 0) == 0)
        return;
    const long most = sysconf(_SC_OPEN_MAX);
    for (long fd = high + 1; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        close((int)fd);
}

/* In the child, between fork and exec: ends are /dev/null, out, error, channel (or -1). Reports a
 * failed exec through `report`, which closes by itself when exec succeeds. */
static void become(const struct child_options *o, const struct sandbox_limits *limits, pid_t grader,
                   const int ends[4], int report) {
    static const int reset[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        signal(reset[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    sandbox_enter(limits, grader);
    /* First out of the way of the numbers given out below, whatever the grader inherited. */
    int high[4];
    for (int i = 0; i < 4; i++)
        high[i] = ends[i] >= 0 ? fcntl(ends[i], F_DUPFD_CLOEXEC, CHANNEL_NUMBER_LIMIT) : -1;
    const int safe_report = fcntl(report, F_DUPFD_CLOEXEC, CHANNEL_NUMBER_LIMIT);
    bool ok = safe_report >= 0;
    if (ok)
        report = safe_report;
    ok = ok && dup2(high[0], 0) >= 0 && dup2(high[1], 1) >= 0 && dup2(high[2], 2) >= 0;
    if (o->channel_number > 0)
        ok = ok && dup2(high[3], o->channel_number) >= 0;
    ok = ok && chdir(o->folder) == 0;
    if (ok) {
        close_others(o->channel_number, report);
        execvpe(o->argv[0], (char *const *)o->argv, (char *const *)o->environment);
    }
    const int error = errno;
    if (write(report, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

static void close_all(int *fds, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

/* The descriptors both sides need: [0] /dev/null, [1..2] out, [3..4] error, [5..6] report,
 * [7..8] channel. In each pair the first is ours. */
static bool open_ends(int fds[9], bool channel) {
    int pair[2];
    if ((fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
        return false;
    for (int i = 1; i <= 5; i += 2) {
        if (pipe2(pair, O_CLOEXEC) != 0)
            return false;
        fds[i] = pair[0];
        fds[i + 1] = pair[1];
    }
    if (channel) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            return false;
        fds[7] = pair[0];
        fds[8] = pair[1];
    }
    return true;
}

bool child_start(struct child *c, const struct child_options *o, char *why, size_t room,
                 bool *missing) {
    memset(c, 0, sizeof *c);
    c->pid = -1;
    c->out = c->error = c->channel = -1;
    *missing = false;
    int fds[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    const struct sandbox_limits limits = sandbox_prepare(o->limits);
    const pid_t grader = getpid();
    if (!open_ends(fds, o->channel_number > 0) || (c->pid = fork()) < 0) {
        snprintf(why, room, "cannot start a process: %s", strerror(errno));
        close_all(fds, 9);
        return false;
    }
    if (c->pid == 0) {
        const int ends[4] = {fds[0], fds[2], fds[4], fds[8]};
        become(o, &limits, grader, ends, fds[6]);
    }
    int theirs[] = {fds[0], fds[2], fds[4], fds[6], fds[8]};
    close_all(theirs, 5);
    int error = 0;
    ssize_t got;
    while ((got = read(fds[5], &error, sizeof error)) < 0 && errno == EINTR)
        ;
    close(fds[5]);
    if (got != 0) {
        *missing = got == sizeof error && (error == ENOENT || error == ENOTDIR);
        snprintf(why, room, "cannot run %s: %s", o->argv[0], strerror(error));
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        c->pid = -1;
        int ours[] = {fds[1], fds[3], fds[7]};
        close_all(ours, 3);
        return false;
    }
    c->out = fds[1];
    c->error = fds[3];
    c->channel = fds[7];
    fcntl(c->out, F_SETFL, O_NONBLOCK);
    fcntl(c->error, F_SETFL, O_NONBLOCK);
    if (c->channel >= 0)
        fcntl(c->channel, F_SETFL, O_NONBLOCK);
    return true;
}

/* Reads what is there into the capture; closes the descriptor at its end. A bounded number of
 * reads, so that a flood cannot keep the grader from its clock. */
static void drain(int *fd, struct capture *into) {
    char bytes[16384];
    for (int i = 0; *fd >= 0 && i < 16; i++) {
        const ssize_t n = read(*fd, bytes, sizeof bytes);
        if (n > 0) {
            capture_add(into, bytes, (size_t)n);
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            close(*fd);
            *fd = -1;
        } else {
            return;
        }
    }
}

static void notice_end(struct child *c) {
    if (!c->ended && c->pid > 0 && waitpid(c->pid, &c->wait_status, WNOHANG) == c->pid)
        c->ended = true;
}

short child_step(struct child *c, short events, int64_t milliseconds) {
    /* A grandchild may hold our descriptors open after the child has died: look every 20 ms. */
    const int wait = milliseconds < 0 ? 0 : milliseconds < 20 ? (int)milliseconds : 20;
    struct pollfd polled[3] = {{.fd = c->out, .events = POLLIN},
                               {.fd = c->error, .events = POLLIN},
                               {.fd = c->channel, .events = events}};
    const int ready = poll(polled, 3, wait);
    if (ready > 0) {
        if (polled[0].revents)
            drain(&c->out, &c->output);
        if (polled[1].revents)
            drain(&c->error, &c->errors);
    }
    notice_end(c);
    return ready > 0 ? polled[2].revents : 0;
}

int64_t child_starved(const struct child *c) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)c->pid);
    DIR *threads = opendir(path);
    int64_t longest = 0;
    if (!threads)
        return 0;
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s/schedstat", path, entry->d_name);
        FILE *f = fopen(file, "re");
        unsigned long long ran, waited; /* nanoseconds */
        if (f && fscanf(f, "%llu %llu", &ran, &waited) == 2 &&
            (int64_t)(waited / 1000000) > longest)
            longest = (int64_t)(waited / 1000000);
        if (f)
            fclose(f);
    }
    closedir(threads);
    return longest;
}

bool child_floods(const struct child *c) {
    return c->output.head_bytes + c->output.tail_bytes > CAPTURE_LIMIT ||
           c->errors.head_bytes + c->errors.tail_bytes > CAPTURE_LIMIT;
}

bool child_wait(struct child *c, int64_t deadline) {
    while (!c->ended && !child_floods(c) && !interrupt_noted()) {
        const int64_t left = deadline - child_clock();
        if (left <= 0)
            return false;
        child_step(c, 0, left);
    }
    return c->ended;
}

void child_finish(struct child *c) {
    if (c->pid > 0) {
        kill(-c->pid, SIGKILL);
        if (!c->ended) {
            kill(c->pid, SIGKILL);
            while (waitpid(c->pid, &c->wait_status, 0) < 0 && errno == EINTR)
                ;
            c->ended = true;
        }
        sandbox_kill_all();
    }
    drain(&c->out, &c->output);
    drain(&c->error, &c->errors);
    close_all(&c->out, 1);
    close_all(&c->error, 1);
    close_all(&c->channel, 1);
    c->pid = -1;
}
