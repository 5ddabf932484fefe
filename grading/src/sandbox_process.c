/* sandbox_process.c: finding, measuring and ending processes, by /proc (see sandbox_parts.h). */
#include "grading/src/sandbox_parts.h"

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
    char path[64];
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

/* --- Everything below a process ----------------------------------------------------------------
 */

/* More processes than any account may run: what is beyond is not counted. */
#define MOST_PROCESSES 32768

struct census {
    struct {
        pid_t pid, parent;
        uint64_t pages;
    } * seen;
    size_t count, room;
};

static bool count_process(pid_t pid, void *data) {
    struct census *c = data;
    char line[1024];
    if (!read_about(pid, "stat", line, sizeof line))
        return true;
    /* "pid (name) state ppid ...": the name may hold anything, so look from its last bracket. */
    const char *after = strrchr(line, ')');
    long parent;
    unsigned long pages; /* the 24th field of all, the 22nd after the name */
    if (!after || sscanf(after + 1,
                         " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                         "%*d %*d %*u %*u %lu",
                         &parent, &pages) != 2)
        return true;
    if (c->count == c->room) {
        const size_t room = c->room ? 2 * c->room : 256;
        void *more = realloc(c->seen, room * sizeof *c->seen);
        if (!more)
            return false;
        c->seen = more;
        c->room = room;
    }
    c->seen[c->count].pid = pid;
    c->seen[c->count].parent = (pid_t)parent;
    c->seen[c->count++].pages = pages;
    return c->count < MOST_PROCESSES;
}

struct process_use process_use_below(pid_t pid) {
    struct census c = {0};
    struct process_use use = {0};
    each_process(count_process, &c);
    const long page = sysconf(_SC_PAGESIZE);
    pid_t *below = calloc(c.count + 1, sizeof *below);
    size_t found = 0;
    if (below)
        below[found++] = pid;
    /* Breadth first; what has been found is struck off, so that no process counts twice. */
    for (size_t i = 0; i < found; i++) {
        for (size_t p = 0; p < c.count; p++) {
            if (c.seen[p].parent != below[i] || c.seen[p].pid == pid)
                continue;
            c.seen[p].parent = -1;
            use.processes++;
            use.resident_bytes += c.seen[p].pages * (uint64_t)page;
            below[found++] = c.seen[p].pid;
        }
    }
    free(below);
    free(c.seen);
    return use;
}

struct starvation {
    pid_t parent;
    int64_t longest;
};

/* What a thread has waited for a processor, and what the kernel did for it (pages, locks), in ms: where many
 * graders run at a time, both are the machine's and not the program's. */
static int64_t held_up(const char *thread) {
    char path[512], stat[1024];
    unsigned long long ran, waited = 0, user, system = 0; /* nanoseconds; ticks */
    snprintf(path, sizeof path, "%s/schedstat", thread);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%llu %llu", &ran, &waited) != 2)
        waited = 0;
    if (f)
        fclose(f);
    snprintf(path, sizeof path, "%s/stat", thread);
    f = fopen(path, "re");
    const size_t n = f ? fread(stat, 1, sizeof stat - 1, f) : 0;
    stat[n] = '\0';
    if (f)
        fclose(f);
    const char *after = strrchr(stat, ')'); /* the name may hold anything */
    if (!after || sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2)
        system = 0;
    const long ticks = sysconf(_SC_CLK_TCK);
    return (int64_t)(waited / 1000000) + (ticks > 0 ? (int64_t)system * 1000 / ticks : 0);
}

static bool look_at_child(pid_t pid, void *data) {
    struct starvation *s = data;
    if (process_field(pid, "PPid") != (long)s->parent)
        return true;
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    if (!threads)
        return true;
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        char thread[400];
        snprintf(thread, sizeof thread, "%s/%s", path, entry->d_name);
        const int64_t lost = held_up(thread);
        if (lost > s->longest)
            s->longest = lost;
    }
    closedir(threads);
    return true;
}

int64_t process_starved_below(pid_t pid) {
    struct starvation s = {.parent = pid};
    each_process(look_at_child, &s);
    return s.longest;
}

/* --- Ending ------------------------------------------------------------------------------------
 */

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
