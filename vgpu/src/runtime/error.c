/*
 * error.c: names and texts of the error codes. The list itself is vgpu/include/vgpu_errors.h.
 */
#include "vgpu/include/cuda_runtime_api.h"

static const struct {
    cudaError_t code;
    const char *name, *text;
} errors[] = {
#define VGPU_ENTRY(number, name, text) {name, #name, text},
    VGPU_ERRORS(VGPU_ENTRY)
#undef VGPU_ENTRY
};

enum { COUNT = sizeof errors / sizeof *errors };

const char *cudaGetErrorName(cudaError_t error) {
    for (int i = 0; i < COUNT; i++)
        if (errors[i].code == error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    for (int i = 0; i < COUNT; i++)
        if (errors[i].code == error)
            return errors[i].text;
    return "unrecognized error code";
}
