/*
 * sandbox_seccomp.c: the system-call filter, through libseccomp (see sandbox_parts.h).
 *
 * What a matrix product may call cannot be listed: CUDA's driver, OpenMP and the next C library
 * each bring calls of their own. So the filter refuses what none of them needs and what reaches
 * beyond the child: other processes, the network, namespaces and mounts, the kernel itself. Refused
 * calls fail with EPERM, as an unprivileged call would, and the program goes on.
 *
 * Where no better wall stands it also refuses signals to others, and files opened for writing.
 * The filters are translated once, in the grader; a child only loads one. Calls of another
 * architecture (32-bit ones on x86-64) end the process: the rules could not tell them apart.
 */
#include "grading/src/sandbox/sandbox_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef HAVE_SECCOMP

bool filters_make(struct sandbox *s) {
    (void)s;
    errno = ENOSYS;
    return false;
}

void filters_free(struct sandbox *s) {
    (void)s;
}

int filter_enter(const struct sandbox *s, enum sandbox_profile profile) {
    (void)s;
    (void)profile;
    return ENOSYS;
}

#else

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

/* Stands for the child's process id, which is not known when the filter is translated. */
#define PID_PLACE 0x5e1fca11u

#define REFUSE SCMP_ACT_ERRNO(EPERM)

/* Names that this libseccomp or this architecture lacks are left out: then no program can use them
 * by name, and what remains is the other walls' business. */
static const char *const never[] = {
    /* other processes */
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "process_mrelease",
    "kcmp",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "perf_event_open",
    "userfaultfd",
    "migrate_pages",
    "move_pages",
    "setns",
    "unshare",
    "acct",
    /* mounts, and files without their names */
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "open_tree_attr",
    "statmount",
    "listmount",
    "name_to_handle_at",
    "open_by_handle_at",
    "quotactl",
    "quotactl_fd",
    "swapon",
    "swapoff",
    "fanotify_init",
    "mknod",
    "mknodat",
    /* the kernel */
    "bpf",
    "init_module",
    "finit_module",
    "delete_module",
    "create_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "syslog",
    "iopl",
    "ioperm",
    "modify_ldt",
    "vm86",
    "vm86old",
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "clock_settime64",
    "stime",
    "adjtimex",
    "clock_adjtime",
    "clock_adjtime64",
    "vhangup",
    "lookup_dcookie",
    "nfsservctl",
    "uselib",
    "ustat",
    "sysfs",
    "_sysctl",
    /* what goes past this filter, or stays after the process */
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "add_key",
    "request_key",
    "keyctl",
    "shmget",
    "shmat",
    "shmctl",
    "shmdt",
    "semget",
    "semop",
    "semctl",
    "semtimedop",
    "semtimedop_time64",
    "msgget",
    "msgsnd",
    "msgrcv",
    "msgctl",
    "ipc",
    "mq_open",
    "mq_unlink",
    "socketcall",
};

/* In a program that runs: changing what files are, and memory that no limit counts. Compilers do
 * both. */
static const char *const never_run[] = {
    "chmod",     "fchmod",    "fchmodat",   "fchmodat2",   "chown",        "fchown",
    "lchown",    "fchownat",  "chown32",    "fchown32",    "lchown32",     "setxattr",
    "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr",
    "utime",     "utimes",    "utimensat",  "futimesat",   "truncate",     "truncate64",
    "mlockall",  "vmsplice",  "vfork",      "pwritev2",    "preadv2",
};

/* In a program that runs: done, and nothing happens. Who waits for a disk looks as if it were busy
 * (process_use_below), and its folder is removed in any case. */
static const char *const empty_run[] = {
    "fsync", "fdatasync", "sync",         "syncfs",           "sync_file_range", "sync_file_range2",
    "msync", "fadvise64", "fadvise64_64", "arm_fadvise64_64",
};

/* Not in a program for a real GPU: CUDA's driver listens on a local socket of its own, and keeps
 * memory in files without a name. */
static const char *const never_vgpu[] = {"memfd_create", "memfd_secret", "socket",
                                         "socketpair",   "bind",         "listen",
                                         "connect",      "accept",       "accept4"};

/* Where files are not walled: nothing is made, moved or removed. */
static const char *const never_write[] = {
    "creat",  "mkdir",  "mkdirat",  "rename",  "renameat",  "renameat2", "link",
    "linkat", "unlink", "unlinkat", "symlink", "symlinkat", "rmdir",
};

static bool refuse(scmp_filter_ctx ctx, const char *name) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR)
        return true;
    const int failed = seccomp_rule_add(ctx, REFUSE, call, 0);
    /* -EDOM, -EFAULT: there is none on this architecture. */
    return failed == 0 || failed == -EDOM || failed == -EFAULT || failed == -EEXIST;
}

