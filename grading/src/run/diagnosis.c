/* diagnosis.c: see diagnosis.h. */
#include "grading/src/run/diagnosis.h"

#include <stdlib.h>

void diagnosis_free(struct diagnosis *d) {
    text_free(&d->sentence);
    text_free(&d->evidence);
    free(d->file);
    free(d->section);
    *d = (struct diagnosis){0};
}
