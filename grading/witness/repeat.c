/* repeat.c: repeats a journal (see repeat.h): modules, launches, cuBLAS, and the walk through all
 * of it. */
#include "grading/witness/repeat_parts.h"

#include "vgpu/include/cublas_v2.h"
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/count/install.h"
#include "vgpu/src/cublas/gemm.h"
#include "vgpu/src/cublas/product.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A loaded module of the program's. */
struct module {
    struct module *next;
    uint64_t hash;
    vg_module *module;
};

/* No parameter block of a kernel is larger, nor are there more parameters. */
enum { MOST_PARAMS = 1024 };

static enum repeat_end say(struct repeat *r, enum repeat_end end, const char *format,
                           va_list args) {
    vsnprintf(r->why, sizeof r->why, format, args);
    return end;
}

enum repeat_end repeat_disagree(struct repeat *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const enum repeat_end end = say(r, REPEAT_DISAGREES, format, args);
    va_end(args);
    return end;
}

enum repeat_end repeat_cannot(struct repeat *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const enum repeat_end end = say(r, REPEAT_CANNOT, format, args);
    va_end(args);
    return end;
}

enum repeat_end repeat_moves(struct repeat *r, uint64_t bytes) {
    if (bytes > r->limits.moved || r->moved > r->limits.moved - bytes)
        return repeat_disagree(r, "more bytes are moved than a call can move in its time");
    r->moved += bytes;
    return REPEAT_DONE;
}

/* ---- modules ---- */

static vg_module *module_of(const struct repeat *r, uint64_t hash) {
    for (const struct module *m = r->modules; m; m = m->next)
        if (m->hash == hash)
            return m->module;
    return NULL;
}

static void unload_all(struct repeat *r, vg_context *ctx) {
    while (r->modules) {
        struct module *m = r->modules;
        r->modules = m->next;
        vg_module_unload(m->module, ctx->mem);
        free(m);
    }
}

/* Reads the list of managed variables: *bound, owned with its names. False when it does not fit. */
static bool read_managed(struct repeat *r, const struct journal_record *j, vg_binding *bound) {
    const unsigned char *at = j->rest, *end = j->rest + j->rest_bytes;
    for (uint64_t i = 0; i < j->u.module.managed; i++) {
        struct vj_managed one;
        if ((size_t)(end - at) < sizeof one)
            return false;
        memcpy(&one, at, sizeof one);
        at += sizeof one;
        if (one.name_bytes > (uint64_t)(end - at) ||
            vj_padded(one.name_bytes) > (uint64_t)(end - at) || one.size > r->limits.alive ||
            one.addr == 0 || repeat_moves(r, one.size) != REPEAT_DONE)
            return false;
        struct backing *b = repeat_backing(r, one.addr, one.size, VG_MEM_MODULE);
        char *name = strndup((const char *)at, (size_t)one.name_bytes);
        bound[i] = (vg_binding){name, b ? b->bytes : NULL, b ? (size_t)one.size : 0, one.addr};
        if (!b || !name)
            return false;
        at += vj_padded(one.name_bytes);
    }
    return at == end;
}

static enum repeat_end load(struct repeat *r, vg_context *ctx, const struct journal_record *j) {
    const struct ptx_text *text = program_text(r->texts, j->u.module.hash, j->u.module.length);
    if (!text)
        return repeat_disagree(r, "device code is used that the program's file does not hold");
    const uint64_t count = j->u.module.managed;
    if (count > j->rest_bytes / sizeof(struct vj_managed))
        return repeat_disagree(r, "a module's variables are not told");
    vg_binding *bound = calloc((size_t)count + 1, sizeof *bound);
    struct module *m = calloc(1, sizeof *m);
    vg_fault fault = {0};
    enum repeat_end end = REPEAT_DONE;
    if (!bound || !m)
        end = repeat_cannot(r, "no memory for a module");
    else if (!read_managed(r, j, bound))
        end = repeat_disagree(r, "a module's variables are not told");
    if (end == REPEAT_DONE && m) {
        m->hash = text->hash;
        m->module =
            vg_module_load_bound(text->text, text->length, ctx->mem, bound, (size_t)count, &fault);
        if (!m->module)
            end = repeat_disagree(r, "a module cannot be loaded: %.160s", fault.text);
    }
    for (uint64_t i = 0; bound && i < count; i++)
        free((char *)bound[i].name);
    free(bound);
    if (end == REPEAT_DONE && m) {
        m->next = r->modules;
        r->modules = m;
    } else {
        free(m);
    }
    return end;
}

