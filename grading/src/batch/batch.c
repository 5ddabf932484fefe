/* batch.c: grades a class, a grader process for each submission (see batch.h). */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_anonymous.h"
#include "grading/src/batch/batch_roster.h"

#include "grading/src/base/clock.h"
#include "grading/src/base/scratch.h"
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
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/random.h>
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

/* The seed of a batch is settled once, so that what is added later is graded like the rest. */
static bool settle_seed(struct batch *b, struct text *why) {
    char *path = xasprintf("%s/batch.json", b->out);
    json_t *o = json_load_file(path, 0, NULL);
    const char *before = json_string_value(json_object_get(o, "seed"));
    const char *lab = json_string_value(json_object_get(o, "lab"));
    const char *names = json_string_value(json_object_get(o, "anonymous"));
    const char *key = b->anonymous ? b->anonymous->key : "";
    bool ok = true;
    if (lab && strcmp(lab, b->lab->name) != 0) {
        text_addf(why, "%s holds a batch of %s: give %s another folder (--out)", b->out, lab,
                  b->lab->name);
        ok = false;
    }
    if (ok && o && strcmp(names ? names : "", key) != 0) {
        text_addf(why, "%s holds a batch %s: give this one another folder (--out)", b->out,
                  !names || !*names ? "with names, where --anonymous would leave them"
                  : *key            ? "that is anonymous by another key"
                                    : "that is anonymous, and this one has names");
        ok = false;
    }
    if (b->options->seed_given)
        b->seed = b->options->seed;
    else if (before)
        b->seed = strtoull(before, NULL, 10);
    else if (getrandom(&b->seed, sizeof b->seed, 0) == (ssize_t)sizeof b->seed)
        b->seed %= 1000000000u;
    json_decref(o);
    if (b->options->parts > 0) { /* whoever started the parts has written it */
        free(path);
        return ok;
    }
    char seed[24], *beside = xasprintf("%s.%d", path, (int)getpid());
    snprintf(seed, sizeof seed, "%" PRIu64, b->seed);
    o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "schema", "matmul-lab-batch/1", "lab",
                  b->lab->name, "seed", seed, "rubric", b->rubric, "hidden",
                  b->hidden ? b->hidden : "", "anonymous", key);
    if (ok && (json_dump_file(o, beside, JSON_INDENT(2)) != 0 || rename(beside, path) != 0)) {
        text_addf(why, "cannot write %s: %s", path, strerror(errno));
        ok = false;
    }
    json_decref(o);
    free(beside);
    free(path);
    return ok;
}

static bool make_folder(const char *path, struct text *why) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    text_addf(why, "cannot make the folder %s: %s", path, strerror(errno));
    return false;
}

/* OUT may have been there, and be its owner's to share; what is below is the batch's, and private.
 * Git sees none of it, wherever OUT lies. */
static bool make_folders(const struct batch *b, struct text *why) {
    static const char *const below[] = {"", "/results", "/logs", "/running"};
    bool ok = true;
    for (size_t i = 0; i < sizeof below / sizeof *below && ok; i++) {
        char *path = xasprintf("%s%s", b->out, below[i]);
        ok = make_folder(path, why);
        if (ok && *below[i] && chmod(path, 0700) != 0) {
            text_addf(why, "cannot close %s to others: %s", path, strerror(errno));
            ok = false;
        }
        free(path);
    }
    char *ignore = xasprintf("%s/.gitignore", b->out);
    FILE *f = ok && access(ignore, F_OK) != 0 ? fopen(ignore, "we") : NULL;
    if (f) {
        fputs("*\n", f);
        fclose(f);
    }
    free(ignore);
    return ok;
}

/* A mistake in the rubric must stop the batch before it grades five hundred students by it. */
static bool check_rubric(const struct batch *b, struct text *why) {
    struct rubric r;
    const bool ok = rubric_load(&r, b->lab, b->rubric, b->hidden, why);
    if (ok)
        rubric_free(&r);
    return ok;
}

/* One batch at a time: two would grade the same submissions and write the same tables. The lock
 * goes with the process, however that ends. Where the file system knows no locks there is none. */
