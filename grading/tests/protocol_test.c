/* protocol_test.c: the parser that stands between a hostile file and the grader. */
#include "common/tests/suite.h"
#include "grading/src/lab/protocol.h"

#include "common/matrix.h"

#include <stdlib.h>
#include <string.h>

#define NONCE 0x1234567890abcdefu

/* A complete message in `into`; returns its length. */
static size_t build(unsigned char *into, enum message_type type, uint64_t nonce, const void *body,
                    size_t body_bytes, size_t payload) {
    struct message_header h;
    message_header_init(&h, type, nonce, body_bytes + payload);
    memcpy(into, &h, sizeof h);
    memcpy(into + sizeof h, body, body_bytes);
    for (size_t i = 0; i < payload; i++)
        into[sizeof h + body_bytes + i] = (unsigned char)i;
    return sizeof h + body_bytes + payload;
}

static size_t build_result(unsigned char *into, size_t payload) {
    const struct result_body body = {.id = 5, .has_data = payload > 0};
    return build(into, MESSAGE_RESULT, NONCE, &body, sizeof body, payload);
}

TEST(a_message_arrives_in_pieces_of_any_size) {
    unsigned char bytes[2048];
    const size_t n = build_result(bytes, 600);
    for (size_t piece = 1; piece <= n; piece += 13) {
        struct message_parser p;
        struct message m;
        parser_init(&p, NONCE);
        p.payload_limit = 600;
        for (size_t at = 0; at < n; at += piece) {
            ck_assert_int_eq(parser_next(&p, &m), PARSE_MORE);
            ck_assert(parser_feed(&p, bytes + at, piece < n - at ? piece : n - at));
        }
        ck_assert_int_eq(parser_next(&p, &m), PARSE_MESSAGE);
        ck_assert_int_eq(m.type, MESSAGE_RESULT);
        ck_assert_uint_eq(m.body.result.id, 5);
        ck_assert_uint_eq(m.payload_bytes, 600);
        ck_assert_uint_eq(m.payload[599], (unsigned char)599);
        ck_assert(!parser_pending(&p));
        ck_assert_int_eq(parser_next(&p, &m), PARSE_MORE);
        parser_free(&p);
    }
}

TEST(messages_follow_each_other) {
    unsigned char bytes[512];
    const struct phase_body ready = {.id = 1, .phase = PHASE_READY};
    size_t n = build(bytes, MESSAGE_PHASE, NONCE, &ready, sizeof ready, 0);
    const struct hello_body hello = {.entries = 5};
    n += build(bytes + n, MESSAGE_HELLO, NONCE, &hello, sizeof hello, 0);
    struct message_parser p;
    struct message m;
    parser_init(&p, NONCE);
    ck_assert(parser_feed(&p, bytes, n));
    ck_assert_int_eq(parser_next(&p, &m), PARSE_MESSAGE);
    ck_assert_int_eq(m.type, MESSAGE_PHASE);
    ck_assert(parser_pending(&p));
    ck_assert_int_eq(parser_next(&p, &m), PARSE_MESSAGE);
    ck_assert_int_eq(m.type, MESSAGE_HELLO);
    ck_assert_uint_eq(m.body.hello.entries, 5);
    parser_free(&p);
}

/* Feeds one message and expects it to be refused. */
static void refused(const unsigned char *bytes, size_t n, size_t limit, const char *reason) {
    struct message_parser p;
    struct message m;
    parser_init(&p, NONCE);
    p.payload_limit = limit;
    (void)parser_feed(&p, bytes, n);
    ck_assert_int_eq(parser_next(&p, &m), PARSE_BAD);
    ck_assert_str_eq(p.reason, reason);
    ck_assert(!parser_feed(&p, bytes, n)); /* and stays so */
    ck_assert_int_eq(parser_next(&p, &m), PARSE_BAD);
    parser_free(&p);
}