/* ---- kernels ---- */

/* Points at each parameter in the block of bytes. False when the block is not this kernel's. */
static bool point_at_arguments(const vg_kernel *kernel, unsigned char *params, uint64_t bytes,
                               void **args) {
    const int count = vg_kernel_get_info(kernel)->num_params;
    uint64_t end = 0;
    for (int i = 0; i < count && i < MOST_PARAMS; i++) {
        size_t offset = 0, size = 0;
        vg_kernel_param(kernel, i, &offset, &size);
        end = offset + size > end ? offset + size : end;
        args[i] = params + offset;
    }
    return count <= MOST_PARAMS && end == bytes;
}

/* What a launch may be, before it is made. */
static const char *launch_fault(const vg_context *ctx, const struct vj_launch *l) {
    const int most = ctx->settings.profile->shared_block_optin;
    if (l->max_dynamic < -1 ||
        l->max_dynamic > (most > 0 ? most : ctx->settings.profile->shared_block))
        return "a kernel has more shared memory than there is";
    if (l->cooperative > 1)
        return "a kernel is launched as none can be";
    return NULL;
}

/* What the executor pays for is no count of instructions: one may be several operations, and a jump
 * back pays for all that lies between, run or not. So it only ends early what no honest call comes
 * near; count_instructions decides. */
enum { OPS_AN_INSTRUCTION = 64 };
#define MOST_OPS ((uint64_t)1 << 32)

static uint64_t most_ops(const struct repeat *r) {
    const uint64_t told = r->limits.instructions;
    return told < MOST_OPS / OPS_AN_INSTRUCTION ? told * OPS_AN_INSTRUCTION : MOST_OPS;
}

/* After each block: is it all more than the process can have done? A block by itself ends by its
 * budget. */
static void on_block_end(void *self, host_thread *wk) {
    struct repeat *r = self;
    const uint64_t spent =
        wk->spent + (uint64_t)(wk->quantum - wk->slice) + 2 * (uint64_t)wk->block.num_warps;
    if (atomic_fetch_add(&r->run, spent) + spent > most_ops(r))
        vg_stop(&wk->block.warps[0], wk->launch->program->ops, 0, VG_LAUNCH_TIMEOUT,
                VG_NOTE(ENDLESS, .is.count = spent / 1000));
}

static bool watch_blocks(struct repeat *r, vg_context *ctx) {
    if (r->stopper)
        return true;
    r->stopper = calloc(1, sizeof *r->stopper);
    if (!r->stopper)
        return false;
    *r->stopper = (vg_observer){.name = "witness", .self = r, .block_end = on_block_end};
    return vg_exec_observe(ctx->exec, r->stopper);
}

