/*
 * vgpucc_watch.c: see vgpucc_watch.h.
 */
#include "vgpu/tools/vgpucc_watch.h"

#include "vgpu/src/inspect/watched.h"
#include "vgpu/tools/vgpucc_gone.h"
#include "vgpu/tools/vgpucc_names.h"
#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_text.h"
#include "vgpu/tools/vgpucc_vectors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool run_quietly(const args *command, bool verbose) {
    const pid_t pid = start(command, workdir_file("watched-errors"), verbose);
    return pid > 0 && finish(pid) == 0;
}

/* The three texts in one. */
static bool put_together(const char *ptx, const char *watched, const char *names) {
    const char *path[3] = {ptx, watched, names};
    char *text[3] = {0}, *whole = NULL;
    size_t len[3] = {0}, at = 0;
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        text[i] = read_file(path[i], &len[i]);
        /* A text ends at its first NUL, wherever it is read. */
        ok = ok && text[i] != NULL && memchr(text[i], '\0', len[i]) == NULL;
    }
    if (ok)
        whole = malloc(VG_WATCHED_HEAD + len[0] + len[1] + len[2] + 1);
    if (whole != NULL) {
        at = (size_t)sprintf(whole, VG_WATCHED_FORMAT, len[0], len[1], len[2]);
        for (int i = 0; i < 3; i++) {
            memcpy(whole + at, text[i], len[i]);
            at += len[i];
        }
    }
    ok = whole != NULL && write_file(ptx, whole, at);
    for (int i = 0; i < 3; i++)
        free(text[i]);
    free(whole);
    return ok;
}

/* The text to PTX; once more with names in ASCII where the back end gave up on one. */
static bool compile_text(const args *back, const char *text, const char *watched, bool verbose) {
    return run_quietly(back, verbose) ||
           (names_encode(text) && run_quietly(back, verbose) && names_decode(watched));
}

/* With vectors in one piece, as the other build has them; without, where that cannot be done. */
static bool compile_watched(const options *o, const setup *s, const char *input,
                            const char *watched, const char *own) {
    const char *text = workdir_file("watched.ll");
    args front = {0}, back = {0}, whole = {0};
    watched_command(&front, o, s, input, text, true, own);
    back_end_command(&back, o, s, text, watched, BACK_END_WATCHED);
    watched_command(&whole, o, s, input, watched, false, own);
    const bool done = (run_quietly(&front, o->verbose) && vectors_keep(text) && gone_mark(text) &&
                       compile_text(&back, text, watched, o->verbose)) ||
                      run_quietly(&whole, o->verbose);
    args_free(&front);
    args_free(&back);
    args_free(&whole);
    return done;
}

void watch_append(const options *o, const setup *s, const char *input, const char *ptx) {
    if (access(s->names, X_OK) != 0) {
        complain("-g: kernels cannot be watched: %s is missing; install libdw's headers "
                 "(tools/setup), then make vgpucc",
                 s->names);
        return;
    }
    const char *watched = workdir_file("watched.ptx"), *names = workdir_file("names"),
               *own = workdir_file("own");
    args list = {0};
    args_push(&list, s->names);
    args_push(&list, watched);
    args_push(&list, own);
    args_push(&list, s->include);
    args_push(&list, names);
    if (!compile_watched(o, s, input, watched, own))
        complain("-g: %s: its kernels cannot be watched: clang does not compile them at -O0",
                 input);
    else if (!run_quietly(&list, o->verbose) || !put_together(ptx, watched, names))
        complain("-g: %s: its kernels cannot be watched: their names cannot be read", input);
    args_free(&list);
}
