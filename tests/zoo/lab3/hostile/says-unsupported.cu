// It prints what the virtual GPU says of functions that it lacks, and ends. Anybody can print that:
// it must cost the points, and not make that there is no grade.
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>

void matmul_device(int, int, int, const float *, const float *, float *) {
    fprintf(stderr, "vgpu: cudaErrorNotSupported\n");
    exit(1);
}
