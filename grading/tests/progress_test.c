/* progress_test.c: the moving line on a terminal (a pseudo-terminal), and its absence elsewhere. */
#include "common/tests/suite.h"
#include "grading/src/base/clock.h"
#include "grading/src/base/progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static int master, saved;
static char seen[4096];

/* The clock stands still but where a test moves it. */
static int64_t now;

int64_t clock_now(void) {
    return now;
}

/* Puts a new terminal in the place of standard error. */
static void set_up(void) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_PROGRESS");
    fflush(stderr);
    master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(master, 0); /* main has seen that there are any */
    ck_assert_int_eq(grantpt(master) | unlockpt(master), 0);
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    struct termios t;
    tcgetattr(slave, &t);
    cfmakeraw(&t);
    tcsetattr(slave, TCSANOW, &t);
    saved = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
}

static void tear_down(void) {
    progress_end();
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(master);
}

/* What has come to the terminal since the last call. */
static const char *screen(void) {
    fflush(stderr);
    const ssize_t n = read(master, seen, sizeof seen - 1);
    seen[n > 0 ? n : 0] = '\0';
    return seen;
}

TEST(a_line_that_moves_and_goes) {
    progress_start(16, 0);
    progress_at(0, "compiling");
    ck_assert_str_eq(screen(), "\r\033[K[..........] 0/16 compiling");
    progress_at(6, "ragged");
    ck_assert_str_eq(screen(), "\r\033[K[###.......] 6/16 ragged");
    progress_tick(); /* nothing new */
    ck_assert_str_eq(screen(), "");
    progress_hide();
    ck_assert_str_eq(screen(), "\r\033[K");
    progress_hide();
    ck_assert_str_eq(screen(), "");
    progress_tick();
    ck_assert_str_eq(screen(), "\r\033[K[###.......] 6/16 ragged");
    progress_at(99, "more than there are");
    ck_assert_str_eq(screen(), "\r\033[K[##########] 16/16 more than there are");
    progress_end();
    ck_assert_str_eq(screen(), "\r\033[K");
    progress_tick();
    progress_at(3, "late");
    ck_assert_str_eq(screen(), "");
}

TEST(short_work_shows_none) {
    progress_start(4, 60000);
    progress_at(1, "a");
    progress_tick();
    progress_end();
    ck_assert_str_eq(screen(), "");
}

TEST(it_appears_while_waiting) {
    progress_start(4, 30);
    progress_at(1, "slow");
    progress_tick();
    ck_assert_str_eq(screen(), "");
    now += 29;
    progress_tick();
    ck_assert_str_eq(screen(), "");
    now += 1;
    progress_tick();
    ck_assert_str_eq(screen(), "\r\033[K[##........] 1/4 slow");
}

TEST_EACH(nobody_sees_it_who_does_not_want_it, 2) {
    setenv(_i ? "NO_PROGRESS" : "TERM", _i ? "1" : "dumb", 1);
    progress_start(4, 0);
    progress_at(1, "a");
    ck_assert_str_eq(screen(), "");
}

TEST(a_file_never_holds_it) {
    FILE *f = tmpfile();
    ck_assert_ptr_nonnull(f);
    dup2(fileno(f), STDERR_FILENO);
    progress_start(4, 0);
    progress_at(1, "a");
    progress_tick();
    progress_end();
    fflush(stderr);
    ck_assert_int_eq((int)lseek(fileno(f), 0, SEEK_END), 0);
    fclose(f);
}

int main(void) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) { /* a chroot without /dev/pts */
        puts("grading/progress: skipped: this machine gives no pseudo-terminals");
        return 0;
    }
    close(terminal);
    return run_tests(
        (struct suite){.name = "grading/progress", .set_up = set_up, .tear_down = tear_down});
}
