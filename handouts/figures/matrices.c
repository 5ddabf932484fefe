/* matrices.c: figures of matrices: product, grid over a matrix, storage order, loops, the graph. */
#include "handouts/figures/figures.h"

void figure_aim(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 330, "One element of C, a row of A and a column of B",
        "Matrix A stands left of C and matrix B above C. The marked row of A and the marked column "
        "of B run straight towards the element of C that they make, at row i and column j. A is m "
        "by k, B is k by n, C is m by n.");
    svg_area(s, "none", 200, 24, 210, 120);
    svg_area(s, "b", 298, 24, 18, 120);
    svg_box(s, "line", 298, 24, 18, 120);
    svg_box(s, "line", 200, 24, 210, 120);
    svg_text(s, "bold", 's', 208, 42, "B");
    svg_text(s, "text", 'm', 305, 16, "n");
    svg_text(s, "text", 'e', 194, 88, "k");
    svg_area(s, "none", 46, 162, 120, 130);
    svg_area(s, "a", 46, 222, 120, 18);
    svg_box(s, "line", 46, 222, 120, 18);
    svg_box(s, "line", 46, 162, 120, 130);
    svg_text(s, "bold", 's', 54, 180, "A");
    svg_text(s, "text", 'm', 106, 310, "k");
    svg_text(s, "text", 'e', 40, 200, "m");
    svg_area(s, "none", 200, 162, 210, 130);
    svg_area(s, "c", 298, 222, 18, 18);
    svg_box(s, "strong", 298, 222, 18, 18);
    svg_box(s, "line", 200, 162, 210, 130);
    svg_text(s, "bold", 's', 208, 180, "C");
    svg_arrow(s, "line", 168, 231, 294, 231);
    svg_arrow(s, "line", 307, 146, 307, 218);
    svg_text(s, "small", 'e', 292, 215, "row i");
    svg_text(s, "small", 's', 322, 215, "column j");
    svg_text(s, "quiet", 'm', 305, 310, "C[i][j] = A[i][0] B[0][j] + … + A[i][k-1] B[k-1][j]");
}

void figure_grid(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    const double x0 = 14, y0 = 40, px = 1.84; /* units an element */
    svg_begin(
        s, out, name, 440, 254, "Blocks of 32 by 16 threads over a matrix of 70 by 200",
        "A matrix of 70 rows and 200 columns, covered by 7 blocks from left to right and 5 from "
        "top to bottom. The last column of blocks reaches 24 columns beyond the matrix, the last "
        "row of blocks 10 rows beyond it; that part is hatched. Block x = 3, y = 2, the middle "
        "one, is outlined.");
    svg_area(s, "bad", x0, y0, 224 * px, 80 * px);
    svg_area(s, "c", x0, y0, 200 * px, 70 * px);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++) {
            svg_box(s, "faint", x0 + 32 * j * px, y0 + 16 * i * px, 32 * px, 16 * px);
            svg_text(s, "small", 'm', x0 + 32 * (j + .5) * px, y0 + 16 * (i + .5) * px + 4, "%d,%d",
                     j, i);
        }
    svg_box(s, "line", x0, y0, 200 * px, 70 * px);
    svg_box(s, "strong", x0 + 96 * px, y0 + 32 * px, 32 * px, 16 * px);
    svg_text(s, "text", 's', x0, 18, "gridDim = (7, 5, 1), blockDim = (32, 16, 1)");
    svg_text(s, "small", 's', x0, 35, "column 0");
    svg_text(s, "small", 'e', x0 + 200 * px, 35, "199");
    svg_text(s, "small", 'e', x0 + 224 * px, 35, "223");
    svg_text(s, "text", 's', x0, 208, "C has 70 x 200 = 14,000 elements; 35 blocks x 512 = 17,920");
    svg_area(s, "bad", x0, 218, 26, 16);
    svg_box(s, "faint", x0, 218, 26, 16);
    svg_text(s, "text", 's', x0 + 34, 231, "3,920 threads outside C: they must not touch memory");
}

