/*
 * sandbox.h: the walls between a submission and the machine.
 *
 * Both kinds of strangers' children go through here: the compiler that reads a submission, and the
 * worker that runs it. Each machine allows other walls; sandbox_open finds out which by putting
 * them up around a process of our own, and from then on every child gets exactly those. A wall that
 * stood at the probe and falls later is an error, never a child without it.
 *
 *   grader ──► keeper ──► compiler or worker ──► whatever that starts
 *              │          └ limits, account, no privileges, Landlock, system-call filter
 *              └ namespaces; ends all below it when the grader is done, or dead
 *
 * Refuses to judge: what a child did is told by child.h and run.h. No wall can be switched off from
 * outside the program; sandbox_setup.without exists for the tests.
 */
#pragma once

#include "grading/src/base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Each wall is a bit (1u << wall) of a set of walls. */
enum sandbox_wall {
    WALL_USER_NS,  /* a user namespace: what lets an ordinary user have the next four */
    WALL_PID_NS,   /* other processes cannot be seen or named; all die with the keeper */
    WALL_MOUNT_NS, /* only listed files and folders exist */
    WALL_NET_NS,   /* no network, not even loopback */
    WALL_IPC_NS,   /* System V and POSIX objects vanish with the child */
    WALL_ACCOUNT,  /* root only: an account that owns nothing and runs nothing */
    WALL_LANDLOCK, /* only listed files can be opened; no TCP; from version 6 no signals out */
    WALL_SECCOMP,  /* no system calls that a matrix product never needs */
    WALL_COUNT
};

/* What a child is, and so which files it needs and which calls. */
enum sandbox_profile { SANDBOX_COMPILE, SANDBOX_RUN, SANDBOX_RUN_GPU, SANDBOX_PROFILES };

/* 0 means no limit. */
struct sandbox_limits {
    uint64_t cpu_seconds;
    uint64_t data_bytes;    /* private writable memory (RLIMIT_DATA) of each process; address space
                               is not limited: the virtual GPU and CUDA reserve far more than they
                               use */
    uint64_t file_bytes;    /* largest file the child may write */
    uint64_t new_processes; /* beyond those the account is running already */
    /* Of the child and all it started, together. Looked after by the parent (child.c), for no
     * machine lets an ordinary user set these. */
    uint64_t total_bytes;  /* resident memory */
    uint64_t folder_bytes; /* in the folder it may write to */
};

struct sandbox_setup {
    const char *root, *build;     /* the kit, and what was built */
    const char *headers;          /* the kit that has the headers; NULL: this one */
    const char *const *compilers; /* programs outside the kit that compile, as paths; NULL at the
                                     end; may be NULL */
    const char *scratch; /* this run's private folder: with WALL_ACCOUNT it changes its group */
    const char *const *hidden; /* paths never to be shown, though all around them be readable; NULL
                                  at the end; may be NULL. The kit and the user's home are always
                                  hidden, but for the parts a compiler needs. */
    const char *toolkit;       /* the CUDA toolkit's folder; NULL: none */
    unsigned without;          /* set of walls to leave out: for tests */
};

struct sandbox;

/* Finds out which walls stand here: starts a few processes. Never NULL. */
struct sandbox *sandbox_open(const struct sandbox_setup *setup);
void sandbox_close(struct sandbox *s);

/* The set of walls that stand. */
unsigned sandbox_walls(const struct sandbox *s);
const char *sandbox_wall_name(enum sandbox_wall wall);

/* A line "walls: ..." that names them, and a line for each one that is missing, with the reason and
 * what that leaves open. */
void sandbox_describe(const struct sandbox *s, struct text *t);

/* Where children find a file of the kit: there, or, when their account may not read the kit and it
 * is one that compilers need, in a copy. Any other path stays as it is. The caller frees it. `s`
 * may be NULL: no walls. */
char *sandbox_path(const struct sandbox *s, const char *path);

/* Makes a folder and the files in it a child's own: it may then write there when it is that child's
 * `writable` folder. */
void sandbox_give(const struct sandbox *s, const char *folder);
/* Makes them the grader's again: later children may read and start them, not change them. */
void sandbox_take(const struct sandbox *s, const char *folder);
/* Removes what children left in the machine's public folders. Only where no better wall stands. */
void sandbox_sweep(const struct sandbox *s);

/* Once, in the grader: its memory is closed to other processes of the account, and orphans of its
 * children become its own children, so that none escapes. */
void sandbox_adopt_orphans(void);

/* Kills and reaps every child the grader has, and theirs, until none is left. Returns 0, or how
 * many would not die within a second. */
int sandbox_kill_all(void);
