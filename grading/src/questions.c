/* questions.c: drawing a student's numbers, a formula's variables, and printing; see questions.h.
 */
#include "grading/src/questions.h"

#include <ctype.h>
#include <string.h>

const struct question *questions_of(int lab, size_t *count) {
    const struct {
        const struct question *all;
        size_t count;
    } table[] = {
        {questions_lab1, questions_lab1_count}, {questions_lab2, questions_lab2_count},
        {questions_lab3, questions_lab3_count}, {questions_lab4, questions_lab4_count},
        {questions_lab5, questions_lab5_count},
    };
    const bool known = lab >= 1 && lab <= (int)COUNT(table);
    *count = known ? table[lab - 1].count : 0;
    return known ? table[lab - 1].all : NULL;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

int64_t pick(struct generator *g, int64_t low, int64_t high) {
    return low + (int64_t)(generator_next(g) % (uint64_t)(high - low + 1));
}

int64_t pick_from(struct generator *g, const int *list, size_t count) {
    return list[generator_next(g) % count];
}

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

struct drawn question_draw(const struct question *q, int lab, const char *student, uint64_t seed) {
    struct drawn d = {{0}};
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    sum = mix(sum, student ? student : "");
    sum = mix(sum, q->key);
    struct generator g = generator_start(sum ^ seed * UINT64_C(0x9e3779b97f4a7c15), (uint64_t)lab);
    if (q->draw)
        q->draw(&d, &g);
    return d;
}

/* --- Variables -------------------------------------------------------------------------------- */

struct variables variables_draw(struct generator *g) {
    static const int tiles[] = {2, 4, 8, 16, 32};
    static const int primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    struct variables v = {0};
    v.T = (double)pick_from(g, tiles, COUNT(tiles));
    const int64_t phases = pick(g, 2, 9), T = (int64_t)v.T;
    v.width = (double)(T * phases);
    v.p = (double)pick(g, 0, phases - 1);
    v.bx = (double)pick(g, 0, phases - 1);
    v.by = (double)pick(g, 0, phases - 1);
    v.x = (double)pick(g, 0, T - 1);
    v.y = (double)pick(g, 0, T - 1);
    v.row = v.by * v.T + v.y;
    v.col = v.bx * v.T + v.x;
    const int64_t a = pick(g, 0, (int64_t)COUNT(primes) - 3);
    v.m = primes[a + pick(g, 0, 1) * 2]; /* three different primes, in any order of size */
    v.k = primes[a + 1];
    v.n = v.m == primes[a] ? primes[a + 2] : primes[a];
    return v;
}

static bool listed(const char *allowed, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = allowed; (at = strstr(at, name)); at += length)
        if ((at == allowed || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

size_t variables_bind(const char *allowed, const struct variables *v, struct binding names[32]) {
    const struct {
        const char *allowed; /* the question's name for it */
        struct binding name;
    } all[] = {
        {"T", {"T", v->T}},
        {"T", {"TILE", v->T}},
        {"T", {"blockDim.x", v->T}},
        {"T", {"blockDim.y", v->T}},
        {"p", {"p", v->p}},
        {"p", {"phase", v->p}},
        {"width", {"width", v->width}},
        {"x", {"x", v->x}},
        {"x", {"threadIdx.x", v->x}},
        {"y", {"y", v->y}},
        {"y", {"threadIdx.y", v->y}},
        {"bx", {"bx", v->bx}},
        {"bx", {"blockIdx.x", v->bx}},
        {"by", {"by", v->by}},
        {"by", {"blockIdx.y", v->by}},
        {"row", {"row", v->row}},
        {"col", {"col", v->col}},
        {"m", {"m", v->m}},
        {"n", {"n", v->n}},
        {"k", {"k", v->k}},
    };
    size_t count = 0;
    for (size_t i = 0; i < COUNT(all); i++)
        if (listed(allowed, all[i].allowed))
            names[count++] = all[i].name;
    return count;
}

/* --- Printing --------------------------------------------------------------------------------- */

static void print_blank(struct text *t, const struct blank *b) {
    text_addf(t, "     %-18s %s", b->name, b->ask);
    if (b->kind == BLANK_WORD) {
        text_add(t, ":");
        for (int i = 0; b->words[i]; i++)
            text_addf(t, "%s %s", i ? "," : "", b->words[i]);
    }
    text_add(t, "\n");
}

/* The question's text, wrapped and indented by three. Lines that begin with a blank are listings
 * and tables, and stay as they are. */
static void print_text(struct text *t, const struct question *q, const struct drawn *d) {
    struct text body = {0}, paragraph = {0};
    q->text(&body, d);
    const char *at = text_get(&body);
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
    text_free(&body);
    text_free(&paragraph);
}

bool questions_print(struct text *t, int lab, const char *lab_name, const char *folder,
                     const char *student, uint64_t seed) {
    size_t count;
    const struct question *all = questions_of(lab, &count);
    if (count == 0)
        return false;
    text_addf(t, "%s, questions for ", lab_name);
    if (student && *student)
        text_addf(t, "%s\n", student);
    else
        text_add(t, "nobody in particular: write \"student = YOUR ID\" first, and get your own\n");
    text_addf(
        t,
        "Write the answers into labs/%s/answers.txt,\none \"name = value\" a line. A number may "
        "be a calculation, as in 64 * 512.\nThen: ./grader %s --answers\n",
        folder, lab_name);
    for (size_t i = 0; i < count; i++) {
        const struct question *q = &all[i];
        const struct drawn d = question_draw(q, lab, student, seed);
        text_addf(t, "\n%zu. %s  (handouts/%s)%s\n", i + 1, q->title, q->section,
                  q->draw ? "" : "  [the same for all]");
        print_text(t, q, &d);
        for (size_t b = 0; b < q->blank_count; b++)
            print_blank(t, &q->blanks[b]);
    }
    return true;
}
