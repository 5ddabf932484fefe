/* timing.c: how long a call takes (see worker.h).
 *
 * On a device, calls follow one another, between two events: the device need not wait for the host,
 * and its clock has time to rise. What the host does meanwhile counts only where it takes longer
 * than the device.
 */
#include "grading/worker/worker.h"

#include <time.h>

/* Rounds, and at most so many calls and milliseconds in each. */
enum { ROUNDS = 3, MOST_CALLS = 20 };
static const float longest_round = 100;

static bool time_round(worker_function *function, const struct call_body *call,
                       float *const matrix[MATRIX_COUNT], const cudaEvent_t event[2], int calls,
                       float *milliseconds) {
    if (cudaEventRecord(event[0], 0) != cudaSuccess)
        return false;
    for (int i = 0; i < calls; i++)
        function(call->m, call->n, call->k, matrix[MATRIX_A], matrix[MATRIX_B], matrix[MATRIX_C]);
    return cudaEventRecord(event[1], 0) == cudaSuccess &&
           cudaEventSynchronize(event[1]) == cudaSuccess &&
           cudaEventElapsedTime(milliseconds, event[0], event[1]) == cudaSuccess;
}

/* A call takes so long there that the clock costs nothing: each is timed by itself. */
uint64_t worker_time_on_cpu(worker_function *function, const struct call_body *call,
                            float *const matrix[MATRIX_COUNT]) {
    uint64_t least = UINT64_MAX, spent = 0;
    for (int round = 0; round < ROUNDS && spent < (uint64_t)(longest_round * 1e6f); round++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        function(call->m, call->n, call->k, matrix[MATRIX_A], matrix[MATRIX_B], matrix[MATRIX_C]);
        clock_gettime(CLOCK_MONOTONIC, &to);
        const uint64_t now = (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000u +
                             (uint64_t)to.tv_nsec - (uint64_t)from.tv_nsec;
        spent += now;
        least = now < least ? now : least;
    }
    return least;
}

uint64_t worker_time_calls(worker_function *function, const struct call_body *call,
                           float *const matrix[MATRIX_COUNT]) {
    cudaEvent_t event[2];
    if (cudaEventCreate(&event[0]) != cudaSuccess)
        return 0;
    if (cudaEventCreate(&event[1]) != cudaSuccess) {
        cudaEventDestroy(event[0]);
        return 0;
    }
    float least = 0;
    int calls = 1; /* the first round warms up, and tells how many calls a round has time for */
    for (int round = 0; round <= ROUNDS; round++) {
        float now = 0;
        if (!time_round(function, call, matrix, event, calls, &now)) {
            least = 0;
            break;
        }
        now /= (float)calls;
        if (round == 0)
            calls = now * MOST_CALLS < longest_round ? MOST_CALLS
                                                     : 1 + (int)(longest_round / (now + 1));
        if (round <= 1 || now < least)
            least = now;
        if (now > longest_round)
            break;
    }
    cudaEventDestroy(event[0]);
    cudaEventDestroy(event[1]);
    return (uint64_t)((double)least * 1e6);
}
