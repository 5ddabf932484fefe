// C++ in device code: lambdas, functors, classes by value, templates, operators, constexpr, unions, references,
// static members, namespaces, enum classes, variadic templates, structured data, local arrays, printf of all kinds.
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

template <class F> __global__ void for_each_index(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

struct alignas(16) Complex {
    double re, im;
    __host__ __device__ constexpr Complex(double r = 0, double i = 0) : re(r), im(i) {}
    __host__ __device__ friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    __host__ __device__ friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    __host__ __device__ double norm() const { return re * re + im * im; }
};

__global__ void mandelbrot(unsigned char *out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const Complex c(-2.2 + 3.2 * x / w, -1.2 + 2.4 * y / h);
    Complex z;
    int i = 0;
    for (; i < 64 && z.norm() < 4; ++i) z = z * z + c;
    out[y * w + x] = (unsigned char)i;
}

enum class Op : unsigned char { Add, Sub, Mul, Max };
template <Op op> struct Apply;
template <> struct Apply<Op::Add> { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
template <> struct Apply<Op::Mul> { template <class T> __device__ T operator()(T a, T b) const { return a * b; } };
template <> struct Apply<Op::Max> { template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; } };

template <class T, class F> __device__ T fold(F, T last) { return last; }
template <class T, class F, class... Rest> __device__ T fold(F f, T first, Rest... rest) { return f(first, fold<T>(f, rest...)); }
__global__ void folds(double *out) {
    out[0] = fold<double>(Apply<Op::Add>(), 1.0, 2.0, 3.5);
    out[1] = fold<double>(Apply<Op::Mul>(), 1.0, 2.0, 3.5, 4.0);
    out[2] = fold<double>(Apply<Op::Max>(), 1.0, 7.0, 3.5);
}

struct Params { int n; float scale[3]; struct { short a; char b; } inner; const float *data; };
__global__ void by_value(Params p, float *out) {
    const int i = threadIdx.x;
    float local[8];
    for (int k = 0; k < 8; ++k) local[k] = p.scale[k % 3] * k;
    out[i] = p.data[i % p.n] * local[(i * 5) % 8] + p.inner.a + p.inner.b;
}

union Bits { float f; uint32_t u; unsigned char b[4]; };
__device__ int counter;
__device__ float table[4] = {1.5f, 2.5f, 3.5f, 4.5f};
__device__ const char *const names[] = {"zero", "one", "two"};
__constant__ int2 pairs[2] = {{1, 2}, {3, 4}};
namespace deep { namespace er { __device__ int twice(int x) { return 2 * x; } } }

__global__ void misc(float *out) {
    Bits b;
    b.f = 1.0f;
    b.b[3] ^= 0x80;
    out[0] = b.f;
    const auto [x, y] = std::pair<int, float>(3, 0.5f);
    out[1] = x + y + deep::er::twice(4) + table[x] + pairs[1].y;
    const int three = x;
    auto add = [=](auto v) { return v + three; };
    out[2] = add(1.25f) + add(2);
    std::array<int, 3> a = {1, 2, 3};
    int s = 0;
    for (int v : a) s += v;
    out[3] = s + std::get<1>(std::make_tuple(1, 2.0f)) + (std::numeric_limits<int>::max() == 0x7fffffff) + std::is_same<float, decltype(b.f)>::value;
    atomicAdd(&counter, 5);
    out[4] = counter;
    int i = 0;
    goto in;
again:
    out[5] = (float)i;
in:
    if (++i < 5) goto again;
    const int64_t big = INT64_C(1) << 40;
    const uint64_t q = (uint64_t)big / 1000003u, rem = (uint64_t)big % 1000003u;
    printf("%s %d %u %lld %llu %5.2f %-4d| %c %x %% %p %s\n", names[2], -1, 4000000000u, (long long)-big, (unsigned long long)q, 3.14159, 7, 'z', 255u, (void *)nullptr, "end");
    printf("%llu %e %g %05d %+d\n", (unsigned long long)rem, 12345.678, 1e-10, 42, 5);
}

template <int N> struct Matrix {
    float m[N][N];
    __device__ static Matrix identity() { Matrix r; for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) r.m[i][j] = i == j; return r; }
    __device__ Matrix operator*(const Matrix &o) const { Matrix r; for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) { float s = 0; for (int k = 0; k < N; ++k) s += m[i][k] * o.m[k][j]; r.m[i][j] = s; } return r; }
};
__global__ void power(float *out, int e) {
    Matrix<3> a = Matrix<3>::identity(), b = a;
    a.m[0][1] = 2; a.m[2][0] = -1;
    while (e) { if (e & 1) b = b * a; a = a * a; e >>= 1; }
    for (int i = 0; i < 9; ++i) out[i] = b.m[i / 3][i % 3];
}

int main() {
    float *out;
    double *d;
    unsigned char *image;
    cudaMallocManaged(&out, 64 * sizeof(float));
    cudaMallocManaged(&d, 3 * sizeof(double));
    cudaMallocManaged(&image, 64 * 24);
    for (int i = 0; i < 64; ++i) out[i] = (float)i;
    const float k = 3;
    for_each_index<<<2, 16>>>(64, [=] __device__(int i) { out[i] = out[i] * k + 1; });
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %g %g\n", out[0], out[63]);
    mandelbrot<<<dim3(2, 2), dim3(32, 16)>>>(image, 64, 24);
    cudaDeviceSynchronize();
    for (int y = 2; y < 24; y += 4) {
        for (int x = 0; x < 64; ++x) putchar(" .:-=+*#%@"[image[y * 64 + x] * 9 / 64]);
        putchar('\n');
    }
    folds<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", d[0], d[1], d[2]);
    Params p = {7, {1, 2, 3}, {100, 5}, out};
    float *out2;
    cudaMallocManaged(&out2, 64 * sizeof(float));
    by_value<<<1, 32>>>(p, out2);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", out2[0], out2[1], out2[31]);
    misc<<<1, 1>>>(out2);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; ++i) printf("%g ", out2[i]);
    power<<<1, 1>>>(out2, 5);
    printf("\n%s:", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 9; ++i) printf(" %g", out2[i]);
    printf("\n");
    cudaFree(out); cudaFree(out2); cudaFree(d); cudaFree(image);
}
