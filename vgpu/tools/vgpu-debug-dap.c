/*
 * vgpu-debug-dap.c: vgpu-debug for an editor: requests of the Debug Adapter Protocol come on stdin,
 * answers and events go out on stdout (vgpu-debug-dap.h).
 *
 * While the program runs, what must reach it waits: the program is interrupted, answers, and goes
 * on without the client's noticing. In its host part it does not listen: there requests wait for
 * the next kernel, or for the end.
 *
 * Long, since it holds all requests that begin, carry on and end a session, and their table.
 *
 * Contract: nothing stays behind. When the client is gone, the program ends.
 */
#include "vgpu/tools/vgpu-debug-dap.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- members ---- */

const char *dap_text(const json_t *of, const char *name) {
    const char *text = json_string_value(json_object_get(of, name));
    return text != NULL ? text : "";
}

int64_t dap_number(const json_t *of, const char *name, int64_t otherwise) {
    const json_t *n = json_object_get(of, name);
    return json_is_integer(n) ? json_integer_value(n) : otherwise;
}

const json_t *dap_arguments(const json_t *request) {
    return json_object_get(request, "arguments");
}

/* ---- what goes out ---- */

static void send_message(dap *d, json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT), head[64];
    const size_t len = text != NULL ? strlen(text) : 0;
    const int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", len);
    const char *part[] = {head, text};
    const size_t size[] = {(size_t)n, len};
    json_decref(message);
    for (int i = 0; i < 2 && text != NULL; i++) {
        for (size_t done = 0; done < size[i] && !d->closed;) {
            const ssize_t wrote = write(d->out, part[i] + done, size[i] - done);
            if (wrote > 0)
                done += (size_t)wrote;
            else if (errno != EINTR)
                d->closed = true;
        }
    }
    free(text);
}

void dap_event(dap *d, const char *name, json_t *body) {
    json_t *m =
        json_pack("{s:I, s:s, s:s}", "seq", (json_int_t)++d->seq, "type", "event", "event", name);
    if (body != NULL)
        json_object_set_new(m, "body", body);
    send_message(d, m);
}

static json_t *response(dap *d, const json_t *request, bool success) {
    return json_pack("{s:I, s:s, s:I, s:b, s:s}", "seq", (json_int_t)++d->seq, "type", "response",
                     "request_seq", (json_int_t)dap_number(request, "seq", 0), "success", success,
                     "command", dap_text(request, "command"));
}

void dap_respond(dap *d, const json_t *request, json_t *body) {
    json_t *m = response(d, request, true);
    if (body != NULL)
        json_object_set_new(m, "body", body);
    send_message(d, m);
}

/* Sentences come from the program, too: what is no UTF-8 in them is replaced by jansson's null. */
void dap_refuse(dap *d, const json_t *request, const char *form, ...) {
    char text[2048];
    va_list args;
    va_start(args, form);
    vsnprintf(text, sizeof text, form, args);
    va_end(args);
    json_t *m = response(d, request, false), *shown = json_string(text);
    if (shown == NULL)
        shown = json_string("the request cannot be carried out");
    json_object_set_new(m, "body",
                        json_pack("{s:{s:i, s:s, s:{s:O}, s:b}}", "error", "id", 1, "format",
                                  "{why}", "variables", "why", shown, "showUser", true));
    json_object_set_new(m, "message", shown);
    send_message(d, m);
}

/* What is no UTF-8 becomes U+FFFD. */
static json_t *text_of_bytes(const char *bytes, size_t len) {
    static const char unknown[3] = {'\xEF', '\xBF', '\xBD'};
    json_t *plain = json_stringn(bytes, len);
    if (plain != NULL)
        return plain;
    char *to = malloc(3 * len + 1);
    size_t n = 0;
    for (size_t i = 0; to != NULL && i < len;) {
        size_t take = 4 < len - i ? 4 : len - i;
        json_t *one = NULL;
        for (; take > 0 && one == NULL; take--)
            one = json_stringn(bytes + i, take);
        if (one != NULL && json_string_length(one) > 0) {
            memcpy(to + n, json_string_value(one), json_string_length(one));
            n += json_string_length(one);
            i += json_string_length(one);
        } else {
            memcpy(to + n, unknown, sizeof unknown);
            n += sizeof unknown;
            i++;
        }
        json_decref(one);
    }
    plain = to != NULL ? json_stringn(to, n) : NULL;
    free(to);
    return plain;
}

