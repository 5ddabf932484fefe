/*
 * seal_book.c: writes what learners have of handouts/instructors/answers.md. For instructors.
 *
 *     seal-book            writes grading/questions/book.json
 *     seal-book --check    is the file what the text says?
 *
 * A paragraph of the text that begins with a question's name in bold, **Q3.8**, begins its answer,
 * which goes on to the next question or heading. Of Markdown the words are left: links and marks of
 * emphasis go. Of a lab, the text answers just those questions that its handout asks to be answered
 * in one's own words (section.h), and of the other handouts all questions: a quotation that begins
 * with a question's name, > **QM.1**. One without its answer, or an answer alone, is refused.
 *
 * Exit status: 0; 1 when the file is not what it should be; 2 when something failed.
 */
#include "grading/src/answers/book.h"
#include "grading/src/answers/questions.h"
#include "grading/src/answers/seal.h"
#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"
#include "solutions/questions/section.h"

#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT "handouts/instructors/answers.md"
#define BOOK "grading/questions/book.json"

enum { PART = SEAL_TEXT / 3 * 3 - 3 };

static void fail(const char *what) {
    fprintf(stderr, "seal-book: %s\n", what);
    exit(2);
}

static void finish(json_t *list, const char *question, struct text *answer) {
    if (!*question)
        return;
    json_t *parts = json_array();
    const char *at = text_get(answer);
    for (int part = 0; *at; part++) {
        char piece[PART + 1], sealed[SEAL_TEXT_SEALED];
        snprintf(piece, sizeof piece, "%s", at);
        if (!seal_make_book(sealed, piece, question, part))
            fail("cannot seal: this machine's libcrypt lacks a hash: install libxcrypt");
        json_array_append_new(parts, json_string(sealed));
        at += strlen(piece);
    }
    if (json_array_size(parts) == 0)
        fail("a question of " TEXT " has no answer");
    json_array_append_new(list, json_pack("{s:s, s:o}", "question", question, "parts", parts));
    text_clear(answer);
}

/* "**Q3.8** text": the length of its name; 0: it begins no answer. */
static size_t begins(const char *line, size_t length) {
    const char *end = length > 4 && strncmp(line, "**", 2) == 0 ? strstr(line + 2, "**") : NULL;
    const size_t name = end ? (size_t)(end - line) - 2 : 0;
    return book_is_question(line + 2, name) ? name : 0;
}

static json_t *read_answers(const char *text) {
    json_t *list = json_array();
    struct text answer = {0};
    char question[16] = "";
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n"), name = begins(at, length);
        const bool other = *at == '#' || (!name && strncmp(at, "**", 2) == 0);
        if (name || other) {
            finish(list, question, &answer);
            snprintf(question, sizeof question, "%.*s", (int)name, at + 2);
        }
        if (*question && !other) {
            const size_t skip = name ? name + 4 : 0;
            if (answer.length > 0 && length > 0)
                text_add(&answer, " ");
            section_plain(&answer, at + skip + strspn(at + skip, " "),
                          length - skip - strspn(at + skip, " "));
        }
        at += length + (at[length] == '\n');
    }
    finish(list, question, &answer);
    text_free(&answer);
    return list;
}

/* Is this question answered? */
static bool answered(const json_t *list, const char *question) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "question")),
                   question) == 0)
            return true;
    return false;
}

/* Compares the answers of a lab with its handout's questions: how many stand in one place alone. */
static int alone(const json_t *list, int lab) {
    struct section s;
    char why[400], question[QUESTION_NUMBER];
    int count = 0;
    if (!section_read(&s, lab, why, sizeof why))
        fail(why);
    for (size_t i = 0; i < s.count; i++) {
        question_number(question, lab, i);
        if (s.entry[i].words && !answered(list, question)) {
            fprintf(stderr, "handouts/lab%d.md asks %s, and " TEXT " has no answer\n", lab,
                    question);
            count++;
        }
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "question"));
        if (!book_is_of_lab(name, lab))
            continue;
        const size_t number = strtoul(strchr(name, '.') + 1, NULL, 10);
        if (number < 1 || number > s.count || !s.entry[number - 1].words) {
            fprintf(stderr, TEXT " answers %s, and handouts/lab%d.md does not ask it\n", name, lab);
            count++;
        }
    }
    section_free(&s);
    return count;
}

