/* answers_run.c: see answers_run.h. */
#include "grading/src/app/answers_run.h"

#include "grading/src/answers/answers.h"
#include "grading/src/answers/book.h"
#include "grading/src/report/report.h"
#include "grading/src/report/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int not_graded(const char *why) {
    fprintf(stderr, "grader: %s\n", why);
    return GRADE_NONE;
}

static enum submission_state read_file(struct grade_context *g, char *why, size_t room) {
    const char *named = g->options.submission;
    char *shown = named ? xstrdup(named) : paths_lab_file_shown(&g->paths, g->lab, "answers.txt");
    char *path = named ? xstrdup(named) : paths_lab_file(&g->paths, g->lab, "answers.txt");
    const enum submission_state state =
        submission_read(&g->submission, submission_asked_by(), path, shown, why, room);
    if (state == SUBMISSION_NOT_THERE && !named && access(path, F_OK) != 0) {
        struct text t = {0};
        text_addf(&t, "%s: no such file. To get it back: ", shown);
        paths_say_restore(&t, &g->paths, g->lab, "answers.txt");
        snprintf(why, room, "%s", text_get(&t));
        text_free(&t);
    }
    free(path);
    free(shown);
    return state;
}

static bool read_questions(struct question_set *s, const struct grade_context *g, char *why,
                           size_t room) {
    const enum questions_state state = questions_read(s, g->paths.root, g->lab->number, why, room);
    if (state == QUESTIONS_NONE)
        snprintf(why, room, "%s has no questions to answer", g->lab->name);
    return state == QUESTIONS_OK;
}

/* Parses the file and judges it. What is refused answers nothing, and the report says why. */
static void judge(struct grade_context *g, struct answer_sheet *s, bool text, const char *why) {
    const char *given = g->options.student;
    answers_parse(&s->answers, text ? g->submission.bytes : "", text ? g->submission.length : 0);
    if (!text) {
        text_addf(&s->answers.problems, "%s\n",
                  g->submission.refusal == REFUSED_NOT_FILE ? why
                  : g->submission.length > 0                ? "the file is not text"
                                                            : "the file is empty");
        s->answers.problem_count++;
    }
    answers_check_names(&s->answers, &s->questions, g->lab->name);
    s->other_student = given && s->answers.student[0] && strcasecmp(given, s->answers.student) != 0;
    snprintf(s->student, sizeof s->student, "%s", given ? given : s->answers.student);
    answers_judge(s, g->seed);
}

static int status_of(const struct answer_sheet *s) {
    return !s->judged ? GRADE_NONE : s->right == s->count ? GRADE_FULL : GRADE_PARTIAL;
}

/* Reads and judges; the reporters are open. */
static int report(struct grade_context *g, struct answer_sheet *s, struct reporters *reporters) {
    char why[1024];
    const enum submission_state state = read_file(g, why, sizeof why);
    if (state == SUBMISSION_NOT_THERE || !read_questions(&s->questions, g, why, sizeof why)) {
        reporters_drop(reporters);
        return not_graded(why);
    }
    judge(g, s, state == SUBMISSION_OK, why);
    g->answers = s;
    if (!reporters_end(reporters, g, why, sizeof why))
        return not_graded(why);
    if (!s->judged)
        return not_graded("not graded: an answer could not be judged on this machine");
    if (!g->options.submission && !s->other_student)
        standing_note_answers(g);
    return status_of(s);
}

int answers_run(struct grade_context *g) {
    struct answer_sheet s = {0};
    struct reporters reporters;
    char why[1024];
    g->seed = g->options.seed_given ? g->options.seed : 0;
    if (!reporters_open(&reporters, &g->options, why, sizeof why))
        return not_graded(why);
    const int status = report(g, &s, &reporters);
    g->answers = NULL;
    answer_sheet_free(&s);
    return status;
}

/* The student whom --student or else answers.txt names; the file may not be there yet: then nobody
 * in particular asks. */
static void find_student(struct grade_context *g, char student[STUDENT]) {
    char why[512];
    student[0] = '\0';
    if (g->options.student) {
        snprintf(student, STUDENT, "%s", g->options.student);
    } else if (read_file(g, why, sizeof why) == SUBMISSION_OK) {
        struct answers a;
        struct text clean = {0};
        answers_parse(&a, g->submission.bytes, g->submission.length);
        text_add_clean_line(&clean, a.student, strlen(a.student), STUDENT);
        snprintf(student, STUDENT, "%s", text_get(&clean));
        text_free(&clean);
        answers_free(&a);
    }
}

/* What the questions are about, where a term's lab computes something else; else NULL. */
static const char *what_they_are_about(const struct lab_spec *lab) {
    const bool otherwise = lab->product.kind != PRODUCT_PLAIN || lab->layout.a_transposed ||
                           lab->layout.b_transposed || lab->layout.padding > 0;
    return otherwise ? "This term, too, they are about C = A * B of matrices that lie row by row."
                     : NULL;
}

