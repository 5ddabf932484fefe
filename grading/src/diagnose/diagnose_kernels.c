/*
 * diagnose_kernels.c: which of a program's kernels, or of its launches, makes the mistake, and what
 * it does to the sums (see diagnose.h).
 *
 * A program that chooses among kernels is wrong where one of them runs, and right elsewhere: a
 * kernel for thin shapes, one that adds parts. Which ran is counted by name, and the names are
 * those of the source. A program that divides C among launches is wrong where there are several.
 * With A and B all ones, C then counts the terms of its sums, which tells what is wrong, whatever
 * the code is.
 *
 * A mistake that is known by its products is left to the rules for these: they say more.
 */
#include "grading/src/diagnose/declarations.h"
#include "grading/src/diagnose/diagnose.h"
#include "vgpu/include/vgpu.h"

#include <stdlib.h>
#include <string.h>

/* A case with more multiply-adds takes too long to be called again. */
#define MOST_COUNTED 50000000

struct kernel {
    const struct token *name;
    uint64_t bit;
};

enum { KERNELS_MOST = 32 };

struct kernels {
    struct kernel of[KERNELS_MOST];
    int count;
};

/* The kernels of the source. False when two of them cannot be told apart. */
static bool read_kernels(const struct tokens *t, struct kernels *k) {
    uint64_t bits = 0;
    bool body;
    *k = (struct kernels){.count = 0};
    for (int i = 0; i < t->count && k->count < KERNELS_MOST; i++) {
        if (!declares_function(t, i, &body) || !body || !declared_kernel(t, i))
            continue;
        const struct token *name = &t->of[i];
        const uint64_t bit = (uint64_t)1 << vgpu_kernel_bit(name->text, name->length);
        if (bits & bit)
            return false;
        bits |= bit;
        k->of[k->count++] = (struct kernel){name, bit};
    }
    return k->count > 1;
}

static bool knows_kernels(const struct trial *t) {
    return (t->counted || t->idled) && t->work.of[WORK_LAUNCHES] > 0;
}

/* Of a case that is too large to be counted nobody knows which kernels ran; where no other is
 * wrong, they are asked for. */
static void know_a_wrong_one(struct inquiry *q) {
    struct trial *unknown = NULL;
    for (int i = 0; i < q->trials.count; i++) {
        struct trial *t = q->trials.trial[i];
        if (trial_wrong(t) && knows_kernels(t))
            return;
        unknown = trial_wrong(t) && !unknown ? t : unknown;
    }
    if (unknown)
        probe_launches(&q->prober, unknown);
}

static bool ran(const struct trial *t, uint64_t bit) {
    return (t->work.of[WORK_KERNELS_RAN] & bit) != 0;
}

/* Did it run wherever the product is wrong? Then the number of right products in which it ran all
 * the same; else, or where too little is right without it, -1. A product may be right by chance
 * where a side or k is 1, so these do not count. */
static int right_in_spite(const struct trials *all, uint64_t bit) {
    enum { LEAST = 2 };
    int wrong = 0, without = 0, with = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const bool right = t->verdict == VERDICT_PASS;
        const bool tiny = t->shape.m * t->shape.n <= 2 || t->shape.k <= 2;
        if (!knows_kernels(t))
            continue;
        if (trial_wrong(t) && !ran(t, bit))
            return -1;
        wrong += trial_wrong(t);
        without += right && !ran(t, bit);
        with += right && ran(t, bit) && !tiny;
    }
    return wrong > 0 && without >= LEAST ? with : -1;
}

/* What all wrong shapes have in common. */
static bool every_wrong(const struct trials *all, bool (*holds)(const struct trial *t)) {
    for (int i = 0; i < all->count; i++)
        if (trial_wrong(all->trial[i]) && !holds(all->trial[i]))
            return false;
    return true;
}
static bool is_line(const struct trial *t) {
    return t->shape.m == 1 || t->shape.n == 1;
}
static bool has_two_kernels(const struct trial *t) {
    return t->work.of[WORK_LAUNCHES] > 1;
}

/* The smallest wrong shape that may be called again; NULL: all are too large. */
static const struct trial *smallest_wrong(const struct trials *all) {
    const struct trial *best = NULL;
    double least = MOST_COUNTED;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const double size = (double)t->shape.m * t->shape.n * t->shape.k;
        if (trial_wrong(t) && size < least)
            best = t, least = size;
    }
    return best;
}

