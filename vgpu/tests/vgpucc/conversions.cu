// Conversions with a chosen rounding, of values that the compiler knows and of values that it does
// not, against exact arithmetic on the host.
#include <cfloat>
#include <cmath>
#include <cstdio>

enum { NEAREST, ZERO, UP, DOWN, MODES };
static const char *const modes[] = {"rn", "rz", "ru", "rd"};

template <class T> static T directed(long double exact, int mode) {
    T r = (T)exact; // to nearest
    if (mode == UP || (mode == ZERO && exact < 0))
        return (long double)r < exact ? std::nextafter(r, (T)INFINITY) : r;
    if (mode == DOWN || mode == ZERO)
        return (long double)r > exact ? std::nextafter(r, -(T)INFINITY) : r;
    return r;
}

/* A NaN gives 0, or the top bit alone where the value or the integer has 64 bits. */
template <class I, class F> static I integer(F x, int mode) {
    const bool is_signed = (I)-1 < (I)0;
    const I top = is_signed ? (I)(~0ull >> (65 - 8 * sizeof(I))) : (I)~0ull,
            bottom = is_signed ? (I)(-top - 1) : (I)0;
    if (x != x)
        return sizeof(I) + sizeof(F) > 8 ? (I)(1ull << (8 * sizeof(I) - 1)) : (I)0;
    const double whole = mode == NEAREST ? rint(x)
                         : mode == ZERO  ? trunc(x)
                         : mode == UP    ? ceil(x)
                                         : floor(x);
    if ((long double)whole >= (long double)top)
        return top;
    return (long double)whole <= (long double)bottom ? bottom : (I)whole;
}

#define EACH_MODE(name, x, o)                                                                      \
    o[0] = name##_rn(x), o[1] = name##_rz(x), o[2] = name##_ru(x), o[3] = name##_rd(x)

#define INTEGERS(V)                                                                                \
    V(0ll)                                                                                         \
    V(1ll) V(-1ll) V(16777215ll) V(16777217ll) V(-16777217ll) V(16777219ll) V(-16777219ll)         \
        V(2147483647ll) V(-2147483647ll) V(-2147483648ll) V(4294967295ll) V(4294967167ll)          \
            V(1073741953ll) V(123456789ll) V(9007199254740993ll) V(-9007199254740993ll)            \
                V(9007199254740995ll) V(9223372036854775807ll) V(-9223372036854775807ll)           \
                    V(9223371761976868865ll) V(-9223371761976868865ll) V(0xfffffffffffffbffll)     \
                        V(0x8000000000000401ll) V(0xffffff8000000000ll) V(0xffffff7fffffffffll)

#define NUMBERS(V)                                                                                 \
    V(0.0)                                                                                         \
    V(-0.0) V(0.5) V(-0.5) V(1.5) V(2.5) V(-2.5) V(0.49999997) V(8388607.5) V(-8388607.5)          \
        V(2147483520.0) V(2147483648.0) V(-2147483648.0) V(-2147484000.0) V(4294967040.0)          \
            V(4294967296.0) V(-1e-30) V(1e-30) V(1e30) V(-1e30) V(9.2233714e18)                    \
                V(9.223372036854776e18) V(-9.223372036854776e18) V(1.8446743e19)                   \
                    V(1.8446744073709552e19) V(-3.75) V(1e300 * 1e300) V(-1e300 * 1e300)

#define FLOATS(x, o)                                                                               \
    EACH_MODE(__int2float, (int)(x), (o)->i), EACH_MODE(__uint2float, (unsigned)(x), (o)->u),      \
        EACH_MODE(__ll2float, (long long)(x), (o)->l),                                             \
        EACH_MODE(__ull2float, (unsigned long long)(x), (o)->ul),                                  \
        EACH_MODE(__ll2double, (long long)(x), (o)->ld),                                           \
        EACH_MODE(__ull2double, (unsigned long long)(x), (o)->uld)
struct floats {
    float i[MODES], u[MODES], l[MODES], ul[MODES];
    double ld[MODES], uld[MODES];
};

#define ALL_INTEGERS(x, o)                                                                         \
    EACH_MODE(__float2int, (float)(x), (o)->fi), EACH_MODE(__float2uint, (float)(x), (o)->fu),     \
        EACH_MODE(__float2ll, (float)(x), (o)->fl), EACH_MODE(__float2ull, (float)(x), (o)->ful),  \
        EACH_MODE(__double2int, x, (o)->di), EACH_MODE(__double2uint, x, (o)->du),                 \
        EACH_MODE(__double2ll, x, (o)->dl), EACH_MODE(__double2ull, x, (o)->dul),                  \
        EACH_MODE(__double2float, x, (o)->df)