static bool refuse_all(scmp_filter_ctx ctx, const char *const *names, size_t n) {
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = refuse(ctx, names[i]) && ok;
    return ok;
}

/* Refuses a call when one argument compares so. */
static bool refuse_if(scmp_filter_ctx ctx, const char *name, struct scmp_arg_cmp compare) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR)
        return true;
    const int failed = seccomp_rule_add_array(ctx, REFUSE, call, 1, &compare);
    return failed == 0 || failed == -EDOM || failed == -EFAULT || failed == -EEXIST;
}

/* Is the int in this register `value`? The kernel drops the upper half, so compare without it. */
static struct scmp_arg_cmp int_is(unsigned arg, unsigned value) {
    return (struct scmp_arg_cmp){arg, SCMP_CMP_MASKED_EQ, 0xffffffffu, value};
}

static struct scmp_arg_cmp bits_set(unsigned arg, unsigned bits) {
    return (struct scmp_arg_cmp){arg, SCMP_CMP_MASKED_EQ, bits, bits};
}

static struct scmp_arg_cmp is_not(unsigned arg, uint64_t value) {
    return (struct scmp_arg_cmp){arg, SCMP_CMP_NE, value, 0};
}

/* New processes yes, new namespaces no. */
static bool refuse_namespaces(scmp_filter_ctx ctx) {
    static const unsigned flags[] = {CLONE_NEWNS,     CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER,   CLONE_NEWPID, CLONE_NEWNET,
                                     CLONE_NEWCGROUP, CLONE_PARENT, CLONE_PTRACE};
    bool ok = true;
#ifdef __s390x__
    const unsigned arg = 1;
#else
    const unsigned arg = 0;
#endif
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        ok = refuse_if(ctx, "clone", bits_set(arg, flags[i])) && ok;
    /* Its flags lie in memory, where no filter looks. C libraries fall back to clone. */
    const int clone3 = seccomp_syscall_resolve_name("clone3");
    return (clone3 == __NR_SCMP_ERROR ||
            seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), clone3, 0) == 0) &&
           ok;
}

/* What waits in the kernel where nobody can tell it from work: a parent that has lent its memory to
 * a child, and files that go to the disk at once. */
static bool refuse_waiting(scmp_filter_ctx ctx) {
    static const unsigned ways[] = {O_DSYNC, O_DIRECT};
#ifdef __s390x__
    const unsigned flags = 1;
#else
    const unsigned flags = 0;
#endif
    bool ok = refuse_if(ctx, "clone", bits_set(flags, CLONE_VFORK));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ok = refuse_if(ctx, "open", bits_set(1, ways[i])) && ok;
        ok = refuse_if(ctx, "openat", bits_set(2, ways[i])) && ok;
    }
    for (size_t i = 0; i < sizeof empty_run / sizeof *empty_run; i++) {
        const int call = seccomp_syscall_resolve_name(empty_run[i]);
        const int failed =
            call == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(ctx, SCMP_ACT_ERRNO(0), call, 0);
        ok = (failed == 0 || failed == -EDOM || failed == -EFAULT || failed == -EEXIST) && ok;
    }
    return ok;
}

/* Ways to have a signal sent to somebody, or input typed by him, that look like something else. */
static bool refuse_hidden_signals(scmp_filter_ctx ctx) {
    enum { SET_OWNER = 8, SET_SIGNAL = 10, SET_OWNER_EX = 15 }; /* of fcntl */
    static const unsigned file[] = {SET_OWNER, SET_SIGNAL, SET_OWNER_EX};
    static const unsigned device[] = {TIOCSTI, TIOCLINUX, TIOCCONS, 0x8901 /* FIOSETOWN */,
                                      0x8902 /* SIOCSPGRP */};
    bool ok = true;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        ok = refuse_if(ctx, "fcntl", int_is(1, file[i])) && ok;
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        ok = refuse_if(ctx, "ioctl", int_is(1, device[i])) && ok;
    return ok;
}

/* Other processes' limits and places in the queue. Those of its own have the number 0. */
static bool refuse_others(scmp_filter_ctx ctx) {
    bool ok = refuse_if(ctx, "prlimit64", is_not(0, 0));
    ok = refuse_if(ctx, "setpriority", is_not(0, 0)) && ok; /* not one process: a group, a user */
    return refuse_if(ctx, "ioprio_set", is_not(0, 1)) && ok;
}

