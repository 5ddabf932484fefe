/* line.c: see line.h. */
#include "grading/src/build/line.h"

#include "grading/src/base/text.h"
#include "grading/src/build/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int build_line_read(const char *printed, const char *file) {
    const size_t length = strlen(file);
    for (const char *line = printed; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *name = line;
        for (const char *at = line; at < line + n; at++)
            name = *at == '/' ? at + 1 : name;
        if ((size_t)(line + n - name) > length && memcmp(name, file, length) == 0 &&
            name[length] == ':') {
            const long number = strtol(name + length + 1, NULL, 10);
            if (number > 0 && number < 1000000)
                return (int)number;
        }
        line += n + (line[n] == '\n');
    }
    return 0;
}

/* The name in the build's folder of a file that the student knows as `file`. */
static const char *name_in_folder(const struct build *b, const char *file) {
    for (size_t i = 0; i < sizeof b->renaming / sizeof *b->renaming; i++)
        if (b->renaming[i].to && strcmp(b->renaming[i].to, file) == 0 && b->renaming[i].from[0] &&
            !strchr(b->renaming[i].from, '/'))
            return b->renaming[i].from;
    return file;
}

int build_line(const struct build *b, const struct backend *backend, const struct paths *paths,
               const struct sandbox *sandbox, const char *file, uint32_t address) {
    const char *slash = b->program ? strrchr(b->program, '/') : NULL;
    if (!slash || address == 0 || !file)
        return 0;
    char at[32];
    snprintf(at, sizeof at, "0x%x", address);
    char *headers = sandbox_path(sandbox, paths_headers(paths));
    struct job j = {.backend = backend, .paths = paths, .sandbox = sandbox};
    j.folder = xasprintf("%.*s", (int)(slash - b->program), b->program);
    j.environment = environment_make(headers, j.folder);
    const char *const argv[] = {"addr2line", "-i", "-e", slash + 1, at, NULL};
    const int line = job_run(&j, argv) == TOOL_OK && j.messages
                         ? build_line_read(j.messages, name_in_folder(b, file))
                         : 0;
    free(headers);
    job_free(&j);
    return line;
}
