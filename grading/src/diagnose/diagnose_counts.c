/* diagnose_counts.c: what a check means that limits counted work, and whose limit is not kept (see
 * diagnose.h). The quantity gives a class; what else was counted in the case, and in others, tells
 * several causes of the same excess apart. Refuses to look at the source, or to call again. */
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
     "The 32 threads of a warp read from many places. Neighbours in threadIdx.x should read "
     "neighbours in memory: let x run along a row."},
    {"store_sectors_per_128_bytes", true, "uncoalesced",
     "The 32 threads of a warp write to many places. Neighbours in threadIdx.x should write "
     "neighbours in memory: let x run along a row."},
    {"load_sectors_per_request", true, "uncoalesced",
     "The 32 threads of a warp read from many places. Neighbours in threadIdx.x should read "
     "neighbours in memory: let x run along a row."},
    {"store_sectors_per_request", true, "uncoalesced",
     "The 32 threads of a warp write to many places. Neighbours in threadIdx.x should write "
     "neighbours in memory: let x run along a row."},
    {"shared_store_conflicts_per_request", true, "bank-conflicts", ""}, /* say_conflicts */
    {"shared_store_conflicts_per_copy", true, "bank-conflicts", ""},
    {"shared_conflicts_per_request", true, "bank-conflicts", ""},
    {"shared_bytes_per_madd", false, "no-reuse",
     "The products do not read their factors from shared memory: copy tiles of A and B there, and "
     "let the whole block read them."},
    {"shared_operands", false, "no-reuse",
     "The products do not get their factors from shared memory, whatever is read there: with every "
     "number doubled that comes from it, C stays the same. Copy tiles of A and B there, and "
     "multiply what you read back."},
    {"shared_alike", false, "no-reuse",
     "Some products get both factors from shared memory, and others only one: a part of A or of B "
     "is read from global memory, past the slabs. Multiply nothing but what you read back from "
     "the slabs."},
    {"shared_filled", false, "no-reuse",
     "Hardly anything of what the kernel loads from global memory is stored in shared memory: the "
     "products read their factors past it. Copy tiles of A and B there, and multiply only what you "
     "read back."},
    {"const_bytes_per_madd", true, "no-reuse",
     "The products read a factor from constant memory. Copy both tiles, A's and B's, into shared "
     "memory, and let the whole block read them there."},
    {"stores_per_element", true, "sum-in-memory",
     "Each element of C is written again and again. Add up in a local variable, which lives in a "
     "register, and write it to C once, after the loop."},
    {"stores_without_parts", true, "sum-in-memory",
     "Each element of C is written again and again. Add up in local variables, which live in "
     "registers, and write each element once, after the last slab."},
    {"stores_per_thread", true, "sum-in-memory",
     "A thread writes its elements of C again and again. Add up in local variables, which live in "
     "registers, and write each element once, after the last slab."},
    {"local_bytes_per_madd", true, "sum-in-memory",
     "The sum lies in local memory, which is device memory under another name. A variable is a "
     "register when it is not volatile, nobody takes its address, and each index of an array is "
     "known when the kernel is compiled."},
    {"pinned_bytes_per_madd", true, "sum-in-memory",
     "A thread's numbers lie in local memory, which is device memory under another name. An array "
     "is in registers only if it is not volatile and each of its indices is known when the kernel "
     "is compiled: none may depend on the thread, and loops over it have a constant length and are "
     "unrolled."},
    {"shared_store_bytes_per_madd", true, "sum-in-memory",
     "The sum of each element is kept in shared memory, and loaded and stored for every term. Add "
     "up in a local variable, which lives in a register, and write it to C once, after the loop."},
    {"shared_words_per_madd", true, "no-warp-tile",
     "A warp reads too many different numbers from shared memory for its multiplications: it "
     "computes a wide, flat part of C. Give each warp a compact tile, such as 64 x 32, and lay its "
     "lanes out 8 x 4."},
    {"shared_words_per_fma", true, "no-warp-tile",
     "A warp reads too many different numbers from shared memory for its multiplications: in this "
     "product, too, give each warp a compact tile, such as 64 x 32, and lay its lanes out 8 x 4."},
    {"shared_words_apart", true, "no-warp-tile",
     "The lanes of a warp share too few of the numbers that they read from shared memory: the warp "
     "computes a wide, flat part of C. Give each warp a compact tile, such as 64 x 32, and lay its "
     "lanes out 8 x 4."},
    {"shared_bytes_per_madd", true, "no-register-tile",
     "A thread uses each number it reads from shared memory too few times. Let each thread compute "
     "a tile of C in registers: for 8 x 8 elements it reads 8 numbers of A and 8 of B, and "
     "multiplies 64 times."},
    {"shared_bytes_per_fma", true, "no-register-tile",
     "In this product a thread uses each number it reads from shared memory too few times, as if "
     "another kernel computed small ones. Let each thread compute a tile of C in registers, "
     "whatever the size of C."},
    {"async_copies", false, "no-async-copies",
     "Nothing is copied in the background: start the next slab's copies with "
     "__pipeline_memcpy_async (or cp.async), multiply this slab, and only then wait."},
    {"async_share", false, "no-async-copies",
     "Hardly anything is copied in the background: ordinary loads fetch the slabs. Start the next "
     "slab's copies with __pipeline_memcpy_async (or cp.async), multiply this slab, and only then "
     "wait."},
    {"async_brought", false, "no-overlap",
     "What the products read did not come in the background, while something was multiplied: its "
     "copies are waited for at once, or ordinary loads fetch it. Start the next slab's copies, "
     "multiply this slab, and only then wait."},
    {"elements_per_thread", true, "few-threads",
     "In a small product too few threads have work, and most of the GPU is idle. Let several "
     "groups of warps share a tile of C, each with a part of k of its own, and take small tiles "
     "for it."},
    {"global_bytes_per_madd", true, "small-tiles",
     "A large product is computed with small tiles, so each number is loaded from global memory "
     "more often than it need be. Where there are tiles enough for all multiprocessors, take large "
     "ones."},
    {"global_loads_per_madd", true, "no-reuse",
     "One factor of each product comes from global memory: the inner loop reads it there, past the "
     "tiles, again for each product. That the threads of a warp share such a read saves little. "
     "Copy a tile of A and one of B into shared memory, and multiply only what you read back."},
    {"float_flops", true, "no-tensor-cores",
     "Float instructions compute the product: multiply on the tensor cores, with mma.sync or "
     "nvcuda::wmma in tf32. Use float instructions only to split the factors and add up the "
     "totals."},
    {"tensor_flops", false, "no-tensor-cores",
     "The tensor cores do too little of the work: multiply with mma.sync or nvcuda::wmma in tf32, "
     "and three times for each pair of factors, so that float's accuracy comes back."},
    {"load_sectors_per_request", false, "narrow-loads",
     "Each load fetches one float: if rows begin at multiples of 16 bytes, load four at once, "
     "through a pointer to float4."},
    {"load_bytes_per_request", false, "narrow-loads",
     "Some loads fetch one float for each thread: if rows begin at multiples of 16 bytes, load "
     "four at once, of A as well as of B, through a pointer to float4."},
    {"store_bytes_per_request", false, "narrow-loads",
     "Each store writes one float of a thread: if rows begin at multiples of 16 bytes, store four "
     "at once, through a pointer to float4."},
    {"device_flops", false, "not-on-device",
     "No kernel of this file computes the product. Multiply in a kernel of your own."},
    {"device_flops", true, "thin-not-chosen", ""}, /* say_thin */
    {"order_differs", true, "order-of-parts",
     "The last bits of C depend on which block ends first, so the same product has other bits in "
     "another run. Give each part a place of its own in the workspace, by its block's number, and "
     "add part 0 first, then part 1, and so on."},
    {"host_products", true, "not-on-device",
     "C, or a part of it, was computed on the host: that is right even when no kernel computes "
     "anything. Copy back what your kernel wrote, and nothing else."},
    {"host_share", true, "not-on-device",
     "A part of C was computed on the host: it is not what came back from the device. Copy back "
     "what your kernel wrote, and leave it as it is."},
    {"scattered_loads", true, "uncoalesced",
     "In a part of C the 32 threads of a warp read from many places. Neighbours in threadIdx.x "
     "should read neighbours in memory, everywhere: let x run along a row."},
    {"blas_calls", true, "not-on-device",
     "The product comes from cuBLAS, but this lab is about kernels: multiply in one of your own."},
    {"gemm_rounded", true, "lower-precision",
     "cuBLAS multiplies factors that are rounded to TF32, whose 11 bits A and B may need more of: "
     "cublasSetMathMode or a compute type asks for that. Leave both as they are."},
    {"gemm_work", false, "cublas-not-called",
     "cuBLAS must compute the product: call cublasSgemm once for all of it."},
    {"gemm_work", true, "product-again",
     "cuBLAS multiplies more than this product asks for: the sizes that it gets are too large. It "
     "needs n, m and k, each once."},
    {"gemm_calls", true, "product-in-pieces",
     "cuBLAS is called again and again, for a row, a column or one value of p at a time. One call "
     "of cublasSgemm computes the whole product, and uses the whole GPU."},
    {"to_host_bytes", true, "needless-copy",
     "The product goes to the host and back: matmul_device has everything it needs on the device."},
    {"copied_bytes", true, "needless-copy",
     "Matrices are copied although cuBLAS can use them where they are."},
    {"other_blas_calls", true, "needless-transpose",
     "Transpose and copy nothing for cuBLAS: asking for B times A, with n, m, k, gives the "
     "row-major product."},
    {"launches", true, "needless-transpose",
     "Kernels of your own run beside cuBLAS: transpose and copy nothing. Asking for B times A, "
     "with n, m, k, gives the row-major product."},
};