/* Runs it: `block` is a copy of the parameter block. */
static enum repeat_end run_kernel(struct repeat *r, vg_context *ctx, const struct vj_launch *l,
                                  vg_kernel *kernel, unsigned char *block) {
    void *args[MOST_PARAMS];
    vg_fault fault = {0};
    vg_function fn = {.name = vg_kernel_get_info(kernel)->name,
                      .kernel = kernel,
                      .max_dynamic = (int)l->max_dynamic,
                      .carveout = cudaSharedmemCarveoutDefault};
    if (!vg_count_install(ctx->exec) || !watch_blocks(r, ctx))
        return repeat_cannot(r, "no memory for the counters");
    if (!vg_kernel_prepare(kernel, vg_exec_is_observed(ctx->exec), &fault))
        return repeat_disagree(r, "a kernel cannot run: %.160s", fault.text);
    if (!point_at_arguments(kernel, block, l->arg_bytes, args))
        return repeat_disagree(r, "a kernel is launched with other arguments than it has");
    if (vg_kernel_get_info(kernel)->uses_heap && !ctx->heap &&
        (l->heap_limit > r->limits.alive || !repeat_fits(ctx, l->heap_limit)))
        return repeat_disagree(r, "more memory is allocated than a process may have");
    if (ctx->settings.budget == 0 || ctx->settings.budget > most_ops(r))
        ctx->settings.budget = most_ops(r) + 1;
    ctx->limits[cudaLimitStackSize] = l->stack_limit;
    ctx->limits[cudaLimitMallocHeapSize] = l->heap_limit;
    const dim3 grid = {l->grid[0], l->grid[1], l->grid[2]},
               threads = {l->block[0], l->block[1], l->block[2]};
    const cudaError_t error = l->cooperative
                                  ? vg_run_cooperative(ctx, &fn, grid, threads, args, l->shared)
                                  : vg_run_kernel(ctx, &fn, grid, threads, args, l->shared);
    r->device_wrote = true;
    if (error == cudaErrorMemoryAllocation)
        return repeat_cannot(r, "no memory for a launch");
    if (error != cudaSuccess)
        return repeat_disagree(r, "a kernel is launched as no device allows");
    if (r->run > most_ops(r))
        return repeat_disagree(r, "its kernels run more instructions than it told of");
    if (ctx->sticky != cudaSuccess)
        return repeat_disagree(r, "a kernel ends with a fault");
    return REPEAT_DONE;
}

static enum repeat_end start_kernel(struct repeat *r, vg_context *ctx,
                                    const struct journal_record *j) {
    const struct vj_launch *l = &j->u.launch;
    vg_module *module = module_of(r, l->module);
    const char *wrong = launch_fault(ctx, l);
    if (wrong)
        return repeat_disagree(r, "%s", wrong);
    if (!module)
        return repeat_disagree(r, "a kernel is launched that the program does not have");
    char *name = strndup((const char *)j->rest, l->name_bytes);
    vg_kernel *kernel = name ? vg_module_kernel(module, name) : NULL;
    free(name);
    if (!kernel)
        return repeat_disagree(r, "a kernel is launched that the program does not have");
    /* Aligned as parameters are; at least one byte. */
    unsigned char *block = aligned_alloc(64, ((size_t)l->arg_bytes + 64) / 64 * 64);
    if (!block)
        return repeat_cannot(r, "no memory for a launch");
    memcpy(block, j->rest + vj_padded(l->name_bytes), l->arg_bytes);
    repeat_host_may_look(r);
    const enum repeat_end end = run_kernel(r, ctx, l, kernel, block);
    free(block);
    return end;
}

/* After a launch, without the lock. */
static enum repeat_end count_instructions(struct repeat *r) {
    struct vgpu_counters c;
    if (vgpu_total_counters(&c, NULL) && c.warp_instructions > r->limits.instructions)
        return repeat_disagree(r, "its kernels run more instructions than it told of");
    return REPEAT_DONE;
}

/* ---- cuBLAS ---- */

static bool have_handle(struct repeat *r) {
    cublasHandle_t handle = NULL;
    if (!r->blas && cublasCreate_v2(&handle) == CUBLAS_STATUS_SUCCESS)
        r->blas = handle;
    return r->blas;
}

