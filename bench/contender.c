/* contender.c: see contender.h. */
#include "bench/contender.h"

#include "common/compare.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_MULTIPLE = 1024 };

/* "by128" and "square32": the word's number. 0: something else. */
static int multiple_named(const char *rule, const char *word) {
    const size_t n = strlen(word);
    if (strncmp(rule, word, n) != 0)
        return 0;
    char *end;
    long number = strtol(rule + n, &end, 10);
    return *end == '\0' && number >= 1 && number <= LARGEST_MULTIPLE ? (int)number : 0;
}

static bool read_rule(struct contender *c, const char *rule) {
    const int square = multiple_named(rule, "square"), by = multiple_named(rule, "by");
    if (square > 0 || by > 0) {
        c->square = square > 0;
        c->multiple = square > 0 ? square : by;
    } else if (strcmp(rule, "own") == 0) {
        c->own = true;
    } else if (strcmp(rule, "cpu") == 0) {
        c->kind = CONTENDER_CPU;
    } else if (strcmp(rule, "ratio") == 0) {
        c->ratio = true;
    } else if (strcmp(rule, "3xtf32") == 0) {
        c->own_bound = true;
    } else {
        return false;
    }
    return true;
}

const char *contender_read(struct contender *c, const char *argument) {
    char head[4 * RESULT_NAME];
    *c = (struct contender){.kind = CONTENDER_LAB};
    const char *equals = strchr(argument, '=');
    if (!equals || (size_t)(equals - argument) >= sizeof head)
        return NULL;
    memcpy(head, argument, (size_t)(equals - argument));
    head[equals - argument] = '\0';
    char *rules = strchr(head, ':');
    if (rules)
        *rules++ = '\0';
    if (head[0] == '\0' || strlen(head) >= sizeof c->name || strpbrk(head, ",\"\n"))
        return NULL;
    memcpy(c->name, head, strlen(head) + 1);
    char *after;
    for (char *rule = rules; rule; rule = after) {
        after = strchr(rule, ',');
        if (after)
            *after++ = '\0';
        if (!read_rule(c, rule))
            return NULL;
    }
    return equals + 1;
}

bool contender_load(struct contender *c, const char *argument, const char *function, char *error,
                    size_t size) {
    const char *path = contender_read(c, argument);
    if (!path) {
        snprintf(
            error, size,
            "'%s' is not a contender: give NAME=LIBRARY or NAME:RULES=LIBRARY, RULES being own, "
            "cpu, ratio, 3xtf32, by128 or square32 with commas between",
            argument);
        return false;
    }
    c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!c->library) {
        snprintf(error, size, "cannot load %s: %s", c->name, dlerror());
        return false;
    }
    void *symbol = dlsym(c->library, function);
    if (!symbol) {
        snprintf(error, size, "%s does not define %s (see common/lab.h)", c->name, function);
        contender_close(c);
        return false;
    }
    memcpy(&c->multiply, &symbol, sizeof symbol); /* POSIX: the same bits */
    return true;
}

void contender_close(struct contender *c) {
    if (c->library)
        dlclose(c->library);
    c->library = NULL;
}

bool contender_takes(const struct contender *c, struct shape s) {
    if (c->multiple != 0 &&
        (s.m % c->multiple != 0 || s.n % c->multiple != 0 || s.k % c->multiple != 0))
        return false;
    return !c->square || (s.m == s.n && s.n == s.k);
}

/*
 * The bound of 3xTF32 as the solution derives it: 20.1 u for splitting the factors, 18.1 u for the
 * three products of each 8 columns of A; every 256 columns the sums are added to totals by float
 * additions, and start at zero again.
 */
static double split_bound(int k) {
    enum { MMA_K = 8, FLUSH_K = 256 };
    const double u = 0x1p-24;
    int run = k < FLUSH_K ? k : FLUSH_K;
    int steps = (run - 1) / MMA_K + 1;
    int flushes = (k - 1) / FLUSH_K + 1;
    return u * (20.1 + 18.1 * steps + flushes);
}

double contender_bound(const struct contender *c, int k) {
    return c->own_bound ? split_bound(k) : compare_gamma(k);
}
