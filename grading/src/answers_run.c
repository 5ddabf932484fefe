/* answers_run.c: see answers_run.h. */
#include "grading/src/answers_run.h"

#include "grading/src/answers.h"
#include "grading/src/submission.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FULL = 0, PARTIAL = 1, NOT_GRADED = 2, WIDTH = 88 };

/* Everything one run knows. */
struct run {
    const struct options *o;
    const struct lab_spec *lab;
    struct submission file;
    struct answers answers;
    char student[STUDENT];
    bool other_student; /* the file names another one than --student */
    struct answer_result *results;
    size_t count, right;
    bool judged; /* false: some answer could not be */
};

static int not_graded(const char *why) {
    fprintf(stderr, "grader: %s\n", why);
    return NOT_GRADED;
}

static int status_of(const struct run *r) {
    return !r->judged ? NOT_GRADED : r->right == r->count ? FULL : PARTIAL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static enum submission_state read_file(struct run *r, const char *root, char *why, size_t room) {
    char *shown = r->o->submission ? xstrdup(r->o->submission)
                                   : xasprintf("labs/%s/answers.txt", r->lab->folder);
    char *path = r->o->submission ? xstrdup(shown) : xasprintf("%s/%s", root, shown);
    const enum submission_state state = submission_read(&r->file, path, shown, why, room);
    free(path);
    free(shown);
    return state;
}

static void judge(struct run *r) {
    answers_parse(&r->answers, r->file.bytes, r->file.length);
    answers_check_names(&r->answers, r->lab->number, r->lab->name);
    const char *given = r->o->student;
    r->other_student = given && r->answers.student[0] && strcasecmp(given, r->answers.student) != 0;
    snprintf(r->student, sizeof r->student, "%s", given ? given : r->answers.student);
    r->results = answers_judge(&r->answers, r->lab->number, r->student,
                               r->o->seed_given ? r->o->seed : 0, &r->count);
    r->judged = true;
    for (size_t i = 0; i < r->count; i++) {
        r->right += r->results[i].verdict == ANSWER_RIGHT;
        r->judged = r->judged && r->results[i].verdict != ANSWER_NOT_JUDGED;
    }
}

static void release(struct run *r) {
    free(r->results);
    answers_free(&r->answers);
    submission_free(&r->file);
}

/* --- Text ---------------------------------------------------------------------------------------
 */

static void add_clean(struct text *t, const char *s, size_t columns) {
    text_add_clean_line(t, s, strlen(s), columns);
}

static void text_head(struct text *t, const struct run *r) {
    text_addf(t, "%s, answers: ", r->lab->name);
    add_clean(t, r->file.path, 200);
    text_add(t, "\nstudent ");
    if (r->student[0])
        add_clean(t, r->student, STUDENT);
    else
        text_add(t, "not given: the numbers are those for nobody in particular");
    text_add(t, "\n");
    if (r->other_student) {
        text_add(t, "The file says student = ");
        add_clean(t, r->answers.student, STUDENT);
        text_add(t, ": --student counts.\n");
    }
    text_add(t, "\n");
}

static void text_result(struct text *t, const struct answer_result *r, bool hint) {
    struct text line = {0};
    text_addf(&line, "  %-18s %s", r->blank->name, answer_verdict_name(r->verdict));
    if (hint && r->hint[0])
        text_addf(&line, ": %s (handouts/%s)", r->hint, r->question->section);
    text_wrap(&line, WIDTH, 19);
    text_add(t, text_get(&line));
    text_add(t, "\n");
    text_free(&line);
}

static void text_report(struct text *t, const struct run *r) {
    text_head(t, r);
    for (size_t i = 0; i < r->count; i++)
        text_result(t, &r->results[i], true);
    text_addf(t, "\n  %zu of %zu right\n", r->right, r->count);
    if (r->answers.problem_count > 0) {
        struct text problems = {0};
        const char *p = text_get(&r->answers.problems);
        const struct clean_bounds bounds = {20, 120};
        text_add_clean(&problems, p, strlen(p), "  ", bounds);
        text_addf(t, "\nNot understood:\n%s", text_get(&problems));
        text_free(&problems);
    }
    if (r->right < r->count)
        text_addf(t, "\nThe questions: ./grader %s --questions\n", r->lab->name);
}

/* --- JSON ---------------------------------------------------------------------------------------
 */

static json_t *json_clean(const char *s, size_t columns) {
    struct text t = {0};
    add_clean(&t, s, columns);
    json_t *j = json_string(text_get(&t));
    text_free(&t);
    return j;
}

static json_t *json_result(const struct answer_result *r) {
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:s, s:s, s:s}", "name", r->blank->name, "verdict",
                     answer_verdict_name(r->verdict), "points", r->verdict == ANSWER_RIGHT,
                     "points_possible", 1, "given", json_clean(r->given, ANSWER_VALUE), "hint",
                     r->hint, "question", r->question->key, "section", r->question->section);
}

