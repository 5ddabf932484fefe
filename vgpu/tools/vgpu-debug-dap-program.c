/*
 * vgpu-debug-dap-program.c: the program that an editor debugs: its start, what it prints, what it
 * says over the socket, its end. Nothing stays behind: it gets SIGKILL when the adapter dies.
 */
#include "vgpu/src/debug/wire.h"
#include "vgpu/tools/vgpu-debug-dap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { PUMP = 16384, END_MS = 500 };

/* ---- start ---- */

typedef struct plan {
    char **argv;
    const char *cwd;
    const json_t *env;
} plan;

static void become(const plan *p, int fd, const int out[2], pid_t parent) {
    char number[16];
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(125);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out[0], STDOUT_FILENO);
    dup2(out[1], STDERR_FILENO);
    snprintf(number, sizeof number, "%d", fd);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)p->env, name, value) {
        if (json_is_string(value))
            setenv(name, json_string_value(value), 1);
        else
            unsetenv(name);
    }
    setenv("VGPU_DEBUG", number, 1);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (p->cwd[0] != '\0' && chdir(p->cwd) != 0) {
        fprintf(stderr, "vgpu-debug: %s: %s\n", p->cwd, strerror(errno));
        _exit(127);
    }
    execvp(p->argv[0], p->argv);
    fprintf(stderr, "vgpu-debug: %s: %s\n", p->argv[0], strerror(errno));
    _exit(127);
}

