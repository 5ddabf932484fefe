/* misdeeds.h: what fake_submission.c does for which m. All other m: a right product. */
#pragma once

#include "vgpu/include/vgpu_facts.h"

enum misdeed {
    MISDEED_NONE = 2,
    MISDEED_CRASH = 101,
    MISDEED_EXIT,
    MISDEED_LOOP,
    MISDEED_FLOOD,
    MISDEED_DAEMON,
    MISDEED_FORGE,
    MISDEED_CLOSE,
    MISDEED_STEP_OUT,
    MISDEED_FORK,
    MISDEED_LATE,
    MISDEED_COMPUTE,
    MISDEED_THREAD,
    MISDEED_VFORK,
    MISDEED_CHILDREN,
    MISDEED_STOP,
    MISDEED_SPEAK,       /* the device says much, of two sorts; then the process is killed */
    MISDEED_SPEAK_LATER, /* threads make the device speak, and go on when the call is over */
    MISDEED_SPEAK_COPY,  /* so does a copy of the process */
    MISDEED_FREE,        /* frees what it was lent */
    MISDEED_REALLOC,     /* the same by realloc */
};

/* The device says this (fake_cuda.c). */
void fake_say(enum vgpu_says says);
