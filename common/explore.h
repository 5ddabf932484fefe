/*
 * explore.h: the explorations, commands of a lab program that put the student's own code to use:
 *
 *     build/vgpu/lab4 paths GRAPH --length 4      count ways in a graph with powers of a matrix
 *     build/vgpu/lab4 pascal 8                    Pascal's triangle times its signed twin
 *     build/vgpu/lab4 largest                     the largest matrices that fit on the device
 *     build/vgpu/lab4 sweep                       times over many sizes, with a plot
 *
 * They print what they find and judge the product on the way, but grade nothing. Exit statuses are
 * those of enum run_status.
 *
 *     explore.c           which command, and a product with the student's code
 *     explore_paths.c ... one file a command; none of them knows anything of CUDA
 *     explore_device.c    the parts that call CUDA; compiled once per backend
 *     explore_options     command lines;  explore_plot  plots;  graph, ways  graphs, exact counts
 */
#pragma once

#include "common/runner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What every exploration knows. */
struct explore {
    const struct run_build *build;
    bool on_cpu;          /* lab 1: matmul_cpu; else matmul_device */
    bool simulated;       /* on the virtual GPU */
    int unit;             /* sizes must be multiples of it: 32 in lab 3, else 1 */
    const char *function; /* "matmul_cpu" or "matmul_device" */
    char device[256];     /* its name */
};

/* Is this word an exploration's name? */
bool explore_is_command(const char *word);

/* argv[1] is the command. Prints, and returns an exit status. */
enum run_status explore_main(const struct run_build *build, int argc, char **argv);

/* Lines for the lab program's --help. */
void explore_print_commands(const struct run_build *build);

/* The commands; argv[0] is the command itself. */
enum run_status explore_paths(struct explore *e, int argc, char **argv);
enum run_status explore_pascal(struct explore *e, int argc, char **argv);
enum run_status explore_largest(struct explore *e, int argc, char **argv);
enum run_status explore_sweep(struct explore *e, int argc, char **argv);

/* C = A B with the student's code, all n x n, row-major, on the host. Where the lab takes only
 * multiples of e->unit the matrices are filled up with zeros, which changes nothing in C. *timing
 * may be NULL. Anything but RUN_CORRECT has been told on stderr. */
enum run_status explore_product(const struct explore *e, int n, const float *A, const float *B,
                                float *C, struct run_timing *timing);

/* Calls for a device by name; tells when there is none. */
enum run_status explore_need_device(struct explore *e);

/* Tells a bad command line. Returns RUN_USAGE. */
enum run_status explore_refuse(const struct explore *e, const char *command, const char *error);

/* Tells that memory is short. Returns RUN_MACHINE. */
enum run_status explore_no_memory(void);

/* ---- The device's side, in explore_device.c ---- */

/* Bytes of device memory, all and free. */
enum run_status device_memory(uint64_t *total, uint64_t *free);

/* Can three n x n float matrices be allocated at once? They are freed again. An answer other than
 * "no memory" is told, and is in *status. */
bool device_fits(int n, enum run_status *status);

/* Computes a whole n x n matrix C = A B on the device with A n x k and B k x n, every element of
 * both 0.75, and looks at `count` elements of C, row[i] and col[i]: *wrong is how many are not
 * 0.5625 k. A and B are allocated n x n all the same. *seconds is matmul_device's time. */
enum run_status device_fill(int n, int k, int count, const int *row, const int *col, int *wrong,
                            double *seconds);