static void json_report(struct text *t, const struct run *r) {
    static const char *const statuses[] = {"full_marks", "partial_marks", "not_graded"};
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(r->o->seed_given ? r->o->seed : 0));
    json_t *list = json_array(), *problems = json_array();
    for (size_t i = 0; i < r->count; i++)
        json_array_append_new(list, json_result(&r->results[i]));
    for (const char *at = text_get(&r->answers.problems); *at;) {
        char line[200];
        const size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        json_array_append_new(problems, json_clean(line, sizeof line));
        at += length + (at[length] == '\n');
    }
    json_t *all = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:o, s:s, s:o, s:o, s:o}", "schema", "matmul-lab-answers/1",
        "lab", r->lab->name, "status", statuses[status_of(r)], "points", (int)r->right,
        "points_possible", (int)r->count, "student", json_clean(r->student, STUDENT), "seed", seed,
        "file", json_clean(r->file.path, 200), "answers", list, "problems", problems);
    char *bytes = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
    text_addf(t, "%s\n", bytes ? bytes : "{}");
    free(bytes);
    json_decref(all);
}

/* --- Writing ------------------------------------------------------------------------------------
 */

/* Into a new file beside `path` that takes its place when complete. */
static bool write_file(const char *path, const struct text *t) {
    char *temporary = xasprintf("%s.XXXXXX", path);
    const int fd = mkostemp(temporary, O_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    bool good = f != NULL;
    if (good) {
        const mode_t mask = umask(0);
        umask(mask);
        good = fchmod(fd, 0666 & ~mask) == 0 && fputs(text_get(t), f) >= 0;
        good = fclose(f) == 0 && good && rename(temporary, path) == 0;
        if (!good)
            unlink(temporary);
    }
    free(temporary);
    return good;
}

static bool write_report(const struct run *r, const char *format, const char *path) {
    struct text t = {0};
    if (strcmp(format, "json") == 0)
        json_report(&t, r);
    else
        text_report(&t, r);
    const bool good =
        path ? write_file(path, &t) : fputs(text_get(&t), stdout) >= 0 && fflush(stdout) == 0;
    text_free(&t);
    if (!good)
        fprintf(stderr, "grader: cannot write %s: %s\n", path ? path : "to standard output",
                strerror(errno));
    return good;
}

/* Formats of whole gradings say nothing about answers: refuse them before anything is done. */
static bool formats_known(const struct options *o) {
    for (int i = 0; i < o->formats; i++)
        if (strcmp(o->format[i].name, "text") != 0 && strcmp(o->format[i].name, "json") != 0) {
            fprintf(stderr, "grader: --answers has the formats text and json, not %s\n",
                    o->format[i].name);
            return false;
        }
    return true;
}

static bool has_questions(const struct lab_spec *lab) {
    size_t count;
    (void)questions_of(lab->number, &count);
    if (count == 0)
        fprintf(stderr, "grader: %s has no questions to answer\n", lab->name);
    return count > 0;
}

/* --- The commands -------------------------------------------------------------------------------
 */

int answers_run(const struct options *o, const struct lab_spec *lab, const char *root) {
    struct run r = {.o = o, .lab = lab};
    char why[512];
    if (!has_questions(lab) || !formats_known(o))
        return NOT_GRADED;
    const enum submission_state state = read_file(&r, root, why, sizeof why);
    if (state == SUBMISSION_NOT_THERE) {
        release(&r);
        return not_graded(why);
    }
    if (state == SUBMISSION_OK) {
        judge(&r);
    } else { /* no text: everything unanswered, and why */
        struct submission none = r.file;
        r.file = (struct submission){.path = none.path, .name = none.name};
        free(none.bytes);
        r.file.bytes = xstrdup("");
        judge(&r);
        text_add(&r.answers.problems,
                 none.length ? "the file is no text\n" : "the file is empty\n");
        r.answers.problem_count++;
    }
    bool good = true;
    if (o->formats == 0)
        good = write_report(&r, "text", NULL);
    for (int i = 0; i < o->formats; i++)
        good = write_report(&r, o->format[i].name, o->format[i].path) && good;
    if (!r.judged)
        fprintf(stderr, "grader: not graded: an answer could not be judged on this machine\n");
    const int status = good ? status_of(&r) : NOT_GRADED;
    release(&r);
    return status;
}

int questions_run(const struct options *o, const struct lab_spec *lab, const char *root) {
    if (!has_questions(lab))
        return NOT_GRADED;
    char student[STUDENT] = "", why[512];
    if (o->student) {
        snprintf(student, sizeof student, "%s", o->student);
    } else { /* the file may not be there yet: then nobody in particular asks */
        struct run r = {.o = o, .lab = lab};
        if (read_file(&r, root, why, sizeof why) == SUBMISSION_OK) {
            answers_parse(&r.answers, r.file.bytes, r.file.length);
            struct text clean = {0};
            add_clean(&clean, r.answers.student, STUDENT);
            snprintf(student, sizeof student, "%s", text_get(&clean));
            text_free(&clean);
        }
        release(&r);
    }
    struct text t = {0};
    questions_print(&t, lab->number, lab->name, lab->folder, student, o->seed_given ? o->seed : 0);
    const bool good = fputs(text_get(&t), stdout) >= 0 && fflush(stdout) == 0;
    text_free(&t);
    return good ? FULL : not_graded("cannot write to standard output");
}
