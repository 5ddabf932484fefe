/* diagnose_checks.c: what an unmet check means (see diagnose.h). Its own words say what was
 * measured; here the class and what to do are added. */
#include "grading/src/diagnose/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* By the quantity whose limit is not kept, in this order. */
static const struct {
    const char *quantity;
    bool above; /* too much; else: too little */
    const char *class, *sentence;
} measured[] = {
    {"load_reuse", false, "no-reuse",
     "Elements are loaded from global memory again and again. Let the block copy a tile of A and "
     "one of B into shared memory, once for each phase, and read only those in the inner loop."},
    {"shared_store_requests", false, "no-reuse",
     "Shared memory is not used: copy tiles of A and B there, and let the whole block read them."},
    {"load_sectors_per_128_bytes", true, "uncoalesced",
     "The 32 threads of a warp read from many places. Neighbours in threadIdx.x have to read "
     "neighbours in memory: let x run along columns."},
    {"store_sectors_per_128_bytes", true, "uncoalesced",
     "The 32 threads of a warp write to many places. Neighbours in threadIdx.x have to write "
     "neighbours in memory: let x run along columns."},
    {"load_sectors_per_request", true, "uncoalesced",
     "The 32 threads of a warp read from many places. Neighbours in threadIdx.x have to read "
     "neighbours in memory: let x run along columns."},
    {"store_sectors_per_request", true, "uncoalesced",
     "The 32 threads of a warp write to many places. Neighbours in threadIdx.x have to write "
     "neighbours in memory: let x run along columns."},
    {"shared_store_conflicts_per_request", true, "bank-conflicts",
     "Threads of a warp store different words into one bank, one after the other. Rows of the slab "
     "that are a few words longer put them into different banks."},
    {"shared_conflicts_per_request", true, "bank-conflicts",
     "Threads of a warp read different words of one bank, one after the other. Let neighbours in "
     "threadIdx.x read along a row of the tile, or make its rows one word longer."},
    {"shared_bytes_per_madd", false, "no-reuse",
     "The products do not read their factors from shared memory: copy tiles of A and B there, and "
     "let the whole block read them."},
    {"const_bytes_per_madd", true, "no-reuse",
     "The products read a factor from constant memory. Copy both tiles, A's and B's, into shared "
     "memory, and let the whole block read them there."},
    {"stores_per_element", true, "sum-in-memory",
     "Each element of C is written again and again. Add up in a local variable, which lives in a "
     "register, and write it to C once, after the loop."},
    {"shared_bytes_per_madd", true, "no-register-tile",
     "A number that a thread reads from shared memory is used too seldom. Let each thread compute "
     "a tile of C in registers: for 8 x 8 elements it reads 8 numbers of A and 8 of B, and "
     "multiplies 64 times."},
    {"async_copies", false, "no-async-copies",
     "Nothing is copied in the background: start the next slab's copies with "
     "__pipeline_memcpy_async (or cp.async), multiply this slab, and only then wait."},
    {"async_share", false, "no-async-copies",
     "Hardly anything is copied in the background: ordinary loads fetch the slabs. Start the next "
     "slab's copies with __pipeline_memcpy_async (or cp.async), multiply this slab, and only then "
     "wait."},
    {"async_overlap", false, "no-overlap",
     "The copies run in the background, but nothing is done meanwhile: each is waited for at once. "
     "Start the next slab's copies, multiply this slab, and only then wait."},
    {"float_flops", true, "no-tensor-cores",
     "Float instructions compute the product: its multiplications belong on the tensor cores, with "
     "mma.sync or nvcuda::wmma in tf32. Floats only split the factors and add up the totals."},
    {"tensor_flops", false, "no-tensor-cores",
     "The tensor cores do too little of the work: multiply with mma.sync or nvcuda::wmma in tf32, "
     "and three times for each pair of factors, so that float's accuracy comes back."},
    {"load_sectors_per_request", false, "narrow-loads",
     "Each load fetches one float: where rows begin at multiples of 16 bytes, load four at once, "
     "through a pointer to float4."},
    {"store_bytes_per_request", false, "narrow-loads",
     "Each store writes one float of a thread: where rows begin at multiples of 16 bytes, store "
     "four at once, through a pointer to float4."},
    {"device_flops", false, "not-on-device",
     "The product is not computed by kernels of this file. Multiply in a kernel of your own."},
    {"host_products", true, "not-on-device",
     "The C that comes back was computed on the host: it is right even when no kernel computes "
     "anything. Copy back what your kernel wrote, and nothing else."},
    {"blas_calls", true, "not-on-device",
     "The product comes from cuBLAS, and this lab is about a kernel: multiply in one of your own."},
    {"gemm_work", false, "cublas-not-called",
     "The product has to come from cuBLAS: call cublasSgemm, once, for all of it."},
    {"gemm_calls", true, "product-in-pieces",
     "cuBLAS is called again and again, for a row, a column or one value of p at a time. One call "
     "of cublasSgemm computes the whole product, and uses the whole GPU."},
    {"to_host_bytes", true, "needless-copy",
     "The product travels to the host and back: matmul_device has all it needs on the device."},
    {"copied_bytes", true, "needless-copy",
     "Matrices are copied although cuBLAS can use them where they are."},
    {"other_blas_calls", true, "needless-transpose",
     "Nothing has to be transposed or copied for cuBLAS: asking for B times A, with n, m, k, gives "
     "the row-major product."},
    {"launches", true, "needless-transpose",
     "Kernels of your own run beside cuBLAS: nothing has to be transposed or copied. Asking for B "
     "times A, with n, m, k, gives the row-major product."},
};

