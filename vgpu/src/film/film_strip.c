/*
 * film_strip.c: see film_strip.h. Equal cells that are neighbours become one rectangle of a path,
 * so that a picture has some hundred bytes, whatever the array's size. Colours are classes of
 * page.css.
 */
#include "vgpu/src/film/film_page.h"
#include "vgpu/src/film/strip_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 1 << 20,    /* of a memory whose cells are kept */
    WHOLE_CELLS = 128 * 128, /* of one that is drawn whole */
    WINDOW = 64,             /* rows and columns of a part of one */
    MOST_MEMORIES = 8        /* of a moment */
};

enum state { NONE, RUNS, NOW, PART, WAITS, ENDS, BAD, STATES };
static const struct {
    const char *class, *text;
} states[STATES] = {
    [NONE] = {"none", "not begun"},
    [RUNS] = {"run", "between lines"},
    [NOW] = {"now", "at this line"},
    [PART] = {"part", "diverged"},
    [WAITS] = {"wait", "waiting at a barrier"},
    [ENDS] = {"end", "done"},
    [BAD] = {"bad", "stopped by the mistake"},
};

/* What a cell is: the last of these that holds. */
enum cell { UNTOUCHED, TILE, FILLED, COMING, READ_NOW, WRITTEN_NOW, READ_UNSET, CELLS };
static const char *const cell_class[CELLS] = {"poison", "tile",  "value", "coming",
                                              "read",   "write", "bad"};

/* ---- to a step ---- */

/* The cells that a lane means, within the memory. False: none. */
static bool lane_cells(const vg_strip_memory *m, const cells *c, const vg_strip_access *a, int lane,
                       int64_t *first, int64_t *last) {
    const int64_t at = a->at[lane];
    if (at < 0 || at + a->size > m->bytes)
        return false;
    *first = at / m->element;
    *last = (at + a->size - 1) / m->element;
    return *last < c->count;
}

static void set_cells(const reel *r, const vg_strip_access *a, uint8_t *cell, enum cell to) {
    const cells *c = &r->memory[a->memory];
    int64_t first, last;
    for (int lane = 0; lane < LANES; lane++)
        if ((a->mask >> lane & 1) != 0 &&
            lane_cells(&r->s->memories[a->memory], c, a, lane, &first, &last))
            memset(cell + first, to, (size_t)(last - first + 1));
}

static void carry_out(const reel *r, const vg_strip_access *a) {
    uint8_t *is = r->memory[a->memory].is;
    if (is != NULL && a->kind != VG_STRIP_READ)
        set_cells(r, a, is, a->kind == VG_STRIP_BEGINS ? COMING : FILLED);
}

static void take_step(reel *r, int i) {
    const vg_strip *s = r->s;
    const vg_strip_step *step = &s->steps[i];
    while (r->next_access < s->num_accesses && s->accesses[r->next_access].step < i)
        carry_out(r, &s->accesses[r->next_access++]);
    if (step->warp < 0) {
        r->phase++;
        r->begin = i;
        r->first_of_phase = r->next_access;
    } else {
        const int w = step->warp;
        if (r->warp[w].phase != r->phase)
            r->warp[w].waits = 0;
        r->warp[w].phase = r->phase;
        r->warp[w].last = i;
        r->warp[w].mask = step->mask;
        r->warp[w].stopped = 0;
    }
    for (; r->next_pause < s->num_pauses && s->pauses[r->next_pause].step <= i; r->next_pause++) {
        const vg_strip_pause *p = &s->pauses[r->next_pause];
        uint32_t *to[] = {[VG_STRIP_WAITS] = &r->warp[p->warp].waits,
                          [VG_STRIP_ENDS] = &r->warp[p->warp].ends,
                          [VG_STRIP_STOPPED] = &r->warp[p->warp].stopped};
        if (p->why != VG_STRIP_OTHER)
            *to[p->why] |= p->mask;
    }
    r->end_access = r->next_access;
    while (r->end_access < s->num_accesses && s->accesses[r->end_access].step <= i)
        r->end_access++;
}

/* ---- shapes ---- */

void strip_rectangle(FILE *to, int64_t x, int64_t y, int64_t width, int64_t height) {
    fprintf(to, "M%" PRId64 " %" PRId64 "h%" PRId64 "v%" PRId64 "h-%" PRId64 "z", x, y, width,
            height, width);
}

void strip_begin_svg(FILE *to, int64_t width, int64_t height, int64_t scale) {
    fprintf(to,
            "<figure><svg aria-hidden=\"true\" width=\"%" PRId64 "\" height=\"%" PRId64
            "\" viewBox=\"0 0 %" PRId64 " %" PRId64 "\">",
            width * scale, height * scale, width, height);
}

