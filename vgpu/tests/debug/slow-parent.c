/*
 * slow-parent.c: a library for LD_PRELOAD: after each fork the parent sleeps, as it does on a busy
 * machine, and the child is far ahead. Nothing that two processes agree on may need the other
 * order.
 */
#include <dlfcn.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

pid_t fork(void) {
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    const pid_t pid = real != NULL ? real() : -1;
    if (pid > 0) {
        struct timespec left = {0, 150000000};
        while (nanosleep(&left, &left) != 0 && errno == EINTR)
            continue;
    }
    return pid;
}
