// Calls through pointers: functions, tables of functions, virtual functions; a switch with many cases.
#include <cstdio>

typedef float (*function)(float, int);
__device__ __noinline__ float twice(float x, int n) { return 2 * x + n; }
__device__ __noinline__ float square(float x, int n) { return x * x - n; }
__device__ __noinline__ float apply(function f, float x, int n) { return n == 0 ? x : apply(f, f(x, n), n - 1); }
__device__ function table[3] = {twice, square, nullptr};

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual const char *name() const { return "shape"; }
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
    __device__ const char *name() const override { return "square"; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};

__global__ void pointers(float *out) {
    const int i = threadIdx.x;
    const function f = table[i % 2];
    out[i] = f(1.5f, i) + apply(i % 3 == 0 ? twice : square, 0.5f, i % 4);
}

__global__ void shapes(float *out) {
    Square square(threadIdx.x);
    Circle circle(threadIdx.x);
    const Shape *shape = threadIdx.x % 3 == 0 ? (const Shape *)&square : &circle;
    out[threadIdx.x] = shape->area();
    if (threadIdx.x < 2)
        printf("%d: %s\n", threadIdx.x, shape->name());
}

__global__ void cases(const int *in, int *out) {
    int r = in[threadIdx.x];
    switch (r) {
    case 0: r = 17; break;
    case 1: r = r * 3 + threadIdx.x; break;
    case 2: r -= 5; // and on
    case 3: r ^= 99; break;
    case 4: __syncwarp(__activemask()); r = 4444; break;
    case 5: r = in[(threadIdx.x + 1) % 32]; break;
    case 6: return;
    case 7: r = -r; break;
    case 8: r = 1 << (threadIdx.x & 7); break;
    default: r = -1;
    }
    out[threadIdx.x] = r;
}

__global__ void null_call(float *out) {
    out[0] = table[2](1.0f, 1);
}

int main() {
    float *out;
    int *in, *result;
    cudaMallocManaged(&out, 32 * sizeof(float));
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&result, 32 * sizeof(int));
    pointers<<<1, 32>>>(out);
    printf("%s:", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 8; ++i)
        printf(" %g", out[i]);
    shapes<<<1, 32>>>(out);
    printf("\n%s:", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 8; ++i)
        printf(" %g", out[i]);
    for (int i = 0; i < 32; ++i) {
        in[i] = i % 11;
        result[i] = 0;
    }
    cases<<<1, 32>>>(in, result);
    printf("\n%s:", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 32; ++i)
        printf(" %d", result[i]);
    printf("\n");
    fflush(stdout);
    null_call<<<1, 1>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