/* How many terms the sums have at least and at most; false: that is not known. */
static bool count_terms(struct inquiry *q, struct shape s, int *least, int *most) {
    struct trials all = {.count = 0};
    const struct trial *t = probe(&q->prober, &all, s, PROBE_ONES);
    bool known = t && t->got;
    *least = INT32_MAX, *most = 0;
    for (size_t at = 0; known && at < trial_elements(t); at++) {
        const double terms = (double)trial_shown_got(t, at);
        known = terms >= 0 && terms <= 1e9 && terms == (double)(int)terms;
        *least = known && terms < *least ? (int)terms : *least;
        *most = known && terms > *most ? (int)terms : *most;
    }
    trials_free(&all);
    return known;
}

/* The class follows from how many terms there are. `split`: a second kernel adds parts. */
static const char *say_terms(struct text *t, struct shape s, int least, int most, bool split) {
    if (least == s.k && most == s.k) {
        text_addf(t,
                  " Each sum has as many terms as it should, %d with k = %d, but not the right "
                  "ones. ",
                  s.k, s.k);
        text_add(t, split ? "Where is a part stored, and where does the second kernel look for it? "
                            "Both must number the parts and their places in the same way: which "
                            "of a block's part and tile comes by /, and which by %?"
                          : "Some are taken twice, and others never, or they belong to another "
                            "row or column: write down which elements its threads read in the "
                            "first two rounds of its loop.");
        return "kernel-mixes-terms";
    }
    if (most < s.k) {
        text_addf(t, " Terms are lost: with k = %d its sums have %d", s.k, least);
        if (most > least)
            text_addf(t, " to %d", most);
        text_add(t, ". ");
        text_add(t, split ? "The parts together must be all of k: each begins where the one before "
                            "it ends, whatever the remainder, and every part is added."
                          : "Which of the values of p does no thread take, or whose sum is never "
                            "added? Each round of the loop goes on by as many as take part.");
        return "kernel-loses-terms";
    }
    if (least > s.k) {
        text_addf(t, " Terms are added more than once: with k = %d its sums have %d", s.k, least);
        if (most > least)
            text_addf(t, " to %d", most);
        text_add(t, ". Each part of k has a beginning and an end of its own, and belongs to one "
                    "group of threads, or one block, alone. And where tiles are read ahead, is it "
                    "the next one that is read, and not the same one again?");
        return "kernel-repeats-terms";
    }
    text_addf(t,
              " Its sums have from %d to %d terms, where each should have %d: some get terms, or "
              "whole parts, that belong to others.",
              least, most, s.k);
    if (split)
        text_add(t, " A part has two numbers: its tile's, and its own among the parts of that "
                    "tile. One comes from the number of a block by /, the other by %: are they "
                    "exchanged, or does the second kernel count the places of parts in another "
                    "order?");
    return "kernel-mixes-terms";
}

/* The one kernel besides these that ran in all wrong products; NULL: none, or several. */
static const struct kernel *ran_before(const struct trials *all, const struct kernels *kernels,
                                       const struct kernel *one, const struct kernel *other) {
    const struct kernel *found = NULL;
    for (int k = 0; k < kernels->count; k++) {
        const struct kernel *of = &kernels->of[k];
        bool always = of != one && of != other;
        for (int i = 0; i < all->count && always; i++)
            always = !trial_wrong(all->trial[i]) || ran(all->trial[i], of->bit);
        if (always && found)
            return NULL;
        found = always ? of : found;
    }
    return found;
}

/* Is a product of several rows and columns right that took more than one kernel? Then what a row or
 * a column has of its own is wrong, and not how parts are added. */
static bool parts_are_right(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (t->verdict == VERDICT_PASS && t->counted && has_two_kernels(t) && !is_line(t))
            return true;
    }
    return false;
}

static int side_of(struct shape s, int which) {
    return which == 0 ? s.n : which == 1 ? s.m : s.k;
}

