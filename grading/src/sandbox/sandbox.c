/* sandbox.c: which walls stand on this machine, what they are called, whose files are whose (see
 * sandbox.h). */
#include "grading/src/sandbox/sandbox_parts.h"

#include "grading/src/base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SET(wall) (1u << (wall))

static const unsigned all_namespaces =
    SET(WALL_USER_NS) | SET(WALL_PID_NS) | SET(WALL_MOUNT_NS) | SET(WALL_NET_NS) | SET(WALL_IPC_NS);

/* Accounts for WALL_ACCOUNT: the numbers that systemd keeps for services without a name of their
 * own, which nobody else gives out. One that is in use is passed over. */
enum { FIRST_ACCOUNT = 61184, ACCOUNTS = 4336 };

const char *sandbox_wall_name(enum sandbox_wall wall) {
    static const char *const names[WALL_COUNT] = {
        [WALL_USER_NS] = "user namespace",   [WALL_PID_NS] = "process namespace",
        [WALL_MOUNT_NS] = "mount namespace", [WALL_NET_NS] = "network namespace",
        [WALL_IPC_NS] = "IPC namespace",     [WALL_ACCOUNT] = "account of its own",
        [WALL_LANDLOCK] = "Landlock",        [WALL_SECCOMP] = "system-call filter",
    };
    return names[wall];
}

unsigned sandbox_walls(const struct sandbox *s) {
    return s ? s->walls : 0;
}

/* Takes walls away, and notes why. */
__attribute__((format(printf, 3, 4))) static void lose(struct sandbox *s, unsigned set,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    char why[160];
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    for (int w = 0; w < WALL_COUNT; w++) {
        if (!(set & s->walls & SET(w)))
            continue;
        free(s->missing[w]);
        s->missing[w] = xstrdup(why);
    }
    s->walls &= ~set;
}

/* ---- Probing ---- */

/* Puts all walls of `s` up around a process that does nothing. 0, or what went wrong: the step in
 * *step (0: the namespaces themselves), the error as the result. */
static int try_walls(const struct sandbox *s, enum sandbox_profile profile, int *step) {
    int report[2] = {-1, -1}, status[2] = {-1, -1}, life[2] = {-1, -1};
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct keeper_report r = {0};
    int error = 0;
    *step = 0;
    if (null < 0 || pipe2(report, O_CLOEXEC) != 0 || pipe2(status, O_CLOEXEC) != 0 ||
        pipe2(life, O_CLOEXEC) != 0) {
        error = errno;
    } else {
        const struct keeper_job job = {.sandbox = s,
                                       .profile = profile,
                                       .own = {.writable = s->new_root},
                                       .folder = "/",
                                       .in = null,
                                       .out = null,
                                       .err = null,
                                       .channel = -1,
                                       .report = report[1],
                                       .status = status[1],
                                       .lifeline = life[0]};
        const pid_t keeper = keeper_start(&job);
        if (keeper < 0)
            error = errno;
        close(report[1]);
        close(status[1]);
        report[1] = status[1] = -1;
        if (keeper > 0) {
            int ended = 0;
            if (read(report[0], &r, sizeof r) == (ssize_t)sizeof r) {
                *step = r.step;
                error = r.error ? r.error : EINVAL;
            } else if (read(status[0], &ended, sizeof ended) != (ssize_t)sizeof ended || ended) {
                *step = STEP_START;
                error = EINVAL;
            }
            close(life[1]);
            life[1] = -1;
            while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
                ;
        }
    }
    const int fds[] = {null, report[0], report[1], status[0], status[1], life[0], life[1]};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return error;
}

/* Which of the namespaces can be had, when not all can? Each is tried alone. */
static void try_each_namespace(struct sandbox *s, int error) {
    const unsigned wanted = s->walls & all_namespaces, rest = s->walls & ~all_namespaces;
    const unsigned user = wanted & SET(WALL_USER_NS);
    unsigned good = 0;
    int step;
    for (int w = WALL_PID_NS; w <= WALL_IPC_NS; w++) {
        s->walls = user | SET(w);
        if ((wanted & SET(w)) && try_walls(s, SANDBOX_RUN, &step) == 0)
            good |= SET(w);
    }
    s->walls = wanted | rest;
    lose(s, wanted & ~(good ? good | user : 0), "%s", strerror(error));
}

