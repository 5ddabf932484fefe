/* questions.c: reads the sealed questions, picks variants, prints; see questions.h. */
#include "grading/src/answers/questions.h"

#include "grading/src/answers/seal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[BLANK_KINDS] = {"numbers", "real", "formulas", "word",
                                               "letters", "line", "text"};

const char *blank_kind_name(enum blank_kind kind) {
    return kinds[kind];
}

/* ---- Reading ---- */

/* Where we are, for messages; the first thing that is wrong is told. */
struct reader {
    struct question_set *set;
    const char *question, *blank;
    char *why;
    size_t room;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format,
                                                         ...) {
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!r->why[0])
        snprintf(r->why, r->room, "%s%s%s%s%s", r->question ? r->question : "",
                 r->blank ? ", " : "", r->blank ? r->blank : "", r->question ? ": " : "", what);
    return false;
}

/* A text that may be printed as it is: UTF-8 (jansson sees to that) and no control characters but
 * line ends where `lines`. */
static const char *plain(const json_t *o, size_t most, bool lines) {
    const char *s = json_string_value(o);
    if (!s || json_string_length(o) != strlen(s) || strlen(s) > most)
        return NULL;
    for (const char *c = s; *c; c++)
        if (((unsigned char)*c < ' ' && !(lines && *c == '\n')) || *c == 127)
            return NULL;
    return s;
}

static const char *take(struct reader *r, const json_t *o, const char *member, size_t most) {
    const char *s = plain(json_object_get(o, member), most, strcmp(member, "text") == 0);
    if (!s)
        refuse(r, "\"%s\" is missing, or is not a text of at most %zu bytes", member, most);
    return s;
}

static bool is_name(const char *s) {
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                     strlen(s);
}

/* A list of 1 to `most` texts. */
static bool take_list(struct reader *r, const json_t *o, const char *member, const char **to,
                      size_t most, size_t longest) {
    const json_t *list = json_object_get(o, member);
    const size_t count = json_array_size(list);
    if (count < 1 || count > most)
        return refuse(r, "\"%s\" is missing, or has not 1 to %zu texts", member, most);
    for (size_t i = 0; i < count; i++) {
        to[i] = plain(json_array_get(list, i), longest, false);
        if (!to[i])
            return refuse(r, "\"%s\" holds what is not a text of at most %zu bytes", member,
                          longest);
    }
    return true;
}

static bool take_points(struct reader *r, const json_t *o, struct blank *b) {
    const json_t *list = json_object_get(o, "points");
    size_t variables = 0;
    if (!take_list(r, o, "variables", b->variables, BLANK_VARIABLES, 12))
        return false;
    while (b->variables[variables]) {
        if (!is_name(b->variables[variables]))
            return refuse(r, "a variable's name is none");
        variables++;
    }
    b->point_count = json_array_size(list);
    if (b->point_count < 8 || b->point_count > BLANK_POINTS)
        return refuse(r, "not 8 to %d points", BLANK_POINTS);
    b->points = xcalloc(b->point_count, sizeof *b->points);
    for (size_t i = 0; i < b->point_count; i++) {
        const json_t *point = json_array_get(list, i);
        if (json_array_size(point) != variables)
            return refuse(r, "point %zu has not %zu numbers", i, variables);
        for (size_t j = 0; j < variables; j++) {
            const json_t *number = json_array_get(point, j);
            const json_int_t value = json_integer_value(number);
            if (!json_is_integer(number) || value < 0 || value > 1000000)
                return refuse(r, "point %zu holds what is not a number from 0 to 1000000", i);
            b->points[i][j] = (double)value;
        }
    }
    return true;
}