void strip_end_svg(FILE *to) {
    fputs("</svg><figcaption>", to);
}

/* The colour of what the caption tells next. */
static void put_swatch(FILE *to, const char *class) {
    fprintf(to,
            "<svg aria-hidden=\"true\" class=\"swatch\" width=\"9\" height=\"9\"><path "
            "class=\"%s\" d=\"M0 0h9v9h-9z\"/></svg>",
            class);
}

/* A path of each class: the cells of a grid that are it. Rows that are the same all along are one
 * rectangle, else runs are. */
static void draw_grid(FILE *to, const uint8_t *is, int64_t rows, int64_t columns, int64_t count,
                      const char *const *class, int classes) {
    for (int k = 0; k < classes; k++) {
        bool any = false;
        for (int64_t i = 0; i < count;) {
            if (is[i] != k) {
                i++;
                continue;
            }
            int64_t end = i;
            while (end < count && is[end] == k)
                end++;
            if (!any)
                fprintf(to, "<path class=\"%s\" d=\"", class[k]);
            any = true;
            const int64_t left = i % columns, whole = left == 0 ? (end - i) / columns : 0,
                          row_end = (i / columns + 1) * columns;
            end = whole > 0 ? i + whole * columns : end < row_end ? end : row_end;
            strip_rectangle(to, left, i / columns, whole > 0 ? columns : end - i,
                            whole > 0 ? whole : 1);
            i = end;
        }
        if (any)
            fputs("\"/>", to);
    }
    fputs("<path class=\"grid\" d=\"", to);
    for (int64_t x = 1; x < columns; x++)
        fprintf(to, "M%" PRId64 " 0v%" PRId64, x, rows);
    for (int64_t y = 1; y < rows; y++)
        fprintf(to, "M0 %" PRId64 "h%" PRId64, y, columns);
    fputs("\"/>", to);
}

/* Pixels of a cell. */
static int64_t scale_of(int64_t columns, int64_t room) {
    const int64_t side = room / columns;
    return side < 2 ? 2 : side > 8 ? 8 : side;
}

/* ---- the block ---- */

static enum state state_of(const reel *r, int thread) {
    const int w = thread / LANES, lane = thread % LANES;
    const uint32_t bit = 1u << lane;
    if (r->warp[w].last < 0)
        return NONE;
    if ((r->warp[w].stopped & bit) != 0)
        return BAD;
    if ((r->warp[w].ends & bit) != 0)
        return ENDS;
    if (r->warp[w].phase == r->phase && (r->warp[w].waits & bit) != 0)
        return WAITS;
    if ((r->warp[w].mask & bit) == 0)
        return PART;
    return r->warp[w].last == r->step ? NOW : RUNS;
}

static void draw_block(FILE *to, const reel *r) {
    const int64_t *b = r->s->block, threads = b[0] * b[1] * b[2];
    const bool line = b[1] * b[2] == 1 && b[0] > LANES;
    const int64_t columns = line ? LANES : b[0], rows = (threads + columns - 1) / columns;
    uint8_t is[VG_STRIP_THREADS];
    const char *class[STATES];
    int count[STATES] = {0};
    for (int t = 0; t < threads; t++)
        count[is[t] = (uint8_t)state_of(r, t)]++;
    for (int k = 0; k < STATES; k++)
        class[k] = states[k].class;
    strip_begin_svg(to, columns, rows, scale_of(columns, 160));
    draw_grid(to, is, rows, columns, threads, class, STATES);
    strip_end_svg(to);
    fputs("Threads: ", to);
    bool any = false;
    for (int k = STATES - 1; k >= 0; k--) {
        if (count[k] == 0)
            continue;
        fputs(any ? ", " : "", to);
        put_swatch(to, states[k].class);
        fprintf(to, "%d %s", count[k], states[k].text);
        any = true;
    }
    fputs(".</figcaption></figure>\n", to);
}

/* ---- memories ---- */

typedef struct window {
    int64_t row, column, rows, columns;
} window;