/* Takes away what the failed step stands for. False when that was nothing. */
static bool give_way(struct sandbox *s, int step, int error) {
    const char *why = strerror(error);
    const unsigned before = s->walls;
    switch (step) {
    case 0:
    case STEP_START:
        if (s->walls & all_namespaces)
            try_each_namespace(s, error);
        if (s->walls == before)
            lose(s, all_namespaces, "%s", why);
        break;
    case STEP_MAP: lose(s, all_namespaces, "the user namespace takes no account: %s", why); break;
    case STEP_PROC:
        if (!s->host_proc) {
            s->host_proc = true;
            return true;
        }
        /* fall through */
    case STEP_MOUNT: lose(s, SET(WALL_MOUNT_NS), "%s", why); break;
    case STEP_ACCOUNT: lose(s, SET(WALL_ACCOUNT), "cannot change to it: %s", why); break;
    case STEP_SCRATCH:
        lose(s, SET(WALL_ACCOUNT), "it may not enter %.100s (set TMPDIR to a folder for everybody)",
             s->scratch);
        break;
    case STEP_COMPILER: lose(s, SET(WALL_ACCOUNT), "it may not start the compiler: %s", why); break;
    case STEP_NEED: lose(s, SET(WALL_ACCOUNT), "it may not read the kit: %s", why); break;
    case STEP_LANDLOCK: lose(s, SET(WALL_LANDLOCK), "%s", why); break;
    case STEP_SECCOMP: lose(s, SET(WALL_SECCOMP), "%s", why); break;
    default: break;
    }
    return s->walls != before;
}

/* An account number that owns no process now. */
static bool in_use(pid_t pid, void *data) {
    uid_t *uid = data;
    if (process_field(pid, "Uid") == (long)*uid)
        *uid = 0;
    return *uid != 0;
}

static uid_t free_account(void) {
    for (int i = 0; i < 16; i++) {
        const uid_t candidate = FIRST_ACCOUNT + ((uid_t)getpid() + 271u * (uid_t)i) % ACCOUNTS;
        uid_t uid = candidate;
        each_process(in_use, &uid);
        if (uid != 0)
            return candidate;
    }
    return 65534;
}

/* What can be ruled out without trying. */
static void start_list(struct sandbox *s, const struct sandbox_setup *setup) {
    s->walls = SET(WALL_COUNT) - 1;
    lose(s, setup->without, "left out");
    s->landlock = landlock_version();
    if (s->landlock == 0)
        lose(s, SET(WALL_LANDLOCK), "this kernel has none");
    if (getuid() != 0 || geteuid() != 0)
        lose(s, SET(WALL_ACCOUNT), "only root can change accounts");
    else /* root needs none: tried below when it cannot have the others without it */
        s->walls &= ~SET(WALL_USER_NS);
#ifndef HAVE_SECCOMP
    lose(s, SET(WALL_SECCOMP), "the grader was built without libseccomp");
#endif
    if (!(s->walls & (all_namespaces & ~SET(WALL_USER_NS))))
        s->walls &= ~SET(WALL_USER_NS);
}

/* CUDA's driver looks itself up in /proc by its number: in a process namespace that takes a /proc
 * of that namespace. */
static bool gpu_misses_proc(const struct sandbox *s) {
    return wall_stands(s, WALL_PID_NS) && (!wall_stands(s, WALL_MOUNT_NS) || s->host_proc) &&
           access("/dev/nvidiactl", F_OK) == 0;
}

/* The account may not read the kit: it gets a copy of what it needs, unless it has one. */
static bool show_copy(struct sandbox *s, const struct sandbox_setup *setup) {
    if (kit_copied(s))
        return false;
    const int error = kit_copy(s);
    if (error) {
        lose(s, SET(WALL_ACCOUNT), "it may not read the kit, of which no copy can be made: %s",
             strerror(error));
    } else {
        path_rules_free(s);
        path_rules_make(s, setup);
    }
    return true;
}

/* Gives way until everything that is left stands. */
static void settle(struct sandbox *s, const struct sandbox_setup *setup) {
    bool user_tried = getuid() != 0 || (setup->without & SET(WALL_USER_NS));
    int step, error;
    for (;;) {
        filters_free(s);
        if (wall_stands(s, WALL_SECCOMP) && !filters_make(s))
            lose(s, SET(WALL_SECCOMP), "libseccomp: %s", strerror(errno));
        if ((error = try_walls(s, SANDBOX_RUN, &step)) == 0 &&
            (error = try_walls(s, SANDBOX_COMPILE, &step)) == 0) {
            if (!gpu_misses_proc(s))
                return;
            lose(s, SET(WALL_PID_NS), "CUDA needs a /proc that goes with it");
            continue;
        }
        if (step == 0 && error == EPERM && !user_tried && (s->walls & all_namespaces)) {
            /* Root without the right to make namespaces may still have them as a user has. */
            user_tried = true;
            const unsigned before = s->walls;
            s->walls = (before | SET(WALL_USER_NS)) & ~SET(WALL_ACCOUNT);
            int user_step;
            if (try_walls(s, SANDBOX_RUN, &user_step) == 0) {
                s->walls |= SET(WALL_ACCOUNT);
                lose(s, SET(WALL_ACCOUNT), "the user namespace has one account only");
                continue;
            }
            s->walls = before;
        }
        if (step == STEP_NEED && show_copy(s, setup))
            continue;
        if (!give_way(s, step, error))
            return; /* not even the rest stands: then no child will start, and say why */
    }
}

