/* tiles.c: figures of tiled products: phases, barriers, edge tiles, register tiles. */
#include "handouts/figures/figures.h"

/* A 4 x 4 matrix whose tile (row, col) of 2 x 2 is marked. */
static void draw_tiled(struct svg *s, double x, double y, const char *label, const char *class,
                       int row, int col) {
    const double cell = 24;
    svg_area(s, "none", x, y, 4 * cell, 4 * cell);
    svg_area(s, class, x + col * 2 * cell, y + row * 2 * cell, 2 * cell, 2 * cell);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            svg_box(s, "faint", x + j * cell, y + i * cell, cell, cell);
            if (i / 2 == row && j / 2 == col)
                svg_text(s, "small", 'm', x + (j + .5) * cell, y + (i + .5) * cell + 4, "%s%d%d",
                         label, i, j);
        }
    for (int t = 0; t < 2; t++) {
        svg_box(s, "line", x + t * 2 * cell, y, 2 * cell, 4 * cell);
        svg_box(s, "line", x, y + t * 2 * cell, 4 * cell, 2 * cell);
    }
    svg_box(s, "strong", x + col * 2 * cell, y + row * 2 * cell, 2 * cell, 2 * cell);
}

/* A to the left of C, B above it: where a row of A meets a column of B, there is their element. */
static void draw_phase(struct svg *s, double x, int phase) {
    const double side = 96, gap = 12;
    const double cx = x + side + gap, cy = 34 + side + gap;
    const int p = phase * 2;
    svg_text(s, "bold", 's', x, 18, "phase %d", phase);
    draw_tiled(s, cx, 34, "b", "b", phase, 0);
    draw_tiled(s, x, cy, "a", "a", 0, phase);
    draw_tiled(s, cx, cy, "c", "c", 0, 0);
    svg_text(s, "bold", 's', x + side - 4, 30, "B");
    svg_text(s, "bold", 's', x + 2, cy - 5, "A");
    svg_text(s, "bold", 's', cx + side - 12, cy + side + 15, "C");
    svg_text(s, "small", 's', x, 82, "A: tile (0, %d)", phase);
    svg_text(s, "small", 's', x, 98, "B: tile (%d, 0)", phase);
    svg_text(s, "quiet", 's', x, cy + side + 15, "8 loads, 16 uses");
    svg_text(s, "mono", 's', x, cy + side + 38, "c00 += a0%d*b%d0 + a0%d*b%d0", p, p, p + 1, p + 1);
    svg_text(s, "mono", 's', x, cy + side + 54, "c01 += a0%d*b%d1 + a0%d*b%d1", p, p, p + 1, p + 1);
    svg_text(s, "mono", 's', x, cy + side + 70, "c10 += a1%d*b%d0 + a1%d*b%d0", p, p, p + 1, p + 1);
    svg_text(s, "mono", 's', x, cy + side + 86, "c11 += a1%d*b%d1 + a1%d*b%d1", p, p, p + 1, p + 1);
}

void figure_phases(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 332, "One block of 2 by 2 threads in two phases",
        "Two pictures of A, B and C, A to the left of C and B above it. The block computes "
        "the upper left tile of C. In phase 0 it loads the upper left tile of A and the upper "
        "left tile of B. In phase 1 it loads the tile of A to the right and the tile of B "
        "below. In each phase every thread adds two products to its sum, c00, c01, c10 or "
        "c11.");
    draw_phase(s, 8, 0);
    svg_line(s, "faint", 220, 8, 220, 324);
    draw_phase(s, 230, 1);
}

/* One thread's time line: what it does in turn, as widths. */
static void draw_thread(struct svg *s, double y, const char *label, const double *width,
                        const char *const *class, const char *const *text, int count) {
    double x = 74;
    svg_text(s, "text", 's', 8, y + 19, "%s", label);
    for (int i = 0; i < count; i++) {
        svg_area(s, class[i], x, y, width[i], 28);
        svg_box(s, "line", x, y, width[i], 28);
        svg_text(s, "small", 'm', x + width[i] / 2, y + 18, "%s", text[i]);
        x += width[i];
    }
}

void figure_barriers(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const char *const kind[] = {"a", "bad", "c", "bad", "a"};
    static const char *const words[] = {"load 0", "wait", "use 0", "wait", "load 1"};
    static const double quick[] = {70, 40, 70, 58, 70}, slow[] = {110, 1e-9, 128, 1e-9, 70};
    static const char *const kind2[] = {"a", "c", "a"};
    static const char *const words2[] = {"load 0", "use 0", "load 1"};
    static const char *const words3[] = {"load 0", "", "load 1"};
    static const double quick2[] = {110, 70, 70}, slow2[] = {110, 128, 70};
    svg_begin(s, out, name, 440, 292, "Why each phase needs two barriers",
              "Above, with both barriers: a quick warp waits after loading until the slow warp has "
              "loaded, and waits after using the tiles until the slow warp has used them. Below, "
              "without the second barrier: the quick warp loads the tiles of phase 1 while the "
              "slow warp still uses those of phase 0.");
    svg_text(s, "bold", 's', 8, 16, "with both barriers");
    draw_thread(s, 28, "warp 0", quick, kind, words, 5);
    static const char *const slow_words[] = {"load 0", "", "use 0", "", "load 1"};
    draw_thread(s, 64, "warp 1", slow, kind, slow_words, 5);
    svg_line(s, "strong", 184, 22, 184, 100);
    svg_line(s, "strong", 312, 22, 312, 100);
    svg_text(s, "small", 'm', 184, 114, "barrier 1: all is loaded");
    svg_text(s, "small", 'm', 330, 114, "barrier 2: all is used");

    svg_text(s, "bold", 's', 8, 150, "without the second one");
    draw_thread(s, 162, "warp 0", quick2, kind2, words2, 3);
    draw_thread(s, 198, "warp 1", slow2, kind2, words3, 3);
    svg_text(s, "small", 'm', 216, 216, "use 0");
    svg_line(s, "strong", 184, 156, 184, 234);
    svg_box(s, "dashed", 254, 157, 58, 74);
    svg_arrow(s, "line", 330, 258, 290, 234);
    svg_text(s, "text", 's', 60, 258, "warp 0 overwrites the tiles");
    svg_text(s, "text", 's', 60, 276, "while warp 1 still reads them: a race");
}

