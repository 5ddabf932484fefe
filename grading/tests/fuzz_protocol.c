/* fuzz_protocol.c: libFuzzer entry for the protocol's parser and the reader of symbol tables.
 * `make fuzz` builds it where clang is; run build/fuzz/protocol -max_total_time=60 */
#include "grading/src/build/flags.h"
#include "grading/src/build/symbols.h"
#include "grading/src/lab/protocol.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void in_range(const struct vgpu_fact *f) {
    if (f->says == VGPU_SAYS_NOTHING || f->says >= VGPU_SAYS_COUNT ||
        f->space >= VGPU_SPACE_COUNT || f->access >= VGPU_ACCESS_COUNT ||
        f->place >= VGPU_AT_COUNT || f->memory >= VGPU_MEMORY_COUNT || f->host >= VGPU_HOST_COUNT ||
        f->end >= VGPU_END_COUNT || f->direction >= VGPU_DIRECTION_COUNT || f->freed > 1 ||
        f->has_thread > 1 || f->line < 0)
        abort();
}

/* What the parser lets through holds what protocol.h promises. */
static void look_at(const struct message_parser *p, const struct message *m) {
    if (m->payload_bytes > p->payload_limit ||
        (m->type == MESSAGE_JOURNAL && m->payload_bytes > p->journal_limit) ||
        (m->type != MESSAGE_RESULT && m->type != MESSAGE_JOURNAL && m->payload_bytes > 0))
        abort();
    if (m->type == MESSAGE_FACT)
        in_range(&m->body.fact.fact);
    if (m->type == MESSAGE_FINDING) {
        in_range(&m->body.finding.fact);
        if (m->body.finding.kind >= VGPU_FOUND_COUNT || m->body.finding.hazard >= VGPU_HAZARD_COUNT)
            abort();
    }
}

/* The bytes as the body of a message: what is longer or shorter than one is never looked into. */
static void parse_as(enum message_type type, size_t body_bytes, const uint8_t *bytes, size_t n) {
    unsigned char whole[sizeof(struct message_header) + sizeof(union message_body)] = {0};
    struct message_parser p;
    struct message m;
    struct message_header h;
    message_header_init(&h, type, 0, body_bytes);
    memcpy(whole, &h, sizeof h);
    memcpy(whole + sizeof h, bytes, n < body_bytes ? n : body_bytes);
    parser_init(&p, 0);
    if (parser_feed(&p, whole, sizeof h + body_bytes) && parser_next(&p, &m) == PARSE_MESSAGE)
        look_at(&p, &m);
    parser_free(&p);
}

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
            look_at(&p, &m);
    }
    parser_free(&p);
    parse_as(MESSAGE_FACT, sizeof(struct fact_body), bytes, n);
    parse_as(MESSAGE_FINDING, sizeof(struct finding_body), bytes, n);
    (void)symbols_parse(bytes, n);
    struct flags f;
    flags_find(&f, (const char *)bytes, n, bytes, n);
    flags_free(&f);
    return 0;
}
