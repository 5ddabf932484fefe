// Includes the solution, from wherever it can be reached.
#if __has_include("../../../../solutions/lab3-tiled-square/lab3.cu")
#include "../../../../solutions/lab3-tiled-square/lab3.cu"
#elif __has_include("../../solutions/lab3-tiled-square/lab3.cu")
#include "../../solutions/lab3-tiled-square/lab3.cu"
#elif __has_include("../solutions/lab3-tiled-square/lab3.cu")
#include "../solutions/lab3-tiled-square/lab3.cu"
#elif __has_include("solutions/lab3-tiled-square/lab3.cu")
#include "solutions/lab3-tiled-square/lab3.cu"
#endif
