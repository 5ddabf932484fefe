/* observation.c: see observation.h. */
#include "grading/src/run/observation.h"

#include "grading/src/base/text.h"

#include <stdlib.h>
#include <string.h>

void observation_add(struct observation *o, const struct call_reply *reply) {
    if (reply->counted && o->calls < CASE_MAX_CALLS)
        o->work[o->calls++] = reply->work;
    if (reply->findings == 0)
        return;
    const size_t more = (size_t)reply->findings;
    o->finding = xrealloc(o->finding, ((size_t)o->findings + more) * sizeof *o->finding);
    memcpy(o->finding + o->findings, reply->finding, more * sizeof *o->finding);
    o->findings += reply->findings;
}

void observation_add_told(struct observation *o, const struct call_reply *reply) {
    if (reply->counted && o->told < CASE_MAX_CALLS)
        o->told_work[o->told++] = reply->work;
}

void observation_free(struct observation *o) {
    free(o->finding);
    *o = (struct observation){0};
}

const struct finding_body *observation_find(const struct observation *o, enum vgpu_found kind,
                                            bool warnings) {
    for (int i = 0; i < o->findings; i++) {
        const struct finding_body *f = &o->finding[i];
        if ((f->error || warnings) && f->kind == kind)
            return f;
    }
    return NULL;
}
