/* challenge.c: figures of labs 6 to 9: outer product, boxes of a warp, copies in the background,
 * TF32. */
#include "handouts/figures/figures.h"

void figure_outer_product(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    const double cell = 26, cx = 84, cy = 96;
    svg_begin(
        s, out, name, 440, 292, "A thread's tile of 2 by 2, one outer product",
        "A block's tile of C of 4 by 4 elements; the four threads lie on it like a stamp that is "
        "pressed four times. Thread (0, 1) owns rows 0 and 2 and columns 1 and 3. To the left is "
        "slab A, above is slab B. For p = 1 the thread reads a01 and a21, b11 and b13, and "
        "multiplies each of the first two with each of the others: four sums grow.");
    svg_text(s, "bold", 's', 8, 18, "block: 4 x 4, four threads");
    svg_text(s, "small", 's', cx + 4 * cell + 8, 60, "slab B");
    svg_text(s, "small", 's', cx - 60, 224, "slab A");
    svg_cells(s, "none", cx, 36, 2, 4, cell, cell);
    svg_cells(s, "none", cx - 60, cy, 4, 2, cell, cell);
    for (int j = 1; j < 4; j += 2) {
        svg_area(s, "b", cx + j * cell, 36 + cell, cell, cell);
        svg_box(s, "strong", cx + j * cell, 36 + cell, cell, cell);
        svg_text(s, "small", 'm', cx + (j + .5) * cell, 36 + 1.5 * cell + 4, "b1%d", j);
    }
    for (int i = 0; i < 4; i += 2) {
        svg_area(s, "a", cx - 60 + cell, cy + i * cell, cell, cell);
        svg_box(s, "strong", cx - 60 + cell, cy + i * cell, cell, cell);
        svg_text(s, "small", 'm', cx - 60 + 1.5 * cell, cy + (i + .5) * cell + 4, "a%d1", i);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const int mine = i % 2 == 0 && j % 2 == 1;
            svg_area(s, mine ? "c" : "none", cx + j * cell, cy + i * cell, cell, cell);
            svg_box(s, "faint", cx + j * cell, cy + i * cell, cell, cell);
            svg_text(s, mine ? "bold" : "quiet", 'm', cx + (j + .5) * cell,
                     cy + (i + .5) * cell + 4, "%d,%d", i % 2, j % 2);
        }
    for (int t = 0; t < 2; t++) {
        svg_box(s, "line", cx + t * 2 * cell, cy, 2 * cell, 4 * cell);
        svg_box(s, "line", cx, cy + t * 2 * cell, 4 * cell, 2 * cell);
    }
    svg_text(s, "small", 's', cx, 224, "thread ty,tx");

    const double x = 296, y = 96, wide = 62;
    svg_text(s, "bold", 's', 256, 18, "thread 0,1 at p = 1");
    for (int j = 0; j < 2; j++) {
        svg_area(s, "b", x + j * wide, y - 34, wide, 26);
        svg_box(s, "line", x + j * wide, y - 34, wide, 26);
        svg_text(s, "small", 'm', x + (j + .5) * wide, y - 17, "b1%d", 2 * j + 1);
        svg_area(s, "a", x - 40, y + j * 44, 32, 44);
        svg_box(s, "line", x - 40, y + j * 44, 32, 44);
        svg_text(s, "small", 'm', x - 24, y + j * 44 + 26, "a%d1", 2 * j);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            svg_area(s, "c", x + j * wide, y + i * 44, wide, 44);
            svg_box(s, "line", x + j * wide, y + i * 44, wide, 44);
            svg_text(s, "mono", 'm', x + (j + .5) * wide, y + i * 44 + 18, "c%d%d +=", 2 * i,
                     2 * j + 1);
            svg_text(s, "mono", 'm', x + (j + .5) * wide, y + i * 44 + 35, "a%d1*b1%d", 2 * i,
                     2 * j + 1);
        }
    svg_text(s, "small", 's', 256, 204, "4 reads, 4 multiplications");
    svg_text(s, "small", 's', 256, 220, "(8 x 8: 16 reads for 64)");
    svg_text(s, "text", 's', 8, 256, "The sums, two numbers of A and two of B are in registers.");
    svg_text(s, "text", 's', 8, 274, "One number of A serves two sums, one number of B two.");
}

