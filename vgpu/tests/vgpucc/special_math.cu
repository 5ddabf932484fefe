// only: clang
// Functions without an instruction, against the host's or their own inverses; and products and
// quotients of complex numbers, also of infinite ones.
#include <cmath>
#include <complex>
#include <cstdio>

enum { N = 512, COLUMNS = 8 };
typedef std::complex<float> single;
typedef std::complex<double> twice;

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

__global__ void products(const single *a, const twice *b, single *c, twice *d, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[2 * (i * n + j)] = a[i] * a[j];
            c[2 * (i * n + j) + 1] = a[i] / a[j];
            d[2 * (i * n + j)] = b[i] * b[j];
            d[2 * (i * n + j) + 1] = b[i] / b[j];
        }
    }
}

static double most(double a, double b) {
    return b > a || b != b ? b : a;
}

template <class T> static bool alike(std::complex<T> got, std::complex<T> want, T allowed) {
    const T part[2][2] = {{got.real(), want.real()}, {got.imag(), want.imag()}};
    bool same = true;
    for (auto &p : part)
        same &= p[0] == p[1] || (p[0] != p[0] && p[1] != p[1]) ||
                std::abs(p[0] - p[1]) <= allowed * std::abs(want);
    return same;
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

    const float inf = INFINITY;
    const float part[] = {0, 1, -2.5f, 1e5f, 3e-5f, inf, -inf, NAN};
    enum { PARTS = sizeof part / sizeof *part, NUMBERS = PARTS * PARTS };
    single *a, *c;
    twice *b, *d;
    cudaMallocManaged(&a, NUMBERS * sizeof *a);
    cudaMallocManaged(&b, NUMBERS * sizeof *b);
    cudaMallocManaged(&c, 2 * NUMBERS * NUMBERS * sizeof *c);
    cudaMallocManaged(&d, 2 * NUMBERS * NUMBERS * sizeof *d);
    for (int i = 0; i < NUMBERS; i++) {
        a[i] = single(part[i / PARTS], part[i % PARTS]);
        b[i] = twice(part[i / PARTS], part[i % PARTS]);
    }
    products<<<1, 1>>>(a, b, c, d, NUMBERS);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int apart[4] = {0};
    for (int i = 0; i < NUMBERS * NUMBERS; i++) {
        const int p = i / NUMBERS, q = i % NUMBERS;
        apart[0] += !alike(d[2 * i], b[p] * b[q], 1e-15);
        apart[1] += !alike(d[2 * i + 1], b[p] / b[q], 1e-15);
        apart[2] += !alike(c[2 * i], a[p] * a[q], 1e-6f);
        apart[3] += !alike(c[2 * i + 1], a[p] / a[q], 1e-6f);
    }
    printf("apart: %d %d %d %d\n", apart[0], apart[1], apart[2], apart[3]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}
