/* trace.c: see trace.h. */
#include "grading/src/report/trace.h"

#include "grading/src/base/text.h"
#include "grading/src/report/recording_nan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many of a thread's latest reads can be what it stores; of what is odd so many are told. */
enum { REMEMBERED = 64, SHOWN = 3 };

/* An element of A or B, and the step that read it. */
struct origin {
    int step, memory;
    int64_t element;
};

/* What a shared cell holds. */
struct cell {
    enum { CELL_UNKNOWN, CELL_PADDING, CELL_ELEMENT } holds;
    struct origin from, coming; /* coming: of an asynchronous copy on its way */
    bool awaited;
};

/* The latest reads of one thread that it has not stored yet. */
struct reads {
    struct origin at[REMEMBERED];
    int count;
};

/* Something that the thread read for its sum. */
struct term {
    struct origin what; /* step: when it read it */
    int shared;         /* the shared memory that it came from; -1: A or B itself */
    int64_t cell;
};

struct search {
    const struct recording *r;
    const struct traced_product *p;
    const struct share *share; /* of the thread */
    int thread, threads;
    struct reads *reads; /* of each thread */
    struct cell **cells; /* of each shared memory */
    struct term *term;
    int terms, room;
    bool sure; /* all that the thread read from shared memory is known */
    /* The first cell that holds neither what its writer had read nor a zero. */
    struct {
        bool found;
        int step, thread, shared;
        int64_t cell;
        uint32_t bits;
        struct origin read;
    } altered;
};

void trace_name(char *buffer, size_t room, const struct recorded_memory *m, int64_t element) {
    if (m->rows > 1 && m->columns > 0)
        snprintf(buffer, room, "%s[%" PRId64 "][%" PRId64 "]", m->name, element / m->columns,
                 element % m->columns);
    else
        snprintf(buffer, room, "%s[%" PRId64 "]", m->name, element);
}

/* ---- C ---- */

static bool is_store(enum recorded_kind kind) {
    return kind == RECORDED_WRITE || kind == RECORDED_ATOMIC;
}

/* The matrix of C's size that the block writes; -1: none. */
static int find_result(const struct recording *r, const struct traced_product *p) {
    for (int i = 0; i < r->accesses; i++) {
        const int memory = r->access[i].memory;
        const struct recorded_memory *m = &r->memory[memory];
        if (is_store(r->access[i].kind) && !m->shared && memory != p->a && memory != p->b &&
            m->element == 4 && m->count == (int64_t)p->m * p->n)
            return memory;
    }
    return -1;
}

/* For each element of C the last step that writes it and its thread; step -1: none does. */
struct last_write {
    int step, thread;
};

static struct last_write *find_writes(const struct recording *r, int memory) {
    const int64_t count = r->memory[memory].count;
    struct last_write *last = xcalloc((size_t)count + 1, sizeof *last);
    for (int64_t e = 0; e < count; e++)
        last[e].step = -1;
    for (int i = 0; i < r->accesses; i++) {
        const struct recorded_access *a = &r->access[i];
        if (a->memory != memory || !is_store(a->kind))
            continue;
        for (int lane = 0; lane < RECORDING_LANES; lane++) {
            const int64_t first = a->at[lane] / 4, end = first + (int64_t)a->bytes / 4;
            const int thread = r->step[a->step].warp * RECORDING_LANES + lane;
            for (int64_t e = first; (a->mask >> lane & 1) != 0 && a->at[lane] >= 0 && e < end; e++)
                if (e < count)
                    last[e] = (struct last_write){a->step, thread};
        }
    }
    return last;
}

/* Which rows and columns of C a thread writes elements of, and how many elements. */
struct share {
    bool *row, *column;
    int count;
};

static struct share share_of(const struct last_write *last, const struct traced_product *p,
                             int thread) {
    struct share s = {xcalloc((size_t)p->m, sizeof *s.row), xcalloc((size_t)p->n, sizeof *s.column),
                      0};
    for (int64_t e = 0; e < (int64_t)p->m * p->n; e++) {
        if (last[e].step < 0 || last[e].thread != thread)
            continue;
        s.row[e / p->n] = s.column[e % p->n] = true;
        s.count++;
    }
    return s;
}

