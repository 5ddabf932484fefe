/*
 * offers.h: does a compiled submission offer what its lab asks for, and nothing it must not have?
 *
 * Looks at the object's symbols, never at the source, and refuses in words that tell what to do.
 */
#pragma once

#include "grading/src/build/build.h"

/* Refuses in `b`, or notes the functions that are missing. `object` is the object's path. */
void offers_check(struct build *b, const char *object, const struct submission *s,
                  const struct lab_spec *lab);
