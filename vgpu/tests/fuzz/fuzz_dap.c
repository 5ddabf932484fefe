/*
 * fuzz_dap.c: what a client of vgpu-debug --dap may send, for libFuzzer: any bytes, in two pieces,
 * are read without harm, and what is read of them is consumed.
 */
#include "vgpu/tools/vgpu-debug-dap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dap_reader r = {NULL, 0, 0};
    const size_t cut = size > 0 ? data[0] * size / 256 : 0;
    for (int half = 0; half < 2; half++) {
        const size_t from = half == 0 ? 0 : cut, to = half == 0 ? cut : size;
        if (!dap_reader_add(&r, (const char *)data + from, to - from))
            abort();
        for (bool more = true; more;) {
            const size_t was = r.len;
            json_t *message = NULL;
            const enum dap_read read = dap_reader_next(&r, &message);
            more = read == DAP_MESSAGE || read == DAP_BAD_JSON;
            if (more != (r.len < was) || (message != NULL) != (read == DAP_MESSAGE))
                abort(); /* a message is taken out, and nothing else is */
            json_decref(message);
        }
    }
    dap_reader_free(&r);
    return 0;
}
