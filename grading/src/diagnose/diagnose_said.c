/*
 * diagnose_said.c: rules for what the virtual GPU said itself: faults of kernels, calls that it
 * refused (see diagnose.h). They look at which message it is and at its fields, never at its words.
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

typedef diagnose_told told;

const struct fact_body *diagnose_find(const struct inquiry *q, diagnose_told *is,
                                      const struct case_result **from) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct facts *all = &inquiry_evidence(q, c)->facts;
        for (int k = 0; k < all->count && inquiry_counts(q, c); k++) {
            if (!is(&all->at[k].fact))
                continue;
            if (from)
                *from = c;
            return &all->at[k];
        }
    }
    return NULL;
}

static const struct fact_body *find(const struct inquiry *q, told *is) {
    return diagnose_find(q, is, NULL);
}

static void quote(struct diagnosis *d, const struct fact_body *said) {
    text_add(&d->evidence, "the virtual GPU: ");
    diagnosis_quote(&d->evidence, said->words);
}

/* ---- One message, one mistake ---- */

static bool is_null(const struct vgpu_fact *f) {
    return f->says == VGPU_ILLEGAL_ACCESS && f->place == VGPU_AT_NULL;
}

static bool is_lent(const struct vgpu_fact *f) {
    return f->place == VGPU_AT_READ_ONLY;
}

static bool is_freed_twice(const struct vgpu_fact *f) {
    return f->says == VGPU_FREED_TWICE;
}

static bool is_freed_inside(const struct vgpu_fact *f) {
    return f->says == VGPU_FREED_INSIDE ||
           (f->says == VGPU_FREED_UNKNOWN &&
            (f->place == VGPU_AT_PAST || f->place == VGPU_AT_BEFORE));
}

static bool is_host_free(const struct vgpu_fact *f) {
    return f->says == VGPU_FREED_UNKNOWN && f->place == VGPU_AT_HOST;
}

static bool is_host_pointer(const struct vgpu_fact *f) {
    return f->place == VGPU_AT_HOST;
}

static bool is_device_scalar(const struct vgpu_fact *f) {
    return f->says == VGPU_BLAS_DEVICE_SCALAR;
}

static bool is_vector(const struct vgpu_fact *f) {
    return f->says == VGPU_BLAS_VECTOR_SHORT || f->says == VGPU_BLAS_VECTOR_AT;
}

static bool is_host_access(const struct vgpu_fact *f) {
    return f->says == VGPU_HOST_ACCESS;
}

static bool is_misaligned_shared(const struct vgpu_fact *f) {
    return f->says == VGPU_MISALIGNED && f->space == VGPU_SPACE_SHARED;
}

static bool is_misaligned(const struct vgpu_fact *f) {
    return f->says == VGPU_MISALIGNED;
}

/* Four elements of which the first is inside. */
static bool is_wide(const struct vgpu_fact *f) {
    return f->says == VGPU_ILLEGAL_ACCESS && f->size == 16 && f->place == VGPU_AT_OVER_END &&
           f->space == VGPU_SPACE_GLOBAL;
}

/* Where these leave the matrices, too, the width of an access is not what is wrong. */
static bool is_narrow(const struct vgpu_fact *f) {
    return f->says == VGPU_ILLEGAL_ACCESS && f->size < 16 && f->memory != VGPU_MEMORY_SHARED;
}

static bool is_outside_array(const struct vgpu_fact *f) {
    return f->says == VGPU_ILLEGAL_ACCESS && f->memory == VGPU_MEMORY_SHARED && f->name[0];
}

static bool is_trap(const struct vgpu_fact *f) {
    return f->says == VGPU_TRAP;
}

static bool is_wrong_way(const struct vgpu_fact *f) {
    return (f->says == VGPU_COPY_FROM_HOST || f->says == VGPU_COPY_FROM_DEVICE) &&
           (f->direction == VGPU_HOST_TO_DEVICE || f->direction == VGPU_DEVICE_TO_HOST);
}

