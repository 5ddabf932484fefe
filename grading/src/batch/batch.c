/* batch.c: grades a class, a grader process for each submission (see batch.h). */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_anonymous.h"
#include "grading/src/batch/batch_out.h"
#include "grading/src/batch/batch_roster.h"

#include "grading/src/base/clock.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/terminal.h"
#include "grading/src/build/submission.h"
#include "grading/src/lab/rubric.h"
#include "grading/src/sandbox/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_TRIES        2            /* a grader that could not grade is started once more */
#define MOST_MILLISECONDS (30 * 60000) /* no grader takes as long: its own limits end it before */

int batch_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* ---- What the batch is ---- */

/* Folds a file into a hash: its size and as much of it as the grader would ever read; `missing`
 * when it cannot be read. */
static uint64_t hash_file(const char *path, uint64_t missing) {
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    struct stat s;
    if (fd < 0)
        return missing;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) {
        close(fd);
        return missing;
    }
    struct text t = {0};
    char part[4096];
    text_addf(&t, "%lld ", (long long)s.st_size);
    for (ssize_t n; t.length <= SUBMISSION_MAX_BYTES && (n = read(fd, part, sizeof part)) > 0;)
        text_add_bytes(&t, part, (size_t)n);
    close(fd);
    const uint64_t hash = submission_hash(text_get(&t), t.length);
    text_free(&t);
    return hash;
}

char *batch_file_name(const char *name) {
    char *safe = xstrdup(name);
    for (char *c = safe; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == '/' || *c == 0x7f)
            *c = '_';
    if (*safe == '.') /* no "..", and nothing hidden */
        *safe = '_';
    if (strlen(safe) > 150)
        safe[150] = '\0';
    if (strcmp(safe, name) != 0) {
        char *apart =
            xasprintf("%s~%08" PRIx32, safe, (uint32_t)submission_hash(name, strlen(name)));
        free(safe);
        safe = apart;
    }
    return safe;
}

static void make_keys(struct batch *b) {
    const uint64_t rubric = hash_file(b->rubric, 0), hidden = hash_file(b->hidden, 1);
    for (size_t i = 0; i < b->list.count; i++) {
        struct entry_in *e = &b->list.of[i];
        if (e->state != HANDED_IN)
            continue;
        struct text all = {0};
        text_addf(&all, "%s %s %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %d", e->name,
                  b->lab->name, b->seed, hash_file(e->path, 0), rubric, hidden,
                  (int)b->options->backend);
        snprintf(e->key, sizeof e->key, "%016" PRIx64, submission_hash(text_get(&all), all.length));
        char *safe = batch_file_name(e->name);
        e->result = xasprintf("%s/results/%s.%s.json", b->out, safe, e->key);
        free(safe);
        text_free(&all);
    }
}

size_t batch_look(struct batch *b) {
    size_t left = 0;
    for (size_t i = 0; i < b->list.count; i++) {
        struct entry_in *e = &b->list.of[i];
        json_t *o = e->result ? json_load_file(e->result, 0, NULL) : NULL;
        const char *status = json_string_value(json_object_get(o, "status"));
        e->done = status && strcmp(status, "not_graded") != 0;
        left += e->state == HANDED_IN && !e->done;
        json_decref(o);
    }
    return left;
}

bool batch_mine(const struct batch *b, size_t index) {
    return b->options->parts == 0 ||
           (int)(index % (size_t)b->options->parts) + 1 == b->options->part;
}

/* A mistake in the rubric must stop the batch before it grades five hundred students by it. */
static bool check_rubric(const struct batch *b, struct text *why) {
    struct rubric r;
    const bool ok = rubric_load(&r, b->lab, b->rubric, b->hidden, why);
    if (ok)
        rubric_free(&r);
    return ok;
}

bool batch_prepare(struct batch *b, const struct options *options, const struct paths *paths,
                   const struct lab_spec *lab, struct text *why) {
    *b = (struct batch){.options = options, .paths = paths, .lab = lab, .lock = -1};
    b->out = options->out ? options->out : "results";
    b->rubric = options->rubric ? xstrdup(options->rubric) : rubric_path(lab, paths->root);
    if (!options->hidden) {
        b->hidden = xasprintf("%s/solutions/%s/hidden.cfg", paths->root, lab->folder);
        if (access(b->hidden, R_OK) != 0) {
            free(b->hidden);
            b->hidden = NULL;
        }
    } else if (strcmp(options->hidden, "none") != 0) {
        b->hidden = xstrdup(options->hidden);
    }
    /* What a batch makes is about people: nobody else's to read. */
    umask(077);
    if (options->roster) {
        b->roster = xcalloc(1, sizeof *b->roster);
        if (!roster_read(&b->roster->roster, options->roster, options->column, lab, why))
            return false;
    }
    const char *const ours[] = {b->out, options->roster, NULL};
    const struct batch_search search = {.folder = options->batch, .lab = lab, .ours = ours};
    if (!batch_find(&b->list, &search, why) || !batch_account(&b->list, why))
        return false;
    if (b->roster) {
        batch_roster_match(b->roster, &b->list);
        if (!batch_roster_fits(b->roster, &b->list, options->roster, why))
            return false;
    }
    if ((options->anonymous && !batch_anonymous(b, why)) || !check_rubric(b, why) ||
        !batch_out_is_ours(b, why) || !batch_out_open(b, why) || !batch_open_archives(b, why))
        return false;
    make_keys(b);
    batch_look(b);
    return true;
}

