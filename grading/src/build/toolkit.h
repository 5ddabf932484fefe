/*
 * toolkit.h: the CUDA toolkit of this machine, as tools/toolkit finds it.
 *
 * The script looks for nvcc, tries what it makes, and keeps what it found in the build folder. Here
 * its answer is read; nothing is looked for or guessed.
 */
#pragma once

#include "grading/src/build/backend.h"

struct toolkit {
    char *facts;     /* the whole answer, a line each */
    char *nvcc;      /* NULL: there is none */
    char *top;       /* the folder that nvcc's parts lie in; NULL unless it works */
    char *fault;     /* "/opt/bin/nvcc cannot be used: ..."; NULL: it works, or there is none */
    char *no_cublas; /* "/opt/bin/nvcc has no cuBLAS: ..."; NULL: it has, or does not work */
};

/* nvcc: the one to look at; NULL or empty: the one that this machine's variables name. Takes
 * milliseconds where the answer is known, seconds where it must be found out. */
void toolkit_ask(struct toolkit *t, const struct paths *paths, const char *nvcc);
bool toolkit_works(const struct toolkit *t);
void toolkit_free(struct toolkit *t);

/* Runs a program of ours, in an environment (NULL: our own), and returns what it prints. NULL when
 * it does not succeed, or takes longer than so many milliseconds. */
char *ask_program(const char *const *argv, const char *const *environment, int milliseconds);
