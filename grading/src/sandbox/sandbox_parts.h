/*
 * sandbox_parts.h: what the modules of the sandbox share. Only child.c, which
 * starts keepers, includes this besides.
 *
 *   sandbox.c           which walls stand here (probe), their description, accounts
 *   sandbox_kit.c       what compilers need of the kit; a copy for an account that may not read it
 *   sandbox_paths.c     which files each profile may see
 *   sandbox_mounts.c    a root folder that holds only those        (in the keeper)
 *   sandbox_landlock.c  the same, and signals, as a Landlock domain (in the child)
 *   sandbox_seccomp.c   the system-call filter
 *   sandbox_keeper.c    the process between grader and child: builds the walls in order
 *   sandbox_process.c   finding and ending processes
 */
#pragma once

#include "grading/src/sandbox/sandbox.h"

#include <linux/filter.h>
#include <stddef.h>
#include <string.h>

/* What a rule allows. */
enum {
    ALLOW_READ = 1,
    ALLOW_EXECUTE = 2,
    ALLOW_WRITE = 4,
    ALLOW_DEVICE = 8, /* a device's own commands (ioctl) */
};

/* When a rule counts. */
enum rule_when {
    ALWAYS,
    OWN_PROC,  /* /proc shows the child's own processes only */
    HOST_PROC, /* /proc shows the machine's */
    OWN_ROOT,  /* the root folder is made for the child, and this already in it */
};

/* A file, or a folder with all below it. */
struct path_rule {
    char *path;
    unsigned allow;
    unsigned profiles; /* set of 1u << enum sandbox_profile */
    enum rule_when when;
    bool folder;
    char *link; /* a symbolic link to this, and nothing else; or NULL */
};

struct path_rules {
    struct path_rule *rule;
    size_t count, room;
};

/* The kit's folders. The order counts where one lies in another: the inner one first. */
enum kit_folder { KIT_BUILD, KIT_HEADERS, KIT_ROOT, KIT_FOLDERS };
#define KIT_PARTS 9

/* A file or folder that an account must be able to use. */
struct needed {
    char *path;
    int rights; /* of R_OK and X_OK */
};

struct kit {
    char *place[KIT_FOLDERS]; /* where each folder lies */
    char *copy[KIT_FOLDERS]; /* where children find it instead; all NULL: they see the kit itself */
    struct needed *needed;   /* what compilers need, where children find it */
    size_t needed_count, needed_room;
};

struct sandbox {
    unsigned walls;
    char *missing[WALL_COUNT]; /* why not, for those that don't stand; owned; may be NULL */
    uid_t uid;                 /* WALL_ACCOUNT */
    gid_t gid;
    int landlock;   /* version of Landlock's interface, 0: none */
    bool host_proc; /* the machine allows no /proc of our own */
    char *scratch;
    char *new_root; /* an empty folder to mount on */
    struct path_rules rules;
    struct kit kit;
    const char *const *compilers; /* the setup's, while it is open */
    struct sock_fprog filter[SANDBOX_PROFILES];
};

static inline bool wall_stands(const struct sandbox *s, enum sandbox_wall wall) {
    return s && (s->walls & 1u << wall);
}

/* Do other processes lie outside what a signal can name? If not, the filter must see to it. */
static inline bool signals_stay_inside(const struct sandbox *s) {
    return wall_stands(s, WALL_PID_NS) || wall_stands(s, WALL_ACCOUNT) ||
           (wall_stands(s, WALL_LANDLOCK) && s->landlock >= 6);
}

/* Does any wall keep a child from writing the user's files? */
static inline bool files_are_walled(const struct sandbox *s) {
    return wall_stands(s, WALL_MOUNT_NS) || wall_stands(s, WALL_ACCOUNT) ||
           wall_stands(s, WALL_LANDLOCK);
}

