/* settings.c: reading VGPU_… from the environment, and sealing it (see settings.h). */
#include "vgpu/src/memory/settings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool sealed;
    int count;
    char **of; /* "VGPU_NAME=value" */
} the;

const char *vg_setting(const char *name) {
    if (!the.sealed)
        return getenv(name);
    const size_t n = strlen(name);
    for (int i = 0; i < the.count; i++)
        if (strncmp(the.of[i], name, n) == 0 && the.of[i][n] == '=')
            return the.of[i] + n + 1;
    return NULL;
}

static bool ours(const char *variable) {
    return strncmp(variable, "VGPU_", 5) == 0;
}

void vg_settings_seal(char **environment) {
    bool wanted = false;
    size_t most = 0;
    for (char **e = environment; e != NULL && *e != NULL; e++, most++)
        wanted |= strcmp(*e, "VGPU_SEALED=1") == 0;
    if (!wanted)
        return;
    the.sealed = true;
    the.of = calloc(most, sizeof *the.of);
    char **kept = environment;
    for (char **e = environment; *e != NULL; e++) {
        if (!ours(*e)) {
            *kept++ = *e;
            continue;
        }
        char *copy = the.of != NULL ? strdup(*e) : NULL;
        if (copy != NULL)
            the.of[the.count++] = copy;
        memset(*e, 0, strlen(*e)); /* /proc/self/environ shows this memory */
    }
    *kept = NULL;
}

static void before_all(int argc, char **argv, char **environment) {
    (void)argc, (void)argv;
    vg_settings_seal(environment);
}

/* In a program, what stands here runs before every constructor. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = before_all;
