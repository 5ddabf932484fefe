/* processes.c: see processes.h. */
#include "vgpu/src/debug/processes.h"

#include "vgpu/src/debug/back.h"
#include "vgpu/src/debug/wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALWAYS_FITS = 256 << 20 };

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Whom a signal is passed on to; 0: nobody. */
static volatile pid_t below;

bool dbg_back_interrupt(void) {
    const pid_t to = below;
    return to > 0 && kill(to, SIGINT) == 0;
}

/* An interrupt that came while nobody was below is passed on, too. */
static void pass_on_to(pid_t pid) {
    below = pid;
    if (pid > 0 && dbg_take_interrupt())
        (void)kill(pid, SIGINT);
}

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

int dbg_reap(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

int dbg_wait_for(pid_t pid) {
    pass_on_to(pid);
    const int status = dbg_reap(pid);
    below = 0;
    return status;
}

bool dbg_hear_while(pid_t pid, int line, void *to, size_t size) {
    pass_on_to(pid);
    const bool ok = dbg_receive_all(line, to, size);
    below = 0;
    return ok;
}

_Noreturn void dbg_end_as(int status) {
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

/* ---- what is printed ---- */

void dbg_set_quiet(int out[2]) {
    for (int fd = 1; fd <= 2; fd++)
        out[fd - 1] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    dbg_be_quiet();
}

void dbg_set_loud(const int out[2]) {
    (void)fflush(NULL);
    for (int fd = 1; fd <= 2; fd++) {
        if (out[fd - 1] >= 0) {
            (void)dup2(out[fd - 1], fd);
            close(out[fd - 1]);
        }
    }
}

int dbg_threads(void) {
    DIR *all = opendir("/proc/self/task");
    int n = 0;
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;)
        n += e->d_name[0] != '.';
    if (all != NULL)
        closedir(all);
    return n > 0 ? n : 1;
}

/* ---- memory ---- */

/* The number behind a name in a file of /proc, in bytes. 0: there is none. */
static uint64_t told_in(const char *path, const char *name) {
    FILE *from = fopen(path, "re");
    char line[256];
    unsigned long long kib = 0;
    while (from != NULL && kib == 0 && fgets(line, sizeof line, from) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            (void)sscanf(line + strlen(name), "%llu kB", &kib);
    if (from != NULL)
        (void)fclose(from);
    return 1024 * (uint64_t)kib;
}

/* What this process has of memory. 0: nobody says. */
static uint64_t resident(void) {
    char text[128] = "";
    const int from = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (from >= 0) {
        if (read(from, text, sizeof text - 1) < 0)
            text[0] = '\0';
        close(from);
    }
    char *at = strchr(text, ' '); /* behind the address space's size */
    return at != NULL ? strtoull(at, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

int dbg_copies_that_fit(int most) {
    /* A copy's own pages are those that the program writes after it: never more than it has. */
    const uint64_t own = resident();
    if (own * (uint64_t)most <= ALWAYS_FITS)
        return most;
    const uint64_t room = told_in("/proc/meminfo", "MemAvailable:") / 4;
    return room == 0 || room / own > (uint64_t)most ? most : (int)(room / own);
}

dbg_pages dbg_memory_of(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    return (dbg_pages){told_in(path, "Pss_Anon:"), told_in(path, "Anonymous:")};
}

/* ---- files ---- */

/* A file of which a place can be told and had again; -1: this is none. */
static off_t place_in(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
}

void dbg_files_begin(dbg_files *f) {
    for (int fd = 0; fd < DBG_FILES; fd++) {
        f->foreign[fd] = fcntl(fd, F_GETFD) >= 0;
        f->at[fd] = -1;
    }
}

void dbg_files_note(dbg_files *f) {
    for (int fd = 0; fd < DBG_FILES; fd++)
        f->at[fd] = f->foreign[fd] ? -1 : place_in(fd);
}

void dbg_files_go_back(const dbg_files *f) {
    for (int fd = 0; fd < DBG_FILES; fd++)
        if (f->at[fd] >= 0 && place_in(fd) >= 0)
            (void)lseek(fd, f->at[fd], SEEK_SET);
}
