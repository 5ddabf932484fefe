/*
 * lent.c: who frees a matrix that was only lent (see worker.h).
 *
 * What gives memory back, in C or C++, asks here first, since a program's own definitions come
 * before those of libraries. A pointer into A, B or C is told to the grader, and the process ends:
 * what the C library would make of it differs from one to the next. A block of heap.c goes back
 * there. All else is handed on.
 *
 * The definitions are weak: a submission with a function of such a name keeps it.
 */
#include "grading/worker/worker.h"

#include <stdlib.h>
#include <string.h>

__attribute__((weak)) void free(void *p) {
    if (p)
        worker_given_back(p);
    if (!worker_heap_takes_back(p))
        worker_next_free(p);
}

__attribute__((weak)) void *realloc(void *p, size_t bytes) {
    size_t had;
    if (p)
        worker_given_back(p);
    if (!p || !worker_heap_knows(p, &had))
        return worker_next_realloc(p, bytes);
    void *copy = malloc(bytes);
    if (copy) {
        memcpy(copy, p, had < bytes ? had : bytes);
        worker_heap_takes_back(p);
    }
    return copy;
}
