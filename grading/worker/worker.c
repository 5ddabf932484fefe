/*
 * worker.c: main of the program that the grader builds around a submission.
 *
 * It reads calls from the grader's socket, gives the submission's function fresh private copies of
 * the matrices, and sends back what is in them afterwards. See grading/src/lab/protocol.h for the
 * conversation. Refuses to judge, and to go on after anything unexpected: it then just exits.
 */
#include "grading/worker/worker.h"

#include "common/cuda_check.h"
#include "common/lab.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whichever of these the submission lacks is a null pointer. */
extern __typeof__(matmul_cpu) matmul_cpu __attribute__((weak));
extern __typeof__(matmul_host) matmul_host __attribute__((weak));
extern __typeof__(matmul_device) matmul_device __attribute__((weak));

typedef void matmul_function(int m, int n, int k, const float *A, const float *B, float *C);

_Static_assert(CUDA_CHECK_EXIT == PROTOCOL_CHECK_EXIT, "the grader tells a failed check by this");

/* Exit statuses below 100 are the submission's own. */
enum { EXIT_CHANNEL = PROTOCOL_CHANNEL_EXIT, EXIT_MEMORY = 121 };

static struct worker {
    int channel;
    uint64_t nonce;
    uint32_t call; /* the id of the call being made */
    pid_t process; /* a copy that the submission forked off has another one, and keeps quiet */
    struct buffer buffer[MATRIX_COUNT];
    uint64_t offset[MATRIX_COUNT];
    struct sigaction before; /* who handled faults before us */
    bool calling;            /* the submission's function runs */
    bool told;               /* a fault, of which there is one at most */
    uint64_t nanoseconds;    /* a call takes, by worker_time_calls; 0: not asked for */
    pthread_mutex_t sending;
} worker = {.sending = PTHREAD_MUTEX_INITIALIZER};

