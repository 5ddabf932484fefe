/* recording_nan.c: see recording_nan.h. */
#include "grading/src/report/recording_nan.h"

#include "grading/src/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 16, MOST_NUMBERS = 4096 };

/* What the compiler puts into a float that the program has not set (docs/film-format.md). */
#define UNSET UINT32_MAX

/* A float of a variable: the word of a thread's own memory that it is. */
struct number {
    const char *variable, *path;
    int64_t index; /* in the path's brackets; -1: it has none */
};

/* Numbers by their words. */
static void list_numbers(const json_t *film, struct number *of) {
    size_t i, k;
    const json_t *variable, *leaf;
    int listed = 0;
    json_array_foreach(json_object_get(film, "variables"), i, variable) {
        const char *name = json_string_value(json_object_get(variable, "name")),
                   *space = json_string_value(json_object_get(variable, "space"));
        const json_int_t at = json_integer_value(json_object_get(variable, "at"));
        if (!name || !space || strcmp(space, "local") != 0 || at < 0)
            continue;
        json_array_foreach(json_object_get(variable, "leaves"), k, leaf) {
            const char *path = json_string_value(json_array_get(leaf, 0)),
                       *encoding = json_string_value(json_array_get(leaf, 1));
            const json_int_t offset = json_integer_value(json_array_get(leaf, 3)),
                             side = json_integer_value(json_array_get(leaf, 4));
            const bool array = json_array_size(leaf) > 5;
            if (!path || !encoding || strcmp(encoding, "float") != 0 ||
                json_integer_value(json_array_get(leaf, 2)) != 4 || json_array_size(leaf) > 6)
                continue; /* of arrays in arrays nothing is told */
            for (json_int_t e = 0; e < (array ? side : 1) && listed < MOST_NUMBERS; e++) {
                const json_int_t by = json_integer_value(json_array_get(leaf, 5)),
                                 place = at / 4 + offset / 4 + e * (by / 4);
                if (offset < 0 || by < 0 || by > MOST_WORDS || place < 0 || place >= MOST_WORDS)
                    break;
                of[place] = (struct number){name, path, array ? e : -1};
                listed++;
            }
        }
    }
}

static void name_it(struct recorded_nan *nan, const struct number *n) {
    const char *brackets = strstr(n->path, "[]");
    const int before = brackets ? (int)(brackets - n->path) : (int)strlen(n->path);
    struct text name = {0};
    text_addf(&name, "%s%.*s", n->variable, before, n->path);
    if (brackets && n->index >= 0)
        text_addf(&name, "[%lld]%s", (long long)n->index, brackets + 2);
    snprintf(nan->name, sizeof nan->name, "%s", text_get(&name));
    text_free(&name);
}

/* The step of the warp before this one, in which the lane has a part; -1: none. */
static int step_before(const struct recording *r, int step, int warp, int lane) {
    while (--step >= 0)
        if (r->step[step].warp == warp && (r->step[step].mask >> lane & 1) != 0)
            return step;
    return -1;
}

bool recording_nan(const struct recording *r, int thread, int until, struct recorded_nan *nan) {
    const int warp = thread / RECORDING_LANES, lane = thread % RECORDING_LANES;
    size_t i;
    const json_t *change;
    bool found = false;
    if (!r->film)
        return false;
    struct number *of = xcalloc(MOST_WORDS, sizeof *of);
    uint32_t *last = xcalloc(MOST_WORDS, sizeof *last);
    list_numbers(r->film, of);
    for (size_t w = 0; w < MOST_WORDS; w++)
        last[w] = UNSET;
    json_array_foreach(json_object_get(r->film, "locals"), i, change) {
        const json_int_t step = json_integer_value(json_array_get(change, 0)),
                         word = json_integer_value(json_array_get(change, 2));
        uint32_t value[RECORDING_LANES] = {0};
        if (json_integer_value(json_array_get(change, 1)) != warp || step < 0 || step > until ||
            word < 0 || word >= MOST_WORDS || !of[word].variable ||
            !recording_words(json_array_get(change, 3), value))
            continue;
        const bool is_nan = (value[lane] & INT32_MAX) > 0x7F800000 && value[lane] != UNSET;
        const int made = is_nan ? step_before(r, (int)step, warp, lane) : -1;
        if (made >= 0) {
            *nan = (struct recorded_nan){.step = made, .had_value = last[word] != UNSET};
            name_it(nan, &of[word]);
            found = true;
            break;
        }
        last[word] = value[lane];
    }
    free(of);
    free(last);
    return found;
}
