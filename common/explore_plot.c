/* explore_plot.c: see explore_plot.h. */
#include "common/explore_plot.h"

#include "common/timing.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { WIDTH = 56, HEIGHT = 14, CSV_MAX = 1 << 20 };

static const char header[] = "program,n,seconds,seconds_with_copies,gflops";

int series_find(const struct series *s, int n) {
    for (int i = 0; i < s->count; ++i)
        if (s->point[i].n == n)
            return i;
    return -1;
}

/* ---- CSV ---- */

bool series_write(const struct series *s, const char *path) {
    FILE *f = fopen(path, "we");
    if (!f)
        return false;
    fprintf(f, "%s\n", header);
    for (int i = 0; i < s->count; ++i) {
        const struct point *p = &s->point[i];
        fprintf(f, "\"%s\",%d,%.9g,%.9g,%.6g\n", s->name, p->n, p->seconds, p->with_copies,
                timing_gflops(p->n, p->n, p->n, p->seconds));
    }
    bool good = !ferror(f);
    return fclose(f) == 0 && good;
}

/* One line after the header: "name",n,seconds,seconds,gflops. */
static bool parse_point(struct series *s, const char *line) {
    struct point p = {0};
    double gflops;
    int used = 0;
    if (line[0] != '"')
        return false;
    const char *quote = strchr(line + 1, '"');
    if (!quote || quote - line - 1 >= SERIES_NAME)
        return false;
    for (const char *c = line + 1; c < quote; ++c)
        if (!isprint((unsigned char)*c))
            return false;
    /* sscanf would take blanks, "nan" and "inf" for numbers. */
    if (quote[1] != ',' || quote[2 + strspn(quote + 2, "0123456789.e+-,")] != '\0' ||
        strlen(quote) > 200)
        return false;
    if (sscanf(quote + 1, ",%9d,%lf,%lf,%lf%n", &p.n, &p.seconds, &p.with_copies, &gflops, &used) !=
            4 ||
        quote[1 + used] != '\0')
        return false;
    if (p.n < 1 || !(p.seconds > 0 && p.seconds < 1e9) || s->count == SERIES_MAX ||
        (s->count > 0 && s->point[s->count - 1].n >= p.n))
        return false;
    snprintf(s->name, sizeof s->name, "%.*s", (int)(quote - line - 1), line + 1);
    s->point[s->count++] = p;
    return true;
}

bool series_parse(struct series *s, const char *text, size_t bytes, char error[SERIES_ERROR]) {
    *s = (struct series){0};
    int number = 0;
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        char line[400];
        number++;
        if (length > 0 && at[length - 1] == '\r')
            length--;
        snprintf(line, sizeof line, "%.*s", (int)(length < 399 ? length : 399), at);
        bool good = strlen(line) == length; /* not cut, and no NUL inside */
        good = good && (number == 1 ? strcmp(line, header) == 0 : parse_point(s, line));
        if (!good) {
            if (number == 1)
                snprintf(error, SERIES_ERROR,
                         "line 1 is not \"%s\": sweep --csv did not write this file", header);
            else
                snprintf(error, SERIES_ERROR, "line %d is not a measurement, or not in order of n",
                         number);
            return false;
        }
        at = stop ? stop + 1 : end;
    }
    if (s->count == 0)
        snprintf(error, SERIES_ERROR, "no measurement in it");
    return s->count > 0;
}

bool series_read(struct series *s, const char *path, char error[SERIES_ERROR]) {
    FILE *f = fopen(path, "re");
    char *text = f ? malloc(CSV_MAX) : NULL;
    size_t bytes = text ? fread(text, 1, CSV_MAX, f) : 0;
    bool good = text && !ferror(f);
    if (!good)
        snprintf(error, SERIES_ERROR, "%s", strerror(errno));
    if (f)
        fclose(f);
    good = good && series_parse(s, text, bytes, error);
    free(text);
    return good;
}

/* ---- Characters ---- */

struct canvas {
    char mark[HEIGHT][WIDTH + 1];
    double seconds; /* at the top */
    int low, high;  /* n at the left and at the right */
};

static void put(struct canvas *c, const struct point *p, char mark) {
    int spread = c->high > c->low ? c->high - c->low : 1;
    int x = (int)((long long)(p->n - c->low) * (WIDTH - 1) / spread);
    int y = HEIGHT - 1 - (int)lround(p->seconds / c->seconds * (HEIGHT - 1));
    if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)
        return;
    char *at = &c->mark[y][x];
    *at = *at == ' ' || *at == mark ? mark : '*';
}

static void measure(struct canvas *c, const struct series *s) {
    for (int i = 0; i < s->count; ++i) {
        if (s->point[i].seconds > c->seconds)
            c->seconds = s->point[i].seconds;
        if (s->point[i].n < c->low)
            c->low = s->point[i].n;
        if (s->point[i].n > c->high)
            c->high = s->point[i].n;
    }
}