static void receive(void *into, size_t n) {
    unsigned char *at = into;
    while (n > 0) {
        const ssize_t got = read(worker.channel, at, n);
        if (got == 0)
            _exit(0); /* the grader is done with us */
        if (got < 0 && errno != EINTR)
            _exit(EXIT_CHANNEL);
        at += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
}

/* Also called from the signal handler: only async-signal-safe calls. */
static void send_bytes(const void *from, size_t n) {
    const unsigned char *at = from;
    while (n > 0) {
        const ssize_t put = write(worker.channel, at, n);
        if (put < 0 && errno != EINTR)
            _exit(EXIT_CHANNEL);
        at += put > 0 ? put : 0;
        n -= put > 0 ? (size_t)put : 0;
    }
}

void worker_send(enum message_type type, const void *body, size_t body_bytes,
                 const struct worker_part *part, int parts) {
    struct message_header h;
    uint64_t payload = 0;
    for (int i = 0; i < parts; i++)
        payload += part[i].count;
    message_header_init(&h, type, worker.nonce, body_bytes + payload);
    /* One message at a time: threads of the submission make the virtual GPU speak, too. */
    pthread_mutex_lock(&worker.sending);
    send_bytes(&h, sizeof h);
    send_bytes(body, body_bytes);
    for (int i = 0; i < parts; i++)
        send_bytes(part[i].bytes, part[i].count);
    pthread_mutex_unlock(&worker.sending);
}

static void send_phase(enum call_phase phase) {
    const struct phase_body body = {.id = worker.call, .phase = phase};
    worker_send(MESSAGE_PHASE, &body, sizeof body, NULL, 0);
}

/* Where the program begins and ends in memory, as the linker says. */
extern const char __executable_start[], etext[];

static bool in_program(uintptr_t address) {
    return address >= (uintptr_t)__executable_start && address < (uintptr_t)etext;
}

/* The address in the program's file; 0: it lies elsewhere. */
static uint32_t in_file(uintptr_t at) {
    Elf64_Half type;
    memcpy(&type, __executable_start + offsetof(Elf64_Ehdr, e_type), sizeof type);
    if (!in_program(at))
        return 0;
    return (uint32_t)(type == ET_DYN ? at - (uintptr_t)__executable_start : at);
}

/* Where the program stood when a signal came, as an address in its file; 0: unknown. In memset and
 * their like the caller counts, whose address lies on top of the stack. */
static uint32_t code_at(const void *context) {
    const ucontext_t *u = context;
#if defined __x86_64__
    uintptr_t at = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
    if (!in_program(at)) {
        memcpy(&at, (const void *)(uintptr_t)u->uc_mcontext.gregs[REG_RSP], sizeof at);
        at--; /* the call, not what follows it */
    }
#elif defined __aarch64__
    uintptr_t at = (uintptr_t)u->uc_mcontext.pc;
    if (!in_program(at))
        at = (uintptr_t)u->uc_mcontext.regs[30] - 1;
#else
    uintptr_t at = 0;
    (void)u;
#endif
    return in_file(at);
}

/* Tells the grader what was done to a byte of matrix `i`. */
static void send_fault(int i, const void *address, enum fault_how how, uint32_t code) {
    const struct fault_body body = {
        .id = worker.call,
        .matrix = (uint32_t)i,
        .byte = (int64_t)((intptr_t)address - (intptr_t)(worker.buffer[i].base + worker.offset[i])),
        .how = how,
        .code = code};
    worker.told = true;
    worker_send(MESSAGE_FAULT, &body, sizeof body, NULL, 0);
}

void worker_given_back(const void *p) {
    for (int i = 0; i < MATRIX_COUNT && worker.calling && getpid() == worker.process; i++) {
        if (!worker_buffer_holds(&worker.buffer[i], p))
            continue;
        worker.calling = false;
        send_fault(i, p, FAULT_FREED, 0);
        abort();
    }
}

/* The same of a block of the program's own. */
static void send_heap_fault(const struct heap_hit *hit, uint32_t code) {
    const struct fault_body body = {.id = worker.call,
                                    .byte = hit->byte,
                                    .how = hit->freed ? FAULT_HEAP_FREED : FAULT_HEAP,
                                    .code = code,
                                    .room = hit->bytes,
                                    .asker = in_file((uintptr_t)hit->asker - 1)};
    worker.told = true;
    worker_send(MESSAGE_FAULT, &body, sizeof body, NULL, 0);
}

void worker_heap_overrun(const struct heap_hit *hit) {
    if (worker.told || getpid() != worker.process)
        return;
    worker.calling = false;
    send_heap_fault(hit, 0);
    abort();
}

/* A fault that ends the process: where in the program it happened. */
static void tell_crash(const siginfo_t *info, const void *context) {
    const uint32_t code = info->si_code > 0 ? code_at(context) : 0;
    if (code > 0 && worker.calling && !worker.told && getpid() == worker.process)
        send_fault(MATRIX_C, NULL, FAULT_ELSEWHERE, code);
}

/* A fault in a guard page, or a write to an input: tells the grader which matrix and where, then
 * lets the signal take its course. Any other fault goes to whoever handled it before (the virtual
 * GPU explains device pointers used on the host). */
static void on_fault(int sig, siginfo_t *info, void *context) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        if (!worker_buffer_covers(&worker.buffer[i], info->si_addr) || worker.told)
            continue;
        send_fault(i, info->si_addr, FAULT_TOUCHED, code_at(context));
        signal(sig, SIG_DFL);
        return; /* the instruction runs again, and now ends the process */
    }
    struct heap_hit hit;
    if (!worker.told && info->si_code > 0 && worker_heap_covers(info->si_addr, &hit)) {
        send_heap_fault(&hit, code_at(context));
        signal(sig, SIG_DFL);
        return;
    }
    tell_crash(info, context);
    if ((worker.before.sa_flags & SA_SIGINFO) && worker.before.sa_sigaction)
        worker.before.sa_sigaction(sig, info, context);
    else if (worker.before.sa_handler != SIG_DFL && worker.before.sa_handler != SIG_IGN)
        worker.before.sa_handler(sig);
    else
        signal(sig, SIG_DFL);
    if (info->si_code <= 0) /* sent by kill or raise: no instruction will run again */
        raise(sig);
}

static void on_division(int sig, siginfo_t *info, void *context) {
    tell_crash(info, context);
    signal(sig, SIG_DFL);
    if (info->si_code <= 0)
        raise(sig);
}

