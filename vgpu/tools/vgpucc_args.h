/*
 * vgpucc_args.h: growing argument lists, for commands that are run without a shell.
 */
#pragma once

#include <stddef.h>

/* NULL-terminated at any time after the first push; strings are not owned. */
typedef struct args {
    const char **at;
    size_t count, room;
} args;

void args_push(args *a, const char *arg);
void args_push_all(args *a, const args *more);
/* Pushes a NULL-terminated list. */
void args_push_list(args *a, const char *const *list);
void args_free(args *a);

/* printf into a new string, which lives until free_texts: callers never free it. Ends the program
 * when memory is out. */
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void free_texts(void);

/* One line "vgpucc: …" on stderr. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