/* Adds up what it costs; a call that does nothing costs something, too. */
static enum repeat_end count_madds(struct repeat *r, int32_t m, int32_t n, int32_t k,
                                   int32_t batch) {
    uint64_t madds = 1;
    if (__builtin_mul_overflow(madds, m > 0 ? (uint64_t)m : 1, &madds) ||
        __builtin_mul_overflow(madds, n > 0 ? (uint64_t)n : 1, &madds) ||
        __builtin_mul_overflow(madds, k > 0 ? (uint64_t)k : 1, &madds) ||
        __builtin_mul_overflow(madds, batch > 0 ? (uint64_t)batch : 1, &madds) ||
        madds > r->limits.madds || r->madds > r->limits.madds - madds)
        return repeat_disagree(r, "cuBLAS is asked for more than a call can compute in its time");
    r->madds += madds;
    return REPEAT_DONE;
}

static enum repeat_end after_blas(struct repeat *r, cublasStatus_t status) {
    vg_context *ctx = vg_begin();
    const bool faulted = ctx->sticky != cudaSuccess;
    vg_end_quietly(ctx);
    r->device_wrote = true;
    if (status == CUBLAS_STATUS_ALLOC_FAILED)
        return repeat_cannot(r, "no memory for a call of cuBLAS");
    if (status != CUBLAS_STATUS_SUCCESS || faulted)
        return repeat_disagree(r, "a call of cuBLAS fails");
    return REPEAT_DONE;
}

static enum repeat_end gemm(struct repeat *r, const struct vj_gemm *g) {
    const uint64_t element = g->mixed            ? sizeof(uint16_t)
                             : g->type == VG_F64 ? sizeof(double)
                                                 : sizeof(float);
    if (!vg_gemm_sound(g) || (!g->arrays && (g->a | g->b | g->c) % element != 0))
        return repeat_disagree(r, "a product of cuBLAS is none");
    if (count_madds(r, g->m, g->n, g->k, g->batch) != REPEAT_DONE)
        return REPEAT_DISAGREES;
    if (!have_handle(r))
        return repeat_cannot(r, "no memory for cuBLAS");
    (void)cublasSetPointerMode_v2(r->blas, CUBLAS_POINTER_MODE_HOST);
    return after_blas(r, vg_gemm_repeat(r->blas, g));
}