static bool is_dead_handle(const struct vgpu_fact *f) {
    return f->says == VGPU_DEAD_HANDLE || f->says == VGPU_NULL_HANDLE ||
           f->says == VGPU_NULL_HANDLE_DESTROYED;
}

/* The surest first. */
static const struct {
    told *is;
    const char *class, *sentence;
} mistakes[] = {
    {is_null, "null-pointer",
     "The kernel gets a null pointer: nothing was allocated for it, or you meant another "
     "argument."},
    {is_lent, "writes-inputs",
     "A or B is changed on the device. They belong to the caller and must stay unchanged all the "
     "time: work on a copy."},
    {is_freed_twice, "double-free",
     "The same memory is freed twice: each cudaMalloc needs exactly one cudaFree."},
    {is_freed_inside, "moved-pointer-freed",
     "cudaFree gets an address that no cudaMalloc gave: it lies inside such memory, or just behind "
     "it. Has the pointer moved on since, or is it a part of a larger piece? Keep the address that "
     "cudaMalloc gave, and free that."},
    {is_host_free, "host-pointer-in-kernel",
     "cudaFree gets a pointer to the host's memory. It frees only what cudaMalloc gave: dA, dB and "
     "dC, not the caller's A, B and C."},
    {is_host_pointer, "host-pointer-in-kernel",
     "The device gets a pointer to the host's memory, which it cannot read: pass the copy that "
     "cudaMalloc and cudaMemcpy made."},
    {is_device_scalar, "device-pointer-on-host",
     "alpha or beta is on the device, but cuBLAS looks for it on the host: pass the address of a "
     "float of your function (&alpha), or call cublasSetPointerMode(handle, "
     "CUBLAS_POINTER_MODE_DEVICE) first."},
    {is_vector, "out-of-bounds",
     "cuBLAS is asked to use more elements of a vector than it has: for cublasSgemv, m and n are "
     "the sizes of the matrix as it is stored, by columns, before any transposition; x has as many "
     "elements as op(A) has columns, and y as many as op(A) has rows."},
    {is_host_access, "device-pointer-on-host",
     "Host code uses a device pointer: only kernels reach data on the device; the host must copy "
     "it first, with cudaMemcpy."},
    {is_misaligned_shared, "misaligned-shared",
     "A wide load or store (float2, float4) of shared memory is at an address that is not a "
     "multiple of its size. Make the array begin at one, with __align__(16), its rows a multiple "
     "of it long, padding included (4 floats for a float4), and the column a multiple, too."},
    {is_misaligned, "misaligned",
     "A wide load or store (float2, float4) is at an address that is not a multiple of its size: "
     "rows must begin at a multiple of it, so the number of columns must fit as well."},
    {is_wide, "misaligned",
     "A float4 takes four elements at once: do not use it where fewer are left, or where rows do "
     "not begin at a multiple of four."},
    {is_outside_array, NULL, NULL}, /* diagnose_shared.c */
    {is_trap, "crash", "The kernel stops itself: a trap or a failed assertion."},
    {is_wrong_way, "copy-direction",
     "A copy's direction does not fit its pointers: cudaMemcpyHostToDevice on the way in, "
     "cudaMemcpyDeviceToHost on the way back."},
    {is_dead_handle, "handle",
     "cuBLAS gets a handle that is not valid: call cublasCreate before the first call, "
     "cublasDestroy after the last. A function of your own that makes the handle needs its "
     "address (cublasHandle_t *): what it puts into a copy of its own, its caller never sees."},
};

/* Memory that was freed before, but for pieces of the heap in device code. */
static bool is_freed(const struct vgpu_fact *f) {
    return f->freed && f->memory != VGPU_MEMORY_HEAP;
}