/* The kernel is right up to one size and wrong beyond: says up to which of n, m or k. */
static bool say_limit(struct text *to, const struct trials *all, uint64_t bit) {
    for (int which = 0; which < 3; which++) {
        int right = 0, wrong = INT32_MAX;
        for (int i = 0; i < all->count; i++) {
            const struct trial *t = all->trial[i];
            const int side = side_of(t->shape, which);
            if (!knows_kernels(t) || !ran(t, bit))
                continue;
            if (t->verdict == VERDICT_PASS && side > right)
                right = side;
            if (trial_wrong(t) && side < wrong)
                wrong = side;
        }
        if (right == 0 || wrong == INT32_MAX || right >= wrong)
            continue;
        text_addf(to,
                  " It is right up to %c = %d, and wrong with %c = %d: either it is chosen for "
                  "shapes that it does not compute, or part of it ends too early.",
                  "nmk"[which], right, "nmk"[which], wrong);
        return true;
    }
    return false;
}

/* Does this kernel read what nobody has written, in its blocks' shared memory, or outside? */
static bool reads_unwritten(const struct inquiry *q, const struct kernel *k, bool shared) {
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, NULL);
    const size_t length = k->name->length;
    return f && (f->fact.memory == VGPU_MEMORY_SHARED) == shared &&
           strncmp(f->kernel, k->name->text, length) == 0 &&
           (f->kernel[length] == '\0' || f->kernel[length] == '<'); /* a template's name goes on */
}

/* The same, if it does so once for each element of C, or so many times: then every sum has that
 * many parts too many. (Who mistakes places for each other finds most of them filled.) NULL: it
 * does not. */
static const struct finding_body *part_too_many(const struct inquiry *q) {
    const struct case_result *from = NULL;
    const struct finding_body *f = inquiry_finding(q, VGPU_FOUND_UNINITIALIZED, &from);
    if (!f || !from)
        return NULL;
    const struct shape s = from->plan.call[0].shape;
    const uint64_t elements = (uint64_t)s.m * (uint64_t)s.n;
    return elements >= 8 && f->count > 0 && f->count % elements == 0 ? f : NULL;
}

/* A wrong element that holds this number, and was written; -1: there is none. */
static long holder_of(const struct trial *t, double number) {
    for (size_t at = 0; at < trial_elements(t); at++)
        if ((double)t->got[at] == number && !trial_right(t, at) && !trial_untouched(t, at))
            return (long)at;
    return -1;
}

/* Are the sums of elements that were never written found elsewhere in C, where they are wrong? One
 * of them, and where it belongs. */
static bool lie_elsewhere(const struct trial *t, size_t *at, size_t *belongs) {
    enum { LEAST = 16, MOST = 64, OF_TEN = 9 };
    int missed = 0, found = 0;
    for (size_t i = 0; t->got && i < trial_elements(t) && missed < MOST; i++) {
        if (!trial_untouched(t, i) || t->want[i] == 0)
            continue;
        const long holder = holder_of(t, t->want[i]);
        missed++;
        found += holder >= 0;
        if (holder >= 0 && found == 1)
            *at = (size_t)holder, *belongs = i;
    }
    return found >= LEAST && 10 * found >= OF_TEN * missed;
}

static bool say_elsewhere(struct text *to, const struct trials *all) {
    size_t at = 0, belongs = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const size_t n = (size_t)t->shape.n;
        if (!trial_wrong(t) || !lie_elsewhere(t, &at, &belongs))
            continue;
        text_addf(to,
                  " Its sums are right, but stored in other places: C[%zu][%zu] holds what belongs "
                  "in C[%zu][%zu], which is never written. Which tile do the blocks of this kernel "
                  "store? Where some tiles have a block of their own, the shared ones come behind "
                  "these.",
                  at / n, at % n, belongs / n, belongs % n);
        return true;
    }
    return false;
}

/* `also`: another kernel that ran wherever this one did, or NULL. False: that it ran does not make
 * it sure. */
