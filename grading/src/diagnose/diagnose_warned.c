/*
 * diagnose_warned.c: what the compiler warned of, where the product shows that it was right (see
 * diagnose.h). Which warnings are noted is build.c's.
 */
#include "grading/src/diagnose/diagnose.h"

/* Names the line and quotes the warning. */
static void quote(const struct inquiry *q, struct diagnosis *d, int line, const char *words) {
    d->file = xstrdup(q->g->submission.name);
    d->line = line;
    text_addf(&d->evidence, "the compiler's warning: %s", words);
}

bool rule_uninitialised_sum(struct inquiry *q, struct diagnosis *d) {
    const struct build *b = q->session.build;
    if (b->unset.line == 0 || q->verdict != VERDICT_WRONG)
        return false;
    d->class = "uninitialised-sum";
    text_add(&d->sentence,
             "A line adds to a variable that has no value yet: it begins with whatever its "
             "register held. Begin with float sum = 0.0f.");
    quote(q, d, b->unset.line, b->unset_words);
    return true;
}

bool rule_pointer_size(struct inquiry *q, struct diagnosis *d) {
    const struct build *b = q->session.build;
    if (b->pointer_size.line == 0)
        return false;
    d->class = "size-of-pointer";
    text_addf(&d->sentence,
              "Line %d takes the size of a pointer, 8 bytes, for that of what it points to. An "
              "array that a function gets as a parameter is a pointer there: write the number of "
              "elements times sizeof(float).",
              b->pointer_size.line);
    quote(q, d, b->pointer_size.line, b->pointer_size_words);
    return true;
}
