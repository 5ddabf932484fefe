/*
 * order_test.c: which work of the streams comes after which. Random programs of streams, events and
 * waits; in each, two pieces of work write the same bytes. The race checker must tell of them
 * exactly when no path leads from one to the other in a graph that is drawn here, edge by edge, as
 * the programming guide has it.
 */
#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/tests/vgpu_test.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 6, EVENTS = 3, STEPS = 16, ROUNDS = 1000 };
enum { LEGACY, BLOCKING_END = 3, PER_THREAD = 5 }; /* 1, 2 and the last block; 3 and 4 do not */

enum kind { WORK, RECORD, WAIT, HOST_STREAM, HOST_EVENT, HOST_ALL, KINDS };

typedef struct step {
    enum kind kind;
    int stream, event;
} step;

static uint64_t seed;

static int draw(int n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

static bool blocks(int stream) {
    return stream < BLOCKING_END || stream == PER_THREAD;
}

static bool on_stream(const step *s) {
    return s->kind <= WAIT;
}

static int last_record(const step *s, int before, int event) {
    for (int i = before - 1; i >= 0; i--)
        if (s[i].kind == RECORD && s[i].event == event)
            return i;
    return -1;
}

/* Step j comes after step i by itself. */
static bool edge(const step *s, int i, int j) {
    if (s[j].kind == WAIT && last_record(s, j, s[j].event) < 0)
        return false; /* nothing was recorded: the call does nothing */
    if (!on_stream(&s[i]))
        return true; /* the host gives nobody work while it waits */
    switch (s[j].kind) {
    case HOST_ALL: return true;
    case HOST_EVENT: return i == last_record(s, j, s[j].event);
    case HOST_STREAM:
        return s[i].stream == s[j].stream || (s[j].stream == LEGACY && blocks(s[i].stream));
    default: break;
    }
    if (s[i].stream == s[j].stream || (s[i].stream == LEGACY && blocks(s[j].stream)) ||
        (s[j].stream == LEGACY && blocks(s[i].stream)))
        return true;
    return s[j].kind == WAIT && i == last_record(s, j, s[j].event);
}

static bool comes_after(const step *s, int first, int second) {
    bool reached[STEPS] = {false};
    reached[first] = true;
    for (int j = first + 1; j <= second; j++)
        for (int i = first; i < j; i++)
            reached[j] = reached[j] || (reached[i] && edge(s, i, j));
    return reached[second];
}

static cudaStream_t streams[STREAMS];
static cudaEvent_t events[EVENTS];

static void set_up(void) {
    setenv("VGPU_QUIET", "1", 1);
    setenv("VGPU_CHECK", "race", 1);
    for (int i = 1; i < PER_THREAD; i++)
        ck_assert_int_eq(cudaStreamCreateWithFlags(&streams[i], blocks(i) ? cudaStreamDefault
                                                                          : cudaStreamNonBlocking),
                         cudaSuccess);
    streams[PER_THREAD] = cudaStreamPerThread;
}

static void make_events(void) {
    for (int i = 0; i < EVENTS; i++)
        ck_assert_int_eq(cudaEventCreate(&events[i]), cudaSuccess);
}

static void drop_events(void) {
    for (int i = 0; i < EVENTS; i++)
        ck_assert_int_eq(cudaEventDestroy(events[i]), cudaSuccess);
}

static void take(const step *s, char *to) {
    const cudaStream_t stream = streams[s->stream];
    const cudaEvent_t event = events[s->event];
    cudaError_t error = cudaSuccess;
    switch (s->kind) {
    case WORK: error = cudaMemsetAsync(to, 1, 1, stream); break;
    case RECORD: error = cudaEventRecord(event, stream); break;
    case WAIT: error = cudaStreamWaitEvent(stream, event, 0); break;
    case HOST_STREAM: error = cudaStreamSynchronize(stream); break;
    case HOST_EVENT: error = cudaEventSynchronize(event); break;
    default: error = cudaDeviceSynchronize(); break;
    }
    ck_assert_int_eq(error, cudaSuccess);
}

static int findings(void) {
    struct vgpu_finding f;
    int count = 0;
    while (vgpu_get_finding(count, &f))
        count++;
    return count;
}

TEST_EACH(races_are_told_exactly, 3) {
    const char *word = getenv("TEST_SEED");
    seed = (word ? strtoull(word, NULL, 10) : 1) + (uint64_t)_i * 1000003;
    int races = 0, known = findings();
    char *own = NULL;
    ck_assert_int_eq(cudaMalloc((void **)&own, STEPS), cudaSuccess);
    for (int round = 0; round < ROUNDS; round++) {
        char *both = NULL;
        step s[STEPS];
        make_events();
        ck_assert_int_eq(cudaMallocManaged((void **)&both, 4, cudaMemAttachGlobal), cudaSuccess);
        for (int i = 0; i < STEPS; i++)
            s[i] = (step){(enum kind)(draw(4) ? draw(WAIT + 1) : draw(KINDS)), draw(STREAMS),
                          draw(EVENTS)};
        const int first = draw(STEPS - 1), second = first + 1 + draw(STEPS - 1 - first);
        s[first].kind = s[second].kind = WORK;
        for (int i = 0; i < STEPS; i++)
            take(&s[i], i == first || i == second ? both : own + i);
        const bool expected = !comes_after(s, first, second);
        const int now = findings();
        ck_assert_msg(now - known == expected, "round %d of TEST_SEED=%s: %d races, expected %d",
                      round, word ? word : "1", now - known, expected);
        known = now;
        races += expected;
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        ck_assert_int_eq(cudaFree(both), cudaSuccess);
        drop_events();
    }
    ck_assert_int_gt(races, ROUNDS / 20);
    ck_assert_int_lt(races, ROUNDS - ROUNDS / 20);
}

/* Streams that come and go take over lanes that others have left; races may be missed then, and
 * none is made up. */
TEST(streams_that_come_and_go_are_in_order) {
    char *x = NULL;
    ck_assert_int_eq(cudaMalloc((void **)&x, 4), cudaSuccess);
    for (int i = 0; i < 3000; i++) {
        cudaStream_t s = NULL;
        ck_assert_int_eq(
            cudaStreamCreateWithFlags(&s, i % 3 ? cudaStreamDefault : cudaStreamNonBlocking),
            cudaSuccess);
        ck_assert_int_eq(cudaMemsetAsync(x, i, 4, s), cudaSuccess);
        ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
        ck_assert_int_eq(cudaStreamDestroy(s), cudaSuccess);
    }
    ck_assert_int_eq(findings(), 0);
}

/* More than have lanes of their own. */
TEST(many_streams_share_lanes) {
    enum { MANY = 600 };
    static cudaStream_t many[MANY];
    char *x = NULL;
    ck_assert_int_eq(cudaMalloc((void **)&x, MANY), cudaSuccess);
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(cudaStreamCreateWithFlags(&many[i], cudaStreamNonBlocking), cudaSuccess);
        ck_assert_int_eq(cudaMemsetAsync(x + i, 1, 1, many[i]), cudaSuccess);
    }
    ck_assert_int_eq(findings(), 0);
    for (int i = 0; i < MANY; i += 7)
        ck_assert_int_eq(cudaStreamDestroy(many[i]), cudaSuccess);
    ck_assert_int_eq(cudaMemsetAsync(x, 1, 1, many[1]), cudaSuccess);
    ck_assert_int_eq(findings(), 1);
}