void figure_rowmajor(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    const double cell = 34, strip = 17.4;
    svg_begin(
        s, out, name, 440, 282, "Row-major storage and stride",
        "A matrix of 4 rows and 6 columns, its elements numbered 0 to 23 row by row. A 2 by 3 "
        "sub-matrix, rows 1 and 2, columns 2 to 4, is marked: 8, 9, 10 and 14, 15, 16. Below, "
        "memory as one line of 24 cells: the sub-matrix's rows lie 6 cells apart, the stride.");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) {
            bool in = i >= 1 && i <= 2 && j >= 2 && j <= 4;
            int e = i * 6 + j;
            svg_area(s, in ? "a" : "none", 60 + j * cell, 26 + i * cell * .9, cell, cell * .9);
            svg_box(s, "faint", 60 + j * cell, 26 + i * cell * .9, cell, cell * .9);
            svg_text(s, "text", 'm', 60 + (j + .5) * cell, 26 + (i + .5) * cell * .9 + 5, "%d", e);
            svg_area(s, in ? "a" : "none", 11 + e * strip, 206, strip, 26);
            svg_box(s, "faint", 11 + e * strip, 206, strip, 26);
            svg_text(s, "small", 'm', 11 + (e + .5) * strip, 223, "%d", e);
        }
    svg_box(s, "line", 60, 26, 6 * cell, 4 * cell * .9);
    svg_box(s, "strong", 60 + 2 * cell, 26 + cell * .9, 3 * cell, 2 * cell * .9);
    for (int i = 0; i < 4; i++) {
        svg_text(s, "small", 'e', 54, 46 + i * cell * .9, "row %d", i);
        svg_box(s, "line", 11 + 6 * i * strip, 206, 6 * strip, 26);
        svg_text(s, "small", 'm', 11 + (6 * i + 3) * strip, 199, "row %d", i);
    }
    svg_text(s, "small", 'm', 60 + 3 * cell, 18, "columns 0 to 5");
    svg_text(s, "quiet", 's', 276, 76, "a sub-matrix:");
    svg_text(s, "quiet", 's', 276, 92, "2 rows, 3 columns,");
    svg_text(s, "quiet", 's', 276, 108, "stride 6");
    svg_text(s, "text", 's', 11, 178, "the same 24 elements in memory");
    svg_arrow(s, "line", 11 + 8.5 * strip, 250, 11 + 14.5 * strip, 250);
    svg_line(s, "faint", 11 + 8.5 * strip, 232, 11 + 8.5 * strip, 250);
    svg_line(s, "faint", 11 + 14.5 * strip, 232, 11 + 14.5 * strip, 250);
    svg_text(s, "text", 'm', 11 + 11.5 * strip, 270, "one row down = 6 elements on");
}

/* One panel of figure_loops: how the innermost loop walks through B. */
static void draw_walk(struct svg *s, double x, bool down, const char *title, const char *note) {
    const double cell = 16;
    svg_text(s, "bold", 's', x, 20, "%s", title);
    svg_text(s, "small", 's', x, 38, "B, 8 x 12; boxes are cache lines");
    svg_area(s, "none", x, 46, 12 * cell, 8 * cell);
    for (int i = 0; i < 8; i++)
        for (int line = 0; line < 3; line++) {
            bool touched = down ? line == 0 : i == 2;
            svg_area(s, touched ? (down ? "bad" : "a") : "none", x + line * 4 * cell, 46 + i * cell,
                     4 * cell, cell);
            svg_box(s, "faint", x + line * 4 * cell, 46 + i * cell, 4 * cell, cell);
        }
    svg_box(s, "line", x, 46, 12 * cell, 8 * cell);
    if (down)
        svg_arrow(s, "strong", x + 1.5 * cell, 48, x + 1.5 * cell, 44 + 8 * cell);
    else
        svg_arrow(s, "strong", x + 4, 46 + 2.5 * cell, x + 12 * cell - 2, 46 + 2.5 * cell);
    svg_text(s, "small", 's', x, 194, "%s", note);
}

void figure_loops(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(s, out, name, 440, 222, "The innermost loop's way through B",
              "Two copies of matrix B, its rows cut into cache lines. Left, p is innermost: the "
              "walk goes down a column and touches a new cache line at every step, using one "
              "element of each. Right, j is innermost: the walk goes along a row and uses every "
              "element of each line.");
    draw_walk(s, 10, true, "p innermost: i, j, p", "8 steps, 8 lines, 1 element used of each");
    draw_walk(s, 238, false, "j innermost: i, p, j", "12 steps, 3 lines, all of each used");
    svg_text(s, "quiet", 's', 10, 214, "Real lines hold 16 floats (64 bytes); 4 are drawn.");
}

