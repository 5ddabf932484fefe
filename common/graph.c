/* graph.c: see graph.h. */
#include "common/graph.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct road {
    int from, to;
    int line; /* where it is written */
};

struct parser {
    struct graph *g;
    struct graph_error *e;
    const char *at, *end; /* what is left of this line */
    int line;
    int vertex_room;
    struct road *roads; /* each direction for itself */
    size_t road_count, road_room;
    bool table;
    int rows; /* of the table, so far */
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct parser *p, const char *format,
                                                         ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->e->what, sizeof p->e->what, format, args);
    va_end(args);
    p->e->line = p->line;
    return false;
}

/* ---- Words ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
        p->at++;
}

static bool line_is_over(struct parser *p) {
    skip_blanks(p);
    return p->at == p->end;
}

static bool take(struct parser *p, const char *sign) {
    skip_blanks(p);
    size_t length = strlen(sign);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, sign, length) != 0)
        return false;
    p->at += length;
    return true;
}

/* What stands here, for a message: a word, or the byte's number if it can't be printed. */
static const char *here(struct parser *p, char text[32]) {
    skip_blanks(p);
    if (p->at == p->end)
        return "the end of the line";
    if (*p->at < ' ' || *p->at > '~') {
        snprintf(text, 32, "the byte 0x%02x", (unsigned)(unsigned char)*p->at);
        return text;
    }
    int length = 0;
    while (length < 20 && p->at + length < p->end && p->at[length] > ' ' && p->at[length] <= '~')
        length++;
    snprintf(text, 32, "'%.*s'", length, p->at);
    return text;
}

static bool take_name(struct parser *p, char name[GRAPH_NAME]) {
    char text[32];
    skip_blanks(p);
    if (p->at == p->end || !is_letter(*p->at))
        return refuse(p, "expected the name of a place, which begins with a letter, found %s",
                      here(p, text));
    const char *begin = p->at;
    while (p->at < p->end && (is_letter(*p->at) || is_digit(*p->at)))
        p->at++;
    size_t length = (size_t)(p->at - begin);
    if (length >= GRAPH_NAME)
        return refuse(p, "the name '%.*s...' has %zu characters, at most %d are allowed",
                      GRAPH_NAME - 1, begin, length, GRAPH_NAME - 1);
    memcpy(name, begin, length);
    name[length] = '\0';
    return true;
}

static bool take_number(struct parser *p, uint32_t high, uint32_t *value) {
    char text[32];
    skip_blanks(p);
    if (p->at == p->end || !is_digit(*p->at))
        return refuse(p, "expected a whole number, 0 or more, found %s", here(p, text));
    uint64_t v = 0;
    while (p->at < p->end && is_digit(*p->at)) {
        v = v * 10 + (uint64_t)(*p->at++ - '0');
        if (v > high)
            return refuse(p, "a number is larger than %" PRIu32, high);
    }
    if (p->at < p->end && *p->at != ' ' && *p->at != '\t')
        return refuse(p, "expected a blank after a number, found %s", here(p, text));
    *value = (uint32_t)v;
    return true;
}

/* ---- Vertices and roads ---- */

int graph_find(const struct graph *g, const char *name) {
    for (int v = 0; v < g->vertices; ++v)
        if (strcmp(g->name[v], name) == 0)
            return v;
    return -1;
}

static bool no_memory(struct parser *p) {
    return refuse(p, "not enough memory");
}

/* The vertex by that name, which is new the first time. -1 when there are too many. */
static int vertex(struct parser *p, const char *name) {
    struct graph *g = p->g;
    int found = graph_find(g, name);
    if (found >= 0)
        return found;
    if (g->vertices == GRAPH_VERTICES) {
        refuse(p, "more than %d places", GRAPH_VERTICES);
        return -1;
    }
    if (g->vertices == p->vertex_room) {
        int room = p->vertex_room ? 2 * p->vertex_room : 16;
        void *larger = realloc(g->name, (size_t)room * sizeof *g->name);
        if (!larger) {
            no_memory(p);
            return -1;
        }
        g->name = larger;
        p->vertex_room = room;
    }
    memcpy(g->name[g->vertices], name, GRAPH_NAME);
    return g->vertices++;
}

static bool add_road(struct parser *p, int from, int to) {
    if (p->road_count == p->road_room) {
        size_t room = p->road_room ? 2 * p->road_room : 64;
        struct road *larger = realloc(p->roads, room * sizeof *larger);
        if (!larger)
            return no_memory(p);
        p->roads = larger;
        p->road_room = room;
    }
    p->roads[p->road_count++] = (struct road){from, to, p->line};
    return true;
}

/* A - B -> C ... */
static bool parse_roads(struct parser *p) {
    char text[32], name[GRAPH_NAME] = "";
    if (!take_name(p, name))
        return false;
    int from = vertex(p, name);
    while (from >= 0 && !line_is_over(p)) {
        bool one_way = take(p, "->");
        if (!one_way && !take(p, "-"))
            return refuse(p, "expected '-' or '->' between two places, found %s", here(p, text));
        if (!take_name(p, name))
            return false;
        int to = vertex(p, name);
        if (to < 0 || !add_road(p, from, to) || (!one_way && from != to && !add_road(p, to, from)))
            return false;
        p->g->edges++;
        from = to;
    }
    return from >= 0;
}

/* ---- Tables ---- */

/* How many numbers stand in the rest of the line: a table's first row tells its width. */
static int count_words(struct parser *p) {
    int words = 0;
    for (const char *c = p->at; c < p->end; ++c)
        words += *c != ' ' && *c != '\t' && (c == p->at || c[-1] == ' ' || c[-1] == '\t');
    return words;
}

