/* place.c: walks the stack, and asks for lines; see place.h. */
#include "vgpu/src/runtime/place.h"

#include "vgpu/src/check/caller.h"

#include <stdint.h>
#include <string.h>
#include <unwind.h>

enum { FRAMES = 32 }; /* of them, the runtime's own are far fewer */

static _Thread_local const void *meant;

void vg_place_is(const void *address) {
    meant = address;
}

typedef struct search {
    char *file;
    size_t len;
    int *line;
    int frames;
    bool found;
} search;

/* The runtime may have a line table, too, and its headers have functions, as the toolkit's have;
 * installed, ours are in a folder of another name. */
static bool is_own(const char *file) {
    static const char *const ours[] = {"vgpu/src/", "vgpu/include/", "include/vgpu/",
                                       "include/cuda_runtime.h", "include/crt/"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strstr(file, ours[i]))
            return true;
    return false;
}

static _Unwind_Reason_Code look_at(struct _Unwind_Context *frame, void *arg) {
    search *s = arg;
    const void *address = (const void *)(uintptr_t)_Unwind_GetIP(frame);
    s->found = vg_caller_line(address, s->file, s->len, s->line) && !is_own(s->file);
    return s->found || ++s->frames == FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool vg_place_of_call(char *file, size_t len, int *line) {
    search s = {file, len, line, 0, false};
    if (meant)
        return vg_caller_line(meant, file, len, line);
    _Unwind_Backtrace(look_at, &s);
    return s.found;
}

static _Unwind_Reason_Code keep(struct _Unwind_Context *frame, void *arg) {
    vg_places *places = arg;
    places->at[places->count++] = (const void *)(uintptr_t)_Unwind_GetIP(frame);
    return places->count == VG_PLACES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void vg_places_now(vg_places *places) {
    places->count = 0;
    _Unwind_Backtrace(keep, places);
}

bool vg_place_of_then(const vg_places *places, char *file, size_t len, int *line) {
    for (int i = 0; i < places->count; i++)
        if (vg_caller_line(places->at[i], file, len, line) && !is_own(file))
            return true;
    return false;
}

typedef struct frame_search {
    uintptr_t at, begin; /* begin: of the frame before, 0: none yet */
    size_t room;
} frame_search;

/* A function's variables lie from its stack pointer up to that of the function that called it, with
 * the address to return to at the end. */
static _Unwind_Reason_Code look_for_frame(struct _Unwind_Context *frame, void *arg) {
    frame_search *s = arg;
    const uintptr_t begin = (uintptr_t)_Unwind_GetCFA(frame);
    if (s->begin != 0 && s->at >= s->begin && s->at < begin) {
        s->room = begin - s->at > sizeof(void *) ? begin - s->at - sizeof(void *) : 0;
        return _URC_END_OF_STACK;
    }
    s->begin = begin;
    return _URC_NO_REASON;
}

size_t vg_place_room(const void *at) {
    enum { STACK = 8 << 20 }; /* what a stack has, mostly: anything else is not worth the walk */
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    frame_search s = {.at = (uintptr_t)at, .room = SIZE_MAX};
    if (s.at < here || s.at - here > STACK)
        return SIZE_MAX;
    _Unwind_Backtrace(look_for_frame, &s);
    return s.room;
}
