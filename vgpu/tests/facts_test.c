/* facts_test.c: every message has words, and its words hold its fields. */
#include "vgpu/src/memory/facts.h"
#include "vgpu/tests/vgpu_test.h"

#include <stdbool.h>

/* A fact in which every text and number is set. */
static struct vgpu_fact full(enum vgpu_says says) {
    vg_note note = {.call = "cudaThis", .name = "A", .other = "B", .kernel = "k"};
    struct vgpu_fact f = *vg_note_close(&note);
    f.says = says;
    f.memory = VGPU_MEMORY_ALLOCATION;
    f.place = VGPU_AT_PAST;
    return f;
}

/* What checkers find has its words in check/words.c, where the lines and threads are known. */
static bool is_of_a_checker(int says) {
    return says >= VGPU_RACE;
}

TEST(every_message_has_words) {
    char words[2048];
    for (int says = VGPU_SAYS_NOTHING + 1; says < VGPU_SAYS_COUNT && !is_of_a_checker(says);
         says++) {
        const struct vgpu_fact f = full((enum vgpu_says)says);
        vg_fact_words(&f, words, sizeof words);
        ck_assert_msg(words[0] && strcmp(words, "?") != 0, "message %d has no words", says);
        ck_assert_msg(!strpbrk(words, "{}?") || says == VGPU_STACK_OVERFLOW, "message %d: %s", says,
                      words);
    }
}

static void words_are(const vg_note *note, const char *expected) {
    char words[1024];
    vg_note copy = *note;
    ck_assert_str_eq(vg_fact_words(vg_note_close(&copy), words, sizeof words), expected);
}

TEST(words_hold_the_fields) {
    words_are(VG_NOTE(COPY_TOO_LARGE, .call = "cudaMemcpy", .is.end = VGPU_DESTINATION,
                      .is.size = 100, .is.memory = VGPU_MEMORY_ALLOCATION, .is.serial = 7,
                      .is.room = 64, .is.distance = 4, .is.limit = 60, .is.excess = 40),
              "cudaMemcpy: the destination must have 100 bytes, but allocation #7 (64 bytes) has "
              "only 60 from its byte 4 on: 40 too few");
    words_are(VG_NOTE(COPY_FROM_HOST, .call = "cudaMemcpy", .is.end = VGPU_SOURCE,
                      .is.direction = VGPU_DEVICE_TO_HOST, .is.address = 0x1000),
              "cudaMemcpy: cudaMemcpyDeviceToHost, but the source, 0x1000, is a host address");
    words_are(VG_NOTE(ILLEGAL_ACCESS, .is.space = VGPU_SPACE_SHARED, .is.access = VGPU_WRITES,
                      .is.size = 4, .is.address = 0x40, .is.place = VGPU_AT_PAST,
                      .is.memory = VGPU_MEMORY_SHARED, .name = "As", .is.room = 64,
                      .kernel = "tiled", .is.has_thread = 1, .is.file = "a.cu", .is.line = 5,
                      .is.thread = {1, 2, 3}, .is.block = {4, 5, 6}),
              "illegal shared write of 4 bytes at 0x40: just past the end of the shared array 'As' "
              "(64 bytes)\n  in kernel tiled, a.cu:5, thread (1,2,3) of block (4,5,6)");
    words_are(
        VG_NOTE(COPY_TOO_LARGE, .call = "cudaMemcpy", .is.end = VGPU_SOURCE, .is.size = 21,
                .is.memory = VGPU_MEMORY_ALLOCATION, .is.serial = 1, .is.room = 1, .is.distance = 0,
                .is.limit = 1, .is.excess = 20),
        "cudaMemcpy: the source must have 21 bytes, but allocation #1 (1 byte) has only 1: 20 "
        "too few");
    words_are(VG_NOTE(BLAS_STRIDE, .call = "cublasSgemm", .other = "B", .is.limit = 0,
                      .is.number = {3, 4, 2, 1}),
              "cublasSgemm: ldb is 2, but the call's B is stored with 0 rows (op(B) is 3 x 4, "
              "transposed): ldb "
              "must be at least 1");
    words_are(
        VG_NOTE(BARRIER_MISSED, .is.count = 31, .is.limit = 32, .is.room = 1024,
                .name = "__syncthreads()"),
        "deadlock at a barrier: 31 of the 32 threads that have not ended, of the block's 1024, "
        "wait at this __syncthreads(), but thread (0,0,0) never reaches it. Every thread of a "
        "block must reach the same barrier: move it out of the if or the loop that some "
        "threads skip");
    words_are(VG_NOTE(LAUNCH_SHARED, .kernel = "k", .other = "a device", .is.size = 50000,
                      .is.limit = 49152, .is.room = 232448),
              "launch of k refused (a device): 50000 bytes of shared memory a block, the limit is "
              "49152; more, up to 232448, must be asked for with cudaFuncSetAttribute(kernel, "
              "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)");
}

TEST(short_buffers_are_not_overrun) {
    char words[16];
    memset(words, 'x', sizeof words);
    const struct vgpu_fact f = full(VGPU_COPY_TOO_LARGE);
    vg_fact_words(&f, words, 10);
    ck_assert_uint_eq(strlen(words), 9);
    ck_assert_int_eq(words[10], 'x');
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "facts"});
}