/* The calls, by their types. */
#define BLAS_CALLS(T, P, p)                                                                        \
    static cublasStatus_t blas_##P(cublasHandle_t h, const struct vj_blas *b) {                    \
        const T alpha = (T)b->alpha, beta = (T)b->beta;                                            \
        T dropped;                                                                                 \
        T *A = (T *)(uintptr_t)b->a, *B = (T *)(uintptr_t)b->b, *C = (T *)(uintptr_t)b->c;         \
        T *result = C ? C : &dropped;                                                              \
        int none;                                                                                  \
        int *where = C ? (int *)C : &none;                                                         \
        const cublasSideMode_t side = (cublasSideMode_t)(b->shape & 3);                            \
        const cublasFillMode_t uplo = (cublasFillMode_t)(b->shape >> 2 & 3);                       \
        const cublasDiagType_t diag = (cublasDiagType_t)(b->shape >> 4 & 3);                       \
        const cublasOperation_t ta = (cublasOperation_t)b->transa,                                 \
                                tb = (cublasOperation_t)b->transb;                                 \
        switch (b->call) {                                                                         \
        case VJ_AXPY: return cublas##P##axpy_v2(h, b->n, &alpha, A, b->lda, B, b->ldb);            \
        case VJ_SCAL: return cublas##P##scal_v2(h, b->n, &alpha, A, b->lda);                       \
        case VJ_COPY_VECTOR: return cublas##P##copy_v2(h, b->n, A, b->lda, B, b->ldb);             \
        case VJ_DOT: return cublas##P##dot_v2(h, b->n, A, b->lda, B, b->ldb, result);              \
        case VJ_NRM2: return cublas##P##nrm2_v2(h, b->n, A, b->lda, result);                       \
        case VJ_ASUM: return cublas##P##asum_v2(h, b->n, A, b->lda, result);                       \
        case VJ_GEMV:                                                                              \
            return cublas##P##gemv_v2(h, ta, b->m, b->n, &alpha, A, b->lda, B, b->ldb, &beta, C,   \
                                      b->ldc);                                                     \
        case VJ_AMAX: return cublasI##p##amax_v2(h, b->n, A, b->lda, where);                       \
        case VJ_AMIN: return cublasI##p##amin_v2(h, b->n, A, b->lda, where);                       \
        case VJ_SWAP: return cublas##P##swap_v2(h, b->n, A, b->lda, B, b->ldb);                    \
        case VJ_ROT: return cublas##P##rot_v2(h, b->n, A, b->lda, B, b->ldb, &alpha, &beta);       \
        case VJ_GER:                                                                               \
            return cublas##P##ger_v2(h, b->m, b->n, &alpha, A, b->lda, B, b->ldb, C, b->ldc);      \
        case VJ_DGMM:                                                                              \
            return cublas##P##dgmm(h, side, b->m, b->n, A, b->lda, B, b->ldb, C, b->ldc);          \
        case VJ_TRMV: return cublas##P##trmv_v2(h, uplo, ta, diag, b->m, A, b->lda, C, b->ldc);    \
        case VJ_TRSV: return cublas##P##trsv_v2(h, uplo, ta, diag, b->m, A, b->lda, C, b->ldc);    \
        case VJ_SYMV:                                                                              \
            return cublas##P##symv_v2(h, uplo, b->m, &alpha, A, b->lda, B, b->ldb, &beta, C,       \
                                      b->ldc);                                                     \
        case VJ_TRMM:                                                                              \
            return cublas##P##trmm_v2(h, side, uplo, ta, diag, b->m, b->n, &alpha, A, b->lda, B,   \
                                      b->ldb, C, b->ldc);                                          \
        case VJ_TRSM:                                                                              \
            return cublas##P##trsm_v2(h, side, uplo, ta, diag, b->m, b->n, &alpha, A, b->lda, C,   \
                                      b->ldc);                                                     \
        case VJ_SYMM:                                                                              \
            return cublas##P##symm_v2(h, side, uplo, b->m, b->n, &alpha, A, b->lda, B, b->ldb,     \
                                      &beta, C, b->ldc);                                           \
        case VJ_SYR: return cublas##P##syr_v2(h, uplo, b->n, &alpha, A, b->lda, C, b->ldc);        \
        case VJ_SYRK:                                                                              \
            return cublas##P##syrk_v2(h, uplo, ta, b->n, b->m, &alpha, A, b->lda, &beta, C,        \
                                      b->ldc);                                                     \
        default:                                                                                   \
            return cublas##P##geam(h, ta, tb, b->m, b->n, &alpha, A, b->lda, &beta, B, b->ldb, C,  \
                                   b->ldc);                                                        \
        }                                                                                          \
    }
BLAS_CALLS(float, S, s)
BLAS_CALLS(double, D, d)

/* A call costs m times n times this; with a triangle, at most its larger side. */
static int32_t blas_depth(const struct vj_blas *b) {
    if (b->call == VJ_SYRK || b->call == VJ_SYR)
        return b->n;
    return b->call >= VJ_TRMV && b->call <= VJ_SYMM ? (b->m > b->n ? b->m : b->n) : 1;
}

