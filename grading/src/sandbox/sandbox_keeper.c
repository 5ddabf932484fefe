/*
 * sandbox_keeper.c: the process between the grader and a child (see sandbox_parts.h).
 *
 *     grader                 keeper                        child
 *       │  clone: namespaces   │                             │
 *       ├────────────────────► │ root folder                 │
 *       │                      ├── fork ───────────────────► │ limits, account, no privileges,
 *       │                      │                             │ Landlock, filter, exec
 *       │ ◄── wait status ─────┤ ◄────────────── ends ───────┤
 *       │ ─── lifeline ends ──►│ kills and reaps all that is left
 *       │                      ┘
 *
 * In a process namespace the keeper is number 1: when it ends, the kernel ends all others, and no
 * signal from inside reaches it. Elsewhere it is the one that orphans fall to (a subreaper). Either
 * way the lifeline is a pipe that ends with the grader, however the grader ends: kill -9 leaves
 * nothing running.
 *
 * Runs after fork without exec: only system calls, no memory from the heap. It is not dumpable, so
 * the child can read neither its memory nor the grader's environment through /proc.
 */
#include "grading/src/sandbox/sandbox_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors that a process may have open: CUDA and a channel need a few hundred at most. */
#define MOST_DESCRIPTORS 1024

/* fork, with new namespaces if asked for. The C library's own fork would first have libraries end
 * their threads (a BLAS has some), and its setuid would wait for the threads of the grader, which
 * are not in the new process: so here and after it, system calls only. */
static pid_t bare_fork(unsigned long namespaces) {
    /* Zeros only but for the flags: then the order of arguments, which differs between
     * architectures, does not matter. */
    return (pid_t)syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
}

__attribute__((noreturn)) static void fail(const struct keeper_job *j, enum keeper_step step,
                                           int error) {
    const struct keeper_report report = {.step = (int32_t)step, .error = error};
    if (write(j->report, &report, sizeof report) < 0)
        _exit(126);
    _exit(127);
}

/* ---- Descriptors ---- */

static void close_between(unsigned first, unsigned last) {
    extern int close_range(unsigned from, unsigned to, int flags) __attribute__((weak));
    if (first > last || (close_range && close_range(first, last, 0) == 0))
        return;
    const long most = sysconf(_SC_OPEN_MAX);
    const unsigned end = most > 0 && most < 65536 ? (unsigned)most : 65536;
    for (unsigned fd = first; fd <= last && fd < end; fd++)
        close((int)fd);
}

/* Closes all descriptors but those kept (ascending order is not needed; -1 is none). */
static void close_except(const int *kept, size_t n) {
    unsigned from = 3;
    for (;;) {
        int next = -1; /* the lowest kept one that is not below `from` */
        for (size_t i = 0; i < n; i++)
            if (kept[i] >= (int)from && (next < 0 || kept[i] < next))
                next = kept[i];
        if (next < 0)
            break;
        if (next > (int)from)
            close_between(from, (unsigned)next - 1);
        from = (unsigned)next + 1;
    }
    close_between(from, ~0u);
}

/* Moves the job's descriptors out of the way of the numbers given out below. */
static bool move_up(struct keeper_job *j) {
    int *const all[] = {&j->report,  &j->in,     &j->out,     &j->err,
                        &j->channel, &j->status, &j->lifeline};
    int kept[7];
    for (int i = 0; i < 7; i++) {
        const int moved = *all[i] >= 0 ? fcntl(*all[i], F_DUPFD_CLOEXEC, KEEPER_FIRST_NUMBER) : -1;
        if (*all[i] >= 0 && moved < 0)
            return false;
        kept[i] = *all[i] = moved;
    }
    close_except(kept, 7);
    return true;
}

/* ---- What the child gives up ---- */

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

static void set_limits(const struct sandbox_limits *l, bool walled) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    lower(RLIMIT_CPU, l->cpu_seconds);
    struct rlimit cpu; /* SIGXCPU, which says why, must come before SIGKILL, which doesn't */
    if (getrlimit(RLIMIT_CPU, &cpu) == 0 && cpu.rlim_cur != RLIM_INFINITY && cpu.rlim_cur > 1) {
        cpu.rlim_cur--;
        setrlimit(RLIMIT_CPU, &cpu);
    }
    lower(RLIMIT_DATA, l->data_bytes);
    lower(RLIMIT_FSIZE, l->file_bytes);
    lower(RLIMIT_NPROC, l->new_processes);
    if (walled) {
        setrlimit(RLIMIT_MSGQUEUE, &none);
        lower(RLIMIT_NOFILE, MOST_DESCRIPTORS);
    }
}

