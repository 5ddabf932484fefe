/*
 * vgpucc_headers_make.c: makes precompiled headers and their key; see vgpucc_headers.h.
 *
 *     clang++ -E         ---> which headers are read, and the words that come of them
 *     those headers      ---> all their words, and the names of headers that they ask for
 *     clang++ -emit-pch  ---> FILE.pch
 *
 * Headers that change while this goes on have another time than the key says.
 */
#include "vgpu/tools/vgpucc_headers.h"

#include "vgpu/tools/vgpucc_headers_key.h"
#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines of the key, each once. */
typedef struct line_set {
    args list;
    void *tree;
} line_set;

static int compare_lines(const void *a, const void *b) {
    return strcmp(a, b);
}

static int compare_entries(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* True: the line is new. */
static bool add_line(line_set *set, const char *kind, const char *text, size_t length) {
    char line[4096];
    snprintf(line, sizeof line, "%s %.*s", kind, (int)length, text);
    if (tfind(line, &set->tree, compare_lines))
        return false;
    char *kept = format_text("%s", line);
    if (!tsearch(kept, &set->tree, compare_lines)) {
        complain("out of memory");
        exit(2);
    }
    args_push(&set->list, kept);
    return true;
}

static void keep_nothing(void *line) {
    (void)line;
}

static void free_lines(line_set *set) {
    tdestroy(set->tree, keep_nothing);
    args_free(&set->list);
}

/* ---- What headers hold ---- */

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void add_words(line_set *set, const char *text) {
    while (*text) {
        size_t length = 0;
        while (in_word(text[length]))
            length++;
        if (length > 0 && !isdigit((unsigned char)*text))
            add_line(set, "word", text, length);
        text += length > 0 ? length : 1;
    }
}

/* The names of #include, #include_next, __has_include(...); comments that look like one do no
 * harm. */
static void add_names(line_set *set, const char *text, const char *include) {
    static const char word[] = "include";
    static const char next[] = "_next";
    while ((text = strstr(text, word)) != NULL) {
        text += sizeof word - 1;
        const bool again = strncmp(text, next, sizeof next - 1) == 0;
        text += again ? sizeof next - 1 : 0;
        const char *open = text + strspn(text, " \t(");
        if (*open != '<' && *open != '"')
            continue;
        const size_t length = strcspn(open + 1, ">\"\n");
        const char *ours = format_text("%s/%.*s", include, (int)length, open + 1);
        add_line(set, !again && access(ours, F_OK) == 0 ? "ours" : "name", open + 1, length);
    }
}

/* A file's own line, its words and names. */
static bool add_header(line_set *set, args *files, const char *path, const char *include) {
    size_t length = 0;
    char *text = read_file(path, &length);
    const char *line = key_file_line(path);
    if (!text || !line) {
        complain("cannot read the header %s", path);
        free(text);
        return false;
    }
    args_push(files, line);
    add_words(set, text);
    add_names(set, text, include);
    free(text);
    return true;
}

/* The file of a line marker, # 1 "PATH" 3; NULL: the line is none, or of no file. */
static const char *marked_file(const char *line) {
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return NULL;
    const char *at = line + 2 + strspn(line + 2, "0123456789 ");
    if (*at != '"' || at[1] == '<')
        return NULL;
    char *path = format_text("%.*s", (int)strcspn(at, "\n"), at);
    char *to = path;
    for (const char *from = path + 1; *from && *from != '"'; from++) {
        from += *from == '\\' && from[1];
        *to++ = *from;
    }
    *to = '\0';
    return path;
}

/* All that the preprocessed text tells: its words, and the headers it came from. */
static bool survey(line_set *set, args *files, const char *text, const char *include) {
    line_set seen = {0};
    bool read = true;
    while (read && *text) {
        const size_t length = strcspn(text, "\n");
        const char *path = marked_file(text);
        if (path) {
            if (add_line(&seen, "", path, strlen(path)))
                read = add_header(set, files, path, include);
        } else {
            char *line = strndup(text, length);
            add_words(set, line ? line : "");
            free(line);
        }
        text += length + (text[length] == '\n');
    }
    free_lines(&seen);
    return read;
}

/* ---- Running clang ---- */

/* Runs clang over the headers with some more options. */
static bool run_clang(const headers_use *use, const char *const *more, const char *output,
                      bool verbose) {
    args command = {0};
    args_push_all(&command, use->options);
    args_push(&command, "-include");
    args_push(&command, HEADERS_PRELUDE);
    args_push_list(&command, more);
    args_push(&command, "-o");
    args_push(&command, output);
    args_push(&command, "--");
    /* A second time, for clang wants a file: now there is nothing left in it to read. */
    args_push(&command, format_text("%s/" HEADERS_PRELUDE, use->include));
    const pid_t pid = start(&command, NULL, verbose);
    const bool done = pid > 0 && finish(pid) == 0;
    args_free(&command);
    return done;
}

/* ---- Writing the key ---- */

static bool write_key(const headers_use *use, const char *path, const args *files, line_set *set,
                      uint64_t sum) {
    FILE *f = fopen(path, "we");
    if (!f)
        return false;
    if (set->list.count > 0)
        qsort(set->list.at, set->list.count, sizeof *set->list.at, compare_entries);
    fprintf(f, "%s%016" PRIx64 "\n", key_head(use), sum);
    for (size_t i = 0; i < files->count; i++)
        fprintf(f, "%s\n", files->at[i]);
    for (size_t i = 0; i < set->list.count; i++)
        fprintf(f, "%s\n", set->list.at[i]);
    const bool written = !ferror(f);
    return fclose(f) == 0 && written;
}

/* Makes both under other names; then each takes its place in one piece. Who reads one that is new
 * and one that is old sees by the sum that they do not belong together. */
static bool make(const headers_use *use, const char *file, bool verbose) {
    static const char *const to_text[] = {"-E", NULL};
    static const char *const to_pch[] = {"-S", "-Xclang", "-emit-pch", NULL};
    line_set set = {0};
    args files = {0};
    size_t length = 0;
    uint64_t sum = 0;
    const char *preprocessed = workdir_file("ii");
    const char *pch = format_text("%s.%ld", file, (long)getpid());
    const char *key = format_text("%s.key", pch);
    const char *compiler = key_file_line(use->options->at[0]);
    char *text =
        run_clang(use, to_text, preprocessed, verbose) ? read_file(preprocessed, &length) : NULL;
    bool made = text && compiler;
    if (made)
        args_push(&files, compiler);
    made = made && survey(&set, &files, text, use->include) &&
           run_clang(use, to_pch, pch, verbose) && key_sum(pch, &sum) &&
           write_key(use, key, &files, &set, sum) && rename(pch, file) == 0 &&
           rename(key, format_text("%s.key", file)) == 0;
    (void)unlink(pch);
    (void)unlink(key);
    free(text);
    args_free(&files);
    free_lines(&set);
    return made;
}

bool headers_make(const headers_use *use, const char *file, bool verbose) {
    if (key_agrees(use, file))
        return true;
    if (make(use, file, verbose))
        return true;
    complain("the headers could not be precompiled into %s: compiling takes longer without", file);
    return false;
}
