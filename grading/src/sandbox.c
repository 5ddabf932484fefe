/* sandbox.c: limits of a child process, and the end of its descendants (see sandbox.h). */
#include "grading/src/sandbox.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Calls `each` with every process id in /proc until it returns false. */
static void for_each_process(bool (*each)(pid_t pid, void *data), void *data);

/* One "Name: value" number of /proc/PID/status, or -1. */
static long status_field(pid_t pid, const char *name) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    long value = -1;
    const size_t length = strlen(name);
    while (value < 0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            value = strtol(line + length + 1, NULL, 10);
    }
    fclose(file);
    return value;
}

static void for_each_process(bool (*each)(pid_t pid, void *data), void *data) {
    DIR *dir = opendir("/proc");
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (isdigit((unsigned char)entry->d_name[0]) &&
            !each((pid_t)strtol(entry->d_name, NULL, 10), data))
            break;
    }
    closedir(dir);
}

static bool count_threads(pid_t pid, void *data) {
    uint64_t *threads = data;
    if (status_field(pid, "Uid") == (long)getuid()) {
        const long n = status_field(pid, "Threads");
        *threads += n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

struct sandbox_limits sandbox_prepare(struct sandbox_limits wanted) {
    struct sandbox_limits prepared = wanted;
    /* RLIMIT_NPROC counts all threads of the user, a desktop's included: a bare number here would
     * fail on some machines and allow too much on others. It never binds root. */
    if (wanted.new_processes > 0 && getuid() != 0) {
        uint64_t running = 0;
        for_each_process(count_threads, &running);
        prepared.new_processes = running + wanted.new_processes;
    } else {
        prepared.new_processes = 0;
    }
    return prepared;
}

/* Lowers a limit, never beyond what the hard limit allows. */
static void lower(int resource, uint64_t value) {
    struct rlimit limit;
    if (value == 0 || getrlimit(resource, &limit) != 0)
        return;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value)
        value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    setrlimit(resource, &limit);
}

void sandbox_enter(const struct sandbox_limits *prepared, pid_t grader) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != grader) /* the grader died before the line above took effect */
        _exit(127);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    /* When memory runs out, this process goes, not the grader. */
    const int oom = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (oom >= 0) {
        if (write(oom, "1000", 4) != 4) {
            /* Then the system chooses as it likes. */
        }
        close(oom);
    }
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    lower(RLIMIT_CPU, prepared->cpu_seconds);
    struct rlimit cpu; /* SIGXCPU, which says why, must come before SIGKILL, which doesn't */
    if (getrlimit(RLIMIT_CPU, &cpu) == 0 && cpu.rlim_cur != RLIM_INFINITY && cpu.rlim_cur > 1) {
        cpu.rlim_cur--;
        setrlimit(RLIMIT_CPU, &cpu);
    }
    lower(RLIMIT_DATA, prepared->data_bytes);
    lower(RLIMIT_FSIZE, prepared->file_bytes);
    lower(RLIMIT_NPROC, prepared->new_processes);
    /* Namespaces, Landlock, seccomp: here, before exec. */
}

void sandbox_adopt_orphans(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool kill_child(pid_t pid, void *data) {
    const pid_t self = *(pid_t *)data;
    if (status_field(pid, "PPid") == (long)self)
        kill(pid, SIGKILL);
    return true;
}

int sandbox_kill_all(void) {
    pid_t self = getpid();
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        pid_t reaped;
        while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (reaped < 0 && errno == ECHILD)
            return 0;
        for_each_process(kill_child, &self);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > 1)
            break;
        usleep(1000);
    }
    int left = 0;
    while (waitpid(-1, NULL, WNOHANG) >= 0 && left < 1000)
        left++;
    return left ? left : 1;
}
