/* scratch.c: the private folder of one run, and signals that must not leave it behind. */
#include "grading/src/base/scratch.h"

#include "grading/src/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A signal handler can reach nothing but a global. */
static volatile sig_atomic_t noted;

static void note(int sig) {
    noted = sig;
}

void interrupt_watch(void) {
    static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        struct sigaction old;
        sigaction(watched[i], NULL, &old);
        if (old.sa_handler == SIG_IGN)
            continue; /* as under nohup: the caller wants it ignored */
        struct sigaction action = {.sa_handler = note}; /* no SA_RESTART: waits must end */
        sigemptyset(&action.sa_mask);
        sigaction(watched[i], &action, NULL);
    }
}

int interrupt_noted(void) {
    return noted;
}

void interrupt_obey(void) {
    if (!noted)
        return;
    signal(noted, SIG_DFL);
    raise(noted);
}

/* In each scratch folder lies this file, locked for as long as its grader lives: the system unlocks
 * it whatever ends the grader. It gets its name when it is locked, so that a folder with such a
 * file and no lock on it is nobody's. */
#define OWNER     ".owner"
#define NEW_OWNER ".owner.new"
#define PREFIX    "grader."

/* Graders killed at once leave folders; no more of them than this go in one run. */
#define SWEPT_MOST 16

static void take(const char *path) {
    static int held = -1; /* of the last folder: an earlier one is gone, or gets its turn */
    if (held >= 0)
        close(held);
    held = -1;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int owner =
        folder < 0 ? -1 : openat(folder, NEW_OWNER, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    /* Where locks cannot be had, the folder stays without,
     * and so is never taken for a dead one's. */
    if (owner >= 0 && flock(owner, LOCK_EX | LOCK_NB) == 0 &&
        renameat(folder, NEW_OWNER, folder, OWNER) == 0)
        held = owner;
    else if (owner >= 0)
        close(owner);
    if (folder >= 0)
        close(folder);
}

/* Is this one of our user's scratch folders, left by a grader that lives no more? Then its lock is
 * ours: the descriptor that holds it, else -1. */
static int claim(int parent, const char *name) {
    struct stat st;
    int owner = -1;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &st) == 0 && st.st_uid == geteuid())
        owner = openat(folder, OWNER, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (folder >= 0)
        close(folder);
    if (owner >= 0 && (fstat(owner, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
                       flock(owner, LOCK_EX | LOCK_NB) != 0)) {
        close(owner);
        owner = -1;
    }
    return owner;
}

void scratch_sweep(const char *parent) {
    DIR *dir = opendir(parent);
    int swept = 0;
    for (struct dirent *entry; dir && swept < SWEPT_MOST && (entry = readdir(dir)) != NULL;) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        const int owner = claim(dirfd(dir), entry->d_name);
        if (owner < 0)
            continue;
        char *path = xasprintf("%s/%s", parent, entry->d_name);
        (void)scratch_remove(path); /* under the lock: two graders do not sweep the same */
        free(path);
        close(owner);
        swept++;
    }
    if (dir)
        closedir(dir);
}

void scratch_keep(const char *path) {
    char *owner = xasprintf("%s/" OWNER, path);
    (void)unlink(owner);
    free(owner);
}

char *scratch_create(char *why, size_t room) {
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    char *path = xasprintf("%s%s/" PREFIX "XXXXXX", *parent == '/' ? "" : "./", parent);
    if (!mkdtemp(path)) {
        snprintf(why, room, "cannot make a scratch folder in %s: %s (set TMPDIR to a writable one)",
                 parent, strerror(errno));
        free(path);
        return NULL;
    }
    take(path);
    scratch_sweep(parent);
    char *absolute = realpath(path, NULL); /* compilers run inside it: it must not be relative */
    if (!absolute)
        return path;
    free(path);
    return absolute;
}

/* What compiling, linking and the copies for the walls take at most. */
#define ROOM ((off_t)16 << 20)

bool scratch_has_room(const char *path, struct text *why) {
    char *name = xasprintf("%s/room.XXXXXX", path);
    const int fd = mkostemp(name, O_CLOEXEC);
    int error = fd < 0 ? errno : posix_fallocate(fd, 0, ROOM);
    if (fd >= 0) {
        close(fd);
        unlink(name);
    }
    free(name);
    if (error != ENOSPC && error != EDQUOT)
        return true;
    const char *slash = strrchr(path, '/');
    struct statvfs left;
    text_addf(why, "the temporary folder %.*s is full",
              slash > path ? (int)(slash - path) : (int)strlen(path), path);
    if (error == EDQUOT)
        text_add(why, " for this account, by its quota");
    else if (statvfs(path, &left) == 0)
        text_addf(why, ", with %llu KB free",
                  (unsigned long long)left.f_bavail * left.f_frsize >> 10);
    text_addf(why,
              ": a grading takes up to %d MB. Make room there, or name another folder, as in "
              "TMPDIR=~/tmp",
              (int)(ROOM >> 20));
    return false;
}

static bool copy_bytes(int from, int to) {
    char bytes[65536];
    ssize_t n;
    while ((n = read(from, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0, put; at < n; at += put)
            if ((put = write(to, bytes + at, (size_t)(n - at))) <= 0)
                return false;
    }
    return n == 0;
}

bool scratch_copy(const char *from, const char *to, mode_t mode) {
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
    bool ok = in >= 0 && out >= 0 && copy_bytes(in, out) && fchmod(out, mode) == 0;
    int error = errno;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && ok) {
        ok = false;
        error = errno;
    }
    errno = error;
    return ok;
}

/* Folders nested thousands deep would use up our descriptors: what lies deeper than this is moved
 * to the top, and removed in the next round. */
#define DEEPEST 200

struct removal {
    int top;        /* the folder being removed, or -1 */
    unsigned moved; /* folders moved to the top so far */
};

static bool remove_at(struct removal *r, int parent, const char *name, int depth);

static bool remove_contents(struct removal *r, int folder, int depth) {
    DIR *dir = fdopendir(folder); /* owns the descriptor from here on */
    if (!dir) {
        close(folder);
        return false;
    }
    bool all = true;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            all &= remove_at(r, dirfd(dir), entry->d_name, depth + 1);
    closedir(dir);
    return all;
}

/* The name it gets may be taken, by the submission as well: then the next one. */
static bool move_to_top(struct removal *r, int parent, const char *name) {
    for (int tries = 0; r->top >= 0 && tries < 1000; tries++) {
        char moved[32];
        snprintf(moved, sizeof moved, "moved-%u", r->moved++);
        if (renameat(parent, name, r->top, moved) == 0)
            return true;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
            break;
    }
    return false;
}

static bool remove_at(struct removal *r, int parent, const char *name, int depth) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return true;
    /* A submission may have made a folder unreadable. If this does not help, opening it fails. */
    if (fchmodat(parent, name, 0700, 0) != 0 && errno == ENOENT)
        return true;
    if (depth > DEEPEST)
        return move_to_top(r, parent, name);
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return false;
    const bool emptied = remove_contents(r, folder, depth);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 && emptied;
}

bool scratch_remove(const char *path) {
    struct removal r = {.top = -1};
    unsigned before;
    bool all;
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        (void)chmod(path, 0700);
    r.top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (r.top < 0)
        return remove_at(&r, AT_FDCWD, path, 0);
    do {
        before = r.moved;
        const int again = openat(r.top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        all = again >= 0 && remove_contents(&r, again, 0);
    } while (r.moved > before);
    close(r.top);
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR) == 0 && all;
}
