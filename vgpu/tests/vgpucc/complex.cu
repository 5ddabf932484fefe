// cuComplex.h: the same arithmetic on the device and on the host, floats and doubles; numbers near the edge.
#include <cuComplex.h>
#include <cstdio>

__host__ __device__ void all(cuFloatComplex *f, cuDoubleComplex *d) {
    const cuComplex a = make_cuComplex(3, -4), b = make_cuFloatComplex(1.5f, 2);
    f[0] = cuCaddf(a, b);
    f[1] = cuCsubf(a, b);
    f[2] = cuCmulf(a, b);
    f[3] = cuCdivf(a, b);
    f[4] = make_cuComplex(cuCabsf(a), cuCabsf(make_cuComplex(3e38f, 0)));
    f[5] = cuCfmaf(a, b, cuConjf(a));
    const cuDoubleComplex x = cuComplexFloatToDouble(a), y = make_cuDoubleComplex(1e200, -1e200);
    d[0] = cuCadd(x, cuCmul(x, x));
    d[1] = cuCdiv(x, y);
    d[2] = make_cuDoubleComplex(cuCabs(y) / 1e200, cuCabs(make_cuDoubleComplex(0, 0)));
    d[3] = cuCfma(x, cuConj(x), make_cuDoubleComplex(cuCreal(y) / 1e200, cuCimag(y) / 1e200));
    d[4] = cuComplexFloatToDouble(cuComplexDoubleToFloat(cuCsub(x, make_cuDoubleComplex(0.5, 0.25))));
}
__global__ void k(cuFloatComplex *f, cuDoubleComplex *d) { all(f, d); }

static void show(const char *where, const cuFloatComplex *f, const cuDoubleComplex *d) {
    printf("%s:", where);
    for (int i = 0; i < 6; ++i) printf(" (%.4g, %.4g)", cuCrealf(f[i]), cuCimagf(f[i]));
    printf("\n  ");
    for (int i = 0; i < 5; ++i) printf(" (%.5g, %.5g)", d[i].x, d[i].y);
    puts("");
}

int main() {
    cuFloatComplex *f, hf[6];
    cuDoubleComplex *d, hd[5];
    cudaMalloc(&f, sizeof hf);
    cudaMalloc(&d, sizeof hd);
    k<<<1, 1>>>(f, d);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost);
    show("device", hf, hd);
    all(hf, hd);
    show("host", hf, hd);
    return 0;
}