/* Was it the caller's own, or the program's? */
static bool say_freed(struct inquiry *q, struct diagnosis *d) {
    const struct fact_body *said = find(q, is_freed);
    if (!said || find(q, is_freed_twice))
        return false;
    if (q->evidence->stage == STAGE_COPY) {
        d->class = "device-reset";
        text_addf(&d->sentence,
                  "After %s the caller's own matrices are gone from the device: it must not reset "
                  "the device, nor free what belongs to the caller.",
                  entry_name(q->entry));
    } else {
        d->class = "used-after-free";
        text_add(&d->sentence,
                 "Memory is used after cudaFree: free it when the last kernel and the last copy "
                 "that need it are done.");
    }
    diagnosis_place_fact(d, &said->fact);
    quote(d, said);
    return true;
}

/* Every row of A, B and C has a multiple of four floats: not aligned is where they begin. */
static bool says_begin(const struct case_result *in, struct text *t) {
    const struct shape s = in->plan.call[0].shape;
    if (!in->spec->unaligned || s.k % 4 != 0 || s.n % 4 != 0)
        return false;
    text_addf(t,
              "A wide load or store (float4) is at an address that is not a multiple of 16. With "
              "m = %d, n = %d, k = %d the rows are not to blame: they hold multiples of four "
              "floats. But not every matrix begins at a multiple of 16 bytes here, which a caller "
              "may do. Look at the addresses of A, B and C, each of them and in every call anew, "
              "before you choose the wide accesses.",
              s.m, s.n, s.k);
    return true;
}

bool rule_device_said(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict == VERDICT_PASS)
        return false;
    if (say_freed(q, d) || diagnose_copies(q, d))
        return true;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct case_result *in = NULL;
        const struct fact_body *said = diagnose_find(q, mistakes[i].is, &in);
        if (!said || (mistakes[i].is == is_wide && find(q, is_narrow)))
            continue;
        d->class = mistakes[i].class;
        diagnosis_place_fact(d, &said->fact);
        if (mistakes[i].is == is_misaligned && says_begin(in, &d->sentence))
            d->topic = NULL;
        else if (d->class)
            text_add(&d->sentence, mistakes[i].sentence);
        else
            diagnose_outside_array(q, &said->fact, d);
        if (said->fact.has_thread && mistakes[i].class) {
            text_add(&d->sentence, " It is ");
            diagnosis_say_thread(&d->sentence, &said->fact);
            text_add(&d->sentence, " that does it.");
        }
        quote(d, said);
        return true;
    }
    return false;
}

/* ---- Calls that were refused ---- */

static bool is_stride(const struct vgpu_fact *f) {
    return f->says == VGPU_BLAS_STRIDE;
}

/* cuBLAS refuses leading dimensions; every one of them is refused only if it never fits. */
bool rule_stride_refused(struct inquiry *q, struct diagnosis *d) {
    const struct fact_body *said = q->g->lab->cublas ? find(q, is_stride) : NULL;
    if (!said)
        return false;
    bool all = true;
    for (size_t i = 0; i < q->g->result_count && all; i++)
        all = q->g->results[i].spec->entry != q->entry || q->g->results[i].verdict != VERDICT_PASS;
    if (!all || q->verdict != VERDICT_WRONG)
        return false; /* where it fits sometimes, products tell more */
    d->class = "stride-wrong";
    text_add(&d->sentence,
             "cuBLAS refuses a leading dimension: it is the number of elements from one row of a "
             "row-major matrix to the next, k for A, n for B and C. Your program did not check the "
             "status that cuBLAS returned.");
    quote(d, said);
    return true;
}

static bool is_launch_refused(const struct vgpu_fact *f) {
    return f->says == VGPU_LAUNCH_EMPTY || f->says == VGPU_LAUNCH_SIDE ||
           f->says == VGPU_LAUNCH_THREADS || f->says == VGPU_LAUNCH_BOUNDS ||
           f->says == VGPU_LAUNCH_SHARED;
}

