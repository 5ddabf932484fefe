/* batch_slurm.c: a batch as a Slurm job array (see batch.h).
 *
 * Slurm does the scheduling. Each task of the array is this same command with --part I/N: it grades
 * every N-th submission and leaves the results in OUT, which all nodes must see, as they must see
 * the kit and the submissions. What a task had not finished when its node died is simply not there:
 * Slurm starts the task again elsewhere (--requeue), and what is missing when the array has left
 * the queue is submitted once more. A result that is there is never graded again. */
#include "grading/src/batch/batch.h"

#include "grading/src/base/scratch.h"
#include "grading/src/base/terminal.h"
#include "grading/src/report/report.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ROUNDS 4
#define EACH_TASK   10  /* submissions, when --jobs says nothing */
#define MOST_TASKS  500 /* Slurm's default allows 1000 */
#define MOST_UNHEARD                                                                               \
    120 /* times in a row that the controller does not answer, a few seconds each */

/* Runs a shell command; its output, standard error included; *status as wait gives it. */
static char *ask(const char *command, int *status) {
    struct text t = {0};
    char part[512];
    FILE *f = popen(command, "re");
    *status = -1;
    if (f) {
        for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
            text_add_bytes(&t, part, n);
        *status = pclose(f);
    }
    char *all = xstrdup(text_get(&t));
    text_free(&t);
    return all;
}

static void option(struct text *t, const char *name, const char *value) {
    struct text word = {0};
    text_addf(&word, "--%s=%s", name, value);
    text_add(t, " ");
    report_word(t, text_get(&word));
    text_free(&word);
}

/* What a task of the array runs. Slurm copies the script: it may name no file beside it. */
static bool write_script(const struct batch *b, const char *path, int tasks) {
    char *dir = realpath(b->options->batch, NULL), *out = realpath(b->out, NULL);
    char *rubric = realpath(b->rubric, NULL),
         *hidden = b->hidden ? realpath(b->hidden, NULL) : NULL;
    char *roster = b->options->roster ? realpath(b->options->roster, NULL) : NULL;
    struct text t = {0};
    text_add(&t, "#!/bin/sh\nexport GRADER_ROOT=");
    report_word(&t, b->paths->root);
    text_add(&t, "\nexec ");
    struct text program = {0};
    text_addf(&program, "%s/bin/grader", b->paths->build);
    report_word(&t, text_get(&program));
    text_free(&program);
    text_addf(&t, " %s --jobs=1 --seed=%llu", b->lab->name, (unsigned long long)b->seed);
    option(&t, "batch", dir ? dir : b->options->batch);
    option(&t, "out", out ? out : b->out);
    option(&t, "rubric", rubric ? rubric : b->rubric);
    option(&t, "hidden", hidden ? hidden : "none");
    char *key = b->options->anonymous ? realpath(b->options->anonymous, NULL) : NULL;
    if (key)
        option(&t, "anonymous", key);
    free(key);
    if (roster)
        option(&t, "roster", roster);
    if (roster && b->options->column)
        option(&t, "column", b->options->column);
    option(&t, "backend", backend_name(b->options->backend));
    text_addf(&t, " --part=\"$SLURM_ARRAY_TASK_ID\"/%d\n", tasks);
    FILE *f = fopen(path, "we");
    const bool ok = f && fputs(text_get(&t), f) >= 0;
    text_free(&t);
    free(dir);
    free(out);
    free(rubric);
    free(hidden);
    free(roster);
    return f && fclose(f) == 0 && ok;
}

/* Slurm's words for a request that no node could ever meet do not name the option it came from, and
 * only its words tell this reason from others: so --gres is a question whenever it was given. */
static void say_refused(const struct batch *b, const char *said, struct text *why) {
    text_addf(why, "sbatch did not accept the job: %s", *said ? said : "no answer");
    if (b->options->gres)
        text_addf(why,
                  "; is there a node that has what --gres asks for (%s)? sinfo -N -o '%%N %%G' "
                  "shows what they have",
                  b->options->gres);
}

