/*
 * diagnose_shared.c: which index leaves an array in shared memory (see diagnose.h).
 *
 * Told from who does it: the first thread of all has 0 for its own indices, so that a loop, the
 * phase or the block must lead it outside; and from what it does: a kernel fills a tile before it
 * reads it, so where a read is the first to leave the array, what is stored fits.
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

static bool is_zero(const uint32_t place[3]) {
    return place[0] == 0 && place[1] == 0 && place[2] == 0;
}

/* The sides of the blocks, where a case was counted. */
static bool block_sides(const struct inquiry *q, uint64_t sides[3]) {
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        if (!t->counted || t->work.of[WORK_BLOCK_X] == 0)
            continue;
        memcpy(sides, &t->work.of[WORK_BLOCK_X], 3 * sizeof *sides);
        return true;
    }
    return false;
}

/* Shapes up to some k stay inside, and all beyond it leave: the largest and the smallest of these.
 */
static bool grows_with_k(const struct inquiry *q, int *inside, int *leaves) {
    *inside = 0, *leaves = INT32_MAX;
    for (int i = 0; i < q->trials.count; i++) {
        const struct trial *t = q->trials.trial[i];
        if (t->got && t->shape.k > *inside)
            *inside = t->shape.k;
        if (!t->got && t->shape.k < *leaves)
            *leaves = t->shape.k;
    }
    return *inside > 0 && *inside < *leaves && *leaves < INT32_MAX;
}

/* Is there a product that does not leave the array? */
static bool any_fits(const struct inquiry *q) {
    for (int i = 0; i < q->trials.count; i++)
        if (q->trials.trial[i]->verdict == VERDICT_PASS)
            return true;
    return false;
}

/* Its size follows from the launch. others_fit: other products stay inside. */
static void say_dynamic(struct diagnosis *d, const struct vgpu_fact *f, bool others_fit) {
    d->class = "dynamic-shared-size";
    if (f->room == 0)
        text_addf(&d->sentence,
                  "'%s' gets its size from the launch, but the launch gives none. The launch's "
                  "third argument says how many bytes of shared memory a block gets besides its "
                  "static arrays: kernel<<<grid, block, bytes>>>(...).",
                  f->name);
    else
        text_addf(&d->sentence,
                  "The launch's third argument gives '%s' %llu bytes, room for %llu floats, but "
                  "the kernel uses more. That argument counts bytes: elements times sizeof(float), "
                  "for all the tiles in the array.%s",
                  f->name, (unsigned long long)f->room,
                  (unsigned long long)(f->room / sizeof(float)),
                  others_fit ? " Other products stay inside, so it may as well be an index that "
                               "goes too far here: does the first place have number 0, and is "
                               "there one for each that is stored?"
                             : "");
}

static void say_read(const struct inquiry *q, struct diagnosis *d, const struct vgpu_fact *f) {
    int inside, leaves;
    d->class = "shared-out-of-bounds";
    if (!is_zero(f->thread) && q->g->lab->block > q->g->lab->tile) {
        d->topic = "@place"; /* threads have tiles of their own, whose places follow from theirs */
        text_addf(&d->sentence,
                  "The stores to '%s' fit, but the reads do not: a thread reads beyond the tile's "
                  "end. Does its place in the block's tile (that of its warp, of its lane) end "
                  "inside, for the last thread, too? Are / and %% exchanged there, or is a row "
                  "longer where it is read than where it is stored?",
                  f->name);
        return;
    }
    if (!is_zero(f->thread)) {
        d->topic = "@loads";
        text_addf(&d->sentence,
                  "The stores to '%s' fit, but the reads do not: the index of the read differs "
                  "from the index that filled it. Are two indices swapped, or is another row "
                  "length used?",
                  f->name);
        return;
    }
    d->topic = "@sum";
    text_addf(&d->sentence,
              "A loop goes too far: thread (0,0,0) has 0 for its own indices, and reads past the "
              "end of '%s' all the same. ",
              f->name);
    if (grows_with_k(q, &inside, &leaves))
        text_addf(&d->sentence,
                  "With k = %d it stays inside, with k = %d it does not: the loop inside a phase "
                  "must run over the terms of one tile, p < TILE, and not over all k.",
                  inside, leaves);
    else
        text_add(&d->sentence, "The stores to the array fit. Inside a phase, p runs over the terms "
                               "of one tile and no further: <, not <=.");
}

static void say_block(struct diagnosis *d, const struct vgpu_fact *f) {
    d->class = "shared-out-of-bounds";
    d->topic = "@loads";
    text_addf(&d->sentence,
              "Block (0,0,0) stays inside '%s', but block (%u,%u,%u) does not: the block's number "
              "gets into the index. Each block has its own tile, and a thread's place in it "
              "follows from threadIdx alone; the row and the column of the matrix belong in the "
              "matrix's index.",
              f->name, f->block[0], f->block[1], f->block[2]);
}

/* How long the index takes the rows of a square array for, one float a thread: a thread of row y
 * and column x stores at y * length + x. 0: its place does not tell. */
