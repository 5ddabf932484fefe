/*
 * diagnose_copies.c: rules for the copies of matmul_host: which way, how many bytes, when (see
 * diagnose.h). They look at the virtual GPU's messages and at the bytes that it counted.
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

enum { POINTER = sizeof(float *) }; /* what sizeof(A) is */

/* ---- Copies that are refused ---- */

static bool is_large_copy(const struct vgpu_fact *f) {
    return f->says == VGPU_COPY_TOO_LARGE;
}

static bool is_other_side(const struct vgpu_fact *f) {
    return f->says == VGPU_COPY_FROM_HOST &&
           (f->direction == VGPU_HOST_TO_DEVICE || f->direction == VGPU_DEVICE_TO_HOST);
}

static bool is_own_variable(const struct vgpu_fact *f) {
    return f->says == VGPU_COPY_FROM_HOST && f->host == VGPU_HOST_STACK;
}

/* cudaMemcpy(&dA, ...): where the pointer itself lies, in the function's own variables. */
static bool say_address(struct inquiry *q, struct diagnosis *d) {
    const struct fact_body *said = diagnose_find(q, is_own_variable, NULL);
    if (!said || q->entry != ENTRY_HOST)
        return false;
    d->class = "copy-direction";
    text_addf(&d->sentence,
              "The %s of a copy is a variable of your function, and must be memory of the device: "
              "pass the pointer, dA, not its address, &dA. Only cudaMalloc takes the address.",
              said->fact.end == VGPU_SOURCE ? "source" : "destination");
    text_add(&d->evidence, "the virtual GPU: ");
    diagnosis_quote(&d->evidence, said->words);
    return true;
}

/* Source and destination in each other's place, or the word for the direction? A and B are copied
 * before the first launch, C after it. */
static bool say_exchanged(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    const struct fact_body *said = diagnose_find(q, is_other_side, &from);
    if (!said || q->entry != ENTRY_HOST || from->seen.calls == 0)
        return false;
    const bool after = from->seen.work[0].of[WORK_LAUNCHES] > 0;
    const bool back = said->fact.direction == VGPU_DEVICE_TO_HOST;
    if (after != back || said->fact.end != (back ? VGPU_SOURCE : VGPU_DESTINATION))
        return false;
    d->class = "copy-direction";
    text_addf(&d->sentence,
              "Source and destination of a copy are exchanged: with %s the %s must be memory of "
              "the device. cudaMemcpy takes the destination first, then the source: cudaMemcpy(%s, "
              "%s, bytes, %s).",
              back ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToDevice",
              back ? "source" : "destination", back ? "C" : "dA", back ? "dC" : "A",
              back ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToDevice");
    text_add(&d->evidence, "the virtual GPU: ");
    diagnosis_quote(&d->evidence, said->words);
    return true;
}

/* What a matrix takes up, with what lies behind its rows. */
static uint64_t bytes_of(const struct inquiry *q, int rows, int cols) {
    return 4 * (uint64_t)layout_count(q->g->lab->layout, rows, cols);
}

/* Of A, B and C. */
struct matrix_bytes {
    unsigned long long a, b, c;
};

static struct matrix_bytes bytes_of_all(const struct inquiry *q, struct shape s) {
    return (struct matrix_bytes){bytes_of(q, s.m, s.k), bytes_of(q, s.k, s.n),
                                 bytes_of(q, s.m, s.n)};
}

static void say_bytes(struct text *t, const struct inquiry *q, struct shape s) {
    const struct matrix_bytes has = bytes_of_all(q, s);
    text_addf(t, "With m = %d, n = %d and k = %d, A has %llu bytes, B %llu and C %llu%s.", s.m, s.n,
              s.k, has.a, has.b, has.c,
              q->g->lab->layout.padding > 0 ? ", with what lies behind their rows" : "");
}

/* Does each failing case have a copy of so many bytes that was too large? In a matrix of one
 * element a size may be several things. */
static bool asked_everywhere(const struct inquiry *q, unsigned long long bytes) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct evidence *e = inquiry_evidence(q, c);
        if (!inquiry_counts(q, c))
            continue;
        for (int k = 0; k < e->facts.count; k++)
            if (is_large_copy(&e->facts.at[k].fact) && e->facts.at[k].fact.size != bytes)
                return false;
    }
    return true;
}

