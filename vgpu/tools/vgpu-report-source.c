/*
 * vgpu-report-source.c: the source of a launch, counters at the left of every line.
 *
 *       instr     %  gld.req gst.req sec/rq  sh.req  confl diverg    line  source
 *       49152   0.4    16384           4.00   16384      0          28  │ a[y][x] = A[…
 *
 * Lines of a file that is not at hand are listed by number. Long stretches without counts are left
 * out.
 */
#include "vgpu/tools/vgpu-report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 2, TAB = 4, COLUMNS_BEFORE_SOURCE = 77 };

/* ---- the text of a file ---- */

typedef struct text_file {
    char *bytes;
    char **line; /* line[0] is the first one; NUL-terminated */
    int count;
} text_file;

static char *read_all(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    char *bytes = NULL;
    size_t n = 0, room = 0, got;
    do {
        room = room == 0 ? 65536 : 2 * room;
        char *more = realloc(bytes, room + 1);
        if (more == NULL) {
            free(bytes);
            fclose(f);
            return NULL;
        }
        bytes = more;
        got = fread(bytes + n, 1, room - n, f);
        n += got;
    } while (got > 0);
    const bool bad = ferror(f) != 0; /* a folder, for one */
    fclose(f);
    if (bad) {
        free(bytes);
        return NULL;
    }
    bytes[n] = '\0';
    *len = n;
    return bytes;
}

static bool load(text_file *t, const char *path) {
    size_t len = 0;
    memset(t, 0, sizeof *t);
    t->bytes = read_all(path, &len);
    if (t->bytes == NULL)
        return false;
    size_t lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += t->bytes[i] == '\n';
    t->line = calloc(lines + 1, sizeof *t->line);
    if (t->line == NULL) {
        free(t->bytes);
        return false;
    }
    char *rest = t->bytes, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        line[strcspn(line, "\r")] = '\0';
        t->line[t->count++] = line;
    }
    return true;
}

static void unload(text_file *t) {
    free(t->bytes);
    free(t->line);
    memset(t, 0, sizeof *t);
}

/* Where the compiler saw it, or by its name's ends in the folder given: DIR/a/b/c.cu, DIR/b/c.cu,
 * DIR/c.cu. */
static bool find_source(text_file *t, const char *file, const char *folder) {
    if (file[0] == '\0')
        return false;
    for (const char *tail = file; folder != NULL && tail != NULL;) {
        tail += strspn(tail, "/");
        char *path = NULL;
        if (asprintf(&path, "%s/%s", folder, tail) < 0)
            return false;
        const bool found = load(t, path);
        free(path);
        if (found)
            return true;
        tail = strchr(tail, '/');
    }
    return load(t, file);
}

/* ---- a line ---- */

static void heading(const view *v) {
    printf(
        "\n  %s  instr     %%  gld.req gst.req sec/req  sh.req   confl  diverg  line  source%s\n",
        style(v, DIM), style(v, PLAIN));
}

/* A cell of `width` columns, empty for 0. */
static void cell(FILE *to, const view *v, int width, uint64_t n, enum style s) {
    const bool marked = n != 0 && s != PLAIN;
    fprintf(to, "%s%*s%s ", marked ? style(v, s) : "", width, n == 0 ? "" : brief(n),
            marked ? style(v, PLAIN) : "");
}

static void cells(FILE *to, const view *v, const vg_counts *counts, uint64_t all) {
    const uint64_t *c = counts->v;
    const uint64_t loads = c[VGC_GLOBAL_LOAD_REQUESTS],
                   stores = c[VGC_GLOBAL_STORE_REQUESTS] + c[VGC_GLOBAL_ATOMIC_REQUESTS];
    const uint64_t sectors =
        c[VGC_GLOBAL_LOAD_SECTORS] + c[VGC_GLOBAL_STORE_SECTORS] + c[VGC_GLOBAL_ATOMIC_SECTORS];
    cell(to, v, 7, c[VGC_WARP_INSTRUCTIONS], PLAIN);
    if (c[VGC_WARP_INSTRUCTIONS] != 0)
        fprintf(to, "%5.1f ", 100 * vg_ratio(c[VGC_WARP_INSTRUCTIONS], all));
    else
        fprintf(to, "%6s", "");
    cell(to, v, 8, loads, PLAIN);
    cell(to, v, 7, stores, PLAIN);
    if (sectors != 0) {
        const double each = vg_ratio(sectors, loads + stores);
        fprintf(to, "%s%7.2f%s ", each > 8 ? style(v, YELLOW) : "", each,
                each > 8 ? style(v, PLAIN) : "");
    } else {
        fprintf(to, "%8s", "");
    }
    cell(to, v, 7,
         c[VGC_SHARED_LOAD_REQUESTS] + c[VGC_SHARED_STORE_REQUESTS] + c[VGC_SHARED_ATOMIC_REQUESTS],
         PLAIN);
    cell(to, v, 7, c[VGC_SHARED_LOAD_CONFLICTS] + c[VGC_SHARED_STORE_CONFLICTS], RED);
    cell(to, v, 7, c[VGC_DIVERGENT_BRANCHES], YELLOW);
}

