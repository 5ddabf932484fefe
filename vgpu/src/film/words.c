/*
 * words.c: a film's sentences, one a step, made of what was recorded and of nothing else. All of
 * them are here, although the file is long: they are read one after the other, and must be alike.
 */
#include "vgpu/src/film/film_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SENTENCE = 600,
    MAX_SAID = 4,
    MAX_NAMED = 5,
    MAX_CHANGED = 64,
    MAX_MOMENTS = 40,
    MAX_LINE = 200
};

typedef struct sentence {
    char text[MAX_SENTENCE];
    size_t len;
} sentence;

static void say(sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(sentence *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (s->len < sizeof s->text - 1) {
        const int n = vsnprintf(s->text + s->len, sizeof s->text - s->len, format, args);
        s->len += n > 0 ? (size_t)n : 0;
        s->len = s->len < sizeof s->text ? s->len : sizeof s->text - 1;
    }
    va_end(args);
}

int film_text(vg_film *f, const char *text) {
    /* Neighbouring steps say the same; further back nobody looks. */
    for (int i = f->texts.count - 1; i >= 0 && i > f->texts.count - 400; i--)
        if (strcmp(*FILM_AT(f->texts, char *, i), text) == 0)
            return i;
    char **to = film_add(f, &f->texts, sizeof *to);
    if (to == NULL)
        return 0;
    *to = strdup(text);
    if (*to == NULL) {
        f->texts.count--;
        f->out_of_memory = true;
        return 0;
    }
    return f->texts.count - 1;
}

/* ---- who ---- */

static void say_who(sentence *s, const vg_film *f, int warp, uint32_t mask) {
    const uint32_t alive = f->alive[warp];
    const int n = __builtin_popcount(mask);
    if (mask == alive)
        say(s, "Warp %d", warp);
    else if (n == 1)
        say(s, "Lane %d of warp %d", __builtin_ctz(mask), warp);
    else
        say(s, "%d lanes of warp %d", n, warp);
}

/* The verb's ending: "reads", but "5 lanes read". */
static const char *ending(const vg_film *f, const film_step *s) {
    return s->mask == f->alive[s->warp] || __builtin_popcount(s->mask) == 1 ? "s" : "";
}

/* ---- what is accessed ---- */

/* The indices of the row that a place is in: "[3]", and "[1][3]" where rows lie in planes. */
static void row_text(const film_memory *m, int64_t row, char *buf, size_t len) {
    int64_t planes = m->rows;
    size_t n = 0;
    *buf = '\0';
    for (int d = 0; d < m->num_sides && n < len; d++) {
        planes /= m->sides[d];
        n += (size_t)snprintf(buf + n, len - n, "[%" PRId64 "]", row / planes);
        row %= planes;
    }
    if (m->num_sides == 0)
        snprintf(buf, len, "[%" PRId64 "]", row);
}

void film_place_text(const film_memory *m, int64_t at, char *buf, size_t len) {
    const int64_t unit = m->record != 0 ? m->record : m->element;
    const film_part *part = m->record != 0 && at >= 0 ? film_part_at(m, at) : NULL;
    const char *path = part != NULL ? part->path : "";
    char row[64];
    if (at < 0) {
        snprintf(buf, len, "%s[%" PRId64 "]", m->name, (at - unit + 1) / unit);
    } else if (m->columns != 0 && m->rows > 1) {
        row_text(m, at / m->pitch, row, sizeof row);
        snprintf(buf, len, "%s%s[%" PRId64 "]%s", m->name, row, at % m->pitch / unit, path);
    } else {
        snprintf(buf, len, "%s[%" PRId64 "]%s", m->name, at / unit, path);
    }
}

static bool is_neighbour(const film_access *a, int before, int lane) {
    return a->at[lane] == a->at[before] + a->size;
}

typedef struct pattern {
    int lanes, places, rows; /* rows: 0 where memory has none */
    bool neighbours;         /* each lane's next is the next lane's, all along */
    bool in_rows;            /* the same within each row */
    bool column;             /* one column */
    bool outside;
    bool run;      /* fewer places than lanes: neighbours of one row, each for as many lanes */
    int64_t apart; /* bytes from one lane to the next that has a part in it, if always the same */
} pattern;

/* Do the places stand side by side, each for as many lanes? */
static bool is_run(const film_access *a, const pattern *p) {
    int64_t low = INT64_MAX;
    int lanes[VG_LANES] = {0};
    for (uint32_t m = a->mask; m != 0; m &= m - 1)
        low = a->at[__builtin_ctz(m)] < low ? a->at[__builtin_ctz(m)] : low;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const int64_t at = a->at[__builtin_ctz(m)] - low;
        if (at % a->size != 0 || at / a->size >= p->places)
            return false;
        lanes[at / a->size]++;
    }
    for (int i = 0; i < p->places; i++)
        if (lanes[i] * p->places != p->lanes)
            return false;
    return true;
}

