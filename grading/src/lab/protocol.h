/*
 * protocol.h: what the grader and its worker, or its witness, say to each other over one socket.
 *
 * The worker (grading/worker) is linked with the submission and runs its functions; the grader
 * judges. So the worker is trusted with nothing: it gets inputs and returns raw bytes. It never
 * sees an expected value, a tolerance or a score, and whatever the submission does to the socket
 * can at worst cost the submission its own case.
 *
 *       grader                                   worker
 *         | -- WELCOME  nonce ------------------> |   the nonce marks every later message
 *         | <- HELLO    which functions exist --- |
 *         | -- CALL     sizes, A, B, C ---------> |   C comes filled with poison
 *         | <- PHASE    buffers ready ----------- |   from here on it is the submission's code
 *         | <- FACT     what the device says ---- |   virtual GPU only; at once; none, or many
 *         | <- PHASE    function returned ------- |
 *         | <- FINDING  what a checker found ---- |   virtual GPU only; none, or several
 *         | <- WORK     what was counted -------- |   virtual GPU only
 *         | <- JOURNAL  what happened there ----- |   virtual GPU only, where the grader asked
 *         | <- RESULT   CUDA status, A, B, C ---- |   raw bytes, guard bands included
 *         |             ... more CALLs ...        |
 *         | <- FAULT    element touched, freed -- |   the process then ends
 *
 * The witness (grading/witness) does again what the journal of a call says, without the submission:
 *
 *       grader                                   witness
 *         | -- WELCOME  nonce ------------------> |
 *         | <- HELLO    nothing of its own ------ |
 *         | -- REPEAT   the call, journals, C --> |   C as it came back, where it lies on the host
 *         | <- FINDING  what a checker found ---- |   none, or several
 *         | <- WORK     what was counted -------- |
 *         | <- WITNESS  could it be repeated? --- |   and if not, why
 *         | <- RESULT   A, B, C ----------------- |   bytes only where it could
 *         |             ... more REPEATs ...      |
 *
 * Every message is a header, a fixed body that depends on the type, and bytes: those of the three
 * regions (CALL, RESULT), the journal's (JOURNAL), or all of these (REPEAT). Both ends run on one
 * machine, so numbers are in host order.
 *
 *   one region, as sent, as allocated and as returned:
 *
 *     0        offset              offset + data                bytes
 *     +--------+-------------------+----------------------------+
 *     | guard  |  matrix elements  |  guard                     |
 *     +--------+-------------------+----------------------------+
 *
 * The parser below takes bytes as they arrive, in pieces of any size, and refuses everything that
 * is not exactly such a message: it is what stands between a hostile file and the grader.
 */
#pragma once

#include "grading/src/lab/work.h"
#include "vgpu/include/vgpu_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTOCOL_MAGIC   0x4d4c4742u
#define PROTOCOL_VERSION 6u

/* No region is larger than this: three of them, a header and a body bound every message. */
#define PROTOCOL_MAX_REGION ((uint64_t)1 << 28)

enum message_type {
    MESSAGE_WELCOME = 1,
    MESSAGE_HELLO,
    MESSAGE_CALL,
    MESSAGE_PHASE,
    MESSAGE_RESULT,
    MESSAGE_FAULT,
    MESSAGE_WORK,
    MESSAGE_FINDING,
    MESSAGE_JOURNAL, /* from a worker that the grader asked for one */
    MESSAGE_REPEAT,  /* to a witness, in place of MESSAGE_CALL */
    MESSAGE_WITNESS, /* from a witness */
    MESSAGE_FACT,
};

enum entry_point { ENTRY_CPU, ENTRY_HOST, ENTRY_DEVICE, ENTRY_COUNT };
enum matrix_name { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_COUNT };

/* How far a call got. */
enum call_phase { PHASE_NONE, PHASE_READY, PHASE_RETURNED };

/* Where a CUDA error surfaced. SETUP is before the submission's code ran. */
enum call_stage { STAGE_OK, STAGE_SETUP, STAGE_LAUNCH, STAGE_SYNC, STAGE_COPY, STAGE_COUNT };

