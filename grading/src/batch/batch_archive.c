/* batch_archive.c: opens the archives that students handed in (see batch.h).
 *
 * The grader itself reads no archive: grading/class/unpack does, a process that can do nothing but
 * read this one file and print what it found in it. What it prints is kept in OUT/unpacked under
 * names of our own making, and graded like any other file. */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_anonymous.h"

#include "grading/src/build/submission.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SECONDS 120 /* by the clock: it has 10 of processor time */
#define MOST_PRINTED (SUBMISSION_MAX_BYTES + 8192)

/* Runs the program on the archive; what it printed; *status as wait gives it, -1 when it could not
 * be started. */
static void ask(struct text *said, const char *program, const char *archive, const char *lab,
                int *status) {
    int ends[2];
    *status = -1;
    const int file = open(archive, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        if (file >= 0)
            close(file);
        return;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        const char *const argv[] = {"unpack", lab, NULL};
        const char *const environment[] = {"LC_ALL=C.UTF-8", NULL};
        const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        signal(SIGALRM, SIG_DFL);
        alarm(MOST_SECONDS);
        if (null >= 0 && dup2(file, 0) == 0 && dup2(ends[1], 1) == 1 && dup2(null, 2) == 2)
            execve(program, (char *const *)argv, (char *const *)environment);
        _exit(127);
    }
    close(file);
    close(ends[1]);
    char part[16384];
    for (ssize_t n; pid > 0 && said->length < MOST_PRINTED;) {
        n = read(ends[0], part, sizeof part);
        if (n > 0)
            text_add_bytes(said, part, (size_t)n);
        else if (n == 0 || errno != EINTR)
            break;
    }
    close(ends[0]);
    while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
}

/* Writes it beside and moves it there: parts of a batch may open the same archive at once. */
static bool put(const char *path, const char *bytes, size_t n) {
    char *beside = xasprintf("%s.%d", path, (int)getpid());
    FILE *f = fopen(beside, "we");
    bool ok = f && fwrite(bytes, 1, n, f) == n;
    ok = f && fclose(f) == 0 && ok && rename(beside, path) == 0;
    free(beside);
    return ok;
}

/* Keeps the file; false: it cannot be written. */
static bool keep(const struct batch *b, struct entry_in *e, const struct text *said) {
    const char *line_end = memchr(text_get(said), '\n', said->length);
    const char *bytes = line_end ? line_end + 1 : text_get(said) + said->length;
    char *inner = xstrdup(text_get(said));
    inner[line_end ? line_end - text_get(said) : 0] = '\0';
    const char *slash = strrchr(inner, '/');
    char *name = batch_file_name(slash ? slash + 1 : inner), *who = batch_file_name(e->name);
    char *folder = xasprintf("%s/unpacked/%s", b->out, who),
         *path = xasprintf("%s/%s", folder, name);
    const size_t n = said->length - (size_t)(bytes - text_get(said));
    const bool ok = (mkdir(folder, 0700) == 0 || errno == EEXIST) && put(path, bytes, n);
    if (ok) {
        const char *archive = strrchr(e->path, '/') + 1;
        entry_add_note(e, xasprintf("%s is taken out of %s", inner, archive));
        free(e->path);
        e->path = xstrdup(path);
        e->state = HANDED_IN;
        entry_note_name(e, b->lab->name);
        free(e->why);
        e->why = NULL;
    }
    free(inner);
    free(name);
    free(who);
    free(folder);
    free(path);
    return ok;
}

static void say_why(struct entry_in *e, enum handed_in state, const char *what) {
    struct text clean = {0};
    text_add_clean_line(&clean, what, strcspn(what, "\n"), 200);
    free(e->why);
    e->why = xasprintf("%s: %s", strrchr(e->path, '/') + 1, text_get(&clean));
    e->state = state;
    text_free(&clean);
}

static void open_one(const struct batch *b, struct entry_in *e, const char *program) {
    struct text said = {0};
    int status;
    ask(&said, program, e->path, b->lab->name, &status);
    if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        if (!keep(b, e, &said))
            say_why(e, HANDED_IN_ARCHIVE, "what is in it cannot be written");
    } else if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 1) {
        say_why(e, HANDED_IN_OTHER, said.length ? text_get(&said) : "it cannot be opened");
    } else if (status >= 0 && WIFSIGNALED(status)) {
        say_why(e, HANDED_IN_ARCHIVE, "opening it takes more time or memory than an archive may");
    } else {
        say_why(e, HANDED_IN_ARCHIVE, "it could not be opened on this machine");
    }
    text_free(&said);
}

bool batch_open_archives(struct batch *b, struct text *why) {
    size_t archives = 0;
    for (size_t i = 0; i < b->list.count; i++)
        archives += b->list.of[i].state == HANDED_IN_ARCHIVE;
    if (archives == 0)
        return true;
    char *program = xasprintf("%s/bin/unpack", b->paths->build);
    char *folder = xasprintf("%s/unpacked", b->out);
    const bool can = access(program, X_OK) == 0;
    bool ok = true;
    if (can && mkdir(folder, 0700) != 0 && errno != EEXIST) {
        text_addf(why, "cannot make the folder %s: %s", folder, strerror(errno));
        ok = false;
    }
    for (size_t i = 0; i < b->list.count && ok; i++) {
        struct entry_in *e = &b->list.of[i];
        if (e->state != HANDED_IN_ARCHIVE)
            continue;
        if (can)
            open_one(b, e, program);
        else
            say_why(e, HANDED_IN_ARCHIVE,
                    "archives are opened where libarchive is installed: run tools/setup class "
                    "and make grader-tools, or unpack it");
        if (b->anonymous)
            batch_anonymous_note(e);
        for (size_t k = 0; e->state != HANDED_IN && k < b->list.entry_count; k++)
            if (b->list.entries[k].fate == FATE_GRADED && b->list.entries[k].row == i)
                b->list.entries[k].fate = FATE_UNGRADED;
    }
    free(program);
    free(folder);
    return ok;
}