TEST(what_is_no_message_is_refused) {
    unsigned char bytes[2048];
    size_t n = build_result(bytes, 600);
    refused(bytes, n, 599, "a message of the wrong length");
    bytes[0] ^= 1;
    refused(bytes, n, 600, "bytes that are not a message");
    const struct hello_body hello = {.entries = 1u << ENTRY_COUNT};
    n = build(bytes, MESSAGE_HELLO, NONCE, &hello, sizeof hello, 0);
    refused(bytes, n, 0, "a greeting that names unknown functions");
    n = build(bytes, MESSAGE_HELLO, NONCE + 1, &hello, sizeof hello, 0);
    refused(bytes, n, 0, "a message without this run's mark");
    n = build(bytes, MESSAGE_CALL, NONCE, &hello, sizeof hello, 0);
    refused(bytes, n, 0, "a message of unknown type");
    const struct phase_body phase = {.phase = 77};
    n = build(bytes, MESSAGE_PHASE, NONCE, &phase, sizeof phase, 0);
    refused(bytes, n, 0, "an unknown phase");
    struct fault_body fault = {.matrix = MATRIX_COUNT};
    n = build(bytes, MESSAGE_FAULT, NONCE, &fault, sizeof fault, 0);
    refused(bytes, n, 0, "a fault in an unknown matrix");
    fault = (struct fault_body){.how = FAULT_COUNT};
    n = build(bytes, MESSAGE_FAULT, NONCE, &fault, sizeof fault, 0);
    refused(bytes, n, 0, "a fault of an unknown sort");
    struct result_body result = {.stage = STAGE_COUNT};
    n = build(bytes, MESSAGE_RESULT, NONCE, &result, sizeof result, 0);
    refused(bytes, n, 0, "a result out of range");
    result = (struct result_body){.has_data = 1};
    n = build(bytes, MESSAGE_RESULT, NONCE, &result, sizeof result, 0);
    refused(bytes, n, 0, "a result of the wrong length");
}

/* A journal has a limit of its own, which is 0 unless one was asked for. */
TEST(journals_and_witnesses) {
    unsigned char bytes[2048];
    struct message_parser p;
    struct message m;
    const struct journal_body journal = {.id = 3};
    size_t n = build(bytes, MESSAGE_JOURNAL, NONCE, &journal, sizeof journal, 600);
    refused(bytes, n, 600, "a message of the wrong length");
    parser_init(&p, NONCE);
    p.journal_limit = 600;
    ck_assert(parser_feed(&p, bytes, n));
    ck_assert_int_eq(parser_next(&p, &m), PARSE_MESSAGE);
    ck_assert_int_eq(m.type, MESSAGE_JOURNAL);
    ck_assert_uint_eq(m.body.journal.id, 3);
    ck_assert_uint_eq(m.payload_bytes, 600);
    parser_free(&p);
    const struct witness_body witness = {.status = WITNESS_STATUSES};
    n = build(bytes, MESSAGE_WITNESS, NONCE, &witness, sizeof witness, 0);
    refused(bytes, n, 0, "a witness out of range");
    n = build(bytes, MESSAGE_REPEAT, NONCE, &journal, sizeof journal, 0);
    refused(bytes, n, 0, "a message of unknown type");
}

/* Takes one message out of a stream of its own. */
static enum parse_state parse_one(enum message_type type, const void *body, size_t body_bytes,
                                  struct message *m) {
    unsigned char bytes[8192];
    struct message_parser p;
    parser_init(&p, NONCE);
    const size_t n = build(bytes, type, NONCE, body, body_bytes, 0);
    ck_assert(parser_feed(&p, bytes, n));
    const enum parse_state state = parser_next(&p, m);
    parser_free(&p);
    return state;
}

static const struct vgpu_fact largest = {.says = VGPU_SAYS_COUNT - 1,
                                         .space = VGPU_SPACE_COUNT - 1,
                                         .access = VGPU_ACCESS_COUNT - 1,
                                         .place = VGPU_AT_COUNT - 1,
                                         .memory = VGPU_MEMORY_COUNT - 1,
                                         .host = VGPU_HOST_COUNT - 1,
                                         .end = VGPU_END_COUNT - 1,
                                         .direction = VGPU_DIRECTION_COUNT - 1,
                                         .freed = 1,
                                         .has_thread = 1,
                                         .line = INT32_MAX};

