/*
 * hostwork.h: does the host compute what the device should?
 *
 * A kernel may be launched for show, and the product computed on the host: then all that is counted
 * is as it should be. So a call is made once more with a virtual GPU whose kernels succeed and
 * compute nothing (VGPU_IDLE). Whoever needs the device now has no product; what is right in C all
 * the same came from the host. It costs one call for each function that a rubric asks this of.
 */
#pragma once

#include "grading/src/run/context.h"

/* For each check that limits `host_products`: looks at the largest right case that it looks at, and
 * sets that quantity there. After all cases, before checks are judged. */
void hostwork_look(struct grade_context *g);
