/*
 * diagnose_warned.c: what the compiler warned of, where the product shows that it was right (see
 * diagnose.h). Which warnings are noted is build.c's.
 */
#include "grading/src/diagnose/diagnose.h"

bool rule_uninitialised_sum(struct inquiry *q, struct diagnosis *d) {
    const struct build *b = q->session.build;
    if (b->unset.line == 0 || q->verdict != VERDICT_WRONG)
        return false;
    d->file = xstrdup(q->g->submission.name);
    d->line = b->unset.line;
    d->class = "uninitialised-sum";
    text_add(&d->sentence,
             "A line adds to a variable that has no value yet: it begins with whatever its "
             "register held. Begin with float sum = 0.0f.");
    text_addf(&d->evidence, "the compiler's warning: %s", b->unset_words);
    return true;
}

bool rule_pointer_size(struct inquiry *q, struct diagnosis *d) {
    const struct build *b = q->session.build;
    if (b->pointer_size.line == 0)
        return false;
    d->file = xstrdup(q->g->submission.name);
    d->line = b->pointer_size.line;
    d->class = "size-of-pointer";
    text_addf(&d->sentence,
              "Line %d takes the size of a pointer, 8 bytes, for that of what it points to. An "
              "array that a function gets as a parameter is a pointer there: write the number of "
              "elements times sizeof(float).",
              d->line);
    text_addf(&d->evidence, "the compiler's warning: %s", b->pointer_size_words);
    return true;
}
