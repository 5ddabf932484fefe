/*
 * sandbox_landlock.c: Landlock (see sandbox_parts.h), by its system calls: no C library has them.
 *
 * A domain that denies all use of files, all of TCP, and signals and abstract sockets to whoever is
 * outside it, less what the rules of sandbox_paths.c allow. It also keeps ptrace and /proc/PID
 * inside. What the machine's kernel does not know yet it is not asked for.
 *
 * The numbers are the kernel's interface and never change; <linux/landlock.h> is not installed
 * everywhere, or knows less than the kernel that runs.
 */
#include "grading/src/sandbox/sandbox_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same numbers on every architecture. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH      1

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_CHAR = 1 << 6,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_MAKE_SOCK = 1 << 9,
    FS_MAKE_FIFO = 1 << 10,
    FS_MAKE_BLOCK = 1 << 11,
    FS_MAKE_SYM = 1 << 12,
    FS_REFER = 1 << 13,     /* version 2: to another folder by rename or link */
    FS_TRUNCATE = 1 << 14,  /* 3 */
    FS_IOCTL_DEV = 1 << 15, /* 5 */
};

enum {
    NET_BIND_TCP = 1 << 0,    /* 4 */
    NET_CONNECT_TCP = 1 << 1, /* 4 */
};

enum {
    SCOPE_ABSTRACT_UNIX = 1 << 0, /* 6 */
    SCOPE_SIGNAL = 1 << 1,        /* 6 */
};

struct ruleset_attr {
    uint64_t fs, net, scoped;
};

struct path_beneath_attr {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

int landlock_version(void) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static struct ruleset_attr handled(int version, size_t *bytes) {
    struct ruleset_attr a = {.fs = FS_REFER - 1}; /* all of version 1 */
    a.fs |= version >= 2 ? FS_REFER : 0;
    a.fs |= version >= 3 ? FS_TRUNCATE : 0;
    a.fs |= version >= 5 ? FS_IOCTL_DEV : 0;
    a.net = version >= 4 ? NET_BIND_TCP | NET_CONNECT_TCP : 0;
    a.scoped = version >= 6 ? SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL : 0;
    *bytes = version >= 6 ? sizeof a : version >= 4 ? 16 : 8;
    return a;
}

static uint64_t rights(unsigned allow, bool folder) {
    uint64_t r = 0;
    if (allow & ALLOW_READ)
        r |= (uint64_t)(FS_READ_FILE | (folder ? FS_READ_DIR : 0));
    if (allow & ALLOW_EXECUTE)
        r |= FS_EXECUTE;
    if (allow & ALLOW_DEVICE)
        r |= FS_IOCTL_DEV;
    if (allow & ALLOW_WRITE)
        r |= FS_WRITE_FILE | FS_TRUNCATE;
    if (allow & ALLOW_WRITE && folder)
        r |= FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_MAKE_SOCK |
             FS_MAKE_FIFO | FS_MAKE_SYM | FS_REFER;
    return r;
}

/* A path that is gone since the rules were made needs no rule. */
static int add(int ruleset, uint64_t known, const char *path, unsigned allow, bool folder) {
    struct path_beneath_attr a = {.allowed = rights(allow, folder) & known};
    a.parent = open(path, O_PATH | O_CLOEXEC);
    if (a.parent < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : errno;
    const long failed = syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &a, 0);
    const int error = failed ? errno : 0;
    close(a.parent);
    return error;
}

int landlock_enter(const struct sandbox *s, enum sandbox_profile profile,
                   const struct own_folders *own) {
    size_t bytes;
    const struct ruleset_attr a = handled(s->landlock, &bytes);
    const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &a, bytes, 0);
    if (ruleset < 0)
        return errno;
    int error = 0;
    for (size_t i = 0; i < s->rules.count && !error; i++) {
        const struct path_rule *r = &s->rules.rule[i];
        if (rule_counts(s, r, profile) && !r->link)
            error = add(ruleset, a.fs, r->path, r->allow, r->folder);
    }
    if (!error && own->program)
        error = add(ruleset, a.fs, own->program, ALLOW_READ | ALLOW_EXECUTE, true);
    if (!error && own->writable)
        error = add(ruleset, a.fs, own->writable, ALLOW_READ | ALLOW_WRITE, true);
    if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
        error = errno;
    close(ruleset);
    return error;
}