static bool say_too_large(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    const struct fact_body *said = diagnose_find(q, is_large_copy, &from);
    if (!said)
        return false;
    const struct evidence *e = inquiry_evidence(q, from);
    const struct shape s = e->plan.shape;
    const struct matrix_bytes of = bytes_of_all(q, s);
    const unsigned long long asked = said->fact.size, room = said->fact.limit;
    const bool right_size = asked == of.a || asked == of.b || asked == of.c;
    const bool right_room = room == of.a || room == of.b || room == of.c;
    d->class = "copy-out-of-bounds";
    if (e->call >= 2 && right_size) {
        d->topic = "@buffers";
        text_addf(&d->sentence,
                  "The first call is right, and in call %d a copy of %llu bytes does not fit into "
                  "a buffer of %llu: that one was allocated in an earlier call, for a smaller "
                  "shape. Allocate in each call what it needs, and free it at its end.",
                  e->call, asked, room);
    } else if (asked == POINTER && !right_size && asked_everywhere(q, POINTER)) {
        d->class = "bytes-missing";
        text_addf(&d->sentence,
                  "A copy asks for %d bytes, the size of a pointer, and the memory has %llu: "
                  "sizeof of a pointer is not the size of what it points to. A has m * k * "
                  "sizeof(float) bytes, B has k * n * sizeof(float).",
                  POINTER, room);
    } else if (asked == 2 * room && right_room && !right_size) {
        text_addf(&d->sentence,
                  "A copy asks for %llu bytes, and the memory that it reads or writes has %llu, "
                  "half of that. The elements are float: sizeof(float) is 4, and sizeof(double) or "
                  "that of a pointer 8. ",
                  asked, room);
        say_bytes(&d->sentence, q, s);
    } else if (room * 4 == asked && right_size && !right_room) {
        d->class = "bytes-missing";
        text_addf(&d->sentence,
                  "A copy of %llu bytes does not fit into a buffer of %llu, a quarter of that: "
                  "cudaMalloc counts bytes too, elements times sizeof(float).",
                  asked, room);
    } else if (right_size) {
        text_addf(&d->sentence,
                  "A copy of %llu bytes does not fit into memory of %llu: the two do not belong to "
                  "the same matrix, or the buffer has the byte count of another. ",
                  asked, room);
        say_bytes(&d->sentence, q, s);
    } else {
        text_addf(&d->sentence,
                  "A copy asks for %llu bytes, and the memory that it reads or writes has %llu. "
                  "Sizes count bytes: elements times sizeof(float), once. ",
                  asked, room);
        say_bytes(&d->sentence, q, s);
    }
    text_add(&d->evidence, "the virtual GPU: ");
    diagnosis_quote(&d->evidence, said->words);
    return true;
}

bool diagnose_copies(struct inquiry *q, struct diagnosis *d) {
    return say_address(q, d) || say_exchanged(q, d) || say_too_large(q, d);
}

/* ---- Copies that are missing, or too small ---- */

/* Is what was read without being written as large as C, and as neither A nor B? */
static bool reads_output(const struct inquiry *q) {
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct finding_body *f =
            inquiry_counts(q, c) ? observation_find(&c->seen, VGPU_FOUND_UNINITIALIZED, false)
                                 : NULL;
        const struct shape s = c->plan.call[0].shape;
        if (f && f->fact.memory == VGPU_MEMORY_ALLOCATION &&
            f->fact.room == 4 * (uint64_t)s.m * (uint64_t)s.n && s.n != s.k && s.m != s.k)
            return true;
    }
    return false;
}

/* What may have reached the device of A and of B. */
enum arrived { ALL, QUARTER, POINTER_ALONE, NOTHING, ARRIVED_COUNT };

/* What of A and of B reached the device, for the number of bytes that were copied there. */
static const struct arrival {
    enum arrived a, b;
} ARRIVALS[] = {{ALL, NOTHING},       {NOTHING, ALL},       {NOTHING, NOTHING},
                {ALL, QUARTER},       {QUARTER, ALL},       {QUARTER, QUARTER},
                {ALL, POINTER_ALONE}, {POINTER_ALONE, ALL}, {POINTER_ALONE, POINTER_ALONE}};

enum { ARRIVALS_COUNT = sizeof ARRIVALS / sizeof *ARRIVALS };