static pattern pattern_of(const film_memory *m, const film_access *a) {
    pattern p = {
        .lanes = __builtin_popcount(a->mask), .neighbours = true, .in_rows = true, .column = true};
    const bool matrix = m->columns != 0 && m->rows > 1;
    const int first = __builtin_ctz(a->mask);
    int before = -1;
    int64_t row_of[VG_LANES];
    for (uint32_t mask = a->mask; mask != 0; mask &= mask - 1) {
        const int i = __builtin_ctz(mask);
        const int64_t at = a->at[i], row = matrix ? at / m->pitch : 0;
        bool new_place = true, new_row = matrix;
        for (uint32_t seen = a->mask & ((1u << i) - 1); seen != 0; seen &= seen - 1)
            new_place = new_place && a->at[__builtin_ctz(seen)] != at;
        for (int k = 0; k < p.rows && k < VG_LANES; k++)
            new_row = new_row && row_of[k] != row;
        p.places += new_place;
        if (new_row && p.rows < VG_LANES)
            row_of[p.rows++] = row;
        p.outside = p.outside || at < 0 || (uint64_t)at + a->size > m->size;
        if (matrix)
            p.column = p.column && at % m->pitch == a->at[first] % m->pitch;
        if (before >= 0) {
            const bool next = is_neighbour(a, before, i);
            p.neighbours = p.neighbours && next;
            p.in_rows = p.in_rows && (next || new_row);
            const int64_t apart = at - a->at[before];
            p.apart = before == first || apart == p.apart ? apart : 0;
        }
        before = i;
    }
    p.column = p.column && matrix;
    p.run = p.places > 1 && p.places < p.lanes && p.rows <= 1 && is_run(a, &p);
    return p;
}

/* "32 neighbours in row 3 of tile", and "of tile[1]" where that is one of several planes. */
static void say_row(sentence *s, const film_memory *m, int lanes, int64_t row) {
    const int64_t rows = m->num_sides > 1 ? m->sides[m->num_sides - 1] : m->rows;
    char planes[64];
    row_text(m, row, planes, sizeof planes);
    char *last = strrchr(planes, '[');
    if (last != NULL)
        *last = '\0';
    say(s, "%d neighbours in row %" PRId64 " of %s%s", lanes, row % rows, m->name, planes);
}

static void say_what(sentence *s, const film_memory *m, const film_access *a, const pattern *p) {
    char place[128];
    const int64_t first = a->at[__builtin_ctz(a->mask)];
    film_place_text(m, first, place, sizeof place);
    const int elements = (int)(a->size / m->element);
    const film_part *part = m->record != 0 ? film_part_at(m, first < 0 ? 0 : first) : NULL;
    if (p->outside) {
        int lane = __builtin_ctz(a->mask);
        for (uint32_t mask = a->mask; mask != 0; mask &= mask - 1) {
            const int i = __builtin_ctz(mask);
            if (a->at[i] < 0 || (uint64_t)a->at[i] + a->size > m->size) {
                lane = i;
                break;
            }
        }
        film_place_text(m, a->at[lane], place, sizeof place);
        say(s, "outside %s: lane %d means %s, which is not there", m->name, lane, place);
    } else if (p->places == 1) {
        say(s, "%s%s", place, p->lanes > 1 ? ", all lanes the same" : "");
        /* NOLINTNEXTLINE(bugprone-branch-clone): a struct goes before its numbers */
    } else if (part != NULL && a->size == m->record && p->neighbours) {
        say(s, "%d neighbours of %s", p->lanes, m->name);
    } else if (m->record != 0 && p->apart != 0 && p->apart % (int64_t)m->record == 0) {
        const bool whole = part != NULL && a->size == part->size;
        say(s, "%s of %d elements of %s, beginning at %s", /* the same of each lane's struct */
            whole ? part->path + (*part->path == '.') : "a part", p->lanes, m->name, place);
    } else if (p->run && part == NULL && elements == 1) {
        if (p->rows == 1)
            say_row(s, m, p->places, first / m->pitch);
        else
            say(s, "%d neighbours of %s", p->places, m->name);
        say(s, ", %d lanes each", p->lanes / p->places);
    } else if (elements > 1 && p->apart > 0 && p->apart % (int64_t)m->element == 0 &&
               !p->neighbours) {
        say(s, "%d times %d elements of %s, %" PRId64 " apart, beginning at %s", p->places,
            elements, m->name, p->apart / (int64_t)m->element, place);
    } else if (elements > 1 && p->neighbours) {
        say(s, "%d neighbours of %s, %d a lane, beginning at %s", p->lanes * elements, m->name,
            elements, place);
    } else if (p->rows == 1 && p->neighbours) {
        say_row(s, m, p->lanes, first / m->pitch);
    } else if (p->column && p->rows == p->places) {
        say(s, "column %" PRId64 " of %s, %d rows", first % m->pitch / m->element, m->name,
            p->rows);
    } else if (p->rows > 1 && p->in_rows) {
        say(s, "%d rows of %s, %d neighbours each", p->rows, m->name, p->places / p->rows);
    } else if (p->neighbours) {
        say(s, "%d neighbours of %s", p->lanes, m->name);
    } else if (p->rows > 1) {
        say(s, "%d elements of %s in %d rows", p->places, m->name, p->rows);
    } else if (p->apart > 0 && p->apart % (int64_t)m->element == 0 && p->places == p->lanes) {
        say(s, "%d elements of %s, %" PRId64 " apart", p->places, m->name,
            p->apart / (int64_t)m->element);
    } else {
        say(s, "%d elements of %s", p->places, m->name);
    }
}

