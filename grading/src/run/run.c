/* run.c: talks to a worker process over its channel (see run.h and protocol.h). */
#include "grading/src/run/run.h"

#include "grading/src/base/clock.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/text.h"
#include "grading/src/sandbox/shortage.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RUN_CPU_SECONDS
#define RUN_CPU_SECONDS 600 /* of all threads together: a last resort behind the wall clock */
#endif

/* A worker's process id is one of so many; each takes a fork. */
#define MOST_PASSED_IDS 16

/* What is still to be sent. */
struct outgoing {
    const unsigned char *part[5 + MATRIX_COUNT];
    size_t bytes[5 + MATRIX_COUNT];
    int parts, at;
};

static uint64_t random_number(void) {
    uint64_t x;
    if (getrandom(&x, sizeof x, 0) != (ssize_t)sizeof x)
        x = (uint64_t)clock_now() * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid() << 32;
    return x;
}

static void outgoing_add(struct outgoing *out, const void *bytes, size_t n) {
    if (n == 0)
        return;
    out->part[out->parts] = bytes;
    out->bytes[out->parts++] = n;
}

/* Sends what the socket takes now. False when the other end is gone. */
static bool send_some(int channel, struct outgoing *out) {
    while (out->at < out->parts) {
        const ssize_t n =
            send(channel, out->part[out->at], out->bytes[out->at], MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        out->part[out->at] += n;
        out->bytes[out->at] -= (size_t)n;
        if (out->bytes[out->at] == 0)
            out->at++;
    }
    return true;
}

/* Receives what is there. False at the end of the stream. */
static bool receive_some(struct worker *w) {
    unsigned char bytes[65536];
    for (;;) {
        const ssize_t n = recv(w->child->channel, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n > 0 && !parser_feed(&w->parser, bytes, (size_t)n))
            return true; /* parser_next will say so */
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        if (n < 0 || (size_t)n < sizeof bytes)
            return true;
    }
}

static bool meddled(struct call_reply *reply, const char *reason) {
    reply->end = CALL_MEDDLED;
    snprintf(reply->reason, sizeof reply->reason, "%s", reason);
    return true;
}

/* The machine did not give it the time. */
static bool starved(struct worker *w, struct call_reply *reply, int64_t clock,
                    const struct usage *used) {
    reply->end = CALL_STARVED;
    snprintf(reply->reason, sizeof reply->reason,
             "this machine is too busy: in %lld s it gave the %s %.1f s of processor time",
             (long long)(clock / 1000), w->witness ? "repeated case" : "program",
             (double)(used->user + used->system) / 1000.0);
    return true;
}

/* The process is gone, or has closed the channel: says how it ended. */
static bool gone(struct worker *w, struct call_reply *reply) {
    const struct patience p = patience_of(1000);
    const int64_t start = clock_now();
    /* A crash closes the channel before it can be reaped. */
    if (child_wait(w->child, &p) == PATIENCE_STARVED)
        return starved(w, reply, clock_now() - start, &(struct usage){0});
    if (!w->child->ended)
        return meddled(reply, "it was closed");
    if (WIFSIGNALED(w->child->wait_status) && shortage_kills() != w->kills &&
        WTERMSIG(w->child->wait_status) == SIGKILL && w->child->excess == EXCESS_NONE) {
        reply->end = CALL_STARVED;
        snprintf(reply->reason, sizeof reply->reason,
                 "this machine ran out of memory, and ended the %s",
                 w->witness ? "repeated case" : "program");
    } else if (WIFSIGNALED(w->child->wait_status)) {
        reply->end = CALL_DIED;
        reply->code = WTERMSIG(w->child->wait_status);
        child_excess_text(w->child, reply->reason, sizeof reply->reason);
    } else if (WEXITSTATUS(w->child->wait_status) == PROTOCOL_CHANNEL_EXIT) {
        meddled(reply, "it was closed or read from");
    } else {
        reply->end = CALL_EXITED;
        reply->code = WEXITSTATUS(w->child->wait_status);
    }
    return true;
}

static void take_finding(struct call_reply *reply, const struct finding_body *from) {
    if (!reply->finding)
        reply->finding = xcalloc(PROTOCOL_MAX_FINDINGS, sizeof *reply->finding);
    struct finding_body *f = &reply->finding[reply->findings++];
    *f = *from;
    f->kernel[sizeof f->kernel - 1] = f->object[sizeof f->object - 1] = '\0';
    f->message[sizeof f->message - 1] = '\0';
    for (int i = 0; i < 2; i++)
        f->site[i].file[sizeof f->site[i].file - 1] = '\0';
}

static void take_journal(struct call_reply *reply, const struct message *m) {
    reply->journal = xmalloc(m->payload_bytes + 1);
    reply->journal_bytes = m->payload_bytes;
    if (m->payload_bytes > 0)
        memcpy(reply->journal, m->payload, m->payload_bytes);
}

/* A result comes once, with data only where all went well, and then as much as was sent. */
static bool result_fits(const struct worker *w, const struct message *m,
                        const struct call_data *data, const struct call_reply *reply) {
    const struct result_body *r = &m->body.result;
    if (r->id != w->last_call || reply->bytes ||
        (r->stage > STAGE_SETUP && reply->phase != PHASE_RETURNED))
        return false;
    return r->has_data ? r->stage == STAGE_OK && m->payload_bytes == regions_bytes(data->region)
                       : r->stage != STAGE_OK;
}

static void take_result(struct call_reply *reply, const struct message *m) {
    reply->end = CALL_ANSWERED;
    reply->result = m->body.result;
    reply->result.name[sizeof reply->result.name - 1] = '\0';
    reply->result.text[sizeof reply->result.text - 1] = '\0';
    if (m->payload_bytes > 0) {
        reply->bytes = xmalloc(m->payload_bytes);
        memcpy(reply->bytes, m->payload, m->payload_bytes);
    }
}

/* Takes in one message while a call runs (data != NULL) or while the greeting is due. True when
 * that settles the matter. */
static bool take_message(struct worker *w, const struct message *m, const struct call_data *data,
                         struct call_reply *reply) {
    if (m->type == MESSAGE_JOURNAL) {
        if (w->parser.journal_limit == 0 || reply->journal || m->body.journal.id != w->last_call)
            return meddled(reply, "a message out of turn");
        take_journal(reply, m);
        return false;
    }
    if (!data) {
        if (m->type != MESSAGE_HELLO)
            return meddled(reply, "a message before the greeting");
        w->entries = m->body.hello.entries;
        reply->end = CALL_ANSWERED;
        return true;
    }
    switch (m->type) {
    case MESSAGE_PHASE:
        if (m->body.phase.id != w->last_call || (int)m->body.phase.phase != (int)reply->phase + 1)
            return meddled(reply, "a message out of turn");
        reply->phase = (enum call_phase)m->body.phase.phase;
        return false;
    case MESSAGE_FAULT:
        if (m->body.fault.id != w->last_call || reply->has_fault || reply->code_at)
            return meddled(reply, "a message out of turn");
        reply->has_fault = m->body.fault.how != FAULT_ELSEWHERE;
        reply->code_at = m->body.fault.code;
        reply->fault = m->body.fault;
        return false;
    case MESSAGE_FINDING:
        if (m->body.finding.id != w->last_call || reply->findings == PROTOCOL_MAX_FINDINGS)
            return meddled(reply, "a message out of turn");
        take_finding(reply, &m->body.finding);
        return false;
    case MESSAGE_FACT:
        if (m->body.fact.id != w->last_call || w->told == PROTOCOL_MAX_FACTS)
            return meddled(reply, "a message out of turn");
        w->told++;
        facts_add(&w->facts, &m->body.fact);
        return false;
    case MESSAGE_WORK:
        if (m->body.work.id != w->last_call || reply->counted)
            return meddled(reply, "a message out of turn");
        reply->counted = true;
        reply->work = m->body.work.work;
        return false;
    case MESSAGE_WITNESS:
        if (!w->witness || m->body.witness.id != w->last_call || reply->heard)
            return meddled(reply, "a message out of turn");
        reply->heard = true;
        reply->witness = m->body.witness;
        reply->witness.why[sizeof reply->witness.why - 1] = '\0';
        return false;
    case MESSAGE_RESULT:
        if (!result_fits(w, m, data, reply))
            return meddled(reply, "a message out of turn");
        take_result(reply, m);
        return true;
    default: return meddled(reply, "a message out of turn");
    }
}

/* Takes all complete messages. True when the call is settled. */
static bool take_messages(struct worker *w, const struct call_data *data,
                          struct call_reply *reply) {
    struct message m;
    for (;;) {
        switch (parser_next(&w->parser, &m)) {
        case PARSE_MORE: return false;
        case PARSE_BAD: return meddled(reply, w->parser.reason);
        case PARSE_MESSAGE: break;
        }
        if (take_message(w, &m, data, reply))
            break;
    }
    if (reply->end == CALL_ANSWERED && parser_pending(&w->parser))
        return meddled(reply, "bytes after the answer");
    return true;
}

/* Is its time up? Asked only when all that it sent has been read: a grader that was kept waiting
 * itself must not overlook an answer. */
static bool time_is_up(struct worker *w, int limit, int64_t start, const struct usage *before,
                       struct call_reply *reply) {
    const struct patience p = patience_of(limit);
    const struct usage used = usage_since(&w->child->used, before);
    const int64_t clock = clock_now() - start;
    const enum patience_end end = patience_end(&p, &used, clock);
    if (end == PATIENCE_LASTS)
        return false;
    if (end == PATIENCE_STARVED)
        return starved(w, reply, clock, &used);
    reply->end = CALL_TIMED_OUT;
    reply->limit = limit;
    reply->waited = end == PATIENCE_WAITED;
    return true;
}

/* Sends `out` and waits for what settles it. */
static void converse(struct worker *w, struct outgoing *out, const struct call_data *data,
                     int limit, struct call_reply *reply) {
    const int64_t start = clock_now();
    const struct usage before = w->child->used;
    for (;;) {
        if (interrupt_noted()) {
            reply->end = CALL_INTERRUPTED;
            return;
        }
        if (child_floods(w->child)) {
            reply->end = CALL_FLOODED;
            return;
        }
        const short events = (short)(POLLIN | (out->at < out->parts ? POLLOUT : 0));
        const short happened = child_step(w->child, events, PATIENCE_LOOK);
        bool open = true;
        if (happened & POLLOUT)
            send_some(w->child->channel, out);
        /* Also when the child has ended: its last messages may still lie in the socket. */
        if ((happened & (POLLIN | POLLHUP | POLLERR)) || w->child->ended)
            open = receive_some(w);
        if (take_messages(w, data, reply))
            return;
        if ((!open || w->child->ended) && gone(w, reply))
            return;
        if (time_is_up(w, limit, start, &before, reply))
            return;
    }
}

/* The caller's environment, but for the folder that the worker may write to. Only the array is new,
 * and the two strings in `own`. The virtual GPU's settings are sealed (vgpu/src/memory/settings.h);
 * what tells one run from another has the same length in all of them. */
static const char **own_environment(const struct worker_setup *setup, const char *folder,
                                    char *own[2]) {
    /* What a terminal has, and a grader has not. */
    static const char *const terminal[] = {"USER=student", "LOGNAME=student", "SHELL=/bin/bash",
                                           "TERM=xterm-256color", "LANG=en_US.UTF-8"};
    const size_t more = setup->elsewhere ? sizeof terminal / sizeof *terminal : 0;
    char *const *of = setup->environment;
    size_t n = 0, used = 0;
    while (of && of[n])
        n++;
    const char **e = xcalloc(n + 9 + more, sizeof *e);
    for (size_t i = 0; i < n; i++)
        if (strncmp(of[i], "HOME=", 5) != 0 && strncmp(of[i], "TMPDIR=", 7) != 0 &&
            !(setup->elsewhere && strncmp(of[i], "LC_ALL=", 7) == 0))
            e[used++] = of[i];
    e[used++] = own[0] = xasprintf("HOME=%s", folder);
    e[used++] = own[1] = xasprintf("TMPDIR=%s", folder);
    if (setup->backend == BACKEND_VGPU) {
        e[used++] = "VGPU_SEALED=1";
        e[used++] = setup->journal ? "VGPU_JOURNAL=1" : "VGPU_JOURNAL=0";
        e[used++] = setup->idle ? "VGPU_IDLE=1" : "VGPU_IDLE=0";
        e[used++] = setup->twofold ? "VGPU_TWOFOLD=1" : "VGPU_TWOFOLD=0";
        e[used++] = setup->backwards ? "VGPU_BACKWARDS=1" : "VGPU_BACKWARDS=0";
        e[used++] = setup->unchecked ? "VGPU_CHECK=none" : "VGPU_CHECK=all,";
    }
    for (size_t i = 0; i < more; i++)
        e[used++] = terminal[i];
    return e;
}

/* Makes the worker's folder: empty, so that nothing passes from one process to the next. */
static bool make_folder(struct worker *w, const struct worker_setup *setup,
                        struct call_reply *reply) {
    for (int i = 0; i < 1000; i++) { /* the same name in every run: it may be printed */
        free(w->folder);
        w->folder =
            i ? xasprintf("%s/run%d", setup->folder, i) : xasprintf("%s/run", setup->folder);
        if (mkdir(w->folder, 0700) == 0) {
            sandbox_give(setup->sandbox, w->folder);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    reply->end = CALL_NO_START;
    snprintf(reply->reason, sizeof reply->reason, "cannot make a folder in %.64s: %s",
             setup->folder, strerror(errno));
    free(w->folder);
    w->folder = NULL;
    return false;
}

bool worker_start(struct worker *w, const struct worker_setup *setup, struct call_reply *reply) {
    *reply = (struct call_reply){0};
    *w = (struct worker){.child = xcalloc(1, sizeof *w->child),
                         .call_limit = (setup->repeats ? RUN_REPEAT_TIMES : 1) * setup->call_limit,
                         .budget = setup->budget,
                         .witness = setup->repeats,
                         .kills = shortage_kills()};
    parser_init(&w->parser, random_number());
    w->parser.journal_limit = setup->journal ? (size_t)PROTOCOL_MAX_JOURNAL : 0;
    if (!make_folder(w, setup, reply))
        return false;
    char number[16], *own[2];
    const int channel = 40 + (int)(random_number() % (CHANNEL_NUMBER_LIMIT - 50));
    snprintf(number, sizeof number, "%d", channel);
    const char *const argv[] = {setup->program, number, setup->repeats, NULL};
    const bool gpu = setup->backend == BACKEND_GPU;
    const char **environment = own_environment(setup, w->folder, own);
    const struct child_options options = {
        .argv = argv,
        .environment = environment,
        .folder = w->folder,
        .channel_number = channel,
        .passed_ids = (int)(random_number() % MOST_PASSED_IDS),
        .sandbox = setup->sandbox,
        .profile = gpu ? SANDBOX_RUN_GPU : SANDBOX_RUN,
        .writable = w->folder,
        .limits = {.cpu_seconds = RUN_CPU_SECONDS,
                   /* A CUDA driver maps as much as the card has. */
                   /* Stacks of threads count, too; a witness is watched by what it uses. */
                   .data_bytes = gpu ? 0 : (uint64_t)(setup->repeats ? 16 : 4) << 30,
                   .file_bytes = (uint64_t)16 << 20,
                   .new_processes = 2048, /* a thread for every row is fair */
                   .total_bytes = gpu ? 0 : (uint64_t)(setup->repeats ? 4 : 2) << 30,
                   .folder_bytes = (uint64_t)32 << 20}};
    bool missing;
    const bool started =
        child_start(w->child, &options, reply->reason, sizeof reply->reason, &missing);
    free(own[0]);
    free(own[1]);
    free(environment);
    if (!started) {
        reply->end = CALL_NO_START;
        return false;
    }
    struct message_header welcome;
    message_header_init(&welcome, MESSAGE_WELCOME, w->parser.nonce, 0);
    struct outgoing out = {0};
    outgoing_add(&out, &welcome, sizeof welcome);
    converse(w, &out, NULL, RUN_START_LIMIT, reply);
    return reply->end == CALL_ANSWERED;
}

static struct call_body next_call(struct worker *w, const struct call_data *data) {
    const struct call_plan *p = &data->plan;
    w->told = 0;
    struct call_body body = {.id = ++w->last_call,
                             .entry = p->entry,
                             .m = p->shape.m,
                             .n = p->shape.n,
                             .k = p->shape.k,
                             .flags = p->flags,
                             .fail_call = p->fail_call,
                             .fail_nth = p->fail_nth,
                             .clock_behind = p->clock_behind};
    memcpy(body.region, data->region, sizeof body.region);
    return body;
}

/* Sends what asks for a call, and waits for the answer. */
static void ask(struct worker *w, struct outgoing *out, const struct call_data *data,
                struct call_reply *reply) {
    w->parser.payload_limit = (size_t)regions_bytes(data->region);
    receive_some(w);
    if (parser_pending(&w->parser)) {
        meddled(reply, "bytes that nobody asked for");
        return;
    }
    converse(w, out, data, w->call_limit, reply);
}

void worker_call(struct worker *w, const struct call_data *data, struct call_reply *reply) {
    *reply = (struct call_reply){0};
    const struct call_body body = next_call(w, data);
    struct message_header header;
    message_header_init(&header, MESSAGE_CALL, w->parser.nonce,
                        sizeof body + regions_bytes(data->region));
    struct outgoing out = {0};
    outgoing_add(&out, &header, sizeof header);
    outgoing_add(&out, &body, sizeof body);
    for (int i = 0; i < MATRIX_COUNT; i++)
        outgoing_add(&out, data->bytes[i], (size_t)data->region[i].bytes);
    ask(w, &out, data, reply);
}

void worker_repeat(struct worker *w, const struct call_data *data, const struct repeat_request *r,
                   struct call_reply *reply) {
    *reply = (struct call_reply){0};
    const struct repeat_body body = {.call = next_call(w, data),
                                     .early_bytes = r->early_bytes,
                                     .journal_bytes = r->journal_bytes,
                                     .given_bytes = r->given_bytes,
                                     .instructions = r->instructions};
    struct message_header header;
    message_header_init(&header, MESSAGE_REPEAT, w->parser.nonce,
                        sizeof body + regions_bytes(data->region) + r->early_bytes +
                            r->journal_bytes + r->given_bytes);
    struct outgoing out = {0};
    outgoing_add(&out, &header, sizeof header);
    outgoing_add(&out, &body, sizeof body);
    for (int i = 0; i < MATRIX_COUNT; i++)
        outgoing_add(&out, data->bytes[i], (size_t)data->region[i].bytes);
    outgoing_add(&out, r->early, r->early_bytes);
    outgoing_add(&out, r->journal, r->journal_bytes);
    outgoing_add(&out, r->given, r->given_bytes);
    ask(w, &out, data, reply);
}

void worker_finish(struct worker *w) {
    child_finish(w->child);
    budget_add_waited(w->budget, w->child->used.idle);
    w->budget = NULL; /* once is enough */
    if (w->folder)
        (void)scratch_remove(w->folder); /* what cannot be removed now is told of at the end */
    free(w->folder);
    w->folder = NULL;
}

char *worker_output(const struct worker *w) {
    return capture_text(&w->child->output);
}

char *worker_errors(const struct worker *w) {
    return capture_text(&w->child->errors);
}

void worker_free(struct worker *w) {
    parser_free(&w->parser);
    facts_free(&w->facts);
    free(w->folder);
    free(w->child);
    *w = (struct worker){0};
}

void call_reply_free(struct call_reply *reply) {
    free(reply->bytes);
    free(reply->finding);
    free(reply->journal);
    *reply = (struct call_reply){0};
}
