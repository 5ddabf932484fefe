/* runner_options.c: see runner_options.h. */
#include "common/runner_options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 3 };

bool run_parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    if (!isdigit((unsigned char)text[0])) /* strtoull would take "-1", "+1" and " 1" */
        return false;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || v < low || v > high)
        return false;
    *value = v;
    return true;
}

static bool refuse(char *error, const char *what, const char *argument, const char *expected) {
    snprintf(error, RUN_OPTIONS_ERROR, "%s '%.60s': %s", what, argument, expected);
    return false;
}

/* "--seed 7" and "--seed=7". Returns the value's text, or NULL when it is missing. */
static const char *option_value(const char *name, int argc, char **argv, int *at) {
    const char *text = argv[*at] + strlen(name);
    if (*text == '=')
        return text + 1;
    return *at + 1 < argc ? argv[++*at] : NULL;
}

static bool is_option(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 &&
           (argument[length] == '\0' || argument[length] == '=');
}

static bool parse_option(int argc, char **argv, int *at, struct run_options *o, char *error) {
    const char *argument = argv[*at];
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        o->help = true;
    } else if (strcmp(argument, "--reals") == 0) {
        o->inputs = RUN_REALS;
    } else if (strcmp(argument, "--counts") == 0) {
        o->inputs = RUN_COUNTS;
    } else if (is_option(argument, "--seed")) {
        const char *value = option_value("--seed", argc, argv, at);
        if (!value || !run_parse_number(value, 0, UINT64_MAX, &o->seed))
            return refuse(error, "bad seed", value ? value : "(none)",
                          "expected a whole number, 0 or more");
    } else if (isdigit((unsigned char)argument[1])) {
        return refuse(error, "bad size", argument, "a matrix has at least 1 row and 1 column");
    } else {
        return refuse(error, "unknown option", argument, "see --help");
    }
    return true;
}

static bool check_sizes(const struct run_build *build, const struct run_options *o, char *error) {
    if (build->multiple == 0)
        return true;
    if (o->m != o->k || o->k != o->n) {
        snprintf(error, RUN_OPTIONS_ERROR,
                 "lab %d multiplies square matrices: m, k and n must be equal, not %d, %d and %d",
                 build->lab, o->m, o->k, o->n);
        return false;
    }
    if (o->m % build->multiple != 0) {
        snprintf(error, RUN_OPTIONS_ERROR, "lab %d takes multiples of its tile, %d: not %d",
                 build->lab, build->multiple, o->m);
        return false;
    }
    return true;
}

bool run_options_parse(const struct run_build *build, int default_size, int argc, char **argv,
                       struct run_options *o, char error[RUN_OPTIONS_ERROR]) {
    int size[MAX_SIZES] = {default_size, default_size, default_size};
    int given = 0;
    error[0] = '\0';
    *o = (struct run_options){.seed = 1, .inputs = RUN_INTEGERS};

    for (int at = 1; at < argc; ++at) {
        uint64_t value;
        if (argv[at][0] == '-' && argv[at][1] != '\0') {
            if (!parse_option(argc, argv, &at, o, error))
                return false;
            if (o->help)
                return true;
        } else if (!run_parse_number(argv[at], 1, INT_MAX, &value)) {
            return refuse(error, "bad size", argv[at],
                          "expected a whole number from 1 to 2147483647");
        } else if (given == MAX_SIZES) {
            return refuse(error, "too many sizes at", argv[at],
                          "expected one number, or three: m k n");
        } else {
            size[given++] = (int)value;
        }
    }
    if (given == 2) {
        snprintf(error, RUN_OPTIONS_ERROR, "two sizes given: expected one number, or three: m k n");
        return false;
    }
    if (given == 1)
        size[1] = size[2] = size[0];
    o->m = size[0];
    o->k = size[1];
    o->n = size[2];
    return check_sizes(build, o, error);
}