static uint64_t bytes_arrived(enum arrived how, uint64_t elements) {
    const uint64_t of[ARRIVED_COUNT] = {
        [ALL] = 4 * elements, [QUARTER] = elements, [POINTER_ALONE] = POINTER, [NOTHING] = 0};
    return of[how];
}

/* The one arrival that gives the bytes copied to the device in every failing case whose matrices
 * differ in size: in a single one two of them may give the same sum. NULL: none, or not known. */
static const struct arrival *arrival_of_all(const struct inquiry *q) {
    unsigned left = (1u << ARRIVALS_COUNT) - 1;
    bool any = false;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        const struct shape s = c->plan.call[0].shape;
        if (!inquiry_counts(q, c) || c->seen.calls == 0 || s.m == s.n || s.m * s.k < 16)
            continue;
        const struct work *w = &c->seen.work[0];
        const uint64_t copied = w->of[WORK_COPIED_BYTES] - w->of[WORK_TO_HOST_BYTES],
                       a = (uint64_t)s.m * (uint64_t)s.k, b = (uint64_t)s.k * (uint64_t)s.n;
        any = true;
        for (unsigned e = 0; e < ARRIVALS_COUNT; e++)
            if (bytes_arrived(ARRIVALS[e].a, a) + bytes_arrived(ARRIVALS[e].b, b) != copied)
                left &= ~(1u << e);
    }
    return any && left != 0 && (left & (left - 1)) == 0 ? &ARRIVALS[__builtin_ctz(left)] : NULL;
}

/* A part of A or B arrives: elements for bytes, or the size of a pointer. Or nothing of it. */
static bool say_part(const struct inquiry *q, struct diagnosis *d) {
    const struct arrival *found = arrival_of_all(q);
    if (!found)
        return false;
    const enum arrived how = found->a == ALL ? found->b : found->a;
    const char *which = found->a == ALL ? "B" : found->b == ALL ? "A" : "A and B";
    d->class = how == NOTHING ? "inputs-not-copied" : "bytes-missing";
    if (how == NOTHING && found->a == found->b)
        text_add(&d->sentence, "Neither A nor B is copied to the device before the kernel reads "
                               "them: copy both with cudaMemcpyHostToDevice before the launch.");
    else if (how == NOTHING)
        text_addf(&d->sentence,
                  "%s is never copied to the device: as many bytes arrive there as %s has. Copy %s "
                  "too, with cudaMemcpyHostToDevice, before the launch.",
                  which, found->a == ALL ? "A" : "B", which);
    else if (how == QUARTER)
        text_addf(&d->sentence,
                  "Only a quarter of %s reaches the device: cudaMemcpy counts bytes, not elements. "
                  "Multiply by sizeof(float).",
                  which);
    else
        text_addf(&d->sentence,
                  "Only %d bytes of %s reach the device: sizeof of a pointer is the size of the "
                  "pointer, not of what it points to. A has m * k * sizeof(float) bytes, B has k * "
                  "n * sizeof(float).",
                  POINTER, which);
    return true;
}

/* matmul_device is given A, B and C, all written: what nobody wrote is memory of its own. */
bool rule_scratch_not_filled(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *in = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, &in);
    if (!f || q->entry != ENTRY_DEVICE || f->fact.memory != VGPU_MEMORY_ALLOCATION ||
        q->verdict != VERDICT_WRONG)
        return false;
    const struct shape s = in->plan.call[0].shape;
    diagnosis_place(d, f);
    d->class = "scratch-not-filled";
    if (f->fact.says == VGPU_BLAS_UNWRITTEN)
        text_addf(&d->sentence,
                  "With m = %d, n = %d, k = %d %s reads %s from device memory of your own, and "
                  "nobody has written all of it. A copy or a kernel before it should have: does it "
                  "fill all elements? A copy counts bytes: elements times sizeof(float).",
                  s.m, s.n, s.k, f->fact.call, f->fact.name);
    else
        text_addf(&d->sentence,
                  "With m = %d, n = %d, k = %d the kernel reads elements of %s, memory of your "
                  "own, that nobody has written. A kernel or a copy before it should have filled "
                  "them: how many rows and columns does it fill, and how many are read here?",
                  s.m, s.n, s.k, f->object);
    text_add_clean_line(&d->evidence, f->message, strcspn(f->message, "\n"), 300);
    return true;
}