/* ---- Questions outside of a lab's list ---- */

static bool is_of_a_lab(const struct labs *labs, const char *question) {
    for (size_t i = 0; i < labs->count; i++)
        if (book_is_of_lab(question, labs->lab[i].number))
            return true;
    return false;
}

/* Is this the place of a question that stands on its lab's list? */
static bool is_listed(const struct labs *labs, const char *path, const char *question) {
    char own[40], why[400];
    for (size_t i = 0; i < labs->count; i++) {
        struct section s;
        snprintf(own, sizeof own, "handouts/lab%d.md", labs->lab[i].number);
        if (strcmp(path, own) != 0 || !book_is_of_lab(question, labs->lab[i].number))
            continue;
        if (!section_read(&s, labs->lab[i].number, why, sizeof why))
            fail(why);
        const size_t count = s.count, number = strtoul(strchr(question, '.') + 1, NULL, 10);
        section_free(&s);
        return number >= 1 && number <= count;
    }
    return false;
}

/* Compares what a text asks with what is answered, and notes it: how many stand there alone. */
static int alone_in(const json_t *list, json_t *asked, const struct labs *labs, const char *path) {
    char *text = section_file(path);
    int count = 0;
    if (!text)
        fail("cannot read a handout");
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const size_t length = strcspn(at, "\n");
        const size_t name = strncmp(at, "> ", 2) == 0 ? begins(at + 2, length - 2) : 0;
        if (!name)
            continue;
        char *question = xasprintf("%.*s", (int)name, at + 4);
        json_object_set_new(asked, question, json_true());
        if (!is_listed(labs, path, question) &&
            (is_of_a_lab(labs, question) || !answered(list, question))) {
            fprintf(stderr, "%s asks %s, and %s\n", path, question,
                    is_of_a_lab(labs, question) ? "its lab's list does not have it"
                                                : TEXT " has no answer");
            count++;
        }
        free(question);
    }
    free(text);
    return count;
}

static int alone_elsewhere(const json_t *list, const struct labs *labs) {
    json_t *asked = json_object();
    glob_t texts;
    int count = 0;
    if (glob("handouts/*.md", 0, NULL, &texts) != 0)
        fail("there are no handouts");
    for (size_t i = 0; i < texts.gl_pathc; i++)
        count += alone_in(list, asked, labs, texts.gl_pathv[i]);
    globfree(&texts);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "question"));
        if (!is_of_a_lab(labs, name) && !json_object_get(asked, name)) {
            fprintf(stderr, TEXT " answers %s, and no handout asks it\n", name);
            count++;
        }
    }
    json_decref(asked);
    return count;
}

static int all_alone(const json_t *list) {
    struct labs labs = labs_open(".");
    int count = alone_elsewhere(list, &labs);
    for (size_t i = 0; i < labs.count; i++)
        count += alone(list, labs.lab[i].number);
    labs_free(&labs);
    return count;
}

int main(int argc, char **argv) {
    const bool check = argc == 2 && strcmp(argv[1], "--check") == 0;
    if (argc > 1 && !check) {
        fputs("usage: seal-book [--check]\n", stderr);
        return 2;
    }
    char *text = section_file(TEXT);
    if (!text)
        fail("cannot read " TEXT);
    json_t *book = json_pack("{s:s, s:o}", "schema", BOOK_SCHEMA, "answers", read_answers(text));
    free(text);
    const size_t count = json_array_size(json_object_get(book, "answers"));
    int status = 0;
    if (all_alone(json_object_get(book, "answers")) > 0) {
        json_decref(book);
        return 1;
    }
    if (check) {
        json_t *old = json_load_file(BOOK, 0, NULL);
        status = !json_equal(old, book);
        json_decref(old);
    } else if (json_dump_file(book, BOOK, JSON_INDENT(1) | JSON_PRESERVE_ORDER) != 0) {
        fail("cannot write " BOOK);
    }
    json_decref(book);
    if (status)
        fprintf(stderr, BOOK " is not what " TEXT " says: run make book\n");
    else
        printf("%s: %zu answers%s\n", BOOK, count, check ? ", as the text has them" : "");
    return status;
}
