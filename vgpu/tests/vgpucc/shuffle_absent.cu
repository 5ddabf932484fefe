// Shuffles from lanes that take no part give all bits set; those that stay among the lanes at hand do not.
#include <cstdio>

__global__ void shuffles(int *out, float *sums, double *wide) {
    const int i = threadIdx.x;
    if (i < 16) {
        out[i] = __shfl_down_sync(0xffff, i, 12); // lanes 4 to 15 ask for lanes that are not there
        float sum = i + 1;
        for (int step = 8; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffff, sum, step); // right for lane 0 alone
        if (i == 0)
            sums[0] = sum;
        sum = i + 1;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffff, sum, step); // a step too far
        if (i == 0)
            sums[1] = sum;
        wide[i] = __shfl_sync(0xffff, (double)i, i + 8);
    }
    const float part = __shfl_xor_sync(0xffffffff, 1.0f * i, 16); // a block of 48 has half a warp at its end
    if (i == 40)
        sums[2] = part;
}

int main() {
    int out[16];
    float sums[3];
    double wide[16];
    int *o;
    float *s;
    double *w;
    cudaMalloc(&o, sizeof out), cudaMalloc(&s, sizeof sums), cudaMalloc(&w, sizeof wide);
    shuffles<<<1, 48>>>(o, s, w);
    cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(wide, w, sizeof wide, cudaMemcpyDeviceToHost);
    for (int x : out)
        printf("%d ", x);
    printf("\n%g, %s, %s; %g, %s\n", sums[0], sums[1] == sums[1] ? "a number" : "not a number",
           sums[2] == sums[2] ? "a number" : "not a number", wide[7], wide[8] == wide[8] ? "a number" : "not a number");
}
