/* html_access.c: what one warp loads and stores, request by request, and who of the first block
 * loads which element before the first barrier (html.h), from the virtual GPU's trace.
 *
 *     global request   the sectors it needs, 8 words each, and the lane that uses each word
 *     shared request   32 banks across, one row for each different word of a bank
 *     phase            A and B around the block's tile, coloured by the warp that loads */
#include "grading/src/report/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_REQUESTS = 12,
    MOST_OF_LINE = 2,
    MOST_SECTORS = 64,
    WORDS = 8,
    ROW_SECTORS = 4,
    CELL = 19,
    GAP = 6
};
enum { MOST_EACH = 48 }; /* requests of each warp in the picture of a phase: the trace's limit */
enum { BANKS = 32, MOST_SIDE = 64, PHASE_CELL = 12, MARGIN = 40, HUES = 12 };

/* ---- Which matrix is it? ---- */

struct matrices {
    struct shape shape;
    uint64_t object[MATRIX_COUNT]; /* 0: not known */
};

/* The allocation that is written is C; two that are only read, of the right sizes, are A and B in
 * the order in which they were made. Anything else stays without a name. */
static void find_matrices(struct matrices *m, const struct view_trace *t, struct shape s) {
    uint64_t read[3] = {0}, size[3] = {0}, written = 0;
    int reads = 0;
    *m = (struct matrices){.shape = s};
    for (size_t i = 0; i < t->count; i++) {
        const struct view_access *a = &t->access[i];
        if (!a->shared && a->object && (a->kind == 's' || a->kind == 'a'))
            written = a->object;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct view_access *a = &t->access[i];
        if (a->shared || !a->object || a->object == written || a->kind == 's')
            continue;
        int k = 0;
        while (k < reads && read[k] != a->object)
            k++;
        if (k == reads && reads < 3) {
            read[reads] = a->object;
            size[reads++] = a->object_bytes;
        }
    }
    const int first = reads == 2 && read[0] > read[1];
    if (reads == 2 && size[first] == 4 * (uint64_t)s.m * (uint64_t)s.k &&
        size[!first] == 4 * (uint64_t)s.k * (uint64_t)s.n) {
        m->object[MATRIX_A] = read[first];
        m->object[MATRIX_B] = read[!first];
    }
    m->object[MATRIX_C] = written;
}

static int matrix_of(const struct matrices *m, const struct view_access *a) {
    for (int i = 0; i < MATRIX_COUNT && a->object; i++)
        if (m->object[i] == a->object)
            return i;
    return -1;
}

static int columns_of(const struct matrices *m, int matrix) {
    return matrix == MATRIX_A ? m->shape.k : m->shape.n;
}

/* ---- One request ---- */

static void cell(struct text *t, int x, int y, int lanes, int lane) {
    html_addf(t, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
              lanes == 0   ? "unused"
              : lanes == 1 ? "used"
                           : "shared",
              x, y, CELL, CELL);
    if (lanes > 1)
        html_addf(t, "<text class=\"many\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">×%d</text>\n",
                  x + CELL / 2 + 1, y + 13, lanes);
    else if (lanes == 1)
        html_addf(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x + CELL / 2 + 1,
                  y + 13, lane);
    else
        text_add(t, "\n");
}

static void open_picture(struct text *t, const char *what, const char *words, int w, int h) {
    html_addf(t,
              "<div class=\"scroll\" tabindex=\"0\"><svg class=\"cells\" role=\"img\" "
              "aria-label=\"%s: %s\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
              what, words, w, h, w, h);
}

struct sectors {
    int64_t number[MOST_SECTORS];
    int lanes[MOST_SECTORS][WORDS], lane[MOST_SECTORS][WORDS];
    int count, words;
};

static void add_word(struct sectors *s, int64_t word, int lane) {
    const int64_t number = word / WORDS;
    int i = 0;
    while (i < s->count && s->number[i] != number)
        i++;
    if (i == MOST_SECTORS)
        return;
    if (i == s->count)
        s->number[s->count++] = number;
    int *lanes = &s->lanes[i][word % WORDS];
    s->words += *lanes == 0;
    if ((*lanes)++ == 0)
        s->lane[i][word % WORDS] = lane;
}