/* What the clocks need stays the same, however often. */
TEST(streams_leave_nothing_behind) {
    size_t before = 0;
    for (int i = 0; i < 400; i++) {
        cudaStream_t s = NULL, t = NULL;
        ck_assert_int_eq(cudaStreamCreate(&s), cudaSuccess);
        ck_assert_int_eq(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking), cudaSuccess);
        make_events();
        ck_assert_int_eq(cudaEventRecord(events[0], s), cudaSuccess);
        ck_assert_int_eq(cudaStreamWaitEvent(t, events[0], 0), cudaSuccess);
        drop_events();
        ck_assert_int_eq(cudaStreamSynchronize(t), cudaSuccess);
        ck_assert_int_eq(cudaStreamSynchronize(s), cudaSuccess);
        ck_assert_int_eq(cudaStreamDestroy(s), cudaSuccess);
        ck_assert_int_eq(cudaStreamDestroy(t), cudaSuccess);
        if (i == 9)
            before = mallinfo2().uordblks;
    }
    ck_assert_uint_le(mallinfo2().uordblks, before + 64);
}

TEST(a_reset_forgets_all) {
    char *x = NULL;
    cudaStream_t s = NULL;
    ck_assert_int_eq(cudaMalloc((void **)&x, 4), cudaSuccess);
    ck_assert_int_eq(cudaMemsetAsync(x, 1, 4, streams[3]), cudaSuccess);
    ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaSuccess);
    ck_assert_int_eq(cudaMalloc((void **)&x, 4), cudaSuccess);
    ck_assert_int_eq(cudaMemsetAsync(x, 1, 4, s), cudaSuccess);
    ck_assert_int_eq(findings(), 0);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "the order of streams", .set_up = set_up});
}
