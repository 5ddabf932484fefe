/* contender.c: see contender.h. */
#include "bench/contender.h"

#include "common/compare.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { LAB3_MULTIPLE = 32, LARGEST_MULTIPLE = 1024, FIRST_LAB = 1, LAST_LAB = 9 };

static int lab_number(const char *name) {
    if (strncmp(name, "lab", 3) != 0)
        return 0;
    char *end;
    long number = strtol(name + 3, &end, 10);
    return *end == '\0' && number >= FIRST_LAB && number <= LAST_LAB ? (int)number : 0;
}

/* "by128": sizes that are multiples of 128. 0: something else. */
static int multiple_named(const char *name) {
    if (strncmp(name, "by", 2) != 0)
        return 0;
    char *end;
    long number = strtol(name + 2, &end, 10);
    return *end == '\0' && number >= 1 && number <= LARGEST_MULTIPLE ? (int)number : 0;
}

/* Splits "NAME=PATH" and "NAME:LAB=PATH"; the path may hold anything. */
static const char *read_argument(struct contender *c, const char *argument) {
    char head[2 * RESULT_NAME];
    const char *equals = strchr(argument, '=');
    if (!equals || (size_t)(equals - argument) >= sizeof head)
        return NULL;
    memcpy(head, argument, (size_t)(equals - argument));
    head[equals - argument] = '\0';
    char *colon = strchr(head, ':');
    if (colon)
        *colon = '\0';
    c->lab = lab_number(colon ? colon + 1 : head);
    c->multiple = colon ? multiple_named(colon + 1) : 0;
    if ((c->lab == 0 && c->multiple == 0) || head[0] == '\0' || strlen(head) >= sizeof c->name ||
        strpbrk(head, ",\"\n"))
        return NULL;
    memcpy(c->name, head, strlen(head) + 1);
    return equals + 1;
}

bool contender_load(struct contender *c, const char *argument, const char *function, char *error,
                    size_t size) {
    *c = (struct contender){.kind = CONTENDER_LAB};
    const char *path = read_argument(c, argument);
    if (!path) {
        snprintf(
            error, size,
            "'%s' is no contender: give labN=LIBRARY or NAME:labN=LIBRARY, N from %d to %d, or "
            "NAME:by128=LIBRARY for one that takes multiples of 128",
            argument, FIRST_LAB, LAST_LAB);
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
    return c->lab != 3 || (s.m == s.n && s.n == s.k && s.m % LAB3_MULTIPLE == 0);
}

/*
 * Lab 9's bound, as its file derives it: 20.1 u for splitting the factors, 18.1 u for the three
 * products of each 8 columns of A; every 256 columns the sums are added to totals by float
 * additions, and start at zero again.
 */
static double lab9_bound(int k) {
    enum { MMA_K = 8, FLUSH_K = 256 };
    const double u = 0x1p-24;
    int run = k < FLUSH_K ? k : FLUSH_K;
    int steps = (run - 1) / MMA_K + 1;
    int flushes = (k - 1) / FLUSH_K + 1;
    return u * (20.1 + 18.1 * steps + flushes);
}

double contender_bound(const struct contender *c, int k) {
    return c->lab == 9 ? lab9_bound(k) : compare_gamma(k);
}
