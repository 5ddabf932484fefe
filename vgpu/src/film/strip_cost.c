/*
 * strip_cost.c: what a step's accesses cost, as pictures: lanes above; below them the sectors of
 * global memory, or the banks of shared memory, that they mean.
 */
#include "vgpu/src/film/film_page.h"
#include "vgpu/src/film/strip_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ACCESSES = 2, /* of a moment */
    MOST_SECTORS = 2 * LANES,
    LANE = 10, /* width, of WIDTH */
    WIDTH = LANES * LANE
};

static const char *class_of(const vg_strip_access *a) {
    return a->kind == VG_STRIP_READ ? "read" : "write";
}

static void say_access(FILE *to, const reel *r, const vg_strip_access *a) {
    static const char *const verbs[] = {[VG_STRIP_READ] = "reads",
                                        [VG_STRIP_WRITE] = "writes",
                                        [VG_STRIP_ATOMIC] = "updates",
                                        [VG_STRIP_BEGINS] = "starts a copy to",
                                        [VG_STRIP_COMES] = "sees a copy arrive in"};
    fprintf(to, "Warp %d %s ", r->s->steps[a->step].warp, verbs[a->kind]);
    vg_film_put_text(to, r->s->memories[a->memory].name);
}

/* Does the lane mean a place that is not there? */
static bool is_outside(const reel *r, const vg_strip_access *a, int lane) {
    return a->at[lane] < 0 || a->at[lane] + a->size > r->s->memories[a->memory].bytes;
}

/* ": 32 lanes", and how many of them go astray. */
static void say_lanes(FILE *to, const reel *r, const vg_strip_access *a) {
    int outside = 0;
    for (int lane = 0; lane < LANES; lane++)
        outside += (a->mask >> lane & 1) != 0 && is_outside(r, a, lane);
    const int lanes = __builtin_popcount(a->mask);
    fprintf(to, ": %d lane%s", lanes, lanes == 1 ? "" : "s");
    if (outside == 0)
        return;
    fprintf(to, ", %d of them outside ", outside);
    vg_film_put_text(to, r->s->memories[a->memory].name);
}

static void draw_lanes(FILE *to, const reel *r, const vg_strip_access *a, const char *class) {
    const char *const kinds[] = {"none", class, "bad"};
    for (int kind = 0; kind < 3; kind++) {
        bool any = false;
        for (int lane = 0; lane < LANES; lane++) {
            const int is = (a->mask >> lane & 1) == 0 ? 0 : is_outside(r, a, lane) ? 2 : 1;
            if (is != kind)
                continue;
            if (!any)
                fprintf(to, "<path class=\"%s\" d=\"", kinds[kind]);
            any = true;
            strip_rectangle(to, lane * LANE, 0, LANE - 1, 10);
        }
        fputs(any ? "\"/>" : "", to);
    }
}

static int64_t floor_div(int64_t a, int64_t by) {
    return a >= 0 ? a / by : -((by - 1 - a) / by);
}

typedef struct sector {
    int64_t number;
    uint32_t used; /* a bit each byte */
} sector;

