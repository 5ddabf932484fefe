// env: VGPU_QUIET=1
// flags: -Wno-deprecated-declarations
// Fetches from texture objects of every kind; the values follow from the programming guide's rules.
#include <cstdio>
#include <cstring>

static void check(cudaError_t e, int line) {
    if (e != cudaSuccess)
        printf("%s in line %d\n", cudaGetErrorName(e), line);
}
#define CHECK(call) check(call, __LINE__)

enum { MOST = 64 };
__device__ float4 out[MOST];
__device__ float3 at[MOST];

template <class T> __device__ float4 wide(T v) { return make_float4(v, 0, 0, 0); }
__device__ float4 wide(float4 v) { return v; }
__device__ float4 wide(uchar4 v) { return make_float4(v.x, v.y, v.z, v.w); }
__device__ float4 wide(short2 v) { return make_float4(v.x, v.y, 0, 0); }

template <class T, int dims> __global__ void fetch(cudaTextureObject_t t) {
    const float3 p = at[threadIdx.x];
    out[threadIdx.x] = wide(dims == 0   ? tex1Dfetch<T>(t, (int)p.x)
                            : dims == 1 ? tex1D<T>(t, p.x)
                            : dims == 2 ? tex2D<T>(t, p.x, p.y)
                                        : tex3D<T>(t, p.x, p.y, p.z));
}

// Fetches at n places and prints channels of each value.
template <class T, int dims>
static void show(const char *name, cudaTextureObject_t t, const float3 *places, int n,
                 int channels) {
    float4 values[MOST];
    CHECK(cudaMemcpyToSymbol(at, places, n * sizeof *places));
    fetch<T, dims><<<1, n>>>(t);
    CHECK(cudaMemcpyFromSymbol(values, out, n * sizeof *values));
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < channels; c++)
            printf(" %.9g", (&values[i].x)[c]);
    printf("\n");
}

static cudaTextureObject_t make(cudaResourceDesc r, cudaTextureAddressMode mode,
                                cudaTextureFilterMode filter, bool normalised,
                                cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc d;
    cudaTextureObject_t t = 0;
    memset(&d, 0, sizeof d);
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = mode;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalised;
    for (int i = 0; i < 4; i++)
        d.borderColor[i] = 7 + i;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}

template <class T>
static cudaResourceDesc array(const T *values, int width, int height, int depth) {
    cudaResourceDesc r;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    memset(&r, 0, sizeof r);
    if (depth == 0) {
        CHECK(cudaMallocArray(&r.res.array.array, &format, width, height));
        CHECK(cudaMemcpy2DToArray(r.res.array.array, 0, 0, values, width * sizeof(T),
                                  width * sizeof(T), height ? height : 1, cudaMemcpyHostToDevice));
        return r;
    }
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.extent = make_cudaExtent(width, height, depth);
    CHECK(cudaMalloc3DArray(&r.res.array.array, &format, p.extent));
    p.srcPtr = make_cudaPitchedPtr((void *)values, width * sizeof(T), width, height);
    p.dstArray = r.res.array.array;
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    return r;
}

static void modes() {
    const float values[5] = {1.f / 3, 10, 100, 1000, 12345.678f};
    const float x[] = {-12.3f, -2.7f, -0.6f, -0.1f, 0, 0.3f, 0.499f, 0.5f, 0.999f, 0.9999999f,
                       1,      1.7f,  4.5f,  4.99f, 5, 5.6f, 7.49f,  12.3f};
    const int n = sizeof x / sizeof *x;
    const cudaResourceDesc r = array(values, 5, 0, 0);
    for (int kind = 0; kind < 16; kind++) {
        const bool normalised = kind & 1, linear = kind & 2;
        const int mode = kind >> 2;
        float3 places[MOST];
        char name[64];
        for (int i = 0; i < n; i++)
            places[i] = make_float3(normalised ? x[i] / 5 : x[i], 0, 0);
        snprintf(name, sizeof name, "mode %d %s %s", mode, linear ? "linear" : "point",
                 normalised ? "normalised" : "plain");
        show<float, 1>(name, make(r, (cudaTextureAddressMode)mode,
                                  linear ? cudaFilterModeLinear : cudaFilterModePoint, normalised),
                       places, n, 1);
    }
}