static bool say(struct inquiry *q, const struct kernels *kernels, const struct kernel *k,
                const struct kernel *also, bool always, struct diagnosis *d) {
    const struct trials *all = &q->trials;
    const struct trial *of = smallest_wrong(all);
    const struct shape s = of ? of->shape : q->evidence->plan.shape;
    const bool split = every_wrong(all, has_two_kernels);
    const struct finding_body *beyond = NULL;
    struct text terms = {0};
    int least, most;
    const char *class = "kernel-wrong";
    if (of && count_terms(q, s, &least, &most)) {
        class = say_terms(&terms, s, least, most, split);
    } else if (split &&
               (reads_unwritten(q, k, false) || (also && reads_unwritten(q, also, false))) &&
               (beyond = part_too_many(q)) != NULL) {
        text_add(&terms,
                 " For each element of C a place is read that no thread has stored into: "
                 "a part that does not exist is added. Parts go from 0 on, part < parts; "
                 "and where several are loaded at once, those behind the last one must be "
                 "zero instead. Or parts are looked for further apart than they were "
                 "stored: part q begins q times as far on as one part has elements, however "
                 "many threads read it.");
        class = "kernel-repeats-terms";
    } else if (split && reads_unwritten(q, k, false)) {
        text_add(&terms, " It reads places that no thread has stored into. Where is a part stored, "
                         "and where does the second kernel look for it? Both must number the parts "
                         "and their places in the same way: which of a block's part and tile comes "
                         "by /, and which by %?");
        class = "kernel-mixes-terms";
    }
    if (strcmp(class, "kernel-wrong") == 0 && say_elsewhere(&terms, all))
        class = "sum-misplaced";
    /* A part, or a tile, alone has nothing to be mixed up with. Terms that are lost, or taken
     * again, have been counted: a kernel may do so for some lengths of sums alone. */
    bool sure = always || split || strcmp(class, "kernel-loses-terms") == 0 ||
                strcmp(class, "kernel-repeats-terms") == 0;
    if (!sure) {
        text_clear(&terms);
        class = "kernel-wrong";
        sure = say_limit(&terms, all, k->bit);
    }
    if (sure) {
        d->class = class;
        const bool line = every_wrong(all, is_line) && (!split || parts_are_right(all));
        const struct kernel *before = split ? ran_before(all, kernels, k, also) : NULL;
        struct text left = {0};
        if (before)
            text_addf(&left, "%.*s leaves", (int)before->name->length, before->name->text);
        /* A kernel whose sums are wrong by themselves is one for rows, columns or narrow products;
         * else it is chosen where it should not be. */
        const bool own = line || (!split && strcmp(class, "kernel-wrong") != 0);
        d->topic = own ? "@line" : split ? "@split" : "@kernels";
        text_addf(&d->sentence, "The mistake is in %.*s", (int)k->name->length, k->name->text);
        if (also)
            text_addf(&d->sentence, " or %.*s, which run together", (int)also->name->length,
                      also->name->text);
        text_addf(&d->sentence,
                  ", or in what %s for %s: products are right wherever other kernels compute "
                  "them, and wrong %s %s, such as m = %d, n = %d, k = %d.%s",
                  before ? text_get(&left) : "is left", also ? "them" : "it",
                  always ? "where" : "only where", also ? "they run" : "it runs", s.m, s.n, s.k,
                  text_get(&terms));
        if (beyond) {
            diagnosis_place(d, beyond);
        } else {
            d->file = xstrdup(q->g->submission.name);
            d->line = k->name->line;
        }
        text_addf(&d->evidence, "%.*s ran in all calls with a wrong product%s",
                  (int)k->name->length, k->name->text, always ? ", and in no other" : "");
        text_free(&left);
    }
    text_free(&terms);
    return sure;
}

/* All wrong products took more launches than any right one: the fewest of these, and the most of
 * those; false: not so. */
static bool takes_more(const struct trials *all, enum work_item item, uint64_t *wrong,
                       uint64_t *right) {
    enum { LEAST = 4 };
    uint64_t fewest = UINT64_MAX, most = 0;
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const uint64_t times = t->work.of[item];
        if (!(t->counted || t->idled) || times == 0)
            continue;
        if (trial_wrong(t) && times < fewest)
            fewest = times;
        if (t->verdict != VERDICT_PASS)
            continue;
        most = times > most ? times : most;
        count++;
    }
    *wrong = fewest;
    *right = most;
    return count >= LEAST && fewest < UINT64_MAX && most < fewest;
}