void figure_boxes(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    const double w = 30, h = 17, x = 176, y = 44;
    svg_begin(
        s, out, name, 440, 376, "Whose elements are these? Block, warp, lane",
        "Left, a block's tile of 128 by 128, with 8 warp tiles in 2 rows of 4, each 64 rows by 32 "
        "columns. Warp 5 is marked. Right, its tile as boxes of 4 by 4 elements, 16 rows of 8 "
        "boxes. Lanes 0 to 31 fill the upper left quarter, 4 in a row; the same again in the other "
        "three quarters. Lane 13 is marked: it has one box in each quarter.");
    svg_text(s, "bold", 's', 8, 18, "block: 128 x 128");
    svg_text(s, "bold", 's', x, 18, "warp 5: 64 x 32");
    svg_text(s, "quiet", 's', x, 36, "boxes of 4 x 4, with their lane");
    for (int warp = 0; warp < 8; warp++) {
        const int row = warp / 4, col = warp % 4;
        const double bx = 8 + col * 34, by = y + row * 68;
        svg_area(s, warp == 5 ? "a" : "none", bx, by, 34, 68);
        svg_box(s, "line", bx, by, 34, 68);
        svg_text(s, warp == 5 ? "bold" : "small", 'm', bx + 17, by + 38, "%d", warp);
    }
    svg_box(s, "strong", 42, y + 68, 34, 68);
    svg_arrow(s, "line", 148, y + 102, x - 4, y + 102);
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++) {
            const int lane = row % 8 * 4 + col % 4;
            svg_area(s, lane == 13 ? "c" : "none", x + col * w, y + row * h, w, h);
            svg_box(s, "faint", x + col * w, y + row * h, w, h);
            svg_text(s, lane == 13 ? "bold" : "quiet", 'm', x + (col + .5) * w,
                     y + (row + .5) * h + 4, "%d", lane);
        }
    for (int down = 0; down < 2; down++)
        for (int right = 0; right < 2; right++)
            svg_box(s, "strong", x + (right * 4 + 1) * w, y + (down * 8 + 3) * h, w, h);
    svg_line(s, "strong", x + 4 * w, y, x + 4 * w, y + 16 * h);
    svg_line(s, "strong", x, y + 8 * h, x + 8 * w, y + 8 * h);
    svg_text(s, "text", 's', 8, y + 164, "Lane 13 of warp 5:");
    svg_text(s, "text", 's', 8, y + 184, "rows 76 to 79");
    svg_text(s, "text", 's', 8, y + 201, "and 108 to 111,");
    svg_text(s, "text", 's', 8, y + 221, "columns 36 to 39");
    svg_text(s, "text", 's', 8, y + 238, "and 52 to 55.");
    svg_text(s, "text", 's', 8, 344,
             "For one p a lane reads four float4's: two of A (its rows), two of B");
    svg_text(s, "text", 's', 8, 362,
             "(its columns), and multiplies each number with each: 64 times.");
}

/* A row of work: slabs one after the other, `at` says when each begins. */
static void draw_work(struct svg *s, double y, const char *label, const char *class,
                      const double *at, double length, int count) {
    const double unit = 9.4;
    svg_text(s, "small", 's', 8, y + 15, "%s", label);
    for (int i = 0; i < count; i++) {
        svg_area(s, class, 62 + at[i] * unit, y, length * unit, 22);
        svg_box(s, "line", 62 + at[i] * unit, y, length * unit, 22);
        svg_text(s, "small", 'm', 62 + (at[i] + length / 2) * unit, y + 15, "%d", i);
    }
}

