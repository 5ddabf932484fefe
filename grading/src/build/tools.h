/*
 * tools.h: runs the compiler and the linker that build a submission, in a folder of their own and
 * inside the walls of sandbox.h.
 *
 * Tells how a tool ended, by its status and by what the machine did meanwhile, and keeps what it
 * printed. Whose fault an end is, build.c finds out.
 */
#pragma once

#include "grading/src/build/backend.h"
#include "grading/src/lab/labs.h"
#include "grading/src/sandbox/sandbox.h"

#include <stdbool.h>
#include <stddef.h>

/* Of processor time, for a compiler and all it starts. With what its processes cost the kernel it
 * may be more. None of them waits for anything, but in a file that makes it. */
#define COMPILE_SECONDS   60
#define COMPILE_PROCESSOR 90
#define COMPILE_WAITING   20
/* By the clock, for a machine that is busy with others; and so many times. */
#define COMPILE_CLOCK 300
#define COMPILE_TRIES 2

/* One build: where it happens and with what. */
struct job {
    const struct lab_spec *lab;
    const struct backend *backend;
    const struct paths *paths;
    const struct sandbox *sandbox;
    char *folder;  /* of its own, inside the scratch folder */
    char *file;    /* the copy's name in that folder, ends in .cu */
    char *renamed; /* the name to show instead, when the copy needed another one; or NULL */
    char **environment;
    char *messages; /* of the last compiler run */
    bool watched;   /* for a film: vgpucc -g */
};

enum tool_outcome {
    TOOL_OK,
    TOOL_FAILED,
    TOOL_WAITED,  /* for something that does not come */
    TOOL_STARVED, /* the machine did not let it come to its limit */
    TOOL_KILLED,  /* the machine ended it, or another process while it ran: its memory ran out */
    TOOL_LIMIT,   /* ran into a limit on memory, file size or processor time */
    TOOL_SHARED,  /* refused a kernel for the size of its arrays in shared memory */
    TOOL_BROKEN,  /* broke down itself */
    TOOL_UNUSABLE,
    TOOL_STOPPED,
};

/* Makes the job's folder, named `folder`, with the source in it. */
bool job_start(struct job *j, const char *scratch, const char *folder, const char *name,
               const char *bytes, size_t n);
void job_free(struct job *j);

/* From the source to submission.o; from that to the program `worker`. */
enum tool_outcome job_compile(struct job *j);
enum tool_outcome job_link(struct job *j);

/* Runs a program in the folder of what was built, behind the same walls; j->messages has what it
 * printed. */
enum tool_outcome job_run(struct job *j, const char *const *argv);

/* Did the machine end it, or give it no time? It was tried again before that is said. */
bool tool_machines_doing(enum tool_outcome outcome);
