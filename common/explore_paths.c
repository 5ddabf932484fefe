/*
 * explore_paths.c: `labN paths GRAPH --length L [--from C] [--to J]`.
 *
 * The ways of length 1 in a graph are its adjacency matrix S. A way of length l + 1 is a step and a
 * way of length l, so the ways of length l + 1 are S times those of length l: L - 1 products with
 * the student's code. Each is compared with exact whole numbers. Up to 2^24 a float product of
 * whole numbers must be equal to them; beyond, floats round, and each product may be off by the
 * usual bound.
 */
#include "common/compare.h"
#include "common/explore.h"
#include "common/explore_options.h"
#include "common/graph.h"
#include "common/ways.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MAX = 1000, TABLE_MAX = 16, LOOK_AHEAD_WORK = 1 << 28 };

struct paths {
    struct explore *e;
    const char *file, *from_name, *to_name;
    uint64_t length;
    struct graph g;
    int from, to; /* -1: not asked for */
    int powers;   /* products, plus 1 */
    float *S, *now, *next;
    ways_count *exact, *exact_next;
    int first_large; /* the first length with a count above 2^24; 0: none so far */
    ways_count last_exact_largest, first_large_largest;
    bool overflow; /* counts of this length have more than 128 bits */
};

static void print_help(const struct explore *e) {
    printf(
        "Usage: lab%d paths GRAPH --length L [--from NAME] [--to NAME]\n\n"
        "Counts the ways of length L (in steps) between the places of a graph: powers of its\n"
        "adjacency matrix, multiplied with %s.\n\n"
        "  --length L   1 to %d\n"
        "  --from NAME  only ways that begin there\n"
        "  --to NAME    only ways that end there\n\n"
        "GRAPH is a text file: lines 'A - B' (a road), 'A -> B' (one way), 'A' (a place), '# ...'\n"
        "(a comment); or 'table T' and a row 'A: 9 3 6' for each place, the ways of length T.\n"
        "labs/graphs/ten-places.graph is an example.\n",
        e->build->lab, e->function, LENGTH_MAX);
}

static size_t side2(const struct paths *p) {
    return (size_t)p->g.vertices * (size_t)p->g.vertices;
}

/* ---- Input ---- */

static enum run_status find_place(struct paths *p, const char *option, const char *name,
                                  int *place) {
    char error[EXPLORE_ERROR];
    *place = name ? graph_find(&p->g, name) : -1;
    if (!name || *place >= 0)
        return RUN_CORRECT;
    snprintf(error, sizeof error, "%s %.40s: no such place in %.120s", option, name, p->file);
    return explore_refuse(p->e, "paths", error);
}

static enum run_status read_input(struct paths *p) {
    char error[EXPLORE_ERROR];
    struct graph_error bad;
    if (!graph_read(&p->g, p->file, &bad)) {
        if (bad.line > 0)
            fprintf(stderr, "%s:%d: %s\n", p->file, bad.line, bad.what);
        else
            fprintf(stderr, "%s: %s\n", p->file, bad.what);
        return RUN_USAGE;
    }
    if (p->length % (uint64_t)p->g.length != 0) {
        snprintf(
            error, sizeof error,
            "%.120s counts ways of length %d, so --length must be a multiple of %d, not %" PRIu64,
            p->file, p->g.length, p->g.length, p->length);
        return explore_refuse(p->e, "paths", error);
    }
    p->powers = (int)p->length / p->g.length;
    enum run_status status = find_place(p, "--from", p->from_name, &p->from);
    return status == RUN_CORRECT ? find_place(p, "--to", p->to_name, &p->to) : status;
}

static bool allocate(struct paths *p) {
    p->S = malloc(side2(p) * sizeof *p->S);
    p->now = calloc(side2(p), sizeof *p->now);
    p->next = malloc(side2(p) * sizeof *p->next);
    p->exact = malloc(side2(p) * sizeof *p->exact);
    p->exact_next = malloc(side2(p) * sizeof *p->exact_next);
    if (!p->S || !p->now || !p->next || !p->exact || !p->exact_next)
        return false;
    for (size_t i = 0; i < side2(p); ++i) {
        p->S[i] = p->now[i] = (float)p->g.ways[i];
        p->exact[i] = p->g.ways[i];
    }
    return true;
}

static void release(struct paths *p) {
    free(p->S);
    free(p->now);
    free(p->next);
    free(p->exact);
    free(p->exact_next);
    graph_free(&p->g);
}

/* ---- Products ---- */