static bool exceeded(const struct limit *l, double value, bool above) {
    return above ? !isnan(l->most) && value > l->most : !isnan(l->least) && !(value >= l->least);
}

/* What was counted in the first call: sectors, for instance, 4 when neighbours touch neighbours. */
static double sectors(const struct check_result *c, const char *quantity) {
    return quantity_value(quantity, &c->in->seen.work[0], &c->in->plan.call[0].shape);
}

/* Does this check ask for wide loads, and would there be reuse enough if each load used all of the
 * sectors that it touches? */
static bool loads_are_narrow(const struct check_result *c, const struct limit *reuse,
                             double loads) {
    const double full = sectors(c, "load_reuse") * loads / 4;
    bool wide_asked = false;
    for (int l = 0; l < c->spec->limits; l++) {
        const struct limit *limit = &c->spec->limit[l];
        wide_asked |=
            strcmp(limit->quantity, "load_sectors_per_request") == 0 && !isnan(limit->least);
    }
    return wide_asked && !exceeded(reuse, full, false);
}

static void set_sentence(struct diagnosis *d, const char *class) {
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        if (strcmp(measured[i].class, class) != 0)
            continue;
        d->class = class;
        text_clear(&d->sentence);
        text_add(&d->sentence, measured[i].sentence);
        return;
    }
}

/* 128 bytes when each lane loads a float, 512 when each loads a float4. */
static double bytes_per_load(const struct check_result *c) {
    return sectors(c, "global_load_bytes") / sectors(c, "global_load_requests");
}

/* What else was counted tells two causes of the same excess apart. */
static void refine(const struct check_result *c, const struct limit *limit, struct diagnosis *d) {
    const double loads = sectors(c, "load_sectors_per_128_bytes"),
                 stores = sectors(c, "store_sectors_per_128_bytes");
    if (strcmp(d->class, "no-reuse") == 0 && loads_are_narrow(c, limit, loads)) {
        if (bytes_per_load(c) < 256) {
            set_sentence(d, "narrow-loads");
        } else {
            d->class = "uncoalesced";
            text_clear(&d->sentence);
            text_add(
                &d->sentence,
                "Loads are wide, but use only a part of each sector that they touch: one of 32 "
                "bytes holds two float4s. Let neighbouring threads load neighbouring float4s "
                "of a row, not float4s of rows below each other.");
        }
    } else if (strcmp(d->class, "bank-conflicts") == 0 && (loads > 12 || stores > 12)) {
        d->class = "uncoalesced";
        text_clear(&d->sentence);
        text_add(&d->sentence,
                 "Neighbours in threadIdx.x work down a column: a warp's requests go to many "
                 "places in global memory, and to one bank of shared memory. Let x run "
                 "along columns, y along rows.");
    } else if (strcmp(d->class, "needless-transpose") == 0 && !(loads > 12 || stores > 12) &&
               c->in->seen.work[0].of[WORK_SHARED_STORE_REQUESTS] == 0 &&
               c->in->seen.work[0].of[WORK_LAUNCHES] > 0) {
        d->class = "needless-copy";
        text_clear(&d->sentence);
        text_add(&d->sentence,
                 "Kernels of your own copy or convert matrices before or after cuBLAS: it can use "
                 "them where and as they are.");
    }
}

