/* vgpu_counters.h: see vgpu.h beside this. */
#include "../vgpu_counters.h"
