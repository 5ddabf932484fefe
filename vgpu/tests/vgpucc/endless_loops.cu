// Kernels that never end, each told by what it waits for; the compiler deletes none of them.
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void forgotten(float *sum, const float *x, int n) {
    int i = 0;
    while (i < n) {
        *sum += x[i];
    }
}

__device__ __noinline__ void spin(const float *x) {
    for (;;)
        if (x[threadIdx.x] < 0)
            printf("never\n");
}

__global__ void in_a_function(const float *x) {
    if (threadIdx.x > 40)
        spin(x);
}

// The other block never comes by, as nobody launched it.
__global__ void waits(volatile int *flag) {
    if (threadIdx.x == 0)
        while (flag[blockIdx.x + 1] == 0) {
        }
    __syncthreads();
}

// Nobody gives it back: atomics of many lanes are dear, and the verdict comes all the same.
__device__ int lock;
__global__ void locks(float *sum) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    *sum += 1;
}

// Long, but it ends: the old values differ.
__global__ void counts(int *at, int n) {
    while (atomicAdd(at, 1) < n) {
    }
}

// Each lane of the warp is caught in its own turn, at a marked node: they spin one beside the other.
__global__ void walks(const int *next, const volatile char *marked, int *ends) {
    int node = threadIdx.x, last = node;
    while (node >= 0) {
        while (marked[node]) {
        }
        last = node;
        node = next[node];
    }
    ends[threadIdx.x] = last;
}

// Something in the loop counts on and on, and nothing looks at it.
__global__ void counts_tries(volatile int *flag, int *tries) {
    int n = 0;
    while (*flag == 0) {
        atomicAdd(tries, 1);
        n++;
    }
    *tries = n;
}

// i stays where it is, though the sum grows: the compiler cannot know that x[i] does not.
__global__ void stays(float *sum, const float *x) {
    int i = 0;
    while (x[i] >= 0)
        sum[threadIdx.x] += x[i];
}

int main() {
    for (int which = 0; which < 8; which++) {
        fflush(stdout);
        if (fork() == 0) {
            const rlimit most = {60, 60}; // ten times what it takes
            setrlimit(RLIMIT_CPU, &most);
            float *x;
            cudaMalloc(&x, 4096);
            cudaMemset(x, 0, 4096);
            switch (which) {
            case 0: forgotten<<<1, 1>>>(x + 512, x, 100); break;
            case 1: in_a_function<<<2, 64>>>(x); break;
            case 2: waits<<<1, 96>>>((int *)x); break;
            case 3: locks<<<1, 96>>>(x); break;
            case 4: counts<<<1, 1>>>((int *)x, 500000); break;
            case 5: {
                int next[256];
                char marked[256];
                for (int i = 0; i < 256; i++)
                    next[i] = i + 32 < 256 ? i + 32 : -1, marked[i] = i % 29 == 7;
                cudaMemcpy(x, next, sizeof next, cudaMemcpyHostToDevice);
                cudaMemcpy(x + 512, marked, sizeof marked, cudaMemcpyHostToDevice);
                walks<<<1, 32>>>((int *)x, (char *)(x + 512), (int *)(x + 768));
                break;
            }
            case 6: counts_tries<<<2, 32>>>((int *)x, (int *)x + 8); break;
            case 7: stays<<<1, 20>>>(x + 8, x); break;
            }
            printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
            fflush(stdout);
            _exit(0);
        }
        wait(NULL);
    }
}
