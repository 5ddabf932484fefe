/* events.c: see events.h. */
#include "vgpu/src/check/events.h"

#include "vgpu/src/check/check_parts.h"

#include <stdlib.h>

void vg_events_init(vg_events *events) {
    pthread_mutex_init(&events->lock, NULL);
    events->count = 0;
}

void vg_events_destroy(vg_events *events) {
    pthread_mutex_destroy(&events->lock);
}

void vg_events_forget(vg_events *events) {
    events->count = 0;
}

#define BY(field)                                                                                  \
    if (a->field != b->field)                                                                      \
        return a->field < b->field ? -1 : 1;

static int compare(const void *pa, const void *pb) {
    const vg_event *a = pa, *b = pb;
    BY(at)
    BY(other)
    BY(says)
    BY(memory)
    return 0;
}

static bool is_lower(const vg_event *a, const vg_event *b) {
    return a->block != b->block ? a->block < b->block : a->address < b->address;
}

void vg_events_note(vg_events *events, const vg_event *event) {
    pthread_mutex_lock(&events->lock);
    int i = 0;
    while (i < events->count && compare(&events->list[i], event) != 0)
        i++;
    if (i < events->count) {
        const uint64_t count = events->list[i].count + event->count;
        if (is_lower(event, &events->list[i]))
            events->list[i] = *event;
        events->list[i].count = count;
    } else if (i < VG_MOST_EVENTS) {
        events->list[events->count++] = *event;
    }
    pthread_mutex_unlock(&events->lock);
}

void vg_events_tell(vg_events *events, const launch *l, const vg_fault *fault, vg_tell_event *tell,
                    void *self) {
    const uint64_t last = vg_last_told(l, fault);
    qsort(events->list, (size_t)events->count, sizeof *events->list, compare);
    for (int i = 0; i < events->count; i++) {
        vg_event *event = &events->list[i];
        event->count = fault == NULL ? event->count : 0;
        if (event->block <= last)
            tell(self, l, event);
    }
}
