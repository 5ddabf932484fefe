/*
 * vgpu-debug.c: the terminal of a debugger for kernels. It starts the program, hands it one end of
 * a socket, sends what the person says and prints what the program answers (vgpu/src/debug/wire.h).
 * What commands there are, and what they mean, the program's own library knows.
 *
 * Contract: nothing stays behind. The program dies with this process, and the other way round this
 * process notices the program's end and can start it anew, with the same breakpoints.
 */
#include "vgpu/src/debug/wire.h"
#include "vgpu/tools/vgpu-debug-line.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifdef HAVE_JANSSON
#include "vgpu/tools/vgpu-debug-dap.h"
#endif

static const char help[] =
    "Usage: vgpu-debug [--batch] [--echo] [-ex COMMAND]... PROGRAM [ARGUMENT]...\n"
    "  or:  vgpu-debug --dap\n"
    "\n"
    "Holds the kernels of a program that vgpucc -g compiled, and shows what their threads do.\n"
    "Commands are those of gdb and cuda-gdb; \"help\" lists them.\n"
    "\n"
    "  -ex COMMAND  carry out COMMAND first; may be given several times\n"
    "  --echo       show commands that do not come from a terminal, for transcripts\n"
    "  --batch      end after these commands; the exit status is 1 if one of them was wrong\n"
    "  --dap        serve an editor: the Debug Adapter Protocol on stdin and stdout\n"
    "  --help       this text\n"
    "  --version    the version of vgpu-debug\n";

typedef struct front {
    char **program;
    const char **first; /* -ex */
    int num_first, next_first;
    bool batch, echo, terminal;
    pid_t child; /* 0: none */
    int socket;
    bool ran;        /* "run" was said to this child */
    bool failed;     /* a command was wrong */
    char *kept;      /* commands for the next child */
    char last[1024]; /* an empty line says it again */
} front;

static volatile sig_atomic_t going, interrupts;
static volatile pid_t the_child;

/* The program is asked to stop; the second time, when it did not, it is ended. */
static void on_interrupt(int signal) {
    (void)signal;
    if (going && the_child > 0)
        kill(the_child, ++interrupts > 1 ? SIGKILL : SIGINT);
}

/* ---- the program ---- */

static void run_program(char **program, int fd, pid_t parent) {
    char number[16];
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(125);
    snprintf(number, sizeof number, "%d", fd);
    setenv("VGPU_DEBUG", number, 1);
    signal(SIGINT, SIG_DFL);
    execvp(program[0], program);
    fprintf(stderr, "vgpu-debug: %s: %s\n", program[0], strerror(errno));
    _exit(127);
}

static void reap(front *f, bool tell) {
    int status = 0;
    if (f->child == 0)
        return;
    close(f->socket);
    while (waitpid(f->child, &status, 0) < 0 && errno == EINTR)
        continue;
    f->child = the_child = 0;
    going = 0;
    if (!tell)
        return;
    if (WIFSIGNALED(status))
        printf("The program was ended by signal %d, %s.\n", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    else if (!f->ran)
        printf("The program ended before it could be held (exit status %d): vgpucc compiles "
               "programs that can be.\n",
               WEXITSTATUS(status));
    else
        printf("The program has ended, exit status %d.\n", WEXITSTATUS(status));
    fflush(stdout);
}

static void end_program(front *f) {
    if (f->child > 0)
        kill(f->child, SIGKILL);
    reap(f, false);
}

/* Prints what the program says until it waits for a command. False: it has ended. */
static bool follow(front *f, bool quiet) {
    char kind = 0;
    size_t len = 0;
    for (char *text; (text = dbg_hear(f->socket, &kind, &len)) != NULL; free(text)) {
        going = kind != 'p';
        if (kind == 'p') {
            interrupts = 0;
            free(text);
            return true;
        }
        if (kind == 'k') {
            free(f->kept);
            f->kept = text;
            text = NULL;
        } else if (kind == 'o' || kind == 'e') {
            if (!quiet) {
                fwrite(text, 1, len, stdout);
                fflush(stdout);
                f->failed = f->failed || kind == 'e';
            }
            (void)dbg_say(f->socket, 's', "", 0); /* a program that is gone is noticed above */
        }
    }
    reap(f, !quiet);
    return false;
}

static bool say(front *f, const char *line, bool quiet) {
    return dbg_say(f->socket, 'c', line, strlen(line)) ? follow(f, quiet)
                                                       : (reap(f, !quiet), false);
}

/* The breakpoints of the process before. */
static void say_again(front *f) {
    char *all = f->kept;
    f->kept = NULL;
    for (char *line = all, *end; line != NULL && *line != '\0' && f->child > 0; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL)
            break;
        *end = '\0';
        if (!say(f, line, true))
            break;
    }
    free(all);
}