static enum repeat_end blas(struct repeat *r, const struct vj_blas *b) {
    const bool index = b->call == VJ_AMAX || b->call == VJ_AMIN;
    const uint64_t element = b->twice ? sizeof(double) : sizeof(float);
    if (b->call >= VJ_BLAS_CALLS || b->twice > 1 || (b->a | b->b) % element != 0 ||
        b->c % (index ? sizeof(int) : element) != 0 || b->m < 0 || b->lda == INT32_MIN ||
        b->ldb == INT32_MIN || b->ldc == INT32_MIN)
        return repeat_disagree(r, "a call of cuBLAS is none");
    if (count_madds(r, b->m, b->n, blas_depth(b), 1) != REPEAT_DONE)
        return REPEAT_DISAGREES;
    if (!have_handle(r))
        return repeat_cannot(r, "no memory for cuBLAS");
    const bool result = b->call == VJ_DOT || b->call == VJ_NRM2 || b->call == VJ_ASUM || index;
    (void)cublasSetPointerMode_v2(r->blas, result && b->c ? CUBLAS_POINTER_MODE_DEVICE
                                                          : CUBLAS_POINTER_MODE_HOST);
    return after_blas(r, b->twice ? blas_D(r->blas, b) : blas_S(r->blas, b));
}

/* ---- the device ---- */

/* Makes device memory at the addresses of the journal. */
static enum repeat_end make_memory(struct repeat *r, vg_context *ctx, const struct vj_head *head) {
    if (ctx->mem)
        return head->base == vg_mem_base(ctx->mem) && head->range == vg_mem_range(ctx->mem) &&
                       head->capacity == vg_mem_capacity(ctx->mem)
                   ? REPEAT_DONE
                   : repeat_disagree(r, "device memory has moved");
    const uint64_t most = ctx->settings.profile ? ctx->settings.profile->memory_bytes : 0;
    vg_mem *own = vg_mem_create(most);
    if (!own)
        return repeat_cannot(r, "no address space for device memory");
    const uint64_t base = vg_mem_base(own), range = vg_mem_range(own);
    vg_mem_destroy(own);
    if (head->range > range || (base == VG_MEM_USUAL_BASE && head->base != base))
        return repeat_disagree(r, "device memory lies where the virtual GPU does not put it");
    ctx->mem = vg_mem_create_at(head->base, head->range, most);
    if (!ctx->mem)
        return errno == EINVAL ? repeat_disagree(r, "device memory lies where it cannot")
                               : repeat_cannot(r, "no address space for device memory");
    if (head->capacity != vg_mem_capacity(ctx->mem))
        return repeat_disagree(r, "device memory has a size that the virtual GPU does not give it");
    return vg_ready(ctx) == cudaSuccess ? REPEAT_DONE : repeat_cannot(r, "no virtual GPU");
}

static enum repeat_end reset(struct repeat *r) {
    vg_context *ctx = vg_begin();
    repeat_host_may_look(r);
    unload_all(r, ctx);
    vg_end_quietly(ctx);
    const cudaError_t error = cudaDeviceReset();
    repeat_drop_backings(r);
    return error == cudaSuccess ? REPEAT_DONE : repeat_cannot(r, "the virtual GPU cannot be reset");
}

/* One record that is done with the lock held. */
static enum repeat_end locked(struct repeat *r, const struct journal_record *j) {
    vg_context *ctx = vg_begin();
    enum repeat_end end = REPEAT_DONE;
    switch (j->kind) {
    case VJ_ALLOC: end = repeat_alloc(r, ctx, &j->u.alloc); break;
    case VJ_FREE: end = repeat_free(r, ctx, &j->u.alloc); break;
    case VJ_MODULE: end = load(r, ctx, j); break;
    case VJ_REGION: end = repeat_region(r, ctx, &j->u.region); break;
    case VJ_COPY: end = repeat_copy(r, ctx, j); break;
    case VJ_SET: end = repeat_set(r, ctx, &j->u.set); break;
    case VJ_HOST_WROTE: end = repeat_host_wrote(r, ctx, j); break;
    case VJ_LAUNCH: end = start_kernel(r, ctx, j); break;
    default: break;
    }
    vg_end_quietly(ctx);
    return end;
}

static enum repeat_end one(struct repeat *r, const struct journal_record *j) {
    enum repeat_end end;
    switch (j->kind) {
    case VJ_GEMM: return gemm(r, &j->u.gemm);
    case VJ_BLAS: return blas(r, &j->u.blas);
    case VJ_RESET: return reset(r);
    default:
        end = locked(r, j);
        return end == REPEAT_DONE && j->kind == VJ_LAUNCH ? count_instructions(r) : end;
    }
}

