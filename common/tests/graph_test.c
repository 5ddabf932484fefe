/* graph_test.c: graph files: what is read, what is refused and where; and exact powers, checked
 * against published tables. */
#include "common/graph.h"
#include "common/tests/suite.h"

#include "common/ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct graph g;
static struct graph_error e;

static bool parse(const char *text) {
    return graph_parse(&g, text, strlen(text), &e);
}

static uint32_t ways(const char *from, const char *to) {
    int i = graph_find(&g, from), j = graph_find(&g, to);
    ck_assert_int_ge(i, 0);
    ck_assert_int_ge(j, 0);
    return g.ways[i * g.vertices + j];
}

static void refused(const char *text, int line, const char *what) {
    ck_assert_msg(!parse(text), "accepted: %s", text);
    ck_assert_msg(strstr(e.what, what) != NULL, "'%s': expected '%s' in '%s'", text, what, e.what);
    ck_assert_msg(e.line == line, "'%s': expected line %d, got %d", text, line, e.line);
    ck_assert_ptr_null(strchr(e.what, '\n'));
    ck_assert_ptr_null(g.ways);
    ck_assert_ptr_null(g.name);
}

TEST(roads) {
    ck_assert(parse("# a comment\nA - B # another\r\n\n  B->C\t-  A\nlonely_1\nC - C"));
    ck_assert_int_eq(g.vertices, 4);
    ck_assert_int_eq(g.edges, 4);
    ck_assert_int_eq(g.length, 1);
    ck_assert_str_eq(g.name[3], "lonely_1");
    ck_assert_uint_eq(ways("A", "B"), 1);
    ck_assert_uint_eq(ways("B", "A"), 1);
    ck_assert_uint_eq(ways("B", "C"), 1);
    ck_assert_uint_eq(ways("C", "B"), 0);
    ck_assert_uint_eq(ways("A", "C"), 1);
    ck_assert_uint_eq(ways("C", "C"), 1);
    ck_assert_uint_eq(ways("lonely_1", "A"), 0);
    ck_assert_int_eq(graph_find(&g, "D"), -1);
    graph_free(&g);
    ck_assert(parse("table - x")); /* a place may be called so */
    ck_assert_int_eq(g.edges, 1);
    graph_free(&g);
    ck_assert(parse("A")); /* no line end */
    ck_assert_int_eq(g.vertices, 1);
    graph_free(&g);
}

TEST(tables) {
    ck_assert(parse("table 4 # ways\nA: 1 2\nB:\t16777216 0\n"));
    ck_assert_int_eq(g.length, 4);
    ck_assert_int_eq(g.edges, 0);
    ck_assert_uint_eq(ways("B", "A"), 16777216);
    ck_assert_uint_eq(ways("A", "B"), 2);
    graph_free(&g);
}

TEST(refusals) {
    refused("", 0, "no place");
    refused("# only this", 0, "no place");
    refused("A B", 1, "expected '-' or '->' between two places, found 'B'");
    refused("A - B\nA -", 2, "found the end of the line");
    refused("A - B\n\nB - A\n", 3, "the road from B to A is already in line 1");
    refused("A - B - A", 1, "is in this line twice");
    refused("A -> B\nA -> B", 2, "is already in line 1");
    refused("1 - 2", 1, "begins with a letter, found '1'");
    refused("A -- B", 1, "begins with a letter, found '-'");
    refused("\xff", 1, "the byte 0xff");
    refused("abcdefghijklmnop - B", 1, "16 characters, at most 15");
    refused("A - B\ntable 2\n", 2, "must come before everything");
    refused("table 2\ntable 2\n", 2, "a second 'table'");
    refused("table 0\nA: 1", 1, "length 0");
    refused("table 1001\nA: 1", 1, "larger than 1000");
    refused("table 1 2\nA: 1", 1, "unexpected '2'");
    refused("table 2\n", 0, "no rows");
    refused("table 2\nA: 1 2", 0, "1 rows and 2 columns");
    refused("table 2\nA: 1 2\nB: 1", 3, "row 'B' has 1 numbers, the first row has 2");
    refused("table 2\nA: 1\nB: 1", 3, "row 2 of a table with 1 columns");
    refused("table 2\nA: 1 2\nA: 1 2", 3, "a second row 'A'");
    refused("table 2\nA 1 2", 2, "expected ':'");
    refused("table 2\nA: 16777217", 2, "larger than 16777216");
    refused("table 2\nA: 1x", 2, "a blank after a number, found 'x'");
    refused("table 2\nA: -1", 2, "a whole number, 0 or more, found '-1'");
    refused("table 2\nA:", 2, "1 to 2048 columns, not 0");
    ck_assert(!graph_parse(&g, "A\0B", 3, &e)); /* a NUL is no end */
    ck_assert_ptr_nonnull(strstr(e.what, "the byte 0x00"));
    ck_assert(!graph_read(&g, "/nonexistent/graph", &e));
    ck_assert_ptr_nonnull(strstr(e.what, "No such file"));
}

