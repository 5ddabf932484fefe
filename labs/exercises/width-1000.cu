// Exercise "width-1000": what a tile of 32 does to a width of 1000, and why 25 works.
//
// Lab 3's kernel is for widths that are multiples of the tile. Nothing stops it where they are not:
// width / TILE rounds down. Say what will happen before it happens; the program then runs it and
// compares. All elements of A and B are 1, so every element of C should be the width.
//
// Build and run: make exercise-width-1000

#include "exercise.h"

// TODO 1: Your kernel of lab 3, for a tile that is a template's parameter.
template <int TILE> __global__ void multiply(int width, const float *A, const float *B, float *C) {
    (void)width, (void)A, (void)B, (void)C; // delete this line
}

// TODO 2: How many blocks does a grid of width / tile blocks a side have in all?
static int blocks(int width, int tile) {
    (void)width, (void)tile;
    return -1;
}

// TODO 3: How many elements of C does nobody write?
static int never_written(int width, int tile) {
    (void)width, (void)tile;
    return -1;
}

// TODO 4: What is in the elements that are written, if all of A and B is 1?
static int sum_found(int width, int tile) {
    (void)width, (void)tile;
    return -1;
}

// TODO 5: The largest tile that divides the width and whose threads, tile * tile, fit into a block.
static int best_tile(int width) {
    (void)width;
    return -1;
}

template <int TILE> static void run(int width) {
    size_t count = (size_t)width * width;
    float *A = numbers_of(count), *C = numbers_of(count);
    for (size_t i = 0; i < count; ++i)
        A[i] = 1;
    float *d_A = to_device(A, count), *d_C = to_device(C, count); // B is A
    multiply<TILE>
        <<<dim3(width / TILE, width / TILE), dim3(TILE, TILE)>>>(width, d_A, d_A, d_C);
    CUDA_CHECK_LAUNCH();
    from_device(C, d_C, count);
    int unwritten = 0, right = 0;
    for (size_t i = 0; i < count; ++i) {
        unwritten += isnan(C[i]);
        right += C[i] == (float)width;
    }
    int launched = (width / TILE) * (width / TILE), found = isnan(C[0]) ? 0 : (int)C[0];
    printf("  tile %d: %d blocks, %d elements never written, the others are %d; %d of %d right\n",
           TILE, launched, unwritten, found, right, width * width);
    expect(blocks(width, TILE) == launched, "you said %d blocks", blocks(width, TILE));
    expect(never_written(width, TILE) == unwritten, "you said %d are never written",
           never_written(width, TILE));
    expect(sum_found(width, TILE) == found, "you said that the others are %d",
           sum_found(width, TILE));
    CUDA_CHECK(cudaFree(d_A));
    free(A), free(C);
}

int main(int argc, char **argv) {
    int width = argc > 1 ? atoi(argv[1]) : 1000, divides = 0;
    if (width < 32 || width > 4000) {
        fprintf(stderr, "expected a width from 32 to 4000, as in: width-1000 1000\n");
        return 2;
    }
    printf("Width %d\n", width);
    run<32>(width);
    run<25>(width);
    for (int tile = 1; tile <= 32; ++tile)
        divides = width % tile == 0 ? tile : divides;
    expect(best_tile(width) == divides, "you said that the best tile is %d", best_tile(width));
    return verdict();
}
