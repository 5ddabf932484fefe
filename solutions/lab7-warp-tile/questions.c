/* questions.c: wide loads, warp tiles, padding. */
#include "solutions/questions/formulas.h"

/* ---- Wide or not: six products, k in n[0..5], n in n[6..11], m in n[12..17] ---- */

enum { SHAPES = 6 };

static int wide(const struct drawn *d, bool k, bool n, bool m) {
    int set = 0;
    for (int i = 0; i < SHAPES; i++)
        set |= ((!k || d->n[i] % 4 == 0) && (!n || d->n[SHAPES + i] % 4 == 0) &&
                (!m || d->n[2 * SHAPES + i] % 4 == 0))
               << i;
    return set;
}

static void draw_wide(struct drawn *d, struct generator *g) {
    do {
        for (int i = 0; i < 3 * SHAPES; i++)
            d->n[i] = pick(g, 10, 60) * (pick(g, 0, 2) ? 4 : 2) + (pick(g, 0, 9) ? 0 : 1);
    } while (wide(d, true, true, false) == 0 ||
             wide(d, true, true, true) == wide(d, true, true, false) ||
             wide(d, true, false, false) == wide(d, true, true, false));
}

static void text_wide(struct text *t, const struct drawn *d) {
    text_add(t, "A, B and C begin at multiples of 16 bytes. With which of these sizes may the "
                "kernel read and write four floats at once, in all three matrices?\n");
    for (int i = 0; i < SHAPES; i++)
        text_addf(t, "   %c) m = %3d, k = %3d, n = %3d\n", 'a' + (char)i, (int)d->n[2 * SHAPES + i],
                  (int)d->n[i], (int)d->n[SHAPES + i]);
    text_add(t,
             "And if each lane of a warp reads one float4, lane after lane side by side: how many "
             "bytes does the request move, in how many sectors?\n");
}

VALUE(wide_shapes, one(wide(d, true, true, false)))
VALUE(wide_with_m, one(wide(d, true, true, true)))
VALUE(wide_k_only, one(wide(d, true, false, false)))
VALUE(wide_request, whole_two((int64_t)32 * 16, 16))
VALUE(narrow_request, whole_two((int64_t)32 * 4, 4))

static const struct formula_blank wide_blanks[] = {
    {.name = "wide",
     .kind = BLANK_LETTERS,
     .ask = "their letters, as in: a c",
     .value = wide_shapes,
     .hint = "Each row must begin at a multiple of 16 bytes. How far apart do rows begin?",
     .slips = {{wide_with_m, "How many rows there are does not matter, only how long they are."},
               {wide_k_only, "That is enough for A. Look at the rows of B and C, too."}}},
    {.name = "wide_request",
     .kind = BLANK_NUMBERS,
     .ask = "bytes, sectors",
     .value = wide_request,
     .hint = "32 lanes, four floats each; a sector has 32 bytes.",
     .slips = {{narrow_request, "That is with one float a lane."}}},
};

/* ---- A warp's tile: the lane's n[0] x n[1], lanes in n[2] rows ---- */

static int64_t lanes_down(const struct drawn *d) {
    return d->n[2];
}

static int64_t lanes_across(const struct drawn *d) {
    return 32 / d->n[2];
}

static void draw_warp(struct drawn *d, struct generator *g) {
    static const int sides[] = {4, 8, 12, 16};
    static const int rows[] = {2, 4, 8, 16};
    do {
        d->n[0] = pick_from(g, sides, COUNT(sides));
        d->n[1] = pick_from(g, sides, COUNT(sides));
        d->n[2] = pick_from(g, rows, COUNT(rows));
    } while (d->n[0] * d->n[1] < 32 || d->n[0] * d->n[1] > 128);
}

static void text_warp(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A lane computes %d x %d elements of C (rows x columns). The 32 lanes of a warp lie "
              "in %d rows of %d, and together have a tile of %d x %d. For one p:\n",
              (int)d->n[0], (int)d->n[1], (int)lanes_down(d), (int)lanes_across(d),
              (int)(lanes_down(d) * d->n[0]), (int)(lanes_across(d) * d->n[1]));
}

