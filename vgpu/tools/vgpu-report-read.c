/* vgpu-report-read.c: a report from JSON, checked as it is read; see vgpu-report.h. */
#include "vgpu/tools/vgpu-report.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static uint64_t number_of(const json_t *object, const char *name) {
    const json_int_t n = json_integer_value(json_object_get(object, name));
    return n < 0 ? 0 : (uint64_t)n;
}

static int line_number(const json_t *object) {
    const uint64_t n = number_of(object, "line");
    return n > INT_MAX ? 0 : (int)n;
}

static vg_dim3 dim_of(const json_t *object, const char *name) {
    const json_t *a = json_object_get(object, name);
    uint32_t d[3];
    for (size_t i = 0; i < 3; i++) {
        const json_int_t n = json_integer_value(json_array_get(a, i));
        d[i] = n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
    }
    return (vg_dim3){d[0], d[1], d[2]};
}

static vg_counts counts_of(const json_t *object) {
    vg_counts c;
    for (int i = 0; i < VGC_COUNT; i++)
        c.v[i] = number_of(object, vg_counter_name((enum vg_counter)i));
    return c;
}

static int line_order(const void *a, const void *b) {
    const source_line *x = a, *y = b;
    const int by_file = strcmp(x->file, y->file);
    return by_file != 0 ? by_file : (x->line > y->line) - (x->line < y->line);
}

static bool read_lines(launch_entry *l, const json_t *lines) {
    const size_t n = json_array_size(lines);
    l->lines = calloc(n + 1, sizeof *l->lines);
    if (l->lines == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const json_t *line = json_array_get(lines, i);
        const char *file = text_of(line, "file");
        l->lines[i] = (source_line){
            .file = file != NULL ? file : "", .line = line_number(line), .counts = counts_of(line)};
    }
    l->num_lines = (int)n;
    qsort(l->lines, n, sizeof *l->lines, line_order);
    return true;
}

static const char *read_launch(launch_entry *l, const json_t *object) {
    l->kernel = text_of(object, "kernel");
    if (l->kernel == NULL || !json_is_object(json_object_get(object, "counters")))
        return "a launch without \"kernel\" or \"counters\"";
    l->symbol = text_of(object, "symbol") != NULL ? text_of(object, "symbol") : l->kernel;
    l->grid = dim_of(object, "grid");
    l->block = dim_of(object, "block");
    l->first = number_of(object, "first");
    l->count = number_of(object, "count") != 0 ? number_of(object, "count") : 1;
    l->shared = number_of(object, "static_shared") + number_of(object, "dynamic_shared");
    l->local_bytes = number_of(object, "local_bytes");
    l->fault = text_of(object, "fault");
    l->incomplete = json_is_true(json_object_get(object, "incomplete"));
    l->counts = counts_of(json_object_get(object, "counters"));
    return read_lines(l, json_object_get(object, "lines")) ? NULL : "out of memory";
}

static void read_finding(finding_entry *f, const json_t *object) {
    const char *kind = text_of(object, "kind"), *severity = text_of(object, "severity");
    const char *kernel = text_of(object, "kernel"), *file = text_of(object, "file");
    const char *message = text_of(object, "message");
    f->kind = kind != NULL ? kind : "finding";
    f->severity = severity != NULL ? severity : "error";
    f->kernel = kernel != NULL ? kernel : "";
    f->file = file != NULL ? file : "";
    f->message = message != NULL ? message : "";
    f->line = line_number(object);
}

/* NULL, or what is wrong with it. */
static const char *read_tree(report *r, const json_t *tree) {
    const json_t *launches = json_object_get(tree, "launches"),
                 *findings = json_object_get(tree, "findings");
    if (!json_is_array(launches))
        return "not a report of the virtual GPU: it has no \"launches\"";
    r->complete = json_is_true(json_object_get(tree, "complete"));
    r->device = text_of(json_object_get(tree, "device"), "key");
    r->peak_bytes = number_of(json_object_get(tree, "memory"), "peak_bytes");
    r->launches_in_all = number_of(json_object_get(tree, "totals"), "launches");
    r->unlisted = number_of(json_object_get(tree, "totals"), "unlisted");
    r->launches = calloc(json_array_size(launches) + 1, sizeof *r->launches);
    r->findings = calloc(json_array_size(findings) + 1, sizeof *r->findings);
    if (r->launches == NULL || r->findings == NULL)
        return "out of memory";
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const char *wrong =
            read_launch(&r->launches[r->num_launches++], json_array_get(launches, i));
        if (wrong != NULL)
            return wrong;
    }
    for (size_t i = 0; i < json_array_size(findings); i++)
        read_finding(&r->findings[r->num_findings++], json_array_get(findings, i));
    return NULL;
}

bool report_read(report *r, const char *path, char *err, size_t len) {
    json_error_t error;
    memset(r, 0, sizeof *r);
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        snprintf(err, len, "%s is a folder; expected the file that VGPU_REPORT named", path);
        return false;
    }
    json_t *tree = json_load_file(path, 0, &error);
    if (tree == NULL && error.line < 0) {
        snprintf(err, len, "%s: %s", path, error.text);
        return false;
    }
    if (tree == NULL) {
        snprintf(err, len, "%s: line %d is no JSON: %s", path, error.line, error.text);
        return false;
    }
    r->tree = tree;
    const char *wrong = read_tree(r, tree);
    if (wrong != NULL) {
        snprintf(err, len, "%s: %s", path, wrong);
        report_free(r);
        return false;
    }
    return true;
}

void report_free(report *r) {
    for (int i = 0; i < r->num_launches; i++)
        free(r->launches[i].lines);
    free(r->launches);
    free(r->findings);
    json_decref(r->tree);
    memset(r, 0, sizeof *r);
}

static bool same_dim(vg_dim3 a, vg_dim3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool alike(const launch_entry *a, const launch_entry *b) {
    if (strcmp(a->symbol, b->symbol) != 0 || !same_dim(a->grid, b->grid) ||
        !same_dim(a->block, b->block) || a->shared != b->shared || a->count != 1 || b->count != 1 ||
        a->fault != NULL || b->fault != NULL || a->num_lines != b->num_lines ||
        memcmp(&a->counts, &b->counts, sizeof a->counts) != 0)
        return false;
    for (int i = 0; i < a->num_lines; i++)
        if (line_order(&a->lines[i], &b->lines[i]) != 0 ||
            memcmp(&a->lines[i].counts, &b->lines[i].counts, sizeof a->counts) != 0)
            return false;
    return true;
}

void report_merge_alike(report *r) {
    int n = 0;
    for (int i = 0; i < r->num_launches; i++) {
        if (n > 0 && alike(&r->launches[n - 1], &r->launches[i])) {
            r->launches[n - 1].alike++;
            free(r->launches[i].lines);
        } else {
            r->launches[n++] = r->launches[i];
        }
    }
    r->num_launches = n;
}
