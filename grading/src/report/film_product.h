/*
 * film_product.h: what a recording cannot know: which of its memories are A and B, which elements
 * of C are wrong, and why.
 *
 * The virtual GPU records a kernel and knows nothing of products. The grader made the call, has
 * what came back, and adds the member `product` (docs/film-format.md), so that the page can start
 * from a wrong element.
 */
#pragma once

#include "grading/src/report/trace.h"
#include "grading/src/run/judge.h"

/* What came back: got is C, m x n; NULL: it is right. To be freed. */
struct traced_product film_product(const json_t *film, const struct call_data *data,
                                   const float *got);
void film_product_free(struct traced_product *p);

/* Adds the member. */
void film_add_product(json_t *film, const struct traced_product *p);

/* Has the recording a mistake of its own to show? */
bool film_has_mistake(const json_t *film);

/* The block that a wrong element of C most likely belongs to, if every block computes as large a
 * part of C: "x,y". False: C is right, or that is the filmed one. */
bool film_other_block(const json_t *film, const struct traced_product *p, char *block, size_t room);
