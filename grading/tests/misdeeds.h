/* misdeeds.h: what fake_submission.c does for which m. All other m: a right product. */
#ifndef GRADING_TESTS_MISDEEDS_H
#define GRADING_TESTS_MISDEEDS_H

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
};

#endif
