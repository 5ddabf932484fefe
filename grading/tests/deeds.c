/* deeds.c: attempts at the grader and the machine (see deeds.h). */
#include "grading/tests/deeds.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

struct deed_world deed_world;

struct deed_mark deed_mark(int port) {
    struct deed_mark m = {.key = 0x5a4f0000 | port};
    snprintf(m.name, sizeof m.name, "deed-%d.", port);
    snprintf(m.shared, sizeof m.shared, "/%s", m.name);
    return m;
}

/* ---- Other processes ----
 * Signal 0 is no signal, and needs the same rights as any. */

static bool kills_grader(void) {
    return kill(deed_world.grader, 0) == 0;
}

static bool kills_grader_by_thread(void) {
    return syscall(SYS_tgkill, deed_world.grader, deed_world.grader, 0) == 0;
}

static bool kills_grader_by_queue(void) {
    siginfo_t info = {.si_code = SI_QUEUE};
    return syscall(SYS_rt_sigqueueinfo, deed_world.grader, 0, &info) == 0;
}

static bool kills_grader_by_descriptor(void) {
    const int fd = (int)syscall(SYS_pidfd_open, deed_world.grader, 0);
    return fd >= 0 && syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) == 0;
}

/* A pipe may send a signal of one's choice to a process of one's choice when it can be read. */
static bool kills_grader_by_pipe(void) {
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETSIG, SIGURG) != 0 || /* ignored by default */
        fcntl(ends[0], F_SETOWN, deed_world.grader) != 0)
        return false;
    return fcntl(ends[0], F_GETOWN) == deed_world.grader;
}

static bool limits_grader(void) {
    struct rlimit limit;
    return prlimit((pid_t)deed_world.grader, RLIMIT_CPU, NULL, &limit) == 0;
}

static bool slows_grader(void) {
    return setpriority(PRIO_PROCESS, (id_t)deed_world.grader, 1) == 0;
}

static bool slows_account(void) {
    return setpriority(PRIO_USER, 0, 1) == 0;
}

static bool traces_grader(void) {
    if (ptrace(PTRACE_SEIZE, deed_world.grader, NULL, NULL) != 0)
        return false;
    ptrace(PTRACE_DETACH, deed_world.grader, NULL, NULL);
    return true;
}

static bool opens(const char *format, int number, int flags) {
    char path[128];
    snprintf(path, sizeof path, format, number);
    const int fd = open(path, flags);
    char byte;
    return fd >= 0 && (flags != O_RDONLY || read(fd, &byte, 1) >= 0);
}

static bool opens_graders_memory(void) {
    return opens("/proc/%d/mem", deed_world.grader, O_RDWR);
}

static bool reads_graders_environment(void) {
    return opens("/proc/%d/environ", deed_world.grader, O_RDONLY);
}

static bool opens_keepers_memory(void) {
    return opens("/proc/%d/mem", (int)getppid(), O_RDWR);
}

static bool reads_keepers_environment(void) {
    return opens("/proc/%d/environ", (int)getppid(), O_RDONLY);
}

static bool reads_graders_bytes(void) {
    char byte;
    const struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&deed_world, 1};
    /* EFAULT would mean that only the address is wrong. */
    return process_vm_readv(deed_world.grader, &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}

static bool sees_grader(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", deed_world.grader);
    return access(path, R_OK) == 0 && opens("/proc/%d/stat", deed_world.grader, O_RDONLY);
}

/* ---- Files ---- */