void batch_free(struct batch *b) {
    if (b->anonymous && b->options->parts == 0) { /* programs may hold names */
        char *unpacked = xasprintf("%s/unpacked", b->out);
        scratch_remove(unpacked);
        free(unpacked);
    }
    batch_list_free(&b->list);
    if (b->roster)
        batch_roster_free(b->roster);
    free(b->roster);
    if (b->anonymous)
        batch_anonymous_free(b->anonymous);
    free(b->anonymous);
    if (b->lock >= 0)
        close(b->lock);
    free(b->rubric);
    free(b->hidden);
}

/* ---- One grader ---- */

struct job {
    pid_t pid;
    size_t index;
    int64_t started;
    char *part, *log; /* what it writes */
    char *file;       /* what it grades */
    char *folder;     /* of a copy with a name that is nobody's; NULL: the file itself is graded */
};

/* An anonymous batch grades copies: messages name files. No more is copied than a grader reads. */
static bool copy_file(const struct batch *b, const struct entry_in *e, struct job *j) {
    j->folder = xasprintf("%s/running/%s", b->out, e->name);
    j->file = xasprintf("%s/%s.cu", j->folder, b->lab->name);
    const int from = open(e->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const bool made = mkdir(j->folder, 0700) == 0 || errno == EEXIST;
    const int to = made ? open(j->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    char part[65536];
    ssize_t n = -1;
    for (size_t all = 0; from >= 0 && to >= 0 && all <= SUBMISSION_MAX_BYTES; all += (size_t)n)
        if ((n = read(from, part, sizeof part)) <= 0 || write(to, part, (size_t)n) != n)
            break;
    if (from >= 0)
        close(from);
    return to >= 0 && close(to) == 0 && n >= 0;
}

static void exec_grader(const struct batch *b, const struct job *j) {
    char seed[32];
    snprintf(seed, sizeof seed, "--seed=%" PRIu64, b->seed);
    const char *argv[] = {"grader",
                          b->lab->name,
                          xasprintf("--submission=%s", j->file),
                          xasprintf("--backend=%s", backend_name(b->options->backend)),
                          seed,
                          xasprintf("--rubric=%s", b->rubric),
                          xasprintf("--format=json=%s", j->part),
                          b->hidden ? xasprintf("--hidden=%s", b->hidden) : NULL,
                          NULL};
    const int log = open(j->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setsid(); /* a key pressed at the terminal is the batch's to hear */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setenv("GRADER_ROOT", b->paths->root, 1);
    if (log >= 0 && null >= 0 && dup2(null, 0) == 0 && dup2(log, 1) == 1 && dup2(log, 2) == 2)
        execv("/proc/self/exe", (char *const *)argv);
    _exit(127);
}

static bool start_job(const struct batch *b, size_t index, struct job *j) {
    struct entry_in *e = &b->list.of[index];
    *j = (struct job){.index = index, .started = clock_now()};
    j->part = xasprintf("%s/running/%s.json", b->out, e->key);
    j->log = xasprintf("%s/running/%s.txt", b->out, e->key);
    unlink(j->part);
    e->tries++;
    if (!b->anonymous)
        j->file = xstrdup(e->path);
    else if (!copy_file(b, e, j))
        return false;
    const pid_t parent = getpid();
    j->pid = fork();
    if (j->pid == 0) {
        if (getppid() != parent)
            _exit(127);
        exec_grader(b, j);
    }
    return j->pid > 0;
}

/* The last line that a grader printed; "" when it said nothing. */
static char *last_words(const char *log) {
    FILE *f = fopen(log, "re");
    char line[1000], *last = xstrdup("");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (!line[strspn(line, " ")])
            continue;
        free(last);
        last = xstrdup(line);
    }
    if (f)
        fclose(f);
    return last;
}

/* A result for a grader that left none: no grade, never a zero. */
static void write_failure(const struct batch *b, const struct job *j, int wait_status) {
    char seed[24], *said = last_words(j->log);
    const char *what = WIFSIGNALED(wait_status) ? "was ended by signal" : "ended with status";
    struct text reason = {0};
    text_addf(&reason, "the grader %s %d and left no result", what,
              WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status));
    if (*said && !b->anonymous) {
        text_add(&reason, "; its last words: ");
        text_add_clean_line(&reason, said, strlen(said), 160);
    }
    free(said);
    const char *why = text_get(&reason);
    snprintf(seed, sizeof seed, "%" PRIu64, b->seed);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "schema", "matmul-lab-grade/1", "lab",
                          b->lab->name, "status", "not_graded", "submission", j->file, "seed", seed,
                          "not_graded", why);
    if (!o || json_dump_file(o, j->part, JSON_INDENT(2)) != 0)
        unlink(j->part);
    json_decref(o);
    text_free(&reason);
}

