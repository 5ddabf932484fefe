// trace.cu: which words do the 32 threads of a warp touch? A real run answers, and the handouts'
// figures of sectors and banks are drawn from its answer (trace.txt).
//
//     build/bin/vgpucc handouts/figures/trace.cu -o trace && ./trace > handouts/figures/trace.txt
//
// Every kernel starts one warp. `touch` reads a word as any code would, and writes down which.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define N 256 // the width of a row-major matrix in global memory

struct Notes {
    int word[32];
};

__device__ float touch(const float *array, size_t word, Notes *notes) {
    notes->word[threadIdx.x] = (int)word;
    return array[word];
}

enum Pattern { NEIGHBOURS, SHIFTED, ONE_WORD, COLUMN, EVERY_SECOND, TWO_ROWS, PATTERNS };
static const char *const global_names[PATTERNS] = {"neighbours", "shifted",      "one-word",
                                                   "column",     "every-second", "two-rows"};

__global__ void read_global(const float *matrix, Pattern pattern, Notes *notes, float *sink) {
    size_t lane = threadIdx.x, word = 0;
    switch (pattern) {
    case NEIGHBOURS: word = lane; break;                    // a row, from its start
    case SHIFTED: word = lane + 3; break;                   // a row, not from a sector's start
    case ONE_WORD: word = 5 * N; break;                     // all threads the same element
    case COLUMN: word = lane * N; break;                    // down a column
    case EVERY_SECOND: word = lane * 2; break;              // a row with gaps
    case TWO_ROWS: word = lane / 16 * N + lane % 16; break; // 16 x 16 blocks: two rows a warp
    default: return;
    }
    sink[lane] = touch(matrix, word, notes);
}

// Shared arrays of 32 rows; a row of 32 words, or of 33 (one word of padding).
template <int WIDTH>
__global__ void read_shared(bool column, bool same_word, Notes *notes, float *sink) {
    __shared__ float tile[32][WIDTH];
    int lane = threadIdx.x;
    for (int row = 0; row < 32; ++row)
        tile[row][lane] = (float)row;
    __syncthreads();
    int row = column ? lane : 7, col = same_word ? 4 : column ? 0 : lane;
    sink[lane] = touch(&tile[0][0], (size_t)(row * WIDTH + col), notes);
}

static void check(cudaError_t status) {
    if (status != cudaSuccess) {
        fprintf(stderr, "trace: %s\n", cudaGetErrorString(status));
        exit(1);
    }
}

static void print(const char *name, const Notes *device_notes) {
    Notes notes;
    check(cudaGetLastError());
    check(cudaMemcpy(&notes, device_notes, sizeof notes, cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < 32; ++lane)
        printf("%s %d %d\n", name, lane, notes.word[lane]);
}

int main() {
    float *matrix, *sink;
    Notes *notes;
    check(cudaMalloc((void **)&matrix, N * N * sizeof(float)));
    check(cudaMemset(matrix, 0, N * N * sizeof(float)));
    check(cudaMalloc((void **)&sink, 32 * sizeof(float)));
    check(cudaMalloc((void **)&notes, sizeof(Notes)));

    puts("# trace.txt: made by trace.cu. PATTERN LANE WORD; see trace.h.");
    for (int p = 0; p < PATTERNS; ++p) {
        read_global<<<1, 32>>>(matrix, (Pattern)p, notes, sink);
        print(global_names[p], notes);
    }
    read_shared<32><<<1, 32>>>(false, true, notes, sink);
    print("shared-one-word", notes);
    read_shared<32><<<1, 32>>>(false, false, notes, sink);
    print("shared-row", notes);
    read_shared<32><<<1, 32>>>(true, false, notes, sink);
    print("shared-column-32", notes);
    read_shared<33><<<1, 32>>>(true, false, notes, sink);
    print("shared-column-33", notes);

    check(cudaFree(matrix));
    check(cudaFree(sink));
    check(cudaFree(notes));
    return 0;
}
