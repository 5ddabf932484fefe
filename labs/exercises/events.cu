// Exercise "events": time a kernel with CUDA events, in host code of your own.
//
// A launch returns at once, so the host's clock sees only how long it takes to ask for a kernel.
// Events are marks in the stream of work: the device notes the time when it comes to them.
//
// Build and run: make exercise-events

#include "exercise.h"

#include <time.h>

__global__ void work(float *numbers, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = numbers[i];
    for (int s = 0; s < steps; ++s)
        x = 0.5f * x + 1.0f;
    numbers[i] = x;
}

// Runs the kernel over 256 * 64 numbers and returns the milliseconds that the device took for it.
static float milliseconds_of(float *numbers, int steps) {
    float milliseconds = -1;
    // TODO 1: Create two events, `before` and `after` (cudaEventCreate).

    // TODO 2: Record one in stream 0 before the launch, the other behind it (cudaEventRecord).
    work<<<64, 256>>>(numbers, steps);
    CUDA_CHECK_LAUNCH();

    // TODO 3: Wait until the device has come to the second one (cudaEventSynchronize), ask for the
    // time between them (cudaEventElapsedTime), and destroy both (cudaEventDestroy).
    return milliseconds;
}

static double now(void) { // milliseconds, by the host's clock
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main() {
    const size_t count = 64 * 256;
    float *host = small_numbers(count, 1), *numbers = to_device(host, count);
    milliseconds_of(numbers, 1); // the first launch loads the code
    float least[2] = {INFINITY, INFINITY};
    bool inside = true;
    for (int run = 0; run < 5; ++run)
        for (int i = 0; i < 2; ++i) {
            double begin = now();
            float t = milliseconds_of(numbers, i == 0 ? 100 : 10000);
            CUDA_CHECK(cudaDeviceSynchronize());
            inside = inside && t >= 0 && t <= now() - begin + 0.01;
            least[i] = fminf(least[i], t);
        }
    printf("   100 steps: %8.3f ms, the least of five runs\n", least[0]);
    printf(" 10000 steps: %8.3f ms\n", least[1]);
    expect(inside, "a time of the device is less than 0, or longer than the host waited for it");
    expect(least[1] > 2 * least[0], "a hundred times the work does not take even twice as long: "
                                    "are the events on both sides of the launch?");
#ifdef HAS_COUNTS
    struct vgpu_stats left;
    vgpu_get_stats(&left);
    expect(left.live_events == 0, "%d events were not destroyed", (int)left.live_events);
#endif
    from_device(host, numbers, count);
    free(host);
    return verdict();
}
