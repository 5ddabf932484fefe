/*
 * lent.c: who frees a matrix that was only lent (see worker.h).
 *
 * What gives memory back, in C or C++, asks here first, since a program's own definitions come
 * before those of libraries. A pointer into A, B or C is told to the grader, and the process ends:
 * what the C library would make of it differs from one to the next. All else is handed on.
 *
 * The definitions are weak: a submission with a function of such a name keeps it.
 */
#include "grading/worker/worker.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The C library's own. It is looked up at its first use, which is before there are threads. What is
 * freed by the look-up itself is kept. */
static void *next_of(void **next, const char *name) {
    static bool looking;
    if (!*next && !looking) {
        looking = true;
        *next = dlsym(RTLD_NEXT, name);
        looking = false;
    }
    return *next;
}

__attribute__((weak)) void free(void *p) {
    static void *next;
    if (p)
        worker_given_back(p);
    void (*const function)(void *) = (void (*)(void *))next_of(&next, "free");
    if (function)
        function(p);
}

__attribute__((weak)) void *realloc(void *p, size_t bytes) {
    static void *next;
    if (p)
        worker_given_back(p);
    void *(*const function)(void *, size_t) = (void *(*)(void *, size_t))next_of(&next, "realloc");
    return function ? function(p, bytes) : NULL;
}
