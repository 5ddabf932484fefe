/* findings.c: the list of findings; see findings.h. */
#include "vgpu/src/check/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FINDINGS = 1000 }; /* nobody reads more, and a report must stay a report */

struct vg_findings {
    vg_finding **at;
    int count, room;
    int published; /* findings before this one were handed out */
    int said;
    bool said_more;
    uint64_t dropped;
};

vg_findings *vg_findings_create(void) {
    return calloc(1, sizeof(vg_findings));
}

void vg_findings_destroy(vg_findings *list) {
    if (list == NULL)
        return;
    for (int i = 0; i < list->count; i++)
        free(list->at[i]);
    free(list->at);
    free(list);
}

static int compare_sites(const vg_site *a, const vg_site *b) {
    const int by_file = strcmp(a->file, b->file);
    return by_file != 0 ? by_file : a->line != b->line ? (a->line < b->line ? -1 : 1) : 0;
}

/* What makes two findings one. */
static int compare_keys(const vg_finding *a, const vg_finding *b) {
    int c = (int)a->kind - (int)b->kind;
    c = c != 0 ? c : strcmp(a->kernel, b->kernel);
    c = c != 0 ? c : compare_sites(&a->site[0], &b->site[0]);
    c = c != 0 ? c : compare_sites(&a->site[1], &b->site[1]);
    c = c != 0 ? c : strcmp(a->object, b->object);
    return c != 0 ? c : (int)a->hazard - (int)b->hazard;
}

void vg_findings_add(vg_findings *list, const vg_finding *finding) {
    for (int i = 0; i < list->count; i++) {
        vg_finding *known = list->at[i];
        if (compare_keys(known, finding) == 0) {
            known->count =
                known->count == 0 || finding->count == 0 ? 0 : known->count + finding->count;
            known->between_blocks = known->between_blocks || finding->between_blocks;
            if (finding->severity > known->severity)
                known->severity = finding->severity;
            return;
        }
    }
    if (list->count == list->room) {
        const int room = list->room == 0 ? 16 : 2 * list->room;
        vg_finding **at =
            room <= 2 * MAX_FINDINGS ? realloc(list->at, (size_t)room * sizeof *at) : NULL;
        if (at == NULL) {
            list->dropped++;
            return;
        }
        list->at = at;
        list->room = room;
    }
    vg_finding *copy = list->count < MAX_FINDINGS ? malloc(sizeof *copy) : NULL;
    if (copy == NULL) {
        list->dropped++;
        return;
    }
    *copy = *finding;
    list->at[list->count++] = copy;
}

bool vg_findings_race_between_blocks(const vg_findings *list, const vg_finding *finding) {
    for (int i = 0; i < list->count; i++) {
        const vg_finding *f = list->at[i];
        const bool here = compare_sites(&f->site[0], &finding->site[0]) == 0 ||
                          compare_sites(&f->site[1], &finding->site[0]) == 0;
        if (f->between_blocks && here && strcmp(f->kernel, finding->kernel) == 0 &&
            strcmp(f->object, finding->object) == 0)
            return true;
    }
    return false;
}

bool vg_findings_race_at(const vg_findings *list, const vg_finding *finding) {
    const vg_site *x = &finding->site[0], *y = &finding->site[1];
    for (int i = 0; i < list->count; i++) {
        const vg_finding *f = list->at[i];
        const vg_site *a = &f->site[0], *b = &f->site[1];
        const bool same = compare_sites(a, x) == 0 && compare_sites(b, y) == 0;
        const bool turned = compare_sites(a, y) == 0 && compare_sites(b, x) == 0;
        if (f->fact.says == VGPU_RACE && (same || turned) &&
            strcmp(f->kernel, finding->kernel) == 0 && strcmp(f->object, finding->object) == 0)
            return true;
    }
    return false;
}

static int compare_for_people(const void *pa, const void *pb) {
    const vg_finding *a = *(vg_finding *const *)pa, *b = *(vg_finding *const *)pb;
    return a->severity != b->severity ? (a->severity > b->severity ? -1 : 1) : compare_keys(a, b);
}

void vg_findings_publish(vg_findings *list, int limit, vg_say_finding *say, void *arg) {
    if (list->count > list->published) {
        qsort(list->at + list->published, (size_t)(list->count - list->published), sizeof *list->at,
              compare_for_people);
    }
    for (; list->published < list->count; list->published++) {
        const vg_finding *f = list->at[list->published];
        if (f->said)
            continue;
        if (list->said < limit) {
            list->said++;
            say(arg, &f->fact, f->message);
        } else if (!list->said_more) {
            char text[96];
            list->said_more = true;
            const vg_note *more = VG_NOTE(MORE_FINDINGS, .is.limit = (uint64_t)limit);
            vg_fact_words(&more->is, text, sizeof text);
            say(arg, &more->is, text);
        }
    }
}

int vg_findings_count(const vg_findings *list) {
    return list->published;
}

const vg_finding *vg_findings_get(const vg_findings *list, int i) {
    return list->at[i];
}
