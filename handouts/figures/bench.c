/* bench.c: see bench.h. */
#include "handouts/figures/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { SET, CONTENDER, M, N, K, MEDIAN, COLUMNS };

/* Where the columns stand in a line, found in its headings. */
struct columns {
    int at[COLUMNS];
};

/* Cuts a line at its commas. No field that is read here holds one. Returns how many there are. */
static int cut(char *line, char **field, int most) {
    int count = 0;
    for (char *rest = line; rest && count < most; count++)
        field[count] = strsep(&rest, ",\r\n");
    return count;
}

static bool find_columns(char **field, int count, struct columns *c) {
    static const char *const names[COLUMNS] = {"set", "contender", "m", "n", "k", "median_s"};
    for (int i = 0; i < COLUMNS; i++) {
        c->at[i] = -1;
        for (int f = 0; f < count; f++)
            if (strcmp(field[f], names[i]) == 0)
                c->at[i] = f;
        if (c->at[i] < 0)
            return false;
    }
    return true;
}

/* True for a row that is not of the square matrices, too: it is left out. */
static bool add_row(char **field, int count, const struct columns *c, struct bench *b) {
    for (int i = 0; i < COLUMNS; i++)
        if (c->at[i] >= count)
            return false;
    if (strcmp(field[c->at[SET]], "square") != 0)
        return true;
    if (b->count == BENCH_TIMES)
        return false;
    struct bench_time *t = &b->time[b->count++];
    char *end;
    const long n = strtol(field[c->at[N]], &end, 10);
    if (*end || n < 1 || n > 1 << 20)
        return false;
    t->n = (int)n;
    t->seconds = strtod(field[c->at[MEDIAN]], &end);
    snprintf(t->contender, sizeof t->contender, "%s", field[c->at[CONTENDER]]);
    return !*end && t->seconds > 0 && strcmp(field[c->at[M]], field[c->at[N]]) == 0 &&
           strcmp(field[c->at[K]], field[c->at[N]]) == 0;
}

bool bench_read(const char *path, struct bench *b) {
    memset(b, 0, sizeof *b);
    FILE *in = fopen(path, "r");
    if (!in) {
        perror(path);
        return false;
    }
    struct columns columns;
    char line[1024], *field[64];
    bool ok = true, headings = false;
    for (int number = 1; ok && fgets(line, sizeof line, in); number++) {
        if (line[0] == '#')
            continue;
        const int count = cut(line, field, 64);
        ok = headings ? add_row(field, count, &columns, b) : find_columns(field, count, &columns);
        if (!ok)
            fprintf(stderr, "%s:%d: %s\n", path, number,
                    headings
                        ? "expected a row of the benchmark, square ones with m = n = k and a time"
                        : "the columns set, contender, m, n, k and median_s are not all there");
        headings = true;
    }
    fclose(in);
    return ok;
}

double bench_seconds(const struct bench *b, const char *contender, int n) {
    for (int i = 0; i < b->count; i++)
        if (b->time[i].n == n && strcmp(b->time[i].contender, contender) == 0)
            return b->time[i].seconds;
    fprintf(stderr, "figures: the benchmark has no time of %s at n = %d\n", contender, n);
    exit(1);
}
