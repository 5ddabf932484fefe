/* trace.c: see trace.h. */
#include "handouts/figures/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pattern *find_or_add(struct trace *t, const char *name) {
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->pattern[i].name, name) == 0)
            return &t->pattern[i];
    if (t->count == TRACE_PATTERNS)
        return NULL;
    struct pattern *p = &t->pattern[t->count++];
    snprintf(p->name, sizeof p->name, "%s", name);
    return p;
}

static bool add_line(struct trace *t, const char *line) {
    char name[24];
    int lane, word;
    if (sscanf(line, "%23s %d %d", name, &lane, &word) != 3)
        return false;
    struct pattern *p = find_or_add(t, name);
    if (!p || lane != p->lanes || lane >= TRACE_LANES || word < 0)
        return false;
    p->word[p->lanes++] = word;
    return true;
}

bool trace_read(const char *path, struct trace *t) {
    memset(t, 0, sizeof *t);
    FILE *in = fopen(path, "r");
    if (!in) {
        perror(path);
        return false;
    }
    char line[128];
    bool ok = true;
    for (int number = 1; ok && fgets(line, sizeof line, in); number++) {
        if (line[0] == '#' || add_line(t, line))
            continue;
        fprintf(stderr, "%s:%d: expected PATTERN LANE WORD, lanes in order\n", path, number);
        ok = false;
    }
    fclose(in);
    return ok;
}

const struct pattern *trace_find(const struct trace *t, const char *name) {
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->pattern[i].name, name) == 0 && t->pattern[i].lanes == TRACE_LANES)
            return &t->pattern[i];
    fprintf(stderr, "figures: no complete pattern '%s' in the trace\n", name);
    exit(1);
}
