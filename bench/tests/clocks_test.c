/* clocks_test.c: clocks are read for the contender that runs;
 * without the library nothing is known. */
#include "bench/clocks.h"
#include "common/tests/suite.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void set_function(unsigned mhz, unsigned long long bits);
typedef unsigned reads_function(void);
static set_function *set;
static reads_function *reads;

/* Loads the fake, which lies beside this program, under the real library's name. */
static void load_fake(void) {
    char self[PATH_MAX] = "";
    char path[PATH_MAX + 32];
    ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    snprintf(path, sizeof path, "%s/fake_nvml.so", dirname(self));
    void *library = dlopen(path, RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
    void *symbol = dlsym(library, "fake_set");
    memcpy(&set, &symbol, sizeof symbol);
    symbol = dlsym(library, "fake_reads");
    memcpy(&reads, &symbol, sizeof symbol);
}

static void rest(void) {
    const struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
}

/* Until the clock has been read ten times more, however long that takes on a busy machine. */
static void wait_a_little(void) {
    for (const unsigned from = reads(); reads() - from < 10;)
        rest();
}

TEST(tags) {
    struct machine m = {0};
    load_fake();
    struct clocks *c = clocks_open("0000:65:00.0");
    ck_assert_ptr_nonnull(c);
    set(300, 0); /* nobody's: idle before the run */
    rest();
    set(1980, 0);
    clocks_tag(c, 0);
    wait_a_little();
    clocks_tag(c, -1);
    set(1500, 0x4 | 0x20 | 0x1);
    clocks_tag(c, 1);
    wait_a_little();
    clocks_tag(c, -1);
    ck_assert_double_eq(clocks_median(c, 0), 1980);
    ck_assert_double_eq(clocks_median(c, 1), 1500);
    double any = clocks_median(c, 2); /* not read: the shape's */
    ck_assert(any == 1500 || any == 1980);
    ck_assert(isnan(clocks_median(c, CLOCKS_TAGS)));

    clocks_next_shape(c);
    ck_assert(isnan(clocks_median(c, 0)));
    clocks_describe(c, &m);
    ck_assert_double_eq(m.clock_min_mhz, 1500);
    ck_assert_double_eq(m.clock_max_mhz, 1980);
    ck_assert_double_eq_tol(m.power_max_w, 578.657, 1e-9);
    ck_assert_double_eq(m.temperature_max_c, 0); /* unknown */
    ck_assert_str_eq(m.throttled, "power limit; thermal (software)");
    ck_assert_str_eq(m.driver, "580.159.04");
    clocks_close(c);
}

TEST(nothing_to_read) {
    struct machine m = {0};
    load_fake();
    ck_assert_ptr_null(clocks_open("0000:66:00.0"));
    set(0, 0); /* the clock cannot be read */
    struct clocks *c = clocks_open("0000:65:00.0");
    clocks_tag(c, 0);
    wait_a_little();
    ck_assert(isnan(clocks_median(c, 0)));
    clocks_close(c);

    clocks_tag(NULL, 1);
    clocks_next_shape(NULL);
    ck_assert(isnan(clocks_median(NULL, 0)));
    clocks_describe(NULL, &m);
    clocks_close(NULL);
}

int main(void) {
    return run_tests((struct suite){.name = "bench clocks"});
}
