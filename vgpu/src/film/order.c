/*
 * order.c: the order in which a film's steps are shown.
 *
 * The executor runs a warp until it waits, then the next one. Without a mistake between them the
 * warps of a phase are independent: any order of their steps is as true, and side by side they are
 * easier to follow: the first step of each warp, then the second of each, and so on. Barriers stay
 * where they are. With a race, or a kernel that was stopped, the order of the recording is kept: it
 * decides what is read.
 */
#include "vgpu/src/film/film_parts.h"

#include <stdlib.h>
#include <string.h>

/* Places of the steps from begin to end, which no barrier parts. */
static void side_by_side(const vg_film *f, int begin, int end, int *place) {
    int at[VG_MAX_WARPS], next = begin;
    for (int w = 0; w < VG_MAX_WARPS; w++)
        at[w] = begin;
    while (next < end) {
        for (int w = 0; w < f->num_warps; w++) {
            while (at[w] < end && FILM_AT(f->steps, film_step, at[w])->warp != w)
                at[w]++;
            if (at[w] < end)
                place[at[w]++] = next++;
        }
    }
}

/* Sorts a list's elements, which begin with the number of their step, by the steps' new places;
 * those of one step stay in order. */
static bool sort_by_step(vg_film *f, film_list *list, size_t size, size_t step_at,
                         const int *place) {
    if (list->count == 0)
        return true;
    const size_t steps = (size_t)f->steps.count;
    int *first = calloc(steps + 1, sizeof *first);
    char *sorted = malloc((size_t)list->count * size + 1), *old = list->at;
    if (first == NULL || sorted == NULL) {
        free(first);
        free(sorted);
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        int *step = (int *)(void *)(old + (size_t)i * size + step_at);
        *step = place[*step];
        first[*step + 1]++;
    }
    for (size_t i = 0; i < steps; i++)
        first[i + 1] += first[i];
    for (int i = 0; i < list->count; i++) {
        const int step = *(const int *)(const void *)(old + (size_t)i * size + step_at);
        memcpy(sorted + (size_t)first[step]++ * size, old + (size_t)i * size, size);
    }
    memcpy(old, sorted, (size_t)list->count * size);
    free(first);
    free(sorted);
    return true;
}

static bool move_steps(vg_film *f, const int *place) {
    film_step *old = f->steps.at, *new = malloc((size_t)f->steps.count * sizeof *new);
    if (new == NULL)
        return false;
    for (int i = 0; i < f->steps.count; i++) {
        new[place[i]] = old[i];
        new[place[i]].previous = old[i].previous >= 0 ? place[old[i].previous] : -1;
        new[place[i]].next = old[i].next >= 0 ? place[old[i].next] : -1;
    }
    memcpy(old, new, (size_t)f->steps.count * sizeof *new);
    free(new);
    return true;
}

static void count_accesses(vg_film *f) {
    for (int i = 0; i < f->steps.count; i++)
        FILM_AT(f->steps, film_step, i)->num_accesses = 0;
    for (int i = 0; i < f->accesses.count; i++) {
        film_step *s = FILM_AT(f->steps, film_step, FILM_AT(f->accesses, film_access, i)->step);
        s->first_access = s->num_accesses++ == 0 ? i : s->first_access;
    }
}

void film_set_order(vg_film *f, bool as_recorded) {
    int *place = calloc((size_t)f->steps.count + 1, sizeof *place);
    bool ok = place != NULL;
    int begin = 0;
    for (int i = 0; ok && i <= f->steps.count; i++) {
        const bool barrier = i == f->steps.count || FILM_AT(f->steps, film_step, i)->warp < 0;
        if (as_recorded && i < f->steps.count)
            place[i] = i;
        if (as_recorded || !barrier)
            continue;
        side_by_side(f, begin, i, place);
        if (i < f->steps.count)
            place[i] = i;
        begin = i + 1;
    }
    ok = ok &&
         sort_by_step(f, &f->accesses, sizeof(film_access), offsetof(film_access, step), place) &&
         sort_by_step(f, &f->pauses, sizeof(film_pause), offsetof(film_pause, step), place) &&
         sort_by_step(f, &f->matrices, sizeof(film_matrices), offsetof(film_matrices, step),
                      place) &&
         sort_by_step(f, &f->deltas, sizeof(film_delta), offsetof(film_delta, step), place) &&
         move_steps(f, place);
    if (ok)
        count_accesses(f);
    else
        f->out_of_memory = true;
    free(place);
}
