// lab8-rotated.cu with blocks that begin at different times instead of different slabs.
#define STAGGER 4950 // clocks that a slab takes at 1980 MHz
#include "lab8-rotated.cu"
