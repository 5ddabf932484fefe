/*
 * vgpucc_diag.c: splits compilers' output into diagnostics; see vgpucc_diag.h.
 */
#include "vgpu/tools/vgpucc_diag.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file as a string, "" if it can't be read; NULL when memory is out. The caller frees it.
 */
static char *read_all(const char *path) {
    size_t len = 0;
    size_t room = 0;
    char *text = NULL;
    FILE *f = path ? fopen(path, "re") : NULL;
    do {
        if (len + 1 >= room) {
            room = room ? room * 2 : 4096;
            char *more = realloc(text, room);
            if (!more)
                break;
            text = more;
        }
        size_t got = f ? fread(text + len, 1, room - 1 - len, f) : 0;
        len += got;
        text[len] = '\0';
        if (got == 0)
            break;
    } while (true);
    if (f)
        fclose(f);
    return text;
}

static bool line_has(const char *line, size_t len, const char *what) {
    return memmem(line, len, what, strlen(what)) != NULL;
}

/* "2 warnings and 1 error generated when compiling for host.", and the driver's word about the
 * linker after the linker's own. */
static bool is_count(const char *line, size_t len) {
    return line_has(line, len, " generated when compiling for ") ||
           line_has(line, len, " generated.") ||
           line_has(line, len, "error: linker command failed with exit code") ||
           line_has(line, len, "collect2: error: ld returned");
}

static bool starts_diagnostic(const char *line, size_t len) {
    return line_has(line, len, "error: ") || line_has(line, len, "warning: ");
}

static bool is_lead(const char *line, size_t len) {
    return len > 22 && strncmp(line, "In file included from ", 22) == 0;
}

/* Length of the diagnostic at text: up to the next one's first line, or the end. */
static size_t diagnostic_length(const char *text) {
    const char *at = text;
    bool begun = false;
    while (*at) {
        size_t len = strcspn(at, "\n");
        bool lead = is_lead(at, len);
        if (begun && (lead || starts_diagnostic(at, len)))
            break;
        begun = begun || !lead;
        at += len + (at[len] == '\n');
    }
    return (size_t)(at - text);
}

/* Writes a diagnostic without the closing counts. */
static void write_lines(const char *text, size_t len) {
    const char *end = text + len;
    while (text < end) {
        size_t line = strcspn(text, "\n");
        size_t all = line + (text[line] == '\n');
        if (!is_count(text, line))
            fwrite(text, 1, all, stderr);
        text += all;
    }
}

/* A diagnostic's own lines end where the counts begin: those differ between passes. */
static size_t without_counts(const char *text, size_t len) {
    size_t at = 0;
    while (at < len) {
        size_t line = strcspn(text + at, "\n");
        if (is_count(text + at, line))
            return at;
        at += line + (text[at + line] == '\n');
    }
    return len;
}

void show_diagnostics(const char *first, const char *second) {
    char *said = read_all(first);
    char *more = read_all(second);
    fflush(stdout);
    for (const char *at = said ? said : ""; *at;) {
        size_t len = diagnostic_length(at);
        write_lines(at, len);
        at += len;
    }
    for (const char *at = said && more ? more : ""; *at;) {
        size_t len = diagnostic_length(at);
        size_t own = without_counts(at, len);
        if (!memmem(said, strlen(said), at, own))
            write_lines(at, len);
        at += len;
    }
    free(said);
    free(more);
}
