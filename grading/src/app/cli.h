/*
 * cli.h: the command line. Options are rows of a table (cli.c), from which they are parsed and from
 * which --help is written.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"
#include "grading/src/run/options.h"

/* Parses; the strings in *o point into argv. */
void cli_parse(struct options *o, int argc, char *const *argv);

/* What --help and --version print. */
void cli_help(struct text *t, const struct labs *labs);
void cli_version(struct text *t);