static bool take_blank(struct reader *r, const json_t *o, struct blank *b) {
    const json_t *count = json_object_get(o, "count");
    const char *kind;
    if (!(b->name = take(r, o, "name", 31)))
        return false;
    r->blank = b->name;
    if (!is_name(b->name) || strcmp(b->name, "student") == 0)
        return refuse(r, "this is not a name for a blank");
    if (!(kind = take(r, o, "kind", 31)) || !(b->ask = take(r, o, "ask", 200)) ||
        !(b->hint = take(r, o, "hint", SEAL_TEXT)))
        return false;
    b->kind = BLANK_NUMBERS;
    while (b->kind < BLANK_KINDS && strcmp(kind, kinds[b->kind]) != 0)
        b->kind++;
    if (b->kind == BLANK_KINDS)
        return refuse(r, "unknown kind \"%s\"", kind);
    b->count = (int)json_integer_value(count);
    if (!json_is_integer(count) || json_integer_value(count) < 1 ||
        json_integer_value(count) > BLANK_VALUES || (b->kind == BLANK_REAL && b->count != 1))
        return refuse(r, "\"count\" is not 1 to %d", BLANK_VALUES);
    if (!*b->hint)
        return refuse(r, "no hint");
    const json_t *hints = json_object_get(o, "hints");
    b->hint_count = json_array_size(hints);
    if (b->hint_count > 0 && !take_list(r, o, "hints", b->hints, BLANK_HINTS, SEAL_TEXT_SEALED))
        return false;
    if (b->kind == BLANK_WORD && !take_list(r, o, "words", b->words, BLANK_WORDS, 31))
        return false;
    return b->kind != BLANK_FORMULAS || take_points(r, o, b);
}

static bool take_seals(struct reader *r, const json_t *list, struct sealed_blank *s) {
    s->count = json_array_size(list);
    if (s->count < 1 || s->count > BLANK_SEALS)
        return refuse(r, "not 1 to %d seals in a variant", BLANK_SEALS);
    for (size_t i = 0; i < s->count; i++) {
        s->seals[i] = plain(json_array_get(list, i), SEAL_LENGTH, false);
        if (!s->seals[i] || !seal_looks_right(s->seals[i], SEAL_LENGTH))
            return refuse(r, "a seal is not %d letters and digits", SEAL_LENGTH);
    }
    return true;
}

static bool take_variant(struct reader *r, const json_t *o, const struct question *q,
                         struct variant *v) {
    const json_t *seals = json_object_get(o, "seals"), *grids = json_object_get(o, "grids");
    const json_t *first = json_object_get(o, "first");
    v->own = json_object_get(o, "own") ? plain(json_object_get(o, "own"), 4000, true) : "";
    if (!v->own)
        return refuse(r, "a variant's text is none");
    if (q->lines > 0 && (!json_is_integer(first) || json_integer_value(first) < 1 ||
                         json_integer_value(first) > 9999))
        return refuse(r, "a variant's \"first\" is not the number of a line");
    v->first = (int)json_integer_value(first);
    if (json_array_size(seals) != q->blank_count)
        return refuse(r, "a variant has not seals for each blank");
    v->blanks = xcalloc(q->blank_count, sizeof *v->blanks);
    for (size_t b = 0; b < q->blank_count; b++) {
        r->blank = q->blanks[b].name;
        if (!take_seals(r, json_array_get(seals, b), &v->blanks[b]))
            return false;
        const json_t *grid = json_array_get(grids, b);
        v->blanks[b].grid = json_number_value(grid);
        if (q->blanks[b].kind == BLANK_REAL &&
            (!json_is_number(grid) || !(v->blanks[b].grid >= 0 && v->blanks[b].grid < 1)))
            return refuse(r, "a variant's grid is not a number from 0 to 1");
    }
    r->blank = NULL;
    return true;
}

static bool take_listing(struct reader *r, const json_t *o, struct question *q) {
    const json_t *lines = json_object_get(o, "listing");
    enum { MOST = 60 };
    if (!lines)
        return true;
    q->listing = xcalloc(MOST + 1, sizeof *q->listing);
    if (!take_list(r, o, "listing", q->listing, MOST, 200))
        return false;
    q->lines = (int)json_array_size(lines);
    return true;
}

/* No other blank of the lab has this name. */
static bool is_new(const struct question_set *s, const char *name) {
    int found = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t b = 0; b < s->all[i].blank_count; b++)
            found += s->all[i].blanks[b].name && strcmp(s->all[i].blanks[b].name, name) == 0;
    return found == 1;
}

