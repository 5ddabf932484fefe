// It waits for ever in a way that looks as if the disk were slow: as the parent of a thread that has
// borrowed its memory. That must end by the limit of a call, and not make that the machine is too busy.
#include "lab.h"
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static char stack[65536];

static int pause_for_ever(void *) {
    for (int i = 0; i < 600; i++)
        sleep(1);
    return 0;
}

void matmul_device(int, int, int, const float *, const float *, float *) {
    clone(pause_for_ever, stack + sizeof stack,
          CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK, nullptr);
    for (int i = 0; i < 600; i++)
        sleep(1);
}