/* A matrix of rows x cols under tiles of 32: the part outside is hatched. */
static void draw_edge(struct svg *s, double x, double y, double px, int rows, int cols,
                      const char *label, const char *class) {
    int tile_rows = (rows + 31) / 32, tile_cols = (cols + 31) / 32;
    svg_area(s, "bad", x, y, tile_cols * 32 * px, tile_rows * 32 * px);
    svg_area(s, class, x, y, cols * px, rows * px);
    for (int i = 0; i < tile_rows; i++)
        for (int j = 0; j < tile_cols; j++)
            svg_box(s, "faint", x + j * 32 * px, y + i * 32 * px, 32 * px, 32 * px);
    svg_box(s, "line", x, y, cols * px, rows * px);
    svg_text(s, "bold", 's', x + 6, y + 18, "%s", label);
    svg_text(s, "small", 's', x + 6, y + 32, "%d x %d", rows, cols);
}

void figure_edge(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    const double px = 2.15;
    svg_begin(
        s, out, name, 440, 424, "Tiles of 32 over matrices of other sizes",
        "A is 70 by 50, B is 50 by 90 and C is 70 by 90, each covered by tiles of 32 by 32. A's "
        "tiles stick out by 26 rows and 14 columns, B's by 14 rows and 6 columns, C's by 26 rows "
        "and 6 columns. What sticks out is hatched.");
    double x = 14, y = 28, cx = x + 64 * px + 30, cy = y + 64 * px + 26;
    svg_text(s, "small", 's', cx, y - 8, "n = 90, tiles cover 96");
    draw_edge(s, cx, y, px, 50, 90, "B", "b");
    draw_edge(s, x, cy, px, 70, 50, "A", "a");
    draw_edge(s, cx, cy, px, 70, 90, "C", "c");
    svg_text(s, "small", 's', x, cy - 8, "k = 50, tiles cover 64");
    svg_area(s, "bad", 14, 40, 24, 16);
    svg_box(s, "faint", 14, 40, 24, 16);
    svg_text(s, "text", 's', 14, 76, "outside:");
    svg_text(s, "text", 's', 14, 94, "A, B: a zero goes");
    svg_text(s, "text", 's', 14, 112, "into the tile");
    svg_text(s, "text", 's', 14, 130, "C: nothing is stored");
    svg_text(s, "quiet", 's', 14, cy + 96 * px + 14, "m = 70, tiles cover 96");
}

void figure_register_tiles(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    svg_begin(
        s, out, name, 440, 300, "A block's tile, a warp's tile, a thread's tile",
        "Left, a block's tile of C of 128 by 128 elements, cut into 8 warp tiles of 64 rows by 32 "
        "columns. Middle, one warp tile, cut into 32 thread tiles of 8 rows by 8 columns. Right, "
        "one thread tile: 64 sums held in registers; from 8 elements of A and 8 of B it makes 64 "
        "multiply-adds.");
    svg_text(s, "bold", 's', 8, 18, "block: 128 x 128");
    svg_cells(s, "none", 8, 40, 2, 4, 32, 64);
    svg_area(s, "a", 72, 40, 32, 64);
    svg_box(s, "strong", 72, 40, 32, 64);
    svg_text(s, "small", 's', 8, 186, "8 warps share two");
    svg_text(s, "small", 's', 8, 200, "tiles in shared memory");
    svg_line(s, "dashed", 104, 40, 168, 40);
    svg_line(s, "dashed", 104, 104, 168, 200);
    svg_text(s, "bold", 's', 168, 18, "warp: 64 x 32");
    svg_cells(s, "a", 168, 40, 8, 4, 20, 20);
    svg_area(s, "c", 208, 100, 20, 20);
    svg_box(s, "strong", 208, 100, 20, 20);
    svg_text(s, "small", 's', 168, 218, "32 threads");
    svg_line(s, "dashed", 228, 100, 300, 62);
    svg_line(s, "dashed", 228, 120, 300, 182);
    svg_text(s, "bold", 's', 296, 18, "thread: 8 x 8");
    svg_cells(s, "b", 300, 40, 1, 8, 15, 15);
    svg_cells(s, "a", 278, 62, 8, 1, 15, 15);
    svg_cells(s, "c", 300, 62, 8, 8, 15, 15);
    svg_text(s, "small", 's', 426, 52, "B");
    svg_text(s, "small", 's', 281, 198, "A");
    svg_text(s, "small", 's', 300, 200, "64 sums in registers");
    svg_text(s, "text", 's', 8, 244, "For each p a thread reads 8 elements of A and 8 of B from");
    svg_text(s, "text", 's', 8, 262, "shared memory and makes 64 multiply-adds: 4 for each");
    svg_text(s, "text", 's', 8, 280, "element read. In lab 4 it is 1 for 2.");
}
