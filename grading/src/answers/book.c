/* book.c: see book.h. */
#include "grading/src/answers/book.h"

#include "grading/src/answers/seal.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool book_is_question(const char *name, size_t length) {
    size_t i = 1;
    if (length < 4 || length > 8 || name[0] != 'Q')
        return false;
    while (i < length && (isdigit((unsigned char)name[i]) || isupper((unsigned char)name[i])))
        i++;
    if (i == 1 || i + 1 >= length || name[i] != '.')
        return false;
    for (i++; i < length; i++)
        if (!isdigit((unsigned char)name[i]))
            return false;
    return true;
}

bool book_is_of_lab(const char *name, int lab) {
    char prefix[16];
    snprintf(prefix, sizeof prefix, "Q%d.", lab);
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static const json_t *list(const struct book *b) {
    return json_object_get(b->root, "answers");
}

/* Has every answer a name, and parts that are texts? */
static bool is_whole(const json_t *answers) {
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *o = json_array_get(answers, i), *parts = json_object_get(o, "parts");
        const char *name = json_string_value(json_object_get(o, "question"));
        if (!name || !book_is_question(name, strlen(name)) || json_array_size(parts) == 0)
            return false;
        for (size_t p = 0; p < json_array_size(parts); p++)
            if (!json_is_string(json_array_get(parts, p)))
                return false;
    }
    return json_is_array(answers);
}

enum book_state book_read(struct book *b, const char *root, char *why, size_t room) {
    char *path = xasprintf("%s/grading/questions/book.json", root);
    json_error_t error;
    FILE *f = fopen(path, "re");
    const bool none = !f && errno == ENOENT;
    *b = (struct book){.root = f ? json_loadf(f, JSON_REJECT_DUPLICATES, &error) : NULL};
    if (f)
        fclose(f);
    const char *schema = json_string_value(json_object_get(b->root, "schema"));
    const bool good = schema && strcmp(schema, BOOK_SCHEMA) == 0 && is_whole(list(b));
    if (!good) {
        snprintf(why, room, none ? "%s is not there" : "%s is not a book of answers", path);
        book_free(b);
    }
    free(path);
    return good ? BOOK_OK : none ? BOOK_NONE : BOOK_BAD;
}

void book_free(struct book *b) {
    json_decref(b->root);
    *b = (struct book){0};
}

const char *book_question(const struct book *b, size_t i) {
    return json_string_value(json_object_get(json_array_get(list(b), i), "question"));
}

bool book_answer(struct text *t, const struct book *b, const char *question) {
    const char *name;
    for (size_t i = 0; (name = book_question(b, i)); i++) {
        if (strcmp(name, question) != 0)
            continue;
        const json_t *parts = json_object_get(json_array_get(list(b), i), "parts");
        for (size_t p = 0; p < json_array_size(parts); p++) {
            char text[SEAL_TEXT + 1];
            if (!seal_open_book(text, json_string_value(json_array_get(parts, p)), name, (int)p))
                return false;
            text_add(t, text);
        }
        return true;
    }
    return false;
}
