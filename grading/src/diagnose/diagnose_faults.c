/*
 * diagnose_faults.c: rules for what ended badly, or what a checker of the virtual GPU saw (see
 * diagnose.h). They read what the virtual GPU says; its wording is part of its tests.
 */
#include "grading/src/diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Looking things up ---- */

static bool failed(const struct inquiry *q, const struct case_result *c) {
    return c->spec->entry == q->entry && inquiry_verdict(q, c) != VERDICT_PASS &&
           !c->spec->hidden && inquiry_verdict(q, c) != VERDICT_NOT_GRADED;
}

const struct finding_body *inquiry_finding(const struct inquiry *q, const char *kind,
                                           const struct case_result **from) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f =
            failed(q, c) ? observation_find(&c->seen, kind, false) : NULL;
        if (!f)
            continue;
        if (from)
            *from = c;
        return f;
    }
    return NULL;
}

const char *inquiry_words(const struct inquiry *q, const char *words) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (!failed(q, c))
            continue;
        const struct evidence *e = inquiry_evidence(q, c);
        const char *at = strstr(text_get(&e->printed), words);
        at = at ? at : strstr(text_get(&e->summary), words);
        for (int f = 0; f < c->seen.findings && !at; f++)
            at = c->seen.finding[f].error ? strstr(c->seen.finding[f].message, words) : NULL;
        if (at)
            return at;
    }
    return NULL;
}

void diagnosis_place(struct diagnosis *d, const struct finding_body *f) {
    for (int i = 0; i < 2 && !d->file; i++) {
        if (f->site[i].line > 0 && f->site[i].file[0] &&
            strncmp(f->site[i].file, "grading/", 8) != 0) {
            d->file = xstrdup(f->site[i].file);
            d->line = f->site[i].line;
        }
    }
}

/* What was said around `at`, which find_words gave: its line. */
static void quote_line(struct text *t, const char *at) {
    const char *from = at;
    while (strncmp(from, "vgpu: ", 6) != 0) /* find_words made sure that it is there */
        from--;
    from += 6;
    struct text line = {0};
    text_add_clean_line(&line, from, strcspn(from, "\n"), 300);
    text_mask_addresses(&line);
    text_add(t, text_get(&line));
    text_free(&line);
}

/* "file.cu:12" from "in kernel name, file.cu:12, thread (0,1,0) of block (0,0,0)"; and who. */
void diagnosis_place_in_words(struct diagnosis *d, const char *at, struct text *who) {
    const char *in = strstr(at, "in kernel ");
    const char *comma = in ? strchr(in, ',') : NULL;
    if (!comma)
        return;
    const char *file = comma + 2;
    const size_t length = strcspn(file, ",\n");
    const char *colon = file + length;
    while (colon > file && *colon != ':')
        colon--;
    if (colon > file && !d->file) {
        d->file = xasprintf("%.*s", (int)(colon - file), file);
        d->line = atoi(colon + 1);
    }
    const char *thread = strstr(file, "thread (");
    if (who && thread && thread < file + strcspn(file, "\n"))
        text_add_bytes(who, thread, strcspn(thread, "\n"));
}

/* ---- The end of the process ---- */

bool rule_no_function(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_MISSING)
        return false;
    d->class = "missing-function";
    text_addf(&d->sentence,
              "The file lacks %s: define it with the name and the parameters of common/lab.h.",
              entry_name(q->entry));
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

