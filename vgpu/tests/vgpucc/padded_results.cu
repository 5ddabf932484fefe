// Functions that return a class whose last bytes are padding, and copies of what they return. LLVM
// 14 takes undefined padding for the whole.
#include <cstdio>

class hit {
    int t_;
    bool found_;

  public:
    __host__ __device__ hit() : t_(0), found_(false) {}
    __host__ __device__ hit(int t) : t_(t), found_(true) {}
    __host__ __device__ bool found() const {
        return found_;
    }
    __host__ __device__ int t() const {
        return t_;
    }
    __host__ __device__ bool same(const hit &other) const {
        return found_ && other.found_ ? t_ == other.t_ : found_ == other.found_;
    }
};

struct wide {
    double x;
    short kind;
    __host__ __device__ wide(double x_, short k) : x(x_), kind(k) {}
};

/* A padded object in another, in an array, and in a base. */
struct ray {
    hit first;
    hit others[2];
    int depth;
    __host__ __device__ ray(int i) : first(i), others{hit(i + 1), hit()}, depth(i) {}
    __host__ __device__ ray() : depth(-1) {}
};
struct named : hit {
    int name;
    __host__ __device__ named(int i) : hit(i), name(i * 7) {}
    __host__ __device__ named() : name(0) {}
};

__host__ __device__ ray cast(int i) {
    return i % 2 == 0 ? ray(i) : ray();
}
__host__ __device__ named call(int i) {
    return i % 2 == 0 ? named(i) : named();
}
__host__ __device__ hit trace(int i) {
    return i % 2 == 0 ? hit(i / 2) : hit();
}
__host__ __device__ wide weigh(int i) {
    return i % 3 == 0 ? wide(i, 1) : wide(-i, 2);
}

__host__ __device__ int compute(int i) {
    hit a = trace(i), b = a;
    wide w = weigh(i), v = w;
    ray r = cast(i), q = r;
    named n = call(i), m = n;
    hit s = q.first, t = q.others[0];
    return a.same(b) + 2 * b.found() + 4 * (int)b.t() + 1000 * v.kind + 10000 * (int)v.x +
           3 * s.t() + 5 * t.t() + 7 * q.depth + 9 * q.others[1].found() + 11 * m.t() +
           13 * m.name + 17 * m.found() + 19 * s.same(r.first);
}
__global__ void k(int *out) {
    out[threadIdx.x] = compute((int)threadIdx.x);
}

int main() {
    int *out, wrong = 0;
    cudaMallocManaged(&out, 32 * sizeof *out);
    k<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 32; i++)
        wrong += out[i] != compute(i);
    printf("%d %d %d, %d wrong\n", out[0], out[1], out[2], wrong);
    cudaFree(out);
}
