// Writes the recording of its film itself, with what it hopes is a script.
#include "lab.h"
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void nothing(float *C) {
    C[0] = 1;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B;
    nothing<<<1, 1>>>(C);
    cudaDeviceSynchronize();
    FILE *f = fopen("film.json", "w");
    if (f) {
        fprintf(f, "{\"format\": \"vgpu-film 1\", \"moments\": [{\"title\": \"<b>owned</b>\", "
                   "\"text\": \"</script><script>document.title = 'owned'</script>\"}]}");
        fclose(f);
    }
}