VALUE(warp_numbers, whole(lanes_down(d) * d->n[0] + lanes_across(d) * d->n[1]))
VALUE(warp_reads, whole(32 * (d->n[0] + d->n[1])))
VALUE(warp_loads, whole((d->n[0] + d->n[1]) / 4))
VALUE(warp_floats, whole(d->n[0] + d->n[1]))

static double share(double loads, const struct drawn *d) {
    const double madds = (double)(d->n[0] * d->n[1]);
    return 100 * madds / (madds + loads);
}

VALUE(warp_share, one(share(warp_loads(d, v).v[0], d)))
VALUE(warp_share_narrow, one(share(warp_floats(d, v).v[0], d)))

static const struct formula_blank warp_blanks[] = {
    {.name = "warp_numbers",
     .kind = BLANK_NUMBERS,
     .ask = "different numbers of A and B that the warp needs",
     .value = warp_numbers,
     .hint = "One of A for each row of its tile, one of B for each column.",
     .slips = {{warp_reads, "These are all lanes' reads. Lanes that want the same number are "
                            "served together."}}},
    {.name = "wide_loads",
     .kind = BLANK_NUMBERS,
     .ask = "load instructions of a lane, with float4",
     .value = warp_loads,
     .hint = "How many numbers does a lane need, and how many come with one instruction?",
     .slips = {{warp_floats, "These are floats. An instruction brings four of them."}}},
    {.name = "arithmetic_percent",
     .kind = BLANK_REAL,
     .ask = "multiply-adds, in percent of its loads and multiply-adds together",
     .value = warp_share,
     .hint = "Multiply-adds, divided by multiply-adds plus load instructions, times 100.",
     .slips = {{warp_share_narrow, "That is with a load for each float."}}},
};

/* ---- Boxes: warp n[0], lane n[1] ---- */

static void draw_boxes(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 1, 6);
    d->n[1] = pick(g, 1, 30);
}

static void text_boxes(struct text *t, const struct drawn *d) {
    text_addf(t,
              "The lab's own numbers: warps in 2 rows of 4 with tiles of 64 x 32, lanes in 8 rows "
              "of 4 with boxes of 4 x 4, and 32 rows and 16 columns from a box to the next. All "
              "places are in the block's tile. Look at lane %d of warp %d.\n",
              (int)d->n[1], (int)d->n[0]);
}

VALUE(warp_place, whole_two(d->n[0] / 4 * 64, d->n[0] % 4 * 32))
VALUE(warp_place_down, whole_two(d->n[0] % 2 * 64, d->n[0] / 2 * 32))

static struct blank_value plus(struct blank_value place, int64_t rows, int64_t columns) {
    return two(place.v[0] + (double)rows, place.v[1] + (double)columns);
}

static struct blank_value first_box(const struct drawn *d, const struct variables *v) {
    const struct blank_value warp = warp_place(d, v);
    return plus(warp, d->n[1] / 4 * 4, d->n[1] % 4 * 4);
}

VALUE(first_box_in_warp, whole_two(d->n[1] / 4 * 4, d->n[1] % 4 * 4))

static struct blank_value first_box_across(const struct drawn *d, const struct variables *v) {
    const struct blank_value warp = warp_place(d, v);
    return plus(warp, d->n[1] % 8 * 4, d->n[1] / 8 * 4);
}

static struct blank_value last_element(const struct drawn *d, const struct variables *v) {
    const struct blank_value box = first_box(d, v);
    return two(box.v[0] + 32 + 3, box.v[1] + 16 + 3);
}

static struct blank_value last_element_near(const struct drawn *d, const struct variables *v) {
    const struct blank_value box = first_box(d, v);
    return two(box.v[0] + 7, box.v[1] + 7);
}

static struct blank_value formula_box(const struct drawn *d, const struct variables *v) {
    (void)d;
    const int64_t warp = (int64_t)v->warp, lane = (int64_t)v->lane;
    return whole_two(warp / 4 * 64 + lane / 4 * 4, warp % 4 * 32 + lane % 4 * 4);
}

