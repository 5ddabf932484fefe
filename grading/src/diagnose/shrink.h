/*
 * shrink.h: the smallest shape that fails like a case did.
 */
#pragma once

#include "grading/src/run/context.h"

/* Looks for the smallest shape that fails like `result` does; fills in result->smallest. */
void shrink_failure(struct grade_context *g, struct case_result *result);
