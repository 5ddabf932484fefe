/*
 * refusal.h: why a file gets no points before anything of it runs.
 *
 * Each is the file's own doing, seen in a fact: its bytes, its symbols, how the compiler ended.
 * What a compiler says decides nothing, since a file can make it say anything.
 */
#pragma once

enum refusal {
    REFUSED_NOT,
    REFUSED_EMPTY,
    REFUSED_NOT_FILE, /* a link, a folder, a pipe or a device */
    REFUSED_NOT_TEXT,
    REFUSED_TOO_LARGE,
    REFUSED_NOT_COMPILED,
    REFUSED_SHARED_SIZE, /* so much shared memory as a kernel declares no block has */
    REFUSED_NOT_LINKED,
    REFUSED_BREAKS_TOOL, /* the compiler or linker breaks down on it, and not on our own file */
    REFUSED_LIMIT,       /* it takes more to build than is allowed */
    REFUSED_WAITS,       /* the compiler waits for something that does not come */
    REFUSED_MAIN,        /* it has a main of its own */
    REFUSED_FORBIDDEN,   /* it reaches for the grader's machinery, or replaces the C library's */
    REFUSED_NO_FUNCTION, /* it has none of the lab's functions */
};