static bool take_lock(struct batch *b, struct text *why) {
    char *path = xasprintf("%s/lock", b->out), who[200] = "";
    b->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    free(path);
    if (b->lock < 0)
        return true;
    if (flock(b->lock, LOCK_EX | LOCK_NB) == 0) {
        char host[80] = "";
        gethostname(host, sizeof host - 1);
        const int n = snprintf(who, sizeof who, "process %d on %s", (int)getpid(), host);
        if (ftruncate(b->lock, 0) != 0 || pwrite(b->lock, who, (size_t)n, 0) != n)
            return true; /* the lock holds all the same */
        return true;
    }
    if (errno != EWOULDBLOCK)
        return true;
    const ssize_t n = pread(b->lock, who, sizeof who - 1, 0);
    struct text clean = {0};
    text_add_clean_line(&clean, who, n > 0 ? (size_t)n : 0, sizeof who);
    text_addf(why,
              "another batch is at work in %s (%s): wait until it has finished, or give this one "
              "another folder (--out)",
              b->out, clean.length ? text_get(&clean) : "on another machine");
    text_free(&clean);
    return false;
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
    if (b->roster)
        batch_roster_match(b->roster, &b->list);
    if ((options->anonymous && !batch_anonymous(b, why)) || !check_rubric(b, why) ||
        !make_folders(b, why) || (options->parts == 0 && !take_lock(b, why)) ||
        !settle_seed(b, why) || !batch_open_archives(b, why))
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

/* A result for a grader that left none: no grade, never a zero. */
static void write_failure(const struct batch *b, const struct job *j, int wait_status) {
    char why[80], seed[24];
    if (WIFSIGNALED(wait_status))
        snprintf(why, sizeof why, "the grader was ended by signal %d", WTERMSIG(wait_status));
    else
        snprintf(why, sizeof why, "the grader ended with status %d and left no result",
                 WEXITSTATUS(wait_status));
    snprintf(seed, sizeof seed, "%" PRIu64, b->seed);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "schema", "matmul-lab-grade/1", "lab",
                          b->lab->name, "status", "not_graded", "submission", j->file, "seed", seed,
                          "not_graded", why);
    if (!o || json_dump_file(o, j->part, JSON_INDENT(2)) != 0)
        unlink(j->part);
    json_decref(o);
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
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    const size_t done = p->before + p->finished;
    for (size_t i = 0; i < WIDTH; i++)
        bar[i] = i < done * WIDTH / p->total ? '#' : '.';
    bar[WIDTH] = '\0';
    printf("\r[%s] %zu of %zu", bar, done, p->total);
    if (p->finished > 0) {
        const double each = (double)(clock_now() - p->started) / 1000.0 / (double)p->finished;
        const double left = each * (double)(p->total - done);
        if (left >= 120)
            printf(", about %.0f minutes left", left / 60);
        else
            printf(", about %.0f s left", left);
    }
    printf("\033[K");
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
    if (interrupt_noted()) {
        unlink(j->part);
        unlink(j->log);
    } else if (take_result(b, j, wait_status) || e->tries >= MOST_TRIES) {
        p->finished++;
        show_done(p, b, index);
    }
    free_job(j);
}

static void run_jobs(struct batch *b, int most, struct progress *p) {
    struct job *jobs = xcalloc((size_t)most, sizeof *jobs);
    bool told = false;
    for (;;) {
        for (int i = 0; i < most && !interrupt_noted(); i++) {
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
        if (interrupt_noted() && !told)
            end_late(jobs, most, told = true);
        if (pid <= 0) {
            poll(NULL, 0, 50);
            end_late(jobs, most, false);
        }
    }
    free(jobs);
}

static int say(const char *why) {
    fprintf(stderr, "grader: %s\n", why);
    return 2;
}

int batch_run(const struct options *options, const struct paths *paths,
              const struct lab_spec *lab) {
    struct batch b;
    struct text why = {0};
    int status = 2;
    if (!batch_prepare(&b, options, paths, lab, &why)) {
        say(text_get(&why));
    } else {
        struct progress p = {.terminal = isatty(1) && !getenv("NO_PROGRESS"),
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
        const bool ok = options->parts > 0 || batch_summary(&b, &without, &why);
        status = !ok ? say(text_get(&why)) : without > 0 ? 2 : 0;
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