void figure_pipeline(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const double copy_alone[] = {0, 10, 20}, use_alone[] = {6, 16, 26};
    static const double first[] = {0, 6, 12, 18, 24}, use_two[] = {6, 12, 18, 24, 30};
    static const double use_three[] = {6, 10, 14, 18, 22, 26};
    svg_begin(
        s, out, name, 440, 344, "Copies in the background",
        "Time runs to the right; copying a slab takes 6 units, multiplying one takes 4. With one "
        "buffer, copying and multiplying take turns: three slabs in 30 units. With two buffers the "
        "next slab is copied while this one is multiplied, and five slabs take 34 units, with "
        "waits of 2. With three buffers two copies are under way at any time, and after the first "
        "6 units one slab is multiplied after the other without a gap: six slabs in 30 units.");
    svg_text(s, "bold", 's', 8, 18, "one buffer (lab 7): take turns");
    draw_work(s, 28, "copy", "a", copy_alone, 6, 3);
    draw_work(s, 54, "multiply", "c", use_alone, 4, 3);
    svg_text(s, "bold", 's', 8, 110, "two buffers: one copy is ahead");
    draw_work(s, 120, "copy", "a", first, 6, 5);
    draw_work(s, 146, "multiply", "c", use_two, 4, 5);
    svg_text(s, "bold", 's', 8, 202, "three buffers (lab 8): two copies are ahead");
    static const double even[] = {0, 6, 14, 22}, odd[] = {0, 10, 18};
    for (int i = 0; i < 7; i++) {
        const double at = i % 2 ? odd[i / 2] : even[i / 2], y = i % 2 ? 238 : 212;
        svg_area(s, "a", 62 + at * 9.4, y, 6 * 9.4, 22);
        svg_box(s, "line", 62 + at * 9.4, y, 6 * 9.4, 22);
        svg_text(s, "small", 'm', 62 + (at + 3) * 9.4, y + 15, "%d", i);
    }
    svg_text(s, "small", 's', 8, 227, "copy");
    draw_work(s, 264, "multiply", "c", use_three, 4, 6);
    svg_arrow(s, "line", 62, 304, 250, 304);
    svg_text(s, "quiet", 's', 258, 308, "time");
    svg_text(s, "text", 's', 8, 332,
             "Numbers are slabs. A slab is multiplied once it has arrived.");
}

/* A float's 24 significant bits from `from` to `to`, of `bits`. */
static void draw_bits(struct svg *s, double y, const char *label, const char *bits, int from,
                      int to, const char *class) {
    const double w = 14.2;
    svg_text(s, "small", 's', 8, y + 15, "%s", label);
    for (int i = from; i < to; i++) {
        svg_area(s, class, 88 + i * w, y, w, 22);
        svg_box(s, "faint", 88 + i * w, y, w, 22);
        svg_text(s, "mono", 'm', 88 + (i + .5) * w, y + 15, "%c", bits[i]);
    }
    svg_box(s, "line", 88 + from * w, y, (to - from) * w, 22);
}

void figure_tf32(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const char x[] = "110010001100101110101101", *big = "11001000110",
                      *small = "101110101101";
    char shifted[25] = "            ";
    for (int i = 0; i < 12; i++)
        shifted[12 + i] = small[i];
    svg_begin(
        s, out, name, 440, 262, "A float, cut into two TF32 numbers",
        "The 24 significant bits of a float in a row. Rounded to the first 11 it is the number "
        "big. What is left is the number small, of which TF32 keeps 11 bits again: here only the "
        "last bit of all is lost. Below, the four products of two numbers split that way: big "
        "times big, big times small, small times big are kept; small times small is left out.");
    draw_bits(s, 12, "x, 24 bits", x, 0, 24, "none");
    draw_bits(s, 44, "big, 11", big, 0, 11, "a");
    draw_bits(s, 76, "small, 11", shifted, 12, 23, "b");
    draw_bits(s, 76, "", shifted, 23, 24, "bad");
    svg_text(s, "small", 'e', 430, 116, "cut off");
    svg_text(s, "text", 's', 8, 148, "a * b =");
    static const char *const part[] = {"big*big", "big*small", "small*big", "small*small"};
    static const char *const size[] = {"1", "1/2,048", "1/2,048", "1/4,194,304"};
    static const char *const class[] = {"a", "c", "c", "bad"};
    for (int i = 0; i < 4; i++) {
        const double px = 8 + i * 108;
        svg_area(s, class[i], px, 160, 94, 44);
        svg_box(s, "line", px, 160, 94, 44);
        svg_text(s, "small", 'm', px + 47, 178, "%s", part[i]);
        svg_text(s, "quiet", 'm', px + 47, 196, "%s", size[i]);
        if (i > 0)
            svg_text(s, "bold", 'm', px - 7, 186, "+");
    }
    svg_text(s, "text", 's', 8, 230,
             "Three products are made on tensor cores; the fourth is too small");
    svg_text(s, "text", 's', 8, 248,
             "to matter. Below each: how large it is at most, beside a * b.");
}