static bool reads_passwd(void) {
    return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool reads_secret(void) {
    return open(deed_world.secret, O_RDONLY) >= 0;
}

static bool outside(char path[4096], const char *name) {
    return snprintf(path, 4096, "%s/%s", deed_world.outside, name) < 4096;
}

static bool writes_outside(void) {
    char path[4096];
    return outside(path, "new") && open(path, O_WRONLY | O_CREAT, 0600) >= 0;
}

/* A folder that is shown to every child. Root owns it, with or without privileges. */
static bool writes_to_system(void) {
    char path[48];
    snprintf(path, sizeof path, "/usr/%s", deed_mark(deed_world.port).name);
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0 && unlink(path) == 0;
}

static bool makes_folder_outside(void) {
    char path[4096];
    return outside(path, "new-folder") && (mkdir(path, 0700) == 0 || errno == EEXIST);
}

static bool links_outside(void) {
    char path[4096];
    return outside(path, "new-link") && (symlink("/", path) == 0 || errno == EEXIST);
}

static bool changes_rights_outside(void) {
    return chmod(deed_world.outside, 0755) == 0;
}

static bool leaves_posix_memory(void) {
    return shm_open(deed_mark(deed_world.port).shared, O_RDWR | O_CREAT, 0600) >= 0;
}

static bool leaves_system_v_memory(void) {
    return shmget(deed_mark(deed_world.port).key, 4096, IPC_CREAT | 0600) >= 0;
}

static bool leaves_message_queue(void) {
    return mq_open(deed_mark(deed_world.port).shared, O_RDWR | O_CREAT, 0600, NULL) != (mqd_t)-1;
}

/* ---- The network ---- */

static bool connects(void) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)deed_world.port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool sends_packet(void) {
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return fd >= 0 && sendto(fd, "", 1, 0, (struct sockaddr *)&to, sizeof to) == 1;
}

static bool listens(void) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET};
    return fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0;
}

static bool finds_local_socket(void) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const int n =
        snprintf(to.sun_path + 1, sizeof to.sun_path - 1, "zoo-test-%d", deed_world.grader);
    return fd >= 0 &&
           connect(fd, (struct sockaddr *)&to,
                   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) == 0;
}

/* ---- Rights ---- */

static bool makes_namespace(void) {
    return unshare(CLONE_NEWUSER) == 0;
}

static bool clones_namespace(void) {
    const pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

/* A parent that waits so looks as if it waited for a disk. */
static bool waits_as_parent(void) {
    const pid_t pid = (pid_t)syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool writes_through(void) {
    const int fd = open("through", O_WRONLY | O_CREAT | O_DSYNC, 0600);
    if (fd >= 0) {
        close(fd);
        unlink("through");
    }
    return fd >= 0;
}

static bool uses_io_uring(void) {
    char parameters[120] = {0};
    return syscall(SYS_io_uring_setup, 1, parameters) >= 0;
}

static bool has_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}};
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective || data[0].permitted);
}

static bool may_gain_privileges(void) {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 && getuid() == 0;
}

static bool mounts(void) {
    return mount("none", ".", "tmpfs", 0, NULL) == 0 && umount2(".", MNT_DETACH) == 0;
}

#define ANY_PROCESS_WALL                                                                           \
    (1u << WALL_PID_NS | 1u << WALL_ACCOUNT | 1u << WALL_LANDLOCK | 1u << WALL_SECCOMP)
#define ANY_FILE_WALL (1u << WALL_MOUNT_NS | 1u << WALL_LANDLOCK | 1u << WALL_ACCOUNT)
#define PATH_WALL     (1u << WALL_MOUNT_NS | 1u << WALL_LANDLOCK)
#define NET_WALL      (1u << WALL_NET_NS | 1u << WALL_SECCOMP)
#define FILTER        (1u << WALL_SECCOMP)