static bool kept_at_first(const struct limit *l, const struct work *w, const struct shape *s) {
    const double value = quantity_value(l->quantity, w, s);
    return (isnan(l->least) || value >= l->least) && (isnan(l->most) || value <= l->most);
}

static bool exceeded(const struct limit *l, double value, bool above) {
    return above ? !isnan(l->most) && value > l->most : !isnan(l->least) && !(value >= l->least);
}

/* What was counted in the call at hand: sectors, for instance, 4 when neighbours touch
 * neighbours. */
static double sectors(const struct check_result *c, const char *quantity) {
    return quantity_value(quantity, &c->in->seen.work[c->call], &c->in->plan.call[c->call].shape);
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
    return c->in->seen.work[c->call].of[item];
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
             wide ? "Let neighbouring threads take neighbouring places, or make rows four words "
                    "longer: they then lie in different banks, and still begin where a float4 may."
             : stores > loads
                 ? "Rows of the tile that are a word longer put them into different banks."
                 : "Let neighbours in threadIdx.x read along a row of the tile, or make its rows "
                   "one word longer.");
}

/* More than one element of C for each thread? */
static bool computes_several(const struct check_result *c) {
    const struct shape s = c->in->plan.call[c->call].shape;
    double threads = 1;
    for (int side = 0; side < 6; side++) /* WORK_GRID_X to WORK_BLOCK_Z */
        threads *= (double)counted(c, (enum work_item)(WORK_GRID_X + side));
    return threads > 0 && (double)s.m * s.n >= 2.5 * threads;
}

