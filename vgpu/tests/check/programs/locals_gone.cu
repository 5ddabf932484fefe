// Pointers to local variables that are gone, because a function has returned or a block has ended:
// who follows one is told. Pointers that go with what they lead to are right.
// run: 0
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
#include <cstdio>
#include <cstdlib>

struct view {
    int *at;
    int count;
};

struct holder {
    view in[2];
};

// The compiler warns of these two.
__device__ int *plain(int i) {
    int a[4];
    for (int j = 0; j < 4; j++)
        a[j] = i + j;
    return a;
}

__device__ int *one_of(int *x, int i) {
    int a = i;
    if (i > 100)
        return x;
    return &a;
}

// It says nothing of these.
__device__ view made(int i) {
    int a[4];
    for (int j = 0; j < 4; j++)
        a[j] = i + j;
    view v;
    v.at = a;
    v.count = 4;
    return v;
}

__device__ holder held(int *x, int i) {
    int a[4] = {i, i, i, i};
    holder h = {};
    h.in[0].at = x;
    h.in[1].at = a;
    return h;
}

__global__ void returned(int *out) {
    int *p = plain(out[0]);
    out[1] = p[2];
}

__global__ void returned_or_not(int *out) {
    int *p = one_of(out, out[0]);
    out[1] = *p;
}

__global__ void in_struct(int *out) {
    view v = made(out[0]);
    for (int i = 0; i < v.count; i++)
        out[i] = v.at[i];
}

__global__ void in_member(int *out) {
    holder h = held(out, out[0]);
    out[1] = h.in[0].at[0];
    h.in[1].at[out[0]] = 1;
}

__global__ void of_block(int *out, int n) {
    int *p = out;
    if (n > 1) {
        int pair[2] = {n, n + 1};
        p = pair;
        out[2] = p[0];
    }
    out[1] = p[1];
}

__global__ void of_turn(int *out, int n) {
    const int *last = nullptr;
    for (int i = 0; i < n; i++) {
        int square = i * i;
        if (last)
            out[1] = *last;
        last = &square;
    }
}

__device__ int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

// Right: swapped buffers, a pointer that is set anew, the end of an array, a list on the stack.
struct link {
    const link *next;
    int value;
};

__device__ int total(const link *first, int depth) {
    if (depth == 0) {
        int s = 0;
        for (const link *l = first; l; l = l->next)
            s += l->value;
        return s;
    }
    link mine = {first, depth};
    return total(&mine, depth - 1);
}

__global__ void right(int *out, int n) {
    int a[4] = {1, 2, 3, 4}, b[4] = {};
    int *from = a, *to = b;
    for (int turn = 0; turn < n; turn++) {
        for (int i = 0; i < 4; i++)
            to[i] = from[i] + from[(i + 1) % 4];
        int *was = from;
        from = to;
        to = was;
    }
    out[0] = sum(from, 4);
    int *p = out + 10;
    const int *end = nullptr;
    for (int i = 0; i < n; i++) {
        int c[2] = {i, n};
        if (i % 2 == 0) {
            p = c;
            *p += 5;
        } else {
            p = out + 11;
        }
        end = c + 2;
        out[1] += *p + (end - c);
    }
    p = a;
    out[2] = p[n & 3] + total(nullptr, n);
    view v = {b, 4};
    for (int *q = v.at; q != v.at + v.count; q++)
        out[3] += *q;
}

int main(int argc, char **argv) {
    int *out, h[4];
    cudaMalloc(&out, 256);
    cudaMemset(out, 0, 256);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: right<<<1, 1>>>(out, 3); break;
    case 1: returned<<<1, 1>>>(out); break;
    case 2: returned_or_not<<<1, 1>>>(out); break;
    case 3: in_struct<<<1, 1>>>(out); break;
    case 4: in_member<<<1, 1>>>(out); break;
    case 5: of_block<<<1, 1>>>(out, 3); break;
    case 6: of_turn<<<1, 1>>>(out, 3); break;
    }
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess)
        printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    cudaFree(out);
    return 0;
}
