/*
 * events.h: what a checker has noticed in a launch: of the same thing in the same line one example,
 * and how often. All workers note; it is hardly ever needed, so a lock is cheap.
 */
#pragma once

#include "vgpu/src/core/observe.h"

#include <pthread.h>

typedef struct vg_event {
    /* What it is. */
    enum vgpu_says says;
    const op *at, *other; /* other: NULL if one line does it alone */
    const void *memory;   /* the allocation, if there is one */
    uint64_t count;
    /* The example: the lowest block's, and of that the lowest address. */
    uint64_t block, address;
    uint32_t thread, other_thread;
    uint32_t gone; /* threads that have returned */
} vg_event;

enum { VG_MOST_EVENTS = 256 };

typedef struct vg_events {
    pthread_mutex_t lock;
    vg_event list[VG_MOST_EVENTS];
    int count;
} vg_events;

void vg_events_init(vg_events *events);
void vg_events_destroy(vg_events *events);
/* A launch begins. */
void vg_events_forget(vg_events *events);
void vg_events_note(vg_events *events, const vg_event *event);

typedef void vg_tell_event(void *self, const launch *l, const vg_event *event);
/* The launch has ended, with a fault or without one (NULL): tells them in the order of the program;
 * after a fault only those of blocks up to its own, without a count. */
void vg_events_tell(vg_events *events, const launch *l, const vg_fault *fault, vg_tell_event *tell,
                    void *self);