// Where weights are rounded, and to what.
static void weights() {
    const float values[2] = {0, 1};
    const cudaResourceDesc r = array(values, 2, 0, 0);
    float3 places[MOST];
    for (int i = 0; i < MOST; i++)
        places[i] = make_float3(0.5f + (i * 65 + i % 8 * 0.25f) / 4096, 0, 0);
    show<float, 1>("weights", make(r, cudaAddressModeClamp, cudaFilterModeLinear, false), places,
                   MOST, 1);
}

// In a volume: how 256 shares are divided among eight elements, with halves to be rounded.
static void volume_weights() {
    float values[8];
    float3 places[MOST];
    for (int i = 0; i < 8; i++)
        values[i] = 1 << 2 * i;
    for (int i = 0; i < MOST; i++)
        places[i] = make_float3(0.5f + i * 75 % 256 / 256.0f, 0.5f + i * i * 4 % 256 / 256.0f,
                                0.5f + (i * 105 + 64) % 256 / 256.0f);
    show<float, 3>("volume weights",
                   make(array(values, 2, 2, 2), cudaAddressModeClamp, cudaFilterModeLinear, false),
                   places, MOST, 1);
}

static void shapes() {
    float plane[12], box[24];
    float4 colours[4];
    for (int i = 0; i < 12; i++)
        plane[i] = i * i;
    for (int i = 0; i < 24; i++)
        box[i] = i * i * 0.1f;
    for (int i = 0; i < 4; i++)
        colours[i] = make_float4(i, i * 0.1f, -i, 100 * i);
    const float3 places[] = {make_float3(0.5f, 0.5f, 0.5f),   make_float3(1.3f, 1.8f, 1.1f),
                             make_float3(2.01f, 0.77f, 0.6f), make_float3(3.9f, 2.9f, 1.9f),
                             make_float3(-1, 1.25f, 1),       make_float3(1, 1, 1)};
    const int n = sizeof places / sizeof *places;
    for (int f = 0; f < 2; f++) {
        const cudaTextureFilterMode filter = f ? cudaFilterModeLinear : cudaFilterModePoint;
        show<float, 2>("plane", make(array(plane, 4, 3, 0), cudaAddressModeClamp, filter, false),
                       places, n, 1);
        show<float4, 2>("colours",
                        make(array(colours, 2, 2, 0), cudaAddressModeBorder, filter, false), places,
                        n, 4);
        show<float, 3>("box", make(array(box, 4, 3, 2), cudaAddressModeClamp, filter, false),
                       places, n, 1);
    }
}

static void types() {
    const uchar4 bytes[3] = {{0, 1, 127, 255}, {255, 128, 64, 3}, {9, 99, 199, 249}};
    const short2 shorts[3] = {{-32768, 32767}, {-1, 1}, {12345, -12345}};
    const int ints[3] = {-2147483647, 5, 2147483647};
    const unsigned short halfs[3] = {0x3c00, 0xc248, 0x0001};
    const float3 places[] = {{0.5f, 0, 0}, {1.2f, 0, 0}, {2.7f, 0, 0}};
    const cudaTextureReadMode element = cudaReadModeElementType, n = cudaReadModeNormalizedFloat;
    const cudaTextureAddressMode c = cudaAddressModeClamp;
    const cudaResourceDesc b = array(bytes, 3, 0, 0), s = array(shorts, 3, 0, 0);
    show<uchar4, 1>("bytes", make(b, c, cudaFilterModePoint, false, element), places, 3, 4);
    show<float4, 1>("bytes as floats", make(b, c, cudaFilterModePoint, false, n), places, 3, 4);
    show<float4, 1>("and between", make(b, c, cudaFilterModeLinear, false, n), places, 3, 4);
    show<short2, 1>("shorts", make(s, c, cudaFilterModePoint, false, element), places, 3, 2);
    show<float4, 1>("shorts as floats", make(s, c, cudaFilterModePoint, false, n), places, 3, 4);
    show<float4, 1>("and between", make(s, c, cudaFilterModeLinear, false, n), places, 3, 2);
    show<int, 1>("ints", make(array(ints, 3, 0, 0), c, cudaFilterModePoint, false), places, 3, 1);
    cudaResourceDesc h = {};
    cudaChannelFormatDesc half = cudaCreateChannelDescHalf();
    CHECK(cudaMallocArray(&h.res.array.array, &half, 3));
    CHECK(cudaMemcpyToArray(h.res.array.array, 0, 0, halfs, sizeof halfs, cudaMemcpyHostToDevice));
    show<float, 1>("halfs", make(h, c, cudaFilterModePoint, false), places, 3, 1);
    show<float, 1>("and between", make(h, c, cudaFilterModeLinear, false), places, 3, 1);
}

