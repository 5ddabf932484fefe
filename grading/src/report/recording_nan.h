/*
 * recording_nan.h: where a thread's first NaN comes from, as far as its variables tell.
 */
#pragma once

#include "grading/src/report/recording.h"

/* A variable of a thread that becomes NaN. */
struct recorded_nan {
    int step;       /* the one that makes it */
    bool had_value; /* before; else nobody had set it */
    char name[96];  /* "sum[2]" */
};

/* The first variable of the thread that becomes NaN, up to that step. False: none does. */
bool recording_nan(const struct recording *r, int thread, int until, struct recorded_nan *nan);