/* ---- what the thread reads ---- */

static void add_term(struct search *s, struct origin what, int step, int shared, int64_t cell) {
    if (s->terms == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->term = xrealloc(s->term, (size_t)s->room * sizeof *s->term);
    }
    what.step = step;
    s->term[s->terms++] = (struct term){what, shared, cell};
}

static void remember(struct reads *list, struct origin o) {
    if (list->count == REMEMBERED)
        memmove(&list->at[0], &list->at[1], (size_t)--list->count * sizeof list->at[0]);
    list->at[list->count++] = o;
}

/* The element that a thread had read and now stores: the first of this step's reads with the same
 * bits, or else the only one of its latest. Taken off the list. False: not known. */
static bool take_origin(const struct search *s, struct reads *list, int step, uint32_t bits,
                        struct origin *o) {
    int found = -1, older = 0;
    for (int i = list->count - 1; i >= 0; i--) {
        const struct origin *c = &list->at[i];
        if (s->r->memory[c->memory].before[c->element] != bits)
            continue;
        if (c->step == step)
            found = i;
        else if (found < 0 || list->at[found].step != step)
            older++, found = i;
    }
    if (found < 0 || (list->at[found].step != step && older != 1))
        return false;
    *o = list->at[found];
    memmove(&list->at[found], &list->at[found + 1],
            (size_t)(--list->count - found) * sizeof list->at[0]);
    return true;
}

static bool is_input(const struct search *s, int memory) {
    return memory == s->p->a || memory == s->p->b;
}

static void read_shared(struct search *s, const struct recorded_access *a, int64_t e, int thread) {
    const struct cell *c = &s->cells[a->memory][e];
    if (thread != s->thread)
        return;
    if (c->holds == CELL_ELEMENT)
        add_term(s, c->from, a->step, a->memory, e);
    else if (c->holds == CELL_UNKNOWN)
        s->sure = false;
}

static void write_shared(struct search *s, const struct recorded_access *a, int64_t e, int thread,
                         int lane, int i) {
    struct cell *c = &s->cells[a->memory][e];
    struct reads *list = &s->reads[thread];
    c->holds = CELL_UNKNOWN;
    if (s->r->memory[a->memory].element != 4 || i >= a->words)
        return;
    const uint32_t bits = a->value[i][lane];
    if (take_origin(s, list, a->step, bits, &c->from))
        c->holds = CELL_ELEMENT;
    else if (bits == 0) /* padding, which is part of no product */
        c->holds = CELL_PADDING;
    else if (!s->altered.found && list->count > 0 && list->at[list->count - 1].step == a->step &&
             a->words == 1) {
        s->altered.found = true;
        s->altered.step = a->step;
        s->altered.thread = thread;
        s->altered.shared = a->memory;
        s->altered.cell = e;
        s->altered.bits = bits;
        s->altered.read = list->at[list->count - 1];
    }
}

/* A copy's source is what the same step reads. */
static void begin_copy(struct search *s, const struct recorded_access *a, int64_t e, int thread,
                       int i) {
    struct cell *c = &s->cells[a->memory][e];
    const struct reads *list = &s->reads[thread];
    int nth = 0;
    c->awaited = false;
    for (int k = 0; k < list->count; k++) {
        if (list->at[k].step != a->step || nth++ != i)
            continue;
        c->coming = list->at[k];
        c->awaited = true;
    }
}

static void end_copy(struct search *s, const struct recorded_access *a, int64_t e) {
    struct cell *c = &s->cells[a->memory][e];
    c->holds = c->awaited ? CELL_ELEMENT : CELL_UNKNOWN;
    c->from = c->coming;
    c->awaited = false;
}

