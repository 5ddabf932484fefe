/* fuzz_journal.c: libFuzzer entry for what the witness reads: journals, and programs' files.
 * `make fuzz` builds it where clang is; run build/fuzz/journal -max_total_time=60 */
#include "grading/witness/journal_read.h"
#include "grading/witness/program.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    struct journal_reader r;
    struct journal_record j;
    volatile unsigned sum = 0;
    if (journal_open(&r, bytes, n)) {
        while (journal_next(&r, &j)) {
            if (j.rest < bytes || j.rest_bytes > n || j.rest + j.rest_bytes > bytes + n)
                abort();
            for (size_t i = 0; i < j.rest_bytes; i++)
                sum += j.rest[i];
        }
    }
    /* The rest of a journal, whatever its head: most inputs are none. */
    r = (struct journal_reader){.bytes = bytes, .n = n};
    while (journal_next(&r, &j))
        sum += (unsigned)j.kind;
    struct program_texts t;
    program_texts_find(&t, bytes, n);
    for (size_t i = 0; i < t.count; i++)
        if (t.of[i].length > 0)
            sum += (unsigned char)t.of[i].text[t.of[i].length - 1];
    program_texts_free(&t);
    (void)sum;
    return 0;
}