static void say_cost(sentence *s, const film_memory *m, const film_access *a, const pattern *p) {
    if (p->outside)
        return;
    if (!m->shared) {
        say(s, ": %u sector%s", a->units, a->units == 1 ? "" : "s");
        const uint32_t used = (uint32_t)p->places * a->size;
        if (used * 2 <= a->units * 32)
            say(s, ", %u of %s %u bytes used", used, a->units == 1 ? "its" : "their",
                a->units * 32);
    } else if (a->conflicts > 0) {
        say(s, ": bank conflicts, %u passes", a->units);
    } else {
        say(s, ": no bank conflict");
    }
}

static void say_access(sentence *s, const vg_film *f, const film_step *step, const film_access *a) {
    static const char *const verbs[] = {[VG_READ] = "read",
                                        [VG_WRITE] = "write",
                                        [VG_ATOMIC] = "update",
                                        [VG_ASYNC_BEGIN] = "start",
                                        [VG_ASYNC_END] = "see"};
    const film_memory *m = FILM_AT(f->memories, film_memory, a->memory);
    const pattern p = pattern_of(m, a);
    say(s, "%s%s ", verbs[a->kind], ending(f, step));
    if (a->kind == VG_ASYNC_BEGIN)
        say(s, "a copy to ");
    else if (a->kind == VG_ASYNC_END)
        say(s, "a copy arrive in ");
    say_what(s, m, a, &p);
    say_cost(s, m, a, &p);
}

/* A step's accesses. What reads the same several times in a row is said once. */
static void say_accesses(sentence *s, const vg_film *f, const film_step *step) {
    sentence last = {{0}, 0};
    int said = 0, times = 0, k = 0;
    for (; k < step->num_accesses; k++) {
        sentence this = {{0}, 0};
        say_access(&this, f, step, FILM_AT(f->accesses, film_access, step->first_access + k));
        if (times > 0 && strcmp(this.text, last.text) == 0) {
            times++;
            continue;
        }
        if (times > 1)
            say(s, " (%d times)", times);
        if (said == MAX_SAID)
            break;
        say(s, "%s%s", said++ == 0 ? " " : "; ", this.text);
        last = this;
        times = 1;
    }
    if (k < step->num_accesses)
        say(s, "; and %d more access%s", step->num_accesses - k,
            step->num_accesses - k == 1 ? "" : "es");
    else if (times > 1)
        say(s, " (%d times)", times);
}

/* ---- which variables change ---- */

static bool holds_word(const film_var *v, int word) {
    return v->place.space == PS_LOCAL && v->named->size > 0 && (uint64_t)word >= v->place.at / 4 &&
           (uint64_t)word <= (v->place.at + v->named->size - 1) / 4;
}

static bool is_new(const int *list, int count, int var) {
    for (int i = 0; i < count; i++)
        if (list[i] == var)
            return false;
    return true;
}