/* Submits; the job's number, or NULL and `why`. */
static char *submit(const struct batch *b, int tasks, int most, struct text *why) {
    char *folder = xasprintf("%s/slurm", b->out), *script = xasprintf("%s/job.sh", folder);
    char *number = NULL;
    if ((mkdir(folder, 0700) != 0 && errno != EEXIST) || !write_script(b, script, tasks)) {
        text_addf(why, "cannot write %s: %s", script, strerror(errno));
    } else {
        struct text t = {0}, name = {0}, output = {0};
        text_addf(&name, "grade-%s", b->lab->name);
        text_addf(&output, "%s/%%A_%%a.txt", folder);
        text_addf(&t,
                  "sbatch --parsable --requeue --open-mode=append --ntasks=1 --cpus-per-task=1 "
                  "--array=1-%d%%%d",
                  tasks, most);
        option(&t, "job-name", text_get(&name));
        option(&t, "output", text_get(&output));
        if (b->options->gres)
            option(&t, "gres", b->options->gres);
        text_add(&t, " ");
        report_word(&t, script);
        text_add(&t, " 2>&1");
        int status;
        number = ask(text_get(&t), &status);
        number[strcspn(number, ";\n")] = '\0';
        if (status != 0 || number[strspn(number, "0123456789")] || !*number) {
            say_refused(b, number, why);
            free(number);
            number = NULL;
        }
        text_free(&t);
        text_free(&name);
        text_free(&output);
    }
    free(folder);
    free(script);
    return number;
}

enum queue { QUEUE_WAITING, QUEUE_OVER, QUEUE_UNHEARD };

/* Is it among this account's jobs? Asked for by its number alone, a job that is over is an error as
 * if there were no answer. */
static enum queue look_at_queue(const char *number) {
    int status;
    char *said = ask("squeue -h -o %F -u \"$(id -un)\" 2>/dev/null", &status);
    enum queue q = status == 0 ? QUEUE_OVER : QUEUE_UNHEARD;
    char *rest = said;
    for (char *job; status == 0 && (job = strsep(&rest, "\n")) != NULL;)
        if (strcmp(job, number) == 0)
            q = QUEUE_WAITING;
    free(said);
    return q;
}

static void cancel(const char *number) {
    int status;
    char *command = xasprintf("scancel %s 2>&1", number);
    free(ask(command, &status));
    free(command);
}

/* Waits for the array to leave the queue. False: interrupted, or the controller is gone. */
static bool wait_for(struct batch *b, const char *number, struct text *why) {
    int unheard = 0;
    size_t shown = SIZE_MAX;
    const bool terminal = terminal_obeys(stdout);
    for (;;) {
        const enum queue q = look_at_queue(number);
        unheard = q == QUEUE_UNHEARD ? unheard + 1 : 0;
        const size_t left = batch_look(b);
        if (left != shown)
            printf(terminal ? "\r%zu without a result yet\033[K" : "%zu without a result yet\n",
                   left);
        fflush(stdout);
        shown = left;
        if (q == QUEUE_OVER) {
            printf(terminal ? "\n" : "");
            return true;
        }
        if (unheard > MOST_UNHEARD) {
            text_add(why, "Slurm's controller does not answer; the same command goes on later");
            return false;
        }
        if (interrupt_noted()) {
            cancel(number);
            text_add(why, "interrupted: the job is cancelled, what is graded is kept");
            return false;
        }
        poll(NULL, 0, 2000);
    }
}

static bool rounds(struct batch *b, struct text *why) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const size_t left = batch_look(b);
        if (left == 0)
            return true;
        size_t tasks = (left + EACH_TASK - 1) / EACH_TASK;
        if (b->options->jobs > 0)
            tasks = (size_t)b->options->jobs;
        tasks = tasks > MOST_TASKS ? MOST_TASKS : tasks > b->list.count ? b->list.count : tasks;
        char *number = submit(b, (int)tasks, (int)tasks, why);
        if (!number)
            return false;
        printf("job %s: %zu submissions in %zu tasks%s\n", number, left, tasks,
               round > 0 ? ", the rest once more" : "");
        fflush(stdout);
        const bool over = wait_for(b, number, why);
        free(number);
        if (!over)
            return false;
    }
    return true; /* what is left has no grade, and the summary says so */
}

int batch_slurm(const struct options *options, const struct paths *paths,
                const struct lab_spec *lab) {
    struct batch b;
    struct text why = {0};
    const bool ok = batch_prepare(&b, options, paths, lab, &why) && rounds(&b, &why);
    int without = 1;
    if (ok) {
        batch_look(&b);
        batch_summary(&b, &without, &why);
    }
    if (why.length > 0)
        batch_say(text_get(&why));
    batch_free(&b);
    const int status = without > 0 || why.length > 0 ? 2 : 0;
    text_free(&why);
    return status;
}
