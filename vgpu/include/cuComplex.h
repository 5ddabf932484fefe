/*
 * cuComplex.h: complex numbers of floats and of doubles, as two-element vectors, and arithmetic
 * with them, on the host and on the device, for C and C++.
 */
#if !defined(VGPU_CUCOMPLEX_H) && !defined(CU_COMPLEX_H_) /* not behind a toolkit's cufft.h */
#define VGPU_CUCOMPLEX_H
#define CU_COMPLEX_H_

#include "vector_types.h"

#include <math.h>

#define VGPU_COMPLEX static __inline__ __host__ __device__

typedef float2 cuFloatComplex;

VGPU_COMPLEX float cuCrealf(cuFloatComplex x) { return x.x; }
VGPU_COMPLEX float cuCimagf(cuFloatComplex x) { return x.y; }
VGPU_COMPLEX cuFloatComplex make_cuFloatComplex(float re, float im) {
    cuFloatComplex z;
    z.x = re;
    z.y = im;
    return z;
}
VGPU_COMPLEX cuFloatComplex cuConjf(cuFloatComplex x) { return make_cuFloatComplex(x.x, -x.y); }
VGPU_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) {
    return make_cuFloatComplex(x.x + y.x, x.y + y.y);
}
VGPU_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) {
    return make_cuFloatComplex(x.x - y.x, x.y - y.y);
}
VGPU_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
    return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* The divisor's parts are scaled by their size first: no overflow on the way. */
VGPU_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
    const float scale = 1 / (fabsf(y.x) + fabsf(y.y));
    const float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const float inverse = 1 / (c * c + d * d);
    return make_cuFloatComplex((a * c + b * d) * inverse, (b * c - a * d) * inverse);
}
VGPU_COMPLEX float cuCabsf(cuFloatComplex x) {
    const float a = fabsf(x.x), b = fabsf(x.y);
    const float high = a > b ? a : b, low = a > b ? b : a, ratio = high == 0 ? 0 : low / high;
    return high > 3.402823466e38f || low > 3.402823466e38f ? high + low
                                                           : high * sqrtf(1 + ratio * ratio);
}
VGPU_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex d) {
    return make_cuFloatComplex((x.x * y.x + d.x) - x.y * y.y, (x.x * y.y + d.y) + x.y * y.x);
}

typedef double2 cuDoubleComplex;

VGPU_COMPLEX double cuCreal(cuDoubleComplex x) { return x.x; }
VGPU_COMPLEX double cuCimag(cuDoubleComplex x) { return x.y; }
VGPU_COMPLEX cuDoubleComplex make_cuDoubleComplex(double re, double im) {
    cuDoubleComplex z;
    z.x = re;
    z.y = im;
    return z;
}
VGPU_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex x) { return make_cuDoubleComplex(x.x, -x.y); }
VGPU_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) {
    return make_cuDoubleComplex(x.x + y.x, x.y + y.y);
}
VGPU_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) {
    return make_cuDoubleComplex(x.x - y.x, x.y - y.y);
}
VGPU_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
    return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/* The divisor's parts are scaled by their size first: no overflow on the way. */
VGPU_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
    const double scale = 1 / (fabs(y.x) + fabs(y.y));
    const double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const double inverse = 1 / (c * c + d * d);
    return make_cuDoubleComplex((a * c + b * d) * inverse, (b * c - a * d) * inverse);
}
VGPU_COMPLEX double cuCabs(cuDoubleComplex x) {
    const double a = fabs(x.x), b = fabs(x.y);
    const double high = a > b ? a : b, low = a > b ? b : a, ratio = high == 0 ? 0 : low / high;
    return high > 1.7976931348623157e308 || low > 1.7976931348623157e308
               ? high + low
               : high * sqrt(1 + ratio * ratio);
}
VGPU_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
    return make_cuDoubleComplex((x.x * y.x + d.x) - x.y * y.y, (x.x * y.y + d.y) + x.y * y.x);
}

VGPU_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return make_cuDoubleComplex(x.x, x.y);
}
VGPU_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

typedef cuFloatComplex cuComplex;
VGPU_COMPLEX cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }

#undef VGPU_COMPLEX

#endif
