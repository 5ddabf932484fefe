// Wrong: names with letters beyond ASCII, and no barrier at the end of the loop: the report has to name the array.
#include "cuda_check.h"
#include "lab.h"
#define GRÖSSE 16
struct Sizes { int zeilen, spalten; };
template <class M> __global__ void kachel(M größe, int k, const float *A, const float *B, float *C) {
    __shared__ float kachelÄ[GRÖSSE][GRÖSSE];
    __shared__ float 块[GRÖSSE][GRÖSSE];
    const int x = threadIdx.x, y = threadIdx.y, zeile = blockIdx.y * GRÖSSE + y, spalte = blockIdx.x * GRÖSSE + x;
    float Σ = 0;
    for (int p = 0; p < k; p += GRÖSSE) {
        kachelÄ[y][x] = zeile < größe.zeilen && p + x < k ? A[zeile * k + p + x] : 0;
        块[y][x] = p + y < k && spalte < größe.spalten ? B[(p + y) * größe.spalten + spalte] : 0;
        __syncthreads();
        for (int q = 0; q < GRÖSSE; q++)
            Σ += kachelÄ[y][q] * 块[q][x];
    }
    if (zeile < größe.zeilen && spalte < größe.spalten)
        C[zeile * größe.spalten + spalte] = Σ;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    kachel<<<dim3((n + GRÖSSE - 1) / GRÖSSE, (m + GRÖSSE - 1) / GRÖSSE), dim3(GRÖSSE, GRÖSSE)>>>(Sizes{m, n}, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
