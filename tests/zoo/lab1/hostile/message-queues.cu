// Leaves a System V memory segment, a semaphore set, a message queue and POSIX ones behind.
#include "lab.h"
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    shmget(0x5a4f4f00, 4096, IPC_CREAT | 0600);
    semget(0x5a4f4f00, 1, IPC_CREAT | 0600);
    msgget(0x5a4f4f00, IPC_CREAT | 0600);
    mq_open("/zoo-leftover-queue", O_CREAT | O_RDWR, 0600, NULL);
    sem_open("/zoo-leftover-semaphore", O_CREAT, 0600, 1);
}