/* Once only: whoever comes later passes on to us what is not his. */
static void catch_faults(void) {
    static bool catching;
    if (catching)
        return;
    catching = true;
    static unsigned char stack[65536];
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_fault;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &worker.before);
    action.sa_sigaction = on_division;
    sigaction(SIGFPE, &action, NULL);
}

static uint32_t entries_present(void) {
    uint32_t present = 0;
    if (matmul_cpu)
        present |= 1u << ENTRY_CPU;
    if (matmul_host)
        present |= 1u << ENTRY_HOST;
    if (matmul_device)
        present |= 1u << ENTRY_DEVICE;
    return present;
}

/* Puts the call's three regions into buffers. Old buffers are freed only after new ones are there:
 * so that a call gets new addresses, unless it asked for the old ones. */
static cudaError_t set_up(const struct call_body *call, unsigned char *const bytes[MATRIX_COUNT]) {
    const bool device = call->entry == ENTRY_DEVICE;
    bool keep = call->flags & CALL_KEEP_BUFFERS;
    for (int i = 0; i < MATRIX_COUNT; i++) {
        keep = keep && worker.buffer[i].base && worker.buffer[i].device == device &&
               worker.buffer[i].bytes == call->region[i].bytes;
        worker.offset[i] = call->region[i].offset;
    }
    cudaError_t error = cudaSuccess;
    if (!keep) {
        struct buffer fresh[MATRIX_COUNT] = {0};
        for (int i = 0; i < MATRIX_COUNT && error == cudaSuccess; i++)
            error = worker_buffer_make(&fresh[i], call->region[i].bytes, device,
                                       call->flags & CALL_AT_START);
        for (int i = 0; i < MATRIX_COUNT; i++) {
            worker_buffer_free(&worker.buffer[i]);
            worker.buffer[i] = fresh[i];
        }
    }
    worker_journal_hold(true);
    for (int i = 0; i < MATRIX_COUNT && error == cudaSuccess; i++)
        error = worker_buffer_protect(&worker.buffer[i], false);
    for (int i = 0; i < MATRIX_COUNT && error == cudaSuccess; i++)
        error = worker_buffer_put(&worker.buffer[i], bytes[i]);
    /* On a GPU's host, a driver may want to write to pages that it pins. */
    for (int i = 0; i < MATRIX_C && error == cudaSuccess && call->entry != ENTRY_HOST; i++)
        error = worker_buffer_protect(&worker.buffer[i], true);
    worker_journal_hold(false);
    for (int i = 0; i < MATRIX_COUNT && error == cudaSuccess; i++)
        worker_journal_matrix(i, &worker.buffer[i]);
    if (error == cudaSuccess && device)
        error = cudaDeviceSynchronize();
    return error;
}

/* The submission ended the process, as a failed check does: what was seen until then. */
static void on_exit_in_call(void) {
    if (worker.calling && getpid() == worker.process) {
        worker.calling = false;
        worker_observe_end(worker.call);
    }
}

