/* compare.c: rows, ratios, printed figures (see compare.h). */
#include "grading/src/report/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A transaction moves a sector. */
enum { SECTOR_BYTES = 32 };

/* As the file of printed figures names them. */
static const char *const kernel_names[COMPARE_KERNELS] = {"cpu-naive", "naive", "tiled", "cublas"};

enum compare_kernel compare_kernel(const struct lab_spec *lab) {
    if (lab->entries & 1u << ENTRY_CPU)
        return COMPARE_CPU;
    if (lab->cublas)
        return COMPARE_CUBLAS;
    return lab->kernel == KERNEL_NAIVE   ? COMPARE_NAIVE
           : lab->kernel == KERNEL_TILED ? COMPARE_TILED
                                         : COMPARE_OTHER;
}

/* ---- Printed figures ---- */

enum { MOST_FIELDS = 4 };

/* Parts a line at its tabs. Returns how many fields there are. */
static int part(char *line, char *field[MOST_FIELDS]) {
    int n = 0;
    for (char *at = line; at && n < MOST_FIELDS; n++) {
        field[n] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    return n;
}

/* The names that durations refer to cases by; they end with the reading. */
struct case_names {
    char *of[COMPARE_MOST_PRINTED];
};

static bool read_case(struct compare *c, struct case_names *names, char *const field[]) {
    if (c->sources == COMPARE_MOST_PRINTED)
        return false;
    names->of[c->sources] = xstrdup(field[1]);
    c->printed[c->sources++] =
        (struct compare_printed){.size = xstrdup(field[2]), .device = xstrdup(field[3])};
    return true;
}

static bool read_duration(struct compare *c, const struct case_names *names, char *const field[]) {
    size_t at = 0, kernel = 0;
    while (at < c->sources && !(names->of[at] && strcmp(names->of[at], field[1]) == 0))
        at++;
    while (kernel < COMPARE_KERNELS && strcmp(kernel_names[kernel], field[2]) != 0)
        kernel++;
    char *end;
    const double seconds = strtod(field[3], &end);
    if (at == c->sources || kernel == COMPARE_KERNELS || *end || !(seconds > 0))
        return false;
    c->printed[at].seconds[kernel] = seconds;
    return true;
}

/* Ratios are for the benchmark's plots. */
static bool read_line(struct compare *c, struct case_names *names, char *line) {
    char *field[MOST_FIELDS];
    line[strcspn(line, "\n")] = '\0';
    if (*line == '#' || *line == '\0' || strncmp(line, "ratio\t", 6) == 0)
        return true;
    if (part(line, field) != MOST_FIELDS)
        return false;
    if (strcmp(field[0], "case") == 0)
        return read_case(c, names, field);
    return strcmp(field[0], "duration") == 0 && read_duration(c, names, field);
}

bool compare_read_printed(struct compare *c, const char *root, struct text *why) {
    char *path = xasprintf("%s/common/printed.tsv", root);
    FILE *file = fopen(path, "re");
    struct case_names names = {0};
    char *line = NULL;
    size_t room = 0;
    bool ok = file != NULL;
    if (!ok)
        text_addf(why, "cannot read %s", path);
    for (int n = 1; ok && getline(&line, &room, file) > 0; n++) {
        ok = read_line(c, &names, line);
        if (!ok)
            text_addf(why, "%s:%d: expected a case, a duration or a ratio, as its first lines say",
                      path, n);
    }
    for (size_t i = 0; i < COMPARE_MOST_PRINTED; i++)
        free(names.of[i]);
    free(line);
    if (file)
        (void)fclose(file);
    free(path);
    return ok;
}

double compare_printed_times_cpu(const struct compare_printed *p, enum compare_kernel kernel) {
    if (kernel == COMPARE_OTHER || p->seconds[kernel] == 0 || p->seconds[COMPARE_CPU] == 0)
        return NAN;
    return p->seconds[COMPARE_CPU] / p->seconds[kernel];
}

/* ---- Rows ---- */

void compare_count(struct compare_row *row, const struct work *work, struct shape shape) {
    const uint64_t *of = work->of;
    const double sectors = (double)of[WORK_GLOBAL_LOAD_SECTORS] +
                           (double)of[WORK_GLOBAL_STORE_SECTORS] +
                           (double)of[WORK_GLOBAL_ATOMIC_SECTORS];
    row->counted = true;
    row->side_counted = shape.m;
    row->library = of[WORK_GEMM_CALLS] > 0;
    row->madds = (double)of[WORK_FLOPS] / 2 + (double)of[WORK_GEMM_MADDS];
    row->bytes = SECTOR_BYTES * sectors;
    row->transactions_a_madd = row->madds > 0 ? sectors / row->madds : NAN;
}

bool compare_is_right(const struct compare_row *row) {
    return row->state == COMPARE_RAN && row->verdict == VERDICT_PASS;
}

double compare_times_cpu(const struct compare *c, const struct compare_row *row) {
    for (size_t i = 0; i < c->rows; i++) {
        const struct compare_row *cpu = &c->row[i];
        if (compare_kernel(cpu->lab) == COMPARE_CPU && cpu->nanoseconds > 0 && row->nanoseconds > 0)
            return (double)cpu->nanoseconds / (double)row->nanoseconds;
    }
    return NAN;
}

const char *compare_verdict(const struct compare_row *row) {
    switch (row->state) {
    case COMPARE_NO_FILE: return "no file";
    case COMPARE_REFUSED: return "not built";
    case COMPARE_UNKNOWN: return "not known";
    case COMPARE_RAN: break;
    }
    return row->unwritten ? "not written" : verdict_text(row->verdict);
}

void compare_free(struct compare *c) {
    for (size_t i = 0; i < c->rows; i++) {
        free(c->row[i].file);
        free(c->row[i].why);
        free(c->row[i].device);
    }
    free(c->row);
    for (size_t i = 0; i < c->sources; i++) {
        free(c->printed[i].size);
        free(c->printed[i].device);
    }
    *c = (struct compare){0};
}
