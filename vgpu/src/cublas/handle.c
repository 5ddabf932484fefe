/*
 * handle.c: cuBLAS handles, their settings, status texts, and operands; see handle.h.
 */
#include "vgpu/src/cublas/handle.h"
#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/late.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- entering and leaving ---- */

cublasStatus_t vg_blas_begin(vg_blas *b, cublasHandle_t handle, const char *call) {
    *b = (vg_blas){.ctx = vg_begin(), .handle = handle, .call = call};
    if (!vg_ptrmap_get(&b->ctx->blas, handle)) {
        vg_tell(b->ctx,
                handle ? VG_NOTE(DEAD_HANDLE, .call = call) : VG_NOTE(NULL_HANDLE, .call = call));
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    return vg_ready(b->ctx) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t vg_blas_begin_work(vg_blas *b, cublasHandle_t handle, const char *call) {
    const cublasStatus_t status = vg_blas_begin(b, handle, call);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (vg_is_captured(b->ctx, handle->stream))
        vg_capture_refuses(b->ctx, call, handle->stream,
                           "the virtual GPU makes no nodes of cuBLAS's calls");
    else if (vg_capture_allows_work(b->ctx, call, handle->stream) == cudaSuccess)
        return status;
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

void vg_blas_computes(vg_blas *b) {
    vg_stream_busy(b->ctx, b->handle->stream);
    vg_late_before(b->ctx, b->handle->stream);
    b->computes = true;
}

cublasStatus_t vg_blas_end(vg_blas *b, cublasStatus_t status) {
    if (b->computes)
        vg_journal_wrote(b->ctx);
    if (b->computes)
        vg_late_after(b->ctx, NULL);
    vg_end_quietly(b->ctx);
    /* The fault comes to light at the next CUDA call. */
    return b->faulted ? CUBLAS_STATUS_SUCCESS : status;
}

cublasStatus_t vg_blas_invalid(vg_blas *b, vg_note *note) {
    note->call = b->call;
    vg_tell(b->ctx, note);
    return CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- operands ---- */

/* Host address of `bytes` at `at`, or NULL: the operand that is told leaves its memory. `outside`
 * is what to say where it begins in none. */
static void *operand(vg_blas *b, const void *at, uint64_t bytes, vg_note *note,
                     enum vgpu_says outside) {
    const uint64_t addr = (uint64_t)(uintptr_t)at;
    void *host = vg_mem_at(b->ctx->mem, addr, bytes);
    if (host)
        return host;
    char words[1024];
    const vg_alloc *a = vg_mem_find(b->ctx->mem, addr);
    note->call = b->call;
    note->is.status = cudaErrorIllegalAddress;
    note->is.product = b->multiplies;
    note->is.address = addr;
    note->is.size = bytes;
    vg_mem_locate(b->ctx->mem, addr, &note->is);
    if (a)
        note->is.limit = a->size - (addr - a->addr);
    else
        note->is.says = outside;
    b->faulted = true;
    vg_fact_words(vg_note_close(note), words, sizeof words);
    vg_fail_sticky(b->ctx, &note->is, words);
    return NULL;
}

static void touch(const vg_blas *b, const vg_read *rows, bool writes) {
    vg_check_touch(b->ctx->check, &(vg_touch){.addr = rows->addr,
                                              .width = rows->width,
                                              .height = rows->rows,
                                              .depth = 1,
                                              .pitch = rows->pitch,
                                              .grows = rows->grows,
                                              .writes = writes,
                                              .call = b->call});
}

/* Says what of `elements` is read and was never written. */
static void reads(vg_blas *b, const char *name, const vg_read *read, uint64_t elements) {
    const vg_alloc *a = vg_mem_find(b->ctx->mem, read->addr);
    vg_unwritten found;
    if (a != NULL)
        touch(b, read, false);
    if (a == NULL || !vg_check_unwritten(b->ctx->check, read, &found))
        return;
    char words[1024];
    vg_note *note =
        VG_NOTE(BLAS_UNWRITTEN, .call = b->call, .name = name, .is.address = found.first,
                .is.count = found.count, .is.limit = elements);
    vg_mem_name(a, &note->is);
    note->is.number[0] = (int64_t)((found.first - a->addr) / read->element);
    vg_fact_words(vg_note_close(note), words, sizeof words);
    vg_check_read(b->ctx->check, &note->is, true, words);
    vg_tell_words(b->ctx, &note->is, words);
}

void vg_blas_reads(vg_blas *b, const char *name, enum vg_real type, const void *at, int64_t rows,
                   int64_t cols, int64_t ld) {
    const uint64_t each = vg_real_size(type);
    if (rows > 0 && cols > 0)
        reads(b, name,
              &(vg_read){.addr = (uint64_t)(uintptr_t)at,
                         .width = (uint64_t)rows * each,
                         .rows = (uint64_t)cols,
                         .pitch = (uint64_t)ld * each,
                         .element = (uint32_t)each},
              (uint64_t)rows * (uint64_t)cols);
}

/* These have values now. */
static void writes(const vg_blas *b, const vg_read *rows) {
    touch(b, rows, true);
    if (rows->pitch == rows->width && rows->grows == 0) {
        vg_check_wrote(b->ctx->check, rows->addr, rows->width * rows->rows);
        return;
    }
    for (uint64_t i = 0; i < rows->rows; i++)
        vg_check_wrote(b->ctx->check, rows->addr + i * rows->pitch,
                       rows->width + i * (uint64_t)rows->grows);
}

void vg_blas_writes(vg_blas *b, enum vg_real type, const void *at, int64_t rows, int64_t cols,
                    int64_t ld) {
    const uint64_t each = vg_real_size(type);
    if (rows > 0 && cols > 0)
        writes(b, &(vg_read){.addr = (uint64_t)(uintptr_t)at,
                             .width = (uint64_t)rows * each,
                             .rows = (uint64_t)cols,
                             .pitch = (uint64_t)ld * each});
}

void vg_blas_writes_vector(vg_blas *b, enum vg_real type, const void *at, int64_t n, int64_t inc) {
    vg_blas_writes(b, type, at, 1, n, inc < 0 ? -inc : inc);
}

/* Columns of a triangle with so many rows. */
static vg_read triangle(enum vg_real type, const void *at, int64_t side, int64_t ld, bool lower) {
    const uint64_t each = vg_real_size(type), pitch = (uint64_t)ld * each;
    return (vg_read){.addr = (uint64_t)(uintptr_t)at,
                     .width = lower ? (uint64_t)side * each : each,
                     .rows = (uint64_t)side,
                     .pitch = lower ? pitch + each : pitch,
                     .grows = lower ? -(int64_t)each : (int64_t)each,
                     .element = (uint32_t)each};
}

void vg_blas_reads_triangle(vg_blas *b, const char *name, enum vg_real type, const void *at,
                            int64_t n, int64_t ld, bool lower, bool unit) {
    const int64_t side = unit ? n - 1 : n; /* of the triangle that is read */
    if (side <= 0)
        return;
    vg_read read = triangle(type, at, side, ld, lower);
    if (unit)
        read.addr += vg_real_size(type) * (lower ? 1 : (uint64_t)ld);
    reads(b, name, &read, (uint64_t)side * (uint64_t)(side + 1) / 2);
}

void vg_blas_writes_triangle(vg_blas *b, enum vg_real type, const void *at, int64_t n, int64_t ld,
                             bool lower) {
    const vg_read columns = triangle(type, at, n, ld, lower);
    if (n > 0)
        writes(b, &columns);
}

/* Where element i of a vector is: with a negative step it starts at the far end. */
static int64_t place_of(int64_t i, int64_t inc, int64_t n) {
    return inc < 0 ? (i - (n - 1)) * inc : i * inc;
}

void vg_blas_copies_vector(vg_blas *b, enum vg_real type, const void *to, int64_t to_inc,
                           const void *from, int64_t from_inc, int64_t n) {
    const int64_t each = (int64_t)vg_real_size(type);
    const uint64_t step = (uint64_t)((to_inc < 0 ? -to_inc : to_inc) * each);
    const bool solid = to_inc == 1 && from_inc == 1;
    if (n <= 0)
        return;
    touch(b,
          &(vg_read){.addr = (uint64_t)(uintptr_t)to,
                     .width = (uint64_t)each,
                     .rows = (uint64_t)n,
                     .pitch = step},
          true);
    for (int64_t i = 0; i < (solid ? 1 : n); i++)
        vg_check_copied(b->ctx->check,
                        (uint64_t)(uintptr_t)to + (uint64_t)place_of(i, to_inc, n) * (uint64_t)each,
                        (uint64_t)(uintptr_t)from +
                            (uint64_t)place_of(i, from_inc, n) * (uint64_t)each,
                        (uint64_t)(solid ? n * each : each));
}

void *vg_blas_matrix(vg_blas *b, const char *name, enum vg_real type, const void *at, int64_t rows,
                     int64_t cols, int64_t ld) {
    static char nothing[1];
    if (rows == 0 || cols == 0)
        return nothing;
    uint64_t elements = (uint64_t)(cols - 1) * (uint64_t)ld + (uint64_t)rows;
    const int64_t each = (int64_t)vg_real_size(type);
    return operand(b, at, elements * (uint64_t)each,
                   VG_NOTE(BLAS_MATRIX_SHORT, .other = name, .is.number = {rows, cols, ld, each}),
                   VGPU_BLAS_MATRIX_AT);
}

void *vg_blas_vector(vg_blas *b, const char *name, enum vg_real type, const void *at, int64_t n,
                     int64_t inc) {
    static char nothing[1];
    if (n <= 0)
        return nothing;
    const int64_t step = inc < 0 ? -inc : inc, each = (int64_t)vg_real_size(type);
    uint64_t elements = (uint64_t)(n - 1) * (uint64_t)step + 1;
    return operand(b, at, elements * (uint64_t)each,
                   VG_NOTE(BLAS_VECTOR_SHORT, .other = name, .is.number = {n, 1, step, each}),
                   VGPU_BLAS_VECTOR_AT);
}

/* ---- scalars ---- */

static bool on_device(const vg_blas *b, const void *at) {
    return vg_mem_is_device_address(b->ctx->mem, (uint64_t)(uintptr_t)at);
}

/* Where the scalar at `at` can be read or written, or NULL with *status set. */
static void *scalar_place(vg_blas *b, const char *name, enum vg_real type, const void *at,
                          cublasStatus_t *status) {
    *status = CUBLAS_STATUS_SUCCESS;
    if (!at) {
        *status = vg_blas_invalid(b, VG_NOTE(BLAS_NULL_SCALAR, .name = name));
        return NULL;
    }
    if (b->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        if (!on_device(b, at))
            return (void *)(uintptr_t)at;
        *status = vg_blas_invalid(b, VG_NOTE(BLAS_DEVICE_SCALAR, .name = name));
        return NULL;
    }
    return vg_blas_vector(b, name, type, at, 1, 1);
}

cublasStatus_t vg_blas_scalar(vg_blas *b, const char *name, enum vg_real type, const void *at,
                              double *value) {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    const void *place = scalar_place(b, name, type, at, &status);
    if (place && b->handle->pointer_mode != CUBLAS_POINTER_MODE_HOST)
        vg_blas_reads(b, name, type, at, 1, 1, 1);
    if (place)
        *value = vg_get(type, place, 0);
    return status;
}

/* Host memory is nobody's business. */
static void result_written(vg_blas *b, enum vg_real type, const void *at) {
    if (b->handle->pointer_mode != CUBLAS_POINTER_MODE_HOST)
        vg_blas_writes(b, type, at, 1, 1, 1);
}

cublasStatus_t vg_blas_result(vg_blas *b, enum vg_real type, void *at, double value) {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    void *place = scalar_place(b, "the result", type, at, &status);
    if (place) {
        vg_set(type, place, 0, value);
        result_written(b, type, at);
    }
    return status;
}

cublasStatus_t vg_blas_int_result(vg_blas *b, int *at, int value) {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    int *place = scalar_place(b, "the result", VG_F32, at, &status); /* as wide as a float */
    if (place) {
        *place = value;
        result_written(b, VG_F32, at);
    }
    return status;
}

/* ---- handles ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    vg_context *ctx = vg_begin();
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (!handle)
        status = CUBLAS_STATUS_INVALID_VALUE;
    else if (vg_ready(ctx) != cudaSuccess || vg_fails(ctx, VGPU_CALL_BLAS, "cublasCreate"))
        status = CUBLAS_STATUS_NOT_INITIALIZED;
    if (status == CUBLAS_STATUS_SUCCESS) {
        struct cublasContext *h = calloc(1, sizeof *h);
        if (!h || !vg_ptrmap_put(&ctx->blas, h, h)) {
            free(h);
            status = CUBLAS_STATUS_ALLOC_FAILED;
        } else {
            *handle = h;
        }
    }
    vg_end_quietly(ctx);
    return status;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    vg_context *ctx = vg_begin();
    struct cublasContext *h = vg_ptrmap_take(&ctx->blas, handle);
    if (!h)
        vg_tell(ctx, handle ? VG_NOTE(HANDLE_DESTROYED, .call = "cublasDestroy")
                            : VG_NOTE(NULL_HANDLE_DESTROYED, .call = "cublasDestroy"));
    vg_end_quietly(ctx);
    free(h);
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    vg_blas b;
    cublasStatus_t status = vg_blas_begin(&b, handle, "cublasGetVersion");
    if (status == CUBLAS_STATUS_SUCCESS && !version)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        *version = CUBLAS_VERSION;
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
    static const int version[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = version[type];
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    vg_blas b;
    cublasStatus_t status = vg_blas_begin(&b, handle, "cublasSetStream");
    if (status == CUBLAS_STATUS_SUCCESS && !vg_stream_valid(b.ctx, stream))
        status =
            vg_blas_invalid(&b, VG_NOTE(DEAD_STREAM, .is.address = (uint64_t)(uintptr_t)stream));
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->stream = stream;
    return vg_blas_end(&b, status);
}

/* A call that tells a field of the handle. */
#define GETTER(function, call, type, field)                                                        \
    cublasStatus_t function(cublasHandle_t handle, type *to) {                                     \
        vg_blas b;                                                                                 \
        cublasStatus_t status = vg_blas_begin(&b, handle, call);                                   \
        if (status == CUBLAS_STATUS_SUCCESS && !to)                                                \
            status = CUBLAS_STATUS_INVALID_VALUE;                                                  \
        if (status == CUBLAS_STATUS_SUCCESS)                                                       \
            *to = handle->field;                                                                   \
        return vg_blas_end(&b, status);                                                            \
    }
GETTER(cublasGetStream_v2, "cublasGetStream", cudaStream_t, stream)
GETTER(cublasGetPointerMode_v2, "cublasGetPointerMode", cublasPointerMode_t, pointer_mode)
GETTER(cublasGetMathMode, "cublasGetMathMode", cublasMath_t, math_mode)
GETTER(cublasGetAtomicsMode, "cublasGetAtomicsMode", cublasAtomicsMode_t, atomics_mode)

/* No call here needs room to work in. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
    vg_blas b;
    (void)workspace;
    (void)bytes;
    return vg_blas_end(&b, vg_blas_begin(&b, handle, "cublasSetWorkspace"));
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    vg_blas b;
    cublasStatus_t status = vg_blas_begin(&b, handle, "cublasSetPointerMode");
    if (status == CUBLAS_STATUS_SUCCESS && (unsigned)mode > CUBLAS_POINTER_MODE_DEVICE)
        status =
            vg_blas_invalid(&b, VG_NOTE(BLAS_MODE, .name = "pointer", .is.number = {(int)mode}));
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->pointer_mode = mode;
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    vg_blas b;
    /* One bit may be added to any mode. */
    unsigned base = (unsigned)mode & ~(unsigned)CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    cublasStatus_t status = vg_blas_begin(&b, handle, "cublasSetMathMode");
    if (status == CUBLAS_STATUS_SUCCESS && base > CUBLAS_FP32_EMULATED_BF16X9_MATH)
        status = vg_blas_invalid(&b, VG_NOTE(BLAS_MODE, .name = "math", .is.number = {(int)mode}));
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->math_mode = mode;
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
    vg_blas b;
    cublasStatus_t status = vg_blas_begin(&b, handle, "cublasSetAtomicsMode");
    if (status == CUBLAS_STATUS_SUCCESS && (unsigned)mode > CUBLAS_ATOMICS_ALLOWED)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status == CUBLAS_STATUS_SUCCESS)
        handle->atomics_mode = mode;
    return vg_blas_end(&b, status);
}

/* ---- status texts ---- */

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

const char *cublasGetStatusName(cublasStatus_t status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "unrecognized status";
}

const char *cublasGetStatusString(cublasStatus_t status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unrecognized status";
}