static bool take_question(struct reader *r, const json_t *o, struct question *q) {
    const json_t *blanks = json_object_get(o, "blanks"), *variants = json_object_get(o, "variants");
    r->question = r->blank = NULL;
    if (!(q->key = take(r, o, "key", 40)))
        return false;
    r->question = q->key;
    if (!(q->title = take(r, o, "title", 80)) || !(q->section = take(r, o, "section", 80)) ||
        !(q->text = take(r, o, "text", 4000)) || !(q->digest = take(r, o, "digest", 80)) ||
        !take_listing(r, o, q))
        return false;
    const size_t blank_count = json_array_size(blanks), variant_count = json_array_size(variants);
    if (blank_count < 1 || blank_count > QUESTION_BLANKS)
        return refuse(r, "not 1 to %d blanks", QUESTION_BLANKS);
    if (variant_count < 1 || variant_count > QUESTION_VARIANTS)
        return refuse(r, "not 1 to %d variants", QUESTION_VARIANTS);
    q->blanks = xcalloc(blank_count, sizeof *q->blanks);
    for (q->blank_count = 0; q->blank_count < blank_count;) {
        struct blank *b = &q->blanks[q->blank_count];
        r->blank = NULL;
        q->blank_count++; /* so that it is freed */
        if (!take_blank(r, json_array_get(blanks, q->blank_count - 1), b))
            return false;
        if (!is_new(r->set, b->name))
            return refuse(r, "this name comes twice");
        if (b->kind == BLANK_LINE && q->lines == 0)
            return refuse(r, "asks for a line, and there is no listing");
    }
    r->blank = NULL;
    q->variants = xcalloc(variant_count, sizeof *q->variants);
    for (q->variant_count = 0; q->variant_count < variant_count;) {
        struct variant *v = &q->variants[q->variant_count++];
        if (!take_variant(r, json_array_get(variants, q->variant_count - 1), q, v))
            return false;
    }
    return true;
}

/* The list: {"key": "lab3.banks"}, each question once, and {"words": "What is asked?"}. */
static bool take_listed(struct reader *r, const json_t *list) {
    struct question_set *s = r->set;
    bool seen[QUESTIONS_MOST] = {false};
    size_t checked = 0;
    r->question = r->blank = NULL;
    if (json_array_size(list) < 1 || json_array_size(list) > LISTED_MOST)
        return refuse(r, "\"list\" has not 1 to %d entries", LISTED_MOST);
    s->list = xcalloc(json_array_size(list), sizeof *s->list);
    for (; s->listed < json_array_size(list); s->listed++) {
        const json_t *o = json_array_get(list, s->listed);
        const char *key = plain(json_object_get(o, "key"), 40, false);
        size_t q = 0;
        if (!json_object_get(o, "key")) {
            if (!(s->list[s->listed].words = take(r, o, "words", 2000)))
                return false;
            continue;
        }
        while (q < s->count && !(key && strcmp(s->all[q].key, key) == 0))
            q++;
        if (q == s->count || seen[q])
            return refuse(r, "the list's entry %zu is not a question, or is there twice",
                          s->listed + 1);
        seen[q] = true;
        checked++;
        s->list[s->listed].checked = &s->all[q];
    }
    return checked == s->count || refuse(r, "the list lacks a question");
}

static bool take_set(struct reader *r, const json_t *o, int lab) {
    struct question_set *s = r->set;
    char name[16];
    const char *schema = json_string_value(json_object_get(o, "schema"));
    const char *given = json_string_value(json_object_get(o, "lab"));
    const json_t *list = json_object_get(o, "questions"), *cost = json_object_get(o, "cost");
    const json_t *edition = json_object_get(o, "edition");
    snprintf(name, sizeof name, "lab%d", lab);
    if (!schema || strcmp(schema, QUESTIONS_SCHEMA) != 0)
        return refuse(r, "\"schema\" is not \"" QUESTIONS_SCHEMA "\"");
    if (!given || strcmp(given, name) != 0)
        return refuse(r, "\"lab\" is not \"%s\"", name);
    if (!json_is_integer(cost) || json_integer_value(cost) < 1 ||
        json_integer_value(cost) > SEAL_COST_MOST)
        return refuse(r, "\"cost\" is not 1 to %d", SEAL_COST_MOST);
    if (!json_is_integer(edition) || json_integer_value(edition) < 0)
        return refuse(r, "\"edition\" is not a whole number");
    s->cost = (int)json_integer_value(cost);
    s->edition = (uint64_t)json_integer_value(edition);
    const size_t count = json_array_size(list);
    if (count < 1 || count > QUESTIONS_MOST)
        return refuse(r, "not 1 to %d questions", QUESTIONS_MOST);
    s->all = xcalloc(count, sizeof *s->all);
    while (s->count < count) {
        struct question *q = &s->all[s->count++];
        if (!take_question(r, json_array_get(list, s->count - 1), q))
            return false;
    }
    return take_listed(r, json_object_get(o, "list"));
}

