/* exhibit_view.c: reads the virtual GPU's report (vgpu/src/count/README.md) for display.
 *
 * The report comes from a process that ran a stranger's code: every number is bounded, every list
 * has an end, and a member of another type than expected counts as missing. Refuses what is no JSON
 * object of format 1. */
#include "grading/src/report/exhibit.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAUNCHES = 24, MOST_SOURCE_LINES = 20000, MOST_ACCESSES = 4000, MOST_NAME = 160 };
#define MOST_COUNT ((uint64_t)1 << 52)

static const char *const view_counter_names[VIEW_COUNTERS] = {
#define NAME(capitals, name, unit, meaning) [VIEW_##capitals] = #name,
    VGPU_COUNTER_LIST(NAME)
#undef NAME
};

static uint64_t count_of(const json_t *o, const char *name) {
    const json_t *n = json_object_get(o, name);
    const json_int_t x = json_is_integer(n) ? json_integer_value(n) : 0;
    return x < 0 ? 0 : (uint64_t)x > MOST_COUNT ? MOST_COUNT : (uint64_t)x;
}

static int small_count(const json_t *o, const char *name, int most) {
    const uint64_t x = count_of(o, name);
    return x > (uint64_t)most ? most : (int)x;
}

/* A finite number within +-2^52; `other` when there is none. */
static double real_of(const json_t *n, double other) {
    const double x = json_is_number(n) ? json_number_value(n) : other;
    return isfinite(x) && fabs(x) <= (double)MOST_COUNT ? x : other;
}

static char *name_of(const json_t *o, const char *name) {
    const char *s = json_string_value(json_object_get(o, name));
    struct text t = {0};
    if (s)
        text_add_clean_line(&t, s, strlen(s), MOST_NAME);
    return t.data;
}

static void add_counts(struct view_counts *c, const json_t *o) {
    for (int i = 0; i < VIEW_COUNTERS; i++) {
        c->of[i] += count_of(o, view_counter_names[i]);
        if (c->of[i] > MOST_COUNT)
            c->of[i] = MOST_COUNT;
    }
}

static void read_dim(uint64_t dim[3], const json_t *array) {
    for (size_t i = 0; i < 3; i++) {
        const json_t *n = json_array_get(array, i);
        const json_int_t x = json_is_integer(n) ? json_integer_value(n) : 0;
        dim[i] = x < 0 || x > INT32_MAX ? 0 : (uint64_t)x;
    }
}

/* Compilers write a quote in a name as \" and may have put folders before the name. */
bool view_same_file(const char *told, const char *name) {
    const char *slash = strrchr(told, '/');
    for (told = slash ? slash + 1 : told; *told && *name; told++, name++) {
        if (told[0] == '\\' && *name != '\\')
            told++;
        if (*told != *name)
            return false;
    }
    return *told == '\0' && *name == '\0';
}

static bool own_file(const json_t *o, const char *file) {
    const char *told = json_string_value(json_object_get(o, "file"));
    return told && view_same_file(told, file);
}

/* ---- Launches and lines ---- */