void plot_text(FILE *out, const struct series *s, const struct series *other) {
    struct canvas c = {.low = s->point[0].n};
    char text[TIMING_TEXT];
    for (int y = 0; y < HEIGHT; ++y)
        snprintf(c.mark[y], sizeof c.mark[y], "%*s", WIDTH, "");
    measure(&c, s);
    if (other)
        measure(&c, other);
    for (int i = 0; other && i < other->count; ++i)
        put(&c, &other->point[i], 'o');
    for (int i = 0; i < s->count; ++i)
        put(&c, &s->point[i], '+');
    for (int y = 0; y < HEIGHT; ++y) {
        bool label = y == 0 || y == (HEIGHT - 1) / 2 || y == HEIGHT - 1;
        double at = c.seconds * (HEIGHT - 1 - y) / (HEIGHT - 1);
        size_t length = strlen(c.mark[y]);
        while (length > 0 && c.mark[y][length - 1] == ' ')
            length--;
        fprintf(out, "%12s |%.*s\n", label ? timing_text(at, text) : "", (int)length, c.mark[y]);
    }
    fprintf(out, "%12s +", "");
    for (int x = 0; x < WIDTH; ++x)
        fputc('-', out);
    char low[16];
    snprintf(low, sizeof low, "%d", c.low);
    fprintf(out, "\n%14s%s%*d  n\n", "", low, WIDTH - (int)strlen(low), c.high);
    fprintf(out, "%14s+ %s\n", "", s->name);
    if (other)
        fprintf(out, "%14so %s\n%14s* both at one place\n", "", other->name, "");
}

/* ---- gnuplot ---- */

/* A string in gnuplot's single quotes: a quote inside is doubled. */
static void put_quoted(FILE *f, const char *text) {
    fputc('\'', f);
    for (; *text; ++text) {
        if (*text == '\'')
            fputc('\'', f);
        fputc(*text, f);
    }
    fputc('\'', f);
}

static void put_data(FILE *f, const char *name, const struct series *s) {
    fprintf(f, "$%s << END\n", name);
    for (int i = 0; i < s->count; ++i)
        fprintf(f, "%d %.9g\n", s->point[i].n, 1e3 * s->point[i].seconds);
    fprintf(f, "END\n");
}

static void put_script(FILE *f, const char *path, const struct series *s,
                       const struct series *other) {
    fprintf(
        f,
        "set terminal svg size 720,480 background '#ffffff' enhanced font 'sans,14'\nset output ");
    put_quoted(f, path);
    fprintf(f,
            "\nset xlabel 'n'\nset ylabel 'milliseconds'\nset key left top noenhanced\nset grid\n"
            "set yrange [0:*]\n");
    put_data(f, "mine", s);
    if (!other) {
        fprintf(f, "plot $mine using 1:2 with linespoints pt 7 lw 2 title ");
        put_quoted(f, s->name);
        fprintf(f, "\n");
        return;
    }
    put_data(f, "other", other);
    fprintf(f, "$ratio << END\n");
    for (int i = 0; i < s->count; ++i) {
        int at = series_find(other, s->point[i].n);
        if (at >= 0)
            fprintf(f, "%d %.6g\n", s->point[i].n, other->point[at].seconds / s->point[i].seconds);
    }
    fprintf(f, "END\nset ytics nomirror\nset y2tics\nset y2range [0:*]\nset y2label 'ratio'\n"
               "plot $mine using 1:2 with linespoints pt 7 lw 2 title ");
    put_quoted(f, s->name);
    fprintf(f, ", $other using 1:2 with linespoints pt 4 lw 2 title ");
    put_quoted(f, other->name);
    fprintf(f, ", $ratio using 1:2 axes x1y2 with lines dt 2 lw 2 title 'ratio'\n");
}

bool plot_svg(const char *path, const struct series *s, const struct series *other,
              char error[SERIES_ERROR]) {
    if (strchr(path, '\n')) {
        snprintf(error, SERIES_ERROR, "the file name contains a line break");
        return false;
    }
    /* gnuplot may not be there: writing to it must not end this program. */
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    FILE *f = popen("exec gnuplot -", "w");
    int status = -1;
    if (f) {
        put_script(f, path, s, other);
        status = pclose(f);
    }
    signal(SIGPIPE, before);
    if (status == 0)
        return true;
    bool missing = f && WIFEXITED(status) && WEXITSTATUS(status) == 127;
    snprintf(error, SERIES_ERROR, "%s",
             missing ? "gnuplot is not installed (--csv writes the same numbers)"
                     : "gnuplot could not write the file");
    return false;
}
