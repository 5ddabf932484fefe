/* log.c: see log.h. */
#include "vgpu/src/count/log.h"

#include <stdlib.h>
#include <string.h>

int vg_line_order(const void *a, const void *b) {
    const vg_line_counts *x = a, *y = b;
    const int by_file = strcmp(x->file, y->file);
    return by_file != 0 ? by_file : (x->line > y->line) - (x->line < y->line);
}

const char *vg_log_intern(vg_log *log, const char *text) {
    for (int i = 0; i < log->num_strings; i++)
        if (strcmp(log->strings[i], text) == 0)
            return log->strings[i];
    char **more = realloc(log->strings, (size_t)(log->num_strings + 1) * sizeof *more);
    if (more == NULL)
        return "";
    log->strings = more;
    char *copy = strdup(text);
    if (copy == NULL)
        return "";
    log->strings[log->num_strings++] = copy;
    return copy;
}

static void free_record(vg_launch_record *r) {
    free(r->lines);
    free(r->fault);
    memset(r, 0, sizeof *r);
}

void vg_log_clear(vg_log *log) {
    for (int i = 0; i < log->num_records; i++)
        free_record(&log->records[i]);
    free(log->records);
    log->records = NULL;
    log->num_records = log->num_single = log->num_lines = 0;
    log->launches = log->unlisted = 0;
    log->totals = log->last = (vg_counts){{0}};
}

void vg_log_free(vg_log *log) {
    vg_log_clear(log);
    for (int i = 0; i < log->num_strings; i++)
        free(log->strings[i]);
    free(log->strings);
    memset(log, 0, sizeof *log);
}

static bool same_dim(vg_dim3 a, vg_dim3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Strings are interned: equal pointers, equal names. */
static vg_launch_record *sum_for(vg_log *log, const vg_launch_record *r) {
    for (int i = log->num_single; i < log->num_records; i++) {
        vg_launch_record *s = &log->records[i];
        if (s->symbol == r->symbol && same_dim(s->grid, r->grid) && same_dim(s->block, r->block) &&
            s->dynamic_shared == r->dynamic_shared && (s->fault != NULL) == (r->fault != NULL))
            return s;
    }
    return NULL;
}

/* Both lists are sorted; so is what becomes of them. Out of memory:
 * the lines of `from` are lost. */
static void add_lines(vg_launch_record *to, const vg_launch_record *from) {
    vg_line_counts *both = malloc((size_t)(to->num_lines + from->num_lines + 1) * sizeof *both);
    if (both == NULL) {
        to->incomplete = true;
        return;
    }
    int n = 0, i = 0, j = 0;
    while (i < to->num_lines || j < from->num_lines) {
        const int order = i == to->num_lines     ? 1
                          : j == from->num_lines ? -1
                                                 : vg_line_order(&to->lines[i], &from->lines[j]);
        both[n] = order <= 0 ? to->lines[i] : from->lines[j];
        if (order == 0)
            vg_counts_add(&both[n].counts, &from->lines[j].counts, 1);
        i += order <= 0;
        j += order >= 0;
        n++;
    }
    free(to->lines);
    to->lines = both;
    to->num_lines = n;
}

static bool append(vg_log *log, vg_launch_record *r) {
    if ((log->num_records & (log->num_records - 1)) == 0) { /* a power of two: full */
        const size_t room = log->num_records == 0 ? 1 : 2 * (size_t)log->num_records;
        vg_launch_record *more = realloc(log->records, room * sizeof *more);
        if (more == NULL)
            return false;
        log->records = more;
    }
    log->num_lines += r->num_lines;
    log->records[log->num_records++] = *r;
    memset(r, 0, sizeof *r);
    return true;
}

void vg_log_add(vg_log *log, vg_launch_record *record) {
    record->first = log->launches++;
    record->count = 1;
    vg_counts_add(&log->totals, &record->counts, 1);
    log->last = record->counts;
    const bool single = log->num_single == log->num_records && log->num_single < VG_LOG_LAUNCHES &&
                        log->num_lines + record->num_lines <= VG_LOG_LINES;
    if (single && append(log, record)) {
        log->num_single++;
        return;
    }
    vg_launch_record *sum = sum_for(log, record);
    if (sum != NULL) {
        sum->count++;
        sum->incomplete |= record->incomplete;
        vg_counts_add(&sum->counts, &record->counts, 1);
        add_lines(sum, record);
    } else if (log->num_records - log->num_single >= VG_LOG_SUMS || !append(log, record)) {
        log->unlisted++;
    }
    free_record(record);
}
