/*
 * facts.h: what the virtual GPU said in one worker's process, as values (vgpu/include/vgpu_facts.h)
 * with their words. Rules and verdicts look at the values; the words are for people.
 */
#pragma once

#include "grading/src/lab/protocol.h"

/* In the order in which they were said. Texts end with a NUL. */
struct facts {
    struct fact_body *at; /* owned */
    int count;
};

/* Takes over one message as it was received: its texts may lack their final NUL. */
void facts_add(struct facts *f, const struct fact_body *from);
/* `to` is empty, or forgets what it holds. */
void facts_copy(struct facts *to, const struct facts *from);
void facts_free(struct facts *f);

/* Does any message lead to this cudaError_t? */
bool facts_lead_to(const struct facts *f, uint32_t status);
