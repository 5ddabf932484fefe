/* svg.c: see svg.h. */
#include "handouts/figures/svg.h"

#include <math.h>
#include <stdarg.h>

/* One look for all figures, on white and on dark paper. Programs that make PDF know neither CSS
 * variables nor media queries inside SVG: so plain values first, the dark ones after them. */
static const char style[] =
    "<style>\n"
    ".fa{fill:#dbe9fb}.fb{fill:#fdebd0}.fc{fill:#d8f0e0}.fbad{fill:#fbe0e6}.fnone{fill:#ffffff}."
    "fsolid{fill:#0b5cad}\n"
    ".pa{stroke:#0b5cad}.pb{fill:#9a5200}.pbad{stroke:#a3123a}\n"
    ".pa,.pbad{stroke-width:.7;fill:none}\n"
    ".line{stroke:#1f2328;stroke-width:1.2;fill:none}\n"
    ".faint{stroke:#8b949e;stroke-width:.7;fill:none}\n"
    ".strong{stroke:#1f2328;stroke-width:2.6;fill:none}\n"
    ".dashed{stroke:#1f2328;stroke-width:1.4;stroke-dasharray:5 4;fill:none}\n"
    ".head{fill:#1f2328}\n"
    ".text,.small,.bold,.quiet,.mono{fill:#1f2328;font-family:'Liberation Sans',Arial,'DejaVu "
    "Sans',sans-serif;"
    "font-size:13px}\n"
    ".small{font-size:11px}.bold{font-weight:bold}.quiet{fill:#57606a;font-size:11.5px}\n"
    ".mono{font-family:'DejaVu Sans Mono','Liberation Mono',monospace;font-size:11.5px}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".fa{fill:#16324f}.fb{fill:#46310f}.fc{fill:#153b28}.fbad{fill:#4a1824}.fnone{fill:#14171a}."
    "fsolid{fill:#79b8ff}\n"
    ".pa{stroke:#79b8ff}.pb{fill:#ffb454}.pbad{stroke:#ff8fa6}\n"
    ".line,.strong,.dashed{stroke:#e6e8eb}.faint{stroke:#7d8893}.head{fill:#e6e8eb}\n"
    ".text,.small,.bold,.mono{fill:#e6e8eb}.quiet{fill:#a8b1bb}\n"
    "}\n"
    "</style>\n";

static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++)
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else
            putc(*text, out);
}

static void put_patterns(struct svg *s) {
    fprintf(s->out,
            "<defs>\n<pattern id=\"%s-a\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
            "<rect class=\"fa\" width=\"7\" height=\"7\"/><path class=\"pa\" opacity=\".45\" "
            "d=\"M-1 -1L8 8M-1 6L1 8M6 -1L8 1\"/></pattern>\n",
            s->name);
    fprintf(s->out,
            "<pattern id=\"%s-b\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
            "<rect class=\"fb\" width=\"6\" height=\"6\"/><circle class=\"pb\" opacity=\".55\" "
            "cx=\"3\" "
            "cy=\"3\" r=\".9\"/></pattern>\n",
            s->name);
    fprintf(s->out,
            "<pattern id=\"%s-bad\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
            "<rect class=\"fbad\" width=\"7\" height=\"7\"/><path class=\"pbad\" opacity=\".5\" "
            "d=\"M0 0L7 7M7 0L0 7\"/></pattern>\n</defs>\n",
            s->name);
}

void svg_begin(struct svg *s, FILE *out, const char *name, int width, int height, const char *title,
               const char *desc) {
    *s = (struct svg){.out = out, .name = name};
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" "
            "role=\"img\" aria-labelledby=\"%s-t %s-d\">\n",
            width, height, width, height, name, name);
    fprintf(out, "<title id=\"%s-t\">", name);
    put_escaped(out, title);
    fprintf(out, "</title>\n<desc id=\"%s-d\">", name);
    put_escaped(out, desc);
    fputs("</desc>\n", out);
    fputs(style, out);
    put_patterns(s);
}

bool svg_end(struct svg *s) {
    fputs("</svg>\n", s->out);
    return fflush(s->out) == 0 && !ferror(s->out);
}

/* Classes with a pattern are filled with it, the others with their plain colour. */
static bool has_pattern(const char *class) {
    return class[0] == 'a' || class[0] == 'b';
}

void svg_area(struct svg *s, const char *class, double x, double y, double width, double height) {
    fprintf(s->out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" ", x, y, width, height);
    if (has_pattern(class))
        fprintf(s->out, "fill=\"url(#%s-%s)\"/>\n", s->name, class);
    else
        fprintf(s->out, "class=\"f%s\"/>\n", class);
}

void svg_box(struct svg *s, const char *class, double x, double y, double width, double height) {
    fprintf(s->out, "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n", class, x,
            y, width, height);
}

void svg_line(struct svg *s, const char *class, double x1, double y1, double x2, double y2) {
    fprintf(s->out, "<path class=\"%s\" d=\"M%g %gL%g %g\"/>\n", class, x1, y1, x2, y2);
}

void svg_arrow(struct svg *s, const char *class, double x1, double y1, double x2, double y2) {
    double length = hypot(x2 - x1, y2 - y1);
    double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    double bx = x2 - 8 * ux, by = y2 - 8 * uy; /* where the head begins */
    svg_line(s, class, x1, y1, bx, by);
    fprintf(s->out, "<path class=\"head\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", x2, y2,
            bx - 4 * uy, by + 4 * ux, bx + 4 * uy, by - 4 * ux);
}

void svg_circle(struct svg *s, const char *class, double x, double y, double radius) {
    fprintf(s->out, "<circle class=\"%s\" cx=\"%g\" cy=\"%g\" r=\"%g\"/>\n", class, x, y, radius);
}

void svg_text(struct svg *s, const char *class, char anchor, double x, double y, const char *format,
              ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *where = anchor == 'm' ? "middle" : anchor == 'e' ? "end" : "start";
    fprintf(s->out, "<text class=\"%s\" x=\"%g\" y=\"%g\" text-anchor=\"%s\">", class, x, y, where);
    put_escaped(s->out, text);
    fputs("</text>\n", s->out);
}

void svg_cells(struct svg *s, const char *class, double x, double y, int rows, int cols,
               double width, double height) {
    svg_area(s, class, x, y, cols * width, rows * height);
    for (int i = 1; i < rows; i++)
        svg_line(s, "faint", x, y + i * height, x + cols * width, y + i * height);
    for (int j = 1; j < cols; j++)
        svg_line(s, "faint", x + j * width, y, x + j * width, y + rows * height);
    svg_box(s, "line", x, y, cols * width, rows * height);
}
