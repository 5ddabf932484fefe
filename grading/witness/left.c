/* left.c: see left.h. A list that is sorted when it is first asked. */
#include "grading/witness/left.h"

#include <stdlib.h>
#include <string.h>

void left_add(struct left *l, const void *bytes, size_t n) {
    const size_t words = n / sizeof *l->word;
    if (l->overflow || words == 0)
        return;
    if (words > LEFT_MOST / sizeof *l->word - l->count) {
        l->overflow = true;
        return;
    }
    if (l->count + words > l->room) {
        size_t room = l->room ? l->room : 1024;
        while (room < l->count + words)
            room *= 2;
        uint32_t *more = realloc(l->word, room * sizeof *more);
        if (!more) {
            l->overflow = true;
            return;
        }
        l->word = more;
        l->room = room;
    }
    memcpy(l->word + l->count, bytes, words * sizeof *l->word);
    l->count += words;
    l->sorted = false;
}

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool left_has(struct left *l, uint32_t word) {
    if (!l->sorted && l->count > 0)
        qsort(l->word, l->count, sizeof *l->word, by_value);
    l->sorted = true;
    return l->count > 0 && bsearch(&word, l->word, l->count, sizeof word, by_value);
}

void left_clear(struct left *l) {
    l->count = 0;
    l->sorted = l->overflow = false;
}

void left_free(struct left *l) {
    free(l->word);
    *l = (struct left){0};
}