enum questions_state questions_parse(struct question_set *s, const char *bytes, size_t length,
                                     int lab, char *why, size_t room) {
    json_error_t error;
    *s = (struct question_set){.lab = lab};
    why[0] = '\0';
    s->root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
    if (!s->root) {
        snprintf(why, room, "line %d: %s", error.line, error.text);
        return QUESTIONS_BAD;
    }
    struct reader r = {.set = s, .why = why, .room = room};
    return take_set(&r, s->root, lab) ? QUESTIONS_OK : QUESTIONS_BAD;
}

enum questions_state questions_read(struct question_set *s, const char *root, int lab, char *why,
                                    size_t room) {
    enum { MOST = 4 << 20 };
    *s = (struct question_set){.lab = lab};
    char *path = xasprintf("%s/grading/questions/lab%d.json", root, lab);
    FILE *f = fopen(path, "re");
    if (!f) {
        const enum questions_state state = errno == ENOENT ? QUESTIONS_NONE : QUESTIONS_BAD;
        snprintf(why, room, "cannot read %s: %s", path, strerror(errno));
        free(path);
        return state;
    }
    char *bytes = xmalloc(MOST);
    const size_t length = fread(bytes, 1, MOST, f);
    enum questions_state state = QUESTIONS_BAD;
    char what[300];
    if (ferror(f) || length == MOST)
        snprintf(what, sizeof what, "%s", ferror(f) ? "cannot be read" : "too large");
    else
        state = questions_parse(s, bytes, length, lab, what, sizeof what);
    fclose(f);
    if (state != QUESTIONS_OK)
        snprintf(why, room, "%s is damaged: %s", path, what);
    free(bytes);
    free(path);
    return state;
}

void questions_free(struct question_set *s) {
    for (size_t i = 0; i < s->count; i++) {
        struct question *q = &s->all[i];
        for (size_t b = 0; b < q->blank_count; b++)
            free(q->blanks[b].points);
        for (size_t v = 0; v < q->variant_count; v++)
            free(q->variants[v].blanks);
        free(q->listing);
        free(q->blanks);
        free(q->variants);
    }
    free(s->all);
    free(s->list);
    json_decref(s->root);
    *s = (struct question_set){0};
}

void question_number(char number[QUESTION_NUMBER], int lab, size_t i) {
    snprintf(number, QUESTION_NUMBER, "Q%d.%zu", lab, i + 1);
}

bool questions_in_words(const struct question_set *s, const char *name) {
    char number[QUESTION_NUMBER];
    for (size_t i = 0; i < s->listed; i++) {
        question_number(number, s->lab, i);
        if (s->list[i].words && strcmp(number, name) == 0)
            return true;
    }
    return false;
}

size_t questions_blanks(const struct question_set *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += s->all[i].blank_count;
    return count;
}

/* ---- Variants ---- */

/* FNV-1a, in small letters and without blanks at either end. */
static uint64_t mix(uint64_t sum, const char *text) {
    size_t length;
    while (isspace((unsigned char)*text))
        text++;
    length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (uint64_t)tolower((unsigned char)text[i])) * UINT64_C(0x100000001b3);
    return (sum ^ 0xff) * UINT64_C(0x100000001b3); /* so that "ab" "c" is not "a" "bc" */
}

