// Starts threads, each of which starts threads, ten thousand at most.
#include "lab.h"
#include <pthread.h>
#include <unistd.h>

static int threads;

static void *start(void *unused) {
    pthread_t next;
    for (int i = 0; i < 4 && __sync_add_and_fetch(&threads, 1) < 10000; i++)
        pthread_create(&next, NULL, start, NULL);
    sleep(10);
    return unused;
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    start(NULL);
    sleep(10);
}
