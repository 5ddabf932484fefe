/* html_roofline.c: where this lab's kernels lie under the roofline of a device (html.h).
 *
 * The intensity is counted: operations over the bytes of all global sectors. No clock is read, so a
 * point lies on the roof, at the best that its intensity allows; a real kernel stays below. */
#include "grading/src/report/html.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 360, LEFT = 70, RIGHT = 20, TOP = 20, BOTTOM = 50 };
/* Powers of two of operations a byte along the axis. */
enum { FIRST = -3, LAST = 10 };

struct roof {
    double peak, bandwidth; /* GFLOP/s, GB/s */
    double top, bottom;     /* log2 of GFLOP/s at the picture's edges */
};

static double x_of(double intensity) {
    double l = log2(intensity);
    l = l < FIRST ? FIRST : l > LAST ? LAST : l;
    return LEFT + (l - FIRST) / (LAST - FIRST) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct roof *r, double gflops) {
    return TOP + (r->top - log2(gflops)) / (r->top - r->bottom) * (HEIGHT - TOP - BOTTOM);
}

static double attainable(const struct roof *r, double intensity) {
    const double by_memory = intensity * r->bandwidth;
    return by_memory < r->peak ? by_memory : r->peak;
}

static void axes(struct text *t, const struct roof *r) {
    for (int l = FIRST; l <= LAST; l++) {
        const double x = x_of(exp2(l));
        html_addf(t, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x, TOP,
                  x, HEIGHT - BOTTOM);
        if (l < 0)
            html_addf(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">1/%.0f</text>\n", x,
                      HEIGHT - BOTTOM + 16, exp2(-l));
        else if (l < 10)
            html_addf(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x,
                      HEIGHT - BOTTOM + 16, exp2(l));
    }
    for (int power = 0; power < 10; power++) {
        const double g = pow(10, power);
        if (log2(g) < r->bottom || log2(g) > r->top)
            continue;
        const double y = y_of(r, g);
        char number[16];
        html_addf(t,
                  "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n<text "
                  "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                  LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, html_brief(number, g));
    }
    html_addf(t,
              "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">float operations for each byte of "
              "global memory</text>\n<text transform=\"translate(14 %d) rotate(-90)\" "
              "text-anchor=\"middle\">GFLOP/s</text>\n",
              (WIDTH + LEFT - RIGHT) / 2, HEIGHT - 10, (HEIGHT - BOTTOM + TOP) / 2);
}

static void point(struct text *t, const struct roof *r, double intensity, const char *class,
                  const char *name, bool above) {
    const double x = x_of(intensity), y = y_of(r, attainable(r, intensity));
    const bool right = x < WIDTH * 0.6;
    html_addf(t, "<line class=\"drop\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%d\"/>\n", x, y, x,
              HEIGHT - BOTTOM);
    html_addf(t, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"7\"/>\n", class, x, y);
    html_addf(t, "<text class=\"strong\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
              right ? x + 12 : x - 12, above ? y - 8 : y + 26, right ? "start" : "end", name);
}

static void row(struct text *t, const struct roof *r, const char *name, double intensity) {
    char number[16];
    html_addf(t,
              "<tr><th scope=\"row\">%s</th><td class=\"n\">%.3g</td><td class=\"n\">%s</td>"
              "<td>%s</td></tr>\n",
              name, intensity, html_brief(number, attainable(r, intensity)),
              intensity * r->bandwidth < r->peak ? "memory" : "arithmetic");
}

void html_roofline(struct text *t, const struct exhibit *e) {
    if (!e || !e->counted || e->view.peak_gflops <= 0 || e->view.bandwidth_gbs <= 0)
        return;
    const uint64_t *c = e->view.total.of;
    const double bytes =
        32 * ((double)c[VIEW_GLOBAL_LOAD_SECTORS] + (double)c[VIEW_GLOBAL_STORE_SECTORS] +
              (double)c[VIEW_GLOBAL_ATOMIC_SECTORS]);
    if (c[VIEW_FLOPS] == 0 || bytes <= 0)
        return;
    const struct shape s = e->counted->plan.call[0].shape;
    const double m = s.m, n = s.n, k = s.k;
    const double own = (double)c[VIEW_FLOPS] / bytes;
    const double least = 2 * m * n * k / (4 * (m * k + k * n + m * n));
    struct roof r = {.peak = e->view.peak_gflops, .bandwidth = e->view.bandwidth_gbs};
    r.top = ceil(log2(r.peak)) + 1;
    r.bottom = floor(log2(attainable(&r, exp2(FIRST))));
    html_addf(
        t,
        "<section id=\"roofline\"><h2>Roofline</h2>\n"
        "<p>Counted intensity, no clock: the kernels of case <b>%s</b> (%d × %d × %d) did %.4g "
        "float operations for each byte that they moved between the multiprocessors and global "
        "memory's caches. At that intensity the %s (%.0f GB/s, %.0f GFLOP/s) cannot be faster than "
        "the point shows; a real run stays below the roof.</p>\n",
        e->counted->spec->name, s.m, s.n, s.k, own, e->view.device ? e->view.device : "device",
        r.bandwidth, r.peak);
    if (c[VIEW_FLOPS_MMA] > 0)
        text_add(t, "<p>Tensor cores did some of it: their roof is higher than this one, which is "
                    "for ordinary float operations.</p>\n");
    html_addf(
        t,
        "<figure><div class=\"scroll\" tabindex=\"0\"><svg class=\"picture wide\" role=\"img\" "
        "aria-labelledby=\"roof-title\" "
        "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n<title id=\"roof-title\">Roofline of "
        "the %s with two points: this submission at %.3g operations a byte, and this shape with "
        "every element moved once at %.3g</title>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, e->view.device ? e->view.device : "device", own, least);
    axes(t, &r);
    html_addf(t, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n", x_of(exp2(FIRST)),
              y_of(&r, attainable(&r, exp2(FIRST))), x_of(r.peak / r.bandwidth), y_of(&r, r.peak),
              x_of(exp2(LAST)), y_of(&r, r.peak));
    point(t, &r, least, "ideal", "each element moved once", true);
    point(t, &r, own, "own", "your kernel", false);
    text_add(t,
             "</svg></div>\n<table><caption>The points</caption><thead><tr><th scope=\"col\">what"
             "</th><th scope=\"col\">operations a byte</th><th scope=\"col\">at most GFLOP/s</th>"
             "<th scope=\"col\">limited by</th></tr></thead><tbody>\n");
    row(t, &r, "your kernel, as counted", own);
    row(t, &r, "this shape, each element moved once", least);
    text_add(t, "</tbody></table></figure></section>\n");
}
