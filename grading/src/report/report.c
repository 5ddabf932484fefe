/* report.c: opens, feeds and closes the reporters (see report.h). */
#include "grading/src/report/report.h"

#include "grading/src/base/progress.h"
#include "grading/src/base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    void (*setup)(struct reporter *r);
    void (*answers)(struct reporter *r); /* for --answers; NULL: there is none */
} formats[] = {
#define report_none_setup         NULL
#define FORMAT(name, for_answers) {#name, report_##name##_setup, report_##for_answers##_setup},
    REPORT_FORMATS(FORMAT)
#undef FORMAT
#undef report_none_setup
};

void report_names(struct text *t) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        text_addf(t, "%s%s", i ? ", " : "", formats[i].name);
}

static int find(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return (int)i;
    return -1;
}

const char *report_forgiven(const struct case_result *c) {
    if (c->observed == VERDICT_NOT_RUN)
        return "The GPU's product is right. The virtual GPU did not compute it: the submission had "
               "used up its time by then. Checks need products that are right on both.";
    return "The GPU's products are right, but this one is not: a GPU can hide mistakes until its "
           "timing or its memory changes. Checks need products that are right on both.";
}

bool report_cause_is_new(const struct grade_context *g, const struct diagnosis *d) {
    const struct case_result *c = g->first_failure ? g->first_failure : g->first_forgiven;
    const struct diagnosis *told = c ? c->diagnosis : NULL;
    return d && !(told && told->class && d->class && strcmp(told->class, d->class) == 0);
}

void report_not_run(struct text *t, const struct grade_context *g) {
    size_t cases = 0;
    for (size_t i = 0; i < g->result_count; i++)
        cases += g->results[i].verdict == VERDICT_NOT_RUN;
    if (g->first_not_run)
        text_addf(t, "%zu case%s not run, since %s.", cases, cases == 1 ? " was" : "s were",
                  text_get(&g->first_not_run->evidence.summary));
}

bool report_known(const char *format) {
    return find(format) >= 0;
}

/* A new file beside `path`, with the rights a new file has. NULL: errno says why. */
static FILE *open_beside(const char *path, char **name) {
    *name = xasprintf("%s.XXXXXX", path);
    const int fd = mkostemp(*name, O_CLOEXEC);
    const mode_t mask = umask(0);
    umask(mask);
    if (fd >= 0)
        fchmod(fd, 0666 & ~mask);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f) {
        free(*name);
        *name = NULL;
    }
    return f;
}

/* Moves a complete file to its place. */
static bool put(FILE *f, char *name, const char *path) {
    bool ok = fflush(f) == 0 && !ferror(f);
    ok = fclose(f) == 0 && ok && rename(name, path) == 0;
    if (!ok) {
        const int saved = errno;
        unlink(name);
        errno = saved;
    }
    free(name);
    return ok;
}

bool report_put(const char *path, const char *bytes, char *why, size_t room) {
    char *name = NULL;
    const bool device = path && strncmp(path, "/dev/", 5) == 0;
    FILE *f = !path ? stdout : device ? fopen(path, "we") : open_beside(path, &name);
    bool ok = f && fputs(bytes, f) >= 0;
    if (f && name)
        ok = put(f, name, path) && ok;
    else if (f)
        ok = (device ? fclose(f) : fflush(f)) == 0 && ok;
    if (!ok)
        snprintf(why, room, "cannot write %s: %s", path ? path : "to standard output",
                 strerror(errno));
    return ok;
}

/* A device or pipe (--format json=/dev/stderr) is written directly, and once. */
static bool open_one(struct reporter *r, const char *path, char *why, size_t room) {
    if (!path) {
        r->out = stdout;
        return true;
    }
    if (strncmp(path, "/dev/", 5) == 0) {
        r->out = fopen(path, "we");
    } else {
        r->out = open_beside(path, &r->temporary);
        r->path = r->out ? xstrdup(path) : NULL;
    }
    if (!r->out)
        snprintf(why, room, "cannot write %s: %s", path, strerror(errno));
    return r->out != NULL;
}

/* A document's file is opened anew for each writing. That it can be was tried at the beginning. */
static void close_document(struct reporter *r) {
    if (r->write && r->path) {
        fclose(r->out);
        r->out = NULL;
        unlink(r->temporary);
        free(r->temporary);
        r->temporary = NULL;
    }
}

void reporter_print_tables(const struct reporter *r, FILE *out) {
    if (r->tables && fflush(r->tables) == 0)
        fwrite(r->kept, 1, r->kept_bytes, out);
}

static void forget_tables(struct reporter *r) {
    if (r->tables)
        fclose(r->tables);
    free(r->kept);
    r->tables = NULL;
    r->kept = NULL;
}

/* What a stream has said so far, with a line that it is not all. */
static bool put_stream_so_far(const struct reporter *r) {
    char *name, part[4096];
    fflush(r->out);
    FILE *from = fopen(r->temporary, "re"), *to = from ? open_beside(r->path, &name) : NULL;
    for (size_t n; to && (n = fread(part, 1, sizeof part, from)) > 0;)
        fwrite(part, 1, n, to);
    if (from)
        fclose(from);
    if (to)
        reporter_print_tables(r, to);
    if (to)
        fputs("\nnot graded: the run has not finished\n", to);
    return to && put(to, name, r->path);
}

