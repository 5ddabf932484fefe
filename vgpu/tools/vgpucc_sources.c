/* vgpucc_sources.c: see vgpucc_sources.h. */
#include "vgpu/tools/vgpucc_sources.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the text ---- */

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
char *source_skip_dead(const char *text, char *at) {
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

bool source_in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool source_is_word(const char *text, const char *at, const char *word) {
    const size_t len = strlen(word);
    return strncmp(at, word, len) == 0 && !source_in_word(at[len]) &&
           (at == text || !source_in_word(at[-1]));
}

/* ---- files ---- */

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

void sources_each(const args *command, const char *input, source_fn *look, void *arg) {
    file_set files = {.count = 0};
    add_file(&files, input);
    for (size_t i = 0; i < files.count; i++) {
        char *text = read_text(files.path[i]);
        if (!text)
            continue;
        add_includes(&files, command, files.path[i], text);
        look(arg, files.path[i], text);
        free(text);
    }
}