/* What the error macros of common/cuda_check.h end the program with. */
#define PROTOCOL_CHECK_EXIT 70

/* What the worker ends with when its channel breaks. */
#define PROTOCOL_CHANNEL_EXIT 120

/* CALL flags. */
#define CALL_KEEP_BUFFERS 1u  /* same pointers as the call before it, new contents */
#define CALL_TIMED        4u  /* call it again and again, and tell how long a call takes */
#define CALL_AT_ONCE      2u  /* what asynchronous work writes is seen at once (vgpu_wait_always) */
#define CALL_AT_START     32u /* host matrices begin behind an inaccessible page */
#define CALL_PLAIN        16u /* nothing is counted */
#define CALL_QUIET        8u  /* the virtual GPU prints nothing: what is printed is the program's */

struct message_header {
    uint32_t magic;
    uint16_t version;
    uint16_t type;
    uint64_t nonce;
    uint64_t length; /* bytes after this header */
};

struct hello_body {
    uint32_t entries; /* bit e is set when the function of enum entry_point e is linked in */
    uint32_t reserved;
};

struct region {
    uint64_t bytes;  /* whole region, guard bands included */
    uint64_t offset; /* where the matrix starts */
};

struct call_body {
    uint32_t id;
    uint32_t entry;
    int32_t m, n, k;
    uint32_t flags;
    uint32_t fail_call; /* with fail_nth > 0: that call of enum vgpu_call is made to fail */
    uint32_t fail_nth;
    int64_t clock_behind; /* seconds that the time of day is set back by, during the call */
    struct region region[MATRIX_COUNT];
};

struct phase_body {
    uint32_t id;
    uint32_t phase;
};

struct result_body {
    uint32_t id;
    uint32_t stage;       /* enum call_stage */
    int32_t code;         /* cudaError_t; 0 when stage is STAGE_OK */
    uint32_t has_data;    /* 1: the three regions follow */
    uint64_t nanoseconds; /* a call takes, with CALL_TIMED, else 0; shown, never judged */
    char name[48];        /* cudaGetErrorName, may lack its final NUL */
    char text[160];       /* cudaGetErrorString, likewise */
};

/* What was done to a matrix that must not be; HEAP: beyond a block of the program's own, of `room`
 * bytes, HEAP_FREED: to one that it gave back; ELSEWHERE: the process stops at any other address,
 * or at a division by zero, and `code` alone counts. */
enum fault_how {
    FAULT_TOUCHED,
    FAULT_FREED,
    FAULT_HEAP,
    FAULT_HEAP_FREED,
    FAULT_ELSEWHERE,
    FAULT_COUNT
};

struct fault_body {
    uint32_t id;
    uint32_t matrix; /* enum matrix_name */
    int64_t byte;    /* the address, relative to the first byte of the matrix, or the block */
    uint32_t how;    /* enum fault_how */
    uint32_t code;   /* the instruction: its address in the worker's file; 0: unknown */
    uint64_t room;
    uint32_t asker; /* who asked for the block, likewise */
    uint32_t reserved;
};

struct work_body {
    uint32_t id;
    uint32_t reserved;
    struct work work;
};

/* A worker tells so many findings at most. */
#define PROTOCOL_MAX_FINDINGS 32

/* A mistake that a checker of the virtual GPU saw. Texts may lack their final NUL. */
struct finding_body {
    uint32_t id;
    uint32_t error;   /* 1: an error, 0: a warning */
    uint32_t kind;    /* enum vgpu_found */
    uint32_t hazard;  /* enum vgpu_hazard, of races */
    char kernel[160]; /* empty: in the host's part */
    char object[160]; /* the array or allocation */
    struct {
        char file[256];
        int32_t line;
    } site[2];
    uint64_t count;
    struct vgpu_fact fact; /* which message it is, and which memory */
    char message[1024];
};

/* A call tells so many facts at most, and of one sort so many. */
#define PROTOCOL_MAX_FACTS       64
#define PROTOCOL_FACTS_OF_A_SORT 4

