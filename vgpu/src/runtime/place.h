/*
 * place.h: the line of the program that called the runtime, for messages about a call.
 *
 * The stack tells it, and the program's line table (check/caller.h). It is looked for only when
 * there is something to say, so calls pay nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The innermost call on this thread's stack that is of the program, and not of the runtime. False:
 * the program has no line table, or the stack does not tell. In a signal's handler only if the
 * program is about to end. */
bool vg_place_of_call(char *file, size_t len, int *line);

/* Where this thread's stack returns to, for a line that may be asked for later, when the call is
 * over: at most VG_PLACES addresses, from the innermost on. */
enum { VG_PLACES = 12 };
typedef struct vg_places {
    const void *at[VG_PLACES];
    int count;
} vg_places;
void vg_places_now(vg_places *places);
/* As vg_place_of_call, of a stack as it was then. */
bool vg_place_of_then(const vg_places *places, char *file, size_t len, int *line);

/* How many bytes a variable at `at` may have at most, if it is one of a function that this thread
 * is in: from there on lies what the function needs to return. SIZE_MAX: it is none. */
size_t vg_place_room(const void *at);

/* A launch is made by a stub of the compiler's, which belongs to the kernel's line: until the next
 * of these, this thread's call counts as the one that returns to `address`. NULL: as what it is. */
void vg_place_is(const void *address);