/* ---- Reuse ---- */

/* So many products each element serves that a thread loads: 4 bytes of A and 4 of B for each. */
static double served(const struct check_result *c) {
    const struct shape s = c->in->plan.call[c->call].shape;
    return 8.0 * s.m * s.n * s.k / (double)counted(c, WORK_GLOBAL_LOAD_BYTES);
}

/* The side of a square that is as large as what a block computes. */
static double side_of_block(const struct check_result *c) {
    const struct shape s = c->in->plan.call[c->call].shape;
    const double blocks = (double)counted(c, WORK_GRID_X) * (double)counted(c, WORK_GRID_Y) *
                          (double)counted(c, WORK_GRID_Z);
    return sqrt((double)s.m * s.n / blocks);
}

/* Does this check limit that quantity, too? One that limits the elements of a thread as well is
 * about dividing sums among blocks. */
static bool limits(const struct check_spec *spec, const char *quantity) {
    for (int i = 0; i < spec->limits; i++)
        if (strcmp(spec->limit[i].quantity, quantity) == 0)
            return true;
    return false;
}

/* Both factors come from shared memory, and yet elements are loaded too often: is the tile too
 * small, or is it filled several times? False: shared memory is not what is wrong. */
static bool say_small_tile(const struct check_result *c, struct diagnosis *d) {
    const double times = served(c), side = side_of_block(c);
    /* A thread with one element reads eight bytes for each product; one with a tile of 8 x 8 reads
     * one byte, and the fewer the larger its tile is. */
    const double least = computes_several(c) ? 0.5 : 6;
    if (!(sectors(c, "shared_bytes_per_madd") >= least) || !(times > 0) || !(side > 0))
        return false;
    /* What is read there for show is multiplied by nothing. */
    if (limits(c->spec, "shared_operands") && sectors(c, "shared_operands") < 1)
        return false;
    text_clear(&d->sentence);
    if (times > side / 1.5 && computes_several(c))
        text_addf(&d->sentence,
                  "The block's tile is too small: an element that a block loads serves only about "
                  "%.0f products. With a tile of 64 x 64 it serves 64, with 128 x 128 it serves "
                  "128.",
                  times);
    else if (times > side / 1.5)
        text_addf(&d->sentence,
                  "The tile is too small: an element that a block loads serves only about %.0f "
                  "products. With a tile of 16 x 16 it serves 16, with 32 x 32 it serves 32.",
                  times);
    else
        text_add(&d->sentence,
                 "The products read from shared memory, but the tiles are filled from global "
                 "memory more often than needed: let the threads of a block load each element of "
                 "a tile once in each phase.");
    return true;
}

