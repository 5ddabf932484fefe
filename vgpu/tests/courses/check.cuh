// What the programs share: a call that must succeed, and a condition that must hold.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CUDA(call)                                                                                 \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define MUST(what)                                                                                 \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #what);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