/* Calls the function, waits for the device, copies the regions back. Returns CUDA's verdict. */
static cudaError_t make_call(const struct call_body *call, unsigned char *const bytes[MATRIX_COUNT],
                             enum call_stage *stage) {
    static matmul_function *const functions[ENTRY_COUNT] = {matmul_cpu, matmul_host, matmul_device};
    *stage = STAGE_SETUP;
    cudaError_t error = set_up(call, bytes);
    if (error != cudaSuccess)
        return error;
    catch_faults();
    float *matrix[MATRIX_COUNT];
    for (int i = 0; i < MATRIX_COUNT; i++)
        matrix[i] = (float *)(void *)(worker.buffer[i].base + worker.offset[i]);
    worker_observe_begin(call);
    send_phase(PHASE_READY);
    worker_clock_set_back(call->clock_behind);
    worker.calling = true;
    worker_heap_guard(call->entry == ENTRY_CPU);
    functions[call->entry](call->m, call->n, call->k, matrix[MATRIX_A], matrix[MATRIX_B],
                           matrix[MATRIX_C]);
    fflush(stdout);
    if (getpid() != worker.process)
        _exit(0);
    worker_heap_guard(false);
    worker.calling = false;
    worker_clock_set_back(0);
    send_phase(PHASE_RETURNED);
    worker_observe_end(call->id);
    if (call->entry != ENTRY_CPU) {
        *stage = STAGE_LAUNCH;
        error = cudaGetLastError();
        if (error == cudaSuccess) {
            *stage = STAGE_SYNC;
            error = cudaDeviceSynchronize();
        }
    }
    worker.nanoseconds = 0;
    if (error == cudaSuccess && call->entry != ENTRY_HOST && call->flags & CALL_TIMED)
        worker.nanoseconds = (call->entry == ENTRY_CPU ? worker_time_on_cpu : worker_time_calls)(
            functions[call->entry], call, matrix);
    if (error == cudaSuccess)
        *stage = STAGE_COPY;
    worker_journal_hold(true);
    for (int i = 0; i < MATRIX_COUNT && error == cudaSuccess; i++)
        error = worker_buffer_get(&worker.buffer[i], bytes[i]);
    worker_journal_hold(false);
    if (error == cudaSuccess)
        *stage = STAGE_OK;
    return error;
}

static void answer(const struct call_body *call, unsigned char *const bytes[MATRIX_COUNT]) {
    enum call_stage stage;
    worker_facts_begin(call);
    const cudaError_t error = make_call(call, bytes, &stage);
    struct result_body body = {.id = call->id,
                               .stage = stage,
                               .code = (int32_t)error,
                               .has_data = error == cudaSuccess,
                               .nanoseconds = worker.nanoseconds};
    if (error != cudaSuccess) {
        snprintf(body.name, sizeof body.name, "%s", cudaGetErrorName(error));
        snprintf(body.text, sizeof body.text, "%s", cudaGetErrorString(error));
    }
    struct worker_part part[MATRIX_COUNT];
    for (int i = 0; i < MATRIX_COUNT; i++)
        part[i] = (struct worker_part){bytes[i], (size_t)call->region[i].bytes};
    worker_facts_end(&body, part, body.has_data ? MATRIX_COUNT : 0);
}

/* Reads one call and makes it. */
static void serve(void) {
    struct message_header h;
    struct call_body call;
    receive(&h, sizeof h);
    if (h.magic != PROTOCOL_MAGIC || h.type != MESSAGE_CALL || h.nonce != worker.nonce)
        _exit(EXIT_CHANNEL);
    receive(&call, sizeof call);
    if (call.entry >= ENTRY_COUNT || !(entries_present() & 1u << call.entry) ||
        h.length != sizeof call + regions_bytes(call.region))
        _exit(EXIT_CHANNEL);
    unsigned char *bytes[MATRIX_COUNT];
    for (int i = 0; i < MATRIX_COUNT; i++) {
        bytes[i] = malloc((size_t)call.region[i].bytes);
        if (!bytes[i])
            _exit(EXIT_MEMORY);
        receive(bytes[i], (size_t)call.region[i].bytes);
    }
    worker.call = call.id;
    answer(&call, bytes);
    for (int i = 0; i < MATRIX_COUNT; i++)
        free(bytes[i]);
}

int main(int argc, char **argv) {
    const long channel = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (channel < 3 || channel > INT_MAX) {
        fputs("worker: started by the grader, not by hand (use ./grader)\n", stderr);
        return EXIT_CHANNEL;
    }
    memset(argv[1], ' ', strlen(argv[1]));
    worker.channel = (int)channel;
    worker.process = getpid();
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must not swallow what was printed before it */
    struct message_header h;
    receive(&h, sizeof h);
    if (h.magic != PROTOCOL_MAGIC || h.version != PROTOCOL_VERSION || h.type != MESSAGE_WELCOME)
        return EXIT_CHANNEL;
    worker.nonce = h.nonce;
    atexit(on_exit_in_call);
    worker_journal_send(0); /* what constructors did, before anything is known of a call */
    const struct hello_body hello = {.entries = entries_present()};
    worker_send(MESSAGE_HELLO, &hello, sizeof hello, NULL, 0);
    for (;;)
        serve();
}