static void memory() {
    float values[100], *linear, *rows;
    size_t pitch;
    for (int i = 0; i < 100; i++)
        values[i] = i + 0.25f;
    CHECK(cudaMalloc(&linear, sizeof values));
    CHECK(cudaMemcpy(linear, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMallocPitch(&rows, &pitch, 40, 10));
    CHECK(cudaMemcpy2D(rows, pitch, values, 40, 40, 10, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = linear;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = sizeof values;
    const float3 numbers[] = {{0, 0, 0}, {99, 0, 0}, {100, 0, 0}, {-1, 0, 0}, {42, 0, 0}};
    show<float, 0>("linear", make(r, cudaAddressModeClamp, cudaFilterModePoint, false), numbers, 5,
                   1);
    r = cudaResourceDesc();
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = rows;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = r.res.pitch2D.height = 10;
    r.res.pitch2D.pitchInBytes = pitch;
    const float3 places[] = {{3.2f, 4.9f, 0}, {9.5f, 9.5f, 0}, {0.7f, 11, 0}, {-3, 2.6f, 0}};
    show<float, 2>("pitched", make(r, cudaAddressModeWrap, cudaFilterModeLinear, false), places, 4,
                   1);
    CHECK(cudaFree(linear));
    CHECK(cudaFree(rows));
}

static void codes() {
    const int ints[4] = {1, 2, 3, 4};
    int back[4] = {0, 0, 0, 0};
    const cudaResourceDesc r = array(ints, 2, 2, 0);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
    cudaArray_t a = NULL, empty = NULL;
    cudaExtent extent;
    unsigned int flags = 9;
    const cudaError_t got[] = {
        cudaMallocArray(&a, &three, 4, 4),
        cudaMallocArray(&a, &format, 0, 4),
        cudaMemcpy2DFromArray(back, 8, r.res.array.array, 0, 0, 8, 2, cudaMemcpyDeviceToHost),
        cudaMemcpy2DFromArray(back, 8, r.res.array.array, 4, 0, 8, 2, cudaMemcpyDeviceToHost),
        cudaMemcpy2DToArray(r.res.array.array, 0, 1, back, 8, 8, 2, cudaMemcpyHostToDevice),
        cudaArrayGetInfo(&format, &extent, &flags, r.res.array.array),
        cudaDestroyTextureObject(0),
        cudaFreeArray(empty),
        cudaFreeArray(r.res.array.array)};
    for (cudaError_t e : got)
        printf("%s\n", cudaGetErrorName(e));
    printf("%d %d %d %d, %d bits, %d x %d x %d, flags %u\n", back[0], back[1], back[2], back[3],
           format.x, (int)extent.width, (int)extent.height, (int)extent.depth, flags);
    make(array(ints, 4, 0, 0), cudaAddressModeClamp, cudaFilterModeLinear, false);
}

int main() {
    modes();
    weights();
    volume_weights();
    shapes();
    types();
    memory();
    codes();
    CHECK(cudaDeviceSynchronize());
}
