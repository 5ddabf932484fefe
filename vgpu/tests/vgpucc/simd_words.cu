// Functions of words that hold several small integers, all of them: for each a digest of what it
// makes of every pair of edges and of many words. nvcc's own headers give the same.
#include <cstdio>

#define ONE(F) F(__vabs) F(__vneg) F(__vabsss) F(__vnegss)
#define TWO(F)                                                                                     \
    F(__vadd)                                                                                      \
    F(__vsub) F(__vaddss) F(__vsubss) F(__vaddus) F(__vsubus) F(__vavgs) F(__vavgu) F(__vhaddu)    \
        F(__vabsdiffs) F(__vabsdiffu) F(__vmaxs) F(__vmaxu) F(__vmins) F(__vminu) F(__vsads)       \
            F(__vsadu) F(__vcmpeq) F(__vcmpne) F(__vcmpges) F(__vcmpgeu) F(__vcmpgts) F(__vcmpgtu) \
                F(__vcmples) F(__vcmpleu) F(__vcmplts) F(__vcmpltu) F(__vseteq) F(__vsetne)        \
                    F(__vsetges) F(__vsetgeu) F(__vsetgts) F(__vsetgtu) F(__vsetles) F(__vsetleu)  \
                        F(__vsetlts) F(__vsetltu)
#define THREE(F) F(__vimax3) F(__vimin3) F(__viaddmax) F(__viaddmin)
#define FLAGS(F) F(__vibmax) F(__vibmin)

enum { WORDS = 64 };

__device__ unsigned word(unsigned i) {
    const unsigned edges[] = {0,          0x80008000u, 0x7fff7fffu, 0xffffffffu, 0x80808080u,
                              0x7f7f7f7f, 0x00010001u, 0xff01fe02u, 0x80000000u, 0x7fffffffu};
    if (i < sizeof edges / sizeof *edges)
        return edges[i];
    i *= 0x9e3779b9u;
    i ^= i >> 15;
    i *= 0x85ebca6bu;
    return i ^ i >> 13;
}

// The order of the pairs does not matter to the sum, but the value of each does.
__device__ void add(unsigned long long *sum, unsigned value, unsigned place) {
    unsigned long long h = ((unsigned long long)place << 32 | value) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ull;
    atomicAdd(sum, h ^ h >> 32);
}

__global__ void one(unsigned long long *sum) {
    const unsigned i = threadIdx.x, a = word(i);
#define F(name) add(sum++, name##2(a), i), add(sum++, name##4(a), i);
    ONE(F)
#undef F
}
__global__ void two(unsigned long long *sum) {
    const unsigned i = blockIdx.x * WORDS + threadIdx.x, a = word(blockIdx.x),
                   b = word(threadIdx.x);
#define F(name) add(sum++, name##2(a, b), i), add(sum++, name##4(a, b), i);
    TWO(F)
#undef F
}
__global__ void three(unsigned long long *sum) {
    const unsigned i = blockIdx.x * WORDS + threadIdx.x, a = word(blockIdx.x),
                   b = word(threadIdx.x);
    const unsigned c = word(i * 7 % 11);
#define F(name)                                                                                    \
    add(sum++, (unsigned)name##_s32(a, b, c), i), add(sum++, name##_u32(a, b, c), i);              \
    add(sum++, name##_s16x2(a, b, c), i), add(sum++, name##_u16x2(a, b, c), i);                    \
    add(sum++, (unsigned)name##_s32_relu(a, b, c), i), add(sum++, name##_s16x2_relu(a, b, c), i);
    THREE(F)
#undef F
    add(sum++, (unsigned)__vimax_s32_relu(a, b), i), add(sum++, __vimax_s16x2_relu(a, b), i);
    add(sum++, (unsigned)__vimin_s32_relu(a, b), i), add(sum++, __vimin_s16x2_relu(a, b), i);
}
__global__ void flags(unsigned long long *sum) {
    const unsigned i = blockIdx.x * WORDS + threadIdx.x, a = word(blockIdx.x),
                   b = word(threadIdx.x);
    bool p, q;
#define F(name)                                                                                    \
    add(sum++, (unsigned)name##_s32(a, b, &p), i), add(sum++, p, i);                               \
    add(sum++, name##_u32(a, b, &p), i), add(sum++, p, i);                                         \
    add(sum++, name##_s16x2(a, b, &p, &q), i), add(sum++, p + 2 * q, i);                           \
    add(sum++, name##_u16x2(a, b, &p, &q), i), add(sum++, p + 2 * q, i);
    FLAGS(F)
#undef F
}

#define F2(name) #name "2", #name "4",
#define F6(name)                                                                                   \
#name "_s32", #name "_u32", #name "_s16x2", #name "_u16x2", #name "_s32_relu",                 \
        #name "_s16x2_relu",
#define F8(name)                                                                                   \
#name "_s32", "flag", #name "_u32", "flag", #name "_s16x2", "flags", #name "_u16x2", "flags",
static const char *const names[] = {ONE(F2) TWO(F2) THREE(F6) "__vimax_s32_relu",
                                    "__vimax_s16x2_relu", "__vimin_s32_relu", "__vimin_s16x2_relu",
                                    FLAGS(F8)};
enum { NAMES = sizeof names / sizeof *names };

#define COUNT(name) +1
int main() {
    unsigned long long *sum;
    cudaMallocManaged(&sum, NAMES * sizeof *sum);
    cudaMemset(sum, 0, NAMES * sizeof *sum);
    const int after_one = 2 * (0 ONE(COUNT)), after_two = after_one + 2 * (0 TWO(COUNT));
    one<<<1, WORDS>>>(sum);
    two<<<WORDS, WORDS>>>(sum + after_one);
    three<<<WORDS, WORDS>>>(sum + after_two);
    flags<<<WORDS, WORDS>>>(sum + after_two + 6 * (0 THREE(COUNT)) + 4);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < NAMES; i++)
        printf("%s %016llx\n", names[i], sum[i]);
    bool flag;
    printf("%d %08x %d", __vimax3_s32(-5, 3, 2),
           __viaddmin_s16x2(0x7fff0001u, 0x00010002u, 0x00050005u), __vibmin_s32(2, 3, &flag));
    printf(" %d\n", flag);
    cudaFree(sum);
}