void figure_colmajor(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 344, "The same six numbers, read by rows and by columns",
        "Memory holds 1 2 3 4 5 6. Read by rows with two rows of three it is the matrix A: 1 2 3 "
        "over 4 5 6. Read by columns with columns of three it is the 3 by 2 matrix 1 4, 2 5, 3 6: "
        "A transposed. Below: we want C = A B; cuBLAS is asked for C transposed = B transposed "
        "times A transposed, and finds each of these in memory as our matrix lies there.");
    svg_text(s, "text", 's', 12, 20, "memory");
    for (int e = 0; e < 6; e++) {
        svg_area(s, "a", 130 + e * 30, 6, 30, 26);
        svg_box(s, "line", 130 + e * 30, 6, 30, 26);
        svg_text(s, "text", 'm', 145 + e * 30, 24, "%d", e + 1);
    }
    svg_arrow(s, "line", 180, 36, 100, 72);
    svg_arrow(s, "line", 260, 36, 340, 72);
    svg_text(s, "text", 'm', 100, 90, "read by rows: A, 2 x 3");
    svg_text(s, "text", 'm', 335, 90, "by columns: Aᵀ, 3 x 2");
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            svg_area(s, "a", 55 + j * 30, 100 + i * 28, 30, 28);
            svg_box(s, "line", 55 + j * 30, 100 + i * 28, 30, 28);
            svg_text(s, "text", 'm', 70 + j * 30, 119 + i * 28, "%d", i * 3 + j + 1);
            svg_area(s, "a", 305 + i * 30, 100 + j * 28, 30, 28);
            svg_box(s, "line", 305 + i * 30, 100 + j * 28, 30, 28);
            svg_text(s, "text", 'm', 320 + i * 30, 119 + j * 28, "%d", i * 3 + j + 1);
        }
    svg_text(s, "small", 'm', 335, 200, "leading dimension 3: one");
    svg_text(s, "small", 'm', 335, 214, "column on = 3 elements on");

    svg_text(s, "bold", 's', 12, 240, "we want, by rows");
    svg_text(s, "mono", 's', 12, 262, "C = A * B");
    svg_text(s, "quiet", 's', 12, 280, "sizes m x n, m x k, k x n");
    svg_text(s, "bold", 's', 222, 240, "cuBLAS sees, by columns");
    svg_text(s, "mono", 's', 222, 262, "Cᵀ = Bᵀ * Aᵀ");
    svg_text(s, "quiet", 's', 222, 280, "sizes n x m, n x k, k x m");
    svg_arrow(s, "line", 126, 258, 212, 258);
    svg_text(s, "text", 's', 12, 312,
             "Not one number moves. Only the order of the operands changes,");
    svg_text(s, "text", 's', 12, 330, "and with it the roles of m and n.");
}

void figure_graph(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const struct {
        char name;
        double x, y;
    } v[10] = {{'A', 36, 60},  {'B', 120, 34},  {'C', 92, 130},  {'D', 176, 104}, {'E', 130, 212},
               {'F', 250, 62}, {'G', 316, 128}, {'H', 244, 206}, {'I', 348, 40},  {'J', 404, 128}};
    static const char edges[17][3] = {"AB", "AC", "BC", "BD", "BF", "CD", "CE", "DF", "EH",
                                      "FG", "FH", "FI", "GH", "GI", "GJ", "HJ", "IJ"};
    svg_begin(
        s, out, name, 440, 240, "A graph with 10 vertices and 17 edges",
        "Vertices A to J and the edges A-B, A-C, B-C, B-D, B-F, C-D, C-E, D-F, E-H, F-G, F-H, F-I, "
        "G-H, G-I, G-J, H-J and I-J. The path C-E-H-J is drawn with thick lines.");
    for (int e = 0; e < 17; e++) {
        int a = edges[e][0] - 'A', b = edges[e][1] - 'A';
        bool marked = (a == 2 && b == 4) || (a == 4 && b == 7) || (a == 7 && b == 9);
        svg_line(s, marked ? "strong" : "line", v[a].x, v[a].y, v[b].x, v[b].y);
    }
    for (int i = 0; i < 10; i++) {
        svg_circle(s, "fa", v[i].x, v[i].y, 14);
        svg_circle(s, "line", v[i].x, v[i].y, 14);
        svg_text(s, "bold text", 'm', v[i].x, v[i].y + 5, "%c", v[i].name);
    }
}
