/* batch_out.c: the folder that a batch writes to (see batch_out.h). */
#include "grading/src/batch/batch_out.h"

#include "grading/src/batch/batch_anonymous.h"
#include "grading/src/batch/batch_roster.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Whose it is ---- */

char *batch_out_import(const struct batch *b) {
    const char *path = b->options->roster, *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return xasprintf("gradebook-%s%s", b->roster->roster.kind, dot ? dot : ".csv");
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return a && b && stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool batch_out_is_ours(const struct batch *b, struct text *why) {
    char *import = b->roster ? batch_out_import(b) : NULL,
         *mark = xasprintf("%s/batch.json", b->out);
    const char *const written[] = {"gradebook.csv", "entries.csv", "summary.txt", "summary.html",
                                   import};
    const bool begun = access(mark, F_OK) == 0;
    bool ok = !is_same_file(b->out, b->options->batch) && !is_same_file(b->out, b->list.folder);
    if (!ok)
        text_addf(why,
                  "%s is the folder of what was handed in, and a batch's results are no "
                  "submissions: give it a folder of its own (--out)",
                  b->out);
    for (size_t i = 0; i < sizeof written / sizeof *written && ok && written[i]; i++) {
        char *path = xasprintf("%s/%s", b->out, written[i]);
        if (is_same_file(path, b->options->roster)) {
            text_addf(why,
                      "this batch would overwrite the roster %s: give the batch another folder "
                      "(--out), or the roster another name",
                      b->options->roster);
            ok = false;
        } else if (!begun && access(path, F_OK) == 0) {
            text_addf(why,
                      "%s exists, and no batch wrote it: give this batch a folder of its own "
                      "(--out)",
                      path);
            ok = false;
        }
        free(path);
    }
    free(import);
    free(mark);
    return ok;
}

bool batch_out_has_room(struct batch *b) {
    char *path = xasprintf("%s/running/room", b->out);
    static const char bytes[1 << 16];
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t n = fd < 0 ? -1 : write(fd, bytes, sizeof bytes);
    int trouble = n == (ssize_t)sizeof bytes ? 0 : n < 0 ? errno : ENOSPC;
    if (fd >= 0 && close(fd) != 0 && !trouble)
        trouble = errno;
    unlink(path);
    free(path);
    b->trouble = b->trouble ? b->trouble : trouble;
    return !trouble;
}

/* ---- What is in it ---- */

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

bool batch_out_open(struct batch *b, struct text *why) {
    return make_folders(b, why) && (b->options->parts > 0 || take_lock(b, why)) &&
           settle_seed(b, why);
}
