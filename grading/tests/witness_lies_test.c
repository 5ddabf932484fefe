/*
 * witness_lies_test.c: journals that were altered on the way, by somebody who knows them or by
 * chance.
 */
#include "grading/tests/witness_record.h"

#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_journal.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

/* ---- journals that lie ---- */

/* The record number `index` of a kind in the call's journal. */
static unsigned char *find_record(enum vj_kind kind, int index) {
    for (size_t at = sizeof(struct vj_head); at < box->call_bytes;) {
        struct vj_record head;
        memcpy(&head, box->call + at, sizeof head);
        if (head.kind == (uint32_t)kind && index-- == 0)
            return box->call + at;
        at += sizeof head + (size_t)vj_padded(head.bytes);
    }
    ck_abort_msg("no such record");
    return NULL;
}

TEST(kernels_of_another_program) {
    record(fills);
    struct vj_module *m = (void *)(find_record(VJ_MODULE, 0) + sizeof(struct vj_record));
    m->hash ^= 1;
    expect_no("device code is used that the program's file does not hold");
}

TEST(a_kernel_that_is_not_there) {
    record(fills);
    unsigned char *name =
        find_record(VJ_LAUNCH, 0) + sizeof(struct vj_record) + sizeof(struct vj_launch);
    ck_assert_mem_eq(name, "fill", 4);
    name[0] = 'p'; /* "pill" */
    expect_no("a kernel is launched that the program does not have");
}

TEST(another_kernel_with_other_arguments) {
    record(fills);
    unsigned char *name =
        find_record(VJ_LAUNCH, 0) + sizeof(struct vj_record) + sizeof(struct vj_launch);
    const unsigned char tile[4] = {'t', 'i', 'l', 'e'};
    memcpy(name, tile, sizeof tile);
    expect_no("a kernel is launched with other arguments than it has");
}

TEST(a_launch_that_is_left_out) {
    record(fills);
    struct vj_record *launch = (void *)find_record(VJ_LAUNCH, 0);
    launch->kind = VJ_MODULE; /* of no known hash */
    expect_no("device code");
    launch->kind = VJ_SET; /* of another length */
    expect_no("a record is of the wrong length");
}

TEST(a_fault) {
    record(fills);
    struct vj_launch *l = (void *)(find_record(VJ_LAUNCH, 0) + sizeof(struct vj_record));
    unsigned char *args = (unsigned char *)(l + 1) + 8;
    memset(args, 0, 8); /* p = NULL */
    expect_no("a kernel ends with a fault");
}

TEST(more_work_than_was_told) {
    record(fills);
    begin();
    repeat.limits.instructions = 10;
    ck_assert_int_eq(repeat_early(&repeat, box->early, box->early_bytes), REPEAT_DONE);
    ck_assert_int_eq(repeat_call(&repeat, box->call, box->call_bytes), REPEAT_DISAGREES);
    ck_assert_ptr_nonnull(strstr(repeat.why, "more instructions than it told of"));
}

/* What a loop jumps over is no work. */
static enum repeat_end hop(uint64_t told) {
    record(hops);
    begin();
    repeat.limits.instructions = told;
    ck_assert_int_eq(repeat_early(&repeat, box->early, box->early_bytes), REPEAT_DONE);
    return repeat_call(&repeat, box->call, box->call_bytes);
}

enum { HOPS = 2 + 1000 * 5 + 1 }; /* instructions of its one warp */

TEST(as_much_work_as_was_told) {
    const enum repeat_end end = hop(HOPS);
    ck_assert_msg(end == REPEAT_DONE, "%s", repeat.why);
}

TEST(one_instruction_more_than_was_told) {
    ck_assert_int_eq(hop(HOPS - 1), REPEAT_DISAGREES);
    ck_assert_ptr_nonnull(strstr(repeat.why, "more instructions than it told of"));
}

TEST(bytes_without_end) {
    record(copies_in_all_shapes);
    struct vj_set *s = (void *)(find_record(VJ_SET, 0) + sizeof(struct vj_record));
    s->width = UINT64_MAX / 2;
    expect_no("more bytes are moved");
    s->width = 4096;
    s->height = UINT64_MAX / 8;
    s->pitch = 0;
    expect_no("a memset has no end");
}

TEST(allocations_elsewhere) {
    record(copies_in_all_shapes);
    struct vj_alloc *a = (void *)(find_record(VJ_ALLOC, 3) + sizeof(struct vj_record));
    a->addr += 4096;
    expect_no("an allocation lies where the virtual GPU does not put it");
}

