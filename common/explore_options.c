/* explore_options.c: see explore_options.h. */
#include "common/explore_options.h"

#include "common/runner_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct explore_option *find(const char *argument, const struct explore_option *options,
                                         int count, const char **value) {
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(options[i].name);
        if (strncmp(argument, options[i].name, length) != 0)
            continue;
        if (argument[length] == '\0' || argument[length] == '=') {
            *value = argument[length] == '=' ? argument + length + 1 : NULL;
            return &options[i];
        }
    }
    return NULL;
}

static bool set(const struct explore_option *o, const char *value, char *error) {
    if (o->flag) {
        *o->flag = true;
        return true;
    }
    if (o->text && *value) {
        *o->text = value;
        return true;
    }
    if (o->text) {
        snprintf(error, EXPLORE_ERROR, "%s needs a value that is not empty", o->name);
        return false;
    }
    if (run_parse_number(value, o->low, o->high, o->number))
        return true;
    snprintf(error, EXPLORE_ERROR,
             "bad value '%.60s' of %s: expected a whole number from %" PRIu64 " to %" PRIu64, value,
             o->name, o->low, o->high);
    return false;
}

bool explore_parse(int argc, char **argv, const struct explore_option *options, int option_count,
                   bool *help, const char **operands, int most, int *operand_count,
                   char error[EXPLORE_ERROR]) {
    *help = false;
    *operand_count = 0;
    for (int at = 1; at < argc; ++at) {
        const char *argument = argv[at];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            *help = true;
            return true;
        }
        if (argument[0] != '-' || argument[1] == '\0') {
            if (*operand_count == most) {
                snprintf(error, EXPLORE_ERROR, "unexpected '%.60s' (see --help)", argument);
                return false;
            }
            operands[(*operand_count)++] = argument;
            continue;
        }
        const char *value;
        const struct explore_option *o = find(argument, options, option_count, &value);
        if (!o) {
            snprintf(error, EXPLORE_ERROR, "unknown option '%.60s' (see --help)", argument);
            return false;
        }
        if (o->flag && value) {
            snprintf(error, EXPLORE_ERROR, "%s takes no value", o->name);
            return false;
        }
        if (!o->flag && !value && at + 1 < argc)
            value = argv[++at];
        if (!o->flag && !value) {
            snprintf(error, EXPLORE_ERROR, "%s needs a value", o->name);
            return false;
        }
        if (!set(o, value, error))
            return false;
    }
    return true;
}