/* ---- Coalescing ---- */

/* Is it only loads that go to many places, in a kernel that fills shared memory? */
static bool copies_are_scattered(const struct check_result *c, const struct limit *limit) {
    enum { SIDE_BY_SIDE = 8 };
    return strncmp(limit->quantity, "load_", 5) == 0 &&
           counted(c, WORK_SHARED_STORE_REQUESTS) > 0 &&
           sectors(c, "store_sectors_per_128_bytes") <= SIDE_BY_SIDE;
}

/* A warp's requests go to many places: because of the block's shape, of the elements that one
 * thread takes, or of what x counts. */
static void say_uncoalesced(const struct check_result *c, const struct limit *limit,
                            struct diagnosis *d) {
    const uint64_t x = counted(c, WORK_BLOCK_X), y = counted(c, WORK_BLOCK_Y),
                   z = counted(c, WORK_BLOCK_Z);
    if (x > 0 && x * y * z < 32) {
        text_clear(&d->sentence);
        text_addf(&d->sentence,
                  "A block has only %u thread%s, and a warp is 32 threads of one block: the rest "
                  "of each warp is empty. Give a block 32 threads along x, which run along a row "
                  "of C, and several along y.",
                  (unsigned)(x * y * z), x * y * z == 1 ? "" : "s");
    } else if (x > 0 && x <= 4) {
        text_clear(&d->sentence);
        text_addf(&d->sentence,
                  "A block has only %u thread%s along x, so the 32 threads of a warp lie in many "
                  "rows. Give a block 32 threads along x, which run along a row of C.",
                  (unsigned)x, x == 1 ? "" : "s");
    } else if (computes_several(c) && copies_are_scattered(c, limit)) {
        d->topic = "@loads";
        text_clear(&d->sentence);
        text_add(&d->sentence,
                 "Where a slab is filled, the 32 threads of a warp read from many places, while "
                 "their stores to C lie side by side. Consecutive threads should copy consecutive "
                 "elements of a row of A or B: with i for the number of an element in the slab, "
                 "its column is i % (the slab's columns), its row i / (the slab's columns).");
    } else if (computes_several(c)) {
        text_clear(&d->sentence);
        text_add(&d->sentence,
                 "In one instruction, the 32 threads of a warp touch places that lie apart. Each "
                 "thread computes several elements of C: neighbouring threads' elements must lie "
                 "side by side along a row, so a thread's own must not.");
    }
}

/* Is it about dividing sums among blocks, not among the warps of one? */
static bool asks_for_parts(const struct check_spec *spec) {
    return limits(spec, "global_atomic_bytes") || limits(spec, "stores_per_element");
}

