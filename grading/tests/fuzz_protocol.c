/* fuzz_protocol.c: libFuzzer entry for the protocol's parser and the reader of symbol tables.
 * `make fuzz` builds it where clang is; run build/fuzz/protocol -max_total_time=60 */
#include "grading/src/build/flags.h"
#include "grading/src/build/symbols.h"
#include "grading/src/lab/protocol.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    struct message_parser p;
    struct message m;
    parser_init(&p, 0);
    p.payload_limit = 4096;
    p.journal_limit = 1000;
    for (size_t at = 0; at < n;) {
        const size_t piece = 1 + bytes[at] % 64u, left = n - at;
        if (!parser_feed(&p, bytes + at, piece < left ? piece : left))
            break;
        at += piece;
        while (parser_next(&p, &m) == PARSE_MESSAGE)
            if (m.payload_bytes > p.payload_limit ||
                (m.type == MESSAGE_JOURNAL && m.payload_bytes > p.journal_limit) ||
                (m.type != MESSAGE_RESULT && m.type != MESSAGE_JOURNAL && m.payload_bytes > 0))
                abort();
    }
    parser_free(&p);
    (void)symbols_parse(bytes, n);
    struct flags f;
    flags_find(&f, (const char *)bytes, n, bytes, n);
    flags_free(&f);
    return 0;
}
