/*
 * launch_record.h: how many kernels the lab's code launched, and with what grid and block.
 *
 * A launch written kernel<<<grid, block>>>(...) ends in a call of cudaLaunchKernel (from CUDA 13
 * on:
 * __cudaLaunchKernel). A lab program is linked with --wrap for these symbols, so that the calls of
 * the object files in it pass through here. Launches inside a shared library (cuBLAS) don't: then
 * nothing is known, and nothing is claimed.
 */
#pragma once

struct launch_record {
    int launches;               /* since the last reset */
    unsigned grid[3], block[3]; /* of the latest one */
};

void launch_record_reset(void);
struct launch_record launch_record_read(void);
