/*
 * diagnose_faults.c: rules for what ended badly, or what a checker of the virtual GPU saw (see
 * diagnose.h). They read what the virtual GPU says; its wording is part of its tests.
 */
#include "grading/src/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Looking things up -------------------------------------------------------------------------
 */

static bool failed(const struct inquiry *q, const struct case_result *c) {
    return c->spec->entry == q->entry && c->verdict != VERDICT_PASS && !c->spec->hidden &&
           c->verdict != VERDICT_NOT_GRADED;
}

const struct finding_body *inquiry_finding(const struct inquiry *q, const char *kind,
                                           const struct case_result **from) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f = failed(q, c) ? observation_find(&c->seen, kind, false) : NULL;
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
        const char *at = strstr(text_get(&c->evidence.printed), words);
        at = at ? at : strstr(text_get(&c->evidence.summary), words);
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
static void place_in_words(struct diagnosis *d, const char *at, struct text *who) {
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

/* --- The end of the process --------------------------------------------------------------------
 */

bool rule_no_function(struct inquiry *q, struct diagnosis *d) {
    if (q->first->verdict != VERDICT_MISSING)
        return false;
    d->class = "missing-function";
    text_addf(&d->sentence, "The file lacks %s: define it with the name and the parameters of common/lab.h.",
              entry_name(q->entry));
    text_add(&d->evidence, text_get(&q->first->evidence.summary));
    return true;
}

bool rule_ended(struct inquiry *q, struct diagnosis *d) {
    const enum verdict v = q->first->verdict;
    if (v != VERDICT_EXIT && v != VERDICT_FLOOD && v != VERDICT_MEDDLED)
        return false;
    if (v == VERDICT_EXIT) {
        d->class = "exit";
        text_addf(&d->sentence, "%s ends the whole program. A function must return to its caller: no exit().",
                  entry_name(q->entry));
    } else if (v == VERDICT_FLOOD) {
        text_add(&d->sentence, "The program prints without end: take the printf out of the loop.");
    } else {
        text_add(&d->sentence, "The program touched a file descriptor that is not its own.");
    }
    text_add(&d->evidence, text_get(&q->first->evidence.summary));
    return true;
}

/* cudaMalloc((void **)dA, ...) in a check that failed. */
static bool pointer_for_address(struct inquiry *q, struct diagnosis *d) {
    const char *call = strstr(text_get(&q->first->evidence.printed), "call:    cudaMalloc(");
    const char *comma = call ? strchr(call, ',') : NULL;
    if (!comma || memchr(call, '&', (size_t)(comma - call)))
        return false;
    d->class = "crash";
    text_add(&d->sentence, "cudaMalloc gets a pointer that was never set, and should store into it: it needs the "
                           "address of the pointer, cudaMalloc(&dA, bytes). Casts hide such mistakes.");
    text_add_clean_line(&d->evidence, call, strcspn(call, "\n"), 200);
    return true;
}

bool rule_crash(struct inquiry *q, struct diagnosis *d) {
    if (q->first->verdict == VERDICT_CUDA_ERROR)
        return pointer_for_address(q, d);
    if (q->first->verdict != VERDICT_CRASH)
        return false;
    if (inquiry_words(q, "free(): ") || inquiry_words(q, "munmap_chunk()") ||
        strstr(q->g->submission.bytes, "free((void *)A)") ||
        strstr(q->g->submission.bytes, "free((void *)B)")) {
        d->class = "frees-inputs";
        text_addf(&d->sentence, "%s frees memory that it was only lent: A, B and C belong to the caller.",
                  entry_name(q->entry));
    } else {
        d->class = "crash";
        text_addf(&d->sentence, "%s crashes. Look for pointers that were never set, indices without bounds, "
                                "division by zero; print where you are, or run it in a debugger.",
                  entry_name(q->entry));
    }
    text_add(&d->evidence, text_get(&q->first->evidence.summary));
    return true;
}

bool rule_time_limit(struct inquiry *q, struct diagnosis *d) {
    if (q->first->verdict != VERDICT_TIMEOUT)
        return false;
    const struct finding_body *f = inquiry_finding(q, "endless", NULL);
    d->class = "time-limit";
    if (f) {
        diagnosis_place(d, f);
        text_addf(&d->sentence, "The loop at line %d never ends: does its variable move towards the bound in "
                                "every round?",
                  d->line);
    } else {
        text_addf(&d->sentence, "%s never returns: does every loop end, does anything wait for what never "
                                "comes?",
                  entry_name(q->entry));
    }
    text_add(&d->evidence, text_get(&q->first->evidence.summary));
    return true;
}

/* --- What the virtual GPU says in so many words ------------------------------------------------
 */

static const struct said {
    const char *words, *class, *sentence;
} device_words[] = {
    {": a null pointer", "null-pointer",
     "The kernel is given a null pointer: nothing was allocated for it, or another argument was meant."},
    {"freed already", "double-free", "The same memory is freed twice: one cudaFree for each cudaMalloc."},
    {"a host address, not device memory", "host-pointer-in-kernel",
     "The device is given a pointer to the host's memory, which it cannot read: hand it the copy that "
     "cudaMalloc and cudaMemcpy made."},
    {"device pointer: address", "device-pointer-on-host",
     "Host code uses a device pointer: data on the device is reached by kernels, or after cudaMemcpy."},
    {"misaligned", "misaligned",
     "A wide load or store (float2, float4) is at an address that its size does not divide: rows must "
     "begin at a multiple of it, so the number of columns, too."},
    {" of 16 bytes at", "misaligned",
     "A float4 takes four elements at once: where fewer are left, or rows do not begin at a multiple of "
     "four, it must not be used."},
    {"shared array '", "shared-out-of-bounds",
     "An index leaves an array in shared memory: the array is smaller than the indices that its threads "
     "use. Compare its sizes with those of the block and of the tile."},
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
     "cuBLAS gets a handle that is not alive: cublasCreate before the first call, cublasDestroy after "
     "the last."},
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
        const char *text = text_get(&c->evidence.printed);
        for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
            if (counts(text, at, words))
                return at;
        }
    }
    return NULL;
}

