/*
 * witness.c: main of the program that does again what a worker's journal tells of, for the grader.
 *
 *   witness CHANNEL PROGRAM      started by the grader, inside the same walls as the worker
 *
 * It speaks the worker's protocol (grading/src/lab/protocol.h) with MESSAGE_REPEAT in place of
 * MESSAGE_CALL. The kernels are those in PROGRAM's file, A and B are the grader's, the virtual GPU
 * is this process's own: the worker's process has no part in it but the journal. Refuses to judge:
 * whether C is right is the grader's to say.
 */
#include "grading/witness/repeat.h"
#include "grading/worker/tally.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program's file is no larger; one with the virtual GPU in it has 2 MB. */
#define MOST_PROGRAM ((off_t)256 << 20)

/* What one call may cost (repeat.h). A worker may have 2 GB, and has ten seconds. */
#define MOST_INSTRUCTIONS ((uint64_t)1 << 30)
#define MOST_MOVED        ((uint64_t)16 << 30)
#define MOST_ALIVE        ((uint64_t)2 << 30)
#define MOST_MADDS        ((uint64_t)1 << 32)

struct witness {
    int channel;
    uint64_t nonce;
    int found; /* findings told so far */
    struct repeat repeat;
};

static void receive(const struct witness *w, void *into, uint64_t n) {
    unsigned char *at = into;
    while (n > 0) {
        const ssize_t got = read(w->channel, at, n < SSIZE_MAX ? (size_t)n : SSIZE_MAX);
        if (got == 0)
            _exit(0); /* the grader is done with us */
        if (got < 0 && errno != EINTR)
            _exit(PROTOCOL_CHANNEL_EXIT);
        at += got > 0 ? got : 0;
        n -= got > 0 ? (uint64_t)got : 0;
    }
}

static void send_bytes(const struct witness *w, const void *from, uint64_t n) {
    const unsigned char *at = from;
    while (n > 0) {
        const ssize_t put = write(w->channel, at, (size_t)n);
        if (put < 0 && errno != EINTR)
            _exit(PROTOCOL_CHANNEL_EXIT);
        at += put > 0 ? put : 0;
        n -= put > 0 ? (uint64_t)put : 0;
    }
}

static void send_message(const struct witness *w, enum message_type type, const void *body,
                         size_t bytes, uint64_t payload) {
    struct message_header h;
    message_header_init(&h, type, w->nonce, bytes + payload);
    send_bytes(w, &h, sizeof h);
    send_bytes(w, body, bytes);
}

/* ---- The program's file ---- */

/* Maps the file. False when it cannot be read. */
static bool map_file(const char *path, const unsigned char **bytes, size_t *n) {
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
              st.st_size <= MOST_PROGRAM;
    void *at = ok ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (at == MAP_FAILED)
        return false;
    *bytes = at;
    *n = (size_t)st.st_size;
    return true;
}

/* ---- One call ---- */

/* Everything that comes with a REPEAT; owned. */
struct request {
    struct repeat_body body;
    unsigned char *matrix[MATRIX_COUNT];
    unsigned char *early, *journal, *given;
};

static unsigned char *receive_new(const struct witness *w, uint64_t bytes) {
    unsigned char *at = malloc((size_t)bytes + 1);
    if (!at)
        _exit(PROTOCOL_CHANNEL_EXIT);
    receive(w, at, bytes);
    return at;
}

static void receive_request(const struct witness *w, struct request *q) {
    struct message_header h;
    receive(w, &h, sizeof h);
    if (h.magic != PROTOCOL_MAGIC || h.type != MESSAGE_REPEAT || h.nonce != w->nonce ||
        h.length < sizeof q->body)
        _exit(PROTOCOL_CHANNEL_EXIT);
    receive(w, &q->body, sizeof q->body);
    for (int i = 0; i < MATRIX_COUNT; i++)
        q->matrix[i] = receive_new(w, q->body.call.region[i].bytes);
    q->early = receive_new(w, q->body.early_bytes);
    q->journal = receive_new(w, q->body.journal_bytes);
    q->given = receive_new(w, q->body.given_bytes);
}

static void request_free(struct request *q) {
    for (int i = 0; i < MATRIX_COUNT; i++)
        free(q->matrix[i]);
    free(q->early);
    free(q->journal);
    free(q->given);
}

static void tell_findings(struct witness *w, uint32_t id) {
    struct vgpu_finding f;
    for (int told = 0; told < PROTOCOL_MAX_FINDINGS && vgpu_get_finding(w->found, &f); told++) {
        w->found++;
        const struct finding_body body = worker_tally_finding(id, &f);
        send_message(w, MESSAGE_FINDING, &body, sizeof body, 0);
    }
}

static void tell_work(const struct witness *w, uint32_t id, uint64_t own) {
    const struct vgpu_stats none = {0};
    struct work_body body = {.id = id};
    struct vgpu_stats now;
    struct vgpu_counters counters;
    uint64_t launches;
    vgpu_get_stats(&now);
    worker_tally_stats(&body.work, &now, &none); /* they began with the call */
    if (vgpu_total_counters(&counters, &launches))
        worker_tally_counters(&body.work, &counters);
    body.work.of[WORK_HOST_ELEMENTS] = own;
    send_message(w, MESSAGE_WORK, &body, sizeof body, 0);
}