const struct deed forbidden_deeds[] = {
    {"kills-grader", kills_grader, ANY_PROCESS_WALL, false},
    {"kills-grader-by-thread", kills_grader_by_thread, ANY_PROCESS_WALL, false},
    {"kills-grader-by-queue", kills_grader_by_queue, ANY_PROCESS_WALL, false},
    {"kills-grader-by-descriptor", kills_grader_by_descriptor, ANY_PROCESS_WALL, false},
    {"kills-grader-by-pipe", kills_grader_by_pipe, 1u << WALL_PID_NS | FILTER, false},
    {"limits-grader", limits_grader, 1u << WALL_PID_NS | 1u << WALL_ACCOUNT | FILTER, true},
    {"slows-grader", slows_grader, 1u << WALL_PID_NS | 1u << WALL_ACCOUNT, false},
    {"slows-account", slows_account, FILTER, false},
    {"traces-grader", traces_grader, 0, true},
    {"opens-graders-memory", opens_graders_memory, 0, true},
    {"reads-graders-environment", reads_graders_environment, 0, true},
    {"reads-graders-bytes", reads_graders_bytes, 0, true},
    {"opens-keepers-memory", opens_keepers_memory, 0, true},
    {"reads-keepers-environment", reads_keepers_environment, 0, true},
    {"sees-grader", sees_grader, 1u << WALL_LANDLOCK, false},
    {"reads-passwd", reads_passwd, PATH_WALL, false},
    {"reads-secret", reads_secret, ANY_FILE_WALL, false},
    {"writes-outside", writes_outside, ANY_FILE_WALL | FILTER, false},
    {"writes-to-system", writes_to_system, ANY_FILE_WALL | FILTER, true},
    {"makes-folder-outside", makes_folder_outside, ANY_FILE_WALL | FILTER, false},
    {"links-outside", links_outside, ANY_FILE_WALL | FILTER, false},
    {"changes-rights-outside", changes_rights_outside,
     1u << WALL_MOUNT_NS | 1u << WALL_ACCOUNT | FILTER, false},
    {"leaves-posix-memory", leaves_posix_memory, PATH_WALL, false},
    {"leaves-system-v-memory", leaves_system_v_memory, FILTER, false},
    {"leaves-message-queue", leaves_message_queue, 0, true},
    {"connects", connects, NET_WALL | 1u << WALL_LANDLOCK, false},
    {"sends-packet", sends_packet, NET_WALL, false},
    {"listens", listens, FILTER | 1u << WALL_LANDLOCK, false},
    {"finds-local-socket", finds_local_socket, NET_WALL | 1u << WALL_LANDLOCK, false},
    {"makes-namespace", makes_namespace, FILTER, false},
    {"clones-namespace", clones_namespace, FILTER, false},
    {"uses-io-uring", uses_io_uring, FILTER, false},
    {"waits-as-parent", waits_as_parent, FILTER, false},
    {"writes-through", writes_through, FILTER, false},
    {"has-capabilities", has_capabilities, 0, true},
    {"may-gain-privileges", may_gain_privileges, 0, true},
    {"mounts", mounts, 0, true},
    {NULL, NULL, 0, false},
};

/* ---- What must go on working ---- */

static void *count_up(void *data) {
    __atomic_add_fetch((int *)data, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static bool starts_threads(void) {
    pthread_t thread[64];
    int count = 0;
    for (int i = 0; i < 64; i++)
        if (pthread_create(&thread[i], NULL, count_up, &count) != 0)
            return false;
    for (int i = 0; i < 64; i++)
        pthread_join(thread[i], NULL);
    return count == 64;
}

static bool starts_processes(void) {
    for (int i = 0; i < 8; i++) {
        const pid_t pid = fork();
        if (pid == 0)
            _exit(i);
        int status;
        if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != i)
            return false;
    }
    return true;
}

static volatile sig_atomic_t heard;

static void hear(int sig) {
    heard = sig;
}

static bool signals_itself(void) {
    signal(SIGUSR1, hear);
    return raise(SIGUSR1) == 0 && heard == SIGUSR1 && kill(getpid(), 0) == 0;
}

static bool writes_in_its_folder(void) {
    const int fd = open("zoo-file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    char back[6];
    return fd >= 0 && write(fd, "hello", 6) == 6 && pread(fd, back, 6, 0) == 6 && close(fd) == 0 &&
           rename("zoo-file", "zoo-other") == 0 && mkdir("zoo-folder", 0700) == 0 &&
           rmdir("zoo-folder") == 0 && unlink("zoo-other") == 0;
}

static bool can_read(const char *path) {
    char bytes[64];
    const int fd = open(path, O_RDONLY);
    return fd >= 0 && read(fd, bytes, sizeof bytes) > 0;
}

static bool reads_about_itself(void) {
    return can_read("/proc/self/maps") && can_read("/proc/self/status") &&
           can_read("/proc/self/cmdline");
}

static bool reads_about_machine(void) {
    return can_read("/proc/cpuinfo") && can_read("/proc/meminfo") &&
           can_read("/sys/devices/system/cpu/online") && sysconf(_SC_NPROCESSORS_ONLN) > 0 &&
           can_read("/dev/urandom");
}

static bool writes_to_null(void) {
    const int fd = open("/dev/null", O_RDWR);
    return fd >= 0 && write(fd, "x", 1) == 1;
}

/* As the virtual GPU and CUDA do. */
static bool reserves_much_address_space(void) {
    const size_t much = (size_t)1 << 40;
    char *at = mmap(NULL, much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED || mprotect(at, 4096, PROT_READ | PROT_WRITE) != 0)
        return false;
    *at = 1;
    return munmap(at, much) == 0;
}

static bool chooses_its_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 &&
           sched_setaffinity(0, sizeof set, &set) == 0;
}

static bool knows_its_limits(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 && setrlimit(RLIMIT_STACK, &limit) == 0;
}

/* Where no file wall stands, the filter lets nothing be written. */
#define EXCEPT_ALONE (1u << WALL_SECCOMP)

const struct deed needed_deeds[] = {
    {"starts-threads", starts_threads, 0, false},
    {"starts-processes", starts_processes, 0, false},
    {"signals-itself", signals_itself, 0, false},
    {"writes-in-its-folder", writes_in_its_folder, EXCEPT_ALONE, false},
    {"reads-about-itself", reads_about_itself, 0, false},
    {"reads-about-machine", reads_about_machine, 0, false},
    {"writes-to-null", writes_to_null, EXCEPT_ALONE, false},
    {"reserves-much-address-space", reserves_much_address_space, 0, false},
    {"chooses-its-processors", chooses_its_processors, 0, false},
    {"knows-its-limits", knows_its_limits, 0, false},
    {NULL, NULL, 0, false},
};

/* ---- Deeds that end, or don't ---- */

/* A process that nobody waits for, in a session of its own. */
static void leave_daemon(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            prctl(PR_SET_NAME, deed_mark(deed_world.port).name);
            prctl(PR_SET_PDEATHSIG, 0);
            for (int i = 0; i < 60; i++)
                sleep(1);
        }
        _exit(0);
    }
    wait(NULL);
    usleep(20000);
}