void dap_print(dap *d, const char *category, const char *text, size_t len) {
    json_t *shown = text_of_bytes(text, len);
    if (shown != NULL)
        dap_event(d, "output", json_pack("{s:s, s:o}", "category", category, "output", shown));
}

/* ---- the program is held, goes on, ends ---- */

static void tell_stopped(dap *d) {
    json_t *body = NULL;
    if (d->held != NULL) {
        const char *reason = dap_text(d->held, "reason"), *text = dap_text(d->held, "text");
        const int id = dap_break_id(d, dap_number(d->held, "number", 0));
        body = json_pack("{s:s, s:I, s:b}", "reason", reason, "threadId",
                         (json_int_t)dap_thread_of_warp(dap_number(d->held, "warp", 0)),
                         "allThreadsStopped", true);
        if (strcmp(reason, "exception") == 0)
            json_object_set_new(body, "description",
                                json_string("The kernel is held at a mistake"));
        if (text[0] != '\0' && strcmp(reason, "pause") != 0 && strcmp(reason, "entry") != 0)
            json_object_set_new(body, "text", json_string(text));
        if (id > 0)
            json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", id));
    } else {
        body = json_pack("{s:s, s:s, s:i, s:b}", "reason", "exception", "description",
                         "The kernel has ended, and something was found in it", "threadId", 1,
                         "allThreadsStopped", true);
    }
    dap_event(d, "stopped", body);
}

static bool go(dap *d, const char *command, const json_t *request) {
    bool failed = false;
    char *text = dap_say(d, command, &failed);
    const bool goes = d->state == DAP_GOING;
    if (text != NULL)
        text[strcspn(text, "\n")] = '\0';
    if (request != NULL && !goes)
        dap_refuse(d, request, "%s", text != NULL ? text : "the program has ended");
    free(text);
    return goes;
}

static void find_sources(dap *d, const json_t *hello) {
    const json_t *list = json_object_get(hello, "sources");
    const char *cwd = dap_text(d->launched, "cwd");
    json_decref(d->sources);
    d->sources = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *own = json_string_value(json_array_get(list, i));
        char *whole = NULL, *real = NULL;
        if (own[0] != '/' && cwd[0] != '\0' && asprintf(&whole, "%s/%s", cwd, own) > 0)
            real = realpath(whole, NULL);
        if (real == NULL)
            real = realpath(own, NULL);
        json_array_append_new(
            d->sources, json_pack("{s:s, s:s}", "own", own, "path", real != NULL ? real : own));
        free(real);
        free(whole);
    }
}

static void run_program(dap *d) {
    if (json_is_true(json_object_get(d->launched, "stopOnEntry")))
        json_decref(dap_ask(d, "entry"));
    (void)go(d, "run", NULL);
}

/* The program that was started waits before main: launch, or restart, is through. */
static void has_started(dap *d) {
    json_t *request = d->starting;
    const bool again = strcmp(dap_text(request, "command"), "restart") == 0;
    json_t *hello = dap_ask(d, "hello");
    d->starting = NULL;
    if (dap_number(hello, "modules", 0) == 0) {
        dap_refuse(d, request,
                   "%s has no names of its kernels: compile it with vgpucc -g, without "
                   "--front nvcc",
                   dap_text(d->launched, "program"));
        dap_end(d);
    } else {
        find_sources(d, hello);
        dap_respond(d, request, NULL);
        if (!again)
            dap_event(d, "initialized", NULL);
        if (!json_is_true(json_object_get(d->launched, "noDebug")))
            dap_add_breaks(d);
        else
            json_decref(dap_ask(d, "ignore\n%u", ~0u));
        if (again && d->configured)
            run_program(d);
    }
    json_decref(hello);
    json_decref(request);
}

static void do_waiting(dap *d) {
    json_t *list = d->waiting;
    d->waiting = json_array();
    for (size_t i = 0; i < json_array_size(list); i++)
        dap_carry_out(d, json_array_get(list, i));
    json_decref(list);
}

void dap_is_held(dap *d) {
    const bool starts = d->state == DAP_STARTING;
    d->state = DAP_HELD;
    if (starts) {
        has_started(d);
        return;
    }
    const bool waited = json_array_size(d->waiting) > 0;
    const bool own = strcmp(dap_text(d->held, "reason"), "pause") == 0 && !d->asked_to_pause;
    do_waiting(d);
    if (own && waited && d->state == DAP_HELD) {
        (void)go(d, "continue", NULL);
        return;
    }
    d->asked_to_pause = false;
    if (d->state == DAP_HELD)
        tell_stopped(d);
}

