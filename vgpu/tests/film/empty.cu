// empty.cu: a kernel that does nothing: no memory, no access.
__global__ void empty() {}
int main() {
    empty<<<1, 1>>>();
    cudaDeviceSynchronize();
}