/* "inside allocation #3 (4 bytes), freed": the caller's own, or the program's? */
static bool say_freed(struct inquiry *q, struct diagnosis *d) {
    const char *at = find_words(q, " bytes), freed");
    if (!at || find_words(q, "freed already"))
        return false;
    if (strstr(text_get(&q->first->evidence.summary), "when reading the result")) {
        d->class = "device-reset";
        text_addf(&d->sentence, "After %s the caller's own matrices are gone from the device: it must not reset "
                                "the device, nor free what it was lent.",
                  entry_name(q->entry));
    } else {
        d->class = "used-after-free";
        text_add(&d->sentence, "Memory is used after cudaFree: free it when the last kernel and the last copy "
                               "that need it are done.");
    }
    place_in_words(d, at, NULL);
    text_add(&d->evidence, "the virtual GPU: ");
    quote_line(&d->evidence, at);
    return true;
}

bool rule_device_words(struct inquiry *q, struct diagnosis *d) {
    if (q->first->verdict == VERDICT_PASS)
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
        place_in_words(d, at, &who);
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
    if (!all || q->first->verdict != VERDICT_WRONG)
        return false; /* where it fits sometimes, products tell more */
    d->class = "stride-wrong";
    text_add(&d->sentence, "cuBLAS refuses a leading dimension: it is the number of elements from one row of a "
                           "row-major matrix to the next, k for A, n for B and C; and the status that "
                           "cuBLAS returned was not looked at.");
    text_add(&d->evidence, "the virtual GPU: ");
    quote_line(&d->evidence, at);
    return true;
}

/* What cuBLAS was told, from its refusal or fault: rows and columns of one of its operands. */
static bool cublas_operand(const struct trial *t, char *which, int *rows, int *cols) {
    const char *text = text_get(&t->printed);
    const char *op = strstr(text, "(op("), *matrix = strstr(text, "illegal access: matrix ");
    if (op && sscanf(op, "(op(%c) is %d x %d", which, rows, cols) == 3)
        return true;
    return matrix && sscanf(matrix, "illegal access: matrix %c, %d rows by %d", which, rows, cols) == 3;
}

/* Row-major C = A B is asked for as B A, n x k times k x m. Were these the sizes? */
static const char *cublas_class(char which, int rows, int cols, struct shape s) {
    const int right[3][2] = {{s.n, s.k}, {s.k, s.m}, {s.n, s.m}};
    const int swapped[3][2] = {{s.m, s.k}, {s.k, s.n}, {s.m, s.n}};
    const int i = which - 'A';
    if (i < 0 || i > 2)
        return NULL;
    if (rows == right[i][0] && cols == right[i][1])
        return "stride-wrong";
    return rows == swapped[i][0] && cols == swapped[i][1] ? "m-n-swapped" : "m-n-k-swapped";
}

