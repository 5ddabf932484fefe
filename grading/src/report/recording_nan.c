/* recording_nan.c: see recording_nan.h. */
#include "grading/src/report/recording_nan.h"

#include "grading/src/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 16, MOST_NUMBERS = 4096, MOST_SIDES = 6 };

/* What the compiler puts into a float that the program has not set (docs/film-format.md). */
#define UNSET UINT32_MAX

/* A float of a variable: the word of a thread's own memory that it is. */
struct number {
    const char *variable, *path;
    const json_t *leaf;
    int64_t element; /* of the path's brackets, counted through all of them */
};

enum { FIRST_SIDE = 4 }; /* of a leaf: a side and a stride for each pair of brackets */

/* Words from a leaf's begin to its element; -1: none, or nothing that can be. Index[d] is that of
 * the d-th pair of brackets. */
static int64_t words_to(const json_t *leaf, int64_t element, int64_t index[MOST_SIDES]) {
    const int sides = ((int)json_array_size(leaf) - FIRST_SIDE) / 2;
    int64_t words = 0;
    for (int d = sides - 1; d >= 0; d--) {
        const size_t at = FIRST_SIDE + 2 * (size_t)d;
        const json_int_t side = json_integer_value(json_array_get(leaf, at)),
                         by = json_integer_value(json_array_get(leaf, at + 1));
        if (side <= 0 || by < 0 || by > MOST_WORDS)
            return -1;
        index[d] = element % side;
        element /= side;
        words += index[d] * (by / 4);
        if (words >= MOST_WORDS)
            return -1;
    }
    return element == 0 ? words : -1;
}

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
            const json_int_t offset = json_integer_value(json_array_get(leaf, 3));
            int64_t index[MOST_SIDES], words;
            if (!path || !encoding || strcmp(encoding, "float") != 0 || offset < 0 ||
                offset > 4 * MOST_WORDS || at > 4 * MOST_WORDS ||
                json_integer_value(json_array_get(leaf, 2)) != 4 ||
                json_array_size(leaf) > FIRST_SIDE + 2 * MOST_SIDES)
                continue;
            for (int64_t e = 0; listed < MOST_NUMBERS && (words = words_to(leaf, e, index)) >= 0;
                 e++) {
                const int64_t place = at / 4 + offset / 4 + words;
                if (place >= MOST_WORDS)
                    break;
                of[place] = (struct number){name, path, leaf, e};
                listed++;
            }
        }
    }
}

static void name_it(struct recorded_nan *nan, const struct number *n) {
    struct text name = {0};
    int64_t index[MOST_SIDES] = {0};
    int d = 0;
    words_to(n->leaf, n->element, index);
    text_add(&name, n->variable);
    for (const char *c = n->path; *c; c++)
        if (c[0] == '[' && c[1] == ']' && d < MOST_SIDES)
            text_addf(&name, "[%lld", (long long)index[d++]);
        else
            text_addf(&name, "%c", *c);
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