/* Does the word hold what the compiler puts into variables that nobody has set? */
static bool is_unset(const film_var *v, const film_delta *d, uint32_t mask) {
    const bool real = v->named->num_leaves > 0 && v->named->leaves[0].encoding == VG_FLOAT;
    for (uint32_t m = mask; m != 0; m &= m - 1)
        if (d->value[__builtin_ctz(m)] != (real ? UINT32_MAX : 0xAAAAAAAA))
            return false;
    return true;
}

/* Variables of the step's frame that differ at the warp's next stop: the first MAX_NAMED go into
 * the list. Returns how many there are. */
static int changed_vars(const vg_film *f, const film_step *step, const int *first_delta,
                        int list[MAX_NAMED]) {
    const film_frame *frame = FILM_AT(f->frames, film_frame, step->frame);
    int all[MAX_CHANGED], count = 0;
    for (int d = first_delta[step->next]; d < first_delta[step->next + 1]; d++) {
        const film_delta *delta = FILM_AT(f->deltas, film_delta, d);
        for (int k = 0; k < frame->num_vars && count < MAX_CHANGED; k++) {
            const film_var *v = FILM_AT(f->vars, film_var, frame->vars[k]);
            if (holds_word(v, delta->word) && !is_unset(v, delta, step->mask) &&
                is_new(all, count, frame->vars[k]))
                all[count++] = frame->vars[k];
        }
    }
    for (int i = 0; i < count && i < MAX_NAMED; i++)
        list[i] = all[i];
    return count;
}

/* "p = 3" where all lanes have the same whole number. */
static bool say_value(sentence *s, const vg_film *f, const film_var *v, const film_step *step,
                      int next, const int *first_delta) {
    const vg_named_var *n = v->named;
    const bool whole = n->num_leaves == 1 && *n->leaves[0].path == '\0' && n->leaves[0].size == 4 &&
                       (n->leaves[0].encoding == VG_SIGNED || n->leaves[0].encoding == VG_UNSIGNED);
    for (int d = first_delta[next]; whole && d < first_delta[next + 1]; d++) {
        const film_delta *delta = FILM_AT(f->deltas, film_delta, d);
        if ((uint64_t)delta->word != v->place.at / 4)
            continue;
        const uint32_t value = delta->value[__builtin_ctz(step->mask)];
        for (uint32_t m = step->mask; m != 0; m &= m - 1)
            if (delta->value[__builtin_ctz(m)] != value)
                return false;
        say(s, "%s = %" PRId32, n->name, (int32_t)value);
        return true;
    }
    return false;
}

static void say_parting(sentence *s, const char *end, uint32_t on, uint32_t behind, int line) {
    const int ahead = __builtin_popcount(on), rest = __builtin_popcount(behind);
    say(s, " diverge%s: %d lane%s on to line %d first, %d stay%s behind", end, ahead,
        ahead == 1 ? " goes" : "s go", line, rest, rest == 1 ? "s" : "");
}

/* What a line without values to tell of does: it decides who goes where, calls, or nothing. */
static void say_way(sentence *s, const vg_film *f, const film_step *step) {
    const char *end = ending(f, step);
    const film_step *next = step->next >= 0 ? FILM_AT(f->steps, film_step, step->next) : NULL;
    const uint32_t on = next != NULL ? next->mask & step->mask : step->mask;
    const film_frame *after = next != NULL ? FILM_AT(f->frames, film_frame, next->frame) : NULL;
    if (after != NULL && after->up == step->frame && after->func >= 0)
        say(s, " call%s %s", end, f->names->funcs[after->func].name);
    else if (on != step->mask && on != 0)
        say_parting(s, end, on, step->mask & ~on, next->line);
    else
        say(s, " %s past line %d", *end != '\0' ? "goes" : "go", step->line);
}

static void say_changes(sentence *s, const vg_film *f, const film_step *step,
                        const int *first_delta) {
    int list[MAX_NAMED];
    const int count = step->next >= 0 ? changed_vars(f, step, first_delta, list) : 0;
    if (count == 0) {
        say_way(s, f, step);
        return;
    }
    say(s, " set%s ", ending(f, step));
    const int named = count > MAX_NAMED ? MAX_NAMED - 1 : count; /* no "and 1 more" */
    for (int i = 0; i < named; i++) {
        const film_var *v = FILM_AT(f->vars, film_var, list[i]);
        say(s, "%s", i == 0 ? "" : i + 1 == count ? " and " : ", ");
        if (!say_value(s, f, v, step, step->next, first_delta))
            say(s, "%s", v->named->name);
    }
    if (named < count)
        say(s, " and %d more variables", count - named);
}