bool rule_ended(struct inquiry *q, struct diagnosis *d) {
    const enum verdict v = q->verdict;
    if (v != VERDICT_EXIT && v != VERDICT_FLOOD && v != VERDICT_MEDDLED)
        return false;
    if (v == VERDICT_EXIT) {
        d->class = "exit";
        text_addf(&d->sentence,
                  "%s ends the whole program. A function must return to its caller: no exit().",
                  entry_name(q->entry));
    } else if (v == VERDICT_FLOOD) {
        text_add(&d->sentence, "The program prints without end: take the printf out of the loop.");
    } else {
        text_add(&d->sentence, "The program touched a file descriptor that is not its own.");
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

/* cudaMalloc((void **)dA, ...) in a check that failed. */
static bool pointer_for_address(struct inquiry *q, struct diagnosis *d) {
    const char *call = strstr(text_get(&q->evidence->printed), "call:    cudaMalloc(");
    const char *comma = call ? strchr(call, ',') : NULL;
    if (!comma || memchr(call, '&', (size_t)(comma - call)))
        return false;
    d->class = "crash";
    text_add(&d->sentence,
             "cudaMalloc gets a pointer that was never set, and should store into it: it needs the "
             "address of the pointer, cudaMalloc(&dA, bytes). Casts hide such mistakes.");
    text_add_clean_line(&d->evidence, call, strcspn(call, "\n"), 200);
    return true;
}

bool rule_crash(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict == VERDICT_CUDA_ERROR)
        return pointer_for_address(q, d);
    if (q->verdict != VERDICT_CRASH)
        return false;
    if (inquiry_words(q, "free(): ") || inquiry_words(q, "munmap_chunk()") ||
        strstr(q->g->submission.bytes, "free((void *)A)") ||
        strstr(q->g->submission.bytes, "free((void *)B)")) {
        d->class = "frees-inputs";
        text_addf(&d->sentence,
                  "%s frees memory that it was only lent: A, B and C belong to the caller.",
                  entry_name(q->entry));
    } else {
        d->class = "crash";
        text_addf(&d->sentence,
                  "%s crashes. Look for pointers that were never set, indices without bounds, "
                  "division by zero; print where you are, or run it in a debugger.",
                  entry_name(q->entry));
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

bool rule_time_limit(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_TIMEOUT)
        return false;
    const struct finding_body *f = inquiry_finding(q, "endless", NULL);
    d->class = "time-limit";
    if (f) {
        diagnosis_place(d, f);
        text_addf(&d->sentence,
                  "The loop at line %d never ends: does its variable move towards the bound in "
                  "every round?",
                  d->line);
    } else {
        text_addf(&d->sentence,
                  "%s never returns: does every loop end, does anything wait for what never "
                  "comes?",
                  entry_name(q->entry));
    }
    text_add(&d->evidence, text_get(&q->evidence->summary));
    return true;
}

/* ---- What the virtual GPU says in so many words ---- */

static const struct said {
    const char *words, *class, *sentence;
} device_words[] = {
    {": a null pointer", "null-pointer",
     "The kernel is given a null pointer: nothing was allocated for it, or another argument was "
     "meant."},
    {"freed already", "double-free",
     "The same memory is freed twice: one cudaFree for each cudaMalloc."},
    {"a host address, not device memory", "host-pointer-in-kernel",
     "The device is given a pointer to the host's memory, which it cannot read: hand it the copy "
     "that cudaMalloc and cudaMemcpy made."},
    {"but the handle's pointer mode is host", "device-pointer-on-host",
     "alpha or beta lies on the device, and cuBLAS looks for it on the host: give the address of a "
     "float of your function (&alpha), or call cublasSetPointerMode(handle, "
     "CUBLAS_POINTER_MODE_DEVICE) first."},
    {"illegal access: vector ", "out-of-bounds",
     "cuBLAS is given a vector with more elements than it has: for cublasSgemv m and n are those "
     "of the matrix as it is stored, by columns, before any transposition; x has as many elements "
     "as op(A) has columns, y as it has rows."},
    {"device pointer: address", "device-pointer-on-host",
     "Host code uses a device pointer: data on the device is reached by kernels, or after "
     "cudaMemcpy."},
    {"misaligned", "misaligned",
     "A wide load or store (float2, float4) is at an address that its size does not divide: rows "
     "must begin at a multiple of it, so the number of columns, too."},
    {" of 16 bytes at", "misaligned",
     "A float4 takes four elements at once: where fewer are left, or rows do not begin at a "
     "multiple of four, it must not be used."},
    {"shared array '", "shared-out-of-bounds",
     "An index leaves an array in shared memory: the array is smaller than the indices that its "
     "threads use. Compare its sizes with those of the block and of the tile."},
    {"executed a trap", "crash", "The kernel stops itself: a trap or a failed assertion."},
    {"too few", "copy-out-of-bounds",
     "A copy is larger than the memory it reads or writes. Sizes count bytes: elements times "
     "sizeof(float), once."},
    {"cudaMemcpyDeviceToHost, but", "copy-direction",
     "A copy's direction does not fit its pointers: cudaMemcpyHostToDevice on the way in, "
     "cudaMemcpyDeviceToHost on the way back."},
    {"cudaMemcpyHostToDevice, but", "copy-direction",
     "A copy's direction does not fit its pointers: cudaMemcpyHostToDevice on the way in, "
     "cudaMemcpyDeviceToHost on the way back."},
    {": the handle ", "handle",
     "cuBLAS gets a handle that is not alive: cublasCreate before the first call, cublasDestroy "
     "after the last."},
};

/* Only the virtual GPU's lines count; and of those about shared arrays, accesses, not races. */
static bool counts(const char *text, const char *at, const char *words) {
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    if (strncmp(line, "vgpu: ", 6) != 0)
        return false;
    return strcmp(words, "shared array '") != 0 || strncmp(line + 6, "illegal shared", 14) == 0;
}

static const char *find_words(const struct inquiry *q, const char *words) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (!failed(q, c))
            continue;
        const char *text = text_get(&inquiry_evidence(q, c)->printed);
        for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
            if (counts(text, at, words))
                return at;
    }
    return NULL;
}

