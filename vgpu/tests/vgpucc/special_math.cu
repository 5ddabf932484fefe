// only: clang
// Functions without an instruction, against the host's or their own inverses.
#include <cmath>
#include <cstdio>

enum { N = 512, COLUMNS = 8 };

__device__ __host__ double point(int i) {
    return -5.5 + 11.0 * i / N;
}

__global__ void inverses(double *out) {
    const double x = point(threadIdx.x);
    out += threadIdx.x * COLUMNS;
    out[0] = erfinv(erf(x));
    out[1] = erfinvf((float)erf(x));
    out[2] = erfcinv(erfc(x));
    out[3] = normcdfinv(normcdf(x));
    out[4] = jn(3, x);
    out[5] = yn(2, fabs(x) + 0.1);
    out[6] = jn(4, (float)x);
    out[7] = ynf(5, (float)fabs(x) + 1);
}

static double most(double a, double b) {
    return b > a || b != b ? b : a;
}

int main() {
    double *out, error[COLUMNS] = {0};
    cudaMallocManaged(&out, N * COLUMNS * sizeof *out);
    inverses<<<1, N>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < N; i++) {
        const double x = point(i), *o = out + i * COLUMNS;
        error[0] = most(error[0], std::abs(std::erf(o[0]) - std::erf(x)));
        error[1] = most(error[1], std::abs(std::erf(o[1]) - (double)(float)std::erf(x)));
        error[2] = most(error[2], std::abs(std::erfc(o[2]) / std::erfc(x) - 1));
        error[3] = most(error[3], std::abs(std::erfc(-o[3] * M_SQRT1_2) / std::erfc(-x * M_SQRT1_2) - 1));
        error[4] = most(error[4], std::abs(o[4] - ::jn(3, x)));
        error[5] = most(error[5], std::abs(o[5] / ::yn(2, std::abs(x) + 0.1) - 1));
        error[6] = most(error[6], std::abs(o[6] - ::jnf(4, (float)x)));
        error[7] = most(error[7], std::abs(o[7] / ::ynf(5, (float)std::abs(x) + 1) - 1));
    }
    const double allowed[COLUMNS] = {1e-15, 1e-7, 1e-13, 1e-13, 1e-15, 1e-15, 1e-7, 1e-6};
    for (int c = 0; c < COLUMNS; c++)
        printf("%d: %s\n", c, error[c] <= allowed[c] ? "exact enough" : "not exact");
    cudaFree(out);
}
