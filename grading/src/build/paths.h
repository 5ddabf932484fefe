/*
 * paths.h: where the kit lies, and where that of the person goes who uses it.
 *
 * Whoever has a kit of their own finds everything in its folder. In a kit that others installed,
 * and that a person may not write to, their files are elsewhere: a folder `labs` of their own, and
 * results that nobody else sees. Writing is what tells the two apart, not who owns what.
 */
#pragma once

#include <stdbool.h>

struct lab_spec;

struct paths {
    char *root;       /* the kit's top folder */
    char *build;      /* the folder of what was built: bin/, lib/ */
    char *labs;       /* the folder of the files that this person edits ... */
    char *labs_shown; /* ... as messages name it: "labs", or an absolute path */
    bool labs_shared; /* it is the kit's, and they may not write to it */
    char *standing;   /* the folder of their last results; need not be there */
    char *command;    /* how to call the grader: "./grader", or "BUILD=... ./grader" */
};

/* Finds the kit from the grader's own place and the launcher's GRADER_ROOT, standings from its
 * GRADER_STANDING, labs from the current folder (above), the command from GRADER_COMMAND. */
void paths_find(struct paths *p);
void paths_free(struct paths *p);

/* The kit whose headers (vgpu/include) compilers take: the one that VGPU_HOME names, else this one.
 */
const char *paths_headers(const struct paths *p);

/* A file of a lab that the person edits: "lab3.cu" or "answers.txt". As messages show it, too. The
 * caller frees it. */
char *paths_lab_file(const struct paths *p, const struct lab_spec *lab, const char *name);
char *paths_lab_file_shown(const struct paths *p, const struct lab_spec *lab, const char *name);

/* Adds how to get a lab's file back, as in "git restore labs/lab3-tiled-square/lab3.cu". */
struct text;
void paths_say_restore(struct text *t, const struct paths *p, const struct lab_spec *lab,
                       const char *name);
