// A GPU keeps what kernels print until somebody waits; what nobody waits for is lost. Each way to end
// runs in a process of its own, and says whether a warning is due.
// env: VGPU_CHECK=race
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__global__ void hello(int *x) {
    printf("  hello\n");
    *x = 1;
}
__global__ void silent(int *x) {
    *x = 2;
}

static void end(int way) {
    int *x, h;
    cudaStream_t s;
    cudaEvent_t e;
    cudaMalloc(&x, sizeof *x);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    if (way > 0)
        hello<<<1, 1, 0, s>>>(x);
    switch (way) {
    case 0: silent<<<1, 1, 0, s>>>(x); break;
    case 1: cudaDeviceSynchronize(); break;
    case 2: cudaStreamSynchronize(s); break;
    case 3: cudaEventRecord(e, s), cudaEventSynchronize(e); break;
    case 4: cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost); break;
    case 5: cudaDeviceReset(); return;
    case 6: break;
    case 7: cudaStreamDestroy(s); break;
    case 8: cudaDeviceSynchronize(), hello<<<1, 1>>>(x); break;
    default: cudaMemsetAsync(x, 0, sizeof *x, s); break;
    }
}

int main(int argc, char **argv) {
    if (argc > 1) {
        end(argv[1][0] - '0');
        return 0;
    }
    for (int way = 0; way < 10; way++) {
        const char number[] = {(char)('0' + way), '\0'};
        printf("%s: %s\n", number, way < 6 ? "nothing to say" : "a warning");
        fflush(stdout);
        if (fork() == 0) {
            dup2(1, 2); // so that the warnings are beside what they are about
            execl("/proc/self/exe", argv[0], number, nullptr);
        }
        wait(nullptr);
    }
}
