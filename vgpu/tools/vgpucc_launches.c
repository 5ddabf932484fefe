/*
 * vgpucc_launches.c: mends launches whose brackets are apart; see vgpucc_launches.h.
 */
#include "vgpu/tools/vgpucc_launches.h"

#include "vgpu/tools/vgpucc_process.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the text
 * ------------------------------------------------------------------------------------------- */

/* Behind a string or character literal whose opening quote is at `at`. */
static char *skip_quoted(char *at) {
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

/* Behind R"x(…)x", whose quote is at `at`. */
static char *skip_raw(char *at) {
    char end[32];
    size_t name = strcspn(at + 1, "(\n");
    if (at[1 + name] != '(' || name + 3 > sizeof end)
        return skip_quoted(at);
    end[0] = ')';
    memcpy(end + 1, at + 1, name);
    end[name + 1] = '"';
    end[name + 2] = '\0';
    char *found = strstr(at, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* Behind a comment or literal that begins at `at`; `at` itself where none does. */
static char *skip_dead(const char *text, char *at) {
    if (at[0] == '/' && at[1] == '/') {
        while (*at && (*at != '\n' || at[-1] == '\\'))
            at++;
        return at;
    }
    if (at[0] == '/' && at[1] == '*') {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == '"')
        return at > text && at[-1] == 'R' ? skip_raw(at) : skip_quoted(at);
    /* 1'000'000 is a number. */
    if (at[0] == '\'' && !(at > text && isxdigit((unsigned char)at[-1])))
        return skip_quoted(at);
    return at;
}

/* Three of the character c at `at`, the last one perhaps apart: how many characters that takes,
 * else 0. */
static size_t bracket(const char *at, char c) {
    if (at[0] != c || at[1] != c)
        return 0;
    size_t blanks = strspn(at + 2, " \t");
    return at[2 + blanks] == c ? 3 + blanks : 0;
}

/* The bracket that closes a launch: not in parentheses, and before the statement ends. */
static char *find_close(const char *text, char *at) {
    int depth = 0;
    while (*at && depth >= 0) {
        char *next = skip_dead(text, at);
        if (next != at) {
            at = next;
            continue;
        }
        if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at))
            depth--;
        else if (*at == ';' && depth == 0)
            return NULL;
        else if (depth == 0 && bracket(at, '>'))
            return at;
        at++;
    }
    return NULL;
}

/* operator<< <T> is no launch. */
static bool names_operator(const char *text, const char *at) {
    static const char word[] = "operator";
    size_t len = sizeof word - 1;
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return (size_t)(at - text) >= len && strncmp(at - len, word, len) == 0;
}

static void close_up(char *at, size_t len) {
    at[2] = at[0];
    memset(at + 3, ' ', len - 3);
}

size_t mend_brackets(char *text) {
    size_t mended = 0;
    for (char *at = text; *at;) {
        char *next = skip_dead(text, at);
        if (next != at) {
            at = next;
            continue;
        }
        size_t open = bracket(at, '<');
        char *close = open && !names_operator(text, at) ? find_close(text, at + open) : NULL;
        size_t closing = close ? bracket(close, '>') : 0;
        if (closing && open + closing > 6) {
            close_up(at, open);
            close_up(close, closing);
            mended++;
        }
        at += open ? open : 1;
    }
    return mended;
}

/* ---- files
 * ---------------------------------------------------------------------------------------------- */

enum { MAX_FILES = 256 };

typedef struct file_set {
    const char *path[MAX_FILES]; /* files to look at; owned by format_text */
    size_t count;
} file_set;

/* The whole file as a string; NULL if it can't be read, or holds a NUL. The caller frees it. */
static char *read_text(const char *path) {
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
    char *text = f ? malloc((size_t)st.st_size + 1) : NULL;
    size_t len = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
    if (f)
        fclose(f);
    if (text) {
        text[len] = '\0';
        if (strlen(text) == len)
            return text;
    }
    free(text);
    return NULL;
}

static void add_file(file_set *files, const char *path) {
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->path[i], path) == 0)
            return;
    if (files->count < MAX_FILES)
        files->path[files->count++] = path;
}

static bool is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Adds the file that #include "name" in the file `from` means. */
static void add_include(file_set *files, const args *command, const char *from, const char *name,
                        size_t len) {
    const char *slash = strrchr(from, '/');
    int folder = slash ? (int)(slash - from) + 1 : 0;
    const char *path = format_text("%.*s%.*s", name[0] == '/' ? 0 : folder, from, (int)len, name);
    for (size_t i = 0; i < command->count && !is_file(path); i++) {
        const char *arg = command->at[i];
        if (strncmp(arg, "-I", 2) != 0)
            continue;
        if (!arg[2] && i + 1 < command->count)
            arg = command->at[++i];
        else
            arg += 2;
        path = format_text("%s/%.*s", arg, (int)len, name);
    }
    if (is_file(path))
        add_file(files, path);
}

/* One file's includes: lines that begin with #include ". */
static void add_includes(file_set *files, const args *command, const char *from, const char *text) {
    for (const char *at = text; (at = strchr(at, '#')) != NULL;) {
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, "include", 7) != 0)
            continue;
        at += 7 + strspn(at + 7, " \t");
        if (*at == '"')
            add_include(files, command, from, at + 1, strcspn(at + 1, "\"\n"));
    }
}

static void mend_file(args *command, const char *path, char *text) {
    /* clang's option has a ';' between the names. */
    if (strchr(path, ';') || mend_brackets(text) == 0)
        return;
    const char *copy = workdir_file("mended");
    FILE *f = fopen(copy, "we");
    if (!f)
        return;
    bool written = fputs(text, f) >= 0;
    if (fclose(f) != 0 || !written)
        return;
    args_push(command, "-Xclang");
    args_push(command, "-remap-file");
    args_push(command, "-Xclang");
    args_push(command, format_text("%s;%s", path, copy));
}

void mend_launches(args *command, const char *input) {
    file_set files = {.count = 0};
    add_file(&files, input);
    for (size_t i = 0; i < files.count; i++) {
        char *text = read_text(files.path[i]);
        if (!text)
            continue;
        add_includes(&files, command, files.path[i], text);
        mend_file(command, files.path[i], text);
        free(text);
    }
}