struct integers {
    int fi[MODES], di[MODES];
    unsigned fu[MODES], du[MODES];
    long long fl[MODES], dl[MODES];
    unsigned long long ful[MODES], dul[MODES];
    float df[MODES];
};

#define V(x) (long long)x,
static const long long whole[] = {INTEGERS(V)};
#undef V
#define V(x) x,
static const double broken[] = {NUMBERS(V) NAN};
#undef V
enum { WHOLE = sizeof whole / sizeof *whole, BROKEN = sizeof broken / sizeof *broken };

__global__ void to_floats(const long long *x, floats *o) {
    const int i = threadIdx.x;
    FLOATS(x[i], &o[i]);
}
__global__ void to_floats_constant(floats *o) {
#define V(x)                                                                                       \
    FLOATS(x, o);                                                                                  \
    o++;
    INTEGERS(V)
#undef V
}
__global__ void to_integers(const double *x, integers *o) {
    const int i = threadIdx.x;
    ALL_INTEGERS(x[i], &o[i]);
}
__global__ void to_integers_constant(integers *o) {
#define V(x)                                                                                       \
    ALL_INTEGERS(x, o);                                                                            \
    o++;
    NUMBERS(V)
#undef V
    const double nan = __longlong_as_double(0x7ff8000000000000ll);
    ALL_INTEGERS(nan, o);
}

static int wrong, right;
template <class T> static void expect(const char *name, int mode, double of, T got, T expected) {
    if (got == expected || (got != got && expected != expected)) {
        right++;
        return;
    }
    wrong++;
    printf("%s_%s(%.17g) = %.17g, not %.17g\n", name, modes[mode], of, (double)got,
           (double)expected);
}

#define FLOAT(name, member, from, to)                                                              \
    expect(name, m, (double)(from)x, o->member[m], directed<to>((from)x, m))
static void check_floats(const floats *o) {
    for (long long x : whole) {
        for (int m = 0; m < MODES; m++) {
            FLOAT("__int2float", i, int, float);
            FLOAT("__uint2float", u, unsigned, float);
            FLOAT("__ll2float", l, long long, float);
            FLOAT("__ull2float", ul, unsigned long long, float);
            FLOAT("__ll2double", ld, long long, double);
            FLOAT("__ull2double", uld, unsigned long long, double);
        }
        o++;
    }
}

#define INTEGER(name, member, from, to)                                                            \
    expect(name, m, (from)x, o->member[m], integer<to>((from)x, m))
static void check_integers(const integers *o) {
    for (double x : broken) {
        for (int m = 0; m < MODES; m++) {
            INTEGER("__float2int", fi, float, int);
            INTEGER("__float2uint", fu, float, unsigned);
            INTEGER("__float2ll", fl, float, long long);
            INTEGER("__float2ull", ful, float, unsigned long long);
            INTEGER("__double2int", di, double, int);
            INTEGER("__double2uint", du, double, unsigned);
            INTEGER("__double2ll", dl, double, long long);
            INTEGER("__double2ull", dul, double, unsigned long long);
            if (fabs(x) <= FLT_MAX)
                expect("__double2float", m, x, o->df[m], directed<float>(x, m));
        }
        o++;
    }
}

int main() {
    long long *x;
    double *y;
    floats *f;
    integers *n;
    cudaMallocManaged(&x, sizeof whole);
    cudaMallocManaged(&y, sizeof broken);
    cudaMallocManaged(&f, 2 * WHOLE * sizeof *f);
    cudaMallocManaged(&n, 2 * BROKEN * sizeof *n);
    cudaMemcpy(x, whole, sizeof whole, cudaMemcpyDefault);
    cudaMemcpy(y, broken, sizeof broken, cudaMemcpyDefault);
    to_floats<<<1, WHOLE>>>(x, f);
    to_floats_constant<<<1, 1>>>(f + WHOLE);
    to_integers<<<1, BROKEN>>>(y, n);
    to_integers_constant<<<1, 1>>>(n + BROKEN);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    check_floats(f);
    check_floats(f + WHOLE);
    check_integers(n);
    check_integers(n + BROKEN);
    printf("%d conversions, %d wrong\n", right + wrong, wrong);
    cudaFree(x);
    cudaFree(y);
    cudaFree(f);
    cudaFree(n);
    return wrong != 0;
}