TEST(too_many_places) {
    char *text = malloc(20 * (GRAPH_VERTICES + 2));
    size_t at = 0;
    for (int i = 0; i < GRAPH_VERTICES + 1; ++i)
        at += (size_t)sprintf(text + at, "v%d\n", i);
    ck_assert(!graph_parse(&g, text, at, &e));
    ck_assert_int_eq(e.line, GRAPH_VERTICES + 1);
    free(text);
}

/* R. Hochberg's tables for his graph: ways of length 2, 3 and 4, from and to A ... J. */
static const int published[3][10][10] = {
    {{2, 1, 1, 2, 1, 1, 0, 0, 0, 0},
     {1, 4, 2, 2, 1, 1, 1, 1, 1, 0},
     {1, 2, 4, 1, 0, 2, 0, 1, 0, 0},
     {2, 2, 1, 3, 1, 1, 1, 1, 1, 0},
     {1, 1, 0, 1, 2, 1, 1, 0, 0, 1},
     {1, 1, 2, 1, 1, 5, 2, 1, 1, 3},
     {0, 1, 0, 1, 1, 2, 4, 2, 2, 2},
     {0, 1, 1, 1, 0, 1, 2, 4, 3, 1},
     {0, 1, 0, 1, 0, 1, 2, 3, 3, 1},
     {0, 0, 0, 0, 1, 3, 2, 1, 1, 3}},
    {{2, 6, 6, 3, 1, 3, 1, 2, 1, 0},
     {6, 6, 8, 7, 3, 9, 3, 3, 2, 3},
     {6, 8, 4, 8, 5, 4, 3, 2, 2, 1},
     {3, 7, 8, 4, 2, 8, 3, 3, 2, 3},
     {1, 3, 5, 2, 0, 3, 2, 5, 3, 1},
     {3, 9, 4, 8, 3, 6, 10, 11, 10, 4},
     {1, 3, 3, 3, 2, 10, 8, 9, 8, 8},
     {2, 3, 2, 3, 5, 11, 9, 4, 4, 9},
     {1, 2, 2, 2, 3, 10, 8, 4, 4, 8},
     {0, 3, 1, 3, 1, 4, 8, 9, 8, 4}},
    {{12, 14, 12, 15, 8, 13, 6, 5, 4, 4},
     {14, 30, 22, 23, 11, 21, 17, 18, 15, 8},
     {12, 22, 27, 16, 6, 23, 9, 13, 8, 7},
     {15, 23, 16, 23, 11, 19, 16, 16, 14, 8},
     {8, 11, 6, 11, 10, 15, 12, 6, 6, 10},
     {13, 21, 23, 19, 15, 48, 31, 23, 20, 31},
     {6, 17, 9, 16, 12, 31, 35, 28, 26, 25},
     {5, 18, 13, 16, 6, 23, 28, 34, 29, 17},
     {4, 15, 8, 14, 6, 20, 26, 29, 26, 16},
     {4, 8, 7, 8, 10, 31, 25, 17, 16, 25}},
};

