/*
 * expression.h: numbers and formulas as a student writes them in answers.txt: `64 * 512`, `2 * T +
 * 1`, `threadIdx.x / 32`.
 *
 *     sum     = product { ('+' | '-') product }
 *     product = sign { ('*' | '/' | '%') sign }
 *     sign    = { '-' | '+' } value
 *     value   = number | name | '(' sum ')'
 *
 * Numbers are decimal, with a fraction where asked for; thousands may be set apart by commas
 * (1,048,576). Names are looked up in a table. Refuses everything else with one line, never reads
 * past the end, and bounds its own depth.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct binding {
    const char *name;
    double value;
};

enum { EXPRESSION_ERROR = 120 };

/* Evaluates text[0..length-1]. whole: as C does with int: '/' drops the remainder, fractions are
 * refused. Values stay exact up to 2^53. False: why holds one line. */
bool expression_value(const char *text, size_t length, const struct binding *names,
                      size_t name_count, bool whole, double *value, char why[EXPRESSION_ERROR]);