/* Text cut to fit, tabs spread; characters, not bytes, are counted. */
static void put_cut(FILE *to, const char *text, int width) {
    int column = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0'; s++) {
        const bool starts = (*s & 0xC0) != 0x80;
        if (starts && column >= width)
            break;
        if (*s == '\t') {
            do {
                fputc(' ', to);
                column++;
            } while (column % TAB != 0 && column < width);
            continue;
        }
        fputc(*s < 0x20 ? ' ' : *s, to);
        column += starts;
    }
}

/* The end of a path that tells files apart is its end. */
static bool same_file(const char *a, const char *b) {
    const size_t m = strlen(a), n = strlen(b);
    const size_t least = m < n ? m : n;
    if (least == 0 || strcmp(a + m - least, b + n - least) != 0)
        return false;
    return m == n || (m > n ? a[m - least - 1] : b[n - least - 1]) == '/';
}

/* What the checkers say of a line of this kernel: '!' an error, '?' a warning. */
static char mark_of(const report *r, const launch_entry *l, const char *file, int line) {
    char mark = ' ';
    for (int i = 0; i < r->num_findings; i++) {
        const finding_entry *f = &r->findings[i];
        if (f->line == line && same_file(f->file, file) &&
            (f->kernel[0] == '\0' || strcmp(f->kernel, l->kernel) == 0))
            mark = strcmp(f->severity, "error") == 0 || mark == '!' ? '!' : '?';
    }
    return mark;
}

/* line 0: the counts that belong to no line */
static void print_row(const launch_entry *l, const report *r, const view *v, const char *file,
                      int line, const vg_counts *counts, const char *text) {
    static const vg_counts none;
    char *row = NULL, number[16] = "-";
    size_t len = 0;
    FILE *to = open_memstream(&row, &len);
    if (to == NULL)
        return;
    const char mark = line > 0 ? mark_of(r, l, file, line) : ' ';
    const bool marked = mark != ' ';
    fprintf(to, "%s%c%s ",
            !marked       ? ""
            : mark == '!' ? style(v, RED)
                          : style(v, YELLOW),
            mark, marked ? style(v, PLAIN) : "");
    cells(to, v, counts != NULL ? counts : &none, l->counts.v[VGC_WARP_INSTRUCTIONS]);
    if (line > 0)
        snprintf(number, sizeof number, "%d", line);
    fprintf(to, "%5s  ", number);
    const int width = v->width - COLUMNS_BEFORE_SOURCE;
    put_cut(to, text, width > 10 ? width : 10);
    if (fclose(to) == 0) {
        while (len > 0 && row[len - 1] == ' ')
            row[--len] = '\0';
        puts(row);
    }
    free(row);
}

/* ---- a file ---- */

static void print_with_text(const launch_entry *l, const report *r, const view *v,
                            const text_file *t, int from, int to) {
    const char *file = l->lines[from].file;
    int next = 1; /* line to print next, if it is near a counted one */
    for (int i = from; i < to; i++) {
        const int line = l->lines[i].line;
        if (line == 0)
            continue;
        const int begin = line - CONTEXT > next ? line - CONTEXT : next;
        if (begin > next && next > 1)
            printf("%*s  …\n", COLUMNS_BEFORE_SOURCE - 4, "");
        const int follow =
            i + 1 < to && l->lines[i + 1].line <= t->count ? l->lines[i + 1].line - 1 : t->count;
        const int end = line + CONTEXT < follow ? line + CONTEXT : follow;
        for (int k = begin; k <= end; k++)
            print_row(l, r, v, file, k, k == line ? &l->lines[i].counts : NULL, t->line[k - 1]);
        if (line > t->count) /* another version of the file, or a mere part of it */
            print_row(l, r, v, file, line, &l->lines[i].counts, "(the file has no such line)");
        next = (end > line ? end : line) + 1;
    }
}

static void print_without_text(const launch_entry *l, const report *r, const view *v, int from,
                               int to) {
    for (int i = from; i < to; i++)
        if (l->lines[i].line != 0)
            print_row(l, r, v, l->lines[i].file, l->lines[i].line, &l->lines[i].counts, "");
}

static void print_file(const launch_entry *l, const report *r, const view *v, int from, int to) {
    const char *file = l->lines[from].file;
    text_file t;
    const bool found = find_source(&t, file, v->source);
    printf("\n  %s%s%s", style(v, BOLD), file[0] != '\0' ? file : "(unknown file)",
           style(v, PLAIN));
    if (!found && file[0] != '\0')
        printf("  (not found here: --source DIR says where it is)");
    heading(v);
    if (found) {
        print_with_text(l, r, v, &t, from, to);
        unload(&t);
    } else {
        print_without_text(l, r, v, from, to);
    }
    if (l->lines[from].line == 0)
        print_row(l, r, v, file, 0, &l->lines[from].counts, "(no line: merged by the compiler)");
}

void print_source(const launch_entry *l, const report *r, const view *v) {
    for (int from = 0; from < l->num_lines;) {
        int to = from + 1;
        while (to < l->num_lines && strcmp(l->lines[to].file, l->lines[from].file) == 0)
            to++;
        print_file(l, r, v, from, to);
        from = to;
    }
}