static struct blank_value formula_box_single(const struct drawn *d, const struct variables *v) {
    (void)d;
    const int64_t warp = (int64_t)v->warp, lane = (int64_t)v->lane;
    return whole_two(warp / 4 * 64 + lane / 4, warp % 4 * 32 + lane % 4);
}

static const struct formula_blank box_blanks[] = {
    {.name = "warp_place",
     .kind = BLANK_NUMBERS,
     .ask = "row, column at which the warp's tile begins",
     .value = warp_place,
     .hint = "Which row of warps is it in, and which of the four there?",
     .slips = {{warp_place_down, "Warps are counted along a row: four of them, then the next."}}},
    {.name = "box_place",
     .kind = BLANK_NUMBERS,
     .ask = "row, column at which its first box begins",
     .value = first_box,
     .hint = "The warp's place, and the lane's in it: four lanes in a row, four elements apart.",
     .slips = {{first_box_in_warp, "That is in the warp's tile. Where does that begin?"},
               {first_box_across, "Lanes are counted along a row: four of them, then the next."}}},
    {.name = "box_last",
     .kind = BLANK_NUMBERS,
     .ask = "row, column of the last of its 64 elements",
     .value = last_element,
     .hint = "Its last box is one step down and one to the right. A box has four rows.",
     .slips = {{last_element_near, "Its boxes don't touch each other."}}},
    {.name = "box_formula",
     .kind = BLANK_FORMULAS,
     .ask = "where the first box begins, for all: formulas of row, column",
     .variables = "warp lane",
     .value = formula_box,
     .written = "warp / 4 * 64 + lane / 4 * 4, warp % 4 * 32 + lane % 4 * 4",
     .hint = "Divisions and remainders by 4: of the warp's number, and of the lane's.",
     .slips = {{formula_box_single, "A lane has boxes of four rows and columns, not single "
                                    "elements."}}},
};

/* ---- Padding: rows of n[0] floats; rows of n[1] before padding ---- */

/* Turns of a warp's write: even lanes into row 0, odd ones into row 4, at places 0 to 15. */
static int turns(int64_t length) {
    int count[32] = {0}, most = 0;
    for (int64_t lane = 0; lane < 32; lane++) {
        const int bank = (int)((lane % 2 * 4 * length + lane / 2) % 32);
        most = ++count[bank] > most ? count[bank] : most;
    }
    return most;
}

static void draw_padding(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 65, 200);
    d->n[1] = 4 * pick(g, 16, 60);
}

static void text_padding(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "As slab A is transposed, even lanes write into row 0 of it, odd ones into row 4, both at "
        "places 0, 1, 2 ... 15. Row 0 begins in bank 0. Let a row have %d floats, padding "
        "included.\n",
        (int)d->n[0]);
    text_addf(t,
              "Then: rows of %d floats are to get padding, the least (maybe none) with which these "
              "writes take one turn and rows can be read as float4.\n",
              (int)d->n[1]);
}

VALUE(padding_bank, whole(4 * d->n[0] % 32))
VALUE(padding_bank_row, whole(d->n[0] % 32))
VALUE(padding_turns, one(turns(d->n[0])))

static const char *const yes_no[] = {"yes", "no", NULL};

VALUE(padding_wide, one(d->n[0] % 4 != 0))

static struct blank_value padding_least(const struct drawn *d, const struct variables *v) {
    (void)v;
    int64_t padding = 0;
    while (turns(d->n[1] + padding) > 1 || (d->n[1] + padding) % 4)
        padding++;
    return whole(padding);
}

static const struct formula_blank padding_blanks[] = {
    {.name = "row_4_bank",
     .kind = BLANK_NUMBERS,
     .ask = "the bank in which row 4 begins",
     .value = padding_bank,
     .hint = "How many words lie before row 4? There are 32 banks.",
     .slips = {{padding_bank_row, "That is row 1."}}},
    {.name = "padding_turns",
     .kind = BLANK_NUMBERS,
     .ask = "turns that the write takes",
     .value = padding_turns,
     .hint = "Even lanes use banks 0 to 15. Do any of the odd ones use the same?"},
    {.name = "padding_wide",
     .kind = BLANK_WORD,
     .words = yes_no,
     .ask = "may each row be read as float4",
     .value = padding_wide,
     .hint = "Where does row 1 begin, in bytes?"},
    {.name = "padding_least",
     .kind = BLANK_NUMBERS,
     .ask = "the least padding, in floats",
     .value = padding_least,
     .hint = "Rows must be a multiple of four floats, and row 4 must begin 16 banks further on."},
};

