// env: VGPU_CHECK=all
// only: clang
// What is said of textures that are used wrongly; each mistake in a process of its own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

__global__ void read2(cudaTextureObject_t t, float *out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0);
}
__global__ void shift(cudaTextureObject_t t, float *memory) {
    memory[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x + 1);
}

static cudaTextureObject_t object(cudaResourceDesc r) {
    cudaTextureDesc d = {};
    cudaTextureObject_t t = 0;
    if (cudaError_t e = cudaCreateTextureObject(&t, &r, &d, NULL))
        printf("no object: %s\n", cudaGetErrorName(e));
    return t;
}
static cudaResourceDesc array(int width, int height) {
    cudaResourceDesc r = {};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMallocArray(&r.res.array.array, &f, width, height);
    return r;
}
static cudaResourceDesc linear(float *memory, size_t bytes) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = memory;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = bytes;
    return r;
}

static void mistake(int which) {
    float *out;
    cudaMalloc(&out, 256);
    cudaMemset(out, 0, 256);
    cudaTextureObject_t t;
    cudaResourceDesc r;
    switch (which) {
    case 0: // nobody wrote the array
        t = object(array(32, 2));
        read2<<<1, 32>>>(t, out);
        break;
    case 1: // destroyed before the kernel
        t = object(array(32, 2));
        cudaDestroyTextureObject(t);
        read2<<<1, 32>>>(t, out);
        break;
    case 2: // the array is gone
        r = array(32, 2);
        t = object(r);
        cudaFreeArray(r.res.array.array);
        read2<<<1, 32>>>(t, out);
        break;
    case 3: // memory without coordinates
        read2<<<1, 32>>>(object(linear(out, 256)), out);
        break;
    case 4: // written by the kernel that reads it
        shift<<<1, 32>>>(object(linear(out, 256)), out);
        break;
    case 5: object(linear(out + 1, 252)); break; // not aligned
    case 6: object(linear(out, 512)); break;     // too long
    default: // freed twice; and no array at all
        r = array(4, 4);
        cudaFreeArray(r.res.array.array);
        printf("%s\n", cudaGetErrorName(cudaFreeArray(r.res.array.array)));
        object(r);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
}

int main() {
    for (int which = 0; which < 8; which++) {
        fprintf(stderr, "mistake %d\n", which);
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            mistake(which);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    array(32, 2); // never freed; nor is this one, nor the surface
    cudaResourceDesc r = {};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMallocArray(&r.res.array.array, &f, 8, 2, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &r);
}