struct sandbox *sandbox_open(const struct sandbox_setup *setup) {
    struct sandbox *s = xcalloc(1, sizeof *s);
    s->scratch = xstrdup(setup->scratch);
    s->new_root = xasprintf("%s/root", setup->scratch);
    start_list(s, setup);
    s->uid = s->gid = wall_stands(s, WALL_ACCOUNT) ? free_account() : 0;
    if (mkdir(s->new_root, 0700) != 0 && errno != EEXIST)
        lose(s, SET(WALL_MOUNT_NS), "cannot make %.100s", s->new_root);
    if (wall_stands(s, WALL_ACCOUNT) &&
        (chown(setup->scratch, (uid_t)-1, s->gid) != 0 || chmod(setup->scratch, 0710) != 0))
        lose(s, SET(WALL_ACCOUNT), "cannot share the scratch folder with it: %s", strerror(errno));
    s->compilers = setup->compilers;
    kit_open(s, setup);
    path_rules_make(s, setup);
    settle(s, setup);
    s->compilers = NULL; /* the caller's */
    return s;
}

void sandbox_close(struct sandbox *s) {
    if (!s)
        return;
    path_rules_free(s);
    kit_close(s);
    filters_free(s);
    for (int w = 0; w < WALL_COUNT; w++)
        free(s->missing[w]);
    free(s->scratch);
    free(s->new_root);
    free(s);
}

/* ---- Description ---- */

void sandbox_describe(const struct sandbox *s, struct text *t) {
    text_add(t, "walls: ");
    for (int w = 0; w < WALL_COUNT; w++) {
        if (!wall_stands(s, (enum sandbox_wall)w))
            continue;
        text_add(t, sandbox_wall_name((enum sandbox_wall)w));
        if (w == WALL_LANDLOCK)
            text_addf(t, " (version %d)", s->landlock);
        text_add(t, ", ");
    }
    text_add(t, "limits, no privileges, a keeper that ends what is left\n");
    for (int w = 0; s && w < WALL_COUNT; w++) {
        if (!wall_stands(s, (enum sandbox_wall)w) && s->missing[w])
            text_addf(t, "  missing: %s: %s\n", sandbox_wall_name((enum sandbox_wall)w),
                      s->missing[w]);
    }
    if (kit_copied(s) && wall_stands(s, WALL_ACCOUNT))
        text_add(t, "  the kit is closed to the account: it reads a copy of what compilers need\n");
    const bool filter = wall_stands(s, WALL_SECCOMP);
    if (!wall_stands(s, WALL_NET_NS) && !filter)
        text_add(t, "  open: the network\n");
    if (!wall_stands(s, WALL_MOUNT_NS) && !wall_stands(s, WALL_LANDLOCK)) {
        text_addf(t, "  open: reading files that %s may read\n",
                  wall_stands(s, WALL_ACCOUNT) ? "everybody" : "this account");
        if (!wall_stands(s, WALL_ACCOUNT) && !filter)
            text_add(t, "  open: writing this account's files\n");
    }
    if (!signals_stay_inside(s) && !filter)
        text_add(t, "  open: signals to this account's processes\n");
}

/* ---- Whose files ---- */

/* Changes owner and group of a folder and of what lies in it. Nothing hostile has run there as long
 * as it is the grader's; links are changed themselves, not what they point to. */
static void hand_over(const char *folder, uid_t uid, gid_t gid, mode_t folder_mode,
                      mode_t file_mode) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        struct stat st;
        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        const int fd =
            openat(dirfd(dir), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (fchown(fd, uid, gid) == 0 && file_mode)
            (void)fchmod(fd, (st.st_mode & 0111) ? file_mode | 0110 : file_mode);
        close(fd);
    }
    if (dir) {
        if (fchown(dirfd(dir), uid, gid) == 0)
            (void)fchmod(dirfd(dir), folder_mode);
        closedir(dir);
    }
}

void sandbox_give(const struct sandbox *s, const char *folder) {
    if (wall_stands(s, WALL_ACCOUNT))
        hand_over(folder, s->uid, s->gid, 0700, 0);
}

void sandbox_take(const struct sandbox *s, const char *folder) {
    if (wall_stands(s, WALL_ACCOUNT))
        hand_over(folder, getuid(), s->gid, 0750, 0640);
}

void sandbox_sweep(const struct sandbox *s) {
    static const char *const public[] = {"/dev/shm", "/dev/mqueue", "/tmp", "/var/tmp",
                                         "/run/lock"};
    if (!wall_stands(s, WALL_ACCOUNT) || wall_stands(s, WALL_MOUNT_NS) ||
        wall_stands(s, WALL_LANDLOCK))
        return;
    for (size_t i = 0; i < sizeof public / sizeof *public; i++) {
        DIR *dir = opendir(public[i]);
        for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
            struct stat st;
            if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name))
                continue;
            if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
                st.st_uid != s->uid)
                continue;
            char *path = xasprintf("%s/%s", public[i], entry -> d_name);
            (void)scratch_remove(path);
            free(path);
        }
        if (dir)
            closedir(dir);
    }
}