int questions_run(struct grade_context *g) {
    struct question_set set = {0};
    struct text t = {0};
    char student[STUDENT], why[1024];
    const bool there = read_questions(&set, g, why, sizeof why);
    if (there) {
        find_student(g, student);
        char *file = paths_lab_file_shown(&g->paths, g->lab, "answers.txt");
        char *check = xasprintf("%s %s --answers", g->paths.command, g->lab->name);
        questions_print(&t, &set, g->lab->name, what_they_are_about(g->lab), file, check, student,
                        g->options.seed_given ? g->options.seed : 0);
        free(check);
        free(file);
    }
    questions_free(&set);
    const bool good = there && fputs(text_get(&t), stdout) >= 0 && fflush(stdout) == 0;
    text_free(&t);
    return good ? GRADE_FULL : not_graded(there ? "cannot write to standard output" : why);
}

/* ---- The book ---- */

enum { BOOK_WIDTH = 88 };

/* Those of answers.txt that were not tried before. */
static void note_tries(json_t *tries, struct grade_context *g) {
    struct answers a;
    struct text clean = {0};
    char why[512];
    if (read_file(g, why, sizeof why) != SUBMISSION_OK)
        return;
    answers_parse(&a, g->submission.bytes, g->submission.length);
    for (size_t i = 0; i < a.count; i++) {
        const struct given_answer *given = &a.all[i];
        if (!book_is_question(given->name, strlen(given->name)) || !given->value[0] ||
            json_object_get(tries, given->name))
            continue;
        text_clear(&clean);
        text_add_clean_line(&clean, given->value, strlen(given->value), ANSWER_VALUE);
        json_object_set_new(tries, given->name, json_string(text_get(&clean)));
    }
    text_free(&clean);
    answers_free(&a);
}

/* Appends a paragraph below a question's name. */
static void add_paragraph(struct text *t, const char *name, const char *head, const char *text) {
    struct text paragraph = {0};
    text_addf(&paragraph, "%-6s %s%s", name, head, text);
    text_wrap(&paragraph, BOOK_WIDTH, *name ? 7 : 0);
    text_addf(t, "%s\n", text_get(&paragraph));
    text_free(&paragraph);
}

/* A question of this lab to show how one is answered: Q3.6, for the grader checks those before. */
static const char *example(const struct book *b, const struct lab_spec *lab) {
    const char *name;
    for (size_t i = 0; (name = book_question(b, i)); i++)
        if (book_is_of_lab(name, lab->number))
            return name;
    return "Q0.1";
}

static void add_answers(struct text *t, const struct book *b, const json_t *tries,
                        const struct lab_spec *lab) {
    struct text answer = {0}, locked = {0};
    const char *name;
    for (size_t i = 0; (name = book_question(b, i)); i++) {
        const char *tried = json_string_value(json_object_get(tries, name));
        text_clear(&answer);
        if (tried && book_answer(&answer, b, name)) {
            add_paragraph(t, name, "you: ", tried);
            add_paragraph(t, "", "the book: ", text_get(&answer));
            text_add(t, "\n");
        } else if (book_is_of_lab(name, lab->number)) {
            text_addf(&locked, "%s%s", locked.length ? ", " : "", name);
        }
    }
    if (locked.length > 0)
        add_paragraph(t, "", "Not tried yet: ", text_get(&locked));
    text_free(&locked);
    text_free(&answer);
}

int book_run(struct grade_context *g) {
    struct book book;
    struct text t = {0};
    char why[1024];
    const enum book_state state = book_read(&book, g->paths.root, why, sizeof why);
    if (state == BOOK_NONE)
        return not_graded("this kit has no book of answers: ask who teaches the course");
    if (state == BOOK_BAD)
        return not_graded(why);
    json_t *tries = standing_load_tries(&g->paths, g->lab);
    const size_t before = json_object_size(tries);
    char *file = paths_lab_file_shown(&g->paths, g->lab, "answers.txt");
    note_tries(tries, g);
    if (!g->options.submission && json_object_size(tries) > before)
        standing_save_tries(&g->paths, g->lab, tries);
    text_addf(&t, "%s, the questions of handouts/%s.md\n\n", g->lab->name, g->lab->name);
    add_answers(&t, &book, tries, g->lab);
    text_addf(&t,
              "\nThe book answers a question once you have: write a line \"%s = your answer\" in\n"
              "%s, in a few words, and ask again. Nobody grades it.\n",
              example(&book, g->lab), file);
    free(file);
    json_decref(tries);
    book_free(&book);
    const bool good = fputs(text_get(&t), stdout) >= 0 && fflush(stdout) == 0;
    text_free(&t);
    return good ? GRADE_FULL : not_graded("cannot write to standard output");
}