static void global_request(struct text *t, const struct view_access *a) {
    struct sectors *s = xcalloc(1, sizeof *s);
    for (int lane = 0; lane < VIEW_LANES; lane++)
        for (int b = 0; (a->mask >> lane & 1) && b < a->bytes; b += 4)
            add_word(s, (a->at[lane] + b) / 4, lane);
    char words[160];
    snprintf(words, sizeof words, "%d sector%s of 32 bytes, %.0f %% of their bytes used", s->count,
             s->count == 1 ? "" : "s", 100.0 * s->words / (s->count * WORDS));
    html_addf(t, "<p>%s.</p>\n", words);
    const int rows = (s->count + ROW_SECTORS - 1) / ROW_SECTORS;
    open_picture(t, "Lanes by sector", words,
                 (s->count < ROW_SECTORS ? s->count : ROW_SECTORS) * (WORDS * CELL + GAP),
                 rows * (CELL + GAP));
    for (int i = 0; i < s->count; i++) {
        const int x = i % ROW_SECTORS * (WORDS * CELL + GAP), y = i / ROW_SECTORS * (CELL + GAP);
        for (int w = 0; w < WORDS; w++)
            cell(t, x + w * CELL, y, s->lanes[i][w], s->lane[i][w]);
        html_addf(t, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x, y,
                  WORDS * CELL, CELL);
    }
    text_add(t, "</svg></div>\n");
    free(s);
}

struct banks {
    int64_t word[BANKS][VIEW_LANES];
    int lanes[BANKS][VIEW_LANES], lane[BANKS][VIEW_LANES];
    int words[BANKS], most;
};

static void add_bank(struct banks *b, int64_t word, int lane) {
    const int bank = (int)(word % BANKS);
    int i = 0;
    while (i < b->words[bank] && b->word[bank][i] != word)
        i++;
    if (i == VIEW_LANES)
        return;
    if (i == b->words[bank]) {
        b->word[bank][i] = word;
        b->lane[bank][i] = lane;
        b->words[bank]++;
        b->most = b->words[bank] > b->most ? b->words[bank] : b->most;
    }
    b->lanes[bank][i]++;
}

static void shared_request(struct text *t, const struct view_access *a) {
    struct banks *b = xcalloc(1, sizeof *b);
    for (int lane = 0; lane < VIEW_LANES; lane++)
        for (int byte = 0; (a->mask >> lane & 1) && byte < a->bytes; byte += 4)
            add_bank(b, (a->at[lane] + byte) / 4, lane);
    char words[160];
    /* 8 and 16 bytes a lane go by halves and quarters of the warp: several rows are no conflict. */
    if (a->bytes > 4)
        snprintf(words, sizeof words, "%d bytes a lane over 32 banks", a->bytes);
    else
        snprintf(words, sizeof words, "%s",
                 b->most > 1 ? "Bank conflicts: one pass for each row"
                             : "No bank conflict: one pass");
    html_addf(t, "<p>%s.</p>\n", words);
    open_picture(t, "Lanes by bank, 0 to 31", words, BANKS * CELL + 2, b->most * CELL + 16);
    for (int bank = 0; bank < BANKS; bank++) {
        html_addf(t, "<text class=\"small\" x=\"%d\" y=\"10\" text-anchor=\"middle\">%d</text>\n",
                  bank * CELL + CELL / 2 + 1, bank);
        for (int i = 0; i < b->most; i++)
            cell(t, bank * CELL + 1, 15 + i * CELL, i < b->words[bank] ? b->lanes[bank][i] : 0,
                 b->lane[bank][i]);
    }
    text_add(t, "</svg></div>\n");
    free(b);
}

static void request(struct text *t, const struct matrices *m, const struct view_access *a) {
    static const struct {
        char letter;
        const char *words;
    } kinds[] = {{'l', "loads from"}, {'s', "stores to"}, {'a', "updates"}, {'c', "copies to"}};
    const char *does = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        does = kinds[i].letter == a->kind ? kinds[i].words : does;
    const int matrix = a->shared ? -1 : matrix_of(m, a);
    text_add(t, "<h3>");
    if (a->line > 0)
        html_addf(t, "<a href=\"#L%d\">Line %d</a> ", a->line, a->line);
    html_addf(t, "%s %s", does, a->shared ? "shared memory" : "global memory");
    if (matrix >= 0) {
        const int64_t first = a->at[__builtin_ctz(a->mask)] / 4;
        const int64_t last = a->at[31 - __builtin_clz(a->mask)] / 4;
        const int cols = columns_of(m, matrix);
        const char *name = matrix_letter((enum matrix_name)matrix);
        html_addf(t, ": %s[%lld][%lld]", name, (long long)(first / cols),
                  (long long)(first % cols));
        if (last != first)
            html_addf(t, " … %s[%lld][%lld]", name, (long long)(last / cols),
                      (long long)(last % cols));
    }
    html_addf(t, ", %d lane%s</h3>\n", __builtin_popcount(a->mask),
              a->mask & (a->mask - 1) ? "s" : "");
    if (a->shared)
        shared_request(t, a);
    else
        global_request(t, a);
}

