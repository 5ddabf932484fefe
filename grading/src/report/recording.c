/* recording.c: see recording.h. */
#include "grading/src/report/recording.h"

#include "grading/src/base/text.h"

#include <stdlib.h>
#include <string.h>

/* What is held of a recording in memory is bounded: a longer one is played, and not traced. */
enum {
    MOST_BLOCK = 1024,
    MOST_WARPS = MOST_BLOCK / RECORDING_LANES,
    MOST_MEMORY = 1 << 28,
    MOST_SHARED = 1 << 18,
    MOST_LISTED = 200000
};

/* A whole number of an array or object, within bounds; else *ok becomes false. */
static int64_t whole(const json_t *value, int64_t least, int64_t most, bool *ok) {
    const int64_t n = json_integer_value(value);
    *ok = *ok && json_is_integer(value) && n >= least && n <= most;
    return *ok ? n : least;
}

static int64_t item(const json_t *array, size_t i, int64_t least, int64_t most, bool *ok) {
    return whole(json_array_get(array, i), least, most, ok);
}

static int64_t member(const json_t *object, const char *name, int64_t most, bool *ok) {
    return whole(json_object_get(object, name), 0, most, ok);
}

/* ---- base64 ---- */

static int digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The bytes of a text, exactly `size` of them. */
static bool take_base64(const char *text, uint8_t *bytes, size_t size) {
    size_t done = 0;
    if (!text || strlen(text) != (size + 2) / 3 * 4)
        return false;
    for (; done < size; text += 4) {
        uint32_t all = 0;
        for (int i = 0; i < 4; i++) {
            const int d = digit_of(text[i]);
            if (d < 0 && text[i] != '=')
                return false;
            all = all << 6 | (uint32_t)(d < 0 ? 0 : d);
        }
        for (int i = 0; i < 3 && done < size; i++)
            bytes[done++] = (uint8_t)(all >> (16 - 8 * i));
    }
    return true;
}

/* ---- rows of 32 lanes ---- */

