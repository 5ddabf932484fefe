// only: clang
// Surfaces: reads and writes of arrays in one, two and three dimensions, and what is outside.
#include <cstdio>

__global__ void invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
    int x = threadIdx.x, y = threadIdx.y;
    uchar4 p;
    surf2Dread(&p, in, x * 4, y);
    uchar4 q = make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, p.w);
    surf2Dwrite(q, out, (w - 1 - x) * 4, h - 1 - y);
}

__global__ void line(cudaSurfaceObject_t s) {
    int i = threadIdx.x;
    float left = surf1Dread<float>(s, (i - 1) * 4, cudaBoundaryModeClamp),
          right = surf1Dread<float>(s, (i + 1) * 4, cudaBoundaryModeZero);
    __syncthreads();
    surf1Dwrite(left * 100 + right, s, i * 4);
    surf1Dwrite(-1.0f, s, 32 + 4 * i, cudaBoundaryModeZero); // nothing
}

__global__ void volume(cudaSurfaceObject_t s) {
    surf3Dwrite((int)(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), s, threadIdx.x * 4,
                threadIdx.y, threadIdx.z);
    if (threadIdx.x + threadIdx.y + threadIdx.z == 6)
        surf3Dwrite(-7, s, 96, 99, 1, cudaBoundaryModeClamp); // the last of slice 1, its own
}

__global__ void outside(cudaSurfaceObject_t s) { surf2Dwrite(make_uchar4(1, 2, 3, 4), s, 16, 0); }

static cudaSurfaceObject_t surface(cudaArray_t array) {
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s = 0;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaError_t e = cudaCreateSurfaceObject(&s, &r);
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorName(e));
    return s;
}

int main() {
    cudaArray_t a, b, c, d, plain;
    cudaChannelFormatDesc pixel = cudaCreateChannelDesc<uchar4>(), f = cudaCreateChannelDesc<float>(),
                          i = cudaCreateChannelDesc<int>();
    uchar4 picture[2][4], got[2][4];
    for (int k = 0; k < 8; k++)
        picture[0][k] = make_uchar4(k, 10 * k, 20 * k, k + 1);
    cudaMallocArray(&a, &pixel, 4, 2, cudaArraySurfaceLoadStore);
    cudaMallocArray(&b, &pixel, 4, 2, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(a, 0, 0, picture, 16, 16, 2, cudaMemcpyHostToDevice);
    cudaSurfaceObject_t sa = surface(a), sb = surface(b);
    invert<<<1, dim3(4, 2)>>>(sa, sb, 4, 2);
    cudaMemcpy2DFromArray(got, 16, b, 0, 0, 16, 2, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 8; k++)
        printf("%d,%d,%d,%d ", got[0][k].x, got[0][k].y, got[0][k].z, got[0][k].w);

    float row[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    cudaMallocArray(&c, &f, 8, 0, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(c, 0, 0, row, 32, 32, 1, cudaMemcpyHostToDevice);
    cudaSurfaceObject_t sc = surface(c);
    line<<<1, 8>>>(sc);
    cudaMemcpy2DFromArray(row, 32, c, 0, 0, 32, 1, cudaMemcpyDeviceToHost);
    printf("\n%g %g %g %g %g\n", row[0], row[1], row[2], row[6], row[7]);

    int cube[2][3][4];
    cudaMalloc3DArray(&d, &i, make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t sd = surface(d);
    volume<<<1, dim3(4, 3, 2)>>>(sd);
    cudaMemcpy3DParms p = {};
    p.srcArray = d;
    p.dstPtr = make_cudaPitchedPtr(cube, 16, 16, 3);
    p.extent = make_cudaExtent(4, 3, 2);
    p.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&p);
    printf("%d %d %d %d\n", cube[0][0][0], cube[0][2][3], cube[1][1][2], cube[1][2][3]);

    cudaMallocArray(&plain, &f, 8);
    surface(plain);
    outside<<<1, 1>>>(sb);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
