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
    {"shared_store_conflicts_per_request", true, "bank-conflicts", ""}, /* say_conflicts */
    {"shared_conflicts_per_request", true, "bank-conflicts", ""},
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

static void say(struct diagnosis *d, const char *class, const char *sentence) {
    d->class = class;
    text_clear(&d->sentence);
    text_add(&d->sentence, sentence);
}

/* 128 bytes when each lane loads a float, 512 when each loads a float4. */
static double bytes_per_load(const struct check_result *c) {
    return sectors(c, "global_load_bytes") / sectors(c, "global_load_requests");
}

static uint64_t counted(const struct check_result *c, enum work_item item) {
    return c->in->seen.work[0].of[item];
}

/* ---- Bank conflicts ---- */

static bool is_wide(uint64_t bytes, uint64_t requests) {
    return requests > 0 && bytes > 128 * requests;
}

/* Loads or stores? And does anybody use float4s, which must stay where 16 divides the address? */
static void say_conflicts(const struct check_result *c, struct diagnosis *d) {
    const uint64_t loads = counted(c, WORK_SHARED_LOAD_CONFLICTS),
                   stores = counted(c, WORK_SHARED_STORE_CONFLICTS);
    const bool wide =
        is_wide(counted(c, WORK_SHARED_LOAD_BYTES), counted(c, WORK_SHARED_LOAD_REQUESTS)) ||
        is_wide(counted(c, WORK_SHARED_STORE_BYTES), counted(c, WORK_SHARED_STORE_REQUESTS));
    text_clear(&d->sentence);
    text_addf(&d->sentence,
              "Threads of a warp %s different words of one bank, so the bank serves them one after "
              "the other. ",
              stores > loads ? "store" : "read");
    text_add(&d->sentence,
             wide ? "Rows that are four words longer lie in other banks, and still begin where a "
                    "float4 may."
             : stores > loads
                 ? "Rows of the tile that are a word longer put them into different banks."
                 : "Let neighbours in threadIdx.x read along a row of the tile, or make its rows "
                   "one word longer.");
}

/* ---- Reuse ---- */

/* So many products each element serves that a thread loads: 4 bytes of A and 4 of B for each. */
static double served(const struct check_result *c) {
    const struct shape s = c->in->plan.call[0].shape;
    return 8.0 * s.m * s.n * s.k / (double)counted(c, WORK_GLOBAL_LOAD_BYTES);
}

/* The side of a square that is as large as what a block computes. */
static double side_of_block(const struct check_result *c) {
    const struct shape s = c->in->plan.call[0].shape;
    const double blocks = (double)counted(c, WORK_GRID_X) * (double)counted(c, WORK_GRID_Y) *
                          (double)counted(c, WORK_GRID_Z);
    return sqrt((double)s.m * s.n / blocks);
}

/* Both factors come from shared memory, and yet elements are loaded too often: is the tile too
 * small, or is it filled several times? False: shared memory is not what is wrong. */
static bool say_small_tile(const struct check_result *c, struct diagnosis *d) {
    const double times = served(c), side = side_of_block(c);
    if (!(sectors(c, "shared_bytes_per_madd") >= 6) || !(times > 0) || !(side > 0))
        return false;
    text_clear(&d->sentence);
    if (times > side / 1.5)
        text_addf(&d->sentence,
                  "The tile is too small: an element that a block loads serves about %.0f products "
                  "only. A tile of 16 x 16 makes it 16, one of 32 x 32 makes it 32.",
                  times);
    else
        text_add(&d->sentence,
                 "The products read from shared memory, but the tiles are filled from global "
                 "memory more often than needed: let the threads of a block load each element of "
                 "a tile once in each phase.");
    return true;
}

/* ---- Coalescing ---- */

/* More than one element of C for each thread? */
static bool computes_several(const struct check_result *c) {
    const struct shape s = c->in->plan.call[0].shape;
    double threads = 1;
    for (int side = 0; side < 6; side++) /* WORK_GRID_X to WORK_BLOCK_Z */
        threads *= (double)counted(c, (enum work_item)(WORK_GRID_X + side));
    return threads > 0 && (double)s.m * s.n >= 3 * threads;
}