static void read_words(const json_t *row, uint32_t v[RECORDING_LANES], bool *ok) {
    if (json_is_string(row)) {
        uint8_t bytes[4 * RECORDING_LANES];
        *ok = *ok && take_base64(json_string_value(row), bytes, sizeof bytes);
        for (int i = 0; *ok && i < RECORDING_LANES; i++)
            v[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                   (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
        return;
    }
    const bool plain = json_is_integer(row);
    const int64_t base = plain ? whole(row, 0, UINT32_MAX, ok) : item(row, 0, 0, UINT32_MAX, ok),
                  by = plain ? 0 : item(row, 1, INT32_MIN, INT32_MAX, ok);
    for (int i = 0; i < RECORDING_LANES; i++)
        v[i] = (uint32_t)((uint64_t)base + (uint64_t)by * (uint64_t)i);
}

bool recording_words(const json_t *row, uint32_t words[RECORDING_LANES]) {
    bool ok = true;
    read_words(row, words, &ok);
    return ok;
}

static void read_places(const json_t *row, int64_t at[RECORDING_LANES], bool *ok) {
    const int64_t far = (int64_t)1 << 48;
    const json_t *list = json_array_get(row, 0);
    const size_t n = json_array_size(row);
    if (json_is_array(list)) {
        for (size_t i = 0; i < RECORDING_LANES; i++)
            at[i] = item(list, i, -far, far, ok);
        return;
    }
    const int64_t base = n == 0 ? whole(row, -far, far, ok) : item(row, 0, -far, far, ok),
                  by = n == 0 ? 0 : item(row, 1, -far, far, ok),
                  down = n > 2 ? item(row, 2, -far, far, ok) : 0,
                  wide = n > 2 ? item(row, 3, 1, RECORDING_LANES, ok) : RECORDING_LANES;
    for (int64_t i = 0; i < RECORDING_LANES; i++)
        at[i] = base + by * (i % wide) + down * (i / wide);
}

/* ---- members ---- */

static void read_sides(const json_t *film, const char *name, int64_t side[3], int64_t least,
                       bool *ok) {
    for (size_t i = 0; i < 3; i++)
        side[i] = item(json_object_get(film, name), i, least, INT32_MAX, ok);
}

static void read_memory(struct recorded_memory *m, const json_t *j, bool *ok) {
    const json_t *before = json_object_get(j, "before");
    m->name = json_string_value(json_object_get(j, "name"));
    m->shared = json_is_true(json_object_get(j, "shared"));
    m->bytes = member(j, "bytes", m->shared ? MOST_SHARED : MOST_MEMORY, ok);
    m->element = member(j, "element", 16, ok);
    m->rows = member(j, "rows", INT32_MAX, ok);
    m->columns = member(j, "columns", INT32_MAX, ok);
    *ok = *ok && m->name && m->element > 0;
    if (!*ok)
        return;
    m->count = m->bytes / m->element;
    if (!json_is_string(before))
        return;
    uint8_t *bytes = xcalloc((size_t)m->bytes + 4, 1);
    *ok = take_base64(json_string_value(before), bytes, (size_t)m->bytes);
    m->before = xcalloc((size_t)m->bytes / 4 + 1, sizeof *m->before);
    memcpy(m->before, bytes, (size_t)m->bytes / 4 * 4);
    free(bytes);
}

static void read_access(const struct recording *r, struct recorded_access *a, const json_t *j,
                        bool *ok) {
    a->step = (int)item(j, 0, 0, r->steps - 1, ok);
    a->kind = (enum recorded_kind)item(j, 1, RECORDED_READ, RECORDED_COPY_ENDS, ok);
    a->memory = (int)item(j, 2, 0, r->memories - 1, ok);
    a->bytes = (uint32_t)item(j, 3, 1, 16, ok);
    a->mask = (uint32_t)item(j, 4, 0, UINT32_MAX, ok);
    read_places(json_array_get(j, 5), a->at, ok);
    a->units = (uint32_t)item(j, 6, 0, INT32_MAX, ok);
    a->conflicts = (uint32_t)item(j, 7, 0, INT32_MAX, ok);
    const size_t n = json_array_size(j);
    a->words = n > 8 ? (int)(n - 8) : 0;
    *ok = *ok && a->words <= 4 && r->step[a->step].warp >= 0;
    for (int i = 0; *ok && i < a->words; i++)
        read_words(json_array_get(j, 8 + (size_t)i), a->value[i], ok);
}

static void read_pause(const struct recording *r, struct recorded_pause *p, const json_t *j,
                       bool *ok) {
    p->step = (int)item(j, 0, 0, r->steps - 1, ok);
    p->warp = (int)item(j, 1, 0, MOST_WARPS - 1, ok);
    p->mask = (uint32_t)item(j, 2, 0, UINT32_MAX, ok);
    p->why = json_string_value(json_array_get(j, 3));
    *ok = *ok && p->why;
}

void recording_free(struct recording *r) {
    for (int i = 0; r->memory && i < r->memories; i++)
        free(r->memory[i].before);
    free(r->step);
    free(r->access);
    free(r->pause);
    free(r->memory);
    *r = (struct recording){0};
}

bool recording_read(struct recording *r, const json_t *film) {
    const json_t *steps = json_object_get(film, "steps"),
                 *accesses = json_object_get(film, "accesses"),
                 *memories = json_object_get(film, "memories"),
                 *pauses = json_object_get(film, "pauses");
    bool ok = json_array_size(steps) > 0 && json_array_size(steps) <= MOST_LISTED &&
              json_array_size(accesses) <= MOST_LISTED &&
              json_array_size(memories) <= MOST_LISTED && json_array_size(pauses) <= MOST_LISTED;
    *r = (struct recording){0};
    read_sides(film, "block", r->block, 1, &ok);
    read_sides(film, "grid", r->grid, 1, &ok);
    read_sides(film, "index", r->index, 0, &ok);
    ok = ok && r->block[0] <= MOST_BLOCK && r->block[1] <= MOST_BLOCK && r->block[2] <= MOST_BLOCK;
    if (!ok)
        return false;
    r->steps = (int)json_array_size(steps);
    r->accesses = (int)json_array_size(accesses);
    r->memories = (int)json_array_size(memories);
    r->pauses = (int)json_array_size(pauses);
    r->step = xcalloc((size_t)r->steps, sizeof *r->step);
    r->memory = xcalloc((size_t)r->memories + 1, sizeof *r->memory);
    r->pause = xcalloc((size_t)r->pauses + 1, sizeof *r->pause);
    r->access = xcalloc((size_t)r->accesses + 1, sizeof *r->access);
    for (int i = 0; ok && i < r->steps; i++) {
        const json_t *j = json_array_get(steps, (size_t)i);
        r->step[i].warp = (int)item(j, 0, -1, MOST_WARPS - 1, &ok);
        r->step[i].line = (int)item(j, 2, 0, INT32_MAX, &ok);
        r->step[i].mask = (uint32_t)item(j, 3, 0, UINT32_MAX, &ok);
    }
    for (int i = 0; ok && i < r->memories; i++)
        read_memory(&r->memory[i], json_array_get(memories, (size_t)i), &ok);
    for (int i = 0; ok && i < r->accesses; i++)
        read_access(r, &r->access[i], json_array_get(accesses, (size_t)i), &ok);
    for (int i = 0; ok && i < r->pauses; i++)
        read_pause(r, &r->pause[i], json_array_get(pauses, (size_t)i), &ok);
    r->film = film;
    if (!ok)
        recording_free(r);
    return ok;
}