static int compare_sectors(const void *a, const void *b) {
    const sector *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int list_sectors(const vg_strip_access *a, sector *list) {
    int count = 0;
    for (int lane = 0; lane < LANES; lane++) {
        for (uint32_t b = 0; (a->mask >> lane & 1) != 0 && b < a->size; b++) {
            const int64_t at = a->at[lane] + b, number = floor_div(at, 32);
            int i = 0;
            while (i < count && list[i].number != number)
                i++;
            if (i == count)
                list[count++] = (sector){.number = number};
            list[i].used |= 1u << ((uint64_t)at & 31);
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_sectors);
    return count;
}

/* Lanes above, the sectors that they mean below: eight in a row, in bytes of one tenth. */
static void draw_sectors(FILE *to, const reel *r, const vg_strip_access *a) {
    const char *class = class_of(a);
    sector list[MOST_SECTORS];
    const int count = list_sectors(a, list), row = count < 8 ? count : 8, each = WIDTH / row,
              inner = each - 4, rows = (count + 7) / 8;
    strip_begin_svg(to, WIDTH, 50 + 16 * (rows - 1), 1);
    draw_lanes(to, r, a, class);
    fprintf(to, "<path class=\"%s line\" d=\"", class);
    for (int lane = 0; lane < LANES; lane++) {
        int i = 0;
        const int64_t number = floor_div(a->at[lane], 32);
        while (i < count && list[i].number != number)
            i++;
        if ((a->mask >> lane & 1) != 0)
            fprintf(to, "M%d 10L%d %d", lane * LANE + LANE / 2,
                    i % 8 * each + (int)((2 * (a->at[lane] - number * 32) + a->size) * inner / 64),
                    36 + i / 8 * 16);
    }
    fputs("\"/>", to);
    uint32_t used = 0;
    for (int on = 0; on < 2; on++) {
        fprintf(to, "<path class=\"%s\" d=\"", on != 0 ? class : "poison");
        for (int i = 0; i < count; i++)
            for (int word = 0; word < 8; word++)
                if (((list[i].used >> (4 * word) & 15) != 0) == (on != 0))
                    strip_rectangle(to, i % 8 * each + word * inner / 8, 36 + i / 8 * 16,
                                    (word + 1) * inner / 8 - word * inner / 8 - 1, 12);
        fputs("\"/>", to);
    }
    for (int i = 0; i < count; i++)
        used += (uint32_t)__builtin_popcount(list[i].used);
    strip_end_svg(to);
    say_access(to, r, a);
    say_lanes(to, r, a);
    fprintf(to,
            ", %u sector%s of 32 bytes: %u bytes used, %u moved for "
            "nothing.</figcaption></figure>\n",
            a->units, a->units == 1 ? "" : "s", used, (uint32_t)count * 32 - used);
}

/* Different words of each bank. */
static void count_words(const vg_strip_access *a, int words, int count[LANES]) {
    int64_t seen[LANES][LANES] = {{0}};
    memset(count, 0, LANES * sizeof *count);
    for (int lane = 0; lane < LANES; lane++) {
        for (int k = 0; (a->mask >> lane & 1) != 0 && k < words; k++) {
            const int64_t word = floor_div(a->at[lane], 4) + k,
                          bank = word - floor_div(word, 32) * 32;
            int i = 0;
            while (i < count[bank] && seen[bank][i] != word)
                i++;
            if (i == count[bank] && i < LANES)
                seen[bank][count[bank]++] = word;
        }
    }
}

static void say_banks(FILE *to, const reel *r, const vg_strip_access *a) {
    say_lanes(to, r, a);
    if (a->units == 0) {
        fputs(", served together with those before.", to);
        return;
    }
    fprintf(to, ", %u pass%s over the 32 banks", a->units, a->units == 1 ? "" : "es");
    if (a->conflicts > 0)
        fprintf(to, ", %u more than without bank conflicts", a->conflicts);
    else
        fputs(", no bank conflict", to);
    fputc('.', to);
}

static void draw_banks(FILE *to, const reel *r, const vg_strip_access *a) {
    const char *class = class_of(a);
    const int words = a->size < 8 ? 1 : (int)a->size / 4;
    int count[LANES];
    count_words(a, words, count);
    strip_begin_svg(to, WIDTH, 62, 1);
    draw_lanes(to, r, a, class);
    fprintf(to, "<path class=\"%s line\" d=\"", class);
    for (int lane = 0; lane < LANES; lane++)
        for (int k = 0; (a->mask >> lane & 1) != 0 && k < words; k++) {
            const int64_t word = floor_div(a->at[lane], 4) + k;
            fprintf(to, "M%d 10L%d 36", lane * LANE + LANE / 2,
                    (int)(word - floor_div(word, 32) * 32) * LANE + LANE / 2);
        }
    fputs("\"/>", to);
    for (int bank = 0; bank < LANES; bank++) {
        const bool collides = count[bank] > words && a->conflicts > 0;
        fprintf(to, "<path class=\"%s\" d=\"",
                count[bank] == 0 ? "poison"
                : collides       ? "bad"
                                 : class);
        strip_rectangle(to, bank * LANE, 36, LANE - 1, 12);
        fputs("\"/>", to);
        if (count[bank] > 1)
            fprintf(to, "<text x=\"%d\" y=\"59\">%d</text>", bank * LANE + LANE / 2, count[bank]);
    }
    strip_end_svg(to);
    say_access(to, r, a);
    say_banks(to, r, a);
    fputs("</figcaption></figure>\n", to);
}

/* Pointers of no sense are told in words, and not drawn. */
static bool is_near(const vg_strip_access *a) {
    const int64_t far = (int64_t)1 << 60;
    for (int lane = 0; lane < LANES; lane++)
        if ((a->mask >> lane & 1) != 0 && (a->at[lane] < -far || a->at[lane] > far))
            return false;
    return a->mask != 0;
}

void strip_draw_costs(FILE *to, const reel *r) {
    int drawn = 0;
    for (int i = r->next_access; i < r->end_access && drawn < MOST_ACCESSES; i++) {
        const vg_strip_access *a = &r->s->accesses[i];
        const vg_strip_memory *m = &r->s->memories[a->memory];
        if (!is_near(a))
            continue;
        if (drawn++ == 0)
            fputs("<div>", to); /* one below the other */
        if (m->shared)
            draw_banks(to, r, a);
        else
            draw_sectors(to, r, a);
    }
    if (drawn > 0)
        fputs("</div>", to);
}
