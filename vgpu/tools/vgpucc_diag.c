/*
 * vgpucc_diag.c: splits compilers' output into diagnostics; see vgpucc_diag.h.
 */
#include "vgpu/tools/vgpucc_diag.h"

#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file as a string, "" if it can't be read; NULL when memory is out.
 * The caller frees it. */
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

/* ---- line numbers ---- */

/* The line that a diagnostic is about, "file.cu:10:5: ..."; 0: this is no such line. */
static long line_told(const char *line, size_t len) {
    for (const char *at = line; (at = memchr(at, ':', len - (size_t)(at - line))) != NULL; at++) {
        char *end = NULL;
        long number = strtol(at + 1, &end, 10);
        if (number > 0 && *end == ':' && end[1] >= '0' && end[1] <= '9')
            return number;
    }
    return 0;
}

/* The width of the margin of a quoted line, "   10 | text" or "      | text"; 0: it has none.
 * *number: what stands in it, 0 for nothing. */
static size_t margin_of(const char *line, size_t len, long *number) {
    size_t at = strspn(line, " 0123456789");
    *number = strtol(line, NULL, 10);
    return at > 5 && at + 1 < len && line[at - 1] == ' ' && memcmp(line + at, "| ", 2) == 0 ? at + 2
                                                                                            : 0;
}

/* clang quotes at most so many lines of a place. */
#define MOST_QUOTED 16

/* Since version 17 clang numbers the lines that it quotes. What is said here shall not depend on
 * the version: takes the margin off where the lines are those that the diagnostic is about. */
static void remove_margins(char *text) {
    char *to = text;
    long told = 0;
    size_t margin = 0;
    while (*text) {
        size_t len = strcspn(text, "\n");
        size_t all = len + (text[len] == '\n');
        long number = 0;
        size_t width = margin_of(text, len, &number);
        if (width == 0) {
            told = line_told(text, len);
            margin = 0;
        } else if (number > 0 && told > 0 && labs(number - told) <= MOST_QUOTED) {
            margin = width;
        }
        size_t off = width > 0 && width == margin ? width : 0;
        memmove(to, text + off, all - off);
        to += all - off;
        text += all;
    }
    *to = '\0';
}

/* ---- diagnostics ---- */

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
    if (said)
        remove_margins(said);
    if (more)
        remove_margins(more);
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
