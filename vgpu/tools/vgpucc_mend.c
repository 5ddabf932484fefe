/*
 * vgpucc_mend.c: mends launches whose brackets are apart, alignas behind other words, and special
 * registers in assembly; see vgpucc_mend.h.
 */
#include "vgpu/tools/vgpucc_mend.h"

#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_sources.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ---- */

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
        char *next = source_skip_dead(text, at);
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

/* The launch whose brackets open at `at`. True: they were apart. */
static bool mend_launch(const char *text, char *at, size_t open) {
    char *close = !names_operator(text, at) ? find_close(text, at + open) : NULL;
    size_t closing = close ? bracket(close, '>') : 0;
    if (!closing || open + closing == 6)
        return false;
    close_up(at, open);
    close_up(close, closing);
    return true;
}

/* The beginning of the words in front of `at` that may stand before alignas, __shared__ among them;
 * NULL: there is none that clang minds. */
static char *words_before(const char *text, char *at) {
    static const char *const storage[] = {"static", "extern",     "const",      "volatile",
                                          "inline", "__shared__", "__device__", "__constant__"};
    char *begin = NULL;
    for (;;) {
        char *end = at;
        while (end > text && isspace((unsigned char)end[-1]))
            end--;
        char *word = end;
        while (word > text && source_in_word(word[-1]))
            word--;
        bool known = false;
        for (size_t i = 0; i < sizeof storage / sizeof *storage; i++)
            known = known || (strlen(storage[i]) == (size_t)(end - word) &&
                              strncmp(word, storage[i], (size_t)(end - word)) == 0);
        if (!known)
            return begin;
        begin = at = word;
    }
}

/* alignas at `at` changes places with the words in front of it. True: there were such. */
static bool mend_alignas(const char *text, char *at) {
    size_t len = strlen("alignas");
    char *begin = words_before(text, at);
    char *open = at + len + strspn(at + len, " \t");
    if (!begin || *open != '(' || memchr(begin, '\n', (size_t)(at - begin)))
        return false;
    int depth = 0;
    char *end = open;
    do {
        depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
        if (*end == '\0' || *end == '\n')
            return false;
        end++;
    } while (depth > 0);
    size_t words = (size_t)(at - begin);
    char *moved = strndup(begin, words);
    if (!moved)
        return false;
    memmove(begin, at, (size_t)(end - at));
    end[-(ptrdiff_t)words] = ' '; /* "words " has room for one blank in front */
    memcpy(end - words + 1, moved, words - 1);
    free(moved);
    return true;
}

/* In the assembly's text from `at` to `end`, a special register with one % gets a second one, in
 * the place of the blank before it. True: there was such. */
static bool mend_percents(char *at, const char *end) {
    static const char *const registers[] = {
        "tid",    "ntid",  "ctaid",    "nctaid",     "laneid",      "warpid",   "nwarpid",
        "smid",   "nsmid", "gridid",   "clock",      "clock64",     "clock_hi", "globaltimer",
        "envreg", "pm",    "lanemask", "total_smem", "dynamic_smem"};
    bool mended = false;
    for (; at < end; at++) {
        bool known = false;
        for (size_t i = 0; at[0] == ' ' && at[1] == '%' && i < sizeof registers / sizeof *registers;
             i++)
            known = known || strncmp(at + 2, registers[i], strlen(registers[i])) == 0;
        if (known)
            *at = '%';
        mended = mended || known;
    }
    return mended;
}

/* The assembly at `at`, `asm volatile("mov.u32 %0, %smid;" : "=r"(x))`. Without operands a single %
 * is as it should be. True: something was mended. */
static bool mend_asm(const char *text, char *at) {
    char *open = at + strcspn(at, "(;{}");
    if (*open != '(')
        return false;
    char *end = open + 1;
    for (char *next; *end && *end != ':' && *end != ')'; end = next != end ? next : end + 1)
        next = source_skip_dead(text, end);
    return *end == ':' && mend_percents(open, end);
}

/* Mends text in place, its length unchanged. True: there was something to mend. */
static bool mend_text(char *text) {
    bool mended = false;
    for (char *at = text; *at;) {
        char *next = source_skip_dead(text, at);
        if (next != at) {
            at = next;
            continue;
        }
        size_t open = bracket(at, '<');
        if (open)
            mended = mend_launch(text, at, open) || mended;
        else if (source_is_word(text, at, "alignas"))
            mended = mend_alignas(text, at) || mended;
        else if (source_is_word(text, at, "asm") || source_is_word(text, at, "__asm__"))
            mended = mend_asm(text, at) || mended;
        at += open ? open : 1;
    }
    return mended;
}

/* ---- files ---- */

static void mend_file(void *arg, const char *path, char *text) {
    args *command = arg;
    /* clang's option has a ';' between the names. */
    if (strchr(path, ';') || !mend_text(text))
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

void mend_sources(args *command, const char *input) {
    sources_each(command, input, mend_file, command);
}