bool rule_cublas_sizes(struct inquiry *q, struct diagnosis *d) {
    const char *class = NULL;
    char which = 0;
    int rows = 0, cols = 0;
    const struct trial *shown = NULL;
    for (int i = 0; i < q->trials.count && q->g->lab->cublas; i++) {
        const struct trial *t = q->trials.trial[i];
        const struct shape s = t->shape;
        char w;
        int r, c;
        if (s.m == s.n || s.n == s.k || s.m == s.k || !cublas_operand(t, &w, &r, &c))
            continue;
        const char *told = cublas_class(w, r, c, s);
        if (!told || (class && strcmp(class, told) != 0))
            return false;
        class = told;
        which = w, rows = r, cols = c, shown = t;
    }
    if (!class)
        return false;
    d->class = class;
    if (strcmp(class, "stride-wrong") == 0)
        text_add(&d->sentence, "The sizes given to cuBLAS are right, but a leading dimension is not: it is the "
                               "number of elements from one row of a row-major matrix to the next, k for A, n "
                               "for B and for C.");
    else
        text_add(&d->sentence, "The sizes given to cuBLAS are mixed up. It computes column-major matrices; the "
                               "row-major C = A B is its B times A, with the sizes n, m, k in this order.");
    text_addf(&d->evidence, "with m = %d, n = %d, k = %d cuBLAS was given a matrix %c of %d x %d, column-major",
              shown->shape.m, shown->shape.n, shown->shape.k, which, rows, cols);
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
        text_addf(&d->sentence, "The number of blocks is rounded down or one too small: for a small matrix the "
                                "grid has none at all, for others the edge of C is never computed. Round up, "
                                "(n + tile - 1) / tile along x, (m + tile - 1) / tile along y.");
    } else {
        d->class = "launch-failed";
        text_addf(&d->sentence, "The launch is refused, no thread runs: %s. A block has at most 1024 threads and "
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
    text_addf(&d->sentence, "%s changes %s. A and B are the caller's and must come back as they were: work "
                            "on a copy.",
              entry_name(q->entry), at + strlen("wrote to its input: "));
    const struct finding_body *race = inquiry_finding(q, "race", NULL);
    if (race && strncmp(race->object, "allocation", 10) == 0)
        diagnosis_place(d, race);
    text_add(&d->evidence, "A and B were compared, byte by byte, before and after the call");
    return true;
}

/* --- Not initialised ---------------------------------------------------------------------------
 */

bool rule_uninitialised_sum(struct inquiry *q, struct diagnosis *d) {
    const char *words = text_get(&q->g->build.details);
    const char *at = strstr(words, "is uninitialized when used here");
    at = at ? at : strstr(words, "is used uninitialized");
    if (!at || q->first->verdict != VERDICT_WRONG)
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
    text_add(&d->sentence, "A variable is added to before it has a value: it begins with whatever its register "
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
            const double phases = (double)(((uint64_t)t->shape.k + side - 1) / side);
            const double seen = (double)w[WORK_BARRIERS] / (double)warps / phases;
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
        q->first->verdict != VERDICT_WRONG)
        return false;
    for (size_t i = 0; i < q->g->result_count; i++) { /* else the kernel itself is to blame */
        if (q->g->results[i].spec->entry == ENTRY_DEVICE &&
            q->g->results[i].verdict != VERDICT_PASS)
            return false;
    }
    diagnosis_place(d, f);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    if (reads_output(q)) {
        d->class = "A-B-swapped";
        text_add(&d->sentence, "The kernel reads the buffer that was allocated for C: its pointers are handed over "
                               "in another order than it takes them.");
        return true;
    }
    d->class = "inputs-not-copied";
    text_addf(&d->sentence, "The kernel reads device memory that nothing was copied into (%s): copy A and B "
                            "with cudaMemcpyHostToDevice, both, whole, and before the launch.",
              f->object);
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
        text_addf(&d->sentence, "Threads beyond the edge of C return before the barriers, and with them what they "
                                "should have loaded into %s. Every thread has to load, and to reach every "
                                "__syncthreads(); only the store at the end is for those inside.",
                  f->object);
    } else if (clean_right && !clean_wrong) {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence, "The last, partial tile is not filled: elements of %s beyond the edge are read, "
                                "and no thread has written them. Store a zero there.",
                  f->object);
    } else {
        d->class = "uninitialised-shared";
        text_addf(&d->sentence, "Elements of %s are read that no thread has written: every element of a tile "
                                "must be stored before it is used. Are there as many threads as elements?",
                  f->object);
    }
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* --- Barriers and races ------------------------------------------------------------------------
 */

