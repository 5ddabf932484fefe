/* explore.c: see explore.h. */
#include "common/explore.h"

#include "common/lab.h"
#include "common/matrix.h"
#include "common/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma weak matmul_cpu

static const struct command {
    const char *name;
    const char *help;
    enum run_status (*run)(struct explore *, int, char **);
} commands[] = {
    {"paths", "count ways in a graph with powers of its matrix", explore_paths},
    {"pascal", "Pascal's triangle times its signed twin, and what is exact", explore_pascal},
    {"largest", "the largest matrices that fit on the device", explore_largest},
    {"sweep", "times over many sizes, as a table, a plot and CSV", explore_sweep},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

bool explore_is_command(const char *word) {
    for (int i = 0; i < COMMANDS; ++i)
        if (strcmp(word, commands[i].name) == 0)
            return true;
    return false;
}

void explore_print_commands(const struct run_build *build) {
    printf("Explorations with the same functions (lab%d COMMAND --help tells more):\n", build->lab);
    for (int i = 0; i < COMMANDS; ++i)
        printf("  lab%d %-9s %s\n", build->lab, commands[i].name, commands[i].help);
}

enum run_status explore_refuse(const struct explore *e, const char *command, const char *error) {
    fprintf(stderr, "lab%d %s: %s\n", e->build->lab, command, error);
    return RUN_USAGE;
}

enum run_status explore_no_memory(void) {
    fprintf(stderr, "not enough memory\n");
    return RUN_MACHINE;
}

enum run_status explore_need_device(struct explore *e) {
    if (e->on_cpu) {
        snprintf(e->device, sizeof e->device, "one core of this CPU");
    } else if (!device_describe(e->device, sizeof e->device)) {
        fprintf(stderr, "no device to run on: %s\n", e->device);
        return RUN_MACHINE;
    }
    return RUN_CORRECT;
}

static enum run_status call_as_they_lie(const struct explore *e, int n, const float *A,
                                        const float *B, float *C, struct run_timing *timing) {
    fill_value(C, (size_t)n * (size_t)n, NAN);
    if (!e->on_cpu)
        return device_run(e->build, n, n, n, A, B, C, timing);
    if (!matmul_cpu) {
        fprintf(stderr, "matmul_cpu is missing: this lab asks for it (see common/lab.h)\n");
        return RUN_WRONG;
    }
    double begin = timing_now();
    matmul_cpu(n, n, n, A, B, C);
    timing->seconds = timing->seconds_on_device = timing_now() - begin;
    return RUN_CORRECT;
}

/* The lab's function, with A and B laid out as the lab has them. */
static enum run_status call(const struct explore *e, int n, const float *A, const float *B,
                            float *C, struct run_timing *timing) {
    const struct layout layout = e->build->layout;
    if (!layout.a_transposed && !layout.b_transposed)
        return call_as_they_lie(e, n, A, B, C, timing);
    size_t count = (size_t)n * (size_t)n;
    float *lies = malloc(2 * count * sizeof *lies);
    if (!lies)
        return explore_no_memory();
    matrix_transpose(lies, A, n, n);
    matrix_transpose(lies + count, B, n, n);
    enum run_status status = call_as_they_lie(e, n, layout.a_transposed ? lies : A,
                                              layout.b_transposed ? lies + count : B, C, timing);
    free(lies);
    return status;
}

static void copy_corner(int n, int from_side, const float *from, int to_side, float *to) {
    for (int i = 0; i < n; ++i)
        memcpy(to + (size_t)i * (size_t)to_side, from + (size_t)i * (size_t)from_side,
               (size_t)n * sizeof *to);
}

enum run_status explore_product(const struct explore *e, int n, const float *A, const float *B,
                                float *C, struct run_timing *timing) {
    struct run_timing unused;
    timing = timing ? timing : &unused;
    *timing = (struct run_timing){0};
    if (n % e->unit == 0)
        return call(e, n, A, B, C, timing);

    int side = (n / e->unit + 1) * e->unit;
    float *padded = calloc(3 * (size_t)side * (size_t)side, sizeof *padded);
    if (!padded)
        return explore_no_memory();
    float *A_padded = padded;
    float *B_padded = A_padded + (size_t)side * (size_t)side;
    float *C_padded = B_padded + (size_t)side * (size_t)side;
    copy_corner(n, n, A, side, A_padded);
    copy_corner(n, n, B, side, B_padded);
    enum run_status status = call(e, side, A_padded, B_padded, C_padded, timing);
    copy_corner(n, side, C_padded, n, C);
    free(padded);
    return status;
}

enum run_status explore_main(const struct run_build *build, int argc, char **argv) {
    struct explore e = {.build = build};
    e.on_cpu = build->on_cpu;
    e.simulated = !e.on_cpu && strcmp(build->backend, "vgpu") == 0;
    e.unit = build->multiple > 0 ? build->multiple : 1;
    e.function = e.on_cpu ? "matmul_cpu" : "matmul_device";
    for (int i = 0; i < COMMANDS; ++i)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(&e, argc - 1, argv + 1);
    return explore_refuse(&e, argv[1], "unknown command");
}
