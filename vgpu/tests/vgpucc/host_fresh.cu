// flags: -Wno-uninitialized
// env: VGPU_CHECK=race
// The host prints memory that nobody has written: some number, as with nvcc, and the program goes on.
#include <cstdio>
#include <cstdlib>

__global__ void ones(int *x) {
    x[threadIdx.x] = 1;
}

static int shown;

static void show(const int *x) {
    char line[32];
    for (int i = 0; i < 64; i++)
        shown += snprintf(line, sizeof line, "%d ", x[i]) > 0;
}

int main() {
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    int *h = (int *)malloc(64 * sizeof *h);
    int *n = new int[64];
    for (int i = 0; i < 64; i++)
        shown += snprintf(nullptr, 0, "%d", h[i]) > 0;
    show(h);
    show(n);
    ones<<<1, 64>>>(d);
    cudaMemcpy(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost);
    printf("%d shown, then %d %d\n", shown, h[0], h[63]);
}