/* "inside allocation #3 (4 bytes), freed": the caller's own, or the program's? */
static bool say_freed(struct inquiry *q, struct diagnosis *d) {
    const char *at = find_words(q, " bytes), freed");
    if (!at || find_words(q, "freed already"))
        return false;
    if (strstr(text_get(&q->evidence->summary), "when reading the result")) {
        d->class = "device-reset";
        text_addf(&d->sentence,
                  "After %s the caller's own matrices are gone from the device: it must not reset "
                  "the device, nor free what it was lent.",
                  entry_name(q->entry));
    } else {
        d->class = "used-after-free";
        text_add(&d->sentence,
                 "Memory is used after cudaFree: free it when the last kernel and the last copy "
                 "that need it are done.");
    }
    diagnosis_place_in_words(d, at, NULL);
    text_add(&d->evidence, "the virtual GPU: ");
    quote_line(&d->evidence, at);
    return true;
}

bool rule_device_words(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict == VERDICT_PASS)
        return false;
    if (say_freed(q, d))
        return true;
    for (size_t i = 0; i < sizeof device_words / sizeof *device_words; i++) {
        const struct said *s = &device_words[i];
        const char *at = find_words(q, s->words);
        if (!at)
            continue;
        struct text who = {0};
        d->class = s->class;
        text_add(&d->sentence, s->sentence);
        diagnosis_place_in_words(d, at, &who);
        if (who.length > 0)
            text_addf(&d->sentence, " It is %s that does it.", text_get(&who));
        text_add(&d->evidence, "the virtual GPU: ");
        quote_line(&d->evidence, at);
        text_free(&who);
        return true;
    }
    return false;
}

/* cuBLAS refuses leading dimensions; every one of them is refused only if it never fits. */
bool rule_host_words(struct inquiry *q, struct diagnosis *d) {
    if (!q->g->lab->cublas)
        return false;
    const char *at = find_words(q, "but A is stored with");
    at = at ? at : find_words(q, "but B is stored with");
    at = at ? at : find_words(q, "but C is stored with");
    bool all = at != NULL;
    for (size_t i = 0; i < q->g->result_count && all; i++)
        all = q->g->results[i].spec->entry != q->entry || q->g->results[i].verdict != VERDICT_PASS;
    if (!all || q->verdict != VERDICT_WRONG)
        return false; /* where it fits sometimes, products tell more */
    d->class = "stride-wrong";
    text_add(&d->sentence,
             "cuBLAS refuses a leading dimension: it is the number of elements from one row of a "
             "row-major matrix to the next, k for A, n for B and C; and the status that "
             "cuBLAS returned was not looked at.");
    text_add(&d->evidence, "the virtual GPU: ");
    quote_line(&d->evidence, at);
    return true;
}

