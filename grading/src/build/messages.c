/* messages.c: see messages.h. */
#include "grading/src/build/messages.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* ---- One line ---- */

/* The rest of a line. */
struct rest {
    const char *at, *end;
};

static bool take(struct rest *r, const char *word) {
    const size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool take_number(struct rest *r, int *value) {
    const char *begin = r->at;
    long number = 0;
    for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++)
        if ((number = 10 * number + (*r->at - '0')) > INT_MAX)
            return false;
    *value = (int)number;
    return r->at > begin && number > 0;
}

/* "error: ", "warning #549-D: " and their like. */
static bool take_severity(struct rest *r, struct message_head *h) {
    static const struct {
        const char *word;
        enum said severity;
    } words[] = {{"error", SAID_ERROR},
                 {"fatal error", SAID_ERROR},
                 {"catastrophic error", SAID_ERROR},
                 {"internal error", SAID_ERROR},
                 {"warning", SAID_WARNING},
                 {"remark", SAID_NOTE},
                 {"note", SAID_NOTE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct rest after = *r;
        if (!take(&after, words[i].word))
            continue;
        if (take(&after, " #")) {
            h->flag = after.at;
            while (after.at < after.end && *after.at != ':')
                after.at++;
            h->flag_length = (size_t)(after.at - h->flag);
        }
        if (!take(&after, ": "))
            return false;
        h->severity = words[i].severity;
        *r = after;
        return true;
    }
    return false;
}

/* ":7:5: ", ":7: " or "(7): ", and a severity. */
static bool take_place(struct rest r, struct message_head *h) {
    h->line = h->column = 0;
    if (take(&r, "(")) {
        if (!take_number(&r, &h->line) || !take(&r, "): "))
            return false;
    } else if (take(&r, ":") && take_number(&r, &h->line)) {
        if (take(&r, ":") && !take(&r, " ") && (!take_number(&r, &h->column) || !take(&r, ": ")))
            return false;
    } else {
        return false;
    }
    return take_severity(&r, h);
}

/* The flag at the line's end, "[-Wuninitialized]". */
static void find_flag(const char *line, size_t n, struct message_head *h) {
    if (h->flag || n == 0 || line[n - 1] != ']')
        return;
    for (size_t i = n - 1; i-- > 0 && line[i] != ' ';) {
        struct rest r = {line + i, line + n - 1};
        if (take(&r, "-W") && i > 0 && (line[i - 1] == '[' || line[i - 1] == ',')) {
            h->flag = r.at;
            h->flag_length = (size_t)(r.end - r.at);
            return;
        }
    }
}

bool message_head(struct message_head *h, const char *line, size_t n) {
    *h = (struct message_head){0};
    if (n == 0 || *line == ' ')
        return false;
    for (size_t i = 1; i < n; i++) {
        if ((line[i] != ':' && line[i] != '(') || !take_place((struct rest){line + i, line + n}, h))
            continue;
        h->file = i;
        find_flag(line, n, h);
        return true;
    }
    /* Of no place: "error: ...", or of a program, "ld: error: ...". */
    h->line = h->column = 0;
    struct rest r = {line, line + n};
    if (take_severity(&r, h))
        return true;
    const char *colon = memchr(line, ':', n), *blank = memchr(line, ' ', n);
    r.at = colon ? colon : r.end;
    return colon && blank == colon + 1 && take(&r, ": ") && take_severity(&r, h);
}

/* ---- All lines ---- */

/* Does the head name this file? */
static bool is_in(const struct message_head *h, const char *line, const char *name) {
    return h->file > 0 && h->file == strlen(name) && memcmp(line, name, h->file) == 0;
}

static size_t line_length(const char *line) {
    return strcspn(line, "\n");
}

static const char *next_line(const char *line) {
    line += line_length(line);
    return line + (*line == '\n');
}

struct message_place messages_error(const char *messages, const char *name) {
    struct message_head h;
    for (const char *line = messages; *line; line = next_line(line))
        if (message_head(&h, line, line_length(line)) && h.severity == SAID_ERROR &&
            is_in(&h, line, name))
            return (struct message_place){h.line, h.column};
    return (struct message_place){0};
}

/* clang's list of what it was at: "2.<tab>lab3.cu:7:5: ...", from the outermost inwards. */
static bool take_level(struct rest r, const char *name, struct message_place *place) {
    int level;
    if (!take_number(&r, &level) || !take(&r, ".\t") || !take(&r, name) || !take(&r, ":"))
        return false;
    return take_number(&r, &place->line) && take(&r, ":") && take_number(&r, &place->column) &&
           take(&r, ":");
}

struct message_place messages_breakdown(const char *messages, const char *name) {
    struct message_place place;
    for (const char *line = messages; *line; line = next_line(line))
        if (take_level((struct rest){line, line + line_length(line)}, name, &place))
            return place;
    return messages_error(messages, name);
}

static bool has_flag(const struct message_head *h, const char *const *flags) {
    for (; h->flag && *flags; flags++)
        if (strlen(*flags) == h->flag_length && memcmp(*flags, h->flag, h->flag_length) == 0)
            return true;
    return false;
}

const char *messages_warning(const char *messages, const char *name, const char *const *flags,
                             struct message_place *place, size_t *n) {
    struct message_head h;
    for (const char *line = messages; *line; line = next_line(line)) {
        *n = line_length(line);
        if (!message_head(&h, line, *n) || h.severity != SAID_WARNING || !has_flag(&h, flags) ||
            !is_in(&h, line, name))
            continue;
        *place = (struct message_place){h.line, h.column};
        return line;
    }
    return NULL;
}

void messages_drop_quotes(struct text *messages, const char *name) {
    static const char route[] = "In file included from ";
    struct text kept = {0};
    bool foreign = false;
    for (const char *line = text_get(messages); *line; line = next_line(line)) {
        struct message_head h;
        const bool head = message_head(&h, line, line_length(line));
        if (head)
            foreign = h.file > 0 && !is_in(&h, line, name);
        const bool leads = strncmp(line, route, sizeof route - 1) == 0;
        if (leads)
            foreign = strncmp(line + sizeof route - 1, name, strlen(name)) != 0;
        if (head || !foreign)
            text_add_bytes(&kept, line, (size_t)(next_line(line) - line));
    }
    text_free(messages);
    *messages = kept;
}
