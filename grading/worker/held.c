/*
 * held.c: main of the program that a person's debugger holds (./grader LAB --debug): makes the
 * calls that a file tells, as the worker makes them, and says what came of the last.
 *
 * It judges nothing: what the product should be, the file says, which the grader wrote.
 */
#include "grading/src/lab/held.h"

#include "common/lab.h"
#include "grading/src/lab/protocol.h"
#include "vgpu/include/vgpu.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern __typeof__(matmul_host) matmul_host __attribute__((weak));
extern __typeof__(matmul_device) matmul_device __attribute__((weak));

enum { STATUS_WRONG = 1, STATUS_UNUSABLE = 2 };

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "held: %s: this program is started by ./grader LAB --debug\n", what);
    exit(STATUS_UNUSABLE);
}

/* A call and its matrices: those given, and those that the function gets. */
struct held {
    struct held_call call;
    bool on_device;
    size_t bytes[MATRIX_COUNT];
    float *given[MATRIX_COUNT], *matrix[MATRIX_COUNT];
    double *want, *bound;
};

static void *take(FILE *from, size_t count, size_t size) {
    void *to = malloc(count * size);
    if (to == NULL || fread(to, size, count, from) != count)
        give_up("the file of the call ends too early");
    return to;
}

static void must(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "held: %s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    exit(STATUS_WRONG);
}

static void read_call(struct held *w, FILE *from) {
    if (fread(&w->call, sizeof w->call, 1, from) != 1 || w->call.m < 1 || w->call.n < 1 ||
        w->call.k < 1 || w->call.padding < 0)
        give_up("the file tells no call");
    const size_t m = (size_t)w->call.m, n = (size_t)w->call.n, k = (size_t)w->call.k;
    const size_t more = (size_t)w->call.padding;
    const size_t count[MATRIX_COUNT] = {m * (k + more), k * (n + more), m * (n + more)};
    for (int i = 0; i < MATRIX_COUNT; i++) {
        w->bytes[i] = count[i] * sizeof(float);
        w->given[i] = take(from, count[i], sizeof(float));
    }
    w->want = take(from, m * n, sizeof(double));
    w->bound = take(from, m * n, sizeof(double));
}

/* The call before has the same sizes: its pointers serve again, as with the worker. */
static bool take_over(struct held *w, const struct held *before) {
    if (before == NULL || memcmp(before->bytes, w->bytes, sizeof w->bytes) != 0)
        return false;
    memcpy(w->matrix, before->matrix, sizeof w->matrix);
    return true;
}

static void place(struct held *w, const struct held *before) {
    const bool kept = take_over(w, before);
    for (int i = 0; i < MATRIX_COUNT; i++) {
        if (before != NULL && !kept && w->on_device)
            must(cudaFree(before->matrix[i]));
        else if (before != NULL && !kept)
            free(before->matrix[i]);
        if (!kept && w->on_device)
            must(cudaMalloc((void **)&w->matrix[i], w->bytes[i]));
        else if (!kept)
            w->matrix[i] = malloc(w->bytes[i]);
        if (w->on_device)
            must(cudaMemcpy(w->matrix[i], w->given[i], w->bytes[i], cudaMemcpyHostToDevice));
        else if (w->matrix[i] == NULL)
            give_up("there is not enough memory");
        else
            memcpy(w->matrix[i], w->given[i], w->bytes[i]);
    }
}

static void compute(void *self) {
    const struct held *w = self;
    (w->on_device ? matmul_device : matmul_host)(w->call.m, w->call.n, w->call.k,
                                                 w->matrix[MATRIX_A], w->matrix[MATRIX_B],
                                                 w->matrix[MATRIX_C]);
}

static int say_product(const struct held *w) {
    const size_t n = (size_t)w->call.n, count = (size_t)w->call.m * n;
    const size_t apart = n + (size_t)w->call.padding;
    float *got = malloc(w->bytes[MATRIX_C]);
    size_t wrong = 0, first = 0;
    must(cudaDeviceSynchronize());
    if (got == NULL)
        give_up("there is not enough memory");
    must(cudaMemcpy(got, w->matrix[MATRIX_C], w->bytes[MATRIX_C],
                    w->on_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost));
    for (size_t i = count; i-- > 0;) {
        if (fabs((double)got[i / n * apart + i % n] - w->want[i]) <= w->bound[i])
            continue;
        wrong++;
        first = i;
    }
    if (wrong == 0)
        printf("C is right: %d x %d x %d.\n", w->call.m, w->call.n, w->call.k);
    else
        printf("%zu of %zu elements of C are wrong; C[%zu] (row %zu, column %zu) is %.9g, and "
               "should be %.9g.\n",
               wrong, count, first / n * apart + first % n, first / n, first % n,
               (double)got[first / n * apart + first % n], w->want[first]);
    free(got);
    return wrong == 0 ? 0 : STATUS_WRONG;
}

static void free_work(struct held *w, bool matrices) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        free(w->given[i]);
        if (matrices && !w->on_device)
            free(w->matrix[i]);
        else if (matrices)
            (void)cudaFree(w->matrix[i]);
    }
    free(w->want);
    free(w->bound);
}

int main(int argc, char **argv) {
    struct held_head head;
    FILE *from = argc == 2 ? fopen(argv[1], "rbe") : NULL;
    if (from == NULL || fread(&head, sizeof head, 1, from) != 1 || head.magic != HELD_MAGIC ||
        head.calls < 1)
        give_up("there is no file of calls");
    struct held before, now = {.on_device = head.entry == ENTRY_DEVICE};
    if (now.on_device ? matmul_device == NULL : matmul_host == NULL)
        give_up("the lab's function is missing");
    for (int i = 0; i < head.calls; i++) {
        before = now;
        now = (struct held){.on_device = before.on_device};
        read_call(&now, from);
        place(&now, i > 0 ? &before : NULL);
        if (i > 0)
            free_work(&before, false);
        const struct vgpu_product product = {now.matrix[MATRIX_C],
                                             now.bytes[MATRIX_C] / sizeof(float),
                                             (uint64_t)now.call.n, now.want, now.bound};
        if (i == head.calls - 1)
            vgpu_foresee(compute, &now, &product);
        compute(&now);
        must(cudaGetLastError());
    }
    fclose(from);
    const int status = say_product(&now);
    free_work(&now, true);
    return status;
}
