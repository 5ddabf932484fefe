/*
 * deny.c: runs a command on a poorer machine than this one, for the tests of the sandbox.
 *
 *     deny [namespaces] [landlock] [seccomp] [setuid] -- COMMAND...
 *
 *   namespaces  unshare and clone with new namespaces fail with EPERM, as in most containers
 *   landlock    its calls fail with ENOSYS, as in older kernels
 *   seccomp     filters fail with EINVAL, as under qemu-user
 *   setuid      root cannot change its account (EPERM), as in some containers
 */
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int refuse(scmp_filter_ctx ctx, int error, const char *name) {
    const int call = seccomp_syscall_resolve_name(name);
    return call == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(ctx, SCMP_ACT_ERRNO(error), call, 0);
}

static int refuse_namespaces(scmp_filter_ctx ctx) {
    static const unsigned flags[] = {CLONE_NEWNS,   CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};
    int failed = refuse(ctx, EPERM, "unshare") | refuse(ctx, EPERM, "setns") |
                 refuse(ctx, EPERM, "mount") | refuse(ctx, ENOSYS, "clone3");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        failed |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                   SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    return failed;
}

int main(int argc, char **argv) {
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    int i = 1, failed = ctx == NULL;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "namespaces") == 0)
            failed |= refuse_namespaces(ctx);
        else if (strcmp(argv[i], "landlock") == 0)
            failed |= refuse(ctx, ENOSYS, "landlock_create_ruleset");
        else if (strcmp(argv[i], "seccomp") == 0)
            failed |= refuse(ctx, EINVAL, "seccomp") |
                      seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                       SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
        else if (strcmp(argv[i], "setuid") == 0)
            failed |= refuse(ctx, EPERM, "setresuid") | refuse(ctx, EPERM, "setgroups");
        else
            failed = 1;
    if (failed || i + 1 >= argc || seccomp_load(ctx) != 0) {
        fputs("usage: deny [namespaces] [landlock] [seccomp] [setuid] -- COMMAND...\n", stderr);
        return 125;
    }
    execvp(argv[i + 1], argv + i + 1);
    perror(argv[i + 1]);
    return 127;
}