static void hold_memory(void) {
    const size_t n = (size_t)200 << 20;
    char *shared = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED)
        memset(shared, 1, n);
    sleep(10);
}

static void fill_folder(void) {
    char bytes[65536] = {1};
    for (int i = 0; i < 64; i++) {
        char name[32];
        snprintf(name, sizeof name, "zoo-%d", i);
        const int fd = open(name, O_WRONLY | O_CREAT, 0600);
        for (int b = 0; b < 16; b++)
            if (write(fd, bytes, sizeof bytes) < 0)
                return;
        close(fd);
    }
    sleep(10);
}

static void start_many(void) {
    for (int i = 0; i < 200; i++) {
        if (fork() == 0) {
            sleep(10);
            _exit(0);
        }
    }
    sleep(10);
}

static void end_as_told(const char *name) {
    if (strcmp(name, "exit-7") == 0)
        _exit(7);
    if (strcmp(name, "abort") == 0)
        abort();
    if (strcmp(name, "segv") == 0) {
        signal(SIGSEGV, SIG_DFL); /* sanitizers catch it */
        raise(SIGSEGV);
    }
    if (strcmp(name, "daemon") == 0)
        leave_daemon();
    if (strcmp(name, "daemon-and-stay") == 0) {
        leave_daemon();
        sleep(30);
    }
    if (strcmp(name, "hold-memory") == 0)
        hold_memory();
    if (strcmp(name, "fill-folder") == 0)
        fill_folder();
    if (strcmp(name, "start-many") == 0)
        start_many();
    _exit(DEED_DONE);
}

static void try_all(const struct deed *deeds, const char *name) {
    for (const struct deed *d = deeds; d->name; d++)
        if (strcmp(d->name, name) == 0)
            _exit(d->attempt() ? DEED_DONE : DEED_REFUSED);
}

void deed_main(int argc, char **argv) {
    if (argc != 7)
        _exit(DEED_CONFUSED);
    deed_world = (struct deed_world){.grader = (int)strtol(argv[3], NULL, 10),
                                     .secret = argv[4],
                                     .outside = argv[5],
                                     .port = (int)strtol(argv[6], NULL, 10)};
    try_all(forbidden_deeds, argv[2]);
    try_all(needed_deeds, argv[2]);
    end_as_told(argv[2]);
    _exit(DEED_CONFUSED);
}
