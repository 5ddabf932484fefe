// The C library is handed device pointers: the program's own line is told, though the access is in the
// library, and free() is told from the rest. Each in a process of its own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static volatile size_t four = 4; // no constant, so that these are calls

static void misuse(int way, char *device) {
    char host[64] = "";
    if (way == 0)
        memcpy(host, device, four);
    else if (way == 1)
        memset(device, 0, four);
    else
        free(device);
    puts(host);
}

int main() {
    char *device;
    cudaMalloc(&device, 64);
    for (int way = 0; way < 3; way++) {
        int status = 0;
        if (fork() == 0) {
            misuse(way, device);
            return 0;
        }
        wait(&status);
        printf("%d: %s\n", way, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended");
    }
    return cudaFree(device) != cudaSuccess;
}
