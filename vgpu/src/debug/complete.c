/* complete.c: how a line that a person has begun to type may go on: its last word. */
#include "vgpu/src/debug/parts.h"

#include <string.h>

static const char separators[] = " \t()[]{},;+-*/%&|!<>=?:.~^";

typedef struct completion {
    const char *word; /* the last of the line */
    size_t len;
    FILE *to;
} completion;

static void offer(const completion *c, const char *name) {
    if (name != NULL && strncmp(name, c->word, c->len) == 0)
        fprintf(c->to, "%s\n", name);
}

static void offer_commands(const completion *c) {
    for (size_t i = 0; dbg_command_name(i) != NULL; i++)
        offer(c, dbg_command_name(i));
    offer(c, "quit");
}

static void offer_functions(const vg_debug *d, const completion *c) {
    for (int m = 0; m < d->num_modules; m++)
        for (int f = 1; f < d->module[m]->num_funcs; f++)
            offer(c, d->module[m]->funcs[f].name);
}

static void offer_files(const vg_debug *d, const completion *c) {
    for (int m = 0; m < d->num_modules; m++)
        for (int s = 0; s < d->module[m]->num_sources; s++)
            offer(c, dbg_base(d->module[m]->sources[s].path));
}

static void offer_variables(const vg_debug *d, const completion *c) {
    static const char *const builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                           "warpSize"};
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        offer(c, builtins[i]);
    const vg_named_func *f = d->num_frames > 0 ? d->frame[d->selected].func : NULL;
    for (int i = 0; f != NULL && i < f->num_vars; i++)
        if (dbg_is_alive(d, &f->vars[i]))
            offer(c, f->vars[i].name);
    for (int i = 0; d->names != NULL && i < d->names->funcs[0].num_vars; i++)
        offer(c, d->names->funcs[0].vars[i].name);
    for (int i = 0; d->names != NULL && i < d->names->num_values; i++)
        offer(c, d->names->values[i].name);
}

void dbg_complete(const vg_debug *d, const char *line, FILE *to) {
    const char *first = line + strspn(line, " \t");
    const size_t len = strcspn(first, " \t/(");
    completion c = {.word = line + strlen(line), .to = to};
    while (c.word > line && strchr(separators, c.word[-1]) == NULL)
        c.word--;
    c.len = strlen(c.word);
    const char *command = dbg_command_called(first, len);
    if (first[len] == '\0') { /* a command's name may hold a separator: reverse-step */
        c.word = first;
        c.len = len;
        offer_commands(&c);
    } else if (command == NULL || strcmp(command, "help") == 0) {
        offer_commands(&c);
    } else if (strcmp(command, "info") == 0) {
        for (size_t i = 0; dbg_info_name(i) != NULL; i++)
            offer(&c, dbg_info_name(i));
    } else if (strcmp(command, "catch") == 0) {
        for (size_t i = 0; dbg_catch_name(i) != NULL; i++)
            offer(&c, dbg_catch_name(i));
    } else {
        const bool place = strcmp(command, "break") == 0 || strcmp(command, "tbreak") == 0 ||
                           strcmp(command, "list") == 0;
        if (place) {
            offer_functions(d, &c);
            offer_files(d, &c);
        }
        offer_variables(d, &c);
    }
}
