/* suspect_nothing.c: products of which nothing at all came out: C untouched, or zero. */
#include "grading/src/diagnose/suspect.h"

/* What was done in calls that left C as it was, or zero. */
struct idle {
    bool zero, counted;
    uint64_t launches, gemms, allocations, mmas;
    uint64_t flops, stores; /* of kernels: stores to global memory */
};

static void say_nothing(const struct idle *i, const struct suspect_context *c,
                        struct diagnosis *d) {
    const bool worked = i->counted && i->launches + i->gemms > 0;
    if (i->zero && i->mmas > 0) {
        d->class = "flush-missing";
        text_add(&d->sentence,
                 "C is all zeros although the tensor cores multiply: what is stored are totals to "
                 "which their sums were never added. Add them after every so many columns, and "
                 "after the last slab, whatever k is.");
    } else if (i->zero && i->counted && i->gemms == 0 && i->flops > 0 && i->stores > 0 &&
               c->entry == ENTRY_DEVICE) {
        d->class = "factors-zero";
        text_add(&d->sentence,
                 "C is all zeros although your kernel multiplies, and stores: what it multiplies "
                 "are zeros, or what it stores are not its sums. Is A or B loaded as zero? Look at "
                 "the condition of each load, and whether a helper gets its arguments in the order "
                 "of its parameters: row and rows, column and columns.");
    } else if (i->zero && i->counted && i->gemms == 0 && i->flops == 0 && i->stores > 0 &&
               c->entry == ENTRY_DEVICE) {
        d->class = "sums-not-kept";
        text_add(&d->sentence,
                 "Your kernel stores zeros, and multiplies nothing: the products go nowhere, so "
                 "the compiler left them out. What is stored is not what they are added to. Does "
                 "a function get the sums as a copy (by value, without &), is a second variable of "
                 "the same name declared inside the loop, or does the loop never run?");
    } else if (i->zero) {
        d->class = "no-work";
        d->topic = i->gemms > 0 ? "@sum" : d->topic;
        text_add(
            &d->sentence,
            i->gemms > 0
                ? "C is all zeros although cuBLAS multiplied: alpha is 0, or is not the address "
                  "of a float."
            : worked && c->entry == ENTRY_HOST
                ? "C is all zeros although a kernel ran: something is cleared after it, or the "
                  "copy back takes something the kernel did not write. cudaMemset belongs before "
                  "the launch, the copy of C after it."
                : "C is all zeros: it is cleared, and no sum is stored in it after that.");
    } else if (worked && c->entry == ENTRY_DEVICE && i->gemms > 0 && i->allocations == 0) {
        d->class = "no-work"; /* there is no other matrix that the product could be in */
        d->topic = "@sum";
        text_add(&d->sentence,
                 "cuBLAS multiplies, but leaves C unchanged: so alpha is 0 and beta is 1. They are "
                 "exchanged: C = alpha * op(A) * op(B) + beta * C.");
    } else if (worked && (c->entry == ENTRY_HOST || i->gemms > 0)) {
        d->class = "output-not-copied-back";
        text_add(
            &d->sentence,
            c->entry == ENTRY_HOST
                ? "The device works, but nothing reaches the caller's C: copy the result back at "
                  "the end, cudaMemcpy(C, dC, bytes, cudaMemcpyDeviceToHost)."
                : "A product is computed, but not into C: it goes somewhere else and is not copied "
                  "from there.");
    } else if (worked) {
        text_add(&d->sentence,
                 "A kernel runs, but no thread stores anything into C. Does its loop end, "
                 "and is C[...] = sum reached? A compiler may also remove a loop that "
                 "cannot end.");
    } else if (!i->counted && c->entry != ENTRY_CPU) {
        text_add(&d->sentence, "Nothing is written to C.");
    } else {
        d->class = "no-work";
        text_addf(&d->sentence, "%s computes nothing: %sC is never written.", entry_name(c->entry),
                  c->entry == ENTRY_CPU ? ""
                  : c->cublas           ? "no product is asked for, and "
                                        : "it launches no kernel, and ");
    }
}

bool suspect_nothing(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    const struct trial *shown = NULL;
    struct idle idle = {.zero = true, .counted = true};
    bool untouched = true;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (t->verdict == VERDICT_PASS && trial_elements(t) >= 4)
            return false;
        if (!trial_wrong(t))
            continue;
        shown = shown ? shown : t;
        for (size_t at = 0; at < trial_elements(t) && (idle.zero || untouched); at++) {
            idle.zero = idle.zero && trial_shown_got(t, at) == 0;
            untouched = untouched && trial_untouched(t, at);
        }
        idle.counted = idle.counted && t->counted;
        idle.launches += t->work.of[WORK_LAUNCHES];
        idle.mmas += t->work.of[WORK_MMA];
        idle.allocations += t->work.of[WORK_TRIED_ALLOC];
        idle.flops += t->work.of[WORK_FLOPS];
        idle.stores += t->work.of[WORK_GLOBAL_STORE_REQUESTS];
        idle.gemms += t->work.of[WORK_GEMM_MADDS] > 0 ? t->work.of[WORK_GEMM_CALLS] : 0;
    }
    if (!shown || !(idle.zero || untouched))
        return false;
    text_addf(&d->evidence, "%s",
              idle.zero ? "every element of C is zero" : "C is as it was before the call");
    if (idle.counted && c->entry != ENTRY_CPU)
        text_addf(&d->evidence, "; kernels run: %llu, products by cuBLAS: %llu",
                  (unsigned long long)idle.launches, (unsigned long long)idle.gemms);
    say_nothing(&idle, c, d);
    return true;
}