bool rule_launch_refused(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    const struct fact_body *said = diagnose_find(q, is_launch_refused, &from);
    if (!said)
        return false;
    if (diagnose_exchanged_launch(q->g, q->entry, d))
        return true;
    const char *side = said->fact.name; /* "gridDim.x" where it is about one */
    const bool grid = strcmp(side, "gridDim.x") == 0 || strcmp(side, "gridDim.y") == 0;
    const bool any = grid || strcmp(side, "gridDim.z") == 0;
    const bool empty = said->fact.says == VGPU_LAUNCH_EMPTY;
    bool runs = false; /* for some other shape */
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        runs = runs || (c->spec->entry == q->entry &&
                        (c->verdict == VERDICT_PASS || c->verdict == VERDICT_WRONG));
    }
    if (grid && empty && runs) {
        d->class = "grid-rounds-down";
        text_addf(&d->sentence,
                  "The number of blocks is rounded down or one too small: for a small matrix the "
                  "grid has no block at all, and for others the edge of C is never computed. Round "
                  "up, (n + tile - 1) / tile along x, (m + tile - 1) / tile along y.");
    } else if (grid && !empty && strcmp(side, "gridDim.y") == 0 &&
               from->plan.call[0].shape.n > from->plan.call[0].shape.m) {
        d->class = "grid-too-tall";
        text_addf(&d->sentence,
                  "%s would be %llu: a grid has at most 65,535 blocks one below another, and "
                  "2,147,483,647 side by side. Here the %d columns of C lie along y: let x run "
                  "along the columns, and y along the rows, in the kernel and in the grid.",
                  side, (unsigned long long)said->fact.size, from->plan.call[0].shape.n);
    } else if (grid && !empty) {
        d->class = "grid-too-tall";
        text_addf(&d->sentence,
                  "%s would be %llu: a grid has at most 65,535 blocks one below another, and "
                  "2,147,483,647 side by side. Compute C in slabs of rows, with a launch for each.",
                  side, (unsigned long long)said->fact.size);
    } else if (said->fact.says == VGPU_LAUNCH_BOUNDS) {
        d->class = "launch-failed";
        text_addf(&d->sentence,
                  "The launch is refused, and no thread runs: its blocks have %llu threads, but "
                  "the kernel's __launch_bounds__ promises at most %llu. Make the two agree.",
                  (unsigned long long)said->fact.size, (unsigned long long)said->fact.limit);
    } else if (said->fact.says == VGPU_LAUNCH_SHARED && said->fact.room > 0) {
        d->class = "launch-failed";
        text_addf(&d->sentence,
                  "The launch is refused, and no thread runs: a block takes %llu bytes of shared "
                  "memory, and may have %llu. Take less, or allow this very kernel (of a template, "
                  "the one that is launched) more before the launch, up to %llu: "
                  "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                  "bytes).",
                  (unsigned long long)said->fact.size, (unsigned long long)said->fact.limit,
                  (unsigned long long)said->fact.room);
    } else {
        d->class = "launch-failed";
        text_addf(&d->sentence,
                  "The launch is refused, and no thread runs: %s. A block has at most 1024 threads "
                  "and 48 KiB of shared memory, and no size of grid or block may be 0.",
                  empty && any ? "the grid is empty"
                  : empty      ? "a side of the block is 0"
                  : any        ? "the grid is too large"
                               : "the block asks for too much");
    }
    quote(d, said);
    return true;
}

static bool is_no_place(const struct vgpu_fact *f) {
    return f->says == VGPU_NO_PLACE_FOR_POINTER;
}

/* cudaMalloc((void **)dA, ...) */
bool rule_pointer_for_address(struct inquiry *q, struct diagnosis *d) {
    const struct fact_body *said = q->verdict == VERDICT_CUDA_ERROR ? find(q, is_no_place) : NULL;
    if (!said)
        return false;
    d->class = "crash";
    text_add(&d->sentence,
             "cudaMalloc gets a pointer that was never set, but needs the address of the pointer, "
             "to store into it: cudaMalloc(&dA, bytes). Casts hide such mistakes.");
    quote(d, said);
    return true;
}
