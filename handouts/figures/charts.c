/* charts.c: figures with axes: roofline, where the labs' kernels stand, and time over n. */
#include "handouts/figures/figures.h"

#include <math.h>

/* The roofline's paper: 1/8 to 64 FLOP/byte and 10 to 100,000 GFLOP/s, both logarithmic. */
static double at_x(double intensity) {
    return 52 + (log2(intensity) + 3) / 9 * 372;
}
static double at_y(double gflops) {
    return 300 - (log10(gflops) - 1) / 4 * 270;
}

static void draw_roof(struct svg *s, const char *class, double peak_gflops, double bandwidth_gbs) {
    double ridge = peak_gflops / bandwidth_gbs;
    svg_line(s, class, at_x(.125), at_y(.125 * bandwidth_gbs), at_x(ridge), at_y(peak_gflops));
    svg_line(s, class, at_x(ridge), at_y(peak_gflops), at_x(64), at_y(peak_gflops));
}

/* A measured point: its sign tells the kernels apart without colour. */
static void draw_point(struct svg *s, double intensity, double gflops, const char *sign) {
    svg_circle(s, "fb", at_x(intensity), at_y(gflops), 8);
    svg_circle(s, "line", at_x(intensity), at_y(gflops), 8);
    svg_text(s, "small", 'm', at_x(intensity), at_y(gflops) + 4, "%s", sign);
}

void figure_roofline(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(s, out, name, 440, 340, "Rooflines of an H200 and a C2075",
              "A chart with logarithmic axes: operations per byte to the right, GFLOP/s upwards. "
              "Each device has a roof: a slope, given by memory bandwidth, up to its peak. H200: "
              "4,800 GB/s and 66,900 GFLOP/s, ridge at 14 operations a byte. C2075: 144 GB/s and "
              "1,030 GFLOP/s, ridge at 7. Points measured on the H200 at n = 4096: naive 6,126 at "
              "0.4, tile 16 8,126 at 4, tile 32 9,063 at 8; cuBLAS 51,353 is drawn at 32.");
    for (int decade = 1; decade <= 5; decade++) {
        double y = at_y(pow(10, decade));
        svg_line(s, "faint", 52, y, 424, y);
        svg_text(s, "small", 'e', 48, y + 4, decade < 4 ? "%.0f" : "%.0fk",
                 decade < 4 ? pow(10, decade) : pow(10, decade - 3));
    }
    for (int power = -3; power <= 6; power++) {
        double x = at_x(pow(2, power));
        svg_line(s, "faint", x, 30, x, 300);
        if (power < 0)
            svg_text(s, "small", 'm', x, 315, "1/%d", 1 << -power);
        else
            svg_text(s, "small", 'm', x, 315, "%d", 1 << power);
    }
    svg_text(s, "text", 's', 8, 18, "GFLOP/s");
    svg_text(s, "text", 'e', 424, 332, "floating-point operations per byte of global memory");
    draw_roof(s, "strong", 66900, 4800);
    svg_text(s, "bold text", 'e', 424, at_y(66900) - 8, "H200: 66.9 TFLOP/s");
    draw_roof(s, "dashed", 1030, 144);
    svg_text(s, "bold text", 'e', 424, at_y(1030) - 6, "C2075: 1.03 TFLOP/s");
    svg_line(s, "dashed", at_x(.25), at_y(36), at_x(.25), at_y(10));
    svg_circle(s, "fa", at_x(.25), at_y(36), 4);
    svg_circle(s, "line", at_x(.25), at_y(36), 4);
    svg_text(s, "small", 's', at_x(.25) + 8, at_y(36) + 12, "1/4: 36 GFLOP/s on the C2075");
    draw_point(s, .4, 6126, "n");
    draw_point(s, 4, 8126, "16");
    draw_point(s, 8, 9063, "32");
    draw_point(s, 32, 51353, "c");
}