/* Is the memory larger than any of the three matrices? */
static bool holds_several(const struct inquiry *q, const struct finding_body *f) {
    const struct shape s = q->evidence->plan.shape;
    const uint64_t a = (uint64_t)s.m * (uint64_t)s.k, b = (uint64_t)s.k * (uint64_t)s.n,
                   c = (uint64_t)s.m * (uint64_t)s.n;
    const uint64_t most = a > b ? a > c ? a : c : b > c ? b : c;
    return f->fact.room > most * sizeof(float);
}

/* How far apart rows begin in memory from cudaMallocPitch that has A's rows, or B's. 0: none of
 * them. */
static uint64_t pitch_of(const struct inquiry *q, const struct finding_body *f) {
    enum { STEP = 512 };
    const struct shape s = q->evidence->plan.shape;
    const uint64_t rows[] = {(uint64_t)s.m, (uint64_t)s.k},
                   columns[] = {(uint64_t)s.k, (uint64_t)s.n};
    for (int i = 0; i < 2; i++) {
        const uint64_t pitch = f->fact.room / rows[i], width = columns[i] * sizeof(float);
        if (f->fact.room % rows[i] == 0 && pitch % STEP == 0 && pitch > width &&
            pitch - width < STEP && rows[i] > 1)
            return pitch;
    }
    return 0;
}

bool rule_inputs_not_copied(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, NULL);
    if (!f || q->entry != ENTRY_HOST || f->fact.memory != VGPU_MEMORY_ALLOCATION ||
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
        text_add(&d->sentence,
                 "The kernel reads the buffer allocated for C: the order of its arguments differs "
                 "from the order of its parameters.");
        return true;
    }
    const uint64_t pitch = pitch_of(q, f);
    if (pitch > 0) {
        d->class = "row-length";
        text_addf(
            &d->sentence,
            "The kernel reads what lies between the rows of a matrix on the device: they "
            "begin %llu bytes apart there, as cudaMallocPitch has arranged it, and the kernel "
            "takes them for rows without gaps. matmul_device wants those: allocate m * k and "
            "k * n and m * n floats with cudaMalloc, and copy with cudaMemcpy.",
            (unsigned long long)pitch);
        return true;
    }
    if (say_part(q, d))
        return true;
    d->class = "inputs-not-copied";
    text_addf(&d->sentence,
              "The kernel reads device memory that nothing was copied into (%s): ", f->object);
    text_add(&d->sentence,
             holds_several(q, f)
                 ? "it holds several matrices. Either a copy ends too early, or the kernel is "
                   "given a pointer that does not lead to the place to which that matrix was "
                   "copied: compare the order and the places of A, B and C in the copies and in "
                   "the call."
                 : "copy all of A and all of B with cudaMemcpyHostToDevice before the launch.");
    return true;
}

/* Does a call copy to the host, and launch a kernel, but in the wrong order? */
static bool copies_first(const struct work *w) {
    return w->of[WORK_LAUNCHES] > 0 && w->of[WORK_TO_HOST_BYTES] > 0 &&
           w->of[WORK_TO_HOST_AFTER] == 0;
}

bool rule_copied_too_early(struct inquiry *q, struct diagnosis *d) {
    int early = 0;
    if (q->entry != ENTRY_HOST || q->verdict != VERDICT_WRONG)
        return false;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (!inquiry_counts(q, c) || c->seen.calls == 0)
            continue;
        if (!copies_first(&c->seen.work[0]))
            return false;
        early++;
    }
    if (early == 0)
        return false;
    d->class = "copied-too-early";
    text_addf(&d->sentence,
              "%s copies to the host before its kernel runs, and not after it: C comes back "
              "unchanged. Copy A and B to the device, launch the kernel, and copy C back last.",
              entry_name(q->entry));
    text_addf(&d->evidence,
              "in %d failing cases nothing is copied to the host after the last kernel", early);
    return true;
}

/* ---- Buffers ---- */

static bool is_outside_buffer(const struct vgpu_fact *f) {
    return f->says == VGPU_ILLEGAL_ACCESS && f->memory == VGPU_MEMORY_ALLOCATION &&
           f->space == VGPU_SPACE_GLOBAL &&
           (f->place == VGPU_AT_PAST || f->place == VGPU_AT_OVER_END);
}

/* Is matmul_device right by itself? */
static bool device_is_right(const struct inquiry *q) {
    bool any = false;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (c->spec->entry != ENTRY_DEVICE)
            continue;
        any = true;
        if (!case_is_special(c->spec) && inquiry_verdict(q, c) != VERDICT_PASS)
            return false;
    }
    return any;
}

