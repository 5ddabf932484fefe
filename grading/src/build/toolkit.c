/* toolkit.c: see toolkit.h. */
#include "grading/src/build/toolkit.h"

#include "grading/src/base/text.h"
#include "grading/src/sandbox/child.h"

#include <stdlib.h>
#include <string.h>

/* The script ends each of its steps itself; this is for a machine that hangs. */
#define ASK_MILLISECONDS (10 * 60000)

char *ask_program(const char *const *argv, const char *const *environment, int milliseconds) {
    extern char **environ;
    const struct child_options options = {.argv = argv,
                                          .environment = environment ? environment
                                                                     : (const char *const *)environ,
                                          .folder = "/",
                                          .family = true};
    struct child *c = xcalloc(1, sizeof *c);
    char ignored[256], *printed = NULL;
    bool missing;
    if (child_start(c, &options, ignored, sizeof ignored, &missing)) {
        const struct patience p = patience_of(milliseconds);
        child_wait(c, &p);
        const bool ended = c->ended;
        child_finish(c);
        if (ended && c->wait_status == 0)
            printed = capture_text(&c->output);
    }
    free(c);
    return printed;
}

/* The value of a fact, which the caller frees; NULL when it is not there. */
static char *fact(const struct toolkit *t, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = t->facts; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            return xasprintf("%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
    return NULL;
}

/* "NVCC cannot be used: WHY", from the fact WHY; NULL without it. */
static char *complaint(const struct toolkit *t, const char *what, const char *why) {
    char *reason = fact(t, why);
    char *all = reason ? xasprintf("%s %s: %s", t->nvcc ? t->nvcc : "nvcc", what, reason) : NULL;
    free(reason);
    return all;
}

/* Our environment, with BUILD and perhaps NVCC. Free the array and its first two strings. */
static char **environment_with(const struct paths *paths, const char *nvcc) {
    extern char **environ;
    size_t n = 0, used = 0;
    while (environ[n])
        n++;
    char **e = xcalloc(n + 3, sizeof *e);
    e[used++] = xasprintf("BUILD=%s", paths->build);
    e[used++] = nvcc && *nvcc ? xasprintf("NVCC=%s", nvcc) : xstrdup("TOOLKIT=");
    for (size_t i = 0; i < n; i++) {
        const bool replaced = strncmp(environ[i], "BUILD=", 6) == 0 ||
                              (nvcc && *nvcc && strncmp(environ[i], "NVCC=", 5) == 0);
        if (!replaced)
            e[used++] = environ[i];
    }
    return e;
}

void toolkit_ask(struct toolkit *t, const struct paths *paths, const char *nvcc) {
    char *script = xasprintf("%s/tools/toolkit", paths->root);
    char **environment = environment_with(paths, nvcc);
    *t = (struct toolkit){0};
    t->facts = ask_program((const char *const[]){script, NULL}, (const char *const *)environment,
                           ASK_MILLISECONDS);
    if (!t->facts)
        t->facts = xasprintf("state=broken\nwhy=%s does not run\n", script);
    t->nvcc = fact(t, "nvcc");
    t->top = fact(t, "top");
    t->fault = complaint(t, "cannot be used", "why");
    t->no_cublas = complaint(t, "has no cuBLAS", "why_cublas");
    free(environment[0]);
    free(environment[1]);
    free(environment);
    free(script);
}

bool toolkit_works(const struct toolkit *t) {
    return t->nvcc && !t->fault;
}

void toolkit_free(struct toolkit *t) {
    free(t->facts);
    free(t->nvcc);
    free(t->top);
    free(t->fault);
    free(t->no_cublas);
    *t = (struct toolkit){0};
}