bool rule_one_kernel(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_WRONG || q->entry == ENTRY_CPU ||
        q->session.backend->kind != BACKEND_VGPU ||
        inquiry_finding(q, VGPU_FOUND_RACE, NULL)) /* that explains any product */
        return false;
    struct tokens t = tokens_read(q->g->submission.bytes);
    struct kernels all;
    const struct kernel *blamed = NULL, *also = NULL;
    int least = INT32_MAX;
    if (read_kernels(&t, &all)) {
        diagnose_probe(q);
        know_a_wrong_one(q);
        for (int i = 0; i < all.count; i++) {
            const int right = right_in_spite(&q->trials, all.of[i].bit);
            if (right < 0 || right > least)
                continue;
            also = right == least ? blamed : NULL;
            blamed = &all.of[i];
            least = right;
        }
    }
    struct diagnosis known = {0};
    /* Elements of a tile that nobody stored have a rule of their own. */
    const bool better =
        blamed && (reads_unwritten(q, blamed, true) ||
                   (suspect_products(&q->trials, &q->suspects, &known) && known.class));
    diagnosis_free(&known);
    /* Of a kernel that is right in other products, too, the launches beside it tell more, or which
     * tiles are wrong. */
    uint64_t wrong, right;
    known = (struct diagnosis){0};
    const bool shared = least > 0 && (takes_more(&q->trials, WORK_LAUNCHES, &wrong, &right) ||
                                      suspect_last_tiles(&q->trials, &known));
    diagnosis_free(&known);
    const bool said = blamed && !better && !shared && say(q, &all, blamed, also, least == 0, d);
    tokens_free(&t);
    return said;
}

/* ---- Several launches share C ---- */

/* Nothing is odd about the first failing case but that it is large. One with more rows than a
 * launch may have has rules of its own. */
static bool is_merely_large(const struct case_spec *c) {
    return c->unchecked && !c->unaligned && c->input != INPUT_POSITIVE && c->shape != SHAPE_TALL;
}

bool rule_launches(struct inquiry *q, struct diagnosis *d) {
    uint64_t wrong, right;
    if (q->verdict != VERDICT_WRONG || q->entry == ENTRY_CPU ||
        q->session.backend->kind != BACKEND_VGPU ||
        (q->special && !is_merely_large(q->first->spec)))
        return false;
    diagnose_probe(q);
    know_a_wrong_one(q);
    const bool kernels = takes_more(&q->trials, WORK_LAUNCHES, &wrong, &right);
    if (!kernels && !takes_more(&q->trials, WORK_GEMM_CALLS, &wrong, &right))
        return false;
    const struct shape s = q->evidence->plan.shape;
    d->class = "launches-misfit";
    text_addf(&d->sentence,
              "C is right wherever no more than %llu %s%s compute%s it, and wrong where %llu "
              "share it, such as m = %d, n = %d, k = %d. Each %s computes a part of C, and "
              "gets the pointers and sizes of its part: rows from r on begin at A + r * k and C + "
              "r * n, columns from c on at B + c and C + c. But rows lie as far apart as in the "
              "whole matrix: k in A, n in B and C. And the parts must be all of C, corners "
              "included.",
              (unsigned long long)right,
              kernels      ? "kernel"
              : right == 1 ? "call of cuBLAS"
                           : "calls of cuBLAS",
              right == 1 || !kernels ? "" : "s", right == 1 ? "s" : "", (unsigned long long)wrong,
              s.m, s.n, s.k, kernels ? "launch" : "call");
    text_addf(&d->evidence, "right products took up to %llu %s, wrong ones %llu or more",
              (unsigned long long)right, kernels ? "launches" : "calls of cuBLAS",
              (unsigned long long)wrong);
    return true;
}

/* ---- Terms that are in no sum ---- */

/* The sum of what A's columns hold, column p the power of p + 1 (power 0: zero), over all terms of
 * a sum of C; -1: that differs from element to element. */
static double weigh(struct inquiry *q, struct shape s, int power) {
    const size_t size = (size_t)s.m * (size_t)s.k, other = (size_t)s.k * (size_t)s.n;
    float *a = xmalloc(size * sizeof *a), *b = xmalloc(other * sizeof *b);
    for (size_t i = 0; i < size; i++) {
        const float p = (float)(i % (size_t)s.k + 1);
        a[i] = power == 2 ? p * p : power == 1 ? p : 0;
    }
    for (size_t i = 0; i < other; i++)
        b[i] = 1;
    struct trials all = {.count = 0};
    const struct trial *t = probe_with(&q->prober, &all, s, a, b);
    bool same = t && t->got;
    for (size_t at = 1; same && at < trial_elements(t); at++)
        same = t->got[at] == t->got[0];
    const double sum = same ? (double)t->got[0] : -1;
    trials_free(&all);
    free(a);
    free(b);
    return sum;
}

