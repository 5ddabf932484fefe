/*
 * seal_book.c: writes what learners have of handouts/instructors/answers.md. For instructors.
 *
 *     seal-book            writes grading/questions/book.json
 *     seal-book --check    is the file what the text says?
 *
 * A paragraph of the text that begins with a question's name in bold, **Q3.8**, begins its answer,
 * which goes on to the next question or heading. Of Markdown the words are left: links and marks of
 * emphasis go. Exit status: 0; 1 when the file is not what it should be; 2 when something failed.
 */
#include "grading/src/answers/book.h"
#include "grading/src/answers/seal.h"
#include "grading/src/base/text.h"

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

static char *read_file(const char *path) {
    FILE *f = fopen(path, "re");
    struct text t = {0};
    char bytes[4096];
    for (size_t n; f && (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        text_add_bytes(&t, bytes, n);
    char *all = f ? xstrdup(text_get(&t)) : NULL;
    if (f)
        fclose(f);
    text_free(&t);
    return all;
}

/* Appends a line without Markdown's marks: [word](target) is word, **x** and `x` are x. */
static void add_plain(struct text *t, const char *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char *close = line[i] == '[' ? memchr(line + i, ']', length - i) : NULL;
        const size_t after = close ? (size_t)(close - line) + 1 : 0;
        const char *end = close && after < length && line[after] == '('
                              ? memchr(line + after, ')', length - after)
                              : NULL;
        if (end) {
            text_add_bytes(t, line + i + 1, (size_t)(close - line) - i - 1);
            i = (size_t)(end - line);
        } else if (line[i] != '`' && !(line[i] == '*' && i + 1 < length && line[i + 1] == '*') &&
                   !(line[i] == '*' && i > 0 && line[i - 1] == '*')) {
            text_add_bytes(t, line + i, 1);
        }
    }
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
            add_plain(&answer, at + skip + strspn(at + skip, " "),
                      length - skip - strspn(at + skip, " "));
        }
        at += length + (at[length] == '\n');
    }
    finish(list, question, &answer);
    text_free(&answer);
    return list;
}

int main(int argc, char **argv) {
    const bool check = argc == 2 && strcmp(argv[1], "--check") == 0;
    if (argc > 1 && !check) {
        fputs("usage: seal-book [--check]\n", stderr);
        return 2;
    }
    char *text = read_file(TEXT);
    if (!text)
        fail("cannot read " TEXT);
    json_t *book = json_pack("{s:s, s:o}", "schema", BOOK_SCHEMA, "answers", read_answers(text));
    free(text);
    const size_t count = json_array_size(json_object_get(book, "answers"));
    int status = 0;
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