/* The same line doing the same in the same way: compilers unroll, so that instructions differ. */
static bool alike(const struct view_access *a, const struct view_access *b) {
    bool same = a->line == b->line && a->shared == b->shared && a->kind == b->kind &&
                a->object == b->object && a->mask == b->mask && a->bytes == b->bytes &&
                (a->line > 0 || a->instruction == b->instruction);
    for (int i = 0; i < VIEW_LANES && same; i++)
        same = !(a->mask >> i & 1) ||
               a->at[i] - a->at[__builtin_ctz(a->mask)] == b->at[i] - b->at[__builtin_ctz(b->mask)];
    return same;
}

/* Is there already one like it among what is shown, or enough of its line and kind? */
static bool shown_before(const struct view_access *const *shown, int count,
                         const struct view_access *a) {
    int of_line = 0;
    for (int i = 0; i < count; i++) {
        const struct view_access *o = shown[i];
        if (alike(o, a))
            return true;
        of_line += o->line == a->line && o->shared == a->shared && o->kind == a->kind &&
                   o->object == a->object;
    }
    return of_line >= MOST_OF_LINE;
}

/* Each kind of request of warp 0, once. */
static void requests(struct text *t, const struct matrices *m, const struct view_trace *v) {
    const struct view_access *shown[MOST_REQUESTS];
    int count = 0;
    text_add(t, "<p>Each instruction of the block's first warp that touches memory, as it ran for "
                "the first time. A number is the lane (thread of the warp) that uses the word; ×n "
                "means that n lanes share it; no lane uses a hatched word.</p>\n");
    for (size_t i = 0; i < v->count && count < MOST_REQUESTS; i++) {
        const struct view_access *a = &v->access[i];
        if (a->warp != 0 || shown_before(shown, count, a))
            continue;
        request(t, m, a);
        shown[count++] = a;
    }
}

/* ---- Who loads what ---- */

struct tile {
    int row, col, rows, cols;                 /* of the matrix */
    unsigned char warp[MOST_SIDE][MOST_SIDE]; /* 1 + the first warp that loads it; 0: nobody */
    unsigned loads, elements;
};

typedef void each_element(struct tile *tile, int row, int col, int warp);

static void walk(struct tile *tile, const struct matrices *m, const struct view_trace *t,
                 int matrix, each_element *visit) {
    const int cols = columns_of(m, matrix);
    int seen[256] = {0}; /* by warp */
    for (size_t i = 0; i < t->count; i++) {
        const struct view_access *a = &t->access[i];
        if (seen[a->warp % 256]++ >= MOST_EACH || a->shared || a->phase > 0 || a->kind == 's' ||
            matrix_of(m, a) != matrix)
            continue;
        for (int lane = 0; lane < VIEW_LANES; lane++) {
            for (int b = 0; (a->mask >> lane & 1) && b < a->bytes; b += 4) {
                const int64_t word = (a->at[lane] + b) / 4;
                if (word / cols < INT32_MAX)
                    visit(tile, (int)(word / cols), (int)(word % cols), a->warp);
            }
        }
    }
}

static void widen(struct tile *t, int row, int col, int warp) {
    (void)warp;
    if (t->rows == 0)
        *t = (struct tile){.row = row, .col = col, .rows = 1, .cols = 1};
    if (row < t->row) {
        t->rows += t->row - row;
        t->row = row;
    }
    if (col < t->col) {
        t->cols += t->col - col;
        t->col = col;
    }
    t->rows = row - t->row >= t->rows ? row - t->row + 1 : t->rows;
    t->cols = col - t->col >= t->cols ? col - t->col + 1 : t->cols;
}

static void mark(struct tile *t, int row, int col, int warp) {
    if (row - t->row >= MOST_SIDE || col - t->col >= MOST_SIDE)
        return;
    unsigned char *w = &t->warp[row - t->row][col - t->col];
    t->loads++;
    t->elements += *w == 0;
    if (*w == 0)
        *w = (unsigned char)(1 + warp % 255);
}