/* Is the whole product computed as often as it is stored, by one launch? With several, parts of
 * sums are stored, and tiles that are partly outside C are work, too. Tensor cores multiply each
 * pair of factors more than once. */
static bool computed_again(const struct check_result *c) {
    const double times = sectors(c, "device_flops");
    return counted(c, WORK_LAUNCHES) == 1 && counted(c, WORK_FLOPS_MMA) == 0 && times > 1.5 &&
           sectors(c, "stores_per_element") < 1.5 * times;
}

/* Is each element of C stored as often where its sums are half as long again, or longer? Then that
 * is not for each phase. */
static bool stored_whatever_k(const struct grade_context *g, const struct check_result *c) {
    const double times = sectors(c, "stores_per_element");
    const int k = c->in->plan.call[c->call].shape.k;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *r = &g->results[i];
        const int other = r->plan.call[0].shape.k;
        if (r->spec->entry != c->in->spec->entry || r->spec->hidden || r->seen.calls == 0 ||
            2 * (other > k ? other : k) < 3 * (other > k ? k : other))
            continue;
        const double there =
            quantity_value("stores_per_element", &r->seen.work[0], &r->plan.call[0].shape);
        if (fabs(there - times) < 0.15 * times)
            return true;
    }
    return false;
}

enum { NARROW = 32 }; /* columns, or rows: no tile is narrower */

static void say_needless_parts(struct diagnosis *d) {
    say(d, "needless-parts",
        "The sums of this product are divided among blocks, although there are tiles enough "
        "without that, or too few terms: the parts are written, read and added for nothing. "
        "Compare the time of one block for each tile, which needs no second kernel, with that "
        "of parts, and take the shorter.");
}

/* The kernels do far more arithmetic than the product asks for: is C stored as often? */
static void say_computed_again(const struct check_result *c, struct diagnosis *d) {
    const double times = sectors(c, "device_flops");
    say(d, "computed-again", "");
    if (sectors(c, "stores_per_element") > 0.6 * times)
        text_addf(&d->sentence,
                  "Each element of C is computed about %.0f times, by one thread after the other, "
                  "and stored as often. Deal out the elements so that each has one thread: where "
                  "threads go on to further elements in a loop, its step is the number of threads "
                  "in the whole grid, gridDim times blockDim, not in a block.",
                  times);
    else
        text_addf(&d->sentence,
                  "The kernels do about %.1f times the arithmetic of this product: something "
                  "multiplies or adds again and again, or for show. Each pair of factors is "
                  "multiplied once, and added once to one sum.",
                  times);
}

/* A C of few columns, or a single row, is computed by a kernel whose tiles are mostly outside. */
static void say_thin(const struct check_result *c, struct diagnosis *d) {
    const struct shape s = c->in->plan.call[c->call].shape;
    const bool row = s.m == 1 && s.n > 1;
    if (s.m > NARROW && s.n > NARROW) {
        say_computed_again(c, d);
        return;
    }
    if (s.m > 1 && s.n > 1 && counted(c, WORK_LAUNCHES) > 1 &&
        sectors(c, "stores_per_element") > 1.5) {
        say_needless_parts(d); /* which are longer in tiles that are mostly outside */
        return;
    }
    say(d, "thin-not-chosen", "");
    text_addf(&d->sentence,
              "C has only %d %s%s, and the kernel that computes it does %.0f times the work: most "
              "of each of its tiles lies outside C. Let the kernel for such products compute it. "
              "If there is one, and a model chooses, its estimate is too long: does it get m, n "
              "and k in this order?",
              row ? s.m : s.n, row ? "row" : "column", (row ? s.m : s.n) == 1 ? "" : "s",
              sectors(c, "device_flops"));
}

/* Too many bytes are loaded for each multiply-add: is it the parts that are read and added? In a C
 * of few columns, it is A alone that could be read more often than once. */