static void describe_end(const dap *d, int status, char *to, size_t len) {
    if (WIFSIGNALED(status))
        snprintf(to, len, "%s was ended by signal %d, %s", dap_text(d->launched, "program"),
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(to, len,
                 "%s ended before it could be held (exit status %d): vgpucc compiles "
                 "programs that can be",
                 dap_text(d->launched, "program"), WEXITSTATUS(status));
}

void dap_has_ended(dap *d, int status) {
    json_t *request = d->starting;
    char text[600];
    d->starting = NULL;
    describe_end(d, status, text, sizeof text);
    if (request != NULL) {
        dap_refuse(d, request, "%s", text);
        json_decref(request);
        return;
    }
    do_waiting(d);
    if (WIFSIGNALED(status)) {
        const size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, ".\n");
        dap_print(d, "important", text, strlen(text));
    }
    dap_event(d, "exited",
              json_pack("{s:i}", "exitCode",
                        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)));
    dap_event(d, "terminated", NULL);
}

/* ---- requests ---- */

static void initialize(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    d->line_from_0 = json_is_false(json_object_get(a, "linesStartAt1"));
    d->can_invalidate = json_is_true(json_object_get(a, "supportsInvalidatedEvent"));
    static const char *const can[] = {"supportsConfigurationDoneRequest",
                                      "supportsFunctionBreakpoints",
                                      "supportsConditionalBreakpoints",
                                      "supportsHitConditionalBreakpoints",
                                      "supportsLogPoints",
                                      "supportsDataBreakpoints",
                                      "supportsEvaluateForHovers",
                                      "supportsSetVariable",
                                      "supportsSetExpression",
                                      "supportsRestartRequest",
                                      "supportsTerminateRequest",
                                      "supportTerminateDebuggee",
                                      "supportsExceptionInfoRequest",
                                      "supportsLoadedSourcesRequest",
                                      "supportsValueFormattingOptions",
                                      "supportsStepBack"};
    static const struct {
        const char *name, *label, *description;
    } filter[] = {
        {"fault", "Faults and deadlocks", "Holds the thread at the access, or who waits for whom."},
        {"race", "Races", "Holds when two threads are found to have touched memory at once."},
        {"uninitialised", "Reads of what nobody wrote", "Holds when one is found."}};
    json_t *body = json_object(), *list = json_array();
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_object_set_new(body, can[i], json_true());
    for (size_t i = 0; i < sizeof filter / sizeof *filter; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b}", "filter", filter[i].name,
                                              "label", filter[i].label, "description",
                                              filter[i].description, "default", true));
    json_object_set_new(body, "exceptionBreakpointFilters", list);
    dap_respond(d, request, body);
}

static void launch(dap *d, const json_t *request) {
    if (d->state != DAP_NO_PROGRAM) {
        dap_refuse(d, request, "the program is there already: restart starts it again");
        return;
    }
    json_decref(d->launched);
    d->launched = json_deep_copy(dap_arguments(request));
    if (dap_start(d, request))
        d->starting = json_deep_copy(request);
}

static void restart(dap *d, const json_t *request) {
    const json_t *other = json_object_get(dap_arguments(request), "arguments");
    if (d->launched == NULL) {
        dap_refuse(d, request, "nothing was launched that could start again");
        return;
    }
    if (json_is_object(other)) {
        json_decref(d->launched);
        d->launched = json_deep_copy(other);
    }
    dap_end(d);
    if (dap_start(d, request))
        d->starting = json_deep_copy(request);
}

static void configuration_done(dap *d, const json_t *request) {
    d->configured = true;
    dap_respond(d, request, NULL);
    if (d->state == DAP_HELD && d->held == NULL)
        run_program(d);
}

static void disconnect(dap *d, const json_t *request) {
    dap_end(d);
    dap_respond(d, request, NULL);
    d->done = true;
}

static void terminate(dap *d, const json_t *request) {
    const bool there = d->state != DAP_NO_PROGRAM;
    dap_end(d);
    dap_respond(d, request, NULL);
    if (there)
        dap_event(d, "terminated", NULL);
}

static void pause_program(dap *d, const json_t *request) {
    if (d->state == DAP_GOING) {
        d->asked_to_pause = true;
        dap_interrupt(d);
    }
    dap_respond(d, request, NULL);
}