/* When memory runs out, this process goes, not the grader. */
static void offer_to_die(void) {
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* or the file is root's */
    const int oom = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (oom >= 0) {
        if (write(oom, "1000", 4) != 4) {
            /* Then the system chooses as it likes. */
        }
        close(oom);
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static int change_account(const struct sandbox *s) {
    return syscall(SYS_setgroups, 0, NULL) == 0 &&
                   syscall(SYS_setresgid, s->gid, s->gid, s->gid) == 0 &&
                   syscall(SYS_setresuid, s->uid, s->uid, s->uid) == 0
               ? 0
               : errno;
}

/* No capability now, and none by exec, not even for root. */
static void drop_privileges(void) {
    prctl(PR_SET_SECUREBITS,
          SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
              SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED,
          0, 0, 0);
    for (unsigned long cap = 0; cap < 64; cap++)
        prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {{0}};
    syscall(SYS_capset, &header, none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* Can the account use what a compilation needs? The kit, a compiler or the scratch folder may lie
 * in a folder that others may not enter. */
static int find_needed(const struct sandbox *s, enum keeper_step *step) {
    *step = STEP_SCRATCH;
    if (!wall_stands(s, WALL_MOUNT_NS) && access(s->scratch, X_OK) != 0)
        return errno;
    *step = STEP_COMPILER;
    for (const char *const *c = s->compilers; c && *c; c++)
        if (access(*c, X_OK) != 0)
            return errno;
    *step = STEP_NEED;
    for (size_t i = 0; i < s->kit.needed_count; i++)
        if (access(s->kit.needed[i].path, s->kit.needed[i].rights) != 0)
            return errno;
    return 0;
}

static void enter_walls(const struct keeper_job *j) {
    const struct sandbox *s = j->sandbox;
    enum keeper_step step;
    int error;
    if (wall_stands(s, WALL_ACCOUNT) && (error = change_account(s)) != 0)
        fail(j, STEP_ACCOUNT, error);
    if (s)
        drop_privileges();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of account forgets it: so it comes after */
    set_limits(&j->limits, s != NULL);
    /* A probe asks once, so that a child never has to. */
    if (wall_stands(s, WALL_ACCOUNT) && !j->argv && j->profile == SANDBOX_COMPILE &&
        (error = find_needed(s, &step)) != 0)
        fail(j, step, error);
    if (wall_stands(s, WALL_LANDLOCK) && (error = landlock_enter(s, j->profile, &j->own)) != 0)
        fail(j, STEP_LANDLOCK, error);
}

/* ---- The child ---- */

__attribute__((noreturn)) static void become_child(const struct keeper_job *j, pid_t keeper) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    offer_to_die();
    enter_walls(j);
    if (getppid() != keeper) /* it died before the child asked to die with it */
        _exit(127);
    if (dup2(j->in, 0) < 0 || dup2(j->out, 1) < 0 || dup2(j->err, 2) < 0 ||
        (j->channel_number > 0 && dup2(j->channel, j->channel_number) < 0))
        fail(j, STEP_DESCRIPTORS, errno);
    const int kept[] = {j->report, j->channel_number > 0 ? j->channel_number : -1};
    close_except(kept, 2);
    if (chdir(j->folder) != 0)
        fail(j, STEP_FOLDER, errno);
    int error;
    if (wall_stands(j->sandbox, WALL_SECCOMP) &&
        (error = filter_enter(j->sandbox, j->profile)) != 0)
        fail(j, STEP_SECCOMP, error);
    if (!j->argv)
        _exit(0);
    execvpe(j->argv[0], (char *const *)j->argv, (char *const *)j->environment);
    fail(j, STEP_EXEC, errno);
}

/* ---- The keeper ---- */

static bool write_file(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return ok;
}

/* In a new user namespace: this account is called the same as outside, and there is no other. */
static int map_account(uid_t uid, gid_t gid) {
    char uids[64], gids[64];
    snprintf(uids, sizeof uids, "%lu %lu 1", (unsigned long)uid, (unsigned long)uid);
    snprintf(gids, sizeof gids, "%lu %lu 1", (unsigned long)gid, (unsigned long)gid);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* or the files are root's */
    const bool ok = write_file("/proc/self/setgroups", "deny") &&
                    write_file("/proc/self/uid_map", uids) &&
                    write_file("/proc/self/gid_map", gids);
    const int error = errno;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return ok ? 0 : error;
}

/* Ends every process of the sandbox's own account at once: not even a chain of processes, each
 * starting the next and ending, gets away. */
static void kill_account(const struct sandbox *s) {
    const pid_t killer = bare_fork(0);
    if (killer == 0) {
        if (change_account(s) == 0)
            kill(-1, SIGKILL);
        _exit(0);
    }
    if (killer > 0)
        waitpid(killer, NULL, 0);
}

static void kill_everything(const struct keeper_job *j, pid_t child, int *status, bool *ended) {
    if (wall_stands(j->sandbox, WALL_PID_NS))
        kill(-1, SIGKILL);
    else if (wall_stands(j->sandbox, WALL_ACCOUNT))
        kill_account(j->sandbox);
    else if (!*ended)
        kill(child, SIGKILL);
    if (!*ended && waitpid(child, status, 0) == child)
        *ended = true;
    if (wall_stands(j->sandbox, WALL_PID_NS))
        while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
            ;
    else
        sandbox_kill_all();
}

/* Waits for the child, reaps orphans, until the grader lets go. */
__attribute__((noreturn)) static void keep(const struct keeper_job *j, pid_t child,
                                           const sigset_t *all) {
    int status = 0;
    bool ended = false, told = false;
    const int signals = signalfd(-1, all, SFD_CLOEXEC | SFD_NONBLOCK);
    struct pollfd polled[] = {{.fd = j->lifeline, .events = POLLIN},
                              {.fd = signals, .events = POLLIN}};
    /* Without a signalfd: look now and then. */
    while (polled[0].revents == 0) {
        if (poll(polled, 2, signals < 0 ? 5 : -1) < 0 && errno != EINTR)
            break;
        struct signalfd_siginfo info;
        while (signals >= 0 && read(signals, &info, sizeof info) > 0)
            ;
        int one;
        for (pid_t p; (p = waitpid(-1, &one, WNOHANG | __WALL)) > 0;) {
            if (p != child)
                continue;
            status = one;
            ended = true;
        }
        if (ended && !told)
            told = write(j->status, &status, sizeof status) == (ssize_t)sizeof status;
    }
    kill_everything(j, child, &status, &ended);
    if (ended && !told)
        told = write(j->status, &status, sizeof status) == (ssize_t)sizeof status;
    _exit(told ? 0 : 1);
}

__attribute__((noreturn)) static void become_keeper(struct keeper_job j, uid_t uid, gid_t gid) {
    static const int reset[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        signal(reset[i], SIG_DFL);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    setsid();
    umask(022); /* the account has to enter what is made for it, whoever started the grader */
    int error;
    if (!move_up(&j))
        fail(&j, STEP_DESCRIPTORS, errno);
    if (wall_stands(j.sandbox, WALL_USER_NS) && (error = map_account(uid, gid)) != 0)
        fail(&j, STEP_MAP, error);
    bool proc;
    if (wall_stands(j.sandbox, WALL_MOUNT_NS) &&
        (error = mounts_enter(j.sandbox, j.profile, &j.own, &proc)) != 0)
        fail(&j, proc ? STEP_PROC : STEP_MOUNT, error);
    if (!wall_stands(j.sandbox, WALL_PID_NS))
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (int i = 0; i < j.passed_ids; i++) {
        const pid_t passed = bare_fork(0);
        if (passed == 0)
            _exit(0);
        if (passed > 0)
            waitpid(passed, NULL, 0);
    }
    const pid_t self = getpid(), child = bare_fork(0);
    if (child == 0)
        become_child(&j, self);
    if (child < 0)
        fail(&j, STEP_START, errno);
    const int given[] = {j.in, j.out, j.err, j.channel, j.report};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        close(given[i]);
    keep(&j, child, &all);
}

pid_t keeper_start(const struct keeper_job *job) {
    static const struct {
        enum sandbox_wall wall;
        unsigned long flag;
    } namespaces[] = {{WALL_USER_NS, CLONE_NEWUSER},
                      {WALL_PID_NS, CLONE_NEWPID},
                      {WALL_MOUNT_NS, CLONE_NEWNS},
                      {WALL_NET_NS, CLONE_NEWNET},
                      {WALL_IPC_NS, CLONE_NEWIPC}};
    unsigned long flags = 0;
    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
        flags |= wall_stands(job->sandbox, namespaces[i].wall) ? namespaces[i].flag : 0;
    const uid_t uid = geteuid(); /* in a new user namespace nobody has a name yet */
    const gid_t gid = getegid();
    const pid_t pid = bare_fork(flags);
    if (pid == 0)
        become_keeper(*job, uid, gid);
    return pid;
}

/* ---- Limits that depend on the machine ---- */

struct thread_count {
    uid_t uid;
    uint64_t threads;
};

static bool count_threads(pid_t pid, void *data) {
    struct thread_count *c = data;
    if (process_field(pid, "Uid") == (long)c->uid) {
        const long n = process_field(pid, "Threads");
        c->threads += n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

struct sandbox_limits limits_prepare(const struct sandbox *s, struct sandbox_limits wanted) {
    struct sandbox_limits prepared = wanted;
    const bool account = wall_stands(s, WALL_ACCOUNT);
    /* RLIMIT_NPROC counts all threads of the account, a desktop's included: a bare number here
     * would fail on some machines and allow too much on others. It never binds root. The sandbox's
     * own account runs nothing else. */
    if (wanted.new_processes > 0 && getuid() != 0) {
        struct thread_count c = {.uid = getuid()};
        each_process(count_threads, &c);
        prepared.new_processes = c.threads + wanted.new_processes;
    } else if (!account) {
        prepared.new_processes = 0;
    }
    return prepared;
}
