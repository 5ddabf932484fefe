/* describe.c: see describe.h. */
#include "grading/src/lab/describe.h"

#include "grading/src/lab/points.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *functions_of(const struct lab_spec *lab) {
    json_t *list = json_array();
    for (int e = 0; e < ENTRY_COUNT; e++)
        if (lab->entries & 1u << e)
            json_array_append_new(list, json_string(entry_name((enum entry_point)e)));
    return list;
}

static json_t *hints_of(const struct hints *h) {
    json_t *list = json_array();
    for (int i = 0; i < h->count; i++)
        json_array_append_new(list, json_string(h->hint[i]));
    return list;
}

static json_t *case_of(const struct case_spec *c) {
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b, s:b, s:o, s:b, s:b}", "name", c->name,
                  "function", entry_name(c->entry), "shape", shape_class_name(c->shape), "numbers",
                  input_name(c->input), "before", c->poison == POISON_NAN ? "nan" : "numbers",
                  "calls", c->calls, "aligned", !c->unaligned, "checked", !c->unchecked, "points",
                  points_json(c->points), "bonus", c->bonus, "hidden", c->hidden);
    if (c->shape == SHAPE_FIXED || c->shape == SHAPE_WITHIN)
        json_object_set_new(o, "size", json_pack("[i, i, i]", c->size[0], c->size[1], c->size[2]));
    if (c->shape == SHAPE_WITHIN)
        json_object_set_new(o, "up_to",
                            json_pack("[i, i, i]", c->up_to[0], c->up_to[1], c->up_to[2]));
    return o;
}

static json_t *names_of(char *const *names, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

static json_t *limit_of(const struct limit *l) {
    json_t *o = json_pack("{s:s}", "value", l->quantity);
    if (!isnan(l->least))
        json_object_set_new(o, "at_least", json_real(l->least));
    if (!isnan(l->most))
        json_object_set_new(o, "at_most", json_real(l->most));
    if (l->advice)
        json_object_set_new(o, "advice", json_string(l->advice));
    if (l->in_count > 0)
        json_object_set_new(o, "in", names_of(l->in, l->in_count));
    return o;
}

static json_t *check_of(const struct check_spec *c) {
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:o, s:b}", "name", c->name, "title", c->title, "kind",
                  check_kind_name(c->kind), "points", points_json(c->points), "bonus", c->bonus);
    json_t *finds = json_array(), *limits = json_array();
    for (int i = 0; i < c->find_count; i++)
        json_array_append_new(finds, json_string(vgpu_found_name(c->finds[i])));
    for (int i = 0; i < c->limits; i++)
        json_array_append_new(limits, limit_of(&c->limit[i]));
    if (c->section)
        json_object_set_new(o, "section", json_string(c->section));
    if (c->in_count > 0)
        json_object_set_new(o, "cases", names_of(c->in, c->in_count));
    else if (c->kind == CHECK_COUNTS)
        json_object_set_new(o, "function", json_string(entry_name(c->function)));
    json_object_set_new(o, "gate", json_boolean(c->gate));
    json_object_set_new(o, "finds", finds);
    json_object_set_new(o, "limits", limits);
    json_object_set_new(o, "hints", hints_of(&c->hints));
    return o;
}

/* A string or number as it is, anything else as JSON. False: there is no such member. */
static bool say_fact(struct text *t, const json_t *o, const char *fact) {
    json_t *value = json_object_get(o, fact);
    const char *key;
    json_t *any;
    if (json_is_string(value)) {
        text_addf(t, "%s\n", json_string_value(value));
    } else if (value) {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        text_addf(t, "%s\n", text);
        free(text);
    } else {
        text_add(t, "--describe has no '");
        text_add_clean_line(t, fact, strlen(fact), 40);
        text_add(t, "'; it has");
        json_object_foreach((json_t *)o, key, any) text_addf(t, " %s", key);
    }
    return value != NULL;
}

bool describe(struct text *t, const struct rubric *r, const char *fact) {
    const struct lab_spec *lab = &r->lab;
    json_t *cases = json_array(), *checks = json_array();
    double cases_are_worth = 0;
    for (size_t i = 0; i < r->case_count; i++) {
        json_array_append_new(cases, case_of(&r->cases[i]));
        cases_are_worth += r->cases[i].bonus ? 0 : r->cases[i].points;
    }
    for (size_t i = 0; i < r->check_count; i++)
        json_array_append_new(checks, check_of(&r->checks[i]));
    json_t *o = json_pack(
        "{s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:o, s:s, s:i, s:i, s:b, s:s, s:s, s:i, s:i, s:i, "
        "s:o, s:o, s:o, s:o, s:o, s:o}",
        "schema", "matmul-lab/1", "lab", lab->name, "number", lab->number, "title", lab->title,
        "task", lab->task, "teaches", lab->teaches, "folder", lab->folder, "functions",
        functions_of(lab), "kernel", lab_kernel_name(lab->kernel), "tile", lab->tile, "block",
        lab->block, "cublas", lab->cublas, "sizes", lab->square_tiles ? "square tiles" : "any",
        "bound", lab->bound == BOUND_3XTF32 ? "3xtf32" : "float32", "capability", lab->capability,
        "call_seconds", r->call_seconds, "seconds", r->seconds, "points_cases",
        points_json(points_of(cases_are_worth)), "points_checks",
        points_json(points_of(rubric_points(r) - cases_are_worth)), "points_bonus",
        points_json(rubric_bonus(r)), "hints", hints_of(&r->case_hints), "cases", cases, "checks",
        checks);
    if (lab->layout.a_transposed)
        json_object_set_new(o, "a_layout", json_string(layout_name(true)));
    if (lab->layout.b_transposed)
        json_object_set_new(o, "b_layout", json_string(layout_name(true)));
    if (lab->layout.padding > 0)
        json_object_set_new(o, "padding", json_integer(lab->layout.padding));
    if (lab->product.kind == PRODUCT_SCALED) {
        json_object_set_new(o, "alpha", json_integer(lab->product.alpha));
        json_object_set_new(o, "beta", json_integer(lab->product.beta));
    }
    if (lab->product.kind == PRODUCT_MIN_PLUS)
        json_object_set_new(o, "ring", json_string(ring_name(true)));
    bool told = true;
    if (fact) {
        told = say_fact(t, o, fact);
    } else {
        char *text = json_dumps(o, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
        text_addf(t, "%s\n", text);
        free(text);
    }
    json_decref(o);
    return told;
}
