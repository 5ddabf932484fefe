// Makes its scratch folder hard to remove: deep folders without permissions, a file name with a
// line break, a full folder it moves into.
#include "lab.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static int done;
    if (done++)
        return;
    int home = open(".", O_RDONLY | O_DIRECTORY);
    close(open("zoo-leftover\nline", O_CREAT | O_WRONLY, 0));
    for (int depth = 0; depth < 50; depth++) {
        if (mkdir("zoo-leftover-deep", 0700) != 0 || chdir("zoo-leftover-deep") != 0)
            break;
        close(open("file", O_CREAT | O_WRONLY, 0));
    }
    for (int depth = 0; depth < 50; depth++) {
        if (chdir("..") != 0 || chmod("zoo-leftover-deep", 0) != 0)
            break;
    }
    (void)!fchdir(home);
}