static bool same_launch(const struct view_launch *a, const struct view_launch *b) {
    return strcmp(a->kernel ? a->kernel : "", b->kernel ? b->kernel : "") == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

static void read_launch(struct view *v, const json_t *o) {
    struct view_launch l = {.kernel = name_of(o, "kernel"), .count = count_of(o, "count")};
    const json_t *occupancy = json_object_get(o, "occupancy");
    read_dim(l.grid, json_object_get(o, "grid"));
    read_dim(l.block, json_object_get(o, "block"));
    l.shared_bytes = count_of(o, "static_shared") + count_of(o, "dynamic_shared");
    l.occupancy = real_of(json_object_get(occupancy, "percent"), NAN);
    l.fault = json_is_string(json_object_get(o, "fault"));
    add_counts(&l.counts, json_object_get(o, "counters"));
    add_counts(&v->total, json_object_get(o, "counters"));
    for (size_t i = 0; i < v->launches; i++) {
        struct view_launch *same = &v->launch[i];
        if (same_launch(same, &l)) {
            add_counts(&same->counts, json_object_get(o, "counters"));
            same->count += l.count;
            same->fault |= l.fault;
            free(l.kernel);
            return;
        }
    }
    if (v->launches == MOST_LAUNCHES) {
        free(l.kernel);
        return;
    }
    l.limit = name_of(occupancy, "limit");
    v->launch[v->launches++] = l;
}

static int by_line(const void *a, const void *b) {
    const struct view_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

/* Lines of all launches, each line once. */
static void read_lines(struct view *v, const json_t *launches, const char *file) {
    size_t i, k, room = 0;
    const json_t *launch, *o;
    json_array_foreach(launches, i, launch) {
        json_array_foreach(json_object_get(launch, "lines"), k, o) {
            if (v->lines == MOST_SOURCE_LINES)
                break;
            if (v->lines == room) {
                room = room ? 2 * room : 64;
                v->line = xrealloc(v->line, room * sizeof *v->line);
            }
            struct view_line *l = &v->line[v->lines++];
            *l = (struct view_line){.line =
                                        own_file(o, file) ? small_count(o, "line", INT32_MAX) : 0};
            add_counts(&l->counts, o);
        }
    }
    if (v->lines > 0)
        qsort(v->line, v->lines, sizeof *v->line, by_line);
    size_t n = 0;
    for (i = 0; i < v->lines; i++) {
        if (n > 0 && v->line[n - 1].line == v->line[i].line)
            for (k = 0; k < VIEW_COUNTERS; k++)
                v->line[n - 1].counts.of[k] += v->line[i].counts.of[k];
        else
            v->line[n++] = v->line[i];
    }
    v->lines = n;
}

/* ---- The trace ---- */

/* False: it makes no sense, and is left out. */
static bool read_access(struct view_access *a, const json_t *o, const char *file) {
    const char *kind = json_string_value(json_object_get(o, "kind"));
    const char *space = json_string_value(json_object_get(o, "space"));
    const json_t *at = json_object_get(o, "at");
    *a = (struct view_access){.warp = small_count(o, "warp", 1024),
                              .phase = small_count(o, "phase", 1 << 20),
                              .instruction = small_count(o, "instruction", 1 << 24),
                              .line = own_file(o, file) ? small_count(o, "line", INT32_MAX) : 0,
                              .bytes = small_count(o, "bytes", 64),
                              .object = count_of(o, "object"),
                              .object_bytes = count_of(o, "object_bytes"),
                              .mask = (uint32_t)count_of(o, "mask")};
    if (!kind || !space || !*kind || !strchr("lsac", *kind) || a->bytes < 1 || a->mask == 0 ||
        json_array_size(at) != VIEW_LANES)
        return false;
    a->kind = *kind;
    a->shared = strcmp(space, "shared") == 0;
    for (size_t i = 0; i < VIEW_LANES; i++) {
        const double x = real_of(json_array_get(at, i), -1);
        a->at[i] = (int64_t)x;
        if ((a->mask >> i & 1) && x < 0)
            return false;
    }
    return true;
}

static void read_trace(struct view_trace *t, const json_t *o, const char *file) {
    const json_t *all = json_object_get(o, "accesses"), *one;
    size_t i;
    t->kernel = name_of(o, "kernel");
    read_dim(t->grid, json_object_get(o, "grid"));
    read_dim(t->block, json_object_get(o, "block"));
    t->more = json_is_true(json_object_get(o, "more"));
    const size_t n = json_array_size(all) < MOST_ACCESSES ? json_array_size(all) : MOST_ACCESSES;
    t->access = xcalloc(n + 1, sizeof *t->access);
    json_array_foreach(all, i, one) {
        if (i < n && read_access(&t->access[t->count], one, file))
            t->count++;
    }
}

static void read_longest_trace(struct view *v, const json_t *traces, const char *file) {
    const json_t *o, *longest = NULL;
    size_t i, most = 0;
    json_array_foreach(traces, i, o) {
        const size_t n = json_array_size(json_object_get(o, "accesses"));
        longest = n > most ? o : longest;
        most = n > most ? n : most;
    }
    if (longest)
        read_trace(&v->trace, longest, file);
}

bool view_parse(struct view *v, const char *json, size_t length, const char *file) {
    *v = (struct view){0};
    json_t *o = json_loadb(json, length, 0, NULL);
    const json_t *launches = json_object_get(o, "launches"), *launch;
    const json_t *device = json_object_get(o, "device");
    if (count_of(o, "format") != 1 || !json_is_array(launches)) {
        json_decref(o);
        return false;
    }
    v->device = name_of(device, "name");
    v->peak_gflops = real_of(json_object_get(device, "peak_gflops"), 0);
    v->bandwidth_gbs = real_of(json_object_get(device, "bandwidth_gbs"), 0);
    v->launch = xcalloc(MOST_LAUNCHES, sizeof *v->launch);
    size_t i;
    json_array_foreach(launches, i, launch) read_launch(v, launch);
    read_lines(v, launches, file);
    read_longest_trace(v, json_object_get(o, "traces"), file);
    json_decref(o);
    return true;
}

void view_free(struct view *v) {
    for (size_t i = 0; i < v->launches; i++) {
        free(v->launch[i].kernel);
        free(v->launch[i].limit);
    }
    free(v->launch);
    free(v->line);
    free(v->trace.kernel);
    free(v->trace.access);
    free(v->device);
    *v = (struct view){0};
}