static void refine_small_tiles(const struct check_result *c, const struct limit *limit,
                               struct diagnosis *d) {
    const struct shape s = c->in->plan.call[c->call].shape;
    const double times = sectors(c, "stores_per_element"), parts = 4 * (times - 1) / s.k;
    if (counted(c, WORK_LAUNCHES) > 1 && times > 1.5 &&
        !exceeded(limit, sectors(c, limit->quantity) - parts, true)) {
        say_needless_parts(d);
    } else if (s.n < NARROW && sectors(c, "device_flops") * s.n > 0.75 * NARROW) {
        say_thin(c, d);
    } else if (s.n < NARROW) {
        d->class = "A-loaded-again";
        text_clear(&d->sentence);
        text_addf(&d->sentence,
                  "C has only %d columns, and numbers of A are loaded again for some of them. Let "
                  "a block compute all columns of its rows: then it loads each number of A once.",
                  s.n);
    }
}

/* Elements of C are stored too often: by whom? */
static void refine_stores(const struct grade_context *g, const struct check_result *c,
                          struct diagnosis *d) {
    const double times = sectors(c, "stores_per_element");
    const bool one_launch = counted(c, WORK_LAUNCHES) == 1;
    if (computed_again(c)) {
        say_computed_again(c, d);
    } else if (one_launch && stored_whatever_k(g, c)) {
        say(d, "stored-again", "");
        text_addf(&d->sentence,
                  "Each element of C is stored about %.0f times, whatever k is: several threads "
                  "store the same ones. Where threads go on to further elements in a loop, its "
                  "step is the number of all threads that share them, those of a block and not "
                  "those of a warp.",
                  times);
    } else if (!one_launch && !limits(c->spec, "elements_per_thread")) {
        say(d, "sum-in-memory",
            "Each element of C is written again and again, by one launch after the other. Launch "
            "one kernel that computes whole sums: the loop over the tiles belongs into the kernel, "
            "the sum into a local variable, which lives in a register.");
    } else if (!one_launch) {
        say_needless_parts(d);
    }
}

/* Of what cuBLAS computes, and of what runs beside it. */
static void refine_library(const struct check_result *c, bool scattered, struct diagnosis *d) {
    const bool again = strcmp(d->class, "product-again") == 0;
    if (again && sectors(c, "gemm_calls") > 1) {
        text_clear(&d->sentence);
        text_addf(&d->sentence,
                  "cuBLAS computes the product about %.0f times, in %.0f calls. One call of "
                  "cublasSgemm is one product: take out what repeats it, such as a call to warm "
                  "up, or a loop.",
                  sectors(c, "gemm_work"), sectors(c, "gemm_calls"));
    } else if (!again && counted(c, WORK_BLAS_CALLS) == 0) {
        say(d, "cublas-not-called",
            "Kernels of your own compute the product, and no function of cuBLAS does: one call of "
            "cublasSgemm takes their place.");
    } else if (!again && !scattered && counted(c, WORK_SHARED_STORE_REQUESTS) == 0 &&
               counted(c, WORK_LAUNCHES) > 0) {
        say(d, "needless-copy",
            "Kernels of your own copy or convert matrices before or after cuBLAS: it can use "
            "them where and as they are.");
    }
}

/* Fewer sectors than a coalesced kernel without tiles would load, which is what a limit below 1 is
 * about: by what the threads of a warp read, or by what is read again? */
static void say_too_many_sectors(const struct check_result *c, struct diagnosis *d) {
    const struct shape s = c->in->plan.call[c->call].shape;
    if (s.m == 1 || s.n == 1) {
        say(d, "A-loaded-again",
            "The matrix is loaded again and again. A row or a column times a matrix uses each of "
            "its numbers once: deal them out, so that each is loaded by one thread.");
    } else if (sectors(c, "device_flops") > 1.5) {
        say_computed_again(c, d);
    } else {
        say(d, "uncoalesced",
            "The loads of a warp touch far more of global memory than the product needs. "
            "Neighbours in threadIdx.x should read neighbours in memory, all 32 of a warp in one "
            "instruction: let x run along a row.");
    }
}

/* A choice of tiles is not what it should be, and a number in the file is zero by mistake. */
static bool say_zero_fraction(const struct grade_context *g, struct diagnosis *d) {
    if (strcmp(d->class, "few-threads") != 0 && strcmp(d->class, "small-tiles") != 0)
        return false;
    struct text to = {0};
    const int line = diagnose_zero_fraction(g->submission.bytes, &to);
    if (line > 0) {
        say(d, "zero-fraction", text_get(&to));
        d->file = xstrdup(g->submission.name);
        d->line = line;
    }
    text_free(&to);
    return line > 0;
}

