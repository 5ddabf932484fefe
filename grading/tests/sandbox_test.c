/*
 * sandbox_test.c: every wall is proved by trying what it forbids.
 *
 * Each deed of deeds.c is tried by a child: without any walls, where it must get through (else the
 * deed proves nothing); and inside every combination of walls below, where it must be refused as
 * soon as one that holds it stands, and honest deeds must go on working. So a wall that has fallen
 * is seen whichever others stand before it.
 *
 * As root the suite runs twice: as root, and as an ordinary user. Wherever the kit lies, that user
 * and the accounts of the sandbox reach all they need: the test copies its own program into its
 * scratch folder, and makes a small kit there.
 */
#include "common/tests/suite.h"
#include "grading/src/base/scratch.h"
#include "grading/src/sandbox/child.h"
#include "grading/src/sandbox/sandbox_parts.h"
#include "grading/tests/deeds.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALL        ((1u << WALL_COUNT) - 1)
#define ONLY(wall) (ALL & ~(1u << (wall)))
#define NAMESPACES                                                                                 \
    (1u << WALL_USER_NS | 1u << WALL_PID_NS | 1u << WALL_MOUNT_NS | 1u << WALL_NET_NS |            \
     1u << WALL_IPC_NS)

/* Sets of walls to leave out. What a machine lacks besides is missing in each. */
static const unsigned combinations[] = {
    0,                                                     /* all that the machine has */
    ALL,                                                   /* limits and privileges alone */
    NAMESPACES,                                            /* a container */
    NAMESPACES | 1u << WALL_LANDLOCK,                      /* an old one */
    NAMESPACES | 1u << WALL_LANDLOCK | 1u << WALL_ACCOUNT, /* an old one, as a user */
    NAMESPACES | 1u << WALL_ACCOUNT,
    1u << WALL_SECCOMP,
    1u << WALL_LANDLOCK,
    1u << WALL_ACCOUNT,
    1u << WALL_MOUNT_NS,
    1u << WALL_PID_NS,
    ONLY(WALL_SECCOMP),
    ONLY(WALL_LANDLOCK),
    ONLY(WALL_ACCOUNT),
    ONLY(WALL_MOUNT_NS) & ~(1u << WALL_USER_NS),
    ONLY(WALL_PID_NS) & ~(1u << WALL_USER_NS),
    ONLY(WALL_NET_NS) & ~(1u << WALL_USER_NS),
    ONLY(WALL_IPC_NS) & ~(1u << WALL_USER_NS),
};
#ifdef __SANITIZE_ADDRESS__
/* A child takes the sanitizers twenty times as long. What they can find lies on the way of every
 * combination; what the walls hold is tried without them. */
enum { COMBINATIONS = 5 };
#else
enum { COMBINATIONS = sizeof combinations / sizeof *combinations };
#endif

/* The surroundings of a test. */
static char *scratch, *kit, *build, *self, *secret, *outside;
static int tcp = -1, local = -1, port;
static int program = -1; /* this program, opened as root where we are */

static void listen_somewhere(void) {
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t n = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(tcp, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(tcp, 100), 0);
    ck_assert_int_eq(getsockname(tcp, (struct sockaddr *)&at, &n), 0);
    port = ntohs(at.sin_port);
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    const int length = snprintf(un.sun_path + 1, sizeof un.sun_path - 1, "zoo-test-%d", getpid());
    local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(local, (struct sockaddr *)&un,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)),
                     0);
    ck_assert_int_eq(listen(local, 100), 0);
}

/* Makes a folder in another, for everybody to read. */
static char *make_folder(const char *in, const char *name) {
    char *path = xasprintf("%s/%s", in, name);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
    return path;
}

/* Copies this program to where any account of the tests may start it. */
static char *copy_self(void) {
    char *folder = make_folder(scratch, "program"), *path = xasprintf("%s/deeds", folder);
    const int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    struct stat st;
    ck_assert_int_ge(out, 0);
    ck_assert_int_eq(fstat(program, &st), 0);
    for (off_t at = 0; at < st.st_size;)
        ck_assert_int_gt(sendfile(out, program, &at, (size_t)(st.st_size - at)), 0);
    ck_assert(fchmod(out, 0755) == 0 && close(out) == 0);
    free(folder);
    return path;
}

/* A kit as far as the walls are concerned. */
static void make_kit(void) {
    static const char *const folders[] = {"common", "vgpu",      "vgpu/include",
                                          "build",  "build/bin", "build/lib"};
    static const char *const files[] = {"common/lab.h", "vgpu/include/vgpu_prelude.h",
                                        "build/bin/vgpucc", "build/lib/libvgpu.a",
                                        "build/lib/libworker.a"};
    kit = make_folder(scratch, "a kit");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        free(make_folder(kit, folders[i]));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = xasprintf("%s/%s", kit, files[i]);
        ck_assert(scratch_copy("/dev/null", path, 0755));
        free(path);
    }
    build = xasprintf("%s/build", kit);
}