/* Results of this student under former keys have had their time. */
static void remove_former(const struct batch *b, const struct entry_in *e) {
    char *safe = batch_file_name(e->name), *folder = xasprintf("%s/results", b->out);
    const size_t n = strlen(safe);
    DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d));) {
        const char *rest = f->d_name + n;
        if (strncmp(f->d_name, safe, n) == 0 && *rest == '.' &&
            strspn(rest + 1, "0123456789abcdef") == 16 && strcmp(rest + 17, ".json") == 0 &&
            strncmp(rest + 1, e->key, 16) != 0)
            unlinkat(dirfd(d), f->d_name, 0);
    }
    if (d)
        closedir(d);
    free(folder);
    free(safe);
}

/* Puts the result in its place. True when it holds a grade. */
static bool take_result(struct batch *b, struct job *j, int wait_status) {
    struct entry_in *e = &b->list.of[j->index];
    json_t *o = json_load_file(j->part, 0, NULL);
    const char *status = json_string_value(json_object_get(o, "status"));
    e->done = status && strcmp(status, "not_graded") != 0 && WIFEXITED(wait_status) &&
              WEXITSTATUS(wait_status) < 2;
    if (!o || (!e->done && strcmp(status ? status : "", "not_graded") != 0) ||
        WIFSIGNALED(wait_status))
        write_failure(b, j, wait_status);
    json_decref(o);
    if (b->anonymous && !anonymous_result(b->anonymous, j->part))
        e->done = false;
    if (!e->done && !batch_out_has_room(b)) { /* it may have had a grade */
        unlink(j->part);
        unlink(j->log);
        return false;
    }
    rename(j->part, e->result);
    remove_former(b, e);
    char *safe = batch_file_name(e->name), *log = xasprintf("%s/logs/%s.txt", b->out, safe);
    if (e->done || b->anonymous) {
        unlink(j->log);
        unlink(log);
    } else {
        rename(j->log, log);
    }
    free(safe);
    free(log);
    return e->done;
}

static void free_job(struct job *j) {
    if (j->folder)
        scratch_remove(j->folder);
    free(j->part);
    free(j->log);
    free(j->file);
    free(j->folder);
    *j = (struct job){0};
}

/* ---- The class ---- */

struct progress {
    bool terminal;
    size_t total, before, finished; /* finished: in this run */
    int running;
    int64_t started;
};

static void show_bar(const struct progress *p) {
    enum { WIDEST = 30, NARROWEST = 5 };
    const size_t done = p->before + p->finished;
    char bar[WIDEST + 1];
    struct text count = {0};
    text_addf(&count, " %zu of %zu", done, p->total);
    if (p->finished > 0) {
        const double each = (double)(clock_now() - p->started) / 1000.0 / (double)p->finished;
        const double left = each * (double)(p->total - done);
        if (left >= 120)
            text_addf(&count, ", about %.0f minutes left", left / 60);
        else
            text_addf(&count, ", about %.0f s left", left);
    }
    /* A line that is wider than the terminal could not be written over. */
    const int columns = terminal_columns(stdout, TEXT_COLUMNS), room = columns - 3;
    int width = room - (int)count.length;
    width = width > WIDEST ? WIDEST : width < NARROWEST ? 0 : width;
    for (int i = 0; i < width; i++)
        bar[i] = (size_t)i < done * (size_t)width / p->total ? '#' : '.';
    bar[width] = '\0';
    printf(width ? "\r[%s]%.*s\033[K" : "\r%s%.*s\033[K", bar, room, text_get(&count));
    text_free(&count);
    fflush(stdout);
}

static void show_done(const struct progress *p, const struct batch *b, size_t index) {
    const struct entry_in *e = &b->list.of[index];
    if (p->terminal) {
        show_bar(p);
        return;
    }
    json_t *o = json_load_file(e->result, 0, NULL);
    struct text name = {0};
    text_add_clean_line(&name, e->student, strlen(e->student), 60);
    printf("%zu/%zu  %s", p->before + p->finished, p->total, text_get(&name));
    if (e->done)
        printf("  %g/%g\n", json_number_value(json_object_get(o, "points")),
               json_number_value(json_object_get(o, "points_possible")));
    else
        printf("  not graded: %s\n", json_string_value(json_object_get(o, "not_graded")));
    fflush(stdout);
    json_decref(o);
    text_free(&name);
}