/* What goes on goes on by this thread; in others breakpoints do not count meanwhile. */
static void step_by(dap *d, const json_t *request, const char *command) {
    const int64_t warp = dap_number(dap_arguments(request), "threadId", 1) - 1;
    if (d->held != NULL && dap_number(d->held, "warp", -1) != warp)
        json_decref(dap_ask(d, "focus\n%lld\n-1\n0", (long long)warp));
    else if (d->held != NULL)
        json_decref(dap_ask(d, "focus\n%lld\n%lld\n0", (long long)warp,
                            (long long)dap_number(d->held, "lane", -1)));
    const bool all = strcmp(command, "continue") == 0 || strcmp(command, "reverse-continue") == 0;
    if (go(d, command, request))
        dap_respond(d, request, all ? json_pack("{s:b}", "allThreadsContinued", true) : NULL);
}

static void go_on(dap *d, const json_t *request) {
    step_by(d, request, "continue");
}

static void next(dap *d, const json_t *request) {
    step_by(d, request, "next");
}

static void step_in(dap *d, const json_t *request) {
    step_by(d, request, "step");
}

static void step_out(dap *d, const json_t *request) {
    step_by(d, request, "finish");
}

static void step_back(dap *d, const json_t *request) {
    step_by(d, request, "reverse-next");
}

static void reverse_continue(dap *d, const json_t *request) {
    step_by(d, request, "reverse-continue");
}

static void exception_info(dap *d, const json_t *request) {
    const json_t *first = json_array_get(json_object_get(d->found, "sites"), 0);
    const bool held = strcmp(dap_text(d->held, "reason"), "exception") == 0;
    if (!held && first == NULL) {
        dap_refuse(d, request, "the program is not held by a fault");
        return;
    }
    dap_respond(d, request,
                json_pack("{s:s, s:s, s:s}", "exceptionId",
                          dap_text(held ? d->held : first, "kind"), "description",
                          dap_text(held ? d->held : first, held ? "text" : "message"), "breakMode",
                          "always"));
}

static void source(dap *d, const json_t *request) {
    const json_t *a = dap_arguments(request);
    int64_t number = dap_number(json_object_get(a, "source"), "sourceReference", 0);
    if (number == 0)
        number = dap_number(a, "sourceReference", 0);
    const json_t *s = number > 0 ? json_array_get(d->sources, (size_t)number - 1) : NULL;
    json_t *answer = s != NULL ? dap_ask(d, "source\n%s", dap_text(s, "own")) : NULL;
    const char *wrong = s == NULL ? "there is no such source" : dap_wrong(answer);
    if (wrong != NULL)
        dap_refuse(d, request, "%s", wrong);
    else
        dap_respond(d, request, json_pack("{s:s}", "content", dap_text(answer, "text")));
    json_decref(answer);
}

static void loaded_sources(dap *d, const json_t *request) {
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(d->sources); i++)
        json_array_append_new(list, dap_source(d, dap_text(json_array_get(d->sources, i), "own")));
    dap_respond(d, request, json_pack("{s:o}", "sources", list));
}

static void set_breakpoints(dap *d, const json_t *request) {
    dap_set_breaks(d, request, 's');
}

static void set_functions(dap *d, const json_t *request) {
    dap_set_breaks(d, request, 'f');
}

static void set_data(dap *d, const json_t *request) {
    dap_set_breaks(d, request, 'd');
}

/* When a request can be carried out. */
enum when {
    ANY_TIME,
    WAITS,     /* until the program is held, if it runs; without a program at once */
    HELD_ONLY, /* while a kernel is held, or what was found in it is shown */
    IN_HAND    /* while it is held at all */
};

static const struct {
    const char *name;
    enum when when;
    void (*run)(dap *d, const json_t *request);
} requests[] = {
    {"initialize", ANY_TIME, initialize},
    {"launch", ANY_TIME, launch},
    {"restart", ANY_TIME, restart},
    {"configurationDone", ANY_TIME, configuration_done},
    {"disconnect", ANY_TIME, disconnect},
    {"terminate", ANY_TIME, terminate},
    {"pause", ANY_TIME, pause_program},
    {"threads", ANY_TIME, dap_threads},
    {"loadedSources", ANY_TIME, loaded_sources},
    {"setBreakpoints", WAITS, set_breakpoints},
    {"setFunctionBreakpoints", WAITS, set_functions},
    {"setDataBreakpoints", WAITS, set_data},
    {"setExceptionBreakpoints", WAITS, dap_set_exceptions},
    {"source", WAITS, source},
    {"stackTrace", HELD_ONLY, dap_stack},
    {"scopes", HELD_ONLY, dap_scopes},
    {"variables", HELD_ONLY, dap_variables},
    {"evaluate", HELD_ONLY, dap_evaluate},
    {"setVariable", HELD_ONLY, dap_set_variable},
    {"setExpression", HELD_ONLY, dap_set_expression},
    {"dataBreakpointInfo", HELD_ONLY, dap_data_info},
    {"exceptionInfo", HELD_ONLY, exception_info},
    {"continue", HELD_ONLY, go_on},
    {"next", HELD_ONLY, next},
    {"stepIn", HELD_ONLY, step_in},
    {"stepOut", HELD_ONLY, step_out},
    {"stepBack", HELD_ONLY, step_back},
    {"reverseContinue", HELD_ONLY, reverse_continue},
};