static void follow_element(struct search *s, const struct recorded_access *a, int64_t e, int lane,
                           int i) {
    const int thread = s->r->step[a->step].warp * RECORDING_LANES + lane;
    const struct recorded_memory *m = &s->r->memory[a->memory];
    if (e < 0 || e >= m->count || thread >= s->threads)
        return;
    if (is_input(s, a->memory) && a->kind == RECORDED_READ) {
        const struct origin o = {a->step, a->memory, e};
        remember(&s->reads[thread], o);
        if (thread == s->thread)
            add_term(s, o, a->step, -1, e);
    } else if (m->shared) {
        switch (a->kind) {
        case RECORDED_READ: read_shared(s, a, e, thread); break;
        case RECORDED_WRITE: write_shared(s, a, e, thread, lane, i); break;
        case RECORDED_COPY_BEGINS: begin_copy(s, a, e, thread, i); break;
        case RECORDED_COPY_ENDS: end_copy(s, a, e); break;
        case RECORDED_ATOMIC: s->cells[a->memory][e].holds = CELL_UNKNOWN; break;
        }
    }
}

static void follow(struct search *s) {
    for (int i = 0; i < s->r->accesses; i++) {
        const struct recorded_access *a = &s->r->access[i];
        const int64_t element = s->r->memory[a->memory].element;
        for (int lane = 0; lane < RECORDING_LANES; lane++)
            for (int k = 0;
                 (a->mask >> lane & 1) != 0 && a->at[lane] >= 0 && k * element < (int64_t)a->bytes;
                 k++)
                follow_element(s, a, a->at[lane] / element + k, lane, k);
    }
    /* What it read only to store it in a shared array is no term of its own sum. */
    bool staged = false;
    int kept = 0;
    for (int i = 0; i < s->terms; i++)
        staged = staged || s->term[i].shared >= 0;
    for (int i = 0; i < s->terms; i++)
        if (!staged || s->term[i].shared >= 0)
            s->term[kept++] = s->term[i];
    s->terms = kept;
}

/* ---- what is odd about it ---- */

/* The row of an element of A, the column of one of B: which element of C it can be for. */
static int64_t side_of(const struct search *s, const struct term *t) {
    return t->what.memory == s->p->a ? t->what.element / s->p->k : t->what.element % s->p->n;
}

/* p, of A[i][p] and B[p][j]. */
static int64_t index_of(const struct search *s, const struct term *t) {
    return t->what.memory == s->p->a ? t->what.element % s->p->k : t->what.element / s->p->n;
}

static void say_term(char *buffer, size_t room, const struct search *s, const struct term *t) {
    char what[160], cell[160];
    trace_name(what, sizeof what, &s->r->memory[t->what.memory], t->what.element);
    if (t->shared < 0) {
        snprintf(buffer, room, "%s", what);
        return;
    }
    trace_name(cell, sizeof cell, &s->r->memory[t->shared], t->cell);
    snprintf(buffer, room, "%s, which holds %s", cell, what);
}

/* all: it is about all that the thread does, and no one line's. */
__attribute__((format(printf, 5, 6))) static void
note(struct trace *t, const struct search *s, int step, bool all, const char *format, ...) {
    va_list args;
    if (t->notes == TRACE_NOTES)
        return;
    struct trace_note *n = &t->note[t->notes++];
    n->step = step;
    n->memory = -1;
    n->line = all ? 0 : s->r->step[step].line;
    va_start(args, format);
    vsnprintf(n->text, sizeof n->text, format, args);
    va_end(args);
}

/* What the last note is about: a term that its thread reads. */
static void note_cell(struct trace *t, const struct term *m) {
    struct trace_note *n = &t->note[t->notes - 1];
    n->memory = m->shared >= 0 ? m->shared : m->what.memory;
    n->element = m->cell;
}

/* The one row of A, or column of B, that all terms are from; -1: several, or none. */
static int64_t only_side(const struct search *s, int memory) {
    int64_t side = -1;
    for (int i = 0; i < s->terms; i++) {
        if (s->term[i].what.memory != memory)
            continue;
        const int64_t here = side_of(s, &s->term[i]);
        if (side >= 0 && here != side)
            return -1;
        side = here;
    }
    return side;
}

