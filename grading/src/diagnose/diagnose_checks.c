/* diagnose_checks.c: what an unmet check means (see diagnose.h). Its own words say what was
 * found; here the class and what to do are added. */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

static bool diagnose_finding(const struct grade_context *g, const struct check_result *c,
                             struct diagnosis *d) {
    const struct finding_body *f = c->found;
    if (f->fact.says == VGPU_CACHED_WRITTEN) /* its words say it all */
        return false;
    if ((f->kind == VGPU_FOUND_RACE || f->kind == VGPU_FOUND_UNINITIALIZED) &&
        diagnose_copy(&c->in->seen, d))
        return true;
    if (f->kind == VGPU_FOUND_RACE && f->fact.says != VGPU_STREAM_RACE &&
        diagnose_shared_race(g, c->in, d))
        return true;
    diagnosis_place(d, f);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    text_mask_addresses(&d->evidence);
    if (f->fact.says == VGPU_STREAM_RACE) {
        d->class = "not-synchronised";
        text_add(&d->sentence,
                 "Work of two streams touches the same elements, and nothing makes one wait for "
                 "the other: put an event between them (cudaEventRecord, cudaStreamWaitEvent), or "
                 "use one stream.");
    } else if (f->kind == VGPU_FOUND_RACE) {
        diagnose_race(c->in, f, d);
    } else if (f->kind == VGPU_FOUND_BARRIER) {
        d->class = "barrier-divergent";
        text_add(
            &d->sentence,
            "Not all threads of a block reach the same __syncthreads(): it is in an if or a loop "
            "that some skip.");
    } else if (f->kind == VGPU_FOUND_UNINITIALIZED && f->fact.memory == VGPU_MEMORY_SHARED) {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "Elements of %s are read that no thread has written. The product is right only "
                  "by luck: store a zero for every element beyond the edge.",
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
                  "%s sees that a call failed, and returns without reporting it: the caller then "
                  "takes C for the product. Say what failed and where, as the macros of "
                  "common/cuda_check.h do.",
                  entry_name(c->in->spec->entry));
    else if (c->failed_sort == VGPU_CALL_BLAS)
        text_add(&d->sentence,
                 "A call of cuBLAS fails unnoticed: each call returns a status, and only "
                 "CUBLAS_STATUS_SUCCESS is good. CUBLAS_CHECK( ... ) of common/cuda_check.h checks "
                 "it and says what failed.");
    else if (c->failed_sort == VGPU_CALL_LAUNCH)
        text_add(&d->sentence,
                 "A launch fails unnoticed. A launch itself returns nothing: ask "
                 "cudaGetLastError() right after it. CUDA_CHECK_LAUNCH() of common/cuda_check.h "
                 "does this.");
    else
        text_add(&d->sentence,
                 "A CUDA call fails unnoticed: each call returns cudaSuccess or an error. "
                 "CUDA_CHECK( ... ) of common/cuda_check.h checks it and says what failed.");
}

static void say_leak(const struct check_result *c, struct diagnosis *d) {
    d->class = "leak";
    text_addf(&d->sentence,
              "%s leaves something behind at every call: it must free what it makes, ",
              entry_name(c->in->spec->entry));
    switch (c->left) {
    case WORK_HOST_BYTES:
        text_add(&d->sentence, "each malloc with a free, each new with a delete.");
        break;
    case WORK_MAPPED_BYTES:
        text_add(&d->sentence, "each mmap with a munmap, each thread with a join.");
        break;
    case WORK_LIVE_HEAP:
        text_add(&d->sentence, "each malloc in a kernel with a free, each new with a delete, in "
                               "every thread that made one.");
        break;
    default: text_add(&d->sentence, "each cudaMalloc with a cudaFree, each create with a destroy.");
    }
    if (c->found)
        diagnosis_place(d, c->found);
}

bool diagnose_check(const struct grade_context *g, const struct check_result *c,
                    struct diagnosis *d) {
    if (c->premature || !c->in || c->in->verdict != VERDICT_PASS)
        return false; /* without right products nothing is judged */
    switch (c->spec->kind) {
    case CHECK_FINDINGS:
        if (c->found && diagnose_finding(g, c, d))
            return true;
        diagnosis_free(d);
        return false;
    case CHECK_COUNTS: return diagnose_counts(g, c, d);
    case CHECK_LEAKS: say_leak(c, d); break;
    case CHECK_ERRORS: say_unchecked(c, d); break;
    case CHECK_UNFINISHED:
        d->class = "not-synchronised";
        text_add(&d->sentence,
                 "Work goes on after the function has returned, and nothing waits for it: call "
                 "cudaStreamSynchronize for a stream of your own.");
        break;
    }
    text_add(&d->evidence, text_get(&c->summary));
    return true;
}