static void set_up(void) {
    char why[256];
    sandbox_adopt_orphans();
    scratch = scratch_create(why, sizeof why);
    ck_assert_msg(scratch != NULL, "%s", why);
    self = copy_self();
    make_kit();
    secret = xasprintf("%s/secret", scratch);
    outside = xasprintf("%s/outside", scratch);
    const int fd = open(secret, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(mkdir(outside, 0700), 0);
    listen_somewhere();
}

static void remove_shared_memory(void) {
    const struct deed_mark mark = deed_mark(port);
    shm_unlink(mark.shared);
    const int id = shmget(mark.key, 1, 0);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    mq_unlink(mark.shared);
}

static void tear_down(void) {
    close(tcp);
    close(local);
    remove_shared_memory();
    ck_assert(scratch_remove(scratch));
    char *all[] = {scratch, kit, build, self, secret, outside};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static struct sandbox *open_sandbox(unsigned without) {
    const char *const hidden[] = {secret, NULL};
    const struct sandbox_setup setup = {
        .root = kit, .build = build, .scratch = scratch, .hidden = hidden, .without = without};
    return sandbox_open(&setup);
}

/* ---- Running a deed ---- */

static void options_for(struct child_options *o, const char *const *argv, const struct sandbox *s,
                        char **folder) {
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "OPENBLAS_NUM_THREADS=1", NULL};
    *folder = xasprintf("%s/run", scratch);
    ck_assert_int_eq(mkdir(*folder, 0700), 0);
    sandbox_give(s, *folder);
    *o = (struct child_options){.argv = argv,
                                .environment = environment,
                                .folder = *folder,
                                .sandbox = s,
                                .profile = SANDBOX_RUN,
                                .writable = *folder,
                                .limits = {.new_processes = 1000}};
}

/* Starts a child that does `name`. */
static struct child *begin(const char *name, const struct sandbox *s,
                           const struct sandbox_limits *limits, char **folder) {
    char grader[16], number[16], why[256];
    bool missing;
    snprintf(grader, sizeof grader, "%d", (int)getpid());
    snprintf(number, sizeof number, "%d", port);
    const char *const argv[] = {self, "--deed", name, grader, secret, outside, number, NULL};
    struct child_options o;
    options_for(&o, argv, s, folder);
    if (limits)
        o.limits = *limits;
    struct child *c = xcalloc(1, sizeof *c);
    ck_assert_msg(child_start(c, &o, why, sizeof why, &missing), "%s: %s", name, why);
    return c;
}

static int end(struct child *c, char *folder) {
    const struct patience p = patience_of(10000);
    child_wait(c, &p);
    ck_assert(c->ended);
    child_finish(c);
    const int status = c->wait_status;
    free(c);
    ck_assert(scratch_remove(folder));
    free(folder);
    return status;
}

static int deed(const char *name, const struct sandbox *s) {
    char *folder;
    struct child *c = begin(name, s, NULL, &folder);
    return end(c, folder);
}

/* ---- Deeds, in every combination ---- */

/* What refuses a deed, less what this kernel's Landlock cannot do yet. */
static unsigned holders(const struct deed *d) {
    const int version = landlock_version();
    const unsigned landlock = 1u << WALL_LANDLOCK;
    const bool file = d->held_by & 1u << WALL_MOUNT_NS;
    const bool tcp_only = strcmp(d->name, "connects") == 0 || strcmp(d->name, "listens") == 0;
    return file || version >= (tcp_only ? 4 : 6) ? d->held_by : d->held_by & ~landlock;
}

TEST(deeds_get_through_without_walls) {
    int tried = 0, through = 0;
    for (const struct deed *d = forbidden_deeds; d->name; d++) {
        if (d->roots && getuid() != 0)
            continue;
        const int status = deed(d->name, NULL);
        ck_assert_msg(WIFEXITED(status), "%s: status %d", d->name, status);
        tried++;
        through += WEXITSTATUS(status) == DEED_DONE;
        remove_shared_memory();
    }
    /* Containers refuse some to everybody: those prove nothing here. */
    ck_assert_msg(2 * through > tried, "only %d of %d get through without walls", through, tried);
}

static void describe(const struct sandbox *s, struct text *t) {
    text_clear(t);
    sandbox_describe(s, t);
}

TEST_EACH(walls_refuse_what_they_forbid, COMBINATIONS) {
    struct sandbox *s = open_sandbox(combinations[_i]);
    struct text t = {0};
    describe(s, &t);
    for (const struct deed *d = forbidden_deeds; d->name; d++) {
        const int status = deed(d->name, s);
        const bool held = !d->held_by || (holders(d) & sandbox_walls(s));
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != DEED_CONFUSED,
                      "%s: status %d inside\n%s", d->name, status, text_get(&t));
        ck_assert_msg(!held || WEXITSTATUS(status) == DEED_REFUSED, "%s got through\n%s", d->name,
                      text_get(&t));
        remove_shared_memory();
    }
    text_free(&t);
    sandbox_close(s);
}