void figure_ladder(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const struct {
        const char *label;
        double gflops;
    } bar[] = {{"naive, 32 x 32 blocks (lab 2)", 6126},
               {"tiled 16", 8126},
               {"tiled 32 (lab 3)", 9063},
               {"tiled 32, any size (lab 4)", 8892},
               {"cuBLAS (lab 5)", 51353},
               {"peak of the chip", 66900}};
    svg_begin(s, out, name, 440, 278, "How far up the labs' kernels get on an H200",
              "Bars of GFLOP/s for n = 4096 in fp32: naive 6,126; tiled 16 8,126; tiled 32 9,063; "
              "tiled 32 for any size 8,892; cuBLAS 51,353; peak of the chip 66,900.");
    for (int i = 0; i < 6; i++) {
        double y = 16 + i * 42, width = bar[i].gflops / 66900 * 424;
        svg_text(s, "text", 's', 8, y, "%s", bar[i].label);
        svg_text(s, "text", 'e', 432, y, "%d,%03d GFLOP/s", (int)bar[i].gflops / 1000,
                 (int)bar[i].gflops % 1000);
        svg_area(s, i == 5 ? "none" : i == 4 ? "b" : "a", 8, y + 6, width, 16);
        svg_box(s, "line", 8, y + 6, width, 16);
    }
    svg_text(s, "quiet", 's', 8, 270, "One H200, one run, n = 4096, fp32 without TF32, warm.");
}

/* The paper of times: n from 256 to 16,384, 5 microseconds to 5 seconds, both logarithmic. */
static double at_n(int n) {
    return 58 + (log2(n) - 8) / 6 * 290;
}
static double at_seconds(double seconds) {
    return 330 - (log10(seconds) - log10(5e-6)) / 6 * 300;
}

static void draw_times(struct svg *s, const struct bench *b, const char *contender,
                       const char *class, const char *sign, double label_y, const char *label) {
    int before = 0;
    for (int n = 256; n <= 16384; before = n, n *= 2)
        if (before)
            svg_line(s, class, at_n(before), at_seconds(bench_seconds(b, contender, before)),
                     at_n(n), at_seconds(bench_seconds(b, contender, n)));
    for (int n = 256; n <= 16384; n *= 2) {
        const double x = at_n(n), y = at_seconds(bench_seconds(b, contender, n));
        svg_circle(s, "fb", x, y, 7);
        svg_circle(s, "line", x, y, 7);
        svg_text(s, "small", 'm', x, y + 4, "%s", sign);
    }
    svg_text(s, "text", 's', 366, label_y, "%s", label);
}

void figure_times(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    static const char *const label[] = {"10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"};
    const struct bench *b = &from->bench;
    char desc[600];
    snprintf(desc, sizeof desc,
             "A chart with logarithmic axes: n from 256 to 16,384 to the right, time from 5 "
             "microseconds to 5 seconds upwards. Three lines rise alike from n = 1024 on, eight "
             "times for each doubling of n. At n = 4096 lab 2's kernel takes %.1f milliseconds, "
             "lab 4's %.1f and cuBLAS %.1f; at n = 256 they take %.0f, %.0f and %.0f microseconds.",
             bench_seconds(b, "lab2", 4096) * 1e3, bench_seconds(b, "lab4", 4096) * 1e3,
             bench_seconds(b, "cublas", 4096) * 1e3, bench_seconds(b, "lab2", 256) * 1e6,
             bench_seconds(b, "lab4", 256) * 1e6, bench_seconds(b, "cublas", 256) * 1e6);
    svg_begin(s, out, name, 440, 376, "Time over n on an H200", desc);
    for (int i = 0; i < 6; i++) {
        const double y = at_seconds(1e-5 * pow(10, i));
        svg_line(s, "faint", 58, y, 348, y);
        svg_text(s, "small", 'e', 48, y + 4, "%s", label[i]);
    }
    for (int n = 256; n <= 16384; n *= 2) {
        svg_line(s, "faint", at_n(n), 30, at_n(n), 330);
        svg_text(s, "small", 'm', at_n(n), 345, "%d", n);
    }
    svg_text(s, "text", 's', 8, 18, "time of one product");
    svg_text(s, "text", 'm', 203, 366, "n");
    draw_times(s, b, "lab2", "line", "2", 58, "2: naive");
    draw_times(s, b, "lab4", "dashed", "4", 76, "4: tiled 32");
    draw_times(s, b, "cublas", "strong", "c", 112, "c: cuBLAS");
}