/* What the virtual GPU has just said, while a call was made; its words are for people. Texts may
 * lack their final NUL. */
struct fact_body {
    uint32_t id;
    uint32_t reserved;
    struct vgpu_fact fact;
    char words[1024];
};

/* What happened to device memory, for a witness: before the greeting (id 0) and after each call.
 * The journal follows (vgpu/src/runtime/journal_format.h). */
struct journal_body {
    uint32_t id;
    uint32_t reserved;
};

/* No journal is longer; VJ_MOST of journal_format.h. */
#define PROTOCOL_MAX_JOURNAL ((uint64_t)128 << 20)

/* A call to be repeated. The three regions follow, then the journal of what happened before the
 * first call (only with the first one), that of the call, and C as it came back (only where it lies
 * on the host). */
struct repeat_body {
    struct call_body call;
    uint64_t early_bytes, journal_bytes, given_bytes;
    uint64_t instructions; /* of warps: no more can have run */
};

enum witness_status {
    WITNESS_REPEATED,  /* its counts and its C are in WORK and RESULT */
    WITNESS_DISAGREES, /* no honest process writes such a journal */
    WITNESS_CANNOT,    /* it cannot be repeated here */
    WITNESS_STATUSES
};

struct witness_body {
    uint32_t id;
    uint32_t status; /* enum witness_status */
    char why[256];   /* may lack its final NUL */
};

union message_body {
    struct hello_body hello;
    struct call_body call;
    struct phase_body phase;
    struct result_body result;
    struct fault_body fault;
    struct work_body work;
    struct finding_body finding;
    struct fact_body fact;
    struct journal_body journal;
    struct witness_body witness;
};

/* One received message. payload points into the parser and is valid until its next call. */
struct message {
    enum message_type type;
    union message_body body;
    const unsigned char *payload;
    size_t payload_bytes;
};

enum parse_state { PARSE_MORE, PARSE_MESSAGE, PARSE_BAD };

/* Receives what the worker sends. `payload_limit` bounds the regions of a RESULT: set it from the
 * CALL it answers, so that a forged length never makes the grader allocate. */
struct message_parser {
    uint64_t nonce;
    size_t payload_limit;
    size_t journal_limit; /* the same for a JOURNAL; 0: none is expected */
    unsigned char *buffer;
    size_t have, room;
    size_t taken; /* bytes of the message handed out last, dropped by the next call */
    bool bad;
    char reason[96]; /* why, once parse_next has answered PARSE_BAD */
};

void parser_init(struct message_parser *p, uint64_t nonce);
void parser_free(struct message_parser *p);

/* Adds received bytes. False when out of memory or when more is buffered than one message can hold;
 * parse_next then answers PARSE_BAD. */
bool parser_feed(struct message_parser *p, const void *bytes, size_t n);

/* Takes the next message out. A parser that has once answered PARSE_BAD stays bad. */
enum parse_state parser_next(struct message_parser *p, struct message *out);

/* True when bytes are waiting that belong to no message taken yet. */
bool parser_pending(const struct message_parser *p);

/* These two are inline so that the worker needs nothing else of the grader's: whatever is linked
 * with a submission can collide with its names. */

static inline void message_header_init(struct message_header *h, enum message_type type,
                                       uint64_t nonce, uint64_t length) {
    *h = (struct message_header){.magic = PROTOCOL_MAGIC,
                                 .version = PROTOCOL_VERSION,
                                 .type = (uint16_t)type,
                                 .nonce = nonce,
                                 .length = length};
}

/* Bytes of a CALL's or RESULT's three regions together. */
static inline uint64_t regions_bytes(const struct region region[MATRIX_COUNT]) {
    return region[MATRIX_A].bytes + region[MATRIX_B].bytes + region[MATRIX_C].bytes;
}

/* "matmul_cpu", "matmul_host" or "matmul_device"; "A", "B" or "C". */
const char *entry_name(enum entry_point entry);
const char *matrix_letter(enum matrix_name matrix);