TEST_EACH(honest_deeds_work_inside, COMBINATIONS) {
    struct sandbox *s = open_sandbox(combinations[_i]);
    struct text t = {0};
    describe(s, &t);
    const unsigned refuses = files_are_walled(s) ? 0 : sandbox_walls(s);
    for (const struct deed *d = needed_deeds; d->name; d++) {
        /* A chroot may lack /sys: what does not work outside need not work inside. */
        const int outside = deed(d->name, NULL);
        if (!WIFEXITED(outside) || WEXITSTATUS(outside) != DEED_DONE)
            continue;
        const int status = deed(d->name, s);
        ck_assert_msg((WIFEXITED(status) && WEXITSTATUS(status) == DEED_DONE) ||
                          (d->held_by & refuses),
                      "%s: status %d inside\n%s", d->name, status, text_get(&t));
    }
    text_free(&t);
    sandbox_close(s);
}

/* ---- Ends ---- */

TEST_EACH(ends_are_told_as_they_were, COMBINATIONS) {
    struct sandbox *s = open_sandbox(combinations[_i]);
    int status = deed("exit-7", s);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    status = deed("abort", s);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    status = deed("segv", s);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    sandbox_close(s);
}

struct search {
    const char *name;
    int found;
};

static bool look_at(pid_t pid, void *data) {
    struct search *search = data;
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    FILE *f = fopen(path, "re");
    if (f && fgets(name, sizeof name, f) && strncmp(name, search->name, strlen(search->name)) == 0)
        search->found++;
    if (f)
        fclose(f);
    return true;
}

/* How many daemons that this test's children left are running. */
static int daemons(void) {
    const struct deed_mark mark = deed_mark(port);
    struct search search = {.name = mark.name};
    each_process(look_at, &search);
    return search.found;
}

TEST_EACH(nothing_survives_a_child, COMBINATIONS) {
    struct sandbox *s = open_sandbox(combinations[_i]);
    deed("daemon", s);
    ck_assert_int_eq(daemons(), 0);
    sandbox_close(s);
}

TEST_EACH(nothing_survives_a_killed_grader, 6) {
    const pid_t grader = fork();
    if (grader == 0) {
        struct sandbox *s = open_sandbox(combinations[_i]);
        char *folder;
        begin("daemon-and-stay", s, NULL, &folder);
        for (int i = 0; i < 200 && daemons() == 0; i++)
            usleep(10000);
        if (daemons() == 0)
            _exit(1);
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(grader, &status, 0), grader);
    ck_assert(WIFSIGNALED(status));
    for (int i = 0; i < 300 && daemons() > 0; i++)
        usleep(10000);
    ck_assert_int_eq(daemons(), 0);
    while (waitpid(-1, NULL, 0) > 0) /* the keeper, which fell to us */
        ;
}

static void check_excess(const char *name, struct sandbox_limits limits, enum child_excess wanted,
                         unsigned without) {
    struct sandbox *s = open_sandbox(without);
    char *folder;
    struct child *c = begin(name, s, &limits, &folder);
    const struct patience p = patience_of(8000);
    child_wait(c, &p);
    ck_assert_msg(c->ended, "%s went on", name);
    ck_assert_int_eq((int)c->excess, (int)wanted);
    ck_assert(WIFSIGNALED(c->wait_status) && WTERMSIG(c->wait_status) == SIGKILL);
    char words[64];
    ck_assert_ptr_nonnull(child_excess_text(c, words, sizeof words));
    end(c, folder);
    sandbox_close(s);
}

TEST_EACH(what_grows_too_large_is_ended, 5) {
    const unsigned without = combinations[_i];
    check_excess("hold-memory", (struct sandbox_limits){.total_bytes = (uint64_t)100 << 20},
                 EXCESS_MEMORY, without);
    struct sandbox *s = open_sandbox(without);
    const bool writes = files_are_walled(s) || !wall_stands(s, WALL_SECCOMP);
    sandbox_close(s);
    if (writes)
        check_excess("fill-folder", (struct sandbox_limits){.folder_bytes = (uint64_t)8 << 20},
                     EXCESS_FOLDER, without);
}

