/* ways.c: see ways.h. */
#include "common/ways.h"

#include <stddef.h>
#include <string.h>

bool ways_step(int n, const uint32_t *step, const ways_count *before, ways_count *after) {
    size_t side = (size_t)n;
    memset(after, 0, side * side * sizeof *after);
    for (size_t i = 0; i < side; ++i)
        for (size_t p = 0; p < side; ++p) {
            ways_count factor = step[i * side + p];
            if (factor == 0)
                continue;
            for (size_t j = 0; j < side; ++j) {
                ways_count term;
                ways_count *sum = &after[i * side + j];
                if (__builtin_mul_overflow(factor, before[p * side + j], &term) ||
                    __builtin_add_overflow(*sum, term, sum))
                    return false;
            }
        }
    return true;
}

ways_count ways_largest(int n, const ways_count *counts) {
    ways_count largest = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; ++i)
        if (counts[i] > largest)
            largest = counts[i];
    return largest;
}

char *ways_text(ways_count value, char text[WAYS_TEXT]) {
    char digits[WAYS_TEXT];
    int count = 0;
    do {
        digits[count++] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    for (int i = 0; i < count; ++i)
        text[i] = digits[count - 1 - i];
    text[count] = '\0';
    return text;
}

ways_count ways_pascal(int n, int k) {
    if (k < 0 || k > n)
        return 0;
    ways_count row[131] = {1};
    if (n > 130)
        return 0;
    for (int r = 1; r <= n; ++r)
        for (int c = r; c > 0; --c)
            row[c] += row[c - 1];
    return row[k];
}