static void tile_rows(struct text *t, const struct tile *tile, int rows, int cols) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0, end; c < cols; c = end) {
            for (end = c + 1; end < cols && tile->warp[r][end] == tile->warp[r][c]; end++)
                ;
            const int warp = tile->warp[r][c] - 1, y = MARGIN / 2 + r * PHASE_CELL;
            if (warp < 0)
                continue;
            html_addf(t, "<rect class=\"w%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
                      warp % HUES, MARGIN + c * PHASE_CELL, y, (end - c) * PHASE_CELL, PHASE_CELL);
            if (end - c > 1)
                html_addf(t, "<text class=\"small on\" x=\"%d\" y=\"%d\">%d</text>",
                          MARGIN + c * PHASE_CELL + 3, y + 10, warp);
            text_add(t, "\n");
        }
    }
}

static void draw_tile(struct text *t, const struct matrices *m, const struct view_trace *v,
                      int matrix) {
    struct tile *tile = xcalloc(1, sizeof *tile);
    const char *name = matrix_letter((enum matrix_name)matrix);
    walk(tile, m, v, matrix, widen);
    walk(tile, m, v, matrix, mark);
    if (tile->elements > 0) {
        const int rows = tile->rows < MOST_SIDE ? tile->rows : MOST_SIDE;
        const int cols = tile->cols < MOST_SIDE ? tile->cols : MOST_SIDE;
        const int w = MARGIN + cols * PHASE_CELL + 2, h = MARGIN / 2 + rows * PHASE_CELL + 2;
        html_addf(
            t,
            "<h3>%s: rows %d to %d, columns %d to %d</h3>\n<p>%u different elements, each asked "
            "for %.1f times.</p>\n",
            name, tile->row, tile->row + tile->rows - 1, tile->col, tile->col + tile->cols - 1,
            tile->elements, (double)tile->loads / tile->elements);
        open_picture(t, "Elements by the warp that loads them", name, w < 120 ? 120 : w, h);
        html_addf(t,
                  "<text x=\"%d\" y=\"14\">column %d</text>\n<text x=\"%d\" y=\"%d\" "
                  "text-anchor=\"end\">%d</text>\n",
                  MARGIN, tile->col, MARGIN - 5, MARGIN / 2 + 11, tile->row);
        tile_rows(t, tile, rows, cols);
        text_add(t, "</svg></div>\n");
    }
    free(tile);
}

static void phase(struct text *t, const struct matrices *m, const struct view_trace *v) {
    bool barrier = false;
    int warps = 0;
    for (size_t i = 0; i < v->count; i++) {
        barrier = barrier || v->access[i].phase > 0;
        warps = v->access[i].warp >= warps ? v->access[i].warp + 1 : warps;
    }
    if (!m->object[MATRIX_A] || !m->object[MATRIX_B])
        return;
    html_addf(
        t,
        "<h2>Who loads what</h2>\n<p>What the %d warp%s of block (0, 0) load%s from A and B %s. "
        "Colours and numbers are warps.</p>\n",
        warps, warps == 1 ? "" : "s", warps == 1 ? "s" : "",
        barrier ? "before the first barrier: one tile phase"
                : "with the first requests of each warp; there is no barrier");
    text_add(t, "<div class=\"tiles\">\n<div>");
    draw_tile(t, m, v, MATRIX_A);
    text_add(t, "</div>\n<div>");
    draw_tile(t, m, v, MATRIX_B);
    text_add(t, "</div></div>\n");
}

void html_access(struct text *t, const struct exhibit *e) {
    if (!e || !e->counted || e->view.trace.count == 0)
        return;
    const struct view_trace *v = &e->view.trace;
    struct matrices m;
    find_matrices(&m, v, e->counted->plan.call[0].shape);
    /* The pictures show memory row by row. */
    for (int i = 0; i < MATRIX_COUNT; i++)
        if (layout_transposed(e->counted->plan.call[0].layout, (enum matrix_name)i) ||
            e->counted->plan.call[0].layout.padding > 0)
            m.object[i] = 0;
    html_addf(
        t,
        "<section id=\"access\"><h2>One warp's memory</h2>\n<p>Kernel <code>%s</code>, grid %llu × "
        "%llu, block %llu × %llu, block (0, 0), in case <b>%s</b>.</p>\n",
        v->kernel ? v->kernel : "?", (unsigned long long)v->grid[0], (unsigned long long)v->grid[1],
        (unsigned long long)v->block[0], (unsigned long long)v->block[1], e->counted->spec->name);
    requests(t, &m, v);
    phase(t, &m, v);
    text_add(t, "</section>\n");
}
