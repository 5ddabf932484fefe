/* film_product.c: see film_product.h. */
#include "grading/src/report/film_product.h"

#include "grading/src/base/text.h"
#include "grading/src/run/expect.h"
#include "vgpu/src/film/film_page.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WRONG = 4096 };

/* The memory whose bytes these are; -1: none. */
static int memory_with(const json_t *film, const void *bytes, size_t size) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return -1;
    vg_film_base64(to, bytes, size);
    fclose(to);
    int found = -1;
    size_t i;
    const json_t *memory;
    json_array_foreach(json_object_get(film, "memories"), i, memory) {
        const char *before = json_string_value(json_object_get(memory, "before"));
        /* The text stands in quotes. */
        if (found < 0 && before && strlen(before) + 2 == length &&
            memcmp(before, text + 1, length - 2) == 0)
            found = (int)i;
    }
    free(text);
    return found;
}

static void list_wrong(struct traced_product *p, const struct call_data *data, const float *got,
                       const double *want, const double *bound) {
    const float *before = call_data_rows(data, MATRIX_C);
    p->wrong = xcalloc(MOST_WRONG, sizeof *p->wrong);
    for (size_t i = 0; i < (size_t)p->m * (size_t)p->n; i++) {
        if (compare_element(got[i], want[i], bound[i]))
            continue;
        if (p->total++ < MOST_WRONG)
            p->wrong[p->count++] =
                (struct wrong_cell){.element = (int64_t)i,
                                    .want = want[i],
                                    .got = got[i],
                                    .written = memcmp(&got[i], &before[i], sizeof *got) != 0};
    }
}

struct traced_product film_product(const json_t *film, const struct call_data *data,
                                   const float *got) {
    const struct shape s = data->plan.shape;
    const size_t m = (size_t)s.m, n = (size_t)s.n, k = (size_t)s.k;
    const float *a = call_data_rows(data, MATRIX_A), *b = call_data_rows(data, MATRIX_B);
    const struct layout layout = data->plan.layout;
    struct traced_product p = {.m = s.m,
                               .n = s.n,
                               .k = s.k,
                               .exchanged = data->plan.bound == BOUND_3XTF32,
                               .other =
                                   data->plan.product.kind != PRODUCT_PLAIN || layout.padding > 0};
    /* The film's page shows memory row by row: it is not told which memory another one is. */
    p.a = layout.a_transposed || layout.padding > 0 ? -1 : memory_with(film, a, m * k * sizeof *a);
    p.b = layout.b_transposed || layout.padding > 0 ? -1 : memory_with(film, b, k * n * sizeof *b);
    if (!got)
        return p;
    double *want = xmalloc(m * n * sizeof *want), *bound = xmalloc(m * n * sizeof *bound);
    if (expect_product(data, want, bound) == 0)
        list_wrong(&p, data, got, want, bound);
    free(want);
    free(bound);
    return p;
}

void film_product_free(struct traced_product *p) {
    free(p->wrong);
    *p = (struct traced_product){0};
}

/* The mistake as a moment, for paper and for browsers without scripts: at its first step, behind
 * those before it. */
static void add_moment(json_t *film, const struct trace *t, const struct traced_product *p,
                       const struct recording *r) {
    json_t *moments = json_object_get(film, "moments");
    const int step = t->notes > 0 ? t->note[0].step : t->step;
    struct text title = {0}, text = {0};
    char name[160];
    if (!t->cell || t->step < 0 || t->c < 0 || !json_is_array(moments))
        return;
    trace_name(name, sizeof name, &r->memory[t->c], t->cell->element);
    text_addf(&title, "The mistake, step %d, line %d: a wrong product", step + 1,
              r->step[step].line);
    text_addf(&text, "%s is %.7g and should be %.7g", name, (double)t->cell->got, t->cell->want);
    if (p->total > 1)
        text_addf(&text, "; %zu elements are wrong", p->total);
    text_add(&text, ".");
    for (int i = 0; i < t->notes; i++)
        if (t->note[i].line > 0)
            text_addf(&text, "\nIn line %d its thread %s.", t->note[i].line, t->note[i].text);
        else
            text_addf(&text, "\nIts thread %s.", t->note[i].text);
    size_t at = 0;
    while (at < json_array_size(moments) &&
           json_integer_value(json_object_get(json_array_get(moments, at), "step")) <= step)
        at++;
    json_array_insert_new(moments, at,
                          json_pack("{s:i, s:s, s:s}", "step", step, "title", text_get(&title),
                                    "text", text_get(&text)));
    text_free(&title);
    text_free(&text);
}

static json_t *why_of(json_t *film, const struct traced_product *p) {
    struct recording r;
    struct trace t;
    if (p->count == 0 || p->other || !recording_read(&r, film))
        return json_null();
    trace_product(&t, &r, p);
    json_t *notes = json_array();
    for (int i = 0; i < t.notes; i++) {
        const struct trace_note *n = &t.note[i];
        json_t *note =
            json_pack("{s:i, s:i, s:s}", "step", n->step, "line", n->line, "text", n->text);
        if (n->memory >= 0)
            json_object_set_new(note, "cell",
                                json_pack("[i,I]", n->memory, (json_int_t)n->element));
        json_array_append_new(notes, note);
    }
    json_t *why = json_pack("{s:i, s:I, s:i, s:i, s:i, s:b, s:o}", "c", t.c, "element",
                            (json_int_t)t.cell->element, "step", t.step, "thread", t.thread,
                            "elements", t.elements, "complete", t.complete, "notes", notes);
    add_moment(film, &t, p, &r);
    recording_free(&r);
    return why;
}

void film_add_product(json_t *film, const struct traced_product *p) {
    json_t *list = json_array();
    for (size_t i = 0; i < p->count; i++)
        json_array_append_new(list, json_pack("[I,f,b]", (json_int_t)p->wrong[i].element,
                                              p->wrong[i].want, p->wrong[i].written));
    json_object_set_new(film, "product",
                        json_pack("{s:i, s:i, s:i, s:i, s:i, s:I, s:o, s:o}", "m", p->m, "n", p->n,
                                  "k", p->k, "a", p->a, "b", p->b, "wrong_total",
                                  (json_int_t)p->total, "wrong", list, "why", why_of(film, p)));
}

bool film_has_mistake(const json_t *film) {
    return json_array_size(json_object_get(film, "mistakes")) > 0 ||
           json_is_string(json_object_get(film, "fault"));
}

static json_int_t number_at(const json_t *film, const char *name, size_t i) {
    return json_integer_value(json_array_get(json_object_get(film, name), i));
}

bool film_other_block(const json_t *film, const struct traced_product *p, char *block,
                      size_t room) {
    const json_int_t across = number_at(film, "grid", 0), down = number_at(film, "grid", 1);
    if (p->count == 0 || across < 1 || down < 1)
        return false;
    const json_int_t row = p->wrong[0].element / p->n, column = p->wrong[0].element % p->n,
                     x = column / ((p->n + across - 1) / across),
                     y = row / ((p->m + down - 1) / down);
    snprintf(block, room, "%lld,%lld", (long long)x, (long long)y);
    return x != number_at(film, "index", 0) || y != number_at(film, "index", 1);
}
