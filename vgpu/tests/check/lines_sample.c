/*
 * lines_sample.c: code with lines in three files, in other folders too, with a loop, and with lines
 * of little and of much code, so that its line table needs all kinds of steps. lines_test links it
 * once for each version of DWARF (SAMPLE names the function).
 */
#ifndef SAMPLE
#define SAMPLE lines_sample
#endif

int SAMPLE(int n);

static int far_away(int x);

/* A multiplication and more a time, on one line. */
#define ONCE(x)  ((x)*77777 ^ (x) >> 3)
#define TWICE(x) ONCE(ONCE(x) + 1)
#define FOUR(x)  TWICE(TWICE(x) + 1)

__attribute__((noinline, section(".text.apart"))) static int apart(int x) {
    int y = ONCE(x);
    y += TWICE(y + x);
    y ^= FOUR(y - x);
    return y + FOUR(FOUR(y));
}

int SAMPLE(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += apart(i) & 255;
        if (sum % 7 == 0)
            sum -= far_away(sum);
    }
    return sum;
}

#line 4000 "elsewhere/other.h"
__attribute__((noinline)) static int far_away(int x) {
    const int y = x / 2;
#line 12 "/usr/share/no-such-folder/third.h"
    return y > 3 ? y : -y;
}
