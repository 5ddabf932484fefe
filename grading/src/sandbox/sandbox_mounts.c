/*
 * sandbox_mounts.c: a root folder that holds only what the rules list (see sandbox_parts.h).
 *
 * Runs in the keeper, in a mount namespace of its own. On a small tmpfs, each listed file or folder
 * is bound, read-only, under the name it has outside: messages of compilers stay the same.
 *
 *     tmpfs (read-only)
 *       ├── usr, lib, ...      bound, read-only
 *       ├── dev/null, ...      bound, read-only but for the device itself
 *       ├── dev/shm            for a GPU's driver: a tmpfs that dies with the keeper
 *       ├── proc               of this process namespace
 *       └── tmp/grader.X/run1  the one folder that may be written to
 *
 * Only system calls and the stack: this runs between fork and exec.
 */
#include "grading/src/sandbox/sandbox_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same number on every architecture. */
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

#define SHARED_MEMORY "size=64m,nr_inodes=1024,mode=1777"

/* The kernel's struct mount_attr: older C libraries and kernel headers each lack it, newer ones
 * both bring it. */
struct attributes {
    uint64_t set, clear, propagation, user;
};
enum { SET_READ_ONLY = 1, SET_NOSUID = 2, SET_NODEV = 4 };

/* Joins `base` and `path`. */
static int inside(char into[4096], const char *base, const char *path) {
    const int n = snprintf(into, 4096, "%s%s", base, path);
    return n > 0 && n < 4096 ? 0 : ENAMETOOLONG;
}

/* Makes the folders above `path`, which begins with `base`. */
static int make_above(char *path, size_t base) {
    for (char *slash = strchr(path + base + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool failed = mkdir(path, 0755) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return errno;
    }
    return 0;
}

/* Makes an empty file or folder to bind to. */
static int make_point(const char *path, bool folder) {
    if (folder)
        return mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : errno;
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

/* Takes rights from a bound file or folder and all mounts in it. */
static int restrict_mount(const char *path, bool read_only, bool devices) {
    const struct attributes a = {.set = SET_NOSUID | (read_only ? SET_READ_ONLY : 0u) |
                                        (devices ? 0u : SET_NODEV)};
    if (syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &a, sizeof a) == 0)
        return 0;
    /* Before Linux 5.12: the mount itself. What was restricted already must stay so. */
    struct statvfs st;
    if (statvfs(path, &st) != 0)
        return errno;
    unsigned long flags = MS_REMOUNT | MS_BIND | MS_NOSUID | (read_only ? MS_RDONLY : 0ul) |
                          (devices ? 0ul : MS_NODEV);
    static const struct {
        unsigned long has, keep;
    } kept[] = {{ST_NODEV, MS_NODEV},           {ST_NOEXEC, MS_NOEXEC},
                {ST_RDONLY, MS_RDONLY},         {ST_NOATIME, MS_NOATIME},
                {ST_NODIRATIME, MS_NODIRATIME}, {ST_RELATIME, MS_RELATIME}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        flags |= st.f_flag & kept[i].has ? kept[i].keep : 0ul;
    return mount(NULL, path, NULL, flags, NULL) == 0 ? 0 : errno;
}

static int bind_path(const char *base, const char *path, unsigned allow, bool folder) {
    char target[4096];
    int error = inside(target, base, path);
    if (!error)
        error = make_above(target, strlen(base));
    if (!error)
        error = make_point(target, folder);
    if (!error && mount(path, target, NULL, MS_BIND | MS_REC, NULL) != 0)
        /* Gone since the rules were made, or in a place this account may not go to. */
        return errno == ENOENT || errno == EACCES ? 0 : errno;
    const bool device = !folder || (allow & ALLOW_DEVICE);
    return error ? error : restrict_mount(target, !(allow & ALLOW_WRITE), device);
}

static int make_link(const char *base, const struct path_rule *r) {
    char path[4096];
    int error = inside(path, base, r->path);
    if (!error)
        error = make_above(path, strlen(base));
    return error || symlink(r->link, path) == 0 || errno == EEXIST ? error : errno;
}

static int mount_proc(const struct sandbox *s, const char *base) {
    char path[4096];
    int error = inside(path, base, "/proc");
    if (!error)
        error = make_point(path, true);
    if (error)
        return error;
    if (wall_stands(s, WALL_PID_NS) && !s->host_proc)
        return mount("proc", path, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) ? errno : 0;
    return mount("/proc", path, NULL, MS_BIND | MS_REC, NULL) ? errno : 0;
}

static int mount_shared_memory(const char *base) {
    char path[4096];
    int error = inside(path, base, "/dev/shm");
    if (!error)
        error = make_above(path, strlen(base));
    if (!error)
        error = make_point(path, true);
    if (!error && mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, SHARED_MEMORY) != 0)
        error = errno;
    return error;
}

/* Moves into the new root; the old one is gone. */
static int change_root(const char *base) {
    if (chdir(base) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        return errno;
    return mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL)
               ? errno
               : 0;
}

int mounts_enter(const struct sandbox *s, enum sandbox_profile profile,
                 const struct own_folders *own, bool *proc) {
    const char *base = s->new_root;
    *proc = false;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755") != 0)
        return errno;
    int error = 0;
    for (size_t i = 0; i < s->rules.count && !error; i++) {
        const struct path_rule *r = &s->rules.rule[i];
        if (r->when != ALWAYS || !rule_counts(s, r, profile))
            continue;
        error = r->link ? make_link(base, r) : bind_path(base, r->path, r->allow, r->folder);
    }
    if (!error && own->program)
        error = bind_path(base, own->program, ALLOW_READ | ALLOW_EXECUTE, true);
    if (!error && own->writable)
        error = bind_path(base, own->writable, ALLOW_WRITE, true);
    if (!error && profile == SANDBOX_RUN_GPU)
        error = mount_shared_memory(base);
    if (error)
        return error;
    error = mount_proc(s, base);
    *proc = error != 0;
    return error ? error : change_root(base);
}
