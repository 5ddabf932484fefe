/*
 * slow-fork.c: a library for LD_PRELOAD: after each fork one of the two sleeps, as it does on a
 * busy machine, and the other is far ahead: SLOW_FORK is parent or child. Nothing that two
 * processes agree on may need one of the two orders.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

pid_t fork(void) {
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    const char *slow = getenv("SLOW_FORK");
    const pid_t pid = real != NULL ? real() : -1;
    if (slow != NULL && strcmp(slow, pid > 0 ? "parent" : "child") == 0) {
        struct timespec left = {0, 150000000};
        while (nanosleep(&left, &left) != 0 && errno == EINTR)
            continue;
    }
    return pid;
}
