/*
 * witness_test.c: journals, recorded in one process and repeated in another; and journals that were
 * altered on the way. Each test forks: the child records, as a worker does; the parent repeats, as
 * the witness does.
 */
#include "grading/witness/journal_read.h"
#include "grading/witness/repeat.h"

#include "vgpu/include/cublas_v2.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/include/vgpu_journal.h"
#include "vgpu/tests/kernels_ptx.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { N = 64, BYTES = N * (int)sizeof(float), ROOM = 4 << 20 };

/* What the child leaves for the parent. */
struct shared {
    size_t early_bytes, call_bytes;
    float on_host[N]; /* the recorder's own C, where it lies on the host */
    int end;          /* of a repetition in a process of its own, and its reason */
    char why[256];
    _Alignas(16) unsigned char early[ROOM];
    _Alignas(16) unsigned char call[ROOM];
};

/* The matrices of a call, as the recording process has them. */
struct matrices {
    float *a, *b, *c;
};

typedef void program(struct matrices *m);

static struct shared *box;
static float given[3][N];
static struct program_texts texts;
static struct repeat repeat;

static void hand_over(unsigned char *to, size_t *bytes) {
    const void *read = vgpu_journal_read(bytes);
    ck_assert_ptr_nonnull(read);
    ck_assert_uint_le(*bytes, ROOM);
    memcpy(to, read, *bytes);
    vgpu_journal_next();
}