/* The next entry to grade; list.count when there is none. */
static size_t next_entry(const struct batch *b, const struct job *jobs, int most) {
    for (int pass = 0; pass < MOST_TRIES; pass++) {
        for (size_t i = 0; i < b->list.count; i++) {
            const struct entry_in *e = &b->list.of[i];
            bool busy = false;
            for (int j = 0; j < most; j++)
                busy = busy || (jobs[j].pid > 0 && jobs[j].index == i);
            if (e->state == HANDED_IN && !e->done && e->tries == pass && !busy && batch_mine(b, i))
                return i;
        }
    }
    return b->list.count;
}

static void end_late(const struct job *jobs, int most, bool all) {
    for (int i = 0; i < most; i++)
        if (jobs[i].pid > 0 && (all || clock_now() - jobs[i].started > MOST_MILLISECONDS))
            kill(jobs[i].pid, all ? SIGTERM : SIGKILL);
}

static void finish_job(struct batch *b, struct job *j, int wait_status, struct progress *p) {
    const struct entry_in *e = &b->list.of[j->index];
    const size_t index = j->index;
    p->running--;
    if (interrupt_noted() || b->trouble) {
        unlink(j->part);
        unlink(j->log);
    } else if (take_result(b, j, wait_status) || (e->tries >= MOST_TRIES && !b->trouble)) {
        p->finished++;
        show_done(p, b, index);
    }
    free_job(j);
}

static void run_jobs(struct batch *b, int most, struct progress *p) {
    struct job *jobs = xcalloc((size_t)most, sizeof *jobs);
    bool told = false;
    for (;;) {
        for (int i = 0; i < most && !interrupt_noted() && !b->trouble; i++) {
            const size_t next = jobs[i].pid > 0 ? b->list.count : next_entry(b, jobs, most);
            if (next == b->list.count)
                continue;
            if (start_job(b, next, &jobs[i]))
                p->running++;
            else
                free_job(&jobs[i]);
        }
        if (p->running == 0)
            break;
        int status;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        for (int i = 0; pid > 0 && i < most; i++)
            if (jobs[i].pid == pid)
                finish_job(b, &jobs[i], status, p);
        if ((interrupt_noted() || b->trouble) && !told)
            end_late(jobs, most, told = true);
        if (pid <= 0) {
            poll(NULL, 0, 50);
            end_late(jobs, most, false);
        }
    }
    free(jobs);
}

int batch_say(const char *why) {
    struct text t = {0};
    text_addf(&t, "grader: %s\n", why);
    text_fit(&t, stderr, 2);
    fputs(text_get(&t), stderr);
    text_free(&t);
    return 2;
}

int batch_run(const struct options *options, const struct paths *paths,
              const struct lab_spec *lab) {
    struct batch b;
    struct text why = {0};
    int status = 2;
    if (!batch_prepare(&b, options, paths, lab, &why)) {
        batch_say(text_get(&why));
    } else {
        struct progress p = {.terminal = terminal_obeys(stdout) && !getenv("NO_PROGRESS"),
                             .started = clock_now()};
        for (size_t i = 0; i < b.list.count; i++) {
            const bool counts = batch_mine(&b, i) && b.list.of[i].state == HANDED_IN;
            p.total += counts;
            p.before += counts && b.list.of[i].done;
        }
        if (p.before > 0)
            printf("%zu of %zu are graded already\n", p.before, p.total);
        run_jobs(&b, options->jobs > 0 ? options->jobs : batch_processors(), &p);
        if (p.terminal)
            printf("\n");
        const size_t left = batch_look(&b);
        int without = 0;
        bool ok = !b.trouble;
        if (b.trouble)
            text_addf(&why,
                      "results cannot be kept in %s: %s. Make room: what is graded is kept, %zu "
                      "of %zu, and the same command goes on from there",
                      b.out, strerror(b.trouble), p.total - (left < p.total ? left : p.total),
                      p.total);
        ok = ok && (options->parts > 0 || batch_summary(&b, &without, &why));
        status = !ok ? batch_say(text_get(&why)) : without > 0 ? 2 : 0;
        if (interrupt_noted()) {
            fprintf(stderr,
                    "grader: interrupted: what is graded is kept, %zu of %zu; the same command "
                    "goes on from there\n",
                    p.total - (left < p.total ? left : p.total), p.total);
            status = 2;
        }
    }
    batch_free(&b);
    text_free(&why);
    return status;
}