/* The submission's function begins. */
static enum repeat_end call_begins(struct repeat *r) {
    if (!r->in_call || r->called)
        return repeat_disagree(r, "it tells of another call");
    for (int i = 0; i < REPEAT_MATRICES; i++)
        if (!r->place[i].known)
            return repeat_disagree(r, "a matrix of the call is nowhere");
    r->called = true;
    vgpu_reset_counters();
    vgpu_reset_stats();
    return REPEAT_DONE;
}

/* What may happen between two calls: their matrices are made. */
static bool is_set_up(enum vj_kind kind) {
    return kind == VJ_ALLOC || kind == VJ_FREE || kind == VJ_REGION;
}

static enum repeat_end walk(struct repeat *r, const void *journal, size_t bytes) {
    struct journal_reader reader;
    struct journal_record j;
    enum repeat_end end = REPEAT_DONE;
    if (!journal_open(&reader, journal, bytes))
        return repeat_disagree(r, "%s", reader.wrong);
    if (reader.head.lost)
        return repeat_disagree(r, "more is written to the device than any product needs");
    while (end == REPEAT_DONE && journal_next(&reader, &j)) {
        if (j.kind == VJ_CALL) {
            end = call_begins(r);
            continue;
        }
        if (j.kind != VJ_REGION || !j.u.region.host) {
            vg_context *ctx = vg_begin();
            end = make_memory(r, ctx, &reader.head);
            vg_end_quietly(ctx);
        }
        if (end == REPEAT_DONE && r->in_call && !r->called && !is_set_up(j.kind))
            end = repeat_disagree(r, "the device is used outside the call");
        if (end == REPEAT_DONE)
            end = one(r, &j);
    }
    return end == REPEAT_DONE && reader.wrong ? repeat_disagree(r, "%s", reader.wrong) : end;
}

/* ---- from outside ---- */

void repeat_begin(struct repeat *r, const struct program_texts *texts) {
    *r = (struct repeat){.texts = texts};
    (void)vgpu_counters_enable();
}

void repeat_end(struct repeat *r) {
    left_free(&r->left);
    left_free(&r->sent);
    free(r->host_c);
    r->host_c = NULL;
    if (r->blas)
        (void)cublasDestroy_v2(r->blas);
    (void)reset(r);
}

enum repeat_end repeat_early(struct repeat *r, const void *journal, size_t bytes) {
    r->in_call = r->called = false;
    return walk(r, journal, bytes);
}

enum repeat_end repeat_call(struct repeat *r, const void *journal, size_t bytes) {
    r->in_call = true;
    r->called = r->device_wrote = false;
    r->moved = r->madds = 0;
    r->run = 0;
    left_clear(&r->left);
    left_clear(&r->sent);
    free(r->host_c);
    r->host_c = malloc((size_t)r->matrix[2].bytes + 1);
    if (!r->host_c)
        return repeat_cannot(r, "no memory for the product");
    memcpy(r->host_c, r->matrix[2].before, (size_t)r->matrix[2].bytes);
    enum repeat_end end = walk(r, journal, bytes);
    if (end == REPEAT_DONE && !r->called)
        end = repeat_disagree(r, "it does not tell of the call");
    repeat_host_may_look(r);
    return end;
}

const unsigned char *repeat_matrix_now(struct repeat *r, int matrix) {
    const struct repeat_place *p = &r->place[matrix];
    if (!p->known)
        return NULL;
    if (p->host)
        return matrix == 2 ? r->host_c : r->matrix[matrix].before;
    vg_context *ctx = vg_begin();
    const unsigned char *at =
        ctx->mem ? vg_mem_at(ctx->mem, p->addr, r->matrix[matrix].bytes) : NULL;
    vg_end_quietly(ctx);
    return at;
}