/* What of a memory is drawn: all of it, or the part where the step is. */
static window window_of(const reel *r, int memory) {
    const cells *c = &r->memory[memory];
    window w = {0, 0, c->rows, c->columns};
    if (c->rows * c->columns <= WHOLE_CELLS)
        return w;
    for (int i = r->next_access; i < r->end_access; i++) {
        const vg_strip_access *a = &r->s->accesses[i];
        int64_t first, last;
        if (a->memory != memory || a->mask == 0 ||
            !lane_cells(&r->s->memories[memory], c, a, __builtin_ctz(a->mask), &first, &last))
            continue;
        w.row = first / c->columns;
        w.column = first % c->columns;
        break;
    }
    w.rows = c->rows - w.row < WINDOW ? c->rows - w.row : WINDOW;
    w.columns = c->columns - w.column < WINDOW ? c->columns - w.column : WINDOW;
    return w;
}

/* Marks the cells that the block accesses in this phase. False: none. */
static bool mark_tile(const reel *r, int memory, uint8_t *is) {
    bool any = false;
    int a = r->first_of_phase, phase = r->phase, i = r->begin;
    for (; a < r->s->num_accesses; a++) {
        for (; i < r->s->accesses[a].step; i++)
            phase += r->s->steps[i + 1].warp < 0;
        if (phase != r->phase)
            break;
        if (r->s->accesses[a].memory != memory)
            continue;
        set_cells(r, &r->s->accesses[a], is, TILE);
        any = true;
    }
    return any;
}

/* Cells that are read; those of a shared array that nobody has written stand out. */
static void read_cells(const reel *r, const vg_strip_access *a, uint8_t *is) {
    const cells *c = &r->memory[a->memory];
    int64_t first, last;
    for (int lane = 0; lane < LANES; lane++) {
        if ((a->mask >> lane & 1) == 0 ||
            !lane_cells(&r->s->memories[a->memory], c, a, lane, &first, &last))
            continue;
        for (int64_t e = first; e <= last; e++)
            is[e] = c->shared && (is[e] == UNTOUCHED || is[e] == COMING || is[e] == READ_UNSET)
                        ? READ_UNSET
                        : READ_NOW;
    }
}

/* The memory's cells as they are in this step, to be freed; NULL: it has no part in it. */
static uint8_t *cells_now(const reel *r, int memory, bool *failed) {
    const cells *c = &r->memory[memory];
    uint8_t *is = c->is != NULL ? calloc((size_t)c->count + 1, 1) : NULL;
    *failed = *failed || (is == NULL && c->is != NULL);
    if (is == NULL)
        return NULL;
    const bool used = mark_tile(r, memory, is);
    if (!used && !c->shared) {
        free(is);
        return NULL;
    }
    if (c->shared)
        memset(is, UNTOUCHED, (size_t)c->count);
    for (int64_t e = 0; e < c->count; e++)
        if (c->is[e] != UNTOUCHED)
            is[e] = c->is[e];
    for (int i = r->next_access; i < r->end_access; i++) {
        const vg_strip_access *a = &r->s->accesses[i];
        if (a->memory == memory && a->kind == VG_STRIP_READ)
            read_cells(r, a, is);
        else if (a->memory == memory)
            set_cells(r, a, is, a->kind == VG_STRIP_BEGINS ? COMING : WRITTEN_NOW);
    }
    return is;
}

static void say_cells(FILE *to, const reel *r, int memory, window w, const uint8_t *is) {
    static const char *const text[CELLS] = {[UNTOUCHED] = "not written",
                                            [TILE] = "used in this phase",
                                            [FILLED] = "written",
                                            [COMING] = "on their way",
                                            [READ_NOW] = "being read",
                                            [WRITTEN_NOW] = "being written",
                                            [READ_UNSET] = "read before anybody has written them"};
    const cells *c = &r->memory[memory];
    int64_t count[CELLS] = {0};
    for (int64_t e = 0; e < c->count; e++)
        count[is[e]]++;
    vg_film_put_text(to, r->s->memories[memory].name);
    if (w.rows * w.columns < c->count)
        fprintf(to,
                ", rows %" PRId64 " to %" PRId64 " and columns %" PRId64 " to %" PRId64
                " of %" PRId64 " x %" PRId64,
                w.row, w.row + w.rows - 1, w.column, w.column + w.columns - 1, c->rows, c->columns);
    fprintf(to, ": %" PRId64 " cells", c->count);
    for (int k = c->shared ? UNTOUCHED : TILE; k < CELLS; k++)
        if (count[k] > 0) {
            fputs(", ", to);
            put_swatch(to, cell_class[k]);
            fprintf(to, "%" PRId64 " %s", count[k], text[k]);
        }
}

