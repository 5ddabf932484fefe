/* scratch_test.c: a killed grader's folder goes with the next run, and nothing else does. */
#include "common/tests/suite.h"
#include "grading/src/base/scratch.h"

#include "grading/src/base/text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char parent[64];

static void set_up(void) {
    snprintf(parent, sizeof parent, "/tmp/scratch-test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(parent));
    setenv("TMPDIR", parent, 1);
}

static void tear_down(void) {
    ck_assert(scratch_remove(parent));
}

static bool is_there(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0;
}

/* A grader that has made its folder, with something in it, and lives until it is killed. */
static pid_t grader(char path[128]) {
    int fd[2];
    ck_assert_int_eq(pipe(fd), 0);
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        char why[256];
        char *made = scratch_create(why, sizeof why);
        char *inside = made ? xasprintf("%s/build", made) : NULL;
        if (!inside || mkdir(inside, 0700) != 0 || write(fd[1], made, strlen(made) + 1) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    ck_assert_int_gt(read(fd[0], path, 127), 0);
    close(fd[0]);
    close(fd[1]);
    return pid;
}

static void kill_it(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

TEST(a_dead_graders_folder_goes) {
    char dead[128], alive[128], why[256];
    const pid_t first = grader(dead), second = grader(alive);
    ck_assert(is_there(dead) && is_there(alive));
    kill_it(first);
    ck_assert(is_there(dead));
    char *own = scratch_create(why, sizeof why);
    ck_assert_ptr_nonnull(own);
    ck_assert(!is_there(dead));
    ck_assert(is_there(alive));
    scratch_sweep(parent);
    ck_assert(is_there(own));
    kill_it(second);
    scratch_sweep(parent);
    ck_assert(!is_there(alive));
    free(own);
}

TEST(nothing_else_goes) {
    char kept[128], why[256];
    char *plain = xasprintf("%s/grader.plain1", parent), *other = xasprintf("%s/other", parent);
    char *link = xasprintf("%s/grader.link12", parent), *owner = xasprintf("%s/.owner", other);
    /* No lock file: somebody else's, or an older grader's. */
    ck_assert_int_eq(mkdir(plain, 0700), 0);
    ck_assert_int_eq(mkdir(other, 0700), 0);
    const int fd = open(owner, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(symlink("other", link), 0);
    const pid_t pid = grader(kept);
    kill_it(pid);
    scratch_keep(kept);
    char *own = scratch_create(why, sizeof why);
    ck_assert_ptr_nonnull(own);
    ck_assert(is_there(plain) && is_there(owner) && is_there(link) && is_there(kept));
    free(own);
    free(plain);
    free(other);
    free(link);
    free(owner);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/scratch", .set_up = set_up, .tear_down = tear_down});
}