/* Elements of rows and columns that are for no element of C that the thread writes. */
static bool note_strangers(struct trace *t, const struct search *s, int64_t row, int64_t column) {
    for (int i = 0; i < s->terms && t->notes < SHOWN; i++) {
        const struct term *m = &s->term[i];
        const bool of_a = m->what.memory == s->p->a;
        const char *side = of_a ? "row" : "column";
        const int64_t of = side_of(s, m);
        char text[340];
        if (of_a ? s->share->row[of] : s->share->column[of])
            continue;
        say_term(text, sizeof text, s, m);
        if (s->share->count == 1)
            note(t, s, m->what.step, false, "reads %s: not in %s %" PRId64 " of %s", text, side,
                 of_a ? row : column, s->r->memory[m->what.memory].name);
        else
            note(t, s, m->what.step, false, "reads %s, and writes nothing in %s %" PRId64 " of %s",
                 text, side, of, s->r->memory[t->c].name);
        note_cell(t, m);
    }
    return t->notes > 0;
}

/* Pairs that a line reads together: one of A, one of B. */
static bool note_pairs(struct trace *t, const struct search *s) {
    for (int i = 0; i + 1 < s->terms && t->notes < SHOWN; i += 2) {
        const struct term *x = &s->term[i], *y = &s->term[i + 1];
        char one[340], other[340];
        if (x->what.step != y->what.step || x->what.memory == y->what.memory)
            return t->notes > 0;
        if (index_of(s, x) == index_of(s, y))
            continue;
        say_term(one, sizeof one, s, x);
        say_term(other, sizeof other, s, y);
        note(t, s, x->what.step, false, "reads %s, together with %s: no product needs these two",
             one, other);
        note_cell(t, x);
    }
    return t->notes > 0;
}

/* "3 to 7", or "3, 5 and 9"; what of many is left out is counted. */
static void say_numbers(struct text *to, const int *of, int k, bool (*is_in)(int)) {
    int first = -1, last = -1, count = 0, said = 0;
    for (int p = 0; p < k; p++) {
        if (!is_in(of[p]))
            continue;
        first = first < 0 ? p : first;
        last = p;
        count++;
    }
    if (count > 2 && last - first == count - 1) {
        text_addf(to, "%d to %d", first, last);
        return;
    }
    for (int p = 0; p < k && said < 6; p++)
        if (is_in(of[p])) {
            text_addf(to, "%s%d", said == 0 ? "" : said + 1 == count ? " and " : ", ", p);
            said++;
        }
    if (count > said)
        text_addf(to, " and %d more", count - said);
}

static bool is_never(int times) {
    return times == 0;
}

static bool is_often(int times) {
    return times > 1;
}

/* Elements of the row and the column that it reads never, or more than once. */
static void note_counts(struct trace *t, const struct search *s, int64_t row, int64_t column) {
    int *times = xcalloc((size_t)s->p->k, sizeof *times);
    for (int side = 0; side < 2; side++) {
        const int memory = side == 0 ? s->p->a : s->p->b;
        int last = t->step, never = 0, often = 0;
        memset(times, 0, (size_t)s->p->k * sizeof *times);
        for (int i = 0; i < s->terms; i++)
            if (s->term[i].what.memory == memory &&
                side_of(s, &s->term[i]) == (side == 0 ? row : column)) {
                times[index_of(s, &s->term[i])]++;
                last = s->term[i].what.step;
            }
        for (int p = 0; p < s->p->k; p++) {
            never += is_never(times[p]);
            often += is_often(times[p]);
        }
        /* For several elements of C one of A is needed several times. */
        for (int many = 0; many < (s->share->count == 1 ? 2 : 1); many++) {
            struct text list = {0};
            if ((many ? often : never) == 0)
                continue;
            say_numbers(&list, times, s->p->k, many ? is_often : is_never);
            if (side == 0)
                note(t, s, last, true, "%s %s[%" PRId64 "][p] for p = %s",
                     many ? "reads more than once" : "never reads", s->r->memory[memory].name, row,
                     text_get(&list));
            else
                note(t, s, last, true, "%s %s[p][%" PRId64 "] for p = %s",
                     many ? "reads more than once" : "never reads", s->r->memory[memory].name,
                     column, text_get(&list));
            text_free(&list);
        }
    }
    free(times);
    t->complete = t->notes == 0;
}