bool rule_launch_refused(struct inquiry *q, struct diagnosis *d) {
    const char *at = find_words(q, "launch of ");
    if (!at || !strstr(at, " refused"))
        return false;
    const char *line_end = at + strcspn(at, "\n");
    const char *empty = strstr(at, "gridDim.");
    bool runs = false; /* for some other shape */
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        runs = runs || (c->spec->entry == q->entry &&
                        (c->verdict == VERDICT_PASS || c->verdict == VERDICT_WRONG));
    }
    if (empty && empty < line_end && empty[8] != 'z' && runs) {
        d->class = "grid-rounds-down";
        text_addf(&d->sentence,
                  "The number of blocks is rounded down or one too small: for a small matrix the "
                  "grid has none at all, for others the edge of C is never computed. Round up, "
                  "(n + tile - 1) / tile along x, (m + tile - 1) / tile along y.");
    } else {
        d->class = "launch-failed";
        text_addf(&d->sentence,
                  "The launch is refused, no thread runs: %s. A block has at most 1024 threads and "
                  "48 KiB of shared memory, and no size of grid or block may be 0.",
                  empty && empty < line_end ? "the grid is empty" : "the block asks for too much");
    }
    text_add(&d->evidence, "the virtual GPU: ");
    quote_line(&d->evidence, at);
    return true;
}

bool rule_inputs_written(struct inquiry *q, struct diagnosis *d) {
    const char *at = inquiry_words(q, "wrote to its input: ");
    if (!at)
        return false;
    d->class = "writes-inputs";
    text_addf(&d->sentence,
              "%s changes %s. A and B are the caller's and must come back as they were: work "
              "on a copy.",
              entry_name(q->entry), at + strlen("wrote to its input: "));
    const struct finding_body *race = inquiry_finding(q, "race", NULL);
    if (race && strncmp(race->object, "allocation", 10) == 0)
        diagnosis_place(d, race);
    text_add(&d->evidence, "A and B were compared, byte by byte, before and after the call");
    return true;
}

/* ---- Not initialised ---- */

bool rule_uninitialised_sum(struct inquiry *q, struct diagnosis *d) {
    const char *words = text_get(&q->session.build->details);
    const char *at = strstr(words, "is uninitialized when used here");
    at = at ? at : strstr(words, "is used uninitialized");
    if (!at || q->verdict != VERDICT_WRONG)
        return false;
    const char *line = at;
    while (line > words && line[-1] != '\n')
        line--;
    line += strspn(line, " ");
    const char *name = q->g->submission.name;
    if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':') {
        d->file = xstrdup(name);
        d->line = atoi(line + strlen(name) + 1);
    }
    d->class = "uninitialised-sum";
    text_add(&d->sentence,
             "A variable is added to before it has a value: it begins with whatever its register "
             "held. Begin with float sum = 0.0f.");
    text_add(&d->evidence, "the compiler's warning: ");
    text_add_clean_line(&d->evidence, line, strcspn(line, "\n"), 200);
    return true;
}

/* Is what was read without being written as large as C, and as neither A nor B? */
static bool reads_output(const struct inquiry *q) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f =
            failed(q, c) ? observation_find(&c->seen, "uninitialized", false) : NULL;
        const struct shape s = c->plan.call[0].shape;
        long bytes = 0;
        if (f && sscanf(f->object, "allocation #%*d (%ld bytes", &bytes) == 1 &&
            bytes == 4L * s.m * s.n && s.n != s.k && s.m != s.k)
            return true;
    }
    return false;
}