/* ---- Stores: lanes in n[0] rows, the lane's n[1] x n[2] ---- */

static void draw_stores(struct drawn *d, struct generator *g) {
    static const int rows[] = {2, 4, 8, 16, 32};
    static const int sides[] = {4, 8, 12, 16};
    d->n[0] = pick_from(g, rows, COUNT(rows));
    d->n[1] = pick_from(g, sides, COUNT(sides));
    d->n[2] = pick_from(g, sides, COUNT(sides));
}

static void text_stores(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "The lanes of a warp lie in %d rows of %d on C. With one instruction each stores a "
        "float4, and neighbours' float4s lie side by side. All rows of C begin at multiples of "
        "32 bytes, and so do the warp's. A lane has %d x %d elements in all.\n",
        (int)d->n[0], (int)(32 / d->n[0]), (int)d->n[1], (int)d->n[2]);
}

VALUE(stores_requests, whole(d->n[1] * d->n[2] / 4))
VALUE(stores_floats, whole(d->n[1] * d->n[2]))

static double sectors(int64_t rows, int64_t bytes) {
    return (double)(rows * parts_over(32 / rows * bytes, 32));
}

VALUE(stores_wide, one(sectors(d->n[0], 16)))
VALUE(stores_narrow, one(sectors(d->n[0], 4)))

static const struct formula_blank store_blanks[] = {
    {.name = "store_requests",
     .kind = BLANK_NUMBERS,
     .ask = "store instructions of a lane for its tile, with float4",
     .value = stores_requests,
     .hint = "Four elements of a row go with one instruction.",
     .slips = {{stores_floats, "That is one for each float."}}},
    {.name = "store_sectors",
     .kind = BLANK_NUMBERS,
     .ask = "sectors that one of these touches, all lanes together",
     .value = stores_wide,
     .hint = "How many bytes lie side by side in a row of lanes? Each row of lanes is in another "
             "row of C. A part of a sector counts as one.",
     .slips = {{stores_narrow, "That is with one float a lane."}}},
};

/* ---- Two films: thread (n[0], n[1]), its round n[2] ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 1, 31);
    d->n[1] = pick(g, 0, 7);
    d->n[2] = pick(g, 2, 4);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of a block that turns a matrix of 32 x 32 by way of shared memory: "
                "turn.cu, with a word of padding in each row, and unpadded.cu." FILMS);
    text_addf(t, "Choose thread (%d, %d), and stop where it reads tile for the %s time.\n",
              (int)d->n[0], (int)d->n[1],
              d->n[2] == 2   ? "second"
              : d->n[2] == 3 ? "third"
                             : "fourth");
}

static int64_t film_row(const struct drawn *d) {
    return d->n[1] + 8 * (d->n[2] - 1);
}

VALUE(film_cell, whole_two(d->n[0], film_row(d)))
VALUE(film_cell_turned, whole_two(film_row(d), d->n[0]))
VALUE(film_banks, whole_two((33 * d->n[0] + film_row(d)) % 32, film_row(d) % 32))

static const struct formula_blank film_blanks[] = {
    {.name = "film_cell",
     .kind = BLANK_NUMBERS,
     .ask = "row and column of the cell of tile that it reads",
     .value = film_cell,
     .hint = "The thread's own cell has a filled square. Point at it.",
     .slips = {{film_cell_turned, "That is the element of to that it writes. It reads the tile by "
                                  "columns."}}},
    {.name = "film_banks",
     .kind = BLANK_NUMBERS,
     .ask = "the bank of this cell: in turn.cu, in unpadded.cu",
     .value = film_banks,
     .hint = "The picture of the access has a line from each lane to its bank, 0 to 31. Or count: "
             "words from tile's begin, mod 32."},
};

/* ---- Passes: warp n[0], its round n[1]; words of padding n[2]; words of a row n[3] ---- */

