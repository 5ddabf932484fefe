// Classes with virtual functions made on the device: abstract bases, whose tables have entries without a
// body, overridden destructors, and a call of a function that no class has yet given a body.
#include <cstdio>

struct Shape {
    __device__ __noinline__ Shape() { told = 0; }
    __device__ virtual float area() const = 0;
    __device__ __noinline__ virtual ~Shape() {}
    int told;
};
struct Square : Shape {
    float a;
    __device__ explicit Square(float a) : a(a) {}
    __device__ float area() const override { return a * a; }
};
struct Box : Square {
    __device__ explicit Box(float a) : Square(a) {}
    __device__ float area() const override { return 6 * Square::area(); }
};

struct Early {
    __device__ __noinline__ Early(float *out) { tell(out); }
    __device__ virtual float value() const = 0;
    __device__ __noinline__ void tell(float *out) { *out = value(); } // the derived class is not there yet
};
struct Late : Early {
    __device__ Late(float *out) : Early(out) {}
    __device__ float value() const override { return 1; }
};

__global__ void areas(float *out) {
    Shape *s = threadIdx.x % 2 ? (Shape *)new Square(threadIdx.x) : (Shape *)new Box(threadIdx.x);
    out[threadIdx.x] = s->area();
    delete s;
}
__global__ void too_early(float *out) { Late late(out); }

int main() {
    float *d, h[4];
    cudaMalloc(&d, sizeof h);
    areas<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g %s\n", h[0], h[1], h[2], h[3], cudaGetErrorName(cudaGetLastError()));
    too_early<<<1, 1>>>(d);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