static uint64_t length_of_rows(const struct vgpu_fact *f, const uint64_t sides[3], uint64_t *side) {
    const uint64_t floats = f->room / sizeof(float), at = floats + f->distance / sizeof(float);
    const uint64_t number = f->thread[0] + f->thread[1] * sides[0];
    for (*side = 1; *side * *side < floats; ++*side)
        ;
    const uint64_t x = number % *side, y = number / *side;
    if (*side * *side != floats || f->place != VGPU_AT_PAST || y == 0 || at < x ||
        (at - x) % y != 0)
        return 0;
    const uint64_t length = (at - x) / y;
    return length > *side && length < 2 * *side ? length : 0;
}

static void say_write(const struct inquiry *q, struct diagnosis *d, const struct vgpu_fact *f) {
    uint64_t sides[3];
    const unsigned long long floats = f->room / sizeof(float);
    d->class = "shared-out-of-bounds";
    const bool sides_known = block_sides(q, sides);
    const uint64_t threads = sides_known ? sides[0] * sides[1] * sides[2] : 0;
    uint64_t side = 0;
    const uint64_t length = threads == floats && floats > 0 ? length_of_rows(f, sides, &side) : 0;
    if (length > 0) {
        d->topic = "@loads";
        text_addf(
            &d->sentence,
            "'%s' has %llu floats, room for %llu rows of %llu, but the index that stores into "
            "it takes rows for %llu long, so the last one ends outside. If rows are longer by "
            "some padding, declare the array so, too: %llu x %llu floats.",
            f->name, floats, (unsigned long long)side, (unsigned long long)side,
            (unsigned long long)length, (unsigned long long)side, (unsigned long long)length);
    } else if (is_zero(f->thread) && threads > 0 && floats > threads) {
        d->topic = "@loads";
        text_addf(&d->sentence,
                  "The block's %llu threads fill '%s', %llu floats, in several passes, and one of "
                  "them stores past its end. An element's row and column follow from its number by "
                  "/ and %% with the length of this array's rows, and the passes end at its last "
                  "element. Is another array's length there? Or does the number of the slab or of "
                  "the phase get into the index?",
                  (unsigned long long)threads, f->name, floats);
    } else if (is_zero(f->thread) || (threads == floats && floats > 0)) {
        d->topic = "@loads";
        text_addf(&d->sentence,
                  "'%s' has room for all threads of the block, but a thread stores past its end: "
                  "something else gets into the index, such as the phase. Each phase fills the "
                  "same tile again, and a thread's place in it follows from threadIdx alone.",
                  f->name);
    } else if (threads > floats) {
        text_addf(&d->sentence,
                  "'%s' has room for %llu floats, but the block has %llu x %llu threads (x, y), "
                  "each of which stores an element of its own: make the array as large as the "
                  "block, or the block as small as the tile.",
                  f->name, floats, (unsigned long long)sides[0], (unsigned long long)sides[1]);
    } else {
        text_addf(&d->sentence,
                  "An index leaves '%s', which has room for %llu floats: the array is smaller than "
                  "the indices that its threads use. Compare its sizes with those of the block and "
                  "of the tile.",
                  f->name, floats);
    }
}

/* What is stored into it fits: so the launch gives enough, and an index is too large. */
static void say_dynamic_read(struct diagnosis *d, const struct vgpu_fact *f) {
    d->class = "shared-out-of-bounds";
    d->topic = "@sum";
    text_addf(&d->sentence,
              "The stores to '%s' and the copies into it fit, but a read does not: it goes beyond "
              "the last buffer. Which index is too large there: one of the next step or slab that "
              "should begin again at 0, that of a buffer, or the thread's place in a tile? And if "
              "the index is right, the launch's third argument, in bytes, is too small.",
              f->name);
}

/* All lanes of a warp together: their own indices have no part in it. */
static void say_matrix(struct diagnosis *d, const struct vgpu_fact *f) {
    const bool reads = f->access == VGPU_READS;
    d->class = "shared-out-of-bounds";
    text_addf(&d->sentence,
              "A warp %s a matrix that goes beyond the end of '%s'. Three things say where: the "
              "address; the length of a row in elements, the last argument but for the layout; and "
              "the layout, row_major or col_major%s. Do they fit how the tile lies there? With the "
              "other layout rows and columns change places, and a tile of few, long rows ends too "
              "early.",
              reads ? "loads" : "stores", f->name, reads ? ", which the fragment has" : "");
}

void diagnose_outside_array(const struct inquiry *q, const struct vgpu_fact *f,
                            struct diagnosis *d) {
    if (f->matrix)
        say_matrix(d, f);
    else if (f->dynamic && f->room > 0 && f->access == VGPU_READS)
        say_dynamic_read(d, f);
    else if (f->dynamic)
        say_dynamic(d, f, any_fits(q));
    else if (!is_zero(f->block))
        say_block(d, f);
    else if (f->access == VGPU_READS)
        say_read(q, d, f);
    else
        say_write(q, d, f);
    text_add(&d->sentence, " It is ");
    diagnosis_say_thread(&d->sentence, f);
    text_add(&d->sentence, " that does it.");
}