/* A matrix of an mma: each cell holds the lane that has this element. Those of one lane are marked,
 * with the number of the register in which they lie. */
struct fragment {
    const char *label, *class;
    int rows;
    int (*lane)(int row, int col);
    int (*part)(int row, int col); /* which of the lane's elements */
};

static int lane_of_a(int row, int col) {
    return row % 8 * 4 + col % 4;
}
static int part_of_a(int row, int col) {
    return row / 8 + col / 4 * 2;
}
static int lane_of_b(int row, int col) {
    return col * 4 + row % 4;
}
static int part_of_b(int row, int col) {
    (void)col;
    return row / 4;
}
static int lane_of_c(int row, int col) {
    return row % 8 * 4 + col / 2;
}
static int part_of_c(int row, int col) {
    return row / 8 * 2 + col % 2;
}

static void draw_fragment(struct svg *s, double x, double y, const struct fragment *f, int marked) {
    const double width = 24, height = 16;
    svg_cells(s, "none", x, y, f->rows, 8, width, height);
    for (int row = 0; row < f->rows; row++)
        for (int col = 0; col < 8; col++) {
            const double left = x + col * width, top = y + row * height;
            const int lane = f->lane(row, col);
            if (lane != marked) {
                svg_text(s, "small", 'm', left + 12, top + 12, "%d", lane);
                continue;
            }
            svg_area(s, f->class, left, top, width, height);
            svg_box(s, "strong", left, top, width, height);
            svg_text(s, "bold small", 'm', left + 12, top + 12, "%s%d", f->label,
                     f->part(row, col));
        }
}

void figure_fragments(struct svg *s, FILE *out, const char *name, const struct sources *from) {
    (void)from;
    static const struct fragment a = {"a", "a", 16, lane_of_a, part_of_a},
                                 b = {"b", "b", 8, lane_of_b, part_of_b},
                                 c = {"c", "c", 16, lane_of_c, part_of_c};
    svg_begin(
        s, out, name, 440, 464, "Which lane holds which element",
        "Three tables of lane numbers: A with 16 rows and 8 columns to the left, B with 8 rows "
        "and 8 columns above, C with 16 rows and 8 columns at their corner. The elements of "
        "lane 13 are marked. Of A: a0 in row 3, column 1; a1 in row 11, column 1; a2 in row "
        "3, column 5; a3 in row 11, column 5. Of B: b0 in row 1, column 3; b1 in row 5, "
        "column 3. Of C: c0 and c1 in row 3, columns 2 and 3; c2 and c3 in row 11, columns 2 "
        "and 3.");
    draw_fragment(s, 236, 28, &b, 13);
    draw_fragment(s, 12, 196, &a, 13);
    draw_fragment(s, 236, 196, &c, 13);
    svg_text(s, "bold", 's', 236, 20, "B, 8 x 8");
    svg_text(s, "bold", 's', 12, 188, "A, 16 x 8");
    svg_text(s, "bold", 's', 236, 188, "C, 16 x 8");
    svg_text(s, "text", 's', 12, 44, "The numbers are lanes.");
    svg_text(s, "text", 's', 12, 68, "Lane 13 is marked: group 3,");
    svg_text(s, "text", 's', 12, 86, "member 1. It holds a0 to a3,");
    svg_text(s, "text", 's', 12, 104, "b0, b1 and c0 to c3.");
}