/* Do warps pass fewer barriers in a shape with edges than whole blocks do? */
static bool warps_leave(const struct inquiry *q) {
    double each_phase = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < q->trials.count; i++) {
            const struct trial *t = q->trials.trial[i];
            const uint64_t *w = t->work.of;
            const uint64_t threads = w[WORK_BLOCK_X] * w[WORK_BLOCK_Y], side = w[WORK_BLOCK_X];
            const uint64_t warps = w[WORK_GRID_X] * w[WORK_GRID_Y] * ((threads + 31) / 32);
            if (!t->counted || warps == 0)
                continue;
            const uint64_t phases = ((uint64_t)t->shape.k + side - 1) / side;
            const double seen = (double)w[WORK_BARRIERS] / (double)(warps * phases);
            if (pass == 0 && trial_clean(t) && t->verdict == VERDICT_PASS)
                each_phase = seen;
            if (pass == 1 && !trial_clean(t) && seen < each_phase - 0.01)
                return true;
        }
    }
    return false;
}

bool rule_inputs_not_copied(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, "uninitialized", NULL);
    if (!f || q->entry != ENTRY_HOST || strncmp(f->object, "allocation", 10) != 0 ||
        q->verdict != VERDICT_WRONG)
        return false;
    for (size_t i = 0; i < q->g->result_count; i++) /* else the kernel itself is to blame */
        if (q->g->results[i].spec->entry == ENTRY_DEVICE &&
            q->g->results[i].verdict != VERDICT_PASS)
            return false;
    diagnosis_place(d, f);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    if (reads_output(q)) {
        d->class = "A-B-swapped";
        text_add(
            &d->sentence,
            "The kernel reads the buffer that was allocated for C: its pointers are handed over "
            "in another order than it takes them.");
        return true;
    }
    d->class = "inputs-not-copied";
    text_addf(&d->sentence,
              "The kernel reads device memory that nothing was copied into (%s): copy A and B "
              "with cudaMemcpyHostToDevice, both, whole, and before the launch.",
              f->object);
    return true;
}

/* The virtual GPU saw a background copy's destination read before anybody waited for the copy. */
bool rule_copy_under_way(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, "uninitialized", NULL);
    if (!f || !strstr(f->message, "still on its way"))
        return false;
    diagnosis_place(d, f);
    d->class = "not-synchronised";
    text_addf(&d->sentence,
              "%s is read while its copy is still on its way: copies in the background have to be "
              "waited for (__pipeline_wait_prior, cp.async.wait_group; each group that is counted "
              "needs its commit), and then all threads for each other (__syncthreads).",
              f->object);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

bool rule_uninitialised_shared(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, "uninitialized", NULL);
    if (!f || !q->suspects.stale_shared)
        return false;
    bool clean_right = false, clean_wrong = false;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        clean_right = clean_right || (trial_clean(t) && t->verdict == VERDICT_PASS);
        clean_wrong = clean_wrong || (trial_clean(t) && t->verdict != VERDICT_PASS);
    }
    diagnosis_place(d, f);
    if (clean_right && !clean_wrong && warps_leave(q)) {
        d->class = "barrier-divergent";
        text_addf(
            &d->sentence,
            "Threads beyond the edge of C return before the barriers, and with them what they "
            "should have loaded into %s. Every thread has to load, and to reach every "
            "__syncthreads(); only the store at the end is for those inside.",
            f->object);
    } else if (clean_right && !clean_wrong) {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "The last, partial tile is not filled: elements of %s beyond the edge are read, "
                  "and no thread has written them. Store a zero there.",
                  f->object);
    } else {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence,
                  "Elements of %s are read that no thread has written: every element of a tile "
                  "must be stored before it is used. Are there as many threads as elements?",
                  f->object);
    }
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* ---- Barriers and races ---- */

