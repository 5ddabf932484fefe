/* budget.c: see budget.h. */
#include "grading/src/sandbox/budget.h"

#include <stddef.h>
#include <sys/resource.h>

static int64_t milliseconds(struct timeval t) {
    return (int64_t)t.tv_sec * 1000 + t.tv_usec / 1000;
}

/* Of all children that have been waited for, and theirs. */
static int64_t children_processor(void) {
    struct rusage r;
    if (getrusage(RUSAGE_CHILDREN, &r) != 0)
        return 0;
    return milliseconds(r.ru_utime) + milliseconds(r.ru_stime);
}

void budget_begin(struct budget *b, int seconds) {
    *b = (struct budget){.limit = (int64_t)seconds * 1000, .before = children_processor()};
}

void budget_add_waited(struct budget *b, int64_t waited) {
    if (b)
        b->waited += waited;
}

bool budget_is_spent_at(const struct budget *b, int64_t processor) {
    return processor - b->before + b->waited >= b->limit;
}

bool budget_is_spent(const struct budget *b) {
    return budget_is_spent_at(b, children_processor());
}
