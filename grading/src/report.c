/* report.c: opens, feeds and closes the reporters (see report.h). */
#include "grading/src/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    void (*setup)(struct reporter *r);
} formats[] = {
    {"text", report_text_setup},
    {"json", report_json_setup},
};

static int find(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

bool report_known(const char *format) {
    return find(format) >= 0;
}

/* Colour only for a terminal that can show it, and never against the user's wish. */
static bool wants_colour(FILE *out) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(out)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/* A result file appears whole or not at all: it is written beside its place, then moved there. A
 * device or pipe (--format json=/dev/stderr) is written directly. */
static bool open_one(struct reporter *r, const char *path, char *why, size_t room) {
    if (!path) {
        r->out = stdout;
        return true;
    }
    if (strncmp(path, "/dev/", 5) == 0) {
        r->out = fopen(path, "we");
    } else {
        r->path = xstrdup(path);
        r->temporary = xasprintf("%s.XXXXXX", path);
        const int fd = mkostemp(r->temporary, O_CLOEXEC);
        const mode_t mask = umask(0);
        umask(mask);
        if (fd >= 0)
            fchmod(fd, 0666 & ~mask);
        r->out = fd >= 0 ? fdopen(fd, "w") : NULL;
    }
    if (!r->out) {
        snprintf(why, room, "cannot write %s: %s", path, strerror(errno));
        free(r->path);
        free(r->temporary);
        r->path = r->temporary = NULL;
    }
    return r->out != NULL;
}

static bool close_one(struct reporter *r, char *why, size_t room) {
    bool ok = fflush(r->out) == 0 && !ferror(r->out);
    if (r->out != stdout)
        ok = fclose(r->out) == 0 && ok;
    if (r->temporary)
        ok = ok && rename(r->temporary, r->path) == 0;
    if (!ok) {
        snprintf(why, room, "cannot write %s: %s", r->path ? r->path : "the result",
                 strerror(errno));
        if (r->temporary)
            unlink(r->temporary);
    }
    free(r->path);
    free(r->temporary);
    r->path = r->temporary = NULL;
    return ok;
}

void reporters_drop(struct reporters *r) {
    for (int i = 0; i < r->count; i++) {
        struct reporter *one = &r->one[i];
        if (one->out && one->out != stdout)
            fclose(one->out);
        if (one->temporary)
            unlink(one->temporary);
        free(one->path);
        free(one->temporary);
    }
    r->count = 0;
}

bool reporters_open(struct reporters *r, const struct options *options, char *why, size_t room) {
    static const struct format_request text_only = {.name = "text"};
    const struct format_request *wanted = options->formats ? options->format : &text_only;
    *r = (struct reporters){0};
    for (int i = 0; i < (options->formats ? options->formats : 1); i++) {
        struct reporter *one = &r->one[i];
        if (!open_one(one, wanted[i].path, why, room)) {
            reporters_drop(r);
            return false;
        }
        one->colour = wants_colour(one->out);
        formats[find(wanted[i].name)].setup(one);
        r->count++;
    }
    return true;
}

void reporters_begin(struct reporters *r, const struct grade_context *g) {
    for (int i = 0; i < r->count; i++) {
        if (r->one[i].begin)
            r->one[i].begin(&r->one[i], g);
    }
}

void reporters_built(struct reporters *r, const struct grade_context *g) {
    for (int i = 0; i < r->count; i++) {
        if (r->one[i].built)
            r->one[i].built(&r->one[i], g);
    }
}

void reporters_case(struct reporters *r, const struct grade_context *g,
                    const struct case_result *result) {
    for (int i = 0; i < r->count; i++) {
        if (r->one[i].case_done)
            r->one[i].case_done(&r->one[i], g, result);
    }
}

void reporters_check(struct reporters *r, const struct grade_context *g,
                     const struct check_result *result) {
    for (int i = 0; i < r->count; i++) {
        if (r->one[i].check_done)
            r->one[i].check_done(&r->one[i], g, result);
    }
}

bool reporters_end(struct reporters *r, const struct grade_context *g, char *why, size_t room) {
    bool ok = true;
    for (int i = 0; i < r->count; i++) {
        if (r->one[i].end)
            r->one[i].end(&r->one[i], g);
        ok = close_one(&r->one[i], why, room) && ok;
    }
    return ok;
}

/* Appends a word as a shell takes it. */
static void add_word(struct text *t, const char *word) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "/._-+,:=@%";
    if (*word && word[strspn(word, safe)] == '\0') {
        text_add(t, word);
        return;
    }
    text_add(t, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add(t, "'\\''");
        else
            text_add_bytes(t, word, 1);
    }
    text_add(t, "'");
}

void report_command(struct text *t, const struct grade_context *g, const char *case_name) {
    text_addf(t, "./grader %s --seed %llu", g->lab->name, (unsigned long long)g->seed);
    if (case_name)
        text_addf(t, " --case %s", case_name);
    if (g->options.backend != BACKEND_AUTO)
        text_addf(t, " --backend %s", backend_name(g->options.backend));
    if (g->options.rubric) {
        text_add(t, " --rubric ");
        add_word(t, g->options.rubric);
    }
    if (g->options.hidden) {
        text_add(t, " --hidden ");
        add_word(t, g->options.hidden);
    }
    if (!g->own_file) {
        text_add(t, " --submission ");
        add_word(t, g->submission.path);
    }
}
