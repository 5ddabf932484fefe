/*
 * witness_test.c: journals, recorded in one process and repeated in another.
 */
#include "grading/tests/witness_record.h"

#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

TEST(a_launch_is_repeated) {
    struct vgpu_counters c;
    struct vgpu_stats s;
    uint64_t launches = 0;
    record(fills);
    expect_done();
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(now(2)[i], 2.5f);
    ck_assert(vgpu_total_counters(&c, &launches));
    ck_assert_uint_eq(launches, 1);
    ck_assert_uint_eq(c.global_store_bytes, BYTES);
    ck_assert_uint_eq(c.global_store_sectors, BYTES / 32);
    vgpu_get_stats(&s);
    ck_assert_uint_eq(s.launches, 1);
    ck_assert_uint_eq(s.copies, 0); /* filling the matrices is not the program's */
    repeat_end(&repeat);
}

static void copies_a_to_c(struct matrices *m) {
    ck_assert_int_eq(cudaMemcpy(m->c, m->a, BYTES, cudaMemcpyDeviceToDevice), cudaSuccess);
}

/* The recording process had zeros in A: what counts is what the caller gives. */
TEST(inputs_are_the_callers) {
    record(copies_a_to_c);
    expect_done();
    ck_assert_mem_eq(now(2), given[0], BYTES);
    ck_assert_mem_eq(now(0), given[0], BYTES);
}

TEST(copies_of_all_shapes) {
    struct vgpu_stats s;
    record(copies_in_all_shapes);
    expect_done();
    ck_assert_mem_eq(now(2), box->on_host, BYTES);
    vgpu_get_stats(&s);
    ck_assert_uint_eq(s.copies, 3);
    ck_assert_uint_eq(s.copied_bytes, 128 + 256 + 256);
    ck_assert_uint_eq(s.to_host_bytes, 256);
}

TEST(what_the_host_writes_is_told) {
    record(shares);
    expect_done();
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(now(2)[i], i == 5 ? 7 : i == 60 ? 9 : 3);
    ck_assert(left_has(&repeat.left, 0x40400000));  /* 3, which the host saw */
    ck_assert(!left_has(&repeat.left, 0x40e00000)); /* 7, which it made */
}

static float registered[N];

static void registers(struct matrices *m) {
    for (int i = 0; i < N; i++)
        registered[i] = (float)(3 * i);
    ck_assert_int_eq(cudaHostRegister(registered, sizeof registered, 0), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyAsync(m->c, registered, BYTES, cudaMemcpyHostToDevice, NULL),
                     cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(cudaHostUnregister(registered), cudaSuccess);
}

TEST(registered_memory_was_there_before) {
    record(registers);
    expect_done();
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(now(2)[i], (float)(3 * i));
}

/* What is kept from before the first call is still there in it; and a reset takes it away. */
static void *kept;

static void keeps(struct matrices *m) {
    (void)m;
    const int value = 11;
    ck_assert_int_eq(cudaMalloc(&kept, 100), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyToSymbol(factor, &value, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
    ck_assert_int_eq(cudaMalloc(&kept, BYTES), cudaSuccess);
    launch_fill(kept, N, 4);
    ck_assert_int_eq(cudaMemcpyToSymbol(factor, &value, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

static void uses_what_is_kept(struct matrices *m) {
    ck_assert_int_eq(cudaMemcpy(m->c, kept, BYTES, cudaMemcpyDeviceToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyFromSymbol(m->c, factor, 4, 0, cudaMemcpyDeviceToDevice),
                     cudaSuccess);
}

TEST(what_was_there_before_the_call) {
    record_of(keeps, uses_what_is_kept, false);
    expect_done();
    int32_t first;
    memcpy(&first, now(2), sizeof first);
    ck_assert_int_eq(first, 11);
    ck_assert_float_eq(now(2)[1], 4);
}

TEST(triangles_are_repeated) {
    record(solves);
    expect_done();
    ck_assert_mem_eq(now(2), box->on_host, BYTES);
}

TEST(cublas_is_repeated) {
    float want[8][8], turned[N], dot = 0;
    struct vgpu_stats s;
    record(multiplies);
    expect_done();
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            want[i][j] = 2 * given[0][8 * i + j];
            for (int p = 0; p < 8; p++)
                want[i][j] += given[0][8 * i + p] * given[1][8 * p + j];
        }
    for (int i = 0; i < 8; i++)
        dot += given[0][i] * given[1][i];
    want[0][0] = dot;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            turned[8 * j + i] = want[i][j];
    for (int i = 0; i < 4; i++)
        turned[2 * i] *= 2;
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(now(2)[i], turned[i]);
    vgpu_get_stats(&s);
    ck_assert_uint_eq(s.blas_calls, 6);
    ck_assert_uint_eq(s.gemm_calls, 1);
    ck_assert_uint_eq(s.gemm_madds, 512);
}

/* ---- C on the host ---- */

static void brings_back(struct matrices *m) {
    float row[8];
    launch_fill(m->a, N, 6);
    ck_assert_int_eq(cudaMemcpy(m->c, m->a, BYTES / 2, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(row, m->b, sizeof row, cudaMemcpyDeviceToHost), cudaSuccess);
}

TEST(c_on_the_host) {
    record_of(NULL, brings_back, true);
    expect_done();
    for (int i = 0; i < N; i++)
        ck_assert_float_eq(now(2)[i], i < N / 2 ? 6 : -1);
    uint32_t word;
    memcpy(&word, &given[1][3], sizeof word);
    ck_assert(left_has(&repeat.left, word));
    memcpy(&word, &given[1][9], sizeof word);
    ck_assert(!left_has(&repeat.left, word));
}

/* ---- the program's file ---- */

__attribute__((section(".nv_fatbin"), used)) static const char own_text[] = "//\n.version 6.4\n";

static unsigned char file_bytes[64 << 20];

static size_t read_own_file(void) {
    FILE *f = fopen("/proc/self/exe", "rb");
    ck_assert_ptr_nonnull(f);
    const size_t n = fread(file_bytes, 1, sizeof file_bytes, f);
    fclose(f);
    return n;
}

TEST(texts_of_a_file) {
    struct program_texts t;
    const size_t n = read_own_file();
    program_texts_find(&t, file_bytes, n);
    ck_assert_uint_eq(t.count, 1);
    ck_assert_uint_eq(t.of[0].length, strlen(own_text));
    ck_assert_mem_eq(t.of[0].text, own_text, strlen(own_text));
    ck_assert_ptr_nonnull(program_text(&t, vj_hash(own_text, strlen(own_text)), strlen(own_text)));
    ck_assert_ptr_null(program_text(&t, vj_hash(own_text, strlen(own_text)), strlen(own_text) - 1));
    program_texts_free(&t);
    /* cut off, it holds less, and reading stays inside */
    for (size_t cut = 0; cut < n; cut += n / 50 + 1) {
        unsigned char *part = malloc(cut + 1);
        ck_assert_ptr_nonnull(part);
        memcpy(part, file_bytes, cut);
        program_texts_find(&t, part, cut);
        program_texts_free(&t);
        free(part);
    }
}

TEST(numbers_that_left) {
    struct left l = {0};
    const uint32_t words[] = {5, 1, 9, 1};
    ck_assert(!left_has(&l, 1));
    left_add(&l, words, sizeof words - 1); /* three and a bit */
    ck_assert(left_has(&l, 9));
    ck_assert(!left_has(&l, 2));
    left_clear(&l);
    ck_assert(!left_has(&l, 9));
    left_free(&l);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "witness", .seconds = 120});
}