/* Each field that rules look at is one that the virtual GPU can fill in so. */
TEST(facts_are_in_range) {
    struct fact_body fact = {.id = 4, .fact = largest};
    struct finding_body finding = {
        .kind = VGPU_FOUND_COUNT - 1, .hazard = VGPU_HAZARD_COUNT - 1, .error = 1, .fact = largest};
    struct message m;
    ck_assert_int_eq(parse_one(MESSAGE_FACT, &fact, sizeof fact, &m), PARSE_MESSAGE);
    ck_assert_uint_eq(m.body.fact.fact.says, VGPU_SAYS_COUNT - 1);
    ck_assert_int_eq(parse_one(MESSAGE_FINDING, &finding, sizeof finding, &m), PARSE_MESSAGE);
    ck_assert_int_eq(parse_one(MESSAGE_FACT, &fact, sizeof fact - 1, &m), PARSE_BAD);
    uint32_t *const fields[] = {&fact.fact.says,      &fact.fact.space,     &fact.fact.access,
                                &fact.fact.place,     &fact.fact.memory,    &fact.fact.host,
                                &fact.fact.end,       &fact.fact.direction, &fact.fact.freed,
                                &fact.fact.has_thread};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        ++*fields[i];
        ck_assert_int_eq(parse_one(MESSAGE_FACT, &fact, sizeof fact, &m), PARSE_BAD);
        finding.fact = fact.fact;
        ck_assert_int_eq(parse_one(MESSAGE_FINDING, &finding, sizeof finding, &m), PARSE_BAD);
        --*fields[i];
    }
    fact.fact.line = -1;
    ck_assert_int_eq(parse_one(MESSAGE_FACT, &fact, sizeof fact, &m), PARSE_BAD);
    fact.fact.line = 0;
    fact.fact.says = VGPU_SAYS_NOTHING;
    ck_assert_int_eq(parse_one(MESSAGE_FACT, &fact, sizeof fact, &m), PARSE_BAD);
    finding.fact = largest;
    finding.kind = VGPU_FOUND_COUNT;
    ck_assert_int_eq(parse_one(MESSAGE_FINDING, &finding, sizeof finding, &m), PARSE_BAD);
    finding.kind = 0;
    finding.hazard = VGPU_HAZARD_COUNT;
    ck_assert_int_eq(parse_one(MESSAGE_FINDING, &finding, sizeof finding, &m), PARSE_BAD);
}

TEST(a_forged_length_allocates_nothing) {
    struct message_header h;
    message_header_init(&h, MESSAGE_RESULT, NONCE, UINT64_MAX);
    refused((unsigned char *)&h, sizeof h, 1 << 20, "a message of the wrong length");
    unsigned char *flood = calloc(1, 1 << 20);
    struct message_parser p;
    parser_init(&p, NONCE);
    ck_assert(!parser_feed(&p, flood, 1 << 20));
    parser_free(&p);
    free(flood);
}

/* Random, truncated and damaged streams: the parser must take each without harm (the sanitizers
 * watch) and never hand out what breaks its promises. */
TEST(damaged_streams_do_no_harm) {
    struct generator g = generator_start(42, 0);
    static unsigned char bytes[16384];
    const struct fact_body fact = {.fact = largest};
    for (int round = 0; round < 20000; round++) {
        size_t n = 0;
        while (n < 2500) {
            const struct phase_body phase = {.id = 1, .phase = PHASE_READY};
            switch (generator_next(&g) % 5) {
            case 0: n += build(bytes + n, MESSAGE_FACT, NONCE, &fact, sizeof fact, 0); break;
            case 1:
            case 2: n += build_result(bytes + n, generator_next(&g) % 700); break;
            default: n += build(bytes + n, MESSAGE_PHASE, NONCE, &phase, sizeof phase, 0);
            }
        }
        for (uint64_t damage = generator_next(&g) % 4; damage > 0; damage--)
            bytes[generator_next(&g) % n] = (unsigned char)generator_next(&g);
        n = generator_next(&g) % (n + 1);
        struct message_parser p;
        struct message m;
        parser_init(&p, NONCE);
        p.payload_limit = 700;
        for (size_t at = 0; at < n;) {
            const size_t piece = 1 + generator_next(&g) % 900, left = n - at;
            if (!parser_feed(&p, bytes + at, piece < left ? piece : left))
                break;
            at += piece;
            enum parse_state state;
            while ((state = parser_next(&p, &m)) == PARSE_MESSAGE) {
                ck_assert_uint_le(m.payload_bytes, 700);
                ck_assert(m.type == MESSAGE_RESULT || m.payload_bytes == 0);
                ck_assert(m.payload_bytes == 0 || m.payload[m.payload_bytes - 1] <= 255);
            }
            if (state == PARSE_BAD)
                break;
        }
        parser_free(&p);
    }
}

int main(void) {
    return run_tests((struct suite){.name = "grading/protocol"});
}