/* A warp's requests go to many places: because of the block's shape, of the elements that one
 * thread takes, or of what x counts. */
static void say_uncoalesced(const struct check_result *c, struct diagnosis *d) {
    const uint64_t x = counted(c, WORK_BLOCK_X), y = counted(c, WORK_BLOCK_Y),
                   z = counted(c, WORK_BLOCK_Z);
    if (x > 0 && x * y * z < 32) {
        text_clear(&d->sentence);
        text_addf(&d->sentence,
                  "A block has only %u thread%s, and a warp is 32 threads of one block: the others "
                  "of each warp are missing. Give a block 32 threads along x, which run along a "
                  "row of C, and several along y.",
                  (unsigned)(x * y * z), x * y * z == 1 ? "" : "s");
    } else if (x > 0 && x <= 4) {
        text_clear(&d->sentence);
        text_addf(&d->sentence,
                  "A block has only %u thread%s along x, so the 32 threads of a warp lie in many "
                  "rows. Give a block 32 threads along x, which run along a row of C.",
                  (unsigned)x, x == 1 ? "" : "s");
    } else if (computes_several(c)) {
        text_clear(&d->sentence);
        text_add(&d->sentence,
                 "In one instruction, the 32 threads of a warp touch places that lie apart. Each "
                 "thread computes several elements of C: these must not lie side by side, but "
                 "those of neighbouring threads must, and along a row.");
    }
}

/* What else was counted tells two causes of the same excess apart. */
static void refine(const struct check_result *c, const struct limit *limit, struct diagnosis *d) {
    const double loads = sectors(c, "load_sectors_per_128_bytes"),
                 stores = sectors(c, "store_sectors_per_128_bytes");
    const bool wide = bytes_per_load(c) >= 256;
    if (strcmp(d->class, "no-reuse") == 0 && loads_are_narrow(c, limit, loads)) {
        if (!wide)
            set_sentence(d, "narrow-loads");
        else
            say(d, "uncoalesced",
                "Loads are wide, but use only a part of each sector that they touch: one of 32 "
                "bytes holds two float4s. Let neighbouring threads load neighbouring float4s "
                "of a row, not float4s of rows below each other.");
    } else if (strcmp(d->class, "no-reuse") == 0) {
        say_small_tile(c, d);
    } else if (strcmp(d->class, "bank-conflicts") == 0 && (loads > 12 || stores > 12) && !wide) {
        say(d, "uncoalesced",
            "Neighbours in threadIdx.x work down a column: a warp's requests go to many "
            "places in global memory, and to one bank of shared memory. Let x run "
            "along columns, y along rows.");
    } else if (strcmp(d->class, "bank-conflicts") == 0) {
        say_conflicts(c, d);
    } else if (strcmp(d->class, "uncoalesced") == 0) {
        say_uncoalesced(c, d);
    } else if (strcmp(d->class, "needless-transpose") == 0 && counted(c, WORK_BLAS_CALLS) == 0) {
        say(d, "cublas-not-called",
            "Kernels of your own compute the product, and no function of cuBLAS does: one call of "
            "cublasSgemm takes their place.");
    } else if (strcmp(d->class, "needless-transpose") == 0 && !(loads > 12 || stores > 12) &&
               counted(c, WORK_SHARED_STORE_REQUESTS) == 0 && counted(c, WORK_LAUNCHES) > 0) {
        say(d, "needless-copy",
            "Kernels of your own copy or convert matrices before or after cuBLAS: it can use "
            "them where and as they are.");
    }
}

/* ---- <<<block, grid>>> ---- */