/* What else was counted tells two causes of the same excess apart. */
static void refine(const struct grade_context *g, const struct check_result *c,
                   const struct limit *limit, struct diagnosis *d) {
    const double loads = sectors(c, "load_sectors_per_128_bytes"),
                 stores = sectors(c, "store_sectors_per_128_bytes");
    const bool wide = bytes_per_load(c) >= 256, scattered = loads > 12 || stores > 12;
    const struct shape s = c->in->plan.call[c->call].shape;
    if (say_zero_fraction(g, d))
        return;
    if (strcmp(limit->quantity, "load_reuse") == 0 && (limit->least < 1 || s.m == 1 || s.n == 1)) {
        say_too_many_sectors(c, d);
    } else if (strcmp(d->class, "no-reuse") == 0 && loads_are_narrow(c, limit, loads)) {
        if (!wide)
            set_sentence(d, "narrow-loads");
        else
            say(d, "uncoalesced",
                "Loads are wide, but use only a part of each sector that they touch: one of 32 "
                "bytes holds two float4s. Let neighbouring threads load neighbouring float4s "
                "of a row, not float4s of rows below each other.");
    } else if (strcmp(d->class, "no-reuse") == 0 && strcmp(limit->quantity, "shared_filled") != 0) {
        say_small_tile(c, d);
    } else if (strcmp(d->class, "bank-conflicts") == 0 && scattered && !wide) {
        say(d, "uncoalesced",
            "Neighbours in threadIdx.x work down a column: a warp's requests go to many places in "
            "global memory, but to one bank of shared memory. Let x run along a row, y down a "
            "column.");
    } else if (strcmp(d->class, "bank-conflicts") == 0) {
        say_conflicts(c, d);
    } else if (strcmp(d->class, "uncoalesced") == 0) {
        say_uncoalesced(c, limit, d);
    } else if (strcmp(d->class, "few-threads") == 0 && asks_for_parts(c->spec)) {
        text_clear(&d->sentence);
        text_add(
            &d->sentence,
            "In a product of few tiles too few threads have work, and most of the GPU is idle. "
            "Let several blocks share a tile, each with a part of its slabs, or take smaller "
            "tiles. If your code can do that and a model chooses, its estimate is too short "
            "for tiles that are not divided: work it out by hand for this product.");
    } else if (strncmp(limit->quantity, "stores_", strlen("stores_")) == 0) {
        refine_stores(g, c, d);
    } else if (strcmp(d->class, "small-tiles") == 0) {
        refine_small_tiles(c, limit, d);
    } else if (strcmp(d->class, "thin-not-chosen") == 0) {
        say_thin(c, d);
    } else if (strcmp(d->class, "product-again") == 0 ||
               strcmp(d->class, "needless-transpose") == 0) {
        refine_library(c, scattered, d);
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

bool diagnose_counts(const struct grade_context *g, const struct check_result *c,
                     struct diagnosis *d) {
    if (c->in->testimony.end == TESTIMONY_DISAGREES) {
        d->class = "not-on-device";
        text_add(&d->sentence,
                 "The kernels that this file launches do not compute the product. Part of it comes "
                 "from elsewhere: from the host, or from an earlier call.");
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
            if (strcmp(measured[i].class, "thin-not-chosen") == 0 && limits(c->spec, "gemm_work"))
                continue; /* where cuBLAS must do all the work */
            if (strcmp(measured[i].class, "uncoalesced") == 0 &&
                diagnose_exchanged_launch(g, c->in->spec->entry, d))
                return true;
            d->class = measured[i].class;
            text_add(&d->sentence, measured[i].sentence);
            text_addf(&d->evidence, "%s is %.4g in the case %s", limit->quantity, c->measured[l],
                      c->in->spec->name);
            refine(g, c, limit, d);
            if (c->call > 0 &&
                kept_at_first(limit, &c->in->seen.work[0], &c->in->plan.call[0].shape))
                text_addf(&d->sentence, " The first call keeps this limit, call %d does not.",
                          c->call + 1);
            return true;
        }
    }
    return false;
}
