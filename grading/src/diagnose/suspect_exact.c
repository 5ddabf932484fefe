/*
 * suspect_exact.c: products that are a little off in some rows of C, or columns, and right in all
 * others: of the tiles that a warp or a thread has, some are multiplied with fewer bits.
 *
 *     off     16 to 31, 48 to 63, 80 to 95        of every 32 rows, 0 to 15 are right
 */
#include "grading/src/diagnose/suspect.h"

enum { PERIODS = 4 };
static const int periods[PERIODS] = {16, 32, 64, 128};

/* Is there a wrong element in this row, or column? */
static bool line_off(const struct trial *t, bool row, int line) {
    const int length = row ? t->shape.n : t->shape.m;
    for (int i = 0; i < length; i++)
        if (!trial_right(t,
                         (size_t)(row ? line : i) * (size_t)t->shape.n + (size_t)(row ? i : line)))
            return true;
    return false;
}

/* Lines of so few elements may be right by chance. */
static bool tells(const struct trial *t, bool row) {
    enum { ENOUGH = 16 };
    return trial_wrong(t) && t->got && !t->small && (row ? t->shape.n : t->shape.m) >= ENOUGH;
}

/* Which of every `period` lines are off; false: it differs. */
static bool pattern(const struct trial *t, bool row, int period, bool off[]) {
    const int lines = row ? t->shape.m : t->shape.n;
    for (int line = 0; line < lines; line++) {
        const bool is = line_off(t, row, line);
        if (line >= period && off[line % period] != is)
            return false;
        off[line % period] = is;
    }
    return lines >= 2 * period;
}

/* The first lines that are right, of every `period`: some, and not all. */
static bool right_ones(const struct trial *t, bool row, int period, int *first, int *end) {
    enum { LEAST = 8 };
    bool off[128];
    if (!pattern(t, row, period, off))
        return false;
    *first = 0;
    while (*first < period && off[*first])
        ++*first;
    for (*end = *first; *end < period && !off[*end];)
        ++*end;
    return *end - *first >= LEAST && *end - *first < period;
}

bool suspect_say_exact(const struct trials *all, struct text *to) {
    for (int i = 0; i < all->count; i++)
        for (int which = 0; which < 2 * PERIODS; which++) {
            const bool row = which < PERIODS;
            const int period = periods[which % PERIODS];
            const struct trial *t = all->trial[i];
            int first, end;
            if (!tells(t, row) || !right_ones(t, row, period, &first, &end))
                continue;
            text_addf(to,
                      " With m = %d, n = %d, k = %d, of every %d %s of C those from %d to %d are "
                      "right, and others are off: which tiles of %c does a warp (or a thread) "
                      "multiply there, and what is done with them that is not done with the "
                      "others?",
                      t->shape.m, t->shape.n, t->shape.k, period, row ? "rows" : "columns", first,
                      end - 1, row ? 'A' : 'B');
            return true;
        }
    return false;
}