/* The grid stays as it is whatever C's size, and the block's sides follow from C's: exchanged. */
bool diagnose_exchanged_launch(const struct grade_context *g, enum entry_point entry,
                               struct diagnosis *d) {
    const struct work *first = NULL;
    struct shape small = {0};
    bool follows = false;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        const struct work *w = c->seen.calls > 0 ? &c->seen.work[0] : NULL;
        if (!w || c->spec->entry != entry || c->spec->hidden || w->of[WORK_GRID_X] == 0)
            continue;
        const struct shape s = c->plan.call[0].shape;
        if (first && (w->of[WORK_GRID_X] != first->of[WORK_GRID_X] ||
                      w->of[WORK_GRID_Y] != first->of[WORK_GRID_Y]))
            return false;
        if (first && small.n != s.n && w->of[WORK_BLOCK_X] != first->of[WORK_BLOCK_X])
            follows = true;
        const double x = (double)w->of[WORK_BLOCK_X] * (double)w->of[WORK_GRID_X],
                     y = (double)w->of[WORK_BLOCK_Y] * (double)w->of[WORK_GRID_Y];
        if (x < s.n || x >= s.n + (double)w->of[WORK_GRID_X] || y < s.m ||
            y >= s.m + (double)w->of[WORK_GRID_Y])
            return false; /* the block is not what the number of blocks should be */
        if (!first)
            small = s;
        first = first ? first : w;
    }
    if (!follows)
        return false;
    d->class = "launch-exchanged";
    text_addf(&d->sentence,
              "The two arguments of the launch are exchanged: each launch has %u x %u blocks, "
              "whatever C's size, and the block's sides grow with C. Write <<<grid, block>>>: how "
              "many blocks first, how many threads in each second.",
              (unsigned)first->of[WORK_GRID_X], (unsigned)first->of[WORK_GRID_Y]);
    text_addf(&d->evidence, "%d x %d: blocks of %u x %u threads", small.m, small.n,
              (unsigned)first->of[WORK_BLOCK_X], (unsigned)first->of[WORK_BLOCK_Y]);
    return true;
}

static bool diagnose_counts(const struct grade_context *g, const struct check_result *c,
                            struct diagnosis *d) {
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
            if (strcmp(measured[i].class, "uncoalesced") == 0 &&
                diagnose_exchanged_launch(g, c->in->spec->entry, d))
                return true;
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
        diagnose_race(c->in, f, d);
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

static void say_unchecked(const struct check_result *c, struct diagnosis *d) {
    d->class = "unchecked";
    if (c->kept_quiet)
        text_addf(&d->sentence,
                  "%s sees that a call failed, and returns without a word: whoever called it takes "
                  "C for the product. Say what failed and where, as the macros of "
                  "common/cuda_check.h do.",
                  entry_name(c->in->spec->entry));
    else if (c->failed_sort == VGPU_CALL_BLAS)
        text_add(&d->sentence,
                 "A call of cuBLAS that fails goes unnoticed: each returns a status, and only "
                 "CUBLAS_STATUS_SUCCESS is good. CUBLAS_CHECK( ... ) of common/cuda_check.h looks "
                 "at it, and tells what failed.");
    else if (c->failed_sort == VGPU_CALL_LAUNCH)
        text_add(&d->sentence,
                 "A launch that fails goes unnoticed. It returns nothing itself: ask "
                 "cudaGetLastError() right after it. CUDA_CHECK_LAUNCH() of common/cuda_check.h "
                 "does.");
    else
        text_add(&d->sentence,
                 "A CUDA call that fails goes unnoticed: each returns cudaSuccess, or what went "
                 "wrong. CUDA_CHECK( ... ) of common/cuda_check.h looks at it, and tells what "
                 "failed.");
}

bool diagnose_check(const struct grade_context *g, const struct check_result *c,
                    struct diagnosis *d) {
    if (c->premature || !c->in || c->in->verdict != VERDICT_PASS)
        return false; /* without right products nothing is judged */
    switch (c->spec->kind) {
    case CHECK_FINDINGS:
        if (c->found && diagnose_finding(c, d))
            return true;
        diagnosis_free(d);
        return false;
    case CHECK_COUNTS: return diagnose_counts(g, c, d);
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
    case CHECK_ERRORS: say_unchecked(c, d); break;
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
