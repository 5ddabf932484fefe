/* film_words.c: see film_words.h. */
#include "grading/src/app/film_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SIDES 3

/* What CUDA allows: blocks of a grid in x, y and z, and warps of a block. */
static const uint64_t most_blocks[SIDES] = {INT32_MAX, UINT16_MAX, UINT16_MAX};
enum { MOST_WARPS = 32 };

/* A value as a message shows it: a very long one would push the rest of the line out. */
static const char *shown(const char *value, char buffer[64]) {
    snprintf(buffer, 64, "%.60s%s", value, strlen(value) > 60 ? "..." : "");
    return buffer;
}

/* Digits at the text's begin; a number too large for the type is the largest. NULL: there are
 * none. */
static const char *take_number(const char *text, uint64_t *number) {
    const size_t digits = strspn(text, "0123456789");
    *number = 0;
    for (size_t i = 0; i < digits; i++) {
        const uint64_t digit = (uint64_t)(text[i] - '0');
        *number = *number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * *number + digit;
    }
    return digits > 0 ? text + digits : NULL;
}

/* Numbers with a letter between them, and nothing behind. Returns how many, at most three; 0: it
 * is something else. */
static int take_numbers(const char *text, char between, uint64_t numbers[SIDES]) {
    for (int n = 0; n < SIDES; n++) {
        text = take_number(text, &numbers[n]);
        if (text == NULL)
            return 0;
        if (*text == '\0')
            return n + 1;
        if (*text++ != between)
            return 0;
    }
    return 0;
}

static bool take_size(struct film_choice *f, const char *value, char *why, size_t room) {
    uint64_t side[SIDES];
    char text[64];
    if (take_numbers(value, 'x', side) != SIDES || side[0] == 0 || side[1] == 0 || side[2] == 0) {
        snprintf(why, room, "'%s' is not a size: use size=MxNxK, as in size=64x64x64",
                 shown(value, text));
        return false;
    }
    const double m = (double)side[0], n = (double)side[1], k = (double)side[2],
                 elements = m * k + k * n + m * n;
    if (elements > FILM_MOST_ELEMENTS) {
        snprintf(
            why, room,
            "size=%s: a film has room for %d elements of A, B and C, as in size=1024x1024x1024",
            shown(value, text), FILM_MOST_ELEMENTS);
        return false;
    }
    f->size = (struct shape){(int)side[0], (int)side[1], (int)side[2]};
    return true;
}

static bool take_block(struct film_choice *f, const char *value, char *why, size_t room) {
    uint64_t at[SIDES];
    char text[64];
    const int sides = take_numbers(value, ',', at);
    if (sides == 0) {
        snprintf(why, room, "'block=%s' is not a block: use block=X,Y, as in block=1,0",
                 shown(value, text));
        return false;
    }
    for (int i = 0; i < sides; i++) {
        if (at[i] >= most_blocks[i]) {
            snprintf(why, room,
                     "block=%s: no grid has it, since the last block that one can have is %" PRIu64
                     ",%" PRIu64 ",%" PRIu64,
                     shown(value, text), most_blocks[0] - 1, most_blocks[1] - 1,
                     most_blocks[2] - 1);
            return false;
        }
    }
    f->block = value;
    return true;
}

static bool take_warp(struct film_choice *f, const char *value, char *why, size_t room) {
    uint64_t warp;
    char text[64];
    const char *end = take_number(value, &warp);
    if (end == NULL || *end != '\0') {
        snprintf(why, room, "'warp=%s' is not a warp: use warp=N, as in warp=0",
                 shown(value, text));
        return false;
    }
    if (warp >= MOST_WARPS) {
        snprintf(why, room, "warp=%s: no block has it, since one has %d warps at most, 0 to %d",
                 shown(value, text), MOST_WARPS, MOST_WARPS - 1);
        return false;
    }
    f->warp = value;
    return true;
}

static bool take_case(struct film_choice *f, const char *value, char *why, size_t room) {
    (void)why, (void)room; /* the lab knows its cases */
    f->case_name = value;
    return true;
}

bool film_word(struct film_choice *f, const char *word, char *why, size_t room) {
    static const struct {
        const char *name;
        bool (*take)(struct film_choice *f, const char *value, char *why, size_t room);
    } keys[] = {
        {"case=", take_case}, {"size=", take_size}, {"block=", take_block}, {"warp=", take_warp}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t n = strlen(keys[i].name);
        if (strncmp(word, keys[i].name, n) == 0)
            return keys[i].take(f, word + n, why, room);
    }
    char text[64];
    snprintf(why, room,
             "'%s': a film is chosen by case=, size=, block= and warp=", shown(word, text));
    return false;
}
