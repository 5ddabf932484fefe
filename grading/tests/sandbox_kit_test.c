/*
 * sandbox_kit_test.c: a kit in a folder that others may not enter keeps no wall from standing.
 *
 * The kit here is a small stand-in, in a folder of mode 700 beside the scratch folder. Root's
 * account for children gets a copy of what compilers need; an ordinary user's children are of his
 * own account, and see the kit itself.
 */
#include "common/tests/suite.h"
#include "grading/src/base/scratch.h"
#include "grading/src/sandbox/child.h"
#include "grading/src/sandbox/sandbox_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMESPACES                                                                                 \
    (1u << WALL_USER_NS | 1u << WALL_PID_NS | 1u << WALL_MOUNT_NS | 1u << WALL_NET_NS |            \
     1u << WALL_IPC_NS)

/* Of whoever starts the grader: nobody else may read what he makes, or everybody. */
static const mode_t umasks[] = {022, 077};
enum { UMASKS = sizeof umasks / sizeof *umasks };

/* Sets of walls to leave out. */
static const unsigned combinations[] = {
    0,                                /* all that the machine has */
    NAMESPACES,                       /* a container */
    NAMESPACES | 1u << WALL_LANDLOCK, /* an old one */
};
enum { COMBINATIONS = sizeof combinations / sizeof *combinations };

static const char *const needed[] = {
    "common/lab.h",     "common/parts/deep.h", "vgpu/include/vgpu_prelude.h",
    "build/bin/vgpucc", "build/lib/libvgpu.a", "build/lib/libworker.a"};
