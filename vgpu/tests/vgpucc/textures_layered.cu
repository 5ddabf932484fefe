// Textures of layers, of one and two dimensions: each layer is a texture of its own, a layer beyond
// the last is the last, and nothing is filtered between layers.
#include <cstdio>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = call;                                                                      \
        if (e != cudaSuccess)                                                                      \
            printf("%s: %s\n", #call, cudaGetErrorName(e));                                        \
    } while (0)

__global__ void planes(cudaTextureObject_t t, float *o) {
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    o[(z * blockDim.y + y) * blockDim.x + x] = tex2DLayered<float>(t, x + 0.75f, y + 0.5f, z);
}
__global__ void lines(cudaTextureObject_t t, int2 *o) {
    o[threadIdx.x] = tex1DLayered<int2>(t, threadIdx.x % 5 - 0.5f, threadIdx.x / 5);
}
__global__ void by_pointer(cudaTextureObject_t t, float *o) {
    tex2DLayered(o, t, 1.5f, 1.5f, 1);
}

static cudaTextureObject_t make(cudaArray_t a, cudaTextureFilterMode filter,
                                cudaTextureAddressMode mode) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = mode;
    d.filterMode = filter;
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}

template <class T> static void fill(cudaArray_t a, T *from, int width, int height, int layers) {
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(from, width * sizeof(T), width, height);
    p.dstArray = a;
    p.extent = make_cudaExtent(width, height, layers);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
}

int main() {
    float image[3][2][4], *o, h[4 * 2 * 4];
    for (int i = 0; i < 24; i++)
        (&image[0][0][0])[i] = (i / 8 + 1) * 100 + i % 8;
    cudaArray_t a, b;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&a, &floats, make_cudaExtent(4, 2, 3), cudaArrayLayered));
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&desc, &extent, &flags, a));
    printf("%d x %d, %d layers, %u\n", (int)extent.width, (int)extent.height, (int)extent.depth,
           flags);
    fill(a, &image[0][0][0], 4, 2, 3);
    CHECK(cudaMalloc(&o, sizeof h));
    for (int linear = 0; linear < 2; linear++) {
        cudaTextureObject_t t =
            make(a, linear ? cudaFilterModeLinear : cudaFilterModePoint, cudaAddressModeClamp);
        planes<<<1, dim3(4, 2, 4)>>>(t, o);
        CHECK(cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 32; i++)
            printf("%g%s", h[i], i % 8 == 7 ? "\n" : " ");
        by_pointer<<<1, 1>>>(t, o);
        CHECK(cudaMemcpy(h, o, sizeof *h, cudaMemcpyDeviceToHost));
        printf("%g\n", h[0]);
        CHECK(cudaDestroyTextureObject(t));
    }

    int2 line[2][3] = {{{1, -1}, {2, -2}, {3, -3}}, {{11, -11}, {12, -12}, {13, -13}}}, *p, got[15];
    const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<int2>();
    CHECK(cudaMalloc3DArray(&b, &pairs, make_cudaExtent(3, 0, 2), cudaArrayLayered));
    fill(b, &line[0][0], 3, 1, 2);
    CHECK(cudaMalloc(&p, sizeof got));
    cudaTextureObject_t t = make(b, cudaFilterModePoint, cudaAddressModeBorder);
    lines<<<1, 15>>>(t, p);
    CHECK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 15; i++)
        printf("%d,%d%s", got[i].x, got[i].y, i % 5 == 4 ? "\n" : " ");
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaMalloc3DArray(&b, &pairs, make_cudaExtent(3, 2, 0), cudaArrayLayered));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
    CHECK(cudaFree(o));
    CHECK(cudaFree(p));
}
