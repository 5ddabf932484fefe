/* vgpucc_place.c: see vgpucc_place.h. */
#include "vgpu/tools/vgpucc_place.h"

#include "vgpu/tools/vgpucc_diag.h"
#include "vgpu/tools/vgpucc_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *find_clang(void) {
    static const char *const names[] = {"clang++",    "clang++-19", "clang++-18", "clang++-17",
                                        "clang++-16", "clang++-15", "clang++-14"};
    const char *wanted = getenv("VGPU_CLANG");
    if (wanted && *wanted) {
        char *found = find_program(wanted);
        if (!found)
            complain("VGPU_CLANG=%s: no such program", wanted);
        return found;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *found = find_program(names[i]);
        if (found)
            return found;
    }
    complain("clang++ is missing: install the package clang (14 or later), or set VGPU_CLANG");
    return NULL;
}

/* Where what goes with vgpucc lies: in the kit's build folder, or below the prefix of an
 * installation (mk/install.mk). */
typedef struct place {
    const char *bin; /* vgpucc's own folder */
    bool installed;  /* the headers are below the same prefix */
    const char *own; /* the folder of what only vgpucc uses */
} place;

static bool find_place(place *p) {
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len < 0) {
        complain("cannot tell where vgpucc is: /proc/self/exe: %s", strerror(errno));
        return false;
    }
    self[len] = '\0';
    char *slash = strrchr(self, '/');
    *slash = '\0';
    p->bin = format_text("%s", self);
    p->installed = access(format_text("%s/../include/vgpu/vgpu_prelude.h", self), R_OK) == 0;
    p->own = format_text(p->installed ? "%s/../lib/vgpu" : "%s", self);
    return true;
}

/* A path without links, . and ..; as it is where nothing is there. */
static char *plain_name(char *path) {
    char *real = realpath(path, NULL);
    if (!real)
        return path;
    char *kept = format_text("%s", real);
    free(real);
    return kept;
}

/* The folder of headers: VGPU_HOME's, the one beside an installed vgpucc, that of the kit in whose
 * build folder it lies, wherever that kit is now, or the one of the sources. What is found from
 * here is called by its plain name: that is how whoever sets VGPU_HOME calls it, and precompiled
 * headers are those of a name. */
static char *find_include(const place *p) {
    const char *home = getenv("VGPU_HOME");
    char *candidates[4] = {0};
    size_t count = 0;
    if (home && *home) {
        candidates[count++] = format_text("%s/vgpu/include", home);
        candidates[count++] = format_text("%s/include", home);
    } else if (p->installed) {
        candidates[count++] = plain_name(format_text("%s/../include/vgpu", p->bin));
    } else {
        candidates[count++] = plain_name(format_text("%s/../../vgpu/include", p->bin));
        candidates[count++] = format_text("%s", VGPU_SOURCE_INCLUDE);
    }
    for (size_t i = 0; i < count; i++) {
        char *header = format_text("%s/vgpu_prelude.h", candidates[i]);
        if (access(header, R_OK) == 0)
            return candidates[i];
        if (i + 1 == count)
            complain("the headers are missing: %s: %s%s", header, strerror(errno),
                     home && *home ? " (VGPU_HOME is set)" : "");
    }
    return NULL;
}

/* Precompiled headers lie in a folder beside the library, unless VGPU_PCH says to do without. */
static bool find_headers(setup *s, const place *p) {
    const char *wish = getenv("VGPU_PCH");
    const bool none = wish && strcmp(wish, "none") == 0;
    s->headers_needed = wish && strcmp(wish, "must") == 0;
    if (!none)
        s->headers = p->installed ? format_text("%s/headers", p->own)
                                  : format_text("%s/../lib/headers", p->bin);
    if (!wish || !*wish || none || s->headers_needed)
        return true;
    complain("VGPU_PCH=%s: unknown; use none (no precompiled headers) or must (not without)", wish);
    return false;
}

/* nvcc, as tools/toolkit finds it. It keeps what it knows in the build folder; in an installation,
 * in the user's own, if they have one. */
static bool find_nvcc(setup *s, const place *p) {
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (!p->installed)
        return find_toolkit(&s->cuda, format_text("%s/../../tools/toolkit", s->include),
                            format_text("%s/..", p->bin));
    if (cache && *cache == '/')
        cache = format_text("%s/vgpu", cache);
    else
        cache = home && *home ? format_text("%s/.cache/vgpu", home) : "/nonexistent";
    return find_toolkit(&s->cuda, format_text("%s/toolkit", p->own), cache);
}

bool setup_find(setup *s, enum front front) {
    place p = {0};
    if (!find_place(&p))
        return false;
    s->home = format_text("%s/..", p.bin);
    s->toolkit = format_text(p.installed ? "%s/cuda" : "%s/../cuda", p.own);
    s->toolkit = access(s->toolkit, R_OK) == 0 ? plain_name(s->toolkit) : s->home;
    s->library = format_text("%s/../lib/libvgpu.a", p.bin);
    s->shared_library = format_text("%s/../lib/libvgpu-shared.a", p.bin);
    s->mend = p.installed ? "install the virtual GPU again" : "run 'make vgpucc'";
    s->names = format_text("%s/vgpu-names", p.own);
    s->resources = format_text("%s/vgpu-resources", p.own);
    s->include = find_include(&p);
    if (!s->include || !find_headers(s, &p))
        return false;
    if (front == FRONT_NVCC && !find_nvcc(s, &p))
        return false;
    s->clangxx = s->cuda.nvcc ? find_host_compiler() : find_clang();
    return s->clangxx != NULL;
}
