/*
 * explore_options.h: the command line of an exploration, `lab4 paths GRAPH --length 4`, as a table
 * of options. Parsing prints nothing and ends nothing; what is refused comes back as one line.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* An option has exactly one of flag, number and text. */
struct explore_option {
    const char *name; /* with its dashes */
    bool *flag;
    uint64_t *number;
    uint64_t low, high; /* of the number */
    const char **text;
};

enum { EXPLORE_ERROR = 256 };

/*
 * Reads argv[1..argc-1]: the options of the table ("--name value" or "--name=value"; --help and -h
 * always), and words that belong to none, at most `most`, into operands. *operand_count says how
 * many there were. Returns true, or false with a line in error.
 */
bool explore_parse(int argc, char **argv, const struct explore_option *options, int option_count,
                   bool *help, const char **operands, int most, int *operand_count,
                   char error[EXPLORE_ERROR]);