/* The file as it is after a case. Standard output and devices get one result, at the end. */
static bool put_so_far(struct reporter *r, const struct grade_context *g) {
    if (!r->path)
        return true;
    if (!r->write)
        return put_stream_so_far(r);
    char *name;
    r->out = open_beside(r->path, &name);
    if (!r->out)
        return false;
    r->write(r, g);
    const bool ok = put(r->out, name, r->path);
    r->out = NULL;
    return ok;
}

static bool finish_one(struct reporter *r, const struct grade_context *g) {
    r->final = true;
    if (r->end)
        r->end(r, g);
    forget_tables(r);
    if (r->write && r->path)
        return put_so_far(r, g);
    if (r->write)
        r->write(r, g);
    if (r->temporary) {
        char *name = r->temporary;
        FILE *out = r->out;
        r->temporary = NULL;
        r->out = NULL;
        return put(out, name, r->path);
    }
    bool ok = fflush(r->out) == 0 && !ferror(r->out);
    if (r->out != stdout)
        ok = fclose(r->out) == 0 && ok;
    r->out = NULL;
    return ok;
}

void reporters_drop(struct reporters *r) {
    for (int i = 0; i < r->count; i++) {
        struct reporter *one = &r->one[i];
        if (one->out && !one->path) {
            reporter_print_tables(one, one->out);
            fflush(one->out); /* a signal may end us next */
        }
        forget_tables(one);
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
        const int format = find(wanted[i].name);
        void (*setup)(struct reporter *) =
            options->answers ? formats[format].answers : formats[format].setup;
        if (!setup)
            snprintf(why, room, "--answers has no %s: use text, json or another format",
                     wanted[i].name);
        if (!setup || !open_one(one, wanted[i].path, why, room)) {
            reporters_drop(r);
            return false;
        }
        one->colour = terminal_wants_colour(one->out);
        one->columns = terminal_columns(one->out, REPORT_COLUMNS);
        setup(one);
        if (!one->write)
            one->tables = open_memstream(&one->kept, &one->kept_bytes);
        close_document(one);
        r->count++;
    }
    return true;
}

/* A file that cannot be written now is tried again after the next case; the end tells of it. */
static void all_so_far(struct reporters *r, const struct grade_context *g) {
    for (int i = 0; i < r->count; i++)
        put_so_far(&r->one[i], g);
}

void reporters_begin(struct reporters *r, const struct grade_context *g) {
    progress_hide();
    for (int i = 0; i < r->count; i++)
        if (r->one[i].begin)
            r->one[i].begin(&r->one[i], g);
    all_so_far(r, g);
}

void reporters_built(struct reporters *r, const struct grade_context *g) {
    progress_hide();
    for (int i = 0; i < r->count; i++)
        if (r->one[i].built)
            r->one[i].built(&r->one[i], g);
}

void reporters_case(struct reporters *r, const struct grade_context *g,
                    const struct case_result *result) {
    progress_hide();
    for (int i = 0; i < r->count; i++)
        if (r->one[i].case_done)
            r->one[i].case_done(&r->one[i], g, result);
    all_so_far(r, g);
}

void reporters_check(struct reporters *r, const struct grade_context *g,
                     const struct check_result *result) {
    progress_hide();
    for (int i = 0; i < r->count; i++)
        if (r->one[i].check_done)
            r->one[i].check_done(&r->one[i], g, result);
    all_so_far(r, g);
}

bool reporters_end(struct reporters *r, const struct grade_context *g, char *why, size_t room) {
    bool ok = true;
    for (int i = 0; i < r->count; i++) {
        struct reporter *one = &r->one[i];
        if (!finish_one(one, g)) {
            snprintf(why, room, "cannot write %s: %s", one->path ? one->path : "the result",
                     strerror(errno));
            ok = false;
        }
        free(one->path);
        one->path = NULL;
    }
    return ok;
}

void report_word(struct text *t, const char *word) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "/._-+,:=@%";
    if (*word && word[strspn(word, safe)] == '\0') {
        text_add(t, word);
        return;
    }
    text_add(t, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(t, "'\\''");
        else
            text_add_bytes(t, word, 1);
    text_add(t, "'");
}

void report_command(struct text *t, const struct grade_context *g, const char *case_name) {
    text_addf(t, "%s %s --seed %llu", g->paths.command, g->lab->name, (unsigned long long)g->seed);
    if (case_name)
        text_addf(t, " --case %s", case_name);
    for (int i = 0; !case_name && i < g->options.cases; i++)
        text_addf(t, " --case %s", g->options.only[i]);
    if (g->options.backend != BACKEND_AUTO)
        text_addf(t, " --backend %s", backend_name(g->options.backend));
    if (g->options.rubric) {
        text_add(t, " --rubric ");
        report_word(t, g->options.rubric);
    }
    if (g->options.hidden) {
        text_add(t, " --hidden ");
        report_word(t, g->options.hidden);
    }
    if (!g->own_file) {
        text_add(t, " --submission ");
        report_word(t, g->submission.path);
    }
}
