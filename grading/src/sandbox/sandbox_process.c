/* sandbox_process.c: finding, measuring and ending processes, by /proc (see sandbox_parts.h). */
#include "grading/src/sandbox/sandbox_parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* These two also run in the keeper, between fork and exec: no memory from the heap. */

void each_process(bool (*each)(pid_t pid, void *data), void *data) {
    struct entry { /* the kernel's linux_dirent64 */
        uint64_t inode, offset;
        uint16_t length;
        uint8_t type;
        char name[];
    };
    _Alignas(8) char bytes[8192];
    const int dir = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool more = dir >= 0;
    while (more) {
        const long n = syscall(SYS_getdents64, dir, bytes, sizeof bytes);
        more = n > 0;
        for (long at = 0; more && at < n;) {
            const struct entry *e = (const struct entry *)(const void *)(bytes + at);
            if (isdigit((unsigned char)e->name[0]))
                more = each((pid_t)strtol(e->name, NULL, 10), data);
            at += e->length;
        }
    }
    if (dir >= 0)
        close(dir);
}

/* The beginning of /proc/PID/FILE as a string; false when there is none. */
static bool read_about(pid_t pid, const char *file, char *into, size_t room) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, into, room - 1) : -1;
    if (fd >= 0)
        close(fd);
    into[n > 0 ? n : 0] = '\0';
    return n > 0;
}

long process_field(pid_t pid, const char *name) {
    char text[4096];
    if (!read_about(pid, "status", text, sizeof text))
        return -1;
    const size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            return strtol(line + length + 1, NULL, 10);
    }
    return -1;
}

/* ---- Everything below a process ---- */

/* More processes than any account may run: what is beyond is not counted. */
#define MOST_PROCESSES 32768

struct census {
    struct census_entry {
        pid_t pid, parent;
        char state;
        long threads;
        uint64_t pages;
        uint64_t user, system; /* ticks, with those of the children it has waited for */
    } * seen;
    size_t count, room;
};

/* The fields of /proc/PID/stat after the name, which may hold anything: so look from its last
 * bracket. */
static bool read_stat(const char *line, struct census_entry *e) {
    const char *after = strrchr(line, ')');
    long parent, threads;
    unsigned long long user, system, user_below, system_below;
    unsigned long pages; /* the 24th field of all, the 22nd after the name */
    if (!after || sscanf(after + 1,
                         " %c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d "
                         "%ld %*d %*d %*u %lu",
                         &e->state, &parent, &user, &system, &user_below, &system_below, &threads,
                         &pages) != 8)
        return false;
    e->parent = (pid_t)parent;
    e->threads = threads;
    e->pages = pages;
    e->user = user + user_below;
    e->system = system + system_below;
    return true;
}

static bool count_process(pid_t pid, void *data) {
    struct census *c = data;
    char line[1024];
    struct census_entry e = {.pid = pid};
    if (!read_about(pid, "stat", line, sizeof line) || !read_stat(line, &e))
        return true;
    if (c->count == c->room) {
        const size_t room = c->room ? 2 * c->room : 256;
        void *more = realloc(c->seen, room * sizeof *c->seen);
        if (!more)
            return false;
        c->seen = more;
        c->room = room;
    }
    c->seen[c->count++] = e;
    return c->count < MOST_PROCESSES;
}

/* R: running or ready to. D: waiting for a disk; or for a child of its own (vfork), and then that
 * one's state counts. */
static bool state_is_busy(char state, bool parent) {
    return state == 'R' || (state == 'D' && !parent);
}

/* A process is told by its first thread: does another one work? */
static bool thread_is_busy(pid_t pid, bool parent) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    bool busy = false;
    for (struct dirent *entry; threads && !busy && (entry = readdir(threads)) != NULL;) {
        char file[48], line[1024];
        struct census_entry e;
        snprintf(file, sizeof file, "task/%.20s/stat", entry->d_name);
        busy = isdigit((unsigned char)entry->d_name[0]) &&
               read_about(pid, file, line, sizeof line) && read_stat(line, &e) &&
               state_is_busy(e.state, parent);
    }
    if (threads)
        closedir(threads);
    return busy;
}

static int64_t milliseconds(uint64_t ticks) {
    const long each = sysconf(_SC_CLK_TCK);
    return each > 0 ? (int64_t)(ticks * 1000 / (uint64_t)each) : 0;
}

struct process_use process_use_below(pid_t pid) {
    struct census c = {0};
    struct process_use use = {0};
    each_process(count_process, &c);
    const long page = sysconf(_SC_PAGESIZE);
    uint64_t user = 0, system = 0;
    size_t *below = calloc(c.count + 1, sizeof *below), found = 0;
    for (size_t p = 0; below && p < c.count && found == 0; p++)
        if (c.seen[p].pid == pid)
            below[found++] = p;
    /* Breadth first; what has been found is struck off, so that no process counts twice. */
    for (size_t i = 0; i < found; i++) {
        const struct census_entry *e = &c.seen[below[i]];
        const size_t before = found;
        for (size_t p = 0; p < c.count; p++) {
            if (c.seen[p].parent != e->pid || c.seen[p].pid == pid)
                continue;
            c.seen[p].parent = -1;
            use.processes++;
            use.resident_bytes += c.seen[p].pages * (uint64_t)page;
            below[found++] = p;
        }
        const bool parent = found > before && i > 0;
        user += e->user;
        system += e->system;
        use.busy = use.busy || state_is_busy(e->state, parent) ||
                   (e->threads > 1 && thread_is_busy(e->pid, parent));
    }
    free(below);
    free(c.seen);
    use.user = milliseconds(user);
    use.system = milliseconds(system);
    return use;
}

/* ---- Ending ---- */

void sandbox_adopt_orphans(void) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool kill_child(pid_t pid, void *data) {
    const pid_t self = *(pid_t *)data;
    if (process_field(pid, "PPid") == (long)self)
        kill(pid, SIGKILL);
    return true;
}

int sandbox_kill_all(void) {
    pid_t self = getpid();
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        pid_t reaped;
        while ((reaped = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
            ;
        if (reaped < 0 && errno == ECHILD)
            return 0;
        each_process(kill_child, &self);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > 1)
            break;
        usleep(1000);
    }
    int left = 0;
    while (waitpid(-1, NULL, WNOHANG | __WALL) >= 0 && left < 1000)
        left++;
    return left ? left : 1;
}