static void draw_passes(struct drawn *d, struct generator *g) {
    static const int words[] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28};
    d->n[0] = pick(g, 0, 7);
    d->n[1] = pick(g, 1, 4);
    d->n[2] = pick_from(g, words, COUNT(words));
    do
        d->n[3] = pick(g, 40, 90);
    while (d->n[3] % 4 == 0);
}

static void text_passes(struct text *t, const struct drawn *d) {
    static const char *const times[] = {"first", "second", "third", "fourth"};
    text_add(t, "Two films of a block that turns a matrix of 32 x 32 by way of shared memory: "
                "turn.cu, with a word of padding in each row, and unpadded.cu." FILMS);
    text_addf(t,
              "   (a) warp %d reads tile for the %s time\n"
              "   (b) the same with %d words of padding\n"
              "   (c) a float4 is read from each row of a tile whose rows have %d words\n",
              (int)d->n[0], times[d->n[1] - 1], (int)d->n[2], (int)d->n[3]);
}

/* Of a column of 32 words that are so far apart: lanes whose words lie in one bank. */
static int64_t passes_of(int64_t pitch) {
    int64_t words[32] = {0}, most = 0;
    for (int64_t lane = 0; lane < 32; lane++) {
        const int64_t now = ++words[lane * pitch % 32];
        most = now > most ? now : most;
    }
    return most;
}

VALUE(passes_films, whole_two(passes_of(33), passes_of(32)))
VALUE(passes_swapped, whole_two(passes_of(32), passes_of(33)))
VALUE(passes_other, whole(passes_of(32 + d->n[2])))
VALUE(passes_padding, whole(d->n[2]))
VALUE(passes_wide, whole(4 - d->n[3] % 4))
VALUE(passes_rest, whole(d->n[3] % 4))

static const struct formula_blank passes_blanks[] = {
    {.name = "passes",
     .kind = BLANK_NUMBERS,
     .ask = "(a) passes over the banks: in turn.cu, in unpadded.cu",
     .value = passes_films,
     .hint = "The sentence above the source has it, and the picture of the access.",
     .slips = {{passes_swapped, "turn.cu comes first."}}},
    {.name = "passes_other",
     .kind = BLANK_NUMBERS,
     .ask = "(b) passes",
     .value = passes_other,
     .hint = "Lanes 0, 1, 2, ... read words 0, pitch, 2 * pitch, ... Which bank has the most of "
             "them?",
     .slips = {{passes_padding, "Try it: write down the banks of the first lanes."}}},
    {.name = "passes_wide",
     .kind = BLANK_NUMBERS,
     .ask = "(c) the fewest words of padding with which each row begins at a multiple of 16 bytes",
     .value = passes_wide,
     .hint = "16 bytes are four words: a row and its padding must be a multiple of four words.",
     .slips = {{passes_rest, "That much is too much. How much is missing?"}}},
};

const struct formula_question questions_lab7[] = {
    {"lab7.wide", "Four at once?", "lab7.md#hand", draw_wide, text_wide, wide_blanks,
     COUNT(wide_blanks), NULL},
    {"lab7.warp", "What a warp needs", "lab7.md#idea", draw_warp, text_warp, warp_blanks,
     COUNT(warp_blanks), NULL},
    {"lab7.boxes", "Whose boxes?", "lab7.md#hand", draw_boxes, text_boxes, box_blanks,
     COUNT(box_blanks), NULL},
    {"lab7.padding", "Padding", "lab7.md#padding", draw_padding, text_padding, padding_blanks,
     COUNT(padding_blanks), NULL},
    {"lab7.stores", "Wide stores", "lab7.md#idea", draw_stores, text_stores, store_blanks,
     COUNT(store_blanks), NULL},
    {"lab7.passes", "How many passes?", "lab7.md#padding", draw_passes, text_passes, passes_blanks,
     COUNT(passes_blanks), NULL},
    {"lab7.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
};

const size_t questions_lab7_count = COUNT(questions_lab7);
