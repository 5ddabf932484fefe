// only: clang
// The compiler's words come through once, with the file's own line numbers.
__global__ void k(float *x) {
    x[threadIdx.x] = y;
}

int main(void) {
    k<<<1, 1>>>(nullptr)
    return 0;
}