static const char *const unneeded[] = {"labs/lab1-cpu-baseline/lab.cfg", "build/bin/grader",
                                       "build/lib/libgrading.a"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static char *closed, *kit, *build, *scratch;

static void make_file(const char *in, const char *name) {
    char *path = xasprintf("%s/%s", in, name);
    for (char *slash = path + strlen(in); (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    const int fd =
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, strstr(name, "/bin/") ? 0700 : 0600);
    const char text[] = "#!/bin/sh\n# A program, or a header, or a library.\n";
    ck_assert(fd >= 0 && write(fd, text, sizeof text - 1) == sizeof text - 1);
    close(fd);
    free(path);
}

static void make_kit(const char *in) {
    for (size_t i = 0; i < COUNT(needed); i++)
        make_file(in, needed[i]);
    for (size_t i = 0; i < COUNT(unneeded); i++)
        make_file(in, unneeded[i]);
}

static void set_up(void) {
    char why[256];
    unsetenv("TMPDIR"); /* it may be root's own; one of these tests is about that */
    sandbox_adopt_orphans();
    closed = xstrdup("/tmp/sandbox-kit-test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(closed));
    scratch = scratch_create(why, sizeof why);
    ck_assert_msg(scratch != NULL, "%s", why);
    kit = xasprintf("%s/a kit", closed);
    build = xasprintf("%s/build", kit);
    ck_assert_int_eq(mkdir(kit, 0700), 0);
    make_kit(kit);
}

static void tear_down(void) {
    ck_assert(scratch_remove(scratch));
    ck_assert(scratch_remove(closed));
    free(kit);
    free(build);
    free(closed);
    free(scratch);
}

static struct sandbox *open_sandbox(unsigned without) {
    const struct sandbox_setup setup = {
        .root = kit, .build = build, .scratch = scratch, .without = without};
    return sandbox_open(&setup);
}

/* Can this process have children of another account? Root mostly can. */
static bool other_accounts(void) {
    const pid_t pid = fork();
    if (pid == 0)
        _exit(setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0);
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

/* Has a shell that sees what a compiler sees do `script`, with `path` as $1. True when it ends
 * well. */
static bool shell(const struct sandbox *s, const char *script, const char *path) {
    static unsigned folders;
    const char *const argv[] = {"/bin/sh", "-c", script, "sh", path, NULL};
    static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    char *folder = xasprintf("%s/run%u", scratch, folders++), why[256];
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    sandbox_give(s, folder);
    const struct child_options o = {.argv = argv,
                                    .environment = environment,
                                    .folder = folder,
                                    .sandbox = s,
                                    .profile = SANDBOX_COMPILE,
                                    .writable = folder,
                                    .limits = {.new_processes = 1000}};
    const struct patience p = patience_of(10000);
    struct child *c = xcalloc(1, sizeof *c);
    bool missing;
    ck_assert_msg(child_start(c, &o, why, sizeof why, &missing), "%s", why);
    child_wait(c, &p);
    child_finish(c);
    ck_assert(c->ended && WIFEXITED(c->wait_status));
    const bool well = WEXITSTATUS(c->wait_status) == 0;
    free(c);
    free(folder);
    return well;
}

/* The same for a file of `top`, where children find it. */
static bool shell_on(const struct sandbox *s, const char *script, const char *top,
                     const char *name) {
    char *path = xasprintf("%s/%s", top, name), *seen = sandbox_path(s, path);
    const bool well = shell(s, script, seen);
    free(seen);
    free(path);
    return well;
}

static bool describes(const struct sandbox *s, const char *words) {
    struct text t = {0};
    sandbox_describe(s, &t);
    const bool found = strstr(text_get(&t), words) != NULL;
    text_free(&t);
    return found;
}

/* --- Tests -------------------------------------------------------------------------------------
 */

TEST_EACH(compilers_find_what_they_need, COMBINATIONS *UMASKS) {
    umask(umasks[_i / COMBINATIONS]);
    struct sandbox *s = open_sandbox(combinations[_i % COMBINATIONS]);
    const bool account = other_accounts() && !wall_stands(s, WALL_USER_NS);
    ck_assert_int_eq(wall_stands(s, WALL_ACCOUNT), account);
    ck_assert_int_eq(kit_copied(s), account);
    ck_assert_int_eq(describes(s, "reads a copy of what"), account);
    for (size_t i = 0; i < COUNT(needed); i++)
        ck_assert_msg(shell_on(s, "cat \"$1\" && test -r \"$1\"", kit, needed[i]), "%s", needed[i]);
    ck_assert(shell_on(s, "\"$1\"", kit, "build/bin/vgpucc"));
    ck_assert(!shell_on(s, "\"$1\"", kit, "common/lab.h"));
    sandbox_close(s);
}

TEST_EACH(the_copy_is_not_theirs_to_change, COMBINATIONS) {
    static const char *const tries[] = {"echo >>\"$1\"", "rm -f \"$1\"", "chmod a+w \"$1\"",
                                        "echo >\"${1%/*}/new\"", "mv \"$1\" \"$1.new\""};
    struct sandbox *s = open_sandbox(combinations[_i]);
    for (size_t i = 0; kit_copied(s) && i < COUNT(needed); i++)
        for (size_t t = 0; t < COUNT(tries); t++)
            ck_assert_msg(!shell_on(s, tries[t], kit, needed[i]), "%s: %s", needed[i], tries[t]);
    sandbox_close(s);
}

TEST_EACH(the_rest_of_the_kit_stays_closed, COMBINATIONS) {
    struct sandbox *s = open_sandbox(combinations[_i]);
    for (size_t i = 0; i < COUNT(unneeded); i++) {
        char *path = xasprintf("%s/%s", kit, unneeded[i]), *seen = sandbox_path(s, path);
        ck_assert_str_eq(seen, path); /* it may be a compiler that lies there and is open */
        /* With no wall but the filter, a user's child reads what the user can. */
        ck_assert(!files_are_walled(s) || !shell(s, "cat \"$1\"", path));
        free(seen);
        free(path);
    }
    sandbox_close(s);
}

TEST(the_copy_holds_what_is_needed) {
    struct sandbox *s = open_sandbox(NAMESPACES);
    for (size_t i = 0; kit_copied(s) && i < COUNT(unneeded); i++) {
        char *path = xasprintf("%s/kit/root/%s", scratch, unneeded[i]);
        char *built = xasprintf("%s/kit/%s", scratch, unneeded[i]);
        ck_assert(access(path, F_OK) != 0 && access(built, F_OK) != 0);
        free(path);
        free(built);
    }
    sandbox_close(s);
}

TEST(an_open_kit_is_not_copied) {
    ck_assert(shell(NULL, "chmod -R a+rX \"$1\"", closed));
    struct sandbox *s = open_sandbox(NAMESPACES);
    ck_assert_int_eq(wall_stands(s, WALL_ACCOUNT), other_accounts());
    ck_assert(!kit_copied(s));
    char *seen = sandbox_path(s, build);
    ck_assert_str_eq(seen, build);
    free(seen);
    sandbox_close(s);
}

/* One file that was made under another umask is enough. */
TEST_EACH(one_closed_file_counts, COMBINATIONS) {
    ck_assert(shell(NULL, "chmod -R a+rX \"$1\"", closed));
    ck_assert(shell(NULL, "chmod 600 \"$1/common/parts/deep.h\"", kit));
    struct sandbox *s = open_sandbox(combinations[_i]);
    ck_assert_int_eq(kit_copied(s), wall_stands(s, WALL_ACCOUNT));
    ck_assert(shell_on(s, "cat \"$1\"", kit, "common/parts/deep.h"));
    sandbox_close(s);
}

TEST(headers_may_be_another_kits) {
    char *other = xasprintf("%s/other", closed);
    ck_assert_int_eq(mkdir(other, 0700), 0);
    make_file(other, "vgpu/include/only_here.h");
    const struct sandbox_setup setup = {
        .root = kit, .build = build, .headers = other, .scratch = scratch, .without = NAMESPACES};
    struct sandbox *s = sandbox_open(&setup);
    ck_assert_int_eq(kit_copied(s), other_accounts());
    ck_assert(shell_on(s, "cat \"$1\"", other, "vgpu/include/only_here.h"));
    ck_assert(shell_on(s, "cat \"$1\"", kit, "common/lab.h"));
    ck_assert(!kit_copied(s) || !shell_on(s, "cat \"$1\"", kit, "vgpu/include/vgpu_prelude.h"));
    sandbox_close(s);
    free(other);
}

/* The disk is full: then the account is given up, the reason told, and the kit itself serves. */
TEST(without_a_copy_the_kit_serves) {
    const struct rlimit one_byte = {1, RLIM_INFINITY};
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &one_byte), 0);
    struct sandbox *s = open_sandbox(NAMESPACES);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert(!wall_stands(s, WALL_ACCOUNT) && !kit_copied(s));
    ck_assert_int_eq(describes(s, "no copy can be made: File too large"), other_accounts());
    char *left = xasprintf("%s/kit", scratch);
    ck_assert_int_ne(access(left, F_OK), 0);
    ck_assert(shell_on(s, "cat \"$1\"", kit, "common/lab.h"));
    free(left);
    sandbox_close(s);
}

TEST(a_compiler_out_of_reach_is_told) {
    char *clang = xasprintf("%s/build/bin/grader", kit);
    const char *const compilers[] = {"/bin/sh", clang, NULL};
    const struct sandbox_setup setup = {.root = kit,
                                        .build = build,
                                        .compilers = compilers,
                                        .scratch = scratch,
                                        .without = NAMESPACES};
    struct sandbox *s = sandbox_open(&setup);
    ck_assert(!wall_stands(s, WALL_ACCOUNT));
    ck_assert_int_eq(describes(s, "may not start the compiler"), other_accounts());
    ck_assert(shell_on(s, "cat \"$1\"", kit, "common/lab.h"));
    sandbox_close(s);
    free(clang);
}

TEST(a_scratch_folder_out_of_reach_is_told) {
    char *inner = xasprintf("%s/scratch", closed);
    ck_assert_int_eq(mkdir(inner, 0700), 0);
    const struct sandbox_setup setup = {
        .root = kit, .build = build, .scratch = inner, .without = NAMESPACES};
    struct sandbox *s = sandbox_open(&setup);
    ck_assert(!wall_stands(s, WALL_ACCOUNT));
    ck_assert_int_eq(describes(s, "may not enter"), other_accounts());
    sandbox_close(s);
    free(inner);
}

TEST(paths_of_others_stay) {
    struct sandbox *s = open_sandbox(NAMESPACES);
    char *beside = xasprintf("%s-2/common", kit);
    const char *const paths[] = {"/usr/bin/nvcc", "", "/", beside};
    for (size_t i = 0; i < COUNT(paths); i++) {
        char *seen = sandbox_path(s, paths[i]), *unwalled = sandbox_path(NULL, paths[i]);
        ck_assert_str_eq(seen, paths[i]);
        ck_assert_str_eq(unwalled, paths[i]);
        free(seen);
        free(unwalled);
    }
    free(beside);
    sandbox_close(s);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/sandbox_kit", .set_up = set_up, .tear_down = tear_down});
}
