/*
 * sandbox.h: what a child process gives up before it runs a stranger's program.
 *
 * Both kinds of child go through here: the compiler that reads the submission, and the worker that
 * runs it. Today's walls are the ones every Unix account may put up: a session of its own, resource
 * limits, no way to gain privileges, death together with the grader. Namespaces, Landlock and
 * system-call filters belong into sandbox_enter, at the place marked there, so that every child
 * gets them.
 */
#ifndef GRADING_SANDBOX_H
#define GRADING_SANDBOX_H

#include <stdint.h>
#include <sys/types.h>

/* 0 means no limit. */
struct sandbox_limits {
    uint64_t cpu_seconds;
    uint64_t data_bytes;    /* private writable memory (RLIMIT_DATA); address space is not limited,
                               for the virtual GPU and CUDA reserve far more than they use */
    uint64_t file_bytes;    /* largest file the child may write */
    uint64_t new_processes; /* beyond those the user is running already; root is never limited */
};

/* Looks up what cannot be looked up between fork and exec (how many processes the user runs).
 * Returns the limits to hand to sandbox_enter. */
struct sandbox_limits sandbox_prepare(struct sandbox_limits wanted);

/* Called in the child, after fork and before exec: makes only async-signal-safe calls. `grader` is
 * the parent's process id. Limits that the machine refuses are left as they are. */
void sandbox_enter(const struct sandbox_limits *prepared, pid_t grader);

/* Once, in the grader: orphans of its children become its own children, so that none escapes. */
void sandbox_adopt_orphans(void);

/* Kills and reaps every child the grader has, and theirs, until none is left. Returns 0, or how
 * many would not die within a second. */
int sandbox_kill_all(void);

#endif