/* p->exact becomes the next power's. False when 128 bits no longer do. */
static bool exact_step(struct paths *p) {
    if (!ways_step(p->g.vertices, p->g.ways, p->exact, p->exact_next))
        return false;
    ways_count *t = p->exact;
    p->exact = p->exact_next;
    p->exact_next = t;
    return true;
}

/* Is the product right? Exactly, while all counts are up to 2^24;
 * else within (1 + gamma)^powers. */
static enum run_status judge(struct paths *p, int power) {
    bool exact = p->first_large == 0;
    double allowed = exact ? 0 : 2 * (double)(power - 1) * compare_gamma(p->g.vertices);
    for (size_t i = 0; i < side2(p); ++i) {
        double want = (double)p->exact[i];
        double off = (double)p->now[i] - want;
        if (off <= allowed * want && -off <= allowed * want)
            continue;
        char text[WAYS_TEXT];
        size_t n = (size_t)p->g.vertices;
        printf("%s: wrong at length %d: from %s to %s there are %s ways, it says %.9g\n",
               p->e->function, power * p->g.length, p->g.name[i / n], p->g.name[i % n],
               ways_text(p->exact[i], text), (double)p->now[i]);
        return RUN_WRONG;
    }
    return RUN_CORRECT;
}

static void note_size(struct paths *p, int length) {
    ways_count largest = ways_largest(p->g.vertices, p->exact);
    if (p->first_large == 0 && largest > WAYS_FLOAT_EXACT) {
        p->first_large = length;
        p->first_large_largest = largest;
    } else if (p->first_large == 0) {
        p->last_exact_largest = largest;
    }
}

static enum run_status multiply(struct paths *p, int power) {
    enum run_status status = explore_product(p->e, p->g.vertices, p->S, p->now, p->next, NULL);
    if (status != RUN_CORRECT)
        return status;
    float *t = p->now;
    p->now = p->next;
    p->next = t;
    if (!exact_step(p)) {
        p->overflow = true;
        return RUN_CORRECT;
    }
    note_size(p, power * p->g.length);
    return judge(p, power);
}

/* ---- What is printed ---- */

/* A count as the float product has it. */
static int print_count(char *text, size_t room, float value) {
    return snprintf(text, room, (double)value < 1e9 ? "%.0f" : "%.9g", (double)value);
}

/* What part of the table is shown: one row or column that was asked for, or the first ones. */
struct part {
    int row_begin, row_end, column_begin, column_end;
};

static struct part shown_part(const struct paths *p) {
    int most = p->g.vertices <= TABLE_MAX ? p->g.vertices : 10;
    struct part s = {0, most, 0, most};
    if (p->from >= 0) {
        s.row_begin = p->from;
        s.row_end = p->from + 1;
    }
    if (p->to >= 0) {
        s.column_begin = p->to;
        s.column_end = p->to + 1;
        s.row_end = p->from >= 0 ? s.row_end : p->g.vertices;
    }
    return s;
}

static float count_at(const struct paths *p, int i, int j) {
    return p->now[(size_t)i * (size_t)p->g.vertices + (size_t)j];
}

static int table_width(const struct paths *p, const struct part *s) {
    int width = 1;
    char text[48];
    for (int i = 0; i < p->g.vertices; ++i) {
        int length = (int)strlen(p->g.name[i]);
        width = length > width ? length : width;
    }
    for (int i = s->row_begin; i < s->row_end; ++i)
        for (int j = s->column_begin; j < s->column_end; ++j) {
            int length = print_count(text, sizeof text, count_at(p, i, j));
            width = length > width ? length : width;
        }
    return width;
}

static void print_table(const struct paths *p) {
    struct part s = shown_part(p);
    int width = table_width(p, &s);
    char text[48];
    printf("\nWays of length %d, from a row's place to a column's:\n%*s", (int)p->length, width,
           "");
    for (int j = s.column_begin; j < s.column_end; ++j)
        printf(" %*s", width, p->g.name[j]);
    printf("\n");
    for (int i = s.row_begin; i < s.row_end; ++i) {
        printf("%*s", width, p->g.name[i]);
        for (int j = s.column_begin; j < s.column_end; ++j) {
            print_count(text, sizeof text, count_at(p, i, j));
            printf(" %*s", width, text);
        }
        printf("\n");
    }
    if (p->g.vertices > TABLE_MAX && p->to < 0)
        printf("... the first 10 of %d places (--from and --to ask for others)\n", p->g.vertices);
}

static void print_from_to(const struct paths *p, int length) {
    char text[48];
    float value = p->now[(size_t)p->from * (size_t)p->g.vertices + (size_t)p->to];
    print_count(text, sizeof text, value);
    printf("  length %3d: %s\n", length, text);
}

