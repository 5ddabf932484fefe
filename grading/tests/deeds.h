/*
 * deeds.h: what a submission must not be able to do, and what it must. Each is a small function
 * that tries; sandbox_test starts itself as a child inside the walls to have it tried there.
 */
#pragma once

#include "grading/src/sandbox/sandbox.h"

/* How a child that tried ends. */
enum { DEED_DONE = 10, DEED_REFUSED = 11, DEED_CONFUSED = 12 };

struct deed {
    const char *name;
    /* Tries; true when it got through. */
    bool (*attempt)(void);
    /* Any one of these refuses it; 0: it is refused everywhere, even with no wall but the limits
     * and privileges that every child loses. */
    unsigned held_by;
    /* Not even a child without any walls gets through when it is not root. */
    bool roots;
};

extern const struct deed forbidden_deeds[];
extern const struct deed needed_deeds[]; /* held_by: walls that refuse it nevertheless */

/* What the child is told about its surroundings, as arguments after its deed's name. */
struct deed_world {
    int grader;          /* the process id of the test */
    const char *secret;  /* a file that only the grader's account may read */
    const char *outside; /* a folder that only the grader's account may write to */
    int port;            /* of 127.0.0.1, where the test listens */
};
extern struct deed_world deed_world;

/* Names of what a deed leaves on the machine, by the test's port: two tests at a time have
 * different ones. */
struct deed_mark {
    char name[16];   /* of a process or a file */
    char shared[17]; /* of shared memory and queues */
    int key;         /* of System V's memory */
};
struct deed_mark deed_mark(int port);

/* Runs one by name and ends the process. */
__attribute__((noreturn)) void deed_main(int argc, char **argv);