/* Is `path` the folder `top`, or in it? */
static inline bool path_lies_in(const char *path, const char *top) {
    const size_t n = strlen(top);
    return strncmp(path, top, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* --- sandbox_kit.c --- */
void kit_open(struct sandbox *s, const struct sandbox_setup *setup);
void kit_close(struct sandbox *s);
/* Gives children a copy in the scratch folder. 0, or errno and they see the kit itself as before.
 */
int kit_copy(struct sandbox *s);
static inline bool kit_copied(const struct sandbox *s) {
    return s && s->kit.copy[KIT_ROOT];
}
/* The path of a part (0 to KIT_PARTS - 1), where children find it. The caller frees it. */
char *kit_part(const struct sandbox *s, int part);

/* --- sandbox_paths.c --- */
bool rule_counts(const struct sandbox *s, const struct path_rule *r, enum sandbox_profile profile);
void path_rules_make(struct sandbox *s, const struct sandbox_setup *setup);
void path_rules_free(struct sandbox *s);

/* ---- The keeper and the child: from here on only system calls, no memory from the heap ---- */

/* The folders that differ from child to child. NULL where there is none. */
struct own_folders {
    const char *writable; /* may be written to */
    const char *program;  /* holds the program: may be read and started */
};

/* In the keeper: builds a root folder with what `profile` may see and moves there. 0 or errno;
 * *proc says whether it was /proc that failed. */
int mounts_enter(const struct sandbox *s, enum sandbox_profile profile,
                 const struct own_folders *own, bool *proc);

/* In the child. 0 or errno. */
int landlock_enter(const struct sandbox *s, enum sandbox_profile profile,
                   const struct own_folders *own);
/* Version of the interface, or 0. */
int landlock_version(void);

/* In the grader: translates the filters of s->walls. False, with errno, where that fails. */
bool filters_make(struct sandbox *s);
void filters_free(struct sandbox *s);
/* In the child: the filter applies from here on. 0 or errno. */
int filter_enter(const struct sandbox *s, enum sandbox_profile profile);

/* ---- sandbox_keeper.c ---- */

/* Numbers that the ends of a child's own descriptors never have: its channel lies below. */
#define KEEPER_FIRST_NUMBER 256

/* What went wrong between fork and exec. */
enum keeper_step {
    STEP_MAP = 1, /* the user namespace's accounts */
    STEP_MOUNT,
    STEP_PROC,
    STEP_START,
    STEP_ACCOUNT,
    STEP_SCRATCH,  /* the account may not enter the scratch folder */
    STEP_COMPILER, /* it may not start a compiler */
    STEP_NEED,     /* it may not read what compilers need of the kit */
    STEP_LANDLOCK,
    STEP_SECCOMP,
    STEP_DESCRIPTORS,
    STEP_FOLDER,
    STEP_EXEC,
};

struct keeper_report {
    int32_t step, error;
};

struct keeper_job {
    const struct sandbox *sandbox; /* NULL: a program of ours, no walls but limits */
    enum sandbox_profile profile;
    struct own_folders own;
    struct sandbox_limits limits; /* from limits_prepare */
    const char *const *argv;      /* NULL: a probe, which ends when all walls stand */
    const char *const *environment;
    const char *folder;
    int channel_number; /* 0: no channel */
    int passed_ids;     /* process ids to pass over */
    int in, out, err;   /* the child's standard descriptors */
    int channel;        /* its end of the channel, or -1 */
    int report;   /* takes a keeper_report when the child does not start; closed when it does */
    int status;   /* takes the child's wait status (int) */
    int lifeline; /* closed by the grader when all shall end */
};

/* Starts the keeper. Returns its process id, or -1 with errno. */
pid_t keeper_start(const struct keeper_job *job);

/* Looks up what cannot be looked up between fork and exec: how many processes the account runs. */
struct sandbox_limits limits_prepare(const struct sandbox *s, struct sandbox_limits wanted);

/* ---- sandbox_process.c ---- */

/* Calls `each` with every process id in /proc until it returns false. */
void each_process(bool (*each)(pid_t pid, void *data), void *data);
/* One "Name: value" number of /proc/PID/status, or -1. */
long process_field(pid_t pid, const char *name);

/* What a process (the keeper) and all below it use. */
struct process_use {
    uint64_t resident_bytes; /* of those below */
    uint64_t processes;      /* below */
    int64_t user, system;    /* milliseconds of processor time, of processes that have ended, too */
    bool busy; /* any is running, ready to run, or waiting for a disk, and no choice of its own */
};
struct process_use process_use_below(pid_t pid);