bool rule_barrier(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, "barrier", NULL);
    if (!f)
        return false;
    d->class = "barrier-divergent";
    diagnosis_place(d, f);
    if (strstr(f->message, "barrier in shared memory"))
        text_addf(&d->sentence,
                  "Threads wait in line %d for a phase of a barrier in shared memory that never "
                  "ends, or that they wait for a second time. Count the arrivals that it expects, "
                  "who arrives in each phase, and, with mbarrier, whose parity is waited for: it "
                  "changes each time that the same barrier is used.",
                  d->line);
    else
        text_addf(
            &d->sentence,
            "Not all threads of a block reach the same __syncthreads() (line %d): it stands in an "
            "if or a loop that some threads skip, or some returned before. Every thread must "
            "come by.",
            d->line);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* The first race of this hazard on a shared array. */
static const struct finding_body *shared_race(const struct observation *seen, const char *hazard) {
    for (int i = 0; i < seen->findings; i++) {
        const struct finding_body *f = &seen->finding[i];
        if (f->error && strcmp(f->kind, "race") == 0 && strcmp(f->hazard, hazard) == 0 &&
            strncmp(f->object, "shared array", 12) == 0)
            return f;
    }
    return NULL;
}

static bool one_phase_is_sound(const struct grade_context *g);

bool diagnose_shared_race(const struct grade_context *g, const struct observation *seen,
                          struct diagnosis *d) {
    const struct finding_body *raw = shared_race(seen, "RAW"), *war = shared_race(seen, "WAR");
    const struct finding_body *f = raw ? raw : war;
    if (!f)
        return false;
    diagnosis_place(d, f);
    const int a = f->site[0].line, b = f->site[1].line;
    if (raw && a != b && one_phase_is_sound(g)) {
        d->class = "second-barrier-missing";
        text_addf(
            &d->sentence,
            "The barrier at the end of the loop is missing: line %d already stores the next "
            "phase's elements into %s while other threads still read this phase's in line %d. "
            "Put __syncthreads() after the tiles were used.",
            a, f->object, b);
    } else if (raw) {
        d->class = "first-barrier-missing";
        text_addf(
            &d->sentence,
            "A barrier is missing between loading a tile and using it: line %d stores into %s, "
            "and line %d reads it while other threads are still loading. Put "
            "__syncthreads() between them.",
            a, f->object, b);
        if (war)
            text_add(&d->sentence, " The one at the end of the loop is missing, too.");
    } else {
        d->class = "second-barrier-missing";
        text_addf(
            &d->sentence,
            "The barrier at the end of the loop is missing: line %d still reads %s when a faster "
            "thread, already in the next phase, overwrites it in line %d. Put "
            "__syncthreads() after the tiles were used.",
            a, f->object, b);
    }
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    const char *more = f->message + strcspn(f->message, "\n");
    for (int i = 0; i < 2 && *more == '\n'; i++) {
        text_add(&d->evidence, "; ");
        const char *line = more + 1 + strspn(more + 1, " ");
        text_add_clean_line(&d->evidence, line, strcspn(line, "\n"), 200);
        more = line + strcspn(line, "\n");
    }
    return true;
}

/* A product with a single phase and more than one warp came out right, without a race: tiles are
 * complete when they are used. Then a race that needs several phases is at the loop's end, whatever
 * order it was seen in. With k = 1 there is no second phase: who races there does not need one. */
static bool one_phase_is_sound(const struct grade_context *g) {
    bool sound = false;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        const int k = c->plan.call[0].shape.k;
        if (k > 32 || c->spec->entry != ENTRY_DEVICE)
            continue;
        const bool races = observation_find(&c->seen, "race", true);
        if (k == 1 && races)
            return false;
        sound |= c->seen.calls > 0 && c->observed == VERDICT_PASS && !races &&
                 c->seen.work[0].of[WORK_BARRIERS] > 0;
    }
    return sound;
}

bool rule_shared_race(struct inquiry *q, struct diagnosis *d) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (failed(q, c) && diagnose_shared_race(q->g, &c->seen, d))
            return true;
    }
    return false;
}

bool rule_race(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, "race", NULL);
    if (!f)
        return false;
    d->class = "race";
    diagnosis_place(d, f);
    text_addf(
        &d->sentence,
        "Two threads use %s at the same time and one of them writes (line %d): give each thread "
        "elements of its own, or use atomic operations.",
        f->object, d->line);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}