/* Did all that C got on the host come from the device? What came by copies straight into C did;
 * what the host put in its place is looked for among all that left the device. *own: words of C
 * that never left it, or that the host had sent there itself. */
static bool came_from_device(struct repeat *r, const unsigned char *given, uint64_t bytes,
                             uint64_t *own) {
    const unsigned char *here = repeat_matrix_now(r, MATRIX_C);
    bool all = true;
    *own = 0;
    if (!here || bytes != r->matrix[MATRIX_C].bytes || r->left.overflow || r->sent.overflow)
        return false;
    for (uint64_t at = 0; at + sizeof(uint32_t) <= bytes; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, given + at, sizeof word);
        const bool came = memcmp(here + at, &word, sizeof word) == 0 || left_has(&r->left, word);
        all = all && came;
        *own += !came || left_has(&r->sent, word);
    }
    return all;
}

static enum witness_status status_of(struct witness *w, const struct request *q,
                                     enum repeat_end end, uint64_t *own) {
    struct repeat *r = &w->repeat;
    if (end != REPEAT_DONE)
        return end == REPEAT_CANNOT ? WITNESS_CANNOT : WITNESS_DISAGREES;
    if (q->body.call.entry != ENTRY_DEVICE &&
        !came_from_device(r, q->given, q->body.given_bytes, own)) {
        snprintf(r->why, sizeof r->why, "the product was finished on the host");
        return WITNESS_CANNOT;
    }
    return WITNESS_REPEATED;
}

/* Sends what became of it, with the three matrices as they are here. */
static void answer(struct witness *w, const struct request *q, enum repeat_end end) {
    struct repeat *r = &w->repeat;
    const uint32_t id = q->body.call.id;
    const bool host = q->body.call.entry != ENTRY_DEVICE;
    uint64_t own = 0; /* elements of C that are the host's */
    struct witness_body told = {.id = id, .status = status_of(w, q, end, &own)};
    const unsigned char *now[MATRIX_COUNT];
    bool whole = told.status == WITNESS_REPEATED;
    for (int i = 0; i < MATRIX_COUNT; i++) {
        now[i] = host && i == MATRIX_C ? q->given : repeat_matrix_now(r, i);
        whole = whole && now[i];
    }
    if (told.status == WITNESS_REPEATED && !whole) {
        told.status = WITNESS_DISAGREES;
        snprintf(r->why, sizeof r->why, "a matrix of the call is freed in it");
    }
    memcpy(told.why, r->why, sizeof told.why);
    tell_findings(w, id);
    tell_work(w, id, own);
    send_message(w, MESSAGE_WITNESS, &told, sizeof told, 0);
    const struct result_body result = {
        .id = id, .stage = whole ? STAGE_OK : STAGE_SETUP, .has_data = whole};
    send_message(w, MESSAGE_RESULT, &result, sizeof result,
                 whole ? regions_bytes(q->body.call.region) : 0);
    for (int i = 0; i < MATRIX_COUNT && whole; i++)
        send_bytes(w, now[i], q->body.call.region[i].bytes);
}

/* Reads one request and does it. */
static void serve(struct witness *w) {
    struct request q;
    struct repeat *r = &w->repeat;
    receive_request(w, &q);
    for (int i = 0; i < MATRIX_COUNT; i++)
        r->matrix[i] = (struct repeat_matrix){q.matrix[i], q.body.call.region[i].bytes};
    r->limits = (struct repeat_limits){.instructions = MOST_INSTRUCTIONS,
                                       .moved = MOST_MOVED,
                                       .alive = MOST_ALIVE,
                                       .madds = MOST_MADDS};
    enum repeat_end end = REPEAT_DONE;
    if (q.body.early_bytes > 0)
        end = repeat_early(r, q.early, (size_t)q.body.early_bytes);
    if (q.body.instructions < r->limits.instructions)
        r->limits.instructions = q.body.instructions;
    if (end == REPEAT_DONE)
        end = repeat_call(r, q.journal, (size_t)q.body.journal_bytes);
    answer(w, &q, end);
    request_free(&q);
}

int main(int argc, char **argv) {
    static struct witness w;
    static struct program_texts texts;
    const unsigned char *program = NULL;
    size_t n = 0;
    const long channel = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    if (channel < 3 || channel > INT_MAX) {
        fputs("witness: started by the grader, not by hand (use ./grader)\n", stderr);
        return PROTOCOL_CHANNEL_EXIT;
    }
    w.channel = (int)channel;
    /* What kernels print, and what the virtual GPU says of them, the worker has shown already. */
    setenv("VGPU_QUIET", "1", 1);
    setenv("VGPU_LATE", "0", 1); /* what was hidden, the journal tells */
    unsetenv("VGPU_JOURNAL");
    if (!freopen("/dev/null", "w", stdout))
        fclose(stdout);
    struct message_header h;
    receive(&w, &h, sizeof h);
    if (h.magic != PROTOCOL_MAGIC || h.version != PROTOCOL_VERSION || h.type != MESSAGE_WELCOME)
        return PROTOCOL_CHANNEL_EXIT;
    w.nonce = h.nonce;
    if (map_file(argv[2], &program, &n))
        program_texts_find(&texts, program, n);
    repeat_begin(&w.repeat, &texts);
    const struct hello_body hello = {0};
    send_message(&w, MESSAGE_HELLO, &hello, sizeof hello, 0);
    for (;;)
        serve(&w);
}
