/* result.c: see result.h. The list, and its CSV and JSON. */
#include "bench/result.h"

#include "common/timing.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void results_add(struct results *all, const struct result *r) {
    if (all->count == all->room) {
        int room = all->room ? 2 * all->room : 64;
        struct result *items = realloc(all->items, (size_t)room * sizeof *items);
        if (!items) {
            fprintf(stderr, "bench: out of memory\n");
            exit(EXIT_FAILURE);
        }
        all->items = items;
        all->room = room;
    }
    all->items[all->count++] = *r;
}

void results_free(struct results *all) {
    free(all->items);
    *all = (struct results){0};
}

struct result result_start(const char *set, const char *contender, struct shape shape) {
    const double unknown = (double)NAN;
    struct result r = {
        .shape = shape,
        .time = {unknown, unknown, unknown, unknown, unknown},
        .of_cublas = unknown,
        .of_peak = unknown,
        .clock_mhz = unknown,
        .verdict = VERDICT_UNCHECKED,
        .worst = unknown,
        .timed_rows = shape.m,
    };
    snprintf(r.set, sizeof r.set, "%s", set);
    snprintf(r.contender, sizeof r.contender, "%s", contender);
    return r;
}

double result_gflops(const struct result *r) {
    return r->time.median > 0 && r->verdict != VERDICT_UNCHECKED
               ? 1e-9 * shape_flops(r->shape) / r->time.median
               : (double)NAN;
}

void results_relate(struct results *all, int first, double peak_gflops) {
    double cublas = (double)NAN;
    for (int i = first; i < all->count; ++i)
        if (strcmp(all->items[i].contender, "cublas") == 0)
            cublas = result_gflops(&all->items[i]);
    for (int i = first; i < all->count; ++i) {
        all->items[i].of_cublas = result_gflops(&all->items[i]) / cublas;
        all->items[i].of_peak = result_gflops(&all->items[i]) / peak_gflops;
    }
}

const char *verdict_name(enum verdict v) {
    static const char *const names[] = {"right", "wrong", "not fp32", "unchecked", "not run"};
    return names[v];
}

/* ---- CSV ---- */

static void put_number(FILE *out, double value) {
    if (isfinite(value))
        fprintf(out, ",%.6g", value);
    else
        fputc(',', out);
}

static void put_text(FILE *out, const char *name, const char *value) {
    if (*value)
        fprintf(out, "# %s: %s\n", name, value);
}

static void put_fact(FILE *out, const char *name, double value) {
    if (isfinite(value) && value > 0)
        fprintf(out, "# %s: %.6g\n", name, value);
}

static void put_machine(FILE *out, const struct machine *m) {
    put_text(out, "gpu", m->gpu);
    put_fact(out, "capability", m->capability);
    put_fact(out, "multiprocessors", m->multiprocessors);
    put_fact(out, "max_clock_mhz", m->max_clock_mhz);
    put_fact(out, "peak_gflops", m->peak_gflops);
    put_fact(out, "copy_gbs", m->copy_gbs);
    put_fact(out, "l1_gbs", m->l1_gbs);
    put_fact(out, "l2_mb", m->l2_mb);
    put_fact(out, "empty_launch_us", m->empty_launch_us);
    put_fact(out, "clock_min_mhz", m->clock_min_mhz);
    put_fact(out, "clock_median_mhz", m->clock_median_mhz);
    put_fact(out, "clock_max_mhz", m->clock_max_mhz);
    put_fact(out, "power_max_w", m->power_max_w);
    put_fact(out, "temperature_max_c", m->temperature_max_c);
    put_text(out, "throttled", m->throttled);
    put_text(out, "driver", m->driver);
    put_text(out, "cuda", m->cuda);
    put_text(out, "cublas", m->cublas);
    put_text(out, "cpu", m->cpu);
    put_fact(out, "cores", m->cores);
    put_text(out, "blas", m->blas);
    put_text(out, "options", m->options);
}

int results_write_csv(const char *path, const struct machine *m, const struct results *all) {
    FILE *out = fopen(path, "w");
    if (!out)
        return errno;
    put_machine(out, m);
    fprintf(out,
            "set,contender,m,n,k,cache,launches,median_s,q1_s,q3_s,min_s,max_s,gflops,of_cublas,"
            "of_peak,clock_mhz,verdict,checked_rows,wrong,worst,timed_rows,note\n");
    for (int i = 0; i < all->count; ++i) {
        const struct result *r = &all->items[i];
        fprintf(out, "%s,%s,%d,%d,%d,%s,%d", r->set, r->contender, r->shape.m, r->shape.n,
                r->shape.k, r->cold ? "cold" : "warm", r->launches);
        put_number(out, r->time.median);
        put_number(out, r->time.q1);
        put_number(out, r->time.q3);
        put_number(out, r->time.min);
        put_number(out, r->time.max);
        put_number(out, result_gflops(r));
        put_number(out, r->of_cublas);
        put_number(out, r->of_peak);
        put_number(out, r->clock_mhz);
        fprintf(out, ",%s,%d,%llu", verdict_name(r->verdict), r->checked_rows,
                (unsigned long long)r->wrong);
        put_number(out, r->worst);
        fprintf(out, ",%d,%s\n", r->timed_rows, r->note);
    }
    int error = ferror(out) ? EIO : 0;
    return fclose(out) != 0 && !error ? errno : error;
}