static void carry_out(dap *d, json_t *request, size_t i) {
    const bool running = d->state == DAP_GOING || d->state == DAP_STARTING;
    const enum when when = requests[i].when;
    if (when == WAITS && running) {
        json_array_append(d->waiting, request);
        if (d->state == DAP_GOING)
            dap_interrupt(d);
    } else if (when == HELD_ONLY && running) {
        dap_refuse(d, request, "the program runs: pause it first");
    } else if (when == HELD_ONLY && d->state == DAP_NO_PROGRAM) {
        dap_refuse(d, request, "there is no program: launch starts one");
    } else if (when == HELD_ONLY && d->held == NULL && d->found == NULL) {
        dap_refuse(d, request, "the program does not run yet: configurationDone starts it");
    } else {
        requests[i].run(d, request);
    }
}

void dap_carry_out(dap *d, json_t *request) {
    const char *command = dap_text(request, "command");
    if (strcmp(dap_text(request, "type"), "request") != 0)
        return; /* answers to requests of ours: there are none */
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(requests[i].name, command) == 0) {
            carry_out(d, request, i);
            return;
        }
    }
    dap_refuse(d, request, "vgpu-debug does not know the request \"%.100s\"", command);
}

/* ---- the loop ---- */

static void read_client(dap *d) {
    char bytes[65536];
    const ssize_t n = read(d->in, bytes, sizeof bytes);
    if (n <= 0) {
        d->closed = n == 0 || errno != EINTR;
        return;
    }
    if (!dap_reader_add(&d->reader, bytes, (size_t)n)) {
        d->closed = true;
        return;
    }
    for (bool more = true; more && !d->done && !d->closed;) {
        json_t *request = NULL;
        static const char no_header[] =
            "vgpu-debug: the client's message has no \"Content-Length: N\" of 16 MiB at most; what "
            "follows cannot be read.\n";
        static const char no_json[] = "vgpu-debug: a message of the client's is not JSON.\n";
        switch (dap_reader_next(&d->reader, &request)) {
        case DAP_NONE: more = false; break;
        case DAP_MESSAGE: dap_carry_out(d, request); break;
        case DAP_BAD_JSON: dap_print(d, "console", no_json, sizeof no_json - 1); break;
        case DAP_BAD_HEADER:
            dap_print(d, "console", no_header, sizeof no_header - 1);
            d->closed = true;
            break;
        }
        json_decref(request);
    }
}

static void wait_for_more(dap *d) {
    const bool listens = d->state == DAP_GOING || d->state == DAP_STARTING || d->state == DAP_HELD;
    struct pollfd fds[4] = {{.fd = d->in, .events = POLLIN},
                            {.fd = listens ? d->socket : -1, .events = POLLIN},
                            {.fd = d->stream[0].fd, .events = POLLIN},
                            {.fd = d->stream[1].fd, .events = POLLIN}};
    if (poll(fds, 4, -1) < 0) {
        d->closed = errno != EINTR;
        return;
    }
    if ((fds[2].revents | fds[3].revents) != 0)
        dap_pump(d, 0);
    if (fds[1].revents != 0)
        dap_hear_program(d);
    else if (fds[0].revents != 0)
        read_client(d);
}

int dap_main(void) {
    dap d = {.in = STDIN_FILENO,
             .out = STDOUT_FILENO,
             .waiting = json_array(),
             .stream = {{.fd = -1}, {.fd = -1}}};
    signal(SIGPIPE, SIG_IGN);
    while (!d.done && !d.closed)
        wait_for_more(&d);
    dap_end(&d);
    const int kept = d.num_breaks;
    for (int i = 0; i < kept; i++) {
        json_decref(d.breaks[i].spec);
        free(d.breaks[i].source);
    }
    dap_forget_references(&d);
    free(d.breaks);
    free(d.references);
    json_decref(d.starting);
    json_decref(d.launched);
    json_decref(d.waiting);
    json_decref(d.sources);
    dap_reader_free(&d.reader);
    return 0;
}