/* Signals may go to the child itself and to nobody else. */
static bool refuse_signals(scmp_filter_ctx ctx) {
    static const char *const to_own[] = {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};
    static const char *const for_own[] = {"sched_setscheduler", "sched_setparam", "sched_setattr",
                                          "sched_setaffinity"};
    bool ok = refuse(ctx, "tkill");
    for (size_t i = 0; i < sizeof to_own / sizeof *to_own; i++)
        ok = refuse_if(ctx, to_own[i], is_not(0, PID_PLACE)) && ok;
    for (size_t i = 0; i < sizeof for_own / sizeof *for_own; i++)
        ok = refuse_if(ctx, for_own[i], is_not(0, 0)) && ok;
    return refuse_if(ctx, "setpriority", is_not(1, 0)) && ok;
}

/* Files may be read, where accounts allow it, and not be written. */
static bool refuse_writing(scmp_filter_ctx ctx) {
    static const unsigned ways[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC};
    bool ok = refuse_all(ctx, never_write, sizeof never_write / sizeof *never_write);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ok = refuse_if(ctx, "open", bits_set(1, ways[i])) && ok;
        ok = refuse_if(ctx, "openat", bits_set(2, ways[i])) && ok;
    }
    const int openat2 = seccomp_syscall_resolve_name("openat2"); /* as clone3 */
    return (openat2 == __NR_SCMP_ERROR ||
            seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), openat2, 0) == 0) &&
           ok;
}

/* Local sockets only, which CUDA's driver needs. */
static bool refuse_networks(scmp_filter_ctx ctx) {
    return refuse_if(ctx, "socket", is_not(0, AF_UNIX)) &&
           refuse_if(ctx, "socketpair", is_not(0, AF_UNIX));
}

static bool add_rules(scmp_filter_ctx ctx, const struct sandbox *s, enum sandbox_profile profile) {
    bool ok = refuse_all(ctx, never, sizeof never / sizeof *never);
    ok = refuse_namespaces(ctx) && refuse_hidden_signals(ctx) && refuse_others(ctx) && ok;
    if (profile != SANDBOX_COMPILE)
        ok = refuse_all(ctx, never_run, sizeof never_run / sizeof *never_run) &&
             refuse_waiting(ctx) && ok;
    if (profile != SANDBOX_COMPILE && !signals_stay_inside(s))
        ok = refuse_signals(ctx) && ok;
    if (profile == SANDBOX_RUN && !files_are_walled(s))
        ok = refuse_writing(ctx) && ok;
    if (profile == SANDBOX_RUN_GPU)
        return refuse_networks(ctx) && ok;
    return refuse_all(ctx, never_vgpu, sizeof never_vgpu / sizeof *never_vgpu) && ok;
}

/* The translated filter through a pipe. */
static bool export(scmp_filter_ctx ctx, struct sock_fprog *into) {
    struct sock_filter code[BPF_MAXINSNS];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    (void)fcntl(ends[1], F_SETPIPE_SZ, 1 << 17);
    fcntl(ends[1], F_SETFL, O_NONBLOCK); /* rather fail than wait for ourselves to read */
    const int failed = seccomp_export_bpf(ctx, ends[1]);
    close(ends[1]);
    size_t have = 0;
    for (ssize_t n; !failed && have < sizeof code &&
                    (n = read(ends[0], (char *)code + have, sizeof code - have)) > 0;)
        have += (size_t)n;
    close(ends[0]);
    errno = failed ? -failed : EINVAL;
    if (failed || have == 0 || have % sizeof *code != 0)
        return false;
    into->filter = xmalloc(have);
    memcpy(into->filter, code, have);
    into->len = (unsigned short)(have / sizeof *code);
    return true;
}

bool filters_make(struct sandbox *s) {
    for (int p = 0; p < SANDBOX_PROFILES; p++) {
        scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
        bool ok = ctx != NULL;
        if (ok) {
            (void)seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree, not a list */
            errno = EINVAL;
            ok = add_rules(ctx, s, (enum sandbox_profile)p) && export(ctx, &s->filter[p]);
            const int error = errno;
            seccomp_release(ctx);
            errno = error;
        }
        if (!ok) {
            filters_free(s);
            return false;
        }
    }
    return true;
}

void filters_free(struct sandbox *s) {
    for (int p = 0; p < SANDBOX_PROFILES; p++) {
        free(s->filter[p].filter);
        s->filter[p] = (struct sock_fprog){0};
    }
}

int filter_enter(const struct sandbox *s, enum sandbox_profile profile) {
    const struct sock_fprog *f = &s->filter[profile];
    struct sock_filter code[BPF_MAXINSNS];
    const struct sock_fprog own = {.len = f->len, .filter = code};
    if (f->len == 0)
        return EINVAL;
    memcpy(code, f->filter, f->len * sizeof *code);
    for (unsigned short i = 0; i < f->len; i++)
        if (BPF_CLASS(code[i].code) == BPF_JMP && code[i].k == PID_PLACE)
            code[i].k = (uint32_t)getpid();
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &own, 0, 0) == 0 ? 0 : errno;
}

#endif
