/*
 * vgpucc_headers.c: may a run of clang take the precompiled headers? See vgpucc_headers.h.
 *
 * clang itself compares options and target, and refuses what does not agree. It does not look at
 * system headers again, to which all of these belong; it takes macros of the command line that the
 * headers ask for; and it cannot know that a folder of the program's has a header of the same name.
 * All that is compared here.
 */
#include "vgpu/tools/vgpucc_headers.h"

#include "vgpu/tools/vgpucc_headers_key.h"
#include "vgpu/tools/vgpucc_text.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The key's lines ---- */

/* -O1, -O2 and -O3 are one to a header: it sees __OPTIMIZE__. */
static const char *as_headers_see_it(const char *option) {
    const bool level = strlen(option) == 3 && strncmp(option, "-O", 2) == 0;
    return level && strchr("123", option[2]) ? "-O" : option;
}

char *key_head(const headers_use *use) {
    char *head = format_text("vgpucc headers 1\n");
    for (size_t i = 0; i < use->options->count; i++)
        head = format_text("%soption %s\n", head, as_headers_see_it(use->options->at[i]));
    return format_text("%ssum ", head);
}

char *key_file_line(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0)
        return NULL;
    return format_text("file %lld.%09ld %lld %s", (long long)st.st_mtim.tv_sec,
                       (long)st.st_mtim.tv_nsec, (long long)st.st_size, path);
}

bool key_sum(const char *path, uint64_t *sum) {
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    void *map = MAP_FAILED;
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return false;
    const char *bytes = map;
    const size_t size = (size_t)st.st_size;
    uint64_t all = size;
    for (size_t i = 0; i < size; i += sizeof all) {
        uint64_t part = 0;
        memcpy(&part, bytes + i, size - i < sizeof part ? size - i : sizeof part);
        all = (all ^ part) * 0x9e3779b97f4a7c15u;
        all ^= all >> 32;
    }
    (void)munmap(map, size);
    *sum = all;
    return true;
}

/* The text of the next line of a kind, from *at on, which moves behind it; NULL: there is none. */
static const char *next_line(const char **at, const char *kind, int *length) {
    const size_t n = strlen(kind);
    const char *line = *at;
    while (*line) {
        const char *end = strchrnul(line, '\n');
        *at = *end ? end + 1 : end;
        if (strncmp(line, kind, n) == 0 && line[n] == ' ') {
            *length = (int)(end - line - (ptrdiff_t)n - 1);
            return line + n + 1;
        }
        line = *at;
    }
    return NULL;
}

static bool has_line(const char *key, const char *kind, const char *text) {
    return strstr(key, format_text("\n%s %s\n", kind, text)) != NULL;
}

/* ---- What may have changed ---- */

static bool files_unchanged(const char *key) {
    int length = 0;
    size_t count = 0;
    const char *line = NULL;
    while ((line = next_line(&key, "file", &length)) != NULL) {
        char path[PATH_MAX];
        struct stat st;
        long long seconds = 0;
        long long size = 0;
        long nanoseconds = 0;
        int at = 0;
        if (sscanf(line, "%lld.%ld %lld %n", &seconds, &nanoseconds, &size, &at) != 3)
            return false;
        snprintf(path, sizeof path, "%.*s", length - at, line + at);
        if (stat(path, &st) != 0 || st.st_size != size || st.st_mtim.tv_sec != seconds ||
            st.st_mtim.tv_nsec != nanoseconds)
            return false;
        count++;
    }
    return count > 0;
}

static bool sum_agrees(const char *key, const char *pch) {
    uint64_t sum = 0;
    int length = 0;
    const char *line = next_line(&key, "sum", &length);
    return line && key_sum(pch, &sum) && strtoull(line, NULL, 16) == sum;
}

/* ---- What the program brings ---- */

/* Has a folder one of the names of a kind, in a file that is not the one that was read? */
static bool has_named(const char *key, const char *kind, const char *folder) {
    int length = 0;
    const char *name = NULL;
    for (const char *at = key; (name = next_line(&at, kind, &length)) != NULL;) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, " %s/%.*s\n", folder, length, name);
        char *end = path + strlen(path) - 1;
        *end = '\0';
        if (access(path + 1, F_OK) != 0)
            continue;
        *end = '\n';
        if (!strstr(key, path))
            return true;
    }
    return false;
}

/* Could a header come from this folder? From one that is searched after the kit's own, only what
 * that one lacks. */
static bool folder_meddles(const char *key, const char *folder, bool after_ours) {
    return has_named(key, "name", folder) || (!after_ours && has_named(key, "ours", folder));
}

/* Folders that every run of clang searches, and the current one, where -include looks first. */
static bool surroundings_meddle(const char *key, const char *include) {
    const char *list = getenv("CPLUS_INCLUDE_PATH");
    if (access(HEADERS_PRELUDE, F_OK) == 0 || getenv("CCC_OVERRIDE_OPTIONS"))
        return true;
    if (folder_meddles(key, include, true) || folder_meddles(key, "/usr/local/include", true))
        return true;
    while (list) {
        const size_t length = strcspn(list, ":");
        const char *folder = length > 0 ? format_text("%.*s", (int)length, list) : ".";
        if (folder_meddles(key, folder, true))
            return true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return false;
}

static bool macro_meddles(const char *key, const char *definition) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *name = format_text("%.*s", (int)strcspn(definition, "=("), definition);
    return strspn(name, letters) != strlen(name) || has_line(key, "word", name);
}

/* Warnings about the program's own text, which no header has a part in. */
static bool is_plain_warning(const char *option) {
    static const char *const plain[] = {"-w", "-Wall", "-Wextra", "-Werror"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(option, plain[i]) == 0)
            return true;
    return false;
}

/* Only what is known to be harmless is. */
static bool own_options_meddle(const char *key, const args *own) {
    for (size_t i = 0; i < own->count; i++) {
        const char *option = own->at[i];
        if (is_plain_warning(option))
            continue;
        const char *value = own->at[++i]; /* NULL behind the last */
        const bool macro = strcmp(option, "-D") == 0 || strcmp(option, "-U") == 0;
        const bool folder = strcmp(option, "-I") == 0 || strcmp(option, "-isystem") == 0;
        if (!value || !(macro || folder))
            return true;
        if (macro ? macro_meddles(key, value) : folder_meddles(key, value, false))
            return true;
    }
    return false;
}

/* ---- All of it ---- */

bool key_agrees(const headers_use *use, const char *pch) {
    size_t length = 0;
    char *key = read_file(format_text("%s.key", pch), &length);
    const char *head = key_head(use);
    const bool agrees = key && strncmp(key, head, strlen(head)) == 0 && strlen(key) == length &&
                        files_unchanged(key) && !surroundings_meddle(key, use->include) &&
                        !own_options_meddle(key, use->own) && sum_agrees(key, pch);
    free(key);
    return agrees;
}

const char *headers_find(const headers_use *use, const char *folder) {
    glob_t found = {0};
    const char *pch = NULL;
    const char *pattern =
        format_text("%s/%s*.pch", folder, use->pass == PASS_DEVICE ? "device" : "host");
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && !pch; i++)
            if (key_agrees(use, found.gl_pathv[i]))
                pch = format_text("%s", found.gl_pathv[i]);
    globfree(&found);
    return pch;
}
