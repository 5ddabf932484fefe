/* witness_record.c: see witness_record.h. */
#include "grading/tests/witness_record.h"

#include "vgpu/include/cublas_v2.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_journal.h"
#include "vgpu/tests/kernels_ptx.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

struct shared *box;
float given[3][N];
struct program_texts texts;
struct repeat repeat;
const void *const factor = factor_shadow;

void hand_over(unsigned char *to, size_t *bytes) {
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

void record_of(program *early, program *work, bool c_on_host) {
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

void record(program *work) {
    record_of(NULL, work, false);
}

void begin(void) {
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

enum repeat_end repeat_all(void) {
    begin();
    const enum repeat_end end = repeat_early(&repeat, box->early, box->early_bytes);
    return end == REPEAT_DONE ? repeat_call(&repeat, box->call, box->call_bytes) : end;
}

const float *now(int matrix) {
    return (const float *)(const void *)repeat_matrix_now(&repeat, matrix);
}

void expect_done(void) {
    const enum repeat_end end = repeat_all();
    ck_assert_msg(end == REPEAT_DONE, "%s", repeat.why);
}

int repeat_apart(void) {
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

void expect_no(const char *why) {
    ck_assert_int_eq(repeat_apart(), REPEAT_DISAGREES);
    ck_assert_msg(strstr(box->why, why) != NULL, "said \"%s\", not \"%s\"", box->why, why);
}

/* ---- What programs do ---- */

void launch_fill(float *p, int n, float value) {
    void *args[] = {&p, &n, &value};
    ck_assert_int_eq(cudaLaunchKernel(&fill_stub, (dim3){(unsigned)(n + 31) / 32, 1, 1},
                                      (dim3){32, 1, 1}, args, 0, NULL),
                     cudaSuccess);
}

void fills(struct matrices *m) {
    launch_fill(m->c, N, 2.5f);
}

void hops(struct matrices *m) {
    (void)m;
    ck_assert_int_eq(cudaLaunchKernel(&hops_stub, (dim3){1, 1, 1}, (dim3){32, 1, 1}, NULL, 0, NULL),
                     cudaSuccess);
}

void copies_in_all_shapes(struct matrices *m) {
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

/* Host and device take turns in memory that both reach. */
void shares(struct matrices *m) {
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

void multiplies(struct matrices *m) {
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

/* Each of cuBLAS' calls on triangles and pairs of vectors, with matrices that are copied first; C
 * as it is then is kept. */
void solves(struct matrices *m) {
    const cublasFillMode_t LOW = CUBLAS_FILL_MODE_LOWER, UP = CUBLAS_FILL_MODE_UPPER;
    const cublasSideMode_t LEFT = CUBLAS_SIDE_LEFT, RIGHT = CUBLAS_SIDE_RIGHT;
    const cublasOperation_t NO = CUBLAS_OP_N, YES = CUBLAS_OP_T;
    const cublasDiagType_t ONES = CUBLAS_DIAG_UNIT, ANY = CUBLAS_DIAG_NON_UNIT;
    const float one = 1, half = 0.5f, two = 2;
    float from[N];
    cublasHandle_t h;
    for (int i = 0; i < N; i++)
        from[i] = i % 9 == 0 ? 2 : (float)(i % 5 - 2);
    ck_assert_int_eq(cudaMemcpy(m->a, from, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(m->c, from, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    for (int i = 0; i < N; i++)
        from[i] = (float)(i % 7 - 3);
    ck_assert_int_eq(cudaMemcpy(m->b, from, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cublasCreate(&h), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasSswap(h, 20, m->b, 2, m->c, -1), 0);
    ck_assert_int_eq(cublasSrot(h, 20, m->b, 1, m->c, 3, &two, &half), 0);
    ck_assert_int_eq(cublasSger(h, 7, 8, &half, m->b, 1, m->b, 2, m->c, 8), 0);
    ck_assert_int_eq(cublasSdgmm(h, RIGHT, 8, 8, m->c, 8, m->b, 1, m->c, 8), 0);
    ck_assert_int_eq(cublasStrmv(h, UP, YES, ANY, 8, m->a, 8, m->c, 1), 0);
    ck_assert_int_eq(cublasStrsv(h, LOW, NO, ANY, 8, m->a, 8, m->c + 8, 1), 0);
    ck_assert_int_eq(cublasSsymv(h, UP, 8, &half, m->a, 8, m->b, 1, &one, m->c, 2), 0);
    ck_assert_int_eq(cublasStrmm(h, RIGHT, LOW, NO, ONES, 7, 6, &half, m->a, 8, m->b, 8, m->c, 8),
                     0);
    ck_assert_int_eq(cublasStrsm(h, LEFT, UP, YES, ANY, 8, 4, &two, m->a, 8, m->c, 8), 0);
    ck_assert_int_eq(cublasSsymm(h, RIGHT, UP, 4, 6, &half, m->a, 8, m->b, 8, &one, m->c + 4, 8),
                     0);
    ck_assert_int_eq(cublasSsyr(h, LOW, 5, &half, m->b, 3, m->c, 8), 0);
    ck_assert_int_eq(cublasSsyrk(h, UP, YES, 4, 8, &half, m->a, 8, &one, m->c + 9, 8), 0);
    ck_assert_int_eq(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE), 0);
    ck_assert_int_eq(cublasIsamax(h, 60, m->b, 1, (int *)m->c), 0);
    ck_assert_int_eq(cublasIsamin(h, 60, m->b, 1, (int *)m->c + 1), 0);
    ck_assert_int_eq(cublasDestroy(h), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaMemcpy(box->on_host, m->c, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
}
