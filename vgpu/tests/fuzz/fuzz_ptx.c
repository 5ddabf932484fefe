/* fuzz_ptx.c: libFuzzer's entry to run_ptx.c. `make fuzz-ptx` builds and runs it;
 * FUZZ_SECONDS says how long. */
#include "vgpu/tests/fuzz/run_ptx.h"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return freopen("/dev/null", "w", stdout) == NULL; /* what kernels print is of no interest */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ptx_outcome outcome = {0};
    run_ptx((const char *)data, size, &outcome);
    return 0;
}