/* ---- matrix instructions ---- */

static const film_matrices *matrices_of(const vg_film *f, int step, int *from) {
    while (*from < f->matrices.count && FILM_AT(f->matrices, film_matrices, *from)->step < step)
        ++*from;
    const film_matrices *m = FILM_AT(f->matrices, film_matrices, *from);
    return *from < f->matrices.count && m->step == step ? m : NULL;
}

static void say_matrices(sentence *s, const vg_film *f, const film_matrices *m) {
    const tensor_call *c = *FILM_AT(f->shapes, const tensor_call *, m->shape);
    say(s, " multiplies matrices of %d x %d and %d x %d that its lanes hold together", c->m, c->k,
        c->k, c->n);
    if (m->times > 1)
        say(s, ", %d times", m->times);
}

/* ---- steps ---- */

static const film_pause *pause_behind(const vg_film *f, int step, int warp, int *from) {
    for (; *from < f->pauses.count; ++*from) {
        const film_pause *p = FILM_AT(f->pauses, film_pause, *from);
        if (p->step > step)
            return NULL;
        if (p->step == step && p->warp == warp)
            return p;
    }
    return NULL;
}

static void say_pause(sentence *s, const vg_film *f, const film_step *step, const film_pause *p) {
    static const char *const text[] = {[VG_PAUSE_BARRIER] = "waits at the barrier",
                                       [VG_PAUSE_WARP] = "waits for other lanes of the warp",
                                       [VG_PAUSE_PART] = "",
                                       [VG_PAUSE_END] = "is done",
                                       [VG_PAUSE_FAULT] = "is stopped: this is the mistake"};
    static const char *const many[] = {[VG_PAUSE_BARRIER] = "wait at the barrier",
                                       [VG_PAUSE_WARP] = "wait for other lanes of the warp",
                                       [VG_PAUSE_PART] = "",
                                       [VG_PAUSE_END] = "are done",
                                       [VG_PAUSE_FAULT] = "are stopped: this is the mistake"};
    const int lanes = __builtin_popcount(p->mask);
    if (p->mask != step->mask)
        say(s, "%s%d of its lanes %s", step->num_accesses > 0 ? "; " : ": ", lanes,
            lanes == 1 ? text[p->why] : many[p->why]);
    else if (*ending(f, step) != '\0')
        say(s, "%s %s", step->num_accesses > 0 ? ", then" : "", text[p->why]);
    else
        say(s, "%s %s", step->num_accesses > 0 ? ", then" : "", many[p->why]);
}

static int *index_deltas(const vg_film *f) {
    int *first = calloc((size_t)f->steps.count + 2, sizeof *first);
    if (first == NULL)
        return NULL;
    int d = 0;
    for (int i = 0; i <= f->steps.count; i++) {
        while (d < f->deltas.count && FILM_AT(f->deltas, film_delta, d)->step < i)
            d++;
        first[i] = d;
    }
    first[f->steps.count + 1] = f->deltas.count;
    return first;
}

void film_say_all(vg_film *f) {
    int *first_delta = index_deltas(f);
    if (first_delta == NULL) {
        f->out_of_memory = true;
        return;
    }
    int pause = 0, product = 0;
    for (int i = 0; i < f->steps.count && !f->out_of_memory; i++) {
        film_step *step = FILM_AT(f->steps, film_step, i);
        sentence s = {{0}, 0};
        if (step->warp < 0) {
            say(&s, "All threads have reached the barrier: phase %d begins.", step->phase + 1);
        } else {
            say_who(&s, f, step->warp, step->mask);
            say_accesses(&s, f, step);
            const film_pause *p = pause_behind(f, i, step->warp, &pause);
            const film_matrices *m = matrices_of(f, i, &product);
            if (m != NULL)
                say_matrices(&s, f, m);
            else if (step->num_accesses == 0 && p == NULL)
                say_changes(&s, f, step, first_delta);
            if (p != NULL)
                say_pause(&s, f, step, p);
            say(&s, ".");
        }
        step->say = film_text(f, s.text);
    }
    free(first_delta);
}

/* ---- moments ---- */

/* The step's line as it stands in the source, without what it is indented by; "": not known. */
static const char *line_text(const vg_film *f, const film_step *s, int *len) {
    *len = 0;
    for (int i = 0; i < f->names->num_sources; i++) {
        const vg_source *source = &f->names->sources[i];
        const char *at = source->text, *end = at + source->len;
        if (source->file != s->file)
            continue;
        for (int line = 1; line < s->line && at < end; line++) {
            const char *next = memchr(at, '\n', (size_t)(end - at));
            at = next != NULL ? next + 1 : end;
        }
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        while (*len < MAX_LINE && at + *len < end && at[*len] != '\n' && at[*len] != '\r')
            ++*len;
        return at;
    }
    return "";
}

