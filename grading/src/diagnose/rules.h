/*
 * rules.h: the rules of the diagnosis, in the order in which they are asked. The first that holds
 * is the cause. To add one, write it in a file of this folder, and its row here.
 *
 * Most certain first. What a checker saw in so many words comes before what numbers look like;
 * what ends a process comes before what it might have computed; a mistake that explains every
 * trial comes before one that explains where they fail.
 */
#pragma once

#include <stdbool.h>

struct inquiry;
struct diagnosis;

/* Holds it? Then the diagnosis says so. A rule that is not sure does not hold. */
typedef bool diagnose_rule(struct inquiry *q, struct diagnosis *d);

/* RULE(name, when it holds): the function rule_name. */
/* clang-format off */
#define DIAGNOSE_RULES(RULE)                                                                       \
    RULE(no_function, "the function is not there")                                                 \
    RULE(ended, "it ended itself")                                                                 \
    RULE(own_memory, "beyond memory that it asked for")                                            \
    RULE(cublas_pointers, "cuBLAS is given pointers or elements of another kind")                  \
    RULE(comma_sizes, "dim3 block = (x, y)")                                                       \
    RULE(flat_block, "dim3 block(x * y), and a kernel that asks for threadIdx.y")                  \
    RULE(device_said, "the virtual GPU says it in so many words")                                  \
    RULE(stride_refused, "cuBLAS refuses how the matrices lie")                                    \
    RULE(launch_refused, "the grid is empty, or the launch beyond a limit")                        \
    RULE(divides, "an integer divided by zero")                                                    \
    RULE(inputs_written, "A or B changed")                                                         \
    RULE(not_waited, "right as soon as everything is waited for")                                  \
    RULE(elsewhere, "right in one process, wrong in another")                                      \
    RULE(later_call, "the first call is right, a later one is not")                                \
    RULE(loop, "a loop that cannot mean what it says")                                             \
    RULE(macros, "text that means something else to the compiler")                                 \
    RULE(pointer_never_set, "a pointer where its address belongs, under a cast")                   \
    RULE(not_shared, "a tile that is not shared")                                                  \
    RULE(two_dynamic, "two names of the dynamic shared memory")                                    \
    RULE(uninitialised_sum, "the compiler saw a sum without a value")                              \
    RULE(pointer_size, "the compiler saw the size of a pointer")                                   \
    RULE(barrier, "threads meet at different barriers")                                            \
    RULE(copy_under_way, "a copy in the background that nobody waited for")                        \
    RULE(shared_race, "a race on shared memory")                                                   \
    RULE(copied_too_early, "C is copied back before the kernel runs")                              \
    RULE(rows_for_bytes, "rows are copied back, elements for bytes")                               \
    RULE(host_buffers, "a right kernel leaves the buffers of matmul_host")                         \
    RULE(inputs_not_copied, "the kernel reads what the host never copied")                         \
    RULE(one_kernel, "wrong exactly where one of several kernels runs")                            \
    RULE(special, "exactly the shapes with k, m or n = 1 fail")                                    \
    RULE(products, "a known mistake gives exactly these products")                                 \
    RULE(cublas_sizes, "the sizes that cuBLAS was given")                                          \
    RULE(uninitialised_shared, "shared memory that nobody wrote")                                  \
    RULE(all_nan, "nothing but NaN")                                                               \
    RULE(whole_tiles, "sums of whole tiles")                                                       \
    RULE(positions, "an index through a type too short for it")                                    \
    RULE(structured, "which elements meet, and where their sums go")                               \
    RULE(race_within, "a race that no missing guard explains")                                     \
    RULE(slabs, "wrong from one row of very many on")                                              \
    RULE(launches, "wrong exactly where more launches than elsewhere share C")                     \
    RULE(counted, "each sum has as many terms too few, or too many")                               \
    RULE(shapes, "fails exactly beyond a size, or but for squares")                                \
    RULE(scratch_not_filled, "memory of its own that nobody wrote is read")                        \
    RULE(outside_probed, "outside of memory")                                                      \
    RULE(race, "any other race")                                                                   \
    RULE(pointer_for_address, "a pointer where its address belongs")                               \
    RULE(crash, "it crashed")                                                                      \
    RULE(time_limit, "it does not end")                                                            \
    RULE(unsure, "none")
/* clang-format on */

#define RULE(name, holds_when) diagnose_rule rule_##name;
DIAGNOSE_RULES(RULE)
#undef RULE