/* Where float stops being exact in this graph, whether the student went so far or not. */
static void print_exactness(struct paths *p) {
    char a[WAYS_TEXT], b[WAYS_TEXT];
    int length = (int)p->length;
    double work = (double)side2(p) * p->g.vertices;
    for (double done = 0; p->first_large == 0 && done < LOOK_AHEAD_WORK && length < LENGTH_MAX;
         done += work) {
        length += p->g.length;
        if (!exact_step(p))
            break;
        note_size(p, length);
    }
    printf("\nFloat holds every whole number up to 2^24 = %" PRIu64 ". ", WAYS_FLOAT_EXACT);
    if (p->first_large == 0) {
        printf("No count here comes near, up to length %d\n(the largest is %s).\n", length,
               ways_text(p->last_exact_largest, a));
        return;
    }
    printf("In this graph the largest count is\n%s at length %d and %s at length %d: exact for "
           "certain up to %d.\n",
           ways_text(p->last_exact_largest, a), p->first_large - p->g.length,
           ways_text(p->first_large_largest, b), p->first_large, p->first_large - p->g.length);
    if (p->first_large <= (int)p->length)
        printf("Warning: the counts above are of length %d, beyond that: they are rounded.\n",
               (int)p->length);
}

/* How far the floats are off, once they may be. */
static void print_rounding(const struct paths *p) {
    size_t rounded = 0;
    double worst = 0;
    for (size_t i = 0; i < side2(p); ++i) {
        double want = (double)p->exact[i];
        double off = (double)p->now[i] - want;
        off = off < 0 ? -off : off;
        rounded += off > 0;
        if (want > 0 && off / want > worst)
            worst = off / want;
    }
    printf("%s: within float's bound; %zu of %zu counts are rounded, the worst by %.1g of itself\n",
           p->e->function, rounded, side2(p), worst);
}

/* ---- The flow ---- */

static enum run_status run(struct paths *p) {
    enum run_status status = read_input(p);
    if (status == RUN_CORRECT)
        status = explore_need_device(p->e);
    if (status != RUN_CORRECT)
        return status;
    if (!allocate(p))
        return explore_no_memory();
    printf("%s: %d places", p->file, p->g.vertices);
    if (p->g.edges > 0)
        printf(", %d road%s", p->g.edges, p->g.edges == 1 ? "" : "s");
    if (p->g.length > 1)
        printf(", ways of length %d", p->g.length);
    printf("; on %s\n", p->e->device);

    bool one = p->from >= 0 && p->to >= 0;
    if (one)
        printf("\nWays from %s to %s:\n", p->from_name, p->to_name);
    note_size(p, p->g.length);
    for (int power = 1; power <= p->powers; ++power) {
        if (power > 1)
            status = multiply(p, power);
        if (status != RUN_CORRECT)
            return status;
        if (p->overflow) {
            fprintf(stderr,
                    "at length %d counts have more than 38 digits: use a smaller --length\n",
                    power * p->g.length);
            return RUN_USAGE;
        }
        if (one)
            print_from_to(p, power * p->g.length);
    }
    if (!one)
        print_table(p);
    if (p->powers == 1)
        printf("\nNo product was needed.\n");
    else if (p->first_large == 0)
        printf("\n%s: right, every count exact (%d product%s)\n", p->e->function, p->powers - 1,
               p->powers == 2 ? "" : "s");
    else {
        printf("\n");
        print_rounding(p);
    }
    print_exactness(p);
    return RUN_CORRECT;
}

enum run_status explore_paths(struct explore *e, int argc, char **argv) {
    struct paths p = {.e = e, .from = -1, .to = -1};
    const struct explore_option options[] = {
        {.name = "--length", .number = &p.length, .low = 1, .high = LENGTH_MAX},
        {.name = "--from", .text = &p.from_name},
        {.name = "--to", .text = &p.to_name},
    };
    bool help;
    int operands;
    char error[EXPLORE_ERROR];
    if (!explore_parse(argc, argv, options, 3, &help, &p.file, 1, &operands, error))
        return explore_refuse(e, "paths", error);
    if (help) {
        print_help(e);
        return RUN_CORRECT;
    }
    if (operands == 0)
        return explore_refuse(e, "paths", "which graph? (labs/graphs/ten-places.graph is one)");
    if (p.length == 0)
        return explore_refuse(e, "paths", "how long are the ways? Give --length L");
    enum run_status status = run(&p);
    release(&p);
    return status;
}