/* Where the account is the child's own, the kernel refuses more processes; root's are counted. */
TEST(processes_are_counted) {
    if (getuid() == 0)
        check_excess("start-many", (struct sandbox_limits){.new_processes = 50}, EXCESS_PROCESSES,
                     ALL);
}

/* ---- Folders ---- */

TEST(folders_change_hands) {
    struct sandbox *s = open_sandbox(0);
    char *folder = xasprintf("%s/hands", scratch), *file = xasprintf("%s/file", folder);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0700));
    struct stat st;
    sandbox_give(s, folder);
    ck_assert_int_eq(stat(file, &st), 0);
    const bool account = wall_stands(s, WALL_ACCOUNT);
    ck_assert_int_eq(st.st_uid == getuid(), !account);
    sandbox_take(s, folder);
    ck_assert_int_eq(stat(file, &st), 0);
    ck_assert_int_eq(st.st_uid, getuid());
    ck_assert_int_eq(st.st_mode & 0022, 0);
    free(file);
    free(folder);
    sandbox_close(s);
}

/* In LMS containers nothing but an account may stand: then what it leaves in public is removed. */
TEST(public_folders_are_swept) {
    struct sandbox *s = open_sandbox(NAMESPACES | 1u << WALL_LANDLOCK);
    if (wall_stands(s, WALL_ACCOUNT)) {
        char *left = xasprintf("/dev/shm%s", deed_mark(port).shared);
        ck_assert_int_eq(WEXITSTATUS(deed("leaves-posix-memory", s)), DEED_DONE);
        ck_assert_int_eq(access(left, F_OK), 0);
        sandbox_sweep(s);
        ck_assert_int_ne(access(left, F_OK), 0);
        free(left);
    }
    sandbox_close(s);
}

/* A kit inside of a folder that may be read: all around it stays readable, it does not. */
TEST(hidden_paths_are_cut_out) {
    char *top = xasprintf("%s/top", scratch), *inner = xasprintf("%s/kit", top);
    char *other = xasprintf("%s/other", top), *link = xasprintf("%s/link", top);
    ck_assert(mkdir(top, 0755) == 0 && mkdir(inner, 0755) == 0 && mkdir(other, 0755) == 0);
    ck_assert_int_eq(symlink("other", link), 0);
    setenv("LD_LIBRARY_PATH", top, 1);
    const char *const hidden[] = {inner, NULL};
    struct sandbox s = {.walls = 0};
    const struct sandbox_setup setup = {
        .root = kit, .build = build, .scratch = scratch, .hidden = hidden};
    path_rules_make(&s, &setup);
    int others = 0, links = 0;
    for (size_t i = 0; i < s.rules.count; i++) {
        const struct path_rule *r = &s.rules.rule[i];
        ck_assert_str_ne(r->path, top);
        ck_assert_str_ne(r->path, inner);
        ck_assert_str_ne(r->path, kit);
        others += strcmp(r->path, other) == 0;
        links += strcmp(r->path, link) == 0 && r->link && strcmp(r->link, "other") == 0;
    }
    ck_assert_int_eq(others, 1);
    ck_assert_int_eq(links, 1);
    path_rules_free(&s);
    unsetenv("LD_LIBRARY_PATH");
    char *all[] = {top, inner, other, link};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

TEST(missing_walls_are_told) {
    struct sandbox *s = open_sandbox(ALL);
    struct text t = {0};
    describe(s, &t);
    ck_assert_ptr_nonnull(strstr(text_get(&t), "missing: Landlock: left out"));
    ck_assert_ptr_nonnull(strstr(text_get(&t), "open: the network"));
    sandbox_close(s);
    s = open_sandbox(0);
    describe(s, &t);
    if (wall_stands(s, WALL_MOUNT_NS) && wall_stands(s, WALL_SECCOMP))
        ck_assert_ptr_null(strstr(text_get(&t), "open:"));
    text_free(&t);
    sandbox_close(s);
}

static int run(void) {
    const char *name = getuid() == 0 ? "sandbox, as root" : "sandbox, as a user";
    return run_tests((struct suite){name, .set_up = set_up, .tear_down = tear_down});
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--deed") == 0)
        deed_main(argc, argv);
    program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int failed = run();
    if (getuid() != 0)
        return failed;
    fflush(stdout);
    const pid_t user = fork();
    if (user == 0) {
        const char *parent = getenv("TMPDIR");
        if (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0) {
            perror("sandbox_test: as root alone, for this machine gives root no other account");
            exit(0);
        }
        if (parent && access(parent, W_OK | X_OK) != 0) /* root's own */
            unsetenv("TMPDIR");
        exit(run());
    }
    int status;
    return waitpid(user, &status, 0) != user || status != 0 || failed;
}