static bool draw_memory(FILE *to, const reel *r, int memory, bool *failed) {
    const cells *c = &r->memory[memory];
    const window w = window_of(r, memory);
    uint8_t *is = cells_now(r, memory, failed);
    if (is == NULL)
        return false;
    const int64_t all = w.rows * w.columns;
    uint8_t *part = malloc((size_t)all + 1);
    int64_t count = 0;
    for (int64_t i = 0; part != NULL && i < all; i++) {
        const int64_t e = (w.row + i / w.columns) * c->columns + w.column + i % w.columns;
        if (e < c->count) /* the last row may end early */
            part[count++] = is[e];
    }
    if (part != NULL) {
        strip_begin_svg(to, w.columns, w.rows, scale_of(w.columns, 160));
        draw_grid(to, part, w.rows, w.columns, count, cell_class, CELLS);
        strip_end_svg(to);
        say_cells(to, r, memory, w, is);
        fputs(".</figcaption></figure>\n", to);
    }
    *failed = *failed || part == NULL;
    free(part);
    free(is);
    return true;
}

/* ---- all of it ---- */

/* Without columns, or with one long row, a memory has rows of one's choice. */
static bool make_cells(const vg_strip_memory *m, cells *c) {
    c->count = m->bytes / m->element;
    c->shared = m->shared;
    const bool flat = m->columns == 0 || (m->rows < 2 && m->columns > LANES);
    c->columns = !flat ? m->columns : c->count < LANES ? c->count : LANES;
    c->rows = c->columns > 0 ? (c->count + c->columns - 1) / c->columns : 0;
    if (c->count == 0 || c->count > MOST_CELLS || c->columns > c->count)
        return true;
    c->is = calloc((size_t)c->count, 1);
    return c->is != NULL;
}

/* Does every number mean something that is there? */
static bool is_sound(const vg_strip *s) {
    const int64_t *b = s->block;
    for (int i = 0; i < 3; i++)
        if (b[i] < 1 || b[i] > VG_STRIP_THREADS)
            return false;
    const int64_t threads = b[0] * b[1] * b[2], warps = (threads + LANES - 1) / LANES;
    bool sound = threads <= VG_STRIP_THREADS;
    for (int i = 0; i < s->num_steps; i++)
        sound = sound && s->steps[i].warp < warps;
    for (int i = 0; i < s->num_pauses; i++)
        sound = sound && s->pauses[i].warp >= 0 && s->pauses[i].warp < warps;
    for (int i = 0; i < s->num_memories; i++)
        sound = sound && s->memories[i].element > 0 && s->memories[i].bytes >= 0 &&
                s->memories[i].columns >= 0;
    for (int i = 0; i < s->num_accesses; i++) {
        const vg_strip_access *a = &s->accesses[i];
        sound = sound && a->memory >= 0 && a->memory < s->num_memories && a->step >= 0 &&
                a->step < s->num_steps && a->size >= 1 && a->size <= STRIP_MOST_SIZE;
    }
    return sound;
}

static char *draw_moment(const reel *r) {
    char *html = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&html, &length);
    if (to == NULL)
        return NULL;
    bool failed = false;
    fputs("<div class=\"pictures\">", to);
    const long begun = ftell(to);
    draw_block(to, r);
    strip_draw_costs(to, r);
    int drawn = 0;
    for (int i = 0; i < r->s->num_memories && drawn < MOST_MEMORIES; i++)
        drawn += draw_memory(to, r, i, &failed);
    const bool empty = ftell(to) == begun;
    fputs("</div>", to);
    if (fclose(to) == 0 && !failed) {
        if (empty)
            html[0] = '\0';
        return html;
    }
    free(html);
    return NULL;
}

bool vg_strip_draw(const vg_strip *s, const int *step, int count, char **html) {
    reel r = {.s = s, .step = -1};
    memset(html, 0, (size_t)count * sizeof *html);
    if (!is_sound(s))
        return true;
    for (int w = 0; w < WARPS; w++)
        r.warp[w].last = -1;
    r.memory = calloc((size_t)s->num_memories + 1, sizeof *r.memory);
    bool ok = r.memory != NULL;
    for (int i = 0; ok && i < s->num_memories; i++)
        ok = make_cells(&s->memories[i], &r.memory[i]);
    for (int i = 0; ok && i < count; i++) {
        if (step[i] < r.step || step[i] >= s->num_steps)
            continue;
        while (r.step < step[i])
            take_step(&r, ++r.step);
        html[i] = draw_moment(&r);
        ok = html[i] != NULL;
    }
    for (int i = 0; !ok && i < count; i++) {
        free(html[i]);
        html[i] = NULL;
    }
    for (int i = 0; r.memory != NULL && i < s->num_memories; i++)
        free(r.memory[i].is);
    free(r.memory);
    return ok;
}
