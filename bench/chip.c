/* chip.c: see chip.h. */
#include "bench/chip.h"

#include <math.h>

int chip_cores(int major, int minor) {
    switch (major) {
    case 0:
    case 1: return 0;
    case 2: return minor == 0 ? 32 : 48;
    case 3: return 192;
    case 5: return 128;
    case 6: return minor == 0 ? 64 : 128;
    case 7: return 64;
    case 8: return minor == 0 ? 64 : 128;
    default: return 128;
    }
}

double chip_peak_gflops(int major, int minor, int multiprocessors, double clock_mhz) {
    double peak = 2e-3 * chip_cores(major, minor) * multiprocessors * clock_mhz;
    return peak > 0 ? peak : (double)NAN;
}

double chip_l1_gbs(int multiprocessors, double clock_mhz) {
    double rate = 128e-3 * multiprocessors * clock_mhz;
    return rate > 0 ? rate : (double)NAN;
}