static void works_outside(struct matrices *m) {
    launch_fill(m->c, N, 1);
    hand_over(box->call, &box->call_bytes);
    launch_fill(m->c, N, 2);
    vgpu_journal_call();
}

TEST(work_outside_of_the_call) {
    record(works_outside);
    expect_no("the device is used outside the call");
}

static void calls_again(struct matrices *m) {
    launch_fill(m->c, N, 1);
    vgpu_journal_call();
}

TEST(another_call) {
    record(calls_again);
    expect_no("it tells of another call");
}

TEST(a_matrix_of_another_size) {
    record(fills);
    struct vj_region *r = (void *)(find_record(VJ_REGION, 2) + sizeof(struct vj_record));
    r->bytes /= 2;
    expect_no("a matrix is not the one that the call was given");
}

TEST(what_was_lost) {
    record(fills);
    ((struct vj_head *)(void *)box->call)->lost = 1;
    expect_no("more is written to the device");
}

TEST(device_memory_elsewhere) {
    record(fills);
    ((struct vj_head *)(void *)box->early)->base = 0; /* nothing there yet */
    ((struct vj_head *)(void *)box->call)->base += 4096;
    expect_no("device memory lies where");
}

/* A journal may not make itself unrepeatable: its memory has the size that the virtual GPU gives
 * it. */
TEST(device_memory_of_another_size) {
    static const uint64_t sizes[] = {0, 1, (uint64_t)1 << 20, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        record(fills);
        ((struct vj_head *)(void *)box->early)->base = 0;
        ((struct vj_head *)(void *)box->call)->capacity = sizes[i];
        expect_no("device memory has a size that the virtual GPU does not give it");
    }
}

TEST(an_allocation_that_never_fits) {
    record(copies_in_all_shapes);
    struct vj_head *head = (void *)box->call;
    ((struct vj_head *)(void *)box->early)->base = 0;
    head->range = ((uint64_t)96 << 20) + 4096; /* of which 64 MiB may be alive */
    head->capacity = head->range / 3 * 2;
    struct vj_alloc *a = (void *)(find_record(VJ_ALLOC, 3) + sizeof(struct vj_record));
    a->size = (uint64_t)65 << 20;
    expect_no("an allocation does not fit into device memory");
}

/* ---- journals of any bytes: repeating ends, and the process lives ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t random_word(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* Changes a few bytes. */
static void spoil(void) {
    static const uint64_t liked[] = {0,         1,          2,    UINT64_MAX, INT64_MAX,
                                     INT32_MAX, UINT32_MAX, 4096, 65536};
    for (uint64_t times = 1 + random_word() % 3; times > 0; times--) {
        const size_t at = random_word() % (box->call_bytes / 8) * 8;
        const uint64_t value = random_word() % 2 ? liked[random_word() % 9] : random_word();
        const size_t width = random_word() % 3 == 0 ? 1 : random_word() % 2 ? 4 : 8;
        memcpy(box->call + at + (width < 8 ? random_word() % 2 * 4 : 0), &value, width);
    }
    if (random_word() % 8 == 0)
        box->call_bytes -= random_word() % 64;
}

static void does_everything(struct matrices *m) {
    copies_in_all_shapes(m);
    shares(m);
    multiplies(m);
    fills(m);
}

/* What a program does, and 400 journals of it with other bytes; at least 5 of them are still some
 * journal: a float of the host's may be any. */
static void spoil_journals_of(program *work) {
    static unsigned char kept_bytes[ROOM];
    int ends[4] = {0};
    record(work);
    const size_t bytes = box->call_bytes;
    memcpy(kept_bytes, box->call, bytes);
    for (int i = 0; i < 400; i++) {
        memcpy(box->call, kept_bytes, bytes);
        box->call_bytes = bytes;
        spoil();
        const int end = repeat_apart();
        ck_assert_msg(end >= 0 && end < 3, "journal %d ended the process (%d)", i, end);
        ends[end]++;
    }
    ck_assert_int_gt(ends[REPEAT_DISAGREES], 100);
    ck_assert_int_gt(ends[REPEAT_DONE], 5);
}

TEST(any_bytes) {
    spoil_journals_of(does_everything);
}

TEST(any_bytes_of_cublas) {
    spoil_journals_of(solves);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "witness, lies", .seconds = 120});
}