static bool has_moment(const vg_film *f, int step) {
    for (int i = 0; i < f->moments.count; i++)
        if (FILM_AT(f->moments, vg_film_moment, i)->step == step)
            return true;
    return false;
}

static void add_moment(vg_film *f, int step, const char *title, const char *more) {
    if (f->moments.count >= MAX_MOMENTS)
        return;
    vg_film_moment *m = film_add(f, &f->moments, sizeof *m);
    if (m == NULL)
        return;
    const film_step *s = FILM_AT(f->steps, film_step, step);
    m->step = step;
    m->title = strdup(title);
    int len;
    const char *line = line_text(f, s, &len);
    if (asprintf(&m->text, "%s\n\t%.*s%s%s", *FILM_AT(f->texts, char *, s->say), len, line,
                 more != NULL ? "\n" : "", more != NULL ? more : "") < 0)
        m->text = NULL;
    if (m->title == NULL || m->text == NULL)
        f->out_of_memory = true;
}

static int compare_moments(const void *a, const void *b) {
    const vg_film_moment *x = a, *y = b;
    return x->step < y->step ? -1 : x->step > y->step;
}

/* The first step of the phase that does this to memory of this kind; -1: none. */
static int first_that(const vg_film *f, int begin, bool shared, enum vg_access_kind kind) {
    const int phase = FILM_AT(f->steps, film_step, begin)->phase;
    for (int i = begin; i < f->steps.count; i++) {
        const film_step *s = FILM_AT(f->steps, film_step, i);
        if (s->phase != phase)
            return -1;
        for (int k = 0; k < s->num_accesses; k++) {
            const film_access *a = FILM_AT(f->accesses, film_access, s->first_access + k);
            if (FILM_AT(f->memories, film_memory, a->memory)->shared == shared && a->kind == kind)
                return i;
        }
    }
    return -1;
}

static void add_phase(vg_film *f, int begin) {
    static const struct {
        bool shared;
        enum vg_access_kind kind;
        const char *title;
    } kinds[] = {{false, VG_READ, "reads global memory"},
                 {true, VG_WRITE, "fills shared memory"},
                 {true, VG_READ, "uses shared memory"},
                 {false, VG_WRITE, "writes global memory"}};
    char title[120];
    int before = -1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const int step = first_that(f, begin, kinds[i].shared, kinds[i].kind);
        if (step < 0 || step == before || has_moment(f, step))
            continue;
        before = step;
        const film_step *s = FILM_AT(f->steps, film_step, step);
        snprintf(title, sizeof title, "Phase %d, step %d, line %d: a warp %s", s->phase + 1,
                 step + 1, s->line, kinds[i].title);
        add_moment(f, step, title, NULL);
    }
}

void film_choose_moments(vg_film *f, const vg_film_story *story) {
    char first[60];
    if (f->moments.count > 0 || f->out_of_memory || f->steps.count == 0)
        return;
    const int count = story->findings != NULL ? vg_findings_count(story->findings) : 0;
    for (int i = story->first_finding; i < count && i < story->first_finding + 6; i++) {
        const vg_finding *n = vg_findings_get(story->findings, i);
        int step[2];
        char title[160];
        film_locate(f, n, step);
        for (int k = 0; k < 2; k++) {
            if (step[k] < 0)
                continue;
            snprintf(title, sizeof title, "The mistake, step %d, line %d: %s", step[k] + 1,
                     n->site[k].line, vgpu_found_words(n->kind));
            add_moment(f, step[k], title, k == 0 ? n->message : NULL);
        }
    }
    add_phase(f, 0);
    for (int i = 1; i < f->steps.count; i++)
        if (FILM_AT(f->steps, film_step, i)->warp < 0 && i + 1 < f->steps.count)
            add_phase(f, i + 1);
    if (f->moments.count == 0) { /* nothing is accessed */
        snprintf(first, sizeof first, "Step 1, line %d", FILM_AT(f->steps, film_step, 0)->line);
        add_moment(f, 0, first, NULL);
    }
    if (!f->out_of_memory)
        qsort(f->moments.at, (size_t)f->moments.count, sizeof(vg_film_moment), compare_moments);
}