TEST(published_powers) {
    ck_assert_msg(graph_read(&g, "labs/graphs/ten-places.graph", &e), "line %d: %s", e.line,
                  e.what);
    ck_assert_int_eq(g.vertices, 10);
    ck_assert_int_eq(g.edges, 17);
    ways_count now[100], next[100];
    for (int i = 0; i < 100; ++i)
        now[i] = g.ways[i];
    for (int length = 2; length <= 4; ++length) {
        ck_assert(ways_step(10, g.ways, now, next));
        for (int i = 0; i < 10; ++i) {
            ck_assert_str_eq(g.name[i], ((char[2]){(char)('A' + i), 0}));
            for (int j = 0; j < 10; ++j)
                ck_assert_msg((int)next[10 * i + j] == published[length - 2][i][j],
                              "length %d, from %s to %s", length, g.name[i], g.name[j]);
        }
        memcpy(now, next, sizeof now);
    }
    /* Up to length 14 a float holds every count. */
    for (int length = 5; length <= 15; ++length) {
        ck_assert(ways_step(10, g.ways, now, next));
        memcpy(now, next, sizeof now);
        ck_assert(length == 15 || ways_largest(10, now) <= WAYS_FLOAT_EXACT);
    }
    ck_assert_uint_eq((uint64_t)ways_largest(10, now), 55575932);
    graph_free(&g);
}

TEST(published_exploration) {
    ck_assert_msg(graph_read(&g, "labs/graphs/five-places.graph", &e), "line %d: %s", e.line,
                  e.what);
    ways_count now[25], next[25];
    for (int i = 0; i < 25; ++i)
        now[i] = g.ways[i];
    ck_assert(ways_step(5, g.ways, now, next));
    ck_assert_uint_eq((uint64_t)next[1], 208); /* from A to B, length 8 */
    graph_free(&g);
}

TEST(exact_counts) {
    char text[WAYS_TEXT];
    ck_assert_str_eq(ways_text(0, text), "0");
    ck_assert_str_eq(ways_text(UINT64_MAX, text), "18446744073709551615");
    ck_assert_str_eq(ways_text(~(ways_count)0, text), "340282366920938463463374607431768211455");
    uint32_t step[1] = {2};
    ways_count big[1] = {(ways_count)1 << 126}, next[1];
    ck_assert(ways_step(1, step, big, next));
    ck_assert(next[0] == (ways_count)1 << 127);
    ck_assert(!ways_step(1, step, next, big));
    ck_assert_uint_eq((uint64_t)ways_pascal(4, 2), 6);
    ck_assert_uint_eq((uint64_t)ways_pascal(0, 0), 1);
    ck_assert_uint_eq((uint64_t)ways_pascal(3, 4), 0);
    ck_assert_str_eq(ways_text(ways_pascal(100, 50), text), "100891344545564193334812497256");
    for (int n = 1; n <= 130; ++n) /* the rule of the triangle */
        for (int k = 1; k < n; ++k)
            ck_assert(ways_pascal(n, k) == ways_pascal(n - 1, k) + ways_pascal(n - 1, k - 1));
}

/* Random bytes from the format's own alphabet: never a crash, always an answer with a line. */
TEST(random_texts) {
    static const char alphabet[] = "AB1 - >:\n#table 2\r\t.";
    unsigned state = 1;
    for (int round = 0; round < 20000; ++round) {
        char text[64];
        size_t n = 0;
        while (n < sizeof text) {
            state = state * 1103515245u + 12345u;
            text[n++] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
        }
        if (graph_parse(&g, text, n, &e)) {
            ck_assert_int_ge(g.vertices, 1);
            graph_free(&g);
        } else {
            ck_assert_int_ge(e.line, 0);
            ck_assert_str_ne(e.what, "");
        }
    }
}

int main(void) {
    return run_tests((struct suite){.name = "graph"});
}
