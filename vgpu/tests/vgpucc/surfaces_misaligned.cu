// only: clang
// A surface's x counts bytes. One that is no multiple of the element is a fault, and is not moved
// into the array: so an H200 has it.
#include <cstdio>

__global__ void forgot(cudaSurfaceObject_t s) {
    surf1Dwrite(1.0f, s, threadIdx.x + 33, cudaBoundaryModeClamp); // not times 4
}

int main() {
    cudaArray_t array;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &f, 8, 0, cudaArraySurfaceLoadStore);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &r);
    forgot<<<1, 1>>>(s);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
