/* patience.c: see patience.h. */
#include "grading/src/sandbox/patience.h"

struct patience patience_of(int64_t limit) {
    return (struct patience){.user = limit,
                             .processor = PATIENCE_PROCESSOR * limit,
                             .idle = limit,
                             .clock = PATIENCE_CLOCK * limit};
}

enum patience_end patience_end(const struct patience *p, const struct usage *used, int64_t clock) {
    if (used->user > p->user || used->user + used->system > p->processor)
        return PATIENCE_COMPUTED;
    if (used->idle > p->idle)
        return PATIENCE_WAITED;
    return clock > p->clock ? PATIENCE_STARVED : PATIENCE_LASTS;
}

struct usage usage_since(const struct usage *now, const struct usage *before) {
    return (struct usage){.user = now->user - before->user,
                          .system = now->system - before->system,
                          .idle = now->idle - before->idle};
}

int64_t patience_idle(const struct look *l) {
    const int64_t most = 2 * PATIENCE_LOOK;
    if (l->kept || (l->busy && !l->apart))
        return 0;
    return l->elapsed < most ? l->elapsed : most;
}

bool patience_our_turn(int64_t away, bool channel, bool printed) {
    return printed || (channel && away >= PATIENCE_LATE);
}
