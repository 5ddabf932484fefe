// It writes a little to its own folder and has it brought to the disk, again and again. That must end
// by the limit of a call, and not make that the machine is too busy.
#include "lab.h"
#include <fcntl.h>
#include <unistd.h>

void matmul_device(int, int, int, const float *, const float *, float *) {
    int fd = open("zoo-waits", O_RDWR | O_CREAT, 0600);
    for (int i = 0; i < 10000000; i++) {
        if (pwrite(fd, "x", 1, i % 4096) != 1)
            break;
        fsync(fd);
    }
    for (int i = 0; i < 600; i++)
        sleep(1);
}
