/*
 * watched.h: how a program carries the build of its kernels that a person can watch.
 *
 * A program compiled with vgpucc -g holds three texts in one, a file's device code:
 *
 *     //vgpu watched 000000012345 000000067890 000000002345     one line; the lengths of
 *     the graded build's PTX      what runs, always: optimised, as without -g
 *     the watched build's PTX     -O0: source order, every variable in memory; run to look on only
 *     names                       of its functions and variables (names.h)
 *
 * The line stands at the very beginning, where PTX of a compiler never has such a comment: nothing
 * that stands in a source can be taken for it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define VG_WATCHED_MARK   "//vgpu watched "
#define VG_WATCHED_FORMAT VG_WATCHED_MARK "%012zu %012zu %012zu\n"
enum { VG_WATCHED_HEAD = sizeof VG_WATCHED_MARK - 1 + 3 * 13 };

typedef struct vg_watched {
    const char *graded, *ptx, *names; /* into the text */
    size_t graded_len, ptx_len, names_len;
} vg_watched;

/* Takes such a text apart; false when it is another: plain PTX. */
static inline bool vg_watched_read(const char *text, size_t len, vg_watched *to) {
    size_t n[3];
    if (len < VG_WATCHED_HEAD || strncmp(text, VG_WATCHED_MARK, sizeof VG_WATCHED_MARK - 1) != 0 ||
        sscanf(text, VG_WATCHED_MARK "%12zu %12zu %12zu", &n[0], &n[1], &n[2]) != 3)
        return false;
    const size_t rest = len - VG_WATCHED_HEAD;
    if (n[0] > rest || n[1] > rest - n[0] || n[2] > rest - n[0] - n[1])
        return false;
    *to = (vg_watched){.graded = text + VG_WATCHED_HEAD,
                       .ptx = text + VG_WATCHED_HEAD + n[0],
                       .names = text + VG_WATCHED_HEAD + n[0] + n[1],
                       .graded_len = n[0],
                       .ptx_len = n[1],
                       .names_len = n[2]};
    return true;
}
