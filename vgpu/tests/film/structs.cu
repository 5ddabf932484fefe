// structs.cu: structs that a kernel is given: pointers in them, one that it changes, and a name with
// letters beyond ASCII.
struct matrix {
    int width, height;
    float *elements;
};
struct small {
    short a;
    signed char b;
};
struct view {
    float *data[2];
    struct {
        const int *rows;
    } index;
};
__global__ void größe_π(small s, matrix m, view v, float *out, small w) {
    int i = threadIdx.x;
    w.a += i;
    float sum = 0;
    for (int k = 0; k < m.width; k++)
        sum += m.elements[k];
    out[i] = sum * s.a + v.data[1][i] + v.index.rows[i] + w.a;
    v.data[0][i] = s.b;
}
int main() {
    float *p[4];
    int *rows;
    for (int i = 0; i < 4; i++) {
        cudaMalloc(&p[i], 32 * sizeof(float));
        cudaMemset(p[i], 0, 32 * sizeof(float));
    }
    cudaMalloc(&rows, 32 * sizeof(int));
    cudaMemset(rows, 0, 32 * sizeof(int));
    größe_π<<<1, 32>>>(small{3, 'x'}, matrix{4, 8, p[0]}, view{{p[1], p[2]}, {rows}}, p[3],
                       small{-7, 'y'});
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        cudaFree(p[i]);
    cudaFree(rows);
}
