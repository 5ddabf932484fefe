/*
 * vgpucc_process.c: child processes, temporary files, signals; see vgpucc_process.h.
 */
#include "vgpu/tools/vgpucc_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_FILES = 4096, MAX_CHILDREN = 4 };

/* What the signal handler must know. */
static char *folder;
static char *files[MAX_FILES];
static volatile sig_atomic_t num_files;
static volatile pid_t children[MAX_CHILDREN];

/* ---- the folder ---- */

void workdir_remove(void) {
    for (int i = 0; i < num_files; i++)
        (void)unlink(files[i]);
    if (folder)
        (void)rmdir(folder);
}

/* Only calls that are safe in a handler. */
static void on_signal(int signal) {
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i] > 0)
            (void)kill(children[i], SIGTERM);
    workdir_remove();
    struct sigaction dfl = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &dfl, NULL);
    (void)raise(signal);
}

static void catch_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction ours = {.sa_handler = on_signal};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction old;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        (void)sigaction(signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup stays nohup */
            (void)sigaction(signals[i], &ours, NULL);
    }
    (void)sigaction(SIGPIPE, &ignore, NULL);
}

bool workdir_make(void) {
    if (folder)
        return true;
    const char *base = getenv("TMPDIR");
    char *name = format_text("%s/vgpucc-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(name)) {
        complain("cannot make a folder for intermediate files (%s): %s", name, strerror(errno));
        return false;
    }
    folder = name;
    catch_signals();
    return true;
}

const char *workdir_file(const char *suffix) {
    if (num_files == MAX_FILES) {
        complain("too many files at once");
        workdir_remove();
        exit(2);
    }
    char *name = format_text("%s/%d.%s", folder, (int)num_files, suffix);
    files[num_files] = name;
    num_files = num_files + 1;
    return name;
}

/* ---- programs ---- */

char *find_program(const char *name) {
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? format_text("%s", name) : NULL;
    while (path && *path) {
        size_t len = strcspn(path, ":");
        char *full = format_text("%.*s/%s", (int)len, path, name);
        if (len > 0 && access(full, X_OK) == 0)
            return full;
        path += len + (path[len] == ':');
    }
    return NULL;
}

/* The command as a shell would take it, for --verbose. */
static void show(const args *command) {
    for (size_t i = 0; i < command->count; i++) {
        const char *arg = command->at[i];
        bool plain =
            *arg && strspn(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+./,:@%^") == strlen(arg);
        fputs(i ? " " : "", stderr);
        if (plain) {
            fputs(arg, stderr);
            continue;
        }
        fputc('\'', stderr);
        for (; *arg; arg++)
            if (*arg == '\'')
                fputs("'\\''", stderr);
            else
                fputc(*arg, stderr);
        fputc('\'', stderr);
    }
    fputc('\n', stderr);
}

static void remember_child(pid_t pid) {
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i] == 0) {
            children[i] = pid;
            return;
        }
}

static void forget_child(pid_t pid) {
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i] == pid)
            children[i] = 0;
}

pid_t start(const args *command, const char *errors, bool verbose) {
    pid_t pid = -1;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t defaults;
    if (verbose)
        show(command);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attr, &defaults);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    if (errors)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int why = posix_spawn(&pid, command->at[0], &actions, &attr,
                          (char *const *)(uintptr_t)command->at, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
    if (why != 0) {
        complain("cannot run %s: %s", command->at[0], strerror(why));
        return -1;
    }
    remember_child(pid);
    return pid;
}

static int status_of(int raw) {
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

int finish(pid_t pid) {
    int raw = 0;
    while (waitpid(pid, &raw, 0) < 0)
        if (errno != EINTR)
            return 127;
    forget_child(pid);
    return status_of(raw);
}

bool finished(pid_t pid, int *status) {
    int raw = 0;
    if (waitpid(pid, &raw, WNOHANG) != pid)
        return false;
    forget_child(pid);
    *status = status_of(raw);
    return true;
}

void stop(pid_t pid) {
    (void)kill(pid, SIGTERM);
    (void)finish(pid);
}
