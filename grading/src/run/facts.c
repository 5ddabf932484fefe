/* facts.c: see facts.h. */
#include "grading/src/run/facts.h"

#include "grading/src/base/text.h"

#include <stdlib.h>
#include <string.h>

/* More tell nothing new: a process says of each sort only so many in a call. */
#define MOST 512

void facts_add(struct facts *f, const struct fact_body *from) {
    if (f->count == MOST)
        return;
    f->at = xrealloc(f->at, ((size_t)f->count + 1) * sizeof *f->at);
    struct fact_body *b = &f->at[f->count++];
    *b = *from;
    struct vgpu_fact *is = &b->fact;
    is->call[sizeof is->call - 1] = is->name[sizeof is->name - 1] = '\0';
    is->other[sizeof is->other - 1] = is->kernel[sizeof is->kernel - 1] = '\0';
    is->file[sizeof is->file - 1] = b->words[sizeof b->words - 1] = '\0';
}

void facts_copy(struct facts *to, const struct facts *from) {
    facts_free(to);
    if (from->count == 0)
        return;
    const size_t bytes = (size_t)from->count * sizeof *from->at;
    to->at = xmalloc(bytes);
    memcpy(to->at, from->at, bytes);
    to->count = from->count;
}

void facts_free(struct facts *f) {
    free(f->at);
    *f = (struct facts){0};
}

bool facts_lead_to(const struct facts *f, uint32_t status) {
    for (int i = 0; i < f->count; i++)
        if (f->at[i].fact.status == status)
            return true;
    return false;
}
