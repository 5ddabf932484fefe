/* table.c: see result.h. The printed table. */
#include "bench/result.h"

#include "common/timing.h"

#include <math.h>
#include <string.h>

void table_heading(FILE *out, const char *set) {
    fprintf(out, "\n%s\n%-18s %-14s %10s %8s %8s %9s %9s %8s %6s  %s\n", set, "m x n x k",
            "contender", "median", "spread", "launches", "GFLOP/s", "of cuBLAS", "of peak", "MHz",
            "verdict");
}

static void put_percent(FILE *out, int width, double share, int digits) {
    if (isfinite(share))
        fprintf(out, " %*.*f%%", width - 1, digits, 100 * share);
    else
        fprintf(out, " %*s", width, "-");
}

static void put_row(FILE *out, const struct result *r, const char *shape) {
    char time[TIMING_TEXT];
    double gflops = result_gflops(r);
    fprintf(out, "%-18s %-14s", shape, r->contender);
    if (r->verdict == VERDICT_NOT_RUN) {
        fprintf(out, " %10s %s\n", "-", r->note);
        return;
    }
    fprintf(out, " %10s", r->launches ? timing_text(r->time.median, time) : "-");
    put_percent(out, 8, stats_relative(&r->time), 1);
    fprintf(out, " %8d", r->launches);
    if (isfinite(gflops))
        fprintf(out, gflops < 100 ? " %9.1f" : " %9.0f", gflops);
    else
        fprintf(out, " %9s", "-");
    put_percent(out, 9, r->of_cublas, 1);
    put_percent(out, 8, r->of_peak, 1);
    if (isfinite(r->clock_mhz))
        fprintf(out, " %6.0f", r->clock_mhz);
    else
        fprintf(out, " %6s", "-");
    fprintf(out, "  %s", verdict_name(r->verdict));
    if (r->verdict == VERDICT_WRONG)
        fprintf(out, " in %llu elements", (unsigned long long)r->wrong);
    fprintf(out, "%s%s\n", *r->note ? "; " : "", r->note);
}

void table_shape(FILE *out, const struct result *r, int count) {
    char text[SHAPE_TEXT];
    for (int i = 0; i < count; ++i)
        put_row(out, &r[i], i == 0 ? shape_text(r[i].shape, text) : "");
    fflush(out);
}

/* One contender's shares of cuBLAS' speed. */
struct reach {
    int shapes, as_fast;
    double logs; /* the sum of the shares' logarithms */
    const struct result *slowest;
};

static struct reach reach_of(const struct result *r, int count, const char *contender) {
    struct reach reach = {0};
    for (int i = 0; i < count; ++i) {
        if (strcmp(r[i].contender, contender) != 0 || !isfinite(r[i].of_cublas))
            continue;
        reach.shapes++;
        reach.as_fast += r[i].of_cublas >= 1;
        reach.logs += log(r[i].of_cublas);
        if (!reach.slowest || r[i].of_cublas < reach.slowest->of_cublas)
            reach.slowest = &r[i];
    }
    return reach;
}

static bool seen_before(const struct result *r, int i) {
    for (int before = 0; before < i; ++before)
        if (strcmp(r[before].contender, r[i].contender) == 0)
            return true;
    return false;
}

void table_summary(FILE *out, const struct result *r, int count) {
    char shape[SHAPE_TEXT];
    bool begun = false;
    for (int i = 0; i < count; ++i) {
        if (seen_before(r, i) || strcmp(r[i].contender, "cublas") == 0)
            continue;
        const struct reach reach = reach_of(r, count, r[i].contender);
        if (reach.shapes < 2)
            continue;
        if (!begun)
            fprintf(out, "\n%-18s %-14s %10s %18s  %s\n", "of cuBLAS", "contender", "mean",
                    "as fast or faster", "slowest");
        begun = true;
        fprintf(out, "%-18s %-14s %9.1f%% %10d of %4d %7.1f%% at %s\n", "", r[i].contender,
                100 * exp(reach.logs / reach.shapes), reach.as_fast, reach.shapes,
                100 * reach.slowest->of_cublas, shape_text(reach.slowest->shape, shape));
    }
    fflush(out);
}
