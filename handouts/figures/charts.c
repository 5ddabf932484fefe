/* charts.c: figures with axes: roofline, and where the labs' kernels stand. */
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

void figure_roofline(struct svg *s, FILE *out, const char *name, const struct trace *trace) {
    (void)trace;
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

void figure_ladder(struct svg *s, FILE *out, const char *name, const struct trace *trace) {
    (void)trace;
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
