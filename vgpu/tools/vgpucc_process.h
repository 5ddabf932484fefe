/*
 * vgpucc_process.h: running commands, and the private folder for what lies between them.
 *
 * Commands are argument lists; no shell sees them, so file names may hold any character. On SIGINT,
 * SIGTERM and SIGHUP the running commands are ended and the folder is removed before vgpucc dies of
 * the same signal.
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>
#include <sys/types.h>

/* Makes the folder, once. False with a message when that fails. */
bool workdir_make(void);
/* Path of a new file "<number>.<suffix>" in it; removed with it. */
const char *workdir_file(const char *suffix);
void workdir_remove(void);

/* Full path of a program: as given if it holds a '/', else looked for on PATH. NULL if there is
 * none. */
char *find_program(const char *name);

/* Starts a command; its stderr goes to the file errors (NULL: to ours). -1 with a message on
 * failure. */
pid_t start(const args *command, const char *errors, bool verbose);
/* Waits; the exit status, or 128 + signal. */
int finish(pid_t pid);
/* True with the status if the process has ended; else false, at once. */
bool finished(pid_t pid, int *status);
/* Ends a process and waits for it. */
void stop(pid_t pid);