/* Which of the values of p are missing, if they follow each other: the first one; -1: else. */
static int first_missing(struct inquiry *q, struct shape s, int missing) {
    const double places = weigh(q, s, 1), squares = weigh(q, s, 2);
    if (places < 0 || squares < 0)
        return -1;
    for (int first = 0; first + missing <= s.k; first++) {
        double one = places, two = squares;
        for (int p = 0; p < s.k; p++) {
            const bool there = p < first || p >= first + missing;
            one -= there ? p + 1 : 0;
            two -= there ? (double)(p + 1) * (p + 1) : 0;
        }
        if (one == 0 && two == 0)
            return first;
    }
    return -1;
}

/* Of wrong shapes with at least 2 x 2 elements, the one with the shortest sums that are longer than
 * `than`; NULL: there is none, or all are too large. */
static const struct trial *shortest_wrong(const struct trials *all, int than) {
    const struct trial *best = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (trial_wrong(t) && t->shape.m > 1 && t->shape.n > 1 && t->shape.k > than &&
            (double)t->shape.m * t->shape.n * t->shape.k < MOST_COUNTED &&
            (!best || t->shape.k < best->shape.k))
            best = t;
    }
    return best;
}

/* Do all sums of a wrong product lack as many terms, or have as many too many, in each of several
 * shapes? Then *most have so many in the shortest one, which is the result; else NULL. */
static const struct trial *miscounted_everywhere(struct inquiry *q, bool lacking, int *most) {
    enum { SHAPES = 3, MOST_K = 350 }; /* sums of squares up to it are exact */
    const struct trial *first = NULL, *t = shortest_wrong(&q->trials, 0);
    for (int i = 0; i < SHAPES && t && t->shape.k <= MOST_K; i++) {
        int least, have;
        if (!count_terms(q, t->shape, &least, &have) || least != have ||
            (lacking ? have >= t->shape.k : have <= t->shape.k))
            return NULL;
        *most = first ? *most : have;
        first = first ? first : t;
        t = shortest_wrong(&q->trials, t->shape.k);
    }
    return first;
}

static bool say_surplus(struct inquiry *q, struct diagnosis *d) {
    int have = 0;
    const struct trial *of = miscounted_everywhere(q, false, &have);
    if (!of || weigh(q, of->shape, 0) != 0) /* what is there without A is no term */
        return false;
    d->class = "terms-repeated";
    text_addf(
        &d->sentence,
        "Terms are added more than once: with m = %d, n = %d, k = %d each sum has %d, where %d "
        "are right. Where k is divided into parts or tiles, the next one begins where the one "
        "before ends: is the last tile of each part cut where the part ends, and not where k "
        "ends?",
        of->shape.m, of->shape.n, of->shape.k, have, of->shape.k);
    text_addf(&d->evidence, "with ones in A and B each element of C is %d for k = %d", have,
              of->shape.k);
    return true;
}

bool rule_counted(struct inquiry *q, struct diagnosis *d) {
    int least = 0;
    if (q->verdict != VERDICT_WRONG || q->suspects.product.kind != PRODUCT_PLAIN)
        return false;
    diagnose_probe(q);
    const struct trial *of = miscounted_everywhere(q, true, &least);
    if (!of)
        return say_surplus(q, d);
    const struct shape s = of->shape;
    const int missing = s.k - least, first = least > 0 ? first_missing(q, s, missing) : 0;
    d->class = "terms-missing";
    text_addf(&d->sentence, "Every sum lacks terms: with m = %d, n = %d, k = %d it has %d of %d.",
              s.m, s.n, s.k, least, s.k);
    if (first >= 0 && missing == 1)
        text_addf(&d->sentence, " The one with p = %d is missing.", first);
    else if (first >= 0 && least > 0)
        text_addf(&d->sentence, " Those with p = %d to %d are missing.", first,
                  first + missing - 1);
    if (q->entry == ENTRY_CPU)
        text_add(&d->sentence, " Which loop or part of k should add them? Where k is divided, do "
                               "the parts add up to k, when a division leaves a remainder, too?");
    else
        text_add(&d->sentence, " Which part of your program should add them: a phase, a part of k, "
                               "a group of threads? Does it do so, and does its sum get into C?");
    text_addf(&d->evidence, "with ones in A and B each element of C is %d for k = %d", least, s.k);
    return true;
}
