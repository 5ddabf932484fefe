/*
 * gpu_main.c: bench-gpu, every lab's solution, a student's file and cuBLAS on one GPU in one run.
 *
 * A student's file (any contender that is not the kit's own) may crash, or spoil the device for its
 * whole process. So it is tried first, by a process of its own (--try); if it fails, the rest go on
 * without. The files are written anew after each shape: what ends the program early loses one
 * shape.
 */
#include "bench/cpu.h"
#include "bench/gpu.h"

#include "common/cuda_check.h"
#include "common/reference.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Contenders ---- */

/* Runs this program again to try one contender. */
static bool passes_trial(char *argument) {
    char *command[] = {"bench-gpu", "--try", argument, NULL};
    pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", command);
        _exit(STATUS_NOTHING);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void add_contender(struct gpu_bench *b, const char *argument, const char *function) {
    char error[512];
    struct contender *c = &b->contender[b->contenders];
    if (!contender_load(c, argument, function, error, sizeof error)) {
        fprintf(stderr, "bench-gpu: left out: %s\n", error);
        return;
    }
    b->contenders++;
}

static void add_lab(struct gpu_bench *b, const char *argument) {
    char copy[4096];
    struct contender c;
    if (contender_read(&c, argument) && c.kind == CONTENDER_CPU) {
        if (!b->options.no_cpu)
            add_contender(b, argument, "matmul_cpu");
        return;
    }
    snprintf(copy, sizeof copy, "%s", argument);
    if (c.own || passes_trial(copy))
        add_contender(b, argument, "matmul_device");
    else
        fprintf(stderr, "bench-gpu: left out: %.*s did not pass its trial\n",
                (int)strcspn(argument, ":="), argument);
}

/* Is this one of the names, or are there none? */
static bool named(const char *names, const char *name) {
    for (size_t len; names && *names; names += len + (names[len] == ',')) {
        len = strcspn(names, ",");
        if (strncmp(names, name, len) == 0 && name[len] == '\0')
            return true;
    }
    return !names;
}

static void add_contenders(struct gpu_bench *b) {
    for (int i = 0; i < b->options.contenders; ++i) {
        struct contender c;
        if (!contender_read(&c, b->options.contender[i]) || named(b->options.only, c.name))
            add_lab(b, b->options.contender[i]);
    }
    b->contender[b->contenders++] = (struct contender){.name = "cublas", .kind = CONTENDER_CUBLAS};
    if (!b->options.no_cpu)
        b->contender[b->contenders++] = cpu_naive_contender();
}

/* Finds out which of them are float32's. */
static void look_at_contenders(struct gpu_bench *b) {
    for (int i = 0; i < b->contenders; ++i)
        if (b->contender[i].kind != CONTENDER_CPU)
            b->contender[i].rounds_inputs = !try_exact(b, &b->contender[i]);
}

/* ---- Running ---- */

static bool write_files(const struct gpu_bench *b) {
    const struct bench_options *o = &b->options;
    int csv = o->csv ? results_write_csv(o->csv, &b->machine, &b->results) : 0;
    int json = o->json ? results_write_json(o->json, &b->machine, &b->results) : 0;
    if (csv)
        fprintf(stderr, "bench-gpu: cannot write %s: %s\n", o->csv, strerror(csv));
    if (json)
        fprintf(stderr, "bench-gpu: cannot write %s: %s\n", o->json, strerror(json));
    return !csv && !json;
}

static bool wanted(const struct bench_options *o, const struct shape_set *set) {
    if (!o->sets)
        return true;
    for (const char *names = o->sets; *names;) {
        size_t len = strcspn(names, ",");
        if (shape_set_find(names, len) == set)
            return true;
        names += len + (names[len] == ',');
    }
    return false;
}

static bool run_shape(struct gpu_bench *b, const struct shape_set *set, struct shape s) {
    int first = b->results.count;
    time_shape(b, set, s);
    table_shape(stdout, b->results.items + first, b->results.count - first);
    return write_files(b);
}

static bool run_set(struct gpu_bench *b, const struct shape_set *set) {
    bool fine = true;
    bool begun = false;
    const int first = b->results.count;
    for (int i = 0; i < set->count && fine; ++i) {
        if (b->options.largest && shape_largest(set->shapes[i]) > b->options.largest)
            continue;
        if (!begun)
            table_heading(stdout, set->name);
        begun = true;
        fine = run_shape(b, set, set->shapes[i]);
    }
    table_summary(stdout, b->results.items + first, b->results.count - first);
    return fine;
}

static bool run_random(struct gpu_bench *b) {
    const int count = b->options.random;
    struct shape *shapes = malloc((size_t)count * sizeof *shapes);
    if (!shapes) {
        fprintf(stderr, "bench-gpu: out of memory\n");
        return false;
    }
    shapes_draw(shapes, count, b->options.seed);
    const struct shape_set set = {.name = "random", .shapes = shapes, .count = count};
    const bool fine = run_set(b, &set);
    free(shapes);
    return fine;
}

static void print_machine(const struct machine *m) {
    printf("%s, compute capability %d.%d, %d multiprocessors, at most %.0f MHz; CUDA %s, cuBLAS "
           "%s%s%s\n",
           m->gpu, m->capability / 10, m->capability % 10, m->multiprocessors, m->max_clock_mhz,
           m->cuda, m->cublas, *m->driver ? ", driver " : "", m->driver);
    printf("peak %.1f TFLOP/s (2 x %d cores x %d x %.0f MHz); copying on the device %.0f GB/s, "
           "read and written\n",
           1e-3 * m->peak_gflops,
           (int)(m->peak_gflops / (2e-3 * m->multiprocessors * m->max_clock_mhz) + 0.5),
           m->multiprocessors, m->max_clock_mhz, m->copy_gbs);
    printf("an empty kernel measures %.1f us, which is in every duration below; %s\n",
           m->empty_launch_us, m->options);
}

static int run(struct gpu_bench *b) {
    struct machine *m = &b->machine;
    cpu_describe(m->cpu, sizeof m->cpu);
    m->cores = reference_default_threads();
    options_text(&b->options, m->options, sizeof m->options);
    clocks_describe(b->clocks, m);
    print_machine(m);
    look_at_contenders(b);
    bool fine = true;
    if (b->options.shape.m) {
        const struct shape_set own = {.name = "shape"};
        table_heading(stdout, own.name);
        fine = run_shape(b, &own, b->options.shape);
    }
    const bool alone = b->options.shape.m || (b->options.random && !b->options.sets);
    for (int i = 0; i < shape_set_count && fine && !alone; ++i)
        if (wanted(&b->options, &shape_sets[i]))
            fine = run_set(b, &shape_sets[i]);
    if (b->options.random && fine)
        fine = run_random(b);
    if (m->clock_max_mhz > 0)
        printf(
            "\nwhile they ran: %.0f to %.0f MHz, median %.0f; at most %.0f W and %.0f degrees C; "
            "slowed down: %s\n",
            m->clock_min_mhz, m->clock_max_mhz, m->clock_median_mhz, m->power_max_w,
            m->temperature_max_c, m->throttled);
    if (!fine || b->results.count == 0)
        return STATUS_NOTHING;
    for (int i = 0; i < b->results.count; ++i)
        if (b->results.items[i].verdict == VERDICT_WRONG)
            return STATUS_FAILED;
    return EXIT_SUCCESS;
}

static int try_one(struct gpu_bench *b) {
    char error[512];
    struct contender *c = &b->contender[b->contenders++];
    if (!contender_load(c, b->options.try_library, "matmul_device", error, sizeof error)) {
        fprintf(stderr, "bench-gpu: %s\n", error);
        return STATUS_NOTHING;
    }
    if (!device_open(b))
        return STATUS_NOTHING;
    return try_contender(b, c) ? EXIT_SUCCESS : STATUS_FAILED;
}

int main(int argc, char **argv) {
    struct gpu_bench b = {0};
    int status;
    if (!options_read(&b.options, argc, argv, &status))
        return status;
    if (b.options.try_library) {
        status = try_one(&b);
    } else {
        /* Before this process touches the device: a process that has must not fork. */
        add_contenders(&b);
        status = device_open(&b) ? run(&b) : STATUS_NOTHING;
    }
    device_close(&b);
    for (int i = 0; i < b.contenders; ++i)
        contender_close(&b.contender[i]);
    results_free(&b.results);
    return status;
}