/* The child's ends are kept from other programs that this one might start: it starts no other. */
static bool open_ends(int pair[2], int out[2], int err[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return false;
    if (pipe(out) != 0) {
        close(pair[0]), close(pair[1]);
        return false;
    }
    if (pipe(err) != 0) {
        close(pair[0]), close(pair[1]), close(out[0]), close(out[1]);
        return false;
    }
    return true;
}

static bool run(dap *d, const plan *p) {
    int pair[2], out[2], err[2];
    if (!open_ends(pair, out, err))
        return false;
    const pid_t me = getpid();
    d->child = fork();
    if (d->child == 0) {
        close(pair[0]), close(out[0]), close(err[0]);
        become(p, pair[1], (const int[]){out[1], err[1]}, me);
    }
    close(pair[1]), close(out[1]), close(err[1]);
    d->socket = pair[0];
    d->stream[0] = (dap_stream){.fd = out[0], .category = "stdout"};
    d->stream[1] = (dap_stream){.fd = err[0], .category = "stderr"};
    if (d->child < 0) {
        d->child = 0;
        close(pair[0]), close(out[0]), close(err[0]);
        return false;
    }
    d->state = DAP_STARTING;
    return true;
}

static bool is_array_of_text(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return list == NULL || json_is_array(list);
}

static bool is_environment(const json_t *env) {
    const char *name;
    json_t *value;
    if (env != NULL && !json_is_object(env))
        return false;
    json_object_foreach((json_t *)(uintptr_t)env, name, value) {
        if (!json_is_string(value) && !json_is_null(value))
            return false;
    }
    return true;
}

bool dap_start(dap *d, const json_t *request) {
    const json_t *a = d->launched, *args = json_object_get(a, "args"),
                 *env = json_object_get(a, "env");
    const char *program = dap_text(a, "program");
    if (program[0] == '\0') {
        dap_refuse(d, request,
                   "launch needs \"program\": the path of a program that vgpucc -g "
                   "compiled");
        return false;
    }
    if (!is_array_of_text(args) || !is_environment(env)) {
        dap_refuse(d, request,
                   "launch takes \"args\" as a list of texts, and \"env\" as an object "
                   "of texts");
        return false;
    }
    const plan p = {.argv = calloc(json_array_size(args) + 2, sizeof(char *)),
                    .cwd = dap_text(a, "cwd"),
                    .env = env};
    bool started = false;
    if (p.argv != NULL) {
        p.argv[0] = (char *)(uintptr_t)program;
        for (size_t i = 0; i < json_array_size(args); i++)
            p.argv[i + 1] = (char *)(uintptr_t)json_string_value(json_array_get(args, i));
        started = run(d, &p);
    }
    if (!started)
        dap_refuse(d, request, "%s: %s", program, strerror(errno));
    free(p.argv);
    return started;
}

/* ---- what it prints ---- */

static int bytes_of(unsigned char first) {
    return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* How much of the text ends with a whole character. */
static size_t whole(const char *text, size_t len) {
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        const unsigned char c = (unsigned char)text[len - back];
        if ((c & 0xC0) != 0x80)
            return (size_t)bytes_of(c) > back ? len - back : len;
    }
    return len;
}

static void pass_on(dap *d, dap_stream *s, char *text, size_t len, bool last) {
    const size_t n = last ? len : whole(text, len);
    if (n > 0)
        dap_print(d, s->category, text, n);
    s->num_half = len - n;
    memcpy(s->half, text + n, s->num_half);
}

/* False: there is no more. */
static bool read_stream(dap *d, dap_stream *s) {
    char text[PUMP + DAP_HALF];
    memcpy(text, s->half, s->num_half);
    const ssize_t n = read(s->fd, text + s->num_half, PUMP);
    if (n < 0 && errno == EINTR)
        return true;
    pass_on(d, s, text, s->num_half + (n > 0 ? (size_t)n : 0), n <= 0);
    if (n > 0)
        return true;
    close(s->fd);
    s->fd = -1;
    return false;
}

void dap_pump(dap *d, int wait_ms) {
    for (;;) {
        struct pollfd fds[2] = {{.fd = d->stream[0].fd, .events = POLLIN},
                                {.fd = d->stream[1].fd, .events = POLLIN}};
        if ((fds[0].fd < 0 && fds[1].fd < 0) || poll(fds, 2, wait_ms) <= 0)
            return;
        for (int i = 0; i < 2; i++)
            if (fds[i].fd >= 0 && fds[i].revents != 0)
                (void)read_stream(d, &d->stream[i]);
    }
}

/* ---- its end ---- */

static int reap(dap *d) {
    int status = 0;
    while (waitpid(d->child, &status, 0) < 0 && errno == EINTR)
        continue;
    d->child = 0;
    close(d->socket);
    for (int i = 0; i < 2; i++) {
        if (d->stream[i].fd >= 0)
            close(d->stream[i].fd);
        d->stream[i] = (dap_stream){.fd = -1};
    }
    d->state = DAP_NO_PROGRAM;
    dap_forget_numbers(d);
    dap_forget_references(d);
    json_decref(d->held);
    json_decref(d->found);
    d->held = d->found = NULL;
    return status;
}

void dap_end(dap *d) {
    if (d->child <= 0)
        return;
    kill(d->child, SIGKILL);
    dap_pump(d, 0);
    (void)reap(d);
}

/* A program that closed the socket ends, or goes on without a debugger: it is not waited for. */
static void ended(dap *d) {
    dap_pump(d, END_MS);
    if (d->stream[0].fd >= 0 || d->stream[1].fd >= 0)
        kill(d->child, SIGKILL);
    dap_pump(d, 0);
    dap_has_ended(d, reap(d));
}

void dap_interrupt(dap *d) {
    if (d->child > 0)
        kill(d->child, SIGINT);
}

/* ---- what it says ---- */

static void take_fact(dap *d, const char *text) {
    json_t *fact = json_loads(text, 0, NULL);
    const char *name = dap_text(fact, "fact");
    if (strcmp(name, "held") == 0) {
        json_decref(d->held);
        d->held = json_incref(fact);
    } else if (strcmp(name, "found") == 0) {
        json_decref(d->found);
        d->found = json_incref(fact);
    } else {
        dap_break_told(d, fact);
    }
    json_decref(fact);
}

/* One message; what is to be shown is shown, or collected. 0: the program has ended. */
static char hear_one(dap *d, FILE *collect, bool *failed, json_t **answer) {
    char kind = 0;
    size_t len = 0;
    char *text = dbg_hear(d->socket, &kind, &len);
    if (text == NULL)
        return 0;
    if (kind == 'o' || kind == 'e') {
        if (failed != NULL)
            *failed = *failed || kind == 'e';
        if (collect != NULL) {
            fwrite(text, 1, len, collect);
        } else {
            dap_pump(d, 0); /* what was printed before comes before */
            dap_print(d, "console", text, len);
        }
        (void)dbg_say(d->socket, 's', "", 0);
    } else if (kind == 'f') {
        take_fact(d, text);
    } else if (kind == 'a' && answer != NULL) {
        json_decref(*answer);
        *answer = json_loads(text, 0, NULL);
    }
    free(text);
    return kind;
}

void dap_hear_program(dap *d) {
    const char kind = hear_one(d, NULL, NULL, NULL);
    if (kind == 0) {
        ended(d);
    } else if (kind == 'p') {
        dap_pump(d, 0);
        dap_is_held(d);
    }
}

json_t *dap_ask(dap *d, const char *form, ...) {
    char *text = NULL;
    json_t *answer = NULL;
    char kind = 'g';
    va_list args;
    va_start(args, form);
    const int len = vasprintf(&text, form, args);
    va_end(args);
    if (len < 0 || d->state != DAP_HELD)
        return NULL;
    if (dbg_say(d->socket, 'j', text, (size_t)len))
        do
            kind = hear_one(d, NULL, NULL, &answer);
        while (kind != 'p' && kind != 0);
    free(text);
    if (kind == 0 || answer == NULL) {
        json_decref(answer);
        return NULL; /* the loop finds the socket closed, and tells */
    }
    return answer;
}

const char *dap_wrong(const json_t *answer) {
    if (answer == NULL)
        return "the program has ended";
    return json_string_value(json_object_get(answer, "wrong"));
}

char *dap_say(dap *d, const char *command, bool *failed) {
    char *text = NULL, kind = 0;
    size_t len = 0;
    FILE *to = d->state == DAP_HELD ? open_memstream(&text, &len) : NULL;
    *failed = false;
    if (to == NULL)
        return NULL;
    if (dbg_say(d->socket, 'c', command, strlen(command)))
        do
            kind = hear_one(d, to, failed, NULL);
        while (kind != 'p' && kind != 'g' && kind != 0);
    (void)fclose(to);
    if (kind == 'g') {
        d->state = DAP_GOING;
        dap_forget_references(d);
        json_decref(d->found);
        json_decref(d->held);
        d->found = d->held = NULL;
    }
    if (kind == 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- sources ---- */

json_t *dap_source(dap *d, const char *own) {
    for (size_t i = 0; i < json_array_size(d->sources); i++) {
        const json_t *s = json_array_get(d->sources, i);
        if (strcmp(dap_text(s, "own"), own) != 0)
            continue;
        const char *path = dap_text(s, "path"), *slash = strrchr(path, '/');
        json_t *to =
            json_pack("{s:s, s:s}", "name", slash != NULL ? slash + 1 : path, "path", path);
        if (access(path, R_OK) != 0) /* the program carries its text */
            json_object_set_new(to, "sourceReference", json_integer((json_int_t)i + 1));
        return to;
    }
    return NULL;
}

const char *dap_own_path(const dap *d, const char *path) {
    char *whole = NULL;
    if (path[0] != '/' && dap_text(d->launched, "cwd")[0] != '\0' &&
        asprintf(&whole, "%s/%s", dap_text(d->launched, "cwd"), path) < 0)
        whole = NULL;
    char *real = realpath(whole != NULL ? whole : path, NULL);
    const char *own = NULL;
    for (size_t i = 0; own == NULL && i < json_array_size(d->sources); i++) {
        const json_t *s = json_array_get(d->sources, i);
        char *other = realpath(dap_text(s, "path"), NULL);
        if (strcmp(dap_text(s, "path"), path) == 0 || strcmp(dap_text(s, "own"), path) == 0 ||
            (real != NULL && other != NULL && strcmp(real, other) == 0))
            own = dap_text(s, "own");
        free(other);
    }
    free(real);
    free(whole);
    return own;
}
