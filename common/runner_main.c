/* runner_main.c: main of a lab program. BACKEND_NAME, LAB, and what else make found in the lab's
 * descriptor come from the compile command (lab_flags in labs/module.mk). */
#include "common/runner.h"

#ifndef LAB_BOUND
#define LAB_BOUND BOUND_FLOAT32
#endif
#ifndef LAB_MULTIPLE
#define LAB_MULTIPLE 0
#endif

int main(int argc, char **argv) {
    const struct run_build build = {
        .lab = LAB,
        .backend = BACKEND_NAME,
#ifdef LAB_HAS_matmul_cpu
        .on_cpu = true,
#endif
#ifdef LAB_HAS_matmul_host
        .host = true,
#endif
#ifdef LAB_CUBLAS
        .cublas = true,
#endif
#ifdef LAB_A_TRANSPOSED
        .layout.a_transposed = true,
#endif
#ifdef LAB_B_TRANSPOSED
        .layout.b_transposed = true,
#endif
#ifdef LAB_PADDING
        .layout.padding = LAB_PADDING,
#endif
#ifdef LAB_BETA
        .product = {PRODUCT_SCALED, LAB_ALPHA, LAB_BETA},
#endif
#ifdef LAB_MIN_PLUS
        .product = {.kind = PRODUCT_MIN_PLUS},
#endif
        .multiple = LAB_MULTIPLE,
        .bound = LAB_BOUND,
    };
    return runner_main(&build, argc, argv);
}
