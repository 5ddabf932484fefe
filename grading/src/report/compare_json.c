/* compare_json.c: the comparison for programs; docs/schemas has its schema (see compare.h). */
#include "grading/src/report/compare.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "matmul-lab-compare/1"

static json_t *number_or_null(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

/* Counts are whole numbers, the same on every machine. */
static json_t *counts_json(const struct compare_row *row) {
    if (!row->counted)
        return json_null();
    json_t *o =
        json_pack("{s:i, s:I}", "side", row->side_counted, "multiply_adds", (json_int_t)row->madds);
    const bool unseen = row->library && row->bytes == 0;
    json_object_set_new(o, "bytes", unseen ? json_null() : json_integer((json_int_t)row->bytes));
    json_object_set_new(o, "transactions_per_multiply_add",
                        unseen ? json_null() : number_or_null(row->transactions_a_madd));
    return o;
}

static json_t *time_json(const struct compare *c, const struct compare_row *row) {
    if (row->nanoseconds == 0)
        return json_null();
    json_t *o = json_pack("{s:i, s:o, s:s}", "side", row->side_timed, "seconds",
                          json_real((double)row->nanoseconds * 1e-9), "device", row->device);
    json_object_set_new(o, "times_cpu", number_or_null(compare_times_cpu(c, row)));
    return o;
}

static json_t *printed_json(const struct compare *c, enum compare_kernel kernel) {
    json_t *all = json_array();
    for (size_t i = 0; kernel != COMPARE_OTHER && i < c->sources; i++) {
        const struct compare_printed *p = &c->printed[i];
        if (p->seconds[kernel] > 0)
            json_array_append_new(all,
                                  json_pack("{s:s, s:s, s:f, s:o}", "size", p->size, "device",
                                            p->device, "seconds", p->seconds[kernel], "times_cpu",
                                            number_or_null(compare_printed_times_cpu(p, kernel))));
    }
    return all;
}

static json_t *row_json(const struct compare *c, const struct compare_row *row) {
    static const char *const states[] = {"no_file", "refused", "unknown", "ran"};
    struct text why = {0};
    if (row->why)
        text_add_clean(&why, row->why, strlen(row->why), "",
                       (struct clean_bounds){.lines = 1, .columns = 400});
    if (why.length > 0)
        why.data[--why.length] = '\0';
    json_t *o = json_pack("{s:s, s:s, s:s, s:s}", "lab", row->lab->name, "title", row->lab->title,
                          "file", row->file, "state", states[row->state]);
    json_object_set_new(o, "verdict",
                        row->state == COMPARE_RAN ? json_string(verdict_key(row->verdict))
                                                  : json_null());
    json_object_set_new(o, "unwritten", json_boolean(row->unwritten));
    json_object_set_new(o, "why", why.length > 0 ? json_string(text_get(&why)) : json_null());
    json_object_set_new(o, "counts", counts_json(row));
    json_object_set_new(o, "time", time_json(c, row));
    json_object_set_new(o, "printed", printed_json(c, compare_kernel(row->lab)));
    text_free(&why);
    return o;
}

void compare_json(struct text *t, const struct compare *c) {
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, c->seed);
    json_t *rows = json_array();
    for (size_t i = 0; i < c->rows; i++)
        json_array_append_new(rows, row_json(c, &c->row[i]));
    json_t *o = json_pack("{s:s, s:s, s:s?, s:o}", "schema", SCHEMA, "seed", seed, "gpu", c->gpu,
                          "labs", rows);
    char *s = json_dumps(o, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
    text_addf(t, "%s\n", s ? s : "");
    free(s);
    json_decref(o);
}
