// Host code leaves memory that both sides use, or gives it to free(): it ends there, and is told.
// flags: -O0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum mistake { FREED_PINNED, FREED_MANAGED, PAST, BEFORE, MISTAKES };

static void make(enum mistake what, int *pinned, int *managed) {
    switch (what) {
    case FREED_PINNED: free(pinned); break;
    case FREED_MANAGED: free(managed); break;
    case PAST: pinned[1024] = 6; break;
    case BEFORE: pinned[0] = managed[-1]; break;
    default: break;
    }
    printf("%d went on\n", what); /* so that free() is called, and not jumped to */
}

int main(void) {
    int *pinned, *managed;
    cudaMallocHost(&pinned, 1024 * sizeof *pinned);
    cudaMallocManaged(&managed, 4 * sizeof *managed);
    pinned[0] = 3;
    pinned[1023] = 4;
    managed[3] = 5;
    for (int what = 0; what < MISTAKES; what++) {
        const pid_t child = fork();
        if (child == 0) {
            make((enum mistake)what, pinned, managed);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        printf("%d: %s\n", what, WIFSIGNALED(status) ? "ended by a signal" : "went on");
    }
    printf("%d %d %d\n", pinned[0], pinned[1023], managed[3]);
    return 0;
}
