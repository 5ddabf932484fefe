/* fuzz_source.c: libFuzzer entry for submissions' texts as compile_cause reads them: nothing
 * crashes, leaks or reads outside, wherever a compiler may point. The first two bytes are a line
 * and a column. `make fuzz` builds it where clang is; run build/fuzz/source -max_total_time=60 */
#include "grading/src/diagnose/compile_cause.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    if (n < 2)
        return 0;
    char *source = malloc(n - 1);
    if (!source)
        return 0;
    memcpy(source, bytes + 2, n - 2);
    source[n - 2] = '\0';
    const struct compile_error e = {source, bytes[0], bytes[1]};
    struct text t = {0};
    if ((compile_cause(&e, &t) != NULL) != (t.length > 0))
        abort();
    text_free(&t);
    free(source);
    return 0;
}