static bool start(front *f) {
    int pair[2];
    fflush(stdout);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        fprintf(stderr, "vgpu-debug: %s\n", strerror(errno));
        return false;
    }
    const pid_t me = getpid();
    f->child = fork();
    if (f->child == 0) {
        close(pair[0]);
        run_program(f->program, pair[1], me);
    }
    close(pair[1]);
    f->socket = pair[0];
    f->ran = false;
    if (f->child < 0) {
        fprintf(stderr, "vgpu-debug: %s\n", strerror(errno));
        close(pair[0]);
        f->child = 0;
        return false;
    }
    the_child = f->child;
    if (!follow(f, false))
        return false;
    say_again(f);
    return f->child > 0;
}

/* ---- the person ---- */

static bool is_word(const char *line, const char *name, size_t least) {
    const size_t n = strcspn(line, " \t\n");
    return n >= least && n <= strlen(name) && strncmp(line, name, n) == 0;
}

static bool repeats(const char *line) {
    static const char *const words[] = {"step",         "next",         "continue",
                                        "list",         "up",           "down",
                                        "reverse-step", "reverse-next", "reverse-continue"};
    static const char *const short_words[] = {"rs", "rn", "rc"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(line, words[i], words[i][0] == 'r' ? sizeof "reverse-" : 1))
            return true;
    for (size_t i = 0; i < sizeof short_words / sizeof *short_words; i++)
        if (is_word(line, short_words[i], 2))
            return true;
    return false;
}

/* One command. False: the person has enough. */
static bool obey(front *f, const char *line) {
    line += strspn(line, " \t");
    if (f->echo && !f->terminal) {
        printf("(vgpu) %s\n", line);
        fflush(stdout);
    }
    if (is_word(line, "quit", 1) || strcmp(line, "exit") == 0)
        return false;
    const bool runs = is_word(line, "run", 1);
    if (runs && f->ran)
        end_program(f);
    if (*line == '\0' || (f->child == 0 && !start(f))) {
        f->failed = f->failed || *line != '\0';
        return true;
    }
    f->ran = f->ran || runs;
    say(f, line, false);
    return true;
}

/* The program that waits for a command knows the words. */
static char *words_for(void *self, const char *line) {
    const front *f = self;
    char kind = 0;
    size_t len = 0;
    if (f->child == 0 || !dbg_say(f->socket, 'q', line, strlen(line)))
        return NULL;
    return dbg_hear(f->socket, &kind, &len);
}

/* The caller frees it; NULL: there are no more. */
static char *read_line(front *f) {
    char *line = NULL;
    size_t room = 0;
    if (f->terminal)
        return line_read("(vgpu) ", words_for, f);
    const ssize_t n = getline(&line, &room, stdin);
    if (n < 0) {
        free(line);
        return NULL;
    }
    if (n > 0 && line[n - 1] == '\n')
        line[n - 1] = '\0';
    return line;
}

static void converse(front *f) {
    bool more = true;
    for (; more && f->next_first < f->num_first; f->next_first++)
        more = obey(f, f->first[f->next_first]);
    char *line;
    if (more && !f->batch && f->child == 0 && f->num_first == 0)
        (void)start(f);
    while (more && !f->batch && (line = read_line(f)) != NULL) {
        const bool again = line[0] == '\0' && f->terminal && repeats(f->last);
        if (!again)
            snprintf(f->last, sizeof f->last, "%s", line);
        more = obey(f, again ? f->last : line);
        free(line);
    }
}

static int serve_editor(void) {
#ifdef HAVE_JANSSON
    return dap_main();
#else
    fputs("vgpu-debug: --dap needs jansson, which was not there when vgpu-debug was built: "
          "tools/setup installs it, then make vgpucc\n",
          stderr);
    return 2;
#endif
}

int main(int argc, char **argv) {
    front f = {.terminal = isatty(STDIN_FILENO) != 0};
    f.first = calloc((size_t)argc + 1, sizeof *f.first);
    int i = 1;
    for (; f.first != NULL && i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--batch") == 0) {
            f.batch = true;
        } else if (strcmp(argv[i], "--echo") == 0) {
            f.echo = true;
        } else if (strcmp(argv[i], "-ex") == 0 && i + 1 < argc) {
            f.first[f.num_first++] = argv[++i];
        } else if (strcmp(argv[i], "--dap") == 0) {
            free(f.first);
            return serve_editor();
        } else if (strcmp(argv[i], "--version") == 0) {
            puts("vgpu-debug " KIT_VERSION);
            free(f.first);
            return 0;
        } else {
            const bool asked = strcmp(argv[i], "--help") == 0;
            if (!asked)
                fprintf(stderr, "vgpu-debug: unknown option %s\n", argv[i]);
            fputs(help, asked ? stdout : stderr);
            free(f.first);
            return asked ? 0 : 2;
        }
    }
    if (f.first == NULL || i >= argc) {
        fputs(help, stderr);
        free(f.first);
        return 2;
    }
    f.program = argv + i;
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    converse(&f);
    end_program(&f);
    free(f.kept);
    free(f.first);
    return f.batch && f.failed ? 1 : 0;
}
