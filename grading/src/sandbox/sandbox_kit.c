/*
 * sandbox_kit.c: what compilers need of the kit, and where children find it (see sandbox_parts.h).
 *
 * A kit may lie where an account of its own may not go: under /root, in somebody's home, in a
 * folder of mktemp -d, or it was cloned under a umask that shuts others out. Giving up the account
 * would give up a wall, so the account gets a copy of the few files that a compilation needs, some
 * ten megabytes, in the scratch folder. It may read them and not change them, and the kit stays
 * closed.
 *
 *     ROOT/common               kit/root/common
 *     HEADERS/vgpu/include      kit/root/vgpu/include; kit/headers/... where that is another kit
 *     BUILD/bin/vgpucc          kit/build/bin/vgpucc
 *     BUILD/bin/vgpu-names      kit/build/bin/vgpu-names
 *     BUILD/lib/libworker.a     kit/build/lib/libworker.a, and so on
 *
 * The table below is the only list of these files: it says what is copied, what the probe looks
 * for, and what of the kit a compiler's walls show.
 */
#include "grading/src/sandbox/sandbox_parts.h"

#include "grading/src/base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    enum kit_folder of;
    const char *path; /* a file, or a folder with all in it */
    bool spare;       /* shown where it lies, but neither needed nor copied */
} parts[KIT_PARTS] = {
    {KIT_ROOT, "common", false},
    {KIT_HEADERS, "vgpu/include", false},
    {KIT_BUILD, "bin/vgpucc", false},
    {KIT_BUILD, "bin/vgpu-names", false}, /* for films; where libdw is */
    {KIT_BUILD, "lib/libvgpu.a", false},
    {KIT_BUILD, "lib/libworker.a", false},
    {KIT_BUILD, "lib/libheld.a", false},       /* for the debugger */
    {KIT_BUILD, "lib/libworker-gpu.a", false}, /* where there is a CUDA toolkit */
    /* Precompiled headers are of no use to a copy: they stand for the headers where those lie. */
    {KIT_BUILD, "lib/headers", true},
};

char *kit_part(const struct sandbox *s, int part) {
    const enum kit_folder of = parts[part].of;
    return xasprintf("%s/%s", s->kit.copy[of] ? s->kit.copy[of] : s->kit.place[of],
                     parts[part].path);
}

/* The place in the copy, filled or not; NULL: there is no copy, or `path` is not the kit's. */
static char *in_copy(const struct sandbox *s, const char *path) {
    /* BUILD first: it mostly lies in ROOT. */
    for (int f = 0; s && f < KIT_FOLDERS; f++)
        if (s->kit.copy[f] && path_lies_in(path, s->kit.place[f]))
            return xasprintf("%s%s", s->kit.copy[f], path + strlen(s->kit.place[f]));
    return NULL;
}

char *sandbox_path(const struct sandbox *s, const char *path) {
    char *copy = in_copy(s, path);
    if (copy && access(copy, F_OK) == 0)
        return copy;
    free(copy);
    return xstrdup(path);
}

/* --- What has to be there ----------------------------------------------------------------------
 */

static void need(struct kit *k, char *path, int rights) {
    if (k->needed_count == k->needed_room) {
        const size_t room = k->needed_room ? 2 * k->needed_room : 64;
        struct needed *more = xcalloc(room, sizeof *more);
        if (k->needed_count > 0)
            memcpy(more, k->needed, k->needed_count * sizeof *more);
        free(k->needed);
        k->needed = more;
        k->needed_room = room;
    }
    k->needed[k->needed_count++] = (struct needed){.path = path, .rights = rights};
}

/* Notes a file, or a folder and all in it; owns `path`. What is missing altogether the build will
 * tell. */
static void need_tree(struct kit *k, char *path) {
    struct stat st;
    if (stat(path, &st) != 0 || (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))) {
        free(path);
        return;
    }
    need(k, path, R_OK | (st.st_mode & 0111 ? X_OK : 0));
    DIR *dir = S_ISDIR(st.st_mode) ? opendir(path) : NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            need_tree(k, xasprintf("%s/%s", path, entry->d_name));
    if (dir)
        closedir(dir);
}

static void forget_needed(struct kit *k) {
    for (size_t i = 0; i < k->needed_count; i++)
        free(k->needed[i].path);
    k->needed_count = 0;
}

static void list_needed(struct sandbox *s) {
    forget_needed(&s->kit);
    for (int i = 0; i < KIT_PARTS; i++)
        if (!parts[i].spare)
            need_tree(&s->kit, kit_part(s, i));
}

void kit_open(struct sandbox *s, const struct sandbox_setup *setup) {
    s->kit.place[KIT_ROOT] = xstrdup(setup->root);
    s->kit.place[KIT_HEADERS] = xstrdup(setup->headers ? setup->headers : setup->root);
    s->kit.place[KIT_BUILD] = xstrdup(setup->build);
    list_needed(s);
}

void kit_close(struct sandbox *s) {
    for (int f = 0; f < KIT_FOLDERS; f++) {
        free(s->kit.place[f]);
        free(s->kit.copy[f]);
    }
    forget_needed(&s->kit);
    free(s->kit.needed);
    s->kit = (struct kit){0};
}

/* --- The copy ----------------------------------------------------------------------------------
 */

/* Makes the folders above `path`, which lies in `top`. The account may enter them. */
static bool make_above(const char *top, char *path) {
    for (char *slash = path + strlen(top); (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        const bool failed = mkdir(path, 0755) != 0 ? errno != EEXIST : chmod(path, 0755) != 0;
        *slash = '/';
        if (failed)
            return false;
    }
    return true;
}

/* Copies all that is needed into the folder `top`, at the places that s->kit.copy names. */
static bool copy_needed(const struct sandbox *s, const char *top) {
    for (size_t i = 0; i < s->kit.needed_count; i++) {
        const struct needed *n = &s->kit.needed[i];
        struct stat st;
        char *to = in_copy(s, n->path);
        bool ok = stat(n->path, &st) == 0 && make_above(top, to);
        if (ok && S_ISDIR(st.st_mode))
            ok = mkdir(to, 0755) == 0 && chmod(to, 0755) == 0;
        else if (ok)
            ok = scratch_copy(n->path, to, n->rights & X_OK ? 0755 : 0644);
        free(to);
        if (!ok)
            return false;
    }
    return true;
}

int kit_copy(struct sandbox *s) {
    static const char *const names[KIT_FOLDERS] = {
        [KIT_BUILD] = "build", [KIT_HEADERS] = "headers", [KIT_ROOT] = "root"};
    struct kit *k = &s->kit;
    char *top = xasprintf("%s/kit", s->scratch);
    const bool one = strcmp(k->place[KIT_HEADERS], k->place[KIT_ROOT]) == 0;
    for (int f = 0; f < KIT_FOLDERS; f++)
        k->copy[f] = xasprintf("%s/%s", top, names[f == KIT_HEADERS && one ? KIT_ROOT : f]);
    int error = 0;
    if (mkdir(top, 0755) != 0 || chmod(top, 0755) != 0 || !copy_needed(s, top)) {
        error = errno ? errno : EIO;
        (void)scratch_remove(top);
        for (int f = 0; f < KIT_FOLDERS; f++) {
            free(k->copy[f]);
            k->copy[f] = NULL;
        }
    }
    free(top);
    list_needed(s);
    return error;
}