bool rule_barrier(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, "barrier", NULL);
    if (!f)
        return false;
    d->class = "barrier-divergent";
    diagnosis_place(d, f);
    text_addf(&d->sentence, "Not all threads of a block reach the same __syncthreads() (line %d): it stands in an "
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

bool diagnose_shared_race(const struct observation *seen, struct diagnosis *d) {
    const struct finding_body *raw = shared_race(seen, "RAW"), *war = shared_race(seen, "WAR");
    const struct finding_body *f = raw ? raw : war;
    if (!f)
        return false;
    diagnosis_place(d, f);
    const int a = f->site[0].line, b = f->site[1].line;
    if (raw) {
        d->class = "first-barrier-missing";
        text_addf(&d->sentence, "A barrier is missing between loading a tile and using it: line %d stores into %s, "
                                "and line %d reads it while other threads are still loading. Put "
                                "__syncthreads() between them.",
                  a, f->object, b);
        if (war)
            text_add(&d->sentence, " The one at the end of the loop is missing, too.");
    } else {
        d->class = "second-barrier-missing";
        text_addf(&d->sentence, "The barrier at the end of the loop is missing: line %d still reads %s when a faster "
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

bool rule_shared_race(struct inquiry *q, struct diagnosis *d) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (failed(q, c) && diagnose_shared_race(&c->seen, d))
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
    text_addf(&d->sentence, "Two threads use %s at the same time and one of them writes (line %d): give each thread "
                            "elements of its own, or use atomic operations.",
              f->object, d->line);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* --- Outside of memory -------------------------------------------------------------------------
 */

/* One access outside, as it was told. */
struct access {
    const char *text;
    bool known, write, just_past;
    long bytes; /* of the allocation; -1: unknown */
    char matrix; /* 'A', 'B', 'C'; 0: unknown */
    const struct trial *trial;
};

static struct access parse_access(const struct inquiry *q, const struct trial *t) {
    struct access a = {.bytes = -1, .trial = t, .text = strstr(text_get(&t->printed), "illegal global ")};
    if (a.text) {
        const char *end = a.text + strcspn(a.text, "\n");
        const char *number = strstr(a.text, "allocation #"), *room = number ? strchr(number, '(') : NULL;
        a.known = true;
        a.write = strncmp(a.text + 15, "write", 5) == 0;
        const char *past = strstr(a.text, "just past");
        a.just_past = past && past < end;
        a.bytes = room && room < end ? atol(room + 1) : -1;
        /* The worker makes A, B and C, in this order, before the submission makes anything. */
        if (number && number < end && q->entry == ENTRY_DEVICE && strcmp(t->name, "probe") != 0) {
            const int n = atoi(number + 12);
            a.matrix = n >= 1 && n <= 3 ? "ABC"[n - 1] : 0;
        }
        return a;
    }
    const char *summary = text_get(&t->summary), *outside = strstr(summary, ", outside ");
    if (outside) {
        a.known = true;
        a.text = summary;
        a.matrix = outside[10];
        a.write = a.matrix == 'C' || strstr(summary, " wrote to ") != NULL;
    }
    return a;
}

static bool fault(const struct trial *t) {
    return !t->got && (t->verdict == VERDICT_MEMORY || t->verdict == VERDICT_CUDA_ERROR);
}

struct outside {
    struct access shown;      /* of the first case that ends so, else of a probe */
    int clean_right, clean_fault;
    bool tiled;               /* kernels read shared memory */
    bool same_grid, grids;    /* the grid is the same for different shapes */
    bool row_k;               /* every fault without edges is at the first element past B ... */
    bool one_ends;            /* ... and 1 x 1 x 1, where that is padding, ends well */
    bool store;               /* any of the faults is a store */
};

static void gather(const struct inquiry *q, struct outside *o) {
    const struct trial *first_counted = NULL;
    *o = (struct outside){.same_grid = true, .row_k = true};
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        const struct access a = fault(t) ? parse_access(q, t) : (struct access){0};
        if (a.known && (!o->shown.known || (a.matrix && !o->shown.matrix)))
            o->shown = a;
        o->store = o->store || (a.known && a.write);
        o->tiled = o->tiled || t->work.of[WORK_SHARED_LOAD_REQUESTS] > 0;
        if (trial_clean(t)) {
            o->clean_right += t->verdict == VERDICT_PASS;
            o->clean_fault += fault(t);
            char words[64];
            snprintf(words, sizeof words, "used B[%lld], outside",
                     (long long)t->shape.k * t->shape.n);
            o->row_k = o->row_k && fault(t) && strstr(text_get(&t->summary), words);
        }
        if (t->shape.m == 1 && t->shape.n == 1 && t->shape.k == 1)
            o->one_ends = !fault(t);
        if (!t->counted || t->work.of[WORK_GRID_X] == 0)
            continue;
        if (first_counted && (t->shape.m != first_counted->shape.m ||
                              t->shape.n != first_counted->shape.n)) {
            o->grids = true;
            o->same_grid = o->same_grid &&
                           memcmp(&t->work.of[WORK_GRID_X], &first_counted->work.of[WORK_GRID_X],
                                  3 * sizeof(uint64_t)) == 0;
        }
        first_counted = first_counted ? first_counted : t;
    }
}

static void say_access(struct text *t, const struct access *a) {
    struct diagnosis scratch = {0};
    struct text who = {0};
    place_in_words(&scratch, a->text, &who);
    const char *name = a->matrix ? (char[2]){a->matrix, '\0'} : "a matrix";
    if (strncmp(a->text, "illegal", 7) != 0)
        return;
    text_addf(t, " Line %d %s outside of %s with m = %d, n = %d, k = %d", scratch.line,
              a->write ? "writes" : "reads", name, a->trial->shape.m, a->trial->shape.n,
              a->trial->shape.k);
    if (who.length > 0)
        text_addf(t, ", in %s", text_get(&who));
    text_add(t, ".");
    text_free(&who);
    diagnosis_free(&scratch);
}

static const char *guards(const struct outside *o, struct text *t) {
    if (o->shown.write) {
        text_add(t, "The store to C lacks its guard: threads beyond the edge write, too. Store only where row < "
                    "m and col < n, both.");
        return "missing-store-guard";
    }
    if (o->tiled) {
        text_addf(t, "The load of %s lacks a guard, or half of it: at the edge threads read beyond the matrix. "
                     "Load only where both indices are inside (A: row < m and column < k; B: row < k and "
                     "column < n), else store a zero into the tile.",
                  o->shown.matrix ? (char[2]){o->shown.matrix, '\0'} : "a tile");
        return "missing-load-guard";
    }
    text_add(t, "Threads beyond the edge of C work, too: the guard is missing or lets too many through. Go on only "
                "where row < m and col < n, both.");
    return "missing-store-guard";
}

static bool is_element_count(const struct access *a) {
    const struct shape s = a->trial->shape;
    const long ab[] = {(long)s.m * s.k, (long)s.k * s.n, (long)s.m * s.n};
    return a->bytes == ab[0] || a->bytes == ab[1] || a->bytes == ab[2];
}

bool rule_outside(struct inquiry *q, struct diagnosis *d) {
    struct outside o;
    gather(q, &o);
    if (!o.shown.known)
        return false;
    if (q->entry == ENTRY_HOST && is_element_count(&o.shown)) {
        d->class = "bytes-missing";
        text_add(&d->sentence, "Device memory is too small by a factor of four: cudaMalloc and cudaMemcpy count "
                               "bytes, elements times sizeof(float).");
    } else if (o.grids && o.same_grid) {
        d->class = "index-wrong";
        text_add(&d->sentence, "The grid has the same size for every matrix: it has to be computed from m and n.");
    } else if (q->entry == ENTRY_CPU && o.row_k && o.one_ends && o.clean_fault > 0) {
        d->class = "off-by-one";
        text_add(&d->sentence, "The sum has one term too many: p = k is read, row k of B, which does not exist. p "
                               "goes from 0 to k - 1, p < k.");
    } else if (q->entry != ENTRY_CPU && o.clean_right > 0 && o.clean_fault == 0) {
        d->class = guards(&o, &d->sentence);
    } else if (q->entry != ENTRY_CPU && o.clean_right == 0 && o.clean_fault > 0 && !o.store && !o.tiled &&
               o.shown.just_past) {
        d->class = "off-by-one";
        text_add(&d->sentence, "An index goes one too far in every shape: p goes from 0 to k - 1, p < k.");
    } else if (q->entry != ENTRY_CPU && o.clean_right == 0 && o.tiled && !o.store &&
               !q->g->lab->square_tiles && o.clean_fault > 0) {
        d->class = "missing-load-guard";
        text_add(&d->sentence, "There is a phase too many, and its loads have no guard: a tile beyond the matrix is "
                               "read. There are k / tile phases, rounded up once.");
    } else {
        d->class = "out-of-bounds";
        text_add(&d->sentence, "An index leaves its matrix. Which one is too large, and what should have stopped "
                               "it?");
    }
    place_in_words(d, o.shown.text, NULL);
    say_access(&d->sentence, &o.shown);
    text_addf(&d->evidence, "shapes without edges: %d right, %d outside; first seen: ", o.clean_right,
              o.clean_fault);
    struct text line = {0};
    text_add_clean_line(&line, o.shown.text, strcspn(o.shown.text, "\n"), 300);
    text_mask_addresses(&line);
    text_add(&d->evidence, text_get(&line));
    text_free(&line);
    return true;
}
