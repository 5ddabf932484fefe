/* offers.c: see offers.h. */
#include "grading/src/build/offers.h"

#include "grading/src/build/symbols.h"

#include <stdint.h>
#include <stdlib.h>

/* Adds "name, name and name" for the set bits. */
static void list_entries(struct text *t, unsigned entries) {
    bool first = true;
    for (int e = 0; e < ENTRY_COUNT; e++) {
        if (!(entries & 1u << e))
            continue;
        entries &= ~(1u << e);
        text_addf(t, "%s%s",
                  first     ? ""
                  : entries ? ", "
                            : " and ",
                  entry_name((enum entry_point)e));
        first = false;
    }
}

static void refuse(struct build *b, enum refusal why) {
    b->outcome = BUILD_REFUSED;
    b->refusal = why;
    text_clear(&b->details);
}

/* Programs and their libraries are linked with distances of 31 bits between them. */
#define STATIC_MOST ((uint64_t)1 << 30)

/* Does it reach for what counts and reports its work, or is there no room for it? `found` are the
 * object's functions: a file for another lab is told so, rather than what it should compute by. */
static bool is_unfit(struct build *b, const char *path, const struct submission *s,
                     const struct lab_spec *lab, const struct symbols *found) {
    size_t n;
    unsigned char *object = symbols_load(path, (size_t)256 << 20, &n);
    struct forbidden f;
    flags_forbidden(&f, object, object ? n : 0);
    if (f.replaced.length > 0)
        text_addf(
            &b->headline,
            "%s defines %s, as the C library does, and the grader's own code relies on that one: "
            "rename it, or make it static",
            s->name, text_get(&f.replaced));
    else if (f.internal.length > 0)
        text_addf(
            &b->headline,
            "%s uses %s, which belongs to the grader and not to CUDA: a submission may not use it",
            s->name, text_get(&f.internal));
    else if (f.early.length > 0)
        text_addf(
            &b->headline,
            "%s has code that runs before everything else, even before constructors (%s): the "
            "grader sets up the virtual GPU there. Use a constructor, or remove that code",
            s->name, text_get(&f.early));
    else if (f.borrowed.length > 0 && lab->entries == 1u << ENTRY_CPU &&
             (found->entries & lab->entries))
        text_addf(&b->headline,
                  "%s uses %s: the product of %s is computed on the CPU, by loops of your own, "
                  "without the GPU and without a library",
                  s->name, text_get(&f.borrowed), lab->name);
    if (b->headline.length > 0)
        refuse(b, REFUSED_FORBIDDEN);
    const uint64_t variables = symbols_static_bytes(object, object ? n : 0);
    if (b->outcome == BUILD_OK && variables > STATIC_MOST) {
        refuse(b, REFUSED_LIMIT);
        text_addf(&b->headline,
                  "%s has global and static arrays of %.4g GB in all, and the limit is %.4g GB: "
                  "your function gets A, B and C from its caller and needs no arrays for them",
                  s->name, (double)variables * 0x1p-30, (double)STATIC_MOST * 0x1p-30);
    }
    forbidden_free(&f);
    free(object);
    return b->outcome == BUILD_REFUSED;
}

void offers_check(struct build *b, const char *object, const struct submission *s,
                  const struct lab_spec *lab) {
    const struct symbols found = symbols_read(object);
    if (!found.readable)
        return; /* the worker's greeting tells what is there */
    if (found.main) {
        refuse(b, REFUSED_MAIN);
        text_addf(&b->headline, "%s defines main: remove it, the grader has its own", s->name);
        return;
    }
    if (is_unfit(b, object, s, lab, &found))
        return;
    b->missing = lab->entries & ~found.entries;
    if (!b->missing)
        return;
    const unsigned mangled = b->missing & found.mangled, others = found.entries & ~lab->entries;
    text_addf(&b->headline, "%s does not define ", s->name);
    list_entries(&b->headline, b->missing);
    if (b->missing == lab->entries && !mangled && others) {
        text_add(&b->headline, "; it defines ");
        list_entries(&b->headline, others);
        text_addf(&b->headline, ": this is another lab's file, not %s's", lab->name);
    }
    if (mangled) {
        text_add(&b->headline, " as lab.h declares it: ");
        list_entries(&b->headline, mangled);
        text_add(&b->headline, " has other parameters, or lab.h is not included");
    }
    if (b->missing == lab->entries)
        refuse(b, REFUSED_NO_FUNCTION);
}
