/*
 * vgpucc_args.c: argument lists and messages; see vgpucc_args.h.
 */
#include "vgpu/tools/vgpucc_args.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void out_of_memory(void) {
    fputs("vgpucc: out of memory\n", stderr);
    exit(2);
}

void args_push(args *a, const char *arg) {
    if (a->count + 2 > a->room) {
        size_t room = a->room ? a->room * 2 : 32;
        const char **at = realloc(a->at, room * sizeof *at);
        if (!at)
            out_of_memory();
        a->at = at;
        a->room = room;
    }
    a->at[a->count++] = arg;
    a->at[a->count] = NULL;
}

void args_push_all(args *a, const args *more) {
    for (size_t i = 0; i < more->count; i++)
        args_push(a, more->at[i]);
}

void args_push_list(args *a, const char *const *list) {
    for (; *list; list++)
        args_push(a, *list);
}

void args_free(args *a) {
    free(a->at);
    *a = (args){0};
}

/* Every text there is; the tool makes some dozens, and ends. */
static args texts;

void free_texts(void) {
    for (size_t i = 0; i < texts.count; i++)
        free((char *)(uintptr_t)texts.at[i]);
    args_free(&texts);
}

char *format_text(const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int len = vasprintf(&text, format, list);
    va_end(list);
    if (len < 0)
        out_of_memory();
    args_push(&texts, text);
    return text;
}

void complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("vgpucc: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}