size_t question_pick(const char *key, int lab, size_t variants, const char *student,
                     uint64_t seed) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    sum = mix(sum, student ? student : "");
    sum = mix(sum, key);
    sum ^= seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)lab;
    sum = (sum ^ sum >> 30) * UINT64_C(0xbf58476d1ce4e5b9); /* each bit counts for each */
    sum = (sum ^ sum >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((sum ^ sum >> 31) % variants);
}

const struct variant *question_variant(const struct question_set *s, const struct question *q,
                                       const char *student, uint64_t seed) {
    return &q->variants[question_pick(q->key, s->lab, q->variant_count, student, seed)];
}

static bool same_seals(const struct sealed_blank *a, const struct sealed_blank *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->seals[i], b->seals[i]) == 0;
    return same;
}

size_t question_sealed_as(const struct question *q, size_t variant, size_t blank) {
    size_t first = 0;
    while (!same_seals(&q->variants[first].blanks[blank], &q->variants[variant].blanks[blank]))
        first++;
    return first;
}

void question_place(char place[SEAL_PLACE], uint64_t edition, const char *key, size_t variant,
                    const char *blank) {
    snprintf(place, SEAL_PLACE, "%" PRIu64 "/%.40s/%zu/%.40s", edition, key, variant, blank);
}

/* ---- Printing ---- */

static void print_blank(struct text *t, const struct blank *b) {
    text_addf(t, "     %-18s %s", b->name, b->ask);
    for (int i = 0; b->words[i]; i++)
        text_addf(t, "%s %s", i ? "," : ":", b->words[i]);
    text_add(t, "\n");
}

/* Text, wrapped and indented by three. Lines that begin with a blank are tables, and stay as they
 * are. */
static void print_text(struct text *t, const char *at) {
    struct text paragraph = {0};
    while (*at) {
        const size_t length = strcspn(at, "\n");
        text_clear(&paragraph);
        text_add(&paragraph, "   ");
        text_add_bytes(&paragraph, at, length);
        if (*at != ' ')
            text_wrap(&paragraph, 88, 0);
        text_add(t, text_get(&paragraph));
        text_add(t, "\n");
        at += length + (at[length] == '\n');
    }
    text_free(&paragraph);
}

static void print_checked(struct text *t, const struct question_set *s, const struct question *q,
                          const char *student, uint64_t seed) {
    const struct variant *v = question_variant(s, q, student, seed);
    text_addf(t, "%s  (handouts/%s)%s\n", q->title, q->section,
              q->variant_count == 1 ? "  [the same for all]" : "");
    print_text(t, q->text);
    print_text(t, v->own);
    for (int line = 0; line < q->lines; line++)
        text_addf(t, "   %5d  %s\n", v->first + line, q->listing[line]);
    for (size_t b = 0; b < q->blank_count; b++)
        print_blank(t, &q->blanks[b]);
}

static void print_words(struct text *t, const char *words, int lab, const char *number) {
    text_addf(t, "In your own words  (handouts/lab%d.md#questions)  [the same for all]\n", lab);
    print_text(t, words);
    text_addf(t, "     %-18s a sentence or two; the book (--book) answers it once you have\n",
              number);
}

void questions_print(struct text *t, const struct question_set *s, const char *lab_name,
                     const char *about, const char *file, const char *check, const char *student,
                     uint64_t seed) {
    text_addf(t, "%s, questions for ", lab_name);
    if (student && *student)
        text_addf(t, "%s\n", student);
    else
        text_add(t, "nobody in particular: write \"student = YOUR ID\" first, and get your own\n");
    if (about)
        text_addf(t, "%s\n", about);
    text_addf(t,
              "Write the answers in %s,\n"
              "one \"name = value\" on each line. A number may be a calculation, as in 64 * 512.\n"
              "Then: %s\n",
              file, check);
    for (size_t i = 0; i < s->listed; i++) {
        char number[QUESTION_NUMBER];
        question_number(number, s->lab, i);
        text_addf(t, "\n%s  ", number);
        if (s->list[i].checked)
            print_checked(t, s, s->list[i].checked, student, seed);
        else
            print_words(t, s->list[i].words, s->lab, number);
    }
}