static float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void note_altered(struct trace *t, const struct search *s) {
    char cell[160], what[160];
    const struct origin *o = &s->altered.read;
    const int64_t x = s->altered.thread % s->r->block[0],
                  y = s->altered.thread / s->r->block[0] % s->r->block[1];
    trace_name(cell, sizeof cell, &s->r->memory[s->altered.shared], s->altered.cell);
    trace_name(what, sizeof what, &s->r->memory[o->memory], o->element);
    note(t, s, s->altered.step, false,
         "gets from thread (%" PRId64 ",%" PRId64 ") not %s, which is %g, but %g, in %s", x, y,
         what, (double)float_of(s->r->memory[o->memory].before[o->element]),
         (double)float_of(s->altered.bits), cell);
}

static void find_oddities(struct trace *t, const struct search *s) {
    const int64_t row = t->cell->element / s->p->n, column = t->cell->element % s->p->n;
    const int64_t r = only_side(s, s->p->a), c = only_side(s, s->p->b);
    const char *name = s->r->memory[t->c].name;
    if (s->terms == 0) {
        if (s->altered.found)
            note_altered(t, s);
        return;
    }
    if (s->share->count == 1 && r >= 0 && c >= 0 && (r != row || c != column)) {
        note(t, s, t->step, false,
             "has read what %s[%" PRId64 "][%" PRId64 "] needs, and writes %s[%" PRId64 "][%" PRId64
             "]",
             name, r, c, name, row, column);
        return;
    }
    if (note_strangers(t, s, row, column) || (s->share->count == 1 && note_pairs(t, s)))
        return;
    if (s->sure)
        note_counts(t, s, row, column);
    else if (s->altered.found)
        note_altered(t, s);
}

static void search_thread(struct trace *t, const struct recording *r,
                          const struct traced_product *p, const struct share *share) {
    const int64_t threads = r->block[0] * r->block[1] * r->block[2];
    struct search s = {.r = r, .p = p, .share = share, .thread = t->thread, .sure = true};
    s.threads = threads > 1024 ? 1024 : (int)threads;
    s.reads = xcalloc((size_t)s.threads, sizeof *s.reads);
    s.cells = xcalloc((size_t)r->memories, sizeof *s.cells);
    for (int i = 0; i < r->memories; i++)
        if (r->memory[i].shared)
            s.cells[i] = xcalloc((size_t)r->memory[i].count + 1, sizeof **s.cells);
    follow(&s);
    find_oddities(t, &s);
    for (int i = 0; i < r->memories; i++)
        free(s.cells[i]);
    free(s.cells);
    free(s.reads);
    free(s.term);
}

/* A NaN in C has often been one in a variable before: there its line is. */
static void note_nan(struct trace *t, const struct recording *r) {
    struct recorded_nan nan;
    struct search s = {.r = r};
    if (!isnan(t->cell->got) || !recording_nan(r, t->thread, t->step, &nan))
        return;
    if (t->notes == TRACE_NOTES)
        t->notes--;
    note(t, &s, nan.step, false, "makes a NaN of %s%s", nan.name,
         nan.had_value ? "" : ", which has had no value before");
    const struct trace_note first = t->note[t->notes - 1]; /* before what it has read */
    memmove(&t->note[1], &t->note[0], (size_t)(t->notes - 1) * sizeof t->note[0]);
    t->note[0] = first;
}

static bool is_known_input(const struct recording *r, int memory) {
    return memory >= 0 && r->memory[memory].before && r->memory[memory].element == 4;
}

void trace_product(struct trace *t, const struct recording *r, const struct traced_product *p) {
    *t = (struct trace){.c = find_result(r, p), .step = -1};
    if (p->count == 0)
        return;
    t->cell = &p->wrong[0];
    struct last_write *last = t->c >= 0 ? find_writes(r, t->c) : NULL;
    for (size_t i = 0; last && t->step < 0 && i < p->count; i++) {
        const struct last_write *w = &last[p->wrong[i].element];
        if (w->step < 0)
            continue;
        t->step = w->step;
        t->thread = w->thread;
        t->cell = &p->wrong[i];
    }
    if (last && t->step >= 0) {
        t->line = r->step[t->step].line;
        if (!p->exchanged && is_known_input(r, p->a) && is_known_input(r, p->b) && p->a != p->b) {
            struct share share = share_of(last, p, t->thread);
            t->elements = share.count;
            search_thread(t, r, p, &share);
            free(share.row);
            free(share.column);
        }
        note_nan(t, r);
    }
    free(last);
}