static bool diagnose_counts(const struct check_result *c, struct diagnosis *d) {
    if (c->in->testimony.end == TESTIMONY_DISAGREES) {
        d->class = "not-on-device";
        text_add(&d->sentence,
                 "The kernels that this file launches do not compute the product. Part of it comes "
                 "from elsewhere: from the host, or from what was kept of another call.");
        text_addf(&d->evidence, "in the case %s: %s", c->in->spec->name, c->in->testimony.why);
        return true;
    }
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        for (int l = 0; l < c->spec->limits; l++) {
            const struct limit *limit = &c->spec->limit[l];
            if (strcmp(limit->quantity, measured[i].quantity) != 0 ||
                !limit_holds_in(limit, c->in->spec) ||
                !exceeded(limit, c->measured[l], measured[i].above))
                continue;
            d->class = measured[i].class;
            text_add(&d->sentence, measured[i].sentence);
            text_addf(&d->evidence, "%s is %.4g in the case %s", limit->quantity, c->measured[l],
                      c->in->spec->name);
            refine(c, limit, d);
            return true;
        }
    }
    return false;
}

static bool diagnose_finding(const struct check_result *c, struct diagnosis *d) {
    const struct finding_body *f = c->found;
    if (f->kind == VGPU_FOUND_RACE && diagnose_shared_race(&c->in->seen, d))
        return true;
    diagnosis_place(d, f);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    text_mask_addresses(&d->evidence);
    if (f->kind == VGPU_FOUND_RACE) {
        d->class = "race";
        text_addf(&d->sentence,
                  "Two threads use %s at the same time, and one of them writes: give each thread "
                  "elements of its own, or use atomic operations.",
                  f->object);
    } else if (f->kind == VGPU_FOUND_BARRIER) {
        d->class = "barrier-divergent";
        text_add(
            &d->sentence,
            "Not all threads of a block reach the same __syncthreads(): it stands in an if or a "
            "loop that some skip.");
    } else if (f->kind == VGPU_FOUND_UNINITIALIZED && f->fact.memory == VGPU_MEMORY_SHARED) {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "Elements of %s are read that no thread has written. That the product is right "
                  "nevertheless is luck: store a zero for every element beyond the edge.",
                  f->object);
    } else if (f->fact.says == VGPU_COPY_CHANGED) {
        d->class = "not-synchronised";
        text_add(&d->sentence,
                 "A buffer is filled again while an asynchronous copy may still read it: call "
                 "cudaStreamSynchronize first, or use a buffer for each copy.");
    } else {
        return false;
    }
    return true;
}

bool diagnose_check(const struct check_result *c, struct diagnosis *d) {
    if (c->premature || !c->in || c->in->verdict != VERDICT_PASS)
        return false; /* without right products nothing is judged */
    switch (c->spec->kind) {
    case CHECK_FINDINGS:
        if (c->found && diagnose_finding(c, d))
            return true;
        diagnosis_free(d);
        return false;
    case CHECK_COUNTS: return diagnose_counts(c, d);
    case CHECK_LEAKS:
        d->class = "leak";
        text_addf(
            &d->sentence,
            "%s leaves something behind at every call: what it makes it has to give back, each "
            "cudaMalloc its cudaFree, each create its destroy.",
            entry_name(c->in->spec->entry));
        if (c->found)
            diagnosis_place(d, c->found);
        break;
    case CHECK_ERRORS:
        d->class = "unchecked";
        text_add(&d->sentence,
                 "A call that fails goes unnoticed: look at what every call returns, and at "
                 "cudaGetLastError() after every launch. The macros of common/cuda_check.h do.");
        break;
    case CHECK_UNFINISHED:
        d->class = "not-synchronised";
        text_add(&d->sentence,
                 "Work goes on after the function has returned, and nobody waits for it: call "
                 "cudaStreamSynchronize for a stream of your own.");
        break;
    }
    text_add(&d->evidence, text_get(&c->summary));
    return true;
}
