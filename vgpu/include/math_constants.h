/*
 * math_constants.h: mathematical constants for device code, in float (_F) and double.
 */
#ifndef VGPU_MATH_CONSTANTS_H
#define VGPU_MATH_CONSTANTS_H
#define __MATH_CONSTANTS_H__

#define CUDART_INF_F        __builtin_inff()
#define CUDART_NAN_F        __builtin_nanf("")
#define CUDART_MIN_DENORM_F 0x1p-149f
#define CUDART_MAX_NORMAL_F 0x1.fffffep+127f
#define CUDART_NEG_ZERO_F   (-0.0f)
#define CUDART_ZERO_F       0.0f
#define CUDART_ONE_F        1.0f
#define CUDART_SQRT_HALF_F  0.707106781f
#define CUDART_SQRT_TWO_F   1.414213562f
#define CUDART_THIRD_F      0.333333333f
#define CUDART_PIO4_F       0.785398163f
#define CUDART_PIO2_F       1.570796327f
#define CUDART_3PIO4_F      2.356194490f
#define CUDART_2_OVER_PI_F  0.636619772f
#define CUDART_PI_F         3.141592654f
#define CUDART_L2E_F        1.442695041f
#define CUDART_L2T_F        3.321928094f
#define CUDART_LG2_F        0.301029996f
#define CUDART_LN2_F        0.693147181f
#define CUDART_LNT_F        2.302585093f
#define CUDART_LNPI_F       1.144729886f

#define CUDART_INF        __builtin_inf()
#define CUDART_NAN        __builtin_nan("")
#define CUDART_NEG_ZERO   (-0.0)
#define CUDART_MIN_DENORM 0x1p-1074
#define CUDART_ZERO       0.0
#define CUDART_ONE        1.0
#define CUDART_SQRT_TWO   1.4142135623730951
#define CUDART_SQRT_HALF  0.70710678118654757
#define CUDART_THIRD      0.33333333333333331
#define CUDART_PIO4       0.78539816339744828
#define CUDART_PIO2       1.5707963267948966
#define CUDART_3PIO4      2.3561944901923448
#define CUDART_2_OVER_PI  0.63661977236758138
#define CUDART_PI         3.1415926535897931
#define CUDART_SQRT_2PI   2.5066282746310007
#define CUDART_SQRT_PIO2  1.2533141373155003
#define CUDART_L2E        1.4426950408889634
#define CUDART_L2T        3.3219280948873622
#define CUDART_LG2        0.30102999566398120
#define CUDART_LGE        0.43429448190325182
#define CUDART_LN2        0.69314718055994529
#define CUDART_LNT        2.3025850929940459
#define CUDART_LNPI       1.1447298858494002

#endif