static float *device_matrix(unsigned which) {
    float nothing[N] = {0};
    void *p = NULL;
    ck_assert_int_eq(cudaMalloc(&p, BYTES), cudaSuccess);
    vgpu_journal_hold(true);
    ck_assert_int_eq(cudaMemcpy(p, nothing, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    vgpu_journal_hold(false);
    vgpu_journal_region(which, p, BYTES, false);
    return p;
}

/* Records what `early` and `work` do, in a process of its own. C lies on the device, or on the
 * host. */
static void record_of(program *early, program *work, bool c_on_host) {
    box = mmap(NULL, sizeof *box, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(box, MAP_FAILED);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct matrices m = {0};
        setenv("VGPU_JOURNAL", "1", 1);
        register_kernels();
        if (early)
            early(&m);
        hand_over(box->early, &box->early_bytes);
        m.a = device_matrix(0);
        m.b = device_matrix(1);
        m.c = c_on_host ? box->on_host : device_matrix(2);
        if (c_on_host)
            vgpu_journal_region(2, m.c, BYTES, true);
        vgpu_journal_call();
        work(&m);
        hand_over(box->call, &box->call_bytes);
        _exit(0);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

static void record(program *work) {
    record_of(NULL, work, false);
}

/* Begins a witness that knows the kernels, and matrices of its own: A is 1, 2, ..., B twice that, C
 * -1. */
static void begin(void) {
    texts.count = 1;
    texts.of[0] = (struct ptx_text){kernels_ptx, strlen(kernels_ptx),
                                    vj_hash(kernels_ptx, strlen(kernels_ptx)), NULL};
    for (int i = 0; i < N; i++) {
        given[0][i] = (float)(i + 1);
        given[1][i] = (float)(2 * i + 2);
        given[2][i] = -1;
    }
    repeat_begin(&repeat, &texts);
    repeat.limits = (struct repeat_limits){1000000, 1 << 28, 1 << 28, 1 << 28};
    for (int i = 0; i < 3; i++)
        repeat.matrix[i] = (struct repeat_matrix){(const unsigned char *)given[i], BYTES};
}

static enum repeat_end repeat_all(void) {
    begin();
    const enum repeat_end end = repeat_early(&repeat, box->early, box->early_bytes);
    return end == REPEAT_DONE ? repeat_call(&repeat, box->call, box->call_bytes) : end;
}

static const float *now(int matrix) {
    return (const float *)(const void *)repeat_matrix_now(&repeat, matrix);
}

static void expect_done(void) {
    const enum repeat_end end = repeat_all();
    ck_assert_msg(end == REPEAT_DONE, "%s", repeat.why);
}

/* Repeats in a process of its own. How that ended; -1: by a signal. */
static int repeat_apart(void) {
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("VGPU_QUIET", "1", 1);
        alarm(20);
        box->end = (int)repeat_all();
        memcpy(box->why, repeat.why, sizeof box->why);
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? box->end : -1;
}

static void expect_no(const char *why) {
    ck_assert_int_eq(repeat_apart(), REPEAT_DISAGREES);
    ck_assert_msg(strstr(box->why, why) != NULL, "said \"%s\", not \"%s\"", box->why, why);
}

/* ---- what programs do ---- */

static void launch_fill(float *p, int n, float value) {
    void *args[] = {&p, &n, &value};
    ck_assert_int_eq(cudaLaunchKernel(&fill_stub, (dim3){(unsigned)(n + 31) / 32, 1, 1},
                                      (dim3){32, 1, 1}, args, 0, NULL),
                     cudaSuccess);
}

static void fills(struct matrices *m) {
    launch_fill(m->c, N, 2.5f);
}

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

static void copies_in_all_shapes(struct matrices *m) {
    float from[N], square[8][8];
    void *d = NULL;
    for (int i = 0; i < N; i++)
        from[i] = (float)i;
    memset(square, 0, sizeof square);
    ck_assert_int_eq(cudaMalloc(&d, 4096), cudaSuccess);
    ck_assert_int_eq(cudaMemset(d, 0, 4096), cudaSuccess);
    /* 4 columns of 8 rows of 8, to rows 64 bytes apart */
    ck_assert_int_eq(cudaMemcpy2D(d, 64, from, 32, 16, 8, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemset2D((char *)d + 8, 64, 0x3F, 8, 4), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy2D(m->c, 32, d, 64, 32, 8, cudaMemcpyDeviceToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(square, m->c, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
    memcpy(box->on_host, square, BYTES);
    ck_assert_int_eq(cudaFree(d), cudaSuccess);
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

/* Host and device take turns in memory that both reach. */
static void shares(struct matrices *m) {
    void *p = NULL;
    ck_assert_int_eq(cudaMallocManaged(&p, BYTES, cudaMemAttachGlobal), cudaSuccess);
    float *f = p;
    launch_fill(f, N, 3);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    f[5] += 4;
    f[60] = 9;
    ck_assert_int_eq(cudaMemcpy(m->c, f, BYTES, cudaMemcpyDefault), cudaSuccess);
    ck_assert_int_eq(cudaFree(p), cudaSuccess);
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
    ck_assert_int_eq(cudaMemcpyToSymbol(factor_shadow, &value, 4, 0, cudaMemcpyHostToDevice),
                     cudaSuccess);
    ck_assert_int_eq(cudaDeviceReset(), cudaSuccess);
    ck_assert_int_eq(cudaMalloc(&kept, BYTES), cudaSuccess);
    launch_fill(kept, N, 4);
    ck_assert_int_eq(cudaMemcpyToSymbol(factor_shadow, &value, 4, 0, cudaMemcpyHostToDevice),
                     cudaSuccess);
}

static void uses_what_is_kept(struct matrices *m) {
    ck_assert_int_eq(cudaMemcpy(m->c, kept, BYTES, cudaMemcpyDeviceToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpyFromSymbol(m->c, factor_shadow, 4, 0, cudaMemcpyDeviceToDevice),
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

static void multiplies(struct matrices *m) {
    cublasHandle_t h;
    const float one = 1, two = 2, zero = 0;
    ck_assert_int_eq(cublasCreate(&h), CUBLAS_STATUS_SUCCESS);
    /* C (8 x 8) = A B, then + 2 A, then row 0 = its sum with itself */
    ck_assert_int_eq(
        cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, m->b, 8, m->a, 8, &zero, m->c, 8),
        0);
    ck_assert_int_eq(cublasSaxpy(h, N, &two, m->a, 1, m->c, 1), 0);
    ck_assert_int_eq(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE), 0);
    ck_assert_int_eq(cublasSdot(h, 8, m->a, 1, m->b, 1, m->c), 0);
    ck_assert_int_eq(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST), 0);
    ck_assert_int_eq(
        cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 8, 8, &one, m->c, 8, &zero, m->c, 8, m->b, 8), 0);
    ck_assert_int_eq(cublasScopy(h, N, m->b, 1, m->c, 1), 0);
    ck_assert_int_eq(cublasSscal(h, 4, &two, m->c, 2), 0);
    ck_assert_int_eq(cublasDestroy(h), CUBLAS_STATUS_SUCCESS);
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
    expect_no("the device is used outside of the call");
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

TEST(any_bytes) {
    static unsigned char kept_bytes[ROOM];
    int ends[4] = {0};
    record(does_everything);
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
    ck_assert_int_gt(ends[REPEAT_DONE], 5); /* a float of the host's may be any */
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