/* ---- JSON ---- */

/* Six digits are more than any clock gives, and few enough to be read. */
static json_t *number(double value) {
    char text[32];
    if (!isfinite(value))
        return json_null();
    snprintf(text, sizeof text, "%.6g", value);
    return json_real(strtod(text, NULL));
}

/* A fact of the machine: 0 means unknown, too. */
static json_t *fact(double value) {
    return value > 0 ? number(value) : json_null();
}

static json_t *text_or_null(const char *text) {
    return *text ? json_string(text) : json_null();
}

static json_t *machine_json(const struct machine *m) {
    json_t *o = json_object();
    json_object_set_new(o, "gpu", text_or_null(m->gpu));
    json_object_set_new(o, "capability", m->capability ? json_integer(m->capability) : json_null());
    json_object_set_new(o, "multiprocessors",
                        m->multiprocessors ? json_integer(m->multiprocessors) : json_null());
    json_object_set_new(o, "max_clock_mhz", fact(m->max_clock_mhz));
    json_object_set_new(o, "peak_gflops", fact(m->peak_gflops));
    json_object_set_new(o, "copy_gbs", fact(m->copy_gbs));
    json_object_set_new(o, "l1_gbs", fact(m->l1_gbs));
    json_object_set_new(o, "l2_mb", fact(m->l2_mb));
    json_object_set_new(o, "empty_launch_us", fact(m->empty_launch_us));
    json_object_set_new(o, "clock_min_mhz", fact(m->clock_min_mhz));
    json_object_set_new(o, "clock_median_mhz", fact(m->clock_median_mhz));
    json_object_set_new(o, "clock_max_mhz", fact(m->clock_max_mhz));
    json_object_set_new(o, "power_max_w", fact(m->power_max_w));
    json_object_set_new(o, "temperature_max_c", fact(m->temperature_max_c));
    json_object_set_new(o, "throttled", text_or_null(m->throttled));
    json_object_set_new(o, "driver", text_or_null(m->driver));
    json_object_set_new(o, "cuda", text_or_null(m->cuda));
    json_object_set_new(o, "cublas", text_or_null(m->cublas));
    json_object_set_new(o, "cpu", text_or_null(m->cpu));
    json_object_set_new(o, "cores", m->cores ? json_integer(m->cores) : json_null());
    json_object_set_new(o, "blas", text_or_null(m->blas));
    json_object_set_new(o, "options", text_or_null(m->options));
    return o;
}

static json_t *result_json(const struct result *r) {
    json_t *o = json_object();
    json_object_set_new(o, "set", json_string(r->set));
    json_object_set_new(o, "contender", json_string(r->contender));
    json_object_set_new(o, "m", json_integer(r->shape.m));
    json_object_set_new(o, "n", json_integer(r->shape.n));
    json_object_set_new(o, "k", json_integer(r->shape.k));
    json_object_set_new(o, "cache", json_string(r->cold ? "cold" : "warm"));
    json_object_set_new(o, "launches", json_integer(r->launches));
    json_object_set_new(o, "median_s", number(r->time.median));
    json_object_set_new(o, "q1_s", number(r->time.q1));
    json_object_set_new(o, "q3_s", number(r->time.q3));
    json_object_set_new(o, "min_s", number(r->time.min));
    json_object_set_new(o, "max_s", number(r->time.max));
    json_object_set_new(o, "gflops", number(result_gflops(r)));
    json_object_set_new(o, "of_cublas", number(r->of_cublas));
    json_object_set_new(o, "of_peak", number(r->of_peak));
    json_object_set_new(o, "clock_mhz", number(r->clock_mhz));
    json_object_set_new(o, "verdict", json_string(verdict_name(r->verdict)));
    json_object_set_new(o, "checked_rows", json_integer(r->checked_rows));
    json_object_set_new(o, "wrong", json_integer((json_int_t)r->wrong));
    json_object_set_new(o, "worst", number(r->worst));
    json_object_set_new(o, "timed_rows", json_integer(r->timed_rows));
    json_object_set_new(o, "note", text_or_null(r->note));
    return o;
}

int results_write_json(const char *path, const struct machine *m, const struct results *all) {
    json_t *root = json_object();
    json_object_set_new(root, "machine", machine_json(m));
    json_t *list = json_array();
    for (int i = 0; i < all->count; ++i)
        json_array_append_new(list, result_json(&all->items[i]));
    json_object_set_new(root, "results", list);
    errno = 0;
    int failed = json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(root);
    return failed ? (errno ? errno : EIO) : 0;
}
