/*
 * protocol.c: the incremental parser of worker messages (see protocol.h for the format).
 *
 * It refuses: a wrong magic, version or nonce; a type that only the grader sends; a length that
 * does not fit its type; a payload beyond the limit the grader set; enumerations out of range.
 */
#include "grading/src/lab/protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *entry_name(enum entry_point entry) {
    static const char *const names[ENTRY_COUNT] = {"matmul_cpu", "matmul_host", "matmul_device"};
    return (unsigned)entry < ENTRY_COUNT ? names[entry] : "?";
}

const char *matrix_letter(enum matrix_name matrix) {
    static const char *const letters[MATRIX_COUNT] = {"A", "B", "C"};
    return (unsigned)matrix < MATRIX_COUNT ? letters[matrix] : "?";
}

void parser_init(struct message_parser *p, uint64_t nonce) {
    *p = (struct message_parser){.nonce = nonce};
}

void parser_free(struct message_parser *p) {
    free(p->buffer);
    *p = (struct message_parser){.bad = true, .reason = "closed"};
}

static enum parse_state refuse(struct message_parser *p, const char *reason) {
    p->bad = true;
    snprintf(p->reason, sizeof p->reason, "%s", reason);
    return PARSE_BAD;
}

/* The body's size for the types a worker may send; 0 for all others. */
static size_t body_bytes(unsigned type) {
    switch (type) {
    case MESSAGE_HELLO: return sizeof(struct hello_body);
    case MESSAGE_PHASE: return sizeof(struct phase_body);
    case MESSAGE_RESULT: return sizeof(struct result_body);
    case MESSAGE_FAULT: return sizeof(struct fault_body);
    case MESSAGE_WORK: return sizeof(struct work_body);
    case MESSAGE_FINDING: return sizeof(struct finding_body);
    case MESSAGE_JOURNAL: return sizeof(struct journal_body);
    case MESSAGE_FACT: return sizeof(struct fact_body);
    case MESSAGE_WITNESS: return sizeof(struct witness_body);
    default: return 0;
    }
}

/* Drops the message that the last parser_next handed out. */
static void drop_taken(struct message_parser *p) {
    if (p->taken == 0)
        return;
    p->have -= p->taken;
    memmove(p->buffer, p->buffer + p->taken, p->have);
    p->taken = 0;
}

bool parser_feed(struct message_parser *p, const void *bytes, size_t n) {
    if (p->bad)
        return false;
    drop_taken(p);
    /* A RESULT, all that may come with it, and room for the small ones. */
    const size_t most = (PROTOCOL_MAX_FINDINGS + PROTOCOL_MAX_FACTS + 4) *
                            (sizeof(struct message_header) + sizeof(union message_body)) +
                        p->payload_limit + p->journal_limit + 4096;
    if (n > most || p->have > most - n) {
        refuse(p, "more bytes than any answer can have");
        return false;
    }
    if (p->have + n > p->room) {
        size_t room = p->room ? p->room : 4096;
        while (room < p->have + n)
            room *= 2;
        unsigned char *grown = realloc(p->buffer, room);
        if (!grown) {
            refuse(p, "no memory for the answer");
            return false;
        }
        p->buffer = grown;
        p->room = room;
    }
    if (n > 0)
        memcpy(p->buffer + p->have, bytes, n);
    p->have += n;
    return true;
}

static enum parse_state check_header(struct message_parser *p, const struct message_header *h,
                                     size_t *body) {
    if (h->magic != PROTOCOL_MAGIC || h->version != PROTOCOL_VERSION)
        return refuse(p, "bytes that are not a message");
    if (h->nonce != p->nonce)
        return refuse(p, "a message without this run's mark");
    *body = body_bytes(h->type);
    if (*body == 0)
        return refuse(p, "a message of unknown type");
    const uint64_t most = *body + (h->type == MESSAGE_RESULT    ? p->payload_limit
                                   : h->type == MESSAGE_JOURNAL ? p->journal_limit
                                                                : 0);
    if (h->length < *body || h->length > most)
        return refuse(p, "a message of the wrong length");
    return PARSE_MESSAGE;
}

static bool fact_in_range(const struct vgpu_fact *f) {
    return f->says > VGPU_SAYS_NOTHING && f->says < VGPU_SAYS_COUNT &&
           f->space < VGPU_SPACE_COUNT && f->access < VGPU_ACCESS_COUNT &&
           f->place < VGPU_AT_COUNT && f->memory < VGPU_MEMORY_COUNT && f->host < VGPU_HOST_COUNT &&
           f->end < VGPU_END_COUNT && f->direction < VGPU_DIRECTION_COUNT && f->freed <= 1 &&
           f->dynamic <= 1 && f->has_thread <= 1 && f->line >= 0;
}

static enum parse_state check_body(struct message_parser *p, const struct message *m) {
    const union message_body *b = &m->body;
    switch (m->type) {
    case MESSAGE_HELLO:
        if (b->hello.entries >> ENTRY_COUNT)
            return refuse(p, "a greeting that names unknown functions");
        break;
    case MESSAGE_PHASE:
        if (b->phase.phase != PHASE_READY && b->phase.phase != PHASE_RETURNED)
            return refuse(p, "an unknown phase");
        break;
    case MESSAGE_FAULT:
        if (b->fault.matrix >= MATRIX_COUNT)
            return refuse(p, "a fault in an unknown matrix");
        if (b->fault.how >= FAULT_COUNT)
            return refuse(p, "a fault of an unknown sort");
        break;
    case MESSAGE_FINDING:
        if (b->finding.error > 1 || b->finding.kind >= VGPU_FOUND_COUNT ||
            b->finding.hazard >= VGPU_HAZARD_COUNT || !fact_in_range(&b->finding.fact))
            return refuse(p, "a finding out of range");
        break;
    case MESSAGE_FACT:
        if (!fact_in_range(&b->fact.fact))
            return refuse(p, "a fact out of range");
        break;
    case MESSAGE_WORK:
    case MESSAGE_JOURNAL: break;
    case MESSAGE_WITNESS:
        if (b->witness.status >= WITNESS_STATUSES)
            return refuse(p, "a witness out of range");
        break;
    case MESSAGE_RESULT:
        if (b->result.stage >= STAGE_COUNT || b->result.has_data > 1)
            return refuse(p, "a result out of range");
        if (b->result.has_data != (m->payload_bytes > 0))
            return refuse(p, "a result of the wrong length");
        break;
    default: return refuse(p, "a message of unknown type");
    }
    return PARSE_MESSAGE;
}

enum parse_state parser_next(struct message_parser *p, struct message *out) {
    if (p->bad)
        return PARSE_BAD;
    drop_taken(p);
    struct message_header h;
    if (p->have < sizeof h)
        return PARSE_MORE;
    memcpy(&h, p->buffer, sizeof h);
    size_t body = 0;
    if (check_header(p, &h, &body) == PARSE_BAD)
        return PARSE_BAD;
    const size_t whole = sizeof h + (size_t)h.length;
    if (p->have < whole)
        return PARSE_MORE;
    *out = (struct message){.type = (enum message_type)h.type};
    memcpy(&out->body, p->buffer + sizeof h, body);
    out->payload_bytes = (size_t)h.length - body;
    out->payload = out->payload_bytes ? p->buffer + sizeof h + body : NULL;
    p->taken = whole;
    return check_body(p, out);
}

bool parser_pending(const struct message_parser *p) {
    return p->bad || p->have > p->taken;
}