/* A buffer of a matrix's elements alone, where something lies behind each row. */
static bool say_without_padding(const struct inquiry *q, struct diagnosis *d, struct shape s,
                                unsigned long long room) {
    const int padding = q->g->lab->layout.padding;
    const unsigned long long mk = 4ULL * (unsigned)s.m * (unsigned)s.k,
                             kn = 4ULL * (unsigned)s.k * (unsigned)s.n,
                             mn = 4ULL * (unsigned)s.m * (unsigned)s.n;
    const char *whose = room == mk ? "A" : room == kn ? "B" : room == mn ? "C" : NULL;
    if (!whose)
        return false;
    d->class = "layout-missed";
    text_addf(&d->sentence,
              "In this lab %d floats that belong to others lie behind each row, and a buffer of "
              "matmul_host has room for the elements of %s alone, %llu bytes: its rows begin too "
              "far apart for that. ",
              padding, whose, room);
    say_bytes(&d->sentence, q, s);
    return true;
}

/* Where rows lie apart, C comes back row by row: a quarter of each is elements for bytes. */
bool rule_rows_for_bytes(struct inquiry *q, struct diagnosis *d) {
    int quarters = 0;
    if (q->entry != ENTRY_HOST || q->verdict != VERDICT_WRONG || q->g->lab->layout.padding == 0)
        return false;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (!inquiry_counts(q, c) || c->seen.calls == 0)
            continue;
        const struct shape s = c->plan.call[0].shape;
        if (c->seen.work[0].of[WORK_TO_HOST_BYTES] != (uint64_t)s.m * (uint64_t)s.n)
            return false;
        quarters++;
    }
    if (quarters == 0)
        return false;
    d->class = "bytes-missing";
    text_add(&d->sentence,
             "Only a quarter of each row of C comes back. The width that cudaMemcpy2D takes counts "
             "bytes, as its two pitches do: n * sizeof(float) bytes of a row.");
    text_addf(&d->evidence, "in %d failing cases m * n bytes are copied to the host", quarters);
    return true;
}

/* The kernel is right where the grader lends it matrices, and leaves the buffers of matmul_host:
 * they, or what is passed, are wrong. */
bool rule_host_buffers(struct inquiry *q, struct diagnosis *d) {
    const struct case_result *from = NULL;
    const struct fact_body *said = diagnose_find(q, is_outside_buffer, &from);
    if (!said || q->entry != ENTRY_HOST || !device_is_right(q))
        return false;
    const struct shape s = inquiry_evidence(q, from)->plan.shape;
    const struct matrix_bytes of = bytes_of_all(q, s);
    const unsigned long long room = said->fact.room;
    const char *whose = room == of.a ? "A" : room == of.b ? "B" : room == of.c ? "C" : NULL;
    if (4 * room == of.a || 4 * room == of.b || 4 * room == of.c)
        return false; /* elements for bytes: said elsewhere */
    if (!whose && q->g->lab->layout.padding > 0 && say_without_padding(q, d, s, room)) {
        diagnosis_place_fact(d, &said->fact);
        text_add(&d->evidence, "the virtual GPU: ");
        diagnosis_quote(&d->evidence, said->words);
        return true;
    }
    d->class = "buffer-wrong";
    diagnosis_place_fact(d, &said->fact);
    text_addf(&d->sentence,
              "matmul_device is right by itself, and with the buffers of matmul_host its kernel "
              "%s outside of one, which has %llu bytes. ",
              said->fact.access == VGPU_READS ? "reads" : "writes", room);
    if (whose)
        text_addf(&d->sentence,
                  "That is the size of %s: either a buffer was allocated with the byte count of "
                  "another matrix, or the arguments of a call are in the wrong order. ",
                  whose);
    else if (room == of.a + of.b + of.c)
        text_add(&d->sentence,
                 "That is the size of all three matrices together: where does each begin, and does "
                 "it end where the next one begins? With A first and B second, B begins m * k "
                 "elements after A, and C another k * n after B. ");
    else
        text_add(&d->sentence, "No matrix has that size: look at the byte counts. ");
    say_bytes(&d->sentence, q, s);
    text_add(&d->evidence, "the virtual GPU: ");
    diagnosis_quote(&d->evidence, said->words);
    return true;
}
