// names.cu: namespaces, static members, templates, constants and bit fields: what the debugger
// calls them.
constexpr int TILE = 16;
static const int PLAIN = 8;
const float HALF = 0.5f;
template <int N> struct Config { static constexpr int SIDE = N; enum { ROWS = 7 }; };
namespace lab {
__device__ int calls;
__constant__ float scale;
constexpr int DEPTH = 4;
enum class mode { FAST = 3, SLOW };
enum { LOOSE = 9 };
namespace inner {
__device__ int calls = 5;
struct spot {
    static __device__ int count;
    unsigned row : 5;
    int column : 7;
    bool on : 1;
    unsigned long wide : 40;
    mode how : 3;
    unsigned char rest;
    __device__ int sum() const { return row + column + rest; }
};
__device__ int spot::count = 2;
}
__device__ int twice(int i) { return 2 * i; }
}
namespace { __device__ int hidden = 4; __device__ int nameless(int i) { return i + hidden; } }
namespace other { __device__ int twice(int i) { return 3 * i; } }
template <typename T> struct acc { T total; __device__ void add(T t) { total += t; } };
namespace lab {
template <int N> __global__ void kernel(int *out) {
    inner::spot s = {3, -5, true, 1ul << 39, mode::SLOW, 7};
    s.row += Config<N>::SIDE + TILE + PLAIN + DEPTH;
    calls++;
    inner::calls++;
    inner::spot::count++;
    acc<float> a = {0};
    a.add(scale * HALF);
    __shared__ inner::spot tile[4];
    tile[1] = s;
    inner::spot *p = &tile[1];
    p->column = -9;
    out[0] = s.sum() + twice(1) + other::twice(1) + nameless(1) + (int)a.total + p->row + LOOSE;
}
}
int main() {
    int *out;
    cudaMalloc(&out, 4);
    lab::kernel<3><<<1, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
