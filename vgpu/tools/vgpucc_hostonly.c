/* vgpucc_hostonly.c: see vgpucc_hostonly.h. */
#include "vgpu/tools/vgpucc_hostonly.h"
#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 3 }; /* sentences */

/* A part of what the compiler said. */
typedef struct piece {
    const char *at;
    size_t len;
} piece;

/* What is known of the error that the lines at hand are about. */
typedef struct reading {
    piece place; /* prog.cu:3, empty if there is none to tell */
    piece name;
    piece last; /* the place that was told last: one sentence for each line */
    int told;
} reading;

static const char *find(piece line, const char *words) {
    return memmem(line.at, line.len, words, strlen(words));
}

/* Between two marks, behind some words; empty: not there. */
static piece between(piece line, const char *from, char begin, char end) {
    const char *stop = line.at + line.len;
    const char *at = from ? memchr(from, begin, (size_t)(stop - from)) : NULL;
    const char *to = at ? memchr(at + 1, end, (size_t)(stop - at - 1)) : NULL;
    return to ? (piece){at + 1, (size_t)(to - at - 1)} : (piece){NULL, 0};
}

/* clang's prog.cu:3:29 without the column; nothing of the library's own headers. */
static piece place_of(piece line, const char *error) {
    piece p = {line.at, (size_t)(error - line.at)};
    if (find(p, "/include/"))
        return (piece){NULL, 0};
    while (p.len > 0 && p.at[p.len - 1] != ':')
        p.len--;
    p.len -= p.len > 0;
    return p;
}

/* What else to do. The runtime has calls for kernels that launch kernels: not here. */
static const char *instead_of(piece name) {
    static const struct {
        const char *begin, *instead;
    } calls[] = {
        {"cudaMalloc", "there malloc() and new give a thread memory, or hand it a pointer"},
        {"cudaFree", "there free() and delete are for what malloc() and new gave"},
        {"cudaMemcpy", "there a loop copies, or memcpy()"},
        {"cudaMemset", "there a loop sets, or memset()"},
        {"cudaDeviceSynchronize", "there __syncthreads() waits for the block, and grid.sync() of "
                                  "cooperative_groups.h for the grid"},
        {"cudaThreadSynchronize", "there __syncthreads() waits for the block"},
        {"cuda", "call it before or after the launch"},
        {"cublas", "call it before or after the launch"},
        {"", "mark a function of your own __host__ __device__; instead of the host's library use "
             "an array, a pointer or a loop"},
    };
    size_t i = 0;
    while (strncmp(name.at, calls[i].begin, strlen(calls[i].begin)) != 0)
        i++;
    return calls[i].instead;
}

static void tell(reading *r) {
    const bool again = r->place.len > 0 && r->last.at && r->place.len == r->last.len &&
                       memcmp(r->place.at, r->last.at, r->last.len) == 0;
    if (r->place.len > 0 && r->name.len > 0 && !again && r->told++ < MOST)
        complain("%.*s: a kernel cannot use %.*s, which is for the host: %s", (int)r->place.len,
                 r->place.at, (int)r->name.len, r->name.at, instead_of(r->name));
    r->last = r->place.len > 0 ? r->place : r->last;
    r->place.len = 0;
}

static void read_clang(reading *r, piece line) {
    const char *error = find(line, ": error: ");
    if (error) {
        r->place = place_of(line, error);
        r->name = between(line, error, '\'', '\'');
        if (find(line, "reference to __host__ function '"))
            tell(r);
    } else if (find(line, "call to __host__ function from __")) {
        tell(r);
    }
}

/* prog.cu(3): error: calling a __host__ function("f(int)") from a __global__ function("k") … */
static void read_nvcc(reading *r, piece line) {
    const char *calls = find(line, "): error: calling a __host__ function(\"");
    if (!calls || find((piece){line.at, (size_t)(calls - line.at)}, "/include/"))
        return;
    r->place = (piece){line.at, (size_t)(calls + 1 - line.at)}; /* prog.cu(3) */
    r->name = between(line, calls, '"', '"');
    while (r->name.len > 1 && r->name.at[r->name.len - 1] != '(')
        r->name.len--; /* the parameters */
    r->name.len -= r->name.len > 1;
    while (r->name.len > 1 && r->name.at[r->name.len - 1] == ' ')
        r->name.len--;
    tell(r);
}

void host_only_names(const char *errors) {
    size_t length = 0;
    char *said = read_file(errors, &length);
    reading r = {.told = 0};
    for (const char *at = said; at && *at;) {
        const piece line = {at, strcspn(at, "\n")};
        read_clang(&r, line);
        read_nvcc(&r, line);
        at += line.len + (at[line.len] == '\n');
    }
    free(said);
}