static bool parse_row(struct parser *p) {
    struct graph *g = p->g;
    char name[GRAPH_NAME] = "";
    char text[32];
    if (!take_name(p, name))
        return false;
    if (!take(p, ":"))
        return refuse(p, "expected ':' after the row's name, found %s", here(p, text));
    if (graph_find(g, name) >= 0)
        return refuse(p, "a second row '%s'", name);
    if (p->rows == 0) {
        int width = count_words(p);
        if (width < 1 || width > GRAPH_VERTICES)
            return refuse(p, "a table has 1 to %d columns, not %d", GRAPH_VERTICES, width);
        g->name = calloc((size_t)width, sizeof *g->name);
        g->ways = calloc((size_t)width * (size_t)width, sizeof *g->ways);
        if (!g->name || !g->ways)
            return no_memory(p);
        p->vertex_room = width;
    }
    int width = p->vertex_room;
    if (p->rows == width)
        return refuse(p, "row %d of a table with %d columns: a table has as many rows as columns",
                      p->rows + 1, width);
    if (count_words(p) != width)
        return refuse(p, "row '%s' has %d numbers, the first row has %d", name, count_words(p),
                      width);
    for (int column = 0; column < width; ++column)
        if (!take_number(p, GRAPH_COUNT_MAX, &g->ways[(size_t)p->rows * width + column]))
            return false;
    memcpy(g->name[g->vertices++], name, GRAPH_NAME);
    p->rows++;
    return true;
}

static bool parse_table_head(struct parser *p) {
    char text[32];
    uint32_t length = 0;
    if (p->g->vertices > 0)
        return refuse(p, "'table' must come before everything else");
    if (p->table)
        return refuse(p, "a second 'table'");
    p->table = true;
    if (!take_number(p, GRAPH_LENGTH_MAX, &length))
        return false;
    if (length == 0)
        return refuse(p, "ways of length 0 lead nowhere: the length is 1 or more");
    p->g->length = (int)length;
    return line_is_over(p) || refuse(p, "unexpected %s", here(p, text));
}

/* ---- The whole ---- */

static bool parse_line(struct parser *p) {
    const char *comment = memchr(p->at, '#', (size_t)(p->end - p->at));
    if (comment)
        p->end = comment;
    else if (p->end > p->at && p->end[-1] == '\r')
        p->end--;
    if (line_is_over(p))
        return true;
    if (p->end - p->at > 6 && memcmp(p->at, "table", 5) == 0 &&
        (p->at[5] == ' ' || p->at[5] == '\t')) {
        const char *word = p->at;
        p->at += 5;
        skip_blanks(p);
        if (p->at < p->end && is_digit(*p->at))
            return parse_table_head(p);
        p->at = word; /* a place called table */
    }
    return p->table ? parse_row(p) : parse_roads(p);
}

/* Enters the roads into the matrix, and finds those that are there twice. */
static bool make_matrix(struct parser *p) {
    struct graph *g = p->g;
    size_t side = (size_t)g->vertices;
    int *line_of = calloc(side * side, sizeof *line_of);
    g->ways = calloc(side * side, sizeof *g->ways);
    if (!line_of || !g->ways) {
        free(line_of);
        return no_memory(p);
    }
    bool good = true;
    for (size_t i = 0; good && i < p->road_count; ++i) {
        const struct road *r = &p->roads[i];
        size_t at = (size_t)r->from * side + (size_t)r->to;
        p->line = r->line;
        if (g->ways[at] && line_of[at] == r->line)
            good = refuse(p, "the road from %s to %s is in this line twice", g->name[r->from],
                          g->name[r->to]);
        else if (g->ways[at])
            good = refuse(p, "the road from %s to %s is already in line %d", g->name[r->from],
                          g->name[r->to], line_of[at]);
        g->ways[at] = 1;
        line_of[at] = r->line;
    }
    free(line_of);
    return good;
}

static bool finish(struct parser *p) {
    struct graph *g = p->g;
    p->line = 0;
    if (p->table && p->rows < p->vertex_room)
        return refuse(p,
                      "the table has %d rows and %d columns: it must have as many rows as columns",
                      p->rows, p->vertex_room);
    if (g->vertices == 0)
        return refuse(p, p->table ? "the table has no rows" : "there is no place in this file");
    return p->table || make_matrix(p);
}

bool graph_parse(struct graph *g, const char *text, size_t bytes, struct graph_error *e) {
    *g = (struct graph){.length = 1};
    *e = (struct graph_error){0};
    struct parser p = {.g = g, .e = e};
    bool good = bytes <= GRAPH_TEXT_MAX || refuse(&p, "more than %d bytes", GRAPH_TEXT_MAX);
    for (const char *at = text, *end = text + bytes; good && at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        p.at = at;
        p.end = line_end ? line_end : end;
        p.line++;
        at = line_end ? line_end + 1 : end;
        good = parse_line(&p);
    }
    good = good && finish(&p);
    free(p.roads);
    if (!good)
        graph_free(g);
    return good;
}

bool graph_read(struct graph *g, const char *path, struct graph_error *e) {
    *g = (struct graph){0};
    *e = (struct graph_error){0};
    FILE *f = fopen(path, "re");
    char *text = f ? malloc(GRAPH_TEXT_MAX + 1) : NULL;
    size_t bytes = text ? fread(text, 1, GRAPH_TEXT_MAX + 1, f) : 0;
    bool good = text && !ferror(f);
    if (!good)
        snprintf(e->what, sizeof e->what, "%s", strerror(errno));
    if (f)
        fclose(f);
    good = good && graph_parse(g, text, bytes, e);
    free(text);
    return good;
}

void graph_free(struct graph *g) {
    free(g->name);
    free(g->ways);
    *g = (struct graph){0};
}
